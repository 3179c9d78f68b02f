"""Berger tables: the published ones, and what every one of them keeps."""

from __future__ import annotations

from collections import Counter

import pytest

from referee.tournament import berger
from referee.tournament.formats import FORMATS

from .playing import byes_of, field_of, names, pairs_of, play

# FIDE Handbook, C.05 annex 1, for 3 or 4 players up to 11 or 12.
PUBLISHED = {
    4: "1-4 2-3 / 4-3 1-2 / 2-4 3-1",
    6: "1-6 2-5 3-4 / 6-4 5-3 1-2 / 2-6 3-1 4-5 / 6-5 1-4 2-3 / 3-6 4-2 5-1",
    8: "1-8 2-7 3-6 4-5 / 8-5 6-4 7-3 1-2 / 2-8 3-1 4-7 5-6 / 8-6 7-5 1-4 2-3 / 3-8 4-2 5-1 6-7 / 8-7 1-6 2-5 3-4 / "
    "4-8 5-3 6-2 7-1",
    10: "1-10 2-9 3-8 4-7 5-6 / 10-6 7-5 8-4 9-3 1-2 / 2-10 3-1 4-9 5-8 6-7 / 10-7 8-6 9-5 1-4 2-3 / 3-10 4-2 5-1 6-9 7-8 / "
    "10-8 9-7 1-6 2-5 3-4 / 4-10 5-3 6-2 7-1 8-9 / 10-9 1-8 2-7 3-6 4-5 / 5-10 6-4 7-3 8-2 9-1",
    12: "1-12 2-11 3-10 4-9 5-8 6-7 / 12-7 8-6 9-5 10-4 11-3 1-2 / 2-12 3-1 4-11 5-10 6-9 7-8 / 12-8 9-7 10-6 11-5 1-4 2-3 / "
    "3-12 4-2 5-1 6-11 7-10 8-9 / 12-9 10-8 11-7 1-6 2-5 3-4 / 4-12 5-3 6-2 7-1 8-11 9-10 / 12-10 11-9 1-8 2-7 3-6 4-5 / "
    "5-12 6-4 7-3 8-2 9-1 10-11 / 12-11 1-10 2-9 3-8 4-7 5-6 / 6-12 7-5 8-4 9-3 10-2 11-1",
}


@pytest.mark.parametrize("size", PUBLISHED)
def test_the_tables_are_the_published_ones(size: int) -> None:
    wanted = [[tuple(map(int, pair.split("-"))) for pair in line.split()] for line in PUBLISHED[size].split(" / ")]
    assert berger.table(size) == wanted
    assert berger.table(size - 1) == wanted


@pytest.mark.parametrize("size", [*range(2, 25), 99, 100])
def test_everybody_meets_everybody_once_and_sits_first_in_half_of_them(size: int) -> None:
    rounds = berger.table(size)
    pairs = Counter(frozenset(pair) for pairs in rounds for pair in pairs)
    last = size + size % 2
    assert len(pairs) == last * (last - 1) // 2
    assert set(pairs.values()) == {1}
    firsts = Counter(pair[0] for pairs in rounds for pair in pairs)
    assert {abs(2 * firsts[number] - (last - 1)) for number in range(1, last + 1)} == {1}
    for pairs_now in rounds:
        assert sorted(number for pair in pairs_now for number in pair) == list(range(1, last + 1))


@pytest.mark.parametrize("size", [*range(2, 25), 50])
def test_a_double_round_robin_is_even_and_nobody_sits_three_times_running_in_the_same_seat(size: int) -> None:
    rounds = berger.double(size)
    pairs = Counter(pair for pairs in rounds for pair in pairs)
    last = size + size % 2
    assert len(pairs) == last * (last - 1)
    assert set(pairs.values()) == {1}
    for number in range(1, last + 1):
        seats = [int(pair[1] == number) for pairs in rounds for pair in pairs if number in pair]
        assert seats.count(0) == seats.count(1)
        if size > 4:
            assert not any(seats[start : start + 3] in ([0, 0, 0], [1, 1, 1]) for start in range(len(seats)))


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8, 11])
@pytest.mark.parametrize("name", ["round-robin", "double-round-robin"])
@pytest.mark.parametrize("pace", [berger.BY_ROUNDS, berger.AT_ONCE])
def test_a_whole_event(name: str, count: int, pace: str) -> None:
    field = field_of(count, settings={"pace": pace})
    times = 2 if name.startswith("double") else 1
    done = play(name, field)
    assert set(pairs_of(done).values()) == {times}
    assert len(pairs_of(done)) == count * (count - 1) // 2
    assert len(done.rounds) == FORMATS[name].rounds(field)
    free = times if count % 2 and pace == berger.BY_ROUNDS else 0
    assert byes_of(done) == (Counter(dict.fromkeys(names(count), free)) if free else Counter())


def test_whoever_should_meet_somebody_who_is_away_is_free_and_the_numbers_stay() -> None:
    field = play("round-robin", field_of(6))
    begun = field._replace(rounds=field.rounds[:1], away=frozenset({"p0003"}))
    found = FORMATS["round-robin"].next_round(begun)
    assert [pairing.seats for pairing in found] == [("p0006", "p0004"), ("p0005",), ("p0001", "p0002")]


def test_who_is_away_before_the_start_is_not_in_the_table() -> None:
    field = field_of(5)._replace(away=frozenset({"p0002"}))
    done = play("round-robin", field)
    assert len(done.rounds) == 3
    assert not byes_of(done)
    assert not any("p0002" in pair for pair in pairs_of(done))
