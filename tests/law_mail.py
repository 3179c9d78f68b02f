"""What leaves by mail after a move, made by the rooms that send it: to whom, when, under which subject and file names.

Nothing lies on a disk but who the people are and how long a turn takes. Hashes, times of moves and the referee's key are the
same in every world, so that codes and Message-Ids are; what differs between two worlds comes from what lies on the table.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Sequence
from copy import copy
from functools import lru_cache
from pathlib import Path
from typing import Any, cast
from unittest import mock

from referee import clock
from referee.chain import Chain, Link
from referee.config import Config
from referee.dispatch import Made, context
from referee.engine import pending
from referee.entries import entry_after
from referee.keys import SigningKey
from referee.mail import reports
from referee.mail.mailer import Letterhead, Mailer, Place, facts_from
from referee.mail.outbox import Outbox
from referee.mail.outgoing import Outgoing
from referee.match import Event, Match
from referee.people import People, Person
from referee.postal import Postal, write_postal
from referee.report import Context, blank
from referee.save import Entry, Save

KEY = SigningKey.from_bytes(bytes(range(32)))
CONFIG = Config(*map(Path, ("referee.toml", "desk", "matches", "referee.key")), "referee@example.org", "host@example.org")
OPENED, NOW = "2026-03-02T09:00:00Z", "2026-03-02T10:00:00Z"
FIRST = 7
"""The serial of the save that opened the present stop."""


class Shelf(Chain):
    """The saves of a stop, not on a disk: the one that opened it, one of each sealed answer, and perhaps what follows.

    Args:
        m: the match; what happened before it has laws of its own and is not told here.
    """

    def __init__(self, m: Match) -> None:
        """Make the saves up to the match."""
        self.path, question, quiet = folder(tuple(m.seats)), pending(m), copy(m)
        quiet.events = []
        entry = Entry(FIRST, at=OPENED, move={"kind": "begin"}, reported=dict.fromkeys(m.seats, FIRST - 1), reports=m.seats[:])
        entry.asked = dict.fromkeys(question.seats if question else (), OPENED)
        self.saves = [Save(quiet, entry)]
        for seat in dict.fromkeys(question.decisions[decider].seat for decider in m.sealed) if question else ():
            self.add(quiet, seat, [])

    def add(self, m: Match, seat: str, lines: Sequence[str]) -> Save:
        """Add and return the save of the match that a seat's lines led to."""
        before, move = self.newest, {"kind": "lines", "seat": seat, "by": "code", "lines": list(lines)}
        self.saves.append(Save(m, entry_after(before.save, before.hash, m, move, NOW, before.save.entry.engine)))
        return self.saves[-1]

    @property
    def newest(self) -> Link:
        """The newest save."""
        return Link(self.saves[-1], f"{self.saves[-1].entry.serial:064}")

    def section(self, serial: int, name: str) -> dict[str, Any]:
        """Return what a report takes from a save."""
        m, entry = self.saves[serial - FIRST].match, self.saves[serial - FIRST].entry
        opened = {"opened": {"hash": entry.opened_hash}} if entry.opened_hash else {}
        return {"match": {"stop": m.stop, **opened}, "move": entry.move, "reported": entry.reported}[name]

    def events_since(self, serial: int, until: Link) -> list[Event]:
        """Return the events of the saves after `serial`."""
        return [event for save in self.saves if save.entry.serial > serial for event in save.match.events]


@lru_cache(maxsize=16)
def folder(seats: tuple[str, ...]) -> Path:
    """Return a folder that says who holds the seats, how long a turn takes, and where orders go."""
    path = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    People(path).write({seat: Person(f"{seat}@example.org") for seat in seats})
    clock.write(path, clock.Settings(at="18:00"))
    write_postal(path, Postal("referee@example.org", "host@example.org"))
    return path


def ready_for(shelf: Shelf, viewer: str) -> Context:
    """Return what the newest report of a viewer is made of, all that the chain adds included."""
    return context(shelf, shelf.newest, viewer, KEY)


# Mails


class Box:
    """Keeps what would go into the outbox."""

    def __init__(self) -> None:
        """Begin empty."""
        self.mails: list[Outgoing] = []

    def put(self, mail: Outgoing) -> bool:
        """Take a mail."""
        self.mails.append(mail)
        return True


def mailed(m: Match, viewer: str, ready: Context) -> dict[str, Any]:
    """Return the mail that brings a seat its report: whom it goes to, subject, text, file name, thread."""
    box = Box()
    head = Letterhead(f"report {m.id} {m.stop} {viewer}", f"{viewer}@example.org", Place.of(m, viewer))
    facts = facts_from(Made(ready), m, attached=True)
    Mailer(CONFIG, KEY, cast(Outbox, box), NOW).put("report", facts, head, Made(ready))
    return vars(box.mails[0])


def sent(before: Match, after: Match, seat: str, lines: Sequence[str], viewers: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the mails that leave after lines of a seat, by the seat they go to, with what their reports are made of.

    Args:
        before: the match that the lines were played on.
        after: the match afterwards.
        seat: who sent the lines.
        lines: the lines.
        viewers: whose mails are wanted; of the others only that they get one is told.
    """
    box, shelf, made = Box(), Shelf(before), {"": Made(blank())}
    shelf.add(after, seat, lines)

    def make(chain: Shelf, link: Link, reader: str, *_: Any) -> Made:
        made[reader] = Made(ready_for(chain, reader) if reader in viewers else blank(reader))
        return made[reader]

    with mock.patch.object(reports, "make", make), mock.patch.object(reports, "read_mailed", return_value=_last(shelf)):
        reports.Reports(Mailer(CONFIG, KEY, cast(Outbox, box), NOW), KEY).mail(shelf, shelf.newest)
    return {mail.seat: {**vars(mail), "report": made[mail.seat].ready} for mail in box.mails}


def _last(shelf: Shelf) -> int:
    return shelf.saves[-2].entry.serial


def waited_for(before: Match, after: Match, seat: str, lines: Sequence[str]) -> list[Any]:
    """Return before and after a sealed answer what everybody may know of the waiting: who is asked, since and until when."""
    shelf = Shelf(before)
    entries = [shelf.saves[-1].entry, shelf.add(after, seat, lines).entry]
    return [[entry.asked, entry.until] for entry in entries]
