"""The inbox: every mail is kept once, as it came, and moves forward only."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.errors import Trouble
from referee.mail.inbox import Entry, Inbox

EARLY, LATE = "2026-11-30T17:00:00Z", "2026-11-30T18:00:00Z"
HERE = "a test"


@pytest.fixture
def inbox(tmp_path: Path, quick_disk: None) -> Inbox:
    return Inbox(tmp_path / "desk" / "inbox")


def test_the_bytes_are_kept_as_they_came(inbox: Inbox) -> None:
    for raw in (b"", b"no header at all", b"X-Referee-Received: x; y\n\nz", b"\xff\x00\r\n", b"\n\n\n"):
        key = inbox.store(raw, LATE, HERE)
        assert inbox.read(key) == raw
    assert len(inbox.entries()) == 5


def test_the_same_bytes_are_one_mail_in_every_state(inbox: Inbox) -> None:
    key = inbox.store(b"one", EARLY, HERE)
    assert inbox.store(b"one", LATE, "another place") == key
    assert inbox.entries() == [Entry(key, EARLY, HERE)]
    for state, step in [("new", inbox.entries), ("open", inbox.take), ("done", lambda: inbox.finish(key))]:
        step()
        assert inbox.state(key) == state
        assert inbox.store(b"one", LATE, HERE) == key
        assert inbox.state(key) == state
    assert inbox.entries() == []


def test_mails_are_sorted_by_the_time_they_were_received_then_by_their_keys(inbox: Inbox) -> None:
    late, early = inbox.store(b"late", LATE, HERE), inbox.store(b"early", EARLY, HERE)
    same = sorted([early, inbox.store(b"early too", EARLY, HERE)])
    assert [entry.key for entry in inbox.entries()] == [*same, late]
    assert [entry.key for entry in inbox.take(2)] == same
    assert [entry.again for entry in inbox.entries()] == [True, True, False]


def test_a_mail_that_was_begun_before_is_known_as_such(inbox: Inbox) -> None:
    key = inbox.store(b"one", LATE, HERE)
    assert not inbox.started(key)
    (entry,) = inbox.take()
    assert not entry.again
    assert inbox.started(key)
    (again,) = Inbox(inbox.folder).take(keys=[key])
    assert again.again
    inbox.finish(key)
    assert not inbox.started(key)
    assert inbox.take(keys=[key]) == []


def test_what_another_process_has_ended_is_not_taken(inbox: Inbox) -> None:
    inbox.store(b"one", LATE, HERE)
    inbox.store(b"two", LATE, HERE)
    entries = inbox.entries()
    Inbox(inbox.folder).finish(entries[0].key)
    assert [entry.key for entry in inbox.open(entries)] == [entries[1].key]


def test_a_refused_mail_lies_beside_the_reason(inbox: Inbox) -> None:
    key = inbox.store(b"one", LATE, HERE)
    inbox.take()
    inbox.finish(key, refused="It is larger than 1 MB.")
    assert inbox.refused() == {key: "It is larger than 1 MB."}
    assert {path.name for path in inbox.path(key).parent.iterdir()} == {f"{key}.eml", f"{key}.txt"}
    inbox.finish(key, refused="A second try.")
    assert inbox.refused() == {key: "A second try."}


def test_what_is_stored_without_a_flush_shows_only_after_it(inbox: Inbox) -> None:
    keys = {inbox.store(raw, LATE, HERE, flush=False) for raw in (b"one", b"two", b"one")}
    assert inbox.entries() == []
    inbox.flush()
    assert {entry.key for entry in inbox.entries()} == keys
    assert len(keys) == 2


def test_two_processes_that_fetch_the_same_mail_store_it_once(inbox: Inbox) -> None:
    other = Inbox(inbox.folder)
    for box in (inbox, other):
        box.store(b"one", LATE, HERE, flush=False)
    other.flush()
    (entry,) = other.take()
    other.finish(entry.key)
    inbox.flush()
    assert inbox.entries() == []
    assert inbox.state(entry.key) == "done"
    assert not list(inbox.folder.glob(".referee-*"))


def test_what_is_forgotten_is_still_known(inbox: Inbox) -> None:
    early, late = inbox.store(b"early", EARLY, HERE), inbox.store(b"late", LATE, HERE)
    waiting = inbox.store(b"waiting", EARLY, HERE)
    inbox.finish(early, refused="It is no order.")
    inbox.finish(late)
    assert inbox.forget(LATE) == 1
    assert inbox.forget(LATE) == 0
    assert inbox.store(b"early", LATE, HERE) == early
    assert [entry.key for entry in inbox.entries()] == [waiting]
    assert inbox.read(late) == b"late"
    assert inbox.read(early) == b""


def test_a_mail_that_somebody_laid_there_by_hand_is_read_too(inbox: Inbox) -> None:
    inbox.store(b"one", EARLY, HERE)
    path = inbox.folder / "new" / "from-a-backup.eml"
    path.write_bytes(b"Subject: x\n\nroll\n")
    os.utime(path, (0, 0))
    first = inbox.take()[0]
    assert (first.key, first.received) == ("from-a-backup", "1970-01-01T00:00:00Z")
    assert inbox.read(first.key) == b"Subject: x\n\nroll\n"


def test_a_time_in_another_form_is_no_time(inbox: Inbox) -> None:
    with pytest.raises(ValueError, match="is no time"):
        inbox.store(b"one", "30 Nov 2026", HERE)


def test_a_source_of_several_lines_stays_in_its_line(inbox: Inbox) -> None:
    key = inbox.store(b"one", LATE, "here\nBcc: bob\x1b[2J" + "x" * 500)
    (entry,) = inbox.entries()
    assert (entry.received, entry.source[:19]) == (LATE, "here Bcc: bob?[2Jxx")
    assert inbox.read(key) == b"one"


def test_what_crashes_left_behind_is_swept_away_in_time(inbox: Inbox) -> None:
    inbox.store(b"one", LATE, HERE)
    old, young = inbox.folder / ".referee-old.tmp", inbox.folder / ".referee-young.tmp"
    for path in (old, young):
        path.touch()
    os.utime(old, (0, 0))
    Inbox(inbox.folder).store(b"two", LATE, HERE)
    assert not old.exists()
    assert young.exists()


def test_the_inbox_says_what_is_wrong(inbox: Inbox) -> None:
    assert inbox.entries() == []
    with pytest.raises(Trouble, match="holds no mail"):
        inbox.read("0" * 64)
    inbox.folder.parent.mkdir(parents=True)
    inbox.folder.touch()
    with pytest.raises(Trouble, match="A mail cannot be kept in "):
        inbox.store(b"one", LATE, HERE)


def test_nobody_else_may_look_into_the_inbox(inbox: Inbox) -> None:
    key = inbox.store(b"one", LATE, HERE)
    assert inbox.path(key).stat().st_mode & 0o077 == 0
