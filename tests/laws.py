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
`listed`       what is accepted is listed
`pure`         asking, listing, viewing and refusing change nothing
`agenda`       frames name steps with their exact arguments, in data that can be saved
`conserved`    the game's own check holds
`saved`        what is written, read and written again is the same
`copied`       a copy shares nothing with its original
`twins`        what a viewer gets is the same in every world that looks the same to it
`asides`       what is ordered at any time is answered alike in such worlds, and asks the same again
`unmoved`      the same answer shows a viewer the same in such worlds, up to what is revealed
`hidden ids`   nothing hidden from a viewer is named to it
`sealed`       a sealed answer changes nothing that anybody else gets, deadlines included, and nobody else gets a mail
`order`        in which order sealed answers come in changes nothing
`opened`       what others sealed shows only as it is revealed
`stop`         the number of the stop rises by one at a public answer, and only then
`lines`        a line does what its frame does
`dice`         nothing but the seed gives chance
`replay`       the same lines give the same match in every process
=============  ========================================================================================
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from itertools import islice
from typing import Any
from unittest import mock

from referee import save
from referee.engine import pending, view
from referee.errors import Refusal, Unverified
from referee.lines import canonical, read
from referee.match import Game, Match
from referee.see import Record, dump, load
from referee.slots import No

from .law_answers import asides, lines, opened, order, sealed, shown_events, stop, told_ids, unmoved
from .law_chance import dice, replay
from .law_mail import Shelf, ready_for
from .law_play import At, Broken, disturb, next_mail, opening, play
from .law_sources import Events, check_sources
from .worlds import (
    artifacts,
    asked_of,
    far_twin,
    first_frames,
    hidden_ids,
    leaves,
    picture,
    rendered,
    wild_fill,
)

__all__ = ["At", "Broken", "Events", "check_all", "check_match", "check_sources", "dice", "replay"]

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
    for viewer in at.readers()[:1] if at.few else at.readers():
        artifacts(at.m, viewer, at.lines(viewer, 3), whole=at.is_whole())
        at.same("pure", before, picture(at.m), f"making what {viewer or 'the observer'} gets")
    if at.is_whole():
        ready = ready_for(Shelf(at.m), at.rng.choice(at.readers()))
        at.same("pure", rendered(at.m, ready), rendered(at.m, ready, anew=True), "the same report made again")


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


def written(m: Match) -> bytes:
    """Return a match as a save of its own, with nothing else in it."""
    entry = save.Entry(1, at="2026-01-01T00:00:00Z", move={"kind": "new"}, reported=dict.fromkeys(m.seats, -1))
    return save.body(save.Save(m, entry))


def roundtrip(m: Match) -> Match:
    """Return the match that is read from what is written of it; the place where saves come into the laws."""
    data = written(m)
    with mock.patch.object(save, "find_game", return_value=m.game):
        return save.parse(data, "the save", lambda name: b"").match


def saved(at: At) -> None:
    """What is written, read and written again is the same, byte for byte."""
    table = dump(at.m.table)
    at.same("saved", table, dump(load(at.game.table, table)), "the table read again")
    try:
        again = roundtrip(at.m)
    except (ValueError, TypeError, Unverified) as error:
        at.broken("saved", str(error))
    texts = [written(m).decode().split("\n") for m in (at.m, again)]
    at.same("saved", *texts, "the save written again")


def copied(at: At) -> None:
    """A copy shares nothing changeable with its original."""
    before, copy = picture(at.m), at.m.copy()
    _wreck(copy.table)
    for name in ("agenda", "events", "sealed", "standing", "kept", "planned", "options", "holders", "seats", "nonces"):
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
    for viewer in at.readers():
        mails, whole = at.lines(viewer, 2 if at.few else 8), at.is_whole()
        world = far_twin(at.m, viewer, at.rng)
        given = artifacts(at.m, viewer, mails, whole=whole)
        at.same(
            "twins",
            given,
            artifacts(world, viewer, mails, whole=whole),
            f"{viewer or 'the observer'} in a world that looks the same",
        )


