"""Playing lines: fences, windows and kept lines, standing orders, sealed answers, dry runs, and limits."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import engine, waiting
from referee.errors import NotNow, Refusal, Refused, Unreadable
from referee.match import Match
from referee.orders import Outcome, submit

from .toy import GAME
from .toy.table import boat_of
from .worlds import picture

SEATS = ["alice", "bob", "carol"]


def match() -> Match:
    """Return a match that waits for all courses; carol steers the pirate."""
    m = engine.start(GAME, "toy-1", SEATS, bytes(32))
    engine.begin(m, {})
    m.events, m.moved = [], False
    return m


def at_turn(who: str = "alice", **cards: list[str]) -> Match:
    """Return a match in which the courses are sailed and a captain's turn is on, with the hands given."""
    m = match()
    for decider in (*SEATS, "pirate"):
        engine.answer(m, decider, {"do": "sail", "who": decider, "waters": "east" if decider == "pirate" else "north"})
    while (question := engine.pending(m)) and question.seats != [who]:
        engine.answer(m, question.seats[0], {"do": "land", "who": question.seats[0], "cards": []})
    for seat in SEATS:
        boat_of(m, seat).cards = cards.get(seat, ["dog"])
    m.events, m.moved, m.fence, m.question, m.stop = [], False, False, None, 10
    return m


def refused(m: Match, seat: str, *lines: str, kind: type[Refusal] = Refusal) -> str:
    """Return the sentence of a refusal that changed nothing."""
    before = picture(m)
    with pytest.raises(kind) as caught:
        submit(m, seat, lines)
    assert picture(m) == before
    return caught.value.sentence


def kinds(outcome: Outcome) -> list[str]:
    return [event["kind"] for event in outcome.match.events]


def asked(outcome: Outcome) -> list[str]:
    question = engine.pending(outcome.match)
    return question.seats if question else []


# Several lines in one mail


def test_lines_are_played_in_order_on_a_copy() -> None:
    m = at_turn(alice=["lamp oil", "dog"])
    before = picture(m)
    outcome = submit(m, "alice", ["play lamp", "play dog"])
    assert outcome.played == ["play lamp oil", "play dog"]
    assert kinds(outcome) == ["plays", "lights", "plays", "joins"]
    assert outcome.match.stop == 11
    assert picture(m) == before


def test_what_is_refused_before_any_fence_plays_nothing() -> None:
    sentence = refused(at_turn(alice=["lamp oil"]), "alice", "play lamp oil", "sell ring", kind=Refused)
    assert sentence == "Line 2: “sell ring” cannot be done: your hold is empty."


def test_after_a_fence_what_it_closed_stands_and_the_rest_comes_back() -> None:
    m = at_turn(alice=["undertow", "lamp oil"])
    outcome = submit(m, "alice", ["play undertow", "play lamp oil", "sell", "land"])
    assert outcome.played == ["play undertow"]
    assert outcome.returned == ["play lamp oil", "sell", "land"]
    assert outcome.reason == "Line 3: “sell” cannot be done: your hold is empty."
    assert kinds(outcome) == ["plays", "churns", "returned"]
    assert boat_of(outcome.match, "alice").cards == ["lamp oil"]
    assert outcome.match.events[-1]["only"] == "alice"


def test_what_is_peeked_at_cannot_be_taken_back() -> None:
    outcome = submit(at_turn(), "alice", ["peek wreck", "sell"])
    assert outcome.played == ["peek into wreck"]
    assert outcome.returned == ["sell"]


def test_passing_the_turn_is_a_fence_whether_or_not_the_next_seat_has_ordered_anything() -> None:
    m = at_turn()
    for kept in ({}, {"bob": ["land"]}):
        m.kept = kept
        outcome = submit(m, "alice", ["land", "play dog"])
        assert outcome.played == ["land"]
        assert outcome.returned == ["play dog"]
        assert submit(m, "alice", ["land"], dry_run=True).fence


def test_the_first_alternative_that_is_offered_is_played() -> None:
    m = at_turn(alice=["gale"])
    assert submit(m, "alice", ["play dog or sell or land gale or land"]).played == ["land gale"]
    assert "your hold is empty" in refused(m, "alice", "sell or sell ring")


def test_skip_plays_nothing_where_nothing_else_is_offered() -> None:
    assert submit(at_turn(), "alice", ["sell or skip", "land"]).played == ["skip", "land"]


@pytest.mark.parametrize(
    ("lines", "number"),
    [(["land", "xyzzy"], 2), (["land or xyzzy"], 1), (["always land"], 1), (["always"], 1), (["forget it"], 1)],
)
def test_a_line_that_no_position_understands_refuses_the_mail(lines: list[str], number: int) -> None:
    assert refused(at_turn(), "alice", *lines, kind=Unreadable).startswith(f"Line {number}: ")


