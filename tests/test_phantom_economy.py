"""The economy of The Phantom League: what its data must be like, and how long greedy traders need to win."""

from typing import Any

import pytest

from referee.components import BadData, load_components
from referee.engine import find_game

from .phantom_league.greedy import match_of, result_of

GAME = find_game("phantom-league")
LONGEST = 60
"""More own turns than a winner among greedy traders should need."""


def trade() -> dict[str, Any]:
    return load_components(GAME)["trade"]


@pytest.mark.parametrize("goods", ["narcotics", "slaves", "fuel", "food", "ore"])
def test_whatever_is_bought_can_be_sold_for_more(goods: str) -> None:
    costs = [row["buy"][goods] for row in trade().values() if goods in row["buy"]]
    pays = [row["sell"][goods] for row in trade().values() if goods in row["sell"]]
    assert max(costs) < min(pays)


def test_food_is_wanted_almost_everywhere_and_ore_pays_best_at_hollow_core() -> None:
    rows = trade()
    assert sum("food" in row["sell"] for row in rows.values()) > len(rows) / 2
    assert rows["hollow core"]["sell"]["ore"] == max(row["sell"].get("ore", 0) for row in rows.values())


def test_the_extension_alone_brings_rewards_for_paths_to_new_missions() -> None:
    reprinted = {"M03", "M05", "M06", "M08", "M09", "M11", "M12", "M16", "M17", "M20", "M23", "M27", "M28"}
    paths = {"gain_fame", "gain_notoriety"}
    rows = load_components(GAME)["missions"].items()
    bring = {code for code, row in rows if paths & {frame["do"] for frame in row["effect"]} and row["set"] == "base"}
    assert bring == reprinted


BAD = [
    ('needs = [{ is = "dreamt" }]', "'dreamt' is no condition"),
    ('needs = [{ is = "done", any = ["mined"] }]', "'done' lacks 'count'"),
    ('needs = [{ is = "done", any = ["mined"], count = 1, at = {} }]', "'done' takes any, count, and not 'at'"),
    ('needs = [{ is = "done", any = "mined", count = 1 }]', "'any' should be list"),
    ('needs = [{ is = "delivered", goods = { tea = 1 }, at = {} }]', "'tea' is no commodity"),
    ('needs = [{ is = "delivered", goods = {}, at = { places = ["nowhere"] } }]', "'nowhere' is no System"),
    ('needs = [{ is = "delivered", goods = {}, at = { colour = "red" } }]', "'at' takes places"),
    ('needs = [{ is = "carries", legal = 1 }]\ngiven = { goods = { tea = 1 }, at = {} }', "'tea' is no commodity"),
    ("needs = []", "a mission needs something"),
]


@pytest.mark.parametrize(("lines", "why"), BAD)
def test_a_mission_that_cannot_be_used_is_refused_when_it_is_loaded(lines: str, why: str) -> None:
    entry = f'[missions.M01]\nname = "x"\nset = "base"\ntext = "x"\n{lines}\neffect = []\nsource = "printed"\n'
    with pytest.raises(BadData) as caught:
        load_components(GAME, [("a pack", entry.encode())])
    assert "missions.M01" in str(caught.value)
    assert why in str(caught.value)


@pytest.mark.parametrize(("seed", "seats"), [(2, 2), (4, 3), (5, 4)])
def test_greedy_traders_reach_recognition_8_in_a_sensible_number_of_turns(seed: int, seats: int) -> None:
    how, turns = result_of(match_of(seed, seats, {"rounds": LONGEST}))
    assert how == "recognition"
    assert 5 <= turns <= LONGEST
