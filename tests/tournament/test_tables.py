"""Tables of three to six: known designs, sizes, seats, and the laws that random events keep."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import Refused
from referee.tournament import designs, tables
from referee.tournament.formats import FORMATS
from referee.tournament.ranking import BY_PLACES
from referee.tournament.rounds import Field
from referee.tournament.search import Costs, Shaker, Tables
from referee.tournament.sizes import sitting, sizes

from .playing import byes_of, field_of, names, pairs_of, play, published

FORM = FORMATS["tables"]


def seats_of(field: Field) -> Counter[tuple[str, int]]:
    found = [pairing for one in field.rounds for pairing in one.pairings if not pairing.is_bye]
    return Counter((player, seat) for pairing in found for seat, player in enumerate(pairing.seats))


@pytest.mark.parametrize(
    ("players", "seats", "rounds", "again"),
    [
        (16, 4, 5, 0),  # social golfers, the most rounds that can be
        (9, 3, 4, 0),  # an affine plane, likewise
        (25, 5, 6, 0),
        (12, 3, 4, 0),
        (20, 4, 5, 0),
        (15, 3, 5, 0),
        (13, 4, 4, 0),  # 4 + 3 + 3 + 3
        (36, 6, 3, 0),
        (12, 4, 2, 3),  # any two rounds of three tables of four have three pairs in common at least
        (12, 4, 3, 9),
        (8, 4, 2, 4),
    ],
)
def test_as_few_meet_again_as_can_be(players: int, seats: int, rounds: int, again: int) -> None:
    for seed in range(2):
        met = pairs_of(play("tables", field_of(players, seed, seats, {"rounds": rounds}), seed))
        assert sum(times - 1 for times in met.values()) == again


@pytest.mark.parametrize(("players", "seats", "rounds", "most"), [(24, 4, 5, 3), (12, 3, 5, 5), (18, 3, 6, 6), (30, 5, 4, 3)])
def test_where_no_plan_is_known_the_search_comes_near(players: int, seats: int, rounds: int, most: int) -> None:
    met = pairs_of(play("tables", field_of(players, 1, seats, {"rounds": rounds}), 1))
    assert sum(times - 1 for times in met.values()) <= most
    assert max(met.values()) <= 2


@pytest.mark.parametrize("order", [2, 3, 4, 5, 7, 8, 9, 11, 16])
def test_finite_fields(order: int) -> None:
    found = designs.field_of(order)
    assert found is not None
    sums, products = found
    numbers = range(order)
    for one in numbers:
        assert sorted(sums[one]) == list(numbers)
        assert (products[one][0], products[one][1]) == (0, one)
        assert one == 0 or sorted(products[one]) == list(numbers)
        for two in numbers:
            for three in numbers:
                assert products[one][sums[two][three]] == sums[products[one][two]][products[one][three]]


@pytest.mark.parametrize("order", [1, 6, 10, 12, 14, 15])
def test_there_is_no_field_of_this_size(order: int) -> None:
    assert designs.field_of(order) is None


def test_sizes() -> None:
    for players in range(1, 60):
        for seats in range(2, 7):
            for smallest in range(1, seats + 1):
                found = sizes(players, seats, smallest)
                if not found:
                    assert not any(number * smallest <= players <= number * seats for number in range(1, players + 1))
                else:
                    assert (sum(found), found) == (players, sorted(found, reverse=True))
                    assert all(smallest <= size <= seats for size in found)
                    assert found[0] - found[-1] <= 1
    assert (sizes(13, 4, 3), sitting(5, 4, 3), sitting(2, 3, 3)) == ([4, 3, 3, 3], 4, 0)


@settings(max_examples=15, deadline=None)
@given(st.integers(3, 6), st.integers(3, 20), st.integers(0, 10**6), st.sampled_from(("balance", "score")))
def test_random_events_keep_the_laws(seats: int, count: int, seed: int, by: str) -> None:
    late = dict.fromkeys(names(count)[max(count * 3 // 4, seats) :], 2)
    field = field_of(count, seed, seats, {"rounds": 4, "pair-by": by})._replace(joined=late)
    chance = random.Random(seed)
    gone: set[str] = set()
    for number in range(1, 5):
        there = sorted(player for player in field.players if late.get(player, 1) <= number and player not in gone)
        if len(there) > seats + 1 and chance.random() < 0.4:
            gone.add(there.pop(chance.randrange(len(there))))
        field = field._replace(away=frozenset(gone))
        smallest = tables.smallest_of(field)
        if not sitting(len(there), seats, smallest):
            with pytest.raises(Refused, match="A table takes"):
                FORM.next_round(field)
            return
        pairings = FORM.next_round(field)
        assert pairings == FORM.next_round(field)
        assert sorted(player for pairing in pairings for player in pairing.seats) == there
        played = [len(pairing.seats) for pairing in pairings if not pairing.is_bye]
        assert sorted(played, reverse=True) == sizes(sum(played), seats, smallest)
        assert len(there) - sum(played) == len(there) - sitting(len(there), seats, smallest)
        before = byes_of(field)
        field = published(field, pairings, chance, absent=0.05)
        for player, times in (byes_of(field) - before).items():
            assert times == 1
            assert before[player] == min(before[other] for other in there)
    assert FORM.is_over(field)


@settings(max_examples=6, deadline=None)
@given(st.integers(3, 5), st.integers(0, 10**6))
def test_seats_are_balanced(seats: int, seed: int) -> None:
    field = play("tables", field_of(seats * 5, seed, seats, {"rounds": seats + 2}), seed)
    sat = seats_of(field)
    for player in field.players:
        times = [sat[player, seat] for seat in range(seats)]
        assert sum(times) == seats + 2
        assert max(times) - min(times) <= 3
    assert Counter(sat.values())[1] + Counter(sat.values())[2] >= 0.8 * seats * len(field.players)


def test_by_score_the_leaders_sit_together() -> None:
    field = play("tables", field_of(32, 3, 4, {"rounds": 4, "pair-by": "score"}), 3)
    before = BY_PLACES.points(field._replace(rounds=field.rounds[:3]))
    last = field.rounds[3].pairings
    means = [sum(before[player] for player in pairing.seats) / len(pairing.seats) for pairing in last]
    assert all(one >= two - 1 for one, two in pairwise(means))
    assert means[0] - means[-1] > 6
    assert max(pairs_of(field).values()) <= 2


def test_small_tables_and_byes_go_round() -> None:
    field = play("tables", field_of(13, 4, 4, {"rounds": 4}), 4)
    large = Counter(player for one in field.rounds for p in one.pairings if len(p.seats) == 4 for player in p.seats)
    # To keep all opponents different, one player is at the large table every time; each of the others is there once.
    assert sorted(large.values()) == [1] * 12 + [4]
    five = play("tables", field_of(5, 4, 4, {"rounds": 5}), 4)
    assert byes_of(five) == Counter(dict.fromkeys(five.players, 1))


def test_too_few_players() -> None:
    with pytest.raises(Refused, match="A table takes 3 to 4 players, and 2 can be seated"):
        tables.next_round(field_of(2, seats=4))


def test_the_search_is_bounded_and_follows_from_the_lots() -> None:
    players = list(names(24))
    met = {frozenset((one, two)): 1 for one in players for two in players if one < two}
    start = [players[place : place + 4] for place in range(0, 24, 4)]
    found = [Tables(start, Costs(met, {}, {})) for _ in range(2)]
    for one in found:
        one.improve(Shaker("lots"), 5)
    assert found[0].tables == found[1].tables
    assert found[0].cost() == 36 * 100
    assert sorted(player for seats in found[0].tables for player in seats) == players
    numbers = [Shaker("other").below(1000) for _ in range(3)]
    assert len(set(numbers)) == 1


def test_a_thousand_players_are_seated() -> None:
    field = field_of(1000, 1, 4, {"rounds": 2})
    for number in range(2):
        field = published(field, FORM.next_round(field), random.Random(number))
    assert set(pairs_of(field).values()) == {1}
