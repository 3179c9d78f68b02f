"""Check the laws over random matches of all installed games for a long time: `python -m tests.soak --minutes 30`.

The seed is printed; the same seed plays the same matches again.
"""

from __future__ import annotations

import argparse
import itertools
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from referee.match import Game

from . import laws, test_laws
from .toy import GAME as TOY

ROOT = Path(__file__).parent.parent


class Soaked(NamedTuple):
    """A game with the lists written by hand from its rulebook."""

    game: Game
    fields: dict[str, str]
    events: laws.Events
    unique: Sequence[str]


def installed() -> Iterator[Soaked]:
    """Yield the toy and every game that comes with the referee, each with its `tests/<game>/visibility.py`."""
    yield Soaked(TOY, test_laws.FIELDS, test_laws.EVENTS, test_laws.UNIQUE)
    for folder in sorted(ROOT.glob("games/*/__init__.py")):
        name = folder.parent.name
        lists = import_module(f"tests.{name}.visibility")
        yield Soaked(import_module(f"games.{name}").GAME, lists.FIELDS, lists.EVENTS, getattr(lists, "UNIQUE", ()))


def soak(minutes: float, seed: int) -> int:
    """Check match after match until the time is up; return how many were checked.

    Raises:
        Broken: a law does not hold; says with which game and seed.
    """
    games, until, count = list(installed()), time.monotonic() + 60 * minutes, 0
    for soaked in games:
        laws.check_sources(soaked.game, soaked.fields, soaked.events)
    for number in itertools.count(seed):
        for soaked in games:
            if time.monotonic() > until:
                return count
            at = laws.check_match(soaked.game, number, soaked.events, every=3, unique=soaked.unique, most=3000)
            count += 1
            print(f"{soaked.game.slug}, seed {number}: {at.line} lines", flush=True)
        laws.dice(games[number % len(games)].game, number, 3000)
    return count


def main() -> None:
    """Read the command line and soak."""
    parser = argparse.ArgumentParser(description="Check the laws over random matches for a long time.")
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    try:
        print(f"{soak(given.minutes, given.seed)} matches kept the laws")
    except laws.Broken as broken:
        sys.exit(str(broken))


if __name__ == "__main__":
    main()
