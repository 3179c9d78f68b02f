"""The laws of an answer: what playing it tells, reveals and sends out; see `laws` for what each demands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.engine import answer, aside, interject, news, pending, view
from referee.lines import canonical
from referee.match import Event, Match
from referee.steps import Frame
from referee.words import MACHINE

from .law_mail import sent, waited_for
from .law_play import At
from .law_sources import Events
from .worlds import (
    artifacts,
    asked_of,
    hidden_ids,
    hidden_when_told,
    leaves,
    parting,
    picture,
    trace,
    twin,
)


def unmoved(at: At, decider: str, frame: Frame) -> None:
    """The same answer shows a viewer the same in worlds that look the same to it, up to what is revealed."""
    here, sender, looking = trace(at.m, decider, frame), at.seat_of(decider), at.readers()
    mails = sent(at.m, here.match, sender, [canonical(at.m, frame)], looking)
    for viewer in looking:
        world, reader = twin(at.m, viewer, at.rng), viewer or "the observer"
        question = pending(world)
        if question is not None and not all(question.takes(*answer) for answer in world.sealed.items()):
            continue  # nobody could have sealed that in this world
        if question is None or not question.takes(decider, frame):
            if not ((question and question.taken) or any(parts for _, parts in here.told(viewer))):
                at.broken("unmoved", f"{reader} could tell from {frame} what was never revealed")
            continue
        there = trace(world, decider, frame)
        parted, odd = parting(here, there, viewer)
        if odd:
            at.broken("unmoved", f"{reader} is told, after {frame}: {odd}")
        if not parted:
            at.same("unmoved", asked_of(here.match), asked_of(there.match), f"who is asked after {frame}, for {reader}")
            views = [view(t.match, viewer) for t in (here, there)]
            at.same("unmoved", *views, f"the view of {reader} after {frame}")
            others = sent(world, there.match, sender, [canonical(at.m, frame)], [viewer])
            at.same("unmoved", mails.get(viewer, {}), others.get(viewer, {}), f"the mail to {reader} after {frame}")


def asides(at: At) -> None:
    """What a seat orders at any time shows a viewer the same in worlds that look the same to it; the question stays."""
    seat = at.rng.choice(at.m.seats)
    try:
        frame = aside(at.m, seat).sample(at.rng)
    except LookupError:
        return
    at.note("asides")
    here, looking = trace(at.m, seat, frame, interject), at.readers()
    mails = sent(at.m, here.match, seat, [canonical(at.m, frame)], looking)
    for viewer in looking:
        world, reader = twin(at.m, viewer, at.rng), viewer or "the observer"
        if frame not in aside(world, seat):
            if viewer == seat:
                at.broken("asides", f"whether {reader} may order {frame} depends on what it cannot see")
            continue
        there = trace(world, seat, frame, interject)
        parted, odd = parting(here, there, viewer)
        if odd:
            at.broken("asides", f"{reader} is told, after {frame}: {odd}")
        if not parted:
            at.same("asides", asked_of(here.match), asked_of(there.match), f"who is asked after {frame}, for {reader}")
            views = [view(t.match, viewer) for t in (here, there)]
            at.same("asides", *views, f"the view of {reader} after {frame}")
            others = sent(world, there.match, seat, [canonical(at.m, frame)], [viewer])
            at.same("asides", mails.get(viewer, {}), others.get(viewer, {}), f"the mail to {reader} after {frame}")


def sealed(at: At, after: Match, seat: str, sealing: Sequence[str]) -> None:
    """A sealed answer changes nothing that anybody else gets, stop and deadlines included, and brings nobody else a mail."""
    at.same("sealed", at.m.stop, after.stop, "the number of the stop")
    at.same("sealed", *waited_for(at.m, after, seat, sealing), "who is waited for, since when")
    at.same("sealed", [seat], list(sent(at.m, after, seat, sealing, [])), "who gets a mail")
    for viewer in at.readers():
        if viewer != seat:
            mails, whole = at.lines(viewer, 3), at.is_whole()
            given = artifacts(at.m, viewer, mails, whole=whole)
            reader = viewer or "the observer"
            at.same("sealed", given, artifacts(after, viewer, mails, whole=whole), f"{reader} after {seat} sealed")
            at.same("sealed", [], news(at.game, after.events, viewer), f"what {reader} is told")


def order(at: At, decider: str, frame: Frame) -> None:
    """In which order sealed answers come in changes nothing of what comes of them."""
    question, answers = pending(at.m), {**at.m.sealed, decider: frame}
    if question is not None and question.taken and answers.keys() == question.decisions.keys():
        turned = dict(at.rng.sample(list(answers.items()), len(answers)))
        at.same("order", *(_closed(at.m, given) for given in (answers, turned)), f"what {list(turned)} sealed in that order")
        at.note("order")


def opened(at: At, decider: str, frame: Frame) -> None:
    """What others sealed shows only as it is revealed: worlds in which they sealed something else part there and not before."""
    question, answers = pending(at.m), {**at.m.sealed, decider: frame}
    if question is None or not question.taken or answers.keys() != question.decisions.keys():
        return
    here = trace(at.m, decider, frame)
    for viewer in at.readers():
        world, others = at.m.copy(), {**answers, **_sealed_otherwise(at, viewer)}
        world.sealed = {name: given for name, given in others.items() if name != decider}
        there = trace(world, decider, others[decider])
        parted, odd = parting(here, there, viewer, either=True)
        if odd:
            at.broken("opened", f"{viewer or 'the observer'} is told, after {answers} or {others}: {odd}")
        if not parted:
            views = [view(t.match, viewer) for t in (here, there)]
            at.same("opened", *views, f"the view of {viewer or 'the observer'} after {answers} or {others}")
    at.note("opened")


def _sealed_otherwise(at: At, viewer: str) -> dict[str, Frame]:
    """Return answers to the joint question for all deciders but those of a viewer."""
    question, found = pending(at.m), {}
    assert question is not None
    for name, decision in question.decisions.items():
        if decision.seat != viewer:
            frames = [decision.sample(at.rng) for _ in range(at.rng.randint(1, 3) if question.gathers else 1)]
            found[name] = question.gathered(name, frames) if question.gathers else frames[0]
    return found


def _closed(m: Match, answers: Mapping[str, Frame]) -> dict[str, Any]:
    """Return everything of a match after sealed answers came in, in the order given."""
    world = m.copy()
    world.sealed, world.events = {}, []
    for decider, frame in answers.items():
        world.question = None  # each mail finds the match as it was saved
        answer(world, decider, frame)
    pending(world)
    return picture(world)


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


def told_ids(at: At, after: Match, mail: tuple[str, list[str]] | None) -> None:
    """What a viewer is told names nothing that was hidden from it then and still is, but for what the viewer wrote."""
    for viewer in at.readers() if at.unique else ():
        told = [event for event in news(at.game, after.events, viewer) if event["kind"] not in MACHINE["events"]]
        found = hidden_ids(after, viewer, at.unique) & set(leaves(told))
        if found and mail:  # what was seen may be covered again within the mail: a hand that is dealt, chosen from and returned
            found &= hidden_when_told(at.m, *mail, viewer, at.unique)
        if found := found - set(at.alike):
            at.broken("hidden ids", f"{viewer or 'the observer'} is told {sorted(found)}: {told}")


def lines(at: At, after: Match, decider: str, frame: Frame) -> None:
    """A line does what its frame does (where nothing stands or waits that would answer as well)."""
    if not (at.m.standing or at.m.kept or at.m.planned):
        by_frame = trace(at.m, decider, frame).match
        parts = ("table", "agenda", "sealed", "over")
        one, other = picture(after), picture(by_frame)
        at.same("lines", [one[p] for p in parts], [other[p] for p in parts], "the match after line and frame")
