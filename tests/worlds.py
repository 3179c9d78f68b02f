"""Worlds that one reader cannot tell apart, everything that the reader gets, and what playing an answer shows."""

from __future__ import annotations

import contextlib
import json
import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, zip_longest
from typing import Any
from unittest import mock

from referee import report
from referee.chance import Chance
from referee.components import folder_of
from referee.engine import answer, aside, news, pending, view
from referee.errors import Refusal
from referee.hidden import hidden_cells
from referee.lines import SEVERAL, canonical, known, line_of
from referee.match import Event, Match
from referee.orders import submit
from referee.see import OBSERVER, dump
from referee.steps import NUMBER, TEXT, Frame, Order

from .law_mail import Shelf, mailed, ready_for

FORMS: tuple[report.Form, ...] = ("text", "html", "json")
_PICTURED = ("id", "seats", "holders", "options", "nonces", "agenda", "events", "sealed", "standing", "kept", "planned")
_COUNTED = ("stop", "over", "held", "sender", "fence", "moved")


def text_of(value: Any) -> str:
    """Return plain data as text in which every difference shows, the order of keys included."""
    return json.dumps(value, ensure_ascii=False, default=repr)


def picture(m: Match) -> dict[str, Any]:
    """Return everything of a match but the question, which is computed: two matches are equal if their pictures are."""
    parts = {name: json.loads(text_of(getattr(m, name))) for name in (*_PICTURED, *_COUNTED)}
    return {
        **parts,
        "table": dump(m.table),
        "chance": [m.chance.seed.hex(), m.chance.counter],
        "secret": m.secret.hex(),
    }


def difference(one: Any, other: Any, path: str = "") -> str:
    """Say where two pieces of plain data differ first; "" if nowhere.

    Example:
        >>> difference({"a": [1, 2]}, {"a": [1, 3]})
        'a.1: 2 or 3'
    """
    if one == other and repr(one) == repr(other):  # in nearly all cases, and much faster than to look at every part
        return ""
    if isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        pairs = [(key, one[key], other[key]) for key in one]
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = [(str(index), a, b) for index, (a, b) in enumerate(zip(one, other, strict=True))]
    else:
        return "" if one == other and type(one) is type(other) else f"{path}: {_apart(str(one), str(other))}"
    return next((found for key, a, b in pairs if (found := difference(a, b, f"{path}.{key}".lstrip(".")))), "")


