"""Double elimination for tables of two: who loses twice is out.

Who loses in the winners' bracket drops into the losers' bracket, and not next to those whom the same part of the bracket
sent there before: the places are turned round in ways that put off a rematch as long as can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .berger import starters
from .elimination import Column, Course, Pair, opening, paired, seat
from .ranking import BY_PLACES, Ranking
from .rounds import Field, Pairing

WINNERS, LOSERS, GRAND_FINAL, RESET = "winners", "losers", "grand-final", "reset"


def dropped(places: Sequence[str | None], times: int, size: int) -> list[str | None]:
    """Return those who lost in the winners' bracket in the order in which they drop into the losers' bracket.

    Of all ways to reverse or exchange halves these put off the first possible rematch the longest: up to 32 players to the
    column of the losers' bracket whose number is that of the rounds of the winners' bracket, for 64 to column 7 of 10.

    Args:
        places: who lost, by table.
        times: how many rounds of the winners' bracket dropped before this one, not counting its first.
        size: the places of the bracket, a power of two.

    Example:
        >>> dropped(["alice", "bob", "carol", "dave"], 0, 16), dropped(["alice", "bob", "carol", "dave"], 1, 32)
        (['dave', 'carol', 'bob', 'alice'], ['bob', 'alice', 'dave', 'carol'])
    """
    half = len(places) // 2
    front, back = list(places[:half]), list(places[half:])
    reverse, exchange, within = back[::-1] + front[::-1], back + front, front[::-1] + back[::-1]
    turns = (reverse, within) if size <= 32 else (reverse, exchange, within)
    return list(turns[times % len(turns)])


class _Double:
    """A bracket as it goes on, round by round.

    Round n plays column n of the winners' bracket and column n - 1 of the losers' bracket: those who lost in round n - 1 meet.
    """

    def __init__(self, course: Course, players: Sequence[str]) -> None:
        self.course = course
        self.winning = opening(course, players)
        self.losing: tuple[Pair, ...] = ()
        self.size = 2 * len(self.winning)
        self.number = 0
        self.drops: list[tuple[str | None, ...]] = []
        """Who lost in each round of the winners' bracket."""
        self.champion: str | None = None

    def columns(self) -> list[Column]:
        """Return what is played in the next round."""
        found = [Column(WINNERS, self.winning), Column(LOSERS, self.losing)]
        return [column for column in found if column.pairs]

    def advance(self) -> list[str | None]:
        """Go on by one round that was published, and return who is left of the losers' bracket when it has ended."""
        winners = self._winners(Column(WINNERS, self.winning), WINNERS if len(self.winning) > 1 else GRAND_FINAL)
        last = self.number == self._columns()
        survivors = self._winners(Column(LOSERS, self.losing), GRAND_FINAL if last else LOSERS)
        if self.winning:
            lost = [
                self.course.loser(self.number, Column(WINNERS, self.winning), pair, winner)
                for pair, winner in zip(self.winning, winners, strict=True)
            ]
            self.drops.append(tuple(lost))
        if len(winners) == 1:
            self.champion = winners[0]
        self.winning = paired(winners) if len(winners) > 1 else ()
        self.number += 1
        self.losing = () if last else self._losing(survivors)
        return survivors if last else []

    def _columns(self) -> int:
        """Return how many columns the losers' bracket has."""
        return max(2 * (self.size.bit_length() - 1) - 2, 0)

    def _winners(self, column: Column, then: str) -> list[str | None]:
        return [self.course.winner(self.number, column, pair, then) for pair in column.pairs]

    def _losing(self, survivors: Sequence[str | None]) -> tuple[Pair, ...]:
        """Return the next column of the losers' bracket: column n is played in round n + 1."""
        column = self.number
        if column > self._columns():
            return ()
        if column == 1:
            return paired(self.drops[0])
        if column % 2:
            return paired(survivors)
        fresh = dropped(self.drops[column // 2], column // 2 - 1, self.size)
        return tuple(zip(survivors, fresh, strict=True))


def columns(course: Course, players: Sequence[str]) -> Iterator[list[Column]]:
    """Yield round by round what is played: every round that was published, and the next one.

    Args:
        course: what was published.
        players: who takes part, by seed, for a bracket that has not begun.

    Example:
        >>> names = ("alice", "bob")
        >>> list(columns(Course(Field(names, names), ()), names))
        [[Column(group='winners', pairs=(('alice', 'bob'),))]]
    """
    bracket = _Double(course, players)
    survivors: list[str | None] = []
    if not bracket.winning:
        return
    while now := bracket.columns():
        yield now
        if bracket.number >= len(course.rounds):
            return
        survivors = bracket.advance()
    # With two players there is no losers' bracket: who lost the first table is what it would have brought up.
    rival = survivors[0] if survivors else bracket.drops[0][0]
    yield from _finals(course, bracket.number, (bracket.champion, rival))


def _finals(course: Course, number: int, pair: Pair) -> Iterator[list[Column]]:
    """Yield the grand final, and its repetition if who came from the losers' bracket won it."""
    final = Column(GRAND_FINAL, (pair,))
    yield [final]
    if not course.holds(number, final):
        return
    winner = course.winner(number, final, pair, "")
    if course.field.settings.get("reset", "yes") == "yes" and winner == pair[1] and None not in pair:
        yield [Column(RESET, (pair,))]


def next_round(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    """Return the tables of the next round of a double elimination; none after the grand final or its repetition.

    Args:
        field: the event so far; its setting `reset` says whether who comes from the losers' bracket has to win twice.
        ranking: not looked at.

    Example:
        >>> names = ("alice", "bob", "carol", "dave")
        >>> [pairing.seats for pairing in next_round(Field(names, names))]
        [('alice', 'dave'), ('carol', 'bob')]
    """
    course = Course(field, field.rounds)
    every = list(columns(course, starters(field)))
    return seat(field, every[len(field.rounds)]) if len(every) > len(field.rounds) else []


def rounds(field: Field) -> int:
    """Return how many rounds there are, without a repetition of the grand final.

    Example:
        >>> names = ("alice", "bob", "carol", "dave")
        >>> rounds(Field(names, names))
        4
    """
    levels = max(len(starters(field)) - 1, 0).bit_length()
    return 2 * levels if levels else 0
