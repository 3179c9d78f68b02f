"""What time does to a match: reminders once each, deadlines that take effect in their time, and nobody harmed by an outage."""

import multiprocessing
import random
from collections import Counter
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as rules
from hypothesis import strategies as st

from referee import canon, clock, desk
from referee.chain import Chain
from referee.clock import text_of, utc
from referee.engine import find_game, pending
from referee.errors import Trouble
from referee.people import People
from referee.tick import Fetched, Notice, tick
from referee.ticked import read_ledger

from .matches import AT, KEY, OTHER_KEY, block, check, content, files, new, open_line, plain, rule, send, shown, waiting

pytestmark = pytest.mark.usefixtures("quick_disk")

BERLIN = {"zone": "Europe/Berlin"}
START = utc(AT)  # Monday 30 November 2026, 19:00 in Berlin; a turn may take until Thursday, 19:00


def timed(folder: Path, game: str = "cosmic-league", **kept: Any) -> Chain:
    """Return a match with a clock that was looked at when it began."""
    folder.mkdir(exist_ok=True)
    chain, link = new(folder / "match", game, clock={**BERLIN, **kept}, addresses={"alice": "alice@example.org"})
    desk.write_reports(chain, link, KEY)
    assert look(chain, 0) == []
    return chain


def look(chain: Chain, hours: float, *, mail: bool = True, began: float | None = None) -> list[Notice]:
    """Look at the clock so many hours after the beginning, after a fetch of mail that was complete or not."""
    fetched = Fetched(at(hours if began is None else began), mail)
    return tick(chain.path, KEY, at(hours), fetched)


def at(hours: float) -> str:
    return text_of(START + timedelta(hours=hours))


def told(notices: list[Notice]) -> list[tuple[str, str]]:
    return [(notice.kind, notice.to) for notice in notices]


def asked(chain: Chain) -> str:
    """Return the one seat that is asked."""
    (seat,) = chain.latest().save.entry.asked
    return seat


def steps(chain: Chain, *hours: float) -> list[list[tuple[str, str]]]:
    """Look several times, and return what was told each time."""
    return [told(look(chain, one)) for one in hours]


# Reminders and deadlines


def test_a_report_says_until_when_to_answer(tmp_path: Path) -> None:
    chain = timed(tmp_path)
    seat = asked(chain)
    text = shown(chain, seat)[0]
    assert "Answer by: Thursday 3 December 2026, 19:00 (Europe/Berlin)." in text
    other = "bob" if seat == "alice" else "alice"
    assert plain(chain, other)["deadline"] == plain(chain, "observer")["deadline"] == ""
    rule(chain, "hold")
    assert plain(chain, seat)["deadline"] == ""


def test_reminder_grace_and_the_end_of_it_are_each_told_once(tmp_path: Path) -> None:
    chain = timed(tmp_path)
    seat = asked(chain)
    hours = (24, 47.9, 48, 48, 60, 71.9, 72, 72, 90, 95.9, 96, 96, 100, 120, 200)
    assert steps(chain, *hours) == [
        [], [], [("reminder", seat)], [], [], [], [("late", seat)], [], [], [],
        [("missed", seat), ("missed", "moderator")], [], [], [], [],
    ]  # fmt: skip
    assert chain.latest().save.entry.serial == 1, "it waits"


def test_a_reminder_names_deadline_and_grace_and_nothing_hidden(tmp_path: Path) -> None:
    chain = timed(tmp_path)
    (notice,) = look(chain, 48)
    assert notice.deadline == "Thursday 3 December 2026, 19:00 (Europe/Berlin)"
    assert notice.grace == "Friday 4 December 2026, 19:00 (Europe/Berlin)"
    assert notice.key == f"reminder test-1 1 {notice.seat} to {notice.seat} 2026-12-03T18:00:00Z"
    assert (notice.match, notice.stop) == ("test-1", 1)


def test_a_deadline_takes_effect_only_after_a_complete_fetch_that_began_after_it(tmp_path: Path) -> None:
    chain = timed(tmp_path)
    steps(chain, 24, 48, 72, 90)
    assert look(chain, 97, mail=False) == []
    assert look(chain, 97, began=95.99) == []
    assert tick(chain.path, KEY, at(98)) == []
    assert told(look(chain, 98, began=96)) == [("missed", asked(chain)), ("missed", "moderator")]


