"""What a director does with an event: begin it, enter players, pair, publish, rule, close. Each is one step, or nothing.

Everything may be repeated: what is done already is not done again, and what was cut off is finished.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from referee.clock import text_of, utc
from referee.errors import NotNow, RefereeError, Refused, Trouble
from referee.fields import replace
from referee.keys import SigningKey
from referee.locks import locked
from referee.parted import in_processes
from referee.people import People, Person
from referee.postal import Postal

from .book import Book, Page
from .event import Event, Sheet, Step, pairing_rows
from .formats import FORMATS, Format
from .lots import draw_lots
from .plans import Wanted, plan_from, secret_of
from .play import Secret, open_table, sweep
from .ranking import Ranking
from .rounds import Pairing
from .standings import ranking
from .steps import check_open, known, take

MOST_NAMED = 5
"""So many missing results are named in an error; the status lists all."""

Told = Callable[[str, int, int], None]
"""Is told what is being done, how many are done, and of how many."""


def nobody(what: str, done: int, of: int) -> None:
    """Tell nobody how far the work is."""


class Director:
    """Whoever runs an event.

    Args:
        folder: the folder of the event.
        key: the referee's key.
        at: the time, UTC.
        told: is told how far long work is.
    """

    def __init__(self, folder: Path, key: SigningKey, at: str, told: Told = nobody) -> None:
        """Name the folder; nothing is read yet."""
        self.folder, self.key, self.at, self.told = folder, key, at, told
        self.book = Book(folder, key)
        self.people = People(folder)

    def read(self) -> Event:
        """Return the event as it is now."""
        return self.book.read().event

    def _step(self, kind: str, **data: Any) -> Step:
        return Step(kind, data, self.at)

    def begin(self, wanted: Wanted, salt: bytes = b"") -> Page:
        """Begin an event in a folder that is new or empty.

        Args:
            wanted: what it is to be.
            salt: 16 bytes for tests; fresh ones by default.

        Raises:
            Usage: something in it cannot be.
            Trouble: the folder holds something, or cannot be written.
        """
        plan = plan_from(wanted, self.key, salt or os.urandom(16))
        return self.book.begin(self._step("new", **vars(plan)))

    # People

    def enter(self, rows: Mapping[str, Mapping[str, Any]], people: Mapping[str, Person] | None = None) -> Page:
        """Enter players; all of them, or none.

        Args:
            rows: for each name `rating` and `nonce`, as far as they are not empty.
            people: who they are, which no step holds.

        Raises:
            Refused: one of them has entered, or nobody can enter any more.
        """

        def step(event: Event) -> Step:
            return self._step("enter", players={name: dict(row) for name, row in rows.items()})

        with locked(self.folder / ".enter.lock"):
            event = self.read()
            check_open(event)
            if event.started and not format_of(event).late:
                raise NotNow(f"{event.plan.id} has begun, and nobody can come later in its format.", "Enter the next event.")
            self._check_addresses(event, people or {})
            take(event, step(event))
            # Before the step: whoever has entered must not be without an address, wherever a program ends.
            for name, person in (people or {}).items():
                self.people.change(name, address=person.address, name=person.name)
            return self.book.act(step)

    def _check_addresses(self, event: Event, people: Mapping[str, Person]) -> None:
        """Check that nobody enters twice under two names."""
        taken = {one.address.lower(): name for name, one in self.people.read().items() if one.address and name in event.players}
        for name, person in people.items():
            other = taken.setdefault(person.address.lower(), name) if person.address else name
            if other != name:
                said = f"The address of {name} is that of {other} already, and nobody enters twice."
                raise Refused(said, "Take another address, or none.")

    def withdraw(self, player: str, why: str) -> Page:
        """Let a player sit out from the next round on; matches under way go on."""
        return self.book.act(lambda event: self._step("withdraw", player=player, why=why))

    def rejoin(self, player: str, why: str) -> Page:
        """Let a player who has withdrawn play again from the next round on."""
        return self.book.act(lambda event: self._step("rejoin", player=player, why=why))

    def substitute(self, player: str, person: Person, why: str) -> Page:
        """Let somebody else play under a player's name, in matches under way too.

        Raises:
            Refused: there is no such player.
        """
        known(self.read(), player)
        page = self.book.act(lambda event: self._step("substitute", player=player, why=why))
        self.people.change(player, **vars(person))
        return page

    # Rounds

    def pair(self) -> Page:
        """Draft the next round; again the same, unless something has changed since.

        Raises:
            NotNow: results are missing, or there is nothing more to pair.
            Refused: it cannot be paired.
        """
        return self.book.act(self._pair)

    def _pair(self, before: Event) -> Step | None:
        check_open(before)
        event = with_lots(before, self.key)
        _check_ready(event)
        pairings = next_pairings(event)
        if not pairings:
            raise _nothing_to_pair(event)
        if pairings == before.draft and event.lots == before.lots:
            return None
        return self._step("draft", round=event.next_round, pairings=pairing_rows(pairings), lots=list(event.lots))

    def publish(self, *, stagger: int = 0, postal: Postal | None = None, secret: Secret | None = None, jobs: int = 1) -> Page:
        """Publish the round that is drafted, and make its matches; after an interruption make those that are missing.

        Args:
            stagger: hours by which each further match of a player is longer than the one before.
            postal: how the matches go by mail.
            secret: for tests: the secret of each match's seed.
            jobs: how many processes make matches at once.

        Raises:
            NotNow: nothing is drafted, and no match is missing.
        """
        page = self.book.read()
        if page.event.draft:
            page = self.book.act(lambda event: self._publish(event, stagger))
            self.open_matches(page.event, postal=postal, secret=secret, jobs=jobs)
        elif not self.open_matches(page.event, postal=postal, secret=secret, jobs=jobs):
            said = f"There is nothing to publish in {page.event.plan.id}."
            raise NotNow(said, "`referee tournament pair` drafts the next round.")
        return page

    def _publish(self, event: Event, stagger: int) -> Step | None:
        if not event.draft:
            return None  # another process has just published it
        ends = text_of(utc(self.at) + timedelta(hours=event.plan.hours))
        return self._step("publish", round=event.next_round, ends=ends, **({"stagger": stagger} if stagger else {}))

    def open_matches(
        self, event: Event, *, postal: Postal | None = None, secret: Secret | None = None, jobs: int = 1
    ) -> list[str]:
        """Make the matches of published tables that have none and need one; return their names.

        Raises:
            RefereeError: one cannot be made.
        """
        sweep(self.folder)
        tables = [(sheet.round.number, one) for sheet in event.sheets for one in _without_result(sheet)]

        def make(part: Sequence[tuple[int, Pairing]], done: Callable[[int], None]) -> tuple[list[str], RefereeError | None]:
            made: list[str] = []
            try:
                for count, (number, pairing) in enumerate(part, 1):
                    if open_table(event, self.folder, self.key, number, pairing, at=self.at, postal=postal, secret=secret):
                        made.append(event.match_id(number, pairing.table))
                    done(count)
            except RefereeError as error:  # an exception does not come back from another process
                return made, error
            return made, None

        return self._all_made(in_processes(make, _parts(tables, jobs), lambda done: self.told("matches", done, len(tables))))

    def _all_made(self, found: Sequence[tuple[list[str], RefereeError | None] | None]) -> list[str]:
        """Return all matches that were made.

        Raises:
            RefereeError: one could not be.
        """
        for part in found:
            if part is None:
                raise Trouble("A process that made matches has ended early.", "Publish again, and it goes on where it was.")
            if part[1] is not None:
                raise part[1]
        return [match for part in found if part for match in part[0]]

    # Rulings on results

    def adjudicate(self, number: int, table: int, places: Mapping[str, int], why: str, absent: Sequence[str] = ()) -> Page:
        """Give a result to a table that has none."""
        return self.book.act(
            lambda event: self._step(
                "adjudicate", results={event.match_id(number, table): self._row(number, table, places, absent)}, why=why
            )
        )

    def correct(self, number: int, table: int, places: Mapping[str, int], why: str, absent: Sequence[str] = ()) -> Page:
        """Replace the result of a table."""
        return self.book.act(lambda event: self._step("correct", **self._row(number, table, places, absent), why=why))

    def _row(self, number: int, table: int, places: Mapping[str, int], absent: Sequence[str]) -> dict[str, Any]:
        row: dict[str, Any] = {"round": number, "table": table, "how": "forfeit" if absent else "adjudicated"}
        return row | {"places": dict(places)} | ({"absent": list(absent)} if absent else {})

    def annul(self, number: int, table: int, why: str) -> Page:
        """Withdraw the result of a table, which then waits for a ruling."""
        return self.book.act(lambda event: self._step("annul", round=number, table=table, why=why))

    def extend(self, number: int, ends: str, why: str) -> Page:
        """Let a round end at another time (UTC)."""
        return self.book.act(lambda event: self._step("extend", round=number, ends=ends, why=why))

    # The end

    def close(self, why: str = "") -> Page:
        """Close an event: publish the secret of its seed. Before the end that its format foresees it takes a reason.

        Raises:
            NotNow: results are missing, or it is not over and no reason is given.
        """

        def step(event: Event) -> Step:
            if not why and not (event.started and is_over(event)):
                said = f"{event.plan.id} is not over: its format foresees more rounds."
                raise NotNow(said, "Go on with `referee tournament pair`, or give a reason with --why TEXT.")
            secret = secret_of(event.plan.id, event.plan.salt, self.key)
            return self._step("close", secret=secret.hex(), **({"why": why} if why else {}))

        return self.book.act(step)


def _without_result(sheet: Sheet) -> list[Pairing]:
    return [one for one in sheet.round.pairings if one.table not in sheet.round.outcomes]


def _parts(tables: Sequence[tuple[int, Pairing]], jobs: int) -> list[Sequence[tuple[int, Pairing]]]:
    """Part tables over processes; few are not worth a second one."""
    jobs = min(jobs, 1 + len(tables) // 20)
    return [tables[start::jobs] for start in range(jobs)]


def format_of(event: Event) -> Format:
    """Return the format of an event.

    Raises:
        Trouble: this program does not have it.
    """
    if event.plan.format not in FORMATS:
        raise Trouble(f"This program has no format {event.plan.format!r}.", "Install the version that began the event.")
    return FORMATS[event.plan.format]


def ranking_of(event: Event) -> Ranking:
    """Return how the format of an event learns who stands where."""
    return ranking(event.plan.scoring, event.plan.tiebreaks)


def with_lots(event: Event, key: SigningKey) -> Event:
    """Return an event with the lots of all who have entered by now."""
    secret = secret_of(event.plan.id, event.plan.salt, key)
    return replace(event, lots=draw_lots(event.plan.id, secret, event.players))


def next_pairings(event: Event) -> tuple[Pairing, ...]:
    """Return the tables that the format gives next; none if nothing is to be paired.

    Raises:
        Refused: the round cannot be paired.
    """
    return tuple(format_of(event).next_round(event.field(), ranking_of(event)))


def is_over(event: Event) -> bool:
    """Return whether nothing will ever be paired again."""
    return format_of(event).is_over(event.field(), ranking_of(event))


def _check_ready(event: Event) -> None:
    """Check that another round may be paired now.

    Raises:
        NotNow: results are missing.
        Refused: too few players, or too many for the format.
    """
    form, plan = format_of(event), event.plan
    present = event.field().present
    if not event.started and (problems := form.problems(plan.settings, present, plan.seats)):
        raise Refused(problems[0], "Enter or withdraw players, then pair again.")
    missing = event.missing()
    if form.waits and missing:
        named = ", ".join(event.match_id(*one) for one in missing[:MOST_NAMED])
        more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
        raise NotNow(
            f"Results are missing: {named}{more}.", "Wait for them, or rule them: `referee tournament rule DIR adjudicate`."
        )


def _nothing_to_pair(event: Event) -> NotNow:
    if is_over(event):
        return NotNow(f"{event.plan.id} is over: nothing is left to be paired.", "`referee tournament close` closes it.")
    return NotNow(f"Nothing can be paired in {event.plan.id} before more matches end.", "Try again when they have.")
