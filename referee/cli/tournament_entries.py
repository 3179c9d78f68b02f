"""Who enters an event, out of what was typed or a file of entries."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.errors import Unreadable, Usage

from .common import pairs, printable, read_input

if TYPE_CHECKING:
    from referee.people import Person

MOST_ENTRIES = 4 << 20  # bytes of a file of entries

_Rows = dict[str, dict[str, Any]]


def entries(
    names: Sequence[str], ratings: Mapping[str, str], nonces: Mapping[str, str], called: Sequence[str], file: str
) -> "tuple[_Rows, dict[str, Person]]":
    """Return players with rating and nonce, and who they are.

    Args:
        names: `NAME` or `NAME=ADDRESS`.
        ratings, nonces: by name.
        called: `NAME=TEXT`, what a player is called.
        file: a file with a line for each further player; "" for none.

    Raises:
        Usage: something in them cannot be meant.
        Unreadable: a line of the file cannot be read.

    Example:
        >>> rows, people = entries(["alice=alice@example.org", "bob"], {"bob": "1500"}, {}, [], "")
        >>> rows, people["alice"].address
        ({'alice': {}, 'bob': {'rating': 1500}}, 'alice@example.org')
    """
    from referee.people import Person

    rows: _Rows = {}
    people: dict[str, Person] = {}
    for name, address, rating in [*map(_typed, names), *(_lines(file) if file else ())]:
        if name in rows:
            raise Usage(f"{name} is named twice.", "Name each player once.")
        rows[name] = {"rating": _rating(name, rating)} if rating else {}
        if address:
            people[name] = Person(_address(name, address))
    if not rows:
        raise Usage("Nobody is named.", "Name players as NAME or NAME=ADDRESS, or a file with --from.")
    _add(rows, {name: {"rating": _rating(name, text)} for name, text in ratings.items()})
    _add(rows, {name: {"nonce": printable(text, "The nonce", 64)} for name, text in nonces.items()})
    for name, text in pairs(called, "--called", "NAME=TEXT").items():
        _add(rows, {name: {}})
        people.setdefault(name, Person()).name = printable(text, "The name", 100)
    return rows, people


def _typed(given: str) -> tuple[str, str, str]:
    name, equals, address = given.partition("=")
    if equals and not address:
        raise Usage(f"{given!r} names no address.", "Write NAME, or NAME=ADDRESS.")
    return name, address, ""


def _lines(file: str) -> Iterable[tuple[str, str, str]]:
    """Yield name, address and rating out of a file; blank lines and those behind a # say nothing."""
    for number, line in enumerate(read_input(file, MOST_ENTRIES).decode("utf-8", "replace").splitlines(), 1):
        words = line.split("#")[0].replace(",", " ").split()
        if not words:
            continue
        address = next((word for word in words[1:] if "@" in word), "")
        rest = [word for word in words[1:] if word != address]
        if len(rest) > 1 or not all(map(str.isdigit, rest)):
            raise Unreadable(
                f"Line {number} of {file} is no entry: {line!r}.", "Write NAME, then ADDRESS and RATING or neither."
            )
        yield words[0], address, rest[0] if rest else ""


def _add(rows: _Rows, more: _Rows) -> None:
    for name, row in more.items():
        if name not in rows:
            raise Usage(f"{name!r} is not among those who enter.", f"They are {', '.join(rows)}.")
        rows[name] |= row


def _rating(name: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,5}", text):
        raise Usage(f"The rating of {name} is no number: {text!r}.", "Write it as 1500.")
    return int(text)


def _address(name: str, address: str) -> str:
    from referee.config import is_address

    if not is_address(address):
        raise Usage(f"The address of {name} is none: {address!r}.", "Write it as alice@example.org.")
    return address
