"""The outbox: what is to be sent is first put here, sent once, and tried again with growing pauses.

It is one SQLite file, for three reasons: the key of a mail must be found among all that were ever put, by any process;
all mails of a batch reach the disk by one flush; and a database that is cut off at any instant opens sound.

A mail is claimed before it is sent, by moving its next try into the future, and marked as sent afterwards. After a crash
between the two it is sent once more, with the same Message-Id, but not at once, so that a disk that fills up after the
claim cannot make the desk send the same mail in a tight loop. A fault of a mail (its recipient is refused) is told from a
fault of the way (no server, no login): the way alone pauses for the second, and no mail grows older by it.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import timedelta
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from ..config import is_address
from ..errors import RefereeError, Trouble
from ..locks import Locked, locked
from .outgoing import Carrier, Lost, Outgoing, Postponed, Rejected, Sent, Status, Unreachable
from .spool import TIME, moment, one_line

PAUSES = (1, 5, 15, 60, 120, 240)
"""Minutes before the next try; the last one is repeated."""
LIFETIME = timedelta(days=5)
"""How long a mail is tried after its first failure."""
KEPT = timedelta(days=30)
"""How long a mail that was sent can be sent again; then only its key is kept."""
FILE, LOG = "outbox.db", "delivery.log"
_PATIENCE = 30.0  # seconds to wait while another process writes
_inherited: list[object] = []  # connections of a parent process: a child must neither use nor close them


FIELDS = tuple(Outgoing.__annotations__)
_SCHEMA = f"""
CREATE TABLE IF NOT EXISTS mail (
    {", ".join(f'"{name}"' if name != "key" else "key TEXT NOT NULL UNIQUE" for name in FIELDS)},
    state TEXT NOT NULL, due TEXT NOT NULL, tries INTEGER NOT NULL DEFAULT 0,
    failing TEXT NOT NULL DEFAULT '', ended TEXT NOT NULL DEFAULT '', result TEXT NOT NULL DEFAULT '',
    inside TEXT NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS waiting ON mail (due) WHERE state = 'waiting';
CREATE INDEX IF NOT EXISTS held ON mail (date) WHERE state = 'held';
CREATE INDEX IF NOT EXISTS lost ON mail (ended) WHERE state = 'lost';
CREATE INDEX IF NOT EXISTS part ON mail (inside) WHERE inside != '';
CREATE INDEX IF NOT EXISTS kept ON mail (ended) WHERE state = 'sent' AND text != '';
CREATE TABLE IF NOT EXISTS way (one INTEGER PRIMARY KEY CHECK (one = 1), due TEXT, tries INTEGER, trouble TEXT, since TEXT);
"""
_ROW = ", ".join(f'"{name}"' for name in FIELDS)
_INSERT = f"INSERT OR IGNORE INTO mail ({_ROW}, state, due) VALUES ({', '.join('?' * (len(FIELDS) + 2))})"


class Outbox:
    """The mails that one desk sends.

    Args:
        folder: where they are kept; it is made, with those above it, when it is needed.

    Example:
        >>> import tempfile
        >>> mail = Outgoing("notice 1", "bob@example.org", "n1@example.org", "Hello", "Dear bob,", "2026-11-30T18:00:00Z")
        >>> with tempfile.TemporaryDirectory() as place, Outbox(Path(place)) as outbox:
        ...     first, again = outbox.put(mail), outbox.put(mail)
        ...     outbox.flush()
        ...     first, again, outbox.put(mail), outbox.status().waiting
        (True, False, False, 1)
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder; nothing is opened yet."""
        self.folder = folder
        self._unflushed: dict[str, tuple[Any, ...]] = {}
        self._open: sqlite3.Connection | None = None
        self._owner = 0

    def __enter__(self) -> Outbox:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file. What was put and not flushed is forgotten."""
        self._unflushed.clear()
        if self._open and self._owner == os.getpid():
            self._open.close()
        self._open = None

    # Putting

    def put(self, outgoing: Outgoing) -> bool:
        """Put a mail and return True; return False, and do nothing, if its key was put before, whether sent or not.

        It is on disk after `flush`, and only then may whatever led to it be marked as done.

        Raises:
            Trouble: the outbox cannot be read.
        """
        key = outgoing.key
        if key in self._unflushed or self._rows("SELECT 1 FROM mail WHERE key = ?", key):
            return False
        self._unflushed[key] = _values(outgoing, "held" if outgoing.digest else "waiting")
        return True

    def flush(self) -> None:
        """Wait until the disk holds all that was put, in one write.

        Raises:
            Trouble: it cannot be written; it is still to be flushed then.
        """
        if self._unflushed:
            with self._writing() as database:
                database.executemany(_INSERT, self._unflushed.values())
            self._unflushed.clear()

    # Sending

    def send(self, build: Callable[[Outgoing], bytes], carrier: Carrier, now: str, *, most: int = 0) -> Sent:
        """Send what is due, each mail once, those put first at the front.

        Args:
            build: makes the bytes of a mail.
            carrier: takes them away; it is closed in the end.
            now: the time (UTC, as `2026-11-30T18:00:00Z`).
            most: how many mails at most; 0 for all.

        Raises:
            Trouble: the outbox cannot be read or written.
        """
        try:
            with locked(self._prepared() / ".send.lock", patience=0):
                return self._send(build, carrier, now, most)
        except Locked:
            return Sent(trouble="Another process is sending.")
        finally:
            carrier.close()

    def _send(self, build: Callable[[Outgoing], bytes], carrier: Carrier, now: str, most: int) -> Sent:
        if paused := self._rows("SELECT trouble FROM way WHERE due > ?", now):
            return Sent(trouble=paused[0][0])
        done = Sent()
        due = self._rows("SELECT key FROM mail WHERE state = 'waiting' AND due <= ? ORDER BY rowid", now)
        for (key,) in due[: most or None]:
            try:
                self._send_one(key, build, carrier, now, done)
            except Unreachable as error:
                done.trouble = one_line(str(error))
                self._pause_way(now, done.trouble)
                break
        self._forget(now)
        return done

    def _send_one(self, key: str, build: Callable[[Outgoing], bytes], carrier: Carrier, now: str, done: Sent) -> None:
        outgoing, tries, failing = self._claim(key, now)
        try:
            said = carrier.deliver(outgoing.to, _built(build, outgoing), key)
        except Rejected as error:
            self._end(outgoing, "lost", now, f"refused: {error}")
            done.lost += 1
        except Postponed as error:
            done.lost += self._postpone(outgoing, failing or now, now, str(error))
            done.postponed += 1
        except Unreachable as error:
            # Not the fault of this mail: the claim is taken back.
            self._change(key, due=now, tries=tries)
            self._log(now, "waits", outgoing, str(error))
            raise
        else:
            self._end(outgoing, "sent", now, said)
            self._open_way()
            done.sent += 1

    def _claim(self, key: str, now: str) -> tuple[Outgoing, int, str]:
        """Move the next try of a mail into the future and return it, its tries so far, and since when it fails."""
        row = self._rows(f"SELECT {_ROW}, tries, failing FROM mail WHERE key = ?", key)[0]
        tries: int = row[-2]
        self._change(key, tries=tries + 1, due=_later(now, tries))
        return _outgoing(row[: len(FIELDS)]), tries, row[-1]

    def _postpone(self, outgoing: Outgoing, failing: str, now: str, reason: str) -> bool:
        """Note that a mail was not taken; return whether it is given up."""
        if moment(now) - moment(failing) >= LIFETIME:
            self._end(outgoing, "lost", now, f"given up after {LIFETIME.days} days: {reason}")
            return True
        self._change(outgoing.key, failing=failing, result=one_line(reason))
        self._log(now, "later", outgoing, reason)
        return False

    def _end(self, outgoing: Outgoing, state: str, now: str, result: str) -> None:
        self._change(outgoing.key, state=state, ended=now, result=one_line(result))
        self._log(now, state, outgoing, result)

    def _pause_way(self, now: str, trouble: str) -> None:
        tries, since = next(iter(self._rows("SELECT tries, since FROM way")), (0, now))
        with self._writing() as database:
            row = (_later(now, tries), tries + 1, trouble, since)
            database.execute("INSERT OR REPLACE INTO way (one, due, tries, trouble, since) VALUES (1, ?, ?, ?, ?)", row)

    def _open_way(self) -> None:
        if self._rows("SELECT 1 FROM way"):
            with self._writing() as database:
                database.execute("DELETE FROM way")

    def _forget(self, now: str) -> None:
        """Drop the contents of mails that were sent long ago; their keys stay, so that none is sent again."""
        before = (moment(now) - KEPT).strftime(TIME)
        # The parts of a digest are needed for as long as it has not been sent.
        needed = "EXISTS (SELECT 1 FROM mail AS digest WHERE digest.key = mail.inside AND digest.state = 'waiting')"
        old = f"state = 'sent' AND text != '' AND ended < ? AND NOT {needed}"
        if self._rows(f"SELECT 1 FROM mail WHERE {old} LIMIT 1", before):
            with self._writing() as database:
                database.execute(f"UPDATE mail SET text = '', report_text = x'', report_html = x'' WHERE {old}", (before,))

    def _log(self, now: str, state: str, outgoing: Outgoing, result: str) -> None:
        """Add a line to the delivery log: no content, and nothing that depends on it; the database knows the same."""
        line = f"{now}\t{state}\t{one_line(outgoing.key)}\t{one_line(outgoing.to)}\t{one_line(result)}\n"
        with contextlib.suppress(OSError):
            descriptor = os.open(self.folder / LOG, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(descriptor, line.encode())
            finally:
                os.close(descriptor)

    # Digests

    def held(self) -> list[Outgoing]:
        """Return the mails that are held for a digest, the oldest first."""
        return [_outgoing(row) for row in self._rows(f"SELECT {_ROW} FROM mail WHERE state = 'held' ORDER BY rowid")]

    def gather(self, digest: Outgoing, keys: Sequence[str], now: str) -> bool:
        """Put a digest in the place of mails that are held for it, all in one write; return False if it was put before.

        Args:
            digest: the mail that holds them all; it waits to be sent.
            keys: those mails. They count as sent; `parts` returns them.
            now: the time (UTC, as `2026-11-30T18:00:00Z`).

        Raises:
            Trouble: it cannot be written.
        """
        self.flush()
        with self._writing() as database:
            if not database.execute(_INSERT, _values(digest, "waiting")).rowcount:
                return False
            change = (
                "UPDATE mail SET state = 'sent', ended = ?, result = 'in a digest', inside = ? WHERE key = ? AND state = 'held'"
            )
            database.executemany(change, [(now, digest.key, key) for key in keys])
        return True

    def parts(self, key: str) -> list[Outgoing]:
        """Return the mails that went into a digest, in the order in which they were put."""
        return [_outgoing(row) for row in self._rows(f"SELECT {_ROW} FROM mail WHERE inside = ? ORDER BY rowid", key)]

    # For the moderator

    def resend(self, pattern: str) -> list[str]:
        """Make mails due again at once, those that were sent or given up among them; return their keys.

        Args:
            pattern: a key, match, address, or seat as `cl-7k3q/alice`; `*` and `?` stand for anything.

        Raises:
            Trouble: it cannot be written.
        """
        rows = self._rows(
            """SELECT key, match, "to", match || '/' || seat FROM mail WHERE state != 'held' AND text != '' ORDER BY rowid"""
        )
        keys = [row[0] for row in rows if any(fnmatchcase(name, pattern) for name in row)]
        with self._writing() as database:
            change = "UPDATE mail SET state = 'waiting', due = '', tries = 0, failing = '', ended = '' WHERE key = ?"
            database.executemany(change, [(key,) for key in keys])
            database.execute("DELETE FROM way")
        return keys

    def lost(self) -> list[Lost]:
        """Return the mails that will not be tried again, those given up first at the front."""
        what = "SELECT key, \"to\", match, seat, what, result, ended FROM mail WHERE state = 'lost' ORDER BY ended, rowid"
        return [Lost(*row) for row in self._rows(what)]

    def status(self) -> Status:
        """Return what is in the outbox."""
        count = dict(self._rows("SELECT state, count(*) FROM mail GROUP BY state"))
        oldest, due = self._rows("SELECT coalesce(min(date), ''), coalesce(min(due), '') FROM mail WHERE state = 'waiting'")[0]
        matches = dict(self._rows("SELECT match, count(*) FROM mail WHERE state = 'waiting' GROUP BY match ORDER BY match"))
        trouble, since = next(iter(self._rows("SELECT trouble, since FROM way")), ("", ""))
        waiting, held, sent, lost = (count.get(state, 0) for state in ("waiting", "held", "sent", "lost"))
        return Status(waiting, held, sent, lost, oldest, due, matches, trouble, since)

    # The file

    def _rows(self, query: str, *values: str) -> list[Any]:
        with self._told("read"):
            return self._database().execute(query, values).fetchall()

    def _change(self, key: str, **columns: object) -> None:
        with self._writing() as database:
            change = ", ".join(f"{name} = ?" for name in columns)
            database.execute(f"UPDATE mail SET {change} WHERE key = ?", (*columns.values(), key))

    @contextlib.contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """Write all that the block does, on disk when it ends, or nothing."""
        with self._told("written"):
            database = self._database()
            database.execute("BEGIN IMMEDIATE")
            try:
                yield database
                database.execute("COMMIT")
            except BaseException:
                with contextlib.suppress(sqlite3.Error):
                    database.execute("ROLLBACK")
                raise

    def _database(self) -> sqlite3.Connection:
        if self._open is None or self._owner != os.getpid():
            _inherited.append(self._open)
            self._open, self._owner = _connect(self._prepared()), os.getpid()
        return self._open

    def _prepared(self) -> Path:
        with self._told("made"):
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return self.folder

    @contextlib.contextmanager
    def _told(self, what: str) -> Iterator[None]:
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            reason = error.strerror if isinstance(error, OSError) else str(error)
            raise Trouble(f"The outbox {self.folder} cannot be {what}: {reason}.", "Check the disk, then try again.") from None


def _connect(folder: Path) -> sqlite3.Connection:
    # Two processes that set up the same file at once would not wait for each other.
    with locked(folder / ".open.lock"):
        os.close(os.open(folder / FILE, os.O_WRONLY | os.O_CREAT, 0o600))  # nobody else may read it: it holds hands
        database = sqlite3.connect(folder / FILE, timeout=_PATIENCE, isolation_level=None)
        # Not WAL: there an idle connection holds locks, which a process that forks hands on only in appearance.
        database.execute("PRAGMA journal_mode = TRUNCATE")
        database.execute("PRAGMA synchronous = FULL")
        database.executescript(_SCHEMA)
    return database


def _built(build: Callable[[Outgoing], bytes], outgoing: Outgoing) -> bytes:
    if not is_address(outgoing.to):
        raise Rejected(f"{outgoing.to!r} is no mail address")
    try:
        return build(outgoing)
    except RefereeError as error:
        raise Postponed(f"it cannot be made: {error}") from None
    except Exception as error:  # one mail that cannot be made must not stop the others
        raise Postponed(f"it cannot be made: {type(error).__name__}") from error


def _values(outgoing: Outgoing, state: str) -> tuple[Any, ...]:
    """Return the row of a new mail, which is due at once."""
    row = vars(outgoing)
    return (*[row[name] for name in FIELDS], state, "")


def _outgoing(row: Iterable[Any]) -> Outgoing:
    values = dict(zip(FIELDS, row, strict=True))
    return Outgoing(**{**values, "digest": bool(values["digest"])})


def _later(now: str, tries: int) -> str:
    """Return when a mail is due that has been tried so often before now."""
    return (moment(now) + timedelta(minutes=PAUSES[min(tries, len(PAUSES) - 1)])).strftime(TIME)
