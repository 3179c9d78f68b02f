"""Groups, then finals."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament import groups
from referee.tournament.formats import FORMATS
from referee.tournament.ranking import BY_PLACES
from referee.tournament.rounds import Field, Outcome, Round

from .playing import field_of, pairs_of, play

FORM = FORMATS["groups"]


def parts(field: Field) -> tuple[Field, Field]:
    """Return the event of the groups and that of the finals."""
    staged, finals = groups.parted(field)
    return field._replace(rounds=staged), field._replace(rounds=finals)


def test_the_default_for_sixteen() -> None:
    field = field_of(16)
    first = FORM.next_round(field)
    assert Counter(pairing.group for pairing in first) == {"A": 6, "B": 6, "C": 6, "D": 6}
    assert groups.groups(field)["A"] == ("p0001", "p0008", "p0009", "p0016")
    assert groups.groups(field)["D"] == ("p0004", "p0005", "p0012", "p0013")
    done = play("groups", field)
    assert [len(found.pairings) for found in done.rounds] == [24, 2, 1]
    assert FORM.rounds(field) == 3
    winners = [BY_PLACES.rank(parts(done)[0], name)[0] for name in "ABCD"]
    # A meets D, and B meets C.
    assert [set(pairing.seats) for pairing in done.rounds[1].pairings] == [
        {winners[0], winners[3]},
        {winners[1], winners[2]},
    ]
    assert done.rounds[2].pairings[0].group == "final"


def test_two_of_each_of_four_groups_cross() -> None:
    layers = [[(group, f"{group}{place}") for group in "ABCD"] for place in (1, 2)]
    seeded = groups.crossed(layers)
    places = [seeded[seed - 1] for seed in (1, 8, 4, 5, 2, 7, 3, 6)]
    assert {frozenset(pair) for pair in zip(places[::2], places[1::2], strict=True)} in (
        {frozenset(pair) for pair in (("A1", "B2"), ("B1", "A2"), ("C1", "D2"), ("D1", "C2"))},
        {frozenset(pair) for pair in (("A1", "C2"), ("C1", "A2"), ("B1", "D2"), ("D1", "B2"))},
    )
    halves = [places[:4], places[4:]]
    for half in halves:
        assert sorted(player[0] for player in half) == ["A", "B", "C", "D"]


@pytest.mark.parametrize(("count", "each"), [(2, 2), (2, 4), (4, 4), (8, 2), (3, 2), (6, 2), (5, 3)])
def test_those_of_one_group_stand_far_apart(count: int, each: int) -> None:
    layers = [[(groups.name_of(number), f"{number}/{place}") for number in range(count)] for place in range(each)]
    seeded = groups.crossed(layers)
    assert sorted(seeded) == sorted(player for layer in layers for _, player in layer)
    size = 1 << (len(seeded) - 1).bit_length()
    places = [seeded[seed - 1] if seed <= len(seeded) else None for seed in groups.seeds(size)]
    for one, two in zip(places[::2], places[1::2], strict=True):
        assert one is None or two is None or one.split("/")[0] != two.split("/")[0]


@settings(max_examples=40, deadline=None)
@given(
    st.integers(2, 24),
    st.integers(1, 6),
    st.integers(1, 4),
    st.sampled_from(("at-once", "by-rounds")),
    st.sampled_from(("knockout", "group")),
    st.sampled_from((2, 3, 4)),
    st.integers(0, 10**6),
)
def test_random_events_keep_the_laws(
    count: int, number: int, qualify: int, pace: str, final: str, seats: int, seed: int
) -> None:
    wanted: dict[str, int | str] = {"groups": number, "qualify": qualify, "pace": pace, "final": final, "games": 2}
    field = field_of(count, seed, seats, {**FORM.settings, **wanted})
    if FORM.problems(field.settings, field.players, seats):
        return
    done = play("groups", field, seed)
    staged, finals = parts(done)
    found = groups.groups(done)
    assert found == groups.groups(field)
    assert sorted(player for inside in found.values() for player in inside) == list(field.players)
    assert max(map(len, found.values())) - min(map(len, found.values())) <= 1
    if seats == 2:
        assert set(pairs_of(staged).values()) <= {1}
        assert len(pairs_of(staged)) == sum(len(inside) * (len(inside) - 1) // 2 for inside in found.values())
    best = {player for name in found for player in BY_PLACES.rank(staged, name)[:qualify]}
    assert {player for one in finals.rounds for pairing in one.pairings for player in pairing.seats} == best
    assert len(done.rounds) == FORM.rounds(field)
    if final == "group" and seats == 2:
        assert len(pairs_of(finals)) == len(best) * (len(best) - 1) // 2


def test_who_withdraws_after_the_groups_makes_room_and_the_bracket_stands() -> None:
    field = field_of(8, settings={"groups": 2, "qualify": 2})
    first = FORM.next_round(field)
    outcomes = {p.table: Outcome(p.table, {player: n for n, player in enumerate(sorted(p.seats), 1)}) for p in first}
    field = field._replace(rounds=(Round(1, tuple(first), outcomes),))
    assert groups.groups(field) == {"A": ("p0001", "p0004", "p0005", "p0008"), "B": ("p0002", "p0003", "p0006", "p0007")}
    second = FORM.next_round(field._replace(away=frozenset({"p0004"})))
    assert sorted(player for pairing in second for player in pairing.seats) == ["p0001", "p0002", "p0003", "p0005"]
    assert [set(pairing.seats) for pairing in second] == [{"p0001", "p0003"}, {"p0002", "p0005"}]
    semis = {p.table: Outcome(p.table, {player: n for n, player in enumerate(sorted(p.seats), 1)}) for p in second}
    field = field._replace(rounds=(*field.rounds, Round(2, tuple(second), semis)))
    assert [set(pairing.seats) for pairing in FORM.next_round(field)] == [{"p0001", "p0002"}]


def test_names_of_groups() -> None:
    assert [groups.name_of(number) for number in (0, 25, 26, 52)] == ["A", "Z", "A2", "A3"]
    field = field_of(60, settings={"groups": 30, "qualify": 1})
    assert list(groups.groups(field))[:2] == ["A", "B"]
    assert list(groups.groups(play("groups", field)))[24:27] == ["Y", "Z", "A2"]
