"""A folder as an append-only store of numbered files, and files that are never seen half written.

A new save is written to a temporary file, flushed to disk, and linked to its number, which fails if the number is
taken: of two racing writers exactly one wins. Then the folder is flushed. After a crash at any instant the folder opens
with the old or the new latest save. What is written is readable by its owner alone, for it holds hands and seeds.
"""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterable
from typing import IO

from referee.errors import RefereeError, Trouble, Unverified

PathLike = str | os.PathLike[str]

SUFFIX = ".toml"
MOST_BYTES = 16 << 20
STALE = 3600  # seconds after which a temporary file can only be what a crash left behind

_TEMP_START, _TEMP_END = ".referee-", ".tmp"
_NO_LINKS = {errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EMLINK, errno.EXDEV}
_REASONS = {
    errno.ENOSPC: ("the disk is full", "Make room and try again."),
    errno.EDQUOT: ("your share of the disk is used up", "Make room and try again."),
    errno.EACCES: ("you have no permission", "Change its owner or mode, or name another place."),
    errno.EPERM: ("you have no permission", "Change its owner or mode, or name another place."),
    errno.EROFS: ("the disk is read-only", "Name another place."),
    errno.ENOENT: ("it or its folder is missing", "Check the path."),
    errno.ENOTDIR: ("a part of its path is not a folder", "Check the path."),
    errno.EISDIR: ("it is a folder", "Name a file."),
}


class Taken(Trouble):
    """Another writer was first: a file of this name or number exists."""


class Folder:
    """The numbered files `0000.toml`, `0001.toml`, ... of one folder.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     folder = Folder.create(os.path.join(place, "match"))
    ...     folder.append(0, b"first")
    ...     folder.append(1, b"second")
    ...     folder.latest(), folder.read(0)
    ((1, b'second'), b'first')
    """

    thing = "save"
    """What each of its files is called in errors."""

    def __init__(self, path: PathLike) -> None:
        self.path = os.fspath(path)

    @classmethod
    def create(cls, path: PathLike) -> Folder:
        """Make a new folder, or take an empty one. Raises Trouble if it holds anything, or cannot be made."""
        folder = cls(path)
        try:
            with contextlib.suppress(FileExistsError):
                os.mkdir(path)
                _flush_folder(os.path.dirname(folder.path) or ".")
            # What a crash during the very first save left behind must not block a second try.
            if any(not _is_temporary(name) for name in os.listdir(path)):
                raise Trouble(f"The folder {folder.path} exists and is not empty.", "Name a new folder.")
        except OSError as error:
            raise _trouble(error, f"The folder {folder.path} cannot be made") from None
        return folder

    def name(self, serial: int) -> str:
        """Return the path of the file with that number (from 0).

        >>> os.path.basename(Folder("match").name(7)), os.path.basename(Folder("match").name(12345))
        ('0007.toml', '12345.toml')
        """
        return os.path.join(self.path, f"{serial:04d}{SUFFIX}")

    def append(self, serial: int, data: bytes) -> None:
        """Write data as the file with that number, whole and on disk, or not at all.

        Raises Taken if there is one, Unverified if the number before it is missing, Trouble if it cannot be written.
        """
        if serial:
            self._check_present(serial - 1)
        write_new(self.name(serial), data)
        _sweep(self.path)

    def read(self, serial: int) -> bytes:
        """Return the bytes of the file with that number. Raises Unverified if it is missing, Trouble if unreadable."""
        try:
            with open(self.name(serial), "rb") as file:
                check_size(file, self.name(serial))
                return file.read()
        except OSError as error:
            raise self._unread(serial, error) from None

    def latest(self) -> tuple[int, bytes]:
        """Return the highest number and its bytes. Raises as `latest_serial` and `read` do."""
        serial = self.latest_serial()
        return serial, self.read(serial)

    def latest_serial(self) -> int:
        """Return the highest number. Raises Unverified if there is no save or one is missing, Trouble if unreadable."""
        names = self._names()
        highest = f"{len(names) - 1:04d}{SUFFIX}"
        # So many names of four digits, and none above this one: then none is missing, told without reading them.
        if set(map(len, names)) == {len("0000" + SUFFIX)} and max(names) == highest:
            return len(names) - 1
        serials = _numbers(names)
        if not serials:
            raise Unverified(f"The folder {self.path} holds no {self.thing}.", f"The first is the file 0000{SUFFIX}.")
        # Numbers are never left out, so a gap shows without opening anything.
        if len(serials) <= serials[-1]:
            raise self._gap(next(serial for serial in range(len(serials)) if serials[serial] != serial))
        return serials[-1]

    def serials(self) -> list[int]:
        """Return all numbers that are there, in order. Raises Trouble if the folder cannot be read."""
        return _numbers(self._names())

    def _names(self) -> list[str]:
        """Return the names of files that look like saves."""
        try:
            names = os.listdir(self.path)
        except OSError as error:
            raise _trouble(error, f"The folder {self.path} cannot be read") from None
        return [name for name in names if name.endswith(SUFFIX) and name[: -len(SUFFIX)].isdigit()]

    def _check_present(self, serial: int) -> None:
        try:
            os.stat(self.name(serial))
        except OSError as error:
            raise self._unread(serial, error) from None

    def _unread(self, serial: int, error: OSError) -> RefereeError:
        """Tell a missing save from a missing folder, and both from a disk in trouble."""
        if error.errno == errno.ENOENT and os.path.isdir(self.path):
            return self._gap(serial)
        return _trouble(error, f"{self.name(serial)} cannot be read")

    def _gap(self, serial: int) -> Unverified:
        said = f"The chain in {self.path} has a gap: {serial:04d}{SUFFIX} is missing."
        return Unverified(said, f"Put it back from a copy; every {self.thing} is needed.")


