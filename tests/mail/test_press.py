"""What players say to each other by mail: open, without names, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.mail.deeds import MOST_SAID_A_DAY
from referee.people import People
from referee.press import heard

from .scene import ADDRESSES, Scene, to

pytestmark = pytest.mark.usefixtures("quick_disk")


def begun(folder: Path, press: str) -> Scene:
    """Return a match whose first reports are out."""
    scene = Scene(folder, press=press)
    scene.round()
    return scene


def test_a_message_goes_to_whom_it_is_said_and_stands_in_the_next_report(tmp_path: Path) -> None:
    scene = begun(tmp_path, "open")
    mails = scene.orders("alice", "sail north", "Say to Bob: Fair winds, friend.")
    assert {mail.to for mail in mails} == {ADDRESSES["alice"], ADDRESSES["bob"]}
    message = to(mails, "bob")
    assert message.what == "press"
    assert "| Fair winds, friend." in message.text
    assert "from alice" in message.text
    assert "message to bob is delivered" in " ".join(to(mails, "alice").text.split())
    scene.orders("bob", "sail south")
    scene.orders("carol", "sail east", "pirate: sail north")
    scene.orders("alice", "land")
    reports = {mail.to: mail.report_text.decode() for mail in scene.mails() if mail.report_text}
    assert "Fair winds, friend." in reports[ADDRESSES["bob"]]
    assert "Fair winds, friend." not in reports[ADDRESSES["carol"]]


def test_a_message_to_all_goes_to_all_others(tmp_path: Path) -> None:
    scene = begun(tmp_path, "open")
    mails = scene.orders("alice", "say to all: Hello!", "say to all: Who is for a draw?")
    assert {mail.to for mail in mails if mail.what == "press"} == {ADDRESSES["bob"], ADDRESSES["carol"]}
    assert "| Hello!\n| Who is for a draw?" in to(mails, "carol").text


def test_a_message_may_be_a_reply_to_a_message(tmp_path: Path) -> None:
    scene = begun(tmp_path, "open")
    message = to(scene.orders("alice", "say to bob: Ahoy!"), "bob")
    mails = scene.reply(message, "say to alice: Ahoy yourself.")
    assert "| Ahoy yourself." in to(mails, "alice").text


def test_in_an_anonymous_match_nothing_tells_who_speaks(tmp_path: Path) -> None:
    scene = begun(tmp_path, "anonymous")
    for seat, address in ADDRESSES.items():
        name = f"{seat.title()} Jones"
        People(scene.folder).change(seat, address=f"{name} <{address}>", name=name)
    mails = scene.orders("alice", "sail north", "say to all: Guess who.")
    message = to(mails, "carol")
    assert "somebody" in message.text
    for word in ("alice", "Alice", "Jones", ADDRESSES["alice"]):
        assert word not in message.text + message.subject + message.key + message.message_id + message.file_name
    scene.orders("bob", "sail south")
    mails = scene.orders("carol", "sail east", "pirate: sail north")
    scene.orders("alice", "land")
    report = [mail.report_text.decode() for mail in scene.mails() if mail.to == ADDRESSES["bob"] and mail.report_text][-1]
    assert "Guess who." in report
    for mail in scene.mails():
        assert "Jones" not in mail.text + mail.subject + mail.report_text.decode() + mail.report_html.decode()
        others = {address for seat, address in ADDRESSES.items() if address != mail.to}
        assert not any(address in mail.text + mail.report_text.decode() for address in others)


def test_where_there_is_no_press_a_mail_with_a_message_does_nothing(tmp_path: Path) -> None:
    scene = begun(tmp_path, "none")
    (mail,) = scene.orders("alice", "sail north", "say to bob: psst")
    assert "do not send each other messages" in " ".join(mail.text.split())
    assert scene.link.save.match.sealed == {}


@pytest.mark.parametrize("line", ["say to zoe: hello", "say hello", "say to alice: hello", "say to bob:"])
def test_a_message_to_nobody_is_refused(tmp_path: Path, line: str) -> None:
    (mail,) = begun(tmp_path, "open").orders("alice", line)
    assert mail.to == ADDRESSES["alice"]
    assert "nothing has changed" in mail.text


def test_the_same_message_is_delivered_once(tmp_path: Path) -> None:
    scene = begun(tmp_path, "open")
    scene.orders("alice", "say to bob: Ahoy!")
    mails = scene.orders("alice", "say to bob: Ahoy!")
    assert [mail.to for mail in mails] == [ADDRESSES["alice"]]
    assert len(heard(scene.folder, "bob", 0, 99)) == 1


def test_messages_are_limited_and_cannot_pass_for_words_of_the_referee(tmp_path: Path) -> None:
    scene = begun(tmp_path, "open")
    mails = scene.orders("alice", "say to bob: #referee m-1 1 bob AAAA-AAAA-AAAA", "say to bob: This mail is not signed.")
    text = to(mails, "bob").text
    assert "\n#referee" not in text
    assert "| This mail is not signed." in text
    scene.config.answers_a_day = 1000
    for number in range(MOST_SAID_A_DAY + 1):
        scene.put(scene.block("alice", f"say to bob: {number}"), ADDRESSES["alice"])
    mails = scene.round()
    assert sum(mail.what == "press" for mail in mails) == MOST_SAID_A_DAY - 1
    assert "at most" in mails[-1].text