@pytest.mark.parametrize("lines", [[], ["land"] * 51, ["land" + " " * 2000], [""], ["the"], [" ,.- "], ["or"]])
def test_no_line_and_too_many_are_refused(lines: list[str]) -> None:
    refused(at_turn(), "alice", *lines, kind=Unreadable)


def test_who_is_not_asked_is_told_who_is() -> None:
    told = refused(at_turn(), "bob", "land", kind=NotNow)
    assert told == "Line 1: it is not you who is asked now, but alice; lines below “later:” would wait for your next question."


# Windows and kept lines


def test_a_window_keeps_the_rest_of_the_mail_and_it_goes_on_afterwards() -> None:
    m = submit(at_turn(carol=[]), "alice", ["dive arch", "pl do", "la"]).match
    assert m.kept == {"alice": ["play dog", "land"]}
    assert m.stop == 11
    assert "your waiting lines (play dog and land) go on first" in refused(m, "alice", "land", kind=NotNow)
    after = submit(m, "bob", ["decline"])
    assert kinds(after)[:2] == ["declines", "reaches"]
    assert kinds(after)[-3:] == ["plays", "joins", "lands"]
    assert after.match.kept == {}
    assert asked(after) == ["bob"]


def test_the_first_refusal_returns_the_kept_lines() -> None:
    m = submit(at_turn(bob=["squall"], carol=[]), "alice", ["dive cave", "sell ring", "land"]).match
    after = submit(m, "bob", ["call squall"])
    assert after.match.events[-1] == {
        "kind": "returned",
        "only": "alice",
        "who": "alice",
        "lines": ["sell ring", "land"],
        "reason": "sell ring: “sell ring” cannot be done: your hold is empty.",
    }
    assert after.match.kept == {}
    assert asked(after) == ["alice"]


def test_kept_lines_may_open_the_next_window() -> None:
    m = submit(at_turn(carol=[]), "alice", ["dive cave", "dive wreck or dive cave", "land"]).match
    m = submit(m, "bob", ["decline"]).match
    assert m.kept == {"alice": ["land"]}
    assert engine.pending(m).interrupts == "alice"  # type: ignore[union-attr]
    assert asked(submit(m, "bob", ["decline"])) == ["bob"]


def test_kept_lines_can_be_dropped() -> None:
    m = submit(at_turn(), "alice", ["dive cave", "land"]).match
    after = submit(m, "alice", ["forget"])
    assert after.match.kept == {}
    assert kinds(after) == ["forgotten"]
    assert after.match.stop == m.stop
    assert "none of your lines are waiting" in refused(after.match, "alice", "forget")


def test_a_standing_order_among_lines_that_wait_is_given_at_once() -> None:
    outcome = submit(at_turn(carol=[]), "alice", ["dive cave", "land", "always decline", "never call gale"])
    assert outcome.match.standing == {"alice": ["decline"]}
    assert (outcome.waiting, outcome.returned) == (["land"], ["never call gale"])


def test_forgetting_among_kept_lines_drops_those_that_follow() -> None:
    m = submit(at_turn(carol=[]), "alice", ["dive cave", "play dog", "forget", "land"]).match
    after = submit(m, "bob", ["decline"])
    assert kinds(after)[-1] == "forgotten"
    assert asked(after) == ["alice"]


def test_full_names_that_are_too_long_to_wait_come_back() -> None:
    outcome = submit(at_turn(carol=[]), "alice", ["dive ar", *["dive coral"] * 49])
    assert (len(outcome.waiting), outcome.waiting[0]) == (49, "dive coral arch")
    outcome = submit(at_turn(carol=[]), "alice", ["dive ar", *["pe cor or pe cor or pe cor"] * 45])
    assert (outcome.waiting, len(outcome.returned)) == ([], 45)


# Standing orders


def test_a_standing_order_answers_at_once() -> None:
    m = at_turn(carol=["squall"])
    m = submit(m, "bob", ["always decline"]).match
    m = submit(m, "carol", ["always call squall"]).match
    assert m.standing == {"bob": ["decline"], "carol": ["call squall"]}
    assert m.stop == 10
    outcome = submit(m, "alice", ["dive cave", "land"])
    assert outcome.played == ["dive cave with 1", "land"]
    assert kinds(outcome) == ["dives", "declines", "calls", "lands"]


def test_a_standing_order_answers_a_window_that_is_open() -> None:
    m = submit(at_turn(carol=[]), "alice", ["dive cave", "land"]).match
    after = submit(m, "bob", ["always decline"])
    assert kinds(after)[:3] == ["standing", "declines", "reaches"]
    assert after.match.stop == m.stop + 1
    assert asked(after) == ["bob"]


