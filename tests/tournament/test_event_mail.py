"""Events by mail: entries and withdrawals, each confirmed; first reports, news and notices; what strangers get."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.chain import verify
from referee.cli.games import slugs
from referee.engine import find_game
from referee.mail.desklines import is_for_desk
from referee.mail.outbox import Outbox
from referee.mail.outgoing import Outgoing
from referee.people import People
from referee.steps import Order
from referee.tournament import entrances
from referee.tournament.check import verify_event
from referee.tournament.director import Director
from referee.tournament.entrances import VERBS
from referee.tournament.event import Event
from referee.tournament.plans import Wanted
from referee.tournament.post import mail_first_reports, mail_to_all, postal_of
from referee.waiting import machine_verb

from ..mail.scene import MODERATOR, Scene
from ..matches import KEY

pytestmark = pytest.mark.usefixtures("quick_disk")

KIM, LEO, EVE = "kim@example.org", "leo@example.net", "eve@example.com"


class Hall(Scene):
    """A desk with an event, spring, and a match that is none of it."""

    def __init__(self, folder: Path, **wanted: Any) -> None:
        """Begin the event."""
        super().__init__(folder)
        self.place = self.config.tournaments / "spring"
        given = {"game": "lantern-reef", "format": "swiss", "settings": {"rounds": 1}, "title": "Spring Cup", **wanted}
        self.director().begin(Wanted("spring", **given), bytes(16))
        self.round()  # in which the first reports of the other match are mailed

    def director(self) -> Director:
        """Return the director at the present time."""
        return Director(self.place, KEY, self.at)

    @property
    def event(self) -> Event:
        """The event as it is now."""
        return self.director().read()

    def enter(self, name: str, address: str, words: str = "") -> list[Outgoing]:
        """Enter by mail, and confirm it."""
        (question,) = self.send(f"enter spring as {name}\n", address)
        return self.reply(question, f"confirm {words}".strip())

    def start(self) -> Event:
        """Pair, publish and mail a round."""
        self.director().pair()
        event = self.director().publish(postal=postal_of(self.config)).event
        mail_first_reports(event, self.director(), self.config)
        return event


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


# Entries


def test_an_entry_is_made_when_it_is_confirmed(hall: Hall) -> None:
    (question,) = hall.send("Enter spring as kim.\n", f"Kim <{KIM}>")
    assert (question.to, question.what) == (KIM, "answer")
    assert "You want to enter Spring Cup (spring) as kim" in " ".join(question.text.split())
    assert hall.event.players == {}
    (done,) = hall.reply(question, "confirm seven swans")
    assert "You have entered Spring Cup as kim." in done.text
    assert hall.event.players["kim"].nonce == "seven swans"
    assert People(hall.place).of("kim").address == KIM
    assert KIM.encode() not in b"".join(path.read_bytes() for path in (hall.place / "steps").iterdir())


def test_a_question_confirms_nothing_for_another_address(hall: Hall) -> None:
    (question,) = hall.send("enter spring as kim\n", KIM)
    assert hall.reply(question, "confirm", sender=EVE) == []
    assert hall.event.players == {}
    assert hall.send("confirm\n", KIM) == [], "a mail that replies to nothing confirms nothing"
    assert hall.event.players == {}


def test_what_cannot_be_entered_is_told_with_the_reason(hall: Hall) -> None:
    hall.enter("kim", KIM)
    for line, sender, words in (
        ("enter spring as kim", EVE, "The name kim is taken in Spring Cup."),
        ("enter spring as kimmy", KIM, "You have entered Spring Cup already."),
        ("enter autumn as leo", LEO, "There is no event autumn here."),
        ("enter spring as table", LEO, "'table' cannot be the name of a player."),
        ("enter spring as 7up", LEO, "'7up' cannot be the name of a player."),
    ):
        (answer,) = hall.send(f"{line}\n", sender)
        assert words in " ".join(answer.text.split()), answer.text
        assert answer.to == sender
    assert list(hall.event.players) == ["kim"]


def test_two_who_want_one_name_get_it_one_after_the_other(hall: Hall) -> None:
    questions = [hall.send("enter spring as kim\n", address)[0] for address in (KIM, LEO)]
    assert "You have entered" in hall.reply(questions[0], "confirm")[0].text
    assert "has entered spring already" in " ".join(hall.reply(questions[1], "confirm")[0].text.split())
    assert People(hall.place).of("kim").address == KIM
    assert "You have entered" in hall.reply(questions[0], "confirm")[0].text, "to confirm twice changes nothing"
    assert len(hall.event.players) == 1


def test_who_enters_too_late_is_told(hall: Hall) -> None:
    for name in ("alice", "bob"):
        hall.director().enter({name: {}})
    (early,) = hall.send("enter spring as kim\n", KIM)
    hall.start()
    hall.director().adjudicate(1, 1, {"alice": 1, "bob": 2}, "why")
    hall.director().close()
    assert "is closed" in " ".join(hall.reply(early, "confirm")[0].text.split())
    (answer,) = hall.send("enter spring as leo\n", LEO)
    assert "Nobody can enter Spring Cup any more." in answer.text


def test_strangers_are_answered_so_often_and_no_more(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    hall.config.answers_a_day = 2
    got = [len(hall.send("enter nowhere as kim\n", EVE)) for _ in range(4)]
    assert got == [1, 1, 0, 0]
    monkeypatch.setattr(entrances, "MOST_STRANGERS", 3)
    got = [len(hall.send("enter nowhere as kim\n", f"eve{number}@example.com")) for number in range(3)]
    assert got == [1, 0, 0]


def test_automatic_mails_and_other_words_enter_nobody(hall: Hall) -> None:
    assert hall.send("enter spring as kim\n", KIM, Auto_Submitted="auto-replied") == []
    assert hall.send("I would like to enter spring as kim\n", KIM) == []
    assert hall.send("> enter spring as kim\n", KIM) == []
    assert hall.event.players == {}


def test_an_order_of_a_match_is_none_for_an_event(hall: Hall) -> None:
    (answer,) = hall.send(hall.block("alice", "enter spring as kim"), "alice@example.org")
    assert "were not played" in answer.subject
    assert hall.event.players == {}


def test_no_order_of_any_game_can_be_taken_for_a_line_about_an_event() -> None:
    for slug in {"lantern-reef", *slugs()}:
        for step in find_game(slug).steps.values():
            if isinstance(step, Order):
                assert not step.pattern.startswith("withdraw"), step.pattern
                assert not (step.pattern.startswith("enter ") and " as " in step.pattern), step.pattern
    assert VERBS == ("enter", "withdraw from")
    assert not machine_verb("withdraw from spring"), "alone “withdraw” takes an answer back"
    assert not is_for_desk("withdraw from spring")
    assert not is_for_desk("enter spring as kim")


# Withdrawals


def test_a_withdrawal_is_made_when_it_is_confirmed_from_the_registered_address(hall: Hall) -> None:
    hall.enter("kim", KIM)
    hall.enter("leo", LEO)
    assert hall.send("withdraw from spring\n", EVE) == []
    (question,) = hall.send("Withdraw from spring.\n", KIM)
    assert "You want to withdraw from Spring Cup as kim" in " ".join(question.text.split())
    assert hall.reply(question, "confirm", sender=LEO) == []
    assert not hall.event.players["kim"].away
    (done,) = hall.reply(question, "confirm")
    assert "You have withdrawn from Spring Cup." in done.text
    assert hall.event.players["kim"].away
    (again,) = hall.send("withdraw from spring\n", KIM)
    assert "has withdrawn from Spring Cup already" in again.text


# A round by mail


def test_a_round_by_mail_from_the_entry_to_the_next_notice(hall: Hall) -> None:
    hall.enter("kim", KIM)
    hall.enter("leo", LEO)
    event = hall.start()
    first = {mail.to: mail for mail in hall.mails() if mail.match == "spring-1-1"}
    assert first.keys() == {KIM, LEO}
    assert all("has begun" in mail.subject for mail in first.values())
    assert hall.round() == [], "a first report is mailed once"
    (answer,) = hall.reply(first[KIM], "sail north")
    assert "your orders are played" in answer.subject
    hall.at = "2026-12-13T12:00:00Z"
    reminders = [mail for mail in hall.round() if mail.match == "spring"]
    assert {mail.to for mail in reminders} == {KIM, LEO}
    assert all("Round 1 of Spring Cup ends at" in mail.text for mail in reminders)
    assert [mail for mail in hall.round() if mail.match == "spring"] == [], "a reminder is sent once"
    hall.at = "2026-12-14T12:00:01Z"
    hall.round()
    outcome = hall.event.sheets[0].round.outcomes[1]
    assert (outcome.how, outcome.absent, outcome.places["kim"]) == ("forfeit", ("leo",), 1)
    assert event.sheets[0].ends == "2026-12-14T12:00:00Z"
    verify_event(hall.place, KEY)


def test_a_round_is_paired_and_mailed_by_the_desk_itself(tmp_path: Path) -> None:
    hall = Hall(tmp_path, pairs_itself=True, format="round-robin", settings={}, no_shows=0)
    for name in ("kim", "leo", "ann"):
        hall.enter(name, f"{name}@example.org")
    hall.start()
    hall.at = "2026-12-20T12:00:00Z"
    mails = hall.round()
    assert len(hall.event.sheets) == 2
    assert sum("Round 2 of Spring Cup has begun." in mail.text for mail in mails) == 3
    (match,) = (hall.event.match_id(2, one.table) for one in hall.event.sheets[1].round.pairings if not one.is_bye)
    assert sum(mail.match == match for mail in [*mails, *hall.round()]) == 2, "their first reports"


def test_one_event_that_cannot_be_read_stops_nobody(hall: Hall) -> None:
    (hall.place / "tournament.toml").write_bytes(b"# by hand\n")
    hall.put(hall.block("alice", "sail north"), "alice@example.org")
    done = hall.done()
    assert done.tally.handled == 1
    assert len(done.troubles) == 1
    assert "spring" in done.troubles[0]
    assert "tournament.toml" in done.troubles[0]


def test_a_report_goes_to_all_players_once(hall: Hall) -> None:
    hall.enter("kim", KIM)
    hall.enter("leo", LEO)
    for count in (2, 0):
        assert mail_to_all(hall.event, hall.director(), hall.config, "standings", "kim  1\nleo  0\n") == count
    news = [mail for mail in hall.mails() if mail.what == "notice"]
    assert {mail.to for mail in news} == {KIM, LEO}
    assert "kim  1\nleo  0\n" in news[0].text


def test_matches_of_events_are_played_by_several_processes(hall: Hall) -> None:
    names = ("ann", "ben", "cleo", "dan")
    for name in names:
        hall.director().enter({name: {}}, None)
        People(hall.place).change(name, address=f"{name}@example.org")
    event = hall.start()
    first = {mail.to: mail for mail in hall.mails() if mail.match.startswith("spring-1-")}
    for name in names:
        mail = first[f"{name}@example.org"]
        hall.put("sail north", mail.to, In_Reply_To=f"<{mail.message_id}>")
    assert hall.office(jobs=2).round().tally.handled == 4
    from referee.chain import Chain

    for number, table in event.missing():
        chain = Chain(hall.place / "matches" / event.match_id(number, table), KEY.public)
        assert len([*verify(chain)]) == 4
    with Outbox(hall.config.desk / "outbox") as outbox:
        assert outbox.status().lost == 0
    assert hall.config.moderator == MODERATOR
