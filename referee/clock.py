"""Until when a seat may answer: `clock.toml` beside the chain, and what follows from it. No clock is looked at here.

Time is counted by the wall clock of the match's zone, on days that count: 72 hours from Thursday 18:00 with free weekends end
on Tuesday at 18:00, also when the clocks are changed between. What a local time could mean twice, or never is, counts as the
later one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from . import canon
from .errors import Refused, Usage
from .fields import dataclass, field
from .store import read_small, write_file

FILE, LEDGER = "clock.toml", "ticked.toml"
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
POLICIES = ("wait", "safest", "bot", "forfeit")
MOST_HOURS, MOST_HOLIDAYS, MOST_VACATIONS = 24 * 60, 100, 20
AHEAD = 366  # days that a vacation may be told before it begins


@dataclass
class Settings:
    """How a match keeps time. A day off does not count; hours are hours of days that count.

    Attributes:
        zone: the zone whose wall clock counts, as `Europe/Berlin`.
        weekdays: the days of the week that count.
        holidays: days that do not, as `2026-12-25`, or `12-25` for every year.
        hours: how long a turn may take.
        window_hours: how long a reaction may take; then it is declined.
        grace: how long after its deadline a turn is still taken without consequence.
        reminder: how long before a deadline a reminder is sent; 0 for none. By default 24, or half a shorter turn.
        minimum: the least time between a mail that moves a deadline and that deadline. By default 24, or a shorter turn.
        at: the time of day at which turns end, as `18:00`: the first one after the hours are over; "" for any.
        missed: what follows when the grace is over: `wait`, `safest` lines, a `bot`, or `forfeit`; all but wait go on.
        after: after how many missed turns in a row the moderator is asked whether the seat forfeits; for `forfeit`.
        vacation_days: how many days a vacation may have.
    """

    zone: str = "UTC"
    weekdays: list[str] = field(default_factory=lambda: list(DAYS[:5]))
    holidays: list[str] = field(default_factory=list)
    hours: int = 72
    window_hours: int = 24
    grace: int = 24
    reminder: int = -1
    minimum: int = -1
    at: str = ""
    missed: str = "wait"
    after: int = 3
    vacation_days: int = 30

    def __post_init__(self) -> None:
        """Take the defaults that depend on the length of a turn."""
        self.reminder = min(24, self.hours // 2) if self.reminder < 0 else self.reminder
        self.minimum = min(24, self.hours) if self.minimum < 0 else self.minimum


@dataclass
class Deadline:
    """When a seat has to have answered.

    Attributes:
        due: the deadline that the seat is told, UTC.
        end: when its grace is over, UTC; for a reaction the same.
    """

    due: datetime
    end: datetime


# Settings


def settings_from(given: Mapping[str, Any], where: str = FILE) -> Settings:
    """Return settings as they were written.

    Args:
        given: entries of `Settings`; what is not there is as it is by default.
        where: the file, for errors.

    Raises:
        Usage: an entry is unknown, or cannot be what it is.

    Example:
        >>> settings_from({"hours": 24, "zone": "Europe/Berlin"}).reminder
        12
    """
    known = vars(Settings())
    for name, value in given.items():
        if name not in known:
            raise Usage(f"{where} has no entry {name!r}.", f"Its entries are {', '.join(known)}.")
        if type(value) is not type(known[name]) or not _fits(name, value):
            raise Usage(f"{where}: {name} cannot be {value!r}.", f"{_HOW.get(name, 'Write hours as a number')}.")
    made = Settings(**given)
    for name in ("reminder", "minimum"):
        if getattr(made, name) > made.hours:
            raise Usage(f"{where}: {name} is longer than a turn of {made.hours} hours.", "Make it shorter, or leave it out.")
    return made


_LEAST = {"hours": 1, "window_hours": 1, "after": 1, "vacation_days": 0}
_HOW = {
    "zone": "Name it as Europe/Berlin or UTC",
    "weekdays": f"Name one or more of {', '.join(DAYS)}",
    "holidays": f"Write at most {MOST_HOLIDAYS} days, as 2026-12-25, or as 12-25 for every year",
    "at": "Write it as 18:00",
    "missed": f"It is one of {', '.join(POLICIES)}",
    "after": "Write a number from 1 on",
    "vacation_days": "Write a number of days",
}


def _fits(name: str, value: Any) -> bool:
    if name == "zone":
        return is_zone(value)
    if name == "weekdays":
        return bool(value) and all(day in DAYS for day in value)
    if name == "holidays":
        return len(value) <= MOST_HOLIDAYS and all(type(day) is str and _is_holiday(day) for day in value)
    if name == "at":
        return not value or _time_of(value) is not None
    if name == "missed":
        return value in POLICIES
    return bool(_LEAST.get(name, 0) <= value <= MOST_HOURS)


def is_zone(name: str) -> bool:
    """Tell whether a zone of that name is known.

    Example:
        >>> is_zone("Europe/Berlin"), is_zone("Europe/Lummerland"), is_zone("../etc/passwd")
        (True, False, False)
    """
    try:
        _zone(name)
    except (LookupError, ValueError, OSError):  # not there; a path and not a name; a folder
        return False
    return True


@lru_cache(maxsize=64)
def _zone(name: str) -> ZoneInfo:
    return ZoneInfo(name)


def _is_holiday(day: str) -> bool:
    return day_of(day if len(day) > 5 else f"2024-{day}") is not None


def day_of(text: str) -> date | None:
    """Return the day that is written as `2026-12-24`, or nothing if it is none."""
    try:
        return date.fromisoformat(text) if len(text) == 10 else None
    except ValueError:
        return None


def _time_of(text: str) -> time | None:
    try:
        return time.fromisoformat(text) if len(text) == 5 else None
    except ValueError:
        return None


def read(folder: Path) -> Settings | None:
    """Return the settings of the match in a folder; nothing if it has no deadlines.

    Raises:
        Usage: the file says something that it cannot say.
        Trouble: it cannot be read.
    """
    data = read_small(folder / FILE)
    if data is None:
        return None
    try:
        given = canon.loads(data)
    except ValueError as error:
        raise Usage(f"{folder / FILE} is not TOML: {error}.", "Mend it, one entry a line.") from None
    return settings_from(given, str(folder / FILE))


def write(folder: Path, settings: Settings) -> None:
    """Write the settings of a match, all of them, so that a moderator sees what can be changed."""
    write_file(folder / FILE, canon.dumps(vars(settings)).encode())


# Times


def utc(text: str) -> datetime:
    """Return the time that saves write as `2026-11-30T18:00:00Z`.

    Raises:
        ValueError: it is none.

    Example:
        >>> utc("2026-11-30T18:00:00Z").hour, text_of(utc("2026-11-30T18:00:00Z"))
        (18, '2026-11-30T18:00:00Z')
    """
    return datetime.strptime(text, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)


def text_of(when: datetime) -> str:
    """Return a time as saves write it; a part of a second counts as a whole one."""
    whole = when.astimezone(UTC)
    return (whole + timedelta(seconds=bool(whole.microsecond))).strftime("%Y-%m-%dT%H:%M:%SZ")


def typed(settings: Settings, text: str) -> str:
    """Return a time that a person typed as saves write it: `2026-12-03 18:00` by the wall clock of the match, or in UTC.

    Raises:
        ValueError: it is no time.

    Example:
        >>> typed(Settings(zone="Europe/Berlin"), "2026-12-03 18:00"), typed(Settings(), "2026-12-03T17:00:00Z")
        ('2026-12-03T17:00:00Z', '2026-12-03T17:00:00Z')
    """
    when = datetime.fromisoformat(text)
    return text_of(when if when.tzinfo else from_local(settings, when))


def local(settings: Settings, when: datetime) -> datetime:
    """Return what the wall clock of the match shows, without a zone."""
    return when.astimezone(_zone(settings.zone)).replace(tzinfo=None, fold=0)


def from_local(settings: Settings, wall: datetime) -> datetime:
    """Return when the wall clock shows a time, UTC; the later one if it does so twice or jumps over it."""
    zone = _zone(settings.zone)
    return max(wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))


def spoken(settings: Settings, when: datetime) -> str:
    """Return a time as people read it; midnight belongs to the day that ends with it.

    Example:
        >>> spoken(Settings(zone="Europe/Berlin"), utc("2026-12-03T17:00:00Z"))
        'Thursday 3 December 2026, 18:00 (Europe/Berlin)'
        >>> spoken(Settings(), utc("2027-01-01T00:00:00Z"))
        'Thursday 31 December 2026, 24:00 (UTC)'
    """
    wall = local(settings, when)
    clock = f"{wall:%H:%M}"
    if clock == "00:00":
        wall, clock = wall - timedelta(days=1), "24:00"
    weekday = DAYS[wall.weekday()].capitalize()
    return f"{weekday} {wall.day} {_MONTHS[wall.month - 1]} {wall.year}, {clock} ({settings.zone})"


# Counting


Vacations = Sequence[Sequence[str]]
"""First and last day of each vacation, both included."""


def counts(settings: Settings, day: date, vacations: Vacations = ()) -> bool:
    """Tell whether a day counts for a seat with these vacations.

    Example:
        >>> counts(Settings(), date(2026, 12, 24)), counts(Settings(), date(2026, 12, 24), [["2026-12-24", "2027-01-02"]])
        (True, False)
    """
    written = day.isoformat()
    off = DAYS[day.weekday()] not in settings.weekdays or written in settings.holidays or written[5:] in settings.holidays
    return not off and not any(first <= written <= last for first, last in vacations)


def after(settings: Settings, wall: datetime, hours: int, vacations: Vacations = ()) -> datetime:
    """Return what the wall clock shows when so many hours of days that count have passed."""
    left = timedelta(hours=hours)
    while left:
        midnight = datetime.combine(wall.date() + timedelta(days=1), time())
        if counts(settings, wall.date(), vacations):
            room = midnight - wall
            if left <= room:
                return wall + left
            left -= room
        wall = midnight
    return wall


def due(
    settings: Settings,
    asked: datetime,
    until: datetime | None = None,
    vacations: Vacations = (),
    *,
    window: bool = False,
) -> datetime:
    """Return until when a seat may answer, UTC; it depends on nothing but what is given.

    Args:
        settings: how the match keeps time.
        asked: since when the seat has been waited for.
        until: until when the moderator lets it answer at least.
        vacations: its vacations, whose days do not count for it.
        window: whether it is asked for a reaction to another's turn.

    Example:
        >>> text_of(due(Settings(zone="Europe/Berlin"), utc("2026-12-03T17:00:00Z")))
        '2026-12-08T17:00:00Z'
    """
    wall = _whole_minute(local(settings, asked))
    end = after(settings, wall, settings.window_hours if window else settings.hours, vacations)
    if settings.at and not window:
        end = _next_at(settings, end, vacations)
    found = from_local(settings, end)
    return max(found, until) if until else found


def _whole_minute(wall: datetime) -> datetime:
    """Return the next full minute, so that a deadline is what it reads as."""
    started = timedelta(minutes=bool(wall.second or wall.microsecond))
    return wall.replace(second=0, microsecond=0) + started


def _next_at(settings: Settings, wall: datetime, vacations: Vacations) -> datetime:
    at = time.fromisoformat(settings.at)
    day = wall.date() if wall.time() <= at else wall.date() + timedelta(days=1)
    while not counts(settings, day, vacations):
        day += timedelta(days=1)
    return datetime.combine(day, at)


def reminder_at(settings: Settings, when: datetime) -> datetime:
    """Return when the reminder of a deadline is sent: at that time of day, so many hours before."""
    return from_local(settings, local(settings, when) - timedelta(hours=settings.reminder))


def grace_end(settings: Settings, when: datetime) -> datetime:
    """Return when the grace after a deadline is over; a vacation told in that time does not make it longer."""
    return max(when, from_local(settings, after(settings, local(settings, when), settings.grace)))


def at_least(settings: Settings, now: datetime) -> datetime:
    """Return the earliest deadline that a mail of now may name."""
    return max(
        now + timedelta(hours=settings.minimum),
        from_local(settings, _whole_minute(local(settings, now)) + timedelta(hours=settings.minimum)),
    )


def deadline(
    settings: Settings,
    asked: str,
    until: str = "",
    vacations: Vacations = (),
    floor: str = "",
    *,
    window: bool = False,
) -> Deadline:
    """Return the deadline of a seat.

    Args:
        settings: how the match keeps time.
        asked: since when it has been waited for, as saves write it.
        until: until when the moderator lets it answer; "" for nothing.
        vacations: its vacations.
        floor: no earlier than this, because an outage or a mail came between; "" for nothing.
        window: whether it is asked for a reaction.
    """
    end = due(settings, utc(asked), utc(until) if until else None, vacations, window=window)
    end = max(end, utc(floor)) if floor else end
    return Deadline(end, end if window else grace_end(settings, end))


# Vacations


def check_vacation(settings: Settings, now: datetime, first: str, last: str, others: Vacations = ()) -> None:
    """Check that a seat may take a vacation.

    Args:
        settings: how the match keeps time.
        now: the present time.
        first: its first day, as `2026-12-24`.
        last: its last day.
        others: the vacations that the seat has already.

    Raises:
        Refused: it may not; says why.

    Example:
        >>> check_vacation(Settings(), utc("2026-12-01T12:00:00Z"), "2026-12-24", "2027-01-02")
    """
    begins, ends = day_of(first), day_of(last)
    if begins is None or ends is None:
        raise Refused("A vacation is told by its first and last day.", "Write `vacation 2026-12-24 to 2027-01-02`.")
    if ends < begins:
        raise Refused(f"The vacation ends on {last}, before it begins on {first}.", "Write the first day first.")
    today = local(settings, now).date()
    if begins < today:
        raise Refused(f"The vacation begins on {first}, and today is {today}.", "A vacation begins today at the earliest.")
    if (begins - today).days > AHEAD:
        raise Refused(f"The vacation begins on {first}, more than a year from now.", "Tell it when it is nearer.")
    if (ends - begins).days >= settings.vacation_days:
        said = f"A vacation has at most {settings.vacation_days} days in this match."
        raise Refused(said, "Make it shorter, or ask the moderator for an extension.")
    if sum(one[1] >= today.isoformat() for one in others) >= MOST_VACATIONS:
        raise Refused(f"You have told {MOST_VACATIONS} vacations already.", "Take them back with `vacation off`.")


# What reports say


def spoken_deadline(folder: Path, seat: str, asked: str, until: str, vacations: Vacations, *, window: bool = False) -> str:
    """Return the deadline of a seat as its report shows it; "" if the match has none."""
    settings = read(folder)
    if settings is None:
        return ""
    return spoken(settings, deadline(settings, asked, until, vacations, floor_of(folder, seat, asked), window=window).due)


def floor_of(folder: Path, seat: str, asked: str) -> str:
    """Return before when the deadline of a seat cannot be, out of the ledger of what was done; "" for any time."""
    data = read_small(folder / LEDGER)
    row = canon.loads(data).get("seats", {}).get(seat, {}) if data else {}
    return str(row.get("floor", "")) if row.get("asked") == asked else ""
