"""Matches in folders for the tests of saves, chains and the desk: begun, sent to, and played on at random."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from referee import desk, envelope
from referee.block import Submission, read_submission, sign_move
from referee.chain import Chain, Link, opened_hash, verify
from referee.engine import find_game, pending
from referee.errors import Refusal, Unverified
from referee.keys import SigningKey
from referee.lines import canonical
from referee.match import Match
from referee.orders import submit
from referee.save import file_hash
from referee.submission import code_for

KEY = SigningKey.from_bytes(bytes(range(32)))
OTHER_KEY = SigningKey.from_bytes(bytes(range(1, 33)))
AT = "2026-11-30T18:00:00Z"
SEATS = {"lantern-reef": ["alice", "bob", "carol"], "cosmic-league": ["alice", "bob"]}
GAMES = sorted(SEATS)
FORMS = ("text", "html", "json")
STANDING = {"lantern-reef": "decline", "cosmic-league": "decline"}
"""For each game an order that may stand."""
LATER = {"lantern-reef": "land", "cosmic-league": "stay"}
"""For each game an order that can be read at any time."""


def new(folder: Path, game: str = "lantern-reef", seed: int = 1, **table: Any) -> tuple[Chain, Link]:
    """Return a match that was begun in a folder."""
    secret = seed.to_bytes(32, "big")
    table = {"match_id": f"test-{seed}", "secret": secret, **table}
    return desk.open_match(folder, desk.Table(find_game(game), SEATS[game], **table), KEY, at=AT)


def begun(folder: Path, game: str = "lantern-reef", seed: int = 1, **table: Any) -> Chain:
    """Return a new match whose first reports are written."""
    chain, link = new(folder, game, seed, **table)
    desk.write_reports(chain, link, KEY)
    return chain


def shown(chain: Chain, reader: str, link: Link | None = None) -> list[str]:
    """Return the report of a reader in all forms."""
    return [desk.render(chain, link or chain.latest(), reader, form, KEY).decode() for form in FORMS]


def plain(chain: Chain, reader: str) -> dict[str, Any]:
    """Return the report of a reader as data."""
    return json.loads(envelope.unseal_report(shown(chain, reader)[2].encode(), KEY.public, name="report.json"))


def block(link: Link, holder_of: str, /, *lines: str, **changed: Any) -> Submission:
    """Return what a seat sends with the code of the present stop; `changed` overwrites parts of it."""
    m = link.save.match
    fields = {"match": m.id, "stop": m.stop, "seat": holder_of, "code": code_of(link, holder_of), "lines": lines}
    return Submission(**{**fields, **changed})


def signed(chain: Chain, key: SigningKey, seat: str, *lines: str, **changed: Any) -> Submission:
    """Return a move file of a seat under a key, as it was read."""
    link = chain.latest()
    fields = {"opened": opened_hash(link), "holder": link.save.match.holders[seat], "code": "", **changed}
    return read_submission(sign_move(block(link, seat, *lines, **fields), key))


def code_of(link: Link, seat: str) -> str:
    """Return a seat's turn code at the present stop."""
    return code_for(KEY, link.save.match, seat, link.save.match.stop, opened_hash(link))


def send(chain: Chain, seat: str, *lines: str, **changed: Any) -> desk.Answer:
    """Send lines of a seat to the present stop."""
    return desk.apply(chain, KEY, block(chain.latest(), seat, *lines, **changed), at=AT)


def rule(chain: Chain, kind: str, **said: Any) -> Link:
    """Make a ruling."""
    edited, dry_run = said.pop("edited", b""), said.pop("dry_run", False)
    return desk.rule(chain, KEY, {"ruling": kind, "why": "for the test", **said}, edited=edited, dry_run=dry_run)


def open_line(m: Match, rng: random.Random, seat: str = "") -> tuple[str, str]:
    """Return a seat that has still to answer, or the one named, and a line that it may send."""
    question = pending(m)
    assert question is not None
    decisions = [d for d in question.decisions.values() if d.decider not in m.sealed and seat in ("", d.seat)]
    decision = rng.choice(decisions)
    line = canonical(m, decision.sample(rng))
    return decision.seat, line if decision.decider == decision.seat else f"{decision.decider}: {line}"