def test_what_is_entered_before_the_look_is_in_time_whenever_it_was_read(tmp_path: Path) -> None:
    chain = timed(tmp_path, missed="safest")
    steps(chain, 24, 48, 72, 90)
    link, seat = chain.latest(), asked(chain)
    _, line = open_line(link.save.match, random.Random(1))
    desk.apply(chain, KEY, block(link, seat, line), at=at(97))
    assert look(chain, 97.5) == []
    assert [one.voucher for one in check(chain)][-1] == "a turn code"
    assert plain(chain, asked(chain))["deadline"].startswith("Wednesday 9 December 2026"), "97 hours, 3 days and a weekend"


def test_nothing_happens_without_a_clock_in_a_match_that_is_held_or_over(tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "free")
    assert look(chain, 500) == []
    held = timed(tmp_path, missed="bot")
    rule(held, "hold")
    assert steps(held, 20, 40, 60, 80, 100, 120) == [[]] * 6
    rule(held, "go")
    rule(held, "draw")
    assert steps(held, 140, 160, 180, 1000) == [[]] * 4


def test_a_reminder_can_be_left_out_and_comes_earlier_in_short_turns(tmp_path: Path) -> None:
    chain = timed(tmp_path, hours=10, grace=0)
    assert steps(chain, 4.9, 5, 9.9, 10) == [[], [("reminder", asked(chain))], [],
                                             [("missed", asked(chain)), ("missed", "moderator")]]  # fmt: skip
    none = timed(tmp_path / "none", reminder=0)
    assert steps(none, 24, 48, 71) == [[], [], []]


# What is played


@pytest.mark.parametrize("policy", ["safest", "bot"])
def test_a_missed_turn_is_played_once_and_verifies(tmp_path: Path, policy: str) -> None:
    chain = timed(tmp_path, missed=policy)
    seat = asked(chain)
    assert steps(chain, 24, 48, 72, 90, 96, 96) == [[], [("reminder", seat)], [("late", seat)], [], [], []]
    link = chain.latest()
    move = link.save.entry.move
    assert (link.save.entry.serial, move["seat"], move["by"]) == (2, seat, "clock")
    assert link.save.entry.at == at(96)
    assert check(chain)[-1].voucher == "the deadline"
    assert look(chain, 97) == []


def test_the_late_seat_is_told_its_lines_and_the_others_only_that_it_was_late(tmp_path: Path) -> None:
    chain = timed(tmp_path, missed="safest")
    seat = asked(chain)
    steps(chain, 24, 48, 72, 90, 96)
    line = chain.latest().save.entry.move["lines"][0]
    own = [one["text"] for one in plain(chain, seat)["news"]]
    assert any(f"these lines were played for you: {line}" in text for text in own)
    other = "bob" if seat == "alice" else "alice"
    for reader in (other, "observer"):
        news = " ".join(one["text"] for one in plain(chain, reader)["news"])
        assert f"{seat} did not answer in time" in news
        assert "played for you" not in news
    assert "answer" not in plain(chain, seat) or not plain(chain, seat)["answer"]


def test_a_reaction_is_declined_after_a_day_and_is_no_missed_turn(tmp_path: Path) -> None:
    chain = waiting(tmp_path, "cosmic-league")
    clock.write(chain.path, clock.settings_from({**BERLIN, "missed": "forfeit", "after": 1}))
    seat = asked(chain)
    assert plain(chain, seat)["deadline"] == "Tuesday 1 December 2026, 19:00 (Europe/Berlin)"
    stop = chain.latest().save.match.stop
    assert steps(chain, 0, 12, 23.9) == [[], [], []]
    assert steps(chain, 24, 24) == [[], []]
    link = chain.latest()
    assert (link.save.entry.move["by"], link.save.entry.move["lines"][0].split()[0]) == ("clock", "decline")
    assert link.save.match.stop == stop + 1
    assert read_ledger(chain.path).row(seat).in_a_row == 0
    assert "did not answer in time" not in " ".join(one["text"] for one in plain(chain, "observer")["news"])
    assert check(chain)


