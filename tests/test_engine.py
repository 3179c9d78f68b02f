"""The engine: starting, asking, answering, views and news."""

from copy import copy
from typing import Any

import pytest

from referee import engine
from referee.ask import Question
from referee.chance import commitment
from referee.errors import Unverified, Usage
from referee.match import Match, Option

from .toy import GAME
from .toy.table import boat_of
from .worlds import picture

SEATS = ["alice", "bob", "carol"]


def match(**options: Any) -> Match:
    m = engine.start(GAME, "toy-1", SEATS, bytes(32), options)
    engine.begin(m, {"bob": "sand"})
    m.moved = False
    return m


def test_nothing_is_dealt_before_the_match_begins() -> None:
    m = engine.start(GAME, "toy-1", SEATS, bytes(32))
    assert m.table is None
    assert engine.view(m, "alice")["table"] == {}


def test_the_first_events_name_commitment_and_nonces() -> None:
    first, second = match().events[:2]
    assert first == {"kind": "begins", "commitment": commitment("toy-1", bytes(32))}
    assert second == {"kind": "nonces", "nonces": ["bob: sand"]}


def test_another_nonce_deals_other_cards() -> None:
    other = engine.start(GAME, "toy-1", SEATS, bytes(32))
    engine.begin(other, {"bob": "salt"})
    assert picture(other)["table"] != picture(match())["table"]


@pytest.mark.parametrize(
    ("seats", "reason"),
    [
        (["alice"], "is for 2 to 4 seats, and 1 are named"),
        (["alice", "Bob"], "'Bob' cannot be the name of a seat"),
        (["alice", "observer"], "'observer' cannot be the name of a seat"),
        (["alice", "alice"], "Two seats have the same name"),
    ],
)
def test_seats_that_cannot_be(seats: list[str], reason: str) -> None:
    with pytest.raises(Usage, match=reason):
        engine.start(GAME, "toy-1", seats, bytes(32))


@pytest.mark.parametrize(
    ("given", "chosen"),
    [({}, (3, True)), ({"rounds": "2"}, (2, True)), ({"traps": "no"}, (3, False)), ({"traps": True}, (3, True))],
)
def test_options_are_read_from_text(given: dict[str, Any], chosen: tuple[int, bool]) -> None:
    options = engine.choose_options(GAME, SEATS, given)
    assert (options["rounds"], options["traps"]) == chosen


@pytest.mark.parametrize("given", [{"rounds": 9}, {"rounds": "many"}, {"traps": 1}, {"traps": "maybe"}, {"depth": 1}])
def test_options_that_cannot_be(given: dict[str, Any]) -> None:
    with pytest.raises(Usage):
        engine.choose_options(GAME, SEATS, given)


def test_numbers_may_come_in_steps() -> None:
    game = copy(GAME)
    game.options = {"fee": Option(0, "the fee", (0, 150, 25))}
    assert engine.choose_options(game, SEATS, {"fee": "75"}) == {"fee": 75}
    with pytest.raises(Usage, match=r"cannot be 80\. It takes: 0 to 150 in steps of 25\."):
        engine.choose_options(game, SEATS, {"fee": "80"})


def test_options_that_do_not_go_together_are_named() -> None:
    game = copy(GAME)
    game.conflicts = lambda seats, options: ["Traps are for three seats."] if options["traps"] and len(seats) != 3 else []
    assert engine.start(game, "toy-1", SEATS[:2], bytes(32), {"traps": "no"}).options["traps"] is False
    with pytest.raises(Usage, match=r"Traps are for three seats\. Choose other options, or other seats\."):
        engine.start(game, "toy-1", SEATS[:2], bytes(32))


def test_a_game_that_is_not_installed_is_named() -> None:
    with pytest.raises(Unverified, match="'sea-chess' is not installed"):
        engine.find_game("sea-chess")
    with pytest.raises(Unverified):
        engine.find_game("../toy")


def test_the_pending_question_is_computed_once_and_stays() -> None:
    m = match()
    question = engine.pending(m)
    assert question is engine.pending(m)
    assert question is not None
    assert (question.name, question.seats) == ("courses", SEATS)


