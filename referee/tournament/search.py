"""Bounded local search for tables: swap players between tables until nobody meets more often than has to be.

There is no chance in it: what shakes the tables up is a sequence of numbers that follows from the lots.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import NamedTuple

REPEAT, SMALL = 100, 1
"""What a second meeting costs, and what sitting at a small table again costs; a third meeting costs four times as much."""
SHAKES = 80
"""How often the tables are shaken up in vain, for few players; for many, so often that the time stays the same."""


class Costs(NamedTuple):
    """What makes tables worse.

    Args:
        met: by pair of players, how often they met.
        small: by player, how often there was a table smaller than others.
        home: by player, the table from 0 where the scores would put them; empty if scores do not count.
    """

    met: Mapping[frozenset[str], int]
    small: Mapping[str, int]
    home: Mapping[str, int]


class Shaker:
    """Numbers that follow from a text, the same for everybody.

    Example:
        >>> Shaker("lots").below(10) == Shaker("lots").below(10)
        True
    """

    def __init__(self, text: str) -> None:
        self._state = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")

    def below(self, limit: int) -> int:
        """Return the next number, from 0 and below a limit (a linear congruence modulo 2 to the power 64; Knuth's MMIX)."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self._state >> 33) % limit


class Tables:
    """The tables of a round while they are searched.

    Args:
        tables: the players at each table.
        costs: what makes them worse.

    Example:
        >>> again = {frozenset({"alice", "bob"}): 1, frozenset({"carol", "dave"}): 1}
        >>> found = Tables([["alice", "bob"], ["carol", "dave"]], Costs(again, {}, {}))
        >>> found.improve(Shaker("lots"), 10)
        >>> sorted(map(sorted, found.tables)), found.cost()
        ([['alice', 'dave'], ['bob', 'carol']], 0)
    """

    def __init__(self, tables: Sequence[Sequence[str]], costs: Costs) -> None:
        self.players = [player for seats in tables for player in seats]
        number = {player: count for count, player in enumerate(self.players)}
        self._again = [[0] * len(number) for _ in number]
        for pair, times in costs.met.items():
            if len(pair) == 2 and pair <= number.keys():
                one, other = (number[player] for player in pair)
                self._again[one][other] = self._again[other][one] = REPEAT * times * times
        self._at = [count for count, seats in enumerate(tables) for _ in seats]
        self._seats = [[number[player] for player in seats] for seats in tables]
        self._own = [self._owns(player, tables, costs) for player in self.players]

    @staticmethod
    def _owns(player: str, tables: Sequence[Sequence[str]], costs: Costs) -> list[int]:
        """Return what it costs, table by table, that a player sits at one so small, so far from where the scores put it."""
        largest = max(map(len, tables))
        small = [SMALL * costs.small.get(player, 0) * (len(seats) < largest) for seats in tables]
        home = costs.home.get(player)
        return small if home is None else [cost + (count - home) ** 2 for count, cost in enumerate(small)]

    @property
    def tables(self) -> list[list[str]]:
        """Return the players at each table."""
        return [[self.players[one] for one in seats] for seats in self._seats]

    def cost(self) -> int:
        """Return what all the tables cost; a pair of players counts once."""
        again = sum(self._meets(one, number, one) for one, number in enumerate(self._at))
        return again // 2 + sum(self._own[one][number] for one, number in enumerate(self._at))

    def improve(self, shaker: Shaker, shakes: int) -> None:
        """Swap players as long as it helps, then shake the tables up and keep what is better, until that helps no more.

        Args:
            shaker: where the shaking comes from.
            shakes: how often at most without anything better.
        """
        self._descend(list(range(len(self.players))))
        best, cost = [list(seats) for seats in self._seats], self.cost()
        vain = 0
        while vain < shakes and len(self._seats) > 1:
            repeats = [one for one, number in enumerate(self._at) if self._meets(one, number, one)]
            if not repeats:
                break
            self._descend(self._shake(shaker, repeats))
            now = self.cost()
            vain = vain + 1 if now >= cost else 0
            if now <= cost:
                best, cost = [list(seats) for seats in self._seats], now
            else:
                self._restore(best)

    def _restore(self, tables: Sequence[Sequence[int]]) -> None:
        self._seats = [list(seats) for seats in tables]
        for number, seats in enumerate(tables):
            for one in seats:
                self._at[one] = number

    def _meets(self, one: int, number: int, without: int) -> int:
        """Return what a player's meetings at a table cost, if somebody who sits there is not counted."""
        again = self._again[one]
        return sum([again[other] for other in self._seats[number] if other != without])

    def _swap(self, one: int, other: int) -> None:
        here, there = self._at[one], self._at[other]
        self._seats[here][self._seats[here].index(one)] = other
        self._seats[there][self._seats[there].index(other)] = one
        self._at[one], self._at[other] = there, here

    def _descend(self, waiting: list[int]) -> None:
        """Swap each of some players with whom it helps most, and then whoever came to sit at a changed table."""
        while waiting:
            one = waiting.pop(0)
            gain, other = self._best(one)
            if gain > 0:
                self._swap(one, other)
                changed = (self._at[one], self._at[other])
                waiting += [player for number in changed for player in self._seats[number] if player not in waiting]

    def _best(self, one: int) -> tuple[int, int]:
        """Return the best swap for a player, as what it gains and with whom."""
        here = self._at[one]
        now = self._meets(one, here, one) + self._own[one][here]
        best = (0, one)
        if not now:
            return best
        for there, seats in enumerate(self._seats):
            if there == here:
                continue
            alone = now - self._own[one][there] - sum([self._again[one][other] for other in seats])
            for other in seats:
                own = self._own[other][there] - self._own[other][here]
                gain = alone + self._again[one][other] + own + self._meets(other, there, other) - self._meets(other, here, one)
                if gain > best[0]:
                    best = (gain, other)
        return best

    def _shake(self, shaker: Shaker, repeats: Sequence[int]) -> list[int]:
        """Swap somebody who meets somebody again, and two others, with players by chance; return all at these tables."""
        everybody = len(self.players)
        moved = set[int]()
        for one in (repeats[shaker.below(len(repeats))], shaker.below(everybody), shaker.below(everybody)):
            other = shaker.below(everybody)
            if self._at[one] != self._at[other]:
                self._swap(one, other)
                moved |= {one, other}
        return [player for number in sorted({self._at[one] for one in moved}) for player in self._seats[number]]
