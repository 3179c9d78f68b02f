"""An event: who plays what under which rules, and the steps that lead from one state of it to the next.

All of it is plain data, and every step is a pure function: the same steps give the same event to everybody who takes them
again. A step that cannot be taken is refused with the reason, whether it is typed now or found in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from referee.engine import RESERVED, SEAT_NAME
from referee.errors import NotNow, Refused, Usage
from referee.fields import dataclass, field, replace

from .rounds import Field, Outcome, Pairing, Round

RULES = {
    "late-loses": "At the end of a round whoever is waited for in a match that is not over loses it; if all are, it is drawn.",
    "draw": "At the end of a round every match that is not over is drawn.",
    "unplayed": "At the end of a round a match that is not over counts as not played by those who are waited for.",
    "director": "At the end of a round the director rules on every match that is not over.",
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
        found = tables_of(self.sheet(number).round).get(table)
        if found is None:
            raise Refused(f"Round {number} of {self.plan.id} has no table {table}.", "`referee tournament status` lists them.")
        return found

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


@lru_cache(maxsize=64)
def _tables(pairings: tuple[Pairing, ...]) -> dict[int, Pairing]:
    return {pairing.table: pairing for pairing in pairings}


def tables_of(played: Round) -> Mapping[int, Pairing]:
    """Return the tables of a round by their numbers."""
    return _tables(played.pairings)


def take(event: Event | None, step: Step) -> Event:
    """Return the event after a step; the first step, `new`, is taken on nothing.

    Raises:
        Refused, NotNow, Usage: the step cannot be taken; says why.

    Example:
        >>> plan = vars(Plan("spring", "Spring", "cosmic-league", 2, "swiss"))
        >>> event = take(None, Step("new", plan, "2026-11-30T18:00:00Z"))
        >>> event = take(event, Step("enter", {"players": {"alice": {}}}, "2026-11-30T18:01:00Z"))
        >>> list(event.players), event.state
        (['alice'], 'entries')
    """
    if event is None:
        if step.kind != "new":
            raise Refused(f"An event cannot begin with a step {step.kind!r}.", "The first step is `new`.")
        return Event(Plan(**step.data))
    if step.kind not in _STEPS:
        raise Refused(f"There is no step {step.kind!r}.", f"There are: {', '.join(_STEPS)}.")
    if event.state == "closed":
        raise NotNow(f"The event {event.plan.id} is closed.", "Nothing can be changed any more; begin another.")
    return _STEPS[step.kind](event, step)


# People


def check_name(name: str) -> None:
    """Check that a player can be seated under a name.

    Raises:
        Usage: it is none for a seat.
    """
    if not SEAT_NAME.fullmatch(name) or name in RESERVED:
        said = "Take a word of up to 24 small letters, digits, - and _, beginning with a letter; not "
        raise Usage(f"{name!r} cannot be the name of a player.", f"{said}{', '.join(sorted(RESERVED))}.")


def _enter(event: Event, step: Step) -> Event:
    players = dict(event.players)
    for name, row in step.data["players"].items():
        check_name(name)
        if name in players:
            raise Refused(f"{name} has entered {event.plan.id} already.", "A second player needs a name of their own.")
        if event.started and row.get("nonce"):
            raise NotNow("The lots are drawn, so nobody adds to the seed any more.", "Enter without a nonce.")
        players[name] = Player(joined=event.next_round, rating=row.get("rating", 0), nonce=row.get("nonce", ""))
    return replace(event, players=players)


def _known(event: Event, name: str) -> Player:
    if name not in event.players:
        raise Refused(f"{name!r} has not entered {event.plan.id}.", "`referee tournament status` lists the players.")
    return event.players[name]


def _with_player(event: Event, name: str, player: Player) -> Event:
    return replace(event, players={**event.players, name: player})


def _withdraw(event: Event, step: Step) -> Event:
    name = step.data["player"]
    player = _known(event, name)
    if player.away:
        raise Refused(f"{name} has withdrawn already.", f"`rule rejoin {name}` takes the player in again.")
    return _ruled(_with_player(event, name, player._replace(away=True)), step, f"{name} withdraws")


def _rejoin(event: Event, step: Step) -> Event:
    name = step.data["player"]
    player = _known(event, name)
    if not player.away:
        raise Refused(f"{name} has not withdrawn.", "There is nothing to take back.")
    return _ruled(_with_player(event, name, player._replace(away=False)), step, f"{name} plays again")


def _substitute(event: Event, step: Step) -> Event:
    name = step.data["player"]
    player = _known(event, name)
    changed = _with_player(event, name, player._replace(holder=player.holder + 1, away=False))
    return _ruled(changed, step, f"somebody else plays for {name}")


def _ruled(event: Event, step: Step, what: str) -> Event:
    """Return the event with one more ruling; the reason is what people read."""
    why = step.data.get("why", "")
    if not why:
        raise Usage("A ruling needs a reason, which all players read.", "Give it with --why TEXT.")
    return replace(event, rulings=(*event.rulings, Ruling(step.at, what, why)))


# Rounds


def _draft(event: Event, step: Step) -> Event:
    """Take the tables of the next round; whether they follow from the format is for `verify` to check."""
    pairings = tuple(Pairing(row["table"], tuple(row["seats"]), row.get("group", "")) for row in step.data["pairings"])
    _check_tables(event, step.data["round"], pairings)
    lots = tuple(step.data.get("lots", event.lots))
    if set(lots) != set(event.players) or len(lots) != len(event.players):
        raise Refused("The lots do not name every player once.", "Pair again.")
    return replace(event, draft=pairings, order=event.seeded, lots=lots)


def _check_tables(event: Event, number: int, pairings: Sequence[Pairing]) -> None:
    if number != event.next_round:
        raise NotNow(f"Round {number} cannot be paired now.", f"The next round is {event.next_round}.")
    if not pairings or len({pairing.table for pairing in pairings}) < len(pairings):
        raise Refused(f"Round {number} has no tables, or two of the same number.", "Pair again.")
    for pairing in pairings:
        for name in pairing.seats:
            if _known(event, name).away:
                raise Refused(f"{name} is at table {pairing.table} and has withdrawn.", "Pair again.")


def _publish(event: Event, step: Step) -> Event:
    """Publish the draft: from now on its tables are played. Whoever sits alone has a bye at once."""
    number = step.data["round"]
    if not event.draft or number != event.next_round:
        raise NotNow(f"Round {number} of {event.plan.id} is not drafted.", "`referee tournament pair` drafts the next round.")
    for name in {name for pairing in event.draft for name in pairing.seats}:
        if event.players[name].away:
            raise NotNow(f"{name} has withdrawn since the round was drafted.", "`referee tournament pair` drafts it again.")
    byes = {one.table: Outcome(one.table, {one.seats[0]: 1}, how="bye") for one in event.draft if one.is_bye}
    sheet = Sheet(Round(number, event.draft, byes), step.at, step.data["ends"], step.data.get("stagger", 0))
    return replace(event, sheets=(*event.sheets, sheet), draft=(), state="running")


# Results


def outcome_of(row: Mapping[str, Any], table: int) -> Outcome:
    """Return an outcome as it stands in a step.

    Example:
        >>> outcome_of({"places": {"alice": 1, "bob": 2}, "how": "played"}, 3).places["bob"]
        2
    """
    scores, absent = row.get("scores", {}), tuple(row.get("absent", ()))
    return Outcome(table, dict(row["places"]), dict(scores), row["how"], absent)


def check_outcome(pairing: Pairing, outcome: Outcome) -> None:
    """Check that an outcome is one of those who sat at a table.

    Raises:
        Refused: it names others, or places that no order gives.
    """
    if set(outcome.places) != set(pairing.seats):
        names = ", ".join(pairing.seats)
        raise Refused(f"The result of table {pairing.table} does not name those who sit there.", f"They are {names}.")
    if not {*outcome.absent, *outcome.scores} <= set(pairing.seats):
        raise Refused(f"The result of table {pairing.table} names somebody who does not sit there.", "Mend the name.")
    places = sorted(outcome.places.values())
    if any(place != 1 + sum(other < place for other in places) for place in places):
        raise Refused(f"The places {places} at table {pairing.table} are none.", "Shared places are equal: 1, 1, 3 or 1, 2, 2.")
    if outcome.how not in ("played", "adjudicated", "forfeit"):
        raise Refused(f"A match cannot end as {outcome.how!r}.", "It is played, adjudicated or forfeit.")


def _with_outcome(event: Event, number: int, outcome: Outcome, proof: tuple[int, str] | None) -> Event:
    sheet = event.sheet(number)
    check_outcome(event.pairing(number, outcome.table), outcome)
    proofs = {table: one for table, one in sheet.proofs.items() if table != outcome.table}
    if proof:
        proofs[outcome.table] = proof
    outcomes = {**sheet.round.outcomes, outcome.table: outcome}
    changed = sheet._replace(
        round=sheet.round._replace(outcomes=outcomes), proofs=proofs, void=sheet.void - {outcome.table}
    )
    return _with_sheet(event, changed)


def _with_sheet(event: Event, sheet: Sheet) -> Event:
    at = sheet.round.number - 1
    return replace(event, sheets=(*event.sheets[:at], sheet, *event.sheets[at + 1 :]))


def _results(event: Event, step: Step) -> Event:
    """Take results that were read from finished matches, each with the save that it was read from."""
    by_round: dict[int, dict[int, Mapping[str, Any]]] = {}
    for row in step.data["results"]:
        number, table = row["round"], row["table"]
        pairing = event.pairing(number, table)
        if pairing.is_bye or row["match"] != event.match_id(number, table):
            raise Refused(f"The match {row['match']!r} is none of {event.plan.id}.", "Only its own matches count.")
        if table in event.sheets[number - 1].round.outcomes or table in by_round.get(number, {}):
            raise Refused(f"Table {table} of round {number} has a result already.", "`rule correct` replaces it.")
        check_outcome(pairing, outcome_of(row, table))
        by_round.setdefault(number, {})[table] = row
    for number, rows in by_round.items():
        event = _with_sheet(event, _filled(event.sheet(number), rows))
    return _without_no_shows(event, step, {name for rows in by_round.values() for row in rows.values() for name in row["places"]})


def _filled(sheet: Sheet, rows: Mapping[int, Mapping[str, Any]]) -> Sheet:
    outcomes = {**sheet.round.outcomes, **{table: outcome_of(row, table) for table, row in rows.items()}}
    proofs = {**sheet.proofs, **{table: (row["serial"], row["hash"]) for table, row in rows.items()}}
    return sheet._replace(round=sheet.round._replace(outcomes=outcomes), proofs=proofs)


def _without_no_shows(event: Event, step: Step, concerned: set[str]) -> Event:
    """Take out whoever never began so many matches as the plan says."""
    most = event.plan.no_shows
    for name in sorted(concerned) if most else ():
        missed = sum(
            name in outcome.absent for sheet in event.sheets for outcome in sheet.round.outcomes.values()
        )
        if missed >= most and not event.players[name].away:
            event = _with_player(event, name, event.players[name]._replace(away=True))
            event = replace(event, rulings=(*event.rulings, Ruling(step.at, f"{name} withdraws", f"No-shows: {missed}.")))
    return event


def _adjudicate(event: Event, step: Step) -> Event:
    """Give results to tables that have none, by the published rule or the director's word."""
    for row in step.data["results"]:
        number, table = row["round"], row["table"]
        if table in event.sheet(number).round.outcomes:
            raise Refused(f"Table {table} of round {number} has a result already.", "`rule correct` replaces it.")
        proof = (row["serial"], row["hash"]) if row.get("hash") else None
        event = _with_outcome(event, number, outcome_of(row, table), proof)
        event = _ruled(event, step, f"{event.match_id(number, table)} is ruled: {_said(row)}")
    return _without_no_shows(event, step, {name for row in step.data["results"] for name in row["places"]})


