"""A desk with a match, mails to it, and what it answers: without a server, from the inbox to the outbox."""

from __future__ import annotations

import contextlib
import itertools
import re
import sqlite3
from collections.abc import Sequence
from email.utils import format_datetime
from pathlib import Path
from typing import Any

from referee import clock, desk
from referee.chain import Link
from referee.config import Config, Target
from referee.engine import find_game
from referee.mail.outbox import FIELDS, FILE
from referee.mail.outgoing import Outgoing
from referee.opening import Table
from referee.people import People, Person
from referee.postal import Postal, write_postal
from referee.runner import Done, Office

from ..matches import KEY, SEATS, code_of

AT = "2026-11-30T12:00:00Z"
ADDRESSES = {"alice": "alice@example.org", "bob": "bob@example.net", "carol": "carol@example.com"}
REFEREE, MODERATOR = "referee@example.org", "dora@example.org"


class Scene:
    """A desk in a folder, and its only match."""

    def __init__(self, folder: Path, game: str = "lantern-reef", *, press: str = "open", seed: int = 1, **table: Any) -> None:
        """Begin a match of that game; with `begin=False` its seats are only invited."""
        self.config = config(folder)
        self.at = AT
        self.number = itertools.count()
        begin = table.pop("begin", True)
        seats = SEATS[game]
        made = Table(
            find_game(game), seats, match_id="m-1", secret=seed.to_bytes(32, "big"),
            addresses={seat: ADDRESSES[seat] for seat in seats}, **table,
        )  # fmt: skip
        self.folder = self.config.matches / "m-1"
        self.chain, _ = desk.open_match(self.folder, made, KEY, at=AT, begin=begin)
        write_postal(self.folder, Postal(REFEREE, MODERATOR, press=press))

    @property
    def link(self) -> Link:
        """The newest save."""
        return self.chain.latest()

    def person(self, seat: str) -> Person:
        """Return who holds a seat."""
        return People(self.folder).of(seat)

    def office(self, **options: Any) -> Office:
        """Return the desk, to work now."""
        return Office(self.config, at=self.at, **options)

    def round(self, **options: Any) -> list[Outgoing]:
        """Do a round, which must go well, and return the mails that it put in the outbox."""
        before = {mail.key for mail in self.mails()}
        done = self.office(**options).round()
        assert done.troubles == []
        return [mail for mail in self.mails() if mail.key not in before]

    def done(self) -> Done:
        """Do a round and return what it came to."""
        return self.office().round()

    def mails(self) -> list[Outgoing]:
        """Return all that was ever put in the outbox, in order."""
        path = self.config.desk / "outbox" / FILE
        if not path.exists():
            return []
        with contextlib.closing(sqlite3.connect(path)) as database:
            columns = ", ".join(f'"{name}"' for name in FIELDS)
            rows = database.execute(f"SELECT {columns} FROM mail ORDER BY rowid").fetchall()
        return [Outgoing(**{**dict(zip(FIELDS, row, strict=True)), "digest": bool(row[-1])}) for row in rows]

    # Mails to the desk

    def put(self, text: str, sender: str, *, subject: str = "Re: my turn", **headers: str) -> str:
        """Put a mail in the inbox and return its key."""
        number = next(self.number)
        head = {
            "From": sender,
            "To": REFEREE,
            "Subject": subject,
            "Date": format_datetime(clock.utc(self.at)),
            "Message-ID": f"<mail-{number}@{sender.partition('@')[2]}>",
            "Content-Type": 'text/plain; charset="utf-8"',
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        raw = "".join(f"{name}: {value}\n" for name, value in head.items()) + "\n" + text
        received = f"{self.at[:14]}{number // 60:02}:{number % 60:02}Z"
        return self.office().inbox.store(raw.encode(), received, "a test")

    def send(self, text: str, sender: str, **headers: str) -> list[Outgoing]:
        """Put a mail in the inbox, do a round, and return what was put in the outbox."""
        self.put(text, sender, **headers)
        return self.round()

    def block(self, seat: str, *lines: str, code: str = "", stop: int = -1, match: str = "") -> str:
        """Return the block of a seat with its code at the present stop, or with other words."""
        m = self.link.save.match
        head = f"#referee {match or m.id} {m.stop if stop < 0 else stop} {seat} {code or code_of(self.link, seat)}"
        return "\n".join([head, *lines, "#end", ""])

    def reply(self, mail: Outgoing, text: str, sender: str = "") -> list[Outgoing]:
        """Reply to a mail without a block, as a telephone does, and do a round."""
        quoted = "".join(f"> {line}\n" for line in mail.text.splitlines())
        text = f"{text}\n\nOn Monday the referee wrote:\n{quoted}"
        return self.send(text, sender or mail.to, In_Reply_To=f"<{mail.message_id}>", subject=f"Re: {mail.subject}")

    def orders(self, seat: str, *lines: str, sender: str = "") -> list[Outgoing]:
        """Send a block of a seat from its address."""
        return self.send(self.block(seat, *lines), sender or ADDRESSES[seat])

    def past_sailing(self) -> None:
        """Let all seats of the toy game choose their courses, so that it is alice's turn."""
        self.orders("alice", "sail north")
        self.orders("bob", "sail south")
        self.orders("carol", "sail east", "pirate: sail north")
        assert "alice" in self.link.save.entry.asked


def config(folder: Path, **more: Any) -> Config:
    """Return a desk in a folder, with its key."""
    (folder / "matches").mkdir(parents=True, exist_ok=True)
    if not (folder / "referee.key").exists():
        KEY.save(folder / "referee.key")
    return Config(
        folder / "referee.toml", folder / "desk", folder / "matches", folder / "referee.key", REFEREE, MODERATOR, **more
    )


def to(mails: Sequence[Outgoing], seat: str) -> Outgoing:
    """Return the one mail to a seat."""
    (mail,) = (mail for mail in mails if mail.to == ADDRESSES.get(seat, seat))
    return mail


def block_in(mail: Outgoing) -> str:
    """Return the block that a mail brings."""
    found = re.search(r"^#referee .*?^#end$", mail.text, re.MULTILINE | re.DOTALL)
    assert found, mail.text
    return found[0]


def maildir(folder: Path) -> Target:
    """Return a Maildir that mails are sent to."""
    return Target("maildir", folder)
