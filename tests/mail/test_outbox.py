"""The outbox: each key is sent once, tried again with growing pauses, and nothing is lost on the way."""

from __future__ import annotations

import os
import sqlite3
import time
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from referee.errors import Refused, Trouble
from referee.fields import replace
from referee.locks import locked
from referee.mail.outbox import FILE, LIFETIME, LOG, Outbox, Outgoing, Postponed, Rejected, Unreachable
from referee.mail.spool import TIME, moment

NOW = "2026-11-30T18:00:00Z"
MAIL = Outgoing("answer 1", "bob@example.org", "a1@example.org", "Stop 3: move", "Dear bob,", NOW, match="cl-7k3q", seat="bob")
HAND = "the black compass"


def later(**span: float) -> str:
    return (moment(NOW) + timedelta(**span)).strftime(TIME)


def build(outgoing: Outgoing) -> bytes:
    return f"Message-Id: <{outgoing.message_id}>\n\n{outgoing.text}".encode()


class Post:
    """A carrier that keeps what it gets, and fails as it is told, by address."""

    def __init__(self, **faults: Exception) -> None:
        self.got: list[str] = []
        self.tried: list[str] = []
        self.faults: dict[str, Exception] = {f"{name}@example.org": fault for name, fault in faults.items()}
        self.closed = 0

    def deliver(self, to: str, data: bytes, name: str) -> str:
        self.tried.append(name)
        if to in self.faults:
            raise self.faults[to]
        self.got.append(name)
        return "250 kept"

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def outbox(tmp_path: Path) -> Any:
    with Outbox(tmp_path / "desk" / "outbox") as box:
        yield box


def put(outbox: Outbox, *mails: Outgoing) -> None:
    assert [outbox.put(mail) for mail in mails] == [True] * len(mails)
    outbox.flush()


def to(seat: str, key: str = "", **more: Any) -> Outgoing:
    return replace(MAIL, key=key or f"answer {seat}", to=f"{seat}@example.org", seat=seat, **more)


def log(outbox: Outbox) -> list[list[str]]:
    return [line.split("\t") for line in (outbox.folder / LOG).read_text().splitlines()]


def test_a_mail_comes_out_as_it_was_put_in(outbox: Outbox) -> None:
    mail = to(
        "bob",
        in_reply_to="x@y",
        references="r@y x@y",
        report_text=b"\x00\xff",
        report_html=b"<p>",
        file_name="f",
        what="report",
    )
    put(outbox, mail)
    seen: list[Outgoing] = []
    outbox.send(lambda outgoing: seen.append(outgoing) or b"", Post(), NOW)
    assert seen == [mail]


def test_a_key_is_sent_once(outbox: Outbox) -> None:
    put(outbox, MAIL)
    assert not outbox.put(MAIL)
    post = Post()
    assert outbox.send(build, post, NOW).sent == 1
    assert not outbox.put(replace(MAIL, text="another text"))
    outbox.flush()
    assert outbox.send(build, post, later(days=1)).sent == 0
    assert (post.got, post.closed) == (["answer 1"], 2)


def test_two_processes_that_put_the_same_key_put_it_once(outbox: Outbox) -> None:
    other = Outbox(outbox.folder)
    assert outbox.put(MAIL)
    assert other.put(MAIL)
    outbox.flush()
    other.flush()
    assert outbox.status().waiting == 1
    assert not other.put(MAIL)


def test_mails_go_out_in_the_order_in_which_they_were_put(outbox: Outbox) -> None:
    put(outbox, *[to("bob", f"answer {number}") for number in (3, 1, 2)])
    post = Post()
    assert outbox.send(build, post, NOW, most=2).sent == 2
    outbox.send(build, post, NOW)
    assert post.got == ["answer 3", "answer 1", "answer 2"]


def test_what_was_put_and_not_flushed_is_nowhere(outbox: Outbox) -> None:
    outbox.put(MAIL)
    assert Outbox(outbox.folder).status().waiting == 0
    outbox.close()
    assert outbox.put(MAIL)


