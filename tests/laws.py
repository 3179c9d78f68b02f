"""The laws that every game and the machine keep, checked over random play through offered lines.

A game's tests call `check_all(GAME, seeds, FIELDS, EVENTS, unique=...)` with two lists written by hand from the rulebook:

    FIELDS = {"Boat.hold": "hand", ...}          each field of each record, and who may see it
    EVENTS = {"peeks": (("who", "chest"), ("find",)), ...}   each kind of event: shared keys, then private keys

The keys of an event that is whispered to one seat count as private, and its shared keys are `()`. `unique` names the pools
in which no two things are called the same; their hidden ids must not occur in anything that a viewer gets.

=============  ========================================================================================
`visibility`   the fields say what the list written by hand says
`events`       events have the keys of the list written by hand
`words`        every kind of event, question and reason has its sentence, and every sentence its use
`late names`   steps named before their chapter exist and take those arguments
`ends`         a match is over after so many lines
`answerable`   whoever is asked can answer, and what is sampled is offered
`slots`        the partner of an order gives the slots of its line, in that order
`offered`      a listed line is read as the frame that it was written from
`pure`         asking, listing, viewing and refusing change nothing
`agenda`       frames name steps with their exact arguments, in data that can be saved
`conserved`    the game's own check holds
`saved`        what is written, read and written again is the same
`copied`       a copy shares nothing with its original
`twins`        what a viewer gets is the same in every world that looks the same to it
`unmoved`      the same answer shows a viewer the same in such worlds, up to what is revealed
`hidden ids`   nothing hidden from a viewer is named to it
`sealed`       a sealed answer changes nothing that anybody else gets
`stop`         the number of the stop rises by one at a public answer, and only then
`lines`        a line does what its frame does
`dice`         nothing but the seed gives chance
`replay`       the same lines give the same match in every process
=============  ========================================================================================
"""

from __future__ import annotations

import ast
import contextlib
import hashlib
import importlib
import os
import random
import re
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn
from unittest import mock

from referee import save
from referee.ask import No
from referee.components import folder_of
from referee.engine import begin, news, pending, start, view
from referee.errors import Refusal
from referee.lines import canonical, known, plain, read
from referee.match import Event, Game, Match
from referee.orders import submit
from referee.see import Record, dump, load
from referee.steps import Frame, Order
from referee.words import MACHINE, sentences

from .worlds import (
    artifacts,
    asked_of,
    difference,
    far_twin,
    first_frames,
    hidden_ids,
    leaves,
    offered_lines,
    picture,
    readers,
    some_lines,
    text_of,
    trace,
    twin,
    wild_line,
)

SEATS = ("alice", "bob", "carol", "dave", "erin", "frank")
Keys = tuple[str, ...]
Events = Mapping[str, tuple[Keys, Keys]]


class Broken(AssertionError):
    """A law does not hold; says which, and where."""

    def __init__(self, law: str, where: str, what: str) -> None:
        """Keep the name of the law."""
        super().__init__(f"law “{law}” is broken: {where}: {what}")
        self.law = law


@dataclass
class At:
    """A position in a random match: before line number `line`."""

    game: Game
    seed: int
    m: Match
    rng: random.Random
    line: int = 0
    unique: Collection[str] = ()
    most: int = 400
    text: str = ""
    log: list[Event] = field(default_factory=list)

    def broken(self, law: str, what: str) -> NoReturn:
        """Say that a law is broken here."""
        raise Broken(law, f"{self.game.slug}, seed {self.seed}, line {self.line} {self.text!r}", what)

    def same(self, law: str, one: Any, other: Any, what: str) -> None:
        """Demand that two pieces of plain data are equal."""
        if found := difference(one, other):
            self.broken(law, f"{what}: {found}")


# Random play


