"""The servers that other tests use are real ones, and what passes through them arrives."""

from __future__ import annotations

from pathlib import Path

from referee.mail.carriers import carrier_of
from referee.mail.inbox import Inbox
from referee.mail.mailboxes import fetch

from .servers import SmtpServer, dovecot_running, smtp

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
