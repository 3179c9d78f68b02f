"""What happened to each player so far: whom they met, where they sat, how they floated, and their byes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from itertools import combinations
from typing import NamedTuple

from .ranking import BY_PLACES, Ranking
from .rounds import Field, Pairing, Round


class Wish(NamedTuple):
    """The seat that a player should have next at a table of two.

    Args:
        seat: 0 for the first seat, 1 for the second, -1 if both are the same to them.
        strength: 3 absolute, 2 strong, 1 mild, 0 none.
    """

    seat: int = -1
    strength: int = 0


class Card(NamedTuple):
    """One player's card.

    Args:
        player: the name.
        number: the pairing number, from 0.
        points: the points before the round that is to be paired.
        sat: the seats of the tables of two that were played, in order: 0 first, 1 second; -1 where no such table was.
        floats: by round, -1 for who met somebody with fewer points or scored without playing, 1 for who met more, else 0.
        bye: whether there was a bye.
        unopposed: whether there was a win because somebody else did not play.
        unplayed: how many rounds so far went by without a table that was played.
    """

    player: str
    number: int
    points: int
    sat: tuple[int, ...]
    floats: tuple[int, ...]
    bye: bool
    unopposed: bool
    unplayed: int

    @property
    def balance(self) -> int:
        """Return how many more first seats than second there were."""
        return self.sat.count(0) - self.sat.count(1)

    @property
    def wish(self) -> Wish:
        """Return the seat that is due (FIDE Handbook C.04.3, the articles on colour preferences).

        Example:
            >>> Card("alice", 0, 4, (0, 1, 1), (0, 0, 0), False, False, 0).wish
            Wish(seat=0, strength=3)
        """
        seats = [seat for seat in self.sat if seat >= 0]
        if not seats:
            return Wish()
        if abs(self.balance) > 1:
            return Wish(int(self.balance > 0), 3)
        if seats[-2:] in ([0, 0], [1, 1]):
            return Wish(1 - seats[-1], 3)
        if self.balance:
            return Wish(int(self.balance > 0), 2)
        return Wish(1 - seats[-1], 1)

    def float_before(self, rounds: int) -> int:
        """Return how the player floated so many rounds ago, 1 for the last one."""
        return self.floats[-rounds] if len(self.floats) >= rounds else 0


def meetings(field: Field, unplayed: bool = True) -> dict[frozenset[str], int]:
    """Return how often each pair of players was put at the same table.

    Args:
        field: the event so far.
        unplayed: whether tables count where somebody did not play.

    Example:
        >>> once = Round(1, (Pairing(1, ("alice", "bob")),), {})
        >>> meetings(Field(("alice", "bob"), ("bob", "alice"), (once,)))[frozenset({"bob", "alice"})]
        1
    """
    met: dict[frozenset[str], int] = defaultdict(int)
    for found in field.rounds:
        for table in found.pairings:
            outcome = found.outcomes.get(table.table)
            if unplayed or outcome is None or outcome.is_played:
                for pair in combinations(table.seats, 2):
                    met[frozenset(pair)] += 1
    return met


def byes(field: Field) -> frozenset[str]:
    """Return who had a bye.

    Example:
        >>> sorted(byes(Field(("alice",), ("alice",), (Round(1, (Pairing(1, ("alice",)),), {}),))))
        ['alice']
    """
    return frozenset(table.seats[0] for found in field.rounds for table in found.pairings if table.is_bye)


def cards(field: Field, ranking: Ranking = BY_PLACES) -> dict[str, Card]:
    """Return the card of every player.

    Args:
        field: the event so far.
        ranking: where the points come from.

    Example:
        >>> cards(Field(("alice", "bob"), ("bob", "alice")))["bob"].number
        1
    """
    before = [ranking.points(field._replace(rounds=field.rounds[:count])) for count in range(len(field.rounds) + 1)]
    sat: dict[str, list[int]] = {player: [] for player in field.players}
    floats: dict[str, list[int]] = {player: [] for player in field.players}
    unopposed = set()
    unplayed = dict.fromkeys(field.players, 0)
    for count, found in enumerate(field.rounds):
        at = {player: table for table in found.pairings for player in table.seats}
        for player in field.players:
            seat, floated, won = _of_round(player, at.get(player), found, before[count])
            sat[player].append(seat)
            floats[player].append(floated if not won else -1)
            unplayed[player] += seat < 0
            if won and not at[player].is_bye:
                unopposed.add(player)
    had = byes(field)
    return {
        player: Card(player, number, before[-1].get(player, 0), tuple(sat[player]), tuple(floats[player]),
                     player in had, player in unopposed, unplayed[player])
        for number, player in enumerate(field.players)
    }  # fmt: skip


def _of_round(player: str, table: Pairing | None, found: Round, points: Mapping[str, int]) -> tuple[int, int, bool]:
    """Return the seat that was played, -1 for none; the float; and whether points came without playing."""
    if table is None:
        return -1, 0, False
    if table.is_bye:
        return -1, -1, True
    outcome = found.outcomes.get(table.table)
    if outcome is not None and not outcome.is_played:
        return -1, 0, player not in outcome.absent
    own = points.get(player, 0)
    others = [points.get(other, 0) for other in table.seats if other != player]
    floated = (max(others) > own) - (min(others) < own)
    return (table.seats.index(player) if len(table.seats) == 2 else -1), floated, False
