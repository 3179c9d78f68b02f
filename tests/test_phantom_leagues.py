"""Phantom Leagues under fire: laws over matches with Leagues from the start, breaches and deaths in the midst, reports."""

from __future__ import annotations

import ast
import random
from typing import Any

import pytest

from games.phantom_league import GAME, mats
from games.phantom_league.common_turn import next_place, who_has_turn
from games.phantom_league.leagues import companions, home_of
from games.phantom_league.table import League
from referee import engine, late, report
from referee.components import folder_of
from referee.context import bare_context
from referee.match import Match
from referee.orders import submit

from . import laws
from .phantom_league import leagued
from .phantom_league.visibility import EVENTS, UNIQUE
from .rules.phantom_league import position

SEATS = ["alice", "bob", "carol", "dave", "erin", "frank"]
NAMED = tuple(pool for pool in UNIQUE if pool not in ("alliance ships", "orange half-hexes"))
"""A patrol is met without its card being drawn, so that it is named while it lies in the deck; and one System has the name of a
side of a Battle card."""


def laid_out(seats: int, agenda: list[dict[str, Any]], **table: Any) -> Match:
    """Return the plain position of the scenarios with what is given, at its first question."""
    m = engine.start(GAME, "pl", SEATS[:seats], bytes(32))
    position(m, {"first": "alice", **table})
    m.do(*agenda)
    engine.pending(m)
    return m


def begun(seed: int, **options: Any) -> Match:
    """Return a match of the leagued game that waits for its first answer."""
    m = engine.start(leagued.GAME, f"leagues-{seed}", SEATS[: 2 + seed % 5], bytes([seed % 256]) * 32, options)
    engine.begin(m, {})
    return m


# The laws


@pytest.mark.parametrize("seed", range(3))
def test_the_laws_hold_with_leagues(seed: int) -> None:
    laws.check_match(leagued.GAME, seed, EVENTS, every=8, unique=NAMED, most=3000)


def test_a_match_with_leagues_is_the_same_in_every_process() -> None:
    laws.replay(leagued.GAME, "tests.phantom_league.leagued:GAME", 11)


@pytest.mark.parametrize("seed", range(12))
def test_random_matches_with_leagues_end_and_nobody_gains_or_loses_a_turn(seed: int) -> None:
    pick, m, told = random.Random(seed), begun(seed, rounds=3, **{"mostly-harmless": bool(seed % 2)}), set()
    while not m.over:
        question = engine.pending(m)
        assert question is not None
        decider = pick.choice([d for d in question.decisions if d not in m.sealed])
        engine.answer(m, decider, question.decisions[decider].sample(pick))
        engine.pending(m)
        leagued.GAME.check(m)
        told |= {event["kind"] for event in m.events}
        m.events.clear()
    if m.table.ended == "rounds":
        assert {mats.captain_of(m, seat).turns for seat in mats.alive(m)} == {3}
    assert "turn" in told or "common turn" in told


@pytest.mark.parametrize("seed", range(8))
def test_a_member_may_resign_at_any_moment(seed: int) -> None:
    pick, m = random.Random(seed), begun(seed + 3, rounds=3)
    assert GAME.resign is not None
    while not m.over:
        question = engine.pending(m)
        assert question is not None
        if pick.random() < 0.04:
            GAME.resign(m, pick.choice([seat for seat in m.seats if seat not in m.table.resigned]))
            m.question, m.sealed = None, {}
        else:
            decider = pick.choice([d for d in question.decisions if d not in m.sealed])
            engine.answer(m, decider, question.decisions[decider].sample(pick))
        asked = engine.pending(m)
        leagued.GAME.check(m)
        assert asked is None or not set(asked.seats) & set(m.table.resigned)


# The order of turns


def test_places_and_companions_follow_leagues_and_journeys() -> None:
    m = begun(3)
    m.table.leagues = [League(members=["alice", "carol"], turn_of="carol")]
    m.table.travels = [League(members=["alice", "dave"], turn_of="dave", turns=1)]
    assert companions(m, "dave") == ["alice", "carol"]
    assert [home_of(m, seat) for seat in m.seats] == ["carol", "bob", "carol", "carol", "erin"]
    for seat, turns in zip(m.seats, (0, 1, 0, 0, 0), strict=True):
        m.table.captains[seat].turns = turns
    assert next_place(m, "bob") == "carol"


@pytest.mark.parametrize("seed", range(10))
def test_everybody_has_one_turn_a_round_whatever_becomes_of_leagues(seed: int) -> None:
    pick, m, place = random.Random(seed), begun(4), "frank"
    m.table.leagues, m.table.travels, m.table.first = [], [], pick.choice(m.seats)
    for seat in m.seats:
        mats.captain_of(m, seat).turns = 0
    for _ in range(60):
        place = next_place(m, place)
        for seat in who_has_turn(m, place):
            mats.captain_of(m, seat).turns += 1
        turns = {seat: mats.captain_of(m, seat).turns for seat in m.seats}
        assert max(turns.values()) - min(turns.values()) <= 1
        order = pick.sample(m.seats, 6)
        cut = pick.randint(1, 5)
        parts = [part for part in (order[:cut], order[cut:]) if len(part) > 1 and pick.random() < 0.7]
        m.table.leagues = [League(members=part, turn_of=pick.choice(part)) for part in parts]


