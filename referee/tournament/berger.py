"""Round robins by Berger tables: everybody meets everybody, first and second seat in turn.

The tables are those of the FIDE Handbook, C.05 annex 1, made by rule instead of read from a list: the last player stays, the
others stand in a circle, and from round to round the one who meets the last player moves on by half the circle.
"""

from __future__ import annotations

from collections.abc import Sequence

from .ranking import BY_PLACES, Ranking
from .rounds import Field, Pairing

BY_ROUNDS, AT_ONCE = "by-rounds", "at-once"
"""The paces: one round after the other, or all tables in the first round."""


def table(size: int) -> list[list[tuple[int, int]]]:
    """Return the Berger table for a number of players.

    Args:
        size: how many play, at least 2; an odd number counts as the next even one, whose last number is nobody.

    Returns:
        The rounds; each lists pairs of numbers from 1, the first of a pair in the first seat.

    Example:
        >>> table(4)
        [[(1, 4), (2, 3)], [(4, 3), (1, 2)], [(2, 4), (3, 1)]]
    """
    last = size + size % 2
    circle = last - 1
    rounds = []
    for number in range(circle):
        fixed = number * (last // 2) % circle
        opening = (last, fixed + 1) if number % 2 else (fixed + 1, last)
        others = [((fixed + step) % circle + 1, (fixed - step) % circle + 1) for step in range(1, last // 2)]
        rounds.append([opening, *others])
    return rounds


def double(size: int) -> list[list[tuple[int, int]]]:
    """Return the table in which all meet twice, the second time with the seats exchanged.

    The last two rounds of the first half change places, so that nobody sits three times running in the same seat (FIDE
    Handbook C.05 annex 1).

    Example:
        >>> double(4)[1:4]
        [[(2, 4), (3, 1)], [(4, 3), (1, 2)], [(4, 1), (3, 2)]]
    """
    once = table(size)
    first = once[:-2] + once[:-3:-1]
    return first + [[(two, one) for one, two in pairs] for pairs in once]


def starters(field: Field) -> tuple[str, ...]:
    """Return who takes part: whoever was in the first round, and before it whoever is there.

    Example:
        >>> starters(Field(("alice", "bob"), ("bob", "alice"), away=frozenset({"bob"})))
        ('alice',)
    """
    if not field.rounds:
        return tuple(player for player in field.present if field.joined.get(player, 1) <= 1)
    inside = {player for pairing in field.rounds[0].pairings for player in pairing.seats}
    return tuple(player for player in field.players if player in inside)


def schedule(players: Sequence[str], twice: bool) -> list[list[tuple[str, ...]]]:
    """Return every round for these players; who is free in a round is alone, at the end of it.

    Example:
        >>> schedule(("alice", "bob", "carol"), False)[0]
        [('bob', 'carol'), ('alice',)]
    """
    if len(players) < 2:
        return []
    rounds = []
    for pairs in double(len(players)) if twice else table(len(players)):
        tables = [tuple(players[number - 1] for number in pair if number <= len(players)) for pair in pairs]
        rounds.append(sorted(tables, key=lambda seats: len(seats) == 1))
    return rounds


def tables_of(players: Sequence[str], away: frozenset[str], pace: str, done: int, twice: bool) -> list[tuple[str, ...]]:
    """Return the tables of the next round of a round robin.

    Whoever should meet somebody who is away is alone.

    Args:
        players: who takes part, in the order of their numbers.
        away: who is not to be paired.
        pace: `by-rounds` or `at-once`.
        done: how many rounds were published.
        twice: whether all meet twice.

    Example:
        >>> tables_of(("alice", "bob", "carol"), frozenset(), "at-once", 0, False)
        [('bob', 'carol'), ('alice', 'bob'), ('carol', 'alice')]
    """
    rounds = schedule(players, twice)
    if pace == AT_ONCE:
        rounds = [[seats for pairs in rounds for seats in pairs if len(seats) == 2]]
    if done >= len(rounds):
        return []
    here = [tuple(player for player in seats if player not in away) for seats in rounds[done]]
    return [seats for seats in here if seats]


def next_round(field: Field, ranking: Ranking = BY_PLACES, twice: bool = False) -> list[Pairing]:
    """Return the tables of the next round; none after the last.

    Args:
        field: the event so far; its settings name the `pace`.
        ranking: not looked at.
        twice: whether all meet twice.

    Example:
        >>> [pairing.seats for pairing in next_round(Field(("alice", "bob", "carol"), ("bob", "carol", "alice")))]
        [('bob', 'carol'), ('alice',)]
    """
    pace = str(field.settings.get("pace", BY_ROUNDS))
    found = tables_of(starters(field), field.away, pace, len(field.rounds), twice)
    return [Pairing(number, seats) for number, seats in enumerate(found, 1)]


def rounds(field: Field, twice: bool = False) -> int:
    """Return how many rounds there are.

    Example:
        >>> rounds(Field(("alice", "bob", "carol"), ("bob", "carol", "alice")), twice=True)
        6
    """
    if field.settings.get("pace", BY_ROUNDS) == AT_ONCE:
        return 1
    return len(schedule(starters(field), twice))
