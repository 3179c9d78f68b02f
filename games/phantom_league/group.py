"""Moving as a Group: who comes along, who docks along, and what a card does to all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from referee.kit import Frame, Match, no, one_of, order, step

from .deals import is_bound, note_staying
from .leagues import companions
from .mats import ship_of
from .table import Docking
from .turn_state import end_blockade, gone, turn_of

ONCE = ("meet_aliens", "meet_pirates", "be_flung", "check_again", "keep_alien", "take_aboard")
"""What a card does to a group once: there is one encounter, one jump, one set of cards, one guest."""


# Who is there


def fellows_here(m: Match, who: str) -> list[str]:
    """Moving as a Group; PL-98: return those who wait for their part of this turn in the same half-hex and have not moved."""
    if not m.table.turns:  # asked for each of many ways
        return []
    there = ship_of(m, who).place
    near = [seat for seat in companions(m, who) if seat in m.table.turns and not gone(m, seat)]
    near = [seat for seat in near if ship_of(m, seat).place == there and seat not in m.table.turn.left]
    return [seat for seat in near if may_still_move(m, seat)]


def may_still_move(m: Match, who: str) -> bool:
    """Movement phase; PL-20, PL-44: tell whether the movement of somebody who waits for his part is still to come."""
    turn = turn_of(m, who)
    return turn.phase == "movement" and not turn.moved and not turn.acted and not ship_of(m, who).blockaders


def crew(m: Match, who: str) -> list[str]:
    """Moving as a Group: return the players whose ships are moving together, whoever leads them first; the lost left out."""
    return [seat for seat in dict.fromkeys((who, *m.table.turn.group)) if not gone(m, seat)]


def dockers(m: Match, who: str) -> list[str]:
    """Moving as a Group: return the players who are docking together and whose docking has not failed."""
    together = dict.fromkeys((who, *m.table.turn.docking.group))
    return [seat for seat in together if not gone(m, seat) and not turn_of(m, seat).docking.failed]


def owner_of(m: Match, seats: Sequence[str], column: str) -> str:
    """Moving as a Group; PL-98: return the first of a group with a special ability, which serves all of it; or nobody."""
    return next((seat for seat in seats if m.has(column, seat)), "")


def most_needed(m: Match, seats: Sequence[str], column: str, base: Callable[[str], int]) -> int:
    """Moving as a Group; PL-98, PL-T33: return the highest number of cards that any member needs.

    Abilities that add cards count, those that reduce the number are ignored.

    Args:
        m: the match.
        seats: the members of the group.
        column: the column of abilities that change the number.
        base: the number for each member without abilities.
    """
    cards = m.components.columns.get(column, {})
    more = {seat: sum(max(0, cards[card]) for card in m.game.in_force(m, seat) if card in cards) for seat in seats}
    return max(base(seat) + more[seat] for seat in seats)


# Coming along


def call_along(seats: Sequence[str], who: str, place: str) -> list[Frame]:
    """Moving as a Group; PL-98: return what asks those who may come along; nothing if there are none.

    Args:
        seats: who may come along.
        who: who leads the movement.
        place: where it goes: a System, or an unexplored hex.
    """
    return [ask_along(who=who, seats=list(seats), place=place)] if seats else []


@step
def ask_along(m: Match, who: str, seats: list[str], place: str) -> Any:
    """Moving as a Group; PL-98: all at once are asked whether they come along, to save mails."""
    asked = {seat: (seat, [come_along, stay_behind]) for seat in seats}
    return m.ask_all("come along", asked, "set_out", interrupts=who, player=who, place=place)


@order("come along", standing=True)
def come_along(m: Match, who: str) -> None:
    """Moving as a Group: the answers of all are taken together."""


@order("stay behind", standing=True)
def stay_behind(m: Match, who: str) -> None:
    """Moving as a Group: who does not come along moves by himself later in this turn."""


@stay_behind.offered
def may_stay_behind(m: Match, who: str) -> Any:
    """Moving as a Group; PL-50: Sir Frank does not stay behind where he has promised to travel along."""
    leader = m.table.turn.who
    return no("sworn", seat=leader) if is_bound(m, who, leader, "along") else {}


@step
def set_out(m: Match, answers: dict[str, Frame]) -> None:
    """Moving as a Group; PL-98: those who want to move together."""
    coming = [seat for seat, answer in answers.items() if answer["do"] == "come_along"]
    m.table.turn.group = coming
    for seat in answers:
        m.reveal("comes along" if seat in coming else "stays behind", of=seat, who=seat)
        if seat not in coming:
            note_staying(m, seat, m.table.turn.who)


@order("leave {seat} behind", seat="seats")
def leave_behind(m: Match, who: str, seat: str) -> None:
    """Moving as a Group; PL-98: whoever leads may go without somebody, for instance without the slowest."""
    m.table.turn.left.append(seat)
    m.tell("leaves behind", who=who, seat=seat)


@leave_behind.offered
def may_leave_behind(m: Match, who: str) -> Any:
    """Moving as a Group: any of those who could come along, before the movement."""
    near = fellows_here(m, who)
    if not near or not may_still_move(m, who):
        return no("nobody comes along")
    return {"seat": one_of(near)}


# Docking along


def call_to_dock(m: Match, who: str) -> list[Frame]:
    """Moving as a Group; PL-98: return what asks those who may dock together with a player; nothing if there are none."""
    near = [seat for seat in companions(m, who) if seat in m.table.turns and not gone(m, seat)]
    near = [seat for seat in near if ship_of(m, seat).place == ship_of(m, who).place and not ship_of(m, seat).docked]
    near = [seat for seat in near if not turn_of(m, seat).acted and not turn_of(m, seat).no_action]
    return [ask_to_dock_along(who=who, seats=near)] if near else []


@step
def ask_to_dock_along(m: Match, who: str, seats: list[str]) -> Any:
    """Moving as a Group; PL-98: all at once are asked whether they dock together, with one set of Docking cards."""
    asked = {seat: (seat, [dock_along, stay_out]) for seat in seats}
    return m.ask_all("dock along", asked, "approach", interrupts=who, player=who, place=ship_of(m, who).place)


@order("dock along", standing=True)
def dock_along(m: Match, who: str) -> None:
    """Moving as a Group: the answers of all are taken together."""


@order("stay out", standing=True)
def stay_out(m: Match, who: str) -> None:
    """Moving as a Group: who does not dock along may dock by himself later in this turn, with cards of his own."""


@step
def approach(m: Match, answers: dict[str, Frame]) -> None:
    """Moving as a Group; PL-34, PL-98: docking is the action of each who docks along."""
    docking = m.table.turn.docking
    docking.group = [seat for seat, answer in answers.items() if answer["do"] == "dock_along"]
    for seat in answers:
        m.reveal("docks along" if seat in docking.group else "stays out", of=seat, who=seat)
    for seat in docking.group:
        turn = turn_of(m, seat)
        turn.phase, turn.acted, turn.docking = "action", True, Docking(place=docking.place)
        end_blockade(m, seat)


# Cards for all


def for_all(seats: Sequence[str], frames_for: Callable[[str], list[Frame]], closing: Iterable[Frame] = ()) -> list[Frame]:
    """Moving as a Group; PL-98: return what a card does to every member of a group, one after the other.

    Args:
        seats: the members, whoever leads them first.
        frames_for: gives what the card does to one player.
        closing: what follows if there are several: those who chose to fight do so together.
    """
    if len(seats) == 1:
        return frames_for(seats[0])
    shares = {seat: [f for f in frames_for(seat) if seat == seats[0] or f["do"] not in ONCE] for seat in seats}
    return [*[affect(who=seat, then=shares[seat]) for seat in seats if shares[seat]], *closing, moment_over()]


@step
def affect(m: Match, who: str, then: list[Frame]) -> None:
    """Moving as a Group: a card has its effect on a member, unless his ship was lost meanwhile."""
    if not gone(m, who):
        m.do(*then)


@step
def moment_over(m: Match) -> None:
    """Object of the game; PL-10, PL-11: what one card brings to all members of a group comes at the same moment."""
    m.do(step.crown())


def stands(m: Match, who: str) -> bool:
    """Moving as a Group: let a member stand up to the ship that his group has met; the fight comes when all chose."""
    meeting = any(frame["do"] == "fight_together" for frame in m.agenda)
    if meeting:
        m.table.turn.beside.append(who)
        m.tell("stands up", who=who)
    return meeting


# A blockade that holds several


def held_too(m: Match, who: str) -> bool:
    """Moving as a Group; PL-44: tell whether a docked fellow may help to break a blockade, because it holds him too."""
    battle = m.table.battle
    if battle.cause != "blockade" or who not in m.table.turns or who not in companions(m, battle.attacker):
        return False
    return any(m.table.ships[name].who in battle.fighters for name in ship_of(m, who).blockaders)
