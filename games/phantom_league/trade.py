"""Trading: fixed prices, the limited supply, barter, Fuel into the tank (rulebook: Trading; Buying and selling)."""

from __future__ import annotations

from typing import Any

from referee.kit import NUMBER, Match, No, no, number, one_of, order, step

from .docked import do_business, not_docked
from .galaxy import distance, hex_of
from .mats import (
    GOODS,
    ILLEGAL,
    captain_of,
    earn,
    fill_tank,
    free_space,
    gain_cargo,
    is_straight,
    lose_cargo,
    most_fuel,
    note_deed,
    ship_of,
    spend,
)

LEAST_PRICE = 5
HAUL = 3
"""How many hexes away goods must have been bought for a long haul (mission M30)."""


# Prices and limits


def market(m: Match, who: str) -> Any:
    """Trading; PL-93: return the trade box of the place where a ship is docked, or why there is no trade."""
    stop = not_docked(m, who, business="market")
    place = ship_of(m, who).place
    return stop or m.components["trade"].get(place) or no("no trade here", place=place)


def cost(m: Match, who: str, goods: str) -> int:
    """Buying and selling; Captain cards: return what a token costs here, with a captain's discount."""
    price: int = m.components["trade"][ship_of(m, who).place]["buy"][goods]
    return max(LEAST_PRICE, price - m.value("discount", 0, who))


def pays(m: Match, who: str, goods: str) -> int:
    """Buying and selling: return what a token brings here, with what a Docking card adds during this stay."""
    ship = ship_of(m, who)
    price: int = m.components["trade"][ship.place]["sell"][goods]
    return price + ship.bonus.get(goods, 0)


