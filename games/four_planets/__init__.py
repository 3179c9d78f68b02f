"""Four Planets: two players dispatch ships, recruit specialists and play them, with a colour bonus that is half secret."""

from referee.kit import Game, Option

from . import abilities, buildings, campaign, dispatch, play, recruit, rounds, scoring, setup, tiles
from .data import SHEETS, check, check_data, names
from .table import Table

GAME = Game(
    slug="four-planets",
    title="Four Planets",
    version=1,
    seats=(2, 2),
    options={
        "first": Option("random", "the seat that faces the spaceship symbol in the first round", ("random", "seat")),
        "first-game": Option(False, "whether the five boost tiles of a first game lie open, and not five at random"),
        "professional": Option(
            False, "professional mode: each player begins with two buildings out of four; of all 15, ten are reconstructed"
        ),
        "campaign": Option(False, "mini-campaign: three games with one, two and three buildings each, as one match"),
        "face-down-power": Option(
            True, "house rule: whether a face-down specialist whose back shows 3 counts for the tile power three"
        ),
    },
    table=Table,
    setup=setup.setup,
    modules=(setup, rounds, dispatch, recruit, play, abilities, tiles, buildings, campaign, scoring),
    names=names,
    check=check,
    score=scoring.score,
    safest="done or keep",
    in_force=lambda m, who: m.table.players[who].buildings,
    sheets=SHEETS,
    data=("specialists.toml", "tiles.toml", "buildings.toml"),
    check_data=check_data,
)
