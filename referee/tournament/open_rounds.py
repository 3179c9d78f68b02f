"""A round robin without rounds: a table starts as soon as both of its players have room for one more.

Each player has at most so many matches open at a time. Who has begun the fewest comes first, so that nobody runs ahead, and
as many tables start as can. Whoever is left without a partner starts again when somebody finishes; since every table ends, by
its players or by ruling, every pair meets in the end.
"""

from __future__ import annotations

from collections import Counter

from .berger import AT_ONCE, tables_of
from .history import meetings
from .matching import cover
from .ranking import BY_PLACES, Ranking
from .rounds import Field, Pairing
from .swiss import entitled

OPEN = 2
"""How many matches a player has open at most, if the setting `open` does not say."""


def next_round(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    """Return the tables that can start now; none while everybody who still has to meet somebody has enough matches open.

    Args:
        field: the event so far; tables may lack an outcome. Its setting `open` is how many of these a player may have.
        ranking: not looked at.

    Example:
        >>> [pairing.seats for pairing in next_round(Field(("alice", "bob", "carol"), ("bob", "carol", "alice")))]
        [('bob', 'carol'), ('alice', 'bob'), ('carol', 'alice')]
    """
    most = int(field.settings.get("open", OPEN))
    begun, busy = _load(field)
    left = _unmet(field)
    found: list[tuple[str, ...]] = []
    while more := _together(left, begun, Counter({p: most - busy[p] for p in field.players})):
        for seats in more:
            begun.update(seats)
            busy.update(seats)
            del left[frozenset(seats)]
        found += more
    return [Pairing(number, seats) for number, seats in enumerate(found, 1)]


def _load(field: Field) -> tuple[Counter[str], Counter[str]]:
    """Return how many matches each player has begun, and how many of them are open."""
    begun: Counter[str] = Counter()
    busy: Counter[str] = Counter()
    for found in field.rounds:
        for pairing in found.pairings:
            begun.update(pairing.seats)
            if pairing.table not in found.outcomes:
                busy.update(pairing.seats)
    return begun, busy


def _unmet(field: Field) -> dict[frozenset[str], tuple[str, ...]]:
    """Return the seats of each table that is still to come, in the order of a Berger table."""
    met = meetings(field)
    here = frozenset(entitled(field))
    order = tables_of(field.players, frozenset(), AT_ONCE, 0, False)
    return {frozenset(seats): seats for seats in order if here.issuperset(seats) and frozenset(seats) not in met}


def _together(left: dict[frozenset[str], tuple[str, ...]], begun: Counter[str], room: Counter[str]) -> list[tuple[str, ...]]:
    """Return as many tables as can start with each player at one of them, with those who have begun the fewest."""
    players = sorted({player for seats in left.values() for player in seats if room[player] > 0})
    number = {player: count for count, player in enumerate(players)}
    worth = (len(left) + 1) * (len(players) + 1)
    edges, seats_of = {}, {}
    for place, seats in enumerate(left.values()):
        if all(player in number for player in seats):
            one, two = sorted(number[player] for player in seats)
            edges[one, two] = sum(begun[player] for player in seats) * worth + place
            seats_of[one, two] = seats
    pairs = [pair for pair in cover(range(len(players)), edges).items() if pair in edges]
    return [seats_of[pair] for pair in sorted(pairs, key=lambda pair: edges[pair])]


def rounds(field: Field) -> int:
    """Return the most tables of one player, which take the place of rounds.

    Example:
        >>> rounds(Field(("alice", "bob", "carol"), ("bob", "carol", "alice")))
        2
    """
    return max(len(entitled(field)) - 1, 0)
