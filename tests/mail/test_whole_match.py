"""A whole match of The Cosmic League by mail: through an IMAP server and an SMTP server, by two who only read and reply."""

from __future__ import annotations

import email
import email.policy
import re
from email.message import EmailMessage
from email.utils import format_datetime, make_msgid
from pathlib import Path

import pytest

from referee import desk, envelope
from referee.block import read_submission
from referee.chain import Chain, verify
from referee.config import Config
from referee.engine import find_game, result
from referee.keys import PublicKey
from referee.mail.carriers import carrier_of
from referee.opening import Table
from referee.postal import Postal, write_postal
from referee.runner import Office

from ..matches import KEY
from .scene import config
from .servers import Dovecot, SmtpServer, dovecot, smtp

__all__ = ["dovecot", "smtp"]

ADDRESSES = {"alice": "alice@example.org", "bob": "bob@example.org"}
MOST_ROUNDS = 400
PLANETS = {name[0].upper(): name for name in ("yellow", "green", "orange", "blue", "sand", "violet")}


class Reader:
    """Somebody with a mail program, who knows nothing but the mails in the own mailbox.

    Args:
        seat: the seat, and the name of the mailbox.
        telephone: whether the replies are a few lines without a block.
    """

    def __init__(self, seat: str, dovecot: Dovecot, smtp: SmtpServer, *, telephone: bool) -> None:
        self.seat, self.telephone = seat, telephone
        self.box, self.carrier = dovecot.maildir(seat), carrier_of(smtp.target(), ADDRESSES[seat])
        self.mails: list[EmailMessage] = []
        self.sent: list[str] = []

    def read(self) -> bool:
        """Read new mails and reply to the last that asks for something; return whether a reply was sent."""
        asked: EmailMessage | None = None
        for path in sorted((self.box / "new").iterdir()):
            mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            path.rename(self.box / "cur" / f"{path.name}:2,S")
            assert isinstance(mail, EmailMessage)
            self.mails.append(mail)
            asked = mail if self.lines(mail) else asked
        if asked is not None:
            self.reply(asked, self.lines(asked))
        return asked is not None

    def lines(self, mail: EmailMessage) -> list[str]:
        """Return what to answer; nothing if nothing is asked."""
        text = text_of(mail)
        if "you are invited" in mail["Subject"]:
            return ["Accept."]
        if "not played" in mail["Subject"]:
            return list(read_submission(text.encode()).lines)
        if "Asked of you" not in text:
            return []
        return turn(self.seat, text)

    def reply(self, mail: EmailMessage, lines: list[str]) -> None:
        """Reply above the quoted mail, in lines or in its block."""
        text = text_of(mail)
        if not self.telephone and (block := re.search(r"^#referee .*$", text, re.MULTILINE)):
            lines = [block[0], *lines, "#end"]
        quoted = "".join(f"> {line}\n" for line in text.splitlines())
        answer = EmailMessage()
        answer["From"], answer["To"] = ADDRESSES[self.seat], mail["From"].addresses[0].addr_spec
        answer["Subject"] = f"Re: {mail['Subject']}"
        answer["Date"] = format_datetime(mail["Date"].datetime)
        answer["Message-ID"] = make_msgid(domain="example.net")
        answer["In-Reply-To"], answer["References"] = mail["Message-ID"], mail["Message-ID"]
        answer.set_content("\n".join(lines) + f"\n\nOn Monday the referee wrote:\n{quoted}")
        self.sent.append(answer["Message-ID"])
        try:
            self.carrier.deliver(answer["To"], answer.as_bytes(policy=email.policy.SMTP), answer["Message-ID"])
        finally:
            self.carrier.close()


