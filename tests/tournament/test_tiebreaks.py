"""Tie-breaks: published values, the rules about games that were not played, and how a calculation reads."""

from __future__ import annotations

import pytest

from referee.tournament import standings, tiebreaks
from referee.tournament.ledger import ledger
from referee.tournament.rounds import Field, Outcome, Pairing, Round
from referee.tournament.scoring import defaults

from .fields import field, with_outcome
from .published import ROUND_ROBIN, SWISS, SWISS_NINE, read

# By player: points; then the values of "Exercises in Tie-Breaking", where the regulations of 2026 changed nothing.
POINTS = "3.5 4 3.5 3.5 2.5 3 1.5 2.5 1.5 1 2.5 2 1.5 2 2 3.5"
PUBLISHED = {
    # exercises 1 to 4; 2026: 14 for 15 (player 4), 11.5 for 12 (player 6), 12.5 for 13.5 (player 11)
    "buchholz": "12.5 13 15.5 14 8.5 11.5 14.5 13.5 9 13 12.5 11.5 14 11 12 12.5",
    # exercises 5 to 8; 2026: 10.5 for 11 (player 6), 11 for 12 (player 11)
    "buchholz-cut-1": "11 12 13 11.5 7.5 10.5 12.5 12 7.5 11.5 11 9.5 12 9 11 11",
    # exercises 11 and 12; 2026: 9.25 for 9.75 (player 4), 6 for 6.5 (player 6), 4.75 for 5.75 (player 11)
    "sonneborn-berger": "8 9.5 10.5 9.25 4.25 6 3.25 5.25 2.25 1.5 4.75 4 4.25 4.5 3.5 7.25",
    "wins": "2 3 2 2 2 3 1 2 1 1 2 2 1 2 2 3",  # exercise 27
    "games-won": "2 3 2 2 2 2 1 2 0 1 1 0 1 2 2 3",  # exercise 28
    "second-seat": "2 3 2 2 2 2 3 2 1 3 2 0 3 2 3 2",  # exercise 29
    "progressive": "11 13 11 11.5 5 6 6 8.5 2.5 4 5.5 7 7 6 7 10.5",  # exercise 32
}


def values(of: Field, name: str, scoring: dict[str, int | str] | None = None) -> dict[str, str]:
    return {row.player: row.values[0] for row in standings.table(of, scoring or {}, [name])}


def places(of: Field, *names: str, scoring: dict[str, int | str] | None = None) -> dict[str, int]:
    return {row.player: row.place for row in standings.table(of, scoring or {}, names)}


def by_number(text: str) -> dict[str, str]:
    return {str(number): value for number, value in enumerate(text.split(), 1)}


def test_points_of_the_published_swiss_tournament() -> None:
    rows = standings.table(read(SWISS), {}, [])
    assert {row.player: row.points for row in rows} == by_number(POINTS)


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_values(name: str) -> None:
    assert values(read(SWISS), name) == by_number(PUBLISHED[name])


@pytest.mark.parametrize(
    ("player", "kept", "cut"),
    [("2", 8.5, (1, 3.5)), ("1", 7, (1.5, 4)), ("3", 9, (2.5, 4))],
)
def test_median_buchholz_leaves_out_the_lowest_and_the_highest(player: str, kept: float, cut: tuple[float, float]) -> None:
    # From the same crosstable by hand: 1 meets 1.5 1.5 4 2 3.5; 2 meets 1 1.5 3.5 3.5 3.5; 3 meets 2.5 3 2.5 3.5 4.
    whole, median = values(read(SWISS), "buchholz")[player], values(read(SWISS), "buchholz-median")[player]
    assert float(whole) - sum(cut) == float(median) == kept


def test_the_second_cut_takes_another_round_that_was_not_played_by_choice() -> None:
    # Player 12 (2 points): opponent 4 with 3.5; byes and a forfeit against dummies with 2; two rounds away, both cut.
    counted = ledger(read(SWISS), {})
    terms = tiebreaks.TIEBREAKS["buchholz-cut-2"].reckon(counted, "12")  # type: ignore[misc]
    assert [term.game.round for term in terms if term.cut and term.game] == [4, 5]
    assert values(read(SWISS), "buchholz-cut-2")["12"] == "7.5"


def test_a_round_robin_counts_a_forfeit_as_a_game() -> None:
    # Exercise 14.
    found = values(read(ROUND_ROBIN), "sonneborn-berger", defaults("round-robin"))
    assert found == by_number("9.25 6.25 6.25 4.25 3.25 2.25")


def test_head_to_head_in_a_round_robin() -> None:
    # Exercise 26: 1 beat 2 and 3, who drew; and of 4, 5 and 6, who have 1.5 points each.
    found = places(read(ROUND_ROBIN), "head-to-head", scoring=defaults("round-robin"))
    assert found == {"1": 1, "2": 2, "3": 2, "6": 4, "5": 5, "4": 6}


def test_head_to_head_decides_nothing_if_two_of_the_tied_never_met() -> None:
    # Exercises 23 and 24: 1, 3, 4 and 16 share the second place, 5, 8 and 11 the seventh.
    found = places(read(SWISS), "head-to-head")
    assert {found[player] for player in ("1", "3", "4", "16")} == {2}
    assert {found[player] for player in ("5", "8", "11")} == {7}


