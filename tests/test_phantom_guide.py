"""The player's guide of The Phantom League says what is so."""

import re
import tomllib
from pathlib import Path

from games.phantom_league import GAME

from .phantom_league import guide

TEXT = guide.README.read_text(encoding="utf-8")
RULES = Path(__file__).parent / "rules" / "phantom_league"


def test_the_tables_of_orders_options_and_verbs_are_those_of_the_game() -> None:
    assert guide.filled(TEXT) == TEXT, "run `python -m tests.phantom_league.guide`"


def test_every_verb_of_a_card_is_a_step() -> None:
    assert guide.used().keys() <= GAME.steps.keys()
    assert {sheet for cards in guide.used().values() for sheet, _ in cards} == set(guide.SHEETS)


def test_every_ruling_stands_in_the_guide_once() -> None:
    listed = re.findall(r"^\| PL-(\d+) \|", TEXT, re.MULTILINE)
    assert listed == [str(number) for number in range(1, 103)]


def test_every_ruling_that_a_scenario_names_stands_in_the_guide() -> None:
    named = {ruling for path in RULES.glob("*.toml") for ruling in tomllib.loads(path.read_text()).get("rulings", ())}
    assert {ruling for ruling in named if re.fullmatch(r"PL-\d+", ruling)} <= set(re.findall(r"PL-\d+", TEXT))


def test_every_option_stands_in_the_guide() -> None:
    for name in GAME.options:
        assert f"| `{name}` |" in TEXT
