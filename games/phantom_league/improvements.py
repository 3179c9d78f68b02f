"""Improvements: bought, sold, installed, stored, repaired, their powers outside battle (Actions on Space Stations)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.kit import NUMBER, Match, No, no, number, one_of, order

from .data import called, spelt
from .docked import STATION, do_business, not_docked, too_dear
from .mats import (
    adjust_dials,
    burn_fuel,
    captain_of,
    drop_surplus,
    earn,
    most_structure,
    name_of,
    ship_of,
    slots,
    spend,
    to_deck,
)

REPAIR_CARDS = 50
"""What repairing broken Improvements costs, regardless of their number."""
REPAIR_POINT = 50
"""What a Structure point costs."""
RESALE = 2


def cards(m: Match, sheet: str, codes: Sequence[str], refused: Mapping[str, No]) -> Any:
    """Cards: offer some cards by code or name, and say of others why they cannot be chosen."""
    names = {spelt(m.components[sheet][code]["name"]): why for code, why in refused.items()}
    return one_of(codes, refused={**names, **refused}, same=called(m, sheet, codes))


def named(m: Match, sheet: str, codes: Sequence[str]) -> list[str]:
    """Cards: return cards as words, as "I19 Cargo Bay"."""
    return [f"{code} {name_of(m, sheet, code)}" for code in codes]


def tell_card(m: Match, kind: str, who: str, card: str, **words: Any) -> None:
    """Cards: tell of what happens to an Improvement, by code and name."""
    m.tell(kind, who=who, card=card, name=name_of(m, "improvements", card), **words)


def price_of(m: Match, card: str) -> int:
    """Buying Improvements: return the price printed on a card."""
    price: int = m.components["improvements"][card]["price"]
    return price


def structure_of(m: Match, card: str) -> int:
    """Buying Improvements: return the Structure value of a card."""
    value: int = m.components["improvements"][card].get("structure", 0)
    return value


# Buying and selling


@order("buy {improvement}", improvement="improvements")
def buy_improvement(m: Match, who: str, improvement: str) -> None:
    """Buying Improvements; PL-5, PL-15: any card of the open deck; it is stored until it is installed."""
    do_business(m, who)
    ship, price = ship_of(m, who), asked_price(m, who, improvement)
    ship.market -= bool(ship.market)
    spend(m, who, price)
    m.table.improvements.remove(improvement)
    ship.stored.append(improvement)
    tell_card(m, "buys improvement", who, improvement, price=price, money=captain_of(m, who).money)


@buy_improvement.offered
def may_buy_improvement(m: Match, who: str) -> Any:
    """Buying Improvements: at a Space Station, or where a Docking card opens a black market."""
    at = "" if ship_of(m, who).market else STATION
    stop = not_docked(m, who, at=at, business="improvements")
    if stop:
        return stop
    dear = {card: why for card in m.table.improvements if (why := too_dear(m, who, asked_price(m, who, card)))}
    gone = {card: no("not in deck", card=card) for card in m.components["improvements"] if card not in m.table.improvements}
    codes = [card for card in m.table.improvements if card not in dear]
    return {"improvement": cards(m, "improvements", codes, {**gone, **dear})}


def asked_price(m: Match, who: str, card: str) -> int:
    """Buying Improvements; Docking cards, Black Market: return the price, or half of it there."""
    return price_of(m, card) // (RESALE if ship_of(m, who).market else 1)


@order("sell {improvement}", improvement="improvements")
def sell_improvement(m: Match, who: str, improvement: str) -> None:
    """Reselling Improvements; PL-5: for half the price; the card goes back into the deck."""
    do_business(m, who)
    give_up_card(m, who, improvement)
    price = price_of(m, improvement) // RESALE
    earn(m, who, price)
    tell_card(m, "sells improvement", who, improvement, price=price, money=captain_of(m, who).money)


@sell_improvement.offered
def may_sell_improvement(m: Match, who: str) -> Any:
    """Reselling Improvements; PL-49: at a Space Station, what is not broken."""
    stop = not_docked(m, who, at=STATION, business="improvements")
    return stop or sellable(m, who)


def sellable(m: Match, who: str) -> Any:
    """Reselling Improvements; PL-17, PL-49: own cards that are not broken, if the ship holds together without them."""
    ship = ship_of(m, who)
    refused = {card: no("not yours", card=card) for card in m.components["improvements"]}
    refused |= {card: why for card in ship.installed if (why := holds_ship(m, who, card))}
    refused |= {card: no("broken", card=card) for card in ship.broken}
    codes = [card for card in [*ship.installed, *ship.stored] if card not in ship.broken and not holds_ship(m, who, card)]
    return {"improvement": cards(m, "improvements", codes, refused)} if codes else no("nothing to resell")


def give_up_card(m: Match, who: str, card: str) -> None:
    """Reselling Improvements; PL-5, PL-17: a card leaves the ship and goes back into the deck."""
    ship = ship_of(m, who)
    if card in ship.installed:
        take_off(m, who, card)
    ship.stored.remove(card)
    to_deck(m, card)


# Installing


@order("install {improvement}", improvement="improvements")
def install(m: Match, who: str, improvement: str) -> None:
    """Installing unused Improvements; PL-17: its Structure is added to the dial."""
    do_business(m, who)
    ship = ship_of(m, who)
    ship.stored.remove(improvement)
    ship.installed.append(improvement)
    ship.structure += structure_of(m, improvement)
    tell_card(m, "installs", who, improvement, structure=ship.structure, slots=slots(m, who) - len(ship.installed))


@install.offered
def may_install(m: Match, who: str) -> Any:
    """Installing unused Improvements; PL-16: at a Space Station, into a free slot, what is not broken."""
    stop, ship = not_docked(m, who, at=STATION), ship_of(m, who)
    if stop:
        return stop
    if len(ship.installed) >= slots(m, who):
        return no("slots taken", slots=slots(m, who))
    refused = {card: no("installed already", card=card) for card in ship.installed}
    refused |= {card: no("broken", card=card) for card in ship.broken}
    refused = {**{c: no("not yours", card=c) for c in m.components["improvements"]}, **refused}
    codes = [card for card in ship.stored if card not in ship.broken]
    return {"improvement": cards(m, "improvements", codes, refused)} if ship.stored else no("nothing to install")


@order("store {improvement}", improvement="improvements")
def store(m: Match, who: str, improvement: str) -> None:
    """Installing unused Improvements; PL-17: a card is uninstalled and kept."""
    do_business(m, who)
    take_off(m, who, improvement)
    tell_card(m, "stores", who, improvement, structure=ship_of(m, who).structure)


@store.offered
def may_store(m: Match, who: str) -> Any:
    """Installing unused Improvements; PL-17: at a Space Station, if the ship keeps at least one Structure point."""
    stop, ship = not_docked(m, who, at=STATION), ship_of(m, who)
    if stop:
        return stop
    refused = {card: no("not installed", card=card) for card in m.components["improvements"]}
    refused |= {card: why for card in ship.installed if (why := holds_ship(m, who, card))}
    codes = [card for card in ship.installed if not holds_ship(m, who, card)]
    return {"improvement": cards(m, "improvements", codes, refused)} if ship.installed else no("nothing installed")


def holds_ship(m: Match, who: str, card: str) -> No | None:
    """Installing unused Improvements; PL-17: return that a ship cannot do without a card's Structure, or nothing."""
    ship = ship_of(m, who)
    if card not in ship.unbroken() or ship.structure > structure_of(m, card):
        return None
    return no("holds ship", card=card, structure=ship.structure, value=structure_of(m, card))


