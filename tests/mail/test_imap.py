"""Fetching from a real IMAP server: everything is read once, nothing is deleted, whatever others do with the mailbox."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import imapclient
import pytest
from imapclient.exceptions import IMAPClientError

from referee.config import Secret, Source
from referee.mail import imap, rounds
from referee.mail.inbox import Inbox
from referee.mail.mailboxes import fetch
from referee.mail.rounds import MOST_BYTES, Fetched
from referee.mail.spool import moment

from .servers import Certificate, Dovecot, dovecot, free_port
from .test_mailboxes import LATER, NEXT_DAY, NOW, RECEIVED, inbox, mail, stored

__all__ = ["dovecot", "inbox"]
pytestmark = pytest.mark.usefixtures("quick_disk")


class Post:
    """The mailbox of the referee on a server."""

    def __init__(self, server: Dovecot) -> None:
        self.server = server
        shutil.rmtree(server.maildir("referee"))
        shutil.copytree(server.maildir("alice"), server.maildir("referee"))
        shutil.chown(server.maildir("referee"), server.user.pw_uid, server.user.pw_gid)
        for part in server.maildir("referee").rglob("*"):
            shutil.chown(part, server.user.pw_uid, server.user.pw_gid)
        self.source = server.source()

    def deliver(self, *mails: int) -> None:
        for number in mails:
            self.server.deliver("referee", mail(number), moment(RECEIVED).timestamp())

    def client(self) -> imapclient.IMAPClient:
        context = imap.trusting(self.server.certificate.file)
        client = imapclient.IMAPClient("localhost", self.server.port, ssl_context=context)
        client.login("referee", self.source.secret.read())
        return client

    def flags(self, folder: str = "INBOX") -> list[set[bytes]]:
        with self.client() as client:
            client.select_folder(folder, readonly=True)
            return [set(flags) - {b"\\Recent"} for _, flags in sorted(client.get_flags(client.search()).items())]


@pytest.fixture
def post(dovecot: Dovecot) -> Post:
    return Post(dovecot)


def test_a_mailbox_is_read_and_marked_and_nothing_is_deleted(post: Post, inbox: Inbox) -> None:
    post.deliver(*range(70))
    assert fetch(post.source, inbox, NOW) == Fetched(70, True, NOW)
    assert stored(inbox) == list(range(70))
    assert {entry.received for entry in inbox.entries()} == {RECEIVED}
    assert post.flags() == [{b"\\Seen"}] * 70
    assert fetch(post.source, inbox, LATER) == Fetched(0, True, LATER)
    post.deliver(70)
    assert fetch(post.source, inbox, LATER) == Fetched(1, True, LATER)


def test_mails_are_moved_to_a_folder_that_is_made_if_needed(post: Post, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    post.source.done = "Done"
    post.deliver(1)
    fetch(post.source, inbox, NOW)
    # A server that cannot move copies, and takes away what was copied, and that alone.
    monkeypatch.setattr(imapclient.IMAPClient, "has_capability", lambda self, name: name == "UIDPLUS")
    post.deliver(2, 3)
    with post.client() as client:
        client.select_folder("INBOX")
        client.delete_messages(client.search()[-1:])
    fetch(post.source, inbox, LATER)
    assert stored(inbox) == [1, 2, 3]
    assert post.flags() == []
    assert [b"\\Seen" in flags for flags in post.flags("Done")] == [True, True, True]


def test_a_mail_that_a_person_has_read_on_the_server_is_fetched_too(post: Post, inbox: Inbox) -> None:
    post.deliver(1, 2)
    with post.client() as client:
        client.select_folder("INBOX")
        client.add_flags(client.search()[:1], [imapclient.SEEN])
    fetch(post.source, inbox, NOW)
    assert stored(inbox) == [2], "what was read before the first look is no mail to the desk"
    post.deliver(3)
    with post.client() as client:
        client.select_folder("INBOX")
        client.add_flags(client.search(), [imapclient.SEEN])
    fetch(post.source, inbox, LATER)
    assert stored(inbox) == [2, 3]


def test_a_server_that_numbers_its_mails_anew_loses_none_and_repeats_none(post: Post, inbox: Inbox) -> None:
    post.deliver(1, 2)
    fetch(post.source, inbox, NOW)
    for entry in inbox.take():
        inbox.finish(entry.key)
    # The same mails in a mailbox of another validity, and with them one that came meanwhile and was read by a person.
    again = Post(post.server)
    again.deliver(1, 2, 3)
    with again.client() as client:
        client.select_folder("INBOX")
        client.add_flags(client.search(), [imapclient.SEEN])
    assert fetch(again.source, inbox, LATER).complete
    assert stored(inbox) == [3]


def test_a_mail_that_the_server_cannot_give_stops_no_other(post: Post, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    post.deliver(1, 2, 3)
    real = imapclient.IMAPClient.fetch

    def fail(self: Any, messages: Any, data: Any, *more: Any) -> Any:
        if 2 in messages and "BODY.PEEK[]" in data:
            raise IMAPClientError("Internal error\r\noccurred")
        return real(self, messages, data, *more)

    said = "1 mail could not be read: 2: Internal error occurred."
    with monkeypatch.context() as patch:
        patch.setattr(imapclient.IMAPClient, "fetch", fail)
        assert fetch(post.source, inbox, NOW) == Fetched(2, False, NOW, said)
        assert stored(inbox) == [1, 3]
        assert fetch(post.source, inbox, LATER) == Fetched(0, False, LATER, said)
        assert fetch(post.source, inbox, NEXT_DAY) == Fetched(0, True, NEXT_DAY, said)
    assert fetch(post.source, inbox, NEXT_DAY) == Fetched(1, True, NEXT_DAY)
    assert stored(inbox) == [1, 2, 3]


def test_a_mail_that_somebody_deletes_meanwhile_is_no_trouble(
    post: Post, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.deliver(1, 2)
    real = imapclient.IMAPClient.fetch

    def late(self: Any, messages: Any, data: Any, *more: Any) -> Any:
        with post.client() as client:
            client.select_folder("INBOX")
            client.delete_messages([1])
            client.expunge()
        return real(self, messages, data, *more)

    monkeypatch.setattr(imapclient.IMAPClient, "fetch", late)
    assert fetch(post.source, inbox, NOW).trouble == ""
    assert 2 in stored(inbox)


def test_a_long_mail_is_fetched_as_far_as_it_is_looked_at(post: Post, inbox: Inbox) -> None:
    post.server.deliver("referee", mail(1) + b"x" * 3_000_000 + b"\n")
    post.deliver(2)
    assert fetch(post.source, inbox, NOW) == Fetched(2, True, NOW)
    assert sorted(len(inbox.read(entry.key)) for entry in inbox.entries())[1] == MOST_BYTES


def test_a_connection_that_is_lost_makes_the_look_incomplete_and_keeps_what_was_read(
    post: Post, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    post.deliver(*range(4))
    monkeypatch.setattr(rounds, "BATCH", 2)
    real = imapclient.IMAPClient.fetch

    def lost(self: Any, messages: Any, data: Any, *more: Any) -> Any:
        if 3 in messages:
            self.shutdown()
        return real(self, messages, data, *more)

    with monkeypatch.context() as patch:
        patch.setattr(imapclient.IMAPClient, "fetch", lost)
        fetched = fetch(post.source, inbox, NOW)
    assert (fetched.count, fetched.complete) == (2, False)
    assert fetched.trouble.startswith(f"The mailbox INBOX at localhost port {post.server.port} cannot be read: ")
    assert fetch(post.source, inbox, LATER) == Fetched(2, True, LATER)
    assert stored(inbox) == [0, 1, 2, 3]


def test_a_mailbox_that_may_only_be_read_is_read(post: Post, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    post.deliver(1)

    def refuse(self: Any, *given: Any, **named: Any) -> None:
        raise IMAPClientError("Mailbox is read-only")

    monkeypatch.setattr(imapclient.IMAPClient, "add_flags", refuse)
    fetched = fetch(post.source, inbox, NOW)
    assert (fetched.count, fetched.complete) == (1, True)
    assert fetched.trouble == "Mails that were fetched could not be marked on the server: Mailbox is read-only."
    assert fetch(post.source, inbox, LATER).count == 0


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda source, folder: {"secret": Secret(folder / "wrong")}, "refuses the login of referee"),
        (lambda source, folder: {"port": free_port()}, "Connection refused"),
        (lambda source, folder: {"certificate": None}, "certificate verify failed"),
        (lambda source, folder: {"certificate": Certificate(folder).file}, "certificate verify failed"),
        (lambda source, folder: {"folder": "None Such"}, "Mailbox doesn't exist"),
        (lambda source, folder: {"host": "mail.example.org", "security": "none"}, "has to be encrypted"),
        (lambda source, folder: {"secret": Secret(folder / "missing")}, "The password file"),
    ],
)
def test_what_keeps_the_mailbox_shut_is_told_and_no_secret_with_it(
    post: Post, inbox: Inbox, tmp_path: Path, spoil: Callable[[Source, Path], dict[str, Any]], said: str
) -> None:
    (tmp_path / "wrong").write_text("close sesame")
    for name, value in spoil(post.source, tmp_path).items():
        setattr(post.source, name, value)
    fetched = fetch(post.source, inbox, NOW)
    assert (fetched.count, fetched.complete) == (0, False)
    assert said in fetched.trouble
    assert "sesame" not in fetched.trouble
    assert "\n" not in fetched.trouble


def test_a_mark_that_is_lost_makes_all_mails_be_looked_at(post: Post, inbox: Inbox) -> None:
    post.deliver(1, 2)
    fetch(post.source, inbox, NOW)
    (mark,) = inbox.folder.glob("mark-*.toml")
    mark.write_bytes(b"validity = [")
    assert fetch(post.source, inbox, LATER) == Fetched(2, True, LATER)
    assert stored(inbox) == [1, 2]