def random_lines(link: Link, game: str, rng: random.Random) -> tuple[str, list[str]]:
    """Return what somebody might send: an answer, more than one, a standing order, lines that come too early."""
    m = link.save.match
    seat, line = open_line(m, rng)
    lines = [line]
    if rng.random() < 0.2:
        lines.append(open_line(m, rng, seat)[1])
    if rng.random() < 0.15:
        seat, lines = rng.choice(m.seats), [f"always {STANDING[game]}"]
    elif rng.random() < 0.1:
        seat = rng.choice(m.seats)
    if rng.random() < 0.1:
        lines = [*lines, "later:", open_line(m, rng)[1]]
    return seat, lines


def play(chain: Chain, game: str, seed: int, mails: int = 1000) -> Link:
    """Play at random until the match is over, or so many submissions were taken."""
    rng, link, taken = random.Random(seed), chain.latest(), 0
    while not link.save.match.over and taken < mails:
        seat, lines = random_lines(link, game, rng)
        try:
            desk.apply(chain, KEY, block(link, seat, *lines), at=AT)
        except Refusal:
            continue
        link, taken = chain.latest(), taken + 1
    return link


def waiting(folder: Path, game: str) -> Chain:
    """Return a match in which a window is open, with a line of the seat whose turn it is waiting behind it."""
    for seed in range(40):
        chain, link = new(folder / f"{game}-{seed}", game, seed)
        rng = random.Random(seed)
        for _ in range(60):
            seat, line = open_line(link.save.match, rng)
            opens = _opens_window(link.save.match, seat, line, LATER[game])
            send(chain, seat, line, *([LATER[game]] if opens else []))
            link = chain.latest()
            if opens:
                return chain
            if link.save.match.over:
                break
    raise LookupError(f"no window opened in 40 matches of {game}")


def _opens_window(m: Match, seat: str, line: str, later: str) -> bool:
    try:
        outcome = submit(m, seat, [line, later])
    except Refusal:
        return False
    question = pending(outcome.match)
    return bool(outcome.waiting) and question is not None and question.interrupts == seat


def files(folder: Path) -> dict[str, bytes]:
    """Return all files below a folder and their bytes."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def check(chain: Chain) -> Sequence[Any]:
    """Verify a chain and return what was found."""
    return list(verify(chain))


# Forging


def content(chain: Chain, serial: int) -> bytes:
    """Return the signed bytes of a save."""
    return chain.body(serial)[0]


def reseal(chain: Chain, serial: int, changed: bytes, key: SigningKey = KEY) -> tuple[str, str]:
    """Put other bytes in the place of a save, signed, and return the hash before and after."""
    path = chain.path / f"{serial:04}.toml"
    before, data = file_hash(path.read_bytes()), envelope.seal(changed, key, "save")
    path.unlink()
    path.write_bytes(data)
    return before, file_hash(data)


def forge(chain: Chain, serial: int, old: str, new: str, key: SigningKey = KEY) -> None:
    """Change a save, sign it anew, and mend and sign all that follow, so that signatures and hashes hold again."""
    changed = content(chain, serial)
    assert changed.count(old.encode()) >= 1, f"save {serial} does not hold {old}"
    replaced = [reseal(chain, serial, changed.replace(old.encode(), new.encode(), 1), key)]
    for later in range(serial + 1, chain.store.latest_serial() + 1):
        mended = content(chain, later)
        for before, after in replaced:
            mended = mended.replace(before.encode(), after.encode())
        replaced.append(reseal(chain, later, mended, key))


def file(chain: Chain, serial: int) -> Path:
    """Return the path of a save."""
    return chain.path / f"{serial:04}.toml"


def refused(chain: Chain, *words: str) -> None:
    """Check that a chain does not verify, and that the reason has these words."""
    with pytest.raises(Unverified) as error:
        check(chain)
    for word in words:
        assert word in str(error.value)