def take_off(m: Match, who: str, card: str) -> None:
    """Installing unused Improvements; PL-17, PL-18: what an installed card gave is taken away again."""
    ship = ship_of(m, who)
    if card not in ship.broken:
        ship.structure -= structure_of(m, card)
    ship.installed.remove(card)
    ship.stored.append(card)
    ship.off = [plant for plant in ship.off if plant != card]
    drop_surplus(m, who)


# Repairs


@order("repair improvements")
def repair_improvements(m: Match, who: str) -> None:
    """Repairing broken Improvements; PL-49: 50 for any number; the Structure points that were lost do not come back."""
    do_business(m, who)
    spend(m, who, REPAIR_CARDS)
    mend_cards(m, who)
    m.tell("pays for repairs", who=who, price=REPAIR_CARDS, money=captain_of(m, who).money)


def mend_cards(m: Match, who: str) -> None:
    """Repairing broken Improvements: all are turned face up."""
    ship = ship_of(m, who)
    m.tell("repairs improvements", who=who, cards=named(m, "improvements", ship.broken))
    ship.broken = []
    adjust_dials(m, who)


@repair_improvements.offered
def may_repair_improvements(m: Match, who: str) -> Any:
    """Repairing broken Improvements; PL-49: at a Space Station."""
    stop = not_docked(m, who, at=STATION, business="repairs")
    if stop:
        return stop
    return (too_dear(m, who, REPAIR_CARDS) or {}) if ship_of(m, who).broken else no("nothing broken")


