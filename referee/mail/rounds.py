"""One look into a mailbox: what it found, what it could not read, and the mark that tells the next look where to begin.

A mail is known again by its bytes, so a mark that is lost, or set back by a second process, costs a look at mails that
are here already and nothing else. What cannot be read is tried again in every look, and makes the look incomplete for a
day: long enough for somebody to mend it, and short enough that one broken mail does not stop all deadlines for ever.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from datetime import timedelta
from hashlib import sha256
from typing import TypeVar

from .. import canon
from ..fields import dataclass, field
from ..store import write_file
from .inbox import Inbox
from .spool import moment, told

MOST_BYTES = (1 << 20) + 1
"""How much of a mail is kept: one byte more than is ever read, so that a mail that is too long is seen to be so."""
BATCH = 50
"""How many mails are flushed to the disk together, before their copies in the mailbox are marked."""
PATIENCE = timedelta(hours=24)
"""How long a mail that cannot be read makes a look incomplete."""
LOST = -1
"""The validity of a mark that could not be read."""
_T = TypeVar("_T")


@dataclass
class Fetched:
    """What came of a look into a mailbox.

    Attributes:
        count: how many mails were read; those that were here already are among them.
        complete: whether everything was read that had been received when it began.
        began: when that was (UTC, as `2026-11-30T18:00:00Z`).
        trouble: what went wrong, in a sentence; "" for nothing.
    """

    count: int
    complete: bool
    began: str
    trouble: str = ""


@dataclass
class Mark:
    """How far a mailbox has been read.

    Attributes:
        began: when the last look began; "" before the first.
        validity, uid: for IMAP: the highest UID that was read, and the UIDVALIDITY that it is good for.
        offset: for an mbox: how many bytes were read.
        names: for a Maildir: the mails that were read; for an mbox: a hash of what lies before the offset.
        failing: what could not be read, and since when.
    """

    began: str = ""
    validity: int = 0
    uid: int = 0
    offset: int = 0
    names: list[str] = field(default_factory=list)
    failing: dict[str, str] = field(default_factory=dict)


class Round:
    """A look into one mailbox.

    Args:
        inbox: where the mails are kept.
        place: the mailbox in words, always the same ones.
        began: when the look begins (UTC, as `2026-11-30T18:00:00Z`).

    Example:
        >>> import tempfile
        >>> from pathlib import Path
        >>> with tempfile.TemporaryDirectory() as place:
        ...     look = Round(Inbox(Path(place)), "a test", "2026-11-30T18:00:00Z")
        ...     look.keep("1", b"Subject: x", "2026-11-30T17:00:00Z")
        ...     look.fail("2", "it is locked")
        ...     look.settle()
        ...     look.fetched()
        Fetched(count=1, complete=False, began='2026-11-30T18:00:00Z', trouble='1 mail could not be read: 2: it is locked.')
    """

    def __init__(self, inbox: Inbox, place: str, began: str) -> None:
        """Read the mark of the last look."""
        self.inbox, self.place, self.began = inbox, place, began
        self.count, self.missed, self.trouble = 0, False, ""
        self._path = inbox.folder / f"mark-{sha256(place.encode()).hexdigest()[:16]}.toml"
        self.mark = self._read()
        self.failed: dict[str, str] = {}

    def _read(self) -> Mark:
        try:
            return Mark(**canon.loads(self._path.read_bytes()))
        except FileNotFoundError:
            return Mark()
        except (OSError, ValueError, TypeError):
            return Mark(validity=LOST)

    def keep(self, name: str, raw: bytes, received: str) -> None:
        """Store a mail; it is safe after `settle`.

        Raises:
            Trouble: it cannot be stored.
        """
        self.inbox.store(raw[:MOST_BYTES], min(received, self.began), self.place, flush=False)
        self.mark.failing.pop(name, None)
        self.count += 1

    def fail(self, name: str, reason: str) -> None:
        """Note that a mail cannot be read; the others go on."""
        self.mark.failing.setdefault(name, self.began)
        self.failed[name] = reason

    def settle(self) -> None:
        """Wait until the disk holds all that was kept.

        Raises:
            Trouble: it does not confirm it.
        """
        self.inbox.flush()

    def remember(self) -> None:
        """Write the mark, after the copies in the mailbox are marked; a power cut may take it away.

        Raises:
            Trouble: it cannot be written.
        """
        row = {**vars(self.mark), "began": self.began}
        with told(f"How far {self.place} was read cannot be noted"):
            self.inbox.folder.mkdir(parents=True, exist_ok=True)
        write_file(os.fspath(self._path), canon.dumps(row).encode(), flush=False)

    def fetched(self, trouble: str = "") -> Fetched:
        """Return what came of it; with the trouble that ended it early, if any did."""
        young = [name for name, since in self.mark.failing.items() if moment(self.began) - moment(since) < PATIENCE]
        complete = not (trouble or self.missed or young)
        return Fetched(self.count, complete, self.began, " ".join(filter(None, [trouble, self.trouble, self._failures()])))

    def _failures(self) -> str:
        if not self.failed:
            return ""
        name, reason = next(iter(self.failed.items()))
        number = "1 mail" if len(self.failed) == 1 else f"{len(self.failed)} mails"
        return f"{number} could not be read: {name}: {reason}."


def batches(things: Iterable[_T]) -> Iterator[list[_T]]:
    """Yield things in lists of `BATCH`.

    Example:
        >>> [len(batch) for batch in batches(range(120))]
        [50, 50, 20]
    """
    rest = list(things)
    for start in range(0, len(rest), BATCH):
        yield rest[start : start + BATCH]
