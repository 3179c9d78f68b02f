"""Standings: who is where, by points and then by the tie-breaks in their order.

Players whom nothing tells apart share a place. Where an event plays in groups, each group has a table of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from referee.tournament import tiebreaks as breaks
from referee.tournament.double_elimination import LOSERS
from referee.tournament.ledger import Ledger, groups, ledger
from referee.tournament.progress import BRACKET, Progress
from referee.tournament.ranking import Ranking
from referee.tournament.rounds import Field
from referee.tournament.scoring import Settings, scale, shown
from referee.tournament.tiebreaks import TIEBREAKS
from referee.tournament.values import Value, total

FINALS = "finals"
"""What the table of an elimination after groups is called."""
_Classes = list[list[str]]


class _Line(NamedTuple):
    place: int
    player: str
    points: str
    values: tuple[str, ...]
    group: str
    explain: Callable[[], tuple[str, ...]]


class Row(_Line):
    """One line of a standing.

    Args:
        place: from 1; players whom nothing tells apart have the same.
        player: who.
        points: as printed, such as `2.5`.
        values: a value for each tie-break, as printed; empty where one did not apply.
        group: the group, or empty if there is only one table.
        explain: makes the calculation.

    Example:
        >>> row = Row(1, "alice", "2.5", (), "", lambda: ("Points: 2.5 = ...",))
        >>> row._asdict()["calculation"]
        ('Points: 2.5 = ...',)
    """

    __slots__ = ()

    @property
    def calculation(self) -> tuple[str, ...]:
        """Return how points and values came about, a sentence each; made when asked for, since few ask."""
        return self.explain()

    def _asdict(self) -> dict[str, Any]:
        """Return it as plain data, with the calculation for what makes it."""
        return {name: value for name, value in super()._asdict().items() if name != "explain"} | {
            "calculation": self.calculation
        }


def table(field: Field, scoring: Settings, tiebreaks: Sequence[str]) -> list[Row]:
    """Return the standing of an event after all games that are over, the best first.

    Args:
        field: the event.
        scoring: settings of the scoring, without `scoring.problems`.
        tiebreaks: names of tie-breaks in their order, without `tiebreaks.problems`.

    Example:
        >>> from referee.tournament.rounds import Outcome, Pairing, Round
        >>> over = {1: Outcome(1, {"alice": 2, "bob": 1})}
        >>> field = Field(("alice", "bob"), ("bob", "alice"), (Round(1, (Pairing(1, ("alice", "bob")),), over),))
        >>> for row in table(field, {}, ["wins"]):
        ...     print(row.place, row.player, row.points, *row.calculation)
        1 bob 1 Points: 1 = 1 (round 1: beat alice). Wins: 1 = 1 (round 1: beat alice).
        2 alice 0 Points: 0 = 0 (round 1: lost to bob). Wins: 0 = nothing to count.
    """
    names = groups(field)
    if len(names) == 1 or _losses(scoring):
        return _rows(field, ledger(field, scoring), _losses(scoring), tiebreaks, "")
    rows: list[Row] = []
    if finals := [name for name in names if name in BRACKET]:
        part = part_of(field, finals)
        rows += _rows(part, ledger(part, scoring), 2 if LOSERS in finals else 1, tiebreaks, FINALS)
    for name in names:
        if name not in finals:
            rows += _rows(field, ledger(field, scoring, name), 0, tiebreaks, name)
    return rows


def part_of(field: Field, names: Sequence[str]) -> Field:
    """Return the tables of some groups as an event of its own, with the players who sit at them.

    Example:
        >>> part_of(Field(("alice",), ("alice",)), ["A"]).players
        ()
    """
    rounds = [one._replace(pairings=tuple(p for p in one.pairings if p.group in names)) for one in field.rounds]
    inside = {player for one in rounds for pairing in one.pairings for player in pairing.seats}
    players, lots = (tuple(player for player in order if player in inside) for order in (field.players, field.lots))
    return field._replace(players=players, lots=lots, rounds=tuple(one for one in rounds if one.pairings))


def calculation(field: Field, player: str, scoring: Settings, tiebreaks: Sequence[str]) -> tuple[str, ...]:
    """Return how the standing of one player came about, a sentence each; empty if the player is in no table.

    Example:
        >>> calculation(Field(("alice", "bob"), ("bob", "alice")), "alice", {}, ["lots"])
        ('Points: 0 = nothing to count.', 'Drawn lots: 2 = 2 (lot 2 of 2, drawn from the seed of the event).')
    """
    rows = [row for row in table(field, scoring, tiebreaks) if row.player == player]
    return tuple(line for row in rows for line in row.calculation)


def points(field: Field, scoring: Settings) -> Mapping[str, int]:
    """Return the points of every player in whole units, which can only be compared with each other.

    Example:
        >>> points(Field(("alice", "bob"), ("bob", "alice")), {})
        {'alice': 0, 'bob': 0}
    """
    return ledger(field, scoring).points


def ranking(scoring: Settings, tiebreaks: Sequence[str]) -> Ranking:
    """Return what the formats ask about a standing; where it leaves a tie, the lots decide.

    Example:
        >>> rule = ranking({}, ["wins"])
        >>> rule.rank(Field(("alice", "bob"), ("bob", "alice")), "")
        ('bob', 'alice')
    """

    def rank(field: Field, group: str) -> tuple[str, ...]:
        counted = ledger(field, scoring, group or None)
        classes, _ = ordered(counted, (*(name for name in tiebreaks if name != "lots"), "lots"))
        return tuple(player for one in classes for player in one)

    known = scale(scoring, 2)
    return Ranking(lambda field: points(field, scoring), rank, known.word("win") if known.mode == "places" else 0)


def ordered(counted: Ledger, tiebreaks: Sequence[str]) -> tuple[_Classes, dict[str, dict[str, list[Value]]]]:
    """Return the players in classes whom nothing tells apart, the best first, and by tie-break and player the values.

    A tie-break that looks at all tied players may have several values for one of them, or none.

    Example:
        >>> ordered(ledger(Field(("alice", "bob"), ("bob", "alice")), {}), ["wins"])[0]
        [['alice', 'bob']]
    """
    return refined(counted, [list(counted.players)] if counted.players else [], counted.points, tiebreaks)


def refined(
    counted: Ledger, classes: _Classes, first: Mapping[str, int], tiebreaks: Sequence[str]
) -> tuple[_Classes, dict[str, dict[str, list[Value]]]]:
    """Return classes parted by a first value (the higher is ahead) and then by the tie-breaks, with the values.

    Example:
        >>> counted = ledger(Field(("alice", "bob"), ("bob", "alice")), {})
        >>> refined(counted, [["alice", "bob"]], {"alice": 0, "bob": 1}, [])[0]
        [['bob'], ['alice']]
    """
    classes = _parted(classes, first)
    values: dict[str, dict[str, list[Value]]] = {}
    for name in tiebreaks:
        values[name] = {}
        tiebreak = TIEBREAKS[name]
        if tiebreak.reckon is None:
            classes = [part for one in classes for part in _met(counted, one, values[name])]
            continue
        found = {player: total(tiebreak.reckon(counted, player)) for player in counted.players}
        sign = -1 if tiebreak.lowest else 1
        classes = _parted(classes, {player: sign * value.value for player, value in found.items()})
        values[name] = {player: [value] for player, value in found.items()}
    return classes, values


def _parted(classes: Iterable[list[str]], values: Mapping[str, int]) -> _Classes:
    """Part each class by a value, the highest first; the players of a class keep their order."""
    parts: _Classes = []
    for one in classes:
        by_value: dict[int, list[str]] = {}
        for player in one:
            by_value.setdefault(values[player], []).append(player)
        parts += [by_value[value] for value in sorted(by_value, reverse=True)]
    return parts


def _met(counted: Ledger, tied: list[str], values: dict[str, list[Value]]) -> _Classes:
    """Part tied players by their games among themselves, and again those who are still tied. Source: C.07, 6.2."""
    found = breaks.head_to_head(counted, tied) if len(tied) > 1 else None
    if found is None:
        return [tied]
    for player, value in found.items():
        values.setdefault(player, []).append(value)
    parts = _parted([tied], {player: value.value for player, value in found.items()})
    if len(parts) == 1:
        return parts
    return [part for one in parts for part in _met(counted, one, values)]


def _losses(scoring: Settings) -> int:
    """Return how many lost games put a player out; 0 if points rank and not progress."""
    return {"progress": 1, "progress-2": 2}.get(str(scoring.get("rank", "points")), 0)


def _rows(field: Field, counted: Ledger, losses: int, tiebreaks: Sequence[str], group: str) -> list[Row]:
    first = Progress(field).ranks(losses) if losses else counted.points
    classes, values = refined(counted, [list(counted.players)], first, tiebreaks)
    rows, place = [], 1
    for one in classes:
        rows += [_row(counted, player, place, values, group) for player in one]
        place += len(one)
    return rows


def _row(counted: Ledger, player: str, place: int, values: Mapping[str, Mapping[str, list[Value]]], group: str) -> Row:
    mine = {name: found.get(player, []) for name, found in values.items()}

    def explain() -> tuple[str, ...]:
        lines = [TIEBREAKS[name].sentence(counted, value) for name, found in mine.items() for value in found]
        return (breaks.points(counted, player), *lines)

    cells = [shown(found[0].value, TIEBREAKS[name].unit(counted)) if found else "" for name, found in mine.items()]
    return Row(place, player, shown(counted.points[player], counted.scale.unit), tuple(cells), group, explain)
