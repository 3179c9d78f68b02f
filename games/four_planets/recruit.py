"""Recruit Specialists."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, one_of, order, step

from .abilities import take
from .deck import arrange, discard, find, fronts
from .table import Card, Ship

SIDES = ("left", "right")


@step
def choose_side(m: Match) -> Any:
    """Professional Mode, Tower; FP-32: after the last ship its owner decides on which side the selection begins."""
    owner = next((seat for seat in m.seats if m.has("side", seat)), "")
    return m.ask(owner, "side", begin_on) if owner else None


@order("begin {side}", side="sides")
def begin_on(m: Match, who: str, side: str) -> None:
    """Professional Mode, Tower; FP-32: the choice is public."""
    m.table.side = side
    m.tell("begins on", who=who, side=side)


@begin_on.offered
def may_begin_on(m: Match, who: str) -> Any:
    """Professional Mode, Tower: the far left or the far right."""
    return {"side": one_of(SIDES)}


@step
def recruit_all(m: Match) -> None:
    """Recruit Specialists: planet by planet, from the far left unless the tower says otherwise."""
    m.table.phase = "recruit"
    names = list(m.table.planets)
    m.do(*[recruit(planet=name) for name in (names if m.table.side == SIDES[0] else names[::-1])])


@step
def recruit(m: Match, planet: str) -> Any:
    """Recruit Specialists; FP-5, FP-6: the superior player chooses, the other takes what is left, the rest goes."""
    cards, ships = m.table.planets[planet].cards, superior_first(m, planet)
    rest = leave_rest(planet=planet)
    if not ships or len(cards) < len(SIDES):
        m.do(*[take_left_over(who=ship.who, planet=planet) for ship in ships], rest)
        return None
    who, then = ships[0].who, [*[take_left_over(who=ship.who, planet=planet) for ship in ships[1:]], rest]
    offers = [take_side.given(planet=planet), take.given(source=planet)]
    return m.ask(who, "recruit", *offers, then=then, planet=planet, cards=fronts(cards))


def superior_first(m: Match, planet: str) -> list[Ship]:
    """Recruit Specialists; FP-T2: return the ships at a planet, the faster first, of equal ones that which came first."""
    return sorted(m.table.planets[planet].ships, key=lambda ship: -(ship.size + ship.ramp))


@order("take {side}", side="sides")
def take_side(m: Match, who: str, planet: str, side: str) -> None:
    """Recruit Specialists: the left or the right one of two specialists."""
    gain(m, who, planet, m.table.planets[planet].cards[SIDES.index(side)])


@take_side.offered
def may_take_side(m: Match, who: str, planet: str) -> Any:
    """Recruit Specialists: one of two."""
    return {"side": one_of(SIDES)}


def gain(m: Match, who: str, planet: str, card: Card) -> None:
    """Recruit Specialists: take a specialist into the hand; all have seen which one."""
    m.table.planets[planet].cards.remove(card)
    m.table.players[who].hand.append(card)
    arrange(m.table.players[who].hand)
    m.tell("recruits", who=who, planet=planet, card=card.front)


@step
def take_from_planet(m: Match, who: str, planet: str, card: str) -> None:
    """Recruit Specialists: the specialist of this name."""
    gain(m, who, planet, find(m.table.planets[planet].cards, card))


@step
def take_left_over(m: Match, who: str, planet: str) -> None:
    """Recruit Specialists; FP-6: what is left goes to the inferior player, if there is anything."""
    cards = m.table.planets[planet].cards
    if cards:
        gain(m, who, planet, cards[0])


@step
def leave_rest(m: Match, planet: str) -> None:
    """Recruit Specialists; FP-5: unclaimed specialists go face down to the discard pile."""
    unclaimed = m.table.planets[planet].cards
    if unclaimed:
        m.tell("unclaimed", planet=planet, cards=fronts(unclaimed))
        m.table.planets[planet].cards = []
        discard(m, unclaimed)


@step
def return_ships(m: Match) -> None:
    """Recruit Specialists; FP-3: all parts go back to their owners."""
    for planet in m.table.planets.values():
        planet.ships = []
    for player in m.table.players.values():
        player.dock = player.parts
