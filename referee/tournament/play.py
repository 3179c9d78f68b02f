"""The matches of an event: opened once for each table, looked at with trust in their chains alone, and read when over.

A match is made under another name and then renamed, so that the folder of a table holds a whole match or is not there. What was
seen of a match is kept with the hash of its newest save: as long as that file is the same, it need not be read again.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from referee import canon
from referee.chain import Chain, Link
from referee.engine import find_game, pending, result
from referee.errors import Refused, Trouble
from referee.keys import PublicKey, SigningKey
from referee.opening import Table, begin_match, open_match
from referee.people import People
from referee.postal import Postal, write_postal
from referee.save import file_hash
from referee.store import STALE, make_folder, read_small, write_file

from .event import Event
from .rounds import Outcome, Pairing

MATCHES, LOOKED = "matches", "looked.toml"
_NEW = ".new-"
_BOTS = ("bot", "safest")
"""What plays for who is late, so that a match may end although somebody never began it."""

Secret = Callable[[str], bytes]


def folder_of(event_folder: Path, match: str) -> Path:
    """Return where a match of an event lies."""
    return event_folder / MATCHES / match


def is_there(place: Path) -> bool:
    """Return whether a folder holds a match.

    Raises:
        Trouble: the disk does not say.
    """
    try:
        return (place / "0000.toml").exists()
    except OSError as error:
        raise Trouble(f"{place} cannot be read: {error.strerror}.", "Check the disk and its permissions.") from None


# Opening


def open_table(
    event: Event,
    folder: Path,
    key: SigningKey,
    number: int,
    pairing: Pairing,
    *,
    at: str,
    postal: Postal | None = None,
    secret: Secret | None = None,
) -> bool:
    """Make and deal the match of a table, unless it is there; return whether it was made.

    Args:
        event: the event, in which the round is published.
        folder: the folder of the event.
        key: the referee's key.
        number: the round.
        pairing: the table.
        at: the time, UTC.
        postal: how it goes by mail.
        secret: for tests: 32 bytes for each match; every report then says that the seed is for tests.

    Raises:
        RefereeError: it cannot be made.
    """
    match = event.match_id(number, pairing.table)
    place = folder_of(folder, match)
    if is_there(place):
        return False
    make_folder(folder / MATCHES)
    rough = folder / MATCHES / f"{_NEW}{match}-{os.getpid()}-{os.urandom(4).hex()}"
    try:
        table = _table(event, folder, number, pairing, secret(match) if secret else b"")
        open_match(rough, table, key, at=at)
        if postal is not None:  # else a desk that comes later gives it its address
            write_postal(rough, postal)
        return _put_in_place(rough, place)
    finally:
        shutil.rmtree(rough, ignore_errors=True)


def _table(event: Event, folder: Path, number: int, pairing: Pairing, secret: bytes) -> Table:
    people = People(folder).read()
    plan = event.plan
    return Table(
        find_game(plan.game),
        pairing.seats,
        plan.options,
        secret=secret,
        addresses={seat: people[seat].address for seat in pairing.seats if seat in people and people[seat].address},
        match_id=event.match_id(number, pairing.table),
        clock=_clock(event, number, pairing),
    )


def _clock(event: Event, number: int, pairing: Pairing) -> dict[str, Any]:
    """Return the settings of a match's clock: longer for a player's second match of the round, if they are staggered."""
    sheet, settings = event.sheet(number), dict(event.plan.clock)
    if not sheet.stagger:
        return settings
    before = [one for one in sheet.round.pairings if one.table < pairing.table]
    nth = max(sum(seat in one.seats for one in before) for seat in pairing.seats)
    return settings | {"hours": settings.get("hours", 72) + nth * sheet.stagger}


def _put_in_place(rough: Path, place: Path) -> bool:
    """Give a whole match its name; return False if another process was first."""
    try:
        os.rename(rough, place)
    except OSError as error:
        if is_there(place):
            return False
        raise Trouble(f"The match {place} cannot be put in place: {error.strerror}.", "Look at the folder.") from None
    try:
        descriptor = os.open(place.parent, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        said = f"The match {place} is made, but the disk does not confirm it: {error.strerror}."
        raise Trouble(said, "Check the disk, then try again.") from None
    return True


def sweep(folder: Path) -> None:
    """Remove matches that a program was making when it was ended, long ago."""
    with contextlib.suppress(OSError):
        for name in os.listdir(folder / MATCHES):
            path = folder / MATCHES / name
            if name.startswith(_NEW) and time.time() - path.stat().st_mtime > STALE:
                shutil.rmtree(path, ignore_errors=True)


# Looking


class Look(NamedTuple):
    """What all may know of a match: its newest save (number and hash), state, stop, and who is asked since when, until when.

    Args:
        state: `not begun`, `goes on`, `halted` or `over`.
        window: 1 if it waits for a reaction, which has a deadline of its own; 0 if not; -1 if nobody has asked.
    """

    serial: int
    hash: str
    state: str
    stop: int
    asked: Mapping[str, str]
    until: Mapping[str, str]
    window: int = -1


NOTHING = Look(-1, "", "not begun", 0, {}, {})


class Looker:
    """Looks at the matches of an event; what it saw is kept in `looked.toml`, and is worth something for the same file alone.

    Args:
        folder: the folder of the event.
        trusted: the referee's public key.
    """

    def __init__(self, folder: Path, trusted: PublicKey) -> None:
        """Read what was seen before; whatever is not in its form counts as not seen."""
        self.folder, self.trusted = folder, trusted
        self._before = _seen(folder)
        self._seen: dict[str, Look] = {}

    def look(self, match: str) -> Look:
        """Return how a match stands.

        Raises:
            RefereeError: its newest save cannot be read, or does not verify.
        """
        chain = Chain(folder_of(self.folder, match), self.trusted)
        if not is_there(chain.path):
            return NOTHING
        serial = chain.store.latest_serial()
        hashed = file_hash(chain.store.read(serial))
        known = self._seen.get(match) or self._before.get(match)
        if known is None or (known.serial, known.hash) != (serial, hashed):
            known = _looked(chain, serial, hashed)
        self._seen[match] = known
        return known

    def is_window(self, match: str) -> bool:
        """Return whether a match waits for a reaction; for this the whole save is read, unless it was before.

        Raises:
            RefereeError: its newest save cannot be read.
        """
        look = self.look(match)
        if look.window < 0:
            question = pending(Chain(folder_of(self.folder, match), self.trusted).link(look.serial).save.match)
            look = self._seen[match] = look._replace(window=int(question is not None and bool(question.interrupts)))
        return bool(look.window)

    def keep(self) -> None:
        """Write down what was seen of those that were looked at. It may be lost: then they are looked at again.

        Raises:
            Trouble: it cannot be written.
        """
        if self._seen != self._before:
            rows = {match: one._asdict() for match, one in self._seen.items()}
            write_file(self.folder / LOOKED, canon.dumps(rows, inline=["*"]).encode(), flush=False)
            self._before = dict(self._seen)


def _looked(chain: Chain, serial: int, hashed: str) -> Look:
    head = chain.section(serial, "match")
    began = serial > 0
    state = "over" if head["over"] else "halted" if head["held"] else "goes on" if began else "not begun"
    clock = chain.section(serial, "clock") if began and state != "over" else {}
    return Look(serial, hashed, state, head["stop"], clock.get("asked", {}), clock.get("until", {}))


def _seen(folder: Path) -> dict[str, Look]:
    try:
        rows = canon.loads(read_small(folder / LOOKED) or b"")
        return {match: Look(**row) for match, row in rows.items()}
    except (ValueError, TypeError):
        return {}


# Results


def chain_of(event: Event, folder: Path, number: int, table: int, trusted: PublicKey) -> Chain:
    """Return the chain of a table's match.

    Raises:
        Refused: there is none.
    """
    place = folder_of(folder, event.match_id(number, table))
    if not is_there(place):
        raise Refused(f"{place} holds no match.", "`referee tournament publish` makes it.")
    return Chain(place, trusted)


def check_match(event: Event, chain: Chain, link: Link, number: int, table: int) -> None:
    """Check that a match is the one of a table: its name, its game, and who sits where.

    Raises:
        Refused: it is another one.
    """
    m, pairing = link.save.match, event.pairing(number, table)
    wanted = (event.match_id(number, table), event.plan.game, list(pairing.seats))
    if (m.id, m.game.slug, m.seats) != wanted:
        said = f"{chain.path} holds {m.id} of {', '.join(m.seats)}, and table {table} of round {number} is another match."
        raise Refused(said, "Put the right match there; its result does not count in this event.")


def outcome_of_match(chain: Chain, link: Link, table: int) -> Outcome:
    """Return how a match that is over ended: places and points as the rules and the rulings gave them.

    Who was ruled to forfeit, or was played for, and never sent a move did not play: the match counts as a forfeit.
    """
    scored = result(link.save.match)
    places = {seat: row["place"] for seat, row in scored.items()}
    points = {seat: row["points"] for seat, row in scored.items()}
    absent = tuple(sorted(_never_played(chain, link))) if _may_have_been_absent(chain, link) else ()
    return Outcome(table, places, points, "forfeit" if absent else "played", absent)


def _may_have_been_absent(chain: Chain, link: Link) -> bool:
    m = link.save.match
    if m.places or getattr(m.table, "resigned", None) or link.save.entry.move["kind"] == "ruling":
        return True
    from referee import clock

    settings = clock.read(chain.path)
    return settings is not None and settings.missed in _BOTS


def _never_played(chain: Chain, link: Link) -> set[str]:
    """Return who never sent a move, of those who gave up, were ruled out, or were played for."""
    moved, out = set(), set()
    for serial in range(1, link.save.entry.serial + 1):
        move = chain.section(serial, "move")
        if move["kind"] == "lines" and move["by"] != "clock":
            moved.add(move["seat"])
        elif move["kind"] == "lines" or move.get("ruling") in ("forfeit", "resign"):
            out.add(move["seat"])
    return out - moved


def began(chain: Chain, serial: int) -> set[str]:
    """Return who sent a move in a match up to a save."""
    moves = (chain.section(one, "move") for one in range(1, serial + 1))
    return {move["seat"] for move in moves if move["kind"] == "lines" and move["by"] != "clock"}


def begin_if_interrupted(chain: Chain, key: SigningKey, at: str) -> None:
    """Deal a match that was opened and not dealt; `open_table` never leaves one, a director's hand might."""
    if chain.latest().save.match.table is None:
        begin_match(chain, {}, key, at=at)
