"""Agreements of The Phantom League under fire: offers crossing, answers too late, death of a partner; and nobody else hears."""

from __future__ import annotations

import contextlib
import random

import pytest

from games.phantom_league import GAME
from games.phantom_league.deals import agreed, copies, other
from games.phantom_league.mats import captain_of
from referee.engine import aside, pending
from referee.errors import Refusal
from referee.lines import canonical
from referee.match import Match
from referee.orders import submit

from .law_play import SEATS, opening
from .phantom_league.short import GAME as SHORT
from .rules.phantom_league import AGENDA, position
from .worlds import artifacts, wild_line


def at_table(*seats: str, **options: bool) -> Match:
    """Return a match in which it is the turn of the first seat and all captains are at Central."""
    from referee.engine import start

    m = start(GAME, "talks", list(seats), bytes(32), options)
    position(m, {})
    m.agenda, m.stop = list(AGENDA), 5
    return m


def talk(m: Match, rng: random.Random) -> Match:
    """Let somebody say something at any time: what is offered, what was read in an older report, or what fits nothing."""
    seat = rng.choice(m.seats)
    with contextlib.suppress(LookupError, Refusal):
        decision = aside(m, seat)
        line = canonical(m, decision.sample(rng)) if rng.random() < 0.8 else wild_line(m, rng.choice(TALKS), rng)
        return submit(m, seat, [line]).match
    return m


TALKS = [step for step in GAME.steps.values() if getattr(step, "anytime", False)]


@pytest.mark.parametrize("seed", range(12))
def test_whatever_is_said_the_books_agree_and_the_match_goes_on(seed: int) -> None:
    at = opening(SHORT, seed)
    m, rng = at.m, at.rng
    for _ in range(700):
        if m.over:
            break
        for _ in range(rng.choice([0, 1, 3])):
            m = talk(m, rng)
            SHORT.check(m)
        question = pending(m)
        if question is None:
            break
        decision = rng.choice([d for d in question.decisions.values() if d.decider not in m.sealed])
        line = canonical(m, decision.sample(rng))
        with contextlib.suppress(Refusal):
            m = submit(m, decision.seat, [f"{decision.decider}: {line}" if decision.decider != decision.seat else line]).match
        SHORT.check(m)
        for who in m.seats:
            assert all(len(copies(m, deal)) in (1, 2) and other(deal, who) in m.seats for deal in agreed(m, who))


def test_the_same_number_never_means_another_proposal() -> None:
    m, seen = at_table("alice", "bob"), set()
    for count in range(1, 6):
        m = submit(m, "alice", ["propose to bob", f"let alice pay {count}", "send proposal"]).match
        number = next(deal.number for deal in captain_of(m, "bob").deals)
        assert number not in seen
        seen.add(number)
        m = submit(m, "alice", [f"retract from bob on {number}"]).match


@pytest.mark.parametrize("secret", [False, True])
def test_nobody_else_can_tell_that_two_have_talked(secret: bool) -> None:
    m = at_table("alice", "bob", "carol", **{"secret-agreements": secret})
    before = {viewer: artifacts(m, viewer, [["end"], ["agree with bob on 1"]]) for viewer in ("carol", "")}
    m = submit(m, "alice", ["propose to bob", "let alice keep peace until 9", "besides hush", "send proposal"]).match
    assert {viewer: artifacts(m, viewer, [["end"], ["agree with bob on 1"]]) for viewer in ("carol", "")} == before
    m = submit(m, "bob", ["counter alice on 1", "strike 2", "send proposal"]).match
    assert {viewer: artifacts(m, viewer, [["end"], ["agree with bob on 1"]]) for viewer in ("carol", "")} == before
    m = submit(m, "alice", ["agree with bob on 2"]).match
    assert ({viewer: artifacts(m, viewer, [["end"], ["agree with bob on 1"]]) for viewer in ("carol", "")} == before) == secret


def test_with_the_death_of_a_partner_all_that_was_agreed_and_proposed_is_gone() -> None:
    m = at_table(*SEATS[:3])
    m = submit(m, "alice", ["propose to bob", "let alice keep peace until 9", "send proposal"]).match
    m = submit(m, "bob", ["agree with alice on 1", "propose to alice", "let bob pay 10", "send proposal"]).match
    assert GAME.resign is not None
    GAME.resign(m, "bob")
    m.question = None
    pending(m)
    assert not m.table.deals
    assert not captain_of(m, "alice").deals
    GAME.check(m)


def test_no_more_than_so_many_proposals_and_terms_are_taken() -> None:
    m = at_table("alice", "bob")
    for _ in range(10):
        m = submit(m, "alice", ["propose to bob", "let alice pay 1", "send proposal"]).match
    with pytest.raises(Refusal, match="wait for an answer"):
        submit(m, "alice", ["propose to bob"])
    m = submit(m, "bob", ["propose to alice", *["let alice pay 1"] * 12]).match
    with pytest.raises(Refusal, match="at most 12 terms"):
        submit(m, "bob", ["let alice pay 1"])
