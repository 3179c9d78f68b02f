"""A match as an append-only series of saves: append, latest, read, and the replay that verifies it.

A move is plain data, kept in the save that it led to:

* `{kind = "new"}` and `{kind = "begin", nonces}`,
* `{kind = "lines", seat, stop, by, lines, signature?}`, by a code, a key, the moderator or the clock, with what came of it:
  `played`, `waiting`, `planned`, `returned`, `reason`,
* `{kind = "ruling", ruling, why, ..., signature}`.

`successor` is the only way from one save to the next, for the player's mail as for `verify`, which demands the same bytes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import canon, envelope
from .anytime import is_late_talk
from .block import Submission, move_body
from .components import load_components
from .engine import begin, find_game, pending, start
from .entries import entry_after
from .errors import RefereeError, Refused, Unverified
from .fields import dataclass, field
from .keys import PublicKey, SigningKey
from .match import Event, Match
from .orders import Outcome, submit
from .rulings import apply_ruling, ruling_bytes
from .save import AT, Save, body, file_hash, first_difference, first_entry, installed_game, parse, read_pack
from .store import Folder

RESULTS = ("played", "waiting", "planned", "returned", "reason")
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
        if move["by"] == "clock":
            _tell_missed(before.save.match, m, move["seat"], outcome.played)
    else:
        m = apply_ruling(before.save.match, move, _earlier(older, before.save.entry.serial), state or {})
    return Save(m, entry_after(before.save, before.hash, m, recorded, at, engine)), outcome


def _tell_missed(before: Match, m: Match, seat: str, lines: list[str]) -> None:
    """Tell a seat what was played for it, and the others that it was late, if a turn of its own was open.

    Of a reaction nobody else is told, since it is no missed turn; of a sealed answer neither, since it is sealed.
    """
    question = pending(before)
    if question is None or question.taken or question.interrupts:
        told: Event = {"kind": "missed", "only": seat, "who": seat, "lines": lines}
    else:
        told = {"kind": "missed", "who": seat, "to": {seat: {"lines": lines}}}
    m.events.insert(0, told)


def _earlier(older: OlderSave, last: int) -> Callable[[int], Match]:
    """Return a reader of earlier matches that goes no further than the save that the ruling is made on."""

    def match(serial: int) -> Match:
        if not 0 <= serial <= last:
            raise Refused(f"There is no save {serial} to go back to; the newest is {last}.", "Name an earlier save.")
        return older(serial).match

    return match


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
        return os.path.join(self.path.name, os.path.basename(self.store.name(serial)))

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
        with _signed_nonsense(self._name(serial)):
            return canon.section(self.body(serial)[0], name)

    def events_since(self, serial: int, until: Link) -> list[dict[str, Any]]:
        """Return the events of the saves after `serial` up to and including `until`."""
        events: list[dict[str, Any]] = []
        for between in range(max(serial + 1, 1), until.save.entry.serial):
            events += self.section(between, "events").values()
        return events + until.save.match.events


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


VOUCHERS = {"code": "a turn code", "moderator": "the moderator's word", "clock": "the deadline"}
MOVES = {"begin": {"kind", "nonces"}, "lines": {"kind", "seat", "stop", "by", "lines"}, "ruling": {"kind", "ruling"}}


def verify(chain: Chain) -> Iterator[Checked]:
    """Check a whole chain, save by save: signatures, hashes, serials, and every move played again to the same bytes.

    Raises:
        Unverified: something does not hold; names the file.
    """
    serials = chain.store.serials()
    if serials != list(range(len(serials))) or not serials:
        raise Unverified(f"{chain.path.name} does not hold the saves from 0000 on without a gap.", "Put the missing back.")
    start = yield from _before_upgrade(chain, len(serials))
    if start:
        link = chain.link(start - 1, upgrade=True)
    else:
        link = _first(chain)
        start = 1
        yield Checked(0, 0, "new", "the referee", link.hash)
    for serial in range(start, len(serials)):
        link, checked = _next(chain, link, serial)
        yield checked


def _before_upgrade(chain: Chain, count: int) -> Generator[Checked, None, int]:
    """Yield the saves of rules or data that are not installed; return the first that can be played again.

    Raises:
        Unverified: no ruling `upgrade` leads to the version that is installed.
    """
    serial, before = 0, _Before("", {}, {}, "")
    while True:
        content, hashed = chain.body(serial)
        name = chain._name(serial)
        with _signed_nonsense(name):
            head, move = canon.section(content, "match"), canon.section(content, "move")
            installed = _is_installed(chain, head)
            if installed and (serial == 0 or move.get("ruling") == "upgrade"):
                return serial
            if head["serial"] != serial or head["previous"] != before.hash:
                raise Unverified(f"{name} does not follow the save before it.", "The chain was cut or mixed.")
            if installed or serial == count - 1:
                parse(content, name, chain.pack)  # its error names the package that is missing
                raise Unverified(f"{name} is of another version than the save before it, without a ruling.")
            voucher = _voucher(chain, before, _sent(move), serial, name)
            yield Checked(serial, head["stop"], _what(move), voucher, hashed, replayed=False)
            before = _Before.of(content, hashed)
        serial += 1


def _is_installed(chain: Chain, head: Mapping[str, Any]) -> bool:
    game = find_game(head["game"])
    if game.version != head["version"]:
        return False
    components = load_components(game, [(name, chain.pack(name)) for name in head["packs"]])
    return components.hash == str(head["data"])


@dataclass
class _Before:
    """What the signatures in a move depend on, of the save before it."""

    match: str
    holders: Mapping[str, int]
    keys: Mapping[str, str]
    opened: str
    hash: str = ""

    @classmethod
    def of(cls, content: bytes, hashed: str) -> _Before:
        head, seats = canon.section(content, "match"), canon.section(content, "seats")
        keys = {seat: row["key"] for seat, row in seats.items() if "key" in row}
        opened = head.get("opened", {}).get("hash", hashed)
        return cls(head["id"], {seat: row["holder"] for seat, row in seats.items()}, keys, opened, hashed)


@contextlib.contextmanager
def _signed_nonsense(name: str) -> Iterator[None]:
    """Turn what falls over a signed file of the wrong make into the error that it is."""
    try:
        yield
    except (LookupError, ValueError, TypeError, AttributeError) as error:
        raise Unverified(f"{name} is signed but does not hold a move of a match: {error}.") from None


def _first(chain: Chain) -> Link:
    """Return the first save, after it was made again from what it commits to."""
    content, hashed = chain.body(0)
    name = chain._name(0)
    save = parse(content, name, chain.pack)
    m, entry = save.match, save.entry
    packs = [(pack, chain.pack(pack)) for pack in m.components.packs]
    try:
        fresh = start(m.game, m.id, m.seats, m.secret, m.options, packs)
    except RefereeError as error:
        raise Unverified(f"{name} begins no match: {error}") from None
    made = first_entry(m.seats, entry.at, entry.keys, entry.notices)
    made.engine = entry.engine
    if body(Save(fresh, made)) != content:
        raise Unverified(f"{name} is not the first save of a match.")
    return Link(save, hashed)


def _next(chain: Chain, before: Link, serial: int) -> tuple[Link, Checked]:
    content, hashed = chain.body(serial)
    name = chain._name(serial)
    with _signed_nonsense(name):
        head, move = canon.section(content, "match"), canon.section(content, "move")
        if head["serial"] != serial or head["previous"] != before.hash:
            raise Unverified(f"{name} does not follow the save before it.", "The chain was cut or mixed with another.")
        sent = _sent(move)
        _check_move(before.save.match, sent, name)
        save = _played_again(chain, before, sent, content, name)
        chance = save.match.chance.log[:]
        save.match.chance.log.clear()
        m, entry = before.save.match, before.save.entry
        facts = _Before(m.id, m.holders, entry.keys, opened_hash(before), before.hash)
        voucher = _voucher(chain, facts, sent, serial, name)
    return Link(save, hashed), Checked(serial, save.match.stop, _what(sent), voucher, hashed, True, chance)


def _played_again(chain: Chain, before: Link, sent: Mapping[str, Any], content: bytes, name: str) -> Save:
    """Return the save that a move leads to, which must have the bytes that were found."""
    head, clock = canon.section(content, "match"), canon.section(content, "clock")
    if head["version"] != before.save.match.game.version:
        installed_game(head["game"], head["version"], name)
    if not AT.fullmatch(clock["at"]):
        raise Unverified(f"{name} has {clock['at']!r} where the time of the move belongs.")
    state = canon.loads(content) if sent.get("ruling") == "correct" else None
    try:
        save, _ = successor(before, sent, clock["at"], head["engine"], chain.older, state)
    except (RefereeError, AssertionError, LookupError, ValueError, TypeError, AttributeError) as error:
        raise Unverified(f"{name} cannot be played again from the save before it: {error}") from None
    _take_wording(save, content)
    if body(save) != content:
        raise Unverified(f"{name} differs from what its move leads to: {first_difference(body(save), content)}.")
    return save


def _take_wording(save: Save, content: bytes) -> None:
    """Let a save keep the words in which it was said why lines came back: what they say follows from the move anyway.

    So a better sentence in a later version does not make old matches wrong.
    """
    move, told = canon.section(content, "move"), canon.section(content, "events").values()
    pairs = [(save.entry.move, move), *zip(save.match.events, told, strict=False)]
    for made, found in pairs:
        if made.get("kind") == found.get("kind") and "reason" in made and isinstance(found.get("reason"), str):
            made["reason"] = found["reason"]


def _check_move(m: Match, sent: Mapping[str, Any], name: str) -> None:
    """Check that a move has the words of its kind and no other, and that it could be made at this stop."""
    kind = sent["kind"]
    if kind not in MOVES:
        raise Unverified(f"{name} holds a move of the unknown kind {kind!r}.")
    signed = {"key", "signature"} if sent.get("by") == "key" else set()
    if kind != "ruling" and sent.keys() != MOVES[kind] | signed:
        raise Unverified(f"{name} holds a move with other words than {', '.join(sorted(MOVES[kind] | signed))}.")
    if (kind == "begin") != (m.table is None):
        raise Unverified(f"{name} begins a match that has begun, or plays one that has not.")
    late = kind == "lines" and sent["by"] != "key" and is_late_talk(m, sent["stop"], sent["lines"])
    if kind == "lines" and ((sent["stop"] != m.stop and not late) or m.held or m.over or sent["seat"] not in m.seats):
        raise Unverified(f"{name} holds lines of {sent['seat']} for stop {sent['stop']}, which could not be played then.")


def _sent(move: Mapping[str, Any]) -> dict[str, Any]:
    """Return what was sent of a move, without what came of it."""
    return {k: v for k, v in move.items() if k not in (*RESULTS, "reports")}


def _what(move: Mapping[str, Any]) -> str:
    if move["kind"] == "lines":
        return f"lines of {move['seat']}"
    return f"ruling {move['ruling']}" if move["kind"] == "ruling" else str(move["kind"])


def _voucher(chain: Chain, before: _Before, move: Mapping[str, Any], serial: int, name: str) -> str:
    """Return who vouches for a move, after checking the signatures in it.

    Raises:
        Unverified: a signature in it does not hold.
    """
    if move["kind"] == "lines" and move["by"] == "key":
        return _key_voucher(before, move, name)
    if move["kind"] == "ruling":
        keys = [chain.trusted] if isinstance(chain.trusted, PublicKey) else chain.trusted
        signature, said = bytes.fromhex(move["signature"]), ruling_bytes(before.match, serial, move)
        if not any(key.verify("ruling", said, signature) for key in keys):
            raise Unverified(f"{name}: the signature under the ruling does not hold.")
        return "the moderator"
    return VOUCHERS[move["by"]] if move["kind"] == "lines" else "the referee"


def _key_voucher(before: _Before, move: Mapping[str, Any], name: str) -> str:
    seat = move["seat"]
    if seat not in before.keys:
        raise Unverified(f"{name}: the move is signed, and no key of {seat} is registered.")
    key = PublicKey.from_bytes(bytes.fromhex(before.keys[seat]))
    signed = Submission(
        match=before.match,
        stop=move["stop"],
        seat=seat,
        lines=tuple(move["lines"]),
        opened=before.opened,
        holder=before.holders[seat],
    )
    if move["key"] != key.fingerprint or not key.verify("move", move_body(signed), bytes.fromhex(move["signature"])):
        raise Unverified(f"{name}: the signature of {seat} under this move does not hold.")
    return f"{seat}'s key {key.fingerprint}"


def opened_hash(link: Link) -> str:
    """Return the hash of the save that opened the present stop."""
    return link.save.entry.opened_hash or link.hash
