"""Lantern Reef, a small game that uses everything the machine offers; the laws are tried on it first.

1. *The round.* The captains, and with them the pirate, choose their waters in secret and sail.
2. *The turn.* In seat order, a captain dives for chests, peeks, plays cards, sells finds, and lands in the end.
3. *The reaction.* Whoever holds cards may call foul weather over another captain's dive.
4. *Hails.* At any time a captain may toss lanterns to another, or make a vow.
5. *Effects.* What the cards do; cards.toml names these steps.
6. *The end.* After the last round, or with the last chest, flags are shown and the richest captain wins.
"""

from collections.abc import Mapping, Sequence

from referee.kit import FRAMES, SEATS, Components, Game, Match, Option, Sheet

from . import effects, ending, hails, reaction, rounds, turn
from .ending import score
from .setup import check, setup
from .table import Reef, boat_of

WATERS = ("north", "east", "south")


def names(components: Components) -> Mapping[str, Sequence[str]]:
    """Return the words that players may type in the slots of orders."""
    return {name: list(components[name]) for name in ("chests", "finds", "cards")} | {"waters": WATERS, "captains": [SEATS]}


def in_force(m: Match, who: str) -> list[str]:
    """Return the cards whose number columns count for a captain: the crew on board."""
    return boat_of(m, who).crew


GAME = Game(
    slug="lantern-reef",
    title="Lantern Reef",
    version=1,
    seats=(2, 4),
    options={
        "rounds": Option(3, "how many rounds are played", (1, 4)),
        "traps": Option(True, "whether opened chests bite"),
    },
    table=Reef,
    setup=setup,
    modules=[rounds, turn, reaction, hails, effects, ending],
    names=names,
    check=check,
    score=score,
    anytime=hails.hails,
    safest="decline or land",
    in_force=in_force,
    sheets={
        "chests": Sheet(needs={"size": str, "depth": int}),
        "finds": Sheet(needs={"kind": str, "worth": int}),
        "cards": Sheet(needs={"copies": int, "effect": FRAMES}, may={"weather": bool, "reach": int, "guard": int}),
    },
    data=["cards.toml"],
)