def question_of(m: Match) -> Question:
    question = engine.pending(m)
    assert question is not None
    return question


def sail(m: Match, decider: str, waters: str) -> None:
    engine.answer(m, decider, {"do": "sail", "who": decider, "waters": waters})


def test_what_is_not_offered_is_no_answer() -> None:
    with pytest.raises(ValueError, match="not offered"):
        sail(match(), "alice", "west")


def test_sealed_answers_wait_until_all_are_in() -> None:
    m = match()
    for decider in ("alice", "pirate", "carol"):
        sail(m, decider, "north")
    assert question_of(m).name == "courses"
    assert m.table.courses == {}
    assert not m.moved
    sail(m, "bob", "east")
    assert m.sealed == {}
    assert question_of(m).name == "turn"
    assert m.table.courses == {"alice": "north", "bob": "east", "carol": "north", "pirate": "north"}
    assert m.moved


def test_a_seat_sees_its_own_sealed_answers_and_no_others() -> None:
    m = match()
    sail(m, "carol", "south")
    sail(m, "pirate", "north")
    assert [row["sealed"] for row in engine.view(m, "carol")["you"]] == ["sail south", "sail north"]
    assert all("sealed" not in row for row in engine.view(m, "alice")["you"])
    assert engine.view(m, "alice")["asked"] == SEATS


def test_a_view_lists_what_may_be_sent() -> None:
    row = engine.view(match(), "alice")["you"][0]
    lines = ["sail north", "sail east", "sail south"]
    assert row["text"] == "Round 1: choose your waters in secret."
    assert row["why"].startswith("All captains choose")
    assert [order["lines"] for order in row["orders"]] == [lines]


def test_the_observer_is_asked_nothing() -> None:
    seen = engine.view(match(), "")
    assert seen["viewer"] == "observer"
    assert not {"you", "standing", "kept"} & seen.keys()


def test_news_show_private_words_to_their_seat_alone() -> None:
    events = [{"kind": "draws", "who": "alice", "count": 1, "to": {"alice": {"cards": ["dog"]}}}]
    events.append({"kind": "standing", "only": "bob", "who": "bob", "lines": ["decline"]})
    told = {viewer: [event["text"] for event in engine.news(GAME, events, viewer)] for viewer in ("alice", "bob", "")}
    assert told == {
        "alice": ["You draw dog."],
        "bob": ["alice draws 1 cards.", "Your standing orders are now: decline."],
        "": ["alice draws 1 cards."],
    }


def test_values_fold_the_columns_of_the_cards_in_force() -> None:
    m = match()
    assert (m.value("reach", 4, "alice"), m.has("guard", "alice")) == (4, False)
    boat_of(m, "alice").crew += ["harpooner", "harpooner", "dog"]
    assert (m.value("reach", 4, "alice"), m.value("guard", 0, "alice"), m.has("guard", "alice")) == (8, 0, True)


def test_cancel_takes_the_topmost_equal_frame() -> None:
    m = match()
    frame = {"do": "light", "who": "bob", "lanterns": 1}
    m.do(frame, {"do": "churn"}, frame)
    m.cancel(frame)
    assert m.agenda[-2:] == [frame, {"do": "churn"}]
    m.cancel(frame)
    with pytest.raises(ValueError, match="nothing to cancel"):
        m.cancel(frame)


def test_frames_run_in_the_order_given_before_what_waited() -> None:
    m = match()
    m.do({"do": "light", "who": "bob", "lanterns": 1}, {"do": "light", "who": "alice", "lanterns": 2})
    assert [frame.get("who") for frame in m.agenda[:-3:-1]] == ["bob", "alice"]


def test_equals_share_a_place() -> None:
    m = match()
    for who, gold in zip(SEATS, (5, 2, 5), strict=True):
        boat_of(m, who).gold = gold
    assert [row["place"] for row in GAME.score(m).values()] == [1, 3, 1]


def test_a_match_that_is_over_asks_nothing_and_has_a_result() -> None:
    m = match()
    m.agenda[:] = [{"do": "show_flags"}]
    m.question = None
    assert engine.pending(m) is None
    assert engine.view(m, "bob")["result"].keys() == set(SEATS)
    assert engine.view(m, "bob")["you"] == []
