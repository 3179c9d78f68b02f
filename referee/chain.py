"""A match as an append-only series of saves: append, latest, read, and the replay that verifies it.

A move is plain data, kept in the save that it led to:

* `{kind = "new"}` and `{kind = "begin", nonces}`,
* `{kind = "lines", seat, stop, by, lines, signature?}` with what came of it: `played`, `waiting`, `returned`, `reason`,
* `{kind = "ruling", ruling, why, ..., signature}`.

`successor` is the only way from one save to the next, for the player's mail as for `verify`, which demands the same bytes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import __version__, canon, envelope
from .block import Submission, verify_move
from .engine import begin, find_game, pending
from .errors import RefereeError, Unverified
from .keys import PublicKey, SigningKey
from .match import Match
from .orders import Outcome, submit
from .rulings import apply_ruling
from .save import Entry, Save, body, file_hash, installed_game, parse
from .store import Folder

RESULTS = ("played", "waiting", "returned", "reason")
"""What a move of lines says of its outcome; the rest is what was sent."""


@dataclass
class Link:
    """One save of a chain, verified: its bytes' hash and what it holds."""

    save: Save
    hash: str
    folder: str = ""


OlderSave = Callable[[int], Save]


def successor(
    before: Link, move: Mapping[str, Any], at: str, engine: str, older: OlderSave, state: Mapping[str, Any] | None = None
) -> tuple[Save, Outcome | None]:
    """Return the save that follows from a move; for lines also what came of them.

    Args:
        before: the save that it is played on.
        move: what was sent (see the head of this module), without the outcome.
        at: the time, UTC.
        engine: the version of the program that plays it.
        older: reads an earlier save, for a rollback.
        state: for the ruling `correct`, the edited `table` and `agenda`.

    Raises:
        Refusal: the move cannot be made.
    """
    outcome: Outcome | None = None
    recorded = dict(move)
    if move["kind"] == "begin":
        m = before.save.match.copy()
        m.events = []
        begin(m, move["nonces"])
        m.stop, m.moved, m.fence = 1, False, False
    elif move["kind"] == "lines":
        outcome = submit(before.save.match, move["seat"], move["lines"])
        m = outcome.match
        recorded |= {name: getattr(outcome, name) for name in RESULTS if getattr(outcome, name)}
    else:
        m = apply_ruling(before.save.match, move, lambda serial: older(serial).match, state or {})
    return Save(m, _entry_after(before, m, recorded, at, engine)), outcome


def _entry_after(before: Link, m: Match, move: dict[str, Any], at: str, engine: str) -> Entry:
    last = before.save.entry
    entry = Entry(last.serial + 1, before.hash, at=at, engine=engine, move=move, keys=last.keys, notices=last.notices)
    if m.stop == before.save.match.stop:
        entry.opened_stop = last.opened_stop or m.stop
        entry.opened_hash = last.opened_hash or before.hash
    entry.reported = {s: last.serial if s in last.reports else last.reported[s] for s in m.seats}
    entry.reports = _readers(before.save.match, m, move)
    return entry


def _readers(before: Match, m: Match, move: Mapping[str, Any]) -> list[str]:
    """Return the seats that get a report: the sender, who is asked now, who was told something alone; at last everybody."""
    if move["kind"] == "begin" or m.over or (move["kind"] == "ruling" and m.stop != before.stop):
        return m.seats[:]
    concerned = {event["only"] for event in m.events if "only" in event} | {move.get("seat", "")}
    question = pending(m)
    if question is not None and m.stop != before.stop:
        concerned |= set(question.seats)
    return [seat for seat in m.seats if seat in concerned]


