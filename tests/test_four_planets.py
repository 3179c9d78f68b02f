"""Four Planets: the laws, whole matches, its data, its words and its guide."""

from __future__ import annotations

import random
from collections.abc import Iterator
from unittest import mock

import pytest

from games.four_planets import GAME
from referee import engine
from referee.ask import Decision
from referee.components import folder_of
from referee.match import Match
from referee.steps import Frame

from . import laws
from .four_planets.visibility import EVENTS, FIELDS, UNIQUE

SEATS = ["alice", "bob"]
FOLDER = folder_of(GAME)
LAZY = ("keep", "done")
SAMPLE = Decision.sample


def busy(decision: Decision, pick: random.Random) -> Frame:
    """Choose at random, but end a phase only now and then, so that abilities and tiles come into play."""
    frames = [SAMPLE(decision, pick) for _ in range(4)]
    if pick.random() < 0.8:
        frames = [frame for frame in frames if frame["do"] == "play"] or frames
    return next((frame for frame in frames if frame["do"] not in LAZY), frames[0])


@pytest.fixture
def busily() -> Iterator[None]:
    """Let random play go on for long."""
    with mock.patch.object(Decision, "sample", busy):
        yield


def test_the_sources_keep_the_laws() -> None:
    laws.check_sources(GAME, FIELDS, EVENTS)


@pytest.mark.parametrize("seed", range(4))
def test_a_random_match_keeps_the_laws(seed: int) -> None:
    laws.check_match(GAME, seed, EVENTS, unique=UNIQUE, most=3000, every=6)


@pytest.mark.parametrize("seed", range(4, 10))
def test_a_busy_match_keeps_the_laws(seed: int, busily: None) -> None:
    laws.check_match(GAME, seed, EVENTS, unique=UNIQUE, most=3000, every=8)


def test_chance_comes_from_the_seed_alone() -> None:
    laws.dice(GAME, 3, most=3000)


# Whole matches


def fresh(seed: int, **options: object) -> Match:
    m = engine.start(GAME, f"fp-{seed}", SEATS, seed.to_bytes(32, "big"), options)
    engine.begin(m, {})
    return m
