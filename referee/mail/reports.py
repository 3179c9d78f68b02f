"""Reports on their way out: those of every save that was not mailed yet, each to its reader, once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee.chain import Chain, Link
from referee.dispatch import make
from referee.fields import dataclass
from referee.keys import SigningKey
from referee.people import People, Person
from referee.report import Form

from .answers import About, Facts, Kind
from .ledger import Due, due, read_mailed, write_mailed
from .mailer import Letterhead, Mailer, Place, facts_from

_FORMS: Sequence[Form] = ("text", "html")


@dataclass
class Own:
    """What the sender of a mail is told in the mail that brings the report.

    Attributes:
        seat: the sender.
        kind: the kind of mail.
        to: where it goes.
        said: further facts, by name, such as `played`.
        about: the mail that is answered.
    """

    seat: str
    kind: Kind
    to: str
    said: dict[str, Any]
    about: About


class Reports:
    """Puts the reports of matches in the outbox, and keeps the ledgers of what is there.

    Args:
        mailer: puts mails in the outbox.
        key: the referee's key.
    """

    def __init__(self, mailer: Mailer, key: SigningKey) -> None:
        """Take what is needed; nothing is read yet."""
        self.mailer, self.key = mailer, key
        self._mailed: dict[Path, int | None] = {}
        self._changed: set[Path] = set()

    def mailed(self, folder: Path) -> int | None:
        """Return the last save of a match whose reports were put in the outbox."""
        if folder not in self._mailed:
            self._mailed[folder] = read_mailed(folder)
        return self._mailed[folder]

    def write_ledgers(self) -> None:
        """Write down what is in the outbox; only after it was flushed, and what led to it is marked as done."""
        for folder in self._changed:
            write_mailed(folder, self._mailed[folder] or 0)
        self._changed.clear()

    def mail(self, chain: Chain, link: Link, own: Own | None = None) -> bool:
        """Put every report that is due in the outbox.

        Args:
            chain: the match.
            link: its newest save.
            own: what the sender of a mail is told; it goes into one mail with the sender's newest report.

        Returns:
            Whether the sender had a report due, so that nothing more is to be answered.
        """
        dues = due(chain, link, self.mailed(chain.path))
        last = next((one for one in reversed(dues) if own and one.seat == own.seat), None)
        people = People(chain.path).read() if dues else {}
        for one in dues:
            at = link if one.serial == link.save.entry.serial else chain.link(one.serial)
            self._put(chain, at, one, people.get(one.seat, Person()), own if one is last else None)
        self._mark(chain.path, link.save.entry.serial)
        return last is not None

    def _mark(self, folder: Path, serial: int) -> None:
        if self._mailed[folder] is None or serial > self._mailed[folder]:  # type: ignore[operator]
            self._mailed[folder] = serial
            self._changed.add(folder)

    def _put(self, chain: Chain, link: Link, one: Due, person: Person, own: Own | None) -> None:
        to = own.to if own else person.address
        if not to:
            return
        made = make(chain, link, one.seat, _FORMS, self.key)
        m = link.save.match
        facts = facts_from(made, m, attached=True)
        head = Letterhead(report_key(m.id, one), to, Place.of(m, one.seat))
        if own:
            kind, head.about = own.kind, own.about
            _add(facts, own.said)
        else:
            head.digest = person.digest
            kind, said = _news(link.save.entry.move, one.seat)
            _add(facts, said)
        self.mailer.put(kind, facts, head, made)


def report_key(match: str, one: Due) -> str:
    """Return what names a report in the outbox.

    Example:
        >>> report_key("cl-7k3q", Due(17, 12, "alice"))
        'report cl-7k3q 12 alice 17'
    """
    return f"report {match} {one.stop} {one.seat} {one.serial}"


def _news(move: Mapping[str, Any], seat: str) -> tuple[Kind, dict[str, Any]]:
    """Return what kind of mail tells a reader of a move, and what it says besides the report."""
    if move["kind"] == "begin":
        return "begun", {}
    if move.get("by") == "clock" and move.get("seat") == seat:
        return "missed", {"played": move.get("played", [])}
    return "report", {}


def _add(facts: Facts, said: Mapping[str, Any]) -> None:
    for name, value in said.items():
        setattr(facts, name, value)
