"""What time brings about, as mails: invitations, reminders, deadlines that are over."""

from __future__ import annotations

from referee.chain import Chain, Link
from referee.dispatch import Made, make
from referee.keys import SigningKey
from referee.people import People
from referee.postal import read_postal
from referee.tick import MODERATOR, Notice
from referee.words import sentences

from .answers import Facts, Kind
from .mailer import Letterhead, Mailer, Place, facts_from

_KINDS: dict[str, Kind] = {"missed": "missed"}


def deliver(notice: Notice, chain: Chain, key: SigningKey, mailer: Mailer) -> None:
    """Put the mail that a notice asks for in the outbox.

    Args:
        notice: what time has brought about.
        chain: the match.
        key: the referee's key.
        mailer: puts mails in the outbox.

    Raises:
        RefereeError: the match cannot be read.
    """
    if notice.to == MODERATOR:
        mailer.tell_moderator(notice.key, f"{notice.match}: {notice.text}")
        return
    person = People(chain.path).of(notice.to)
    if not person.address:
        return
    link = chain.latest()
    m = link.save.match
    kind = _KINDS.get(notice.kind, "reminder")
    if m.table is None:
        invite(chain, notice.to, mailer, notice.key)
        return
    head = Letterhead(notice.key, person.address, Place.of(m, notice.to))
    made = make(chain, link, notice.to, ("text", "html"), key)
    facts = _facts(made, link, notice)
    mailer.put(kind, facts, head, made)


def invite(chain: Chain, seat: str, mailer: Mailer, key: str) -> None:
    """Put the invitation of a seat in the outbox.

    Args:
        chain: a match that has not begun.
        seat: the seat.
        mailer: puts mails in the outbox.
        key: names the mail in the outbox.

    Raises:
        RefereeError: the match cannot be read.
    """
    m, postal = chain.latest().save.match, read_postal(chain.path)
    facts = Facts(match=m.id, title=m.game.title, seat=seat, seats=m.seats, contact=postal.contact)
    facts.goal = sentences(m.game).get("goal", {}).get("text", "")
    facts.answer_to = postal.answer_to
    mailer.put("invitation", facts, Letterhead(key, People(chain.path).of(seat).address, Place.of(m, seat)))


def _facts(made: Made, link: Link, notice: Notice) -> Facts:
    facts = facts_from(made, link.save.match, attached=True)
    facts.deadline = notice.deadline
    if notice.kind == "missed":
        facts.reason = notice.text
    elif notice.kind != "reminder":
        facts.notes = [notice.text]
    return facts