def test_the_moderator_is_asked_to_rule_a_forfeit_after_so_many_turns_in_a_row(tmp_path: Path) -> None:
    chain = timed(tmp_path, missed="forfeit", after=2, weekdays=list(clock.DAYS))
    counts, begins = Counter[str](), 0.0
    for _ in range(3):  # bob begins, alice chooses the planet, and it is the turn of bob
        seat, kinds = asked(chain), [kind for part in steps(chain, *[begins + h for h in (24, 48, 72, 96)]) for kind in part]
        counts[seat] += 1
        assert (("forfeit", "moderator") in kinds) == (counts[seat] >= 2), counts
        begins += 97
        desk.apply(chain, KEY, block(chain.latest(), seat, open_line(chain.latest().save.match, random.Random(2))[1]),
                   at=at(begins))  # fmt: skip
        look(chain, begins)
    assert not chain.latest().save.match.over, "the moderator has to rule it"
    assert max(counts.values()) == 2


def test_who_answers_in_time_again_has_missed_no_turns_in_a_row(tmp_path: Path) -> None:
    chain = timed(tmp_path, "lantern-reef", missed="safest", grace=0, weekdays=list(clock.DAYS))
    steps(chain, 24, 48, 72)
    rows = read_ledger(chain.path).rows
    assert {seat: row.in_a_row for seat, row in rows.items()} == {"alice": 1, "bob": 1, "carol": 1}
    seat = asked(chain)
    assert steps(chain, 96, 120, 144)[2] == []
    assert read_ledger(chain.path).row(seat).in_a_row in (0, 2)


def test_of_a_sealed_answer_by_the_clock_nobody_else_learns(tmp_path: Path) -> None:
    chain = timed(tmp_path, "lantern-reef", missed="safest")
    rule(chain, "extend", seat="bob", until=at(200))
    send(chain, "carol", "sail east", "pirate: sail east")
    before = {reader: shown(chain, reader) for reader in ("bob", "carol", "observer")}
    assert steps(chain, 24)[0] == []
    assert steps(chain, 48) == [[("reminder", "alice")]], "carol has answered, and bob has more time"
    steps(chain, 72, 95, 96)
    link = chain.latest()
    assert (link.save.entry.move["seat"], link.save.entry.move["by"], list(link.save.match.sealed)) == (
        "alice", "clock", ["carol", "pirate", "alice"])  # fmt: skip
    assert link.save.entry.reports == ["alice"]
    assert {reader: shown(chain, reader) for reader in before} == before
    assert any("played for you" in one["text"] for one in plain(chain, "alice")["news"])
    steps(chain, 120, 144, 168, 176, 190, 200, 215, 224)
    assert chain.latest().save.match.stop == link.save.match.stop + 1
    assert check(chain)


def test_a_game_without_safe_lines_waits_and_tells_the_moderator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = timed(tmp_path, missed="safest")
    monkeypatch.setattr(find_game("cosmic-league"), "safest", "")
    assert steps(chain, 24, 48, 72, 90, 96, 97)[-2:] == [[("missed", asked(chain)), ("missed", "moderator")], []]


# Extensions and vacations


def test_an_extension_moves_the_deadline_and_brings_a_reminder_of_its_own(tmp_path: Path) -> None:
    chain = timed(tmp_path)
    seat = asked(chain)
    assert steps(chain, 24, 48) == [[], [("reminder", seat)]]
    code = plain(chain, seat)["code"]
    link = rule(chain, "extend", until=at(168))
    assert link.save.entry.reports == ["alice", "bob"]
    assert (plain(chain, seat)["code"], link.save.match.stop) == (code, 1)
    assert plain(chain, seat)["deadline"] == "Monday 7 December 2026, 19:00 (Europe/Berlin)"
    assert steps(chain, 72, 96, 120, 144, 167, 168, 190, 192) == [
        [], [], [], [("reminder", seat)], [], [("late", seat)], [], [("missed", seat), ("missed", "moderator")],
    ]  # fmt: skip
    rule(chain, "extend", seat=seat, until=at(300))
    assert steps(chain, 216, 240, 264, 276, 300) == [[], [], [], [], [("late", seat)]]


