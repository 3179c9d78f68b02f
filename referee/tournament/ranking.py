"""What the formats ask about a standing: points to make score groups, and an order to choose who goes on.

The event hands in its own, made from its scoring and its tie-breaks; `BY_PLACES` serves where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from .rounds import Field, Outcome


class Ranking(NamedTuple):
    """How a format learns who stands where.

    Args:
        points: the points of every player after the rounds of a field, in any whole unit: formats only compare them.
        rank: the players of a group (empty: all players), the best first, with no ties left.
        win: the points of a won table of two; 0 if they follow from the game.

    Example:
        >>> BY_PLACES.rank(Field(("alice", "bob"), ("bob", "alice")), "")
        ('bob', 'alice')
    """

    points: Callable[[Field], Mapping[str, int]]
    rank: Callable[[Field, str], tuple[str, ...]]
    win: int = 2


def members(field: Field, group: str) -> tuple[str, ...]:
    """Return the players of a group, in the order of their pairing numbers; every player for the empty name.

    Example:
        >>> members(Field(("alice", "bob"), ("bob", "alice")), "")
        ('alice', 'bob')
    """
    if not group:
        return field.players
    inside = {player for found in field.rounds for table in found.pairings if table.group == group for player in table.seats}
    return tuple(player for player in field.players if player in inside)


def won(outcome: Outcome, player: str) -> int:
    """Return twice the share of a table that a player won: 2 for each player beaten, 1 for each that shares the place.

    Who did not play wins nothing. Two seats: win 2, draw 1, loss 0; a bye counts as a win.

    Example:
        >>> won(Outcome(1, {"alice": 1, "bob": 2}), "alice"), won(Outcome(1, {"alice": 1, "bob": 1}), "bob")
        (2, 1)
    """
    if player in outcome.absent or player not in outcome.places:
        return 0
    if outcome.how == "bye":
        return 2
    own = outcome.places[player]
    met = [(other, place) for other, place in outcome.places.items() if other != player]
    beaten = sum(2 for other, place in met if other in outcome.absent or place > own)
    return beaten + sum(1 for other, place in met if other not in outcome.absent and place == own)


def _points(field: Field, group: str = "") -> Mapping[str, int]:
    points = dict.fromkeys(field.players, 0)
    for found in field.rounds:
        for table in found.pairings:
            outcome = found.outcomes.get(table.table)
            if outcome is not None and group in ("", table.group):
                for player in table.seats:
                    points[player] += won(outcome, player)
    return points


def _rank(field: Field, group: str) -> tuple[str, ...]:
    points = _points(field, group)
    by_lot = {player: number for number, player in enumerate(field.lots)}
    return tuple(sorted(members(field, group), key=lambda player: (-points[player], by_lot[player])))


BY_PLACES = Ranking(_points, _rank)
"""Places alone: 2 for each player beaten, 1 for each that shares the place; the lots decide between equals."""
