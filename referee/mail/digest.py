"""One mail a day: a player's news of all matches, and the moderator's list of what was refused."""

from __future__ import annotations

import re
from hashlib import sha256

from .answers import Facts, answer
from .mailer import NOWHERE, Mailer
from .notes import Notes
from .outbox import Outbox
from .outgoing import Outgoing

_SIGNATURE = re.compile(rb"\n\[signature\]\nkey = .*\Z", re.DOTALL)


def send_digests(outbox: Outbox, mailer: Mailer, hour: int) -> int:
    """Put the digest of every player who wants one in the outbox, with all that was held before an hour; return how many.

    Args:
        outbox: where mails are held for it.
        mailer: makes Message-Ids, and knows the time.
        hour: the hour of the day, UTC.

    Raises:
        Trouble: the outbox cannot be written.
    """
    until = f"{mailer.now[:10]}T{hour:02}:00:00Z"
    if mailer.now < until:
        return 0
    readers: dict[str, list[Outgoing]] = {}
    for held in outbox.held():
        if held.date < until:
            readers.setdefault(held.to, []).append(held)
    return sum(outbox.gather(_digest(mailer, to, held), [one.key for one in held], mailer.now) for to, held in readers.items())


def _digest(mailer: Mailer, to: str, held: list[Outgoing]) -> Outgoing:
    key = f"digest {mailer.now[:10]} {sha256(to.encode()).hexdigest()[:16]}"
    items = [(one.subject, _text(one)) for one in held]
    subject, text = answer("digest", Facts(items=items, contact=mailer.config.moderator, attached=True))
    return Outgoing(key, to, mailer.id_of(NOWHERE, key), subject, text, mailer.now, what="digest")


def _text(held: Outgoing) -> str:
    """Return what a held mail says: its report without the signature, or its text."""
    if held.report_text:
        return _SIGNATURE.sub(b"", held.report_text).decode(errors="replace")
    return held.text


def send_notes(notes: Notes, mailer: Mailer) -> list[str]:
    """Put the notes of earlier days in the outbox, for the moderator; return the days, to be dropped after a flush.

    Args:
        notes: the notes of the desk.
        mailer: puts mails in the outbox.
    """
    days = []
    for day, lines in notes.before(mailer.now[:10]).items():
        said = f"Mails that were refused or not answered on {day}:"
        mailer.tell_moderator(f"notes {day}", said, ("", lines))
        days.append(day)
    return days
