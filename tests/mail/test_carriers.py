"""Sending: over encrypted connections, each fault told as what it is."""

from __future__ import annotations

import smtplib
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.config import Secret, Target
from referee.errors import Usage
from referee.mail.carriers import MaildirOut, Smtp, carrier_of
from referee.mail.outgoing import Postponed, Rejected, Unreachable

from .servers import Certificate, SmtpServer, free_port, smtp, smtp_running

__all__ = ["smtp"]
pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS:UserWarning")
MAIL = b"Subject: x\n\nroll\n.\n..and a line of dots\n"
SENDER = "referee@example.org"


def sent(server: SmtpServer, to: str = "bob@example.org", data: bytes = MAIL, **changes: object) -> str:
    carrier = carrier_of(server.target(**changes), SENDER)
    try:
        return carrier.deliver(to, data, "1")
    finally:
        carrier.close()


@pytest.fixture(params=["starttls", "tls", "none"])
def any_smtp(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SmtpServer]:
    with smtp_running(tmp_path, security=request.param) as server:
        yield server


def test_a_mail_arrives_as_it_was(any_smtp: SmtpServer) -> None:
    assert sent(any_smtp) == "250 2.0.0 kept as 1"
    assert any_smtp.mails == [(SENDER, "bob@example.org", MAIL.replace(b"\n", b"\r\n"))]


def test_letters_beyond_ascii_arrive_as_they_were(smtp: SmtpServer) -> None:
    sent(smtp, data="Subject: x\r\n\r\nżółw\rß\n".encode())
    assert smtp.mails[0][2] == "Subject: x\r\n\r\nżółw\r\nß\r\n".encode()


def test_one_connection_takes_many_mails_even_after_a_refusal(smtp: SmtpServer) -> None:
    smtp.refusals = {"nobody@example.org": "550 5.1.1 No such user", "full@example.org": "452 4.2.2 Full"}
    carrier = carrier_of(smtp.target(), SENDER)
    carrier.deliver("bob@example.org", MAIL, "1")
    line = carrier._line  # type: ignore[attr-defined]
    with pytest.raises(Rejected, match=r"550 5\.1\.1 No such user"):
        carrier.deliver("nobody@example.org", MAIL, "2")
    with pytest.raises(Postponed, match=r"452 4\.2\.2 Full"):
        carrier.deliver("full@example.org", MAIL, "3")
    carrier.deliver("alice@example.org", MAIL, "4")
    assert carrier._line is line  # type: ignore[attr-defined]
    carrier.close()
    assert [mail[1] for mail in smtp.mails] == ["bob@example.org", "alice@example.org"]


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        ("550 5.7.1 We do not like it", Rejected),
        ("451 4.3.0 Not now", Postponed),
        ("552 5.2.2 The mailbox is full", Postponed),
        ("421 4.3.2 Going down", Unreachable),
    ],
)
def test_what_the_server_says_to_the_content_tells_what_to_do(smtp: SmtpServer, answer: str, fault: type[Exception]) -> None:
    smtp.content = answer
    with pytest.raises(fault, match=answer.partition(" ")[2].replace(".", r"\.")):
        sent(smtp)


@pytest.mark.parametrize("to", ["bob", "bob@example.org\r\nRCPT TO:<eve@example.org>", "<bob@example.org> SIZE=0", "", "a b@c"])
def test_what_is_no_address_reaches_no_server(smtp: SmtpServer, to: str) -> None:
    with pytest.raises(Rejected, match="is no mail address"):
        sent(smtp, to)
    assert smtp.mails == []


def test_a_server_that_refuses_the_sender_refuses_all_mails(smtp: SmtpServer) -> None:
    smtp.sender_refusal = "550 5.7.1 Not your address"
    with pytest.raises(Unreachable, match=r"refuses the sender: 550 5\.7\.1 Not your address"):
        sent(smtp)


def test_a_server_that_is_not_there_is_told(smtp: SmtpServer) -> None:
    port = free_port()
    with pytest.raises(Unreachable, match=f"localhost port {port} cannot be reached: Connection refused"):
        sent(smtp, port=port)


def test_a_wrong_password_is_told_and_not_shown(smtp: SmtpServer, tmp_path: Path) -> None:
    (tmp_path / "wrong").write_text("close sesame")
    with pytest.raises(Unreachable, match="refuses the login of referee") as caught:
        sent(smtp, secret=Secret(tmp_path / "wrong"))
    assert "sesame" not in str(caught.value)
    assert "sesame" not in repr(Smtp("localhost", 1, user="referee", password="open sesame"))


def test_a_certificate_that_nobody_vouches_for_is_refused(smtp: SmtpServer, tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match=r"cannot be reached.*certificate verify failed"):
        sent(smtp, certificate=None)
    (tmp_path / "other").mkdir()
    with pytest.raises(Unreachable, match="certificate verify failed"):
        sent(smtp, certificate=Certificate(tmp_path / "other").file)
    assert smtp.mails == []


def test_a_server_without_starttls_gets_neither_password_nor_mail(tmp_path: Path) -> None:
    with smtp_running(tmp_path, security="none") as server, pytest.raises(Unreachable, match="STARTTLS"):
        sent(server, security="starttls")


def test_a_connection_that_is_lost_makes_the_mail_wait_and_the_next_one_connect_again(
    smtp: SmtpServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    carrier = carrier_of(smtp.target(), SENDER)
    carrier.deliver("bob@example.org", MAIL, "1")
    with monkeypatch.context() as patch:
        patch.setattr(smtplib.SMTP, "getreply", lambda self: (_ for _ in ()).throw(smtplib.SMTPServerDisconnected("gone")))
        with pytest.raises(Postponed, match="connection to localhost was lost: gone"):
            carrier.deliver("bob@example.org", MAIL, "2")
    carrier.deliver("bob@example.org", MAIL, "3")
    carrier.close()
    assert len(smtp.mails) == 2


def test_no_connection_goes_unencrypted_over_a_wire() -> None:
    with pytest.raises(Usage, match="has to be encrypted"):
        carrier_of(Target("smtp", host="smtp.example.org", port=25, security="none"), SENDER)


def test_a_configuration_that_says_nothing_is_told() -> None:
    with pytest.raises(Usage, match="does not say how mail is sent"):
        carrier_of(Target(), SENDER)


def test_a_certificate_that_cannot_be_read_is_told(smtp: SmtpServer, tmp_path: Path) -> None:
    with pytest.raises(Unreachable, match="missing cannot be read: No such file"):
        sent(smtp, certificate=tmp_path / "missing")
    (tmp_path / "empty").write_text("no certificate")
    with pytest.raises(Unreachable, match="it holds no certificate"):
        sent(smtp, certificate=tmp_path / "empty")


def test_the_same_mail_lies_once_in_a_maildir(tmp_path: Path) -> None:
    out = MaildirOut(tmp_path / "out")
    for name, data in [("answer 1", b"half"), ("answer 1", MAIL), ("../answer 2", MAIL)]:
        out.deliver("bob@example.org", data, name)
    assert [path.read_bytes() for path in (tmp_path / "out" / "new").iterdir()] == [MAIL, MAIL]
    assert list((tmp_path / "out" / "tmp").iterdir()) == []


def test_a_maildir_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(Unreachable, match="cannot be written"):
        MaildirOut(tmp_path / "out").deliver("bob@example.org", MAIL, "1")
