"""One mail whose writer is proved: what it does, and what is answered."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from referee import desk
from referee.chain import Link
from referee.dispatch import Made, context, make
from referee.errors import NotNow, Refusal, Refused, Unreadable
from referee.fields import dataclass, replace
from referee.keys import SigningKey
from referee.lines import known
from referee.match import Match
from referee.opening import begin_if_accepted
from referee.people import People
from referee.postal import read_postal
from referee.waiting import canonical_known, split_planned

from .answers import About, Facts, Kind, corrected
from .deeds import Deeds
from .desklines import DeskLine, is_for_desk, part_lines
from .letter import Letter
from .limits import Limits
from .mailer import Letterhead, Mailer, facts_from
from .message import Message
from .reports import Own, Reports
from .who import Who

_LINE = re.compile(r"Line ([0-9]+): ")
_NOTHING = "There is nothing to play in your mail."


@dataclass
class Case:
    """A mail from the inbox, read.

    Attributes:
        key: its key in the inbox.
        message, letter: what it says.
    """

    key: str
    message: Message
    letter: Letter

    @property
    def about(self) -> About:
        """What an answer quotes of it."""
        return About(self.message.subject, self.message.date, self.message.id)


@dataclass
class Tools:
    """What everybody at the desk works with."""

    key: SigningKey
    mailer: Mailer
    reports: Reports
    limits: Limits
    most_answers: int


class Turn:
    """Does what a mail says, and answers it.

    Args:
        tools: what the desk works with.
        case: the mail.
        who: its writer.
    """

    def __init__(self, tools: Tools, case: Case, who: Who) -> None:
        """Take the mail; nothing is done yet."""
        self.tools, self.case, self.who = tools, case, who
        self.deeds = Deeds(who, tools.key, tools.mailer, tools.limits)
        self.orders: list[str] = []

    @property
    def m(self) -> Match:
        """The match as it was when the mail was taken up."""
        return self.who.link.save.match

    def take(self) -> None:
        """Do what the mail says and put the answer in the outbox.

        Raises:
            RefereeError: nothing can be done here now: the disk is full, or the match does not verify.
        """
        letter = self.case.letter
        if letter.trouble:
            kind: Kind = "question" if letter.question else "unreadable"
            return self.answer(kind, {"reason": letter.trouble, "help": letter.help})
        if letter.asks == "help":
            return self.answer("help")
        try:
            return self._obey()
        except Refusal as refusal:
            return self._refused(refusal)

    def _obey(self) -> None:
        lines, self.orders = self._parted()
        if self.m.table is None:
            return self._invited(lines)
        for line in lines:
            self.deeds.check(line)
        if self.case.letter.asks == "check":
            return self._checked(lines)
        outcome = self._played(lines)
        done = [self.deeds.do(line) for line in lines]
        return self._tell(outcome, done)

    def _parted(self) -> tuple[list[DeskLine], list[str]]:
        sent = self.who.sent
        invited = self.m.table is None or sent.stop == 0  # perhaps late
        if not sent.lines:
            raise Unreadable(_NOTHING, "Write your orders one a line into the block, or on the first lines of a reply.")
        if sent.signed:
            if any(is_for_desk(line, invited=invited) for line in sent.lines):
                raise Refused("A signed move holds a line for the desk.", "Send such lines in a block of their own.")
            return [], list(sent.lines)
        return part_lines(sent.lines, self.m.seats, invited=invited)

    def _played(self, lines: Sequence[DeskLine], *, dry_run: bool = False) -> desk.Answer | None:
        if not self.orders:
            return None
        sent = self.who.sent if self.who.sent.signed else replace(self.who.sent, lines=tuple(self.orders))
        chain, mailer = self.who.chain, self.tools.mailer
        answer = desk.apply(chain, self.tools.key, sent, dry_run=dry_run, at=mailer.now, forms=())
        if answer.link is not None:
            self.who.link = answer.link
        return answer

    # What is answered

    def _tell(self, outcome: desk.Answer | None, done: list[str]) -> None:
        """Answer a mail that was played or done: in one mail with the report, if there is one for the sender."""
        who, tools = self.who, self.tools
        again = outcome is not None and outcome.status == "duplicate"
        link = self._first_save() if again else self._newest(outcome, done)
        kind: Kind = _kind(outcome) if link is not None else "duplicate"
        said = {**_said(outcome), "done": done, **self._always()}
        if link is not None and tools.reports.mail(who.chain, link, Own(who.seat, kind, who.to, said, self.case.about)):
            return
        self.answer(kind, said, attached=kind == "duplicate")

    def _newest(self, outcome: desk.Answer | None, done: list[str]) -> Link:
        """Return the newest save; what the desk did may have made another after the orders were played."""
        if outcome is None or done:
            self.who.link = self.who.chain.latest()
        return self.who.link

    def _first_save(self) -> Link | None:
        """Return the save that a submission led to when it came first, if that was not answered: a program was cut off.

        No later save is looked at here: each of them has its own mail, which is worked on again after this one.
        """
        who = self.who
        mailed = self.tools.reports.mailed(who.chain.path)
        for serial in range(who.link.save.entry.serial, -1 if mailed is None else mailed, -1):
            move = who.chain.section(serial, "move")
            if move.get("seat") == who.seat and move.get("lines") == self.orders and move.get("stop") == who.sent.stop:
                return who.link if serial == who.link.save.entry.serial else who.chain.link(serial)
        return None

    def _checked(self, lines: Sequence[DeskLine]) -> None:
        can = [f"“{line.line}” can be done." for line in lines]
        try:
            outcome = self._played(lines, dry_run=True)
        except Refusal as refusal:
            said = {"returned": self.orders, "reason": refusal.sentence, "help": refusal.help}
        else:
            said = _said(outcome)
        always = self._always()
        self.answer("check", {**always, **said, "notes": [*can, *always["notes"]]})

    def _refused(self, refusal: Refusal) -> None:
        """Answer a mail that does nothing; one for an earlier stop with the report of the present one."""
        said = {"reason": refusal.sentence, "help": refusal.help, **self._always()}
        if isinstance(refusal, NotNow) and self.who.sent.stop != self.m.stop and self.m.table is not None:
            return self.answer("stale", said, attached=True)
        sent = self.who.sent
        answerable = not (self.m.over or self.m.table is None)
        block = self._corrected(refusal) if answerable and sent.stop == self.m.stop else None
        return self.answer("refused", {**said, **({"block": block} if block else {})})

    def _corrected(self, refusal: Refusal) -> str:
        """Return the block with every line that can be read in full words, and the others as remarks."""
        sent, code = self.who.sent, context(self.who.chain, self.who.link, self.who.seat, self.tools.key).get("code", "")
        found = _LINE.match(refusal.sentence)
        wrong = self.orders[int(found[1]) - 1] if found and int(found[1]) <= len(self.orders) else ""
        good, bad = list[str](), list[str]()
        now = len(split_planned(sent.lines)[0])
        for index, line in enumerate(sent.lines):
            read = line if is_for_desk(line) else self._read(line, planned=index > now)
            (bad if line == wrong or not read else good).append(read if line != wrong and read else line)
        return corrected(self.m.id, self.m.stop, self.who.seat, code, good, bad)

    def _read(self, line: str, *, planned: bool) -> str:
        """Return an order line in canonical form; "" if it cannot be read."""
        if len(split_planned([line])[0]) == 0:
            return "later:"
        try:
            return canonical_known(known(self.m), line, planned=planned)
        except Refusal:
            return ""

    def answer(self, kind: Kind, said: Mapping[str, Any] | None = None, *, attached: bool = False) -> None:
        """Put an answer of its own in the outbox, if its reader has not had too many today.

        Args:
            kind: what kind of answer it is.
            said: further facts, by name.
            attached: whether the present report goes along.
        """
        tools, who = self.tools, self.who
        if not tools.limits.allows(f"answer {who.to}", tools.most_answers, tools.mailer.now[:10]):
            return
        made = self._made(attached)
        facts = facts_from(made, self.m, attached=attached, guide=kind == "help") if made else self._bare_facts()
        for name, value in (said or {}).items():
            setattr(facts, name, value)
        head = Letterhead(f"answer {self.case.key}", who.to, who.place, self.case.about)
        tools.mailer.put(kind, facts, head, made if attached else None)

    def _made(self, attached: bool) -> Made | None:
        if self.m.table is None:
            return None
        who, key = self.who, self.tools.key
        if attached:
            return make(who.chain, who.link, who.seat, ("text", "html"), key)
        return Made(context(who.chain, who.link, who.seat, key))

    def _bare_facts(self) -> Facts:
        m, postal = self.m, read_postal(self.who.chain.path)
        facts = Facts(match=m.id, title=m.game.title, seat=self.who.seat, seats=m.seats)
        facts.contact, facts.answer_to = postal.contact, postal.answer_to
        return facts

    def _always(self) -> dict[str, Any]:
        """Return what every answer says if it is so: what was not read, and that another address wrote."""
        notes, rest = list(self.case.message.notes), self.case.letter.rest.strip()
        if rest and self.case.letter.submission is None:
            notes.append(f"Not read, because it stands below your orders: “{rest.splitlines()[0][:60]}”")
        return {"notes": notes, "other_address": self.who.other}

    # Before a match begins

    def _invited(self, lines: Sequence[DeskLine]) -> None:
        """Answer a mail to a match that has not begun: an acceptance, and what needs no table."""
        if self.orders:
            raise NotNow("The match has not begun.", "Reply “accept” to take part, or “decline” to stay out.")
        for line in lines:
            if line.verb not in ("accept", "decline"):
                self.deeds.check(line)
        done = [self._answer_invitation(line) if line.verb in ("accept", "decline") else self.deeds.do(line) for line in lines]
        done = list(filter(None, done))
        link = None
        if any(line.verb == "accept" for line in lines):
            link = begin_if_accepted(self.who.chain, self.tools.key, at=self.tools.mailer.now)
        if link is None:
            joined = any(line.verb == "accept" for line in lines)
            return self.answer("joined" if joined else "done", {"done": done, **self._always()})
        self.who.link = link
        own = Own(self.who.seat, "begun", self.who.to, {"done": done, **self._always()}, self.case.about)
        self.tools.reports.mail(self.who.chain, link, own)
        return None

    def _answer_invitation(self, line: DeskLine) -> str:
        seat, m = self.who.seat, self.m
        people = People(self.who.chain.path)
        if line.verb == "accept":
            people.change(seat, invited=True, accepted=True, nonce=line.value)
            return f"Your words for the seed: {line.value}." if line.value else ""
        people.change(seat, invited=True, accepted=False)
        said = f"{seat} declines the invitation to the match {m.id}. Invite somebody else, or remove the folder of the match."
        self.tools.mailer.tell_moderator(f"declined {m.id} {seat} {self.case.key[:16]}", said)
        return "You stay out of the match; the moderator is told. If you change your mind, reply “accept”."


def _kind(outcome: desk.Answer | None) -> Kind:
    if outcome is None:
        return "done"
    if outcome.played == ["withdraw"] and not (outcome.waiting or outcome.planned or outcome.returned):
        return "withdrawn"
    return "in part" if outcome.returned else "accepted"


def _said(outcome: desk.Answer | None) -> dict[str, Any]:
    """Return what came of the order lines, as an answer tells it."""
    if outcome is None:
        return {}
    names = ("played", "waiting", "planned", "returned", "reason", "fence")
    return {name: getattr(outcome, name) for name in names}
