"""Kosmiczna misja (Space Mission): two to five players open planets and build space stations on them."""

from referee.kit import Game, Option

from . import ending, planets, setup, turn
from .data import SHEETS, check, check_data, names
from .table import Table

GAME = Game(
    slug="kosmiczna-misja",
    title="Kosmiczna misja",
    version=1,
    seats=(2, 5),
    options={
        "youngest": Option("random", "the seat of the youngest player, who begins", ("random", "seat")),
        "idle-rounds": Option(
            3, "house rule: how many rounds in which everybody passes end a game that nobody can or will go on", (1, 20)
        ),
    },
    table=Table,
    setup=setup.setup,
    modules=(setup, planets, turn, ending),
    names=names,
    check=check,
    score=ending.score,
    resign=ending.resign,
    safest="keep",
    sheets=SHEETS,
    data=("squares.toml",),
    check_data=check_data,
)
