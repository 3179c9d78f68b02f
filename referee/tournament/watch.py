"""What time and finished matches do to an event: results come in, rounds end, and the next is paired.

A look may come late, twice, or be cut off. A round that is over stops every match that is not: it is halted first, so that
nobody moves any more, and then ruled by who has still to answer. So one who sleeps stalls nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from referee import desk
from referee.chain import Chain, Link
from referee.errors import NotNow, RefereeError, Refused
from referee.keys import SigningKey
from referee.late import open_decisions
from referee.parted import in_processes
from referee.postal import Postal

from .director import Director, Told, format_of, is_over, nobody
from .event import Event, Sheet, Step
from .form import outcome_row
from .play import Look, Looker, began, chain_of, check_match, outcome_of_match
from .rounds import Outcome, Pairing

MOST_IN_ONE_STEP = 500
"""So many results at most are one step."""


EVERYBODY, DIRECTOR = "players", "director"


class Notice(NamedTuple):
    """Something that has to be told: to `players`, or to the `director`; the same key for the same thing, always."""

    to: str
    key: str
    text: str


class Watch:
    """One look at an event.

    Args:
        folder: its folder.
        key: the referee's key.
        at: the time, UTC.
        mail_is_in: whether all mail that was sent by now was worked on, so that a round may end.
        postal: how new matches go by mail.
        told: is told how far long work is.
        jobs: how many processes read matches at once.
    """

    def __init__(
        self,
        folder: Path,
        key: SigningKey,
        at: str,
        *,
        mail_is_in: bool = True,
        postal: Postal | None = None,
        told: Told = nobody,
        jobs: int = 1,
    ) -> None:
        """Name the folder; nothing is read yet."""
        self.jobs = jobs
        self.folder, self.key, self.at, self.mail_is_in, self.postal = folder, key, at, mail_is_in, postal
        self.director = Director(folder, key, at, told)
        self.looker = Looker(folder, key.public)
        self.told = told
        self.troubles: list[str] = []

    def at_all(self) -> list[Notice]:
        """Do everything that is due, and return what has to be told.

        Raises:
            RefereeError: the event cannot be read or written; a match that cannot be read is only noted in `troubles`.
        """
        event = self.director.read()
        if event.state == "closed":
            return []
        self.director.open_matches(event, postal=self.postal, jobs=self.jobs)
        notices = [*self._round_ends(self.collect())]
        notices += self._next_round()
        self.looker.keep()
        return [*notices, *news(self.director.read())]

    # Results

    def collect(self) -> Event:
        """Take the results of all matches that have ended since the last look; return the event with them."""
        event = self.director.read()
        over = [(number, pairing) for number, pairing, look in self._looks(event) if look.state == "over"]
        jobs = min(self.jobs, 1 + len(over) // 20)
        parts = [over[start::jobs] for start in range(jobs)]
        found: list[tuple[str, Any]] = []
        for part in in_processes(lambda some, done: self._read(event, some, done), parts, lambda done: None):
            rows, troubles = part if part is not None else ({}, ["A process that read results has ended early."])
            found += rows.items()
            self.troubles += troubles
        found.sort(key=lambda one: (one[1]["round"], one[1]["table"]))  # the same step from however many processes
        for start in range(0, len(found), MOST_IN_ONE_STEP):
            event = self._take_results(dict(found[start : start + MOST_IN_ONE_STEP]))
        return event

    def _read(
        self, event: Event, tables: Sequence[tuple[int, Pairing]], done: Callable[[int], None]
    ) -> tuple[dict[str, Any], list[str]]:
        """Return the results of matches that are over, by match, and why some cannot be read."""
        self.troubles, before = [], self.troubles
        rows: dict[str, Any] = {}
        for number, pairing in tables:
            rows |= self._try(lambda: self._result(event, number, pairing)) or {}  # noqa: B023
        troubles, self.troubles = self.troubles, before
        return rows, troubles

    def _looks(self, event: Event) -> Iterator[tuple[int, Pairing, Look]]:
        """Yield every table without a result, and not waiting for a ruling, with the state of its match."""
        tables = [*open_tables(event)]
        for done, (sheet, pairing) in enumerate(tables, 1):
            look = self._try(lambda: self.looker.look(event.match_id(sheet.round.number, pairing.table)))  # noqa: B023
            self.told("matches looked at", done, len(tables))
            if look is not None:
                yield sheet.round.number, pairing, look

    def _try(self, work: Callable[[], Any]) -> Any:
        """Do something with one match; one that cannot be read must not stop the others."""
        try:
            return work()
        except RefereeError as error:
            self.troubles.append(str(error))
            return None

    def _result(self, event: Event, number: int, pairing: Pairing) -> dict[str, Any]:
        chain = chain_of(event, self.folder, number, pairing.table, self.key.public)
        link = chain.latest()
        check_match(event, chain, link, number, pairing.table)
        if not link.save.match.over:
            return {}  # what was seen of it is wrong
        outcome = outcome_of_match(chain, link, pairing.table)
        return {event.match_id(number, pairing.table): _row(number, outcome, link.save.entry.serial, link.hash)}

    def _take_results(self, rows: Mapping[str, Any]) -> Event:
        def step(event: Event) -> Step | None:
            missing = {event.match_id(*place) for place in event.missing()}
            fresh = {match: row for match, row in rows.items() if match in missing}
            return Step("results", {"results": fresh}, self.at) if fresh else None

        return self.director.book.act(step).event

    # The end of a round

    def _round_ends(self, event: Event) -> Iterator[Notice]:
        for sheet in event.sheets:
            late = [pairing for one, pairing in open_tables(event) if one is sheet]
            if not late:
                continue
            if self.at >= sheet.ends:
                yield from self._over(event, sheet, late)
            else:
                yield from self._remind(event, sheet, late)

    def _remind(self, event: Event, sheet: Sheet, late: list[Pairing]) -> Iterator[Notice]:
        """Remind those whose matches still go on, once half of the round and once a day before its end."""
        from datetime import timedelta

        from referee.clock import utc

        ends, now = utc(sheet.ends), utc(self.at)
        if now < ends - timedelta(hours=min(72, event.plan.hours // 2)):
            return
        number = sheet.round.number
        for player in dict.fromkeys(seat for pairing in late for seat in pairing.seats):
            mine = [event.match_id(number, pairing.table) for pairing in late if player in pairing.seats]
            text = f"Round {number} of {event.plan.title} ends at {sheet.ends}, and not over yet: {', '.join(mine)}."
            yield Notice(player, f"round {event.plan.id} {number} {sheet.ends} {player}", text)

    def _over(self, event: Event, sheet: Sheet, late: list[Pairing]) -> Iterator[Notice]:
        if not self.mail_is_in:
            return
        number, plan = sheet.round.number, event.plan
        named = ", ".join(event.match_id(number, pairing.table) for pairing in late)
        if plan.rule == "director" or plan.confirm:
            text = f"Round {number} of {plan.title} is over, and these matches are not: {named}."
            help = f" Rule them: `referee tournament rule {self.folder} {'confirm' if plan.confirm else 'adjudicate'} ...`."
            yield Notice(DIRECTOR, f"over {plan.id} {number} {sheet.ends}", text + help)
            return
        self.apply_rule(event, sheet, late)

    def apply_rule(self, event: Event, sheet: Sheet, late: list[Pairing], why: str = "") -> Event:
        """Halt the matches of a round that are not over, and rule them by the published rule.

        Args:
            event: the event.
            sheet: the round.
            late: those of its tables that have no result.
            why: the reason, if it is not the rule alone.
        """
        why = why or f"Round {sheet.round.number} is over: {RULED[event.plan.rule]}."
        rows: dict[str, Any] = {}
        for pairing in late:
            self._try(lambda: rows.update(self._ruled(event, sheet, pairing)))  # noqa: B023
        for start in range(0, len(rows), MOST_IN_ONE_STEP):
            part = dict([*rows.items()][start : start + MOST_IN_ONE_STEP])
            event = self._take_rulings(part, why)
        return event

    def _take_rulings(self, rows: Mapping[str, Any], why: str) -> Event:
        def step(event: Event) -> Step | None:
            missing = {event.match_id(*place) for place in event.missing()}
            fresh = {match: row for match, row in rows.items() if match in missing}
            return Step("adjudicate", {"results": fresh, "why": why}, self.at) if fresh else None

        return self.director.book.act(step).event

    def _ruled(self, event: Event, sheet: Sheet, pairing: Pairing) -> dict[str, Any]:
        """Halt a match, and return its result by the rule; nothing if it is over after all, or halted by the director."""
        number = sheet.round.number
        chain = chain_of(event, self.folder, number, pairing.table, self.key.public)
        why = f"Round {number} of {event.plan.title} is over."
        if not halt(chain, self.key, why, self.at):
            return {}
        link = chain.latest()
        check_match(event, chain, link, number, pairing.table)
        outcome = ruled_by(event.plan.rule, chain, link, pairing)
        return {event.match_id(number, pairing.table): _row(number, outcome, link.save.entry.serial, link.hash)}

    # The next round

    def _next_round(self) -> list[Notice]:
        """Pair and publish the next round, if the event does that by itself and the round before is over."""
        event = self.director.read()
        if not event.plan.pairs_itself or not event.started:
            return []
        if format_of(event).waits and event.missing():
            return []
        number = event.next_round
        try:
            if not event.draft and is_over(event):
                text = f"{event.plan.title} is over: close it with `referee tournament close {self.folder}`."
                return [Notice(DIRECTOR, f"end {event.plan.id}", text)] if not event.missing() else []
            self.director.pair()
            self.director.publish(postal=self.postal, jobs=self.jobs)
        except NotNow:
            return []
        except Refused as error:
            return [Notice(DIRECTOR, f"stuck {event.plan.id} {number}", f"Round {number} cannot be paired: {error}")]
        return []


RULED = {
    "late-loses": "who is waited for loses",
    "draw": "a match that goes on is drawn",
    "unplayed": "who is waited for did not play",
    "director": "the director rules",
}


def news(event: Event) -> Iterator[Notice]:
    """Yield what the state of an event has to tell: that a round has begun, and what was ruled on matches of late.

    It is told again at every look, with the same keys, so that nothing gets lost where a program ends; an outbox takes a key
    once.
    """
    plan, newest = event.plan, len(event.sheets)
    if plan.pairs_itself and newest > 1:
        yield Notice(EVERYBODY, f"published {plan.id} {newest}", f"Round {newest} of {plan.title} has begun.")
    recent = {
        event.match_id(sheet.round.number, one.table): one.seats for sheet in event.sheets[-2:] for one in sheet.round.pairings
    }
    for number, ruling in enumerate(event.rulings, 1):
        for seat in recent.get(ruling.what.partition(" is ")[0], ()):
            text = f"{plan.title}: {ruling.what}. The reason: {ruling.why}"
            yield Notice(seat, f"ruling {plan.id} {number} {seat}", text)


def open_tables(event: Event) -> Iterator[tuple[Sheet, Pairing]]:
    """Yield every published table without a result whose match may still give one, with its round.

    A result that was withdrawn waits for a ruling, and comes from no match.
    """
    for sheet in event.sheets:
        for pairing in sheet.round.pairings:
            if pairing.table not in sheet.round.outcomes and pairing.table not in sheet.void:
                yield sheet, pairing


def halt(chain: Chain, key: SigningKey, why: str, at: str) -> bool:
    """Halt a match for good, so that nobody moves any more; return False if it is over, or halted for another reason."""
    move = chain.section(chain.store.latest_serial(), "move")
    if move.get("ruling") == "hold":
        return bool(move["why"] == why)
    m = chain.latest().save.match
    if m.over or m.held:
        return False
    link = desk.rule(chain, key, {"ruling": "hold", "why": why}, at=at)
    return not link.save.match.over


def ruled_by(rule: str, chain: Chain, link: Link, pairing: Pairing) -> Outcome:
    """Return the result of a match that was halted at the end of its round, by a rule; see `ruled_outcome`.

    Who has answered a joint question is known to the referee alone while a match goes on; this one never will again.
    """
    waited_for = {seat for seat in link.save.entry.asked if open_decisions(link.save.match, seat)}
    return ruled_outcome(rule, pairing, waited_for, began(chain, link.save.entry.serial))


def ruled_outcome(rule: str, pairing: Pairing, waited_for: set[str], moved: set[str]) -> Outcome:
    """Return the result of a match that is not over at the end of its round, by a rule.

    Args:
        rule: `late-loses`, `draw` or `unplayed`.
        pairing: the table.
        waited_for: who is asked and has not answered.
        moved: who sent any move in the match.

    Example:
        >>> ruled_outcome("late-loses", Pairing(1, ("alice", "bob")), {"bob"}, {"alice", "bob"}).places
        {'alice': 1, 'bob': 2}
        >>> ruled_outcome("draw", Pairing(1, ("alice", "bob")), {"bob"}, {"alice"})[1:]
        ({'alice': 1, 'bob': 2}, {}, 'forfeit', ('bob',))
    """
    late = [seat for seat in pairing.seats if seat in waited_for]
    absent = tuple(seat for seat in late if rule == "unplayed" or seat not in moved)
    out = late if rule != "draw" else list(absent)
    best = len(pairing.seats) - len(out)
    places = {seat: best + 1 if seat in out and best else 1 for seat in pairing.seats}
    return Outcome(pairing.table, places, {}, "forfeit" if absent else "adjudicated", absent)


def _row(number: int, outcome: Outcome, serial: int, hashed: str) -> dict[str, Any]:
    return {"round": number, "table": outcome.table, **outcome_row(outcome), "serial": serial, "hash": hashed}


def confirm(director: Director, number: int, why: str) -> Event:
    """Let the published rule decide the matches of a round that are not over, at the director's word.

    Raises:
        NotNow: the round has not ended, or nothing in it is open.
        Refused: the rule leaves it to the director, table by table.
    """
    watch = Watch(director.folder, director.key, director.at, told=director.told)
    event = watch.collect()
    sheet = event.sheet(number)
    late = [pairing for one, pairing in open_tables(event) if one is sheet]
    if event.plan.rule == "director":
        raise Refused("The rule of this event leaves each match to the director.", "Use `rule adjudicate MATCH NAME=PLACE...`.")
    if director.at < sheet.ends:
        raise NotNow(f"Round {number} goes on until {sheet.ends}.", "Wait, or let it end at another time with `rule extend`.")
    if not late:
        raise NotNow(f"Every match of round {number} has a result.", "There is nothing to confirm.")
    return watch.apply_rule(event, sheet, late, why)
