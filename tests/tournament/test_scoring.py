"""Points of places, byes and forfeits, the settings that decide them, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from referee.tournament import scoring, standings
from referee.tournament.ledger import ledger
from referee.tournament.rounds import Field, Outcome, Pairing, Round

from .fields import field, fields, with_outcome

AVERAGE = {"bye": "average", "requested-bye": "average", "sit-out": "loss", "forfeit-win": "average", "forfeit-loss": "loss"}


def points(of: Field, given: dict[str, int | str] | None = None) -> dict[str, str]:
    return {row.player: row.points for row in standings.table(of, given or {}, [])}


def test_a_win_a_draw_and_a_loss() -> None:
    assert points(field([{"alice": 1, "bob": 2}], [{"alice": 1, "bob": 1}])) == {"alice": "1.5", "bob": "0.5"}


@pytest.mark.parametrize("size", [3, 4, 5, 6])
def test_the_places_of_a_table(size: int) -> None:
    places = {f"player{place}": place for place in range(1, size + 1)}
    expected = str(scoring.SETTINGS[f"points-{size}"]).split()
    assert list(points(field([places], seats=size)).values()) == expected


@pytest.mark.parametrize("size", [2, 3, 4, 5, 6])
def test_a_win_and_the_middle_are_worth_the_same_at_every_size(size: int) -> None:
    numbers = [float(word) for word in str(scoring.SETTINGS[f"points-{size}"]).split()]
    assert numbers[0] == (1 if size == 2 else 6)
    assert sum(numbers) / size == pytest.approx(numbers[0] / 2)


def test_those_who_share_a_place_share_what_the_places_are_worth() -> None:
    of = field([{"alice": 1, "bob": 2, "carol": 2, "dave": 4}], seats=4)
    assert points(of) == {"alice": "6", "bob": "3", "carol": "3", "dave": "0"}
    assert points(field([{"alice": 1, "bob": 1, "carol": 1}], seats=3), {"points-3": "5 2 0"})["alice"] == "2.33"


def test_a_drawn_table_may_have_a_value_of_its_own() -> None:
    given: dict[str, int | str] = {"points-2": "3 0", "draw": "1"}
    of = field([{"alice": 1, "bob": 1}], [{"alice": 1, "bob": 2}])
    assert points(of, given) == {"alice": "4", "bob": "1"}


def test_a_large_table_that_shrank_to_two_is_on_the_scale_of_the_large_ones() -> None:
    assert points(field([{"alice": 1, "bob": 2}], seats=4)) == {"alice": "6", "bob": "0"}


def test_the_games_own_scores_and_their_shares() -> None:
    places = {"alice": 1, "bob": 2}
    of = with_outcome(field([places]), 1, 1, Outcome(1, places, {"alice": 30, "bob": 10}))
    assert points(of, {"points": "score", **AVERAGE}) == {"alice": "30", "bob": "10"}
    assert points(of, {"points": "share"}) == {"alice": "0.75", "bob": "0.25"}


def test_what_was_decided_without_scores_counts_by_the_players_own_average() -> None:
    places = {"alice": 1, "bob": 2}
    of = field([places], [places], [places])
    of = with_outcome(of, 1, 1, Outcome(1, places, {"alice": 30, "bob": 10}))
    of = with_outcome(of, 2, 1, Outcome(1, places, {"alice": 20, "bob": 10}))
    of = with_outcome(of, 3, 1, Outcome(1, places, how="adjudicated"))
    assert points(of, {"points": "score", **AVERAGE}) == {"alice": "75", "bob": "30"}


def test_free_rounds_and_forfeits() -> None:
    of = field([{"alice": 1, "bob": 2}, {"carol": 1}, {"dave": 1}], players=["alice", "bob", "carol", "dave", "erin"])
    of = with_outcome(of, 1, 1, Outcome(1, {"alice": 1, "bob": 2}, how="forfeit", absent=("bob",)))
    of = with_outcome(of, 1, 3, Outcome(3, {"dave": 1}, how="bye", absent=("dave",)))
    assert points(of) == {"alice": "1", "carol": "1", "dave": "0.5", "bob": "0", "erin": "0"}
    given: dict[str, int | str] = {
        "forfeit-win": "0.75", "forfeit-loss": "-1", "bye": "draw", "requested-bye": "loss", "sit-out": "0.25",
    }  # fmt: skip
    assert points(of, given) == {"alice": "0.75", "carol": "0.5", "erin": "0.25", "dave": "0", "bob": "-1"}


def test_nobody_gets_anything_for_a_forfeit_of_both() -> None:
    of = with_outcome(
        field([{"alice": 1, "bob": 1}]), 1, 1, Outcome(1, {"alice": 1, "bob": 1}, how="forfeit", absent=("alice", "bob"))
    )
    assert points(of) == {"alice": "0", "bob": "0"}


def test_the_others_at_a_table_play_on_without_the_absent() -> None:
    places = {"alice": 2, "bob": 1, "carol": 3, "dave": 4}
    of = with_outcome(field([places], seats=4), 1, 1, Outcome(1, places, how="forfeit", absent=("dave",)))
    assert points(of) == {"bob": "6", "alice": "4", "carol": "2", "dave": "0"}
    games = ledger(of, {}).games
    assert games["alice"][0].kind == "played"
    assert games["dave"][0].kind == "forfeit-loss"
    assert games["alice"][0].missing == ("dave",)


def test_a_table_that_goes_on_is_worth_nothing_to_anybody() -> None:
    of = with_outcome(field([{"alice": 1, "bob": 2}, {"carol": 1, "dave": 2}]), 1, 1, None)
    assert points(of) == {"carol": "1", "alice": "0", "bob": "0", "dave": "0"}


@given(fields())
@settings(max_examples=35, deadline=None)
def test_no_points_appear_and_none_are_lost(of: Field) -> None:
    found = ledger(of, {"bye": "loss", "requested-bye": "loss", "forfeit-win": "loss"})
    expected = 0
    for one in of.rounds:
        for pairing in one.pairings:
            outcome = one.outcomes.get(pairing.table)
            there = [player for player in pairing.seats if outcome and player not in outcome.absent]
            if not pairing.is_bye and len(there) > 1:
                size = len(pairing.seats)
                expected += sum(found.scale.award(place, 1, size) for place in range(len(there)))
    assert sum(found.points.values()) == expected


@given(fields())
@settings(max_examples=25, deadline=None)
def test_the_shares_of_a_table_make_one(of: Field) -> None:
    found = ledger(of, {"points": "share", "bye": "loss", "requested-bye": "loss", "forfeit-win": "loss"})
    decided = {
        (g.round, *sorted((p, *g.met))) for p, games in found.games.items() for g in games if g.kind == "played" and g.scores
    }
    sums = sum(g.points for games in found.games.values() for g in games if g.kind == "played" and g.scores)
    assert abs(sums - len(decided) * found.scale.unit) <= 6 * len(decided)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"points": "luck"}, 'points is "luck": write places or score or share.'),
        ({"points-4": "3 2 1"}, 'points-4 is "3 2 1": write 4 numbers, the first place first, such as 6 4 2 0.'),
        ({"points-2": "one 0"}, 'points-2 is "one 0": write 2 numbers, the first place first, such as 1 0.'),
        ({"points-2": "1 1"}, 'points-2 is "1 1", so that winning is worth nothing.'),
        ({"points-3": "1 3 0"}, 'points-3 is "1 3 0", but a better place cannot be worth less than a worse one.'),
        ({"draw": "often"}, 'draw is "often": write share, or a number such as 0.5.'),
        ({"bye": "perhaps"}, 'bye is "perhaps": write win, draw, loss, average, or a number such as 0.5.'),
        ({"byes": "win"}, "There is no setting byes of the scoring."),
        ({"bye": "1/0"}, 'bye is "1/0": write win, draw, loss, average, or a number such as 0.5.'),
    ],
)
def test_what_cannot_be_counted_is_refused_with_a_reason(given: dict[str, str], said: str) -> None:
    assert scoring.problems(given, 2) == [said]


def test_a_game_score_says_nothing_of_what_a_win_is_worth() -> None:
    assert len(scoring.problems({"points": "score"}, 2)) == 3
    assert scoring.problems({"points": "score", **AVERAGE}, 2) == []
    assert scoring.problems({}, 7) == ["Points are known for tables of 2 to 6, and not for 7 at a table."]


@pytest.mark.parametrize("format", ["swiss", "round-robin", "groups", "tables", "double-elimination", "single-elimination"])
def test_the_settings_of_every_format_are_sound(format: str) -> None:
    assert scoring.problems(scoring.defaults(format), 2) == []
    assert scoring.defaults(format).keys() == scoring.SETTINGS.keys()


def test_a_free_round_of_a_round_robin_is_worth_nothing() -> None:
    of = Field(
        ("alice", "bob", "carol"),
        ("alice", "bob", "carol"),
        (Round(1, (Pairing(1, ("carol",)),), {1: Outcome(1, {"carol": 1}, how="bye")}),),
    )
    assert points(of, scoring.defaults("round-robin"))["carol"] == "0"
    assert points(of)["carol"] == "1"
