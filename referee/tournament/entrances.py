"""Entries by mail: `enter EVENT as NAME` and `withdraw from EVENT`, each answered by a question that has to be confirmed.

Anybody can write any address into a mail. So nothing is done before the question, which goes to that address, is replied to:
its Message-Id is sealed by the referee's key and names event, player and address. Nothing is kept in between.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from referee.config import Config
from referee.errors import RefereeError, Refused
from referee.keys import SigningKey
from referee.mail.answers import About, Facts
from referee.mail.letter import Letter
from referee.mail.limits import Limits
from referee.mail.mailer import NOWHERE, Letterhead, Mailer
from referee.mail.outbox import Outbox
from referee.mail.tables import plain_address
from referee.mail.threads import thread_of
from referee.mail.who import Unanswered
from referee.people import People, Person

from .book import STEPS
from .director import Director, format_of
from .event import Event
from .plans import EVENT_ID
from .post import is_reply_to, place_of
from .steps import check_name

VERBS = ("enter", "withdraw from")
"""The first words of lines about an event."""
MOST_STRANGERS = 500
"""How many mails of people whom nobody knows are answered in a day, in all: nobody's mailbox is to be filled by us."""

_ENTER = re.compile(r"enter\s+([a-z0-9-]{1,40})\s+as\s+([a-z0-9_-]{1,40})", re.IGNORECASE)
_WITHDRAW = re.compile(r"withdraw\s+from\s+([a-z0-9-]{1,40})", re.IGNORECASE)
_CONFIRM = re.compile(r"confirm\b[\s,:]*(.{0,64})", re.IGNORECASE)


class _Mail(NamedTuple):
    """A mail about an event: its key in the inbox, who sent it from where, and what it replies to."""

    key: str
    sender: str
    about: About
    replies_to: tuple[str, ...]


