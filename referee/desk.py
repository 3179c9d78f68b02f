"""The moderator's desk: begin a match, play a submission, rule, and write the reports. Mail and the command line use it."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import __version__, canon, envelope
from .anytime import is_late_talk
from .block import Submission
from .chain import Chain, Link, opened_hash, successor
from .dispatch import (
    Delivery,
    Lone,
    Saves,
    context,
    open_saves,
    render,
    write_missing_reports,
    write_reports,
)
from .engine import news
from .errors import Refused, Trouble
from .fields import dataclass, field
from .keys import SigningKey
from .match import Match
from .opening import Table, begin_if_accepted, begin_match, now, open_match
from .orders import submit
from .people import addresses
from .rulings import check_words, ruling_bytes, state_hash
from .save import HEAD, body, file_hash
from .store import Taken, write_new
from .submission import authenticate, check_address, check_open, check_patience, late_talk, opened_at, repeated

__all__ = [
    "Answer",
    "Delivery",
    "Lone",
    "Saves",
    "Table",
    "addresses",
    "apply",
    "apply_alone",
    "begin_if_accepted",
    "begin_match",
    "context",
    "edited_state",
    "now",
    "open_match",
    "open_saves",
    "play_late",
    "render",
    "rule",
    "write_reports",
]

TRIES = 20


@dataclass
class Answer:
    """What came of a submission.

    Attributes:
        status: `accepted`, `in part`, `duplicate` or `dry run`.
        seat: who sent it.
        stop: the stop now.
        played, waiting, planned, returned, reason: as in `orders.Outcome`.
        fence: for a dry run, whether it stopped before an outcome that nobody can know yet.
        deliveries: the reports written.
        path: the save that it led to.
        link: that save, read; None for a dry run.
        news: for a dry run, what the sender would be told, as far as that is certain.
    """

    status: str
    seat: str
    stop: int
    played: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    planned: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    reason: str = ""
    fence: bool = False
    deliveries: list[Delivery] = field(default_factory=list)
    path: str = ""
    link: Link | None = None
    news: list[str] = field(default_factory=list)


# Playing a submission


def apply(
    saves: Chain,
    key: SigningKey,
    sent: Submission,
    *,
    moderator: bool = False,
    dry_run: bool = False,
    at: str = "",
    forms: Sequence[envelope.Form] = ("text", "html"),
) -> Answer:
    """Play a submission on the newest save of a chain, and write the next save and its reports.

    A writer who loses a race tries again on the new save; it is refused only if its own question has closed.

    Args:
        saves: the chain.
        key: the referee's key.
        sent: the submission.
        moderator: whether the moderator vouches for it, so that no code is asked.
        dry_run: write nothing, and stop before the outcome of the first fence.
        at: the time to be written, UTC; the present one by default.
        forms: the forms of the reports; none for who makes them anyway, to send them.

    Raises:
        Refusal: nothing was written; says why.
    """
    for _ in range(TRIES):
        link = saves.latest()
        done = _played_before(saves, key, link, sent, moderator)
        if done is not None:
            done.deliveries = [] if dry_run or not forms else write_missing_reports(saves, link, key)
            return done
        move = _checked_move(saves, key, link, sent, moderator)
        if dry_run:
            return _dry_run(link.save.match, sent)
        with contextlib.suppress(Taken):
            return _written(saves, key, link, move, at or now(), forms)
    raise Trouble("Other writers were faster each time.", "Try again in a moment.")


def _written(
    saves: Chain, key: SigningKey, link: Link, move: Mapping[str, Any], at: str, forms: Sequence[envelope.Form]
) -> Answer:
    """Play a move, write its save and the reports, and return what came of it.

    Raises:
        Taken: another writer was first.
    """
    save, _ = successor(link, move, at, __version__, saves.older)
    if move["by"] not in ("moderator", "clock"):
        check_patience(link, save.match, move["seat"], saves.section)
    after = saves.append(save, key)
    answer = _answer(after, move["seat"], save.entry.move)
    answer.deliveries = write_reports(saves, after, key, forms) if forms else []
    return answer


def play_late(
    saves: Chain,
    key: SigningKey,
    link: Link,
    seat: str,
    lines: Sequence[str],
    *,
    at: str,
    forms: Sequence[envelope.Form] = ("text", "html"),
) -> Answer | None:
    """Play lines for a seat whose deadline has passed; return nothing if somebody has moved since the save was looked at.

    Args:
        saves: the chain.
        key: the referee's key.
        link: the newest save, on which the deadline has passed.
        seat: whose deadline it is.
        lines: what is played.
        at: the time to be written, UTC.
        forms: the forms of the reports.

    Raises:
        Refusal: the lines cannot be played.
    """
    move = {"kind": "lines", "seat": seat, "stop": link.save.match.stop, "by": "clock", "lines": list(lines)}
    with contextlib.suppress(Taken):
        return _written(saves, key, link, move, at, forms)
    return None


def apply_alone(
    lone: Lone, key: SigningKey, sent: Submission, out: Path, *, moderator: bool = False, dry_run: bool = False
) -> Answer:
    """Play a submission on a lone save, and write the next save to a file that does not exist yet.

    Raises:
        Refusal: nothing was written; says why.
    """
    link = lone.latest()
    move = _checked_move(lone, key, link, sent, moderator)
    if dry_run:
        return _dry_run(link.save.match, sent)
    save, _ = successor(link, move, now(), __version__, lone.older)
    data = envelope.seal(body(save), key, "save")
    write_new(out, data)
    after = Link(save, file_hash(data), str(out.parent))
    answer = _answer(after, sent.seat, save.entry.move)
    answer.path = str(out)
    answer.deliveries = write_reports(Lone(out, key), after, key)
    return answer


def _checked_move(saves: Saves, key: SigningKey, link: Link, sent: Submission, moderator: bool) -> dict[str, Any]:
    """Return the move that a submission is, once it is known who sent it and that it fits the stop."""
    m = link.save.match
    check_address(m, sent)
    move = {"kind": "lines", "seat": sent.seat, "stop": sent.stop, "by": "moderator", "lines": list(sent.lines)}
    if not moderator:
        opened = _opened(saves, link, sent)
        move["by"] = authenticate(key, link, sent, sent.stop, opened)
        if sent.signed:
            move |= {"key": sent.key, "signature": sent.signature.hex()}
    check_open(m, sent)
    return move


def _opened(saves: Saves, link: Link, sent: Submission) -> str:
    if sent.stop == link.save.match.stop or isinstance(saves, Lone):
        return opened_hash(link)
    return opened_at(link, sent.stop, saves.section)


def _played_before(saves: Chain, key: SigningKey, link: Link, sent: Submission, moderator: bool) -> Answer | None:
    """Return the first answer to an equal submission, if there was one and its sender proves to be the same."""
    m = link.save.match
    check_address(m, sent)
    if sent.stop > m.stop:
        return None
    if not moderator:
        authenticate(key, link, sent, sent.stop, _opened(saves, link, sent))
    move = repeated(link, sent, saves.section)
    if move is None and is_late_talk(m, sent.stop, sent.lines):
        move = late_talk(link, sent, saves.section)
    if move is None:
        return None
    answer = _answer(link, sent.seat, move)
    answer.status = "duplicate"
    return answer


def _answer(link: Link, seat: str, move: Mapping[str, Any]) -> Answer:
    m = link.save.match
    status = "in part" if move.get("returned") else "accepted"
    return Answer(
        status,
        seat,
        m.stop,
        played=move.get("played", []),
        waiting=move.get("waiting", []),
        planned=move.get("planned", []),
        returned=move.get("returned", []),
        reason=move.get("reason", ""),
        path=os.path.join(link.folder, f"{link.save.entry.serial:04}.toml"),
        link=link,
    )


def _dry_run(m: Match, sent: Submission) -> Answer:
    outcome = submit(m, sent.seat, sent.lines, dry_run=True)
    return Answer(
        "dry run",
        sent.seat,
        m.stop,
        outcome.played,
        outcome.waiting,
        outcome.planned,
        outcome.returned,
        outcome.reason,
        outcome.fence,
        news=[event["text"] for event in news(m.game, outcome.match.events, sent.seat)],
    )


# Rulings


def rule(
    saves: Chain,
    key: SigningKey,
    ruling: Mapping[str, Any],
    *,
    edited: bytes = b"",
    dry_run: bool = False,
    at: str = "",
) -> Link:
    """Make a ruling and write its save; with `dry_run` return what would be, and write nothing.

    Args:
        saves: the chain.
        key: the referee's key.
        ruling: `ruling`, `why`, and what its kind takes (see `rulings`).
        edited: for `correct`, the edited save; its signature does not count.
        dry_run: write nothing.
        at: the time to be written, UTC; the present one by default.

    Raises:
        Refused: the ruling cannot be made now.
    """
    state = edited_state(edited) if ruling["ruling"] == "correct" else {}
    bound = {"state": state_hash(state)} if state else {}
    for _ in range(TRIES):
        link = saves.latest(upgrade=ruling["ruling"] == "upgrade")
        move: dict[str, Any] = {"kind": "ruling", **ruling, **bound}
        check_words(link.save.match, move)
        serial = link.save.entry.serial + 1
        move["signature"] = key.sign("ruling", ruling_bytes(link.save.match.id, serial, move)).hex()
        save, _ = successor(link, move, at or now(), __version__, saves.older, state)
        if dry_run:
            return Link(save, file_hash(body(save)), link.folder)
        try:
            return saves.append(save, key)
        except Taken:
            continue
    raise Trouble("Other writers were faster each time.", "Try again in a moment.")


def edited_state(edited: bytes) -> dict[str, Any]:
    """Return table and agenda of a save that the moderator edited.

    Raises:
        Refused: it is no save.
    """
    try:
        content = canon.loads(edited)
        if not edited.startswith(HEAD.encode()):
            raise ValueError("its first line is not that of a save")
        if not isinstance(content["agenda"], dict):
            raise ValueError("its agenda is no section")
        return {"table": content["table"], "agenda": content["agenda"]}
    except (ValueError, KeyError) as error:
        raise Refused(f"The edited save cannot be read: {error}.", "Edit a copy of the newest save.") from None
