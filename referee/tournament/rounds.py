"""The words of a tournament: who meets whom, how it ended, and what a format may look at before it pairs again.

All of it is plain and never changes: what the formats, the tie-breaks and the reports read is a `Field`, so that the same
event gives the same pairings and the same standings to everybody who looks.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

_NOTHING: Mapping[str, int] = MappingProxyType({})


class Pairing(NamedTuple):
    """One table of a round.

    Args:
        table: its number within the round, from 1.
        seats: the players in the order of their seats; one player alone has a bye.
        group: the group, bracket or stage it belongs to, such as `A`, `final` or `losers`; empty if there is only one.

    Example:
        >>> Pairing(1, ("alice", "bob")).is_bye, Pairing(2, ("carol",)).is_bye
        (False, True)
    """

    table: int
    seats: tuple[str, ...]
    group: str = ""

    @property
    def is_bye(self) -> bool:
        """Return whether its only player meets nobody."""
        return len(self.seats) == 1


class Outcome(NamedTuple):
    """How one table ended.

    Args:
        table: its number within the round.
        places: the place of each of its players, from 1; players who share a place have the same number.
        scores: what the game's own rules gave each player, empty where nothing was played.
        how: `played`, `adjudicated` (ruled by the director), `forfeit` (somebody did not play) or `bye`.
        absent: who did not play: to them and to those who met only them it counts as not played.
    """

    table: int
    places: Mapping[str, int]
    scores: Mapping[str, int] = _NOTHING
    how: str = "played"
    absent: tuple[str, ...] = ()

    @property
    def is_played(self) -> bool:
        """Return whether all who were paired played."""
        return self.how in ("played", "adjudicated")


class Round(NamedTuple):
    """The tables of one round, and how those of them ended that have.

    Args:
        number: the round's number, from 1.
        pairings: its tables.
        outcomes: by table, what is known of how it ended.
    """

    number: int
    pairings: tuple[Pairing, ...]
    outcomes: Mapping[int, Outcome]

    @property
    def is_over(self) -> bool:
        """Return whether every table has an outcome.

        Example:
            >>> Round(1, (Pairing(1, ("alice", "bob")),), {}).is_over
            False
        """
        return all(pairing.table in self.outcomes for pairing in self.pairings)


class Field(NamedTuple):
    """All that a format or a tie-break may look at.

    Args:
        players: all who ever entered, in the order of their pairing numbers: the first is seeded highest.
        lots: the same players in the order of the lots drawn from the event's seed.
        rounds: what was published, in order.
        settings: the settings of the format, fixed before the start, such as `{"rounds": 5}`.
        away: who is not to be paired now: withdrawn, or sits out.
        joined: the first round that each late entry may play; absent for those who were there from the start.
        seats: how many play at one table.
    """

    players: tuple[str, ...]
    lots: tuple[str, ...]
    rounds: tuple[Round, ...] = ()
    settings: Mapping[str, int | str] = _NOTHING
    away: frozenset[str] = frozenset()
    joined: Mapping[str, int] = _NOTHING
    seats: int = 2

    @property
    def present(self) -> tuple[str, ...]:
        """Return who can be paired now, in the order of their pairing numbers.

        Example:
            >>> Field(("alice", "bob"), ("bob", "alice"), away=frozenset({"bob"})).present
            ('alice',)
        """
        return tuple(player for player in self.players if player not in self.away)
