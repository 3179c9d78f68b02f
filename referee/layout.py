"""What templates are bad at: wrapping, outlines, stacks of cards. Templates use these functions as filters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

COLUMNS = 72
"""The width of a text report; mail programs wrap what is wider."""

_FIRST_WIDE = "\u1100"  # no character before it takes two columns


def shown(value: Any) -> str:
    """Return a value of an option as people write it.

    Example:
        >>> shown(True), shown(20), shown(["alice", "bob"]), shown([])
        ('yes', '20', 'alice, bob', 'none')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | dict) else str(value)


def tally(counts: Mapping[str, int]) -> str:
    """Return how many entries are from which source, as people read it.

    Example:
        >>> tally({"rulebook": 15, "reconstructed": 6})
        '15 rulebook, 6 reconstructed'
    """
    return ", ".join(f"{count} {source}" for source, count in counts.items())


def grouped(rows: Sequence[Mapping[str, Any]], key: str, column: str, order: Iterable[str] = ()) -> dict[str, list[Any]]:
    """Return one column of rows, by the value of another; what a board template needs for stacks of cards.

    Args:
        rows: the cards.
        key: the column that makes the stacks.
        column: the column that is returned.
        order: keys that come first, in this order.

    Example:
        >>> goods = [{"to": "green", "mg": 2}, {"to": "blue", "mg": 3}, {"to": "green", "mg": 3}]
        >>> grouped(goods, "to", "mg", ["blue", "green"])
        {'blue': [3], 'green': [2, 3]}
    """
    groups: dict[str, list[Any]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row[column])
    return {key: groups[key] for key in dict.fromkeys([*order, *groups]) if key in groups}


def stacks(groups: Mapping[str, Sequence[Any]], marks: Mapping[str, str]) -> str:
    """Return stacks of cards in one line: the mark of each stack, or else its first letter, and its values.

    Example:
        >>> stacks({"blue": [3], "green": [2, 3]}, {"blue": "B"})
        'B 3 · g 2 3'
    """
    return " · ".join(f"{marks.get(key, key[:1])} {' '.join(map(str, values))}" for key, values in groups.items())


def grid(groups: Mapping[str, Sequence[Any]], columns: int) -> list[tuple[int, int, str, Any]]:
    """Return where the cards of stacks lie that each begin a row: column, row, stack and value of every card.

    Example:
        >>> grid({"blue": [3], "green": [2, 3, 3]}, 2)
        [(0, 0, 'blue', 3), (0, 1, 'green', 2), (1, 1, 'green', 3), (0, 2, 'green', 3)]
    """
    cells, top = [], 0
    for key, values in groups.items():
        cells += [(at % columns, top + at // columns, key, value) for at, value in enumerate(values)]
        top += -(-len(values) // columns)
    return cells


def wrap(text: str, first: str = "", rest: str | None = None) -> str:
    """Return a paragraph of at most 72 columns.

    Args:
        text: any text; its white space does not count.
        first: what the first line begins with, such as a bullet.
        rest: what the other lines begin with; as many spaces as `first` has characters, if not given.

    Example:
        >>> print(wrap("a hash is split where the line ends: " + "f" * 64, "- "))
        - a hash is split where the line ends:
          ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
    """
    if len(first) + len(text) <= COLUMNS and text.isascii() and text.isprintable():
        return (first + text).rstrip()
    text = " ".join(text.split())
    rest = " " * len(first) if rest is None else rest
    lines = []
    while (fits := _fitting(text, COLUMNS - len(first))) < len(text):
        cut = text.rfind(" ", 0, fits + 1)
        cut = cut if cut > 0 else fits
        lines.append(first + text[:cut])
        text, first = text[cut:].lstrip(), rest
    return "\n".join([*lines, (first + text).rstrip()])


def _fitting(text: str, columns: int) -> int:
    """Return how many characters of a text go into so many columns."""
    if text.isascii() or not text or max(text) < _FIRST_WIDE:
        return columns
    for count, character in enumerate(text):
        columns -= 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if columns < 0:
            return count
    return len(text)


def outline(value: Any, indent: int = 0) -> str:
    """Return plain data as an outline that people can read, 72 columns wide.

    Example:
        >>> print(outline({"turn": {"who": "alice", "energy": 3}, "hand": ["agent", "jump"], "discards": []}))
        turn:
          who: alice
          energy: 3
        hand: agent; jump
        discards: none
    """
    return "\n".join(_outline(value, indent))


def _outline(value: Any, indent: int) -> Iterator[str]:
    space = " " * min(indent, COLUMNS // 2)
    for key, item in value.items() if isinstance(value, dict) else enumerate(value, 1):
        if item and _nested(item):
            yield wrap(f"{key}:", space)
            yield from _outline(item, indent + 2)
        else:
            yield wrap(f"{key}: {_flat(item)}", space, space + "    ")


def _nested(item: Any) -> bool:
    """Tell whether an item takes lines of its own: a dict, or a list that holds one."""
    return isinstance(item, dict) or (isinstance(item, list) and any(map(_nested, item)))


def _flat(item: Any) -> str:
    if isinstance(item, list | dict):
        return "; ".join(map(shown, item)) or "none"
    return shown(item) or "none"


FILTERS: dict[str, Callable[..., Any]] = {
    "wrap": wrap,
    "outline": outline,
    "grouped": grouped,
    "grid": grid,
    "stacks": stacks,
    "shown": shown,
    "tally": tally,
}
"""The filters, by the name that templates use."""
