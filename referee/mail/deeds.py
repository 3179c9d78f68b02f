"""What the desk does at a player's word: vacations, addresses, keys, messages, votes, and giving up.

Every line is checked before any is done, and each may be done twice without harm: after a crash a mail is worked on again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from referee import clock, desk, press
from referee.chain import Chain
from referee.clock import Settings, check_vacation, utc
from referee.config import is_address
from referee.errors import NotNow, Refused, Usage
from referee.keys import SigningKey
from referee.match import Match
from referee.people import People, Person
from referee.postal import read_postal

from .answers import Facts
from .desklines import DeskLine
from .limits import Limits
from .mailer import Letterhead, Mailer, Place
from .tables import plain_address
from .who import Who

MOST_SAID_A_DAY = 40
"""How many messages a seat may send in a day."""
MOST_CHANGES_A_DAY = 10
"""How often a seat may change its key or its address in a day: each is a save or a mail to another."""


class Deeds:
    """Does what lines for the desk say, for one writer.

    Args:
        who: the writer, proved.
        key: the referee's key.
        mailer: puts mails in the outbox.
        limits: counts what costs others something.
    """

    def __init__(self, who: Who, key: SigningKey, mailer: Mailer, limits: Limits) -> None:
        """Take the writer and what is needed to do anything."""
        self.who, self.key, self.mailer, self.limits = who, key, mailer, limits
        self.chain: Chain = who.chain
        self.people = People(who.chain.path)

    @property
    def now(self) -> str:
        """The time, UTC."""
        return self.mailer.now

    def check(self, line: DeskLine) -> None:
        """Check that a line can be done.

        Raises:
            Refused, NotNow: it cannot; says why.
        """
        if check := _CHECKS.get(line.verb):
            check(self, line)

    def do(self, line: DeskLine) -> str:
        """Do what a line says, and return a sentence about it."""
        return _DOINGS[line.verb](self, line)

    # Messages

    def check_say(self, line: DeskLine) -> None:
        """Check that players may talk in this match."""
        if read_postal(self.chain.path).press == "none":
            raise Refused("In this match players do not send each other messages.", "Leave the line “say” out.")
        if line.to == self.who.seat:
            raise Refused("You say that to yourself.", "Name another seat, or all.")

    def say(self, line: DeskLine) -> str:
        """Keep a message and put it in the outbox for everybody who reads it."""
        m, seat = self.who.link.save.match, self.who.seat
        day = self.now[:10]
        if not self.limits.allows(f"say {m.id} {seat}", MOST_SAID_A_DAY, day):
            return f"“{line.line}” was not delivered: a seat sends at most {MOST_SAID_A_DAY} messages a day."
        said = press.Said(seat, line.to, line.value, m.stop)
        press.keep(self.chain.path, said)
        named = read_postal(self.chain.path).press == "open"
        people = self.people.read()
        for reader in said.readers(m.seats):
            self._deliver(said, m, reader, people.get(reader, Person()), seat if named else "somebody")
        return f"Your message to {line.to} is delivered."

    def _deliver(self, said: press.Said, m: Match, reader: str, person: Person, sender: str) -> None:
        facts = Facts(match=m.id, stop=m.stop, seat=reader, sender=sender, message=said.text, over=m.over)
        head = Letterhead(f"press {said.name} {reader}", person.address, Place.of(m, reader), digest=person.digest)
        self.mailer.put("press", facts, head)

    # Vacations

    def _settings(self) -> Settings:
        return clock.read(self.chain.path) or Settings()

    def check_vacation(self, line: DeskLine) -> None:
        """Check the days of a vacation."""
        if line.days and list(line.days) not in self.who.person.vacations:
            first, last = line.days
            check_vacation(self._settings(), utc(self.now), first, last, self.who.person.vacations)

    def vacation(self, line: DeskLine) -> str:
        """Write a vacation down, or take all back."""
        vacations = self.people.of(self.who.seat).vacations
        if not line.days:
            self.people.change(self.who.seat, vacations=[])
            return "Your vacations are taken back."
        if list(line.days) not in vacations:
            self.people.change(self.who.seat, vacations=[*vacations, list(line.days)])
        return f"Your vacation from {line.days[0]} to {line.days[1]} is noted."

    # Addresses

    def check_address(self, line: DeskLine) -> None:
        """Check that an address is another one."""
        if plain_address(line.value) == plain_address(self.who.person.address):
            raise Refused(f"Your mails go to {line.value} already.", "Leave the line “address” out.")

    def address(self, line: DeskLine) -> str:
        """Ask the old address whether mails may go to a new one."""
        who, m = self.who, self.who.link.save.match
        if not who.person.address:
            return self._moved(line.value)
        if not self.limits.allows(f"change {m.id} {who.seat}", MOST_CHANGES_A_DAY, self.now[:10]):
            return f"Your address is not changed: a seat does that at most {MOST_CHANGES_A_DAY} times a day."
        self.people.change(who.seat, pending_address=line.value)
        facts = Facts(match=m.id, stop=m.stop, seat=who.seat, address=line.value)
        self.mailer.put("confirm", facts, Letterhead(self._confirm_key(m.stop, line.value), who.person.address, who.place))
        return f"A question went to your present address; reply to it, and your mails go to {line.value}."

    def _confirm_key(self, stop: int, address: str) -> str:
        return f"confirm {self.who.link.save.match.id} {stop} {self.who.seat} {address}"

    def check_confirm(self, line: DeskLine) -> None:
        """Check that this is a reply to the question that went to the old address, from there."""
        who, pending = self.who, self.who.person.pending_address
        asked = self.mailer.id_of(who.place._replace(stop=who.sent.stop), self._confirm_key(who.sent.stop, pending))
        if not (pending and who.own and who.reply == asked):
            said = "“confirm” counts only as a reply to the question whether your address may change."
            raise Refused(said, "Send “address name@example.org” first.")

    def confirm(self, line: DeskLine) -> str:
        """Let mails go to the new address from now on."""
        return self._moved(self.who.person.pending_address)

    def _moved(self, address: str) -> str:
        """Register an address, and tell the old one, in case it was somebody else who asked."""
        who, m = self.who, self.who.link.save.match
        old, place = who.person.address, who.place
        self.people.change(who.seat, address=address, pending_address=address)
        move_in(self.chain, self.key, who.seat, self.now)
        who.link, who.person, who.moved = self.chain.latest(), self.people.of(who.seat), True
        facts = Facts(match=m.id, seat=who.seat, address=address)
        self.mailer.put("address", facts, Letterhead(f"address {m.id} {who.seat} {place.holder}", old, place))
        return f"Your mails go to {address} from now on; codes of older mails hold no longer."

    # What is ruled

    def _rule(self, why: str, **ruling: Any) -> None:
        self.who.link = desk.rule(self.chain, self.key, {"why": why, **ruling}, at=self.now)

    def check_key(self, line: DeskLine) -> None:
        """Check that a seat may register another key today."""
        self._check_going("register a key")
        m = self.who.link.save.match
        if self.who.link.save.entry.keys.get(self.who.seat) != line.value and not self.limits.allows(
            f"change {m.id} {self.who.seat}", MOST_CHANGES_A_DAY, self.now[:10]
        ):
            raise Refused(f"A seat changes its key at most {MOST_CHANGES_A_DAY} times a day.", "Try again tomorrow.")

    def register(self, line: DeskLine) -> str:
        """Register a key of the seat."""
        seat = self.who.seat
        if self.chain.latest().save.entry.keys.get(seat) != line.value:
            self._rule(f"{seat} sent it by mail.", ruling="key", seat=seat, key=line.value)
        return "Your key is registered; from now on you may send signed move files."

    def check_resign(self, line: DeskLine) -> None:
        """Check that a seat can be given up."""
        self._check_going("give up")
        m = self.who.link.save.match
        if m.game.resign is None:
            raise Refused(f"{m.game.title} knows no resignation.", "Write to the moderator, who can give the seat to another.")

    def resign(self, line: DeskLine) -> str:
        """Give a seat up."""
        seat = self.who.seat
        if not self.chain.latest().save.match.over:
            self._rule(f"{seat} gave up by mail.", ruling="resign", seat=seat)
        return "You have given up."

    def check_vote(self, line: DeskLine) -> None:
        """Check that there is a match to end."""
        self._check_going("vote")

    def vote(self, line: DeskLine) -> str:
        """Note a vote; when all want a draw, the match ends. Until then nobody learns of it."""
        seat, m = self.who.seat, self.who.link.save.match
        self.people.change(seat, votes_draw=line.value == "draw")
        people = self.people.read()
        if all(people.get(one, Person()).votes_draw for one in m.seats):
            if not self.chain.latest().save.match.over:
                self._rule("All players agreed on a draw.", ruling="draw")
            return "All have voted for a draw."
        if line.value == "draw":
            return "Your vote for a draw is noted; nobody learns of it unless all vote so. “vote play” takes it back."
        return "You vote to go on."

    def _check_going(self, what: str) -> None:
        m = self.who.link.save.match
        if m.table is None:
            raise NotNow(f"You cannot {what} before the match has begun.", "Reply “accept” first.")
        if m.over:
            raise NotNow(f"You cannot {what} any more: the match is over.", "")

    # The rest

    def digest(self, line: DeskLine) -> str:
        """Choose between one mail a day and a mail at once, for this match."""
        self.people.change(self.who.seat, digest=line.value == "on")
        if line.value == "on":
            return "You get your news of this match once a day from now on; answers to your own mails come at once."
        return "You get every mail at once from now on."

    def check_decline(self, line: DeskLine) -> None:
        """Refuse an answer to the invitation that comes too late."""
        raise NotNow("The match has begun.", "Write “resign match” to give up, or to the moderator, who can find a substitute.")

    def accepted(self, line: DeskLine) -> str:
        """Answer an acceptance that comes after the match has begun."""
        return "You had accepted before, and the match has begun."


def move_in(chain: Chain, key: SigningKey, seat: str, now: str) -> bool:
    """Let the old codes of a seat die whose address has changed; return whether there was anything to do.

    The new address is registered first and still pending, so that a program that was cut off in between goes on here.
    """
    person = People(chain.path).of(seat)
    if not person.pending_address or plain_address(person.pending_address) != plain_address(person.address):
        return False
    if chain.latest().save.match.table is not None:
        ruling = {"ruling": "recode", "seat": seat, "why": f"{seat} has another address."}
        desk.rule(chain, key, ruling, at=now)
    People(chain.path).change(seat, pending_address="")
    return True


def move_to(chain: Chain, key: SigningKey, seat: str, address: str, now: str) -> None:
    """Give a seat another address, at the moderator's word.

    Raises:
        Usage: there is no such seat, or the address is none.
    """
    m = chain.latest().save.match
    if seat not in m.seats:
        raise Usage(f"The match {m.id} has no seat {seat!r}.", f"Its seats are {', '.join(m.seats)}.")
    if not is_address(address):
        raise Usage(f"{address!r} is no mail address.", "Write SEAT=name@example.org.")
    People(chain.path).change(seat, address=address, pending_address=address)
    move_in(chain, key, seat, now)


_Check = Callable[[Deeds, DeskLine], None]
_CHECKS: Mapping[str, _Check] = {
    "say": Deeds.check_say,
    "vacation": Deeds.check_vacation,
    "address": Deeds.check_address,
    "confirm": Deeds.check_confirm,
    "decline": Deeds.check_decline,
    "key": Deeds.check_key,
    "resign": Deeds.check_resign,
    "vote": Deeds.check_vote,
}
_DOINGS: Mapping[str, Callable[[Deeds, DeskLine], str]] = {
    "say": Deeds.say,
    "vacation": Deeds.vacation,
    "address": Deeds.address,
    "confirm": Deeds.confirm,
    "key": Deeds.register,
    "resign": Deeds.resign,
    "vote": Deeds.vote,
    "digest": Deeds.digest,
    "accept": Deeds.accepted,
}
