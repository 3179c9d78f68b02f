"""What players say to each other, in the folder `press` beside the chain; it is no part of the match.

A message is kept under the number of the stop at which it was said, so that the next report of a later stop can show it
once, and under a hash of what it says: said twice at the same stop, it is one message.
"""

from __future__ import annotations

import hashlib
import os
from typing import Any

from . import canon
from .errors import Trouble
from .fields import dataclass
from .store import Taken, write_new

FOLDER = "press"
ALL = "all"


@dataclass
class Said:
    """A message.

    Attributes:
        by: the seat that says it.
        to: the seat that it is said to, or `all`.
        text: what it says, one or more lines.
        stop: the stop at which it was said.
    """

    by: str
    to: str
    text: str
    stop: int

    @property
    def name(self) -> str:
        """Return what names the message, whenever it is said again at the same stop: 16 hex digits.

        Example:
            >>> Said("alice", "bob", "Well flown!", 12).name
            '6820ca024dd59c29'
        """
        words = "\0".join((self.by, self.to, str(self.stop), self.text))
        return hashlib.sha256(words.encode()).hexdigest()[:16]

    def readers(self, seats: list[str]) -> list[str]:
        """Return the seats that read it.

        Example:
            >>> Said("alice", "all", "Hello!", 1).readers(["alice", "bob", "carol"])
            ['bob', 'carol']
        """
        return [seat for seat in seats if seat != self.by and self.to in (ALL, seat)]


def keep(folder: str | os.PathLike[str], said: Said) -> bool:
    """Write a message down; return False if it was said before at the same stop.

    Raises:
        Trouble: it cannot be written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     said = Said("alice", "bob", "Well flown!", 12)
        ...     keep(place, said), keep(place, said), heard(place, "bob", 11, 13), heard(place, "carol", 11, 13)
        (True, False, [{'from': 'alice', 'to': 'bob', 'text': 'Well flown!'}], [])
    """
    place = os.path.join(folder, FOLDER)
    if any(name.endswith(f"-{said.name}.toml") for name in _names(place)):
        return False
    try:
        os.makedirs(place, mode=0o700, exist_ok=True)
        rows = {"by": said.by, "to": said.to, "text": said.text, "stop": said.stop}
        write_new(os.path.join(place, f"{said.stop:04d}-{said.name}.toml"), canon.dumps(rows).encode())
    except Taken:
        return False
    except OSError as error:
        raise Trouble(f"The folder {place} cannot be made: {error.strerror}.", "Check its permissions.") from None
    return True


def heard(folder: str | os.PathLike[str], reader: str, since: int, until: int, *, names: bool = True) -> list[dict[str, str]]:
    """Return what was said to a reader between two stops, the first included and the last not.

    Args:
        folder: the folder of the match.
        reader: a seat; anybody else hears what is said to all.
        since: the stop of the reader's last report.
        until: the stop that is reported.
        names: whether to say who said it; else `from` is "".

    Raises:
        Trouble: a message cannot be read.
    """
    place, found = os.path.join(folder, FOLDER), []
    for name in sorted(_names(place)):
        if since <= int(name.partition("-")[0]) < until:
            said = _read(os.path.join(place, name))
            if said["by"] != reader and said["to"] in (ALL, reader):
                found.append({"from": said["by"] if names else "", "to": said["to"], "text": said["text"]})
    return found


def _names(place: str) -> list[str]:
    try:
        names = os.listdir(place)
    except FileNotFoundError:
        return []
    except OSError as error:
        raise Trouble(f"The folder {place} cannot be read: {error.strerror}.", "Check its permissions.") from None
    return [name for name in names if name.endswith(".toml") and name.partition("-")[0].isdigit()]


def _read(path: str) -> dict[str, Any]:
    try:
        with open(path, "rb") as file:
            said = canon.loads(file.read())
        if not all(type(said.get(name)) is str for name in ("by", "to", "text")):
            raise ValueError
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from None
    except ValueError:
        raise Trouble(f"{path} is no message.", "Remove it.") from None
    return said
