"""What the commands of an event print: tables, players, matches by deadline, standings, and what verifying found."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .common import indented, public_key, signing_key

if TYPE_CHECKING:
    from referee.keys import PublicKey, SigningKey
    from referee.tournament.event import Event
    from referee.tournament.rounds import Pairing
    from referee.tournament.standings import Row
    from referee.tournament.views import EventView, Table

MOST_LINES = 40
"""So many matches that go on are listed; the report `progress` has all."""
CLOSE = 24
"""Deadlines of one player within so many hours meet."""


def formats_data() -> dict[str, Any]:
    """Return what each format is, its settings with what is usual, and how many it seats, as plain data."""
    from referee.tournament.formats import FORMATS

    return {
        name: {"about": one.about, "settings": dict(one.settings), "seats": [one.seats[0], one.seats[-1]], "late": one.late}
        for name, one in FORMATS.items()
    }


def formats_lines(found: dict[str, Any]) -> Iterator[str]:
    """Yield the formats, the scoring and the tie-breaks, each with a sentence."""
    for name, one in found["formats"].items():
        low, high = one["seats"]
        seats = f"{low}" if low == high else f"{low} to {high}"
        yield f"{name} ({seats} at a table): {one['about']}"
        yield from indented(f"--set {setting}={usual}" for setting, usual in one["settings"].items())
    yield "Scoring, as it usually is:"
    yield from indented(f'--scoring "{name}={value}"' for name, value in found["scoring"].items())
    yield f"Tie-breaks; usually {', '.join(found['usual'])}:"
    yield from indented(f"--tiebreak {name}: {about}" for name, about in found["tiebreaks"].items())


def pairing_lines(pairings: "Iterable[Pairing]") -> Iterator[str]:
    """Yield a line for each table."""
    for one in pairings:
        group = f"{one.group}, " if one.group else ""
        yield f"  {group}table {one.table}: " + (f"{one.seats[0]} has a bye" if one.is_bye else " - ".join(one.seats))


def standing_lines(event: "Event", rows: "Sequence[Row]") -> Iterator[str]:
    """Yield the table of an event, each group under its name."""
    wide = max((len(row.player) for row in rows), default=6)
    group = None
    for row in rows:
        if row.group != group:
            group = row.group
            yield (f"{group}: " if group else "") + f"place, player, points, {', '.join(event.plan.tiebreaks)}"
        values = "  ".join(f"{value:>6}" for value in row.values)
        yield f"{row.place:>4}  {row.player:{wide}}  {row.points:>6}  {values}".rstrip()
    if not rows:
        yield "Nobody has entered."


def row_data(row: "Row") -> dict[str, Any]:
    """Return a line of a standing as plain data, with how it came about."""
    names = ("group", "place", "player", "points", "values", "calculation")
    return {name: getattr(row, name) for name in names}


def data_of(view: "EventView") -> dict[str, Any]:
    """Return how an event stands, as plain data."""
    entrants = [one._asdict() for one in view.entrants]
    tables = [one._asdict() for one in view.tables]
    rulings = [one._asdict() for one in view.rulings]
    draft = [one._asdict() for one in view.draft]
    thing = {"id": view.id, "title": view.title, "game": view.game, "format": view.format, "state": view.state}
    thing |= {"rule": view.deadline_rule, "commitment": view.commitment, "seed": view.seed}
    return thing | {"entrants": entrants, "tables": tables, "draft": draft, "rulings": rulings, "conflicts": conflicts(view)}


def status_lines(view: "EventView") -> Iterator[str]:
    """Yield how an event stands."""
    playing = sum(one.state == "plays" for one in view.entrants)
    yield f"{view.title}: {view.game}, {view.format_title}; {view.state}. Players: {playing} of {len(view.entrants)}."
    yield view.deadline_rule
    if view.for_director:
        yield from indented(_entrant_lines(view))
        if view.draft:
            yield "The draft of the next round, which nobody else sees:"
            yield from pairing_lines(view.draft)
    for number in range(1, len(view.field.rounds) + 1):
        yield from _round_lines(view, [one for one in view.tables if one.round == number])
    for player, lines in conflicts(view).items():
        yield f"{player} has deadlines within {CLOSE} hours: {', '.join(lines)}"
    for ruling in view.rulings[-5:]:
        yield f"Ruled at {ruling.at}: {ruling.what}. {ruling.why}"


def _entrant_lines(view: "EventView") -> Iterator[str]:
    for one in view.entrants:
        more = [one.name, one.address, f"rating {one.rating}" if one.rating else "", one.notes]
        more += [one.state if one.state != "plays" else "", f"from round {one.joined}" if one.joined > 1 else ""]
        yield f"{one.number:>4}  {one.player}  {', '.join(filter(None, more))}".rstrip()


def _round_lines(view: "EventView", tables: "list[Table]") -> Iterator[str]:
    over = [one for one in tables if one.state in ("over", "bye")]
    yield f"Round {tables[0].round}, until {tables[0].ends}: {len(over)} of {len(tables)} tables have a result."
    rest = [one for one in tables if one not in over]
    for one in rest[:MOST_LINES]:
        asked = f"; asked: {', '.join(one.asked)} since {one.since}" if one.asked else ""
        until = f", until {one.until}" if one.until else ""
        yield f"  {one.match}: {' - '.join(one.seats)}, {one.state}{asked}{until}"
    if len(rest) > MOST_LINES:
        yield f"  and {len(rest) - MOST_LINES} more; `referee tournament report DIR progress` has all."


def conflicts(view: "EventView") -> dict[str, list[str]]:
    """Return for each player the matches whose deadlines meet: those within `CLOSE` hours of another one."""
    from referee.clock import utc

    waiting: dict[str, list[tuple[Any, str]]] = {}
    for one in view.tables:
        for player, due in one.dues.items():
            waiting.setdefault(player, []).append((utc(due), one.match))
    found: dict[str, list[str]] = {}
    for player, dues in waiting.items():
        dues.sort()
        near = {at for at in range(len(dues) - 1) if (dues[at + 1][0] - dues[at][0]).total_seconds() < CLOSE * 3600}
        matches = [match for at, (_, match) in enumerate(dues) if at in near or at - 1 in near]
        if matches:
            found[player] = matches
    return found


def verified(folder: Path, public: str, quick: bool, jobs: int, key: str) -> tuple[dict[str, Any], list[str]]:
    """Verify an event by a public key, or by the referee's own; see `verified_by`."""
    return verified_by(folder, public_key(public) if public else signing_key(key), quick=quick, jobs=jobs)


