"""Preparation: cards, goods, and who begins where."""

from __future__ import annotations

from typing import Any

from referee.kit import Components, Match, one_of, order, step

from .actions import grouped, lay_open, turned
from .places import chart
from .table import Captain, Goods, Table, Turn
from .turn import HAND, draw, turn

START = "start card"
SIDES_OF_A_CARD = 2


def setup(m: Match) -> None:
    """Preparation: lay everything out; the younger player then chooses."""
    m.table = Table(captains={seat: Captain() for seat in m.seats}, turn=Turn())
    m.do(lay_out_cards(), lay_out_goods(), find_younger())


def card_set(components: Components) -> list[str]:
    """Return the cards of one set, copies included, in the order of the data."""
    return [card for card, printed in components["cards"].items() for _ in range(printed["copies"])]


@step
def lay_out_cards(m: Match) -> None:
    """Preparation: each player's start card lies open, the rest is a hidden pile, and five are drawn."""
    rest = [card for card in m.components.recall(card_set) if card != START]
    for seat in m.seats:
        m.table.captains[seat].pile = m.shuffled(rest)
        lay_open(m, seat, START)
    m.do(*[draw(who=seat, count=HAND) for seat in m.seats])


@step
def lay_out_goods(m: Match) -> None:
    """Preparation: the goods cards are turned, shuffled and dealt out to the planets in equal numbers."""
    planets = m.components.recall(chart).planets
    goods = m.shuffled([tossed(m, *printed["sides"]) for printed in m.components["goods"].values()])
    share = len(goods) // len(planets)
    for index, planet in enumerate(planets):
        dealt = goods[index * share :][:share]
        m.table.planets[planet] = grouped(m, [turned(g) if g.to == planet else g for g in dealt])


def tossed(m: Match, side: str, other: str) -> Goods:
    """Preparation: return a goods card with one of its sides up, each equally likely."""
    front, back = (side, other) if m.roll(SIDES_OF_A_CARD) == 1 else (other, side)
    to, _, mg = front.rpartition(" ")
    return Goods(to=to, mg=int(mg), back=back)


@step
def find_younger(m: Match) -> None:
    """Preparation; CL-33: the younger player is named by an option, or drawn."""
    named = m.options["younger"]
    younger = named if named in m.seats else m.shuffled(m.seats)[0]
    m.table.younger = younger
    m.tell("younger", who=younger)
    m.do(choose_start(who=younger))


@step
def choose_start(m: Match, who: str) -> Any:
    """Preparation; CL-33: the younger player takes the first turn, or selects the planet where both ships start."""
    return m.ask(who, "start", begin, start_at)


@order("begin")
def begin(m: Match, who: str) -> None:
    """Preparation: the younger player takes the first turn, and the other selects the planet."""
    (other,) = m.others(who)
    m.tell("begins the game", who=who)
    m.do(choose_planet(who=other))


@step
def choose_planet(m: Match, who: str) -> Any:
    """Preparation: the player who does not begin selects the start planet."""
    return m.ask(who, "planet", start_at)


@order("start at {planet}", planet="planets")
def start_at(m: Match, who: str, planet: str) -> None:
    """Preparation; CL-32: both ships start on the planet; whoever did not select it takes the die."""
    for captain in m.table.captains.values():
        captain.place = planet
    (other,) = m.others(who)
    m.tell("starts", who=who, planet=planet, first=other)
    m.do(turn(who=other))


@start_at.offered
def may_start_at(m: Match, who: str) -> Any:
    """Preparation: any of the planets."""
    return {"planet": one_of(m.components.recall(chart).planets)}
