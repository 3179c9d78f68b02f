"""The Phantom League under the laws at length: a small share of what `tests.soak` plays, and what it has found.

The whole of it, on two cores:

    python -m tests.soak phantom-league --few 0.35 --every 1000 --matches 100 --seed 1          whole matches
    python -m tests.soak phantom-league-short --few 0.35 --every 1000 --matches 100 --seed 1    matches of one to three rounds
    python -m tests.soak phantom-league-arena --few 0.12 --every 1000 --matches 500 --seed 1    battles
"""

from __future__ import annotations

import random

import pytest

from games.phantom_league import GAME
from referee import engine
from referee.match import Match

from . import laws, soak
from .law_answers import unmoved
from .law_play import At
from .rules.phantom_league import position
from .worlds import hidden_when_told

HELD = ["M12", "M01"]


def docked(*agenda: dict[str, str], **table: object) -> Match:
    """Return a position in which alice is docked on a Planet with two Missions, one of which came with her turn 3."""
    m = engine.start(GAME, "soak", ["alice", "bob", "carol"], bytes(32))
    turn = {"who": "alice", "number": 9, "phase": "movement", "docked_before": True}
    ships = {"alice": {"card": "S05", "docked": True}}
    position(m, {"captains": {"alice": {"missions": HELD, "turns": 4}}, "ships": ships, "turn": turn, **table})
    m.table.captains["alice"].missions[1].drawn = 3
    m.do(*agenda)
    engine.pending(m)
    return m


def test_missions_are_told_when_they_lie_on_the_discards_and_not_before() -> None:
    m = docked({"do": "choose", "who": "alice"}, {"do": "end_turn", "who": "alice"})
    m.table.discards["missions"], m.table.missions = m.table.missions, []
    assert not hidden_when_told(m, "alice", ["change missions"], "bob", ("missions",))


@pytest.mark.parametrize("mission", HELD)
def test_laying_a_mission_off_tells_in_which_turn_it_came(mission: str) -> None:
    m = docked({"do": "tip_off", "who": "alice"}, {"do": "choose", "who": "alice"})
    for seed in range(6):
        at = At(GAME, seed, m, random.Random(seed))
        unmoved(at, "alice", {"do": "put_back", "who": "alice", "mission": mission})


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