def opening(game: Game, seed: int, unique: Collection[str] = (), most: int = 400) -> At:
    """Return the first position of the random match of a seed, with random options and number of seats."""
    rng = random.Random(seed)
    low, high = game.seats
    seats = SEATS[: rng.randint(low, high)]
    options = {name: rng.choice([o.default, _some_value(o, seats, rng)]) for name, o in game.options.items()}
    m = start(game, f"law-{seed}", seats, hashlib.sha256(str(seed).encode()).digest(), options)
    begin(m, {seats[0]: "nonce"})
    return At(game, seed, m, rng, unique=unique, most=most, log=m.events[:])


def _some_value(option: Any, seats: Sequence[str], rng: random.Random) -> Any:
    if isinstance(option.default, bool):
        return rng.random() < 0.5
    if isinstance(option.default, int) and option.choices:
        return rng.randint(option.choices[0], option.choices[-1])
    return rng.choice([c for c in [*option.choices, option.default] if c != "seat"])


def next_mail(at: At) -> tuple[str, list[str], str, Frame]:
    """Choose who answers what: the seat, its lines, the decider and the frame that the last line means."""
    question = pending(at.m)
    assert question is not None
    waiting = [d for d in question.decisions.values() if d.decider not in at.m.sealed or at.rng.random() < 0.1]
    decision = at.rng.choice(waiting or list(question.decisions.values()))
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
        if read(at.m, decision, short) == frame:
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
    with contextlib.suppress(Refusal):
        after = submit(at.m, seat, mail).match
        at.same("pure", before, picture(at.m), f"the match that {seat} played {mail} on")
        at.m, at.log = after, at.log + after.events
        return
    at.same("pure", before, picture(at.m), f"the refusal of {mail} from {seat}")


# Laws of a position


def answerable(at: At) -> None:
    """Whoever is asked can answer, and what is sampled is among the answers."""
    question = pending(at.m)
    assert question is not None
    for decision in question.decisions.values():
        try:
            frame = decision.sample(at.rng)
        except LookupError as error:
            at.broken("answerable", str(error))
        if frame not in decision:
            at.broken("answerable", f"{frame} is sampled for {decision.decider} and not offered")


def slots(at: At) -> None:
    """The partner of an order gives the slots of its line, in the order of the line, where a bound may depend."""
    question = pending(at.m)
    assert question is not None
    for offer in [offer for decision in question.decisions.values() for offer in decision.offers]:
        if not isinstance(offer.slots, No) and list(offer.slots) != offer.order.slots:
            at.broken("slots", f"{offer.order.name} has {offer.order.slots} and is given {list(offer.slots)}")


def offered(at: At) -> None:
    """A listed line is accepted and means the frame that it was written from."""
    question = pending(at.m)
    assert question is not None
    for decision in question.decisions.values():
        for frame in first_frames(decision):
            line = canonical(at.m, frame)
            try:
                meant = read(at.m, decision, line)
            except Refusal as refusal:
                at.broken("offered", f"{line!r} is written for {frame} and refused: {refusal}")
            if meant != frame or frame not in decision:
                at.broken("offered", f"{line!r} is written for {frame} and read as {meant}")


def pure(at: At) -> None:
    """Asking, listing, viewing and refusing change nothing; asking again asks the same."""
    before, asked = picture(at.m), asked_of(at.m)
    at.m.question = None
    at.same("pure", asked, asked_of(at.m), "asking again")
    for viewer in readers(at.m):
        artifacts(at.m, viewer, some_lines(at.m, viewer, at.rng, 3) if viewer else ())
        at.same("pure", before, picture(at.m), f"making what {viewer or 'the observer'} gets")


def agenda(at: At) -> None:
    """Frames name steps of the game with their exact arguments, in data that can be saved."""
    for frame in [*at.m.agenda, *at.m.sealed.values()]:
        _check_frame(at, frame)


