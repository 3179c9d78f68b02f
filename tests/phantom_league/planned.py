"""Rounds of battles played twice: question by question, and by the orders that say the same beforehand.

`python -m tests.phantom_league.planned 300` counts how many random rounds the plan language can say with the identical outcome.
"""

from __future__ import annotations

import hashlib
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from referee.ask import Decision, Question
from referee.engine import begin, pending, start
from referee.errors import Refusal
from referee.lines import canonical
from referee.match import Match
from referee.orders import submit
from referee.see import dump

from .arena import GAME

SEATS = ("alice", "bob", "carol", "dave")
NOTHING = {"no_power", "keep_decks", "block_with"}
"""Answers that are what happens without any line."""
AFTER = {"prepare", "play", "orders", "loot", "join", "jettison"}
"""Questions that are asked before or after what a plan is about."""


@dataclass
class Asked:
    """What was answered in a round, as lines of orders.

    Attributes:
        lines: for each ship its orders.
        later: who has kept the Veteran's power for the moment before the escape attempts.
    """

    lines: dict[str, list[str]] = field(default_factory=dict)
    later: set[str] = field(default_factory=set)

    def note(self, who: str, line: str) -> None:
        """Add a line to a ship's orders."""
        self.lines.setdefault(who, []).append(line)


def rounds(count: int) -> Iterator[tuple[Match, random.Random]]:
    """Yield random battles at the moment when orders are asked for."""
    seed = 0
    while count:
        rng = random.Random(seed)
        m = start(
            GAME, f"plan-{seed}", SEATS[: rng.randint(2, 4)], hashlib.sha256(b"%d" % seed).digest(), {"mostly-harmless": True}
        )
        begin(m, {})
        seed += 1
        while count and (question := pending(m)) is not None:
            if question.name == "orders" and not m.sealed:
                count -= 1
                yield m.copy(), rng
            m = answered(m, question, rng, ["stay"] if question.name == "orders" else None)


def answered(m: Match, question: Question, rng: random.Random, lines: list[str] | None = None) -> Match:
    """Return the match after an answer of somebody who is asked: these lines, or by chance."""
    decision = next(d for d in question.decisions.values() if d.decider not in m.sealed)
    chosen = lines or [canonical(m, decision.sample(rng))]
    several = len(question.of(decision.seat)) > 1
    return submit(m, decision.seat, [f"{decision.decider}: {line}" if several else line for line in chosen]).match


def by_questions(m: Match, rng: random.Random) -> tuple[Match, Asked]:
    """Play a round in which everybody wants to be asked, and return it with what was answered."""
    asked, card = Asked(), ""
    question = pending(m)
    assert question is not None
    m = all_send(m, question, {who: ["ask"] for who in question.decisions})
    while (question := pending(m)) is not None and question.name not in AFTER:
        card = next((event["card"] for event in reversed(m.events) if event["kind"] in ("fires", "plays card")), card)
        for decision in list(question.decisions.values()):
            frame = chosen(question, decision, rng)
            note(m, asked, question, decision, frame, card)
            line = canonical(m, frame)
            several = len(question.of(decision.seat)) > 1
            m = submit(m, decision.seat, [f"{decision.decider}: {line}" if several else line]).match
    return m, asked


def chosen(question: Question, decision: Decision, rng: random.Random) -> dict[str, Any]:
    """Return an answer by chance; nobody who attempts to escape hinders himself, which needs no plan."""
    while True:
        frame = decision.sample(rng)
        if not (question.name == "numbers" and frame["do"] == "stay"):
            return frame


def note(m: Match, asked: Asked, question: Question, decision: Decision, frame: dict[str, Any], card: str) -> None:
    """Write an answer down as a line of orders, if there is anything to be ordered."""
    line, who, verb = canonical(m, frame), frame["who"], frame["do"]
    if question.name == "veteran" and verb == "no_power":
        asked.later.add(who)
    if verb in NOTHING or (verb, question.name) == ("flee", "flee") or (frame.get("amount") == "0" and verb != "flee"):
        return
    if question.name == "veteran" and who not in asked.later:
        line += " at once"
    about = {"guard": f" against {question.words.get('card')}", "damage": f" from {card}" if verb == "hits" else ""}
    asked.note(who, line + about.get(question.name, ""))


def all_send(m: Match, question: Question, lines: dict[str, list[str]]) -> Match:
    """Let all who are asked for orders send theirs, each seat all its ships in one mail."""
    for seat in dict.fromkeys(d.seat for d in question.decisions.values()):
        own = question.of(seat)
        mail = [f"{d.decider}: {line}" if len(own) > 1 else line for d in own for line in lines.get(d.decider) or ["stay"]]
        m = submit(m, seat, mail).match
    return m


def state(m: Match) -> dict[str, Any]:
    """Return what lies on the table, without plans."""
    table = dump(m.table)
    table["battle"]["buried"].sort(key=lambda card: (card["front"], card["set"]))  # they lie in no order
    for fighter in table["battle"]["fighters"].values():
        fighter.pop("plan"), fighter.pop("asks")
    return table


def same(m: Match, rng: random.Random) -> tuple[bool, Asked]:
    """Tell whether orders lead to the very table that questions led to."""
    first, asked = by_questions(m.copy(), rng)
    question = pending(m)
    assert question is not None
    try:
        second = all_send(m, question, asked.lines)
    except Refusal:
        return False, asked
    pending(second)
    return state(first) == state(second), asked


if __name__ == "__main__":
    results = [same(m, rng) for m, rng in rounds(int(sys.argv[1]))]
    written = sum(len(lines) for _, asked in results for lines in asked.lines.values())
    print(f"{sum(alike for alike, _ in results)} of {len(results)} rounds alike, {written / len(results):.1f} lines a round")
