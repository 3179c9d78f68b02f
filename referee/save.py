"""A save: one moment of a match as TOML that a moderator can read, and back.

What a save holds beside the match is its `Entry`: its place in the chain and the move that led to it. Bytes are signed and
verified in `envelope`; here nothing is read that was not verified before.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from . import __version__, canon
from .chance import Chance, commitment, working_seed
from .components import BadData, Components, load_components
from .engine import find_game
from .errors import Unverified
from .match import Game, Match
from .see import dump, load

HEAD = "# referee save 1\n"
_INLINE = ("match.opened", "seats.*", "agenda.*", "events.*", "sealed.*", "move.*")

PackReader = Callable[[str], bytes]
"""Returns the bytes of a pack, by its name."""


@dataclass
class Entry:
    """What a save says of itself.

    Attributes:
        serial: its number in the chain, from 0; for the moderator alone.
        previous: SHA-256 of the whole file before it, 64 hex digits; "" in the first.
        opened_stop: the stop that is open, as named in this save; 0 in the save that opened it.
        opened_hash: SHA-256 of the whole file of the save that opened it; "" in that save itself.
        at: when it was made, UTC, as `2026-11-30T18:00:00Z`.
        engine: the version of the program that made it.
        move: what led here, as plain data (see `chain`).
        reported: for each seat the serial of its last report before this save; -1 when there was none.
        reports: the seats that get a report of this save.
        keys: registered keys of seats, 64 hex digits each.
        notices: what every report has to say: `test-seed`, or `referee-plays SEAT`.
    """

    serial: int
    previous: str = ""
    opened_stop: int = 0
    opened_hash: str = ""
    at: str = ""
    engine: str = __version__
    move: dict[str, Any] = field(default_factory=dict)
    reported: dict[str, int] = field(default_factory=dict)
    reports: list[str] = field(default_factory=list)
    keys: dict[str, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)


@dataclass
class Save:
    """A match at one moment, with its place in the chain."""

    match: Match
    entry: Entry


def file_hash(data: bytes) -> str:
    """Return the SHA-256 of a whole file, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def _numbered(items: Sequence[Any]) -> dict[str, Any]:
    return {str(number): item for number, item in enumerate(items, 1)}


def body(save: Save) -> bytes:
    """Return a save as the bytes that are signed.

    The same save gives the same bytes for ever: the order of keys is that of this function and of the game's records.
    """
    m, entry = save.match, save.entry
    content: dict[str, Any] = {
        "match": _match_section(m, entry),
        "seats": {s: {"holder": m.holders[s], **_key_of(entry, s)} for s in m.seats},
        "options": m.options,
        "clock": {"at": entry.at},
        "chance": _chance_section(m),
        "move": {**entry.move, "reports": entry.reports},
        "reported": entry.reported,
    }
    if m.table is not None:
        content |= {
            "agenda": _numbered(m.agenda),
            "sealed": m.sealed,
            "standing": m.standing,
            "kept": m.kept,
            "table": dump(m.table),
        }
    content["events"] = _numbered(m.events)
    return (HEAD + canon.dumps(content, inline=_INLINE)).encode()


def _key_of(entry: Entry, seat: str) -> dict[str, str]:
    return {"key": entry.keys[seat]} if seat in entry.keys else {}


def _match_section(m: Match, entry: Entry) -> dict[str, Any]:
    section: dict[str, Any] = {
        "id": m.id,
        "game": m.game.slug,
        "version": m.game.version,
        "data": m.components.hash,
        "packs": list(m.components.packs),
        "engine": entry.engine,
        "notices": entry.notices,
        "serial": entry.serial,
        "previous": entry.previous,
        "stop": m.stop,
        "over": m.over,
        "held": m.held,
    }
    if entry.opened_hash:
        section["opened"] = {"stop": entry.opened_stop, "hash": entry.opened_hash}
    return section


def _chance_section(m: Match) -> dict[str, Any]:
    return {
        "commitment": commitment(m.id, m.secret),
        "secret": m.secret.hex(),
        "nonces": m.nonces,
        "counter": m.chance.counter,
    }


# Reading


def parse(data: bytes, name: str, pack: PackReader, *, upgrade: bool = False) -> Save:
    """Return the save that verified bytes hold.

    Args:
        data: the body of a save, verified before.
        name: the file's name, for errors.
        pack: returns the bytes of a pack that the save uses.
        upgrade: whether to read it under the installed version of the rules and data, whichever it was made with.

    Raises:
        Unverified: its game, the game's version or its data is not installed, or it does not hold a match.
    """
    content = canon.loads(data)
    try:
        return Save(_match(content, name, pack, upgrade), _entry(content))
    except (KeyError, ValueError, TypeError) as error:
        raise Unverified(f"{name} is signed but does not hold a match: {error}.") from None


def _match(content: Mapping[str, Any], name: str, pack: PackReader, upgrade: bool) -> Match:
    head, chance = content["match"], content["chance"]
    game = find_game(head["game"]) if upgrade else installed_game(head["game"], head["version"], name)
    components = _components(game, head, name, pack, upgrade)
    seats, secret = list(content["seats"]), bytes.fromhex(chance["secret"])
    began = "table" in content
    seed = working_seed(head["id"], secret, chance["nonces"], seats) if began else bytes(32)
    m = Match(
        game,
        components,
        head["id"],
        seats,
        {seat: row["holder"] for seat, row in content["seats"].items()},
        content["options"],
        Chance(seed, chance["counter"]),
        secret,
        chance["nonces"],
        stop=head["stop"],
        over=head["over"],
        held=head["held"],
        events=list(content["events"].values()),
    )
    if began:
        m.table = load(game.table, content["table"])
        m.agenda = list(content["agenda"].values())
        m.sealed, m.standing, m.kept = content["sealed"], content["standing"], content["kept"]
    return m


def installed_game(slug: str, version: int, name: str) -> Game:
    """Return the game that a save needs.

    Raises:
        Unverified: it is not installed, or in another version.
    """
    game = find_game(slug)
    if game.version != version:
        raise Unverified(
            f"{name} was played with version {version} of the rules of {slug}, and version {game.version} is installed.",
            f"Install the package that brings version {version} of {slug} ({game.package}), or rule `upgrade`.",
        )
    return game


def _components(game: Game, head: Mapping[str, Any], name: str, pack: PackReader, upgrade: bool) -> Components:
    try:
        components = load_components(game, [(pack_name, pack(pack_name)) for pack_name in head["packs"]])
    except BadData as error:
        raise Unverified(f"{name} uses component data that cannot be read: {error}.") from None
    if components.hash != head["data"] and not upgrade:
        raise Unverified(
            f"{name} was played with component data {head['data'][:12]}, and {components.hash[:12]} is installed.",
            f"Install the version of {game.package} that it was played with, or put its packs back.",
        )
    return components


def _entry(content: Mapping[str, Any]) -> Entry:
    head, move = content["match"], dict(content["move"])
    opened = head.get("opened", {"stop": 0, "hash": ""})
    reports = move.pop("reports")
    return Entry(
        serial=head["serial"],
        previous=head["previous"],
        opened_stop=opened["stop"],
        opened_hash=opened["hash"],
        at=content["clock"]["at"],
        engine=head["engine"],
        move=move,
        reported=content["reported"],
        reports=reports,
        keys={seat: row["key"] for seat, row in content["seats"].items() if "key" in row},
        notices=head["notices"],
    )
