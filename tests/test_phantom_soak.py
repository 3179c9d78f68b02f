"""The Phantom League under the laws at length: a small share of what `tests.soak` plays, and what it has found.

The whole of it, each in one process on a core that others use too:

    python -m tests.soak phantom-league --few 0.35 --every 1000 --matches 100 --seed 1          25 minutes, whole matches
    python -m tests.soak phantom-league-short --few 0.35 --every 1000 --matches 100 --seed 1    3 minutes, one to three rounds
    python -m tests.soak phantom-league-arena --few 0.12 --every 1000 --matches 500 --seed 1    15 minutes, battles

The cheap laws hold at each line; so do `stop`, `order` and `opened`. The costly ones (`twins` and the like) are checked where
a kind of question first comes up in a match, by the chance that `--few` names, at each line by a 25th of it, and at the end:
at about ten lines of a whole match and one of a battle. `tests/test_phantom_questions.py` holds each kind of question to all of
them, also those that matches seldom come to.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from games.phantom_league import GAME
from referee import engine
from referee.match import Match

from . import laws, soak
from .law_answers import opened, unmoved
from .law_play import At
from .rules.phantom_league import position
from .worlds import hidden_when_told

HELD = ("M12", "M01")


def docked(*agenda: dict[str, Any], place: str = "central", missions: Sequence[str] = HELD) -> Match:
    """Return a position in which alice is docked with two Missions, and all others lie open."""
    m = engine.start(GAME, "soak", ["alice", "bob", "carol"], bytes(32))
    turn = {"who": "alice", "number": 9, "phase": "movement", "docked_before": True}
    ships = {"alice": {"card": "S05", "docked": True, "place": place}}
    position(m, {"captains": {"alice": {"missions": list(missions), "turns": 4}}, "ships": ships, "turn": turn})
    m.table.discards["missions"], m.table.missions = m.table.missions, []
    m.do(*agenda, {"do": "choose", "who": "alice"}, {"do": "end_turn", "who": "alice"})
    engine.pending(m)
    return m


def looks_the_same(m: Match, **frame: str) -> None:
    """Demand that an answer shows the same in worlds in which the Missions of alice lie the other way round."""
    for seed in range(8):
        unmoved(At(GAME, seed, m, random.Random(seed)), "alice", {"who": "alice", **frame})


def test_missions_are_told_when_they_lie_on_the_discards_and_not_before() -> None:
    assert not hidden_when_told(docked(), "alice", ["change missions"], "bob", ("missions",))


@pytest.mark.parametrize("mission", HELD)
def test_laying_a_mission_off_tells_which_one_it_was(mission: str) -> None:
    m = docked({"do": "choose_discard", "who": "alice", "before": 1})
    m.table.captains["alice"].missions[1].drawn = 3
    looks_the_same(m, do="put_back", mission=mission)


@pytest.mark.parametrize("missions", [["M06", "M01"], ["M01", "M06"]])
def test_a_mission_that_is_begun_tells_which_one_it_is(missions: list[str]) -> None:
    looks_the_same(docked(place="radianus", missions=missions), do="begin_mission", mission="M06")


@pytest.mark.parametrize(("part", "seed"), [("short", 3), ("arena", 4), ("arena", 7)])
def test_a_small_share_of_the_soak(part: str, seed: int) -> None:
    checked = soak.check(soak.Task(f"phantom-league-{part}", seed, every=1000, few=0.35))
    assert not checked.broken, checked.said
    assert checked.seen


def test_what_a_soak_left_out_is_told() -> None:
    seen = soak.Checked("").seen
    seen.update({("turn", law): 2 for law in soak.AT_A_QUESTION} | {("demand", "twins"): 1})
    *counts, asked, missing = soak.table_of(seen, ["turn", "demand", "loan"])
    assert "twins              3 times at 2 kinds of questions; least at “demand”, 1 times" in counts
    assert asked == "asked: 2 of 3 kinds of questions; never: loan"
    assert missing.startswith("left out: answerable at “demand”, ")


def test_a_soak_says_which_law_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    def check_match(*given: object, **more: object) -> None:
        raise laws.Broken("twins", "here", "this")

    monkeypatch.setattr(laws, "check_match", check_match)
    checked = soak.check(soak.Task("phantom-league", 1, every=1, few=0))
    assert checked.broken
    assert "law “twins” is broken" in checked.said


def test_booty_that_depends_on_who_else_claims_it_is_revealed() -> None:
    m = engine.start(GAME, "soak", ["alice", "bob", "carol"], bytes(32))
    wreck = {"wreck": True, "structure": 0, "fuel": 3, "installed": ["I01"], "cargo": {"food": 2}}
    battle: dict[str, Any] = {"wrecks": ["bob"], "allies": {"carol": "alice"}}
    battle |= {"decks": {"alice": ["feint"], "carol": ["parry"]}, "fighters": {"bob": {"state": "destroyed"}}}
    position(m, {"ships": {"bob": wreck}, "battle": battle})
    m.do({"do": "offer_loot"}, {"do": "choose", "who": "alice"}, {"do": "end_turn", "who": "alice"})
    loot = {"do": "loot_now", "who": "alice", "wrecks": ["bob"]}
    m.sealed["carol"] = {**loot, "who": "carol"}
    for seed in range(8):
        opened(At(GAME, seed, m, random.Random(seed)), "alice", loot)