class Entrances:
    """Sees to mails about the tournaments of a desk.

    Args:
        config: the desk.
        key: the referee's key.
        outbox: where answers go.
        now: the time, UTC.
    """

    def __init__(self, config: Config, key: SigningKey, outbox: Outbox, now: str) -> None:
        """Take what is needed; nothing is read yet."""
        self.config, self.key, self.now = config, key, now
        self.mailer = Mailer(config, key, outbox, now)
        self.limits = Limits(config.desk / "counts")

    def takes(self, key: str, letter: Letter) -> bool:
        """See to a mail, if it is about an event; return whether it was.

        Args:
            key: the mail's key in the inbox.
            letter: what it asks for.

        Raises:
            Unanswered: it is, and nobody is answered; says why.
        """
        if letter.submission is not None or not letter.lines:
            return False
        message, line = letter.message, letter.lines[0]
        about = About(message.subject, message.date, message.id)
        mail = _Mail(key, plain_address(message.sender), about, tuple(message.replies_to))
        if found := _CONFIRM.fullmatch(line):
            return self._confirmed(mail, found[1].strip())
        if found := _ENTER.fullmatch(line):
            return self._asked(mail, found[1].lower(), found[2].lower())
        if found := _WITHDRAW.fullmatch(line):
            return self._leaving(mail, found[1].lower())
        return False

    # What was asked

    def _asked(self, mail: _Mail, name: str, player: str) -> bool:
        """Ask whoever wants to enter to confirm it; say why, if nobody can."""
        director = self._director(name)
        if director is None:
            return self._answer(mail, name, "", reason=f"There is no event {name} here.", help="Look at its name once more.")
        try:
            event = director.read()
            _check_entry(event, People(director.folder), player, mail.sender)
        except RefereeError as error:
            return self._answer(mail, name, player, reason=error.sentence, help=error.help)
        said = [
            f"You want to enter {event.plan.title} ({name}) as {player}. If that is so, reply to this mail with the line",
            "confirm",
            "You may add a few words of your own behind it: they go into the seed from which the lots are drawn. "
            "If it was not you, do nothing.",
        ]
        return self._answer(mail, name, player, *said, out=_enter_key(name, player, mail.sender), event=event)

    def _leaving(self, mail: _Mail, name: str) -> bool:
        """Ask whoever wants to withdraw to confirm it."""
        director = self._director(name)
        event = director.read() if director else None
        player = self._player_at(director, event, mail.sender) if director and event else ""
        if event is None or not player:
            raise Unanswered(f"a stranger wants to withdraw from {name}")
        if event.players[player].away:
            return self._answer(mail, name, player, f"{player} has withdrawn from {event.plan.title} already.")
        said = [
            f"You want to withdraw from {event.plan.title} as {player}. If that is so, reply to this mail with the line",
            "confirm",
            "Matches that have begun go on; you are paired no more. If it was not you, do nothing.",
        ]
        return self._answer(mail, name, player, *said, out=_withdraw_key(event, player), event=event)

    # What was confirmed

    def _confirmed(self, mail: _Mail, words: str) -> bool:
        """Do what a question of ours asked, if this is a reply to it."""
        threads = [thread for id in mail.replies_to if (thread := thread_of(self.key, id))]
        for thread in threads:
            director = self._director(thread.match)
            if director is None:
                continue
            event, player = director.read(), thread.seat
            if self._replies(event, player, mail, _enter_key(thread.match, player, mail.sender)):
                return self._enter(mail, director, event, player, words)
            own = self._player_at(director, event, mail.sender) == player
            if own and self._replies(event, player, mail, _withdraw_key(event, player)):
                return self._withdraw(mail, director, event, player)
        if threads and self._director(threads[0].match) is not None:
            raise Unanswered(f"“confirm” from an address that {threads[0].match} sent no question to")
        return False

    def _replies(self, event: Event, player: str, mail: _Mail, question: str) -> bool:
        return is_reply_to(self.key, self.mailer, event, player, mail.replies_to, question)

    def _enter(self, mail: _Mail, director: Director, event: Event, player: str, words: str) -> bool:
        name, title = event.plan.id, event.plan.title
        done = f"You have entered {title} as {player}. Your first report comes when a round is published."
        if self._player_at(director, event, mail.sender) == player:
            return self._answer(mail, name, player, done)
        try:
            row = {"nonce": words} if words and not event.started else {}
            director.enter({player: row}, {player: Person(mail.sender)})
        except RefereeError as error:
            return self._answer(mail, name, player, reason=error.sentence, help=error.help)
        return self._answer(mail, name, player, done)

    def _withdraw(self, mail: _Mail, director: Director, event: Event, player: str) -> bool:
        if not event.players[player].away:
            director.withdraw(player, f"{player} wrote so by mail.")
        return self._answer(mail, event.plan.id, player, f"You have withdrawn from {event.plan.title}.")

    # Parts

    def _director(self, name: str) -> Director | None:
        """Return the director of an event of this desk; None if there is none of that name."""
        folder: Path = self.config.tournaments / name
        if not EVENT_ID.fullmatch(name) or not (folder / STEPS).is_dir():
            return None
        return Director(folder, self.key, self.now)

    def _player_at(self, director: Director, event: Event, address: str) -> str:
        """Return who plays from an address; "" if nobody does."""
        people = People(director.folder).read()
        mine = (name for name, one in people.items() if address and plain_address(one.address) == address)
        return next((name for name in mine if name in event.players), "")

    def _answer(
        self,
        mail: _Mail,
        name: str,
        player: str,
        *done: str,
        reason: str = "",
        help: str = "",
        out: str = "",
        event: Event | None = None,
    ) -> bool:
        """Answer a mail, as often as one sender, and all strangers together, are answered in a day."""
        day, limits = self.now[:10], self.limits
        if not mail.sender or not limits.allows(f"answer {mail.sender}", self.config.answers_a_day, day):
            raise Unanswered("a mail about an event, from somebody who was answered often today")
        if not limits.allows("entries of strangers", MOST_STRANGERS, day):
            raise Unanswered("a mail about an event, and so many were answered today")
        facts = Facts(match=name, seat=player, done=list(done), reason=reason, help=help, answer_to=self.config.address)
        place = place_of(event, player) if event is not None else NOWHERE
        self.mailer.put("entry", facts, Letterhead(out or f"answer {mail.key}", mail.sender, place, mail.about))
        return True


def _enter_key(event: str, player: str, address: str) -> str:
    return f"enter {event} {player} {address}"


def _withdraw_key(event: Event, player: str) -> str:
    """Return what names the question; another one after each time that the player came back."""
    times = sum(ruling.what.startswith(f"{player} ") for ruling in event.rulings)
    return f"withdraw {event.plan.id} {player} {times}"


def _check_entry(event: Event, people: People, player: str, address: str) -> None:
    """Check that somebody may enter under a name.

    Raises:
        Refused, Usage: the name is none, or taken; the address has entered; or nobody can enter any more.
    """
    check_name(player)
    if event.state == "closed" or (event.started and not format_of(event).late):
        raise Refused(f"Nobody can enter {event.plan.title} any more.", "Wait for the next event.")
    if player in event.players:
        raise Refused(f"The name {player} is taken in {event.plan.title}.", "Take another one: “enter EVENT as NAME”.")
    if any(plain_address(one.address) == address and name in event.players for name, one in people.read().items()):
        raise Refused(f"You have entered {event.plan.title} already.", "Nobody enters twice.")
