"""Check the laws over random matches of all installed games for a long time: `python -m tests.soak --minutes 30`.

The seed is printed; the same seed plays the same matches again, whatever the number of processes. At the end a table shows how
often each law was checked at which kind of question, and what was left out.

`--few 0.35` lets each law look at some readers alone (one who is asked, one who is not, the observer), writes out the reports
of some of them, and looks by that chance at kinds of questions that a match has not shown yet, beside every so many lines: a
whole match of a large game then takes seconds, and over many matches each law meets every kind of question and of reader.
"""

from __future__ import annotations

import argparse
import itertools
import os
import secrets
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

from referee.match import Game
from referee.words import sentences

from . import laws, test_laws
from .phantom_league import arena
from .phantom_league import visibility as phantom
from .phantom_league.short import GAME as SHORT
from .toy import GAME as TOY

ROOT = Path(__file__).parent.parent
AT_A_QUESTION = (*laws.POSITION_LAWS, "unmoved", "lines")
"""The laws that are checked at every kind of question; `sealed` and `order` at joint ones, `asides` in games that know some."""


class Soaked(NamedTuple):
    """A game with the lists written by hand from its rulebook; without fields if its sources are another game's."""

    game: Game
    fields: dict[str, str]
    events: laws.Events
    unique: Sequence[str]
    alike: Sequence[str] = ()


class Task(NamedTuple):
    """One match to check: the game, the seed, at every how many lines the costly laws hold; see `At` for `few`."""

    name: str
    seed: int
    every: int
    few: float


@dataclass
class Checked:
    """What came of a match: a sentence, whether a law is broken, and how often each law was checked by kind of question."""

    said: str
    broken: bool = False
    lines: int = 0
    seen: Counter[tuple[str, str]] = field(default_factory=Counter)


def installed() -> Iterator[Soaked]:
    """Yield the toy and every game that comes along, each with its `tests/<game>/visibility.py`; parts of one too."""
    yield Soaked(TOY, test_laws.FIELDS, test_laws.EVENTS, test_laws.UNIQUE)
    for folder in sorted(ROOT.glob("games/*/__init__.py")):
        name = folder.parent.name
        lists = import_module(f"tests.{name}.visibility")
        unique, alike = (getattr(lists, each, ()) for each in ("UNIQUE", "ALIKE"))
        yield Soaked(import_module(f"games.{name}").GAME, lists.FIELDS, lists.EVENTS, unique, alike)
    yield Soaked(arena.GAME, {}, phantom.EVENTS, ())
    yield Soaked(SHORT, {}, phantom.EVENTS, phantom.UNIQUE, phantom.ALIKE)


def check(task: Task) -> Checked:
    """Check one match in a process of its own."""
    soaked = next(one for one in installed() if one.game.slug == task.name)
    pools = {"unique": soaked.unique, "alike": soaked.alike}
    try:
        at = laws.check_match(soaked.game, task.seed, soaked.events, every=task.every, most=5000, few=task.few, **pools)
        if task.seed % 10 == 0:
            laws.dice(soaked.game, task.seed, 5000)
    except laws.Broken as broken:
        return Checked(f"BROKEN {broken}", broken=True)
    return Checked(f"{task.name}, seed {task.seed}: {len(at.m.seats)} seats, {at.line} lines", lines=at.line, seen=at.seen)


def soak(tasks: Iterator[Task], minutes: float, processes: int) -> Iterator[Checked]:
    """Check match after match, until the time is up or there are none left.

    Args:
        tasks: the matches.
        minutes: how long; no new match begins after it.
        processes: how many matches are checked at once.
    """
    until = time.monotonic() + 60 * minutes
    with ProcessPoolExecutor(processes) as pool:
        running = {pool.submit(check, task) for task in itertools.islice(tasks, processes)}
        while running:
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for one in done:
                yield one.result()
                if time.monotonic() < until:
                    running |= {pool.submit(check, task) for task in itertools.islice(tasks, 1)}


def table_of(seen: Counter[tuple[str, str]], known: Sequence[str]) -> Iterator[str]:
    """Yield the lines that tell which law was checked how often at which kind of question, and what was left out.

    Args:
        seen: how often, by question and law.
        known: the questions of the games.
    """
    asked = sorted({question for question, _ in seen if question})
    for law in dict.fromkeys(law for _, law in seen):
        counts = {question: seen[question, law] for question in asked if seen[question, law]}
        if counts:
            rarest = min(counts, key=lambda question: counts[question])
            said = f"{law:12} {sum(counts.values()):7} times at {len(counts)} kinds of questions"
            yield f"{said}; least at “{rarest}”, {counts[rarest]} times"
    never = ", ".join(sorted(set(known) - set(asked))) or "none"
    yield f"asked: {len(asked)} of {len(known)} kinds of questions; never: {never}"
    missing = [f"{law} at “{question}”" for law in AT_A_QUESTION for question in asked if not seen[question, law]]
    yield f"left out: {', '.join(missing) or 'nothing'}"


def questions_of(names: Sequence[str]) -> list[str]:
    """Return the kinds of questions that games know, by their sentences."""
    chapters = [sentences(one.game)["questions"] for one in installed() if one.game.slug in names]
    return sorted({key for chapter in chapters for key in chapter if not key.endswith(".why")})


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description="Check the laws over random matches for a long time.")
    parser.add_argument("games", nargs="*", default=[one.game.slug for one in installed()])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--matches", type=int, default=10**6)
    parser.add_argument("--every", type=int, default=3, help="check the costly laws at every so many lines")
    parser.add_argument("--few", type=float, default=0, help="for some readers, and by this chance at a new kind of question")
    parser.add_argument("--seed", type=int, default=secrets.randbelow(10**9))
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    return parser.parse_args()


def main() -> None:
    """Soak, and tell what was checked; end with status 1 if a law is broken."""
    given, began = options(), time.monotonic()
    print(f"seed {given.seed}", flush=True)
    for soaked in installed():
        if soaked.game.slug in given.games and soaked.fields:
            laws.check_sources(soaked.game, soaked.fields, soaked.events)
    seeds = range(given.seed, given.seed + given.matches)
    tasks = (Task(name, seed, given.every, given.few) for seed in seeds for name in given.games)
    total, count, broken = Checked(""), 0, 0
    for checked in soak(tasks, given.minutes, given.processes):
        print(checked.said, flush=True)
        total.lines, broken, count = total.lines + checked.lines, broken + checked.broken, count + 1
        total.seen.update(checked.seen)
    print(*table_of(total.seen, questions_of(given.games)), sep="\n")
    kept = f"{count - broken} of {count} matches kept the laws"
    print(f"{kept}: {total.lines} lines, {(time.monotonic() - began) / 60:.0f} minutes")
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
