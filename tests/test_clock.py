"""Deadlines: counted by the wall clock of the match, on days that count, whatever happens to the clocks meanwhile."""

from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.clock import (
    DAYS,
    Settings,
    after,
    at_least,
    check_vacation,
    counts,
    deadline,
    due,
    from_local,
    grace_end,
    local,
    read,
    reminder_at,
    settings_from,
    spoken,
    text_of,
    typed,
    utc,
    write,
)
from referee.errors import Refused, Usage

ZONES = ("Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC")
"""Lord Howe changes its clocks by half an hour, in the southern year; Kathmandu never, and lies a quarter off."""
EVERY_DAY = list(DAYS)

zones = st.sampled_from(ZONES)
times = st.datetimes(datetime(2024, 1, 1), datetime(2029, 1, 1), timezones=st.just(UTC))
days = st.dates(date(2024, 1, 1), date(2029, 6, 1))
spans = st.tuples(days, st.integers(0, 40)).map(lambda one: [one[0].isoformat(), (one[0] + timedelta(one[1])).isoformat()])
settings = st.builds(
    Settings,
    zone=zones,
    weekdays=st.lists(st.sampled_from(DAYS), min_size=1, max_size=7, unique=True),
    holidays=st.lists(days.map(date.isoformat) | st.sampled_from(["12-25", "01-01", "02-29"]), max_size=6),
    hours=st.integers(1, 200),
    window_hours=st.integers(1, 72),
    grace=st.integers(0, 72),
    at=st.sampled_from(["", "00:00", "02:30", "18:00"]),
)


def berlin(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo("Europe/Berlin"))


# What must always hold


@given(settings, times, st.lists(spans, max_size=3), st.booleans())
def test_a_deadline_leaves_all_hours_that_were_promised(made: Settings, asked: datetime, off: Any, window: bool) -> None:
    hours = made.window_hours if window else made.hours
    found = due(made, asked, None, off, window=window)
    end, start = local(made, found), local(made, asked)
    assert counted(made, start, end, off) >= timedelta(hours=hours)
    assert found.second == found.microsecond == 0
    if made.at and not window:
        assert not counted(made, start, end - timedelta(days=1), off) > timedelta(hours=hours) + timedelta(days=1)
    else:
        assert counted(made, start, end, off) < timedelta(hours=hours) + timedelta(minutes=62), "only a jump adds to it"


def counted(made: Settings, start: datetime, end: datetime, off: Any) -> timedelta:
    """Return how much of the time between lies on days that count, told quarter by quarter."""
    total, wall = timedelta(), start
    while wall < end:
        midnight = datetime.combine(wall.date() + timedelta(days=1), datetime.min.time())
        stop = min(midnight, end)
        total += (stop - wall) if counts(made, wall.date(), off) else timedelta()
        wall = stop
    return total


@given(settings, times, times, st.lists(spans, max_size=3))
def test_who_is_asked_later_never_has_to_answer_earlier(made: Settings, one: datetime, other: datetime, off: Any) -> None:
    first, second = sorted((one, other))
    if made.zone in ("Asia/Kathmandu", "UTC"):
        assert due(made, first, None, off) <= due(made, second, None, off)
    else:  # within the hour that comes twice, the wall clock shows an earlier time to whoever is asked later
        assert due(made, first, None, off) <= due(made, second, None, off) + timedelta(days=1 if made.at else 0, minutes=61)


@given(settings, times, spans)
def test_a_vacation_never_brings_a_deadline_nearer_and_moves_none_that_it_does_not_meet(
    made: Settings, asked: datetime, off: list[str]
) -> None:
    without, with_it = due(made, asked), due(made, asked, None, [off])
    assert with_it >= without
    if off[0] > local(made, without).date().isoformat() or off[1] < local(made, asked).date().isoformat():
        assert with_it == without


@given(settings, times, times)
def test_an_extension_is_kept_and_never_shortens(made: Settings, asked: datetime, until: datetime) -> None:
    assert due(made, asked, until) == max(due(made, asked), until)