def test_a_card_that_is_not_held_never_answers() -> None:
    m = submit(at_turn(bob=["dog"]), "bob", ["always call squall"]).match
    outcome = submit(m, "alice", ["dive cave"])
    assert asked(outcome) == ["bob"]
    assert kinds(outcome) == ["dives"]


def test_the_first_standing_order_that_can_be_given_answers() -> None:
    m = submit(at_turn(bob=["gale"], carol=[]), "bob", ["always call squall", "always call gale", "always decline"]).match
    assert "calls" in kinds(submit(m, "alice", ["dive cave"]))


def test_a_standing_order_is_taken_back() -> None:
    m = submit(at_turn(), "bob", ["always decline", "always call gale"]).match
    after = submit(m, "bob", ["never decl"])
    assert after.match.standing == {"bob": ["call gale"]}
    after = submit(after.match, "bob", ["never call gale"])
    assert after.match.standing == {}
    assert kinds(after) == ["no standing"]
    assert "is not among your standing orders: nothing" in refused(after.match, "bob", "never decline")


def test_a_standing_order_given_twice_stands_once() -> None:
    m = submit(at_turn(), "bob", ["always decline", "always decline"]).match
    assert m.standing == {"bob": ["decline"]}


def test_standing_orders_are_limited() -> None:
    m = at_turn()
    m.standing = {"bob": [f"call {number}" for number in range(waiting.MOST_STANDING)]}
    assert "at most 20 standing orders" in refused(m, "bob", "always decline")


def test_the_lines_still_to_come_go_before_ones_own_standing_orders() -> None:
    m = at_turn(bob=["gale"], carol=[])
    m = submit(m, "alice", ["dive cave"]).match
    outcome = submit(m, "bob", ["always decline", "call gale"])
    assert outcome.played == ["always decline", "call gale"]
    assert kinds(outcome) == ["standing", "calls", "lights"]


def test_a_line_that_answers_no_question_is_no_fence() -> None:
    m = submit(at_turn(carol=[]), "alice", ["dive cave"]).match
    before = picture(m)
    refused(m, "alice", "always decline", "land", kind=NotNow)
    assert picture(m) == before


# Joint questions


def test_a_sealed_answer_raises_no_stop_and_tells_nobody_else() -> None:
    m = match()
    after = submit(m, "alice", ["sail north"])
    assert after.match.sealed.keys() == {"alice"}
    assert after.match.stop == m.stop
    assert [(event["kind"], event["only"]) for event in after.match.events] == [("answered", "alice")]


def test_a_seat_answers_for_two_deciders() -> None:
    m = submit(match(), "carol", ["pirate: sail east", "sail north"]).match
    assert {name: frame["waters"] for name, frame in m.sealed.items()} == {"pirate": "east", "carol": "north"}


def test_without_a_name_the_first_decider_that_is_open_is_meant() -> None:
    m = submit(match(), "carol", ["sail east", "sail north"]).match
    assert {name: frame["waters"] for name, frame in m.sealed.items()} == {"carol": "east", "pirate": "north"}


def test_nobody_answers_for_anybody_else() -> None:
    assert "you decide nothing for “pirate” now" in refused(match(), "alice", "pirate: sail east")
    assert "you decide nothing for “bob” now" in refused(match(), "alice", "bob: sail east")


def test_a_sealed_answer_is_replaced_and_withdrawn() -> None:
    m = submit(match(), "alice", ["sail north"]).match
    m = submit(m, "alice", ["sail south"]).match
    assert m.sealed["alice"]["waters"] == "south"
    after = submit(m, "alice", ["withdraw"])
    assert after.match.sealed == {}
    assert after.match.stop == m.stop
    assert kinds(after) == ["withdrawn"]
    assert "no answer of yours is sealed" in refused(after.match, "alice", "withdraw")


def test_a_sealed_answer_can_be_replaced_after_another_line() -> None:
    m = submit(match(), "alice", ["sail north"]).match
    assert submit(m, "alice", ["always decline", "sail south"]).match.sealed["alice"]["waters"] == "south"


def test_what_follows_a_sealed_answer_waits_and_is_played_when_all_are_in() -> None:
    m = submit(match(), "alice", ["sail north", "land"]).match
    assert m.kept == {"alice": ["land"]}
    m = submit(m, "bob", ["sail north"]).match
    after = submit(m, "carol", ["sail east", "pirate: sail east"])
    assert "lands" in kinds(after)
    assert asked(after) == ["bob"]


