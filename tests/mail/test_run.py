"""The desk at work: rounds that are cut off, rounds that overlap, several processes, deadlines, and what is printed."""

from __future__ import annotations

import email
import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from referee.chain import Chain, verify
from referee.config import Config, Source
from referee.mail.inbox import Inbox
from referee.runner import Office, read_fetch

from ..matches import KEY, code_of
from ..test_crash import ENDED, end, struck
from .scene import ADDRESSES, AT, MODERATOR, Scene, maildir, to

LATER = "2026-11-30T12:30:00Z"
PYTHON = [sys.executable, "-m", "referee"]
STRIDE = 6
"""Every so manieth call of the file system is the one at which the program ends."""


def desk(folder: Path, **table: Any) -> Scene:
    """Return a match whose first reports were sent, at a desk with a Maildir for each direction."""
    scene = Scene(folder, **table)
    for name in ("in", "out"):
        for part in ("new", "cur", "tmp"):
            (folder / name / part).mkdir(parents=True)
    scene.config.source, scene.config.target = Source("maildir", folder / "in"), maildir(folder / "out")
    assert len(scene.round()) == 3
    scene.config.file.write_text(
        f'address = "{scene.config.address}"\nmoderator = "{MODERATOR}"\n'
        '[fetch]\nfrom = "maildir"\npath = "in"\n[send]\nby = "maildir"\npath = "out"\n'
    )
    return scene


def deliver(scene: Scene, number: int, seat: str, *lines: str, block: str = "") -> None:
    """Put a mail of a seat in the Maildir of the desk, as a mail server does."""
    text = (
        f"From: {ADDRESSES[seat]}\nTo: {scene.config.address}\nSubject: Re: orders\n"
        f"Message-ID: <run-{number}@example.net>\nDate: Mon, 30 Nov 2026 12:00:00 +0000\n\n"
    )
    path = scene.config.source.path / "new" / f"{number}.example"
    path.write_text(text + (block or scene.block(seat, *lines)))
    os.utime(path, (1_796_000_000 + number, 1_796_000_000 + number))


def moved(config: Config, folder: Path) -> Config:
    """Return the desk that was copied to another folder."""
    names = {name: folder / name for name in ("desk", "matches")}
    return Config(
        folder / "referee.toml", names["desk"], names["matches"], folder / "referee.key", config.address, config.moderator,
        source=Source("maildir", folder / "in"), target=maildir(folder / "out"),
    )  # fmt: skip


def sent(config: Config) -> dict[str, set[str]]:
    """Return the subjects of all mails that were sent, by Message-Id; one that came twice must be the same."""
    found: dict[str, set[str]] = {}
    for part in ("new", "cur"):
        for path in (config.target.path / part).iterdir():
            mail = email.message_from_bytes(path.read_bytes())
            found.setdefault(mail["Message-ID"], set()).add(f"{mail['To']} {mail['Subject']}".replace("\n", ""))
    return found


# Rounds that are cut off