def test_a_mail_that_is_not_taken_is_tried_again_with_growing_pauses_and_given_up_in_the_end(outbox: Outbox) -> None:
    put(outbox, MAIL, to("alice"))
    post = Post(bob=Postponed("451 try again"))
    tries, now = [], moment(NOW)
    while not outbox.lost():
        outbox.send(build, post, now.strftime(TIME))
        if len(post.tried) > len(tries):
            tries += [now] * (len(post.tried) - len(tries))
        now += timedelta(minutes=1)
    assert post.got == ["answer alice"]
    pauses = [(after - before).total_seconds() / 60 for before, after in pairwise(tries[1:])]
    assert pauses[:6] == [1, 5, 15, 60, 120, 240]
    assert set(pauses[6:]) == {240}
    assert tries[-1] - tries[0] >= LIFETIME
    (lost,) = outbox.lost()
    assert (lost.key, lost.to, lost.reason) == ("answer 1", "bob@example.org", "given up after 5 days: 451 try again")
    assert outbox.status().lost == 1
    assert not outbox.put(MAIL)


def test_a_mail_that_is_refused_for_good_is_not_tried_again(outbox: Outbox) -> None:
    put(outbox, MAIL, to("alice"))
    post = Post(bob=Rejected("550 no such user"))
    done = outbox.send(build, post, NOW)
    assert (done.sent, done.postponed, done.lost, done.trouble) == (1, 0, 1, "")
    outbox.send(build, post, later(days=4))
    assert post.tried == ["answer 1", "answer alice"]
    assert [lost.reason for lost in outbox.lost()] == ["refused: 550 no such user"]


def test_when_nothing_goes_the_way_pauses_and_no_mail_grows_older(outbox: Outbox) -> None:
    put(outbox, MAIL, to("alice"))
    post = Post(bob=Unreachable("no server"))
    tries, now = [], moment(NOW)
    while now < moment(NOW) + 2 * LIFETIME:
        if outbox.send(build, post, now.strftime(TIME)).trouble:
            tries += [now] * (len(post.tried) - len(tries))
        now += timedelta(minutes=1)
    # One mail is tried for all, and each try is later after the one before.
    assert set(post.tried) == {"answer 1"}
    assert [(b - a).total_seconds() / 60 for a, b in pairwise(tries)][:6] == [1, 5, 15, 60, 120, 240]
    status = outbox.status()
    assert (status.waiting, status.lost, status.trouble, status.since) == (2, 0, "no server", NOW)
    post.faults.clear()
    assert outbox.send(build, post, now.strftime(TIME)).sent == 0, "the pause holds"
    now += timedelta(hours=4)
    assert outbox.send(build, post, now.strftime(TIME)).sent == 2
    assert outbox.status().trouble == ""


def test_a_mail_that_cannot_be_made_does_not_stop_the_others(outbox: Outbox) -> None:
    put(outbox, MAIL, to("carol"), to("alice"))

    def fail(outgoing: Outgoing) -> bytes:
        if outgoing.seat == "bob":
            raise ZeroDivisionError(HAND)
        if outgoing.seat == "carol":
            raise Refused("The board is gone.")
        return b""

    done = outbox.send(fail, Post(), NOW)
    assert (done.sent, done.postponed) == (1, 2)
    assert [line[4] for line in log(outbox)] == [
        "it cannot be made: ZeroDivisionError",
        "it cannot be made: The board is gone.",
        "250 kept",
    ]


def test_the_delivery_log_has_a_line_for_each_try_and_no_content(outbox: Outbox) -> None:
    put(outbox, replace(MAIL, text=HAND, subject=HAND, report_text=HAND.encode(), report_html=HAND.encode()), to("alice"))
    post = Post(bob=Postponed("451 later\r\n2026-11-30\tsent\tforged"))
    outbox.send(build, post, NOW)
    post.faults.clear()
    outbox.send(build, post, later(minutes=2))
    assert [line[:4] for line in log(outbox)] == [
        [NOW, "later", "answer 1", "bob@example.org"],
        [NOW, "sent", "answer alice", "alice@example.org"],
        [later(minutes=2), "sent", "answer 1", "bob@example.org"],
    ]
    assert HAND not in (outbox.folder / LOG).read_text()