@order("repair {count}", count=NUMBER)
def repair(m: Match, who: str, count: int) -> None:
    """Repairing Structural Damage: 50 a point, up to the maximum."""
    do_business(m, who)
    price = count * point_price(m, who)
    spend(m, who, price)
    recover(m, who, count)
    m.tell("pays for repairs", who=who, price=price, money=captain_of(m, who).money)


def point_price(m: Match, who: str) -> int:
    """Repairing Structural Damage; Captain cards: return what a point costs a captain."""
    return REPAIR_POINT - m.value("repair-discount", 0, who)


def recover(m: Match, who: str, count: int) -> None:
    """Repairing Structural Damage: Structure comes back."""
    ship = ship_of(m, who)
    ship.structure += count
    ship.repaired += count
    m.tell("repairs", who=who, by=count, structure=ship.structure)


def damage(m: Match, who: str) -> int:
    """Repairing Structural Damage: return how many points are missing."""
    return max(0, most_structure(m, who) - ship_of(m, who).structure)


@repair.offered
def may_repair(m: Match, who: str) -> Any:
    """Repairing Structural Damage: at a Space Station; as much as the money buys, if no number is named."""
    stop, price = not_docked(m, who, at=STATION, business="repairs"), point_price(m, who)
    if stop or not damage(m, who):
        return stop or no("undamaged")
    stop = too_dear(m, who, price)
    most = min(damage(m, who), captain_of(m, who).money // price)
    why = no("repair limits", damage=damage(m, who), price=price, money=captain_of(m, who).money)
    return stop or {"count": number(1, most, default=most, refused=why)}


@order("deploy drones")
def deploy_drones(m: Match, who: str) -> None:
    """Improvements, Repair Drones: one Structure point free, once an own turn, anywhere."""
    m.table.turn.drones_used = True
    recover(m, who, 1)


@deploy_drones.offered
def may_deploy_drones(m: Match, who: str) -> Any:
    """Improvements, Repair Drones: unbroken and installed, once a turn, with something to repair."""
    if not m.has("drones", who):
        return no("no drones")
    if m.table.turn.drones_used:
        return no("drones used")
    return {} if damage(m, who) else no("undamaged")


@order("mend")
def mend(m: Match, who: str) -> None:
    """Captain cards, Aayaeh'h: one Fuel from the tank repairs one Structure, once a turn, at any time in it."""
    m.table.turn.self_repaired = True
    burn_fuel(m, who, 1)
    recover(m, who, 1)


@mend.offered
def may_mend(m: Match, who: str) -> Any:
    """Captain cards, Aayaeh'h: once a turn, with Fuel in the tank and something to repair."""
    if not m.has("self-repair", who):
        return no("cannot mend")
    if m.table.turn.self_repaired:
        return no("mended")
    if not ship_of(m, who).fuel:
        return no("tank empty")
    return {} if damage(m, who) else no("undamaged")
