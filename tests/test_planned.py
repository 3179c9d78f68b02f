"""Planned lines: what stands after `later:` answers the seat's next questions."""

import pytest

from referee import engine
from referee.errors import Unreadable
from referee.orders import Outcome, submit
from referee.waiting import split_planned

from .test_orders import asked, at_turn, kinds, match, refused


def planned(outcome: Outcome, seat: str) -> list[str]:
    return outcome.match.planned.get(seat, [])


def test_a_planned_line_answers_the_next_question_at_once() -> None:
    later = submit(at_turn(), "bob", ["later:", "land"])
    assert (later.played, later.planned, later.match.stop) == ([], ["land"], 10)
    after = submit(later.match, "alice", ["land"])
    assert asked(after) == ["carol"]
    assert planned(after, "bob") == []
    assert [event["who"] for event in after.match.events if event["kind"] == "lands"] == ["alice", "bob"]


def test_lines_are_tried_in_order_and_the_rest_goes_on_waiting() -> None:
    after = submit(at_turn(), "alice", ["land", "later:", "sail n", "dive wreck with 2", "land"])
    assert after.planned == ["sail north", "dive wreck with 2", "land"]
    after = submit(submit(after.match, "bob", ["land"]).match, "carol", ["land"])
    assert after.match.sealed["alice"]["waters"] == "north"
    assert planned(after, "alice") == ["dive wreck with 2", "land"]


def test_a_line_for_another_kind_of_question_waits() -> None:
    later = submit(at_turn(), "bob", ["later: sail north"])
    after = submit(later.match, "alice", ["land"])
    assert asked(after) == ["bob"]
    assert planned(after, "bob") == ["sail north"]


def test_a_line_for_a_question_that_does_not_come_holds_up_none_behind_it() -> None:
    later = submit(at_turn(), "bob", ["later:", "sail north", "land"])
    after = submit(later.match, "alice", ["land"])
    assert asked(after) == ["carol"]
    assert planned(after, "bob") == ["sail north"]


def test_what_is_asked_for_and_cannot_be_done_is_dropped_with_a_word() -> None:
    later = submit(at_turn(bob=["dog"]), "bob", ["later:", "play squall or play mastiff", "land"])
    after = submit(later.match, "alice", ["land"])
    (dropped,) = (event for event in after.match.events if event["kind"] == "dropped")
    assert (dropped["only"], dropped["line"]) == ("bob", "play squall or play mastiff")
    assert asked(after) == ["carol"]
    assert [told["kind"] for told in engine.news(after.match.game, after.match.events, "alice")].count("dropped") == 0


def test_skip_does_not_use_a_line_up_on_a_question_of_another_kind() -> None:
    later = submit(at_turn(), "bob", ["later:", "sail north or skip"])
    after = submit(later.match, "alice", ["land"])
    assert asked(after) == ["bob"]
    assert planned(after, "bob") == ["sail north or skip"]


def test_an_alternative_may_play_nothing() -> None:
    later = submit(at_turn(), "bob", ["later:", "play mastiff or skip", "land"])
    after = submit(later.match, "alice", ["land"])
    assert "dropped" not in kinds(after)
    assert asked(after) == ["carol"]


def test_planned_lines_answer_a_sealed_question_for_every_decider_of_the_seat() -> None:
    after = submit(match(), "carol", ["later:", "carol: sail east", "pirate: sail north or sail south"])
    assert set(after.match.sealed) == {"carol", "pirate"}
    assert after.match.stop == match().stop
    assert planned(after, "carol") == []


def test_new_plans_take_the_place_of_old_ones_and_forget_drops_them() -> None:
    first = submit(at_turn(), "bob", ["later:", "land"])
    second = submit(first.match, "bob", ["later:", "dive wreck with 1", "land"])
    assert planned(second, "bob") == ["dive wreck with 1", "land"]
    third = submit(second.match, "bob", ["forget"])
    assert planned(third, "bob") == []
    assert kinds(third) == ["forgotten"]


def test_plans_come_back_with_the_lines_that_come_back() -> None:
    after = submit(at_turn(), "alice", ["land", "land", "later:", "sail north"])
    assert after.returned == ["land", "later:", "sail north"]
    assert planned(after, "alice") == []
    assert "later" not in str(after.match.sealed)


def test_nothing_is_planned_when_the_mail_is_refused() -> None:
    m = at_turn()
    refused(m, "alice", "play mastiff", "later:", "land")
    assert m.planned == {}


@pytest.mark.parametrize("lines", [["later:"], ["land", "later:"], ["later:", "always decline"], ["later:", "fly away"]])
def test_what_cannot_be_planned_is_unreadable(lines: list[str]) -> None:
    refused(at_turn(), "alice", *lines, kind=Unreadable)


def test_a_dry_run_plans_nothing() -> None:
    m = at_turn()
    outcome = submit(m, "bob", ["later:", "land"], dry_run=True)
    assert outcome.planned == ["land"]
    assert m.planned == {}


def test_the_marker_is_read_in_any_form() -> None:
    assert split_planned(["Later : land"]) == ([], ["land"])
    assert split_planned(["land", "LATER:"]) == (["land"], [])
