"""A lock that a process holds on a file: given back when the process ends, however it ends."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator

from .errors import Trouble

PATIENCE = 30.0
"""Seconds to wait for a lock that another process holds."""
_PAUSE = 0.02  # seconds between two tries


class Locked(Trouble):
    """Another process holds the lock."""


@contextlib.contextmanager
def locked(path: str | os.PathLike[str], *, patience: float = PATIENCE) -> Iterator[None]:
    """Hold a lock on a file while the block runs. The file is made if needed, and stays.

    Args:
        path: the file; it holds nothing.
        patience: how many seconds to wait for another process; 0 to give up at once.

    Raises:
        Locked: another process has held it all that time.
        Trouble: the file cannot be made.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place, locked(os.path.join(place, "lock")):
        ...     os.listdir(place)
        ['lock']
    """
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        said = f"The lock {os.fspath(path)} cannot be made: {error.strerror}."
        raise Trouble(said, "Check the folder and its permissions.") from None
    try:
        _wait(descriptor, os.fspath(path), time.monotonic() + patience)
        yield
    finally:
        os.close(descriptor)  # which gives the lock back


def _wait(descriptor: int, path: str, until: float) -> None:
    while not _take(descriptor):
        if time.monotonic() >= until:
            raise Locked(f"Another process is at work and holds {path}.", "Let it finish, then try again.")
        time.sleep(_PAUSE)


def _take(descriptor: int) -> bool:
    """Try to lock an open file against other processes; return whether it is locked now."""
    try:
        if os.name == "nt":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