def _check_frame(at: At, value: Any) -> None:
    if type(value) is dict and "do" in value:
        step = at.game.steps.get(value["do"])
        if step is None or value.keys() - {"do"} != step.params:
            at.broken("agenda", f"{value} is no step with its arguments")
    if type(value) not in (str, int, bool, list, dict):
        at.broken("agenda", f"{value!r} of type {type(value).__name__} cannot be saved")
    for item in value.values() if type(value) is dict else value if type(value) is list else ():
        _check_frame(at, item)


def conserved(at: At) -> None:
    """The game's own check holds."""
    try:
        at.game.check(at.m)
    except AssertionError as error:
        at.broken("conserved", str(error))


def roundtrip(m: Match) -> Match:
    """Return the match that is read from what is written of it; the place where saves come into the laws."""
    data = save.body(save.Save(m, save.Entry(1)))
    with mock.patch.object(save, "find_game", lambda slug: m.game):
        return save.parse(data, "the save", lambda name: b"").match


def saved(at: At) -> None:
    """What is written, read and written again is the same, byte for byte."""
    table = dump(at.m.table)
    at.same("saved", table, dump(load(at.game.table, table)), "the table read again")
    try:
        again = roundtrip(at.m)
    except (ValueError, TypeError) as error:
        at.broken("saved", str(error))
    texts = [save.body(save.Save(m, save.Entry(1))).decode().split("\n") for m in (at.m, again)]
    at.same("saved", *texts, "the save written again")


def copied(at: At) -> None:
    """A copy shares nothing changeable with its original."""
    before, copy = picture(at.m), at.m.copy()
    _wreck(copy.table)
    for name in ("agenda", "events", "sealed", "standing", "kept", "options", "holders", "seats", "nonces"):
        _wreck(getattr(copy, name))
    copy.chance.roll(6)
    at.same("copied", before, picture(at.m), "the match after its copy was wrecked")


def _wreck(value: Any) -> None:
    """Empty every list and dict in a value (frames and events alone are never changed, and may be shared)."""
    if isinstance(value, Record):
        for name in type(value).fields:
            _wreck(getattr(value, name))
    elif isinstance(value, list | dict):
        for item in value.values() if isinstance(value, dict) else value:
            if isinstance(item, Record | list):
                _wreck(item)
        value.clear()


def twins(at: At) -> None:
    """What a viewer gets is the same in every world that looks the same to it."""
    for viewer in readers(at.m):
        mails = some_lines(at.m, viewer, at.rng) if viewer else []
        world = far_twin(at.m, viewer, at.rng)
        given = artifacts(at.m, viewer, mails)
        at.same("twins", given, artifacts(world, viewer, mails), f"{viewer or 'the observer'} in a world that looks the same")


def named(at: At) -> None:
    """No hidden id occurs in a view, but for what the viewer wrote."""
    for viewer in readers(at.m):
        given = {part: value for part, value in view(at.m, viewer).items() if part not in ("standing", "kept")}
        if found := hidden_ids(at.m, viewer, at.unique) & set(leaves(given)):
            at.broken("hidden ids", f"the view of {viewer or 'the observer'} has {sorted(found)}")


POSITION_LAWS = (answerable, slots, agenda, conserved, pure, offered, saved, copied, twins, named)


# Laws of an answer


def unmoved(at: At, decider: str, frame: Frame) -> None:
    """The same answer shows a viewer the same in worlds that look the same to it, up to what is revealed."""
    here = trace(at.m, decider, frame)
    question = pending(at.m)
    assert question is not None
    for viewer in readers(at.m):
        world = twin(at.m, viewer, at.rng)
        reader = viewer or "the observer"
        told, parted = here.prefix(viewer)
        if frame not in pending(world).decisions[decider]:  # type: ignore[union-attr]
            if (told or not parted) and not question.taken:
                at.broken("unmoved", f"{reader} could tell from {frame} what was never revealed")
            continue
        there = trace(world, decider, frame)
        at.same("unmoved", [told, parted], list(there.prefix(viewer)), f"what {reader} is told after {frame}")
        if not parted:
            at.same("unmoved", asked_of(here.match), asked_of(there.match), f"who is asked after {frame}, for {reader}")
            views = [view(t.match, viewer) for t in (here, there)]
            at.same("unmoved", *views, f"the view of {reader} after {frame}")


