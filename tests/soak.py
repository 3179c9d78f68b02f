"""Check the laws over random matches of all installed games for a long time: `python -m tests.soak --minutes 30`.

The seed is printed; the same seed plays the same matches again.
"""

from __future__ import annotations

import argparse
import itertools
import os
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
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


def check(name: str, seed: int, every: int) -> str:
    """Check one match in a process of its own; return what was checked, or which law is broken."""
    soaked = next(one for one in installed() if one.game.slug == name)
    try:
        at = laws.check_match(soaked.game, seed, soaked.events, every=every, unique=soaked.unique, most=5000)
        if seed % 10 == 0:
            laws.dice(soaked.game, seed, 5000)
    except laws.Broken as broken:
        return f"BROKEN {broken}"
    return f"{name}, seed {seed}: {at.line} lines"


def soak(names: Sequence[str], minutes: float, matches: int, seed: int, every: int) -> int:
    """Check match after match on all cores, until the time or the number is up; return how many kept the laws.

    Args:
        names: the games.
        minutes: how long; no new match begins after it.
        matches: how many matches of each game at most.
        seed: the first seed.
        every: the costly laws (twins, unmoved, saves, whole reports) are checked at every so many lines.
    """
    for soaked in installed():
        laws.check_sources(soaked.game, soaked.fields, soaked.events)
    until, count = time.monotonic() + 60 * minutes, 0
    tasks = ((name, number, every) for number in range(seed, seed + matches) for name in names)
    with ProcessPoolExecutor() as pool:
        running = {pool.submit(check, *task) for task in itertools.islice(tasks, os.cpu_count())}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                print(one.result(), flush=True)
                if one.result().startswith("BROKEN"):
                    sys.exit("a law is broken")
                count += 1
                if time.monotonic() < until:
                    running |= {pool.submit(check, *task) for task in itertools.islice(tasks, 1)}
    return count


def main() -> None:
    """Read the command line and soak."""
    parser = argparse.ArgumentParser(description="Check the laws over random matches for a long time.")
    parser.add_argument("games", nargs="*", default=[one.game.slug for one in installed()])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--matches", type=int, default=10**6)
    parser.add_argument("--every", type=int, default=3, help="check the costly laws at every so many lines")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    given = parser.parse_args()
    print(f"seed {given.seed}", flush=True)
    count = soak(given.games, given.minutes, given.matches, given.seed, given.every)
    print(f"{count} matches kept the laws")


if __name__ == "__main__":
    main()
