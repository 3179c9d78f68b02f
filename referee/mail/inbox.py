"""The inbox: every mail is kept here as it came, before the server's copy is marked and before anything is played.

A mail is one file, named by the SHA-256 of its bytes, so that the same bytes fetched twice are one mail. It moves through
folders, and only forward: `new`, `open` while it is worked on, then `done`, or `refused` with the reason in a file beside
it. Each file begins with a line of our own that holds when and where the mail was received; below it, the bytes are as
they came, and any mail program opens the file.

A name appears in `new` only when its bytes are on disk. Moving on is not flushed: after a power cut a mail may be worked
on once more, and the outbox, which knows the keys of all its mails, sends nothing twice.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

from ..errors import Trouble
from ..fields import dataclass
from ..locks import locked
from .spool import flush, one_line, told, utc, write

STATES = ("new", "open", "done", "refused")
"""The folders, in the order in which a mail passes through them."""
SUFFIX, REASON = ".eml", ".txt"
_HEAD = re.compile(rb"X-Referee-Received: (\S+); ([ -~]*)\n")
_HEAD_BYTES = 300
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_STALE = 3600  # seconds after which a temporary file can only be what a crash left behind


@dataclass
class Entry:
    """A mail that waits to be worked on.

    Attributes:
        key: SHA-256 of its bytes, as hex digits.
        received: when a server received it (UTC, as `2026-11-30T18:00:00Z`).
        source: where it was fetched from, in words.
        again: whether work on it began before, in a process that came to no end.
    """

    key: str
    received: str
    source: str = ""
    again: bool = False


class Inbox:
    """The mails of one desk.

    Args:
        folder: where they are kept; it is made, with those above it, when the first mail is stored.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     inbox = Inbox(Path(place))
        ...     key = inbox.store(b"Subject: x\\n\\nroll\\n", "2026-11-30T18:00:00Z", "a test")
        ...     same = inbox.store(b"Subject: x\\n\\nroll\\n", "2026-11-30T19:00:00Z", "a test")
        ...     (entry,) = inbox.take()
        ...     inbox.read(key)
        ...     inbox.finish(key)
        ...     entry.received, same == key, inbox.entries(), inbox.state(key)
        b'Subject: x\\n\\nroll\\n'
        ('2026-11-30T18:00:00Z', True, [], 'done')
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder; nothing is read yet."""
        self.folder = folder
        self._path = os.fspath(folder)
        self._unflushed: dict[str, str] = {}
        self._made = False

    def store(self, raw: bytes, received: str, source: str, *, flush: bool = True) -> str:
        """Keep a mail and return its key; nothing happens if the same bytes were stored before.

        Args:
            raw: the mail as it came.
            received: when a server received it (UTC, as `2026-11-30T18:00:00Z`).
            source: where it comes from, in words.
            flush: wait for the disk at once. Otherwise the mail is in the inbox, and safe, only after `flush()`.

        Raises:
            ValueError: the time is written in another way.
            Trouble: it cannot be written.
        """
        if not _TIME.fullmatch(received):
            raise ValueError(f"{received!r} is no time as 2026-11-30T18:00:00Z")
        key = sha256(raw).hexdigest()
        if key not in self._unflushed and not self.state(key):
            with told(f"A mail cannot be kept in {self._path}"):
                self._make_folders()
                temporary = os.path.join(self._path, f".referee-{key}-{os.getpid()}-{os.urandom(4).hex()}.tmp")
                write(temporary, _head(Entry(key, received, one_line(source))) + raw)
                self._unflushed[key] = temporary
        if flush:
            self.flush()
        return key

    def flush(self) -> None:
        """Wait until the disk holds all that was stored; only then may the copies on the server be marked.

        Raises:
            Trouble: the disk does not confirm it.
        """
        if not self._unflushed:
            return
        with told(f"The mails in {self._path} are not safe on the disk"):
            for temporary in self._unflushed.values():
                flush(temporary)
            # Another process may have fetched the same mail, and work on it may have begun.
            with locked(os.path.join(self._path, ".lock")):
                for key, temporary in self._unflushed.items():
                    self._enter(key, temporary)
            flush(os.path.join(self._path, "new"))
        self._unflushed.clear()

    def _enter(self, key: str, temporary: str) -> None:
        if self.state(key):
            # Whoever was first has flushed it, or is about to: the folder is flushed by both.
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
        else:
            os.rename(temporary, self._file("new", key))

    def state(self, key: str) -> str:
        """Return where a mail is: `new`, `open`, `done`, `refused`; "" if it was never stored."""
        # Mails only move forward through the folders, so one that moves meanwhile is met in a later one.
        return next((state for state in STATES if os.path.exists(self._file(state, key))), "")

    def started(self, key: str) -> bool:
        """Return whether work on a mail has begun and come to no end."""
        return os.path.exists(self._file("open", key))

    def path(self, key: str) -> Path:
        """Return the file of a mail.

        Raises:
            Trouble: there is no such mail.
        """
        if not (state := self.state(key)):
            raise Trouble(f"The inbox {self._path} holds no mail {key}.", "List the folder to see what is there.")
        return Path(self._file(state, key))

    def read(self, key: str) -> bytes:
        """Return the bytes of a mail as they came.

        Raises:
            Trouble: it is not there, or cannot be read.
        """
        with told(f"The mail {key} cannot be read"):
            data = self.path(key).read_bytes()
        head = _HEAD.match(data)
        return data[head.end() :] if head else data

    def entries(self) -> list[Entry]:
        """Return the mails that wait to be worked on, those received first at the front.

        Raises:
            Trouble: the folder cannot be read.
        """
        with told(f"The inbox {self._path} cannot be read"):
            found = {key: self._entry(state, key) for state in ("new", "open") for key in self._keys(state)}
        return sorted(filter(None, found.values()), key=lambda entry: (entry.received, entry.key))

    def take(self, count: int = 0, *, keys: Iterable[str] = ()) -> list[Entry]:
        """Begin to work on mails: mark them on disk, and return them in the order of `entries`.

        Args:
            count: how many at most; 0 for all.
            keys: only these, if any are given.

        Raises:
            Trouble: the marks cannot be written.
        """
        wanted = set(keys)
        entries = [entry for entry in self.entries() if not wanted or entry.key in wanted]
        return self.open(entries[: count or None])

    def open(self, entries: Iterable[Entry]) -> list[Entry]:
        """Begin to work on these mails, which `entries` returned; leave out what another process has ended meanwhile.

        Raises:
            Trouble: the marks cannot be written.
        """
        with told(f"Work on the mails in {self._path} cannot begin"):
            taken = [entry for entry in entries if entry.again or self._move(entry.key, "new", "open")]
            if any(not entry.again for entry in taken):
                flush(os.path.join(self._path, "open"))
                flush(os.path.join(self._path, "new"))
        return taken

    def finish(self, key: str, refused: str = "") -> None:
        """End the work on a mail, after what it led to is on disk.

        Args:
            key: the mail.
            refused: why it was not worked on; it is written beside the mail. "" if it was.

        Raises:
            Trouble: it cannot be moved.
        """
        to = "refused" if refused else "done"
        with told(f"The mail {key} cannot be put away"):
            if refused:
                self._write_reason(key, refused)
            self._move(key, "open", to) or self._move(key, "new", to)

    def _write_reason(self, key: str, reason: str) -> None:
        path = os.path.join(self._path, "refused", key + REASON)
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)
        write(path, (reason.rstrip() + "\n").encode(errors="replace"))

    def refused(self) -> dict[str, str]:
        """Return why each refused mail was refused, by key.

        Raises:
            Trouble: the folder cannot be read.
        """
        with told(f"The inbox {self._path} cannot be read"):
            return {key: self._reason(key) for key in self._keys("refused")}

    def _reason(self, key: str) -> str:
        try:
            return Path(self._path, "refused", key + REASON).read_text(errors="replace").strip()
        except FileNotFoundError:
            return ""

    def forget(self, before: str) -> int:
        """Drop the contents of mails received before a time that are done or refused; return how many.

        Their keys stay known, so that none is ever worked on again.

        Raises:
            Trouble: they cannot be written.
        """
        with told(f"Old mails in {self._path} cannot be forgotten"):
            old = [(state, key) for state in ("done", "refused") for key in self._keys(state)]
            return sum(self._forget(state, key, before) for state, key in old)

    def _forget(self, state: str, key: str, before: str) -> bool:
        entry, path = self._entry(state, key), self._file(state, key)
        if not entry or entry.received >= before:
            return False
        head = len(_head(entry))
        if os.path.getsize(path) <= head:
            return False
        os.truncate(path, head)
        return True

    def _keys(self, state: str) -> list[str]:
        try:
            names = os.listdir(os.path.join(self._path, state))
        except FileNotFoundError:
            return []
        return [name[: -len(SUFFIX)] for name in names if name.endswith(SUFFIX) and not name.startswith(".")]

    def _entry(self, state: str, key: str) -> Entry | None:
        """Return what the first line of a mail says; None if another process has put it away meanwhile."""
        try:
            with open(self._file(state, key), "rb") as file:
                head = _HEAD.match(file.read(_HEAD_BYTES))
                # A mail that somebody has laid here by hand has no line of ours; the disk knows when that was.
                written = os.fstat(file.fileno()).st_mtime
        except FileNotFoundError:
            return None
        if not head:
            return Entry(key, utc(written), "a file", state == "open")
        return Entry(key, head[1].decode("ascii", "replace"), head[2].decode(), state == "open")

    def _move(self, key: str, old: str, new: str) -> bool:
        try:
            os.rename(self._file(old, key), self._file(new, key))
        except FileNotFoundError:
            return False
        return True

    def _file(self, state: str, key: str) -> str:
        return os.path.join(self._path, state, key + SUFFIX)

    def _make_folders(self) -> None:
        if self._made:
            return
        for state in STATES:
            os.makedirs(os.path.join(self._path, state), mode=0o700, exist_ok=True)
        for name in os.listdir(self._path):
            path = os.path.join(self._path, name)
            if name.startswith(".referee-") and name.endswith(".tmp"):
                with contextlib.suppress(FileNotFoundError):
                    if time.time() - os.stat(path).st_mtime > _STALE:
                        os.unlink(path)
        self._made = True


def _head(entry: Entry) -> bytes:
    """Return the line of our own that each file begins with."""
    return f"X-Referee-Received: {entry.received}; {entry.source}\n".encode()