def sealed(at: At, after: Match, seat: str) -> None:
    """A sealed answer changes nothing that anybody else gets, the number of the stop included."""
    for viewer in readers(at.m):
        if viewer != seat:
            mails = some_lines(at.m, viewer, at.rng, 3) if viewer else []
            given = artifacts(at.m, viewer, mails)
            at.same("sealed", given, artifacts(after, viewer, mails), f"{viewer or 'the observer'} after {seat} sealed")
            at.same("sealed", [], news(at.game, after.events, viewer), f"what {viewer or 'the observer'} is told")


def stop(at: At, after: Match) -> None:
    """The number of the stop rises by one when a question was answered in public, and only then."""
    if after.stop != at.m.stop + 1:
        at.broken("stop", f"it was {at.m.stop} and is {after.stop} after a public answer")


def shown_events(at: At, events: Events, told: Sequence[Event]) -> None:
    """Events have the keys of the list written by hand, and name nothing hidden."""
    for event in told:
        kind = event["kind"]
        shared = set() if "only" in event else event.keys() - {"kind", "to"}
        private = event.keys() - {"kind", "only"} if "only" in event else {k for w in event.get("to", {}).values() for k in w}
        if kind not in MACHINE["events"] and (kind not in events or (shared, private) != tuple(map(set, events[kind]))):
            at.broken("events", f"{kind} has the shared keys {sorted(shared)} and the private keys {sorted(private)}")


def told_ids(at: At, after: Match) -> None:
    """What a viewer is told names nothing that is still hidden from it, but for what the viewer wrote."""
    for viewer in readers(after):
        told = [event for event in news(at.game, after.events, viewer) if event["kind"] not in MACHINE["events"]]
        if found := hidden_ids(after, viewer, at.unique) & set(leaves(told)):
            at.broken("hidden ids", f"{viewer or 'the observer'} is told {sorted(found)}: {told}")


def lines(at: At, after: Match, decider: str, frame: Frame) -> None:
    """A line does what its frame does (where nothing stands or waits that would answer as well)."""
    if not (at.m.standing or at.m.kept):
        by_frame = trace(at.m, decider, frame).match
        parts = ("table", "agenda", "sealed", "over")
        one, other = picture(after), picture(by_frame)
        at.same("lines", [one[p] for p in parts], [other[p] for p in parts], "the match after line and frame")


# One match


def check_match(game: Game, seed: int, events: Events, unique: Collection[str] = (), most: int = 400, every: int = 1) -> At:
    """Play the random match of a seed and check the laws of positions and answers at every so many lines.

    Raises:
        Broken: a law does not hold.
    """
    at = opening(game, seed, unique, most)
    shown_events(at, events, at.m.events)
    while not at.m.over:
        at.line += 1
        if at.line > at.most:
            at.broken("ends", "the match goes on and on")
        disturb(at)
        if not at.m.over:
            _check_line(at, events, at.line % every == 0)
    conserved(at)
    twins(at)
    return at


def _check_line(at: At, events: Events, closely: bool) -> None:
    for law in POSITION_LAWS if closely else (answerable, agenda, conserved):
        law(at)
    seat, mail, decider, frame = next_mail(at)
    at.text = f"{seat}: {mail[0]}"
    if closely:
        unmoved(at, decider, frame)
    after = play(at, seat, mail)
    shown_events(at, events, after.events)
    told_ids(at, after)
    if after.sealed and not after.moved:
        sealed(at, after, seat)
    else:
        stop(at, after)
    if closely:
        lines(at, after, decider, frame)
    at.m, at.log = after, at.log + after.events


# Laws of chance


