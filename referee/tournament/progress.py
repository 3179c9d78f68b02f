"""How far each player got in an elimination: whoever is still in is ahead of whoever is out, and who left late of who left
early.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.tournament.rounds import Field, Outcome, Pairing

THIRD = "third"
"""The group of the match for the third place, which puts nobody out."""
STILL_IN = 10**9
"""Stands for those who are not out; the winner is the only one left."""
_STEP = 4  # room between two rounds for the match for the third place


def rank_by_progress(field: Field, losses: int = 1) -> Mapping[str, int]:
    """Return a number for each player: the higher, the further. Those who left in the same round share it.

    Args:
        field: the event.
        losses: how many lost games put a player out, 1 or 2.

    Example:
        >>> from referee.tournament.rounds import Round
        >>> over = {1: Outcome(1, {"alice": 2, "bob": 1})}
        >>> field = Field(("alice", "bob"), ("bob", "alice"), (Round(1, (Pairing(1, ("alice", "bob")),), over),))
        >>> rank_by_progress(field)
        {'alice': 4, 'bob': 1000000000}
    """
    reached, lost = dict.fromkeys(field.players, STILL_IN), dict.fromkeys(field.players, 0)
    third: dict[str, int] = {}
    for number, pairing, outcome in _finished(field):
        losers = [player for player in pairing.seats if _is_lost(field, number, pairing, outcome, player)]
        if pairing.group == THIRD:
            third |= {player: 0 if player in losers else _STEP // 2 for player in pairing.seats}
            continue
        for player in losers:
            lost[player] += 1
            if lost[player] >= losses:
                reached[player] = _STEP * number
    return {player: value + third.get(player, 0) for player, value in reached.items()}


def is_lost(field: Field, number: int, pairing: Pairing, player: str) -> bool:
    """Return whether a player lost a table that is over.

    Example:
        >>> is_lost(Field(("alice",), ("alice",)), 1, Pairing(1, ("alice",)), "alice")
        False
    """
    found = [one.outcomes.get(pairing.table) for one in field.rounds if one.number == number]
    return bool(found) and found[0] is not None and _is_lost(field, number, pairing, found[0], player)


def _finished(field: Field) -> Iterator[tuple[int, Pairing, Outcome]]:
    for one in field.rounds:
        for pairing in one.pairings:
            if (outcome := one.outcomes.get(pairing.table)) is not None and not pairing.is_bye:
                yield one.number, pairing, outcome


def _is_lost(field: Field, number: int, pairing: Pairing, outcome: Outcome, player: str) -> bool:
    """Return whether somebody finished ahead; of those who share a place, whoever is not seen again while another is."""
    mine = outcome.places.get(player, len(pairing.seats))
    others = [other for other in pairing.seats if other != player]
    if player in outcome.absent or any(outcome.places.get(other, mine) < mine for other in others):
        return True
    beside = {other for other in others if outcome.places.get(other) == mine and other not in outcome.absent}
    if not beside:
        return False
    later = {seat for one in field.rounds if one.number > number for table in one.pairings for seat in table.seats}
    return player not in later and bool(beside & later)
