"""Game Turn: it begins, goes through movement and actions, and ends."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, order, step

from . import battle_menu, port
from .action import ACTIONS
from .common_turn import next_place, take_common_turn, who_has_turn
from .ending import end_in_rounds
from .fleet import FLEET, begin_parts, for_each_ship, look_around, take_helm
from .group import leave_behind
from .mats import alive, burn_fuel, captain_of, fleet, ship_of
from .movement import MOVES
from .table import new_turn
from .towing import TOWS
from .turn_state import gone, turn_of


@step
def take_turn(m: Match, who: str) -> None:
    """Game Turn; PL-20: start effects, then movement, then actions; members of a League have them together (PL-98)."""
    members = who_has_turn(m, who)
    if members != [who]:
        m.do(take_common_turn(place=who, members=members))
        return
    m.do(begin_turn(who=who), start_turn(who=who), choose(who=who), end_turn(who=who))


@step
def start_turn(m: Match, who: str) -> None:
    """Game Turn; PL-20: start effects, of both ships where a captain has two."""
    m.do(*for_each_ship(m, who, step.recover(who=who), start_effects(who=who)), look_around(who=who))


@step
def begin_turn(m: Match, who: str) -> None:
    """Game Turn; PL-43: a blockade of the own ship is over when the own next turn begins."""
    number = m.table.turn.number + 1
    m.table.turn = new_turn()
    captain_of(m, who).turns += 1
    m.table.turn.who, m.table.turn.number, m.table.turn.phase = who, number, "movement"
    m.tell("turn", who=who, number=number, own=captain_of(m, who).turns)
    begin_parts(m, who)


@step
def start_effects(m: Match, who: str) -> None:
    """Game Turn; PL-20: what happens at the very start of a turn."""
    if gone(m, who):
        return
    ship = ship_of(m, who)
    turn_of(m, who).docked_before = ship.docked
    ship.docked_turns += ship.docked
    m.do(eat_fuel(who=who), step.produce(who=who), stay_docked(who=who))


@step
def eat_fuel(m: Match, who: str) -> None:
    """Captain cards, Aayaeh'h; PL-21: he eats Fuel from the tank first of all, and Structure if it is empty."""
    eaten = m.value("eats", 0, who) if captain_of(m, who).ship in fleet(m, who)[:1] else 0
    if eaten and not gone(m, who):
        missing = burn_fuel(m, who, eaten)
        m.tell("eats fuel", who=who, count=eaten - missing, left=ship_of(m, who).fuel)
        if missing:
            m.do(step.hurt(who=who, by=missing, why="no fuel"))


@step
def stay_docked(m: Match, who: str) -> None:
    """Variants, Docking fee; PL-38, PL-T32: the first turn docked at a place is free, each further one is due at its start."""
    fee = m.options["docking-fee"]
    if fee and not gone(m, who) and ship_of(m, who).docked_turns > 1:
        m.tell("docking fee", who=who, money=fee, place=ship_of(m, who).place)
        m.do(step.pay_due(who=who, money=fee, why="the docking fee"))


@step
def choose(m: Match, who: str) -> Any:
    """Game Turn: one movement and then actions, none of them compulsory, until the player ends the turn."""
    if gone(m, who):
        return change_ships(m, who)
    ship, turn = ship_of(m, who), m.table.turn
    menu = (*MOVES, *TOWS, leave_behind, *ACTIONS, *battle_menu.MENU, *port.MENU, *FLEET, end)
    words = {"place": ship.place, "fuel": ship.fuel, "structure": ship.structure, "money": captain_of(m, who).money}
    then = [*([look_around(who=who)] if m.options["two-ships"] else []), choose(who=who)]
    moving = turn.phase == "movement" and not turn.moved and not turn.acted
    if moving and ship.blockaders:
        return m.ask(who, "blockaded", *menu, then=then, **words)
    if moving:
        return m.ask(who, "movement docked" if ship.docked else "movement", *menu, then=then, **words)
    if ship.docked:
        return m.ask(who, "docked", *menu, then=then, **words)
    return m.ask(who, "ended" if turn.acted or turn.no_action else "action", *menu, then=then, **words)


def change_ships(m: Match, who: str) -> None:
    """Variants, Two Player Game: the turn goes on with the other ship if the one that acted is lost."""
    left = fleet(m, who)
    if left and not captain_of(m, who).dead:
        m.do(take_helm(who=who, ship=left[0]), choose(who=who))


@order("end")
def end(m: Match, who: str) -> None:
    """Game Turn: the player has done what he wanted."""
    m.cancel(choose(who=who))


@step
def end_turn(m: Match, who: str) -> None:
    """Game Turn; Card Clarifications: Aliens that wait for a captain see where he was; the next player is on turn."""
    m.do(step.keep_due(who=who), step.wait_for_aliens(who=who), next_turn(who=who))


@step
def next_turn(m: Match, who: str) -> None:
    """Game Turn; PL-4, PL-97: play proceeds clockwise; captains that are dead have no turns."""
    if not alive(m):
        return
    place = next_place(m, who)
    if captain_of(m, who_has_turn(m, place)[0]).turns >= m.options["rounds"]:
        end_in_rounds(m)
    else:
        m.do(take_turn(who=place))
