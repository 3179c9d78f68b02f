"""The ledger of a match's clock, `ticked.toml` beside the chain: who was reminded, who was late, whose deadline was moved."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import canon
from .clock import LEDGER, utc
from .errors import Trouble
from .fields import dataclass, field
from .store import read_small, write_file

STALE = 3600  # seconds after which the time of the last look is written, though nothing else has happened


@dataclass
class Row:
    """What was done about the answer that is awaited from one seat.

    Attributes:
        asked: since when it is awaited; the rest is about that.
        due: the deadline as it was last reckoned.
        floor: before when the deadline cannot be.
        reminded: when the reminder was sent.
        caught: whether the deadline was moved because of an outage.
        late: the deadline after which the seat was told that it is late.
        missed: the deadline that was missed.
        in_a_row: how many turns in a row the seat has missed.
        invited: whether the invitation was sent.
    """

    asked: str = ""
    due: str = ""
    floor: str = ""
    reminded: str = ""
    caught: bool = False
    late: str = ""
    missed: str = ""
    in_a_row: int = 0
    invited: bool = False


_EMPTY = vars(Row())


@dataclass
class Ledger:
    """The whole ledger.

    Attributes:
        folder: the folder of the match.
        ticked: when the clock was last looked at.
        fetched: when the last complete fetch of mail began.
        rows: by seat.
        written: what stands in the file.
    """

    folder: Path
    ticked: str = ""
    fetched: str = ""
    rows: dict[str, Row] = field(default_factory=dict)
    written: dict[str, Any] = field(default_factory=dict)

    def follow(self, asked: Mapping[str, str]) -> None:
        """Begin new rows for seats that are asked anew; who answered in time has missed no turns in a row."""
        for seat, since in asked.items():
            row = self.rows.get(seat, Row())
            if row.asked != since:
                row = Row(since, in_a_row=row.in_a_row if row.missed else 0)
            self.rows[seat] = row

    def row(self, seat: str) -> Row:
        """Return the row of a seat; a new one if there is none."""
        return self.rows.setdefault(seat, Row())

    def write(self) -> None:
        """Write the ledger, if anything has changed but the time of the last look.

        Raises:
            Trouble: it cannot be written.
        """
        data = _plain(self)
        if data["seats"] != self.written.get("seats") or self._is_stale():
            write_file(self.folder / LEDGER, canon.dumps(data).encode())
            self.written = data

    def _is_stale(self) -> bool:
        times = [(getattr(self, name), self.written.get(name, "")) for name in ("ticked", "fetched")]
        return any(new != old and (not old or abs((utc(new) - utc(old)).total_seconds()) >= STALE) for new, old in times)


def _plain(ledger: Ledger) -> dict[str, Any]:
    rows = {seat: {k: v for k, v in vars(row).items() if v != _EMPTY[k]} for seat, row in ledger.rows.items()}
    return {"ticked": ledger.ticked, "fetched": ledger.fetched, "seats": rows}


def read_ledger(folder: Path) -> Ledger:
    """Return the ledger of the match in a folder; an empty one if there is none yet.

    Raises:
        Trouble: the file cannot be read, or is no ledger.
    """
    data = read_small(folder / LEDGER)
    if data is None:
        return Ledger(folder)
    try:
        found = canon.loads(data)
        rows = {seat: Row(**row) for seat, row in found["seats"].items()}
        for time in (found["ticked"], found["fetched"]):
            _ = time and utc(time)
    except (ValueError, TypeError, KeyError, AttributeError):
        said = f"{folder / LEDGER} is not what the program wrote."
        raise Trouble(said, "Remove it: nobody loses time by that, but reminders may come again.") from None
    return Ledger(folder, found["ticked"], found["fetched"], rows, found)
