"""The formats of a tournament by name, with their settings and what speaks against them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Protocol

from ..errors import NotNow
from . import berger, double_elimination, elimination, groups, open_rounds, swiss, table_elimination, tables
from .ranking import BY_PLACES, Ranking
from .rounds import Field, Pairing
from .sizes import sitting

Settings = Mapping[str, int | str]
MANY = 10_000
"""The most players of a format without a limit of its own."""


class _Next(Protocol):
    def __call__(self, field: Field, ranking: Ranking = ...) -> list[Pairing]: ...


class Setting(NamedTuple):
    """One setting of a format.

    Args:
        about: what it says, as a part of a sentence.
        default: its value if nothing is said.
        allowed: the numbers, or the words, that it can be.
    """

    about: str
    default: int | str
    allowed: range | tuple[str, ...]

    def problem(self, name: str, value: int | str) -> str:
        """Return what is wrong with a value, or nothing.

        Example:
            >>> Setting("how many rounds there are", 5, range(1, 31)).problem("rounds", 40)
            'The setting rounds (how many rounds there are) is a number from 1 to 30, and not 40.'
        """
        if value in self.allowed:
            return ""
        if isinstance(self.allowed, range):
            wanted = f"a number from {self.allowed[0]} to {self.allowed[-1]}"
        else:
            wanted = " or ".join(self.allowed)
        return f"The setting {name} ({self.about}) is {wanted}, and not {value}."


class Format(NamedTuple):
    """One way to play a tournament.

    Args:
        title: its name for people.
        about: one sentence.
        choices: every setting.
        seats: the sizes of the tables that it serves.
        waits: whether all results have to be in before the next round is paired.
        late: whether players may enter after the first round was published.
        least, most: how many players it takes, and how many at most.
        pairs: gives the tables of the next round.
        length: how many rounds there are, as far as it is known.
        misfit: what speaks against these settings with so many players and seats: sentences, beside the limits above.
    """

    title: str
    about: str
    choices: Mapping[str, Setting]
    seats: range
    waits: bool
    late: bool
    least: int
    most: int
    pairs: _Next
    length: Callable[[Field], int]
    misfit: Callable[[Settings, int, int], list[str]]

    @property
    def settings(self) -> dict[str, int | str]:
        """Return every setting with its default.

        Example:
            >>> FORMATS["swiss"].settings
            {'rounds': 5, 'after-forfeit': 'apart'}
        """
        return {name: setting.default for name, setting in self.choices.items()}

    def next_round(self, field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
        """Return the tables of the next round; none if there is nothing to pair now.

        Args:
            field: the event so far.
            ranking: where points and the order of a group come from.

        Raises:
            NotNow: results are missing, and this format waits for them.
            Refused: there is no such round.

        Example:
            >>> FORMATS["round-robin"].next_round(Field(("alice", "bob"), ("bob", "alice")))
            [Pairing(table=1, seats=('alice', 'bob'), group='')]
        """
        if self.waits and field.rounds and not field.rounds[-1].is_over:
            last = field.rounds[-1]
            missing = [str(table.table) for table in last.pairings if table.table not in last.outcomes]
            raise NotNow(
                f"Round {last.number} is not over: no result of table {', '.join(missing)} is there.",
                "Wait for it, or rule how it ends.",
            )
        return self.pairs(field, ranking)

    def is_over(self, field: Field, ranking: Ranking = BY_PLACES) -> bool:
        """Return whether nothing will be paired again.

        Args:
            field: the event so far.
            ranking: as for `next_round`.

        Example:
            >>> FORMATS["round-robin"].is_over(Field(("alice", "bob"), ("bob", "alice")))
            False
        """
        if not field.rounds or not all(found.is_over for found in field.rounds):
            return False
        if "rounds" in self.choices:
            return len(field.rounds) >= self.rounds(field)
        return not self.pairs(field, ranking)

    def rounds(self, field: Field) -> int:
        """Return how many rounds there are, as far as it is known.

        Example:
            >>> FORMATS["round-robin"].rounds(Field(("alice", "bob", "carol"), ("bob", "alice", "carol")))
            3
        """
        return self.length(field)

    def problems(self, settings: Settings, players: Sequence[str] = (), seats: int = 2) -> list[str]:
        """Return what speaks against an event in this format, a sentence each.

        Args:
            settings: the settings; those left out have their default.
            players: who is there; if nobody, only the settings and the seats are judged.
            seats: how many play at one table.

        Example:
            >>> FORMATS["swiss"].problems({"rounds": 3}, ("alice", "bob"))
            ['3 rounds without a rematch take 3 players at least, and there are 2.']
            >>> FORMATS["tables"].problems({}, (), 2)
            ['The format tables is for tables of 3 to 6 players, and not of 2.']
        """
        known = ", ".join(self.choices)
        found = [f"There is no setting {name} here: there are {known}." for name in settings if name not in self.choices]
        full = {**self.settings, **settings}
        found += [sentence for name, one in self.choices.items() if (sentence := one.problem(name, full[name]))]
        if seats not in self.seats:
            size = f"{self.seats[0]} to {self.seats[-1]}" if len(self.seats) > 1 else str(self.seats[0])
            found.append(f"The format {self.title} is for tables of {size} players, and not of {seats}.")
        if found or not players:
            return found
        if not self.least <= len(players) <= self.most:
            return [f"The format {self.title} takes {self.least} to {self.most} players, and there are {len(players)}."]
        return self.misfit(full, len(players), seats)


ROUNDS = Setting("how many rounds there are", 5, range(1, 31))
PACE = Setting("whether all tables start in the first round", berger.BY_ROUNDS, (berger.BY_ROUNDS, berger.AT_ONCE))
DRAW = Setting("what decides a drawn table: the lots, or the seeds", "lots", ("lots", "seeds"))
THIRD = Setting("whether there is a match for the third place", "no", ("no", "yes"))
SMALLEST = Setting("the fewest players at a table; 0 for one less than its seats", 0, range(0, 7))
ADVANCE = Setting("how many go on from a table; 0 for half of its seats", 0, range(0, 6))


def _fits(settings: Settings, players: int, seats: int) -> list[str]:
    return []


def _swiss_fits(settings: Settings, players: int, seats: int) -> list[str]:
    rounds = int(settings["rounds"])
    # An odd field gives each a bye in turn: as many rounds as players; an even one meets everybody in one round less.
    most = players if players % 2 else players - 1
    if rounds <= most:
        return []
    needed = max(rounds + 1 - rounds % 2, 2)
    return [f"{rounds} rounds without a rematch take {needed} players at least, and there are {players}."]


def _tables_fit(settings: Settings, players: int, seats: int) -> list[str]:
    smallest = int(settings["smallest-table"]) or max(2, seats - 1)
    if smallest > seats:
        return [f"The smallest table has {smallest} players, and a table has only {seats} seats."]
    if not sitting(players, seats, smallest):
        return [f"A table takes {smallest} to {seats} players, and there are {players}."]
    return []


def _elimination_fits(settings: Settings, players: int, seats: int) -> list[str]:
    if int(settings["advance"]) >= seats:
        return [f"{settings['advance']} cannot go on from a table of {seats}: somebody has to be out."]
    return _tables_fit(settings, players, seats) if seats > 2 else []


def _groups_fit(settings: Settings, players: int, seats: int) -> list[str]:
    count, qualify = int(settings["groups"]), int(settings["qualify"])
    smallest = players // count
    needed = max(2 if seats == 2 else int(settings["smallest-table"]) or max(2, seats - 1), qualify)
    if smallest < needed:
        return [f"{count} groups of at least {needed} take {count * needed} players, and there are {players}."]
    least = 2 if seats == 2 else int(settings["smallest-table"]) or max(2, seats - 1)
    if count * qualify < least:
        return [f"Finals take {least} players at least, and {count * qualify} qualify: take more groups, or let more qualify."]
    return []


def _swiss(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    return swiss.next_round(field, ranking) if len(field.rounds) < _rounds(field) else []


def _tables(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    return tables.next_round(field, ranking) if len(field.rounds) < _rounds(field) else []


def _rounds(field: Field) -> int:
    return int(field.settings.get("rounds", ROUNDS.default))


def _elimination(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    return elimination.next_round(field, ranking) if field.seats == 2 else table_elimination.next_round(field, ranking)


def _elimination_length(field: Field) -> int:
    return elimination.rounds(field) if field.seats == 2 else table_elimination.rounds(field)


TWO, MORE, ANY = range(2, 3), range(3, 7), range(2, 7)

FORMATS: Mapping[str, Format] = {
    "round-robin": Format(
        "round robin",
        "Everybody meets everybody once, by Berger tables.",
        {"pace": PACE},
        TWO, True, False, 2, 100, berger.next_round, berger.rounds, _fits,
    ),
    "double-round-robin": Format(
        "double round robin",
        "Everybody meets everybody twice, in either seat, by Berger tables.",
        {"pace": PACE},
        TWO, True, False, 2, 100, partial(berger.next_round, twice=True), partial(berger.rounds, twice=True), _fits,
    ),
    "swiss": Format(
        "Swiss system",
        "In each round players with equal scores meet, and nobody meets the same opponent again.",
        {
            "rounds": ROUNDS,
            "after-forfeit": Setting(
                "whether two who were paired and did not play may be paired again", swiss.APART, (swiss.APART, swiss.AGAIN)
            ),
        },
        TWO, True, True, 2, MANY, _swiss, _rounds, _swiss_fits,
    ),
    "single-elimination": Format(
        "single elimination",
        "Who loses is out; at tables of three and more the best go on.",
        {"third-place": THIRD, "draw": DRAW, "advance": ADVANCE, "smallest-table": SMALLEST},
        ANY, True, False, 2, MANY, _elimination, _elimination_length, _elimination_fits,
    ),
    "double-elimination": Format(
        "double elimination",
        "Who loses twice is out.",
        {
            "reset": Setting("whether the grand final is played again if its winner had lost before", "yes", ("yes", "no")),
            "draw": DRAW,
        },
        TWO, True, False, 2, MANY, double_elimination.next_round, double_elimination.rounds, _fits,
    ),
    "groups": Format(
        "groups, then finals",
        "Everybody meets everybody of the own group, and the best of the groups play the finals.",
        {
            "groups": Setting("how many groups there are", groups.GROUPS, range(1, 65)),
            "qualify": Setting("how many of each group come to the finals", groups.QUALIFY, range(1, 9)),
            "pace": PACE._replace(default=berger.AT_ONCE),
            "games": Setting("how many tables each plays in a group, at tables of three and more", groups.GAMES, range(1, 11)),
            "final": Setting("what the finals are", groups.KNOCKOUT, (groups.KNOCKOUT, groups.GROUP)),
            "third-place": THIRD,
            "draw": DRAW,
            "advance": ADVANCE,
            "smallest-table": SMALLEST,
        },
        ANY, True, False, 2, 1_000, groups.next_round, groups.rounds, _groups_fit,
    ),
    "tables": Format(
        "tables",
        "Rounds of tables of three to six players, with as many different opponents as can be.",
        {
            "rounds": ROUNDS._replace(default=4),
            "pair-by": Setting("who sits together", tables.BALANCE, (tables.BALANCE, tables.SCORE)),
            "smallest-table": SMALLEST,
        },
        MORE, True, True, 2, MANY, _tables, _rounds, _tables_fit,
    ),
    "open-round-robin": Format(
        "open round robin",
        "Everybody meets everybody once, without rounds: a table starts as soon as both players have room for it.",
        {"open": Setting("how many matches a player has open at most", open_rounds.OPEN, range(1, 101))},
        TWO, False, True, 2, 100, open_rounds.next_round, open_rounds.rounds, _fits,
    ),
}  # fmt: skip
"""Every format by the name that people type."""
