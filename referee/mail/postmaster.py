"""The postmaster: takes mails out of the inbox, has each of them played and answered, and lets nothing get lost.

Everything that a mail leads to, the answer and the reports of all concerned, is in the outbox and on disk before the mail is
put away. One mail that cannot be handled never stops the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from referee.config import Config
from referee.errors import RefereeError, Trouble, Unreadable
from referee.fields import dataclass
from referee.keys import SigningKey

from .answers import About, Facts
from .inbox import Entry, Inbox
from .letter import Letter, read_letter
from .limits import Limits
from .mailer import NOWHERE, Letterhead, Mailer
from .message import Message, read_message
from .notes import Notes
from .outbox import Outbox
from .reports import Reports
from .tables import Tables
from .turn import Case, Tools, Turn
from .who import TurnedAway, Unanswered, identify

_HEAD = 64 * 1024  # bytes of a mail beyond all limits that are still looked at, to know whom to answer

Progress = Callable[[int], None]
"""Is told how many mails are done."""


class Clerk(Protocol):
    """Whoever sees to mails that are about no match, such as entries for a tournament."""

    def takes(self, key: str, letter: Letter) -> bool:
        """See to a mail, if it is one of these; return whether it was.

        Args:
            key: the mail's key in the inbox.
            letter: what it asks for.

        Raises:
            Unanswered: it is one of these, and nobody is answered; says why.
        """


@dataclass
class Tally:
    """What came of a round of work.

    Attributes:
        handled, refused, left: how many mails were put away, how many of them unanswered, and how many could not be worked on.
        trouble: why they could not.
    """

    handled: int = 0
    refused: int = 0
    left: int = 0
    trouble: str = ""


class Postmaster:
    """Works on the mails of a desk.

    Args:
        config: the desk.
        key: the referee's key.
        inbox, outbox: where mails come from and go to.
        now: the time, UTC.
        clerk: sees to mails that are about no match; nobody does by default.
    """

    def __init__(
        self, config: Config, key: SigningKey, inbox: Inbox, outbox: Outbox, now: str, clerk: Clerk | None = None
    ) -> None:
        """Take what is needed; nothing is read yet."""
        self.clerk = clerk
        self.config, self.key, self.inbox, self.outbox, self.now = config, key, inbox, outbox, now
        self.tables = Tables(config.matches, key, config.tournaments)
        self.mailer = Mailer(config, key, outbox, now)
        self.reports = Reports(self.mailer, key)
        self.limits = Limits(config.desk / "counts")
        self.notes = Notes(config.desk / "notes")
        self.tools = Tools(key, self.mailer, self.reports, self.limits, config.answers_a_day)

    def work(self, entries: Sequence[Entry], progress: Progress | None = None) -> Tally:
        """Work on mails that wait in the inbox, in order.

        Args:
            entries: the mails.
            progress: is told how far the work is.
        """
        tally = Tally()
        for batch in _batches(entries, self.config.batch):
            taken = self.inbox.open(batch)
            ends = [(entry.key, self._end_of(entry, tally)) for entry in taken]
            self.put_away([(key, reason) for key, reason in ends if reason is not None], tally)
            if progress:
                progress(tally.handled + tally.left)
        return tally

    def put_away(self, ends: Sequence[tuple[str, str]], tally: Tally) -> None:
        """Put mails away, after all that they led to is on disk.

        Args:
            ends: the key of each mail, with the reason if it was refused.
            tally: is added to.
        """
        self.outbox.flush()
        for key, reason in ends:
            self.inbox.finish(key, reason)
            tally.handled += 1
            tally.refused += bool(reason)
        self.reports.write_ledgers()

    def _end_of(self, entry: Entry, tally: Tally) -> str | None:
        """Work on one mail; return why it was refused, "" if it was not, None if it has to wait."""
        try:
            return self._handle(entry)
        except Trouble as error:
            tally.left, tally.trouble = tally.left + 1, error.sentence
            return None
        except RefereeError as error:
            return self._refuse(f"it could not be handled: {error.sentence}")
        except Exception as error:  # a mistake of ours must cost nobody else's mail
            return self._refuse(f"the program made a mistake ({_place(error)})")

    def _refuse(self, reason: str, sender: str = "") -> str:
        self.notes.add(self.now, reason, sender)
        return reason

    def _handle(self, entry: Entry) -> str:
        raw = self.inbox.read(entry.key)
        try:
            message = read_message(raw)
        except Unreadable as error:
            return self._beyond_limits(entry, raw, error)
        if message.automatic:
            return self._refuse(f"it is automatic ({message.automatic}), and such mails are never answered", message.sender)
        case = Case(entry.key, message, read_letter(message))
        try:
            if self.clerk and self.clerk.takes(entry.key, case.letter):
                return ""
            who = identify(self.tables, self.key, message, case.letter)
        except Unanswered as error:
            return self._refuse(str(error), message.sender)
        except TurnedAway as error:
            self._turn_away(entry.key, case.about, error, error.to or message.sender)
            return ""
        Turn(self.tools, case, who).take()
        if who.moved:
            self.tables.forget_people()
        return ""

    def _turn_away(self, key: str, about: About, away: TurnedAway, to: str) -> None:
        """Answer a mail of somebody known that does nothing."""
        if not self.limits.allows(f"answer {to}", self.config.answers_a_day, self.now[:10]):
            return
        place = away.place
        facts = Facts(match=place.match, seat=place.seat, reason=away.sentence, help=away.help)
        facts.answer_to = self.config.address
        self.mailer.put(away.kind, facts, Letterhead(f"answer {key}", to, place, about))

    def _beyond_limits(self, entry: Entry, raw: bytes, error: Unreadable) -> str:
        """Refuse a mail that is too large or too deep, and tell its sender, if it is somebody known."""
        message = _head_of(raw)
        reason = self._refuse(error.sentence, message.sender)
        if message.sender and not message.automatic and self.tables.seats_of(message.sender):
            about = About(message.subject, message.date, message.id)
            away = TurnedAway("unreadable", error.sentence, error.help, NOWHERE)
            self._turn_away(entry.key, about, away, message.sender)
        return reason


def _head_of(raw: bytes) -> Message:
    """Return what the headers of a mail say, if they alone can be read."""
    head = raw[:_HEAD].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    kept = [line for line in head.split(b"\n") if not line.lower().startswith(b"content-")]
    try:
        return read_message(b"\n".join(kept) + b"\n\n")
    except Unreadable:
        return Message(raw)


def _batches(entries: Sequence[Entry], size: int) -> Iterator[Sequence[Entry]]:
    yield from (entries[at : at + size] for at in range(0, len(entries), size))


def _place(error: Exception) -> str:
    """Name the place of a mistake, and nothing that was at hand there: it might be hidden."""
    trace, place = error.__traceback__, ""
    while trace is not None:
        place = f"{type(error).__name__} in {trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}"
        trace = trace.tb_next
    return place
