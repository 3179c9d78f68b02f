"""Tables of reports as plain data, and as text of 72 columns.

A table is plain data that the templates of both forms read. As text its columns stand beside each other; what does not fit is
wrapped in the column that may grow, or follows below with the first columns repeated.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NotRequired, TypedDict

from referee.layout import COLUMNS

_DENSE = 10  # a table of more columns than this has one space between them, any other two
_NARROWEST = 10  # what a column that grows is never squeezed below


class Column(TypedDict):
    """One column.

    Attributes:
        head: its title.
        about: what the title means, for who listens to the page; "" if it says so itself.
        right: whether its values are numbers, and stand to the right.
        grows: whether it takes the room that is left, and wraps what does not fit.
        key: whether it is repeated where a table is continued below.
    """

    head: str
    about: str
    right: bool
    grows: bool
    key: bool


class Table(TypedDict):
    """A table of a report.

    Attributes:
        caption: what it is; "" for none.
        columns: its columns.
        rows: a text for each column.
        lines: the table as text; filled by `with_lines`.
    """

    caption: str
    columns: list[Column]
    rows: list[list[str]]
    lines: NotRequired[list[str]]


def column(head: str, about: str = "", *, right: bool = False, grows: bool = False, key: bool = False) -> Column:
    """Return a column.

    Example:
        >>> column("Pts", "points", right=True)["right"]
        True
    """
    return {"head": head, "about": about, "right": right, "grows": grows, "key": key}


def width(text: str) -> int:
    """Return how many columns a text takes on a screen with fixed widths.

    Example:
        >>> width("alice"), width("\\u5c71"), width("e\\u0301")
        (5, 2, 1)
    """
    if text.isascii():
        return len(text)
    return sum(_columns_of(character) for character in text)


def _columns_of(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def fit(text: str, columns: int) -> str:
    """Return a text cut to so many columns, with a mark if it was.

    Example:
        >>> fit("alice", 5), fit("alexandrina", 5)
        ('alice', 'alex…')
    """
    if width(text) <= columns:
        return text
    taken, kept = 0, ""
    for character in text:
        taken += _columns_of(character)
        if taken > columns - 1:
            break
        kept += character
    return f"{kept}…"


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """Return a text of just so many columns.

    Example:
        >>> pad("bob", 5), pad("7", 3, right=True)
        ('bob  ', '  7')
    """
    text = fit(text, columns)
    space = " " * (columns - width(text))
    return space + text if right else text + space


def wrapped(text: str, columns: int) -> list[str]:
    """Return a text in lines of at most so many columns, parted at spaces; longer words are cut.

    Example:
        >>> wrapped("alice, bob, carol", 11)
        ['alice, bob,', 'carol']
    """
    lines = [""]
    for word in text.split():
        word = fit(word, columns)
        longer = f"{lines[-1]} {word}".strip()
        if width(longer) <= columns:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def with_lines(table: Table) -> Table:
    """Return a table with its lines of text.

    Example:
        >>> columns = [column("Player"), column("Pts", right=True)]
        >>> print(*with_lines({"caption": "", "columns": columns, "rows": [["alice", "2"]]})["lines"], sep="\\n")
        Player  Pts
        ------  ---
        alice     2
    """
    lines: list[str] = []
    for chosen in _parts(table):
        lines += ["", *_lines(table, chosen)] if lines else _lines(table, chosen)
    return {**table, "lines": lines}


def _natural(table: Table, at: int) -> int:
    return max(width(table["columns"][at]["head"]), *(width(row[at]) for row in table["rows"]), 1)


def _least(table: Table, at: int) -> int:
    natural = _natural(table, at)
    return min(natural, _NARROWEST) if table["columns"][at]["grows"] else natural


def _gap(table: Table) -> str:
    return " " if len(table["columns"]) > _DENSE else "  "


def _parts(table: Table) -> list[list[int]]:
    """Return the columns that stand beside each other, part by part; the key columns are in each."""
    keys = [at for at, one in enumerate(table["columns"]) if one["key"]]
    others = [at for at, one in enumerate(table["columns"]) if not one["key"]]
    room = COLUMNS - sum(_least(table, at) + len(_gap(table)) for at in keys)
    parts: list[list[int]] = [[]]
    left = room
    for at in others:
        need = _least(table, at) + len(_gap(table))
        if parts[-1] and need > left + len(_gap(table)):
            parts.append([])
            left = room
        parts[-1].append(at)
        left -= need
    return [sorted(keys + part) for part in parts]


def _lines(table: Table, chosen: Sequence[int]) -> list[str]:
    widths = _widths(table, chosen)
    columns = [table["columns"][at] for at in chosen]
    heads = [pad(one["head"], wide, right=one["right"]) for one, wide in zip(columns, widths, strict=True)]
    lines = [_gap(table).join(heads).rstrip(), _gap(table).join("-" * wide for wide in widths)]
    for row in table["rows"]:
        cells = [wrapped(row[at], wide) for at, wide in zip(chosen, widths, strict=True)]
        for number in range(max(map(len, cells))):
            texts = [cell[number] if number < len(cell) else "" for cell in cells]
            parts = [pad(text, wide, right=one["right"]) for text, wide, one in zip(texts, widths, columns, strict=True)]
            lines.append(_gap(table).join(parts).rstrip())
    return lines


def _widths(table: Table, chosen: Sequence[int]) -> list[int]:
    """Return the widths of columns beside each other: those that grow share what the others leave."""
    least = [_least(table, at) for at in chosen]
    left = COLUMNS - sum(least) - len(_gap(table)) * (len(chosen) - 1)
    growing = [number for number, at in enumerate(chosen) if table["columns"][at]["grows"]]
    for done, number in enumerate(growing):
        more = max(0, min(left // (len(growing) - done), _natural(table, chosen[number]) - least[number]))
        least[number] += more
        left -= more
    while left < 0:  # a name or a result that is longer than a line: the widest column gives way
        widest = max(range(len(least)), key=least.__getitem__)
        least[widest] -= 1
        left += 1
    return least
