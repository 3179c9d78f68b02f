"""`referee.toml`: where the desk works, from which mailbox it reads, and by what it sends.

```toml
desk = "desk"                       # what is in hand: inbox, outbox, press to be delivered, notes for the moderator
matches = "matches"                 # each match is a folder in it
tournaments = "tournaments"         # each event is a folder in it, which holds its matches
key = "referee.key"
name = "The referee"
address = "referee@example.org"     # where players write to
moderator = "carol@example.org"     # the human whom they may ask

[fetch]                             # leave it away if a mail server pipes its mail into `referee mail accept`
from = "imap"                       # imap, maildir or mbox
host = "imap.example.org"
user = "referee"
password_file = "imap.password"     # or password_env = "IMAP_PASSWORD"

[send]
by = "smtp"                         # smtp or maildir
host = "smtp.example.org"
user = "referee"
password_env = "SMTP_PASSWORD"
```

Paths are taken from the folder of the file. A secret stands in a file of its own or in the environment, never here.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import canon
from .errors import Trouble, Usage
from .fields import dataclass, field

_ADDRESS = re.compile(r"[^\s@<>,;:\"()]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
SECURITY = ("starttls", "tls", "none")
PORTS = {"imap": {"tls": 993, "starttls": 143, "none": 143}, "smtp": {"tls": 465, "starttls": 587, "none": 25}}


@dataclass
class Secret:
    """Where a password stands; it is read when it is needed, and never shown.

    Example:
        >>> Secret()
        Secret(file=None, variable='')
    """

    file: Path | None = None
    variable: str = ""

    def read(self) -> str:
        """Return the password; "" if none is configured.

        Raises:
            Trouble: the file cannot be read, or the variable is not set.
        """
        if self.variable:
            if self.variable not in os.environ:
                raise Trouble(f"The environment has no variable {self.variable}, which should hold a password.", "Set it.")
            return os.environ[self.variable]
        if self.file is None:
            return ""
        try:
            return self.file.read_text().rstrip("\r\n")
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else "it is no text"
            said = f"The password file {self.file} cannot be read: {reason}."
            raise Trouble(said, "Check the path and its permissions.") from None


@dataclass
class Source:
    """Where mail comes from.

    Attributes:
        kind: `imap`, `maildir`, `mbox`; "" if mail is only piped in.
        path: the Maildir or mbox.
        host, port, security, user, secret, certificate: for IMAP; `certificate` is trusted besides the system's own.
        folder: the mailbox on the server.
        done: the mailbox that mail is moved to when it is stored here; "" to leave it where it is.
    """

    kind: str = ""
    path: Path = Path()
    host: str = ""
    port: int = 0
    security: str = "tls"
    user: str = ""
    secret: Secret = field(default_factory=Secret)
    certificate: Path | None = None
    folder: str = "INBOX"
    done: str = ""


@dataclass
class Target:
    """Where mail goes to: a server (`smtp`) or a folder (`maildir`); see `Source`."""

    kind: str = ""
    path: Path = Path()
    host: str = ""
    port: int = 0
    security: str = "starttls"
    user: str = ""
    secret: Secret = field(default_factory=Secret)
    certificate: Path | None = None


@dataclass
class Config:
    """What `referee.toml` says.

    Attributes:
        file: the file itself.
        desk: the folder for what is in hand.
        matches: the folder that holds a folder for each match.
        tournaments: the folder that holds a folder for each event, with its matches in it.
        key: the file of the referee's key.
        address: where players write to.
        moderator: the address of the human.
        name: what the referee is called in mails.
        answers_a_day: how many answers one sender gets in a day; reports of new saves are not counted.
        batch: how many mails are worked on between two flushes to the disk.
        pause: seconds between two rounds of `referee run`.
        digest_hour: the hour of the day (UTC) from which a digest is sent.
        source: where mail comes from.
        target: where mail goes to.
        clock: settings of `clock.toml` for matches begun with this file.
    """

    file: Path
    desk: Path
    matches: Path
    key: Path
    address: str
    moderator: str = ""
    name: str = "The referee"
    answers_a_day: int = 20
    batch: int = 50
    pause: int = 120
    digest_hour: int = 6
    source: Source = field(default_factory=Source)
    target: Target = field(default_factory=Target)
    clock: dict[str, Any] = field(default_factory=dict)
    tournaments: Path = Path()

    def __post_init__(self) -> None:
        """Take the folder beside that of the matches, where none was named."""
        self.tournaments = self.matches.parent / "tournaments" if self.tournaments == Path() else self.tournaments


def read_config(path: Path) -> Config:
    """Return what a configuration says.

    Args:
        path: the file, or a folder with a `referee.toml` in it.

    Raises:
        Trouble: it cannot be read.
        Usage: it says something that it cannot say; names the entry.
    """
    path = path / "referee.toml" if path.is_dir() else path
    try:
        data = path.read_bytes()
    except OSError as error:
        said = f"The configuration {path} cannot be read: {error.strerror}."
        raise Trouble(said, "Name a referee.toml; the README shows one.") from None
    return parse_config(data, path)


def parse_config(data: bytes, path: Path) -> Config:
    """Return what the bytes of a configuration say; see `read_config`.

    Example:
        >>> config = parse_config(b'address = "referee@example.org"', Path("/srv/referee.toml"))
        >>> config.matches.as_posix(), config.source.kind
        ('/srv/matches', '')
        >>> parse_config(b'adress = "referee@example.org"', Path("referee.toml"))
        Traceback (most recent call last):
        referee.errors.Usage: referee.toml: there is no entry adress. Did you mean address?
    """
    try:
        rows = canon.loads(data)
    except ValueError as error:
        raise Usage(f"{path} is no TOML: {error}.", "Mend the line that it names.") from None
    top = _Rows(path, "", rows)
    config = Config(
        file=path,
        desk=top.path("desk", "desk"),
        matches=top.path("matches", "matches"),
        key=top.path("key", "referee.key"),
        address=top.address("address", required=True),
        moderator=top.address("moderator"),
        name=top.text("name", "The referee"),
        answers_a_day=top.number("answers_a_day", 20, 1, 1000),
        batch=top.number("batch", 50, 1, 1000),
        pause=top.number("pause", 120, 1, 86_400),
        digest_hour=top.number("digest_hour", 6, 0, 23),
        source=_source(top.section("fetch")),
        target=_target(top.section("send")),
        clock=top.section("clock").rest(),
        tournaments=top.path("tournaments", "tournaments"),
    )
    top.done()
    return config


def _source(rows: _Rows) -> Source:
    if not rows.rows:
        return Source()
    kind = rows.choice("from", ("imap", "maildir", "mbox"))
    if kind != "imap":
        source = Source(kind, rows.path("path"))
    else:
        source = Source(kind, **_server(rows, kind, "tls"), folder=rows.text("folder", "INBOX"), done=rows.text("done", ""))
    rows.done()
    return source


def _target(rows: _Rows) -> Target:
    if not rows.rows:
        return Target()
    kind = rows.choice("by", ("smtp", "maildir"))
    target = Target(kind, rows.path("path")) if kind == "maildir" else Target(kind, **_server(rows, kind, "starttls"))
    rows.done()
    return target


def _server(rows: _Rows, kind: str, usual: str) -> dict[str, Any]:
    """Return the entries that say how to reach a server."""
    security = rows.choice("security", SECURITY, usual)
    host = rows.text("host")
    if security == "none" and host not in ("localhost", "127.0.0.1", "::1"):
        raise rows.wrong("security", f"a connection to {host} has to be encrypted", "Take tls or starttls.")
    certificate = rows.path("certificate") if "certificate" in rows.rows else None
    return {
        "host": host,
        "port": rows.number("port", PORTS[kind][security], 1, 65_535),
        "security": security,
        "user": rows.text("user", ""),
        "secret": _secret(rows),
        "certificate": certificate,
    }


def _secret(rows: _Rows) -> Secret:
    if "password" in rows.rows:
        raise rows.wrong("password", "a secret does not belong here", "Write password_file or password_env.")
    file = rows.path("password_file") if "password_file" in rows.rows else None
    secret = Secret(file, rows.text("password_env", ""))
    if secret.file and secret.variable:
        raise rows.wrong("password_env", "the password is in a file already", "Leave one of the two away.")
    return secret


class _Rows:
    """The entries of one section, taken one by one, so that what is left over is a mistake."""

    def __init__(self, file: Path, section: str, rows: Mapping[str, Any]) -> None:
        self.file, self.name, self.rows, self.taken = file, section, rows, set[str]()

    def wrong(self, entry: str, reason: str, help: str) -> Usage:
        """Return the error that names file, entry and reason."""
        return Usage(f"{self.file}: {self._called(entry)}: {reason}.", help)

    def _called(self, entry: str) -> str:
        return f"[{self.name}] {entry}" if self.name else entry

    def _take(self, entry: str, kind: type, usual: Any = None) -> Any:
        self.taken.add(entry)
        if entry not in self.rows:
            if usual is None:
                self._check_known({entry})
                raise Usage(f"{self.file}: the entry {self._called(entry)} is missing.", "Add it; the README shows one.")
            return usual
        value = self.rows[entry]
        if type(value) is not kind:
            raise self.wrong(entry, f"it is not {_CALLED[kind]}", f"Write {_CALLED[kind]}.")
        return value

    def text(self, entry: str, usual: str | None = None) -> str:
        """Return an entry of one printable line."""
        value: str = self._take(entry, str, usual)
        if not value.isprintable():
            raise self.wrong(entry, "it is not one printable line", "Write it again.")
        return value

    def path(self, entry: str, usual: str | None = None) -> Path:
        """Return a path, taken from the folder of the file."""
        value = self.text(entry, usual)
        if not value:
            raise self.wrong(entry, "an empty name is no path", "Name a file or a folder.")
        return self.file.parent / Path(value).expanduser()

    def address(self, entry: str, *, required: bool = False) -> str:
        """Return a mail address without a name around it."""
        value = self.text(entry, None if required else "")
        if value and not is_address(value):
            raise self.wrong(entry, f"{value!r} is no mail address", "Write it as referee@example.org.")
        return value

    def number(self, entry: str, usual: int, least: int, most: int) -> int:
        """Return a whole number within its limits."""
        value: int = self._take(entry, int, usual)
        if not least <= value <= most:
            raise self.wrong(entry, f"{value} is out of bounds", f"Take {least} to {most}.")
        return value

    def choice(self, entry: str, choices: tuple[str, ...], usual: str | None = None) -> str:
        """Return one of some words."""
        value = self.text(entry, usual)
        if value not in choices:
            raise self.wrong(entry, f"{value!r} is none of the choices", f"Take one of {', '.join(choices)}.")
        return value

    def section(self, entry: str) -> _Rows:
        """Return the entries of a section; none if it is not there."""
        return _Rows(self.file, entry, self._take(entry, dict, {}))

    def rest(self) -> dict[str, Any]:
        """Return all entries as they are, for another to check."""
        return dict(self.rows)

    def done(self) -> None:
        """Check that every entry was taken.

        Raises:
            Usage: there is one that nobody knows.
        """
        for entry in self.rows:
            if entry not in self.taken:
                self._check_known(self.taken)
                help = f"There are {', '.join(sorted(self.taken))}."
                raise Usage(f"{self.file}: there is no entry {self._called(entry)}.", help)

    def _check_known(self, known: set[str]) -> None:
        """Check that no entry is another one with a slip in it."""
        from difflib import get_close_matches

        for entry in self.rows.keys() - self.taken:
            if near := get_close_matches(entry, known, 1):
                said = f"{self.file}: there is no entry {self._called(entry)}."
                raise Usage(said, f"Did you mean {near[0]}?")


_CALLED = {str: "a text in quotes", int: "a whole number", dict: "a section", list: "a list", bool: "true or false"}


def is_address(text: str) -> bool:
    """Return whether a text is a plain mail address.

    Example:
        >>> is_address("bob@example.org"), is_address("bob@"), is_address("Bob <bob@example.org>")
        (True, False, False)
    """
    return bool(_ADDRESS.fullmatch(text)) and ".." not in text
