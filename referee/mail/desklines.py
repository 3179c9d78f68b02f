"""Lines for the desk and not for the game: `accept`, `say to bob: ...`, `vacation ...`, and the like.

They stand among the order lines of a mail and are the same in every game; no game's order begins with one of these words.
All of them are read before anything is done: a mail with a bad one does nothing at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import NamedTuple

from referee.config import is_address
from referee.errors import Unreadable
from referee.waiting import split_planned

VERBS = ("address", "confirm", "digest", "key", "resign", "say", "vacation", "vote")
"""The first words of lines for the desk."""
INVITED = ("accept", "decline")
"""The first words of lines that answer an invitation; after it they are the game's."""
MOST_SAID = 2000
"""How many characters one message of a player to others may have."""
LONGEST_VACATION = 60  # days


class DeskLine(NamedTuple):
    """A line for the desk, read.

    Attributes:
        verb: its first word; `decline` too.
        line: the line in canonical form.
        value: what it gives: words for the seed, the text that is said, an address, a key, `on` or `off`, `draw` or `play`.
        to: for `say`, the seat that it is said to, or `all`.
        days: for `vacation`, its first and last day; none to take all vacations back.
    """

    verb: str
    line: str
    value: str = ""
    to: str = ""
    days: tuple[str, ...] = ()


def part_lines(lines: Sequence[str], seats: Sequence[str], *, invited: bool = False) -> tuple[list[DeskLine], list[str]]:
    """Part the lines of a mail into those for the desk and those for the game.

    Args:
        lines: the lines, tidied.
        seats: the seats of the match, which may be spoken to.
        invited: whether the mail answers an invitation: games may have orders `accept` and `decline` of their own.

    Returns:
        The lines for the desk, consecutive ones to the same listener as one; then the lines for the game.

    Raises:
        Unreadable: a line for the desk cannot be read; names it.

    Example:
        >>> desk, orders = part_lines(["Say to Bob: well flown!", "roll", "vote draw."], ["alice", "bob"])
        >>> [line.line for line in desk], orders
        (['say to bob: well flown!', 'vote draw'], ['roll'])
    """
    desk: list[DeskLine] = []
    orders: list[str] = []
    later = len(split_planned(lines)[0])
    for index, line in enumerate(lines):
        verb = _verb(line, invited)
        if not verb:
            orders.append(line)
        elif index > later and verb != "say":
            raise Unreadable(f"“{line}” is for the desk and cannot be planned.", "Write it above “later:”.")
        else:
            _add(desk, _READERS[verb](line, seats))
    return desk, orders


def is_for_desk(line: str, *, invited: bool = False) -> bool:
    """Return whether a line is one for the desk, however badly written.

    Example:
        >>> is_for_desk("VACATION off"), is_for_desk("decline"), is_for_desk("decline", invited=True)
        (True, False, True)
    """
    return bool(_verb(line, invited))


def _verb(line: str, invited: bool) -> str:
    word = re.match(r"[A-Za-z]*", line.lstrip()).group().lower()  # type: ignore[union-attr]
    return word if word in VERBS or (invited and word in INVITED) else ""


def _add(desk: list[DeskLine], read: DeskLine) -> None:
    """Add a line; what is said to the same listener in several lines is one message."""
    last = desk[-1] if desk else read
    if desk and read.verb == last.verb == "say" and read.to == last.to:
        joined = f"{last.value}\n{read.value}"
        if len(joined) > MOST_SAID:
            raise Unreadable(f"You say more than {MOST_SAID} characters to {read.to}.", "Say it in fewer words.")
        desk[-1] = read._replace(value=joined, line=f"{last.line}\n{read.line}")
    else:
        desk.append(read)


def _rest(line: str) -> str:
    """Return what follows the first word, without the full stop that a telephone puts behind a line."""
    return line.strip().partition(" ")[2].strip().removesuffix(".").strip()


