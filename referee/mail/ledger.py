"""Which saves of a match have gone out by mail, in `mailed.toml` beside the chain, and which reports have still to go.

Saves are made by mails, by deadlines, and by a moderator in a shell; all of them are mailed from here, by what the chain
holds and not by who made it. The file may be behind: the outbox takes no mail twice.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from referee import canon
from referee.chain import Chain, Link
from referee.errors import Trouble
from referee.store import write_file

FILE = "mailed.toml"


class Due(NamedTuple):
    """A report that has still to go out: the save that it is made of, its stop, and its reader."""

    serial: int
    stop: int
    seat: str


def read_mailed(folder: Path) -> int | None:
    """Return the serial of the last save whose reports were put in the outbox; None if none was yet.

    Raises:
        Trouble: the file cannot be read.
    """
    try:
        serial = canon.loads((folder / FILE).read_bytes())["serial"]
        if type(serial) is int:
            return serial
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError):
        pass
    raise Trouble(f"{folder / FILE} cannot be read.", "Remove it; then each seat gets its newest report once more.")


def write_mailed(folder: Path, serial: int) -> None:
    """Write down the last save whose reports are in the outbox, on disk there.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     write_mailed(Path(place), 17)
        ...     read_mailed(Path(place)), read_mailed(Path("nowhere"))
        (17, None)
    """
    write_file(folder / FILE, canon.dumps({"serial": serial}).encode(), flush=False)


def due(chain: Chain, link: Link, mailed: int | None) -> list[Due]:
    """Return the reports of the saves after the last that was mailed, in order.

    A later report of the same stop takes the place of an earlier one. Of a match that was never mailed, each seat gets its
    newest report alone: what a desk takes over half way was told before.

    Args:
        chain: the match.
        link: its newest save.
        mailed: the serial of the last save that was mailed; None if none was.
    """
    found: dict[tuple[int, str], Due] = {}
    for serial in range(0 if mailed is None else mailed + 1, link.save.entry.serial):
        stop = chain.section(serial, "match")["stop"]
        for seat in chain.section(serial, "move")["reports"]:
            found[stop if mailed is not None else 0, seat] = Due(serial, stop, seat)
    entry, stop = link.save.entry, link.save.match.stop
    if mailed is None or entry.serial > mailed:
        for seat in entry.reports:
            found[stop if mailed is not None else 0, seat] = Due(entry.serial, stop, seat)
    return sorted(found.values())
