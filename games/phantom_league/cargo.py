"""Cargo: its limit, what is thrown out, what is produced, what changes ships (Cargo; Moving Cargo From Ship to Ship)."""

from __future__ import annotations

from typing import Any

from referee.kit import NUMBER, Match, no, number, one_of, order, step

from .docked import STATION, do_business, not_docked
from .improvements import cards, tell_card
from .mats import aboard, burn_fuel, captain_of, fleet, free_space, gain_cargo, lose_cargo, move_cargo, ship_of, ships_at
from .trade import forget_purchases, legal, shown

# Throwing out


@order("dump {count} {commodity}", count=NUMBER, commodity="commodities")
def dump(m: Match, who: str, count: int, commodity: str) -> None:
    """Cargo; PL-94: cargo is left behind without compensation."""
    lose_cargo(m, who, commodity, count)
    forget_purchases(m, who, commodity)
    m.tell("dumps", who=who, count=count, goods=commodity)


@dump.offered
def may_dump(m: Match, who: str) -> Any:
    """Cargo; PL-94: whatever is on board."""
    cargo = {goods: count for goods, count in ship_of(m, who).cargo.items() if count}
    if not cargo:
        return no("no cargo")
    why = no("cargo limits", limits=shown(cargo))

    def enough(chosen: dict[str, Any]) -> Any:
        return one_of([g for g in cargo if cargo[g] >= chosen["count"]], refused=dict.fromkeys(cargo, why))

    return {"count": number(1, max(cargo.values()), refused=why), "commodity": enough}


@step
def jettison_surplus(m: Match, who: str) -> Any:
    """Cargo; PL-18: while there is more on board than the ship can take, its owner throws out what he chooses."""
    overfull = ships_overfull(m, who)
    if overfull and captain_of(m, who).ship not in overfull:
        back = captain_of(m, who).ship
        m.do(step.take_helm(who=who, ship=overfull[0]), jettison_surplus(who=who), step.take_helm(who=who, ship=back))
        return None
    surplus = -free_space(m, who)
    held = [goods for goods, count in ship_of(m, who).cargo.items() if count]
    if surplus <= 0 or not held:
        return None
    if len(held) == 1:
        m.do(dump(who=who, count=min(surplus, ship_of(m, who).cargo[held[0]]), commodity=held[0]))
        return None
    active = m.table.turn.who
    interrupts = "" if who == active else active
    again = jettison_surplus(who=who)
    return m.ask(who, "jettison", jettison, then=[again], interrupts=interrupts, surplus=surplus)


def ships_overfull(m: Match, who: str) -> list[str]:
    """Cargo; Variants, Two Player Game: return the ships of a player that carry more than they can take."""
    found = []
    for name in fleet(m, who) if len(fleet(m, who)) > 1 else ():
        with aboard(m, who, name):
            if free_space(m, who) < 0 and any(ship_of(m, who).cargo.values()):
                found.append(name)
    return found


@order("jettison {count} {commodity}", count=NUMBER, commodity="commodities")
def jettison(m: Match, who: str, count: int, commodity: str) -> None:
    """Cargo; PL-18: tokens beyond the space are thrown out."""
    m.do(dump(who=who, count=count, commodity=commodity))


@jettison.offered
def may_jettison(m: Match, who: str) -> Any:
    """Cargo; PL-18: no more than must be thrown out."""
    surplus = -free_space(m, who)
    cargo = {goods: min(count, surplus) for goods, count in ship_of(m, who).cargo.items() if count}
    why = no("jettison limits", surplus=surplus, limits=shown(cargo))

    def enough(chosen: dict[str, Any]) -> Any:
        return one_of([g for g in cargo if cargo[g] >= chosen["count"]], refused=dict.fromkeys(cargo, why))

    return {"count": number(1, max(cargo.values()), refused=why), "commodity": enough}


# Production


@step
def produce(m: Match, who: str) -> None:
    """Cargo; PL-20, PL-95: at the start of the own turn every production Improvement that is switched on works."""
    ship = ship_of(m, who)
    working = [card for card in ship.unbroken() if "produces" in m.components["improvements"][card]]
    m.do(*[run_plant(who=who, card=card) for card in working if card not in ship.off])


@step
def run_plant(m: Match, who: str, card: str) -> None:
    """Cargo; PL-40, PL-95: with at least one free space and the Fuel in the tank; what finds no space is lost."""
    row, ship = m.components["improvements"][card], ship_of(m, who)
    if free_space(m, who) < 1 or ship.fuel < row["runs-on"] or not legal(m, who, row["produces"]):
        tell_card(m, "stands still", who, card)
        return
    burn_fuel(m, who, row["runs-on"])
    taken = gain_cargo(m, who, row["produces"], row["amount"])
    lost = row["amount"] - taken
    tell_card(m, "produces", who, card, goods=row["produces"], count=taken, lost=lost, fuel=ship.fuel)


def plants(m: Match, who: str, off: bool) -> list[str]:
    """Cargo; PL-95: return the installed production Improvements that are switched off, or on."""
    ship = ship_of(m, who)
    found = [card for card in ship.installed if "produces" in m.components["improvements"][card]]
    return [card for card in found if (card in ship.off) == off]


@order("switch on {improvement}", improvement="improvements")
def switch_on(m: Match, who: str, improvement: str) -> None:
    """Cargo; PL-95: a production Improvement works again from the next turn on."""
    ship_of(m, who).off.remove(improvement)
    tell_card(m, "switches on", who, improvement)


