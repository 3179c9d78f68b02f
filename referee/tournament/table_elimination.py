"""Elimination by tables of 3 to 6 players: the best of each table go on, until one table is left.

The players come to the tables by seed as a snake runs (1 to A, 2 to B, 3 to B, 4 to A), so that all tables are equally
strong; within the same layer of the snake they change places if that keeps apart who met before.
"""

from __future__ import annotations

from collections.abc import Sequence

from .berger import starters
from .elimination import best_first, draw_order
from .history import meetings
from .matching import Matching
from .ranking import BY_PLACES, Ranking
from .rounds import Field, Pairing, Round
from .sizes import sitting, sizes
from .tables import seated, smallest_of

FINAL = "final"


def snake(players: Sequence[str], tables: int) -> list[list[str]]:
    """Return the layers of the snake: one player for each table, in the order of the tables.

    Args:
        players: by seed.
        tables: how many.

    Example:
        >>> snake(("alice", "bob", "carol", "dave"), 2)
        [['alice', 'bob'], ['dave', 'carol']]
    """
    layers = [list(players[start : start + tables]) for start in range(0, len(players), tables)]
    # A last layer that is not full stays at the first tables, which are the larger ones.
    return [layer[::-1] if number % 2 and len(layer) == tables else layer for number, layer in enumerate(layers)]


def dealt(field: Field, players: Sequence[str], tables: int) -> list[list[str]]:
    """Return who sits at which table.

    Args:
        field: the event so far: it says who met.
        players: by seed.
        tables: how many.

    Example:
        >>> names = ("alice", "bob", "carol", "dave", "erin", "frank")
        >>> dealt(Field(names, names, seats=3), names, 2)
        [['alice', 'dave', 'erin'], ['bob', 'carol', 'frank']]
    """
    met = meetings(field)
    found: list[list[str]] = [[] for _ in range(tables)]
    for layer in snake(players, tables):
        free = range(len(layer))
        edges = [(count, len(layer) + table) for count in free for table in free]
        again = {
            (count, node): sum(met.get(frozenset((layer[count], other)), 0) for other in found[node - len(layer)])
            for count, node in edges
        }
        away = {(count, node): abs(node - len(layer) - count) for count, node in edges}
        matching = Matching(range(2 * len(layer)), edges)
        matching.least([again, away])
        for count, node in matching.settle(free, {node: node for node in range(2 * len(layer))}):
            found[node - len(layer)].append(layer[count])
    return found


def going_on(field: Field, found: Round) -> list[str]:
    """Return who goes on from a round: from each table the best, as many as the setting `advance` says, and who had a bye.

    If these are too few for one table, the best of the others go on too.

    Args:
        field: the event.
        found: the round; it is over.

    Returns:
        Them in the order of their seeds.

    Example:
        >>> from .rounds import Outcome
        >>> over = {1: Outcome(1, {"alice": 3, "bob": 2, "carol": 1})}
        >>> names = ("alice", "bob", "carol")
        >>> going_on(Field(names, names, seats=3), Round(1, (Pairing(1, names),), over))
        ['bob', 'carol']
    """
    order, best, places = draw_order(field), set[str](), dict[str, int]()
    for pairing in found.pairings:
        outcome = found.outcomes.get(pairing.table)
        there = list(pairing.seats) if pairing.is_bye else best_first(outcome, order) if outcome else []
        here = [player for player in there if player not in field.away]
        on = 1 if pairing.is_bye else min(advancing(field), len(pairing.seats) - 1)
        best |= set(here).intersection(there[:on])
        places |= {player: place for place, player in enumerate(there) if player in here}
    number = {player: count for count, player in enumerate(field.players)}
    others = sorted(places.keys() - best, key=lambda player: (places[player], number[player]))
    best |= set(others[: max(smallest_of(field) - len(best), 0)])
    return [player for player in field.players if player in best]


def advancing(field: Field) -> int:
    """Return how many go on from a table: the setting `advance`, or half of its seats.

    Example:
        >>> advancing(Field((), (), seats=5)), advancing(Field((), (), settings={"advance": 1}, seats=5))
        (2, 1)
    """
    return int(field.settings.get("advance", 0)) or max(1, field.seats // 2)


def next_round(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    """Return the tables of the next round; none after the final.

    Args:
        field: the event so far; its settings `advance`, `smallest-table` and `draw` count.
        ranking: not looked at.

    Example:
        >>> names = tuple("abcdefg")
        >>> [pairing.seats for pairing in next_round(Field(names, names, seats=4))]
        [('a', 'd', 'e', 'g'), ('b', 'c', 'f')]
    """
    return next_of(field, field.rounds, starters(field))


def next_of(field: Field, published: Sequence[Round], players: Sequence[str]) -> list[Pairing]:
    """Return the next tables of an elimination that is a part of an event; none if too few are left for a table.

    Args:
        field: the whole event so far.
        published: those of its rounds that belong to the elimination.
        players: who takes part, by seed; looked at before the first round alone.

    Example:
        >>> names = ("alice", "bob", "carol", "dave")
        >>> [(pairing.seats, pairing.group) for pairing in next_of(Field(names, names, seats=4), (), names)]
        [(('alice', 'bob', 'carol', 'dave'), 'final')]
    """
    if published and any(pairing.group == FINAL for pairing in published[-1].pairings):
        return []
    inside = going_on(field, published[-1]) if published else list(players)
    if len(inside) < smallest_of(field):
        return []
    if len(inside) <= field.seats:
        return [Pairing(1, seats, FINAL) for seats in seated(field, [inside])]
    count = sitting(len(inside), field.seats, smallest_of(field))
    free, sit = inside[: len(inside) - count], inside[len(inside) - count :]
    tables = dealt(field, sit, len(sizes(count, field.seats, smallest_of(field))))
    return [Pairing(number, seats) for number, seats in enumerate([*seated(field, tables), *((one,) for one in free)], 1)]


def rounds(field: Field) -> int:
    """Return how many rounds there are, if nobody withdraws.

    Example:
        >>> names = tuple("abcdefgh")
        >>> rounds(Field(names, names, seats=4))
        2
    """
    return rounds_for(field, len(starters(field)))


def rounds_for(field: Field, left: int) -> int:
    """Return how many rounds it takes with a number of players.

    Example:
        >>> rounds_for(Field((), (), seats=4), 16)
        3
    """
    count = int(left > 1)
    while left > field.seats:
        sit = sitting(left, field.seats, smallest_of(field))
        tables = sizes(sit, field.seats, smallest_of(field))
        left = max(left - sit + sum(min(advancing(field), size - 1) for size in tables), smallest_of(field))
        count += 1
    return count
