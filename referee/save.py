"""A save: one moment of a match as TOML that a moderator can read, and back.

What a save holds beside the match is its `Entry`: its place in the chain and the move that led to it. Bytes are signed and
verified in `envelope`; here nothing is read that was not verified before.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import __version__, canon
from .chance import Chance, commitment, working_seed
from .components import BadData, Components, load_components
from .engine import choose_options, find_game
from .errors import Unverified, Usage
from .fields import dataclass, field
from .match import Game, Match
from .see import dump, load

HEAD = "# referee save 1\n"
_INLINE = ("match.opened", "match.places", "clock.*", "seats.*", "agenda.*", "events.*", "sealed.*", "move.*")

AT = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")
MATCH_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
_HASH, _ENGINE = re.compile(r"[0-9a-f]{64}"), re.compile(r"[0-9A-Za-z.+]{1,40}")
_NOTICE, _PREVIOUS = re.compile(r"test-seed|referee-plays [a-z0-9_-]+"), re.compile(r"([0-9a-f]{64})?")
_FORM: dict[str, Any] = {
    "match": {
        "id": MATCH_ID, "game": str, "version": int, "data": _HASH, "packs": [str], "engine": _ENGINE,
        "notices": [_NOTICE], "serial": int, "previous": _PREVIOUS, "stop": int, "over": bool, "held": bool,
        "opened?": {"stop": int, "hash": _HASH}, "places?": {"*": int},
    },
    "seats": {"*": {"holder": int, "key?": _HASH}},
    "options": dict,
    "clock": {"at": AT, "asked": {"*": AT}, "until?": {"*": AT}},
    "chance": {"commitment": _HASH, "secret": _HASH, "nonces": {"*": str}, "counter": int},
    "move": {
        "kind": str, "reports": [str], "nonces?": {"*": str}, "seat?": str, "stop?": int, "by?": str, "lines?": [str],
        "key?": str, "signature?": str, "played?": [str], "waiting?": [str], "planned?": [str], "returned?": [str],
        "reason?": str, "ruling?": str, "why?": str, "text?": str, "serial?": int, "state?": str, "option?": str,
        "value?": object, "until?": AT,
    },
    "reported": {"*": int},
    "agenda?": {"*": dict},
    "sealed?": {"*": dict},
    "standing?": {"*": [str]},
    "kept?": {"*": [str]},
    "planned?": {"*": [str]},
    "table?": dict,
    "events": {"*": dict},
}  # fmt: skip
"""The sections and keys of a save and what each may hold; a key with `?` may be absent, `*` stands for any key."""

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
        asked: since when each seat that is asked has been waited for, UTC.
        until: until when the moderator lets a seat that is asked answer, UTC; only those whose time was extended.
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
    asked: dict[str, str] = field(default_factory=dict)
    until: dict[str, str] = field(default_factory=dict)
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


def first_entry(seats: Sequence[str], at: str, keys: Mapping[str, str], notices: Sequence[str]) -> Entry:
    """Return what the first save of a match says of itself.

    Example:
        >>> first_entry(["alice"], "2026-11-30T18:00:00Z", {}, []).reported
        {'alice': -1}
    """
    reported = dict.fromkeys(seats, -1)
    return Entry(0, at=at, move={"kind": "new"}, reported=reported, keys=dict(keys), notices=list(notices))


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
        "clock": {"at": entry.at, "asked": entry.asked, **({"until": entry.until} if entry.until else {})},
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
            "planned": m.planned,
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
    if m.places:
        section["places"] = m.places
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
    try:
        content = canon.loads(data)
        _check_form(content, _FORM, "")
        return Save(_match(content, name, pack, upgrade), _entry(content))
    except (LookupError, ValueError, TypeError, Usage) as error:
        raise Unverified(f"{name} is signed but does not hold a match: {str(error).rstrip('.')}.") from None


def _check_form(value: Any, form: Any, where: str) -> None:
    """Check that a value has the form of its place in a save.

    Raises:
        ValueError: it has not; names the place.
    """
    if form is object:
        fits = isinstance(value, str | int | bool)
    elif isinstance(form, re.Pattern):
        fits = isinstance(value, str) and form.fullmatch(value) is not None
    else:
        fits = type(value) is (form if isinstance(form, type) else type(form))
    if not fits or (type(value) is int and not -1 <= value < 2**63):
        raise ValueError(f"{where or 'the file'} is not what belongs there")
    if isinstance(form, list):
        for item in value:
            _check_form(item, form[0], where)
    elif isinstance(form, dict):
        _check_table(value, form, where)


def _check_table(value: Mapping[str, Any], form: Mapping[str, Any], where: str) -> None:
    for key, inner in value.items():
        known = form.get(key, form.get(f"{key}?", form.get("*")))
        if known is None:
            raise ValueError(f"there is no place for {f'{where}.{key}'.lstrip('.')}")
        _check_form(inner, known, f"{where}.{key}".lstrip("."))
    for key in form:
        if key != "*" and not key.endswith("?") and key not in value:
            raise ValueError(f"{f'{where}.{key}'.lstrip('.')} is missing")


def _match(content: Mapping[str, Any], name: str, pack: PackReader, upgrade: bool) -> Match:
    head, chance = content["match"], content["chance"]
    game = find_game(head["game"]) if upgrade else installed_game(head["game"], head["version"], name)
    components = _components(game, head, name, pack, upgrade)
    seats, secret = list(content["seats"]), bytes.fromhex(chance["secret"])
    began = "table" in content
    if began != (head["stop"] > 0):
        raise ValueError("it has a table before its first stop, or none after it")
    seed = working_seed(head["id"], secret, chance["nonces"], seats) if began else bytes(32)
    m = Match(
        game,
        components,
        head["id"],
        seats,
        {seat: row["holder"] for seat, row in content["seats"].items()},
        _options(game, seats, content["options"], upgrade),
        Chance(seed, chance["counter"]),
        secret,
        chance["nonces"],
        stop=head["stop"],
        over=head["over"],
        held=head["held"],
        places=head.get("places", {}),
        events=list(content["events"].values()),
    )
    if began:
        m.table = load(game.table, content["table"])
        m.agenda = list(content["agenda"].values())
        m.sealed, m.standing = content["sealed"], content["standing"]
        m.kept, m.planned = content["kept"], content["planned"]
        check_frames(game, [*m.agenda, *m.sealed.values()])
    return m


def _options(game: Game, seats: Sequence[str], given: Mapping[str, Any], upgrade: bool) -> dict[str, Any]:
    """Return the options of a match; other rules may know other ones, and then their defaults count."""
    kept = {name: value for name, value in given.items() if name in game.options or not upgrade}
    chosen = choose_options(game, seats, kept)
    if not upgrade and chosen != given:
        raise ValueError("its options are not those of the game")
    return chosen


def check_frames(game: Game, frames: Sequence[Mapping[str, Any]]) -> None:
    """Check that frames name steps of a game with the arguments that they take.

    Raises:
        ValueError: one does not.
    """
    for frame in frames:
        if frame.get("do") not in game.steps or frame.keys() - {"do"} != game.steps[frame["do"]].params:
            raise ValueError(f"{frame.get('do', 'a frame')!r} is no step of {game.title} as it stands on the agenda")


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


def first_difference(expected: bytes, found: bytes) -> str:
    """Return where two saves differ, for an error.

    Example:
        >>> first_difference(b"a = 1\\nb = 2\\n", b"a = 1\\nb = 3\\n")
        'line 2, b'
    """
    for number, (one, other) in enumerate(zip(expected.splitlines(), found.splitlines(), strict=False), 1):
        if one != other:
            return f"line {number}, {other.partition(b'=')[0].decode(errors='replace').strip() or 'a section'}"
    return "its length"


def _entry(content: Mapping[str, Any]) -> Entry:
    head, move = content["match"], dict(content["move"])
    opened = head.get("opened", {"stop": 0, "hash": ""})
    reports = move.pop("reports")
    if content["reported"].keys() != content["seats"].keys():
        raise ValueError("reported does not name the seats")
    clock, places = content["clock"], head.get("places", {})
    if not {*clock["asked"], *clock.get("until", ()), *places} <= content["seats"].keys():
        raise ValueError("clock or places name others than seats")
    if not set(reports) <= content["seats"].keys():
        raise ValueError("move.reports names others than seats")
    if move["kind"] == "lines" and not {"seat", "stop", "by", "lines"} <= move.keys():
        raise ValueError("move does not say which lines of whom")
    return Entry(
        serial=head["serial"],
        previous=head["previous"],
        opened_stop=opened["stop"],
        opened_hash=opened["hash"],
        at=clock["at"],
        asked=clock["asked"],
        until=clock.get("until", {}),
        engine=head["engine"],
        move=move,
        reported=content["reported"],
        reports=reports,
        keys={seat: row["key"] for seat, row in content["seats"].items() if "key" in row},
        notices=head["notices"],
    )


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
