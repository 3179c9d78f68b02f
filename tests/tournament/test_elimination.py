"""Eliminations: brackets, byes, the third place, the second life, and tables of more than two."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament import double_elimination, elimination, table_elimination
from referee.tournament.formats import FORMATS
from referee.tournament.rounds import Field, Outcome, Pairing, Round

from .playing import field_of, lost, names, pairs_of, play, published

SINGLE, DOUBLE = FORMATS["single-elimination"], FORMATS["double-elimination"]


def by_seed(field: Field, pairings: list[Pairing]) -> Field:
    """Return the event after a round that the higher seeds won."""
    outcomes = {
        pairing.table: Outcome(pairing.table, {player: place for place, player in enumerate(sorted(pairing.seats), 1)})
        for pairing in pairings
    }
    return field._replace(rounds=(*field.rounds, Round(len(field.rounds) + 1, tuple(pairings), outcomes)))


def test_the_order_of_the_bracket() -> None:
    assert elimination.seeds(1) == [1]
    assert elimination.seeds(8) == [1, 8, 4, 5, 2, 7, 3, 6]
    assert elimination.seeds(16) == [1, 16, 8, 9, 4, 13, 5, 12, 2, 15, 7, 10, 3, 14, 6, 11]
    for size in (2, 4, 8, 16, 32, 64, 128):
        order = elimination.seeds(size)
        assert sorted(order) == list(range(1, size + 1))
        while len(order) > 1:
            pairs = list(zip(order[::2], order[1::2], strict=True))
            assert {one + two for one, two in pairs} == {len(order) + 1}
            order = [min(pair) for pair in pairs]


@pytest.mark.parametrize("count", range(2, 40))
def test_the_highest_seeds_have_the_byes_and_win_by_strength(count: int) -> None:
    field = field_of(count)
    size = 1 << (count - 1).bit_length()
    first = SINGLE.next_round(field)
    assert {pairing.seats[0] for pairing in first if pairing.is_bye} == set(names(count)[: size - count])
    while pairings := SINGLE.next_round(field):
        field = by_seed(field, pairings)
    assert len(field.rounds) == SINGLE.rounds(field_of(count)) == (count - 1).bit_length()
    final = field.rounds[-1].pairings
    assert [set(pairing.seats) for pairing in final] == [{"p0001", "p0002"}]
    assert final[0].group == "final"
    assert SINGLE.is_over(field)
    assert not any(pairing.is_bye for found in field.rounds[1:] for pairing in found.pairings)


@pytest.mark.parametrize("count", [4, 5, 6, 7, 8, 13, 16])
def test_the_third_place(count: int) -> None:
    field = field_of(count, settings={"third-place": "yes"})
    while pairings := SINGLE.next_round(field):
        field = by_seed(field, pairings)
    assert {pairing.group: set(pairing.seats) for pairing in field.rounds[-1].pairings} == {
        "final": {"p0001", "p0002"},
        "third": {"p0003", "p0004"},
    }


def test_three_players_have_no_match_for_the_third_place() -> None:
    field = play("single-elimination", field_of(3, settings={"third-place": "yes"}))
    assert [pairing.group for pairing in field.rounds[-1].pairings] == ["final"]


@settings(max_examples=50, deadline=None)
@given(st.integers(2, 40), st.integers(0, 10**6), st.sampled_from((0.0, 0.1)))
def test_who_loses_is_out(count: int, seed: int, absent: float) -> None:
    field = play("single-elimination", field_of(count, seed), seed, draws=0.3, absent=absent)
    assert set(pairs_of(field).values()) <= {1}
    if not absent:
        assert Counter(lost(field).values()) == {1: count - 1}
    out: set[str] = set()
    for found in field.rounds:
        for pairing in found.pairings:
            assert not out & set(pairing.seats)
            if not pairing.is_bye:
                there = elimination.best_first(found.outcomes[pairing.table], elimination.draw_order(field))
                out |= set(pairing.seats) - set(there[:1])


def test_a_draw_is_decided_by_lot_or_by_seed() -> None:
    for setting in ("lots", "seeds"):
        field = field_of(4, 5, settings={"draw": setting})
        first = SINGLE.next_round(field)
        level = {pairing.table: Outcome(pairing.table, dict.fromkeys(pairing.seats, 1)) for pairing in first}
        after = field._replace(rounds=(Round(1, tuple(first), level),))
        order = field.lots if setting == "lots" else field.players
        wanted = {min(pairing.seats, key=order.index) for pairing in first}
        assert set(SINGLE.next_round(after)[0].seats) == wanted


def test_who_withdraws_leaves_a_bye_to_the_opponent_and_a_corrected_result_changes_nothing_published() -> None:
    field = by_seed(field_of(8), SINGLE.next_round(field_of(8)))
    second = SINGLE.next_round(field._replace(away=frozenset({"p0004"})))
    assert [set(pairing.seats) for pairing in second] == [
        {"p0001"},
        {"p0002", "p0003"},
    ] or len(second) == 2
    assert [pairing.seats for pairing in second if pairing.is_bye] == [("p0001",)]
    field = by_seed(field, second)
    # Corrected later: the lowest seed had won the first table.
    first = field.rounds[0]
    table = next(pairing.table for pairing in first.pairings if "p0001" in pairing.seats)
    other = next(player for player in first.pairings[table - 1].seats if player != "p0001")
    corrected = first._replace(outcomes={**first.outcomes, table: Outcome(table, {other: 1, "p0001": 2})})
    field = field._replace(rounds=(corrected, *field.rounds[1:]), away=frozenset({"p0004"}))
    assert [set(pairing.seats) for pairing in SINGLE.next_round(field)] == [{"p0001", "p0002"}]


def test_a_table_at_which_nobody_played_leaves_a_walkover() -> None:
    field = field_of(4)
    first = SINGLE.next_round(field)
    gone = Outcome(1, dict.fromkeys(first[0].seats, 1), how="forfeit", absent=first[0].seats)
    won = Outcome(2, {first[1].seats[0]: 1, first[1].seats[1]: 2})
    after = field._replace(rounds=(Round(1, tuple(first), {1: gone, 2: won}),))
    assert [(pairing.seats, pairing.group) for pairing in SINGLE.next_round(after)] == [((first[1].seats[0],), "final")]


# Double elimination.


@pytest.mark.parametrize("count", range(2, 34))
def test_by_strength_the_second_seed_loses_the_grand_final(count: int) -> None:
    field = field_of(count)
    while pairings := DOUBLE.next_round(field):
        field = by_seed(field, pairings)
    assert DOUBLE.is_over(field)
    assert [(set(pairing.seats), pairing.group) for pairing in field.rounds[-1].pairings] == [
        ({"p0001", "p0002"}, "grand-final")
    ]
    assert len(field.rounds) == DOUBLE.rounds(field_of(count))
    assert lost(field)["p0001"] == 0


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 20), st.integers(0, 10**6), st.sampled_from(("yes", "no")))
def test_who_loses_twice_is_out(count: int, seed: int, reset: str) -> None:
    field = play("double-elimination", field_of(count, seed, settings={"reset": reset}), seed)
    losses = lost(field)
    last = field.rounds[-1].pairings
    assert len(last) == 1
    assert last[0].group in ("grand-final", "reset")
    assert max(losses.values()) <= 2
    still = [player for player in field.players if losses[player] < 2]
    assert len(still) == 1 if reset == "yes" else 1 <= len(still) <= 2
    if last[0].group == "reset":
        assert set(last[0].seats) == set(field.rounds[-2].pairings[0].seats)
    out: Counter[str] = Counter()
    for found in field.rounds:
        there = [player for pairing in found.pairings for player in pairing.seats]
        assert len(there) == len(set(there))
        assert not any(out[player] >= 2 for player in there)
        part = field._replace(rounds=(found,))
        out += lost(part)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 24), st.integers(0, 10**6))
def test_forfeits_and_withdrawals_do_not_stop_a_double_elimination(count: int, seed: int) -> None:
    chance = random.Random(seed)
    field = field_of(count, seed)
    for _ in range(30):
        if len(field.away) < count - 2 and field.rounds and chance.random() < 0.3:
            field = field._replace(away=field.away | {chance.choice(field.players)})
        pairings = DOUBLE.next_round(field)
        if not pairings:
            break
        assert not any(player in field.away for pairing in pairings for player in pairing.seats)
        field = published(field, pairings, chance, absent=0.1)
    assert DOUBLE.is_over(field)


def rematches(field: Field) -> list[tuple[int, str]]:
    """Return the rounds and groups in which two met again."""
    met: set[frozenset[str]] = set()
    found = []
    for one in field.rounds:
        now = [(frozenset(pairing.seats), pairing.group) for pairing in one.pairings if not pairing.is_bye]
        found += [(one.number, group) for pair, group in now if pair in met]
        met |= {pair for pair, _ in now}
    return found


@pytest.mark.parametrize(("count", "column"), [(4, 2), (8, 3), (16, 4), (32, 5), (64, 7)])
def test_nobody_meets_again_before_a_late_column_of_the_losers_bracket(count: int, column: int) -> None:
    # Column n is played in round n + 1.
    for seed in range(120 // count):
        field = play("double-elimination", field_of(count, seed), seed)
        assert all(number > column for number, _ in rematches(field))


def test_who_drops_comes_to_the_other_end() -> None:
    places = list("abcdefgh")
    for size, wanted in ((32, ["hgfedcba", "dcbahgfe", "hgfedcba"]), (64, ["hgfedcba", "efghabcd", "dcbahgfe", "hgfedcba"])):
        turned = [double_elimination.dropped(places, times, size) for times in range(len(wanted))]
        assert ["".join(filter(None, one)) for one in turned] == wanted


def test_every_way_four_players_can_end() -> None:
    ends = Counter()
    for results in product((0, 1), repeat=7):
        field, left = field_of(4), iter(results)
        while pairings := DOUBLE.next_round(field):
            outcomes = {}
            for pairing in pairings:
                win = next(left)
                outcomes[pairing.table] = Outcome(pairing.table, {pairing.seats[win]: 1, pairing.seats[1 - win]: 2})
            field = field._replace(rounds=(*field.rounds, Round(len(field.rounds) + 1, tuple(pairings), outcomes)))
        played = sum(len(found.pairings) for found in field.rounds)
        ends[played] += 1
        assert played in (6, 7)
    assert ends == {6: 64, 7: 64}


# Tables of three to six.


@settings(max_examples=60, deadline=None)
@given(st.integers(3, 6), st.integers(3, 60), st.integers(0, 5), st.integers(0, 10**6))
def test_the_best_of_each_table_go_on(seats: int, count: int, advance: int, seed: int) -> None:
    field = field_of(count, seed, seats, {"advance": advance % seats})
    if SINGLE.problems(dict(field.settings), field.players, seats):
        return
    done = play("single-elimination", field, seed)
    assert len(done.rounds) == SINGLE.rounds(field)
    assert [pairing.group for pairing in done.rounds[-1].pairings] == ["final"]
    for before, after in zip(done.rounds, done.rounds[1:], strict=False):
        inside = {player for pairing in after.pairings for player in pairing.seats}
        for pairing in before.pairings:
            best = table_elimination.best_first(before.outcomes[pairing.table], elimination.draw_order(done))
            on = 1 if pairing.is_bye else min(table_elimination.advancing(done), len(pairing.seats) - 1)
            assert set(best[:on]) <= inside
            # Others go on in the order of their places alone, and only where one table could not be filled.
            more = [player for player in best if player in inside][on:]
            assert best[: on + len(more)] == [player for player in best if player in inside]
            assert not more or len(inside) == table_elimination.smallest_of(done)
        sizes = {len(pairing.seats) for pairing in after.pairings if not pairing.is_bye}
        assert min(sizes) >= table_elimination.smallest_of(done)
        assert max(sizes) - min(sizes) <= 1


def test_tables_are_equally_strong_and_keep_apart_who_met() -> None:
    field = field_of(16, seats=4)
    first = SINGLE.next_round(field)
    assert [sum(int(player[1:]) for player in pairing.seats) for pairing in first] == [34, 34, 34, 34]
    second = SINGLE.next_round(by_seed(field, first))
    assert len(second) == 2
    met = {frozenset((one, two)) for pairing in first for one in pairing.seats for two in pairing.seats if one != two}
    # Of two tables of four from four tables with two each, nobody has to meet again.
    assert not any(pair <= set(pairing.seats) for pairing in second for pair in met)