@given(settings, times, st.booleans())
def test_grace_and_reminder_lie_on_their_sides(made: Settings, asked: datetime, window: bool) -> None:
    line = deadline(made, text_of(asked), window=window)
    assert line.end >= line.due
    assert line.end == line.due if window else line.end == grace_end(made, line.due)
    assert reminder_at(made, line.due) <= line.due
    whole = timedelta(hours=made.reminder)
    assert abs(line.due - reminder_at(made, line.due) - whole) <= timedelta(hours=1)
    assert at_least(made, asked) >= asked + timedelta(hours=made.minimum)


@given(settings, times)
def test_the_same_is_always_reckoned_the_same(made: Settings, asked: datetime) -> None:
    again = settings_from(vars(made)) if made.reminder <= made.hours else made
    assert due(again, asked) == due(made, asked.astimezone(ZoneInfo("Asia/Tokyo")))


@given(zones, st.datetimes(datetime(2024, 1, 1), datetime(2029, 1, 1)))
def test_a_time_of_the_wall_clock_that_there_is_is_found_again(zone: str, wall: datetime) -> None:
    made = Settings(zone=zone)
    found = from_local(made, wall)
    shown = local(made, found)
    assert shown == wall or timedelta() < shown - wall <= timedelta(hours=1), "only what the clock jumps over is another"
    assert local(made, found + timedelta(hours=1)) != wall, "the later of two"


@given(times)
def test_times_are_written_and_read(when: datetime) -> None:
    assert timedelta() <= utc(text_of(when)) - when < timedelta(seconds=1)


# The clocks change


@pytest.mark.parametrize(
    ("zone", "asked", "wall", "real"),
    [
        ("Europe/Berlin", "2027-03-27T18:00", "2027-03-28T18:00", 23),  # forward
        ("Europe/Berlin", "2026-10-24T18:00", "2026-10-25T18:00", 25),  # back
        ("America/New_York", "2027-03-13T18:00", "2027-03-14T18:00", 23),
        ("America/New_York", "2026-10-31T18:00", "2026-11-01T18:00", 25),
        ("Australia/Lord_Howe", "2026-10-03T18:00", "2026-10-04T18:00", 23.5),
        ("Australia/Lord_Howe", "2027-04-03T18:00", "2027-04-04T18:00", 24.5),
        ("Europe/Berlin", "2026-12-31T18:00", "2027-01-01T18:00", 24),  # New Year
        ("Europe/Berlin", "2028-02-28T18:00", "2028-02-29T18:00", 24),  # leap day
        ("Europe/Berlin", "2028-02-29T18:00", "2028-03-01T18:00", 24),
        ("Europe/Berlin", "2027-03-27T02:30", "2027-03-28T03:30", 24),  # there is no 02:30 on that day
        ("Europe/Berlin", "2026-10-24T02:30", "2026-10-25T02:30", 25),  # and here there are two
        ("Australia/Lord_Howe", "2026-10-03T02:15", "2026-10-04T02:45", 24),
    ],
)
def test_a_day_is_a_day_by_the_wall_clock(zone: str, asked: str, wall: str, real: float) -> None:
    made = Settings(zone=zone, weekdays=EVERY_DAY, hours=24)
    start = from_local(made, datetime.fromisoformat(asked))
    found = due(made, start)
    assert local(made, found) == datetime.fromisoformat(wall)
    assert found - start == timedelta(hours=real)


def test_a_turn_asked_in_the_hour_that_comes_twice_ends_at_the_later_one() -> None:
    made = Settings(zone="Europe/Berlin", weekdays=EVERY_DAY, hours=24)
    for asked in ("2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"):  # 02:30 by the wall clock, both
        assert text_of(due(made, utc(asked))) == "2026-10-26T01:30:00Z"


def test_a_minimum_is_a_minimum_when_a_day_has_only_23_hours() -> None:
    made = Settings(zone="Europe/Berlin", weekdays=EVERY_DAY, hours=24)
    now = berlin("2027-03-27T18:00")
    assert at_least(made, now) - now == timedelta(hours=24)
    assert at_least(made, berlin("2026-10-24T18:00")) - berlin("2026-10-24T18:00").astimezone(UTC) == timedelta(hours=25)


# Days that count


