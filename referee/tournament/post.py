"""The mails of an event: first reports of its matches, news to all players, and notices to the director."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from referee.chain import Chain
from referee.config import Config
from referee.keys import SigningKey
from referee.mail.answers import Facts
from referee.mail.mailer import Letterhead, Mailer, Place
from referee.mail.outbox import Outbox
from referee.mail.reports import Reports
from referee.people import People
from referee.postal import Postal

from .director import Director
from .event import Event
from .play import folder_of
from .watch import DIRECTOR, EVERYBODY, Notice


def postal_of(config: Config) -> Postal:
    """Return how the matches of an event at a desk go by mail."""
    return Postal(config.address, config.moderator, config.name)


def mail_first_reports(event: Event, director: Director, config: Config) -> int:
    """Put the first reports of the newest round in the outbox; return of how many matches. May be repeated.

    Raises:
        RefereeError: a match cannot be read, or the outbox not be written.
    """
    sheet = event.sheets[-1]
    matches = [event.match_id(sheet.round.number, one.table) for one in sheet.round.pairings if not one.is_bye]
    with Outbox(config.desk / "outbox") as outbox:
        reports = Reports(Mailer(config, director.key, outbox, director.at), director.key)
        for done, match in enumerate(matches, 1):
            chain = Chain(folder_of(director.folder, match), director.key.public)
            if reports.mailed(chain.path) is None:
                reports.mail(chain, chain.latest())
            director.told("first reports", done, len(matches))
        outbox.flush()
        reports.write_ledgers()
    return len(matches)


def mail_to_all(event: Event, director: Director, config: Config, what: str, text: str) -> int:
    """Put a report in the outbox for every player who has an address; return how many there are.

    After the same step of the event a report is mailed once, however often this is called; that of the progress changes without
    a step, and is mailed again when it says something else.
    """
    progress = what.startswith("progress")
    mark = sha256(text.encode()).hexdigest()[:16] if progress else str(director.book.read().serial)
    with Outbox(config.desk / "outbox") as outbox:
        mailer = Mailer(config, director.key, outbox, director.at)
        count = sum(
            _tell(mailer, event, player, address, f"event {event.plan.id} {what} {mark} {player}", text)
            for player, address in _addresses(director, event)
        )
        outbox.flush()
    return count


def deliver(notices: Iterable[Notice], event: Event, director: Director, mailer: Mailer) -> None:
    """Put the mails that notices ask for in the outbox.

    Args:
        notices: what has to be told.
        event: the event.
        director: its director.
        mailer: puts mails in the outbox.
    """
    addresses = dict(_addresses(director, event))
    for notice in notices:
        if notice.to == DIRECTOR:
            mailer.tell_moderator(notice.key, notice.text)
            continue
        for player in addresses if notice.to == EVERYBODY else (notice.to,):
            if address := addresses.get(player, ""):
                _tell(mailer, event, player, address, f"{notice.key} to {player}", notice.text)


def _addresses(director: Director, event: Event) -> list[tuple[str, str]]:
    people = People(director.folder).read()
    return [(name, people[name].address) for name in event.players if name in people and people[name].address]


def _tell(mailer: Mailer, event: Event, player: str, address: str, key: str, text: str) -> bool:
    facts = Facts(match=event.plan.id, title=event.plan.title, seat=player, message=text)
    return mailer.put("event", facts, Letterhead(key, address, place_of(event, player)))


def place_of(event: Event, player: str) -> Place:
    """Return the place of a player's thread of mails about an event."""
    holder = event.players[player].holder if player in event.players else 1
    return Place(event.plan.id, 0, player, holder)


def is_reply_to(key: SigningKey, mailer: Mailer, event: Event, player: str, named: Iterable[str], mail: str) -> bool:
    """Return whether a reply names the Message-Id of a mail of ours, which only its reader was sent.

    Args:
        key: the referee's key.
        mailer: made the mail.
        event, player: what it was about.
        named: the Message-Ids that the reply names.
        mail: the key of our mail in the outbox.
    """
    own = mailer.id_of(place_of(event, player), mail).partition("@")[0]
    return any(one.strip(" \t\r\n<>").lower().partition("@")[0] == own for one in named)
