"""What one reader may know of an event: all that reports are made of.

Nothing of a match that goes on is here but its state and who is asked; the draft of a round, addresses, and in an anonymous
event the names of people are the director's alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from referee.clock import deadline, floor_of, read, spoken, text_of
from referee.engine import find_game
from referee.keys import PublicKey
from referee.people import People, Person

from .director import format_of
from .event import RULES, Event, Ruling, Sheet
from .play import Look, Looker, folder_of
from .rounds import Field, Pairing

__all__ = ["Entrant", "EventView", "Ruling", "Table", "view_of"]


class Entrant(NamedTuple):
    """One who entered.

    Args:
        number: the pairing number, from 1.
        player: the name of the seat.
        name: what the person is called; "" if nobody may know, or nobody said.
        address: for the director alone.
        state: `plays` or `withdrawn`.
        joined: the first round that the player may play.
        rating: what the seeding went by; 0 for none.
        notes: whether somebody else plays for the player by now.
    """

    number: int
    player: str
    name: str = ""
    address: str = ""
    state: str = "plays"
    joined: int = 1
    rating: int = 0
    notes: str = ""


class Table(NamedTuple):
    """One table of a published round.

    Args:
        round, table, group, seats: as paired.
        match: the name of its match; "" for a bye.
        state: `bye`, `not begun`, `goes on`, `halted`, `over`.
        stop: how often the match has stopped to ask.
        asked: who is waited for, all who are asked together.
        since: since when, UTC; "" if nobody is.
        until: the first deadline of those, as people read it; "" for none.
        ends: when the round ends, UTC.
        dues: the deadline of each of those who are waited for, UTC; empty if the match knows none.
    """

    round: int
    table: int
    group: str
    seats: tuple[str, ...]
    match: str
    state: str
    stop: int = 0
    asked: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    ends: str = ""
    dues: Mapping[str, str] = {}


class EventView(NamedTuple):
    """What one reader may know of an event.

    Args:
        id, title, game: its name, what people call it, and the title of the game.
        format, format_title, settings: how players are paired.
        scoring, tiebreaks: how they are ranked.
        deadline_rule: the published rule of adjudication, as a sentence.
        anonymous: whether players see the names of seats alone.
        state: `entries`, `running` or `closed`.
        for_director: whether this is the director's own.
        entrants: in the order of their pairing numbers.
        field: the published rounds with the results that are known.
        draft: the tables of the next round; for the director alone.
        tables: every table of every published round.
        rulings: what was ruled.
        commitment, seed: what was published of the seed, 64 hex digits; the seed is "" until the event is closed.
        at: when this was seen, UTC.
    """

    id: str
    title: str
    game: str
    format: str
    format_title: str
    settings: Mapping[str, int | str]
    scoring: Mapping[str, int | str]
    tiebreaks: tuple[str, ...]
    deadline_rule: str
    anonymous: bool
    state: str
    for_director: bool
    entrants: tuple[Entrant, ...]
    field: Field
    draft: tuple[Pairing, ...]
    tables: tuple[Table, ...]
    rulings: tuple[Ruling, ...]
    commitment: str
    seed: str
    at: str


def view_of(event: Event, folder: Path, trusted: PublicKey, at: str, *, for_director: bool = False) -> EventView:
    """Return what a reader may know of an event.

    Args:
        event: the event.
        folder: its folder.
        trusted: the referee's public key.
        at: the time, UTC.
        for_director: whether the director reads it.

    Raises:
        RefereeError: a match cannot be read.
    """
    plan, people = event.plan, People(folder).read()
    looker = Looker(folder, trusted)
    tables = tuple(table for sheet in event.sheets for table in _tables(event, sheet, folder, looker))
    looker.keep()
    names = enumerate(event.seeded, 1)
    return EventView(
        id=plan.id,
        title=plan.title,
        game=find_game(plan.game).title,
        format=plan.format,
        format_title=format_of(event).title,
        settings=plan.settings,
        scoring=plan.scoring,
        tiebreaks=tuple(plan.tiebreaks),
        deadline_rule=RULES[plan.rule],
        anonymous=plan.anonymous,
        state=event.state,
        for_director=for_director,
        entrants=tuple(_entrant(event, number, name, people.get(name, Person()), for_director) for number, name in names),
        field=event.field(),
        draft=event.draft if for_director else (),
        tables=tables,
        rulings=event.rulings,
        commitment=plan.commitment,
        seed=event.secret,
        at=at,
    )


def _entrant(event: Event, number: int, name: str, person: Person, for_director: bool) -> Entrant:
    player = event.players[name]
    return Entrant(
        number=number,
        player=name,
        name=person.name if for_director or not event.plan.anonymous else "",
        address=person.address if for_director else "",
        state="withdrawn" if player.away else "plays",
        joined=player.joined,
        rating=player.rating,
        notes="" if player.holder == 1 else "played by a substitute",
    )


def _tables(event: Event, sheet: Sheet, folder: Path, looker: Looker) -> Iterator[Table]:
    number = sheet.round.number
    for pairing in sheet.round.pairings:
        match = "" if pairing.is_bye else event.match_id(number, pairing.table)
        row = Table(number, pairing.table, pairing.group, pairing.seats, match, "bye", ends=sheet.ends)
        if pairing.is_bye:
            yield row
        elif pairing.table in sheet.round.outcomes:
            yield row._replace(state="over")
        else:
            look = looker.look(match)
            yield _with_look(row, look, folder_of(folder, match), looker)


def _with_look(row: Table, look: Look, folder: Path, looker: Looker) -> Table:
    """Return a table with what all may see of its match; when it is halted, nobody's time goes on."""
    row = row._replace(state=look.state, stop=look.stop)
    if look.state != "goes on" or not look.asked:
        return row
    since = min(look.asked.values())
    dues = _dues(look, folder, looker.is_window(row.match))
    settings = read(folder)
    until = spoken(settings, min(dues.values())) if settings is not None else ""
    told = {seat: text_of(due) for seat, due in dues.items()}
    return row._replace(asked=tuple(look.asked), since=since, until=until, dues=told)


def _dues(look: Look, folder: Path, window: bool) -> dict[str, datetime]:
    """Return the deadline of everybody who is waited for in a match; nothing if it knows none."""
    settings, people = read(folder), People(folder).read()
    if settings is None:
        return {}
    return {
        seat: deadline(
            settings,
            asked,
            look.until.get(seat, ""),
            people.get(seat, Person()).vacations,
            floor_of(folder, seat, asked),
            window=window,
        ).due
        for seat, asked in look.asked.items()
    }
