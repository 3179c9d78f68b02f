"""Single elimination for tables of two: who loses is out.

The bracket stands once the first round is published: its tables, in their order, are its first column, and from then on
what was published counts, even if a result is corrected later.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from .berger import starters
from .history import cards
from .ranking import BY_PLACES, Ranking
from .rounds import Field, Outcome, Pairing, Round
from .seats import seated

MAIN, FINAL, THIRD = "", "final", "third"
Pair = tuple[str | None, str | None]
"""The two places of a table in a bracket; nobody stands where there is a bye or both players of a table failed to play."""


class Column(NamedTuple):
    """The tables of a bracket that are played at the same time.

    Args:
        group: what they are called in a pairing.
        pairs: who meets whom.
    """

    group: str
    pairs: tuple[Pair, ...]


def seeds(size: int) -> list[int]:
    """Return the seeds in the order of the bracket, so that the first two can only meet in the final, and so on.

    Args:
        size: a power of two.

    Example:
        >>> seeds(16)
        [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]
    """
    order = [1]
    while len(order) < size:
        order = [seed for high in order for seed in (high, 2 * len(order) + 1 - high)]
    return order


def first_column(players: Sequence[str]) -> tuple[Pair, ...]:
    """Return who meets whom first; the highest seeds have the byes.

    Args:
        players: at least two, by seed.

    Example:
        >>> first_column(("alice", "bob", "carol"))
        (('alice', None), ('bob', 'carol'))
    """
    size = 1 << (len(players) - 1).bit_length()
    places = [players[seed - 1] if seed <= len(players) else None for seed in seeds(size)]
    return tuple(zip(places[::2], places[1::2], strict=True))


def best_first(outcome: Outcome, order: Mapping[str, int]) -> list[str]:
    """Return who played at a table, the best first; of those who share a place, who stands first in an order.

    Example:
        >>> best_first(Outcome(1, {"alice": 1, "bob": 1}), {"bob": 0, "alice": 1})
        ['bob', 'alice']
    """
    there = [player for player in outcome.places if player not in outcome.absent]
    return sorted(there, key=lambda player: (outcome.places[player], order.get(player, len(order))))


def draw_order(field: Field) -> dict[str, int]:
    """Return the order that decides a drawn table: the lots, or the seeds if the setting `draw` says so.

    Example:
        >>> draw_order(Field(("alice", "bob"), ("bob", "alice")))
        {'bob': 0, 'alice': 1}
    """
    order = field.players if field.settings.get("draw") == "seeds" else field.lots
    return {player: number for number, player in enumerate(order)}


class Course:
    """What was published of a bracket, asked for who won and who lost.

    Args:
        field: the event.
        rounds: those of its rounds that belong to the bracket.
    """

    def __init__(self, field: Field, rounds: Sequence[Round]) -> None:
        self.field = field
        self.rounds = tuple(rounds)
        self._order = draw_order(field)
        self._at = [{(table.group, player): table for table in one.pairings for player in table.seats} for one in rounds]

    def table(self, number: int, column: Column, pair: Pair) -> tuple[Pairing, Outcome | None] | None:
        """Return the table of a round at which a pair, or the one of it who was there, was put."""
        for player in pair:
            if player is not None and (pairing := self._at[number].get((column.group, player))):
                return pairing, self.rounds[number].outcomes.get(pairing.table)
        return None

    def holds(self, number: int, column: Column) -> bool:
        """Return whether a round was published that has tables of a column."""
        return number < len(self.rounds) and any(self.table(number, column, pair) for pair in column.pairs if any(pair))

    def winner(self, number: int, column: Column, pair: Pair, then: str) -> str | None:
        """Return who goes on from a table of a published round: who was put into the next round under the name `then`."""
        found = self.table(number, column, pair)
        if found is None:
            return None
        if number + 1 < len(self.rounds):
            after = self._at[number + 1]
            # Of two players alone both come to the grand final, and then the result counts.
            if len(on := [player for player in found[0].seats if (then, player) in after]) == 1:
                return on[0]
        return self._best(*found)

    def loser(self, number: int, column: Column, pair: Pair, winner: str | None) -> str | None:
        """Return who lost at a table: who played and did not win."""
        found = self.table(number, column, pair)
        if found is None or found[1] is None:
            return None
        there = best_first(found[1], self._order)
        return next((player for player in there if player != winner), None) if len(found[0].seats) == 2 else None

    def _best(self, pairing: Pairing, outcome: Outcome | None) -> str | None:
        if pairing.is_bye:
            return pairing.seats[0]
        there = best_first(outcome, self._order) if outcome else []
        return there[0] if there else None


def paired(players: Sequence[str | None]) -> tuple[Pair, ...]:
    """Return neighbours as pairs.

    Example:
        >>> paired(("alice", "bob", None, "dave"))
        (('alice', 'bob'), (None, 'dave'))
    """
    return tuple(zip(players[::2], players[1::2], strict=True))


def opening(course: Course, players: Sequence[str]) -> tuple[Pair, ...]:
    """Return the first column of a bracket, as published, or for these players by seed.

    Args:
        course: what was published.
        players: who takes part, by seed; looked at before the first round alone.

    Example:
        >>> names = ("alice", "bob", "carol")
        >>> opening(Course(Field(names, names), ()), names)
        (('alice', None), ('bob', 'carol'))
    """
    if not course.rounds:
        return first_column(players) if len(players) > 1 else ()
    known = {player: number for number, player in enumerate(course.field.players)}
    seats = [sorted(pairing.seats, key=lambda player: known[player]) for pairing in course.rounds[0].pairings]
    return tuple((pair[0], pair[1] if len(pair) > 1 else None) for pair in seats)


def columns(course: Course, players: Sequence[str]) -> Iterator[list[Column]]:
    """Yield round by round what is played: every round that was published, and the next one.

    Args:
        course: what was published.
        players: who takes part, by seed, for a bracket that has not begun.

    Example:
        >>> names = ("alice", "bob")
        >>> list(columns(Course(Field(names, names), ()), names))
        [[Column(group='final', pairs=(('alice', 'bob'),))]]
    """
    third = course.field.settings.get("third-place", "no") == "yes"
    pairs, number = opening(course, players), 0
    semi: list[str | None] = []
    while pairs:
        last = len(pairs) == 1
        now = [Column(FINAL if last else MAIN, pairs)]
        if last and third and sum(player is not None for player in semi) == 2:
            now.append(Column(THIRD, paired(semi)))
        yield now
        if last or not course.holds(number, now[0]):
            return
        then = FINAL if len(pairs) == 2 else MAIN
        winners = [course.winner(number, now[0], pair, then) for pair in pairs]
        semi = [course.loser(number, now[0], pair, winner) for pair, winner in zip(pairs, winners, strict=True)]
        pairs, number = paired(winners), number + 1


def seat(field: Field, found: Sequence[Column]) -> list[Pairing]:
    """Return the tables of a round: seats in turn, who meets nobody has a bye, and who is away is left out.

    Args:
        field: the event so far.
        found: the columns that are played in this round.

    Example:
        >>> names = ("alice", "bob")
        >>> seat(Field(names, names), [Column("final", (("bob", "alice"),))])
        [Pairing(table=1, seats=('alice', 'bob'), group='final')]
    """
    known = cards(field)
    first = field.lots.index(field.players[0]) % 2
    tables = []
    for column in found:
        for pair in column.pairs:
            there = [known[player] for player in pair if player is not None and player not in field.away]
            if there:
                inside = seated(tuple(sorted(there, key=lambda card: card.number)), first)
                tables.append((tuple(card.player for card in inside), column.group))
    return [Pairing(number, seats, group) for number, (seats, group) in enumerate(tables, 1)]


def next_round(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    """Return the tables of the next round of a single elimination; none after the final.

    Args:
        field: the event so far; its setting `third-place` may be `yes`, and `draw` be `lots` or `seeds`.
        ranking: not looked at.

    Example:
        >>> [pairing.seats for pairing in next_round(Field(("alice", "bob", "carol"), ("bob", "carol", "alice")))]
        [('alice',), ('carol', 'bob')]
    """
    return next_of(field, field.rounds, starters(field))


def next_of(field: Field, published: Sequence[Round], players: Sequence[str]) -> list[Pairing]:
    """Return the next tables of a bracket that is a part of an event.

    Args:
        field: the whole event so far.
        published: those of its rounds that belong to the bracket.
        players: who takes part, by seed; looked at before the first round alone.

    Example:
        >>> names = ("alice", "bob")
        >>> next_of(Field(names, names), (), names)
        [Pairing(table=1, seats=('alice', 'bob'), group='final')]
    """
    course = Course(field, published)
    every = list(columns(course, players))
    if len(every) <= len(published):
        return []
    return seat(field, every[len(published)])


def rounds(field: Field) -> int:
    """Return how many rounds there are.

    Example:
        >>> rounds(Field(("alice", "bob", "carol"), ("bob", "carol", "alice")))
        2
    """
    return max(len(starters(field)) - 1, 0).bit_length()