@pytest.fixture(scope="module")
def waiting(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """A desk with three mails waiting: two sealed answers, and one that opens them, says something and wants a vacation."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda descriptor: None)
        scene = desk(tmp_path_factory.mktemp("waiting") / "desk")
    deliver(scene, 1, "alice", "sail north")
    deliver(scene, 2, "bob", "sail south", "digest off")
    deliver(scene, 3, "carol", "say to all: Land ho!", "vacation 2026-12-24 to 2026-12-26", "sail east", "pirate: sail north")
    return scene


def round_that_ends(config: Config, number: int) -> int:
    """Do a round in a process of its own that ends at that call of the file system; return its exit status."""
    child = os.fork()
    if not child:
        try:
            with struck(number, end):
                Office(config, at=AT).round()
            os._exit(0)
        finally:
            os._exit(77)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def copied(scene: Scene, folder: Path) -> Config:
    """Return a copy of a desk."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(scene.config.file.parent, folder, copy_function=shutil.copy2)
    return moved(scene.config, folder)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize("start", range(1, STRIDE + 1, 2))
def test_a_round_may_end_at_any_call(waiting: Scene, tmp_path: Path, quick_disk: None, start: int) -> None:
    wanted_config = copied(waiting, tmp_path / "wanted")
    assert Office(wanted_config, at=AT).round().troubles == []
    wanted = sent(wanted_config)
    assert len(wanted) >= 3 + 3 + 2
    for number in itertools.count(start, STRIDE):
        config = copied(waiting, tmp_path / "ended")
        code = round_that_ends(config, number)
        done = Office(config, at=LATER).round()
        assert done.troubles == [], number
        chain = Chain(config.matches / "m-1", KEY.public)
        assert chain.latest().save.entry.serial == 4, number
        assert sent(config) == wanted, number
        assert Inbox(config.desk / "inbox").entries() == [], number
        if code == 0:
            break
        assert code == ENDED
    assert number > 100
    assert sum(1 for _ in verify(chain)) == 5


# Rounds at the same time


def test_two_processes_at_one_mailbox_play_every_mail_once(tmp_path: Path) -> None:
    scene = desk(tmp_path)
    for number in range(12):
        seat = list(ADDRESSES)[number % 3]
        deliver(scene, number, seat, "later:", *["land"] * (number // 3 + 1))
    command = [*PYTHON, "run", str(scene.config.file), "--once", "--json"]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(3)]
    said = [json.loads(process.communicate(timeout=120)[0]) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert sum(one.get("handled", 0) for one in said) == 12
    assert any(one.get("handled") == 12 for one in said) or any("busy" in one for one in said) or len(said) == 3
    assert scene.link.save.entry.serial == 1 + 12
    mails = sent(scene.config)
    assert all(len(subjects) == 1 for subjects in mails.values())
    assert len(list((scene.config.target.path / "new").iterdir())) == len(mails) == 3 + 12


def test_several_processes_do_what_one_does(tmp_path: Path, quick_disk: None) -> None:
    first = desk(tmp_path / "one")
    for number in range(12):
        deliver(first, number, list(ADDRESSES)[number % 3], "later:", *["land"] * (number // 3 + 1))
    other = copied(first, tmp_path / "two")
    Office(first.config, at=AT).round()
    told: list[tuple[str, int, int]] = []
    done = Office(other, at=AT, jobs=3, progress=lambda *given: told.append(given)).round()
    assert done.troubles == []
    assert done.tally.handled == 12
    assert sent(other) == sent(first.config)
    assert ("mails", 12, 12) in told


def test_mails_are_parted_by_match_whatever_hides_it(tmp_path: Path) -> None:
    import base64

    scene = desk(tmp_path)
    office = scene.office()
    block = scene.block("alice", "sail north")
    head = "From: alice@example.org\nMessage-ID: <1@x>\n"
    hidden = base64.encodebytes(block.encode()).decode()
    report = to(scene.mails(), "alice")
    forms = [
        f"{head}\n{block}",
        f"{head}Content-Transfer-Encoding: base64\n\n{hidden}",
        f"{head}In-Reply-To: <{report.message_id}>\n\nsail north\n",
        f"{head}\n#referee other-1 1 zoe AAAA-AAAA-AAAA\nroll\n#end\n> {block}",
    ]
    matches = []
    for text in forms:
        key = office.inbox.store(text.encode(), AT, "a test")
        matches.append(office._match_of(next(one for one in office.inbox.entries() if one.key == key)))
    assert matches == ["m-1", "m-1", "m-1", "other-1"]


def test_a_process_that_is_killed_costs_nothing(tmp_path: Path, quick_disk: None, monkeypatch: pytest.MonkeyPatch) -> None:
    scene = desk(tmp_path)
    for number in range(2):
        deliver(scene, number, list(ADDRESSES)[number], "sail north")
    with monkeypatch.context() as patch:
        patch.setattr("referee.mail.postmaster.Postmaster.work", lambda *given: os._exit(9))
        patch.setattr("referee.runner.part", lambda entries, matches, jobs: [[one] for one in entries])
        done = Office(scene.config, at=AT, jobs=2).round()
    assert done.tally.left == 2
    assert "ended early" in done.troubles[0]
    assert Office(scene.config, at=LATER).round().tally.handled == 2
    assert scene.link.save.match.sealed.keys() == {"alice", "bob"}


# Deadlines


def test_a_reminder_goes_out_and_a_deadline_waits_for_the_mail(tmp_path: Path, quick_disk: None) -> None:
    scene = desk(tmp_path, clock={"zone": "UTC", "hours": 72, "grace": 24, "missed": "safest"})
    scene.at = "2026-12-02T13:00:00Z"
    scene.round()
    reminders = [mail for mail in scene.mails() if mail.what == "reminder"]
    assert {mail.to for mail in reminders} == set(ADDRESSES.values())
    assert all(mail.report_text for mail in reminders)
    scene.round()
    assert len([mail for mail in scene.mails() if mail.what == "reminder"]) == len(reminders)
    shutil.move(tmp_path / "in", tmp_path / "gone")
    scene.at = "2026-12-07T13:00:00Z"
    assert scene.done().troubles
    assert scene.link.save.match.stop == 1, "no deadline takes effect while the mailbox cannot be read"


def test_orders_that_came_in_time_count_whenever_they_are_read(tmp_path: Path, quick_disk: None) -> None:
    clock = {"zone": "UTC", "hours": 24, "grace": 0, "missed": "safest", "weekdays": ["monday", "tuesday"]}
    scene = desk(tmp_path, clock=clock)
    for number, seat in enumerate(ADDRESSES):
        deliver(scene, number, seat, *(["sail east"] if seat != "carol" else ["sail east", "pirate: sail north"]))
    scene.at = "2026-12-08T13:00:00Z"
    scene.round()
    assert scene.link.save.match.stop == 2
    assert scene.link.save.entry.move["by"] == "code"


# What is printed


def run(scene: Scene, *words: str, data: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a command and return what came of it."""
    return subprocess.run([*PYTHON, *words], capture_output=True, input=data, check=False, cwd=scene.config.file.parent)


def test_nothing_that_is_printed_or_logged_holds_anything_secret(tmp_path: Path) -> None:
    scene = desk(tmp_path)
    deliver(scene, 1, "alice", "sail north")
    deliver(scene, 2, "bob", "sail nowhere", "fly to the moon")
    codes = [code_of(scene.link, seat) for seat in ADDRESSES]
    printed = b"".join(
        done.stdout + done.stderr
        for done in (
            run(scene, "run", ".", "--once"),
            run(scene, "status", "."),
            run(scene, "status", ".", "--json"),
            run(scene, "status", "matches/m-1", "--key", "referee.key"),
            run(scene, "mail", "status", "."),
            run(scene, "mail", "status", ".", "--json"),
        )
    )
    logs = [path for path in scene.config.desk.rglob("*") if path.suffix in (".log", ".txt") or path.name == "fetch.toml"]
    assert any(path.name == "delivery.log" for path in logs)
    shown = printed.decode() + "".join(path.read_text() for path in logs)
    hands = [card for boat in scene.link.save.match.table.boats.values() for card in boat.cards]
    assert hands
    for secret in (*codes, scene.link.save.match.secret.hex(), "sail north", "nowhere", *hands):
        assert secret not in shown, secret


def test_status_tells_whose_turn_it_is_and_fails_when_no_mail_was_fetched_for_six_hours(tmp_path: Path) -> None:
    scene = desk(tmp_path, clock={"zone": "Europe/Berlin"})
    done = run(scene, "status", ".", "--now", "2026-11-30T13:00:00Z")
    assert done.returncode == 0, done.stderr
    text = done.stdout.decode()
    assert "m-1  Lantern Reef, stop 1: goes on" in text
    assert "alice is asked since 2026-11-30 12:00 UTC, until Thursday 3 December 2026" in text
    assert read_fetch(scene.config)["complete"] == AT
    done = run(scene, "status", ".", "--now", "2026-11-30T18:30:00Z")
    assert done.returncode == 5
    assert b"No mail could be fetched for 6 hours" in done.stderr


def test_a_mail_server_pipes_its_mail_in(tmp_path: Path) -> None:
    scene = desk(tmp_path)
    mail = f"From: {ADDRESSES['alice']}\nMessage-ID: <1@x>\n\n{scene.block('alice', 'sail north')}"
    done = run(scene, "mail", "accept", ".", data=mail.encode())
    assert done.returncode == 0, done.stderr
    assert scene.link.save.match.sealed.keys() == {"alice"}
    assert len(sent(scene.config)) == 4
    assert run(scene, "mail", "accept", ".").returncode == 3
    assert run(scene, "mail", "accept", "nowhere", data=b"Subject: x\n\n").returncode == 75
    broken = scene.config.matches / "broken"
    broken.mkdir()
    (broken / "0000.toml").write_bytes(b"nonsense")
    done = run(scene, "mail", "accept", ".", data=mail.replace("<1@x>", "<3@x>").encode())
    assert done.returncode == 0, "what goes wrong after the mail is kept is not the mail server's"
    assert b"broken" in done.stderr
    done = run(scene, "mail", "accept", ".", "--keep", data=mail.replace("<1@x>", "<2@x>").encode())
    assert done.returncode == 0
    assert len(Inbox(scene.config.desk / "inbox").entries()) == 1


def test_a_match_is_begun_played_and_sent_again_by_commands(tmp_path: Path) -> None:
    scene = desk(tmp_path)
    words = ["new", "lantern-reef", "second", "--config", "referee.toml", "--invite", "--press", "anonymous"]
    done = run(scene, *words, "--seat", "alice=alice@example.org", "--seat", "bob=bob@example.net")
    assert done.returncode == 0, done.stderr
    assert run(scene, "run", ".", "--once").returncode == 0
    assert sum("invited" in next(iter(subjects)) for subjects in sent(scene.config).values()) == 2
    done = run(scene, "mail", "resend", ".", "m-1/alice")
    assert b"1 mails are due again" in done.stdout
    first = sent(scene.config)
    shutil.rmtree(scene.config.target.path / "new")
    (scene.config.target.path / "new").mkdir()
    assert run(scene, "mail", "send", ".").returncode == 0
    ((id, subjects),) = sent(scene.config).items()
    assert first[id] == subjects
    eml = tmp_path / "one.eml"
    eml.write_text(f"From: {ADDRESSES['bob']}\nMessage-ID: <9@x>\n\n{scene.block('bob', 'sail south')}")
    assert run(scene, "mail", "fetch", ".", "one.eml").returncode == 0
    assert run(scene, "run", ".", "--once").returncode == 0
    assert scene.link.save.match.sealed.keys() == {"bob"}
    outside = str(tmp_path / "elsewhere" / "third")
    assert run(scene, *words[:2], outside, *words[3:], "--seat", "alice", "--seat", "bob").returncode == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the entry address is missing"),
        ('adress = "a@example.org"', "Did you mean address?"),
        ('address = "nobody"', "'nobody' is no mail address"),
        ('address = "a@example.org"\n[fetch]\nfrom = "pop3"', "'pop3' is none of the choices"),
        ('address = "a@example.org"\n[send]\nby = "smtp"\nhost = "x.example"\nsecurity = "none"', "has to be encrypted"),
        ('address = "a@example.org"\n[send]\nby = "smtp"\nhost = "x.example"\npassword = "secret"', "does not belong here"),
        ('address = "a@example.org"\nbatch = 0', "0 is out of bounds"),
        ('address = "a@example.org"\n[fetch]\nfrom = "maildir"\npath = ""', "an empty name is no path"),
        ("address = ", "is no TOML"),
    ],
)
def test_a_mistake_in_the_configuration_is_named(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "referee.toml").write_text(text)
    done = subprocess.run([*PYTHON, "run", str(tmp_path), "--once"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert words in done.stderr
    assert "secret" not in done.stderr.replace("a secret does not", "")
