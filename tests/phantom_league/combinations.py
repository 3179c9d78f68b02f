"""Random combinations of the extension and the variants, with two to six seats, played at random under the laws.

`python -m tests.phantom_league.combinations 200` plays so many short matches. The seed draws the number of seats, each option
(about every second one is on) and everything else. `GAME.check` and the cheap laws are checked after each answer, all laws, the
twins among them, in every tenth match at every so many lines. At the end it prints how often each option was on.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from copy import copy

from referee.match import Game, Option

from .. import laws
from .short import GAME as SHORT
from .visibility import EVENTS, UNIQUE

NAMED = tuple(pool for pool in UNIQUE if pool not in ("alliance ships", "orange half-hexes"))
"""Pools whose names occur nowhere else: Drift is a half-hex and a Battle card, and an Alliance ship may be met as a guard."""

EVERY, MOST, SHARE = 12, 4000, 10
"""At how many lines all laws are checked, how many lines a match may take, and in which share of the matches."""
CHEAP = ("ends", *laws.CHEAP)
ROUNDS = (3, 8)


def game_of(seed: int) -> Game:
    """Return the game with options half of which are on if nothing is said; so about half of them are on in the match."""
    game, pick = copy(SHORT), random.Random(f"options {seed}")
    game.options = {name: _flipped(option, pick) for name, option in SHORT.options.items()}
    game.options["rounds"] = Option(4, "house rule: so many rounds end the game", ROUNDS)
    return game


def _flipped(option: Option, pick: random.Random) -> Option:
    usual = pick.random() < 0.5 if isinstance(option.default, bool) else option.default
    return Option(usual, option.about, option.choices)


def combined(seed: int, *, closely: bool) -> laws.At:
    """Play the match of a seed under the cheap laws, or under all of them.

    Raises:
        Broken: a law does not hold.
    """
    only = () if closely else CHEAP
    return laws.check_match(game_of(seed), seed, EVENTS, every=EVERY, unique=NAMED, most=MOST, only=only)


def main(count: int, first: int) -> None:
    """Play so many matches from a seed on, and print what was played."""
    on: Counter[str] = Counter()
    seats: Counter[int] = Counter()
    endings: Counter[str] = Counter()
    lines = 0
    for seed in range(first, first + count):
        at = combined(seed, closely=seed % SHARE == 0)
        lines += at.line
        seats[len(at.m.seats)] += 1
        endings[at.m.table.ended or "nobody"] += 1
        chosen = {name for name, value in at.m.options.items() if value and name != "rounds"}
        on.update(chosen)
        print(f"{seed}: {len(at.m.seats)} seats, {at.line} lines, {', '.join(sorted(chosen)) or 'no option'}", flush=True)
    print(f"{count} matches, {lines} lines, no law broken; all laws in every {SHARE}th match")
    print("seats: " + ", ".join(f"{number}: {times}" for number, times in sorted(seats.items())))
    print("endings: " + ", ".join(f"{how}: {times}" for how, times in sorted(endings.items())))
    print("options on: " + ", ".join(f"{name} {on[name]}" for name in SHORT.options if name != "rounds"))


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 0)
