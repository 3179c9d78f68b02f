"""Towing Ships: by consent, on the way, with a Tractor Beam."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, No, no, one_of, order, step

from . import galaxy
from .choices import interrupted, yes_or_no
from .deals import note_tow
from .galaxy import NEIGHBOURS
from .group import call_along
from .mats import alive, has_ship, note_deed, ship_of
from .movement import (
    along,
    cannot_leave,
    fuel_for,
    headings,
    here,
    may_come,
    may_explore,
    movement_over,
    pace,
    tow_fuel,
    travel,
    ways_before,
    ways_to,
    why_not_explored,
)
from .turn_state import cast_off, gone


@order("tow {seat} to {place}", seat="seats", place="places")
def tow(m: Match, who: str, seat: str, place: str) -> None:
    """Towing Ships; PL-32: the ship is taken up on the way and goes to the same half-hex, if its captain agrees."""
    m.table.turn.asked.append(f"tow {seat}")
    end = galaxy.hex_of(m, place)
    way = [] if end == here(m, who) else ways_to(m, who, end, [here(m, seat)], seat)[0]
    m.tell("offers tow", who=who, seat=seat, place=place)
    others = call_along([one for one in along(m, who, way) if one != seat], who, place)
    then = [*others, travel(who=who, place=place, way=way, towed=seat)]
    m.do(ask_for_tow(who=who, seat=seat, place=place, then=then))


@tow.offered
def may_tow(m: Match, who: str) -> Any:
    """Towing Ships; PL-32: undocked ships on the way, to wherever the speed of the towing ship reaches."""
    stop = cannot_tow(m, who, hidden=False)
    if isinstance(stop, No):
        return stop

    def places(chosen: dict[str, Any]) -> Any:
        return one_of(ends_of_tow(m, who, chosen["seat"]))

    free = [seat for seat in stop if ends_of_tow(m, who, seat)]
    return {"seat": one_of(free, refused=why_not_towed(m, who, free)), "place": places} if free else no("nobody to tow")


def cannot_tow(m: Match, who: str, hidden: bool) -> No | list[str]:
    """Towing Ships; PL-32: return who might be towed, or why the ship tows nobody now."""
    over = movement_over(m, who)
    if over is not None:
        return over
    if not m.has("tractor", who):
        return no("no tractor beam")
    fuel = fuel_for(m, who, hidden) + tow_fuel(m, who)
    weak = cannot_leave(m, who, fuel)
    free = [seat for seat in m.others(who) if may_be_towed(m, seat)]
    return weak or free or no("nobody to tow")


def may_be_towed(m: Match, seat: str) -> bool:
    """Towing Ships; PL-32: docked ships and wrecks cannot be towed, and nobody is asked twice in a turn."""
    return has_ship(m, seat) and not ship_of(m, seat).docked and f"tow {seat}" not in m.table.turn.asked


def why_not_towed(m: Match, who: str, free: list[str]) -> dict[str, No]:
    """Towing Ships: say of the other ships why they cannot be towed now."""
    rest = [seat for seat in alive(m) if seat not in free and seat != who and has_ship(m, seat)]
    docked = {seat: no("ship docked", seat=seat) for seat in rest if ship_of(m, seat).docked}
    asked = {seat: no("asked before", seat=seat) for seat in rest if f"tow {seat}" in m.table.turn.asked}
    return {**{seat: no("not on the way", seat=seat) for seat in rest}, **docked, **asked}


def ends_of_tow(m: Match, who: str, seat: str) -> list[str]:
    """Towing Ships; PL-32: return the Systems to which a ship can be towed, its own one left out."""
    start, at = here(m, who), here(m, seat)
    ways = galaxy.ways(m, start, pace(m, who, hidden=False, towed=seat))
    ends = dict.fromkeys(way[-1] for way in ways if at in (start, *way))
    own = [start] if at == start else []
    found = [half for name in [*own, *ends] for half in galaxy.halves(m, name)]
    return [half for half in found if half != ship_of(m, seat).place and half != ship_of(m, who).place]


@order("tow {seat} exploring {hex}", seat="seats", hex="hexes")
def tow_exploring(m: Match, who: str, seat: str, hex: str) -> None:
    """Towing Ships; PL-32: Hyperspace cards and the explorer's reward are for the towing ship alone."""
    m.table.turn.asked.append(f"tow {seat}")
    way = ways_before(m, who, hex, [here(m, seat)], seat)[0]
    m.tell("offers tow", who=who, seat=seat, place=hex)
    others = call_along([one for one in may_come(m, who, hidden=True) if one != seat], who, hex)
    then = [*others, step.jump(who=who, hex=hex, way=way, towed=seat)]
    m.do(ask_for_tow(who=who, seat=seat, place=hex, then=then))


@tow_exploring.offered
def may_tow_exploring(m: Match, who: str) -> Any:
    """Towing Ships: a ship on the way into an unexplored hex."""
    free, slots = cannot_tow(m, who, hidden=True), may_explore(m, who)
    if isinstance(free, No):
        return free
    if isinstance(slots, No):
        return slots
    hidden = {seat: hidden_ends(m, who, seat) for seat in free}
    seats = [seat for seat in free if hidden[seat]]

    def hexes(chosen: dict[str, Any]) -> Any:
        reached = hidden[chosen["seat"]]
        return one_of(reached, refused=why_not_explored(m, who, reached), same=headings(m, who, reached))

    return {"seat": one_of(seats, refused=why_not_towed(m, who, seats)), "hex": hexes} if seats else no("nobody to tow")


def hidden_ends(m: Match, who: str, seat: str) -> list[str]:
    """Towing Ships: return the unexplored hexes into which a ship can be towed."""
    at = here(m, seat)
    hidden = [name for name in m.table.hexes if not galaxy.is_known(m, name) and NEIGHBOURS[name]]
    return [name for name in hidden if ways_before(m, who, name, [at], seat)]


@step
def ask_for_tow(m: Match, who: str, seat: str, place: str, then: list[dict[str, Any]]) -> Any:
    """Towing Ships: a deal between the two captains; without consent nothing has happened."""
    if gone(m, seat):
        return None
    return m.ask(seat, "tow", *yes_or_no(then), interrupts=interrupted(m, seat), player=who, place=place)


@step
def bring_along(m: Match, who: str, towed: str, place: str) -> None:
    """Towing Ships; PL-32: the towed ship arrives in the same half-hex."""
    if gone(m, who) or gone(m, towed):
        return
    ship = ship_of(m, towed)
    moved = here(m, towed) != galaxy.hex_of(m, place)
    cast_off(m, towed)
    ship.place, m.table.turn.towed = place, towed
    m.tell("tows", who=who, seat=towed, place=place)
    note_tow(m, who, towed)
    if moved:
        note_deed(m, who, "towed")


TOWS = (tow, tow_exploring)