def test_head_to_head_after_nine_rounds() -> None:
    # Exercise 25.
    expected = dict(enumerate((3, 5, 1, 3, 9, 2, 6, 6, 14, 9, 13, 14, 16, 9, 9, 6), 1))
    assert places(read(SWISS_NINE), "head-to-head") == {str(player): place for player, place in expected.items()}


def test_whoever_leaves_counts_as_drawing_the_rounds_that_follow() -> None:
    # 16.2.5: carol beat alice, then was away, and never came again though she was paired once more.
    carol_away = Outcome(1, {"bob": 1, "carol": 2}, how="forfeit", absent=("carol",))
    of = field([{"carol": 1, "alice": 2}, {"bob": 1}], [{"alice": 1, "bob": 2}], [{"bob": 1, "carol": 2}])
    of = with_outcome(of, 3, 1, carol_away)
    lines = standings.calculation(of, "alice", {}, ["buchholz"])
    assert "1.5 (carol, round 1)" in lines[1]
    came = with_outcome(of, 3, 1, Outcome(1, {"bob": 1, "carol": 2}))
    assert "1 (carol, round 1)" in standings.calculation(came, "alice", {}, ["buchholz"])[1]


def test_a_free_round_of_a_round_robin_counts_for_nothing_in_tiebreaks() -> None:
    of = field([{"alice": 1, "bob": 2}, {"carol": 1}])
    given = {**defaults("round-robin"), "bye": "win"}
    assert standings.calculation(of, "carol", given, ["sonneborn-berger", "buchholz"])[1:] == (
        "Sonneborn-Berger: 0 = nothing to count.",
        "Buchholz: 0 = nothing to count.",
    )


def test_tiebreaks_at_tables_of_four_by_hand() -> None:
    # Points: alice 6 + 4, bob 4 + 1, carol 2 + 1, who share the third and the fourth place; erin 6, dave nothing.
    of = field(
        [{"alice": 1, "bob": 2, "carol": 3, "dave": 4}],
        [{"erin": 1, "alice": 2, "carol": 3, "bob": 3}],
        seats=4,
    )
    rows = {row.player: row for row in standings.table(of, {}, ["buchholz", "sonneborn-berger"])}
    assert {player: row.points for player, row in rows.items()} == {
        "alice": "10", "erin": "6", "bob": "5", "carol": "3", "dave": "0",
    }  # fmt: skip
    # Dave sat out the last round, which counts as a draw, 3 points: so he counts 3. Erin sat out the first, but came: 6.
    assert rows["alice"].calculation[1:] == (
        "Buchholz: 8.33 = 3.67 (average of bob, carol, dave, round 1) + 4.67 (average of erin, carol, bob, round 2).",
        "Sonneborn-Berger: 19 = 5 (1 of bob's 5, round 1) + 3 (1 of carol's 3, round 1) + 3 (1 of dave's 3, round 1) "
        "+ 3 (1 of carol's 3, round 2) + 5 (1 of bob's 5, round 2).",
    )
    assert rows["bob"].values == ("11.67", "7.5")


def laxman() -> Field:
    """Return ten rounds of one player who sat out the fourth, with opponents who have the published points.

    FIDE Arbiters' Manual 2026, C.07, worked examples: 7 points of 10, and a free round of no points.
    """
    # By round: the opponent's final points, and what the player made of the game.
    games = {1: (5, 1), 2: (5, 1), 3: (6.5, 0), 5: (4.5, 1), 6: (6, 0.5), 7: (5, 1), 8: (6.5, 0.5), 9: (5.5, 1), 10: (6, 1)}
    players = ("laxman", *(f"opponent{number}" for number in games), "other")
    rounds = []
    for number in range(1, 11):
        free = [player for player in players if player != "laxman"]
        tables: list[tuple[tuple[str, ...], dict[str, int]]] = []
        if number in games:
            half = {1: (1, 2), 0.5: (1, 1), 0: (2, 1)}[games[number][1]]
            opponent = f"opponent{number}"
            tables.append((("laxman", opponent), {"laxman": half[0], opponent: half[1]}))
            free.remove(opponent)
        tables += [((player,), {player: 1}) for player in free]
        pairings = tuple(Pairing(table, seats) for table, (seats, _) in enumerate(tables, 1))
        over = {}
        for table, (seats, result) in enumerate(tables, 1):
            over[table] = Outcome(table, result, how="bye" if len(seats) == 1 else "played")
        rounds.append(Round(number, pairings, over))
    return Field(players, players, tuple(rounds), {"rounds": 10})


def test_the_dummy_of_a_free_round_has_no_more_than_draws_in_all_rounds() -> None:
    # The opponents' points as printed, put in by hand: only they matter to the example.
    counted = ledger(laxman(), {})
    final = {1: 5, 2: 5, 3: 6.5, 5: 4.5, 6: 6, 7: 5, 8: 6.5, 9: 5.5, 10: 6}
    printed = {f"opponent{number}": int(2 * value) * counted.scale.unit // 2 for number, value in final.items()}
    counted = counted._replace(adjusted={**counted.adjusted, **printed})
    assert counted.points["laxman"] == 7 * counted.scale.unit
    found = {}
    for name in ("buchholz", "buchholz-cut-1", "sonneborn-berger"):
        tiebreak = tiebreaks.TIEBREAKS[name]
        assert tiebreak.reckon is not None
        terms = tiebreak.reckon(counted, "laxman")
        found[name] = sum(term.amount for term in terms if not term.cut) / tiebreak.unit(counted)
    assert found == {"buchholz": 55, "buchholz-cut-1": 50, "sonneborn-berger": 37.25}