def test_what_is_held_waits_for_its_digest(outbox: Outbox) -> None:
    parts = [to("bob", f"report {number}", digest=True) for number in (1, 2)]
    put(outbox, parts[0], to("alice", "report 3", digest=True), parts[1], MAIL)
    post = Post()
    assert outbox.send(build, post, NOW).sent == 1
    assert [mail.key for mail in outbox.held()] == ["report 1", "report 3", "report 2"]
    digest = to("bob", "digest 1", what="digest")
    assert outbox.gather(digest, ["report 2", "report 1", "answer 1", "unknown"], NOW)
    assert [mail.key for mail in outbox.held()] == ["report 3"]
    assert outbox.parts("digest 1") == parts
    assert not outbox.gather(digest, ["report 3"], NOW), "a digest is gathered once"
    assert [mail.key for mail in outbox.held()] == ["report 3"]
    assert not outbox.put(parts[0])
    assert outbox.send(build, post, NOW).sent == 1
    assert post.got == ["answer 1", "digest 1"]
    assert outbox.status().held == 1


def test_the_parts_of_a_digest_are_kept_until_it_is_sent(outbox: Outbox) -> None:
    put(outbox, to("bob", "report 1", digest=True))
    outbox.gather(to("bob", "digest 1"), ["report 1"], NOW)
    outbox.send(build, Post(bob=Unreachable("no server")), later(days=40))
    assert outbox.parts("digest 1")[0].text == MAIL.text
    outbox.send(build, Post(), later(days=41))
    outbox.send(build, Post(), later(days=42))
    assert outbox.parts("digest 1")[0].text == ""


@pytest.mark.parametrize(
    ("pattern", "again"),
    [
        ("answer 1", ["answer 1"]),
        ("cl-7k3q", ["answer 1", "answer alice"]),
        ("*/alice", ["answer alice"]),
        ("cl-7k3q/*", ["answer 1", "answer alice"]),
        ("b?b@example.org", ["answer 1", "other bob"]),
        ("nobody", []),
    ],
)
def test_a_mail_can_be_sent_again(outbox: Outbox, pattern: str, again: list[str]) -> None:
    put(outbox, MAIL, to("alice"), to("bob", "other bob", match="other"), to("bob", "held", digest=True))
    outbox.send(build, Post(alice=Rejected("550")), NOW)
    assert outbox.resend(pattern) == again
    post = Post()
    outbox.send(build, post, NOW)
    assert post.got == again
    assert [mail.key for mail in outbox.held()] == ["held"]


def test_what_was_sent_long_ago_is_forgotten_but_for_its_key(outbox: Outbox) -> None:
    put(outbox, replace(MAIL, report_html=b"x" * 100_000))
    outbox.send(build, Post(), NOW)
    outbox.send(build, Post(), later(days=31))
    assert outbox.resend("answer 1") == []
    assert not outbox.put(MAIL)
    rows = sqlite3.connect(outbox.folder / FILE).execute("SELECT text, report_html FROM mail").fetchall()
    assert rows == [("", b"")]


def test_the_status_says_what_waits_and_since_when(outbox: Outbox) -> None:
    assert vars(outbox.status()) == {
        "waiting": 0, "held": 0, "sent": 0, "lost": 0, "oldest": "", "due": "", "matches": {}, "trouble": "", "since": "",
    }  # fmt: skip
    put(outbox, MAIL, to("alice", date=later(hours=-1)), to("bob", "b", match="other"))
    outbox.send(build, Post(bob=Postponed("451"), alice=Postponed("451")), NOW)
    status = outbox.status()
    assert (status.waiting, status.matches) == (3, {"cl-7k3q": 2, "other": 1})
    assert (status.oldest, status.due) == (later(hours=-1), later(minutes=1))