def text_of(mail: EmailMessage) -> str:
    """Return the text that a mail program shows."""
    body = mail.get_body(("plain",))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def turn(seat: str, text: str) -> list[str]:
    """Return the lines of one mail, by what the report says: carry goods where they are wanted, and fly on.

    Args:
        seat: whose report it is.
        text: the report.
    """
    offers = re.findall(r"^ {6}(\S.*)$", text.partition("EVERY ORDER LINE")[2], re.MULTILINE)
    patterns = re.findall(r"^\* (.*)$", text.partition("EVERY ORDER LINE")[2], re.MULTILINE)
    if any(pattern.startswith("decline") for pattern in patterns):
        return ["decline"]
    if not any(pattern.startswith("end") for pattern in patterns):
        return [offers[0] if offers else patterns[0].split(" [")[0]]
    unload = [line for line in offers if line.startswith("unload")][:1]
    load = [line for line in offers if line.startswith("load")][:1]
    goal = load[0].split()[1] if load else target(seat, text)
    fly = ["roll", f"fly toward {goal} or skip"] if "roll" in patterns else []
    flying = any(pattern.startswith("fly") for pattern in patterns)
    fly = fly or ([f"fly toward {goal} or skip"] if flying else [])
    return [*unload, *load, *fly, "unload or skip", "end"]


def target(seat: str, text: str) -> str:
    """Return where the goods on board are to go, or any other planet."""
    own = text.partition(f"{seat}, the ")[2]
    place = re.search(r"at (\w+)", own)
    loaded = re.search(r"^  hold \d: ([A-Z]) ", own.partition(", the ")[0], re.MULTILINE)
    other = [name for name in PLANETS.values() if place is None or name != place[1]]
    return PLANETS[loaded[1]] if loaded and PLANETS[loaded[1]] in other else other[len(text) % len(other)]


@pytest.fixture
def office(tmp_path: Path, dovecot: Dovecot, smtp: SmtpServer) -> Config:
    """A desk that fetches by IMAP and sends by SMTP, with a match to which two are invited."""
    smtp.deliver = lambda to, data: dovecot.deliver(to.partition("@")[0], data)
    made = config(tmp_path / "desk", source=dovecot.source("referee", done="Done"), target=smtp.target())
    table = Table(
        find_game("cosmic-league"), list(ADDRESSES), addresses=ADDRESSES, match_id="cl-mail",
        secret=bytes(range(32)), clock={"zone": "Europe/Berlin"},
    )  # fmt: skip
    folder = made.matches / "cl-mail"
    desk.open_match(folder, table, KEY, begin=False)
    write_postal(folder, Postal(made.address, made.moderator, press="open"))
    return made


def test_a_whole_match(office: Config, dovecot: Dovecot, smtp: SmtpServer, quick_disk: None) -> None:
    readers = [Reader("alice", dovecot, smtp, telephone=True), Reader("bob", dovecot, smtp, telephone=False)]
    chain = Chain(office.matches / "cl-mail", KEY.public)
    for _ in range(MOST_ROUNDS):
        done = Office(office).round()
        assert done.troubles == []
        wrote = [reader.read() for reader in readers]
        if not any(wrote):
            break
    link = chain.latest()
    assert link.save.match.over, f"stop {link.save.match.stop}: {readers[0].mails[-1]['Subject']}"
    assert sum(1 for _ in verify(chain)) == link.save.entry.serial + 1
    assert sorted(result(link.save.match)) == ["alice", "bob"]
    for reader in readers:
        check_mails(reader)


def check_mails(reader: Reader) -> None:
    """Check that every reply was answered once, in one thread, and that the last report tells the end."""
    answers = [mail["In-Reply-To"] for mail in reader.mails]
    for sent in reader.sent[1:]:
        assert answers.count(sent) == 1, f"{reader.seat} got {answers.count(sent)} answers to {sent}"
    assert len({mail["References"].split()[0] for mail in reader.mails if mail["References"]}) == 1
    assert len({mail["Message-ID"] for mail in reader.mails}) == len(reader.mails)
    refused = [mail["Subject"] for mail in reader.mails if "not played" in mail["Subject"]]
    assert len(refused) < len(reader.sent) / 4, refused
    last = reader.mails[-1]
    assert "the match is over" in last["Subject"]
    assert last["Auto-Submitted"].startswith("auto-")
    (report,) = (part for part in last.iter_attachments() if part.get_filename().endswith(".txt"))
    trusted = PublicKey.from_bytes(bytes.fromhex(KEY.public.hex))
    assert envelope.unseal_report(report.get_payload(decode=True), trusted, name="the report")
