"""Swiss rounds: a published event round for round, and the laws that random events keep."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import Refused
from referee.tournament.formats import FORMATS
from referee.tournament.history import Card, cards
from referee.tournament.ranking import BY_PLACES
from referee.tournament.rounds import Field, Outcome, Pairing, Round
from referee.tournament.seats import seated
from referee.tournament.standings import ranking
from referee.tournament.swiss import next_round

from .playing import byes_of, field_of, names, pairs_of, play, published

DUTCH = (Path(__file__).parent / "dutch.txt").read_text().splitlines()
ROWS = [line.split() for line in DUTCH if line[0] != "#" and "-" not in line.replace("w-", "").replace("b-", "")]
LAST = [tuple(map(int, line.split("-"))) for line in DUTCH if line[0] != "#" and " " not in line]


def rounds_of(rows: list[list[str]]) -> tuple[Round, ...]:
    """Read the rounds of an event: a word for each player and round, as in `dutch.txt`; `0` is nobody, `0+` a bye."""
    players = names(len(rows))
    found = []
    for number in range(max(map(len, rows))):
        pairings, outcomes = list[Pairing](), dict[int, Outcome]()
        for own, row in enumerate(rows):
            word = row[number]
            table = len(pairings) + 1
            if word == "0+":
                pairings.append(Pairing(table, (players[own],)))
                outcomes[table] = Outcome(table, {players[own]: 1}, how="bye")
            elif "w" in word:
                other = int(word.split("w")[0]) - 1
                pairings.append(Pairing(table, (players[own], players[other])))
                outcomes[table] = _outcome(table, players[own], word[-1], players[other], rows[other][number][-1])
        found.append(Round(number + 1, tuple(pairings), outcomes))
    return tuple(found)


def _outcome(table: int, first: str, result: str, second: str, reply: str) -> Outcome:
    worth = {"1": 0, "+": 0, "=": 1, "0": 2, "-": 2}
    places = {first: 1 + (worth[result] > worth[reply]), second: 1 + (worth[reply] > worth[result])}
    absent = tuple(player for player, sign in ((first, result), (second, reply)) if sign == "-")
    return Outcome(table, places, how="forfeit" if absent else "played", absent=absent)


def event(rows: list[list[str]], rounds: int, first: int = 0, **more: str) -> Field:
    """Return a published event; `first` is the seat of the first player in the first round."""
    players = names(len(rows))
    lots = players[1:] + players[:1] if (len(rows) - 1) % 2 == first else players
    if lots.index(players[0]) % 2 != first:
        lots = (players[1], players[0], *players[2:])
    return Field(players, lots, rounds_of(rows), {"rounds": rounds, "after-forfeit": "again", **more})


def test_the_published_event_is_read_whole() -> None:
    assert (len(ROWS), {len(row) for row in ROWS}, len(LAST)) == (60, {14}, 30)


@pytest.mark.parametrize("number", range(15))
def test_every_round_of_a_published_event_is_paired_as_published(number: int) -> None:
    whole = event(ROWS, 15, first=1)
    found = [pairing.seats for pairing in next_round(whole._replace(rounds=whole.rounds[:number]))]
    if number == 14:
        assert found == [tuple(whole.players[place - 1] for place in pair) for pair in LAST]
    else:
        assert sorted(found) == sorted(pairing.seats for pairing in whole.rounds[number].pairings)


def test_the_bye_goes_to_the_lowest_score_that_can_have_one() -> None:
    # Test dutch_2025_C5 of BBP Pairings: player 4 sits out, and 6 with nothing gets the bye.
    rows = ["4w1 2b1", "5b1 1w0", "6w1 4b1", "1b0 3w0", "2w0 6b1", "3b0 5w0"]
    field = event([row.split() for row in rows], 3)._replace(away=frozenset({"p0004"}))
    assert [pairing.seats for pairing in next_round(field)] == [("p0001", "p0005"), ("p0003", "p0002"), ("p0006",)]


def test_the_bye_goes_to_who_has_sat_out_the_least() -> None:
    # Test dutch_2025_C9 of BBP Pairings: player 5 sat out the first round, so 4 gets the bye.
    field = event([[word] for word in ("3w1", "4b1", "1b0", "2w0", "0")], 3)
    assert [pairing.seats for pairing in next_round(field)] == [("p0002", "p0001"), ("p0003", "p0005"), ("p0004",)]


def card(name: str, number: int, *sat: int) -> Card:
    return Card(name, number, 0, sat, (0,) * len(sat), False, False, 0)


@pytest.mark.parametrize(
    ("high", "low", "first"),
    [
        ((), (), "alice"),  # the lots decide, and here they give the first seat to the first player
        ((0,), (1,), "bob"),  # both get what is due
        ((0,), (0,), "bob"),  # nothing decides: the higher gets what is due
        ((1, 0), (1, 1), "bob"),  # absolute before mild
        ((1,), (), "alice"),  # one wish alone
        ((), (1,), "bob"),
        ((0, 1, 0), (1, 0, 0), "alice"),  # absolute before strong
        ((0, 1, 0, 1, 0), (1, 0, 0, 1, 0), "alice"),  # the other way round than when their seats last differed
        ((1, 0, 0, 1, 0), (0, 1, 0, 1, 0), "bob"),
        ((1, 1, 0, 1, 1), (0, 1, 1), "alice"),  # the greater difference
    ],
)
def test_seats(high: tuple[int, ...], low: tuple[int, ...], first: str) -> None:
    pair = (card("alice", 0, *high), card("bob", 1, *low))
    assert seated(pair)[0].player == first
    assert {one.player for one in seated(pair)} == {"alice", "bob"}


def test_the_first_seats_of_the_first_round_alternate_and_begin_by_lot() -> None:
    for seed in range(4):
        field = field_of(8, seed)
        firsts = [pairing.seats[0] < pairing.seats[1] for pairing in next_round(field)]
        begins = field.lots.index("p0001") % 2 == 0
        assert firsts == [begins, not begins, begins, not begins]


def test_a_round_that_cannot_be_paired_says_who_is_left_and_what_to_do() -> None:
    halves = [("p0001", "p0002", "p0003"), ("p0004", "p0005", "p0006")]
    rounds = tuple(
        Round(
            number + 1,
            tuple(Pairing(place + 1, (halves[0][place], halves[1][(place + number) % 3])) for place in range(3)),
            {place: Outcome(place, {halves[0][place - 1]: 1, halves[1][(place - 1 + number) % 3]: 2}) for place in (1, 2, 3)},
        )
        for number in range(3)
    )
    field = field_of(6)._replace(rounds=rounds)
    with pytest.raises(Refused, match=r"No round is left .* cannot be paired\. Close the event") as caught:
        next_round(field)
    assert caught.value.help
    again = next_round(field._replace(away=frozenset({"p0001", "p0006"})))
    assert len(again) == 2


def test_fewer_than_two_players() -> None:
    with pytest.raises(Refused, match="takes two players, and 1 can be paired"):
        next_round(field_of(3)._replace(away=frozenset({"p0001", "p0002"})))


@pytest.mark.parametrize("count", range(2, 17))
def test_as_many_rounds_as_are_sure_can_be_paired(count: int) -> None:
    rounds = max(count // 2, 1)
    done = play("swiss", field_of(count, count, settings={"rounds": rounds}), count)
    assert len(done.rounds) == rounds
    assert set(pairs_of(done).values()) <= {1}


def test_small_events_in_every_way_they_can_go() -> None:
    for results in product((0, 1, 2), repeat=4):
        ends = iter((*results, 0, 0))
        field = field_of(4, settings={"rounds": 3})
        for _ in range(3):
            pairings = next_round(field)
            outcomes = {}
            for pairing in pairings:
                end, (first, second) = next(ends), pairing.seats
                outcomes[pairing.table] = Outcome(pairing.table, {first: 1 + (end == 1), second: 1 + (end == 2)})
            field = field._replace(rounds=(*field.rounds, Round(len(field.rounds) + 1, tuple(pairings), outcomes)))
        assert len(pairs_of(field)) == 6


@settings(max_examples=40, deadline=None)
@given(st.integers(4, 26), st.integers(0, 10**6), st.sampled_from((0.0, 0.15)), st.data())
def test_random_events_keep_the_laws(count: int, seed: int, absent: float, data: st.DataObject) -> None:
    late = {player: data.draw(st.integers(1, 3)) for player in names(count)[count // 2 + 2 :]}
    field = field_of(count, seed, settings={"rounds": 7})._replace(joined=late)
    chance = random.Random(seed)
    gone: set[str] = set()
    for number in range(1, max(count // 4, 2) + 1):
        there = [player for player in field.players if late.get(player, 1) <= number and player not in gone]
        if len(there) > 4 and chance.random() < 0.4:
            gone.add(there.pop(chance.randrange(len(there))))
        sits_out = {player for player in there if chance.random() < 0.05}
        field = field._replace(away=frozenset(gone | sits_out))
        wanted = sorted(set(there) - sits_out)
        if len(wanted) < 2:
            return
        try:
            pairings = next_round(field)
        except Refused:
            assert len(wanted) < 2 * number
            return
        assert pairings == next_round(field)
        assert sorted(player for pairing in pairings for player in pairing.seats) == wanted
        field = published(field, pairings, chance, absent=absent)
        assert set(pairs_of(field).values()) <= {1}
        assert set(byes_of(field).values()) <= {1}
        assert sum(pairing.is_bye for pairing in pairings) == len(wanted) % 2
        assert not pairings[-1].is_bye or not any(pairing.is_bye for pairing in pairings[:-1])


@settings(max_examples=10, deadline=None)
@given(st.integers(24, 40), st.integers(0, 10**6))
def test_seats_are_balanced(count: int, seed: int) -> None:
    field = play("swiss", field_of(count, seed, settings={"rounds": 6}), seed)
    for one in cards(field).values():
        sat = [seat for seat in one.sat if seat >= 0]
        # Only leaders in the last round may have more.
        assert abs(sat[:-1].count(0) - sat[:-1].count(1)) <= 2
        assert not any(trio in ((0, 0, 0), (1, 1, 1)) for trio in zip(sat[:-1], sat[1:-1], sat[2:-1], strict=False))
    alternating = [one != two for row in cards(field).values() for one, two in pairwise([s for s in row.sat if s >= 0])]
    assert sum(alternating) > 0.7 * len(alternating)


@settings(max_examples=15, deadline=None)
@given(st.integers(10, 30), st.integers(0, 10**6))
def test_scores_that_meet_are_near(count: int, seed: int) -> None:
    field = play("swiss", field_of(count, seed, settings={"rounds": 4}), seed, draws=0.0)
    for number, found in enumerate(field.rounds):
        points = BY_PLACES.points(field._replace(rounds=field.rounds[:number]))
        apart = Counter(abs(points[a] - points[b]) // 2 for a, b in (p.seats for p in found.pairings if not p.is_bye))
        # One who floats for each score group is enough while so few have met, and nobody falls further than to the next.
        assert max(apart) <= 1 + (number > 2)
        assert sum(times for far, times in apart.items() if far) <= len(set(points.values())) + number


def test_leaders_are_told_by_the_points_of_a_win_and_by_nothing_where_points_are_scores() -> None:
    whole = event(ROWS, 15, first=1)
    scaled = BY_PLACES._replace(points=lambda field: {p: 30 * n for p, n in BY_PLACES.points(field).items()}, win=60)
    last = [pairing.seats for pairing in next_round(whole, scaled)]
    assert last == [tuple(whole.players[place - 1] for place in pair) for pair in LAST]
    assert [pairing.seats for pairing in next_round(whole, scaled._replace(win=0))] != last
    # What the standings hand in counts the same.
    assert [pairing.seats for pairing in next_round(whole, ranking({}, []))] == last


def test_a_forfeit_keeps_apart_unless_the_setting_says_otherwise() -> None:
    field = field_of(2, settings={"rounds": 2})
    pairing = next_round(field)[0]
    over = Outcome(1, {pairing.seats[0]: 1, pairing.seats[1]: 2}, how="forfeit", absent=(pairing.seats[1],))
    field = field._replace(rounds=(Round(1, (pairing,), {1: over}),))
    with pytest.raises(Refused):
        next_round(field)
    assert len(next_round(field._replace(settings={"rounds": 2, "after-forfeit": "again"}))) == 1


def test_who_won_because_nobody_came_does_not_get_the_bye_as_long_as_somebody_else_can() -> None:
    pairings = (Pairing(1, ("p0001", "p0004")), Pairing(2, ("p0005", "p0002")), Pairing(3, ("p0003",)))
    outcomes = {
        1: Outcome(1, {"p0001": 1, "p0004": 2}),
        2: Outcome(2, {"p0005": 1, "p0002": 2}, how="forfeit", absent=("p0002",)),
        3: Outcome(3, {"p0003": 1}, how="bye"),
    }
    field = field_of(5)._replace(rounds=(Round(1, pairings, outcomes),))
    assert next_round(field)[-1].seats in {("p0004",), ("p0002",)}


def test_a_large_event_goes_round_by_round_and_the_cut_off_below_changes_no_law() -> None:
    field = field_of(151, settings={"rounds": 4})
    chance = random.Random(7)
    for _ in range(4):
        field = published(field, FORMATS["swiss"].next_round(field), chance, draws=0.1)
    assert set(pairs_of(field).values()) == {1}
    assert set(byes_of(field).values()) == {1}
    assert FORMATS["swiss"].is_over(field)
    assert FORMATS["swiss"].next_round(field) == []