@switch_on.offered
def may_switch_on(m: Match, who: str) -> Any:
    """Cargo; PL-95: what is switched off."""
    stopped = plants(m, who, off=True)
    return {"improvement": one_of(stopped)} if stopped else no("no plant off")


@order("switch off {improvement}", improvement="improvements")
def switch_off(m: Match, who: str, improvement: str) -> None:
    """Cargo; PL-95: the owner may stop a production Improvement."""
    ship_of(m, who).off.append(improvement)
    tell_card(m, "switches off", who, improvement)


@switch_off.offered
def may_switch_off(m: Match, who: str) -> Any:
    """Cargo; PL-95: what is switched on."""
    working = plants(m, who, off=False)
    return {"improvement": one_of(working)} if working else no("no plant on")


# From ship to ship


@order("hand over {count} {commodity} to {seat}", count=NUMBER, commodity="commodities", seat="seats")
def hand_over(m: Match, who: str, count: int, commodity: str, seat: str) -> None:
    """Moving Cargo From Ship to Ship; PL-47: tokens are offered to a ship docked at the same place."""
    do_business(m, who)
    m.tell("offers cargo", who=who, taker=seat, count=count, goods=commodity)
    m.do(offer_cargo(who=who, seat=seat, count=count, commodity=commodity))


@hand_over.offered
def may_hand_over(m: Match, who: str) -> Any:
    """Moving Cargo From Ship to Ship; PL-47, PL-50: what is on board, to who is docked here, has space and may carry it."""
    stop, cargo = not_docked(m, who), ship_of(m, who).cargo
    beside = neighbours(m, who)
    if stop or not beside:
        return stop or no("nobody docked here", place=ship_of(m, who).place)
    room = {seat: free_space(m, seat) for seat in beside}
    most = {goods: min(count, max(room.values())) for goods, count in cargo.items() if count}
    if not any(most.values()):
        return no("no cargo") if not most else no("no space there", room=shown(room))
    limits = no("hand over limits", limits=shown(most))

    def enough(chosen: dict[str, Any]) -> Any:
        return one_of([g for g in most if most[g] >= chosen["count"]], refused=dict.fromkeys(most, limits))

    def takers(chosen: dict[str, Any]) -> Any:
        full = {s: no("no space there", room=shown(room)) for s in beside if room[s] < chosen["count"]}
        return one_of([s for s in beside if s not in full and legal(m, s, chosen["commodity"])], refused=full)

    return {"count": number(1, max(most.values()), refused=limits), "commodity": enough, "seat": takers}


def neighbours(m: Match, who: str) -> list[str]:
    """Moving Cargo From Ship to Ship; PL-47: return the other seats whose ships are docked at the same place."""
    here = ships_at(m, [ship_of(m, who).place])
    return [seat for seat in m.others(who) if seat in here and ship_of(m, seat).docked]


@step
def offer_cargo(m: Match, who: str, seat: str, count: int, commodity: str) -> Any:
    """Moving Cargo From Ship to Ship; PL-47: the other player agrees or not."""
    terms: dict[str, Any] = {"giver": who, "count": count, "commodity": commodity}
    return m.ask(seat, "cargo", take_on.given(**terms), turn_down.given(giver=who), interrupts=who, **terms)


@order("take on cargo")
def take_on(m: Match, who: str, giver: str, count: int, commodity: str) -> None:
    """Moving Cargo From Ship to Ship: the tokens change ships, free of charge, as far as they are still there."""
    moved = move_cargo(m, giver, who, commodity, min(count, ship_of(m, giver).cargo.get(commodity, 0)))
    forget_purchases(m, giver, commodity)
    m.tell("takes cargo", who=who, giver=giver, count=moved, goods=commodity)


@order("turn down cargo", standing=True)
def turn_down(m: Match, who: str, giver: str) -> None:
    """Moving Cargo From Ship to Ship: nobody has to take cargo."""
    m.tell("turns down", who=who, giver=giver)


@order("hand over {improvement} to {seat}", improvement="improvements", seat="seats")
def hand_card(m: Match, who: str, improvement: str, seat: str) -> None:
    """Reselling Improvements: a stored Improvement is offered to a ship docked at the same Space Station."""
    do_business(m, who)
    tell_card(m, "offers card", who, improvement, taker=seat)
    m.do(offer_card(who=who, seat=seat, card=improvement))


@hand_card.offered
def may_hand_card(m: Match, who: str) -> Any:
    """Reselling Improvements: stored cards, broken ones too, at a Space Station."""
    stop, ship = not_docked(m, who, at=STATION), ship_of(m, who)
    beside = neighbours(m, who)
    if stop or not beside:
        return stop or no("nobody docked here", place=ship.place)
    refused = {card: no("store it first", card=card) for card in ship.installed}
    slots = {"improvement": cards(m, "improvements", ship.stored, refused), "seat": one_of(beside)}
    return slots if ship.stored else no("nothing stored")


@step
def offer_card(m: Match, who: str, seat: str, card: str) -> Any:
    """Reselling Improvements: the other player agrees or not."""
    terms: dict[str, Any] = {"giver": who, "card": card}
    return m.ask(seat, "card", take_card.given(**terms), turn_down.given(giver=who), interrupts=who, **terms)


@order("take on improvement")
def take_card(m: Match, who: str, giver: str, card: str) -> None:
    """Reselling Improvements: the card changes ships, as broken as it is, if it was not given away meanwhile."""
    if card not in ship_of(m, giver).stored:
        m.tell("turns down", who=who, giver=giver)
        return
    ship_of(m, giver).hand_over(card, ship_of(m, who))
    tell_card(m, "takes card", who, card, giver=giver)
