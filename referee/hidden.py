"""What lies hidden on a table, and which of it could lie otherwise without a reader seeing a difference."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from .see import HIDDEN, OBSERVER, Record, See, owner_of


class Cell(NamedTuple):
    """One hidden value on the table, which may be read and exchanged: `holder[key]`."""

    holder: Any
    key: Any

    def get(self) -> Any:
        """Return the hidden value."""
        return self.holder[self.key]

    def put(self, value: Any) -> None:
        """Put another value in its place."""
        self.holder[self.key] = value


def hidden_cells(record: Record, viewer: str, *, words: frozenset[str] = HIDDEN) -> dict[tuple[Any, ...], list[Cell]]:
    """Return the hidden values that may be exchanged with each other without `viewer` seeing a difference.

    Args:
        record: the table.
        viewer: a seat's name or `OBSERVER`.
        words: the visibility words to count as hidden.

    Returns:
        For each pool (with its owner and the values that must agree) the cells in it, in the order of the table.
    """
    pools: dict[tuple[Any, ...], list[Cell]] = {}
    for rec, owner, covered in _walk(record, OBSERVER):
        for name, see in type(rec).fields.items():
            if see.word in words and (covered or not _sees(rec, see, viewer, owner)):
                key = (see.pool, owner if see.pool.startswith("own") else "", *(getattr(rec, n) for n in see.like))
                pools.setdefault(key, []).extend(_cells(rec, name))
    return pools


def _sees(rec: Record, see: See, viewer: str, owner: str) -> bool:
    if see.word in ("hand", "secret"):
        return viewer == owner and bool(viewer)
    return see.word == "known_to" and viewer in getattr(rec, see.by)


def _cells(rec: Record, name: str) -> list[Cell]:
    value = getattr(rec, name)
    if isinstance(value, list):
        return [Cell(value, index) for index in range(len(value))]
    return [Cell(rec.__dict__, name)]


def _walk(record: Record, owner: str, covered: bool = False) -> Iterator[tuple[Record, str, bool]]:
    """Yield every record on a table, whose it is, and whether it lies in a pile, where nobody sees anything of it."""
    yield record, owner, covered
    for name, see in type(record).fields.items():
        value = getattr(record, name)
        if see.word == "owned":
            for key, rec in value.items():
                yield from _walk(rec, owner_of(key, rec, see), covered)
        elif see.word in ("part", "pile"):
            for rec in _records_in(value):
                yield from _walk(rec, owner, covered or see.word == "pile")


def _records_in(value: Any) -> Iterator[Record]:
    if isinstance(value, Record):
        yield value
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _records_in(item)