@pytest.mark.parametrize(
    ("given", "asked", "wall"),
    [
        ({}, "2026-12-03T18:00", "2026-12-08T18:00"),  # Thursday, with a weekend
        ({}, "2026-11-30T18:00", "2026-12-03T18:00"),  # Monday, without one
        ({}, "2026-12-05T11:00", "2026-12-10T00:00"),  # a Saturday counts from Monday on
        ({"hours": 24}, "2026-12-04T00:00", "2026-12-05T00:00"),  # Friday's end is Friday's, though Saturday is free
        ({"holidays": ["12-25", "2027-01-01"], "hours": 48}, "2026-12-24T12:00", "2026-12-29T12:00"),
        ({"holidays": ["12-25", "2027-01-01"], "hours": 48}, "2026-12-31T12:00", "2027-01-05T12:00"),
        ({"holidays": ["02-29"], "weekdays": EVERY_DAY}, "2028-02-28T12:00", "2028-03-03T12:00"),
        ({"at": "18:00", "hours": 24}, "2026-12-01T09:00", "2026-12-02T18:00"),
        ({"at": "18:00", "hours": 24}, "2026-12-01T18:00", "2026-12-02T18:00"),
        ({"at": "18:00", "hours": 24}, "2026-12-03T19:00", "2026-12-07T18:00"),  # Friday 19:00, so Monday
        ({"weekdays": ["sunday"], "hours": 30}, "2026-12-03T18:00", "2026-12-13T06:00"),
        ({"hours": 1}, "2026-12-03T18:00:30", "2026-12-03T19:01"),  # no second is lost
    ],
)
def test_free_days_do_not_count(given: dict[str, Any], asked: str, wall: str) -> None:
    made = settings_from({"zone": "Europe/Berlin", **given})
    assert local(made, due(made, berlin(asked))) == datetime.fromisoformat(wall)


def test_grace_over_a_weekend_ends_on_monday() -> None:
    made = Settings(zone="Europe/Berlin")
    assert grace_end(made, berlin("2026-12-04T18:00")) == berlin("2026-12-07T18:00")


def test_a_vacation_over_new_year_moves_the_deadline_that_it_meets_and_no_later_one() -> None:
    made, off = Settings(zone="Europe/Berlin"), [["2026-12-24", "2027-01-02"]]
    assert due(made, berlin("2026-12-22T18:00"), None, off) == berlin("2027-01-05T18:00")
    assert due(made, berlin("2026-12-17T18:00"), None, off) == berlin("2026-12-22T18:00")
    assert due(made, berlin("2027-01-04T18:00"), None, off) == berlin("2027-01-07T18:00")


def test_a_vacation_told_in_the_grace_moves_nothing() -> None:
    made = Settings(zone="Europe/Berlin")
    line = deadline(made, "2026-11-30T17:00:00Z")
    late = deadline(made, "2026-11-30T17:00:00Z", "", [["2026-12-04", "2026-12-20"]])
    assert (late.due, late.end) == (line.due, line.end)


def test_time_does_not_pass_where_none_is_to_pass() -> None:
    assert after(Settings(), datetime(2026, 12, 5, 11), 0) == datetime(2026, 12, 5, 11)


def test_a_floor_holds() -> None:
    assert deadline(Settings(), "2026-11-30T17:00:00Z", "", (), "2026-12-24T18:00:00Z").due == utc("2026-12-24T18:00:00Z")


# Vacations that may be told


@pytest.mark.parametrize(
    ("days", "said"),
    [
        (("2026-12-24", "2026-12-23"), "ends on 2026-12-23, before it begins"),
        (("2026-11-29", "2026-12-03"), "today is 2026-11-30"),
        (("2026-13-24", "2026-12-03"), "by its first and last day"),
        (("2026-12-24", "soon"), "by its first and last day"),
        (("20261224", "20261226"), "by its first and last day"),
        (("2028-12-24", "2028-12-26"), "more than a year from now"),
        (("2026-12-01", "2026-12-31"), "at most 30 days"),
    ],
)
def test_a_vacation_that_cannot_be_is_refused(days: tuple[str, str], said: str) -> None:
    with pytest.raises(Refused, match=said):
        check_vacation(Settings(), utc("2026-11-30T18:00:00Z"), *days)


