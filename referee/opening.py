"""A match begins: the commitment to its seed, what lies beside the chain, and the deal, at once or when all have accepted."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import __version__
from .chain import Chain, Link, successor
from .engine import start
from .errors import Refused, Usage
from .fields import dataclass, field
from .keys import PublicKey, SigningKey
from .match import Game
from .people import People, Person
from .save import MATCH_ID, Save, first_entry
from .store import Folder, Taken, make_folder, write_file


def now() -> str:
    """Return the present time, UTC, as saves write it.

    Example:
        >>> len(now())
        20
    """
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


@dataclass
class Table:
    """What a new match is made of.

    Attributes:
        game: the rules.
        seats: the seats, in order.
        options: house rules, by name.
        packs: name and bytes of each pack of component data.
        secret: 32 bytes for tests; fresh ones by default.
        nonces: what players contribute to the seed.
        keys: registered public keys of seats, 64 hex digits.
        addresses: where reports go, by seat.
        referee_plays: seats that the moderator holds.
        match_id: the name of the match; made up by default.
        clock: entries of `clock.toml` (see `clock.Settings`); without any the match knows no deadlines.
    """

    game: Game
    seats: Sequence[str]
    options: Mapping[str, Any] = field(default_factory=dict)
    packs: Sequence[tuple[str, bytes]] = ()
    secret: bytes = b""
    nonces: Mapping[str, str] = field(default_factory=dict)
    keys: Mapping[str, str] = field(default_factory=dict)
    addresses: Mapping[str, str] = field(default_factory=dict)
    referee_plays: Sequence[str] = ()
    match_id: str = ""
    clock: Mapping[str, Any] = field(default_factory=dict)


def open_match(folder: Path, table: Table, key: SigningKey, *, at: str = "", begin: bool = True) -> tuple[Chain, Link]:
    """Write the commitment and the deal of a new match into a folder, with its packs and addresses.

    Args:
        folder: the folder; it is made, and must be empty.
        table: what the match is made of.
        key: the referee's key.
        at: the time to be written, UTC; the present one by default.
        begin: whether to deal at once; else only the commitment is written, and `begin_match` deals when all accept.

    Raises:
        Usage: seats or options that the game does not have.
        Trouble: the folder cannot be written.
    """
    notices = (["test-seed"] if table.secret else []) + [f"referee-plays {seat}" for seat in table.referee_plays]
    _check_named_seats(table)
    _check_keys(table.keys)
    match_id = table.match_id or _new_id(table.game)
    if not MATCH_ID.fullmatch(match_id):
        raise Usage(f"{match_id!r} cannot name a match.", "Take up to 40 small letters, digits, - and _.")
    secret = table.secret or os.urandom(32)
    m = start(table.game, match_id, table.seats, secret, table.options, table.packs)
    entry = first_entry(table.seats, at or now(), table.keys, notices)
    write_clock = _clock_writer(table)
    Folder.create(folder)
    _write_beside(folder, table, invited=not begin)
    write_clock(folder)
    chain = Chain(folder, key.public)
    link = chain.append(Save(m, entry), key)
    return chain, begin_match(chain, table.nonces, key, at=entry.at) if begin else link


def begin_match(chain: Chain, nonces: Mapping[str, str], key: SigningKey, *, at: str = "") -> Link:
    """Fix the seed of a match and deal: what follows its first save, also if the program was ended between the two.

    Args:
        chain: a match that was opened.
        nonces: what players contribute to the seed, by seat.
        key: the referee's key.
        at: the time to be written, UTC; the present one by default.

    Raises:
        Refused: it has begun already.
    """
    zero = chain.latest()
    if zero.save.match.table is not None:
        raise Refused(f"The match {zero.save.match.id} has begun already.", "It needs nothing more.")
    save, _ = successor(zero, {"kind": "begin", "nonces": dict(nonces)}, at or now(), __version__, chain.older)
    try:
        return chain.append(save, key)
    except Taken:
        raise Refused(f"The match {zero.save.match.id} has just been begun by another.", "It needs nothing more.") from None


def _clock_writer(table: Table) -> Callable[[Path], None]:
    """Return what writes the settings of the match's clock; wrong ones are found before there is a folder."""
    if not table.clock:
        return lambda folder: None
    from . import clock  # a match without deadlines needs no time zones

    settings = clock.settings_from(table.clock, "The clock")
    return lambda folder: clock.write(folder, settings)


def _check_named_seats(table: Table) -> None:
    for named in (table.keys, table.addresses, table.referee_plays, table.nonces):
        for seat in named:
            if seat not in table.seats:
                raise Usage(f"There is no seat {seat!r}.", f"The seats are {', '.join(table.seats)}.")


def _check_keys(keys: Mapping[str, str]) -> None:
    for seat, key in keys.items():
        try:
            PublicKey.from_bytes(bytes.fromhex(key))
        except ValueError:
            raise Usage(f"The public key of {seat} is none.", "A public key has 64 hex digits.") from None


def _new_id(game: Game) -> str:
    initials = "".join(word[0] for word in game.slug.split("-"))
    return f"{initials}-{''.join('abcdefghjkmnpqrstuvwxyz23456789'[byte % 31] for byte in os.urandom(6))}"


def _write_beside(folder: Path, table: Table, invited: bool) -> None:
    """Write what belongs to a match and not into a save: who holds the seats, and packs."""
    listed = table.seats if invited else [seat for seat in table.seats if {seat} & {*table.addresses, *table.nonces}]
    people = {seat: _person(table, seat, invited) for seat in listed}
    if people:
        People(folder).write(people)
    for name, data in table.packs:
        make_folder(folder / "packs")
        write_file(folder / "packs" / name, data)


def _person(table: Table, seat: str, invited: bool) -> Person:
    """Return who holds a seat at first: the moderator accepts at once what the moderator plays."""
    own = seat in table.referee_plays
    return Person(table.addresses.get(seat, ""), invited=invited, accepted=invited and own, nonce=table.nonces.get(seat, ""))


def begin_if_accepted(chain: Chain, key: SigningKey, *, at: str = "") -> Link | None:
    """Deal once every seat that was invited has accepted, with the nonces of their acceptances; else return nothing.

    Raises:
        Refused: the match has begun.
    """
    people = People(chain.path).read()
    if not people or not all(person.accepted for person in people.values() if person.invited):
        return None
    return begin_match(chain, {seat: person.nonce for seat, person in people.items() if person.nonce}, key, at=at)