def verified_by(
    folder: Path, trusted: "PublicKey | SigningKey", *, quick: bool = False, jobs: int = 1
) -> tuple[dict[str, Any], list[str]]:
    """Verify an event; return what was found as plain data and as lines.

    Raises:
        Unverified: something does not hold.
    """
    from referee.tournament.check import verify_event

    from .run import _clear, progress

    try:
        found = verify_event(folder, trusted, quick=quick, jobs=jobs, told=progress)
    finally:
        _clear()
    plan, seed = found.event.plan, found.event.secret
    steps = [{"kind": kind, "at": at} for kind, at in found.steps]
    thing: dict[str, Any] = {"event": plan.id, "state": found.event.state, "steps": steps, "rounds": found.rounds}
    thing |= {"lots": found.lots, "results": found.results, "replayed": found.replayed}
    thing |= {"commitment": plan.commitment, "seed": seed}
    lines = [
        f"{folder}: all {len(steps)} steps of {plan.id} verify; tournament.toml is what they make.",
        f"Rounds paired again: {found.rounds}. Lots: {found.lots}.",
        f"Results held against their matches: {found.results}; matches played again move by move: {found.replayed}.",
    ]
    return thing, [*lines, *([f"Seed {seed}", f"fits the commitment {plan.commitment}."] if seed else [])]
