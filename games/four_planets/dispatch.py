"""Dispatch Spaceships."""

from __future__ import annotations

from typing import Any

from referee.kit import NUMBER, Match, no, number, one_of, order, step

from .buildings import is_ready, use
from .rounds import opponent
from .table import Ship

RAMP = "starting ramp"


@step
def dispatch(m: Match, who: str) -> Any:
    """Dispatch Spaceships; FP-1: alternately one ship each, until neither player can dispatch any."""
    m.table.phase, other = "dispatch", opponent(m, who)
    if not can_dispatch(m, who):
        m.do(*[dispatch(who=other)] if can_dispatch(m, other) else [])
        return None
    # Asked although the last ship may have nowhere else to go: a line that was planned for it would wait for the next round.
    return m.ask(who, "dispatch", send, ramp, then=[dispatch(who=other)], dock=m.table.players[who].dock)


def can_dispatch(m: Match, who: str) -> bool:
    """Dispatch Spaceships; FP-1: there are parts left, and a planet without an own ship."""
    return m.table.players[who].dock > 0 and bool(free_planets(m, who))


def free_planets(m: Match, who: str) -> list[str]:
    """Dispatch Spaceships: return the planets on which none of a player's ships is located."""
    return [name for name, planet in m.table.planets.items() if all(ship.who != who for ship in planet.ships)]


@order("send {parts} to {planet}", parts=NUMBER, planet="planets")
def send(m: Match, who: str, parts: int, planet: str) -> None:
    """Dispatch Spaceships; FP-2, FP-T1: one ship of any number of parts, below a ship that is there already."""
    land(m, who, parts, planet, 0)


def land(m: Match, who: str, parts: int, planet: str, ramp: int) -> None:
    """Dispatch Spaceships: place a ship below the specialists and the ships of a planet."""
    m.table.players[who].dock -= parts
    m.table.planets[planet].ships.append(Ship(who=who, size=parts, ramp=ramp))
    m.tell("sends", who=who, parts=parts, planet=planet, speed=parts + ramp, left=m.table.players[who].dock)


@send.offered
def may_send(m: Match, who: str) -> Any:
    """Dispatch Spaceships: no more parts than are left, to a planet without an own ship."""
    taken = {name: no("own ship", planet=name) for name in m.table.planets}
    return {"parts": number(1, m.table.players[who].dock), "planet": one_of(free_planets(m, who), refused=taken)}


@order("ramp {parts} to {planet}", parts=NUMBER, planet="planets")
def ramp(m: Match, who: str, parts: int, planet: str) -> None:
    """Professional Mode, Starting Ramp: once a game, a ship counts as one part larger for this round."""
    use(m, who, RAMP)
    land(m, who, parts, planet, 1)


@ramp.offered
def may_ramp(m: Match, who: str) -> Any:
    """Professional Mode, Starting Ramp: as a ship is sent without it."""
    return may_send(m, who) if has_ramp(m, who) else no("no building", building=RAMP)


def has_ramp(m: Match, who: str) -> bool:
    """Professional Mode: return whether a player's starting ramp is still unused."""
    return is_ready(m, who, RAMP)