def supply_left(m: Match, goods: str) -> int:
    """Supply limitation; PL-90, PL-91: half of what was there at the first purchase of the turn, at least one token."""
    turn, there = m.table.turn, m.table.supply[goods]
    first = turn.supply.get(goods, there)
    return min(there, max(1, first // 2) - turn.bought.get(goods, 0)) if there else 0


def take_from_supply(m: Match, who: str, goods: str, count: int) -> None:
    """Supply limitation; PL-90: take tokens on board that count against the limit of the turn."""
    turn = m.table.turn
    turn.supply.setdefault(goods, m.table.supply[goods])
    turn.bought[goods] = turn.bought.get(goods, 0) + count
    gain_cargo(m, who, goods, count)


def legal(m: Match, who: str, goods: str) -> bool:
    """Captain cards, Sir Frank Elderberg IV; PL-50: he does not trade Slaves and Narcotics."""
    return goods not in ILLEGAL or not is_straight(m, who)


# Buying


@order("buy {count} {commodity}", count=NUMBER, commodity="commodities")
def buy(m: Match, who: str, count: int, commodity: str) -> None:
    """Buying and selling: tokens for money, into the cargo."""
    ship, price = ship_of(m, who), count * cost(m, who, commodity)
    do_business(m, who)
    spend(m, who, price)
    take_from_supply(m, who, commodity, count)
    stock = ship.bought_at.setdefault(commodity, {})
    stock[ship.place] = stock.get(ship.place, 0) + count
    m.tell("buys", who=who, count=count, goods=commodity, price=price, money=captain_of(m, who).money)


@buy.offered
def may_buy(m: Match, who: str) -> Any:
    """Buying and selling; PL-90: within money, cargo space and supply."""
    box = market(m, who)
    if isinstance(box, No):
        return box
    money, place = captain_of(m, who).money, ship_of(m, who).place
    limits = {g: within(m, who, g) for g in box["buy"] if legal(m, who, g)}
    why = no("buying limits", limits=shown(limits), money=money, space=free_space(m, who))
    if not any(limits.values()):
        return why if limits else no("nothing sold here", place=place)
    refused = {g: no("not sold here", goods=g, place=place) for g in GOODS if g not in box["buy"]}
    refused |= {g: no("straight captain", goods=g) for g in box["buy"] if g not in limits}

    def buyable(chosen: dict[str, Any]) -> Any:
        few = {g: why for g, most in limits.items() if most < chosen["count"]}
        return one_of([g for g in limits if g not in few], refused={**refused, **few})

    return {"count": number(1, max(limits.values()), refused=why), "commodity": buyable}


def within(m: Match, who: str, goods: str) -> int:
    """Buying and selling: return how many tokens money, cargo space and supply allow."""
    return max(0, min(captain_of(m, who).money // cost(m, who, goods), free_space(m, who), supply_left(m, goods)))


def shown(limits: dict[str, int]) -> list[str]:
    """Buying and selling: return limits as words, as "food 4"."""
    return [f"{goods} {most}" for goods, most in limits.items()]


# Fuel into the tank


@order("refuel {count}", count=NUMBER)
def buy_fuel(m: Match, who: str, count: int) -> None:
    """Commodities, Fuel; Supply limitation; PL-90: the tank may always be filled, and no token is used for it."""
    price = count * cost(m, who, "fuel")
    do_business(m, who)
    spend(m, who, price)
    fill_tank(m, who, count)
    m.tell("refuels", who=who, count=count, price=price, fuel=ship_of(m, who).fuel, money=captain_of(m, who).money)


@buy_fuel.offered
def may_buy_fuel(m: Match, who: str) -> Any:
    """Commodities, Fuel: where Fuel is sold; as much as the money buys, if no number is named."""
    box, ship, money = market(m, who), ship_of(m, who), captain_of(m, who).money
    if isinstance(box, No):
        return box
    if "fuel" not in box["buy"]:
        return no("not sold here", goods="fuel", place=ship.place)
    room, price = most_fuel(m, who) - ship.fuel, cost(m, who, "fuel")
    if not room:
        return no("tank full", fuel=ship.fuel)
    if money < price:
        return no("too dear", price=price, money=money)
    most = min(room, money // price)
    return {"count": number(1, most, default=most, refused=no("fuel limits", room=room, price=price, money=money))}


@order("tank {count}", count=NUMBER)
def transfer_fuel(m: Match, who: str, count: int) -> None:
    """Transfer Fuel from Cargo: tokens go back into the supply, and the Fuel into the tank."""
    do_business(m, who)
    lose_cargo(m, who, "fuel", count)
    fill_tank(m, who, count)
    forget_purchases(m, who, "fuel")
    m.tell("tanks", who=who, count=count, fuel=ship_of(m, who).fuel)


@transfer_fuel.offered
def may_transfer_fuel(m: Match, who: str) -> Any:
    """Transfer Fuel from Cargo: docked, with Fuel in the cargo and room in the tank; all of it if no number is named."""
    stop, ship = not_docked(m, who), ship_of(m, who)
    if stop:
        return stop
    most = min(ship.cargo.get("fuel", 0), most_fuel(m, who) - ship.fuel)
    why = no("transfer limits", cargo=ship.cargo.get("fuel", 0), room=most_fuel(m, who) - ship.fuel)
    return {"count": number(1, most, default=most, refused=why)} if most else why


# Selling


@order("sell {count} {commodity}", count=NUMBER, commodity="commodities")
def sell(m: Match, who: str, count: int, commodity: str) -> None:
    """Buying and selling: tokens go back into the supply for money."""
    do_business(m, who)
    sell_tokens(m, who, count, commodity)


def sell_tokens(m: Match, who: str, count: int, commodity: str) -> None:
    """Buying and selling: return tokens to the supply at the local price, whether that is business or pays what is due."""
    price = count * pays(m, who, commodity)
    note_haul(m, who, commodity, count)
    lose_cargo(m, who, commodity, count)
    forget_purchases(m, who, commodity)
    earn(m, who, price)
    m.tell("sells", who=who, count=count, goods=commodity, price=price, money=captain_of(m, who).money)
    auction(m, who, commodity)


@sell.offered
def may_sell(m: Match, who: str) -> Any:
    """Buying and selling: what is on board and wanted here."""
    wanted = goods_wanted(m, who)
    if isinstance(wanted, No):
        return wanted
    cargo = ship_of(m, who).cargo
    why = no("selling limits", limits=shown({g: cargo[g] for g in wanted}))

    def sellable(chosen: dict[str, Any]) -> Any:
        few = {g: why for g in wanted if cargo[g] < chosen["count"]}
        return one_of([g for g in wanted if g not in few], refused={**unwanted(m, who), **few})

    return {"count": number(1, max(cargo[g] for g in wanted), refused=why), "commodity": sellable}


def goods_wanted(m: Match, who: str) -> list[str] | No:
    """Buying and selling: return what is on board and wanted here, or why there is nothing."""
    box, ship = market(m, who), ship_of(m, who)
    if isinstance(box, No):
        return box
    wanted = [g for g in box["sell"] if ship.cargo.get(g, 0) and legal(m, who, g)]
    return wanted or no("nothing wanted", place=ship.place, goods=list(box["sell"]))


def unwanted(m: Match, who: str) -> dict[str, No]:
    """Buying and selling: return for each commodity why it cannot be sold here."""
    ship = ship_of(m, who)
    sold = m.components["trade"][ship.place]["sell"]
    refused = {g: no("not wanted", goods=g, place=ship.place, wanted=list(sold)) for g in GOODS if g not in sold}
    return refused | {g: no("not on board", goods=g) for g in sold if not ship.cargo.get(g, 0)}


@order("sell all {commodity}", commodity="commodities")
def sell_all(m: Match, who: str, commodity: str) -> None:
    """Buying and selling: sell every token of a commodity."""
    m.do(sell(who=who, count=ship_of(m, who).cargo[commodity], commodity=commodity))


@sell_all.offered
def may_sell_all(m: Match, who: str) -> Any:
    """Buying and selling: what is on board and wanted here."""
    wanted = goods_wanted(m, who)
    return wanted if isinstance(wanted, No) else {"commodity": one_of(wanted, refused=unwanted(m, who))}


def auction(m: Match, who: str, goods: str) -> None:
    """Docking cards, Auction Day: who sells Slaves there gains Notoriety, once a stay."""
    ship = ship_of(m, who)
    if goods == "slaves" and ship.auction:
        ship.auction = False
        m.do(step.gain_notoriety(who=who))


def note_haul(m: Match, who: str, goods: str, count: int) -> None:
    """Missions, Long Haul: count the tokens that were bought at least three hexes from here; those are sold first."""
    ship = ship_of(m, who)
    here, hauled = hex_of(m, ship.place), 0
    stock = ship.bought_at.get(goods, {})
    for place in [p for p in stock if distance(here, hex_of(m, p)) >= HAUL]:
        taken = min(count - hauled, stock[place])
        stock[place] -= taken
        hauled += taken
    if hauled:
        note_deed(m, who, f"hauled {goods}", hauled)


def forget_purchases(m: Match, who: str, goods: str) -> None:
    """Missions, Long Haul: no more tokens count as bought somewhere than are on board."""
    ship = ship_of(m, who)
    stock = ship.bought_at.get(goods, {})
    surplus = sum(stock.values()) - ship.cargo.get(goods, 0)
    for place in list(stock):
        gone = min(max(surplus, 0), stock[place])
        stock[place] -= gone
        surplus -= gone
        if not stock[place]:
            del stock[place]


# Barter


@order("barter {count}", count=NUMBER)
def barter(m: Match, who: str, count: int) -> None:
    """Trading; PL-92: the special deal of a place, as often as cargo and supply allow."""
    deal = m.components["trade"][ship_of(m, who).place]["barter"]
    do_business(m, who)
    for goods, each in deal["give"].items():
        lose_cargo(m, who, goods, each * count)
        forget_purchases(m, who, goods)
    for goods, each in deal["get"].items():
        take_from_supply(m, who, goods, each * count)
    m.tell("barters", who=who, gives=times(deal["give"], count), gets=times(deal["get"], count))


@barter.offered
def may_barter(m: Match, who: str) -> Any:
    """Trading; PL-92: where there is a deal; once if no number is named."""
    box, ship = market(m, who), ship_of(m, who)
    if isinstance(box, No):
        return box
    deal = box.get("barter")
    if not deal or not all(legal(m, who, g) for g in [*deal["give"], *deal["get"]]):
        return no("no barter here", place=ship.place)
    most = barters(m, who, deal)
    why = no("barter limits", gives=times(deal["give"], 1), gets=times(deal["get"], 1), most=most)
    return {"count": number(1, most, default=1, refused=why)} if most else why


def barters(m: Match, who: str, deal: dict[str, dict[str, int]]) -> int:
    """Trading; PL-92: return how often the deal can be made."""
    most = min(ship_of(m, who).cargo.get(goods, 0) // each for goods, each in deal["give"].items())
    most = min(most, *(supply_left(m, goods) // each for goods, each in deal["get"].items()))
    grown = sum(deal["get"].values()) - sum(deal["give"].values())
    return max(0, min(most, free_space(m, who) // grown) if grown > 0 else most)


def times(goods: dict[str, int], count: int) -> list[str]:
    """Trading: return goods as words, as "2 food"."""
    return [f"{each * count} {name}" for name, each in goods.items()]
