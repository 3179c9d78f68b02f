"""Rounds of tables for 3 to 6 players: as many different opponents as can be, and every seat as often.

The first try is a plan at which nobody meets anybody twice, where one is known (`designs`); what withdrawals, late entries
and odd numbers spoil, a bounded search mends (`search`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations

from ..errors import Refused
from .designs import planned
from .history import meetings
from .ranking import BY_PLACES, Ranking
from .rounds import Field, Pairing
from .search import SHAKES, Costs, Shaker, Tables
from .sizes import sitting, sizes
from .swiss import entitled

BALANCE, SCORE = "balance", "score"
"""By what players come together: as many different opponents as can be, or opponents with as many points."""


def smallest_of(field: Field) -> int:
    """Return the fewest players at a table: the setting `smallest-table`, or one less than its seats, but two at least.

    Example:
        >>> smallest_of(Field((), (), seats=4)), smallest_of(Field((), (), settings={"smallest-table": 2}, seats=4))
        (3, 2)
    """
    return int(field.settings.get("smallest-table", 0)) or max(2, field.seats - 1)


def next_round(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    """Return the tables of the next round, byes at the end.

    Args:
        field: the event so far; its settings: `pair-by`, `smallest-table`.
        ranking: where the points come from.

    Raises:
        Refused: there are not enough players for one table.

    Example:
        >>> names = ("alice", "bob", "carol", "dave", "erin", "frank")
        >>> [pairing.seats for pairing in next_round(Field(names, names, seats=3))]
        [('alice', 'carol', 'erin'), ('bob', 'dave', 'frank')]
    """
    players = entitled(field)
    points = ranking.points(field)
    free = _free(field, players, points)
    inside = tuple(player for player in players if player not in free)
    if not inside:
        raise Refused(
            f"A table takes {smallest_of(field)} to {field.seats} players, and {len(players)} can be seated.",
            "Let players enter or come back, or close the event: the standings count as they are.",
        )
    tables = seated(field, arranged(field, inside, points))
    return [Pairing(number, seats) for number, seats in enumerate([*tables, *((player,) for player in free)], 1)]


def _free(field: Field, players: Sequence[str], points: Mapping[str, int]) -> list[str]:
    """Return who has a bye: as few as can be, those with the fewest byes so far, then the fewest points, then by lot."""
    spare = len(players) - sitting(len(players), field.seats, smallest_of(field))
    had = Counter(table.seats[0] for found in field.rounds for table in found.pairings if table.is_bye)
    by_lot = {player: number for number, player in enumerate(field.lots)}
    return sorted(players, key=lambda player: (had[player], points[player], -by_lot[player]))[:spare]


def arranged(field: Field, players: Sequence[str], points: Mapping[str, int]) -> list[list[str]]:
    """Return who sits with whom.

    Args:
        field: the event so far: it says who met.
        players: all who are to sit; there is a way to seat them.
        points: of each of them, which count if the setting `pair-by` is `score` and they differ.

    Example:
        >>> names = tuple("abcdefghi")
        >>> arranged(Field(names, names, seats=3), names, {})
        [['a', 'd', 'g'], ['b', 'e', 'h'], ['c', 'f', 'i']]
    """
    wanted = sizes(len(players), field.seats, smallest_of(field))
    by_score = field.settings.get("pair-by", BALANCE) == SCORE and len({points[player] for player in players}) > 1
    start, home = _by_score(field, players, points, wanted) if by_score else (_by_plan(field, players, wanted), {})
    found = Tables(start, Costs(meetings(field), _small(field), home))
    shaker = Shaker(f"{len(field.rounds) + 1} {' '.join(field.lots)}")
    found.improve(shaker, max(4, min(SHAKES, 4_000 // len(players))))
    return found.tables


def _by_score(
    field: Field, players: Sequence[str], points: Mapping[str, int], wanted: Sequence[int]
) -> tuple[list[list[str]], dict[str, int]]:
    by_lot = {player: number for number, player in enumerate(field.lots)}
    ranked = sorted(players, key=lambda player: (-points[player], by_lot[player]))
    tables = []
    for size in wanted:
        tables.append(ranked[:size])
        ranked = ranked[size:]
    return tables, {player: number for number, seats in enumerate(tables) for player in seats}


def _by_plan(field: Field, players: Sequence[str], wanted: Sequence[int]) -> list[list[str]]:
    """Return the tables of the plan, with players moved from tables that are too large to those that are too small."""
    by_lot = {player: number for number, player in enumerate(field.lots)}
    everybody = sorted(field.players, key=lambda player: (field.joined.get(player, 1), by_lot[player]))
    if -(-len(everybody) // field.seats) != len(wanted):
        everybody = [player for player in everybody if player in players]
    tables: list[list[str]] = [[] for _ in wanted]
    for place, player in enumerate(everybody):
        if player in players:
            tables[planned(place, len(wanted), field.seats, len(field.rounds))].append(player)
    tables.sort(key=len, reverse=True)
    spare = [player for seats, size in zip(tables, wanted, strict=True) for player in seats[size:]]
    kept = [seats[:size] for seats, size in zip(tables, wanted, strict=True)]
    for seats, size in zip(kept, wanted, strict=True):
        seats += [spare.pop() for _ in range(size - len(seats))]
    return kept


def _small(field: Field) -> Counter[str]:
    """Return how often each player sat at a table that was smaller than another of its round, or had a bye."""
    small: Counter[str] = Counter()
    for found in field.rounds:
        largest = max(len(pairing.seats) for pairing in found.pairings)
        small.update(player for pairing in found.pairings if len(pairing.seats) < largest for player in pairing.seats)
    return small


def seated(field: Field, tables: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return the tables with their players in the order of their seats: each in a seat that was rare so far.

    Args:
        field: the event so far.
        tables: who sits with whom.

    Example:
        >>> names = ("alice", "bob", "carol")
        >>> seated(Field(names, ("bob", "carol", "alice"), seats=3), [names])
        [('bob', 'carol', 'alice')]
    """
    sat: Counter[tuple[str, int]] = Counter()
    last: dict[str, int] = {}
    for found in field.rounds:
        for pairing in found.pairings:
            if not pairing.is_bye:
                sat.update((player, seat) for seat, player in enumerate(pairing.seats))
                last |= {player: seat for seat, player in enumerate(pairing.seats)}
    by_lot = {player: number for number, player in enumerate(field.lots)}

    def cost(seats: Sequence[str]) -> int:
        return sum(2 * sat[player, seat] + (last.get(player) == seat) for seat, player in enumerate(seats))

    return [min(permutations(sorted(seats, key=lambda player: by_lot[player])), key=cost) for seats in tables]
