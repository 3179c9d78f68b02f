"""The Planetary Actions: load one container, unload one container, buy a technology."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

from referee.kit import Match, No, no, one_of, order, some_of, step

from .flight import end_flight
from .places import chart
from .table import Goods

ACTIONS = 2
PAIR = 2


def site(m: Match, who: str, by: str) -> Any:
    """The Planetary Actions; CL-5, CL-37: return the planet where an action can be executed, or why there is none.

    `by` says whose action it is: one of the turn's two, or the agent's.
    """
    turn, place = m.table.turn, m.table.captains[who].place
    if by == "turn" and turn.actions == ACTIONS:
        return no("no action left")
    if place in m.table.planets:
        return place
    planet = m.components.recall(chart).orbit.get(place)
    if planet is None:
        return no("in a gap")
    if by == "agent" and not m.options["agent-from-orbit"]:
        return no("agent in orbit")
    return planet if turn.orbit_actions < m.value("orbit-actions", 0, who) else no("in orbit")


def begin_action(m: Match, who: str, by: str) -> str:
    """The Flight, "Orbitalstation"; CL-4, CL-37: count the action, end a running flight, and return the planet."""
    turn, place = m.table.turn, m.table.captains[who].place
    turn.started = True
    turn.actions += by == "turn"
    turn.orbit_actions += place not in m.table.planets
    end_flight(m, who)
    return m.components.recall(chart).orbit.get(place, place)


# Load one "Container"


@order("load {goods} [into {hold}]", goods="planets", hold="holds")
def load(m: Match, who: str, by: str, goods: str, hold: str) -> None:
    """Load one "Container"; CL-34: one empty container takes all goods for one destination."""
    m.do(stow(who=who, planet=begin_action(m, who, by), goods=goods, hold=hold))


@load.offered
def may_load(m: Match, who: str, by: str) -> Any:
    """Load one "Container": what waits at the planet, into what is empty."""
    planet = site(m, who, by)
    return planet if isinstance(planet, No) else cargo(m, who, [planet])


def cargo(m: Match, who: str, planets: list[str]) -> Any:
    """Load one "Container": offer the destinations waiting at some planets, and the empty containers."""
    holds = m.table.captains[who].holds
    empty = [hold for hold, load in holds.items() if not load]
    waiting = {goods.to: 0 for planet in planets for goods in m.table.planets[planet]}
    if not empty or not waiting:
        return no("no goods", planets=planets) if empty else no("no empty hold")
    full = {hold: no("sealed", hold=hold) for hold, load in holds.items() if load}
    # Empty containers are alike, so a line need not name one.
    return {"goods": one_of(list(waiting)), "hold": one_of(empty, refused=full, default=empty[0])}


@step
def stow(m: Match, who: str, planet: str, goods: str, hold: str) -> None:
    """Load one "Container"; CL-35: all goods that show the destination, without a look at their backs."""
    waiting = m.table.planets[planet]
    loaded = [g for g in waiting if g.to == goods]
    m.table.planets[planet] = [g for g in waiting if g.to != goods]
    m.table.captains[who].holds[hold] = loaded
    m.table.quiet_turns = 0
    m.tell("loads", who=who, planet=planet, goods=goods, hold=hold, count=len(loaded), mg=sum(g.mg for g in loaded))


# Unload one "Container"


@order("unload {hold}", hold="holds")
def unload(m: Match, who: str, by: str, hold: str) -> None:
    """Unload one "Container"; CL-27, CL-28: its value, and one more a card if no goods wait at the planet."""
    planet, goods = begin_action(m, who, by), m.table.captains[who].holds[hold]
    bonus = 0 if m.table.planets[planet] else len(goods)
    mg = sum(g.mg for g in goods)
    m.tell("unloads", who=who, planet=planet, hold=hold, goods=[shown(g) for g in goods], mg=mg, bonus=bonus)
    m.do(
        step.earn(who=who, mg=mg + bonus),
        flip(who=who, hold=hold, planet=planet),
        pair_up(who=who, hold=hold),
        place_rest(who=who, hold=hold, planet=planet),
    )


@unload.offered
def may_unload(m: Match, who: str, by: str) -> Any:
    """Unload one "Container": those that hold goods for this planet."""
    planet = site(m, who, by)
    if isinstance(planet, No):
        return planet
    holds = m.table.captains[who].holds
    refused = {h: no("elsewhere", hold=h, to=load[0].to) if load else no("empty", hold=h) for h, load in holds.items()}
    arrived = [hold for hold, load in holds.items() if load and load[0].to == planet]
    return {"hold": one_of(arrived, refused=refused)} if arrived else no("nothing for here", planet=planet)


def shown(goods: Goods) -> str:
    """Return the open side of a goods card as words: destination and Megagalax."""
    return f"{goods.to} {goods.mg}"


def turned(goods: Goods) -> Goods:
    """Return a goods card flipped over."""
    to, _, mg = goods.back.rpartition(" ")
    return Goods(to=to, mg=int(mg), back=shown(goods))


@step
def flip(m: Match, who: str, hold: str, planet: str) -> None:
    """Unload one "Container": the unloaded cards are flipped over; only now their backs become known."""
    holds = m.table.captains[who].holds
    holds[hold] = grouped(m, [turned(goods) for goods in holds[hold]])
    m.table.quiet_turns = 0
    m.reveal("flips", planet=planet, goods=[shown(goods) for goods in holds[hold]])


def grouped(m: Match, goods: list[Goods]) -> list[Goods]:
    """Preparation: return goods cards in groups by destination."""
    planets = m.components.recall(chart).planets
    return sorted(goods, key=lambda g: (planets.index(g.to), g.mg))


def pairs(goods: list[Goods]) -> dict[str, list[str]]:
    """Return for each destination that two cards or more show the values of those cards."""
    counts = Counter(g.to for g in goods)
    return {to: [str(g.mg) for g in goods if g.to == to] for to, count in counts.items() if count >= PAIR}


@step
def pair_up(m: Match, who: str, hold: str) -> Any:
    """Unload one "Container"; CL-25: one pair of the flipped cards leaves; of several the unloading player chooses."""
    found = pairs(m.table.captains[who].holds[hold])
    choices = dict.fromkeys((to, two) for to, values in found.items() for two in combinations(values, PAIR))
    if len(choices) > 1:
        return m.ask(who, "pair", remove.given(hold=hold), pairs=list(found))
    m.do(*[remove(who=who, hold=hold, planet=to, values=list(two)) for to, two in choices])
    return None


@order("remove {planet} [worth {values}]", planet="planets", values="some values")
def remove(m: Match, who: str, hold: str, planet: str, values: list[str]) -> None:
    """Unload one "Container"; CL-25, CL-26: exactly two cards for one destination leave the game."""
    goods = m.table.captains[who].holds[hold]
    for value in values:
        goods.remove(next(g for g in goods if shown(g) == f"{planet} {value}"))
    m.table.removed += PAIR
    m.tell("pair leaves", who=who, goods=planet, values=values)
    if m.table.removed == len(m.components["goods"]):
        m.do(step.end_without_goods())


@remove.offered
def may_remove(m: Match, who: str, hold: str) -> Any:
    """Unload one "Container"; CL-25, CL-26: which pair, and of more than two cards which two."""
    found = pairs(m.table.captains[who].holds[hold])

    def two(chosen: dict[str, Any]) -> Any:
        return some_of(found[chosen["planet"]], least=PAIR, most=PAIR)

    return {"planet": one_of(list(found)), "values": two}


@step
def place_rest(m: Match, who: str, hold: str, planet: str) -> None:
    """Unload one "Container": the other cards wait at the planet, grouped with those that lie there."""
    holds = m.table.captains[who].holds
    m.table.planets[planet] = grouped(m, m.table.planets[planet] + holds[hold])
    holds[hold] = []


# Buy a technology


@order("buy {card}", card="cards")
def buy(m: Match, who: str, by: str, card: str) -> None:
    """Buy a technology; CL-17, CL-18: at the price of this turn, and usable at once."""
    captain, price = m.table.captains[who], m.table.turn.price
    captain.hand.remove(card)
    captain.mg -= price
    m.reveal("buys", of=who, who=who, card=card, price=price, left=captain.mg)
    begin_action(m, who, by)
    m.table.quiet_turns = 0
    lay_open(m, who, card)


@buy.offered
def may_buy(m: Match, who: str, by: str) -> Any:
    """Buy a technology; CL-16: one from the hand, if its price can be paid in full."""
    planet, captain, price = site(m, who, by), m.table.captains[who], m.table.turn.price
    if isinstance(planet, No):
        return planet
    if captain.mg < price:
        return no("too dear", price=price, mg=captain.mg)
    kinds = {card: m.components["cards"][card]["kind"] for card in captain.hand}
    technologies = [card for card, kind in kinds.items() if kind == "technology"]
    refused = {card: no("no technology", card=card) for card in kinds}
    return {"card": one_of(technologies, refused=refused)} if technologies else no("no technology in hand")


def lay_open(m: Match, who: str, card: str) -> None:
    """Buy a technology, "Container": lay a technology open; what it brings in containers is empty and ready."""
    captain = m.table.captains[who]
    captain.technologies.append(card)
    for _ in range(m.components["cards"][card].get("holds", 0)):
        captain.holds[f"hold {len(captain.holds) + 1}"] = []
