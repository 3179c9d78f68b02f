"""Verifying an event: every step is taken again, every pairing is made again, and every result is held against its match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from referee import envelope
from referee.chain import Chain, verify
from referee.chance import commitment
from referee.engine import result
from referee.errors import RefereeError, Unverified
from referee.fields import replace
from referee.keys import PublicKey, SigningKey
from referee.parted import in_processes
from referee.store import read_small

from .book import Book, Page
from .director import Told, next_pairings, nobody
from .event import Event, Sheet, Step
from .form import event_body
from .lots import draw_lots
from .plans import secret_of
from .play import check_match, folder_of, is_there, outcome_of_match
from .rounds import Outcome, Pairing
from .watch import ruled_by


class Verified(NamedTuple):
    """What was found out about an event.

    Args:
        event: the event as its steps make it.
        steps: kind and time of each step.
        rounds: how many rounds were paired again by the format.
        lots: `drawn again`, or why not yet.
        results: how many results were held against their matches.
        replayed: in how many matches every move was played again.
    """

    event: Event
    steps: tuple[tuple[str, str], ...]
    rounds: int
    lots: str
    results: int
    replayed: int


def verify_event(
    folder: Path, key: SigningKey | PublicKey, *, quick: bool = False, jobs: int = 1, told: Told = nobody
) -> Verified:
    """Check a whole event.

    Args:
        folder: its folder.
        key: the referee's public key; with the secret one the lots are drawn again before the event is closed, too.
        quick: check the results of matches and not each of their moves.
        jobs: how many processes work at once.
        told: is told how far the work is.

    Raises:
        Unverified: something does not hold; says what and where.
    """
    book = Book(folder, key)
    last, steps = _last(book)
    _check_head(book, last)
    secret = _secret(last.event, key)
    rounds = 0
    for (before, _), (after, step) in pairwise(book.pages()):
        if step.kind == "draft":
            _check_draft(before.event, after.event, step, secret)
            rounds += 1
        if (
            step.kind == "close"
            and commitment(after.event.plan.id, bytes.fromhex(after.event.secret)) != after.event.plan.commitment
        ):
            said = f"The seed of {after.event.plan.id} is not the one that its first step committed to."
            raise Unverified(said, "Ask the director.")
    results, replayed = _check_matches(last.event, folder, book.trusted, quick, jobs, told)
    lots = "drawn again" if secret else "drawn again only when the event is closed"
    return Verified(last.event, steps, rounds, lots, results, replayed)


def _last(book: Book) -> tuple[Page, tuple[tuple[str, str], ...]]:
    """Return the event after all its steps, and kind and time of each."""
    steps = []
    last: Page | None = None
    for page, step in book.pages():
        steps.append((step.kind, step.at))
        last = page
    assert last is not None  # `pages` yields at least one, or raises
    return last, tuple(steps)


def _check_head(book: Book, last: Page) -> None:
    """Check that `tournament.toml` is what the steps make, byte for byte."""
    data = read_small(book.head)
    if data is None:
        raise Unverified(f"{book.head} is missing.", "`referee tournament status` makes it again from the steps.")
    body = envelope.unseal(data, book.trusted, "event", name=str(book.head))
    if body != event_body(*last):
        said = f"{book.head} is not what the steps make."
        raise Unverified(said, "Remove it, and `referee tournament status` makes it again from the steps.")


def _secret(event: Event, key: SigningKey | PublicKey) -> bytes:
    if event.secret:
        return bytes.fromhex(event.secret)
    if isinstance(key, SigningKey):
        secret = secret_of(event.plan.id, event.plan.salt, key)
        if commitment(event.plan.id, secret) != event.plan.commitment:
            raise Unverified(f"The commitment of {event.plan.id} is not that of this key.", "Name the key that began it.")
        return secret
    return b""


def _check_draft(before: Event, after: Event, step: Step, secret: bytes) -> None:
    """Check that lots and tables of a draft follow from the event before it."""
    name = f"The draft of round {step.data['round']} of {before.plan.id}"
    if secret and draw_lots(before.plan.id, secret, before.players) != after.lots:
        raise Unverified(f"{name} does not have the lots that the seed gives.", "Ask the director.")
    try:
        wanted = next_pairings(replace(before, lots=after.lots))
    except RefereeError as error:
        raise Unverified(f"{name} could not be paired: {error}") from None
    if wanted != after.draft:
        first = next((one for one in after.draft if one not in wanted), after.draft[0])
        said = f"{name} does not follow from the format: table {first.table} with {', '.join(first.seats)}."
        raise Unverified(said, "Ask the director.")


# Results and matches

_Table = tuple[Sheet, Pairing]


def _check_matches(event: Event, folder: Path, trusted: PublicKey, quick: bool, jobs: int, told: Told) -> tuple[int, int]:
    """Check every result against its match; return how many, and how many matches were played again."""
    tables = [(sheet, pairing) for sheet in event.sheets for pairing in sheet.round.pairings if pairing.table in sheet.proofs]
    others = [] if quick else [*_without_proof(event, folder)]

    def work(part: Sequence[_Table], done: Callable[[int], None]) -> str:
        for number, (sheet, pairing) in enumerate(part, 1):
            try:
                _check_match(event, folder, trusted, sheet, pairing, quick)
            except RefereeError as error:
                return str(error)
            done(number)
        return ""

    every = [*tables, *others]
    parts = [every[start::jobs] for start in range(jobs)]
    for fault in in_processes(work, parts, lambda done: told("matches verified", done, len(every))):
        if fault is None or fault:
            raise Unverified(fault or "A process that verified matches has ended early.")
    return len(tables), 0 if quick else len(every)


def _without_proof(event: Event, folder: Path) -> list[_Table]:
    """Return the tables whose result is none of their match: ruled by the director, or still played."""
    return [
        (sheet, pairing)
        for sheet in event.sheets
        for pairing in sheet.round.pairings
        if pairing.table not in sheet.proofs
        and is_there(folder_of(folder, event.match_id(sheet.round.number, pairing.table)))
    ]


def _check_match(event: Event, folder: Path, trusted: PublicKey, sheet: Sheet, pairing: Pairing, quick: bool) -> None:
    """Check that the match of a table is the one that its result was read from, and gives that result."""
    number, table = sheet.round.number, pairing.table
    match = event.match_id(number, table)
    chain = Chain(folder_of(folder, match), trusted)
    if table in sheet.proofs:
        serial, hashed = sheet.proofs[table]
        link = chain.link(serial)
        if link.hash != hashed:
            raise Unverified(
                f"Save {serial} of {match} is not the one that its result was read from.", "Put the right one back."
            )
        check_match(event, chain, link, number, table)
        outcome = (
            outcome_of_match(chain, link, table) if link.save.match.over else ruled_by(event.plan.rule, chain, link, pairing)
        )
        _compare(match, outcome, sheet.round.outcomes[table])
        last = link if chain.store.latest_serial() == serial else chain.latest()
        if link.save.match.over and result(last.save.match) != result(link.save.match):
            raise Unverified(f"The result of {match} has changed since it was taken.", "`rule correct` replaces it.")
    if not quick:
        for _ in verify(chain):
            pass


def _compare(match: str, found: Outcome, taken: Outcome) -> None:
    if (found.places, found.absent, found.how) != (taken.places, taken.absent, taken.how):
        raise Unverified(f"The event says {dict(taken.places)} of {match}, and its saves say {dict(found.places)}.")
