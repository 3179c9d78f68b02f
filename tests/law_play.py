"""Random play through offered lines, for the laws: where a match stands, what is sent next, and what is wrong there."""

from __future__ import annotations

import contextlib
import hashlib
import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn

from referee.engine import begin, pending, start
from referee.errors import Refusal
from referee.lines import canonical, known, read
from referee.match import Event, Game, Match
from referee.orders import submit
from referee.see import OBSERVER
from referee.steps import Frame

from .worlds import aside_lines, difference, offered_lines, picture, readers, some_lines, wild_line

SEATS = ("alice", "bob", "carol", "dave", "erin", "frank")


class Broken(AssertionError):
    """A law does not hold; says which, and where."""

    def __init__(self, law: str, where: str, what: str) -> None:
        """Keep the name of the law."""
        super().__init__(f"law “{law}” is broken: {where}: {what}")
        self.law = law


@dataclass
class At:
    """A position in a random match: before line number `line`.

    Attributes:
        unique, alike: pools of different names, and those names in them that are used for other things too.
        most, only: lines at most, and laws to check (all if there are none).
        few: 0 for all readers; else each law looks at one who is asked, one who is not, and the observer, and this is the
            chance that a kind of question is looked at closely when it first comes up in the match.
        seen: how often each law was checked, by the kind of question that was pending.
    """

    game: Game
    seed: int
    m: Match
    rng: random.Random
    line: int = 0
    unique: Collection[str] = ()
    alike: Collection[str] = ()
    most: int = 400
    only: Collection[str] = ()
    text: str = ""
    log: list[Event] = field(default_factory=list)
    few: float = 0.0
    seen: Counter[tuple[str, str]] = field(default_factory=Counter)

    def broken(self, law: str, what: str) -> NoReturn:
        """Say that a law is broken here."""
        raise Broken(law, f"{self.game.slug}, seed {self.seed}, line {self.line} {self.text!r}", what)

    def holds(self, law: str) -> bool:
        """Tell whether a law is to be checked."""
        return not self.only or law in self.only

    def note(self, law: str) -> None:
        """Note that a law was checked here."""
        question = pending(self.m)
        self.seen[question.name if question else "", law] += 1

    def is_new(self) -> bool:
        """Tell whether to look closely at this question: often at a kind that the match has not shown yet, seldom at others."""
        question = pending(self.m)
        known = question is None or self.seen[question.name, "answerable"]
        return self.few > 0 and self.rng.random() < (self.few / 25 if known else self.few)

    def is_whole(self) -> bool:
        """Tell whether a report is written in every form here, or whether what it is made of is enough."""
        return not self.few or self.rng.random() < 0.2

    def lines(self, viewer: str, count: int) -> list[list[str]]:
        """Return submissions for a viewer to try."""
        return some_lines(self.m, viewer, self.rng, count) if viewer else []

    def seat_of(self, decider: str) -> str:
        """Return the seat that answers for a decider."""
        question = pending(self.m)
        assert question is not None
        return question.decisions[decider].seat

    def readers(self) -> list[str]:
        """Return the readers that a law looks at here."""
        if not self.few:
            return readers(self.m)
        asked = question.seats if (question := pending(self.m)) else []
        others = [seat for seat in self.m.seats if seat not in asked]
        return [*(self.rng.choice(seats) for seats in (asked, others) if seats), OBSERVER]

    def same(self, law: str, one: Any, other: Any, what: str) -> None:
        """Demand that two pieces of plain data are equal."""
        if found := difference(one, other):
            self.broken(law, f"{what}: {found}")


# Random play


def opening(game: Game, seed: int, **more: Any) -> At:
    """Return the first position of the random match of a seed, with random options and number of seats."""
    rng = random.Random(seed)
    low, high = game.seats
    seats = SEATS[: rng.randint(low, high)]
    options = some_options(game, seats, rng)
    m = start(game, f"law-{seed}", seats, hashlib.sha256(str(seed).encode()).digest(), options)
    begin(m, {seats[0]: "nonce"})
    m.stop, m.moved, m.fence = 1, False, False
    return At(game, seed, m, rng, log=m.events[:], **more)


