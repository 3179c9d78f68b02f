"""Steps on the disk that inbox and outbox share: write without waiting, flush together, tell trouble in a sentence."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from ..errors import Trouble

TIME = "%Y-%m-%dT%H:%M:%SZ"
"""How a time is written: UTC to the second, so that its words sort as the times do."""
_FULL = {errno.ENOSPC: "the disk is full", errno.EDQUOT: "your share of the disk is used up"}


def utc(seconds: float) -> str:
    """Return a time, given in seconds since 1970, as it is written here.

    Example:
        >>> utc(0)
        '1970-01-01T00:00:00Z'
    """
    # Reckoned, not asked of the system, which refuses what a broken clock may have written.
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=int(seconds))).strftime(TIME)


def moment(text: str) -> datetime:
    """Return the time that `utc` wrote.

    Raises:
        ValueError: it is written in another way.

    Example:
        >>> moment("2026-11-30T18:00:00Z").hour
        18
    """
    return datetime.strptime(text, TIME).replace(tzinfo=UTC)


def one_line(text: str, most: int = 200) -> str:
    """Return a text as one short line of printable ASCII, for logs and header lines.

    Example:
        >>> one_line("250 Ok\\r\\nBcc: bob@example.org\\x1b[2J")
        '250 Ok Bcc: bob@example.org?[2J'
    """
    words = " ".join(text.split())
    return "".join(c if " " <= c <= "~" else "?" for c in words)[:most]


@contextlib.contextmanager
def told(what: str) -> Iterator[None]:
    """Turn a fault of the disk into one sentence that begins with `what`, such as "The mail cannot be kept".

    Raises:
        Trouble: something in the block met a fault.

    Example:
        >>> with told("The mail cannot be kept"):
        ...     raise OSError(28, "No space left on device")
        Traceback (most recent call last):
        referee.errors.Trouble: The mail cannot be kept: the disk is full. Make room and try again.
    """
    try:
        yield
    except OSError as error:
        reason = _FULL.get(error.errno or 0, error.strerror or "the machine gives no reason")
        help = "Make room and try again." if error.errno in _FULL else "Check the folder and its permissions."
        raise Trouble(f"{what}: {reason}.", help) from None


def write(path: str, data: bytes) -> None:
    """Write a new file of one's own, without waiting for the disk. Nothing is left of it if that fails.

    Raises:
        OSError: it exists, or cannot be written.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    try:
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        finally:
            os.close(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path)
        raise


def flush(path: str) -> None:
    """Wait until the disk holds a file, or the names in a folder.

    Raises:
        OSError: it does not confirm that.
    """
    if os.name == "nt" and os.path.isdir(path):
        return  # Windows has no flush for folders
    descriptor = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network disks know no such call; they promise nothing, and there is nothing more to ask of them.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
    finally:
        os.close(descriptor)
