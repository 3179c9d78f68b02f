"""The Cosmic League: two ships carry goods and passengers between six planets until one has 70 Megagalax."""

from referee.kit import Game, Option

from . import actions, effects, ending, flight, interventions, setup, turn
from .data import SHEETS, check, check_data, names
from .table import Table

GAME = Game(
    slug="cosmic-league",
    title="The Cosmic League",
    version=1,
    seats=(2, 2),
    options={
        "younger": Option("random", "the seat of the younger player, who chooses first", ("random", "seat")),
        "agent-from-orbit": Option(False, "house rule: whether a space station lets the agent act from orbit"),
        "reshuffle": Option(True, "house rule: whether an empty draw pile is made again out of the discards"),
        "quiet-turns": Option(20, "house rule: so many turns in a row without any change end the game", (2, 50)),
    },
    table=Table,
    setup=setup.setup,
    modules=(setup, turn, flight, actions, interventions, effects, ending),
    names=names,
    check=check,
    score=ending.score,
    resign=ending.resign,
    safest="decline or forgo or stay or end",
    in_force=lambda m, who: m.table.captains[who].technologies,
    sheets=SHEETS,
    data=("board.toml", "cards.toml"),
    check_data=check_data,
)
