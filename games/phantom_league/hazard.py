"""Variants, Hazardous Space: Hyperspace cards are drawn for moves to known hexes too."""

from __future__ import annotations

from typing import Any

from referee.kit import Frame, Match, step

from .group import crew
from .hyperspace import cards_to_draw, draw_hyperspace, fling, save_fuel
from .mats import ship_of, use_fuel
from .movement import fuel_for, harvest, label, tow_fuel
from .table import Jump
from .turn_state import cast_off, turn_of


@step
def cross(m: Match, who: str, place: str, way: list[str], towed: str) -> None:
    """Variants, Hazardous Space; PL-26: the Fuel is used as for any move, then cards are drawn one by one.

    `way` holds the hexes after the first one; `towed` is a seat or nothing.
    """
    fuel = fuel_for(m, who, hidden=False) + (tow_fuel(m, who) if towed else 0)
    cast_off(m, who)
    turn = m.table.turn
    turn.moved, turn.jump = True, Jump(hex=way[-1], left=cards_to_draw(m, who))
    names = [label(m, name) for name in way[:-1]]
    start = ship_of(m, who).place
    m.tell("sets out", who=who, start=start, place=place, fuel=fuel, way=names, cards=turn.jump.left)
    others = [cross_along(who=seat) for seat in crew(m, who) if seat != who]
    paid = use_fuel(who=who, count=fuel, why="moving")
    m.do(paid, *others, draw_hyperspace(who=who), come_out(who=who, place=place, way=way, towed=towed))


@step
def cross_along(m: Match, who: str) -> None:
    """Variants, Hazardous Space; Moving as a Group, PL-98: a member moves with the others; his ship uses Fuel of its own."""
    fuel = fuel_for(m, who, hidden=False)
    cast_off(m, who)
    turn_of(m, who).moved = True
    m.tell("sets out along", who=who, fuel=fuel)
    m.do(use_fuel(who=who, count=fuel, why="moving"))


@step
def come_out(m: Match, who: str, place: str, way: list[str], towed: str) -> None:
    """Variants, Hazardous Space; PL-27: the ships arrive, unless the first card made the move fail."""
    arriving = crew(m, who)
    if not arriving:
        return
    if m.table.turn.jump.failed:
        m.do(*[save_fuel(who=seat) for seat in arriving])
        return
    lead, frames = arriving[0], list[Frame]()
    m.tell("arrives", who=lead, place=place)
    for seat in arriving:
        ship = ship_of(m, seat)
        frames.append(harvest(who=seat, start=ship.place, way=way[:-1], end=place))
        ship.place = place
    tow: list[Any] = [step.bring_along(who=who, towed=towed, place=place)] if towed and lead == who else []
    m.do(*frames, *tow, fling(who=lead))
