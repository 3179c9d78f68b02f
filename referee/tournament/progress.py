"""How far each player got in an elimination: whoever is still in is ahead of whoever is out, and who left late of who left
early.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from referee.tournament.double_elimination import GRAND_FINAL, LOSERS, RESET, WINNERS
from referee.tournament.elimination import FINAL, MAIN, THIRD, draw_order
from referee.tournament.rounds import Field, Outcome, Pairing

BRACKET = (MAIN, FINAL, THIRD, WINNERS, LOSERS, GRAND_FINAL, RESET)
"""The groups of the tables of an elimination."""
STILL_IN = 10**9
"""Stands for those who are not out; the winner is the only one left."""
_STEP = 16  # room between two rounds for the match for the third place, and for the places of a larger final


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
        {'alice': 16, 'bob': 1000000000}
    """
    reached, lost = dict.fromkeys(field.players, STILL_IN), dict.fromkeys(field.players, 0)
    third: dict[str, int] = {}
    for number, pairing, outcome in _finished(field):
        losers = [player for player in pairing.seats if _is_lost(field, number, pairing, outcome, player)]
        if pairing.group == THIRD:
            third |= {player: 0 if player in losers else _STEP // 2 for player in pairing.seats}
            continue
        last = pairing.group == RESET or (pairing.group == GRAND_FINAL and field.settings.get("reset", "yes") != "yes")
        for player in losers:
            gone = player in outcome.absent and not _is_seen(field, number, player)
            lost[player] += losses if last or gone else 1
            if lost[player] >= losses:
                reached[player] = _STEP * number + _beside(pairing, outcome, player)
    return {player: value + third.get(player, 0) for player, value in reached.items()}


def _beside(pairing: Pairing, outcome: Outcome, player: str) -> int:
    """Return how those who left at the same larger table stand to each other: by place."""
    size = len(pairing.seats)
    return size - outcome.places.get(player, size) if size > 2 else 0


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
    """Return whether somebody finished ahead or went on from a draw; at larger tables, whether the player did not go on."""
    if len(pairing.seats) > 2 and pairing.group != FINAL:
        return _left(field, number, player)
    mine = outcome.places.get(player, len(pairing.seats))
    others = [other for other in pairing.seats if other != player]
    if player in outcome.absent or any(outcome.places.get(other, mine) < mine for other in others):
        return True
    beside = [other for other in others if outcome.places.get(other) == mine and other not in outcome.absent]
    return bool(beside) and _went_on(field, number, pairing, [player, *beside]) != player


def _left(field: Field, number: int, player: str) -> bool:
    """Return whether a later round was published without a player."""
    return field.rounds[-1].number > number and not _is_seen(field, number, player)


def _is_seen(field: Field, number: int, player: str) -> bool:
    """Return whether a player was paired in a later round: who did not play is not put among the losers."""
    return any(player in pairing.seats for one in field.rounds if one.number > number for pairing in one.pairings)


def _went_on(field: Field, number: int, pairing: Pairing, drawn: list[str]) -> str:
    """Return who went on from a draw: who was paired again and did not drop; if nobody was yet, the first by the draw."""
    for one in field.rounds:
        seated = {player: table.group for table in one.pairings for player in table.seats if player in drawn}
        if one.number > number and seated:
            kept = [player for player, group in seated.items() if group != LOSERS or pairing.group == LOSERS]
            return next(iter(kept or [player for player in drawn if player not in seated]), drawn[0])
    order = draw_order(field)
    return min(drawn, key=lambda player: order[player])