def test_a_named_decider_is_kept_with_its_line() -> None:
    m = match()
    m.kept = {"carol": ["pirate: sail south", "sail north"]}
    m = submit(m, "carol", ["always decline"]).match
    assert {name: frame["waters"] for name, frame in m.sealed.items()} == {"pirate": "south", "carol": "north"}
    assert waiting.canonical_known(waiting.known(m), "Pirate: sail s") == "pirate: sail south"


def test_withdrawing_drops_what_was_to_follow() -> None:
    m = submit(match(), "alice", ["sail north", "land"]).match
    after = submit(m, "alice", ["withdraw"])
    assert (after.match.kept, after.match.sealed) == ({}, {})
    assert kinds(after) == ["withdrawn", "forgotten"]


def test_whether_others_have_sealed_cannot_be_probed() -> None:
    m = match()
    others = submit(submit(m, "bob", ["sail north"]).match, "carol", ["sail east", "sail east"]).match
    for probe in (["sail north"], ["always decline", "sail north"], ["sail north", "land"]):
        dry = [submit(world, "alice", probe, dry_run=True) for world in (m, others)]
        assert [(d.played, d.fence, d.waiting, d.returned) for d in dry] == [(probe[: len(dry[0].played)], True, [], [])] * 2
    for world in (m, others):
        assert submit(world, "alice", ["sail north", "never decline"]).returned in (["never decline"], [])


def test_the_last_answer_is_a_fence() -> None:
    m = submit(submit(match(), "bob", ["sail north"]).match, "carol", ["sail east", "sail east"]).match
    outcome = submit(m, "alice", ["sail north", "sell"])
    assert outcome.played == ["sail north"]
    assert outcome.returned == ["sell"]


# Dry runs


def test_a_dry_run_stops_before_the_outcome_of_the_first_fence() -> None:
    m = at_turn(alice=["lamp oil"])
    outcome = submit(m, "alice", ["play lamp oil", "peek cave", "land"], dry_run=True)
    assert outcome.played == ["play lamp oil", "peek into cave"]
    assert outcome.fence
    assert kinds(outcome) == ["plays", "lights"]


def test_a_dry_run_without_a_fence_plays_all() -> None:
    outcome = submit(at_turn(alice=["lamp oil"]), "alice", ["play lamp oil"], dry_run=True)
    assert (outcome.played, outcome.fence) == (["play lamp oil"], False)


def test_a_dry_run_lets_nothing_stand_in_for_the_seat() -> None:
    m = submit(at_turn(carol=[]), "alice", ["dive cave"]).match
    outcome = submit(m, "bob", ["decline"], dry_run=True)
    assert outcome.fence
    assert asked(outcome) == ["bob"]


def test_a_dry_run_is_refused_as_the_mail_would_be() -> None:
    with pytest.raises(Refused, match="Line 1"):
        submit(at_turn(), "alice", ["sell"], dry_run=True)


# The end


def test_a_match_that_is_over_takes_no_answers() -> None:
    m = at_turn()
    m.agenda[:] = [{"do": "show_flags"}]
    assert refused(m, "alice", "land", kind=NotNow) == "Line 1: the match is over."


# Whatever is sent

WORDS = ["always", "never", "forget", "withdraw", "skip", "or", "and", "the", "pirate:", "dive", "land", "play", "sail"]
WORDS += ["call", "decline", "arch", "dog", "squall", "north", "1"]
MAILS = st.lists(
    st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=4)), max_size=6).map(" ".join), min_size=1, max_size=4
)


@given(MAILS, st.sampled_from(SEATS), st.booleans())
def test_a_mail_is_played_or_refused_and_never_anything_else(mail: list[str], seat: str, dry_run: bool) -> None:
    for m in (match(), at_turn(alice=["squall", "dog"]), submit(at_turn(), "alice", ["dive cave", "land"]).match):
        before = picture(m)
        with contextlib.suppress(Refusal):
            outcome = submit(m, seat, mail, dry_run=dry_run)
            assert outcome.returned == [] or outcome.reason
        assert picture(m) == before


@given(MAILS)
def test_a_line_that_can_be_kept_reads_as_itself(mail: list[str]) -> None:
    vocabulary = waiting.known(match())
    for line in mail:
        with contextlib.suppress(Refusal):
            kept = waiting.canonical_known(vocabulary, line)
            assert waiting.canonical_known(vocabulary, kept) == kept


def test_what_standing_orders_of_a_verb_name_can_be_asked_for() -> None:
    m = at_turn(carol=[])
    m.standing = {"carol": ["call squall", "decline", "call gale"]}
    assert m.wishes("carol", "call") == ["squall", "gale"]
    assert m.wishes("carol", "land") == m.wishes("alice", "call") == []
