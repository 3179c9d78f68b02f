"""`python -m bench.tournament [--players N] [--rounds N]`: an event in the Swiss system with real matches, and what it costs.

Every table is a real match in a folder. It is ended by the moderator after a move of each seat, so that the time goes into the
event and not into the games. What a director waits for is measured: to pair, to publish, to look at matches that have not
changed, to take results, to print the table, to verify.
"""

from __future__ import annotations

import argparse
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

from referee import desk
from referee.chain import Chain
from referee.engine import pending
from referee.keys import SigningKey
from referee.lines import canonical
from referee.tournament.check import verify_event
from referee.tournament.director import Director
from referee.tournament.event import Event
from referee.tournament.plans import Wanted
from referee.tournament.play import LOOKED, Looker, folder_of
from referee.tournament.standings import table
from referee.tournament.watch import Watch

JOBS = os.cpu_count() or 1
GAME, AT = "cosmic-league", "2026-11-30T18:00:00Z"
_Result = TypeVar("_Result")


class Hall:
    """An event of many players, and what each kind of work took: seconds of the processor, and seconds that went by.

    Args:
        folder: where it goes.
        players, rounds: its size.
    """

    def __init__(self, folder: Path, players: int, rounds: int) -> None:
        """Begin it and enter everybody."""
        self.folder, self.key = folder / "event", SigningKey.new()
        self.times: dict[str, list[tuple[float, float]]] = {}
        wanted = Wanted("event", GAME, format="swiss", settings={"rounds": rounds}, no_shows=0)
        self.director.begin(wanted)
        rows = {f"p{number}": {"rating": 2000 - number} for number in range(1, players + 1)}
        self.timed("enter", lambda: self.director.enter(rows))

    @property
    def director(self) -> Director:
        """The director."""
        return Director(self.folder, self.key, AT)

    def timed(self, what: str, work: Callable[[], _Result]) -> _Result:
        """Do something and note how long it took."""
        began, used = time.perf_counter(), processor()
        result = work()
        self.times.setdefault(what, []).append((processor() - used, time.perf_counter() - began))
        return result

    def play_round(self, pick: random.Random) -> None:
        """Pair, publish, look, end all matches, and take their results."""
        self.timed("pair", lambda: self.director.pair())
        self.timed("pair again", lambda: self.director.pair())
        event = self.timed("publish", lambda: self.director.publish(jobs=JOBS)).event
        self.timed("tick, first look", lambda: self.watch().at_all())
        self.timed("tick, nothing new", lambda: self.watch().at_all())
        for number, place in event.missing():
            self._end(Chain(folder_of(self.folder, event.match_id(number, place)), self.key.public), pick)
        self.timed("tick, all results", lambda: self.watch().at_all())
        assert not self.director.read().missing()
        self.timed("standings", lambda: rows_of(self.director.read()))

    def watch(self) -> Watch:
        """Return a look at the event before its round is over."""
        return Watch(self.folder, self.key, AT, jobs=JOBS)

    def _end(self, chain: Chain, pick: random.Random) -> None:
        """End a match: whoever is asked first sends a move, and then loses or gets a draw at the moderator's word."""
        link = chain.latest()
        question = pending(link.save.match)
        assert question is not None
        decision = next(iter(question.decisions.values()))
        line = canonical(link.save.match, decision.sample(pick))
        desk.play_late(chain, self.key, link, decision.seat, [line], at=AT, forms=())
        lost = pick.random() < 0.8
        ruling: dict[str, Any] = {"ruling": "forfeit", "seat": decision.seat} if lost else {"ruling": "draw"}
        desk.rule(chain, self.key, {**ruling, "why": "for the measurement"}, at=AT)

    def look_at_all(self, event: Event) -> int:
        """Look at every match of the event, whatever is known of it; return how many."""
        looker = Looker(self.folder, self.key.public)
        matches = [
            event.match_id(sheet.round.number, one.table)
            for sheet in event.sheets
            for one in sheet.round.pairings
            if not one.is_bye
        ]
        for match in matches:
            looker.look(match)
        looker.keep()
        return len(matches)


def processor() -> float:
    """Return how many seconds of the processor this process and those that it has waited for have used."""
    return sum(os.times()[:4])


def rows_of(event: Event) -> int:
    """Return how many lines the standings have."""
    return len(table(event.field(), event.plan.scoring, event.plan.tiebreaks))


def measure(hall: Hall, rounds: int) -> Iterator[str]:
    """Yield the rows of the table: the last round, which knows all others."""
    pick = random.Random(1)
    for _ in range(rounds):
        hall.play_round(pick)
    event = hall.director.read()
    tables = len(event.sheets[-1].round.pairings)
    for what, times in hall.times.items():
        named = f"{what}, round {rounds}" if len(times) > 1 else what
        used = [one for one, _ in times]
        yield f"| {named} | {_told(used[-1])} | {_told(min(used))} to {_told(max(used))} | {_told(times[-1][1])} |"
    (hall.folder / LOOKED).unlink()
    count = 0
    for what in ("look at every match, first", "look at every match, again"):
        count = hall.timed(what, lambda: hall.look_at_all(event))
        yield f"| {what} ({count:,}) | {_both(hall.times[what][-1])} |"
    for what, quick in (("verify --quick", True), ("verify", False)):
        hall.timed(what, lambda quick=quick: verify_event(hall.folder, hall.key, quick=quick, jobs=JOBS))
        yield f"| {what}, {JOBS} processes ({count:,} matches) | {_both(hall.times[what][-1])} |"
    size = (hall.folder / "tournament.toml").stat().st_size
    yield f"| size of tournament.toml ({tables} tables a round) | {size / 1000:,.0f} KB | | |"


def _both(times: tuple[float, float]) -> str:
    return f"{_told(times[0])} | | {_told(times[1])}"


def _told(seconds: float) -> str:
    return f"{seconds:.1f} s" if seconds >= 1 else f"{1000 * seconds:.0f} ms"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Measure what an event costs.")
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=10)
    given = parser.parse_args()
    before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as place:
        hall = Hall(Path(place), given.players, given.rounds)
        print("| measure | processor | lowest to highest round | elapsed |\n|---|---|---|---|")
        for row in measure(hall, given.rounds):
            print(row, flush=True)
    load = f"load {before:.1f} at the start, {os.getloadavg()[0]:.1f} at the end"
    print(f"\n{given.players:,} players, {given.rounds} rounds; {load}.")


if __name__ == "__main__":
    main()
