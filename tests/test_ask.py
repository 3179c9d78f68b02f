"""Questions: one object lists, checks, samples and explains the choices."""

import itertools
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.ask import Decision, Offer, Question
from referee.slots import ABSENT, no, number, one_of, some_of
from referee.steps import NUMBER, Order, order


def offer(made: Order, slots: Any, **bound: Any) -> Offer:
    made.offered(lambda m, **bound: slots)
    return Offer(None, made, bound)


def burn() -> Order:
    return order("burn {fuel} by {count}", fuel="fuels", count=NUMBER)(lambda m, who, fuel, count: None)


STOCK = {"oil": 2, "coal": 0, "wood": 3}


def burning() -> Offer:
    slots = {"fuel": one_of(list(STOCK)), "count": lambda chosen: number(1, STOCK[chosen["fuel"]])}
    return offer(burn(), slots, who="alice")


def test_one_of_lists_each_name_once() -> None:
    slot = one_of(["fox", "owl", "fox"])
    assert list(slot.values()) == ["fox", "owl"]
    assert slot.takes("fox")
    assert not slot.takes("cat")


def test_some_of_lists_equal_choices_once_and_brings_them_into_one_order() -> None:
    slot = some_of(["fox", "owl", "fox"], least=1, most=2, default=["owl", "fox"])
    assert list(slot.values()) == [["fox"], ["owl"], ["fox", "fox"], ["fox", "owl"]]
    assert slot.default == ["fox", "owl"]


def test_many_copies_are_listed_without_trying_each() -> None:
    assert len(list(some_of(["ore"] * 40 + ["ice"] * 40, least=20, most=20).values())) == 21


@given(st.lists(st.sampled_from("abc"), max_size=6), st.integers(0, 4))
def test_some_of_lists_what_combinations_are(names: list[str], size: int) -> None:
    slot = some_of(names, least=size, most=size)
    listed = [tuple(chosen) for chosen in slot.values()]
    assert listed == list(dict.fromkeys(itertools.combinations(slot.names, size)))


@pytest.mark.parametrize("value", [["cat"], ["fox", "fox", "fox"], [], ["owl", "owl"], "fox", ["owl", "fox"], None])
def test_some_of_takes_nothing_that_it_does_not_list(value: object) -> None:
    assert not some_of(["fox", "owl", "fox"], least=1, most=2).takes(value)


@pytest.mark.parametrize("value", [0, 4, True, "2", 2.0, None])
def test_a_number_is_whole_and_within_its_bounds(value: object) -> None:
    assert not number(1, 3).takes(value)


@pytest.mark.parametrize("slot", [one_of([]), some_of(["fox"], least=2), number(1, 0)])
def test_a_slot_without_a_choice_is_false(slot: Any) -> None:
    assert not slot
    assert list(slot.values()) == []


def test_no_default_is_told_apart_from_an_empty_one() -> None:
    assert one_of(["fox"]).default is ABSENT
    assert some_of(["fox"], default=[]).default == []


@given(st.lists(st.sampled_from("abcd"), max_size=5), st.integers(0, 3), st.integers(0, 5), st.integers(0, 99))
def test_what_is_sampled_is_listed_and_taken(names: list[str], least: int, most: int, seed: int) -> None:
    slot = some_of(names, least=least, most=most)
    if slot:
        chosen = slot.sample(random.Random(seed))
        assert chosen in list(slot.values())
        assert slot.takes(chosen)
    assert all(slot.takes(value) for value in slot.values())


def test_a_bound_may_depend_on_what_was_chosen_before() -> None:
    fills = list(burning().fills())
    assert [(fill["fuel"], fill["count"]) for fill in fills] == [
        *[("oil", 1), ("oil", 2)],
        *[("wood", 1), ("wood", 2), ("wood", 3)],
    ]
    assert burning().takes({"fuel": "wood", "count": 3})
    assert not burning().takes({"fuel": "oil", "count": 3})


@pytest.mark.parametrize("seed", range(20))
def test_a_sample_never_ends_where_a_bound_leaves_nothing(seed: int) -> None:
    chosen = burning()
    assert chosen.takes(chosen.sample(random.Random(seed)))  # type: ignore[arg-type]


def test_a_fill_lacks_no_slot_and_has_no_other() -> None:
    assert not burning().takes({"fuel": "oil"})
    assert not burning().takes({"fuel": "oil", "count": 1, "more": 1})


def test_the_partner_is_asked_once_and_only_when_somebody_looks() -> None:
    calls = []
    made = burn()
    made.offered(lambda m, who: calls.append(who) or no("cold"))
    lazy = Offer(None, made, {"who": "alice"})
    assert calls == []
    assert not lazy.available()
    assert list(lazy.fills()) == []
    assert lazy.sample(random.Random(1)) is None
    assert calls == ["alice"]


def test_a_decision_contains_exactly_what_it_lists() -> None:
    made = burn()
    offer(made, burning().slots)
    decision = Decision(None, "alice", "alice", [made])
    frames = list(decision.frames())
    assert frames[0] == {"do": burning().order.name, "who": "alice", "fuel": "oil", "count": 1}
    assert all(frame in decision for frame in frames)
    assert {**frames[0], "who": "bob"} not in decision
    assert {**frames[0], "count": 9} not in decision
    assert {"do": "other"} not in decision
    assert "burn" not in decision


def test_who_can_answer_nothing_is_a_fault_of_the_game() -> None:
    made = burn()
    offer(made, no("cold"))
    decision = Decision(None, "alice", "alice", [made])
    with pytest.raises(LookupError, match="alice is asked and can answer nothing"):
        decision.sample(random.Random(1))


def test_a_seat_may_answer_for_several_deciders() -> None:
    decisions = {name: Decision(None, name, seat, []) for name, seat in [("alice", "alice"), ("bob", "bob"), ("pirate", "bob")]}
    question = Question("courses", {}, decisions, taken="sail")
    assert question.seats == ["alice", "bob"]
    assert [decision.decider for decision in question.of("bob")] == ["bob", "pirate"]


def test_a_reason_shows_the_call_that_makes_it() -> None:
    assert repr(no("sealed", hold="hold 1")) == "No('sealed', hold='hold 1')"
