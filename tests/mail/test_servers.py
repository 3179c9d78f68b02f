"""The servers that other tests use are real ones, and what passes through them arrives."""

from __future__ import annotations

import random
import smtplib
import sys
import time
from email import message_from_bytes
from email.policy import default
from pathlib import Path

from referee import opening
from referee.block import block_text
from referee.chain import Chain
from referee.engine import find_game
from referee.mail.carriers import carrier_of
from referee.mail.inbox import Inbox
from referee.mail.mailboxes import fetch
from referee.people import People
from referee.postal import Postal, write_postal

from ..matches import KEY, code_of, open_line
from .postfix import PATIENCE, postfix_running
from .servers import SmtpServer, dovecot_running, smtp, smtp_running

__all__ = ["smtp"]
MAIL = b"From: alice@example.org\r\nTo: referee@example.org\r\nSubject: orders\r\n\r\nroll\r\n"


def test_a_mail_goes_by_smtp_into_a_mailbox_and_is_fetched_by_imap(tmp_path: Path, smtp: SmtpServer) -> None:
    with dovecot_running() as dovecot:
        smtp.deliver = lambda to, data: dovecot.deliver(to.partition("@")[0], data)
        carrier = carrier_of(smtp.target(), "alice@example.org")
        assert carrier.deliver("referee@example.org", MAIL, "1").startswith("250")
        carrier.close()
        inbox = Inbox(tmp_path / "inbox")
        fetched = fetch(dovecot.source(), inbox)
        assert (fetched.count, fetched.complete, fetched.trouble) == (1, True, "")
        (entry,) = inbox.take()
        assert inbox.read(entry.key) == MAIL


def begin(folder: Path) -> tuple[Chain, list[str]]:
    """Begin a match by mail in a folder; return it, and the orders of the seat that is asked first."""
    table = opening.Table(find_game("cosmic-league"), ["alice", "bob"], match_id="by-pipe", secret=bytes(31) + b"x")
    (folder / "matches").mkdir()
    chain, link = opening.open_match(folder / "matches" / "by-pipe", table, KEY)
    write_postal(chain.path, Postal("referee@example.org", "carol@example.org"))
    for seat in ("alice", "bob"):
        People(chain.path).change(seat, address=f"{seat}@example.org")
    KEY.save(folder / "referee.key")
    seat, line = open_line(link.save.match, random.Random(1))
    return chain, [seat, line]


def orders(chain: Chain, seat: str, line: str) -> bytes:
    """Return a mail with orders."""
    m = chain.latest().save.match
    head = f"From: {seat}@example.org\r\nTo: referee@example.org\r\nSubject: mine\r\nMessage-Id: <one@example.org>\r\n\r\n"
    return (head + block_text(m.id, m.stop, seat, code_of(chain.latest(), seat), (line,))).encode()


def test_postfix_pipes_orders_into_the_desk_and_relays_its_answers(tmp_path: Path) -> None:
    config = tmp_path / "referee.toml"
    command = [sys.executable, "-m", "referee", "mail", "accept", str(config)]
    (tmp_path / "relay").mkdir()
    with smtp_running(tmp_path / "relay", security="none", login=False) as relay, postfix_running(command, relay.port) as mx:
        send = f'[send]\nby = "smtp"\nhost = "localhost"\nport = {mx.port}\nsecurity = "none"\n'
        config.write_text(f'address = "referee@example.org"\nmoderator = "carol@example.org"\n{send}')
        chain, (seat, line) = begin(tmp_path)
        before = chain.latest().save.entry.serial
        with smtplib.SMTP("localhost", mx.port) as client:
            client.sendmail(f"{seat}@example.org", ["referee@example.org"], orders(chain, seat, line))
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and not (relay.mails and mx.door.exits):
            time.sleep(0.1)
        assert mx.door.exits == [0], mx.log()
        assert chain.latest().save.entry.serial > before
        sender, to, data = next(mail for mail in relay.mails if mail[1] == f"{seat}@example.org")
        answer = message_from_bytes(data, policy=default)
        assert (sender, to) == ("referee@example.org", f"{seat}@example.org")
        assert answer["In-Reply-To"] == "<one@example.org>"
        assert answer["Auto-Submitted"].startswith("auto-")