def _apart(one: str, other: str) -> str:
    """Return where two texts part, with what stands around it."""
    at = next((n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    start = max(0, at - 120) if at > 200 else 0
    return f"{one[start : at + 300]} or {other[start : at + 300]}"


def readers(m: Match) -> list[str]:
    """Return all who get reports: every seat, and the observer."""
    return [*m.seats, OBSERVER]


# Worlds


def twin(m: Match, viewer: str, rng: random.Random) -> Match:
    """Return a match in which what a viewer cannot see on the table lies otherwise; seed and sealed answers are equal."""
    world = m.copy()
    for cells in hidden_cells(world.table, viewer).values():
        values = [cell.get() for cell in cells]
        rng.shuffle(values)
        for cell, value in zip(cells, values, strict=True):
            cell.put(value)
    return world


def far_twin(m: Match, viewer: str, rng: random.Random) -> Match:
    """Return a twin that has another seed too, and where nobody else sealed, kept, planned or ordered anything beforehand."""
    world = twin(m, viewer, rng)
    question = pending(m)
    mine = {d.decider for d in question.of(viewer)} if question else set()
    world.sealed = {decider: frame for decider, frame in m.sealed.items() if decider in mine}
    world.standing = {seat: lines for seat, lines in world.standing.items() if seat == viewer}
    world.kept = {seat: lines for seat, lines in world.kept.items() if seat == viewer}
    world.planned = {seat: lines for seat, lines in world.planned.items() if seat == viewer}
    world.chance = Chance(rng.randbytes(32), m.chance.counter)
    return world


# What a reader gets


def some_lines(m: Match, viewer: str, rng: random.Random, count: int = 8) -> list[list[str]]:
    """Return submissions to try: offered lines, lines out of the vocabulary that fit or not, and nonsense."""
    orders = rng.choices(known(m).orders, k=count)
    lines = [wild_line(m, order, rng) for order in orders] + list(aside_lines(m, viewer, rng))
    offered = list(offered_lines(m, viewer, rng))
    mails = [[line] for line in [*offered, *lines, "zzz", f"{lines[0]} zzz", "withdraw", "forget"]]
    mails += [[f"{word} {lines[0]}"] for word in ("always", "never")]
    return mails + [[line, rng.choice(lines)] for line in offered]


def offered_lines(m: Match, viewer: str, rng: random.Random) -> Iterator[str]:
    """Yield one line for each thing that a seat is asked, with the decider in front where there are several."""
    question = pending(m)
    for decision in question.of(viewer) if question else []:
        line = canonical(m, decision.sample(rng))
        yield f"{decision.decider}: {line}" if decision.decider != viewer else line


def aside_lines(m: Match, viewer: str, rng: random.Random) -> Iterator[str]:
    """Yield one of the lines that a seat may send whoever is asked, if there is any."""
    with contextlib.suppress(LookupError):
        yield canonical(m, aside(m, viewer).sample(rng))


def wild_line(m: Match, order: Order, rng: random.Random) -> str:
    """Return a line that somebody could send in some position."""
    return line_of(order, wild_fill(m, order, rng))


def wild_fill(m: Match, order: Order, rng: random.Random) -> dict[str, Any]:
    """Return one way to fill the slots of an order out of the whole vocabulary."""
    names = known(m).names
    values: dict[str, Any] = {}
    for slot, vocabulary in order.vocabulary.items():
        if vocabulary == NUMBER:
            values[slot] = rng.randint(0, 9)
        elif vocabulary == TEXT:
            values[slot] = "as we have said, or else"
        elif vocabulary.startswith(SEVERAL):
            listed = names[vocabulary.removeprefix(SEVERAL)]
            values[slot] = rng.sample(listed, min(len(listed), rng.randint(1, 2)))
        else:
            values[slot] = rng.choice(names[vocabulary])
    return values


def artifact_answers(m: Match, viewer: str, mails: Sequence[list[str]], whole: bool) -> Iterator[tuple[str, str]]:
    """What comes back for each mail: a refusal, or the result of a dry run."""
    if viewer != OBSERVER:
        for mail in mails:
            yield f"answer to {mail}", reply(m, viewer, mail)


def reply(m: Match, seat: str, mail: list[str]) -> str:
    """Return what a seat reads when it tries a mail without playing it."""
    try:
        outcome = submit(m, seat, mail, dry_run=True)
    except Refusal as refusal:
        return f"{type(refusal).__name__}: {refusal}"
    told = [outcome.played, outcome.waiting, outcome.returned, outcome.reason, outcome.fence]
    return text_of([*told, view(outcome.match, seat, with_menu=False)])


def artifact_reports(m: Match, viewer: str, mails: Sequence[list[str]], whole: bool) -> Iterator[tuple[str, str]]:
    """Yield what the report is made of, the mail that brings it, and the report in every form, as all of it is sent.

    The news in it has laws of its own, since the past is the past.
    """
    ready = ready_for(Shelf(m), viewer)
    yield "view", text_of(ready["view"])
    yield "report", text_of(ready)
    if viewer != OBSERVER:
        yield "mail", text_of(mailed(m, viewer, ready))
    if whole:
        yield from rendered(m, ready).items()


_renderings: dict[str, dict[str, str]] = {}


def rendered(m: Match, ready: report.Context, *, anew: bool = False) -> dict[str, str]:
    """Return a report in every form.

    Rendering sees nothing but what a report is made of, and the law `pure` demands that it depends on nothing else. So what
    two worlds make of the same is rendered once, which is most of what the laws cost.
    """
    made_of = text_of(ready)
    if anew or made_of not in _renderings:
        made = {f"report as {form}": report.render(ready, form, folders=[folder_of(m.game)]) for form in FORMS}
        if anew:
            return made
        if len(_renderings) > 50:
            _renderings.clear()
        _renderings[made_of] = made
    return _renderings[made_of]


Producer = Callable[[Match, str, Sequence[list[str]], bool], Iterator[tuple[str, str]]]
PRODUCERS: list[Producer] = [artifact_reports, artifact_answers]
"""Whatever makes something that a reader gets is listed here, and the laws hold it to what that reader may know."""


def artifacts(m: Match, viewer: str, mails: Sequence[list[str]] = (), *, whole: bool = True) -> dict[str, str]:
    """Return by name everything that a viewer gets of a match, the answers to some mails included.

    Args:
        m: the match.
        viewer: a seat, or `OBSERVER`.
        mails: submissions that are tried.
        whole: whether the report is written in every form, or what it is made of is enough.
    """
    return {name: text for produce in PRODUCERS for name, text in produce(m, viewer, mails, whole)}


# What playing an answer shows


@dataclass
class Shown:
    """One thing that happened while an answer was played: an event, and whether it revealed what was hidden."""

    event: Event
    revealed: bool
    of: str = ""

    def to(self, viewer: str) -> dict[str, Any]:
        """Return the words that a viewer gets; none if it is told nothing."""
        event = self.event
        if event.get("only", viewer) != viewer:
            return {}
        words = {key: value for key, value in event.items() if key not in ("to", "only")}
        return {**words, **(event.get("to", {}).get(viewer, {}) if viewer != OBSERVER else {})}

    def parts(self, viewer: str) -> bool:
        """Tell whether worlds that a viewer could not tell apart may part here."""
        return self.revealed and (self.of != viewer or not self.of)


@dataclass
class Trace:
    """What playing one answer showed, and the match afterwards."""

    match: Match
    shown: list[Shown]

    def told(self, viewer: str) -> list[tuple[dict[str, Any], bool]]:
        """Return what a viewer was told, each with whether worlds may part there."""
        pairs = [(item.to(viewer), item.parts(viewer)) for item in self.shown]
        return [(words, parts) for words, parts in pairs if words]


def parting(here: Trace, there: Trace, viewer: str, *, either: bool = False) -> tuple[bool, str]:
    """Compare what a viewer was told in two worlds that it could not tell apart.

    Args:
        here, there: what an answer showed in each.
        viewer: a seat, or `OBSERVER`.
        either: whether the worlds may part where something is revealed in one of them alone, and goes on in the other.

    Returns:
        Whether something was revealed that differs, so that the viewer can tell the worlds apart from there on; and what
        else differed before that, which must not be.
    """
    for one, other in zip_longest(here.told(viewer), there.told(viewer), fillvalue=({}, False)):
        if one != other:
            parts = one[1] or other[1] if either else one[1] and other[1]
            return (True, "") if parts else (False, f"{one[0] or 'nothing'} or {other[0] or 'nothing'}")
    return False, ""


def trace(m: Match, decider: str, frame: Frame, act: Callable[[Match, str, Frame], None] = answer) -> Trace:
    """Play one answer on a copy, by its frame and without standing orders, and note what it shows.

    Args:
        m: the match.
        decider: who answers.
        frame: the answer.
        act: what plays it; `interject` for an order that is given at any time.
    """
    world, shown = m.copy(), []
    question = pending(world)
    assert question is not None
    world.events, world.moved, world.sender = [], False, question.decisions[decider].seat if act is answer else decider
    reveal = Match.reveal

    def noted(self: Match, kind: str, *, of: str = "", to: Any = None, **words: Any) -> None:
        start = len(self.events)
        reveal(self, kind, of=of, to=to, **words)
        revealed.update(dict.fromkeys(map(id, self.events[start:]), of))

    revealed: dict[int, str] = {}
    with mock.patch.object(Match, "reveal", noted):
        act(world, decider, frame)
        pending(world)
    world.stop += world.moved
    shown = [Shown(event, id(event) in revealed, revealed.get(id(event), "")) for event in world.events]
    return Trace(world, shown)


def asked_of(m: Match) -> list[Any]:
    """Return what everybody knows of the pending question."""
    question = pending(m)
    return [] if question is None else [question.name, question.interrupts, list(question.decisions), question.seats]


# Ids


def leaves(value: Any) -> Iterator[str]:
    """Yield every text in plain data, and the words of sentences singly."""
    if isinstance(value, str):
        yield value
        yield from value.replace(",", " ").replace(".", " ").split()
    elif isinstance(value, Mapping):
        yield from (leaf for item in value.values() for leaf in leaves(item))
    elif isinstance(value, list):
        yield from (leaf for item in value for leaf in leaves(item))


def hidden_ids(m: Match, viewer: str, pools: Collection[str]) -> set[str]:
    """Return the values that lie hidden from a viewer in the pools whose values are all different."""
    found = hidden_cells(m.table, viewer)
    return {v for key, cells in found.items() if key[0] in pools for c in cells if isinstance(v := c.get(), str) and v}


def hidden_when_told(m: Match, seat: str, lines: list[str], viewer: str, pools: Collection[str]) -> set[str]:
    """Return the ids that a mail tells a viewer while they lie hidden from that viewer."""
    found: set[str] = set()

    def noting(told: Callable[..., None]) -> Callable[..., None]:
        def note(self: Match, *given: Any, **words: Any) -> None:
            start = len(self.events)
            told(self, *given, **words)
            found.update(hidden_ids(self, viewer, pools) & set(leaves(news(self.game, self.events[start:], viewer))))

        return note

    with contextlib.ExitStack() as stack:
        for name in ("tell", "reveal", "whisper"):
            stack.enter_context(mock.patch.object(Match, name, noting(getattr(Match, name))))
        submit(m, seat, lines)
    return found


def first_frames(decision: Any, most: int = 24) -> list[Frame]:
    """Return some of the answers to a decision."""
    return list(islice(decision.frames(), most))