def test_only_one_process_sends(outbox: Outbox) -> None:
    put(outbox, MAIL)
    with locked(outbox.folder / ".send.lock"):
        done = outbox.send(build, Post(), NOW)
    assert (done.sent, done.trouble) == (0, "Another process is sending.")
    assert outbox.send(build, Post(), NOW).sent == 1


def test_a_child_process_has_an_outbox_of_its_own(outbox: Outbox) -> None:
    put(outbox, MAIL)
    child = os.fork()
    if not child:
        try:
            put(outbox, to("alice"))
            os._exit(0)
        finally:
            os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    put(outbox, to("carol"))
    assert outbox.status().waiting == 3


def test_two_processes_may_put_mails_at_the_same_time(outbox: Outbox) -> None:
    children = []
    for seat in ("alice", "bob"):
        child = os.fork()
        if not child:
            try:
                with Outbox(outbox.folder) as own:
                    for start in range(0, 300, 10):
                        put(own, *[to(seat, f"{seat} {number}") for number in range(start, start + 10)])
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]
    assert outbox.status().waiting == 600


def test_what_is_no_address_is_not_tried_for_days(outbox: Outbox) -> None:
    put(outbox, replace(MAIL, to="bob at home"), to("alice"))
    post = Post()
    assert outbox.send(build, post, NOW).lost == 1
    assert post.tried == ["answer alice"]
    assert [lost.reason for lost in outbox.lost()] == ["refused: 'bob at home' is no mail address"]


def test_a_full_disk_is_told_and_what_was_put_is_still_to_be_flushed(outbox: Outbox) -> None:
    put(outbox, MAIL)
    database = outbox._database()
    pages = database.execute("PRAGMA page_count").fetchone()[0]
    database.execute(f"PRAGMA max_page_count = {pages}")
    assert outbox.put(to("alice", report_html=b"x" * 100_000))
    with pytest.raises(Trouble, match="cannot be written: database or disk is full"):
        outbox.flush()
    assert outbox.status().waiting == 1
    database.execute(f"PRAGMA max_page_count = {pages + 1000}")
    outbox.flush()
    assert outbox.send(build, Post(), NOW).sent == 2


def test_a_disk_that_cannot_be_written_sends_nothing_at_all(outbox: Outbox) -> None:
    put(outbox, MAIL)
    outbox._database().execute("PRAGMA query_only = 1")
    post = Post()
    with pytest.raises(Trouble, match="cannot be written"):
        outbox.send(build, post, NOW)
    assert (post.tried, post.closed) == ([], 1)


def test_an_outbox_that_is_no_outbox_is_told(tmp_path: Path) -> None:
    (tmp_path / "outbox").mkdir()
    (tmp_path / "outbox" / FILE).write_bytes(b"no database at all" * 100)
    with pytest.raises(Trouble, match="file is not a database"):
        Outbox(tmp_path / "outbox").status()
    (tmp_path / "file").touch()
    with pytest.raises(Trouble, match="cannot be made"):
        Outbox(tmp_path / "file" / "outbox").put(MAIL)


def test_nobody_else_may_look_into_the_outbox(outbox: Outbox) -> None:
    put(outbox, MAIL)
    outbox.send(build, Post(), NOW)
    assert all(path.stat().st_mode & 0o077 == 0 for path in outbox.folder.iterdir())


def test_putting_a_mail_costs_well_under_a_millisecond(outbox: Outbox) -> None:
    report = b"x" * 60_000
    mails = [to("bob", f"report {number}", report_text=report[:9000], report_html=report) for number in range(500)]
    put(outbox, MAIL)
    began = time.process_time()
    for start in range(0, 500, 100):
        put(outbox, *mails[start : start + 100])
    assert (time.process_time() - began) / 500 < 0.001
