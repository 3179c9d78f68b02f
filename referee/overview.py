"""Where a match stands, as anybody may know: whose turn, since when, until when."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .chain import Chain, Link
from .clock import spoken_deadline
from .engine import pending
from .errors import RefereeError
from .keys import SigningKey
from .people import People, Person


def row(folder: Path, key: SigningKey) -> dict[str, Any]:
    """Return where the match in a folder stands, as plain data.

    Args:
        folder: the folder.
        key: the referee's key.

    Returns:
        `folder`, `match`, `title`, `stop`, `state` (in words), `asked` (a line for each seat that is waited for), and
        `trouble` (why it cannot be read; "" if it can).

    Example:
        >>> from referee.keys import SigningKey
        >>> row(Path("nowhere"), SigningKey.new())["trouble"] != ""
        True
    """
    found = {"folder": str(folder), "match": "", "title": "", "stop": 0, "state": "cannot be read", "asked": [], "trouble": ""}
    try:
        chain = Chain(folder, key.public)
        link = chain.latest()
        m, people = link.save.match, People(folder).read()
        found |= {"match": m.id, "title": m.game.title, "stop": m.stop, "state": _state(link, people)}
        found["asked"] = _asked(folder, link, people)
    except RefereeError as error:
        found["trouble"] = error.sentence
    return found


def _state(link: Link, people: dict[str, Person]) -> str:
    m = link.save.match
    if m.table is None:
        missing = [seat for seat, person in people.items() if person.invited and not person.accepted]
        return f"not begun; waits for {', '.join(missing) or 'nobody'} to accept"
    if m.over:
        return "over"
    return "halted by the moderator" if m.held else "goes on"


def _asked(folder: Path, link: Link, people: dict[str, Person]) -> list[str]:
    """Return a line for each seat that is waited for; all who are asked together, so that nobody sees who has answered."""
    m, entry, question = link.save.match, link.save.entry, pending(link.save.match)
    window = question is not None and bool(question.interrupts)
    lines = []
    for seat, since in entry.asked.items() if not (m.over or m.held) else ():
        vacations = people.get(seat, Person()).vacations
        until = spoken_deadline(folder, seat, since, entry.until.get(seat, ""), vacations, window=window)
        lines.append(f"{seat} is asked since {since[:10]} {since[11:16]} UTC" + (f", until {until}" if until else ""))
    return lines
