"""The Cosmic League: the laws over random matches, its data, and what the whole of a match gives."""

import pytest

from games.cosmic_league import GAME
from referee import engine
from referee.components import BadData, load_components

from . import laws
from .cosmic_league.visibility import EVENTS, FIELDS


def test_the_sources_keep_the_laws() -> None:
    laws.check_sources(GAME, FIELDS, EVENTS)


@pytest.mark.parametrize("seed", range(12))
def test_random_matches_keep_the_laws(seed: int) -> None:
    laws.check_match(GAME, seed, EVENTS, most=3000, every=5)
