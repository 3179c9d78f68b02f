"""Crosstables: everybody against everybody where that fits on a page, and else what each made of each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from referee.tournament import standings
from referee.tournament.columns import Column, Table, column
from referee.tournament.ledger import Game, ledger
from referee.tournament.pages import group_title
from referee.tournament.progress import BRACKET
from referee.tournament.rounds import Field
from referee.tournament.scoring import shown

if TYPE_CHECKING:
    from referee.tournament import views

LARGEST_GRID = 16
"""How many players fit in a grid of everybody against everybody."""
ALL_PLAY_ALL = ("round-robin", "double-round-robin", "open-round-robin", "groups")


def crosstable(view: views.EventView) -> dict[str, Any]:
    """Return the crosstables of an event, one for each group, in the order of the standing.

    Example:
        >>> from referee.tournament.reports import blank
        >>> crosstable(blank())["tables"][0]["rows"]
        [['1', 'alice', '1', '+2'], ['2', 'bob', '0', '-1']]
    """
    rows = standings.table(view.field, view.scoring, view.tiebreaks)
    tables, kinds = [], set()
    for name in dict.fromkeys(row.group for row in rows):
        part = [row for row in rows if row.group == name]
        grid = view.field.seats == 2 and view.format in ALL_PLAY_ALL and name != standings.FINALS
        kind = "grid" if grid and len(part) <= LARGEST_GRID else "rounds"
        kinds.add(kind)
        tables.append((_grid if kind == "grid" else _rounds)(view, part, name))
    pair = view.field.seats == 2
    return {"heading": "crosstable", "tables": tables, "grid": "grid" in kinds, "rounds": "rounds" in kinds, "pair": pair}


def _head(rows: Sequence[standings.Row]) -> dict[str, str]:
    """Return the number of each player in a table: the line in which the player stands."""
    return {row.player: str(number) for number, row in enumerate(rows, 1)}


def _group_games(view: views.EventView, group: str) -> Mapping[str, tuple[Game, ...]]:
    field: Field = view.field
    if group == standings.FINALS:
        field = standings.part_of(field, BRACKET)
        return ledger(field, view.scoring).games
    return ledger(field, view.scoring, group or None).games


def _first_columns() -> list[Column]:
    return [
        column("No.", "number", right=True, key=True),
        column("Player", grows=True, key=True),
        column("Points", right=True, key=True),
    ]


def _grid(view: views.EventView, rows: Sequence[standings.Row], group: str) -> Table:
    numbers, games = _head(rows), _group_games(view, group)
    unit = ledger(view.field, view.scoring).scale.unit
    columns = _first_columns()
    columns += [column(number, f"against number {number}") for number in numbers.values()]
    cells = []
    for row in rows:
        against = [_against(games[row.player], row.player, other, unit) for other in numbers]
        cells.append([numbers[row.player], row.player, row.points, *against])
    return {"caption": group_title(group), "columns": columns, "rows": cells}


def _against(games: Sequence[Game], player: str, other: str, unit: int) -> str:
    if player == other:
        return "*"
    found = []
    for game in games:
        if other in game.met or other in game.missing:
            found.append("f" * game.kind.startswith("forfeit") + shown(game.points, unit))
    return " ".join(found).replace("0.5", "½") or "·"


def _rounds(view: views.EventView, rows: Sequence[standings.Row], group: str) -> Table:
    numbers, games = _head(rows), _group_games(view, group)
    columns = _first_columns()
    played = sorted({game.round for player in numbers for game in games[player]})
    columns += [column(str(number), f"round {number}") for number in played]
    cells = []
    for row in rows:
        by_round = {number: [game for game in games[row.player] if game.round == number] for number in played}
        texts = [" ".join(_told(game, numbers) for game in found) or "·" for found in by_round.values()]
        cells.append([numbers[row.player], row.player, row.points, *texts])
    return {"caption": group_title(group), "columns": columns, "rows": cells}


def _told(game: Game, numbers: Mapping[str, str]) -> str:
    """Return a game in a few signs: how it ended and the opponent's number, or the place at a larger table."""
    plain = {"bye": "bye", "requested-bye": "free", "sit-out": "out"}
    if game.kind in plain:
        return plain[game.kind]
    if game.size > 2:
        return _told_place(game)
    other = next((numbers.get(other, "?") for other in (*game.met, *game.missing)), "")
    if game.kind == "played":
        return f"{'=' if game.same > 1 else '-' if game.ahead else '+'}{other}"
    return {"forfeit-win": f"+{other}f", "forfeit-loss": f"-{other}f"}.get(game.kind, "…")


def _told_place(game: Game) -> str:
    if game.kind == "played":
        return f"{game.ahead + 1}{'=' if game.same > 1 else ''}/{game.size}"
    return {"forfeit-win": f"1/{game.size}f", "forfeit-loss": "f"}.get(game.kind, "…")
