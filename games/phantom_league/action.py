"""Actions in a Star System Hex: mining, Fuel scoop, blockading, and docking with other ships."""

from __future__ import annotations

from typing import Any

from referee.kit import NUMBER, Match, no, number, one_of, order, step

from . import galaxy
from .choices import interrupted, yes_or_no
from .data import called, refusing
from .docking import dock
from .mats import (
    captain_of,
    fill_tank,
    free_space,
    gain_cargo,
    most_fuel,
    move_cargo,
    note_deed,
    pay,
    ship_of,
    ships_at,
)
from .movement import here
from .table import Ship
from .turn_state import action_over, gone, printed, take_action

# Mining and scooping


@order("mine")
def mine(m: Match, who: str) -> None:
    """Actions in a Star System Hex, Mining; PL-40: three Ore, more with some cards, as far as there is space."""
    take_action(m)
    dug = m.value("mining", printed(m, "mining"), who)
    taken = gain_cargo(m, who, "ore", dug)
    note_deed(m, who, "mined", taken)
    m.tell("mines", who=who, count=taken, lost=dug - taken, place=ship_of(m, who).place)


@mine.offered
def may_mine(m: Match, who: str) -> Any:
    """Actions in a Star System Hex, Mining: in a half-hex with asteroids."""
    over = action_over(m, who)
    if over is not None:
        return over
    if not galaxy.has(m, ship_of(m, who).place, "asteroids"):
        return no("no asteroids", place=ship_of(m, who).place)
    return {} if free_space(m, who) > 0 else no("no space")


@order("scoop")
def scoop(m: Match, who: str) -> None:
    """Actions in a Star System Hex, Fuel scoop; PL-40: Fuel into the tank, up to what it holds."""
    take_action(m)
    taken = fill_tank(m, who, m.value("scoop", 0, who))
    m.tell("scoops", who=who, count=taken, fuel=ship_of(m, who).fuel)


@scoop.offered
def may_scoop(m: Match, who: str) -> Any:
    """Actions in a Star System Hex, Fuel scoop: with the Improvement, in a half-hex with a gas giant."""
    over = action_over(m, who)
    if over is not None:
        return over
    if not m.has("scoop", who):
        return no("no fuel scoop")
    if not galaxy.has(m, ship_of(m, who).place, "giant"):
        return no("no gas giant", place=ship_of(m, who).place)
    return {} if ship_of(m, who).fuel < most_fuel(m, who) else no("tank is full")


# Blockading


@order("blockade")
def blockade(m: Match, who: str) -> None:
    """Actions in a Star System Hex, Blockading; PL-43: every ship docked in the same half-hex at this moment is held."""
    take_action(m)
    held = docked_beside(m, who)
    for ship in held:
        ship.blockaders.append(captain_of(m, who).ship)
    m.tell("blockades", who=who, seats=list(dict.fromkeys(ship.who for ship in held)), place=ship_of(m, who).place)


@blockade.offered
def may_blockade(m: Match, who: str) -> Any:
    """Actions in a Star System Hex, Blockading: where other ships are docked."""
    over = action_over(m, who)
    if over is not None:
        return over
    return {} if docked_beside(m, who) else no("nobody docked", place=ship_of(m, who).place)


def docked_beside(m: Match, who: str) -> list[Ship]:
    """Actions in a Star System Hex, Blockading: return the ships of others that are docked in the same half-hex."""
    place = ship_of(m, who).place
    return [ship for ship in m.table.ships.values() if ship.who != who and ship.docked and ship.place == place]


@order("break blockade [of {seat}]", seat="seats")
def break_blockade(m: Match, who: str, seat: str) -> None:
    """Actions in a Star System Hex, Blockading; PL-44: the blockader is fought before the ship moves; that is no action."""
    m.do(step.battle(attacker=who, defender=seat, cause="blockade"), blockade_broken(who=who, seat=seat))


@break_blockade.offered
def may_break_blockade(m: Match, who: str) -> Any:
    """Actions in a Star System Hex, Blockading; PL-44: at the start of the movement phase."""
    return held_by(m, who)