def check_size(file: IO[bytes], name: str) -> None:
    """Raise Unverified if an open file is larger than any save or report, before it is read into memory."""
    if os.fstat(file.fileno()).st_size > MOST_BYTES:
        said = f"{name} is too large for a save or a report ({MOST_BYTES >> 20} MB at most)."
        raise Unverified(said, "Ask for the file again, or put back a copy of it.")


def read_small(path: PathLike) -> bytes | None:
    """Return the bytes of a file that lies beside saves; nothing if it is not there. Raises Trouble if it cannot be read."""
    try:
        with open(path, "rb") as file:
            check_size(file, os.fspath(path))
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _trouble(error, f"{os.fspath(path)} cannot be read") from None


def write_file(path: PathLike, data: bytes, *, flush: bool = True) -> None:
    """Write a file that may be replaced, such as a report: readers get the old bytes or the new, never a part.

    With `flush` it is on disk when this returns; what can be made again at any time need not wait for that.
    Raises Trouble, with the old file left as it was, if it cannot be written.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     write_file(os.path.join(place, "report.txt"), b"Dear alice,")
    ...     os.listdir(place)
    ['report.txt']
    """
    target = os.fspath(path)
    temporary = _write_temporary(target, data, flush)
    try:
        os.replace(temporary, target)
    except OSError as error:
        raise _trouble(error, f"{target} cannot be written") from None
    finally:
        _remove(temporary)
    if flush:
        _flush_after(target)


def make_folder(path: PathLike) -> None:
    """Make a folder and those above it, if they are not there.

    Raises:
        Trouble: it cannot be made.
    """
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        said = f"The folder {os.fspath(path)} cannot be made: {error.strerror}."
        raise Trouble(said, "Check the path and its permissions.") from None


def write_new(path: PathLike, data: bytes) -> None:
    """Write a file that must not exist yet, whole and on disk, or not at all. Raises Taken if it exists, or Trouble.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     write_new(os.path.join(place, "next.toml"), b"one")
    ...     write_new(os.path.join(place, "next.toml"), b"two")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    referee.store.Taken: ...next.toml exists already, and nothing is overwritten.
    """
    target = os.fspath(path)
    temporary = _write_temporary(target, data)
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise Taken(f"{target} exists already, and nothing is overwritten.") from None
    except OSError as error:
        if error.errno in _NO_LINKS:
            said = f"The disk that holds {target} has no hard links, which keep two writers apart."
            raise Trouble(said, "Move the folder to another disk.") from None
        raise _trouble(error, f"{target} cannot be written") from None
    finally:
        _remove(temporary)
    _flush_after(target)


def _write_temporary(target: str, data: bytes, flush: bool = True) -> str:
    """Write data beside its target and flush it; return the path. Nothing is left behind if that fails."""
    folder, base = os.path.split(target)
    # The process tells racing writers apart, the random part what a crash left to an earlier process of this number.
    name = f"{_TEMP_START}{base[:100]}-{os.getpid()}-{os.urandom(4).hex()}{_TEMP_END}"
    temporary = os.path.join(folder, name)
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    except OSError as error:
        raise _trouble(error, f"{target} cannot be written") from None
    try:
        _write_all(descriptor, data, flush)
    except BaseException as error:
        _remove(temporary)
        if isinstance(error, OSError):
            raise _trouble(error, f"{target} cannot be written") from None
        raise
    return temporary


def _write_all(descriptor: int, data: bytes, flush: bool) -> None:
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(descriptor, rest) :]
        if flush:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _flush_after(target: str) -> None:
    try:
        _flush_folder(os.path.dirname(target) or ".")
    except OSError as error:
        said = f"{target} is written, but the disk does not confirm it"
        raise _trouble(error, said) from None


def _flush_folder(path: str) -> None:
    """Make sure that a new name in a folder outlives a power cut."""
    if os.name == "nt":
        return  # Windows has no flush for folders
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some network disks know no such call; they promise nothing, and there is nothing more to ask of them.
        if error.errno not in (errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS):
            raise
    finally:
        os.close(descriptor)


def _sweep(folder: str) -> None:
    """Remove what crashes left behind. A failure here is no concern of the save that was just written."""
    with contextlib.suppress(OSError):
        for name in filter(_is_temporary, os.listdir(folder)):
            path = os.path.join(folder, name)
            with contextlib.suppress(OSError):
                if time.time() - os.stat(path).st_mtime > STALE:
                    os.unlink(path)


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)


def _is_temporary(name: str) -> bool:
    return name.startswith(_TEMP_START) and name.endswith(_TEMP_END)


def _numbers(names: Iterable[str]) -> list[int]:
    end = -len(SUFFIX)
    return sorted({int(name[:end]) for name in names if _is_number(name[:end])})


def _is_number(text: str) -> bool:
    # One file has one name: `7.toml` and `00007.toml` are none of ours.
    return text.isascii() and text.isdigit() and text == f"{int(text):04d}"


def _trouble(error: OSError, what: str) -> Trouble:
    reason, help = _REASONS.get(error.errno or 0, (error.strerror or "the machine gives no reason", ""))
    return Trouble(f"{what}: {reason}.", help)