def some_options(game: Game, seats: Sequence[str], rng: random.Random) -> dict[str, Any]:
    """Return random options that go together."""
    while True:
        options = {name: rng.choice([o.default, _some_value(o, seats, rng)]) for name, o in game.options.items()}
        if not game.conflicts(seats, options):
            return options


def _some_value(option: Any, seats: Sequence[str], rng: random.Random) -> Any:
    if isinstance(option.default, bool):
        return rng.random() < 0.5
    if isinstance(option.default, int) and option.choices:
        low, high, *step = option.choices
        return rng.randrange(low, high + 1, *step)
    return rng.choice([c for c in [*option.choices, option.default] if c != "seat"])


def next_mail(at: At) -> tuple[str, list[str], str, Frame]:
    """Choose who answers what: the seat, its lines, the decider and the frame that the last line means."""
    question = pending(at.m)
    assert question is not None
    waiting = [d for d in question.decisions.values() if d.decider not in at.m.sealed or at.rng.random() < 0.1]
    decision = at.rng.choice(waiting or list(question.decisions.values()))
    if question.gathers:
        frames = [decision.sample(at.rng) for _ in range(at.rng.randint(1, 4))]
        before = f"{decision.decider}: " if len(question.of(decision.seat)) > 1 else ""
        lines = [before + canonical(at.m, frame) for frame in frames]
        return decision.seat, lines, decision.decider, question.gathered(decision.decider, frames)
    frame = decision.sample(at.rng)
    line = _shorter(at, decision, frame) if at.rng.random() < 0.5 else canonical(at.m, frame)
    if len(question.of(decision.seat)) > 1:
        line = f"{decision.decider}: {line}"
    return decision.seat, [line], decision.decider, frame


def _shorter(at: At, decision: Any, frame: Frame) -> str:
    """Return a line with its last words cut short, if it still means the same."""
    words = canonical(at.m, frame).split()
    short = " ".join([words[0], *(word[: at.rng.randint(2, 9)] for word in words[1:])])
    with contextlib.suppress(Refusal):
        # "or" cuts a line into alternatives, so no name can be shortened to it.
        if "or" not in short.split() and read(at.m, decision, short) == frame:
            return short
    return " ".join(words)


def play(at: At, seat: str, lines: list[str]) -> Match:
    """Play a mail that must be accepted; now and then other mails and standing orders go before it."""
    try:
        return submit(at.m, seat, lines).match
    except Refusal as refusal:
        at.broken("offered", f"{seat} sends {lines}, which is offered, and gets: {refusal}")


def disturb(at: At) -> None:
    """Now and then send an order that stands, a guess, or several lines at once; what is refused must change nothing."""
    if at.rng.random() > 0.3:
        return
    seat, before = at.rng.choice(at.m.seats), picture(at.m)
    lines = [wild_line(at.m, at.rng.choice(known(at.m).orders), at.rng) for _ in range(2)]
    standing = [order for order in known(at.m).orders if order.standing]
    if standing and at.rng.random() < 0.5:
        lines[0] = f"always {wild_line(at.m, at.rng.choice(standing), at.rng)}"
    mail = at.rng.choice([lines[:1], [" or ".join(lines)] if "always" not in lines[0] else lines, lines])
    mail = [*offered_lines(at.m, seat, at.rng), *mail] if at.rng.random() < 0.5 else mail
    if at.rng.random() < 0.4:
        mail = list(aside_lines(at.m, seat, at.rng)) or mail
    if at.rng.random() < 0.3:
        mail = [*mail[:-1], "later:", mail[-1]]
    after = at.m
    with contextlib.suppress(Refusal):
        after = submit(at.m, seat, mail).match
    if at.holds("pure"):
        at.same("pure", before, picture(at.m), f"the match on which {seat} sent {mail}")
    if after is not at.m:
        at.m, at.log = after, at.log + after.events
