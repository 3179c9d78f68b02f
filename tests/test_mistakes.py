"""A wrong implementation must fail: each law is shown to catch mistakes planted on purpose in the toy game."""

import pytest

from . import laws
from .mistakes import MISTAKES, planted
from .test_laws import EVENTS, FIELDS, UNIQUE
from .toy import GAME

SEEDS = range(8)
SOURCES = ("visibility", "words", "late names")


def broken_law(name: str) -> str:
    """Return the law that catches a mistake while no other law is looked at; "" if it slips through."""
    law = MISTAKES[name][0]
    with planted(name) as game:
        try:
            if law in SOURCES:
                laws.check_sources(game, FIELDS, EVENTS)
            elif law == "dice":
                laws.dice(game, 0)
            elif law == "replay":
                laws.replay(game, f"planted:{name}", 0)
            else:
                for seed in SEEDS:
                    laws.check_match(game, seed, EVENTS, unique=UNIQUE, only=(law,), most=200)
        except laws.Broken as broken:
            return broken.law
    return ""


@pytest.mark.parametrize("name", MISTAKES)
def test_a_planted_mistake_is_caught_by_its_law(name: str) -> None:
    assert broken_law(name) == MISTAKES[name][0]


def test_the_toy_without_mistakes_breaks_none_of_these_laws() -> None:
    laws.check_all(GAME, range(2), FIELDS, EVENTS, unique=UNIQUE, most=200)


def test_every_law_of_a_position_catches_something() -> None:
    assert {law for law, _ in MISTAKES.values()} >= laws.POSITION_LAWS.keys()
