"""Mails of real matches for the tests of what goes out: a seat's report as it stands after some lines, and mails about it."""

from __future__ import annotations

import email
import email.policy
import random
from email.message import EmailMessage
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from referee import dispatch, envelope, report
from referee.components import folder_of
from referee.engine import pending
from referee.fields import dataclass, replace
from referee.mail import answers, compose, threads
from referee.mail.outgoing import Outgoing
from referee.mailto import mailto
from referee.match import Match
from referee.words import sentences
from tests import matches

SEATS = {
    "cosmic-league": ["alice", "bob"],
    "four-planets": ["alice", "bob"],
    "kosmiczna-misja": ["alice", "bob", "carol"],
    "phantom-league": ["alice", "bob", "carol"],
}
SENDER = compose.Sender("referee@example.org", "Referee", "mona@example.org")
ABOUT = answers.About("Re: [cl-7k3q] stop 12: your turn", "Mon, 30 Nov 2026 18:00:00 +0100", "abc@example.net")
MATCH = "cl-7k3q"
DEADLINE = "Thursday 3 December 2026, 18:00 (Europe/Berlin)"


@dataclass
class Sample:
    """A match, the seat that is asked, its context, and its signed report as text and as a page."""

    m: Match
    seat: str
    context: report.Context
    text: bytes
    page: bytes


@lru_cache(maxsize=16)
def sample(game: str, lines: int = 6, first: bool = False) -> Sample:
    """Return a seat's report after some lines of a match, as it goes out by mail."""
    with TemporaryDirectory() as folder:
        matches.SEATS.setdefault(game, SEATS[game])
        chain, link = matches.new(Path(folder) / "match", game, 3, match_id=MATCH)
        rng = random.Random(5)
        for _ in range(lines):
            matches.send(chain, *matches.open_line(link.save.match, rng))
            link = chain.latest()
        question = pending(link.save.match)
        assert question is not None
        seat = question.seats[0]
        context = dispatch.context(chain, link, seat, matches.KEY)
    return _sample(link.save.match, seat, context, first)


def _sample(m: Match, seat: str, context: report.Context, first: bool) -> Sample:
    context |= {"answer_to": SENDER.address, "contact": SENDER.contact, "deadline": DEADLINE, "first": first}
    folders = [folder_of(m.game)]
    text, page = (
        envelope.seal_report(report.render(context, form, folders=folders).encode(), matches.KEY, form)
        for form in ("text", "html")
    )
    return Sample(m, seat, context, text, page)


def facts(one: Sample, **more: Any) -> answers.Facts:
    """Return the facts of a mail about a sample."""
    known = answers.facts_of(one.context, sentences(one.m.game)["questions"])
    return replace(known, link=mailto(SENDER.address, "Re: orders", known.block), **more)


def outgoing(one: Sample, kind: answers.Kind = "report", *, attached: bool = True, **more: Any) -> Outgoing:
    """Return a mail about a sample as it lies in the outbox."""
    said = answers.answer(kind, facts(one, attached=attached, **more), ABOUT)
    m, key = one.m, matches.KEY
    root = threads.root_id(key, m.id, one.seat, 1, "example.org")
    return Outgoing(
        key=f"report {m.id} {m.stop} {one.seat} 7",
        to=f"{one.seat}@example.org",
        message_id=threads.message_id(key, m.id, m.stop, one.seat, 1, kind, "example.org"),
        subject=said.subject,
        text=said.text,
        date="2026-11-30T18:00:00Z",
        in_reply_to=ABOUT.id,
        references=" ".join(threads.references(root, ABOUT.id)),
        report_text=one.text if attached else b"",
        report_html=one.page if attached else b"",
        file_name=f"{m.id}-stop-{m.stop:04}",
        match=m.id,
        seat=one.seat,
        what="answer",
    )


def read(data: bytes) -> EmailMessage:
    """Return a mail as a mail program reads it."""
    found = email.message_from_bytes(data, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


def plain(mail: EmailMessage) -> str:
    """Return the text of a mail."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def page(mail: EmailMessage) -> str:
    """Return the HTML of a mail."""
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")