def named(at: At) -> None:
    """No hidden id occurs in a view, but for what the viewer wrote."""
    for viewer in at.readers() if at.unique else ():
        given = {part: value for part, value in view(at.m, viewer).items() if part not in ("standing", "kept", "planned")}
        if found := hidden_ids(at.m, viewer, at.unique) & set(leaves(given)) - set(at.alike):
            at.broken("hidden ids", f"the view of {viewer or 'the observer'} has {sorted(found)}")


def listed(at: At) -> None:
    """What is accepted is listed: things that could be sent in some position are taken only if they are among the answers."""
    question = pending(at.m)
    assert question is not None
    for offer in [offer for decision in question.decisions.values() for offer in decision.offers]:
        for fill in [wild_fill(at.m, offer.order, at.rng) for _ in range(6)]:
            if not isinstance(offer.slots, No) and offer.takes(fill) and not _lists(offer, fill):
                at.broken("listed", f"{offer.order.name} takes {fill} and does not list it")


def _lists(offer: Any, fill: Mapping[str, Any], most: int = 5000) -> bool:
    """Tell whether a way to fill the slots is listed, or the list is too long to look through."""
    listed = list(islice(offer.fills(), most + 1))
    return fill in listed or len(listed) > most


POSITION_LAWS: dict[str, Callable[[At], None]] = {
    "answerable": answerable,
    "slots": slots,
    "agenda": agenda,
    "conserved": conserved,
    "pure": pure,
    "offered": offered,
    "listed": listed,
    "saved": saved,
    "copied": copied,
    "twins": twins,
    "hidden ids": named,
}
CHEAP = ("answerable", "agenda", "conserved")


# One match


def check_match(game: Game, seed: int, events: Events, every: int = 1, **more: Any) -> At:
    """Play the random match of a seed and check the laws of positions and answers at every so many lines.

    Args:
        game: the game.
        seed: the seed.
        events: see the head of this module.
        every: the costly laws are checked at every so many lines.
        more: `unique`, `alike`, `most`, `only` and `few` of `At`.

    Raises:
        Broken: a law does not hold.
    """
    at = opening(game, seed, **more)
    after_answer(at, events, at.m, None)
    while not at.m.over:
        at.line += 1
        if at.line > at.most:
            at.broken("ends", "the match goes on and on")
        disturb(at)
        if not at.m.over:
            _check_line(at, events, at.line % every == 0 or at.is_new())
    for law in ("conserved", "twins", "hidden ids", "saved"):
        if at.holds(law):
            POSITION_LAWS[law](at)
    return at


def _check_line(at: At, events: Events, closely: bool) -> None:
    for name, law in POSITION_LAWS.items():
        if at.holds(name) and (closely or name in CHEAP):
            law(at)
            at.note(name)
    if closely and at.holds("asides"):
        asides(at)
    seat, mail, decider, frame = next_mail(at)
    at.text = f"{seat}: {mail[0]}"
    if closely and at.holds("unmoved"):
        unmoved(at, decider, frame)
        at.note("unmoved")
    if at.holds("order"):
        order(at, decider, frame)
    if at.holds("opened"):
        opened(at, decider, frame)
    after = play(at, seat, mail)
    after_answer(at, events, after, (seat, mail))
    if decider in after.sealed and after.agenda == at.m.agenda:
        if at.holds("sealed") and (closely or not at.few):
            sealed(at, after, seat, mail)
            at.note("sealed")
    elif at.holds("stop"):
        stop(at, after)
    if closely and at.holds("lines"):
        lines(at, after, decider, frame)
        at.note("lines")
    at.m, at.log = after, at.log + after.events


def after_answer(at: At, events: Events, after: Match, mail: tuple[str, list[str]] | None) -> None:
    """Check what an answer told, and the begin, which no mail led to."""
    if at.holds("events"):
        shown_events(at, events, after.events)
    if at.holds("hidden ids") and (not at.few or at.rng.random() < 0.3):
        told_ids(at, after, mail)


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
        check_match(game, seed, events, every, unique=unique, most=most)
    first = min(seeds)
    dice(game, first, most)
    replay(game, reference or f"{game.package}:GAME", first)
