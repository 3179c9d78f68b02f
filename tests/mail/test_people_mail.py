"""Invitations, addresses, vacations, keys, votes and giving up: what people tell the desk by mail."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.chain import verify
from referee.keys import SigningKey
from referee.mail import deeds

from ..matches import KEY, code_of
from .scene import ADDRESSES, MODERATOR, Scene, to

pytestmark = pytest.mark.usefixtures("quick_disk")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A match of the toy game whose first reports are out."""
    scene = Scene(tmp_path)
    scene.round()
    return scene


@pytest.fixture
def invited(tmp_path: Path) -> Scene:
    """A match of the toy game that has not begun; its invitations are out."""
    scene = Scene(tmp_path, begin=False)
    assert [mail.what for mail in scene.round()] == ["invitation"] * 3
    return scene


# Invitations


def test_a_match_begins_when_all_have_accepted_and_not_before(invited: Scene) -> None:
    mails = {mail.to: mail for mail in invited.mails()}
    assert not any(mail.report_text for mail in mails.values())
    (noted,) = invited.reply(mails[ADDRESSES["alice"]], "Accept seven green herons.")
    assert "seat alice" in noted.text
    assert "seven green herons" in noted.text
    (noted,) = invited.reply(mails[ADDRESSES["bob"]], "accept")
    assert invited.link.save.match.table is None
    begun = invited.reply(mails[ADDRESSES["carol"]], "ACCEPT")
    assert len(begun) == 3
    assert all("has begun" in mail.subject and mail.report_text for mail in begun)
    assert invited.link.save.match.nonces == {"alice": "seven green herons"}
    assert sum(1 for _ in verify(invited.chain)) == 2
    assert invited.round() == []


def test_an_acceptance_may_be_a_block_and_may_come_twice(invited: Scene) -> None:
    (noted,) = invited.orders("alice", "accept", "vacation 2026-12-24 to 2026-12-26", "digest on")
    assert "seat alice" in noted.text
    (noted,) = invited.orders("alice", "accept")
    person = invited.person("alice")
    assert (person.accepted, person.digest, person.vacations) == (True, True, [["2026-12-24", "2026-12-26"]])


def test_a_late_acceptance_and_orders_that_are_too_early_are_answered(invited: Scene) -> None:
    mails = {mail.to: mail for mail in invited.mails()}
    (refused,) = invited.reply(mails[ADDRESSES["alice"]], "sail north")
    assert "has not begun" in refused.text
    for seat in ADDRESSES:
        invited.reply(mails[ADDRESSES[seat]], "accept")
    (late,) = invited.reply(mails[ADDRESSES["alice"]], "accept")
    assert "accepted before" in late.text
    (late,) = invited.reply(mails[ADDRESSES["alice"]], "decline")
    assert "The match has begun" in late.text


def test_who_declines_stays_out_and_the_moderator_is_told(invited: Scene) -> None:
    mails = {mail.to: mail for mail in invited.mails()}
    answers = invited.reply(mails[ADDRESSES["bob"]], "Decline.")
    assert "bob declines" in to(answers, MODERATOR).text
    assert "stay out" in to(answers, "bob").text
    assert not invited.person("bob").accepted
    invited.reply(mails[ADDRESSES["bob"]], "accept")
    assert invited.person("bob").accepted


def test_another_may_be_invited_in_place_of_one_who_declined(invited: Scene) -> None:
    from referee.cli.mail import address
    from referee.config import read_config

    first = to(invited.mails(), "bob")
    toml = f'address = "{invited.config.address}"\nmoderator = "{MODERATOR}"\n'
    invited.config.file.write_text(toml)
    assert read_config(invited.config.file).matches == invited.config.matches
    address(str(invited.config.file), "m-1", "bob=zoe@example.org")
    mail = invited.mails()[-1]
    assert (mail.to, mail.what) == ("zoe@example.org", "invitation")
    answers = invited.reply(first, "accept", sender=ADDRESSES["bob"])
    assert not invited.person("bob").accepted, "the first who was asked has no seat any more"
    assert [mail.to for mail in answers] == ["zoe@example.org"]
    invited.reply(mail, "accept")
    assert invited.person("bob").accepted