class Chain:
    """A folder of saves, trusted as far as its signatures go.

    Args:
        path: the folder.
        trusted: the referee's public key or keys; never taken from the folder itself.
    """

    def __init__(self, path: str | os.PathLike[str], trusted: PublicKey | Sequence[PublicKey]) -> None:
        """Name the folder; nothing is read yet."""
        self.path = Path(path)
        self.store = Folder(path)
        self.trusted = trusted

    def pack(self, name: str) -> bytes:
        """Return the bytes of a pack in the chain's folder.

        Raises:
            Unverified: it is not there.
        """
        return read_pack(self.path, name)

    def body(self, serial: int) -> tuple[bytes, str]:
        """Return the verified body of a save and the hash of its whole file."""
        data = self.store.read(serial)
        return envelope.unseal(data, self.trusted, "save", name=self._name(serial)), file_hash(data)

    def _name(self, serial: int) -> str:
        return f"{self.path.name}/{self.store.name(serial)}"

    def link(self, serial: int, *, upgrade: bool = False) -> Link:
        """Return one save, its signature verified; with `upgrade` also one of another version of the rules.

        Raises:
            Unverified: it is missing, does not verify, or is not the save of that number.
        """
        content, hashed = self.body(serial)
        save = parse(content, self._name(serial), self.pack, upgrade=upgrade)
        if save.entry.serial != serial:
            raise Unverified(f"{self._name(serial)} is save {save.entry.serial} under a wrong name.", "Put it back.")
        return Link(save, hashed, str(self.path))

    def latest(self, *, upgrade: bool = False) -> Link:
        """Return the newest save."""
        return self.link(self.store.latest_serial(), upgrade=upgrade)

    def older(self, serial: int) -> Save:
        """Return an earlier save."""
        return self.link(serial).save

    def append(self, save: Save, key: SigningKey) -> Link:
        """Sign a save and put it at the end of the chain.

        Raises:
            Taken: another writer was first.
        """
        data = envelope.seal(body(save), key, "save")
        self.store.append(save.entry.serial, data)
        return Link(save, file_hash(data), str(self.path))

    def section(self, serial: int, name: str) -> dict[str, Any]:
        """Return one section of a save, without reading the rest of it."""
        return canon.section(self.body(serial)[0], name)

    def events_since(self, serial: int, until: Link) -> list[dict[str, Any]]:
        """Return the events of the saves after `serial` up to and including `until`."""
        events: list[dict[str, Any]] = []
        for between in range(max(serial + 1, 1), until.save.entry.serial):
            events += self.section(between, "events").values()
        return events + until.save.match.events


def read_pack(folder: Path, name: str) -> bytes:
    """Return the bytes of a pack that lies in the folder `packs` beside a save.

    Raises:
        Unverified: it is not there.
    """
    try:
        return (folder / "packs" / name).read_bytes()
    except OSError:
        raise Unverified(
            f"The pack {name!r} is missing.", f"Put it back into {folder / 'packs'}, byte by byte as it was."
        ) from None


# Verifying


@dataclass
class Checked:
    """What `verify` found out about one save.

    Attributes:
        serial: its number.
        stop: the stop after it.
        what: the kind of move, with the seat.
        voucher: who vouches for the move: a player's key, a turn code, the moderator, the referee.
        replayed: whether it was played again (not, when its version of the rules is not installed).
        chance: the dice and shuffles, `(what, counter before, result)`.
    """

    serial: int
    stop: int
    what: str
    voucher: str
    hash: str
    replayed: bool = True
    chance: list[tuple[str, int, Any]] = field(default_factory=list)


VOUCHERS = {"code": "a turn code", "moderator": "the moderator's word", "key": "the player's key"}


def verify(chain: Chain) -> Iterator[Checked]:
    """Check a whole chain, save by save: signatures, hashes, serials, and every move played again to the same bytes.

    Raises:
        Unverified: something does not hold; names the file.
    """
    serials = chain.store.serials()
    if serials != list(range(len(serials))) or not serials:
        raise Unverified(f"{chain.path.name} does not hold the saves from 0000 on without a gap.", "Put the missing back.")
    start, previous = yield from _before_upgrade(chain, len(serials))
    link = _first(chain, start)
    if link.save.entry.previous != previous:
        raise Unverified(f"{chain._name(start)} does not follow the save before it.", "The chain was cut or mixed.")
    yield Checked(start, link.save.match.stop, _what(link.save.entry.move), "the referee", link.hash)
    for serial in range(start + 1, len(serials)):
        link, checked = _next(chain, link, serial)
        yield checked


def _before_upgrade(chain: Chain, count: int) -> Generator[Checked, None, tuple[int, str]]:
    """Yield the saves of a version of the rules that is not installed; return the first that can be played, and a hash.

    Raises:
        Unverified: no ruling `upgrade` leads to the version that is installed.
    """
    serial, previous = 0, ""
    while True:
        content, hashed = chain.body(serial)
        head, move = canon.section(content, "match"), canon.section(content, "move")
        installed = head["version"] == find_game(head["game"]).version
        if installed and (serial == 0 or move.get("ruling") == "upgrade"):
            return serial, previous
        if installed or serial == count - 1 or head["serial"] != serial or head["previous"] != previous:
            installed_game(head["game"], head["version"], chain._name(serial))
            raise Unverified(f"{chain._name(serial)} does not follow the save before it.", "The chain was cut or mixed.")
        yield Checked(serial, head["stop"], _what(move), "not checked", hashed, replayed=False)
        serial, previous = serial + 1, hashed


