"""No card of The Phantom League without a test: every side of a Battle card, every special power, every number, every raider.

A side is tested by a test of its name or by one that takes it as a parameter; a power by the test or the scenario that `POWERS`
names, which must speak of a card that has it.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.phantom_league import GAME, data
from games.phantom_league import battle_ships as ships
from games.phantom_league.battle_cards import usable_faces
from games.phantom_league.battle_deck import KINDS, fronts, symbol_cards
from games.phantom_league.battle_deck import all_faces as faces_of
from referee.components import load_components
from referee.engine import pending
from referee.orders import submit

from . import test_phantom_cards, test_phantom_powers
from .test_phantom_cards import laid, run, told
from .test_phantom_powers import met

HERE = Path(__file__).parent
SCENARIOS = HERE / "rules" / "phantom_league"
BOX = load_components(GAME, ())
FACES = [face for faces in faces_of(BOX).values() for face in faces]
SHEETS = ("captains", "ships", "improvements")
CARDS = {code: row for sheet in SHEETS for code, row in BOX[sheet].items()}
COUNTED = [*data.WEAPONS, "speed", "support", "escape", "structure"]
RAIDERS = [*BOX["raiders"], *(alien for alien, row in BOX["aliens"].items() if "structure" in row)]
POWERS = {
    "amount": "produce-one-space", "attacker-cards": "test_patrol_cutter_draws_an_attack_card_more_when_it_attacks",
    "burns": "test_a_fuel_consumer_counts_only_in_a_round_in_which_it_is_used", "claim-money": "claim-star-liner",
    "diplomacy": "docking-transponder", "discount": "discount", "disposable": "test_disposable",
    "docking-sensors": "dock-sensors", "drones": "drones", "eats": "eats", "feared": "ransom-feared",
    "harvest": "harvester", "hidden": "docking-search-hidden", "hyperspace-cards": "jump-lucky",
    "jack": "test_jack_makes_escapes_harder_for_all", "jump-cost": "jump-warpworks", "mining": "mine-more",
    "move-fuel": "fuel-booster", "navigation": "jump-navigation", "one-hyperspace-card": "jump-lucky",
    "plunder": "test_corsair_takes_a_token_from_a_defeated_player", "produces": "produce-narcotics",
    "ram": "test_battering_ram_adds_to_damage_only_if_there_is_any", "repair-discount": "repair-doc",
    "runs-on": "produce-no-fuel", "salvage-fuel": "test_vulture_salvages_more", "salvage-ore": "test_vulture_salvages_more",
    "scoop": "scoop", "self-repair": "test_aayaeh_mends_in_a_battle_in_her_own_turn_once", "skin": "turtle-move",
    "stabiliser": "jump-stabiliser", "station-cards": "dock-clamps", "straight": "straight-trade",
    "stunt": "test_stunt_maneuverability", "swaps": "test_botch_swaps_his_own_deck_and_an_enemys_once_each",
    "tow-fuel": "tow-long-range", "tractor": "tow-built-in", "unnoticed": "dock-unnoticed",
    "veteran": "test_sir_frank_changes_an_escape_value_for_fuel",
}  # fmt: skip
"""For each column of a power a test or a scenario."""


def functions() -> dict[str, Any]:
    """Return the test functions about cards, by name."""
    modules = [vars(test_phantom_cards), vars(test_phantom_powers), globals()]
    return {
        name: it for module in modules for name, it in module.items() if name.startswith("test_") and inspect.isfunction(it)
    }


def parameters() -> Iterator[Any]:
    """Yield every single value that a test about Battle cards takes as a parameter."""
    for test in functions().values():
        for mark in getattr(test, "pytestmark", []):
            for value in mark.args[1]:
                yield from value if isinstance(value, tuple) else [value]


def text_of(name: str) -> str:
    """Return the text of a test or a scenario."""
    return (
        inspect.getsource(functions()[name])
        if name in functions()
        else (SCENARIOS / f"{name}.toml").read_text(encoding="utf-8")
    )


def all_texts() -> str:
    """Return the text of every scenario and of every test about cards."""
    modules = [HERE / f"{name}.py" for name in ("test_phantom_cards", "test_phantom_powers", "test_phantom_every_card")]
    return "\n".join(path.read_text(encoding="utf-8") for path in [*SCENARIOS.glob("*.toml"), *modules])


def powers_of(code: str) -> list[str]:
    """Return the columns of a card that are powers."""
    return [column for column in CARDS[code] if column in (*data.POWERS, "disposable", "produces")]


def test_every_side_of_a_battle_card_has_a_test() -> None:
    named = {name.removeprefix("test_").replace("_", " ") for name in functions()}
    assert [face for face in FACES if face not in {*named, *parameters()}] == []


def test_every_power_has_a_test_with_a_card_that_has_it() -> None:
    assert set(POWERS) == {power for code in CARDS for power in powers_of(code)}
    for power, name in POWERS.items():
        having = [code for code in CARDS if power in powers_of(code)]
        assert any(f'"{code}"' in text_of(name) for code in having), f"{name} has no card with {power}"


def test_every_card_with_a_power_is_in_a_test() -> None:
    texts = all_texts()
    assert [code for code in CARDS if powers_of(code) and f'"{code}"' not in texts] == []


def test_every_card_with_a_text_has_a_power() -> None:
    plain = {"S05"}  # its text says what it has not: a fuel scoop
    assert [code for code, row in CARDS.items() if row.get("text") and not powers_of(code)] == sorted(plain)


# What is the same for many cards


@pytest.mark.parametrize("code", CARDS)
def test_every_number_on_a_card_counts_in_battle(code: str) -> None:
    row, plain = CARDS[code], met({"card": "S05"}, {"card": "S02"}, {"alice": "C03"})
    sheet = next(sheet for sheet in SHEETS if code in BOX[sheet])
    mine: dict[str, Any] = {
        "captains": {"card": "S05"},
        "ships": {"card": code},
        "improvements": {"card": "S05", "installed": [code]},
    }
    m = met(mine[sheet], {"card": "S02"}, {"alice": code if sheet == "captains" else "C03"})
    ships.fighter(m, "alice").used = [code] if sheet == "improvements" else []
    instead = {"captains": CARDS["C03"], "ships": CARDS["S05"], "improvements": {}}[sheet]
    for column in COUNTED[:-1]:
        change = ships.number(m, "alice", column) - ships.number(plain, "alice", column)
        assert change == row.get(column, 0) - instead.get(column, 0), column
    gained = ships.most_structure(m, "alice") - ships.most_structure(plain, "alice")
    assert gained == row.get("structure", 0) - instead.get("structure", 0)
    for kind in ("attack", "defense"):
        if sheet == "improvements" and not row.get("disposable"):
            more = symbol_cards(m, "alice")[kind] - symbol_cards(plain, "alice")[kind]
            assert more == any(f"{weapon}-{kind}" in row for weapon in ships.WEAPONS)


@pytest.mark.parametrize("code", ["I07", "I11", "I37", "I39", "I41", "I46"])
def test_disposable(code: str) -> None:
    m = met({"card": "S05", "installed": [code]}, {"card": "S02"}, {"alice": "C04"})
    column = next(column for column in COUNTED if column in CARDS[code])
    before = ships.number(m, "alice", column)
    ships.fighter(m, "alice").used = [code]
    assert ships.number(m, "alice", column) == before + CARDS[code][column]
    run(m, {"do": "use_up", "who": "alice"})
    assert ships.number(m, "alice", column) == before
    assert code in m.table.improvements
    assert m.table.ships["alice"].structure == ships.most_structure(m, "alice")


@pytest.mark.parametrize("code", ["I08", "I10", "I45"])
def test_fuel_consumer(code: str) -> None:
    m = met({"card": "S05", "installed": [code], "fuel": 1}, {"card": "S02"}, {"alice": "C04"})
    column = next(column for column in COUNTED if column in CARDS[code])
    before = ships.number(m, "alice", column)
    answers = {who: {"cards": fronts(m, who)[:2], "improvements": [code] if who == "alice" else []} for who in ("alice", "bob")}
    run(m, {"do": "cards_selected", "answers": answers})
    assert ships.number(m, "alice", column) == before + CARDS[code][column]
    assert ships.fuel(m, "alice") == 0
    assert ships.usable(m, "alice") == []


@pytest.mark.parametrize("code", ["I04", "I53"])
def test_asteroid_skin_opens_turtle_move(code: str) -> None:
    assert usable_faces(laid({"alice": ["turtle move"]}, code), "alice", "turtle move") == ["turtle move", "a choice"]


@pytest.mark.parametrize("skin", ["S01", "S03"])
def test_a_built_in_tractor_beam_holds_like_one_that_is_installed(skin: str) -> None:
    m = met({"card": skin}, {"card": "S02"}, revealed={"alice": ["held fast"]})
    assert usable_faces(m, "alice", "held fast") == ["held fast", "nudge"]


# Non-player ships


@pytest.mark.parametrize("raider", RAIDERS)
def test_every_non_player_ship_fights_with_the_numbers_on_its_card(raider: str) -> None:
    row = {**BOX["aliens"], **BOX["raiders"]}[raider]
    m = met({"card": "S09"}, {"card": "S02"})
    m.agenda = []
    run(m, {"do": "battle", "attacker": raider, "defender": "alice", "cause": "hyperspace"})
    while (question := pending(m)) is not None and question.name != "play":
        seat = next(d.seat for d in question.decisions.values() if d.decider not in m.sealed)
        m = submit(m, seat, ["watch" if question.name == "join" else "first attack"]).match
    one = ships.fighter(m, raider)
    wanted = {**CARDS["S09"], **row} if row.get("mirror") else row
    assert one.seat == "bob"
    for column in (*data.WEAPONS, "speed", "escape"):
        assert ships.number(m, raider, column) == wanted.get(column, 0)
    assert (one.structure, one.fuel) == (row["structure"], wanted["fuel"])
    assert len(one.deck) == 3 + sum(row[f"{kind}-cards"] for kind in KINDS)


@pytest.mark.parametrize("raider", RAIDERS)
def test_every_non_player_ship_brings_what_its_card_says(raider: str) -> None:
    row = {**BOX["aliens"], **BOX["raiders"]}[raider]
    m = met({"card": "S09"}, {"card": "S02"}, attacker=raider, defender="alice", decks={"alice": ["feint"], raider: ["brace"]})
    money = m.table.captains["alice"].money
    ships.fighter(m, raider).struck_by = "alice"
    run(m, {"do": "defeated", "who": raider, "by": ["alice"], "destroyed": True})
    assert m.table.captains["alice"].money == money + row["bounty"]
    assert [event["level"] for event in told(m, "defeats")] == [row["recognition"]]


def test_a_mirror_ship_has_the_powers_of_the_ship_that_it_mirrors() -> None:
    m = met({"card": "S07"}, {"card": "S02"}, attacker="A11", defender="alice", decks={"alice": ["feint"], "A11": ["brace"]})
    assert ships.able(m, "A11", "stunt")


def test_the_data_names_no_card_twice() -> None:
    codes = [code for row in BOX["battle"].values() for code in row["codes"]]
    assert len(codes) == len(set(codes)) == 87
    paths = [GAME.package.replace(".", "/") + f"/{sheet}.toml" for sheet in SHEETS]
    assert [len(tomllib.loads((HERE.parent / path).read_text())[sheet]) for path, sheet in zip(paths, SHEETS, strict=True)] == [
        12,
        10,
        55,
    ]
