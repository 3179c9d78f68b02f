"""The Flight: rolling the die, flying step by step, stopping."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, no, one_of, order, step

from .places import chart, destinations, headings, orbit_of

DIRECTIONS = ("inward", "outward")
SIDES = 6
ROLLED_AGAIN = 1


def end_flight(m: Match, who: str) -> None:
    """The Flight: the running flight ends, and the energy that is left is lost."""
    turn = m.table.turn
    if turn.energy:
        m.tell("flight over", who=who, lost=turn.energy)
    turn.flying, turn.energy = False, 0


@order("roll")
def roll(m: Match, who: str) -> None:
    """The Flight: rolling uses up the one flight of the turn, whether the ship then moves or not."""
    m.table.turn.flights -= 1
    m.table.turn.started = True
    m.do(take_off(who=who))


@roll.offered
def may_roll(m: Match, who: str) -> Any:
    """The Flight: there is one a turn."""
    return {} if m.table.turn.flights else no("flown")


@step
def take_off(m: Match, who: str) -> None:
    """The Flight, "Fusionstriebwerk"; CL-20, CL-21: a 1 is kept and rolled again; a flight still running ends."""
    end_flight(m, who)
    dice = [m.roll(SIDES)]
    while dice[-1] == ROLLED_AGAIN:
        dice.append(m.roll(SIDES))
    m.table.turn.flying, m.table.turn.energy = True, m.value("energy", sum(dice), who)
    m.tell("rolls", who=who, dice=dice, energy=m.table.turn.energy)


@order("fly {place}", place="places")
def fly(m: Match, who: str, place: str) -> None:
    """The Flight; CL-1: the shortest way is flown in single steps; a next line may take another direction."""
    here = m.table.captains[who].place
    way = m.components.recall(chart).ways[here][place]
    m.tell("flies", who=who, start=here, place=place, cost=len(way), left=m.table.turn.energy - len(way))
    m.do(*[move(who=who, to=to) for to in way])


@fly.offered
def may_fly(m: Match, who: str) -> Any:
    """The Flight: wherever the energy reaches."""
    if not m.table.turn.flying:
        return not_flying(m)
    return {"place": destinations(m, m.table.captains[who].place, m.table.turn.energy)}


def not_flying(m: Match) -> Any:
    """Say why no flight is running: the die is still to be rolled, or the flight is over."""
    return no("roll first") if m.table.turn.flights else no("flight is over")


@step
def move(m: Match, who: str, to: str) -> None:
    """The Flight; CL-22: each single move costs one unit; a landing or the last unit ends the flight."""
    turn = m.table.turn
    m.table.captains[who].place = to
    turn.energy -= 1
    if to in m.table.planets or not turn.energy:
        end_flight(m, who)


@order("fly toward {planet}", planet="planets")
def fly_toward(m: Match, who: str, planet: str) -> None:
    """The Flight: along the shortest way to a planet as far as the energy goes, landing if it is enough."""
    way = m.components.recall(chart).ways[m.table.captains[who].place][planet]
    m.do(fly(who=who, place=way[: m.table.turn.energy][-1]))


@fly_toward.offered
def may_fly_toward(m: Match, who: str) -> Any:
    """The Flight: any planet but the one the ship is on."""
    if not m.table.turn.flying:
        return not_flying(m)
    return {"planet": headings(m, m.table.captains[who].place)}


@order("stay")
def stay(m: Match, who: str) -> None:
    """The Flight: a player need not use all energy."""
    end_flight(m, who)


@stay.offered
def may_stay(m: Match, who: str) -> Any:
    """The Flight: only a running flight can be ended."""
    return {} if m.table.turn.flying else not_flying(m)


@order("jump {direction}", direction="directions")
def jump(m: Match, who: str, direction: str) -> None:
    """The Technologies, "Hypersprung nach Innen/Aussen"; CL-19: to the orbit nearest to or farthest from the sun."""
    planets = m.components.recall(chart).planets
    place = orbit_of(planets[0 if direction == "inward" else -1])
    m.table.captains[who].place = place
    m.table.turn.jumped.append(direction)
    m.tell("jumps", who=who, direction=direction, place=place)


@jump.offered
def may_jump(m: Match, who: str) -> Any:
    """The Technologies, "Hypersprung nach Innen/Aussen"; CL-18, CL-19: before all else, each card once a turn."""
    turn, cards = m.table.turn, m.components["cards"]
    owned = [cards[t]["jump"] for t in m.table.captains[who].technologies if "jump" in cards[t]]
    if turn.started or not owned:
        return no("turn has begun" if turn.started else "no hyperjump")
    refused = {d: no("jumped" if d in owned else "no hyperjump") for d in DIRECTIONS}
    return {"direction": one_of([d for d in owned if d not in turn.jumped], refused=refused)}