def held_by(m: Match, who: str) -> Any:
    """Actions in a Star System Hex, Blockading: offer the captains who hold a ship."""
    turn = m.table.turn
    holders = holders_of(m, who)
    if not holders:
        return no("no blockade")
    if turn.moved or turn.acted or turn.phase == "action":
        return no("movement is over")
    return {"seat": one_of(holders, default=holders[0])}


def holders_of(m: Match, who: str) -> list[str]:
    """Actions in a Star System Hex, Blockading: return the captains who hold a ship."""
    return [m.table.ships[name].who for name in ship_of(m, who).blockaders]


@step
def blockade_broken(m: Match, who: str, seat: str) -> None:
    """Actions in a Star System Hex, Blockading; PL-44: after the battle a ship that was not destroyed is free."""
    fought = [other for other in m.table.turns if other in m.table.battle.outcome and seat in holders_of(m, other)]
    for one in [one for one in (who, *fought) if not gone(m, one)]:
        note_deed(m, one, "broke a blockade")
        free_from(m, one, seat)


def free_from(m: Match, who: str, seat: str) -> None:
    """Actions in a Star System Hex, Blockading: one captain holds a ship no more."""
    ship = ship_of(m, who)
    ship.blockaders = [name for name in ship.blockaders if name in m.table.ships and m.table.ships[name].who != seat]
    m.tell("freed", who=who, seat=seat)


@order("offer {money} to {seat}", money=NUMBER, seat="seats")
def bargain(m: Match, who: str, money: int, seat: str) -> None:
    """Actions in a Star System Hex, Blockading; PL-44: the blockader may let a ship leave, for money or for nothing."""
    m.table.turn.asked.append(f"bargain {seat}")
    m.tell("bargains", who=who, seat=seat, money=money)
    m.do(hear_bargain(who=who, seat=seat, money=money))


@bargain.offered
def may_bargain(m: Match, who: str) -> Any:
    """Actions in a Star System Hex, Blockading: one offer a turn to each blockader."""
    slots = held_by(m, who)
    if not isinstance(slots, dict):
        return slots
    names = [seat for seat in slots["seat"].names if f"bargain {seat}" not in m.table.turn.asked]
    if not names:
        return no("offered before")
    return {"money": number(0, captain_of(m, who).money), "seat": one_of(names, default=names[0])}


@step
def hear_bargain(m: Match, who: str, seat: str, money: int) -> Any:
    """Actions in a Star System Hex, Blockading: the blockader decides."""
    if gone(m, seat) or gone(m, who):
        return None
    yes = [take_bargain(who=who, seat=seat, money=money)]
    return m.ask(seat, "bargain", *yes_or_no(yes), interrupts=interrupted(m, seat), player=who, money=money)


@step
def take_bargain(m: Match, who: str, seat: str, money: int) -> None:
    """Actions in a Star System Hex, Blockading; PL-13: the money changes hands, and the ship is free; if it is still there."""
    if captain_of(m, who).money < money:
        m.tell("cannot pay", who=who, money=money, why="bargain")
        return
    pay(m, who, seat, money)
    m.tell("pays", who=who, seat=seat, money=money)
    if money >= printed(m, "extorted"):
        note_deed(m, seat, "extorted")
    free_from(m, who, seat)


# Docking with other ships


@order("dock with {seat}", seat="seats")
def dock_with(m: Match, who: str, seat: str) -> None:
    """Actions in a Star System Hex, Docking with other ships; PL-46: the action of the active player, if the other agrees."""
    m.table.turn.asked.append(f"dock {seat}")
    m.tell("wants to dock", who=who, seat=seat)
    m.do(ask_to_dock(who=who, seat=seat))


