"""The Phantom League: whole matches, the laws, the galaxy, its data and what may never go wrong."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from games.phantom_league import GAME, galaxy, hyperspace, mats, movement
from games.phantom_league.check import check
from games.phantom_league.ending import score
from referee import engine
from referee.components import BadData, folder_of, load_components
from referee.match import Match
from referee.orders import submit
from referee.steps import Order
from referee.words import sentences

from . import laws
from .phantom_league.short import GAME as SHORT
from .rules.phantom_league import position

SEATS = ["alice", "bob", "carol", "dave", "erin", "frank"]
FOLDER = folder_of(GAME)
UNIQUE = (
    "missions",
    "docking cards",
    "hyperspace cards",
    "red half-hexes",
    "orange half-hexes",
    "aliens",
    "pirates",
    "alliance ships",
)
PLAYED = ("ends", *(law for law in laws.POSITION_LAWS if law != "events"), "unmoved", "sealed", "stop", "lines", "hidden ids")


def begun(seats: int, seed: int, **options: Any) -> Match:
    """Return a match that waits for its first answer."""
    m = engine.start(GAME, "pl", SEATS[:seats], bytes([seed % 256]) * 32, options)
    engine.begin(m, {})
    return m


def laid_out(**table: Any) -> Match:
    """Return the plain position of the scenarios, in which alice is on turn."""
    m = engine.start(GAME, "pl", SEATS[:2], bytes(32))
    position(m, table)
    m.do({"do": "choose", "who": "alice"}, {"do": "end_turn", "who": "alice"})
    engine.pending(m)
    return m


# Whole matches


@pytest.mark.parametrize("seed", range(10))
def test_random_matches_end_and_lose_nothing(seed: int) -> None:
    pick, m = random.Random(seed), begun(2 + seed % 5, seed, rounds=4, **{"mostly-harmless": bool(seed % 2)})
    while not m.over:
        question = engine.pending(m)
        assert question is not None
        decider = pick.choice([d for d in question.decisions if d not in m.sealed])
        engine.answer(m, decider, question.decisions[decider].sample(pick))
        engine.pending(m)
        check(m)
    assert min(row["place"] for row in score(m).values()) == 1 or not m.table.winners


@pytest.mark.parametrize("seed", range(3))
def test_the_laws_hold(seed: int) -> None:
    laws.check_match(SHORT, seed, {}, every=12, most=900, unique=UNIQUE, only=PLAYED)


def test_a_whole_turn_fits_in_one_mail_with_lines_for_what_a_card_may_bring() -> None:
    m = laid_out(
        hidden=["hex 1"],
        hyperspace=["H18"],
        docking=["D06"],
        ships={"alice": {"card": "S08", "place": "el dorado", "cargo": {"ore": 2}, "installed": ["I31"]}},
    )
    lines = [
        "explore north",
        "later:",
        "pick up ore or skip",
        "enter planet or enter red",
        "dock",
        "ignore nothing",
        "pay or refuse",
        "sell all ore",
        "end",
    ]
    outcome = submit(m, "alice", lines)
    assert not outcome.returned
    assert outcome.match.table.ships["alice"].place in ("walton-rye", "brack")


def test_a_dry_run_says_what_a_move_costs_and_no_card() -> None:
    m = laid_out(hidden=["hex 1"], ships={"alice": {"card": "S08", "place": "el dorado"}})
    told = submit(m, "alice", ["explore north"], dry_run=True).match.events
    assert [(event["kind"], event.get("fuel")) for event in told] == [("jumps", 2), ("uses fuel", None)]
    told = submit(m, "alice", ["move to meridian"], dry_run=True).match.events
    assert [(event["kind"], event.get("fuel")) for event in told] == [("moves", 1), ("uses fuel", None)]


@pytest.mark.parametrize("seed", range(6))
def test_a_captain_may_resign_at_any_moment(seed: int) -> None:
    pick, m = random.Random(seed), begun(3 + seed % 4, seed, rounds=4)
    assert GAME.resign is not None
    while not m.over:
        question = engine.pending(m)
        assert question is not None
        if pick.random() < 0.03:
            GAME.resign(m, pick.choice([seat for seat in m.seats if seat not in m.table.resigned]))
            m.question, m.sealed = None, {}
        else:
            decider = pick.choice([d for d in question.decisions if d not in m.sealed])
            engine.answer(m, decider, question.decisions[decider].sample(pick))
        asked = engine.pending(m)
        check(m)
        assert asked is None or not set(asked.seats) & set(m.table.resigned)


def test_resigning_takes_a_captain_out_and_the_last_one_wins() -> None:
    m = laid_out(ships={"bob": {"cargo": {"ore": 3}, "stored": ["I01"]}})
    assert GAME.resign is not None
    GAME.resign(m, "bob")
    check(m)
    assert m.over
    assert m.table.winners == ["alice"]
    assert "bob" not in m.table.ships


# The galaxy


def test_the_galaxy_is_a_centre_and_two_rings() -> None:
    rings = [galaxy.ring(name) for name in galaxy.SPOTS]
    assert [rings.count(name) for name in ("centre", "inner", "outer")] == list(galaxy.RINGS)
    assert sorted(map(len, galaxy.NEIGHBOURS.values())) == [3] * 6 + [4] * 6 + [6] * 7


def test_the_outer_ring_is_a_clock() -> None:
    ring = [*galaxy.OUTER, galaxy.OUTER[0]]
    assert all(second in galaxy.NEIGHBOURS[first] for first, second in pairwise(ring))


@pytest.mark.parametrize("speed", range(1, 5))
def test_distance_is_the_length_of_the_shortest_way(speed: int) -> None:
    m = laid_out()
    for name, steps in galaxy.steps_to(m, "hex 9").items():
        assert steps == galaxy.distance("hex 9", name)
    assert all(len(way) <= speed for way in galaxy.ways(m, "hex 9", speed))


def test_ways_are_found_and_cost_one_fuel_however_long_they_are() -> None:
    m = laid_out(ships={"alice": {"card": "S07"}})
    for place in galaxy.known_systems(m):
        end = galaxy.hex_of(m, place)
        if end != galaxy.CENTRE and movement.may_move(m, "alice")["place"].takes(place):
            assert len(movement.ways_to(m, "alice", end)[0]) == galaxy.distance(galaxy.CENTRE, end)


# Cards


def test_every_hyperspace_card_that_fails_is_named_so_in_the_data() -> None:
    fails = [code for code, row in load_components(GAME).sheets["hyperspace"].items() if row.get("fails")]
    assert fails == ["H12", "H13"]
    assert hyperspace.resolve.name == "resolve"


@pytest.mark.parametrize("goods", mats.GOODS)
def test_every_commodity_brings_more_everywhere_than_it_costs_anywhere(goods: str) -> None:
    trade = load_components(GAME)["trade"].values()
    costs = [row["buy"][goods] for row in trade if goods in row["buy"]]
    assert max(costs) < min(row["sell"][goods] for row in trade if goods in row["sell"])


def test_every_order_of_a_card_has_its_words() -> None:
    modules = (
        "setup",
        "turn",
        "movement",
        "hyperspace",
        "towing",
        "action",
        "docking",
        "pirates",
        "aliens",
        "choices",
        "death",
    )
    orders = {s.name for s in GAME.steps.values() if isinstance(s, Order) and s.__module__.rpartition(".")[2] in modules}
    assert orders <= sentences(GAME)["orders"].keys()


BAD = {
    "twice": '[systems."low ferry"]\nname = "x"\ncode = "x"\nhalf = "orange"\nfaction = "neutral"\nbody = "planet"',
    "faction": '[systems."low ferry"]\nname = "x"\ncode = "x"\nhalf = "red"\nfaction = "union"\nbody = "planet"',
    "body": '[systems."low ferry"]\nname = "x"\ncode = "x"\nhalf = "red"\nfaction = "neutral"\nbody = "moon"',
    "nest": '[systems."far post"]\nname = "x"\ncode = "x"\nhalf = "orange"\nfaction = "neutral"\nnest = true',
    "central": '[systems.central]\nname = "x"\ncode = "x"\nhalf = "whole"\nfaction = "neutral"\nbody = "station"',
    "trade": '[trade."far post"]\nbuy = { ore = 1 }\nsell = { food = 2 }',
    "commodity": "[trade.central]\nbuy = { spice = 1 }\nsell = { food = 2 }",
    "both": "[trade.central]\nbuy = { ore = 1 }\nsell = { ore = 2 }",
    "price": '[ships.S01]\nname = "x"\nset = "base"\nprice = 550',
    "count": '[docking.D99]\nname = "x"\nset = "base"',
    "verb": '[docking.D01]\nname = "x"\nset = "base"\nleague = [{ do = "serch" }]',
    "argument": '[hyperspace.H01]\nname = "x"\nset = "base"\neffect = [{ do = "gain_fuel" }]',
}
REASONS = {
    "twice": "18 red and 18 orange",
    "faction": "the faction should be one of",
    "body": "a planet or a station",
    "nest": "Pirates nest on planets",
    "central": "Central is a planet",
    "trade": "is no planet and no station",
    "commodity": "no commodity",
    "both": "buys and sells the same",
    "price": "different prices",
    "count": "20 cards of the base game",
    "verb": "names no step",
    "argument": "the effect gives",
}


@pytest.mark.parametrize("name", BAD)
def test_data_that_contradicts_the_rulebook_is_refused(name: str) -> None:
    with pytest.raises(BadData, match=REASONS[name]):
        load_components(GAME, [("bad.toml", f'{BAD[name]}\nsource = "printed"\n'.encode())])


# What may never go wrong


def _lose_money(m: Match) -> None:
    m.table.captains["alice"].money -= 1


def _make_ore(m: Match) -> None:
    m.table.ships["alice"].cargo["ore"] = 1


def _lose_mission(m: Match) -> None:
    m.table.missions.pop()


def _double_card(m: Match) -> None:
    m.table.discards["docking"] = [m.table.docking[0]]


def _lose_raider(m: Match) -> None:
    m.table.pirates.pop()


def _lose_improvement(m: Match) -> None:
    m.table.improvements.pop()


def _break_nothing(m: Match) -> None:
    m.table.ships["alice"].broken.append("I01")


def _lose_tile(m: Match) -> None:
    m.table.hexes["hex 1"].red = "alpha iii"


def _dock_nowhere(m: Match) -> None:
    m.table.ships["alice"].place, m.table.ships["alice"].docked = "maw", True


def _hide_ship(m: Match) -> None:
    m.table.ships["alice"].place = "maw"
    m.table.hexes["hex 2"].known = []


def _overload(m: Match) -> None:
    m.table.ships["alice"].cargo["ore"] = 20
    m.table.supply["ore"] = 0


def _overfill(m: Match) -> None:
    m.table.ships["alice"].fuel = 99


def _walk_without_a_path(m: Match) -> None:
    m.table.captains["alice"].path = "fame"


def _hold_what_flies(m: Match) -> None:
    m.table.ships["alice"].blockaders = ["bob"]


FAULTS: tuple[Callable[[Match], None], ...] = (
    _lose_money,
    _make_ore,
    _lose_mission,
    _double_card,
    _lose_raider,
    _lose_improvement,
    _break_nothing,
    _lose_tile,
    _dock_nowhere,
    _hide_ship,
    _overload,
    _overfill,
    _walk_without_a_path,
    _hold_what_flies,
)


@pytest.mark.parametrize("fault", FAULTS)
def test_the_check_finds_what_is_lost_or_made(fault: Callable[[Match], None]) -> None:
    m = laid_out()
    check(m)
    fault(m)
    with pytest.raises(AssertionError):
        check(m)


def test_no_rule_holds_a_long_function() -> None:
    for path in sorted(FOLDER.glob("*.py")):
        nodes = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.FunctionDef)]
        assert all((node.end_lineno or 0) - node.lineno < 40 for node in nodes), path.name
