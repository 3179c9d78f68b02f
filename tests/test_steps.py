"""Steps and frames: what a frame must fit, what an order's pattern is, and names of later steps."""

from types import ModuleType
from typing import Any

import pytest

from referee.steps import NUMBER, Order, collect, order, step


@step
def draw(m: Any, who: str, count: int) -> None:
    """Draw cards."""


@order("load {goods} into {hold}", goods="goods", hold="holds")
def load(m: Any, who: str, goods: str, hold: str) -> None:
    """Load goods."""


def module(**named: object) -> ModuleType:
    made = ModuleType("chapter")
    vars(made).update(named)
    return made


def test_calling_a_step_builds_a_frame_and_runs_nothing() -> None:
    assert draw(who="alice", count=2) == {"do": "draw", "who": "alice", "count": 2}


@pytest.mark.parametrize("given", [{}, {"who": "alice"}, {"who": "alice", "count": 1, "more": 1}])
def test_a_frame_has_exactly_the_arguments_of_its_step(given: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match="step draw takes"):
        draw(**given)


def test_a_pattern_is_cut_into_verb_keywords_and_slots() -> None:
    assert load.parts == [("verb", "load"), ("slot", "goods"), ("keyword", "into"), ("slot", "hold")]
    assert (load.verb, load.slots) == ("load", ["goods", "hold"])


def test_a_verb_may_have_several_words() -> None:
    made = order("fly toward {place}", place="places")(lambda m, place: None)
    assert (made.verb, made.slots) == ("fly toward", ["place"])


def test_brackets_begin_a_part_that_may_be_left_out() -> None:
    made = order("end [discarding {cards}]", cards="some cards")(lambda m, cards: None)
    assert (made.verb, made.slots) == ("end", ["cards"])


@pytest.mark.parametrize(
    ("pattern", "vocabulary"),
    [
        ("load {goods}", {}),
        ("load {goods} {hold}", {"goods": "goods"}),
        ("load {crate}", {"crate": "goods"}),
        ("{goods} away", {"goods": "goods"}),
        ("always {goods}", {"goods": "goods"}),
        ("withdraw {goods}", {"goods": "goods"}),
    ],
)
def test_a_pattern_that_does_not_fit_is_an_error_at_once(pattern: str, vocabulary: dict[str, str]) -> None:
    with pytest.raises(TypeError):
        Order(load.body, pattern, vocabulary, False)


def test_a_step_of_a_later_chapter_is_named_without_importing_it() -> None:
    assert step.settle(who="bob") == {"do": "settle", "who": "bob"}


def test_given_fixes_arguments_beforehand() -> None:
    assert load.given(hold="hold 1") == (load, {"hold": "hold 1"})


def test_the_partner_is_noted() -> None:
    made = order("count {number}", number=NUMBER)(lambda m, number: None)

    @made.offered
    def partner(m: Any) -> dict[str, Any]:
        return {}

    assert made.offer is partner


def test_steps_are_collected_once_though_several_chapters_name_them() -> None:
    assert collect([module(draw=draw, load=load), module(draw=draw, other=3)]) == {"draw": draw, "load": load}


def test_two_steps_of_one_name_are_an_error() -> None:
    other = step(lambda m: None)
    other.name = "draw"
    with pytest.raises(TypeError, match="two steps are called draw"):
        collect([module(draw=draw), module(other=other)])
