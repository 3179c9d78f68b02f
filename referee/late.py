"""What is played for a seat whose time is over: the lines that cost it the least, or those of a bot.

Both come from what the seat is offered and thus from what it may know; a bot's choices follow from the referee's key, so that
a program that was ended and starts again chooses the same.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from .ask import Decision
from .engine import pending
from .errors import Refusal
from .keys import SigningKey
from .lines import canonical
from .match import Match
from .orders import MOST_CHARACTERS, MOST_LINES, submit
from .steps import Frame
from .waiting import read_for

Choice = Callable[[Match, Decision], Frame]


def safest_lines(m: Match, seat: str) -> list[str]:
    """Return the lines that cost a seat the least; none in a game that does not say which they are."""
    return _lines(m, seat, _safest) if m.game.safest else []


def bot_lines(m: Match, seat: str, key: SigningKey) -> list[str]:
    """Return lines by which a bot plays for a seat: each order that is offered is equally likely."""
    pick = random.Random(key.derive(f"bot {m.id} {m.stop} {seat}"))
    return _lines(m, seat, lambda work, decision: decision.sample(pick))


def open_decisions(m: Match, seat: str) -> list[Decision]:
    """Return what a seat has to decide and has not sealed an answer to."""
    question = pending(m)
    return [one for one in question.of(seat) if one.decider not in m.sealed] if question else []


def _safest(m: Match, decision: Decision) -> Frame:
    try:
        chosen = read_for(m, [decision], m.game.safest)
    except Refusal:
        chosen = None
    return chosen[1] if chosen else next(decision.frames())


def _lines(m: Match, seat: str, choose: Choice) -> list[str]:
    """Return lines that answer for a seat until it is not asked any more, as they can be sent in one mail."""
    lines: list[str] = []
    work, room = m, MOST_CHARACTERS
    while len(lines) < MOST_LINES and (asked := open_decisions(work, seat)):
        decision = asked[0]
        text = canonical(work, choose(work, decision))
        line = text if decision.decider == seat else f"{decision.decider}: {text}"
        room -= len(line)
        if room < 0:
            break
        work = submit(work, seat, [line]).match
        lines.append(line)
    return lines if _stand_together(m, seat, lines) else lines[:1]


def _stand_together(m: Match, seat: str, lines: list[str]) -> bool:
    """Tell whether all the lines can be played as one mail: a seat's own standing orders wait for the last of them."""
    try:
        return bool(lines) and not submit(m, seat, lines).returned
    except Refusal:
        return False
