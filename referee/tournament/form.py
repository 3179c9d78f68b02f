"""An event and its steps as canonical TOML, and read again: the same event gives the same bytes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from referee import __version__, canon
from referee.errors import Unverified

from .event import Event, Plan, Player, Ruling, Sheet, Step, pairing_rows, pairings_of
from .results import outcome_of
from .rounds import Outcome, Pairing, Round

STEP_HEAD, EVENT_HEAD = "# referee step 1\n", "# referee event 1\n"
_STEP_INLINE = ("data.*.*",)
_EVENT_INLINE = ("plan.*", "players.*", "draft.*", "rounds.*.tables.*", "rulings.*")
_PLAYER = Player()


class Place(NamedTuple):
    """Where a step stands in the chain: the event, its number from 0, and the hash of the file before it."""

    event: str
    serial: int
    previous: str


# Steps


def step_body(place: Place, step: Step) -> bytes:
    """Return a step as the bytes that are signed.

    Example:
        >>> print(step_body(Place("spring", 1, "ab"), Step("withdraw", {"player": "bob", "why": "ill"}, "now")).decode())
        ... # doctest: +ELLIPSIS
        # referee step 1
        [step]
        event = "spring"
        serial = 1
        previous = "ab"
        at = "now"
        engine = "..."
        kind = "withdraw"
        <BLANKLINE>
        [data]
        player = "bob"
        why = "ill"
        <BLANKLINE>
    """
    head = {**place._asdict(), "at": step.at, "engine": __version__, "kind": step.kind}
    return (STEP_HEAD + canon.dumps({"step": head, "data": dict(step.data)}, inline=_STEP_INLINE)).encode()


def read_step(body: bytes, name: str) -> tuple[Place, Step]:
    """Return a step and its place, from bytes whose signature was verified.

    Raises:
        Unverified: they are signed, and hold no step.
    """
    try:
        rows = canon.loads(body)
        head = rows["step"]
        place = Place(head["event"], head["serial"], head["previous"])
        step = Step(head["kind"], rows.get("data", {}), head["at"])
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unverified(f"{name} is signed but holds no step of an event: {error}.") from None
    return place, step


# The whole event


def event_body(event: Event, serial: int, hashed: str) -> bytes:
    """Return an event as the bytes that are signed.

    Args:
        event: the event.
        serial: the number of the step that led to it.
        hashed: the hash of that step's whole file.
    """
    head: dict[str, Any] = {"id": event.plan.id, "state": event.state, "step": serial, "hash": hashed}
    head |= {"secret": event.secret} if event.secret else {}
    rows: dict[str, Any] = {
        "event": head | {"order": list(event.order), "lots": list(event.lots)},
        "plan": vars(event.plan),
        "players": {name: _player_row(player) for name, player in event.players.items()},
        "draft": pairing_rows(event.draft),
        "rounds": {str(sheet.round.number): _sheet_rows(sheet) for sheet in event.sheets},
        "rulings": {str(number): one._asdict() for number, one in enumerate(event.rulings, 1)},
    }
    return (EVENT_HEAD + canon.dumps(rows, inline=_EVENT_INLINE)).encode()


def read_event(body: bytes, name: str) -> tuple[Event, int, str]:
    """Return an event, the number of its last step and that step's hash, from bytes whose signature was verified.

    Raises:
        Unverified: they are signed, and hold no event.
    """
    try:
        rows = canon.loads(body)
        head = rows["event"]
        event = Event(
            plan=Plan(**rows["plan"]),
            players={who: Player(**row) for who, row in rows.get("players", {}).items()},
            order=tuple(head["order"]),
            lots=tuple(head["lots"]),
            sheets=tuple(_sheet(int(number), row) for number, row in rows.get("rounds", {}).items()),
            draft=pairings_of(rows.get("draft", {})),
            state=head["state"],
            rulings=tuple(Ruling(**row) for row in rows.get("rulings", {}).values()),
            secret=head.get("secret", ""),
        )
        return event, head["step"], head["hash"]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unverified(f"{name} is signed but holds no event: {error}.") from None


def _player_row(player: Player) -> dict[str, Any]:
    usual = _PLAYER._asdict()
    return {name: value for name, value in player._asdict().items() if value != usual[name]}


def _sheet_rows(sheet: Sheet) -> dict[str, Any]:
    played = sheet.round
    rows = {"at": sheet.at, "ends": sheet.ends, "stagger": sheet.stagger, "void": sorted(sheet.void)}
    return {**rows, "tables": {str(one.table): _table_row(one, sheet) for one in played.pairings}}


def _table_row(pairing: Pairing, sheet: Sheet) -> dict[str, Any]:
    row: dict[str, Any] = pairing_rows((pairing,))[str(pairing.table)]
    outcome = sheet.round.outcomes.get(pairing.table)
    if outcome is not None:
        row |= outcome_row(outcome)
    if proof := sheet.proofs.get(pairing.table):
        row |= {"serial": proof[0], "hash": proof[1]}
    return row


def outcome_row(outcome: Outcome) -> dict[str, Any]:
    """Return an outcome as it is written into a file.

    Example:
        >>> outcome_row(Outcome(1, {"alice": 1, "bob": 1}))
        {'how': 'played', 'places': {'alice': 1, 'bob': 1}}
    """
    row: dict[str, Any] = {"how": outcome.how, "places": dict(outcome.places)}
    row |= {"scores": dict(outcome.scores)} if outcome.scores else {}
    return row | ({"absent": list(outcome.absent)} if outcome.absent else {})


def _sheet(number: int, row: Mapping[str, Any]) -> Sheet:
    tables = {int(table): one for table, one in row["tables"].items()}
    outcomes = {table: outcome_of(one, table) for table, one in tables.items() if "places" in one}
    proofs = {table: (one["serial"], one["hash"]) for table, one in tables.items() if "hash" in one}
    played = Round(number, pairings_of(row["tables"]), outcomes)
    return Sheet(played, row["at"], row["ends"], row["stagger"], proofs, frozenset(row["void"]))
