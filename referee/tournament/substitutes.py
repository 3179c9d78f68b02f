"""Somebody else takes over a player's name: in the event, and in each of the matches that are under way."""

from __future__ import annotations

from referee import desk
from referee.chain import Chain
from referee.people import People, Person

from .director import Director
from .event import Event
from .play import folder_of, is_there


def hand_over(director: Director, player: str, person: Person, why: str) -> Event:
    """Let somebody else play for a player; may be repeated after an interruption.

    Args:
        director: who rules it.
        player: the name, which stays.
        person: who plays from now on.
        why: the reason, which all players read.

    Returns:
        The event after it.

    Raises:
        Refused: there is no such player.
        RefereeError: a match cannot be read or written.
    """
    event = director.substitute(player, person, why).event
    for number, table in event.missing():
        pairing = event.pairing(number, table)
        place = folder_of(director.folder, event.match_id(number, table))
        if player in pairing.seats and is_there(place):
            _in_match(director, Chain(place, director.key.public), player, person, why)
    return event


def _in_match(director: Director, chain: Chain, seat: str, person: Person, why: str) -> None:
    link = chain.latest()
    if link.save.match.over or link.save.match.table is None:
        return
    # First who holds the seat, then the ruling: no report for the new holder may go to the former one.
    People(chain.path).change(seat, **vars(person))
    desk.rule(chain, director.key, {"ruling": "substitute", "seat": seat, "why": why}, at=director.at)
