"""The sentences of every game: each order has one, and none is written twice over another."""

from collections import Counter

import pytest

from referee import canon
from referee.cli.games import slugs
from referee.components import folder_of
from referee.engine import find_game
from referee.match import Game
from referee.steps import Order
from referee.words import sentences

from .toy import GAME as TOY

GAMES = [game for slug in slugs() if (game := find_game(slug)).slug != TOY.slug]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_every_order_is_explained_and_nothing_else(game: Game) -> None:
    orders = {step.name for step in game.steps.values() if isinstance(step, Order)}
    assert sentences(game)["orders"].keys() == orders


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_no_sentence_hides_another(game: Game) -> None:
    files = sorted(folder_of(game).glob("words*.toml"))
    keys = [(chapter, key) for path in files for chapter, said in canon.loads(path.read_bytes()).items() for key in said]
    assert [key for key, times in Counter(keys).items() if times > 1] == []
