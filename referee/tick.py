"""What time does to a match: reminders, deadlines that take effect, and mail that comes late through nobody's fault.

`tick` may run twice, late, or in two processes: what was done stands in `ticked.toml` beside the chain. A deadline takes effect
only after a complete fetch of mail that began after it, so that what arrived in time is in time whenever it is read. After
an outage, a first look or a jump of the clock no deadline is less than `minimum` hours after the mail that says so.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from . import clock
from .chain import Chain, Link
from .clock import Deadline, Settings, text_of, utc
from .desk import begin_if_accepted, now, play_late, write_reports
from .engine import pending
from .errors import Refusal, Refused
from .fields import dataclass
from .keys import SigningKey
from .late import bot_lines, open_decisions, safest_lines
from .locks import locked
from .people import People
from .ticked import Ledger, Row, read_ledger

OUTAGE = timedelta(hours=26)
"""Without a complete fetch for so long, mail was out of order. A line for cron that runs once a day is none."""
LATE = timedelta(hours=2)
"""A reminder that is so late leaves too little time, and brings a later deadline."""
BACK = timedelta(hours=1)
"""A clock that goes back so far has jumped."""
MODERATOR = "moderator"


class Fetch(Protocol):
    """What a fetch of mail came to.

    Attributes:
        began: when it began, UTC, as saves write it.
        complete: whether all mail was fetched, and all of it was handled.
    """

    began: str
    complete: bool


@dataclass
class Fetched:
    """A fetch; for a moderator without a mailbox, who vouches for having entered all mail.

    Example:
        >>> Fetched("2026-11-30T18:00:00Z").complete
        True
    """

    began: str
    complete: bool = True


@dataclass
class Notice:
    """A mail that time has brought about.

    Attributes:
        kind: `invitation`, `reminder` (with the full report), `moved` (the deadline is later now; also a reminder), `late`
            (the grace has begun), `missed` (it is over), `forfeit` (shall the seat forfeit?), or `clock` (it has jumped).
        to: the seat that gets it, or `moderator`.
        seat: the seat that it is about; "" for none.
        match: the name of the match.
        stop: its stop.
        key: the same whenever the notice is made again, and no other's.
        deadline: the deadline as people read it; "" for none.
        grace: until when the answer is still taken without consequence, as people read it.
        text: what has happened, in a sentence or two.
    """

    kind: str
    to: str
    seat: str
    match: str
    stop: int
    key: str
    deadline: str
    grace: str
    text: str


Deliver = Callable[[Notice], None]


def tick(
    folder: Path, key: SigningKey, now_is: str = "", fetched: Fetch | None = None, deliver: Deliver | None = None
) -> list[Notice]:
    """Do what is due in one match, and return the mails that have to be sent.

    Args:
        folder: the folder of the match.
        key: the referee's key.
        now_is: the time, UTC; the present one by default.
        fetched: the last fetch of mail; without one reminders are sent and no deadline takes effect.
        deliver: takes each notice before it is written down that it was made; it may get one again after a crash.

    Raises:
        RefereeError: the match cannot be read or written.
    """
    notices: list[Notice] = []

    def take(notice: Notice) -> None:
        if deliver is not None:
            deliver(notice)
        notices.append(notice)

    with locked(folder / ".tick.lock"):
        chain = Chain(folder, key.public)
        _Look(chain, key, now_is or now(), fetched, take).at_all()
    return notices


class _Look:
    """One look at the clock of one match."""

    def __init__(self, chain: Chain, key: SigningKey, at: str, fetched: Fetch | None, take: Deliver) -> None:
        self.chain, self.key, self.at, self.take = chain, key, at, take
        self.now = utc(at)
        self.fetched = utc(fetched.began) if fetched is not None and fetched.complete else None
        self.ledger: Ledger = read_ledger(chain.path)
        self.settings: Settings = clock.read(chain.path) or Settings()
        self.back = self.outage = False

    def at_all(self) -> None:
        """Look at everything: an invitation, or each seat that is asked, again after each move that is made."""
        link = self.chain.latest()
        if link.save.match.table is None:
            self._before_it_begins(link)
        elif clock.read(self.chain.path) is not None:
            self._look_for_jumps(link)
            while self._each_seat(link):
                link = self.chain.latest()
        self.ledger.write()

    # Before the deal

    def _before_it_begins(self, link: Link) -> None:
        people = People(self.chain.path).read()
        for seat, person in people.items():
            row = self.ledger.row(seat)
            if person.invited and not person.accepted and not row.invited:
                self._tell(link, "invitation", seat, seat, f"You are invited to the match {link.save.match.id}.")
                row.invited = True
        if any(person.invited for person in people.values()):
            with contextlib.suppress(Refused):  # somebody else has just begun it
                begun = begin_if_accepted(self.chain, self.key, at=self.at)
                if begun is not None:
                    write_reports(self.chain, begun, self.key)

    # Outages and jumps

    def _look_for_jumps(self, link: Link) -> None:
        """Find out whether mail was out of order for long, or the clock of the machine went back."""
        ledger = self.ledger
        self.back = bool(ledger.ticked) and self.now < utc(ledger.ticked) - BACK
        if self.back:
            said = f"The clock of the machine went back from {ledger.ticked} to {self.at}. Look whether it is right now."
            self._tell(link, "clock", MODERATOR, "", said, part=ledger.ticked)
            self._forget_the_future()
        if self.fetched is not None:
            self.outage = not ledger.fetched or abs(self.fetched - utc(ledger.fetched)) > OUTAGE
            ledger.fetched = text_of(self.fetched)
        ledger.ticked = self.at

    def _forget_the_future(self) -> None:
        """Drop what was written down under a clock that was wrong."""
        for row in self.ledger.rows.values():
            row.floor = row.due = ""
            row.reminded = row.reminded if row.reminded <= self.at else ""

    # Each seat

    def _each_seat(self, link: Link) -> bool:
        """Look at each seat that is asked; return whether a move was made, so that all is different now."""
        m, asked = link.save.match, link.save.entry.asked
        if m.over or m.held:
            return False
        self.ledger.follow(asked)
        return any(self._one_seat(link, seat) for seat in asked if open_decisions(m, seat))

    def _one_seat(self, link: Link, seat: str) -> bool:
        question = pending(link.save.match)
        window = question is not None and bool(question.interrupts)
        line = self._remind(link, seat, self._with_floor(link, seat, window), window)
        row = self.ledger.row(seat)
        row.due = text_of(line.due)
        if line.due <= self.now < line.end and row.late != row.due:
            row.late = row.due
            said = f"The deadline has passed; your answer is still taken as in time until {self._spoken(line.end)}."
            self._tell(link, "late", seat, seat, said, line)
        if self.now < line.end or self.fetched is None or self.fetched < line.end:
            return False
        return self._over(link, seat, line, window)

    def _line(self, link: Link, seat: str, window: bool) -> Deadline:
        entry, row = link.save.entry, self.ledger.row(seat)
        vacations = People(self.chain.path).of(seat).vacations
        return clock.deadline(self.settings, entry.asked[seat], entry.until.get(seat, ""), vacations, row.floor, window=window)

    def _with_floor(self, link: Link, seat: str, window: bool) -> Deadline:
        """Return a seat's deadline, later than it was if there was an outage, never suddenly nearer than it was told."""
        line, row = self._line(link, seat, window), self.ledger.row(seat)
        least = clock.at_least(self.settings, self.now)
        near = line.due < least and not row.missed
        waited = self.now - utc(row.asked) > LATE
        if near and waited and (self.back or (self.outage and not row.caught)):
            row.caught, row.reminded = True, self.at
            return self._moved(link, seat, least, window)
        if row.due and near and line.due < utc(row.due):
            row.floor = text_of(min(utc(row.due), least))
            return self._line(link, seat, window)
        return line

    def _moved(self, link: Link, seat: str, least: datetime, window: bool) -> Deadline:
        """Move a deadline, and tell its seat."""
        self.ledger.row(seat).floor = text_of(least)
        line = self._line(link, seat, window)
        said = f"Mail was late through no fault of yours, so your deadline is later: {self._spoken(line.due)}."
        self._tell(link, "moved", seat, seat, said, line)
        return line

    def _remind(self, link: Link, seat: str, line: Deadline, window: bool) -> Deadline:
        """Send the reminder if it is time; one that is late brings a later deadline."""
        row, at = self.ledger.row(seat), clock.reminder_at(self.settings, line.due)
        if window or not self.settings.reminder or row.missed or self.now < at:
            return line
        if row.reminded and (utc(row.reminded) >= at or self.now >= line.due):
            return line
        least = clock.at_least(self.settings, self.now)
        late = not row.reminded and self.now - at > LATE and line.due < least
        row.reminded = self.at
        if late:
            return self._moved(link, seat, least, window)
        self._tell(link, "reminder", seat, seat, f"Your answer is awaited until {self._spoken(line.due)}.", line)
        return line

    # A deadline that is over

    def _over(self, link: Link, seat: str, line: Deadline, window: bool) -> bool:
        """Let the rule for missed turns take effect; return whether it made a move, or somebody else just did."""
        row, new = self.ledger.row(seat), self.ledger.row(seat).missed != text_of(line.due)
        if not window and not row.missed:
            row.in_a_row += 1
        row.missed = text_of(line.due)
        lines = self._lines(link, seat, window)
        if lines:
            self.ledger.write()  # counted before it is played: after a crash it is played, and not counted again
            try:
                return self._play(link, seat, lines)
            except Refusal:
                lines = []
        if new:
            self._tell_missed(link, seat, line, row)
        return False

    def _lines(self, link: Link, seat: str, window: bool) -> list[str]:
        m, policy = link.save.match, "safest" if window else self.settings.missed
        if policy == "safest":
            return safest_lines(m, seat)
        return bot_lines(m, seat, self.key) if policy == "bot" else []

    def _play(self, link: Link, seat: str, lines: list[str]) -> bool:
        play_late(self.chain, self.key, link, seat, lines, at=self.at)
        return True

    def _tell_missed(self, link: Link, seat: str, line: Deadline, row: Row) -> None:
        self._tell(link, "missed", seat, seat, "The deadline is over, and the match waits for you. Please answer.", line)
        said = f"{seat} has not answered in time; turns missed in a row: {row.in_a_row}. The match waits."
        self._tell(link, "missed", MODERATOR, seat, said, line)
        if self.settings.missed == "forfeit" and row.in_a_row >= self.settings.after:
            said = f"{seat} has missed {row.in_a_row} turns in a row. If the seat is to forfeit, rule it: `forfeit {seat}`."
            self._tell(link, "forfeit", MODERATOR, seat, said, line)

    # Telling

    def _spoken(self, when: datetime) -> str:
        return clock.spoken(self.settings, when)

    def _tell(
        self, link: Link, kind: str, to: str, seat: str, text: str, line: Deadline | None = None, *, part: str = ""
    ) -> None:
        m = link.save.match
        part = part or (text_of(line.due) if line else "")
        key = " ".join(filter(None, (kind, m.id, str(m.stop), seat, f"to {to}", part)))
        due, grace = (self._spoken(line.due), self._spoken(line.end)) if line else ("", "")
        self.take(Notice(kind, to, seat, m.id, m.stop, key, due, grace, text))
