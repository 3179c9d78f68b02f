"""How the desk's mails are made: words, thread, and what goes along; all of them go into the outbox and nowhere else."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from referee.config import Config
from referee.dispatch import Made
from referee.fields import dataclass
from referee.keys import SigningKey
from referee.match import Match
from referee.words import sentences

from .answers import About, Facts, Kind, answer, facts_of
from .outbox import Outbox
from .outgoing import Outgoing
from .tables import plain_address
from .threads import domain_of, message_id, references, root_id

WHAT: Mapping[str, str] = {
    "invitation": "invitation",
    "begun": "report",
    "report": "report",
    "missed": "report",
    "reminder": "reminder",
    "press": "press",
    "digest": "digest",
    "notice": "notice",
    "event": "notice",
}
"""What the outbox calls the kinds of mails that are no answers."""


class Place(NamedTuple):
    """What a mail is about: match, stop, seat, and the number of the seat's holder. Its own kind of nothing: `NOWHERE`."""

    match: str
    stop: int
    seat: str
    holder: int

    @classmethod
    def of(cls, m: Match, seat: str) -> Place:
        """Return the place of a seat at the present stop."""
        return cls(m.id, m.stop, seat, m.holders[seat])


NOWHERE = Place("", 0, "", 0)
_DESK = ("desk", 0, "nobody", 1)


@dataclass
class Letterhead:
    """What a mail is besides its words.

    Attributes:
        key: names it in the outbox for ever.
        to: the address.
        place: what it is about.
        about: the mail that it answers; None if none.
        digest: whether its reader wants one mail a day.
    """

    key: str
    to: str
    place: Place
    about: About | None = None
    digest: bool = False


class Mailer:
    """Puts mails in the outbox.

    Args:
        config: the desk.
        key: the referee's key.
        outbox: where they go.
        now: the time, UTC.
    """

    def __init__(self, config: Config, key: SigningKey, outbox: Outbox, now: str) -> None:
        """Take what all mails need."""
        self.config, self.key, self.outbox, self.now = config, key, outbox, now
        self.domain = domain_of(config.address)

    def put(self, kind: Kind, facts: Facts, head: Letterhead, made: Made | None = None) -> bool:
        """Put a mail in the outbox; return False if its key was put before, or if there is nobody to send it to.

        Args:
            kind: what kind of mail it is.
            facts: what it says.
            head: whom it goes to, and where in the threads it belongs.
            made: the report that goes along.
        """
        to = plain_address(head.to)
        if not to:
            return False
        if not facts.contact:
            facts.contact = self.config.moderator
        subject, text = answer(kind, facts, head.about)
        place = head.place
        root = root_id(self.key, place.match, place.seat, place.holder, self.domain) if place.match else ""
        answered = head.about.id if head.about else ""
        own = root if kind == "invitation" else self.id_of(place, head.key)
        return self.outbox.put(
            Outgoing(
                key=head.key,
                to=to,
                message_id=own,
                subject=subject,
                text=text,
                date=self.now,
                in_reply_to=answered or (root if root != own else ""),
                references=" ".join(one for one in references(root, answered) if one != own),
                report_text=made.data.get("text", b"") if made else b"",
                report_html=made.data.get("html", b"") if made else b"",
                file_name=f"{place.match}-stop-{place.stop:04}" if made else "",
                match=place.match,
                seat=place.seat,
                what=WHAT.get(kind, "answer"),
                digest=head.digest,
            )
        )

    def id_of(self, place: Place, key: str) -> str:
        """Return the Message-Id of a mail, by its key in the outbox."""
        return message_id(self.key, *(place if place.match else _DESK), key, self.domain)

    def tell_moderator(self, key: str, message: str, *items: tuple[str, str]) -> bool:
        """Put a notice to the moderator in the outbox, if there is one."""
        return self.put("notice", Facts(message=message, items=items), Letterhead(key, self.config.moderator, NOWHERE))


def facts_from(made: Made, m: Match, *, attached: bool, guide: bool = False) -> Facts:
    """Return what a mail may say to a seat, from what its report was made from; with the guide of the game if wanted."""
    facts = facts_of(made.ready, sentences(m.game).get("questions", {}))
    if not guide:
        facts.orders = facts.example = {}
    facts.attached = attached
    return facts