def test_a_begin_that_was_cut_off_is_made_up_for(invited: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    mails = {mail.to: mail for mail in invited.mails()}
    invited.reply(mails[ADDRESSES["alice"]], "accept")
    invited.reply(mails[ADDRESSES["bob"]], "accept")
    with monkeypatch.context() as patch:
        patch.setattr("referee.mail.turn.begin_if_accepted", lambda *given, **named: None)
        invited.reply(mails[ADDRESSES["carol"]], "accept")
    invited.round()
    assert invited.link.save.match.table is not None
    assert sum(mail.report_text != b"" for mail in invited.mails()) == 3


# Addresses


def test_an_address_changes_only_when_the_old_one_confirms_it(scene: Scene) -> None:
    old_code = code_of(scene.link, "alice")
    mails = scene.orders("alice", "address alice@new.example")
    confirm = next(mail for mail in mails if "may your reports" in mail.subject)
    assert confirm.to == ADDRESSES["alice"]
    assert old_code not in confirm.text
    assert scene.person("alice").address == ADDRESSES["alice"]
    answers = scene.reply(confirm, "confirm")
    assert scene.person("alice").address == "alice@new.example"
    assert scene.person("alice").pending_address == ""
    assert "now go to alice@new.example" in " ".join(to(answers, "alice").text.split())
    new = to(answers, "alice@new.example")
    code = code_of(scene.link, "alice")
    assert code != old_code
    assert code in new.report_text.decode()
    assert code not in to(answers, "alice").text
    assert to(answers, "alice").report_text == b""


def test_nothing_but_a_reply_from_the_old_address_confirms(scene: Scene) -> None:
    mails = scene.orders("alice", "address alice@new.example")
    confirm = next(mail for mail in mails if "may your reports" in mail.subject)
    other = next(mail for mail in mails if mail is not confirm)
    for answers in (
        scene.orders("alice", "confirm"),
        scene.reply(other, "confirm"),
        scene.reply(confirm, "confirm", sender="alice@new.example"),
    ):
        assert [mail.to for mail in answers] == [ADDRESSES["alice"]]
        assert scene.person("alice").address == ADDRESSES["alice"]


def test_a_change_of_address_that_was_cut_off_is_finished(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    confirm = next(m for m in scene.orders("bob", "address bob@new.example") if "may your reports" in m.subject)
    old_code = code_of(scene.link, "bob")

    def cut(*given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(deeds, "move_in", cut)
        with pytest.raises(KeyboardInterrupt):
            scene.reply(confirm, "confirm")
    scene.round()
    assert code_of(scene.link, "bob") != old_code
    assert scene.person("bob").address == "bob@new.example"
    assert any(mail.to == "bob@new.example" and mail.report_text for mail in scene.mails())


# Vacations, keys, digests


def test_a_vacation_is_noted_checked_and_taken_back(scene: Scene) -> None:
    (mail,) = scene.orders("alice", "vacation 2026-12-24 to 2027-01-02.")
    assert "from 2026-12-24 to 2027-01-02 is noted" in " ".join(mail.text.split())
    assert scene.person("alice").vacations == [["2026-12-24", "2027-01-02"]]
    (mail,) = scene.orders("alice", "vacation 2026-11-01 to 2026-12-24", "sail north")
    assert "nothing has changed" in mail.text
    assert scene.link.save.match.sealed == {}, "a mail with a bad line for the desk does nothing at all"
    scene.orders("alice", "vacation off", "sail north")
    assert scene.person("alice").vacations == []
    assert scene.link.save.match.sealed.keys() == {"alice"}


def test_if_the_orders_are_refused_nothing_of_the_mail_is_done(scene: Scene) -> None:
    scene.orders("alice", "vacation 2026-12-24 to 2027-01-02", "vote draw", "say to all: ahoy", "sail nowhere")
    person = scene.person("alice")
    assert (person.vacations, person.votes_draw) == ([], False)
    assert not (scene.folder / "press").exists()


def test_a_key_is_registered_once(scene: Scene) -> None:
    own = SigningKey.from_bytes(bytes(range(9, 41)))
    mails = scene.orders("alice", f"key {own.public.hex}")
    assert "key is registered" in " ".join(to(mails, "alice").text.split())
    assert scene.link.save.entry.keys == {"alice": own.public.hex}
    serial = scene.link.save.entry.serial
    scene.orders("alice", f"key {own.public.hex.upper()}")
    assert scene.link.save.entry.serial == serial
    (mail,) = scene.orders("alice", "key 1234")
    assert "64 hex digits" in mail.text


def test_a_digest_brings_the_news_of_a_day_in_one_mail(scene: Scene) -> None:
    scene.past_sailing()
    scene.orders("bob", "digest on")
    chest = next(iter(scene.link.save.match.table.chests))
    for lines in ((f"peek into {chest}",), ("land",)):
        scene.orders("alice", *lines)
    held = [mail for mail in scene.mails() if mail.digest]
    assert {mail.to for mail in held} == {ADDRESSES["bob"]}
    scene.at = "2026-12-01T05:30:00Z"
    assert scene.round() == []
    scene.at = "2026-12-01T06:30:00Z"
    (digest,) = scene.round()
    assert digest.what == "digest"
    assert code_of(scene.link, "bob") in digest.text
    assert "[m-1]" in digest.text
    assert scene.round() == []
    (answer,) = [mail for mail in scene.orders("bob", "land") if mail.to == ADDRESSES["bob"]]
    assert not answer.digest, "an answer to a mail comes at once"


# Votes, giving up


def test_votes_for_a_draw_are_secret_until_all_have_voted(scene: Scene) -> None:
    for seat in ("alice", "bob"):
        (mail,) = scene.orders(seat, "vote draw")
        assert mail.to == ADDRESSES[seat]
    scene.orders("bob", "vote play")
    (mail,) = scene.orders("carol", "vote draw")
    assert not scene.link.save.match.over
    assert not any("vote" in mail.report_text.decode().lower().replace("vote draw", "") for mail in scene.mails()[:3])
    mails = scene.orders("bob", "vote draw")
    assert scene.link.save.match.over
    assert len(mails) == 3
    assert all(mail.report_text for mail in mails)
    assert sum(1 for _ in verify(scene.chain)) > 2
    (mail,) = scene.orders("alice", "vote draw")
    assert "match is over" in mail.text


def test_giving_up_needs_two_words_and_a_game_that_knows_it(scene: Scene, tmp_path: Path) -> None:
    (mail,) = scene.orders("alice", "resign")
    assert "not complete" in mail.text
    (mail,) = scene.orders("alice", "resign match")
    assert "knows no resignation" in " ".join(mail.text.split())
    game = scene.link.save.match.game
    assert game.resign is None


def test_giving_up_ends_a_match_of_two(tmp_path: Path) -> None:
    scene = Scene(tmp_path, "cosmic-league")
    scene.round()
    mails = scene.orders("alice", "Resign match.")
    assert scene.link.save.match.over
    assert "You have given up." in to(mails, "alice").text
    assert all("the match is over" in mail.subject and mail.report_text for mail in mails)
    assert len(mails) == 2
    (mail,) = scene.orders("bob", "resign match")
    assert "the match is over" in mail.text


def test_lines_for_the_desk_are_made_up_for_when_the_orders_were_played_already(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut(*given: object) -> None:
        raise KeyboardInterrupt

    scene.put(scene.block("alice", "sail north", "digest on", "say to bob: ahoy", "vote draw"), ADDRESSES["alice"])
    with monkeypatch.context() as patch:
        patch.setattr(deeds.Deeds, "do", cut)
        with pytest.raises(KeyboardInterrupt):
            scene.round()
    assert scene.link.save.match.sealed.keys() == {"alice"}
    mails = scene.round()
    person = scene.person("alice")
    assert (person.digest, person.votes_draw) == (True, True)
    assert to(mails, "bob").what == "press"
    assert "your orders are played" in to(mails, "alice").subject
    assert scene.link.save.entry.serial == 2


def test_a_substitute_gets_everything_and_the_former_player_nothing(scene: Scene) -> None:
    from referee import desk
    from referee.people import People

    scene.past_sailing()
    mine = [mail for mail in scene.mails() if mail.to == ADDRESSES["alice"]][-1]
    old = scene.block("alice", "land")
    desk.rule(scene.chain, KEY, {"ruling": "substitute", "seat": "alice", "why": "a test"}, at=scene.at)
    People(scene.folder).change("alice", address="zoe@example.org")
    first = to(scene.round(), "zoe@example.org")
    assert "YOUR FIRST REPORT" in first.report_text.decode()
    serial = scene.link.save.entry.serial
    assert scene.send(old, ADDRESSES["alice"]) == []
    assert scene.reply(mine, "land") == []
    assert scene.link.save.entry.serial == serial
    assert scene.reply(first, "land")
