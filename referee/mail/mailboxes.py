"""Where mail comes from: a Maildir, an mbox, files, or IMAP (in `imap`). All of it goes into the inbox.

The copy in the mailbox is marked only after ours is on disk, and nothing in a mailbox is ever deleted. A mail that a person
has looked at in the meantime is fetched like any other: what was read is known by a mark of our own, not by `\\Seen`. Only
the very first look leaves out what somebody has read before.
"""

from __future__ import annotations

import contextlib
import mailbox
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from email.utils import parsedate_to_datetime
from hashlib import sha256
from pathlib import Path
from typing import IO

from ..config import Source
from ..errors import RefereeError, Trouble, Usage
from .inbox import Inbox
from .rounds import LOST, MOST_BYTES, Fetched, Round, batches
from .spool import told, utc

_LOOKS = 5  # at a Maildir whose mails another program moves about meanwhile
_LOCK_TRIES, _LOCK_PAUSE = 100, 0.1
_BEFORE = 1024  # bytes before the mark of an mbox that must not have changed
_MARKED = re.compile(r":2,[A-Z]*S")


def fetch(source: Source, inbox: Inbox, now: str = "") -> Fetched:
    """Read what is new in a mailbox into the inbox. Trouble is told in what is returned, and is never raised.

    Args:
        source: the section `[fetch]`.
        inbox: where the mails are kept.
        now: the time (UTC, as `2026-11-30T18:00:00Z`); "" to ask the clock.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     box = Path(place) / "Maildir"
        ...     _ = mailbox.Maildir(box).add(b"Subject: x\\n\\nroll\\n")
        ...     fetched = fetch(Source("maildir", box), Inbox(Path(place) / "inbox"))
        ...     fetched.count, fetched.complete, len(os.listdir(box / "cur"))
        (1, True, 1)
    """
    began = now or utc(time.time())
    try:
        look = Round(inbox, _place(source), began)
    except RefereeError as error:
        return Fetched(0, False, began, str(error))
    try:
        _reader(source.kind)(source, look)
        look.remember()
    except RefereeError as error:
        return look.fetched(str(error))
    return look.fetched()


def _place(source: Source) -> str:
    if source.kind == "imap":
        return f"imap {source.user}@{source.host}:{source.port} {source.folder}"
    return f"{source.kind} {os.path.abspath(source.path)}"


def _reader(kind: str) -> Callable[[Source, Round], None]:
    if kind == "maildir":
        return _read_maildir
    if kind == "mbox":
        return _read_mbox
    if kind == "imap":
        from .imap import read_imap

        return read_imap
    raise Usage("The configuration does not say where mail is fetched from.", "Add a section [fetch] to referee.toml.")


def read_files(paths: Iterable[Path], inbox: Inbox, now: str = "") -> Fetched:
    """Read `.eml` files into the inbox; they stay as they are. One that cannot be read does not stop the others.

    Args:
        paths: the files.
        inbox: where the mails are kept.
        now: see `fetch`.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     mail = Path(place) / "mail.eml"
        ...     _ = mail.write_bytes(b"Subject: x\\n\\nroll\\n")
        ...     read_files([mail], Inbox(Path(place) / "inbox")).count
        1
    """
    look = Round(inbox, "a file", now or utc(time.time()))
    try:
        for path in paths:
            _read_one(path, os.fspath(path), look, headed=True)
        look.settle()
    except RefereeError as error:
        return look.fetched(str(error))
    return look.fetched()


def received_of(raw: bytes, otherwise: str) -> str:
    """Return when the last server received a mail, which says so in the first `Received` of the mail (UTC).

    Args:
        raw: the mail.
        otherwise: what to return if it says nothing of the kind.

    Example:
        >>> received_of(b"Received: by mx; Mon, 30 Nov 2026 19:00:00 +0100\\nSubject: x\\n\\n", "")
        '2026-11-30T18:00:00Z'
    """
    lines: list[bytes] = []
    for line in raw[:65536].splitlines():
        if lines and line[:1] not in (b" ", b"\t"):
            break
        if lines or line[:9].lower() == b"received:":
            lines.append(line)
        elif not line:
            break
    date = b" ".join(lines).rpartition(b";")[2].decode("ascii", "replace").strip()
    try:
        return utc(parsedate_to_datetime(date).timestamp())
    except (ValueError, TypeError, IndexError, OverflowError):
        return otherwise


def _read_one(path: Path, name: str, look: Round, *, headed: bool = False) -> bool:
    """Keep the mail in a file; return False if it is not there any more."""
    try:
        with path.open("rb") as file:
            raw, written = file.read(MOST_BYTES), utc(os.fstat(file.fileno()).st_mtime)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not headed:
            return False
        look.fail(name, error.strerror or "no reason is given")
    else:
        look.keep(name, raw, received_of(raw, written) if headed else written)
    return True