@dock_with.offered
def may_dock_with(m: Match, who: str) -> Any:
    """Actions in a Star System Hex, Docking with other ships; PL-46: both undocked, in the same hex."""
    over = action_over(m, who)
    if over is not None:
        return over
    near = [seat for seat in ships_at(m, galaxy.halves(m, here(m, who))) if seat != who]
    refused = {seat: no("ship docked", seat=seat) for seat in near if ship_of(m, seat).docked}
    refused.update({seat: no("asked before", seat=seat) for seat in near if f"dock {seat}" in m.table.turn.asked})
    free = [seat for seat in near if seat not in refused]
    return {"seat": one_of(free, refused=refused)} if free else no("nobody to dock with")


@step
def ask_to_dock(m: Match, who: str, seat: str) -> Any:
    """Actions in a Star System Hex, Docking with other ships: the other captain agrees or not."""
    if gone(m, seat):
        return None
    yes = [join_ships(who=who, seat=seat)]
    return m.ask(seat, "docking ships", *yes_or_no(yes), interrupts=interrupted(m, seat), player=who)


@step
def join_ships(m: Match, who: str, seat: str) -> None:
    """Actions in a Star System Hex, Docking with other ships; PL-46: each hands over what he wants, then they separate."""
    take_action(m)
    m.tell("ships dock", who=who, seat=seat)
    m.do(hand_across(who=who, to=seat), hand_across(who=seat, to=who))


@step
def hand_across(m: Match, who: str, to: str) -> Any:
    """Actions in a Star System Hex, Docking with other ships: one captain hands over, as often as he wants."""
    if gone(m, who) or gone(m, to):
        return None
    orders = transfer.given(to=to), transfer_card.given(to=to), separate.given(to=to)
    return m.ask(who, "hand across", *orders, then=[hand_across(who=who, to=to)], interrupts=interrupted(m, who), other=to)


@order("transfer {count} {commodity}", count=NUMBER, commodity="commodities")
def transfer(m: Match, who: str, to: str, count: int, commodity: str) -> None:
    """Actions in a Star System Hex, Docking with other ships: tokens change ships; Fuel in the tank cannot."""
    m.tell("transfers", who=who, seat=to, count=move_cargo(m, who, to, commodity, count), goods=commodity)


@transfer.offered
def may_transfer(m: Match, who: str, to: str) -> Any:
    """Actions in a Star System Hex, Docking with other ships: within the cargo and the other's space."""
    space = free_space(m, to)
    straight = ("narcotics", "slaves") if m.has("straight", to) else ()
    cargo = {goods: min(count, space) for goods, count in ship_of(m, who).cargo.items() if count and goods not in straight}
    if not cargo or space <= 0:
        return no("nothing to transfer", seat=to)

    def enough(chosen: dict[str, Any]) -> Any:
        return one_of([goods for goods, most in cargo.items() if most >= chosen["count"]])

    return {"count": number(1, max(cargo.values())), "commodity": enough}


@order("transfer {improvement}", improvement="improvements")
def transfer_card(m: Match, who: str, to: str, improvement: str) -> None:
    """Actions in a Star System Hex, Docking with other ships; PL-46: stored Improvements, as broken as they are."""
    ship_of(m, who).hand_over(improvement, ship_of(m, to))
    m.tell("transfers card", who=who, seat=to, improvement=improvement, name=m.components["improvements"][improvement]["name"])


@transfer_card.offered
def may_transfer_card(m: Match, who: str, to: str) -> Any:
    """Actions in a Star System Hex, Docking with other ships; PL-46: what is not installed."""
    stored = ship_of(m, who).stored
    refused = {card: no("installed", improvement=card) for card in ship_of(m, who).installed}
    if not stored:
        return no("nothing stored")
    why, same = refusing(m, "improvements", refused), called(m, "improvements", stored)
    return {"improvement": one_of(stored, refused=why, same=same)}


@order("separate")
def separate(m: Match, who: str, to: str) -> None:
    """Actions in a Star System Hex, Docking with other ships; PL-46: nothing more is handed over."""
    m.cancel(hand_across(who=who, to=to))
    m.tell("hands over no more", who=who, seat=to)


ACTIONS = (break_blockade, bargain, mine, scoop, blockade, dock, dock_with)
