"""The laws hold for the toy game."""

import pytest

from . import laws
from .toy import GAME

FIELDS = {
    "Chest.size": "open",
    "Chest.seen_by": "open",
    "Chest.inside": "known_to",
    "Chest.trap": "blind",
    "Boat.captain": "open",
    "Boat.lanterns": "open",
    "Boat.gold": "open",
    "Boat.crew": "open",
    "Boat.flown": "open",
    "Boat.cards": "hand",
    "Boat.hold": "hand",
    "Boat.flag": "secret",
    "Reef.round": "open",
    "Reef.helm": "open",
    "Reef.courses": "open",
    "Reef.chests": "part",
    "Reef.boats": "owned",
    "Reef.deck": "pile",
    "Reef.discard": "open",
    "Reef.sold": "open",
    "Reef.deep": "pile",
    "Reef.flags": "pile",
}
EVENTS: laws.Events = {
    "sails": (("who", "waters"), ()),
    "raided": (("who", "lanterns"), ()),
    "calm": (("who", "lanterns"), ()),
    "dives": (("who", "chest", "lanterns"), ()),
    "peeks": (("who", "chest"), ("find",)),
    "plays": (("who", "card"), ()),
    "sells": (("who", "finds", "gold"), ()),
    "lands": (("who", "cards"), ()),
    "draws": (("who", "count"), ("cards",)),
    "calls": (("who", "card"), ()),
    "declines": (("who",), ()),
    "reaches": (("who", "chest", "rolled", "reach"), ()),
    "opens": (("who", "chest", "trap"), ("find",)),
    "bites": (("who", "lanterns"), ()),
    "barks": (("who", "lanterns"), ()),
    "joins": (("who", "card"), ()),
    "lights": (("who", "lanterns"), ()),
    "churns": (("chests",), ()),
    "tosses": (("who", "captain", "lanterns"), ()),
    "catches": ((), ("captain", "lanterns")),
    "vows": (("who", "promise"), ()),
    "shows": (("who", "flag", "finds", "gold"), ()),
}
UNIQUE = ("finds", "flags")


def test_the_sources_keep_the_laws() -> None:
    laws.check_sources(GAME, FIELDS, EVENTS)


@pytest.mark.parametrize("seed", range(12))
def test_a_random_match_keeps_the_laws(seed: int) -> None:
    laws.check_match(GAME, seed, EVENTS, unique=UNIQUE)


def test_chance_comes_from_the_seed_alone() -> None:
    laws.dice(GAME, 3)


def test_a_match_is_the_same_in_every_process() -> None:
    laws.replay(GAME, "tests.toy:GAME", 3)
