"""A program that is ended at each step of fetching and sending: no mail is lost, and none is played or sent as two."""

from __future__ import annotations

import os
import shutil
import signal
import smtplib
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import imapclient
import pytest

from referee.config import Source
from referee.mail import outbox as outbox_module
from referee.mail.carriers import MaildirOut, carrier_of
from referee.mail.inbox import Inbox
from referee.mail.mailboxes import fetch
from referee.mail.outbox import FILE, Outbox, Outgoing
from referee.mail.rounds import Fetched

from ..test_crash import ENDED, end, struck
from .servers import Dovecot, SmtpServer, dovecot, smtp, smtp_running
from .test_imap import Post, post
from .test_mailboxes import LATER, NOW, Box, box, inbox, mail, stored

__all__ = ["box", "dovecot", "inbox", "post", "smtp"]
pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
MAILS = 3
SOON, IN_A_WHILE = "2026-11-30T18:00:30Z", "2026-11-30T18:10:00Z"


def in_a_child(work: Callable[[], object]) -> int:
    """Do something in a process of its own; return its exit status, `ENDED` if it was ended on the way."""
    child = os.fork()
    if not child:
        try:
            work()
            os._exit(0)
        finally:
            os._exit(77)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def ended_at_each_call(work: Callable[[], object], after: Callable[[], None]) -> int:
    """Do something again and again, ended before another call of the file system each time; return how many there are."""

    def strike(number: int) -> Callable[[], None]:
        def struck_work() -> None:
            with struck(number, end):
                work()

        return struck_work

    return ended_at_each(strike, after)


def ended_at_each(strike: Callable[[int], Callable[[], object]], after: Callable[[], None]) -> int:
    number, code = 0, ENDED
    while code == ENDED:
        number += 1
        code = in_a_child(strike(number))
        after()
        assert number < 2000
    assert code == 0, "it neither ended nor was it done"
    return number - 1


class Steps:
    """Counts steps that are no calls of the file system, and ends the process at one of them."""

    def __init__(self, number: int) -> None:
        self.number, self.made = number, 0

    def step(self) -> None:
        """Be one step."""
        self.made += 1
        if self.made == self.number:
            os._exit(ENDED)

    def around(self, real: Callable[..., Any]) -> Callable[..., Any]:
        """Return a function that is a step before and a step after it does what another does."""

        def call(*given: Any, **named: Any) -> Any:
            self.step()
            result = real(*given, **named)
            self.step()
            return result

        return call


class Watched:
    """A connection to a database whose calls are steps."""

    def __init__(self, real: sqlite3.Connection, steps: Steps) -> None:
        self.real, self.execute = real, steps.around(real.execute)
        self.executemany, self.close = steps.around(real.executemany), real.close


# Fetching


def fresh_maildir(box: Box, inbox: Inbox) -> None:
    for path in (box.path, inbox.folder):
        shutil.rmtree(path, ignore_errors=True)
    Box(box.path)
    for number in range(MAILS):
        box.deliver(number)


@pytest.mark.parametrize("done", ["", "Done"])
def test_fetching_from_a_maildir_may_end_at_any_call(box: Box, inbox: Inbox, quick_disk: None, done: str) -> None:
    box.source.done = done
    fresh_maildir(box, inbox)

    def check() -> None:
        names = {path.name.partition(":")[0] for path in box.path.rglob("*.host*")}
        assert len(names) == MAILS, "the mailbox itself loses nothing"
        for entry in inbox.entries():
            assert inbox.read(entry.key) in [mail(number) for number in range(MAILS)], "no mail is half there"
        fetched = fetch(box.source, Inbox(inbox.folder), LATER)
        assert (fetched.complete, fetched.trouble) == (True, "")
        assert stored(inbox) == list(range(MAILS))
        fresh_maildir(box, inbox)

    assert ended_at_each_call(lambda: fetch(box.source, inbox, NOW), check) > 30


