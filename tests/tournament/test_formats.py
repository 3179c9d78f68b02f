"""The formats by name: settings, limits, and what they have in common."""

from __future__ import annotations

import pytest

from referee.errors import NotNow
from referee.tournament.formats import FORMATS
from referee.tournament.rounds import Round

from .playing import field_of, names, play

LIKELY = {"swiss": {"rounds": 3}, "groups": {"groups": 2, "qualify": 3}, "tables": {"rounds": 2}}


def test_the_names() -> None:
    assert set(FORMATS) == {
        "round-robin", "double-round-robin", "swiss", "single-elimination", "double-elimination", "groups", "tables",
        "open-round-robin",
    }  # fmt: skip


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_defaults_that_it_allows(name: str) -> None:
    form = FORMATS[name]
    assert form.about.endswith(".")
    for seats in form.seats:
        assert form.problems({}, (), seats) == []
        assert form.problems(form.settings, (), seats) == []
    assert form.problems({}, (), 7)[0].startswith(f"The format {form.title} is for tables of ")
    assert form.problems({"moon": 1}, (), form.seats[0])[0].startswith("There is no setting moon here: there are ")


@pytest.mark.parametrize("name", FORMATS)
def test_every_setting_says_what_it_can_be(name: str) -> None:
    form = FORMATS[name]
    for setting, one in form.choices.items():
        wrong = 10**6 if isinstance(one.allowed, range) else "moon"
        problems = form.problems({setting: wrong}, (), form.seats[0])
        assert len(problems) == 1
        assert problems[0].startswith(f"The setting {setting} (")
        assert problems[0].endswith(f", and not {wrong}.")
        for value in (one.allowed[0], one.allowed[-1]):
            assert form.problems({setting: value}, (), form.seats[0]) == []


@pytest.mark.parametrize("name", FORMATS)
def test_too_few_and_too_many_players(name: str) -> None:
    form = FORMATS[name]
    assert form.problems({}, ("p1",), form.seats[-1]) == [
        f"The format {form.title} takes 2 to {form.most} players, and there are 1."
    ]
    assert form.problems({}, names(form.most + 1), form.seats[-1])


@pytest.mark.parametrize("name", FORMATS)
def test_a_whole_event_ends_and_is_over_then_alone(name: str) -> None:
    form = FORMATS[name]
    for seats in form.seats:
        settings = {**form.settings, **LIKELY.get(name, {})}
        field = field_of(12, 1, seats, settings)
        assert form.problems(settings, field.players, seats) == []
        assert not form.is_over(field)
        done = play(name, field, 1)
        assert form.is_over(done)
        assert form.next_round(done) == []
        last = done.rounds[-1]
        missing = done._replace(rounds=(*done.rounds[:-1], last._replace(outcomes={})))
        assert not form.is_over(missing)


@pytest.mark.parametrize("name", [name for name, form in FORMATS.items() if form.waits])
def test_missing_results_are_named(name: str) -> None:
    form = FORMATS[name]
    field = field_of(8, 1, form.seats[0], {**form.settings, **LIKELY.get(name, {})})
    pairings = form.next_round(field)
    begun = field._replace(rounds=(Round(1, tuple(pairings), {}),))
    with pytest.raises(NotNow, match=r"Round 1 is not over: no result of table 1, 2"):
        form.next_round(begun)


def test_what_does_not_fit() -> None:
    assert FORMATS["swiss"].problems({"rounds": 4}, names(4)) == [
        "4 rounds without a rematch take 5 players at least, and there are 4."
    ]
    assert FORMATS["swiss"].problems({"rounds": 5}, names(5)) == []
    assert FORMATS["swiss"].problems({"rounds": 5}, names(6)) == []
    assert FORMATS["groups"].problems({"groups": 4}, names(7)) == ["4 groups of at least 2 take 8 players, and there are 7."]
    assert FORMATS["groups"].problems({"groups": 1}, names(7)) == [
        "Finals take 2 players at least, and 1 qualify: take more groups, or let more qualify."
    ]
    assert FORMATS["tables"].problems({}, names(2), 4) == ["A table takes 3 to 4 players, and there are 2."]
    assert FORMATS["tables"].problems({"smallest-table": 5}, names(9), 4) == [
        "The smallest table has 5 players, and a table has only 4 seats."
    ]
    assert FORMATS["single-elimination"].problems({"advance": 3}, names(9), 3) == [
        "3 cannot go on from a table of 3: somebody has to be out."
    ]
    for rounds in range(1, 31):
        for count in range(2, 33):
            found = FORMATS["swiss"].problems({"rounds": rounds}, names(count))
            if found:
                needed = int(found[0].split(" players")[0].split()[-1])
                assert FORMATS["swiss"].problems({"rounds": rounds}, names(needed)) == []
                assert FORMATS["swiss"].problems({"rounds": rounds}, names(needed - 1))
