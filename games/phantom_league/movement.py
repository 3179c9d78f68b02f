"""Movement phase: to the other half-hex, to known hexes, and into unexplored ones (Movement cost)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.kit import Match, No, no, one_of, order, step

from . import galaxy
from .galaxy import DIRECTIONS, NEIGHBOURS
from .group import call_along, crew, fellows_here
from .mats import captain_of, fill_tank, ship_of, speed
from .turn_state import cast_off, gone, movement_over, printed, turn_of

# What a move costs


def fuel_for(m: Match, who: str, hidden: bool) -> int:
    """Movement cost, B, C; PL-22, PL-30: return the Fuel for a move to another hex, however far it is.

    Args:
        m: the match.
        who: whose ship moves.
        hidden: whether it moves into an unexplored hex.
    """
    if m.has("jump-cost", who):
        return m.value("jump-cost", 0, who)
    return m.value("move-fuel", printed(m, "hidden-fuel" if hidden else "known-fuel"), who)


def tow_fuel(m: Match, who: str) -> int:
    """Towing Ships: return what towing costs more."""
    return 0 if m.has("jump-cost", who) else max(0, m.value("tow-fuel", printed(m, "tow-fuel"), who))


def here(m: Match, who: str) -> str:
    """Movement phase: return the hex that a ship is in."""
    return galaxy.hex_of(m, ship_of(m, who).place)


def cannot_leave(m: Match, who: str, fuel: int) -> No | None:
    """Movement cost; PL-29, PL-33: say why a ship cannot leave its hex, if so.

    Args:
        m: the match.
        who: whose ship it is.
        fuel: what the move costs; missing Fuel is taken from the Structure, but never all of it.
    """
    ship = ship_of(m, who)
    if ship.stalled and ship.stalled == captain_of(m, who).turns:
        return no("engines failed")
    if fuel - ship.fuel >= ship.structure:
        return no("too weak to move", fuel=fuel, tank=ship.fuel, structure=ship.structure)
    return None


# Moving as a group


def may_come(m: Match, who: str, hidden: bool) -> list[str]:
    """Moving as a Group; PL-29, PL-98: return those who may move along to another hex and are able to leave this one."""
    return [seat for seat in fellows_here(m, who) if not cannot_leave(m, seat, fuel_for(m, seat, hidden))]


def pace(m: Match, who: str, hidden: bool, towed: str = "") -> int:
    """Movement cost; Moving as a Group, PL-98: return the speed of the ship, or of the slowest that may come along.

    Args:
        m: the match.
        who: whose ship moves, and who leads the group.
        hidden: whether it moves into an unexplored hex.
        towed: whose ship is towed and needs no speed.
    """
    return min(speed(m, seat) for seat in (who, *may_come(m, who, hidden)) if seat != towed)


# Ways


def ways_to(m: Match, who: str, end: str, through: Iterable[str] = (), towed: str = "") -> list[list[str]]:
    """Movement cost, B; PL-22: return the ways to a known hex that the speed allows, best first.

    Args:
        m: the match.
        who: whose ship moves.
        end: the hex to arrive in.
        through: hexes that the way must touch, the first one and the last one included.
        towed: whose ship is towed.
    """
    start, must = here(m, who), set(through)
    found = [way for way in galaxy.ways(m, start, pace(m, who, False, towed)) if way[-1] == end and must <= {start, *way}]
    return sorted(found, key=lambda way: (-reaped(m, who, way[:-1]), len(way)))


def ways_before(m: Match, who: str, end: str, through: Iterable[str] = (), towed: str = "") -> list[list[str]]:
    """Movement cost, C; PL-22, PL-25: return the ways over known hexes up to an unexplored one, which counts as two."""
    start, must = here(m, who), set(through)
    reach = pace(m, who, True, towed) - printed(m, "hidden-hexes")
    if reach < 0:
        return []
    near = NEIGHBOURS[end]
    found = [way for way in [[], *galaxy.ways(m, start, reach)] if [start, *way][-1] in near and must <= {start, *way}]
    return sorted(found, key=lambda way: (-reaped(m, who, way), len(way)))


def reaped(m: Match, who: str, between: list[str]) -> int:
    """Fuel Harvester; PL-23: count the gas giants in the hexes between start and end, both halves of each."""
    if not m.has("harvest", who):
        return 0
    return sum(galaxy.has(m, half, "giant") for name in between for half in galaxy.halves(m, name))


def label(m: Match, name: str) -> str:
    """Movement phase: return the name by which a hex goes in order lines: its red System once that is known."""
    return m.table.hexes[name].red if galaxy.is_known(m, name) else name


def way_slot(m: Match, ways: list[list[str]], start: str, end: str) -> Any:
    """Movement phase: offer the hexes that one of the ways passes through; either System means its hex."""
    found = dict.fromkeys(name for way in ways for name in way if name not in (start, end))
    same = {half: label(m, name) for name in found for half in (*galaxy.halves(m, name), name)}
    refused = {}
    for name in m.table.hexes:
        if name not in found:
            reason = no("no way through", hex=label(m, name)) if galaxy.is_known(m, name) else no("unexplored", hex=name)
            refused.update(dict.fromkeys((*galaxy.halves(m, name), name), reason))
    return one_of([label(m, name) for name in found], refused=refused, same=same)


def named_hex(m: Match, name: str) -> str:
    """Movement phase: return the hex that a name in an order line means."""
    return name if name in m.table.hexes else galaxy.hex_of(m, name)


# Moving to known places


@order("move to {place}", place="places")
def move(m: Match, who: str, place: str) -> None:
    """Movement cost, A, B: to the other half-hex, or to a known hex on the best way."""
    end = galaxy.hex_of(m, place)
    way = [] if end == here(m, who) else ways_to(m, who, end)[0]
    m.do(*call_along(along(m, who, way), who, place), travel(who=who, place=place, way=way, towed=""))


def along(m: Match, who: str, way: list[str]) -> list[str]:
    """Moving as a Group; PL-33, PL-98: return those who may come along; inside a hex that takes neither Fuel nor engines."""
    return may_come(m, who, hidden=False) if way else fellows_here(m, who)


@move.offered
def may_move(m: Match, who: str) -> Any:
    """Movement cost, A, B: wherever the speed reaches; once in a turn."""
    over = movement_over(m, who)
    if over is not None:
        return over
    near, fuel = galaxy.steps_to(m, here(m, who)), fuel_for(m, who, hidden=False)
    refused = {}
    for place in galaxy.systems(m):
        reason = cannot_reach(m, who, place, near, fuel)
        if reason is not None:
            refused[place] = reason
    return {"place": one_of([p for p in galaxy.systems(m) if p not in refused], refused=refused)}


def cannot_reach(m: Match, who: str, place: str, near: dict[str, int], fuel: int) -> No | None:
    """Movement cost, A, B: say why a ship cannot move to a System, if so."""
    end = galaxy.hex_of(m, place)
    if place == ship_of(m, who).place:
        return no("already there", place=place)
    if not end or end not in near:
        return no("not found", place=place)
    reach = pace(m, who, hidden=False)
    if near[end] > speed(m, who):
        return no("too far", place=place, distance=near[end], speed=speed(m, who))
    if near[end] > reach:
        return no("too far together", place=place, distance=near[end], speed=reach)
    return cannot_leave(m, who, fuel) if near[end] else None


@order("move to {place} via {way}", place="places", way="hexes")
def move_via(m: Match, who: str, place: str, way: str) -> None:
    """Movement phase: through a hex that the player names, since a ship may change directions."""
    found = ways_to(m, who, galaxy.hex_of(m, place), [named_hex(m, way)])[0]
    m.do(*call_along(along(m, who, found), who, place), travel(who=who, place=place, way=found, towed=""))


@move_via.offered
def may_move_via(m: Match, who: str) -> Any:
    """Movement phase; PL-22: all hexes on the way must be face up."""
    slots = may_move(m, who)
    if isinstance(slots, No):
        return slots

    def between(chosen: dict[str, Any]) -> Any:
        start, end = here(m, who), galaxy.hex_of(m, chosen["place"])
        return way_slot(m, [] if start == end else ways_to(m, who, end), start, end)

    return {**slots, "way": between}


@step
def travel(m: Match, who: str, place: str, way: list[str], towed: str) -> None:
    """Movement cost, A, B: the Fuel is used, the marker is moved, and a Harvester gathers on the way.

    `way` holds the hexes after the first one and is empty inside a hex; `towed` is a seat or nothing. Variants, Hazardous
    Space: on the way to another hex Hyperspace cards are drawn first.
    """
    if way and m.options["hazardous-space"]:
        m.do(step.cross(who=who, place=place, way=way, towed=towed))
        return
    ship = ship_of(m, who)
    start, fuel = ship.place, fuel_for(m, who, hidden=False) if way else 0
    fuel += tow_fuel(m, who) if towed else 0
    cast_off(m, who)
    ship.place, m.table.turn.moved = place, True
    names = [label(m, name) for name in way[:-1]]
    m.tell("moves", who=who, start=start, place=place, fuel=fuel, way=names)
    m.do(step.use_fuel(who=who, count=fuel, why="moving"), harvest(who=who, start=start, way=way[:-1], end=place))
    m.do(*[move_along(who=seat, place=place, way=way) for seat in crew(m, who) if seat != who])
    if towed:
        m.do(step.bring_along(who=who, towed=towed, place=place))


@step
def move_along(m: Match, who: str, place: str, way: list[str]) -> None:
    """Moving as a Group; PL-98: a member arrives with the others; his ship uses Fuel of its own."""
    ship, fuel = ship_of(m, who), fuel_for(m, who, hidden=False) if way else 0
    start = ship.place
    cast_off(m, who)
    ship.place, turn_of(m, who).moved = place, True
    m.tell("moves along", who=who, place=place, fuel=fuel)
    paid = [step.use_fuel(who=who, count=fuel, why="moving")] if fuel else []
    m.do(*paid, harvest(who=who, start=start, way=way[:-1], end=place))


@step
def harvest(m: Match, who: str, start: str, way: list[str], end: str) -> None:
    """Fuel Harvester; PL-23: each gas giant touched gives Fuel once: own halves at the ends, both halves between."""
    if gone(m, who) or not m.has("harvest", who):
        return
    touched = dict.fromkeys([start, *(half for name in way for half in galaxy.halves(m, name)), end])
    giants = [place for place in touched if galaxy.has(m, place, "giant")]
    if giants:
        taken = fill_tank(m, who, m.value("harvest", 0, who) * len(giants))
        m.tell("harvests", who=who, places=giants, count=taken, fuel=ship_of(m, who).fuel)


@order("undock")
def undock(m: Match, who: str) -> None:
    """Movement phase: the marker is turned over; that is no action and no movement."""
    m.tell("undocks", who=who, place=ship_of(m, who).place)
    cast_off(m, who)


@undock.offered
def may_undock(m: Match, who: str) -> Any:
    """Movement phase; PL-20: before any action, and not in a blockade."""
    if not ship_of(m, who).docked:
        return no("not docked")
    return movement_over(m, who) or {}


# Exploring


@order("explore {hex}", hex="hexes")
def explore(m: Match, who: str, hex: str) -> None:
    """Movement cost, C: a jump into an unexplored hex."""
    way = ways_before(m, who, hex)[0]
    m.do(*call_along(may_come(m, who, hidden=True), who, hex), step.jump(who=who, hex=hex, way=way, towed=""))


@explore.offered
def may_explore(m: Match, who: str) -> Any:
    """Movement cost, C; PL-24, PL-25: an unexplored hex counts as two, so a speed of 2 is needed beside it."""
    over = movement_over(m, who) or cannot_leave(m, who, fuel_for(m, who, hidden=True))
    if over is not None:
        return over
    hidden = [name for name in m.table.hexes if not galaxy.is_known(m, name)]
    if not hidden:
        return no("all explored")
    reached = [name for name in hidden if ways_before(m, who, name)]
    return {"hex": one_of(reached, refused=why_not_explored(m, who, reached), same=headings(m, who, reached))}


def why_not_explored(m: Match, who: str, reached: list[str]) -> dict[str, No]:
    """Movement cost, C: say of the other hexes why they cannot be explored now."""
    near, refused = galaxy.steps_to(m, here(m, who)), {}
    for name in [name for name in m.table.hexes if name not in reached]:
        steps = min((near[n] for n in NEIGHBOURS[name] if n in near), default=len(near))
        need = steps + printed(m, "hidden-hexes")
        known = galaxy.is_known(m, name)
        reason = no("known already", hex=label(m, name)) if known else too_slow(m, who, name, need)
        refused.update(dict.fromkeys((name, *galaxy.halves(m, name)), reason))
    around = {direction: galaxy.neighbour(here(m, who), direction) for direction in DIRECTIONS}
    for direction, there in around.items():
        if there not in reached:
            refused[direction] = refused[there] if there else no("edge of the galaxy", direction=direction)
    return refused


def too_slow(m: Match, who: str, hex: str, need: int) -> No:
    """Movement cost, C; PL-98: say that the own ship, or the slowest one of the group, is too slow for a jump."""
    if speed(m, who) < need:
        return no("too slow", hex=hex, need=need, speed=speed(m, who))
    return no("too slow together", hex=hex, need=need, speed=pace(m, who, hidden=True))


def headings(m: Match, who: str, reached: list[str]) -> dict[str, str]:
    """Movement phase: return for each direction the hex that lies there, as `explore north-east` means it."""
    there = {direction: galaxy.neighbour(here(m, who), direction) for direction in DIRECTIONS}
    return {direction: name for direction, name in there.items() if name in reached}


@order("explore {hex} via {way}", hex="hexes", way="hexes")
def explore_via(m: Match, who: str, hex: str, way: str) -> None:
    """Movement phase: a jump that begins after a way through a hex that the player names."""
    found = ways_before(m, who, hex, [named_hex(m, way)])[0]
    m.do(*call_along(may_come(m, who, hidden=True), who, hex), step.jump(who=who, hex=hex, way=found, towed=""))


@explore_via.offered
def may_explore_via(m: Match, who: str) -> Any:
    """Movement phase; PL-22: an unexplored hex can only be the last one."""
    slots = may_explore(m, who)
    if isinstance(slots, No):
        return slots
    return {**slots, "way": lambda chosen: way_slot(m, ways_before(m, who, chosen["hex"]), here(m, who), chosen["hex"])}


# Slingshot


@order("drift to {place}", place="places")
def drift(m: Match, who: str, place: str) -> None:
    """Hyperspace cards, Slingshot: one more step to a known hex, free."""
    for seat in crew(m, who):
        m.tell("drifts", who=seat, place=place)
        ship_of(m, seat).place = place
        cast_off(m, seat)


@drift.offered
def may_drift(m: Match, who: str) -> Any:
    """Hyperspace cards, Slingshot: a System of a neighbouring hex that is face up."""
    near = [half for name in NEIGHBOURS[here(m, who)] for half in galaxy.halves(m, name)]
    return {"place": one_of(near)}


@order("stay here")
def stay_here(m: Match, who: str) -> None:
    """Hyperspace cards, Slingshot: the ship stays where it arrived."""
    m.tell("stays", who=who)


MOVES = (move, move_via, explore, explore_via, undock)
