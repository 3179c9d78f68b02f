"""Every kind of mail and what is answered: from the inbox through the match to the outbox."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import envelope
from referee.block import read_submission, sign_move
from referee.chain import opened_hash, verify
from referee.cli.games import slugs
from referee.engine import find_game
from referee.keys import SigningKey
from referee.lines import known
from referee.mail import postmaster
from referee.mail.desklines import VERBS, is_for_desk
from referee.mail.threads import thread_of
from referee.postal import read_postal
from referee.steps import MACHINE_VERBS, Order

from ..matches import KEY, block, code_of
from .scene import ADDRESSES, MODERATOR, REFEREE, Scene, block_in, to

pytestmark = pytest.mark.usefixtures("quick_disk")


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """A match of the toy game whose first reports are out; all three seats are asked at once."""
    scene = Scene(tmp_path)
    first = scene.round()
    assert [mail.to for mail in first] == list(ADDRESSES.values())
    return scene


def refused(scene: Scene) -> list[str]:
    """Return why mails were refused."""
    return list(scene.office().inbox.refused().values())


# Played


def test_first_reports_go_out_without_a_mail(tmp_path: Path) -> None:
    scene = Scene(tmp_path)
    for seat, mail in zip(ADDRESSES, scene.round(), strict=True):
        assert mail.subject.startswith("[m-1] stop 1: the match has begun")
        assert code_of(scene.link, seat) in mail.report_text.decode()
        assert REFEREE in mail.report_text.decode()
        assert MODERATOR in mail.report_text.decode()
        assert thread_of(KEY, mail.message_id) == ("m-1", 1, seat, 1)
    assert scene.round() == []


def test_orders_are_played_and_answered_in_one_mail_with_the_report(scene: Scene) -> None:
    scene.past_sailing()
    mails = scene.orders("alice", "land.")
    mine = to(mails, "alice")
    assert mine.key.startswith("report m-1")
    assert "- land\n" in mine.text
    assert "Subject: Re: my turn" in mine.text
    assert "Message-Id: mail-" in mine.text
    assert mine.in_reply_to.startswith("mail-")
    assert envelope.unseal_report(mine.report_text, KEY.public, name="report")
    assert to(mails, "bob").what == "report"
    assert "carol@example.com" not in [mail.to for mail in mails]
    assert sum(1 for _ in verify(scene.chain)) == scene.link.save.entry.serial + 1


def test_all_mails_to_a_seat_are_one_thread(scene: Scene) -> None:
    scene.past_sailing()
    scene.orders("alice", "land")
    mails = [mail for mail in scene.mails() if mail.to == ADDRESSES["alice"]]
    roots = {mail.references.split()[0] for mail in mails}
    assert len(roots) == 1
    assert len({mail.message_id for mail in mails}) == len(mails) > 2


def test_a_sealed_answer_is_told_to_its_seat_alone_and_can_be_taken_back(scene: Scene) -> None:
    (mail,) = scene.orders("alice", "sail north")
    assert mail.to == ADDRESSES["alice"]
    assert "- sail north" in mail.text
    (mail,) = scene.orders("alice", "sail east")
    assert "- sail east" in mail.text
    (mail,) = scene.orders("alice", "withdraw")
    assert "taken back" in mail.text
    assert scene.link.save.match.sealed == {}


def test_a_bad_submission_does_not_replace_a_good_one(scene: Scene) -> None:
    scene.orders("alice", "sail north")
    (mail,) = scene.orders("alice", "sail nowhere")
    assert "nothing has changed" in mail.text
    assert scene.link.save.match.sealed.keys() == {"alice"}


def test_what_stood_and_what_came_back_is_told(scene: Scene) -> None:
    scene.past_sailing()
    m = scene.link.save.match
    chest = next(name for name in m.table.chests)
    mails = scene.orders("alice", f"peek into {chest}", "sell", "land")
    mail = to(mails, "alice")
    assert "Only a part" in mail.text
    assert f"- peek into {chest}" in mail.text
    assert "- sell\n" in mail.text
    assert "Why: Line 2:" in mail.text


def test_a_check_plays_nothing(scene: Scene) -> None:
    serial = scene.link.save.entry.serial
    (mail,) = scene.orders("alice", "check", "sail north", "say to bob: ahoy")
    assert "dry run" in mail.text
    assert "- sail north" in mail.text
    assert "can be done" in mail.text
    (mail,) = scene.orders("alice", "check", "sail nowhere")
    assert "come back unplayed" in mail.text
    assert scene.link.save.entry.serial == serial


def test_help_brings_the_guide(scene: Scene) -> None:
    (mail,) = scene.orders("alice", "help")
    assert "sail" in mail.text
    assert "resign match" in mail.text
    (mail,) = scene.send("help", ADDRESSES["bob"])
    assert "How to play" in mail.text


def test_a_signed_move_counts(tmp_path: Path) -> None:
    own = SigningKey.from_bytes(bytes(range(7, 39)))
    scene = Scene(tmp_path, keys={"bob": own.public.hex})
    scene.round()
    moved = block(scene.link, "bob", "sail south", code="", opened=opened_hash(scene.link), holder=1)
    move = sign_move(moved, own).decode()
    parts = f'--x\nContent-Type: text/plain\n\nMy move.\n--x\nContent-Type: text/plain; name="a.move"\n\n{move}\n--x--\n'
    (mail,) = scene.send(parts, ADDRESSES["bob"], Content_Type='multipart/mixed; boundary="x"')
    assert "- sail south" in mail.text
    assert scene.link.save.entry.move["by"] == "key"


# Not played


def test_a_refusal_brings_the_corrected_block(scene: Scene) -> None:
    scene.past_sailing()
    (mail,) = scene.orders("alice", "LAND", "dive reef with 9", "land")
    assert mail.report_text == b""
    assert "# not played: dive reef with 9" in mail.text
    assert read_submission(mail.text.encode()).lines == ("land", "land")
    assert read_submission(mail.text.encode()).code == code_of(scene.link, "alice")


def test_an_empty_block_and_a_mail_without_any_are_answered(scene: Scene) -> None:
    (mail,) = scene.send(scene.block("alice"), ADDRESSES["alice"])
    assert "no line in it" in mail.text
    (mail,) = scene.send("Hello!\n", ADDRESSES["alice"])
    assert "No orders could be read" in mail.text


def test_orders_for_an_earlier_stop_bring_the_current_report(scene: Scene) -> None:
    old = scene.block("alice", "sail east")
    scene.past_sailing()
    (mail,) = scene.send(old, ADDRESSES["alice"])
    assert "too late" in mail.subject
    assert code_of(scene.link, "alice") in mail.report_text.decode()


def test_a_submission_sent_again_is_answered_as_the_first_time_and_changes_nothing(scene: Scene) -> None:
    scene.past_sailing()
    sent = scene.block("alice", "land")
    scene.send(sent, ADDRESSES["alice"])
    serial = scene.link.save.entry.serial
    (mail,) = scene.send(sent, ADDRESSES["alice"])
    assert "count once" in mail.text
    assert "- land" in mail.text
    assert scene.link.save.entry.serial == serial
    assert scene.office().inbox.state(scene.put(sent, ADDRESSES["alice"])) == "new"


def test_two_different_blocks_are_a_question(scene: Scene) -> None:
    text = scene.block("alice", "sail north") + "\n" + scene.block("alice", "sail east")
    assert scene.send(text, ADDRESSES["alice"])[0].subject == "which of your orders are meant?"
    first = scene.mails()[0]
    (mail,) = scene.send(text, ADDRESSES["alice"], In_Reply_To=f"<{first.message_id}>")
    assert "they differ" in mail.text
    assert scene.link.save.match.sealed == {}


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"code": "AAAA-AAAA-AAAA"}, "turn code is not that of alice"),
        ({"match": "m-2"}, "no match 'm-2'"),
        ({"stop": 9}, "turn code is not that"),
    ],
)
def test_a_wrong_code_match_or_stop_is_told_to_players_alone(scene: Scene, changed: dict[str, str], words: str) -> None:
    sent = scene.block("alice", "sail north", **changed)  # type: ignore[arg-type]
    (mail,) = scene.send(sent, ADDRESSES["alice"])
    assert words in " ".join(mail.text.split())
    assert code_of(scene.link, "alice") not in mail.text
    assert scene.send(sent, "eve@example.org") == []
    assert "stranger" in refused(scene)[0]


def test_the_seat_of_another_is_refused_to_its_player(scene: Scene) -> None:
    (mail,) = scene.send(scene.block("bob", "sail north", code=code_of(scene.link, "alice")), ADDRESSES["alice"])
    assert "not that of bob" in mail.text
    (mail,) = scene.send(scene.block("zoe", "sail north", code=code_of(scene.link, "alice")), ADDRESSES["alice"])
    assert "no seat 'zoe'" in " ".join(mail.text.split())


def test_orders_from_another_address_are_played_and_answered_to_the_registered_one(scene: Scene) -> None:
    (mail,) = scene.send(scene.block("alice", "sail north"), "alice@work.example")
    assert mail.to == ADDRESSES["alice"]
    assert "alice@work.example" in mail.text
    assert scene.link.save.match.sealed.keys() == {"alice"}


# Replies without a block


def test_a_reply_with_orders_on_its_first_lines_is_played(scene: Scene) -> None:
    scene.past_sailing()
    mine = [mail for mail in scene.mails() if mail.to == ADDRESSES["alice"]][-1]
    answer = to(scene.reply(mine, "Land.\n\nSent from my telephone"), "alice")
    assert "- land" in answer.text


def test_a_reply_of_which_one_line_is_unreadable_plays_nothing(scene: Scene) -> None:
    scene.past_sailing()
    mine = [mail for mail in scene.mails() if mail.to == ADDRESSES["alice"]][-1]
    serial = scene.link.save.entry.serial
    (answer,) = scene.reply(mine, "Land.\nWhat a day!")
    assert scene.link.save.entry.serial == serial
    assert block_in(answer).splitlines()[1:] == ["land", "# not played: What a day", "#end"]
    assert answer.to == ADDRESSES["alice"]


def test_a_reply_counts_only_from_the_registered_address(scene: Scene) -> None:
    mine = to(scene.mails(), "alice")
    (answer,) = scene.reply(mine, "sail north", sender="alice@work.example")
    assert answer.to == ADDRESSES["alice"]
    assert "alice@work.example" in answer.text
    assert scene.link.save.match.sealed == {}


def test_a_reply_to_an_older_mail_is_stale(scene: Scene) -> None:
    mine = to(scene.mails(), "alice")
    scene.past_sailing()
    (answer,) = scene.reply(mine, "sail south")
    assert "too late" in answer.subject
    assert answer.report_text


def test_an_offer_in_a_reply_to_an_older_mail_is_taken_once_and_tells_its_receiver(scene: Scene) -> None:
    first = to(scene.mails(), "carol")
    scene.past_sailing()
    mails = scene.reply(first, "toss 1 to bob")
    assert to(mails, "carol").subject.startswith("[m-1] stop 2: your orders are played")
    assert "You catch 1 lanterns of carol" in to(mails, "bob").report_text.decode()
    assert ADDRESSES["alice"] not in [mail.to for mail in mails]
    lanterns = {boat.captain: boat.lanterns for boat in scene.link.save.match.table.boats.values()}
    scene.orders("alice", "land")
    again = scene.reply(first, "toss 1 to bob")
    assert "came twice" in to(again, "carol").subject
    assert lanterns == {boat.captain: boat.lanterns for boat in scene.link.save.match.table.boats.values()}
    assert sum(1 for _ in verify(scene.chain)) == scene.link.save.entry.serial + 1


def test_a_made_up_id_proves_nothing(scene: Scene) -> None:
    forged = to(scene.mails(), "bob").message_id.replace(".bob.", ".alice.")
    (answer,) = scene.send("sail north\n", ADDRESSES["alice"], In_Reply_To=f"<{forged}>")
    assert "No orders could be read" in answer.text
    assert scene.link.save.match.sealed == {}


def test_quoted_orders_are_not_played(scene: Scene) -> None:
    mine = to(scene.mails(), "alice")
    quoted = "".join(f"> {line}\n" for line in scene.block("alice", "sail north").splitlines())
    (answer,) = scene.send(quoted, ADDRESSES["alice"], In_Reply_To=f"<{mine.message_id}>")
    assert scene.link.save.match.sealed == {}
    assert answer.what == "answer"


# Never a loop, never a relay


@pytest.mark.parametrize(
    "header",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"List_Id": "<games.example.org>"},
        {"Return_Path": "<>"},
        {"X_Auto_Response_Suppress": "All"},
    ],
)
def test_automatic_mail_is_never_answered_and_never_played(scene: Scene, header: dict[str, str]) -> None:
    assert scene.send(scene.block("alice", "sail north"), ADDRESSES["alice"], **header) == []
    assert scene.link.save.match.sealed == {}
    assert len(refused(scene)) == 1


def test_strangers_get_no_answer(scene: Scene) -> None:
    assert scene.send("Buy now!\n", "eve@example.org") == []
    assert scene.send("help\n", "eve@example.org") == []
    assert scene.send("#referee x", "eve@example.org") == []
    assert len(refused(scene)) == 3


def test_answers_to_one_sender_are_limited(scene: Scene) -> None:
    scene.config.answers_a_day = 3
    for number in range(5):
        scene.put(f"Hello {number}!\n", ADDRESSES["alice"])
    assert len(scene.round()) == 3
    (mail,) = scene.orders("alice", "sail north")
    assert "- sail north" in mail.text, "what is played is told all the same"
    scene.at = "2026-12-01T12:00:00Z"
    assert any("No orders" in mail.text for mail in scene.send("Hello!\n", ADDRESSES["alice"]))


def test_a_mail_beyond_the_limits_is_kept_refused_and_answered(scene: Scene) -> None:
    (mail,) = scene.send("x" * (1 << 20), ADDRESSES["alice"])
    assert "No orders could be read" in mail.text
    assert len(refused(scene)) == 1
    assert scene.send("x" * (1 << 20), "eve@example.org") == []


def test_a_mail_that_brings_the_program_down_does_not_stop_the_others(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = postmaster.read_letter

    def fails(message: object) -> object:
        if b"poison" in message.raw:  # type: ignore[attr-defined]
            raise ZeroDivisionError("the hand of alice")
        return real(message)  # type: ignore[arg-type]

    monkeypatch.setattr(postmaster, "read_letter", fails)
    scene.put("poison\n", ADDRESSES["bob"])
    scene.put(scene.block("alice", "sail north"), ADDRESSES["alice"])
    assert "- sail north" in to(scene.round(), "alice").text
    (reason,) = refused(scene)
    assert "ZeroDivisionError" in reason
    assert "hand" not in reason


def test_the_moderator_is_told_once_a_day_what_was_refused(scene: Scene) -> None:
    scene.send("Buy now!\n", "eve@example.org")
    scene.at = "2026-12-01T00:10:00Z"
    (mail,) = scene.round()
    assert mail.to == MODERATOR
    assert "eve@example.org: a stranger's mail" in " ".join(mail.text.split())
    assert scene.round() == []


def test_a_disk_in_trouble_leaves_the_mail_for_the_next_round(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.errors import Trouble

    key = scene.put(scene.block("alice", "sail north"), ADDRESSES["alice"])

    def full(*given: object, **named: object) -> object:
        raise Trouble("The disk is full.", "Make room.")

    with monkeypatch.context() as patch:
        patch.setattr("referee.desk.apply", full)
        done = scene.done()
    assert (done.tally.left, done.troubles) == (1, ["The disk is full."])
    assert scene.office().inbox.state(key) == "open"
    assert "- sail north" in to(scene.round(), "alice").text


# Two matches, the shell


def test_what_is_done_in_a_shell_is_mailed_by_the_next_round(scene: Scene) -> None:
    from referee import desk

    desk.rule(scene.chain, KEY, {"ruling": "note", "why": "a test", "text": "Hello, all."}, at=scene.at)
    desk.rule(scene.chain, KEY, {"ruling": "note", "why": "a test", "text": "And again."}, at=scene.at)
    mails = scene.round()
    assert len(mails) == 6
    assert [sum(text in mail.report_text.decode() for mail in mails) for text in ("Hello, all.", "And again.")] == [3, 3]
    assert scene.round() == []


def test_a_match_that_cannot_be_read_does_not_stop_the_others(scene: Scene) -> None:
    other = scene.config.matches / "broken"
    other.mkdir()
    (other / "0000.toml").write_bytes(b"nonsense")
    scene.put(scene.block("alice", "sail north"), ADDRESSES["alice"])
    done = scene.done()
    assert done.tally.handled == 1
    assert len(done.troubles) == 1
    assert scene.link.save.match.sealed.keys() == {"alice"}


def test_no_order_of_any_game_begins_with_a_word_for_the_desk() -> None:
    for slug in {"lantern-reef", *slugs()}:
        for step in find_game(slug).steps.values():
            if isinstance(step, Order):
                assert not is_for_desk(step.pattern), step.pattern
    assert not set(VERBS) & set(MACHINE_VERBS)


def test_a_subject_holds_nothing_that_is_secret(scene: Scene) -> None:
    scene.past_sailing()
    words = known(scene.link.save.match)
    assert words
    for mail in scene.mails():
        assert not any(code_of(scene.link, seat) in mail.subject for seat in ADDRESSES)
        assert "north" not in mail.subject
        assert "\n" not in mail.subject


def test_a_match_without_an_address_gets_that_of_the_desk(scene: Scene) -> None:
    (scene.folder / "post.toml").unlink()
    scene.round()
    assert read_postal(scene.folder).answer_to == REFEREE
