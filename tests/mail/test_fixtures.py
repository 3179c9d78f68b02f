"""Mails as mail programs write them: each is read for what its writer meant, and for nothing else."""

from __future__ import annotations

import pytest

from referee.block import verify_move
from referee.keys import SigningKey
from referee.mail.letter import read_letter
from referee.mail.message import read_message

from .letters import FOLDER, ID, NAMES, SENDER, kind, raw, read, wanted

KEYS = {"about", "kind", "lines", "legal", "quoted", "rest", "trouble", "notes", "automatic", "sender", "name", "id", "subject"}


@pytest.mark.parametrize("name", NAMES)
def test_a_mail_is_read_for_what_its_writer_meant(name: str) -> None:
    want, letter = wanted(name), read_letter(read_message(raw(name)))
    assert (kind(letter), list(read(letter))) == (want["kind"], want["lines"]), letter
    assert letter.rest == want.get("rest", letter.rest if letter.submission or letter.trouble else "")
    assert not [word for word in want.get("quoted", []) if word in letter.rest]
    assert want.get("trouble", "") in letter.trouble
    assert bool(letter.trouble) == bool(letter.help)
    if letter.submission:
        assert (letter.submission.match, letter.submission.stop, letter.submission.seat) == ("cl-7k3q", 12, "alice")


@pytest.mark.parametrize("name", NAMES)
def test_a_mail_says_who_sent_it_and_what_it_replies_to(name: str) -> None:
    want, message = wanted(name), read_message(raw(name))
    assert message.sender == want.get("sender", SENDER)
    for field in ("name", "subject", "id"):
        assert getattr(message, field) == want.get(field, getattr(message, field))
    assert bool(message.automatic) == ("automatic" in want)
    assert want.get("automatic", "") in message.automatic
    assert len(message.notes) == len(want.get("notes", []))
    assert all(said in note for said, note in zip(want.get("notes", []), message.notes, strict=True))
    assert message.replies_to[:1] in ((ID,), ())
    assert bool(message.replies_to) == (b"In-Reply-To" in raw(name))


@pytest.mark.parametrize("name", NAMES)
def test_line_ends_change_nothing(name: str) -> None:
    plain = raw(name).replace(b"\r\n", b"\n")
    one, other = read_letter(read_message(plain)), read_letter(read_message(plain.replace(b"\n", b"\r\n")))
    assert (kind(one), read(one), one.rest) == (kind(other), read(other), other.rest)


@pytest.mark.parametrize("name", [name for name in NAMES if wanted(name)["kind"] == "move"])
def test_a_move_keeps_its_signature(name: str) -> None:
    submission = read_letter(read_message(raw(name))).submission
    assert submission is not None
    assert verify_move(submission, SigningKey.from_bytes(bytes(range(32))).public)


def test_every_mail_says_what_is_wanted_of_it() -> None:
    assert sorted(path.stem for path in FOLDER.glob("*.toml")) == NAMES
    assert all(wanted(name).keys() <= KEYS and wanted(name)["about"] for name in NAMES)
    assert len(NAMES) > 60
