"""Who wrote a mail, and for which seat: proved by a turn code, by a seat's key, or by the Message-Id that it replies to.

The address in `From` proves nothing, since anybody can write it. It only decides whether an answer is due, and to whom.
"""

from __future__ import annotations

from referee.block import Submission
from referee.chain import Chain, Link
from referee.errors import Refused
from referee.fields import dataclass, replace
from referee.keys import SigningKey
from referee.people import People, Person
from referee.submission import authenticate, check_address, code_for, opened_at

from .answers import Kind
from .letter import Letter
from .mailer import NOWHERE, Place
from .message import Message
from .tables import Tables, plain_address
from .threads import Thread, thread_of


class Unanswered(Exception):
    """A mail that nobody gets an answer to; says why, for the moderator."""


class TurnedAway(Exception):
    """A mail that does nothing, and whose sender is told why.

    Attributes:
        kind, sentence, help: the answer.
        place: what it is about.
        to: whom it goes to; "" for the sender.
    """

    def __init__(self, kind: Kind, sentence: str, help: str = "", place: Place = NOWHERE, to: str = "") -> None:
        """Take the answer."""
        super().__init__(sentence)
        self.kind, self.sentence, self.help, self.place, self.to = kind, sentence, help, place, to


@dataclass
class Who:
    """The writer of a mail, proved.

    Attributes:
        chain, link: the match and its newest save.
        seat: the seat.
        person: who is registered for it.
        sent: what was sent: the block, or the lines of a reply with the code that it stands for.
        reply: the Message-Id of ours that it replies to, if it is one to this seat's present holder; else "".
        own: whether the mail came from the registered address.
        sender: the address it came from.
        moved: whether the mail has changed the registered address.
    """

    chain: Chain
    link: Link
    seat: str
    person: Person
    sent: Submission
    reply: str
    own: bool
    sender: str
    moved: bool = False

    @property
    def to(self) -> str:
        """Where the answer goes: to the registered address and no other; to the sender only where none is registered."""
        return self.person.address or self.sender

    @property
    def other(self) -> str:
        """The address of the sender, if another one is registered."""
        return "" if self.own or not self.person.address else self.sender

    @property
    def place(self) -> Place:
        """What an answer is about."""
        return Place.of(self.link.save.match, self.seat)


def identify(tables: Tables, key: SigningKey, message: Message, letter: Letter) -> Who:
    """Return who wrote a mail.

    Raises:
        Unanswered: nobody that is known here.
        TurnedAway: somebody known here, but not proved.
    """
    found = next(((id, thread) for id in message.replies_to if (thread := thread_of(key, id))), None)
    sent = letter.submission
    if sent is not None:
        return _by_block(tables, key, message, sent, found)
    if found is not None and tables.chain(found[1].match):
        return _by_reply(tables, key, message, letter, *found)
    if not tables.seats_of(message.sender):
        raise Unanswered("a stranger's mail without a block of orders")
    if letter.trouble:
        raise TurnedAway("question" if letter.question else "unreadable", letter.trouble, letter.help)
    if letter.asks == "help":
        raise TurnedAway("help", "")
    said = "There is no block of orders in your mail, and it is no reply to a mail of a match."
    raise TurnedAway("unreadable", said, "Reply to your newest report, or copy its block into a mail.")


def _by_block(tables: Tables, key: SigningKey, message: Message, sent: Submission, found: tuple[str, Thread] | None) -> Who:
    chain = tables.chain(sent.match)
    known = tables.seats_of(message.sender) if chain is None else []
    if chain is None:
        said = f"There is no match {sent.match[:40]!r} here."
        raise TurnedAway("wrong", said) if known else Unanswered("a block for a match that is not here, from a stranger")
    link = chain.latest()
    reply = _reply_to(link, sent.seat, found)
    person = People(chain.path).of(sent.seat)
    try:
        check_address(link.save.match, sent)
        opened = opened_at(link, sent.stop, chain.section)
        if not (sent.code or sent.signed) and reply and found and found[1].stop == sent.stop:
            sent = _with_code(key, link, sent, opened) if _is(message, person) else sent
        authenticate(key, link, sent, sent.stop, opened)
    except Refused as error:
        raise _unproved(tables, message, link, error) from None
    return Who(chain, link, sent.seat, person, sent, reply, _is(message, person), message.sender)


def _unproved(tables: Tables, message: Message, link: Link, error: Refused) -> Exception:
    """Return the answer to a wrong code: only somebody of the match gets one."""
    m = link.save.match
    seat = next((seat for match, seat in tables.seats_of(message.sender) if match == m.id), "")
    if not seat:
        return Unanswered(f"a block for {m.id} without a code that fits, from a stranger to the match")
    return TurnedAway("wrong", error.sentence, error.help, Place.of(m, seat))


def _by_reply(tables: Tables, key: SigningKey, message: Message, letter: Letter, id: str, thread: Thread) -> Who:
    chain = tables.chain(thread.match)
    assert chain is not None
    link = chain.latest()
    m, person = link.save.match, People(chain.path).of(thread.seat)
    own = _is(message, person)
    if not _reply_to(link, thread.seat, (id, thread)):
        if not tables.seats_of(message.sender):
            raise Unanswered(f"a reply to a mail of {m.id} to somebody who held a seat before")
        raise TurnedAway("wrong", "The mail that you reply to was sent to a former holder of the seat.")
    if not own:
        said = f"A reply without a block came from {message.sender}, and only your registered address may send such."
        raise TurnedAway("wrong", said, "Copy the block from your newest report.", Place.of(m, thread.seat), person.address)
    sent = Submission(m.id, thread.stop, thread.seat, "", letter.lines)
    sent = _with_code(key, link, sent, opened_at(link, thread.stop, chain.section))
    return Who(chain, link, thread.seat, person, sent, id, own, message.sender)


def _reply_to(link: Link, seat: str, found: tuple[str, Thread] | None) -> str:
    """Return the Message-Id that is replied to, if it was sent to the present holder of a seat of this match."""
    if found is None:
        return ""
    id, thread = found
    m = link.save.match
    return id if (thread.match, thread.seat, thread.holder) == (m.id, seat, m.holders.get(seat, 0)) else ""


def _with_code(key: SigningKey, link: Link, sent: Submission, opened: str) -> Submission:
    return replace(sent, code=code_for(key, link.save.match, sent.seat, sent.stop, opened))


def _is(message: Message, person: Person) -> bool:
    return bool(message.sender) and plain_address(message.sender) == plain_address(person.address)