def _first(chain: Chain, serial: int) -> Link:
    """Return the save that replay begins with: the first of the match, or of an upgrade of the rules."""
    content, hashed = chain.body(serial)
    link = Link(parse(content, chain._name(serial), chain.pack), hashed)
    begins = link.save.entry.move == {"kind": "new"} if serial == 0 else link.save.entry.move.get("ruling") == "upgrade"
    if body(link.save) != content or not begins or link.save.entry.serial != serial:
        raise Unverified(f"{chain._name(serial)} is not the first save of a match.")
    return link


def _next(chain: Chain, before: Link, serial: int) -> tuple[Link, Checked]:
    content, hashed = chain.body(serial)
    name = chain._name(serial)
    head, move = canon.section(content, "match"), canon.section(content, "move")
    if head["serial"] != serial or head["previous"] != before.hash:
        raise Unverified(f"{name} does not follow the save before it.", "The chain was cut or mixed with another.")
    sent = {k: v for k, v in move.items() if k not in (*RESULTS, "reports")}
    state = canon.loads(content) if sent.get("ruling") == "correct" else None
    at = canon.section(content, "clock")["at"]
    try:
        save, _ = successor(before, sent, at, head["engine"], chain.older, state)
    except (RefereeError, AssertionError, LookupError, ValueError, TypeError) as error:
        raise Unverified(f"{name} cannot be played again from the save before it: {error}") from None
    if body(save) != content:
        raise Unverified(f"{name} differs from what its move leads to: {_first_difference(body(save), content)}.")
    chance = save.match.chance.log[:]
    save.match.chance.log.clear()
    checked = Checked(serial, save.match.stop, _what(sent), _voucher(chain, before, save, sent, name), hashed, True, chance)
    return Link(save, hashed), checked


def _first_difference(expected: bytes, found: bytes) -> str:
    for number, (one, other) in enumerate(zip(expected.splitlines(), found.splitlines(), strict=False), 1):
        if one != other:
            return f"line {number}, {other.partition(b'=')[0].decode(errors='replace').strip() or 'a section'}"
    return "its length"


def _what(move: Mapping[str, Any]) -> str:
    if move["kind"] == "lines":
        return f"lines of {move['seat']}"
    return f"ruling {move['ruling']}" if move["kind"] == "ruling" else str(move["kind"])


def _voucher(chain: Chain, before: Link, save: Save, move: Mapping[str, Any], name: str) -> str:
    """Return who vouches for a move, after checking the signatures in it.

    Raises:
        Unverified: a signature in it does not hold.
    """
    if move["kind"] == "lines" and move["by"] == "key":
        seat = move["seat"]
        key = PublicKey.from_bytes(bytes.fromhex(save.entry.keys.get(seat, "")))
        if not verify_move(signed_move(before, move), key):
            raise Unverified(f"{name}: the signature of {seat} under this move does not hold.")
        return f"{seat}'s key {key.fingerprint}"
    if move["kind"] == "ruling":
        keys = [chain.trusted] if isinstance(chain.trusted, PublicKey) else chain.trusted
        signature = bytes.fromhex(move["signature"])
        if not any(key.verify("ruling", ruling_bytes(save.match.id, save.entry.serial, move), signature) for key in keys):
            raise Unverified(f"{name}: the signature under the ruling does not hold.")
        return "the moderator"
    return VOUCHERS[move["by"]] if move["kind"] == "lines" else "the referee"


def opened_hash(link: Link) -> str:
    """Return the hash of the save that opened the present stop."""
    return link.save.entry.opened_hash or link.hash


def signed_move(before: Link, move: Mapping[str, Any]) -> Submission:
    """Return the submission that a player's key signed, put together from what the save keeps of it."""
    m = before.save.match
    return Submission(
        match=m.id,
        stop=move["stop"],
        seat=move["seat"],
        code="",
        lines=tuple(move["lines"]),
        opened=opened_hash(before),
        holder=m.holders[move["seat"]],
        signature=bytes.fromhex(move["signature"]),
        key=move["key"],
    )


def ruling_bytes(match: str, serial: int, move: Mapping[str, Any]) -> bytes:
    """Return what the moderator signs of a ruling: the match, the number of its save, and all it says."""
    said = {k: v for k, v in move.items() if k not in ("signature", *RESULTS)}
    return canon.dumps({"match": match, "serial": serial, **said}).encode()


def begin_chain(chain: Chain, first: Save, nonces: Mapping[str, str], key: SigningKey) -> tuple[Chain, Link]:
    """Write the first two saves of a match into an empty folder: the commitment, and the deal."""
    zero = chain.append(first, key)
    save, _ = successor(zero, {"kind": "begin", "nonces": dict(nonces)}, first.entry.at, __version__, chain.older)
    return chain, chain.append(save, key)