def test_a_vacation_moves_a_deadline_and_taking_it_back_leaves_a_day(tmp_path: Path) -> None:
    chain = timed(tmp_path, weekdays=list(clock.DAYS))
    seat = asked(chain)
    People(chain.path).change(seat, vacations=[["2026-12-01", "2026-12-10"]])
    assert plain(chain, seat)["deadline"].startswith("Sunday 13 December 2026, 19:00")
    assert steps(chain, 24, 48, 72, 96, 97) == [[], [], [], [], []]
    People(chain.path).change(seat, vacations=[])
    assert told(look(chain, 98)) == [("reminder", seat)]
    assert plain(chain, seat)["deadline"].startswith("Saturday 5 December 2026, 21:00"), "a day from now"


def test_a_setting_that_is_changed_never_takes_a_day_away(tmp_path: Path) -> None:
    chain = timed(tmp_path, weekdays=list(clock.DAYS))
    steps(chain, 10)
    clock.write(chain.path, clock.settings_from({**BERLIN, "weekdays": list(clock.DAYS), "hours": 10}))
    look(chain, 20)
    due = read_ledger(chain.path).row(asked(chain)).due
    assert due == at(30), "ten hours, the least that such short turns leave"


# Outages and jumps


def test_after_an_outage_every_open_deadline_is_a_day_away_and_each_seat_gets_one_mail(tmp_path: Path) -> None:
    chain = timed(tmp_path, "lantern-reef", missed="bot")
    send(chain, "bob", "sail south")
    notices = look(chain, 110)
    assert told(notices) == [("moved", "alice"), ("moved", "carol")]
    assert {one.deadline for one in notices} == {"Sunday 6 December 2026, 09:00 (Europe/Berlin)"}
    assert plain(chain, "alice")["deadline"] == notices[0].deadline
    assert steps(chain, 111, 120, 133.9) == [[], [], []]
    assert steps(chain, 134, 150) == [[("late", "alice"), ("late", "carol")], []]
    assert chain.latest().save.match.stop == 1
    steps(chain, 173, 182)
    assert chain.latest().save.match.stop > 1, "the grace ended with Monday"


def test_a_fetch_that_fails_for_days_is_an_outage(tmp_path: Path) -> None:
    chain = timed(tmp_path, missed="bot")
    for hours in range(1, 130, 4):
        assert {kind for kind, _ in told(look(chain, hours, mail=False))} <= {"reminder", "late"}
    assert chain.latest().save.entry.serial == 1
    (notice,) = look(chain, 131)
    assert notice.kind == "moved"
    assert utc(read_ledger(chain.path).row(notice.seat).due) - START == timedelta(hours=155)


def test_a_first_look_at_an_old_match_takes_nobodys_turn(tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "match", "cosmic-league")
    clock.write(chain.path, clock.settings_from({**BERLIN, "missed": "bot"}))
    assert told(look(chain, 2000)) == [("moved", asked(chain))]
    assert chain.latest().save.entry.serial == 1


def test_a_reminder_that_is_late_brings_a_later_deadline(tmp_path: Path) -> None:
    chain = timed(tmp_path)
    seat = asked(chain)
    assert steps(chain, 24, 45) == [[], []]
    (notice,) = look(chain, 65)
    assert (notice.kind, notice.deadline) == ("moved", "Friday 4 December 2026, 12:00 (Europe/Berlin)")
    assert steps(chain, 72, 88, 89) == [[], [], [("late", seat)]]


def test_a_clock_that_jumps_ahead_and_back_harms_nobody(tmp_path: Path) -> None:
    chain = timed(tmp_path, missed="bot")
    seat = asked(chain)
    assert told(look(chain, 5000)) == [("moved", seat)]
    assert told(look(chain, 10)) == [("clock", "moderator")]
    assert read_ledger(chain.path).row(seat).due == at(72)
    assert steps(chain, 30, 47, 48, 71, 72, 90) == [[], [], [("reminder", seat)], [], [("late", seat)], []]
    assert chain.latest().save.entry.serial == 1
    look(chain, 96)
    assert chain.latest().save.entry.serial == 2


def test_a_clock_that_goes_back_leaves_a_day(tmp_path: Path) -> None:
    chain = timed(tmp_path, missed="bot")
    seat = asked(chain)
    steps(chain, 24, 48, 72, 95)
    assert told(look(chain, 70)) == [("clock", "moderator"), ("moved", seat)]
    assert read_ledger(chain.path).row(seat).due == at(94)