def test_a_vacation_may_begin_today_by_the_clock_of_the_match_and_last_as_long_as_allowed() -> None:
    made = Settings(zone="Pacific/Auckland")
    check_vacation(made, utc("2026-11-30T18:00:00Z"), "2026-12-01", "2026-12-30")
    with pytest.raises(Refused, match="today is 2026-12-01"):
        check_vacation(made, utc("2026-11-30T18:00:00Z"), "2026-11-30", "2026-12-03")
    many = [["2026-12-01", "2026-12-01"]] * 20
    with pytest.raises(Refused, match="20 vacations already"):
        check_vacation(made, utc("2026-11-30T18:00:00Z"), "2026-12-02", "2026-12-03", many)


# Settings


def test_settings_are_written_and_read(tmp_path: Path) -> None:
    assert read(tmp_path) is None
    write(tmp_path, Settings(zone="Europe/Berlin", hours=48, holidays=["12-25"]))
    assert read(tmp_path) == Settings(zone="Europe/Berlin", hours=48, holidays=["12-25"])
    (tmp_path / "clock.toml").write_text("")
    assert read(tmp_path) == Settings()
    for text in ("hours = ", "\xff"):
        (tmp_path / "clock.toml").write_text(text, encoding="latin-1")
        with pytest.raises(Usage, match=r"clock\.toml is not TOML"):
            read(tmp_path)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"hour": 3}, "The clock has no entry 'hour'. Its entries are zone, weekdays"),
        ({"zone": "Europe/Lummerland"}, "zone cannot be 'Europe/Lummerland'. Name it as Europe/Berlin"),
        ({"zone": "/etc/passwd"}, "zone cannot be"),
        ({"zone": ""}, "zone cannot be"),
        ({"hours": 0}, "hours cannot be 0"),
        ({"hours": 10**6}, "hours cannot be"),
        ({"hours": "72"}, "Write hours as a number"),
        ({"hours": True}, "hours cannot be True"),
        ({"weekdays": []}, "Name one or more of monday"),
        ({"weekdays": ["montag"]}, "Name one or more of monday"),
        ({"holidays": ["2027-02-29"]}, "Write at most 100 days"),
        ({"holidays": [3]}, "Write at most 100 days"),
        ({"at": "6 pm"}, "Write it as 18:00"),
        ({"missed": "kick"}, "It is one of wait, safest, bot, forfeit"),
        ({"after": 0}, "Write a number from 1 on"),
        ({"reminder": 100}, "reminder is longer than a turn of 72 hours"),
        ({"hours": 12, "minimum": 24}, "minimum is longer than a turn of 12 hours"),
    ],
)
def test_what_cannot_be_set_is_named(given: dict[str, Any], said: str) -> None:
    with pytest.raises(Usage, match=said):
        settings_from(given, "The clock")


def test_short_turns_have_shorter_reminders() -> None:
    made = settings_from({"hours": 10})
    assert (made.reminder, made.minimum) == (5, 10)
    assert settings_from({"reminder": 0}).reminder == 0


# What people read and type


@pytest.mark.parametrize(
    ("zone", "when", "text"),
    [
        ("Europe/Berlin", "2026-12-03T17:00:00Z", "Thursday 3 December 2026, 18:00 (Europe/Berlin)"),
        ("Europe/Berlin", "2026-12-31T23:00:00Z", "Thursday 31 December 2026, 24:00 (Europe/Berlin)"),
        ("America/New_York", "2028-02-29T13:05:00Z", "Tuesday 29 February 2028, 08:05 (America/New_York)"),
    ],
)
def test_a_deadline_is_spoken_in_full(zone: str, when: str, text: str) -> None:
    assert spoken(Settings(zone=zone), utc(when)) == text


def test_a_typed_time_is_that_of_the_match() -> None:
    made = Settings(zone="Europe/Berlin")
    assert typed(made, "2026-12-03 18:00") == typed(made, "2026-12-03T17:00Z") == "2026-12-03T17:00:00Z"
    with pytest.raises(ValueError, match="isoformat"):
        typed(made, "tomorrow")