def record(game: Game, seed: int, most: int = 400) -> tuple[list[tuple[str, list[str]]], str]:
    """Play a random match without checking it; return the mails, and everything afterwards as text."""
    at, mails = opening(game, seed, most=most), []
    while not at.m.over and len(mails) < at.most:
        seat, mail, _, _ = next_mail(at)
        mails.append((seat, mail))
        at.m = play(at, seat, mail)
        at.log += at.m.events
    return mails, text_of([picture(at.m), at.log])


def replayed(game: Game, seed: int, mails: Sequence[tuple[str, list[str]]]) -> str:
    """Play recorded mails again; return everything afterwards as text."""
    at = opening(game, seed)
    with _poisoned():
        at.m = opening(game, seed).m
        at.log = at.m.events[:]
        for seat, mail in mails:
            at.m = play(at, seat, mail)
            at.log += at.m.events
    return text_of([picture(at.m), at.log])


@contextlib.contextmanager
def _poisoned() -> Iterator[None]:
    """Let every other source of chance, and the clock, raise."""

    def poison(*args: Any, **named: Any) -> NoReturn:
        raise Broken("dice", "chance", "something else than the seed was asked for chance or time")

    places: list[tuple[Any, str]] = [(os, "urandom"), (uuid, "uuid4"), (uuid, "uuid1")]
    places += [(random, name) for name in ("random", "randint", "randrange", "choice", "shuffle", "sample", "getrandbits")]
    places += [(time, name) for name in ("time", "time_ns", "monotonic", "perf_counter")]
    with contextlib.ExitStack() as stack:
        for module, name in places:
            stack.enter_context(mock.patch.object(module, name, poison))
        yield


def dice(game: Game, seed: int, most: int = 400) -> None:
    """Nothing but the seed gives chance: recorded lines give the same match when all other sources are poisoned."""
    mails, text = record(game, seed, most)
    if replayed(game, seed, mails) != text:
        raise Broken("dice", f"{game.slug}, seed {seed}", "the same lines gave another match")


def replay(game: Game, reference: str, seed: int) -> None:
    """The same seed gives the same match in fresh processes that order their sets differently."""
    command = [sys.executable, "-m", "tests.replay", reference, str(seed)]
    runs = [
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=False)
        for hash_seed in ("1", "2", "77")
    ]
    for run in runs:
        if run.returncode or run.stdout != runs[0].stdout:
            raise Broken("replay", f"{game.slug}, seed {seed}", run.stderr or "two processes played differently")


# Laws of the sources


def visibility(game: Game, fields: Mapping[str, str]) -> None:
    """The fields of all records say what the list written by hand says."""
    package = sys.modules[game.package]
    records = {cls for cls in _records(package) if cls.__module__.startswith(game.package)}
    declared = {f"{cls.__name__}.{name}": see.word for cls in records for name, see in cls.fields.items()}
    for name in sorted(declared.keys() | fields.keys()):
        if declared.get(name) != fields.get(name):
            raise Broken("visibility", game.slug, f"{name} is {declared.get(name)} and should be {fields.get(name)}")


def _records(package: Any) -> list[type[Record]]:
    found, left = [], [Record]
    while left:
        below = left.pop().__subclasses__()
        # A class that was replaced in its module is no part of the game any more.
        found += [cls for cls in below if getattr(importlib.import_module(cls.__module__), cls.__name__, None) is cls]
        left += below
    return found


def calls(game: Game) -> Iterator[ast.Call]:
    """Yield every call in the sources of a game."""
    for path in sorted(folder_of(game).glob("*.py")):
        yield from (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))