def test_a_line_for_cron_once_a_day_gets_everything_done(tmp_path: Path) -> None:
    chain = timed(tmp_path, missed="bot", grace=0, weekdays=list(clock.DAYS))
    kinds = [kind for part in steps(chain, *range(12, 400, 24)) for kind, _ in part]
    assert chain.latest().save.entry.serial > 2
    assert set(kinds) == {"moved", "reminder"}, "a reminder that was late by twelve hours, and then those of the bot's time"


@given(
    st.lists(st.tuples(st.integers(1, 60), st.sampled_from(["whole", "whole", "whole", "failed", "old", "none"])), max_size=30),
    st.sampled_from(["2026-11-30T18:00:00Z", "2026-12-30T18:00:00Z", "2027-03-25T18:00:00Z", "2026-10-22T18:00:00Z"]),
)
@rules(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whenever_it_is_looked_nobody_is_late_without_a_day_of_warning(
    tmp_path_factory: pytest.TempPathFactory, looks: list[tuple[int, str]], begins: str
) -> None:
    table = desk.Table(find_game("cosmic-league"), ["alice", "bob"], match_id="m", secret=bytes(32), clock=BERLIN)
    chain, link = desk.open_match(tmp_path_factory.mktemp("looks") / "match", table, KEY, at=begins)
    (seat,) = link.save.entry.asked
    now, heard, keys = utc(begins), [utc(begins)], Counter[str]()
    for pause, fetch in [(0, "whole"), *looks]:
        now += timedelta(hours=pause)
        began = {"whole": now, "failed": now, "old": now - timedelta(hours=30), "none": None}[fetch]
        fetched = None if began is None else Fetched(text_of(began), fetch != "failed")
        for notice in tick(chain.path, KEY, text_of(now), fetched):
            keys[notice.key] += 1
            check_notice(chain, notice, seat, now, began if fetch in ("whole", "old") else None, heard)
    assert not any(count > 1 for count in keys.values())
    assert sum(key.startswith("missed") for key in keys) in (0, 2)


def check_notice(
    chain: Chain, notice: Notice, seat: str, now: datetime, began: datetime | None, heard: list[datetime]
) -> None:
    """Check that a notice is in order after those that were heard before."""
    due = utc(read_ledger(chain.path).row(seat).due)
    if notice.kind in ("reminder", "moved"):
        assert due - now >= timedelta(hours=21), "an hour for the clocks, and two for a late reminder"
        heard.append(now)
    if notice.kind == "late":
        assert now >= due
        assert len(heard) > 1
    if notice.kind == "missed":
        assert began is not None
        assert began >= clock.grace_end(clock.Settings(**BERLIN), due)
        assert now - heard[-1] >= timedelta(hours=21)


# Ends, crashes and others at work


def test_a_notice_that_was_not_taken_comes_again_under_the_same_key(tmp_path: Path) -> None:
    chain = timed(tmp_path)
    taken: list[str] = []

    def fail(notice: Notice) -> None:
        taken.append(notice.key)
        raise Trouble("The disk is full.")

    look(chain, 24)
    before = files(chain.path)
    with pytest.raises(Trouble):
        tick(chain.path, KEY, at(48), Fetched(at(48)), fail)
    assert files(chain.path) == before
    tick(chain.path, KEY, at(48), Fetched(at(48)), lambda notice: taken.append(notice.key))
    assert taken[0] == taken[1]
    assert look(chain, 48) == []


def test_a_move_that_was_not_made_is_made_later_and_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = timed(tmp_path, missed="bot")
    seat = asked(chain)
    steps(chain, 24, 48, 72, 90)
    with monkeypatch.context() as patch:
        patch.setattr("referee.tick.play_late", lambda *given, **named: (_ for _ in ()).throw(Trouble("The disk is full.")))
        with pytest.raises(Trouble):
            look(chain, 96)
    assert chain.latest().save.entry.serial == 1
    look(chain, 97)
    assert chain.latest().save.entry.move["by"] == "clock"
    assert read_ledger(chain.path).row(seat).in_a_row == 1


def test_who_moves_at_the_same_moment_is_first_or_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = timed(tmp_path, missed="bot")
    steps(chain, 24, 48, 72, 90)
    link, seat = chain.latest(), asked(chain)
    _, line = open_line(link.save.match, random.Random(1))
    real = desk.play_late

    def slow(*given: Any, **named: Any) -> Any:
        desk.apply(chain, KEY, block(link, seat, line), at=at(96))
        return real(*given, **named)

    with monkeypatch.context() as patch:
        patch.setattr("referee.tick.play_late", slow)
        look(chain, 96)
    assert [one.voucher for one in check(chain)][2:] == ["a turn code"]


def _tick_in_a_process(path: Path, queue: Any) -> None:
    queue.put(told(tick(path, KEY, at(96), Fetched(at(96)))))


def test_two_processes_make_one_move(tmp_path: Path) -> None:
    chain = timed(tmp_path, missed="bot")
    steps(chain, 24, 48, 72, 90)
    context = multiprocessing.get_context("fork")
    queue = context.Queue()
    running = [context.Process(target=_tick_in_a_process, args=(chain.path, queue)) for _ in range(2)]
    for process in running:
        process.start()
    for process in running:
        process.join()
    assert [queue.get(timeout=10), queue.get(timeout=10)] == [[], []]
    assert chain.latest().save.entry.serial == 2


def test_a_spoilt_ledger_is_named(tmp_path: Path) -> None:
    chain = timed(tmp_path)
    for text in ("[", "seats = 3\n", 'ticked = "now"\nfetched = ""\n[seats]\n', "[seats.alice]\ncolour = 3\n"):
        (chain.path / "ticked.toml").write_text(text)
        with pytest.raises(Trouble, match=r"ticked\.toml is not what the program wrote"):
            look(chain, 1)
    (chain.path / "ticked.toml").unlink()
    assert look(chain, 1) == []


def test_little_is_written_when_nothing_happens(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = timed(tmp_path)
    look(chain, 1)
    monkeypatch.setattr("referee.ticked.write_file", lambda *given: pytest.fail("written"))
    for minutes in range(1, 59, 5):
        look(chain, 1 + minutes / 60)


# Invitations


def test_seats_are_invited_once_and_the_match_begins_when_all_have_accepted(tmp_path: Path) -> None:
    game = find_game("cosmic-league")
    table = desk.Table(game, ["alice", "bob"], match_id="m", keys={"bob": OTHER_KEY.public.hex}, clock=BERLIN)
    chain, _ = desk.open_match(tmp_path / "match", table, KEY, at=AT, begin=False)
    assert steps(chain, 0, 1, 300) == [[("invitation", "alice"), ("invitation", "bob")], [], []]
    People(chain.path).change("alice", accepted=True, nonce="tide")
    assert steps(chain, 301) == [[]]
    assert chain.store.latest_serial() == 0
    People(chain.path).change("bob", accepted=True)
    assert steps(chain, 302, 303) == [[], []]
    link = chain.latest()
    assert (link.save.entry.at, link.save.match.nonces) == (at(302), {"alice": "tide"})
    assert sorted(path.name for path in (chain.path / "reports").iterdir()) == ["alice", "bob"]
    assert check(chain)


def test_a_beginning_that_was_cut_off_is_not_taken_for_an_invitation(tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "match", "cosmic-league", clock=BERLIN)
    (chain.path / "0001.toml").unlink()
    assert look(chain, 5) == []
    assert chain.store.latest_serial() == 0


# What a save says


def test_a_save_says_since_when_seats_are_asked(tmp_path: Path) -> None:
    chain, link = new(tmp_path / "match")
    since = dict.fromkeys(["alice", "bob", "carol"], AT)
    assert link.save.entry.asked == since
    later = text_of(START + timedelta(hours=5))
    desk.apply(chain, KEY, block(chain.latest(), "bob", "sail north"), at=later)
    assert canon.section(content(chain, 2), "clock") == {"at": later, "asked": since}, "nobody sees who has answered"
    desk.apply(chain, KEY, block(chain.latest(), "alice", "sail north"), at=later)
    desk.apply(chain, KEY, block(chain.latest(), "carol", "sail east", "pirate: sail east"), at=later)
    question = pending(chain.latest().save.match)
    assert question is not None
    assert chain.latest().save.entry.asked == dict.fromkeys(question.seats, later)
