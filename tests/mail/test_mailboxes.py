"""Fetching: everything is read once, nothing is deleted, and a mail that cannot be read stops no other."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from referee.config import Source
from referee.mail.inbox import Inbox
from referee.mail.mailboxes import fetch, read_files, received_of
from referee.mail.rounds import MOST_BYTES, Fetched
from referee.mail.spool import moment

NOW, LATER, NEXT_DAY = "2026-11-30T18:00:00Z", "2026-11-30T19:00:00Z", "2026-12-01T19:00:00Z"
RECEIVED = "2026-11-30T17:30:00Z"
pytestmark = pytest.mark.usefixtures("quick_disk")


def mail(number: int) -> bytes:
    return f"Subject: mail {number}\n\nroll\n".encode()


def stored(inbox: Inbox) -> list[int]:
    """Return the numbers of the mails in the inbox."""
    return sorted(int(inbox.read(entry.key).split()[2]) for entry in inbox.entries())


@pytest.fixture
def inbox(tmp_path: Path) -> Inbox:
    return Inbox(tmp_path / "inbox")


class Box:
    """A Maildir to which another program delivers."""

    def __init__(self, path: Path) -> None:
        self.path, self.source = path, Source("maildir", path)
        for part in ("tmp", "new", "cur"):
            (path / part).mkdir(parents=True)

    def deliver(self, number: int, part: str = "new", flags: str = "") -> Path:
        path = self.path / part / f"{number}.M1.host{flags}"
        path.write_bytes(mail(number))
        seconds = moment(RECEIVED).timestamp()
        os.utime(path, (seconds, seconds))
        return path

    def names(self) -> set[str]:
        return {f"{path.parent.name}/{path.name}" for path in self.path.glob("*/*") if path.is_file()}


@pytest.fixture
def box(tmp_path: Path) -> Box:
    return Box(tmp_path / "Maildir")


# Maildir


def test_a_maildir_is_read_and_marked(box: Box, inbox: Inbox) -> None:
    for number in range(120):
        box.deliver(number)
    assert fetch(box.source, inbox, NOW) == Fetched(120, True, NOW)
    assert stored(inbox) == list(range(120))
    assert {entry.received for entry in inbox.entries()} == {RECEIVED}
    assert box.names() == {f"cur/{number}.M1.host:2,S" for number in range(120)}
    assert fetch(box.source, inbox, LATER) == Fetched(0, True, LATER)


def test_a_mail_that_a_person_has_read_first_is_fetched_too(box: Box, inbox: Inbox) -> None:
    box.deliver(1, "cur", ":2,S")
    box.deliver(2, "cur", ":2,F")
    fetch(box.source, inbox, NOW)
    assert stored(inbox) == [2], "what was read before the first look is no mail to the desk"
    assert box.names() == {"cur/1.M1.host:2,S", "cur/2.M1.host:2,FS"}
    box.deliver(3, "cur", ":2,RS")
    fetch(box.source, inbox, LATER)
    assert stored(inbox) == [2, 3]


def test_the_mails_of_a_maildir_may_be_moved_to_a_folder_of_it(box: Box, inbox: Inbox) -> None:
    box.source.done = "Done"
    box.deliver(1)
    box.deliver(2, "cur", ":2,")
    assert fetch(box.source, inbox, NOW).count == 2
    assert sorted(path.name for path in (box.path / ".Done" / "cur").iterdir()) == ["1.M1.host:2,S", "2.M1.host:2,S"]
    assert box.names() == set()
    box.source.done = "../elsewhere"
    assert "is no name for a folder" in fetch(box.source, inbox, LATER).trouble


def test_a_mail_that_cannot_be_read_stops_no_other_and_makes_the_look_incomplete_for_a_day(box: Box, inbox: Inbox) -> None:
    (box.path / "new" / "broken").mkdir()
    box.deliver(1)
    said = "1 mail could not be read: broken: Is a directory."
    assert fetch(box.source, inbox, NOW) == Fetched(1, False, NOW, said)
    assert fetch(box.source, inbox, LATER) == Fetched(0, False, LATER, said)
    assert fetch(box.source, inbox, NEXT_DAY) == Fetched(0, True, NEXT_DAY, said)
    (box.path / "new" / "broken").rmdir()
    assert fetch(box.source, inbox, NEXT_DAY) == Fetched(0, True, NEXT_DAY)


def test_a_mail_that_another_program_moves_meanwhile_is_not_missed(
    box: Box, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = box.deliver(1), box.deliver(2)
    real = Path.open

    def moved(path: Path, *given: Any, **named: Any) -> Any:
        if path == first and first.exists():
            first.rename(box.path / "cur" / f"{first.name}:2,S")
        return real(path, *given, **named)

    monkeypatch.setattr(Path, "open", moved)
    assert fetch(box.source, inbox, NOW).complete
    assert stored(inbox) == [1, 2]
    assert not second.exists()


def test_a_maildir_in_which_nothing_stays_in_its_place_is_not_complete(
    box: Box, inbox: Inbox, monkeypatch: pytest.MonkeyPatch
) -> None:
    box.deliver(1)
    real = Path.open

    def moved(path: Path, *given: Any, **named: Any) -> Any:
        if path.is_relative_to(box.path):
            path.rename(path.with_name(f"1.M1.host:2,{'F' if path.name.endswith('R') else 'R'}"))
        return real(path, *given, **named)

    monkeypatch.setattr(Path, "open", moved)
    assert not fetch(box.source, inbox, NOW).complete


def test_a_mail_that_is_too_long_is_kept_as_far_as_it_is_looked_at(box: Box, inbox: Inbox) -> None:
    box.deliver(1).write_bytes(mail(1) + b"x" * 3_000_000)
    fetch(box.source, inbox, NOW)
    (entry,) = inbox.entries()
    assert len(inbox.read(entry.key)) == MOST_BYTES


def test_no_mail_comes_from_the_future(box: Box, inbox: Inbox) -> None:
    os.utime(box.deliver(1), (2e10, 2e10))
    fetch(box.source, inbox, NOW)
    assert [entry.received for entry in inbox.entries()] == [NOW]


def test_a_maildir_that_is_not_there_is_told(tmp_path: Path, inbox: Inbox) -> None:
    fetched = fetch(Source("maildir", tmp_path / "none"), inbox, NOW)
    assert (fetched.count, fetched.complete) == (0, False)
    assert fetched.trouble.startswith(f"The Maildir {tmp_path}/none cannot be read: No such file or directory.")


def test_no_source_is_told(inbox: Inbox) -> None:
    assert fetch(Source(), inbox, NOW).trouble.startswith("The configuration does not say where mail is fetched from.")


def test_a_mark_that_is_lost_or_broken_costs_nothing_but_time(box: Box, inbox: Inbox) -> None:
    box.deliver(1)
    fetch(box.source, inbox, NOW)
    (mark,) = inbox.folder.glob("mark-*.toml")
    for content in (b"", b"\xff", b"validity = [", b'unknown = "x"\n'):
        mark.write_bytes(content)
        assert fetch(box.source, inbox, LATER).complete
        assert stored(inbox) == [1]


# mbox


def mbox(path: Path, *mails: bytes) -> Source:
    with path.open("ab") as file:
        for one in mails:
            file.write(b"From alice@example.org Mon Nov 30 17:00:00 2026\n" + one + b"\n")
    return Source("mbox", path)


def test_an_mbox_is_read_and_left_alone(tmp_path: Path, inbox: Inbox) -> None:
    source = mbox(tmp_path / "mbox", *[mail(number) for number in range(70)])
    before = source.path.read_bytes()
    assert fetch(source, inbox, NOW) == Fetched(70, True, NOW)
    assert fetch(source, inbox, LATER).count == 0
    mbox(source.path, mail(70), mail(71))
    assert fetch(source, inbox, LATER).count == 2
    assert stored(inbox) == list(range(72))
    assert source.path.read_bytes().startswith(before)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inbox", "mbox"], "no lock is left behind"


def test_an_mbox_that_another_program_has_rewritten_is_read_anew(tmp_path: Path, inbox: Inbox) -> None:
    source = mbox(tmp_path / "mbox", mail(1), mail(2))
    fetch(source, inbox, NOW)
    source.path.unlink()
    mbox(source.path, mail(2), mail(3), mail(4))
    assert fetch(source, inbox, LATER).count == 3
    assert stored(inbox) == [1, 2, 3, 4]
    source.path.write_bytes(b"")
    assert fetch(source, inbox, LATER) == Fetched(0, True, LATER)


def test_the_lines_of_a_mail_that_look_like_the_next_one_are_its_own(tmp_path: Path, inbox: Inbox) -> None:
    body = b"Subject: x\n\n>From here to blue\n> From a quotation\n>>From twice\nFrom the middle\n"
    fetch(mbox(tmp_path / "mbox", body, mail(2)), inbox, NOW)
    raws = {inbox.read(entry.key) for entry in inbox.entries()}
    assert b"Subject: x\n\nFrom here to blue\n> From a quotation\n>From twice\nFrom the middle\n\n" in raws
    assert len(raws) == 2


def test_an_mbox_that_another_program_holds_waits(tmp_path: Path, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("referee.mail.mailboxes._LOCK_PAUSE", 0)
    source = mbox(tmp_path / "mbox", mail(1))
    (tmp_path / "mbox.lock").touch()
    fetched = fetch(source, inbox, NOW)
    assert (fetched.count, fetched.complete) == (0, False)
    assert "Another program holds the mbox" in fetched.trouble
    (tmp_path / "mbox.lock").unlink()
    assert fetch(source, inbox, NOW).count == 1


def test_the_time_of_a_mail_in_an_mbox_is_what_the_last_server_wrote(tmp_path: Path, inbox: Inbox) -> None:
    head = b"Received: by mx.example.org;\n\tMon, 30 Nov 2026 18:30:00 +0100 (CET)\nReceived: x; forged\n"
    fetch(mbox(tmp_path / "mbox", head + mail(1)), inbox, NOW)
    assert [entry.received for entry in inbox.entries()] == [RECEIVED]


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"Received:", b"Received: by mx; today", b"Subject: x\n\nReceived: by mx; Mon, 30 Nov 2026 19:00:00 +0100",
        b"Received: by mx; Mon, 30 Nov 99999 19:00:00 +0100", b"\xff\xfe", b"Received: ;;;;\n\t;;",
    ],
)  # fmt: skip
def test_a_mail_that_tells_no_time_has_the_time_that_is_given(raw: bytes) -> None:
    assert received_of(raw, NOW) == NOW


# Files


def test_files_are_read_and_stay(tmp_path: Path, inbox: Inbox) -> None:
    paths = [tmp_path / f"{number}.eml" for number in range(3)]
    for number in (0, 2):
        paths[number].write_bytes(mail(number))
    fetched = read_files(paths, inbox, "2099-01-01T00:00:00Z")
    assert (fetched.count, stored(inbox)) == (2, [0, 2])
    assert fetched.trouble == f"1 mail could not be read: {paths[1]}: No such file or directory."
    assert paths[0].exists()


# A disk that is full


def test_a_full_disk_leaves_the_mailbox_as_it_was(box: Box, inbox: Inbox, monkeypatch: pytest.MonkeyPatch) -> None:
    box.deliver(1)
    box.deliver(2)
    before = box.names()

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        fetched = fetch(box.source, inbox, NOW)
    assert (fetched.complete, box.names()) == (False, before)
    assert "the disk is full" in fetched.trouble
    assert list(inbox.folder.glob(".referee-*")) == []
    assert fetch(box.source, inbox, LATER) == Fetched(2, True, LATER)
    assert stored(inbox) == [1, 2]