# Maildir


def _read_maildir(source: Source, look: Round) -> None:
    """Read what has no mark, and mark it as seen. The time of a mail is that of its file, which the server wrote."""
    put_away = _done_folder(source) if source.done else source.path / "cur"
    with told(f"The Maildir {source.path} cannot be read"):
        if not look.mark.began and look.mark.validity != LOST:
            look.mark.names = [base for base, path in _mails(source.path) if _MARKED.search(path.name)]
        for _ in range(_LOOKS):
            mails = dict(_mails(source.path))
            known = set(look.mark.names)
            # Not kept for ever: what has left the folder is forgotten.
            look.mark.names = [base for base in look.mark.names if base in mails]
            fresh = [(base, path) for base, path in mails.items() if base not in known and base not in look.failed]
            if not fresh:
                return
            for batch in batches(fresh):
                _read_batch(batch, put_away, look)
    look.missed = True


def _mails(folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the mails of a Maildir by the part of their names that never changes, the new ones first."""
    # A mail that moves from `new` to `cur` meanwhile is met twice, and never missed.
    for part in ("new", "cur"):
        for name in sorted(os.listdir(folder / part)):
            if not name.startswith("."):
                yield name.partition(":")[0], folder / part / name


def _read_batch(batch: list[tuple[str, Path]], put_away: Path, look: Round) -> None:
    read = [(base, path) for base, path in batch if _read_one(path, base, look)]
    look.settle()
    for base, path in read:
        if base not in look.failed:
            flags = path.name.partition(":2,")[2]
            name = f"{base}:2,{''.join(sorted({*flags, 'S'}))}"
            # Another program may have moved it: then our own mark alone remembers it.
            with contextlib.suppress(FileNotFoundError):
                os.rename(path, put_away / name)
            look.mark.names.append(base)
    look.remember()


def _done_folder(source: Source) -> Path:
    """Return where mails of a Maildir are moved to, a folder inside it as mail servers name them."""
    if "/" in source.done or source.done.startswith("."):
        raise Usage(f"{source.done!r} is no name for a folder of a Maildir.", "Take a plain word for done in [fetch].")
    folder = source.path / f".{source.done}"
    with told(f"The folder {folder} cannot be made"):
        for part in ("tmp", "new", "cur"):
            (folder / part).mkdir(parents=True, exist_ok=True)
    return folder / "cur"


# mbox


def _read_mbox(source: Source, look: Round) -> None:
    """Read what lies behind the mark. The file is never written: other programs do that."""
    with told(f"The mbox {source.path} cannot be read"), source.path.open("rb") as file, _held(source.path):
        size = os.fstat(file.fileno()).st_size
        start = look.mark.offset if _unchanged(file, look, size) else 0
        written = utc(os.fstat(file.fileno()).st_mtime)
        file.seek(start)
        for batch in batches(_split(file)):
            for raw in batch:
                look.keep("", raw, received_of(raw, written))
            look.settle()
        look.mark.offset, look.mark.names = size, [_hash_before(file, size)]


def _unchanged(file: IO[bytes], look: Round, size: int) -> bool:
    """Return whether the part that was read is as it was, and a mail or nothing comes after it."""
    offset = look.mark.offset
    if offset > size or look.mark.names != [_hash_before(file, offset)]:
        return False
    return offset == size or file.read(5) == b"From "


def _hash_before(file: IO[bytes], offset: int) -> str:
    file.seek(max(0, offset - _BEFORE))
    return sha256(file.read(min(offset, _BEFORE))).hexdigest()


def _split(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the mails of an mbox."""
    lines: list[bytes] | None = None
    size, blank = 0, True
    for line in file:
        if blank and line.startswith(b"From "):
            if lines is not None:
                yield b"".join(lines)
            lines, size = [], 0
        elif lines is not None and size < MOST_BYTES:
            # What a mail says at the start of a line was quoted, lest it look like the next mail.
            lines.append(line[1:] if line.lstrip(b">").startswith(b"From ") and line.startswith(b">") else line)
            size += len(line)
        blank = line in (b"\n", b"\r\n")
    if lines is not None:
        yield b"".join(lines)


@contextlib.contextmanager
def _held(path: Path) -> Iterator[None]:
    """Keep mail servers from writing while an mbox is read, in both ways that they know."""
    box = mailbox.mbox(path, create=False)
    try:
        for _ in range(_LOCK_TRIES):
            try:
                box.lock()
                break
            except mailbox.ExternalClashError:
                time.sleep(_LOCK_PAUSE)
        else:
            raise Trouble(f"Another program holds the mbox {path}.", "The next look will try again.")
        yield
    finally:
        box.close()
