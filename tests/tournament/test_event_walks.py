"""Random events: whatever a director does in whatever order, the book holds, and what was done can be verified."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest

from referee.errors import Refusal, Usage
from referee.people import Person
from referee.tournament.book import Book
from referee.tournament.check import verify_event
from referee.tournament.director import is_over
from referee.tournament.form import event_body
from referee.tournament.standings import table
from referee.tournament.substitutes import hand_over

from ..matches import AT, KEY
from .scene import LATER, NAMES, EventScene

pytestmark = pytest.mark.usefixtures("quick_disk", "no_reports")

EVENTS = [
    ("swiss", 2, 7, {"rounds": 3}),
    ("swiss", 2, 8, {"rounds": 4}),
    ("round-robin", 2, 5, {}),
    ("round-robin", 2, 4, {"pace": "at-once"}),
    ("open-round-robin", 2, 5, {"open": 2}),
    ("single-elimination", 2, 7, {"third-place": "yes"}),
    ("double-elimination", 2, 5, {}),
    ("groups", 2, 8, {"groups": 2, "qualify": 2}),
    ("tables", 3, 7, {"rounds": 3}),
    ("tables", 4, 9, {"rounds": 2}),
]


class Walk:
    """Somebody who does anything at any time."""

    def __init__(self, scene: EventScene, seed: int) -> None:
        """Take an event and a number that gives the same walk."""
        self.scene, self.pick = scene, random.Random(seed)
        self.done: Counter[str] = Counter()

    def step(self) -> None:
        """Do something; if it is refused, nothing may have changed."""
        name = self.pick.choice((*["end"] * 4, "pair", "publish", "tick", "people", "rule", "sleep"))
        before = Book(self.scene.folder, KEY).read()
        try:
            getattr(self, f"_{name}")()
            self.done[name] += 1
        except (Refusal, Usage):
            self.done[f"{name} refused"] += 1
            assert name in ("people", "rule") or Book(self.scene.folder, KEY).read() == before

    def _pair(self) -> None:
        first = self.scene.director.pair()
        assert self.scene.director.pair() == first

    def _publish(self) -> None:
        self.scene.director.publish()

    def _end(self) -> None:
        matches = [match for match in self.scene.open_matches() if (self.scene.folder / "matches" / match).exists()]
        for match in self.pick.sample(matches, min(2, len(matches))):
            seats = self.scene.chain(match).latest().save.match.seats
            self.scene.end(match, self.pick.choice([*seats, ""]))

    def _tick(self) -> None:
        watch = self.scene.watch(AT)
        watch.at_all()
        assert watch.troubles == []
        page = Book(self.scene.folder, KEY).read()
        self.scene.watch(AT).at_all()
        assert Book(self.scene.folder, KEY).read() == page, "a second look changes nothing"

    def _sleep(self) -> None:
        if self.pick.random() < 0.3:
            self.scene.watch(LATER).at_all()
            assert not [place for place in self.scene.event.missing() if place[1] not in self.scene.event.sheet(place[0]).void]

    def _people(self) -> None:
        director, name, why = self.scene.director, self.pick.choice(NAMES), "for the test"
        deeds = {
            "enter": lambda: self.scene.enter([name]),
            "withdraw": lambda: director.withdraw(name, why),
            "rejoin": lambda: director.rejoin(name, why),
            "substitute": lambda: hand_over(director, name, Person(), why),
        }
        deeds[self.pick.choice(list(deeds))]()

    def _rule(self) -> None:
        event, director = self.scene.event, self.scene.director
        number = self.pick.randint(1, max(1, len(event.sheets)))
        tables = event.sheet(number).round.pairings
        pairing = self.pick.choice(tables)
        places = {seat: place for place, seat in enumerate(self.pick.sample(pairing.seats, len(pairing.seats)), 1)}
        kind = self.pick.choice(("adjudicate", "correct", "annul"))
        if kind == "annul":
            director.annul(number, pairing.table, "for the test")
        else:
            rule = director.adjudicate if kind == "adjudicate" else director.correct
            rule(number, pairing.table, places, "for the test")

    def settle(self) -> None:
        """Give every table that waits for a ruling one, so that the event can go on."""
        for number, place in self.scene.event.missing():
            seats = self.scene.event.pairing(number, place).seats
            self.scene.director.adjudicate(number, place, {seat: at for at, seat in enumerate(seats, 1)}, "for the test")


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(("name", "seats", "players", "settings"), EVENTS, ids=lambda value: str(value))
def test_a_random_event_holds(
    tmp_path: Path, name: str, seats: int, players: int, settings: dict[str, object], seed: int
) -> None:
    scene = EventScene(tmp_path, players, format=name, seats=seats, settings=settings)
    walk = Walk(scene, seed)
    for _ in range(25):
        walk.step()
    page = Book(scene.folder, KEY).read()
    last = [*scene.director.book.pages()][-1][0]
    assert event_body(*last) == event_body(*page), "what is read is what the steps make"
    verify_event(scene.folder, KEY, quick=True)
    for sheet in page.event.sheets:
        seated = Counter(seat for one in sheet.round.pairings for seat in one.seats)
        assert (
            all(count == 1 for count in seated.values())
            or settings.get("pace") == "at-once"
            or name in ("groups", "open-round-robin")
        )
    rows = table(page.event.field(), page.event.plan.scoring, page.event.plan.tiebreaks)
    assert {row.player for row in rows} <= page.event.players.keys()


@pytest.mark.parametrize(("name", "seats", "players", "settings"), EVENTS, ids=lambda value: str(value))
def test_every_format_comes_to_an_end_by_itself_while_everybody_sleeps(
    tmp_path: Path, name: str, seats: int, players: int, settings: dict[str, object]
) -> None:
    scene = EventScene(tmp_path, players, format=name, seats=seats, settings=settings, pairs_itself=True, no_shows=0, hours=24)
    scene.start()
    for day in range(1, 29):
        scene.watch(f"2026-12-{day:02}T18:00:00Z").at_all()
    event = scene.event
    assert is_over(event)
    assert not event.missing()
    scene.director.close()
    verify_event(scene.folder, KEY.public, quick=True)
