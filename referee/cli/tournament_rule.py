"""The rulings of a director, as they are typed."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from referee.errors import Usage

from .common import pairs

if TYPE_CHECKING:
    from referee.tournament.director import Director
    from referee.tournament.event import Event

TAKES = {
    "adjudicate": "MATCH NAME=PLACE...",
    "correct": "MATCH NAME=PLACE...",
    "annul": "MATCH",
    "withdraw": "NAME",
    "rejoin": "NAME",
    "substitute": "NAME",
    "extend": "ROUND --until TIME",
    "confirm": "ROUND",
}
"""What each ruling takes."""


def make(
    director: "Director", ruling: str, given: Sequence[str], why: str, absent: Sequence[str], until: str, address: str
) -> "Event":
    """Make a ruling, and return the event after it.

    Args:
        director: who makes it.
        ruling, given: what was typed.
        why: the reason.
        absent: who did not play, for a result.
        until: a time, for `extend`.
        address: for `substitute`.

    Raises:
        Usage: there is no such ruling, or it takes something else.
        Refused, NotNow: it cannot be made.
    """
    if ruling not in TAKES:
        raise Usage(f"There is no ruling {ruling!r}.", f"There are: {', '.join(TAKES)}.")
    if not given or (len(given) > 1 and ruling not in ("adjudicate", "correct")):
        raise Usage(
            f"The ruling {ruling} takes {TAKES[ruling]}.", f"`referee tournament rule DIR {ruling} {TAKES[ruling]} --why TEXT`"
        )
    for option, value, owners in (
        ("absent", absent, _RESULTS),
        ("until", until, ("extend",)),
        ("address", address, ("substitute",)),
    ):
        if value and ruling not in owners:
            raise Usage(f"--{option} does not belong to the ruling {ruling}.", "Leave it away.")
    if ruling in _RESULTS:
        number, table = _match(director, given[0])
        rule = director.adjudicate if ruling == "adjudicate" else director.correct
        return rule(number, table, _places(given[1:]), why, absent).event
    return _OTHERS[ruling](director, given[0], why, until or address)


_RESULTS = ("adjudicate", "correct")


def _match(director: "Director", text: str) -> tuple[int, int]:
    """Return round and table of a match, named as `spring-1-3` or `1-3`."""
    event = director.read().plan.id
    found = re.fullmatch(rf"(?:{re.escape(event)}-)?([0-9]{{1,4}})-([0-9]{{1,5}})", text)
    if not found:
        raise Usage(f"{text!r} is no match of {event}.", f"Name round and table, as 1-3 or {event}-1-3.")
    return int(found[1]), int(found[2])


def _places(given: Sequence[str]) -> dict[str, int]:
    places = {}
    for name, text in pairs(given, "The result", "NAME=PLACE").items():
        if not re.fullmatch("[1-9][0-9]?", text):
            raise Usage(f"{name}={text} names no place.", "Places are 1, 2, ...; shared places are equal: alice=1 bob=1.")
        places[name] = int(text)
    return places


def _round(text: str) -> int:
    if not re.fullmatch("[0-9]{1,4}", text):
        raise Usage(f"{text!r} is no round.", "Name it by its number.")
    return int(text)


def _annul(director: "Director", given: str, why: str, more: str) -> "Event":
    return director.annul(*_match(director, given), why).event


def _substitute(director: "Director", given: str, why: str, more: str) -> "Event":
    from referee.people import Person
    from referee.tournament.substitutes import hand_over

    from .tournament_entries import _address

    person = Person(_address(given, more) if more else "")
    return hand_over(director, given, person, why)


def _extend(director: "Director", given: str, why: str, more: str) -> "Event":
    from referee.clock import text_of, utc

    try:
        ends = text_of(utc(more))
    except ValueError:
        raise Usage(
            f"{more!r} is no time; extend needs one with --until.", "Write it in UTC, as 2026-12-03T18:00:00Z."
        ) from None
    return director.extend(_round(given), ends, why).event


def _confirm(director: "Director", given: str, why: str, more: str) -> "Event":
    from referee.tournament.watch import confirm

    return confirm(director, _round(given), why)


_OTHERS: dict[str, "Callable[[Director, str, str, str], Event]"] = {
    "annul": _annul,
    "withdraw": lambda director, given, why, more: director.withdraw(given, why).event,
    "rejoin": lambda director, given, why, more: director.rejoin(given, why).event,
    "substitute": _substitute,
    "extend": _extend,
    "confirm": _confirm,
}