def test_what_is_marked_in_the_maildir_is_on_disk(box: Box, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(MAILS):
        box.deliver(number)
    flushed: set[int] = set()
    real_fsync, real_rename = os.fsync, os.rename

    def fsync(descriptor: int) -> None:
        flushed.add(os.fstat(descriptor).st_ino)
        real_fsync(descriptor)

    def rename(old: Any, new: Any) -> None:
        if box.path in Path(new).parents:
            kept = [path for path in (inbox.folder / "new").iterdir() if path.is_file()]
            assert len(kept) == MAILS
            assert {path.stat().st_ino for path in [*kept, inbox.folder / "new"]} <= flushed
        real_rename(old, new)

    monkeypatch.setattr(os, "fsync", fsync)
    monkeypatch.setattr(os, "rename", rename)
    assert fetch(box.source, inbox, NOW).count == MAILS


@pytest.mark.parametrize("done", ["", "Done"])
def test_fetching_by_imap_may_end_at_any_step(dovecot: Dovecot, inbox: Inbox, quick_disk: None, done: str) -> None:
    post = Post(dovecot)
    post.source.done = done
    post.deliver(*range(MAILS))
    names = ("login", "select_folder", "search", "fetch", "add_flags", "folder_exists", "create_folder", "move", "logout")

    def strike(number: int) -> Callable[[], object]:
        def work() -> None:
            steps = Steps(number)
            for name in names:
                setattr(imapclient.IMAPClient, name, steps.around(getattr(imapclient.IMAPClient, name)))
            Inbox.flush = steps.around(Inbox.flush)  # type: ignore[method-assign]
            fetch(post.source, inbox, NOW)

        return work

    def check() -> None:
        fetched = fetch(post.source, Inbox(inbox.folder), LATER)
        assert (fetched.complete, fetched.trouble) == (True, "")
        assert stored(inbox) == list(range(MAILS))
        shutil.rmtree(inbox.folder)
        with post.client() as client:
            client.select_folder("INBOX")
            client.remove_flags(client.search(), [imapclient.SEEN])
            if done and client.folder_exists(done):
                client.select_folder(done)
                # Ended between the two marks of its first look, it leaves read mails where they are.
                if moved := client.search():
                    client.remove_flags(moved, [imapclient.SEEN])
                    client.move(moved, "INBOX")

    assert ended_at_each(strike, check) > 15


@pytest.mark.parametrize("kind", ["maildir", "imap"])
def test_two_processes_that_fetch_from_one_mailbox_store_each_mail_once(
    box: Box, dovecot: Dovecot, tmp_path: Path, inbox: Inbox, kind: str
) -> None:
    post = Post(dovecot)
    source = Source("maildir", box.path, done="Done") if kind == "maildir" else post.source
    for number in range(200):
        box.deliver(number) if kind == "maildir" else post.deliver(number)

    def look() -> None:
        fetched = fetch(source, Inbox(inbox.folder))
        assert (fetched.complete, fetched.trouble) == (True, "")

    children = []
    for _ in range(2):
        child = os.fork()
        if not child:
            try:
                look()
                os._exit(0)
            finally:
                os._exit(77)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]
    assert stored(inbox) == list(range(200))
    assert fetch(source, inbox, LATER) == Fetched(0, True, LATER)


# Working on mails


def test_work_on_mails_may_end_at_any_call(inbox: Inbox, quick_disk: None) -> None:
    def fresh() -> None:
        shutil.rmtree(inbox.folder, ignore_errors=True)
        for number in range(MAILS):
            Inbox(inbox.folder).store(mail(number), NOW, "a test")

    def work() -> None:
        first, second, _third = Inbox(inbox.folder).take()
        inbox.finish(first.key)
        inbox.finish(second.key, refused="It is no order.")

    def check() -> None:
        begun = {entry.key for entry in inbox.entries() if entry.again}
        waiting = inbox.take()
        keys = [entry.key for entry in waiting]
        assert {entry.key for entry in waiting if entry.again} == begun
        ended = {path.stem for state in ("done", "refused") for path in (inbox.folder / state).glob("*.eml")}
        assert len({*keys, *ended}) == len(keys) + len(ended) == MAILS, "each mail is in one place"
        assert set(inbox.refused()) <= {key for key, reason in inbox.refused().items() if reason}
        fresh()

    fresh()
    assert ended_at_each_call(work, check) > 10


# Sending


def outgoing(number: int) -> Outgoing:
    return Outgoing(f"report {number}", "bob@example.org", f"r{number}@example.org", "Stop 3", "Dear bob,", NOW)


def build(mail: Outgoing) -> bytes:
    return f"Message-Id: <{mail.message_id}>\r\n\r\n{mail.text}\r\n".encode()


def watched(steps: Steps) -> None:
    """Make every call of the database a step, in this process."""
    real = outbox_module._connect
    outbox_module._connect = lambda folder: Watched(real(folder), steps)  # type: ignore[assignment, return-value]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "outbox"