def _correct(event: Event, step: Step) -> Event:
    number, table = step.data["round"], step.data["table"]
    if table not in event.sheet(number).round.outcomes:
        raise NotNow(f"Table {table} of round {number} has no result that could be corrected.", "`rule adjudicate` gives one.")
    event = _with_outcome(event, number, outcome_of(step.data, table), None)
    return _ruled(event, step, f"{event.match_id(number, table)} is corrected: {_said(step.data)}")


def _annul(event: Event, step: Step) -> Event:
    number, table = step.data["round"], step.data["table"]
    sheet = event.sheet(number)
    if table not in sheet.round.outcomes or event.pairing(number, table).is_bye:
        raise NotNow(f"Table {table} of round {number} has no result that could be withdrawn.", "Look at the status.")
    outcomes = {other: one for other, one in sheet.round.outcomes.items() if other != table}
    proofs = {other: one for other, one in sheet.proofs.items() if other != table}
    changed = Sheet(
        sheet.round._replace(outcomes=outcomes), sheet.at, sheet.ends, sheet.stagger, proofs, sheet.void | {table}
    )
    return _ruled(_with_sheet(event, changed), step, f"the result of {event.match_id(number, table)} is withdrawn")


def _extend(event: Event, step: Step) -> Event:
    number, ends = step.data["round"], step.data["ends"]
    changed = event.sheet(number)._replace(ends=ends)
    return _ruled(_with_sheet(event, changed), step, f"round {number} ends at {ends}")


def _said(row: Mapping[str, Any]) -> str:
    """Return the places of a result in words."""
    return ", ".join(f"{name} {place}" for name, place in sorted(row["places"].items(), key=lambda one: (one[1], one[0])))


def _close(event: Event, step: Step) -> Event:
    if event.missing():
        number, table = event.missing()[0]
        raise NotNow(f"{event.match_id(number, table)} has no result yet.", "Wait for it, or rule it: `rule adjudicate`.")
    closed = replace(event, state="closed", draft=(), secret=step.data["secret"])
    return _ruled(closed, step, "the event ends early") if step.data.get("why") else closed


_STEPS: dict[str, Callable[[Event, Step], Event]] = {
    "enter": _enter,
    "withdraw": _withdraw,
    "rejoin": _rejoin,
    "substitute": _substitute,
    "draft": _draft,
    "publish": _publish,
    "results": _results,
    "adjudicate": _adjudicate,
    "correct": _correct,
    "annul": _annul,
    "extend": _extend,
    "close": _close,
}
