"""Several lines that make one sealed answer: they are read together, replaced together, and refused together."""

from __future__ import annotations

import pytest

from games.phantom_league import GAME
from referee.engine import answer, pending, start, view
from referee.errors import Refused
from referee.match import Match
from referee.orders import submit

from .rules.phantom_league import position
from .rules.runner import Scripted


def asked(**battle: object) -> Match:
    """Return a match in which alice and bob are asked for the orders of a battle round."""
    m = start(GAME, "gather", ["alice", "bob"], bytes(32))
    m.chance = Scripted([], [])
    position(m, {"battle": {"decks": {"alice": ["torpedo run", "brace"], "bob": ["feint", "parry"]}, **battle}})
    m.do({"do": "battle_round"}, {"do": "choose", "who": "alice"}, {"do": "end_turn", "who": "alice"})
    assert pending(m).name == "orders"  # type: ignore[union-attr]
    return m


def lines_of(m: Match, decider: str) -> list[str]:
    """Return the names of the orders that a decider has sealed."""
    return [line["do"] for line in m.sealed[decider]["lines"]]


def test_all_lines_of_a_mail_are_one_answer() -> None:
    outcome = submit(asked(), "alice", ["fire torpedo run at bob", "guard enough", "stay"])
    assert outcome.played == ["fire torpedo run at bob", "guard enough", "stay"]
    assert lines_of(outcome.match, "alice") == ["fire", "guard_enough", "stay"]
    assert view(outcome.match, "alice")["you"][0]["sealed"] == "fire torpedo run at bob; guard enough; stay"
    assert "sealed" not in view(outcome.match, "bob")["you"][0]


def test_another_mail_replaces_the_whole_answer() -> None:
    m = submit(asked(), "alice", ["guard nothing", "stay"]).match
    assert lines_of(submit(m, "alice", ["flee"]).match, "alice") == ["flee"]


def test_one_line_that_cannot_be_read_refuses_them_all() -> None:
    m = asked()
    with pytest.raises(Refused, match="Line 2"):
        submit(m, "alice", ["stay", "fire torpedo run at alice"])
    assert not m.sealed


def test_the_last_answer_closes_the_question() -> None:
    m = submit(asked(), "alice", ["stay"]).match
    after = submit(m, "bob", ["guard nothing", "stay"]).match
    assert not after.sealed
    assert pending(after).name != "orders"  # type: ignore[union-attr]


def test_planned_lines_answer_together() -> None:
    m = submit(asked(), "bob", ["stay", "later:", "guard parry", "flee with 1"]).match
    assert m.planned["bob"] == ["guard parry", "flee with 1"]
    fresh = asked()
    fresh.planned = {"bob": ["guard parry", "flee with 1"]}
    sealed = submit(fresh, "alice", ["skip"]).match.sealed
    assert [line["do"] for line in sealed["bob"]["lines"]] == ["guard", "flee"]


def test_a_single_frame_is_an_answer_of_one_line() -> None:
    m = asked()
    answer(m, "alice", {"do": "ask", "who": "alice"})
    assert lines_of(m, "alice") == ["ask"]


def test_an_answer_that_is_replaced_goes_before_the_one_that_closes_the_question() -> None:
    decks = {"alice": ["torpedo run", "brace"], "P01": ["feint", "parry"], "bob": []}
    m = asked(attacker="P01", defender="alice", allies={"bob": "alice"}, decks=decks)
    m = submit(m, "bob", ["p01: stay"]).match
    m = submit(m, "alice", ["stay"]).match
    assert sorted(m.sealed) == ["P01", "alice"]
    after = submit(m, "bob", ["bob: stay", "p01: flee with 2"]).match
    assert not after.sealed
    assert "announces" in [event["kind"] for event in after.events]
