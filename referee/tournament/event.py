"""An event: who plays what under which rules, at one moment. All of it is plain data; `steps` changes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from referee.errors import Refused
from referee.fields import dataclass, field

from .rounds import Field, Pairing, Round

RULES = {
    "late-loses": "A match not over at the end of its round is lost by whoever has to answer; if all have to, it is drawn.",
    "draw": "A match not over at the end of its round is drawn; who never sent a move has not played.",
    "unplayed": "A match not over at the end of its round counts as not played by whoever has to answer.",
    "director": "On a match not over at the end of its round the director rules.",
}
"""The rules of adjudication, of which an event publishes one before it starts."""


@dataclass
class Plan:
    """What is fixed before an event starts and never changes.

    Attributes:
        id: its name; the matches are called after it.
        title: what people call it.
        game, options: what is played, and its house rules.
        seats: how many play at one table.
        format, settings: how players are paired.
        scoring, tiebreaks: how they are ranked.
        hours: how long a round lasts.
        rule: one of `RULES`.
        confirm: whether the director confirms each adjudication before it counts.
        no_shows: after how many matches that somebody never began the player counts as withdrawn; 0 for never.
        anonymous: whether players see the names of seats alone.
        pairs_itself: whether the desk pairs and publishes the next round when one is over.
        clock: settings of the clock of each match, as in `clock.toml`.
        salt: 32 hex digits, from which with the referee's key the secret of the seed is made.
        commitment: what is published of that secret at once, 64 hex digits.
    """

    id: str
    title: str
    game: str
    seats: int
    format: str
    options: dict[str, Any] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    scoring: dict[str, Any] = field(default_factory=dict)
    tiebreaks: list[str] = field(default_factory=list)
    hours: int = 336
    rule: str = "late-loses"
    confirm: bool = False
    no_shows: int = 2
    anonymous: bool = False
    pairs_itself: bool = False
    clock: dict[str, Any] = field(default_factory=dict)
    salt: str = ""
    commitment: str = ""


class Player(NamedTuple):
    """One who entered.

    Args:
        joined: the first round that the player may play, from 1.
        rating: what the seeding goes by; 0 for none.
        nonce: what the player contributes to the seed; only those who were there at the start.
        away: whether the player is not to be paired.
        holder: the number of the person who plays under this name, from 1.
    """

    joined: int = 1
    rating: int = 0
    nonce: str = ""
    away: bool = False
    holder: int = 1


class Sheet(NamedTuple):
    """A round that was published.

    Args:
        round: its tables and what is known of their results.
        at: when it was published, UTC.
        ends: when it ends, UTC.
        stagger: by how many hours each further match of a player is longer than the one before.
        proofs: for each result from a match the number and the hash of the save that it was read from.
        void: tables whose result was withdrawn, and which wait for a ruling.
    """

    round: Round
    at: str
    ends: str
    stagger: int = 0
    proofs: Mapping[int, tuple[int, str]] = {}
    void: frozenset[int] = frozenset()


class Ruling(NamedTuple):
    """What the director ruled, why, and when (UTC)."""

    at: str
    what: str
    why: str


class Step(NamedTuple):
    """One step of an event: its kind, what it holds, and when it was taken (UTC)."""

    kind: str
    data: Mapping[str, Any]
    at: str


@dataclass
class Event:
    """An event at one moment.

    Attributes:
        plan: what never changes.
        players: all who ever entered, in the order of their entries.
        order: the same in the order of their pairing numbers; empty before the first draft.
        lots: the same in the order of the lots, as far as they were drawn.
        sheets: the rounds that were published.
        draft: the tables of the next round, which the director alone sees.
        state: `entries` before the first round, `running`, or `closed`.
        rulings: what was ruled.
        secret: the secret of the seed, 64 hex digits; "" before the event is closed.
    """

    plan: Plan
    players: dict[str, Player] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    lots: tuple[str, ...] = ()
    sheets: tuple[Sheet, ...] = ()
    draft: tuple[Pairing, ...] = ()
    state: str = "entries"
    rulings: tuple[Ruling, ...] = ()
    secret: str = ""

    @property
    def next_round(self) -> int:
        """The number of the round that is published next, from 1."""
        return len(self.sheets) + 1

    @property
    def started(self) -> bool:
        """Whether a round was published."""
        return bool(self.sheets)

    @property
    def seeded(self) -> tuple[str, ...]:
        """All players in the order of their pairing numbers: by rating before the start, then as they come."""
        if not self.started:
            return tuple(sorted(self.players, key=lambda name: -self.players[name].rating))
        return self.order + tuple(name for name in self.players if name not in set(self.order))

    def sheet(self, number: int) -> Sheet:
        """Return a published round.

        Raises:
            Refused: it was not published.
        """
        if not 1 <= number <= len(self.sheets):
            raise Refused(f"Round {number} of {self.plan.id} was not published.", f"Published rounds: {len(self.sheets)}.")
        return self.sheets[number - 1]

    def pairing(self, number: int, table: int) -> Pairing:
        """Return a table of a published round.

        Raises:
            Refused: there is none.
        """
        pairings = self.sheet(number).round.pairings
        if 1 <= table <= len(pairings) and pairings[table - 1].table == table:
            return pairings[table - 1]  # so nearly all of them lie
        for pairing in pairings:
            if pairing.table == table:
                return pairing
        raise Refused(f"Round {number} of {self.plan.id} has no table {table}.", "`referee tournament status` lists them.")

    def match_id(self, number: int, table: int) -> str:
        """Return the name of a table's match.

        Example:
            >>> Event(Plan("spring", "Spring", "cosmic-league", 2, "swiss")).match_id(2, 7)
            'spring-2-7'
        """
        return f"{self.plan.id}-{number}-{table}"

    def field(self) -> Field:
        """Return what formats and tie-breaks may look at."""
        seeded = self.seeded
        return Field(
            players=seeded,
            lots=self.lots if len(self.lots) == len(seeded) else seeded,
            rounds=tuple(sheet.round for sheet in self.sheets),
            settings=self.plan.settings,
            away=frozenset(name for name, player in self.players.items() if player.away),
            joined={name: player.joined for name, player in self.players.items() if player.joined > 1},
            seats=self.plan.seats,
        )

    def missing(self) -> list[tuple[int, int]]:
        """Return round and table of every published table without a result."""
        return [
            (sheet.round.number, pairing.table)
            for sheet in self.sheets
            for pairing in sheet.round.pairings
            if pairing.table not in sheet.round.outcomes
        ]


def pairings_of(rows: Mapping[str, Mapping[str, Any]]) -> tuple[Pairing, ...]:
    """Return tables as they stand in a file, by their numbers.

    Example:
        >>> pairings_of({"1": {"seats": ["alice", "bob"]}})
        (Pairing(table=1, seats=('alice', 'bob'), group=''),)
    """
    return tuple(Pairing(int(number), tuple(row["seats"]), row.get("group", "")) for number, row in rows.items())


def pairing_rows(pairings: tuple[Pairing, ...]) -> dict[str, dict[str, Any]]:
    """Return tables as they are written into a file.

    Example:
        >>> pairing_rows((Pairing(1, ("alice", "bob")),))
        {'1': {'seats': ['alice', 'bob']}}
    """
    return {str(one.table): {"seats": list(one.seats), **({"group": one.group} if one.group else {})} for one in pairings}
