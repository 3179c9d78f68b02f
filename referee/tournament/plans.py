"""The plan of an event: what was typed, filled up with what is usual, and checked before anything is written."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from referee.chance import commitment
from referee.clock import settings_from
from referee.engine import choose_options, find_game
from referee.errors import Usage
from referee.fields import dataclass, field
from referee.keys import SigningKey

from . import scoring, tiebreaks
from .event import RULES, Plan
from .formats import FORMATS

EVENT_ID = re.compile(r"[a-z][a-z0-9-]{0,23}")
MOST_HOURS = 24 * 366
_AS_WANTED = ("hours", "rule", "confirm", "no_shows", "anonymous", "pairs_itself")
LONGEST_TITLE = 100


@dataclass
class Wanted:
    """What a director asks for; texts stand for numbers where a setting is one. What is left out is as usual.

    Attributes: see `event.Plan`; an empty format is `groups` for two at a table and `tables` for more.
    """

    id: str
    game: str
    title: str = ""
    seats: int = 0
    format: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    scoring: Mapping[str, Any] = field(default_factory=dict)
    tiebreaks: Sequence[str] = ()
    hours: int = 336
    rule: str = "late-loses"
    confirm: bool = False
    no_shows: int = 2
    anonymous: bool = False
    pairs_itself: bool = False
    clock: Mapping[str, Any] = field(default_factory=dict)


def plan_from(wanted: Wanted, key: SigningKey, salt: bytes) -> Plan:
    """Return the plan of a new event.

    Args:
        wanted: what the director asks for.
        key: the referee's key, from which the secret of the seed is derived.
        salt: 16 random bytes.

    Raises:
        Usage: something in it cannot be; says what, and what could.

    Example:
        >>> plan_from(Wanted("spring", "cosmic-league", format="swiss"), SigningKey.new(), bytes(16)).seats
        2
    """
    if not EVENT_ID.fullmatch(wanted.id):
        raise Usage(f"{wanted.id!r} cannot name an event.", "Take up to 24 small letters, digits and -, a letter first.")
    seats = _seats(wanted)
    name = wanted.format or ("groups" if seats == 2 else "tables")
    settings = _settings(name, wanted.settings, seats)
    ranked = typed(wanted.scoring, scoring.defaults(name), "scoring")
    _check(scoring.problems(ranked, seats))
    chosen = list(wanted.tiebreaks or tiebreaks.defaults(name))
    _check(tiebreaks.problems(chosen))
    _check_rest(wanted)
    kept = {name: getattr(wanted, name) for name in ("id", "game", *_AS_WANTED)}
    return Plan(
        **kept,
        title=wanted.title or wanted.id,
        seats=seats,
        format=name,
        options=_options(wanted, seats),
        settings=settings,
        scoring=ranked,
        tiebreaks=chosen,
        clock=dict(wanted.clock),
        salt=salt.hex(),
        commitment=commitment(wanted.id, secret_of(wanted.id, salt.hex(), key)),
    )


def secret_of(event: str, salt: str, key: SigningKey) -> bytes:
    """Return the secret of an event's seed: 32 bytes that follow from the referee's key and the event's salt.

    Example:
        >>> len(secret_of("spring", "00" * 16, SigningKey.new()))
        32
    """
    return key.derive(f"tournament {event} {salt}")


def typed(given: Mapping[str, Any], known: Mapping[str, int | str], what: str) -> dict[str, int | str]:
    """Return settings with those that were left out, each of the type that it has by default.

    Raises:
        Usage: one is unknown, or no number where one is needed.

    Example:
        >>> typed({"rounds": "7"}, {"rounds": 5, "cut": "no"}, "swiss")
        {'rounds': 7, 'cut': 'no'}
        >>> typed({"round": "7"}, {"rounds": 5}, "swiss")
        Traceback (most recent call last):
        referee.errors.Usage: There is no setting 'round' of swiss. Did you mean rounds?
    """
    found = dict(known)
    for name, value in given.items():
        if name not in known:
            near = get_close_matches(name, known, 1)
            help = f"Did you mean {near[0]}?" if near else f"There are: {', '.join(known) or 'none'}."
            raise Usage(f"There is no setting {name!r} of {what}.", help)
        if isinstance(known[name], int):
            if not re.fullmatch(r"-?[0-9]{1,6}", str(value)):
                raise Usage(f"The setting {name} of {what} cannot be {value!r}.", f"It is a number, as {known[name]}.")
            value = int(value)
        found[name] = value
    return found


def _seats(wanted: Wanted) -> int:
    game = find_game(wanted.game)
    low, high = game.seats
    seats = wanted.seats or low
    if not low <= seats <= high:
        raise Usage(f"{game.title} is for {low} to {high} seats, and not for {seats}.", "Take another number with --seats.")
    return seats


def _settings(name: str, given: Mapping[str, Any], seats: int) -> dict[str, int | str]:
    if name not in FORMATS:
        near = get_close_matches(name, FORMATS, 1)
        raise Usage(f"There is no format {name!r}.", f"Did you mean {near[0]}?" if near else f"There are {', '.join(FORMATS)}.")
    settings = typed(given, FORMATS[name].settings, name)
    _check(FORMATS[name].problems(settings, (), seats))
    return settings


def _options(wanted: Wanted, seats: int) -> dict[str, Any]:
    game = find_game(wanted.game)
    names = [f"seat{number}" for number in range(1, seats + 1)]
    return {name: choose_options(game, names, wanted.options)[name] for name in wanted.options}


def _check(problems: Sequence[str]) -> None:
    if problems:
        raise Usage(problems[0], "Mend it and begin again; nothing was written.")


def _check_rest(wanted: Wanted) -> None:
    if not 1 <= wanted.hours <= MOST_HOURS:
        raise Usage(f"A round cannot last {wanted.hours} hours.", f"Take 1 to {MOST_HOURS}.")
    if wanted.rule not in RULES:
        raise Usage(f"There is no rule of adjudication {wanted.rule!r}.", f"Take one of {', '.join(RULES)}.")
    if not 0 <= wanted.no_shows <= 99:
        raise Usage(f"--no-shows {wanted.no_shows} is out of bounds.", "Take 0 to 99; 0 lets nobody count as withdrawn.")
    if len(wanted.title) > LONGEST_TITLE or not wanted.title.isprintable():
        raise Usage(f"The title is no printable line of at most {LONGEST_TITLE} characters.", "Take a shorter one.")
    settings_from(wanted.clock, "--clock")
