"""Points: what a place at a table, a bye and a forfeit are worth.

All of it is a flat mapping of settings that is fixed before an event starts. Points are counted in whole units so small
that every place shared by two to six is exact; they are rounded only where they are printed. (Fractions would be exact too,
and make the standing of a thousand players ten times as slow.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import chain, pairwise
from math import lcm
from types import MappingProxyType
from typing import NamedTuple

Settings = Mapping[str, int | str]

SIZES = (2, 3, 4, 5, 6)
"""How many may sit at one table."""

SETTINGS: Settings = MappingProxyType(
    {
        "points": "places",  # or `score`, the game's own score; or `share`, its part of the scores of the table
        "points-2": "1 0",
        "points-3": "6 3 0",
        "points-4": "6 4 2 0",
        "points-5": "6 4.5 3 1.5 0",
        "points-6": "6 4.8 3.6 2.4 1.2 0",
        "draw": "share",  # or what each gets if the whole table shares the first place
        "bye": "win",  # the free round that the pairing gives
        "requested-bye": "draw",  # the free round that a player asked for
        "sit-out": "loss",  # a round in which a player was not paired
        "forfeit-win": "win",  # to whoever was there when nobody else was
        "forfeit-loss": "loss",  # to whoever did not play
        "unplayed": "swiss",  # or `round-robin`: how games that were not played count in tie-breaks
        "rank": "points",  # or `progress`, `progress-2`: whoever gets further is ahead, out after one lost game or two
    }
)
"""Every setting with its default. A win is worth the same at every size of table, and so is the middle of the table."""

_CHOICES = {
    "points": ("places", "score", "share"),
    "unplayed": ("swiss", "round-robin"),
    "rank": ("points", "progress", "progress-2"),
}
_FREE = ("bye", "requested-bye", "sit-out", "forfeit-win", "forfeit-loss")
_WORDS = ("win", "draw", "loss", "average")
_BY_FORMAT: Mapping[str, Settings] = MappingProxyType(
    {
        "round-robin": {"unplayed": "round-robin", "bye": "loss"},
        "double-round-robin": {"unplayed": "round-robin", "bye": "loss"},
        "open-round-robin": {"unplayed": "round-robin", "bye": "loss"},
        "groups": {"unplayed": "round-robin", "bye": "loss"},
        "single-elimination": {"rank": "progress"},
        "double-elimination": {"rank": "progress-2"},
    }
)


def defaults(format: str) -> dict[str, int | str]:
    """Return the settings that an event of a format has unless its director changes them.

    Args:
        format: the name of the format, such as `swiss` or `round-robin`.

    In a round robin everybody rests equally often, so a free round is worth nothing there; and everybody was to meet
    everybody, so a forfeit counts as a game in the tie-breaks.

    Example:
        >>> defaults("swiss")["bye"], defaults("round-robin")["bye"], defaults("single-elimination")["rank"]
        ('win', 'loss', 'progress')
    """
    return {**SETTINGS, **_BY_FORMAT.get(format, {})}


def problems(settings: Settings, seats: int) -> list[str]:
    """Return what is wrong with settings of the scoring, a sentence each; empty if an event can be scored by them.

    Args:
        settings: some or all of `SETTINGS`; the others have their defaults.
        seats: how many play at one table, 2 to 6.

    Example:
        >>> problems({"points-2": "0 1"}, 2)
        ['points-2 is "0 1", but a better place cannot be worth less than a worse one.']
        >>> problems({"points": "score", "bye": "average", "requested-bye": "loss"}, 4)
        ['forfeit-win is "win", but with points = "score" nobody knows what a win is worth: write average or a number.']
    """
    found = [f"There is no setting {name} of the scoring." for name in settings if name not in SETTINGS]
    given: dict[str, int | str] = {**SETTINGS, **settings}
    found += [_no_choice(name, given[name]) for name, choices in _CHOICES.items() if given[name] not in choices]
    found += [fault for size in SIZES if (fault := _list_problem(f"points-{size}", str(given[f"points-{size}"]), size))]
    if str(given["draw"]) != "share" and _number(given["draw"]) is None:
        found.append(f'draw is "{given["draw"]}": write share, or a number such as 0.5.')
    found += [fault for name in _FREE if (fault := _free_problem(name, given))]
    if seats not in SIZES:
        found.append(f"Points are known for tables of 2 to 6, and not for {seats} at a table.")
    return found


def _no_choice(name: str, value: int | str) -> str:
    return f'{name} is "{value}": write {" or ".join(_CHOICES[name])}.'


def _list_problem(name: str, value: str, size: int) -> str:
    numbers = [_number(word) for word in value.split()]
    if len(numbers) != size or None in numbers:
        return f'{name} is "{value}": write {size} numbers, the first place first, such as {SETTINGS[name]}.'
    points = [number for number in numbers if number is not None]
    if any(worse > better for better, worse in pairwise(points)):
        return f'{name} is "{value}", but a better place cannot be worth less than a worse one.'
    return f'{name} is "{value}", so that winning is worth nothing.' if points[0] == points[-1] else ""


def _free_problem(name: str, given: Settings) -> str:
    value = str(given[name])
    if value not in _WORDS and _number(value) is None:
        return f'{name} is "{value}": write win, draw, loss, average, or a number such as 0.5.'
    if given["points"] == "score" and value in ("win", "draw"):
        return (
            f'{name} is "{value}", but with points = "score" nobody knows what a {value} is worth: write average or a number.'
        )
    return ""


def _number(value: int | str) -> Fraction | None:
    """Return a number that somebody wrote as 2, 0.5 or 1/3."""
    text = str(value)
    if len(text) > 12 or not text.isascii():
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


class Scale(NamedTuple):
    """What the settings say, read once, in units.

    Args:
        mode: `places`, `score` or `share`.
        unit: how many units are one point.
        lists: by the number of seats, what each place is worth, the first place first; units.
        draw: what each gets if a whole table shares the first place; None if they share what the places are worth; units.
        free: by setting (`bye`, `sit-out`, ...), a word, or units.
        seats: how many usually play at one table.

    Example:
        >>> four = scale(SETTINGS, 4)
        >>> shown(four.award(1, 2, 4), four.unit), shown(four.award(0, 4, 4), four.unit)
        ('3', '3')
    """

    mode: str
    unit: int
    lists: Mapping[int, tuple[int, ...]]
    draw: int | None
    free: Mapping[str, int | str]
    seats: int

    def award(self, ahead: int, same: int, size: int) -> int:
        """Return what one player gets by place, in units.

        Args:
            ahead: how many of the table are ahead of the player.
            same: how many share the player's place, the player among them.
            size: how many sit at the table.
        """
        if self.draw is not None and same == size:
            return self.draw
        return sum(self._list(size)[ahead : ahead + same]) // same

    def word(self, word: str) -> int:
        """Return what `win`, `draw` or `loss` is worth at a table of the usual size, in units."""
        size = self.seats
        if self.mode == "share":
            return {"win": self.unit, "draw": self.unit // size}.get(word, 0)
        if word == "draw":
            return self.award(0, size, size)
        return self._list(size)[0 if word == "win" else -1]

    def _list(self, size: int) -> tuple[int, ...]:
        if self.seats > 2 and size == 2:
            # A large table that shrank to two: first and last, on the scale of the large tables.
            return (self.lists[self.seats][0], self.lists[self.seats][-1])
        return self.lists[size]


_SHARED = 60  # what two to six players can share without a rest
_MILLIONTHS = 6_000_000  # for parts of scores and averages, which can have any denominator


def scale(settings: Settings, seats: int) -> Scale:
    """Return the settings as they are counted with.

    Args:
        settings: some or all of `SETTINGS`, without `problems`.
        seats: how many usually play at one table.

    Example:
        >>> two = scale({"bye": "0.5"}, 2)
        >>> shown(two.free["bye"], two.unit), two.word("draw") == two.free["bye"]
        ('0.5', True)
    """
    given: dict[str, int | str] = {**SETTINGS, **settings}
    lists = {size: tuple(Fraction(word) for word in str(given[f"points-{size}"]).split()) for size in SIZES}
    numbers = {name: number for name in ("draw", *_FREE) if (number := _number(given[name])) is not None}
    exact = given["points"] == "places" and "average" not in given.values()
    parts = lcm(*(number.denominator for number in (*chain.from_iterable(lists.values()), *numbers.values())))
    unit = parts * (_SHARED if exact else _MILLIONTHS)
    return Scale(
        mode=str(given["points"]),
        unit=unit,
        lists={size: tuple(int(number * unit) for number in row) for size, row in lists.items()},
        draw=int(numbers["draw"] * unit) if "draw" in numbers else None,
        free={name: int(numbers[name] * unit) if name in numbers else str(given[name]) for name in _FREE},
        seats=seats,
    )


def shares(scores: Mapping[str, int], players: Sequence[str], unit: int) -> dict[str, int]:
    """Return which part of all scores of a table each player has, in units, rounded to the nearest.

    Scores below zero are all raised by as much as makes the lowest 0. Equal parts if nobody has anything.

    Example:
        >>> shares({"alice": 3, "bob": 1}, ["alice", "bob"], 60), shares({"alice": -2, "bob": 0}, ["alice", "bob"], 60)
        ({'alice': 45, 'bob': 15}, {'alice': 0, 'bob': 60})
    """
    raised = -min(0, *(scores[player] for player in players))
    whole = sum(scores[player] + raised for player in players)
    if not whole:
        return dict.fromkeys(players, unit // len(players))
    return {player: (2 * (scores[player] + raised) * unit + whole) // (2 * whole) for player in players}


@lru_cache(maxsize=1 << 16)
def shown(number: int, unit: int) -> str:
    """Return a number of units as it is printed: exact if three decimals are enough, else rounded to two.

    Example:
        >>> shown(150, 60), shown(360, 60), shown(100, 60), shown(-15, 60)
        ('2.5', '6', '1.67', '-0.25')
    """
    if number % unit == 0:
        return str(number // unit)
    exact = number * 1000 % unit == 0
    return f"{number / unit:.3f}".rstrip("0") if exact else f"{number / unit:.2f}"