# In the midst


def test_a_level_8_reached_with_the_group_wins_though_another_member_resigns_meanwhile() -> None:
    m = laid_out(
        3,
        [{"do": "take_turn", "who": "alice"}],
        hidden=["hex 1"],
        leagues=[{"members": ["alice", "bob"], "turn_of": "alice"}],
        hyperspace=["H10"],
        aliens=["A01"],
        captains={"alice": {"recognition": 7, "path": "fame"}, "bob": {"recognition": 3}},
        ships={"alice": {"place": "el dorado", "card": "S08"}, "bob": {"place": "el dorado", "card": "S07"}},
    )
    m = submit(m, "bob", ["always come along"]).match
    m = submit(m, "alice", ["explore hex 1"]).match
    asked = engine.pending(m)
    assert asked is not None
    assert (asked.name, asked.seats, m.over) == ("path", ["bob"], False)
    assert GAME.resign is not None
    GAME.resign(m, "bob")
    m.question = None
    engine.pending(m)
    assert m.table.winners == ["alice"]


def test_whoever_stood_up_to_a_pirate_fights_nobody_when_the_encounter_is_broken_off() -> None:
    m = laid_out(
        4,
        [{"do": "take_turn", "who": "alice"}],
        leagues=[{"members": ["alice", "bob", "carol"], "turn_of": "alice"}],
        pirates=["P03"],
        ships={seat: {"place": "xatray"} for seat in SEATS[:4]},
    )
    for seat in ("bob", "carol"):
        m = submit(m, seat, ["always dock along"]).match
    m = submit(m, "alice", ["dock", "fight"]).match
    assert m.table.turn.beside == ["alice"]
    assert GAME.resign is not None
    GAME.resign(m, "bob")
    m.question = None
    asked = engine.pending(m)
    GAME.check(m)
    assert asked is not None
    assert (asked.seats, m.table.turn.beside, m.table.battle.fighters) == (["alice"], [], {})


def test_who_is_late_comes_along_and_does_not_dock() -> None:
    fields = {"leagues": [{"members": ["alice", "bob"], "turn_of": "alice"}]}
    m = laid_out(2, [{"do": "take_turn", "who": "alice"}], **fields)
    m = submit(m, "alice", ["move to hollow core"]).match
    assert late.safest_lines(m, "bob") == ["come along"]
    m = submit(m, "bob", ["come along"]).match
    m = submit(m, "alice", ["dock"]).match
    assert late.safest_lines(m, "bob") == ["stay out"]


def test_a_common_turn_of_three_takes_three_mails_with_standing_orders_and_planned_lines() -> None:
    m = laid_out(3, [{"do": "take_turn", "who": "alice"}], leagues=[{"members": SEATS[:3], "turn_of": "alice"}])
    for seat in ("bob", "carol"):
        m = submit(m, seat, ["always come along", "always dock along", "later:", "buy 1 fuel or skip", "end"]).match
    m.table.docking += ["D20"]
    outcome = submit(m, "alice", ["move to hollow core", "dock", "buy 1 fuel or skip", "end"])
    assert not outcome.returned
    assert [outcome.match.table.ships[seat].docked for seat in SEATS[:3]] == [True] * 3
    assert outcome.match.table.turn.number == m.table.turn.number + 1


# What is shown


@pytest.mark.parametrize("form", ["text", "html"])
def test_reports_say_who_is_in_which_league_and_whose_turn_is_common(form: report.Form) -> None:
    league = {"members": ["alice", "bob"], "turn_of": "alice", "turns": 2, "leaving": ["bob"]}
    m = laid_out(3, [{"do": "take_turn", "who": "alice"}], leagues=[league])
    m.table.travels = [League(members=["alice", "carol"], turn_of="carol", turns=1)]
    page = report.render(bare_context(m, "carol", []), form, folders=[folder_of(GAME)])
    text = " ".join(page.split())
    assert "Phantom League of alice, bob: common turn at the place of alice, 2 common turns left" in text
    assert "would dissolve it: bob" in text
    assert "Journey together of alice, carol: common turn at the place of carol, 1 common turn left" in text
    assert "This is a common turn: after alice it is up to bob." in text


def test_whoever_may_be_asked_in_the_turn_of_another_is_asked_as_an_interruption() -> None:
    """A card strikes all members of a group, so that no question of a card may forget whose turn waits."""
    forgotten = []
    for name in ("hyperspace", "docking", "pirates", "aliens", "choices", "raiders", "group"):
        for node in ast.walk(ast.parse((folder_of(GAME) / f"{name}.py").read_text())):
            asks = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in ("ask", "ask_all")
            if asks and "interrupts" not in [keyword.arg for keyword in node.keywords]:  # type: ignore[attr-defined]
                forgotten.append(f"{name}.py, line {node.lineno}")  # type: ignore[attr-defined]
    assert not forgotten