def _texts(node: ast.AST | None) -> set[str]:
    found = ast.walk(node) if node else ()
    return {part.value for part in found if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    keyword = next((k.value for k in call.keywords if k.arg == name), None)
    return call.args[position] if len(call.args) > position else keyword


_SAYERS: dict[str, tuple[str, int, str]] = {
    "tell": ("events", 0, "kind"),
    "reveal": ("events", 0, "kind"),
    "whisper": ("events", 1, "kind"),
    "ask": ("questions", 1, "name"),
    "ask_all": ("questions", 0, "name"),
    "no": ("reasons", 0, "key"),
}


def used_words(game: Game) -> dict[str, set[str]]:
    """Return the keys of sentences that the sources of a game use, by chapter."""
    used: dict[str, set[str]] = {"events": set(), "questions": set(), "reasons": set()}
    for call in calls(game):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in _SAYERS:
            chapter, position, keyword = _SAYERS[name]
            argument = _argument(call, position, keyword)
            if isinstance(argument, ast.IfExp):
                used[chapter] |= _texts(argument.body) | _texts(argument.orelse)
            elif isinstance(argument, ast.Constant):
                used[chapter] |= _texts(argument)
    return used


def words(game: Game, events: Events) -> None:
    """Every kind of event, question and reason has its sentence, and every sentence its use and its words."""
    used, written = used_words(game), sentences(game)
    for chapter, keys in used.items():
        known_keys = {key.removesuffix(".own").removesuffix(".why") for key in written.get(chapter, {})}
        if odd := keys ^ (known_keys - MACHINE.get(chapter, {}).keys()):
            raise Broken("words", game.slug, f"{chapter}: used or written, and not both: {sorted(odd)}")
    if odd := used["events"] ^ events.keys():
        raise Broken("words", game.slug, f"events in the sources or in the list, and not in both: {sorted(odd)}")
    for key, text in written["events"].items():
        shared, private = events.get(key.removesuffix(".own"), ((), ()))
        allowed = {*shared, *(private if key.endswith(".own") or not shared else ())}
        if key not in MACHINE["events"] and (odd := set(re.findall(r"{(\w+)}", text)) - allowed):
            raise Broken("words", game.slug, f"the sentence {key!r} wants {sorted(odd)}, which its reader does not get")


def late_names(game: Game) -> None:
    """Steps named before their chapter exist and take those arguments; so do the steps that take joint answers."""
    for call in calls(game):
        func = call.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "step":
            found = game.steps.get(func.attr)
            given = {keyword.arg for keyword in call.keywords}
            if found is None or (None not in given and given != found.params):
                raise Broken("late names", game.slug, f"step.{func.attr}({', '.join(map(str, given))}) is no step")
        if isinstance(func, ast.Attribute) and func.attr == "ask_all":
            for taken in _texts(_argument(call, 2, "taken")):
                if taken not in game.steps or game.steps[taken].params != {"answers"}:
                    raise Broken("late names", game.slug, f"{taken!r} does not take the answers of a joint question")


def check_sources(game: Game, fields: Mapping[str, str], events: Events) -> None:
    """Check the laws that need no match.

    Raises:
        Broken: a law does not hold.
    """
    visibility(game, fields)
    words(game, events)
    late_names(game)


def check_all(
    game: Game,
    seeds: Collection[int],
    fields: Mapping[str, str],
    events: Events,
    *,
    unique: Collection[str] = (),
    reference: str = "",
    most: int = 400,
    every: int = 1,
) -> None:
    """Check every law of a game over the random matches of some seeds.

    Args:
        game: the game.
        seeds: one match each.
        fields: for each `Class.field` its visibility word, written by hand.
        events: for each kind of event its shared and its private keys, written by hand.
        unique: the pools in which all things have different names.
        reference: where a fresh process finds the game, as `module:attribute`; the game's own package by default.
        most: how many lines a match may take.
        every: the costly laws are checked at every so many lines.

    Raises:
        Broken: a law does not hold; names game, seed, line and what differed.
    """
    check_sources(game, fields, events)
    for seed in seeds:
        check_match(game, seed, events, unique, most, every)
    first = min(seeds)
    dice(game, first, most)
    replay(game, reference or f"{game.package}:GAME", first)
