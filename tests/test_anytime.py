"""Orders that may be given at any time: read, refused, played and kept, and what they leave as it is."""

from __future__ import annotations

import pytest

from referee.engine import aside, interject, pending, view
from referee.errors import NotNow, Refused, Unreadable
from referee.orders import submit
from referee.steps import TEXT, order

from .test_orders import at_turn, match, refused
from .toy.table import boat_of


def test_whoever_is_not_asked_may_give_one_and_the_question_and_the_stop_stay() -> None:
    m = at_turn()
    outcome = submit(m, "bob", ["toss 2 to alice"])
    after = outcome.match
    assert outcome.played == ["toss 2 to alice"]
    assert boat_of(after, "alice").lanterns == boat_of(m, "alice").lanterns + 2
    question = pending(after)
    assert question is not None
    assert (question.seats, question.name, after.stop) == (["alice"], "turn", m.stop)


def test_it_may_stand_among_the_lines_of_a_turn() -> None:
    m = at_turn()
    outcome = submit(m, "alice", ["toss 1 to bob", "land", "vow it will not happen again"])
    assert outcome.played == ["toss 1 to bob", "land", "vow it will not happen again"]
    assert outcome.match.stop == m.stop + 1


def test_free_text_is_kept_as_it_was_typed() -> None:
    outcome = submit(at_turn(), "bob", ["Vow:  To leave   the North, or else: sink!"])
    assert outcome.played == ["vow To leave the North, or else: sink!"]
    assert outcome.match.events[0]["promise"] == "To leave the North, or else: sink!"


def test_what_is_refused_says_why_and_changes_nothing() -> None:
    m = at_turn()
    assert "99 is not possible" in refused(m, "bob", "toss 99 to alice", kind=Refused)
    boat_of(m, "bob").lanterns = 0
    assert "no lantern left" in refused(m, "bob", "toss 1 to alice", kind=Refused)


def test_what_is_refused_takes_the_lines_before_it_along_unless_they_had_an_outcome() -> None:
    m = at_turn()
    assert "Line 2" in refused(m, "bob", "vow peace", "toss 99 to alice", kind=Refused)
    assert "Line 2" in refused(m, "alice", "vow peace", "dive arch with 9", kind=Refused)


def test_alternatives_are_tried_in_order() -> None:
    m = at_turn()
    assert submit(m, "bob", ["toss 99 to alice or toss 1 to carol"]).played == ["toss 1 to carol"]
    assert submit(m, "bob", ["toss 99 to alice or skip"]).played == ["skip"]
    assert "answers a question" in refused(m, "alice", "toss 1 to bob or land", kind=Unreadable)


def test_none_is_taken_while_sealed_answers_are_collected() -> None:
    m = match()
    assert "sealed answers" in refused(m, "alice", "vow peace", kind=NotNow)
    assert list(aside(m, "alice").frames()) == []
    assert submit(m, "alice", ["sail north"]).match.sealed


def test_it_cannot_be_planned_nor_stand() -> None:
    m = at_turn()
    assert "cannot be planned" in refused(m, "bob", "later:", "toss 1 to alice", kind=Unreadable)
    assert "cannot be a standing order" in refused(m, "bob", "always toss 1 to alice", kind=Unreadable)
    with pytest.raises(TypeError, match="beforehand"):
        order("nod", standing=True, anytime=True)(lambda m, who: None)
    with pytest.raises(TypeError, match="free text"):
        order("say {words}", words=TEXT)(lambda m, who, words: None)


def test_text_that_is_missing_or_too_long_is_refused() -> None:
    m = at_turn()
    assert "its promise is missing" in refused(m, "bob", "vow", kind=Unreadable)
    assert "at most 200 characters" in refused(m, "bob", f"vow {'x' * 201}", kind=Unreadable)


def test_in_lines_that_wait_for_a_window_it_keeps_its_place() -> None:
    m = at_turn()
    outcome = submit(m, "alice", ["dive arch", "vow before", "land", "vow after"])
    assert outcome.played == ["dive arch with 1", "vow before"]
    assert outcome.waiting == ["land", "vow after"]
    told = []
    while (question := pending(outcome.match)) and question.interrupts:
        outcome = submit(outcome.match, question.seats[0], ["decline"])
        told += [event["kind"] for event in outcome.match.events]
    assert told.index("lands") < told.index("vows")


def test_it_is_listed_for_every_seat() -> None:
    seen = view(at_turn(), "carol")
    assert [row["pattern"] for row in seen["anytime"]] == ["toss {lanterns} to {captain}", "vow {promise}"]
    assert seen["you"] == []


def test_what_is_not_offered_cannot_be_interjected() -> None:
    m = at_turn()
    with pytest.raises(ValueError, match="not offered"):
        interject(m, "bob", {"do": "toss", "who": "bob", "lanterns": 99, "captain": "alice"})
