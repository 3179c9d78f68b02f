"""The verbs of the intervention cards (Explanations Regarding the Spaceship Cards), and when each can be done."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, No, no, one_of, order, step

from .actions import buy, cargo, load, stow, unload
from .flight import end_flight
from .places import chart, orbit_of
from .turn import HAND, choose

INNER_PLANETS = 2


@step
def deliver(m: Match, who: str, card: str, mg: int) -> None:
    """The Interventions, "Passagier"; CL-3: the passenger pays and leaves."""
    m.do(step.earn(who=who, mg=mg))


@deliver.offered
def may_deliver(m: Match, who: str, card: str, mg: int) -> Any:
    """The Interventions, "Passagier"; CL-37: only on the planet shown, never from its orbit."""
    to = m.components["cards"][card]["to"]
    return {} if m.table.captains[who].place == to else no("not arrived", to=to)


@step
def infiltrate(m: Match, who: str) -> Any:
    """The Interventions, "Agent einschleusen"; CL-4, CL-5: another planetary action at once, which may be forgone."""
    return m.ask(who, "agent", *[action.given(by="agent") for action in (load, unload, buy)], forgo)


@infiltrate.offered
def may_infiltrate(m: Match, who: str) -> Any:
    """The Interventions, "Agent einschleusen"; CL-6: some planetary action must be possible."""
    offers = [action.offer(m, who=who, by="agent") for action in (load, unload, buy)]
    return offers[0] if all(isinstance(slots, No) for slots in offers) else {}


@order("forgo")
def forgo(m: Match, who: str) -> None:
    """The Interventions, "Agent einschleusen": a player may do without the action."""
    m.tell("forgoes", who=who)


@step
def fly_through_sun(m: Match, who: str) -> None:
    """The Interventions, "Sonnentunnel oeffnen"; CL-22: one unit, from the innermost to the outermost orbit."""
    outermost = orbit_of(m.components.recall(chart).planets[-1])
    m.tell("tunnels", who=who, place=outermost, left=m.table.turn.energy - 1)
    m.do(step.move(who=who, to=outermost))


@fly_through_sun.offered
def may_fly_through_sun(m: Match, who: str) -> Any:
    """The Interventions, "Sonnentunnel oeffnen"; CL-22: during a flight, in the innermost orbit."""
    innermost = orbit_of(m.components.recall(chart).planets[0])
    if m.table.turn.flying and m.table.captains[who].place == innermost:
        return {}
    return no("no tunnel here", place=innermost)


@step
def load_from_afar(m: Match, who: str, side: str) -> Any:
    """The Interventions, "Ladevorgang Innen/Aussen"; CL-3: load at the two innermost or outermost planets."""
    planets = far_planets(m, side)
    waiting = {(planet, goods.to) for planet in planets for goods in m.table.planets[planet]}
    empty = [hold for hold, goods in m.table.captains[who].holds.items() if not goods]
    if len(waiting) > 1:
        return m.ask(who, "loading", load_from.given(side=side), planets=planets)
    for planet, goods in waiting:
        m.do(stow(who=who, planet=planet, goods=goods, hold=empty[0]))
    return None


@load_from_afar.offered
def may_load_from_afar(m: Match, who: str, side: str) -> Any:
    """The Interventions, "Ladevorgang Innen/Aussen": goods must wait there, and a container be empty."""
    return cargo(m, who, far_planets(m, side))


def far_planets(m: Match, side: str) -> list[str]:
    """Return the two planets nearest to the sun, or the two farthest from it."""
    planets = m.components.recall(chart).planets
    return planets[:INNER_PLANETS] if side == "inner" else planets[-INNER_PLANETS:]


@order("load {goods} from {planet} [into {hold}]", goods="planets", planet="planets", hold="holds")
def load_from(m: Match, who: str, side: str, goods: str, planet: str, hold: str) -> None:
    """The Interventions, "Ladevorgang Innen/Aussen": as a planetary action loads, without being one."""
    m.do(stow(who=who, planet=planet, goods=goods, hold=hold))


@load_from.offered
def may_load_from(m: Match, who: str, side: str) -> Any:
    """The Interventions, "Ladevorgang Innen/Aussen": a destination, the planet where it waits, an empty container."""
    planets, slots = far_planets(m, side), cargo(m, who, far_planets(m, side))

    def sources(chosen: dict[str, Any]) -> Any:
        return one_of([p for p in planets if any(g.to == chosen["goods"] for g in m.table.planets[p])])

    return {"goods": slots["goods"], "planet": sources, "hold": slots["hold"]}


@step
def swap_cargo(m: Match, who: str) -> Any:
    """The Interventions, "Bordtransmitter aktivieren": the player selects an own and an enemy container."""
    (opponent,) = m.others(who)
    own, other = laden(m, who), laden(m, opponent)
    if len(own) * len(other) > 1:
        return m.ask(who, "swap", swap, opponent=opponent)
    m.do(swap(who=who, own=own[0], other=other[0]))
    return None


@swap_cargo.offered
def may_swap_cargo(m: Match, who: str) -> Any:
    """The Interventions, "Bordtransmitter aktivieren"; CL-24: both containers must hold goods."""
    return {} if all(laden(m, seat) for seat in m.seats) else no("nothing to swap")


def laden(m: Match, who: str) -> list[str]:
    """Return a player's containers that hold goods."""
    return [hold for hold, goods in m.table.captains[who].holds.items() if goods]


@order("swap {own} with {other}", own="holds", other="holds")
def swap(m: Match, who: str, own: str, other: str) -> None:
    """The Interventions, "Bordtransmitter aktivieren"; CL-24: contents change places and stay sealed."""
    (opponent,) = m.others(who)
    mine, theirs = m.table.captains[who].holds, m.table.captains[opponent].holds
    mine[own], theirs[other] = theirs[other], mine[own]
    m.table.quiet_turns = 0
    m.tell("swaps", who=who, own=own, other=other, opponent=opponent, got=mine[own][0].to, gave=theirs[other][0].to)


@swap.offered
def may_swap(m: Match, who: str) -> Any:
    """The Interventions, "Bordtransmitter aktivieren": any two laden containers."""
    (opponent,) = m.others(who)
    return {"own": one_of(laden(m, who)), "other": one_of(laden(m, opponent))}


@step
def switch_ships(m: Match, who: str) -> None:
    """The Interventions, "Transmitter-Tor aktivieren"; CL-23: both ships change places; a running flight goes on."""
    (opponent,) = m.others(who)
    mine, theirs = m.table.captains[who], m.table.captains[opponent]
    mine.place, theirs.place = theirs.place, mine.place
    m.tell("switches", who=who, place=mine.place, opponent=opponent, other=theirs.place)


@switch_ships.offered
def may_switch_ships(m: Match, who: str) -> Any:
    """The Interventions, "Transmitter-Tor aktivieren"; CL-6, CL-23: not when both are at one place."""
    places = {captain.place for captain in m.table.captains.values()}
    return {} if len(places) > 1 else no("same place")


@step
def release_storm(m: Match, who: str) -> None:
    """The Interventions, "Hypersturm ausloesen"; CL-15: all is shuffled, five are drawn, the turn ends."""
    captain = m.table.captains[who]
    m.reveal("storm", of=who, who=who, cards=captain.hand[:])
    captain.pile = m.shuffled(captain.pile + captain.discards + captain.hand)
    captain.hand, captain.discards = [], []
    end_flight(m, who)
    m.cancel(choose(who=who))
    m.do(step.draw(who=who, count=HAND))
