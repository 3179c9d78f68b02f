"""A round of the desk: fetch mail, play and answer it, look at the clocks, and send what is due.

Rounds never overlap: a lock is held while one is at work. Each may be cut off at any instant; the next goes on from what is
on disk. Matches are parted over processes so that none is ever in two hands, and each one's mails are played in their order.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from . import canon
from .config import Config
from .errors import Trouble, Unreadable
from .fields import dataclass, field
from .keys import SigningKey
from .locks import locked
from .mail.inbox import Entry, Inbox
from .mail.outbox import Outbox
from .mail.postmaster import Postmaster, Tally
from .opening import now
from .parted import in_processes
from .store import write_file

FETCH = "fetch.toml"
_THREAD = rb"([a-z0-9][a-z0-9_-]{0,39})\.[0-9]{1,9}\.[a-z][a-z0-9_-]{0,23}\.[0-9]{1,9}\.[a-z2-7]{8}\.[a-z2-7]{16}@"
_NAMED = re.compile(rb"(?i)#\s*referee\s+([a-z0-9][a-z0-9_-]{0,39})\s|" + _THREAD)


@dataclass
class Done:
    """What a round came to.

    Attributes:
        fetched: how many mails were read from the mailbox.
        tally: what came of the mails.
        sent, postponed, lost: how many mails were sent, will be tried again, and will not.
        troubles: what went wrong, in sentences.
    """

    fetched: int = 0
    tally: Tally = field(default_factory=Tally)
    sent: int = 0
    postponed: int = 0
    lost: int = 0
    troubles: list[str] = field(default_factory=list)


Progress = Callable[[str, int, int], None]
"""Is told what is being done, how many are done, and of how many."""


def quiet(what: str, done: int, of: int) -> None:
    """Tell nobody how far a round is."""


class Office:
    """A desk at work, at one time.

    Args:
        config: what `referee.toml` says.
        at: the time, UTC; the present one by default.
        jobs: how many processes work at once.
        progress: is told how far the work is.
    """

    def __init__(self, config: Config, *, at: str = "", jobs: int = 1, progress: Progress = quiet) -> None:
        """Read the key; nothing else is read yet."""
        self.config, self.at, self.jobs, self.progress = config, at or now(), jobs, progress
        self.key = SigningKey.load(config.key)
        self.inbox = Inbox(config.desk / "inbox")
        self.done = Done()

    def round(self) -> Done:
        """Do everything once.

        Raises:
            Locked: another process is doing it.
            Trouble: the disk does not play along.
        """
        make_desk(self.config)
        with locked(self.config.desk / ".run.lock", patience=0):
            self._round(self._fetch())
            self.send()
        return self.done

    def without_fetching(self) -> Done:
        """Work on mails that are in the inbox already, and send what is due; no deadline takes effect.

        Raises:
            Locked: another process is at work; it will see to them.
        """
        make_desk(self.config)
        with locked(self.config.desk / ".run.lock", patience=0):
            self._handle(self.inbox.entries())
            self._see_to_matches(None)
            self._see_to_events(None)
            self.send()
        return self.done

    # Its parts

    def _fetch(self) -> Fetched:
        from .mail.mailboxes import fetch

        if not self.config.source.kind:
            return Fetched(self.at, True)
        self.progress("fetching mail", 0, 0)
        found = fetch(self.config.source, self.inbox, self.at)
        self.done.fetched = found.count
        if found.trouble:
            self.done.troubles.append(found.trouble)
        note_fetch(self.config, found.began, found.complete, found.trouble)
        return Fetched(found.began, found.complete)

    def _round(self, fetched: Fetched) -> None:
        self._handle(self.inbox.entries())
        # A mail that could not be worked on may have come in time: no deadline takes effect before it is.
        fetched.complete = fetched.complete and not self.done.tally.left
        self._see_to_matches(fetched)
        self._see_to_events(fetched)

    def _handle(self, entries: Sequence[Entry]) -> None:
        """Have all mails played and answered."""
        parts: list[Sequence[Entry]] = [entries]
        if self.jobs > 1 and len(entries) > 1:
            parts = [*part(entries, [self._match_of(entry) for entry in entries], self.jobs)]
        tallies = in_processes(self._work_on, parts, lambda done: self.progress("mails", done, len(entries)))
        for tally, entries_of in zip(tallies, parts, strict=True):
            self._add(tally or Tally(left=len(entries_of), trouble="A process that handled mails has ended early."))

    def _work_on(self, entries: Sequence[Entry], told: Callable[[int], None]) -> Tally:
        with Outbox(self.config.desk / "outbox") as outbox:
            return self._postmaster(outbox).work(entries, told)

    def _postmaster(self, outbox: Outbox) -> Postmaster:
        """Return who works on mails; one who knows of tournaments if the desk has any."""
        clerk = None
        if self.config.tournaments.is_dir():
            from .tournament.entrances import Entrances

            clerk = Entrances(self.config, self.key, outbox, self.at)
        return Postmaster(self.config, self.key, self.inbox, outbox, self.at, clerk)

    def _add(self, tally: Tally) -> None:
        total = self.done.tally
        total.handled, total.refused, total.left = (
            total.handled + tally.handled,
            total.refused + tally.refused,
            total.left + tally.left,
        )
        if tally.trouble:
            total.trouble = tally.trouble
            self.done.troubles.append(tally.trouble)

    def _match_of(self, entry: Entry) -> str:
        """Return the match that a mail is about, as far as that decides in whose hands it is."""
        raw = self.inbox.read(entry.key)
        names = {(one or other).lower() for one, other in _NAMED.findall(raw)}
        if len(names) == 1 and b"base64" not in raw.lower():
            name: bytes = names.pop()
            return name.decode()
        return self._match_read(raw)

    def _match_read(self, raw: bytes) -> str:
        from .mail.letter import read_letter
        from .mail.message import read_message
        from .mail.threads import thread_of

        try:
            message = read_message(raw)
        except Unreadable:
            return ""
        submission = read_letter(message).submission
        threads = (thread_of(self.key, id) for id in message.replies_to)
        return submission.match if submission else next((thread.match for thread in threads if thread), "")

    def _see_to_matches(self, fetched: Fetched | None) -> None:
        """Look at the clock of every match, and mail what was done in a shell; then what is told once a day."""
        from .mail.rooms import Rooms
        from .mail.tables import Tables

        tables = Tables(self.config.matches, self.key, self.config.tournaments)
        folders = list(tables.all().values())
        parts = [folders[start :: self.jobs] for start in range(self.jobs)]

        def see_to(some: Sequence[Path], told: Callable[[int], None]) -> list[str]:
            with Outbox(self.config.desk / "outbox") as outbox:
                return Rooms(self.config, self.key, outbox, self.at, fetched).see_to(some, told)

        troubles = in_processes(see_to, parts, lambda done: self.progress("matches", done, len(folders)))
        for found in troubles:
            self.done.troubles += found if found is not None else ["A process that looked at clocks has ended early."]
        self.done.troubles += tables.broken.values()
        with Outbox(self.config.desk / "outbox") as outbox:
            Rooms(self.config, self.key, outbox, self.at, fetched).once_a_day()

    def _see_to_events(self, fetched: Fetched | None) -> None:
        """Take results into the tournaments of the desk, end rounds, and begin the next."""
        if not self.config.tournaments.is_dir():
            return
        from .tournament.rooms import see_to

        with Outbox(self.config.desk / "outbox") as outbox:
            complete = fetched is not None and fetched.complete
            self.done.troubles += see_to(self.config, self.key, outbox, self.at, complete, self.progress, self.jobs)

    def send(self) -> None:
        """Send what is due.

        Raises:
            Trouble: the outbox cannot be read or written.
        """
        from .mail.carriers import carrier_of
        from .mail.compose import Sender, build

        config = self.config
        if not config.target.kind:
            return
        sender = Sender(config.address, config.name, config.moderator)
        with Outbox(config.desk / "outbox") as outbox:
            self.progress("sending", 0, 0)
            sent = outbox.send(
                lambda mail: build(mail, sender, outbox.parts(mail.key) if mail.what == "digest" else ()),
                carrier_of(config.target, config.address),
                self.at,
            )
        self.done.sent, self.done.postponed, self.done.lost = sent.sent, sent.postponed, sent.lost
        if sent.trouble:
            self.done.troubles.append(sent.trouble)


@dataclass
class Fetched:
    """A fetch of mail, for the clocks: when it began, and whether all mail of then was fetched and worked on."""

    began: str
    complete: bool


def make_desk(config: Config) -> None:
    """Make the folder of a desk.

    Raises:
        Trouble: it cannot be made.
    """
    try:
        config.desk.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Trouble(f"The desk {config.desk} cannot be made: {error.strerror}.", "Check the path.") from None


def part(entries: Sequence[Entry], matches: Sequence[str], jobs: int) -> list[list[Entry]]:
    """Part mails over processes: all of a match go to one, in their order, and each process gets about as many.

    Example:
        >>> mails = [Entry(str(number), "") for number in range(5)]
        >>> [[mail.key for mail in some] for some in part(mails, ["a", "b", "a", "c", "b"], 2)]
        [['0', '2', '3'], ['1', '4']]
    """
    count: dict[str, int] = {}
    for match in matches:
        count[match] = count.get(match, 0) + 1
    loads, hands = [0] * jobs, dict[str, int]()
    for match in sorted(count, key=lambda match: -count[match]):
        hands[match] = loads.index(min(loads))
        loads[hands[match]] += count[match]
    parts: list[list[Entry]] = [[] for _ in range(jobs)]
    for entry, match in zip(entries, matches, strict=True):
        parts[hands[match]].append(entry)
    return parts


# How fetching goes


def note_fetch(config: Config, began: str, complete: bool, trouble: str) -> None:
    """Write down how a fetch went, for `status`.

    Raises:
        Trouble: it cannot be written.
    """
    rows = {**read_fetch(config), "tried": began, "trouble": trouble}
    if complete:
        rows["complete"] = began
    rows.setdefault("first", began)
    write_file(config.desk / FETCH, canon.dumps(rows).encode())


def read_fetch(config: Config) -> dict[str, Any]:
    """Return how fetching went: `complete` (the last that was), `tried`, `first`, and `trouble`."""
    try:
        return canon.loads((config.desk / FETCH).read_bytes())
    except (OSError, ValueError):
        return {}
