"""Setup: the supply, the space row, and who begins."""

from __future__ import annotations

from referee.kit import Match, step

from .squares import ROW, all_squares, drawn, square_of
from .table import Player, Table, Turn
from .turn import turn


def setup(m: Match) -> None:
    """Setup: lay everything out; the youngest player then begins."""
    m.table = Table(players={seat: Player() for seat in m.seats}, turn=Turn())
    m.do(lay_out(), find_youngest())


@step
def lay_out(m: Match) -> None:
    """Setup: the shuffled squares are the supply, and the top three lie open as the space row."""
    m.table.supply = m.shuffled(m.components.recall(all_squares))
    m.table.row = {place: square_of(m, m.table.supply.pop()) for place in ROW}
    m.reveal("space row", squares=[drawn(square) for square in m.table.row.values()])


@step
def find_youngest(m: Match) -> None:
    """Game Turn; KM-18: the youngest player is named by an option, or drawn, and begins."""
    named = m.options["youngest"]
    m.table.youngest = named if named in m.seats else m.shuffled(m.seats)[0]
    m.tell("youngest", who=m.table.youngest)
    m.do(turn(who=m.table.youngest))
