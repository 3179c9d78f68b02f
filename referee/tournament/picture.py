"""The bracket of an elimination as boxes and lines, for an SVG, and as sentences for who cannot see it.

Lines follow the players: a box is joined to the boxes that its players come from, and stands in the middle of them. So the
picture needs no knowledge of how a bracket is numbered, and shows what was published.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from referee.errors import Usage
from referee.tournament.columns import fit
from referee.tournament.double_elimination import GRAND_FINAL, LOSERS, RESET, WINNERS
from referee.tournament.elimination import FINAL, MAIN, THIRD
from referee.tournament.ledger import Ledger, ledger
from referee.tournament.pages import group_title, place_of
from referee.tournament.progress import BRACKET, Progress
from referee.tournament.rounds import Pairing, Round
from referee.tournament.scoring import shown
from referee.tournament.standings import part_of

if TYPE_CHECKING:
    from referee.tournament import views

BOX, LINE, GAP_X, GAP_Y = 168, 22, 34, 16  # pixels: width of a box, height of one of its two lines, room between boxes
LABEL = 26  # room above a band for its name
NAME = 17  # signs of a name that fit in a box
_STEP = 2 * LINE + GAP_Y
MAIN_BAND, LOSERS_BAND, GRAND_BAND = 0, 1, 2
_BANDS = {LOSERS: LOSERS_BAND, GRAND_FINAL: GRAND_BAND, RESET: GRAND_BAND}


class Box(NamedTuple):
    """One table of the bracket.

    Args:
        column: from 0, one for each round.
        band: the main bracket, the losers', or the final of both.
        title: the round and the table in words; what a reader hears.
        lines: for each of the two places the seed, the name, the points, and whether the player won.
        players: who sits there; nobody yet in a round to come.
        middle: where its middle is from above, in pixels; filled last.
    """

    column: int
    band: int
    title: str
    lines: tuple[tuple[str, str, str, bool], ...]
    players: tuple[str, ...]
    middle: float = 0.0


def bracket(view: views.EventView) -> dict[str, Any]:
    """Return the picture of the bracket and the sentences that say the same.

    Raises:
        Usage: the event has no bracket, it has not begun, or more than two play at a table.

    Example:
        >>> from referee.tournament.reports import blank
        >>> bracket(blank()._replace(format="single-elimination"))["rounds"]
        [(1, ['alice beat bob.'])]
    """
    if view.field.seats > 2:
        raise Usage("A bracket is drawn where two play at a table.", "The crosstable shows who went on from larger tables.")
    field = part_of(view.field, BRACKET) if view.format in BRACKET_FORMATS else view.field._replace(rounds=())
    if not field.rounds:
        raise Usage(
            f"The event {view.id} has no bracket.", "A bracket is drawn for an elimination, or for finals after groups."
        )
    counted, progress = ledger(view.field, view.scoring), Progress(field)
    seeds = {player: str(number) for number, player in enumerate(view.field.players, 1)}
    boxes = _placed(list(_boxes(progress, counted, seeds)))
    return {
        "heading": "bracket",
        "picture": _drawn(boxes),
        "rounds": [(one.number, list(_sentences(progress, one))) for one in field.rounds],
    }


BRACKET_FORMATS = ("single-elimination", "double-elimination", "groups")


# What is played


def _boxes(progress: Progress, counted: Ledger, seeds: dict[str, str]) -> Iterator[Box]:
    field = progress.field
    for at, one in enumerate(field.rounds):
        for pairing in one.pairings:
            if pairing.group != THIRD:
                yield _box(progress, at, pairing, counted, seeds)
    last = [pairing for pairing in field.rounds[-1].pairings if pairing.group in (MAIN, FINAL)]
    for at, tables in enumerate(_halved(len(last)), len(field.rounds)):
        for number in range(1, tables + 1):
            title = "Final, not paired yet" if tables == 1 else f"Round {at + 1}, table {number}, not paired yet"
            yield Box(at, 0, title, (("", "", "", False),) * 2, ())


def _halved(tables: int) -> Iterator[int]:
    """Yield how many tables the rounds to come of a single elimination have."""
    while tables > 1:
        tables = -(-tables // 2)
        yield tables


def _box(progress: Progress, at: int, pairing: Pairing, counted: Ledger, seeds: dict[str, str]) -> Box:
    one = progress.field.rounds[at]
    lines = []
    for player in pairing.seats:
        won = pairing.table in one.outcomes and not progress.is_lost(one.number, pairing, player)
        lines.append((seeds[player], fit(player, NAME), _points(counted, one, pairing, player), won))
    if pairing.is_bye:
        lines.append(("", "bye", "", False))
    name = group_title(pairing.group) or f"Round {one.number}"
    title = f"{name}, table {pairing.table}: {_said(progress, one, pairing)}"
    return Box(at, _BANDS.get(pairing.group, MAIN_BAND), title, tuple(lines), pairing.seats)


def _points(counted: Ledger, one: Round, pairing: Pairing, player: str) -> str:
    if pairing.table not in one.outcomes or pairing.is_bye:
        return ""
    games = [game for game in counted.games[player] if game.round == one.number]
    return shown(games[0].points, counted.scale.unit) if games else ""


def _said(progress: Progress, one: Round, pairing: Pairing) -> str:
    """Return what became of a table as a sentence without its point."""
    first, *others = pairing.seats
    outcome = one.outcomes.get(pairing.table)
    if not others:
        return f"{first} has a bye"
    if outcome is None:
        return f"{first} against {' and '.join(others)}"
    won = [player for player in pairing.seats if not progress.is_lost(one.number, pairing, player)]
    if len(won) != 1:
        return f"nobody goes on of {' and '.join(pairing.seats)}"
    rest = " and ".join(player for player in pairing.seats if player != won[0])
    if set(outcome.absent) & set(pairing.seats):
        return f"{won[0]} goes on, {rest} did not play"
    return f"{won[0]} {'went on from a draw with' if '=' in place_of(outcome, won[0]) else 'beat'} {rest}"


def _sentences(progress: Progress, one: Round) -> Iterator[str]:
    for pairing in one.pairings:
        said, name = _said(progress, one, pairing), group_title(pairing.group)
        yield f"{name}: {said}." if name else f"{said}."


# Where it stands


def _feeders(boxes: Sequence[Box], box: Box) -> list[Box]:
    """Return the boxes from which the players of a box come, in the same band, the nearest round first."""
    found = []
    for player in box.players:
        before = [one for one in boxes if player in one.players and one.column < box.column and _joins(one, box)]
        if before and before[-1] not in found:
            found.append(before[-1])
    return found


def _joins(before: Box, box: Box) -> bool:
    """Return whether a line is drawn: within a band, and from both to a grand final."""
    return before.band == box.band or box.band == GRAND_BAND


def _placed(boxes: list[Box]) -> list[Box]:
    """Return the boxes with their middles: each between those it comes from, and none upon another."""
    placed: list[Box] = []
    tops = {MAIN_BAND: float(LABEL) if any(box.band == LOSERS_BAND for box in boxes) else 0.0, LOSERS_BAND: 0.0}
    for band in tops:
        inside = [box for box in boxes if box.band == band]
        for column in sorted({box.column for box in inside}):
            placed += _column([box for box in inside if box.column == column], placed, tops[band])
        below = [box.middle + _STEP for box in placed]
        tops[LOSERS_BAND] = max(below, default=0.0) + LABEL
    for box in boxes:
        if box.band == GRAND_BAND:
            middles = [one.middle for one in _feeders(placed, box)] or [0.0]
            placed.append(box._replace(middle=sum(middles) / len(middles)))
    return placed


def _column(column: list[Box], placed: list[Box], top: float) -> list[Box]:
    wished = []
    before = [box for box in placed if column and box.band == column[0].band and box.column == column[0].column - 1]
    for at, box in enumerate(column):
        sources = _feeders(placed, box) if box.players else before[2 * at : 2 * at + 2]
        middles = [one.middle for one in sources]
        wished.append((sum(middles) / len(middles) if middles else top + _STEP / 2 + at * _STEP, at, box))
    found, least = [], top + _STEP / 2
    for middle, _, box in sorted(wished, key=lambda wish: wish[:2]):
        middle = max(middle, least)
        found.append(box._replace(middle=middle))
        least = middle + _STEP
    return found


def _drawn(boxes: list[Box]) -> dict[str, Any]:
    """Return the picture: its size, its boxes and its lines, in whole pixels."""
    columns = 1 + max(box.column for box in boxes)
    height = max(box.middle for box in boxes) + _STEP / 2
    lines = []
    for box in boxes:
        for before in _sources(boxes, box):
            start, end = _left(before) + BOX, _left(box)
            lines.append(f"M{start} {before.middle:.0f}H{end - GAP_X // 2}V{box.middle:.0f}H{end}")
    return {
        "width": columns * (BOX + GAP_X) - GAP_X + 2,
        "height": int(height) + 2,
        "box": BOX,
        "line": LINE,
        "boxes": [
            {"x": _left(box), "y": int(box.middle) - LINE, "title": box.title, "lines": box.lines, "empty": not box.players}
            for box in boxes
        ],
        "lines": lines,
        "bands": _bands(boxes),
    }


def _bands(boxes: list[Box]) -> list[tuple[int, int, str]]:
    """Return where the names of the two brackets of a double elimination stand; nothing where there is one bracket."""
    if not any(box.band == LOSERS_BAND for box in boxes):
        return []
    found = []
    for band, name in enumerate((WINNERS, LOSERS)):
        inside = [box for box in boxes if box.band == band]
        top, left = min(box.middle for box in inside), min(map(_left, inside))
        found.append((left, int(top) - LINE - 8, group_title(name)))
    return found


def _left(box: Box) -> int:
    return 1 + box.column * (BOX + GAP_X)


def _sources(boxes: Sequence[Box], box: Box) -> list[Box]:
    if box.players:
        return _feeders(boxes, box)
    before = sorted((one for one in boxes if one.column == box.column - 1 and one.band == box.band), key=lambda one: one.middle)
    same = sorted((one for one in boxes if one.column == box.column and not one.players), key=lambda one: one.middle)
    at = same.index(box)
    return before[2 * at : 2 * at + 2]