def _accept(line: str, seats: Sequence[str]) -> DeskLine:
    words = _rest(line)
    if len(words) > 64:
        raise Unreadable("The words for the seed have more than 64 characters.", "Take fewer, or none: “accept”.")
    return DeskLine("accept", f"accept {words}".strip(), words)


def _decline(line: str, seats: Sequence[str]) -> DeskLine:
    return DeskLine("decline", "decline")


def _say(line: str, seats: Sequence[str]) -> DeskLine:
    found = re.fullmatch(r"say\s+to\s+([^:]{1,64}?)\s*:\s*(.*)", line.strip(), re.IGNORECASE)
    names = {seat.lower(): seat for seat in seats} | {"all": "all"}
    if not found or found[1].lower() not in names or not found[2]:
        said = f"“{line}” does not say what to whom."
        raise Unreadable(said, f"Write “say to NAME: TEXT”; the names are {', '.join(seats)} and all.")
    to = names[found[1].lower()]
    return DeskLine("say", f"say to {to}: {found[2]}", found[2], to)


def _vacation(line: str, seats: Sequence[str]) -> DeskLine:
    rest = _rest(line)
    if rest.lower() == "off":
        return DeskLine("vacation", "vacation off")
    found = re.fullmatch(r"(?:from )?(\d{4}-\d\d-\d\d)(?:\s*(?:to|until|till|-|)\s*(\d{4}-\d\d-\d\d))?", rest, re.IGNORECASE)
    try:
        first, last = (date.fromisoformat(day) for day in (found[1], found[2] or found[1])) if found else (None, None)
    except ValueError:
        first = last = None
    if first is None or last is None or last < first:
        raise Unreadable(f"“{line}” names no days.", "Write “vacation 2026-12-24 to 2027-01-02”, or “vacation off”.")
    if (last - first).days >= LONGEST_VACATION:
        raise Unreadable(f"A vacation has at most {LONGEST_VACATION} days.", "Ask the moderator for more.")
    days = (first.isoformat(), last.isoformat())
    return DeskLine("vacation", f"vacation {days[0]} to {days[1]}", days=days)


def _address(line: str, seats: Sequence[str]) -> DeskLine:
    address = re.sub(r"\A<?(?:mailto:)?([^<>]*)>?\Z", r"\1", _rest(line)).strip()
    if not is_address(address) or len(address) > 254:
        raise Unreadable(f"“{line}” names no mail address.", "Write “address name@example.org”.")
    return DeskLine("address", f"address {address}", address)


def _key(line: str, seats: Sequence[str]) -> DeskLine:
    digits = _rest(line).replace(" ", "").lower()
    if not re.fullmatch("[0-9a-f]{64}", digits):
        raise Unreadable("The line “key” needs a public key, which has 64 hex digits.", "Copy them from the file *.pub.")
    return DeskLine("key", f"key {digits}", digits)


def _resign(line: str, seats: Sequence[str]) -> DeskLine:
    if _rest(line).lower() != "match":
        raise Unreadable(f"“{line}” is not complete.", "Write “resign match” to give the match up.")
    return DeskLine("resign", "resign match")


def _chosen(verb: str, *choices: str) -> _Reader:
    """Return a reader of lines with one of two words behind the first."""

    def read(line: str, seats: Sequence[str]) -> DeskLine:
        value = _rest(line).lower()
        if value not in choices:
            raise Unreadable(f"“{line}” is not complete.", f"Write {' or '.join(f'“{verb} {one}”' for one in choices)}.")
        return DeskLine(verb, f"{verb} {value}", value)

    return read


_Reader = Callable[[str, Sequence[str]], DeskLine]
_READERS: dict[str, _Reader] = {
    "accept": _accept,
    "address": _address,
    "confirm": lambda line, seats: DeskLine("confirm", "confirm"),
    "decline": _decline,
    "digest": _chosen("digest", "on", "off"),
    "key": _key,
    "resign": _resign,
    "say": _say,
    "vacation": _vacation,
    "vote": _chosen("vote", "draw", "play"),
}