def test_putting_mails_may_end_at_any_step(folder: Path) -> None:
    def put() -> None:
        with Outbox(folder) as outbox:
            for number in range(MAILS):
                outbox.put(outgoing(number))
            outbox.flush()

    def strike(number: int) -> Callable[[], object]:
        def work() -> None:
            watched(Steps(number))
            put()

        return work

    def check() -> None:
        assert Outbox(folder).status().waiting in (0, MAILS), "all of a batch is there, or nothing"
        put()
        assert Outbox(folder).status().waiting == MAILS
        shutil.rmtree(folder)

    assert ended_at_each(strike, check) > 10
    assert ended_at_each_call(put, check) > 3


@pytest.fixture
def quick_smtp(tmp_path: Path) -> Iterator[SmtpServer]:
    """A server to which a connection costs little."""
    with smtp_running(tmp_path, security="none", login=False) as server:
        yield server


def sent_at_last(folder: Path, carrier: Any) -> None:
    """Send what a crash left to be sent, and check that it waits for a moment first if it was being sent."""
    with Outbox(folder) as outbox:
        outbox.send(build, carrier, SOON)
        outbox.send(build, carrier, IN_A_WHILE)
        status = outbox.status()
    assert (status.waiting, status.sent, status.lost) == (0, MAILS, 0)


def put_some(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    with Outbox(folder) as outbox:
        for number in range(MAILS):
            assert outbox.put(outgoing(number))
        outbox.flush()


def test_sending_by_smtp_may_end_at_any_step(folder: Path, quick_smtp: SmtpServer) -> None:
    smtp = quick_smtp
    target = smtp.target()

    def strike(number: int) -> Callable[[], object]:
        def work() -> None:
            steps = Steps(number)
            watched(steps)
            carrier = carrier_of(target, "referee@example.org")
            for name in ("mail", "rcpt", "data"):
                setattr(smtplib.SMTP, name, steps.around(getattr(smtplib.SMTP, name)))
            with Outbox(folder) as outbox:
                outbox.send(build, carrier, NOW)

        return work

    again = []

    def check() -> None:
        sent_at_last(folder, carrier_of(target, "referee@example.org"))
        ids = Counter(data.split(b"\r\n")[0] for _, _, data in smtp.mails)
        assert sorted(ids) == [f"Message-Id: <r{number}@example.org>".encode() for number in range(MAILS)]
        assert sum(ids.values()) <= MAILS + 1, "at most the mail in hand goes out twice, under one Message-Id"
        again.append(sum(ids.values()) - MAILS)
        smtp.mails.clear()
        put_some(folder)

    put_some(folder)
    assert ended_at_each(strike, check) > 40
    assert 0 < sum(again) < len(again) / 4, "and that only between the word of the server and the mark"


def test_sending_into_a_maildir_may_end_at_any_call_and_sends_nothing_twice(
    folder: Path, tmp_path: Path, quick_disk: None
) -> None:
    out = tmp_path / "out"

    def work() -> None:
        with Outbox(folder) as outbox:
            outbox.send(build, MaildirOut(out), NOW)

    def check() -> None:
        sent_at_last(folder, MaildirOut(out))
        arrived = sorted(path.read_bytes() for path in (out / "new").iterdir())
        assert arrived == [build(outgoing(number)) for number in range(MAILS)]
        shutil.rmtree(out)
        put_some(folder)

    put_some(folder)
    assert ended_at_each_call(work, check) > 30


def test_two_processes_that_send_send_each_mail_once(folder: Path, smtp: SmtpServer) -> None:
    target = smtp.target()
    put_some(folder)
    children = []
    for _ in range(2):
        child = os.fork()
        if not child:
            try:
                with Outbox(folder) as outbox:
                    outbox.send(build, carrier_of(target, "referee@example.org"), NOW)
                os._exit(0)
            finally:
                os._exit(77)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]
    assert len(smtp.mails) == MAILS
    assert Outbox(folder).status().sent == MAILS


def test_an_outbox_whose_writer_is_killed_is_sound(folder: Path) -> None:
    def put_for_ever() -> None:
        with Outbox(folder) as outbox:
            start = outbox.status().waiting
            for number in range(start, start + 100_000):
                outbox.put(Outgoing(f"report {number}", "bob@example.org", "x@y", "x", "x" * 20_000, NOW))
                if number % 5 == 4:
                    outbox.flush()

    before = 0
    for round_ in range(8):
        child = os.fork()
        if not child:
            try:
                put_for_ever()
            finally:
                os._exit(77)
        time.sleep(0.05 + 0.013 * round_)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        waiting = Outbox(folder).status().waiting
        assert waiting >= before
        assert waiting % 5 == 0, "all of a batch is there, or nothing"
        before = waiting
        assert sqlite3.connect(folder / FILE).execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert before > 0
