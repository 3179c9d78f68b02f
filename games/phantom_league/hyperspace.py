"""Movement cost, C: the jump into an unexplored hex, and the Hyperspace cards."""

from __future__ import annotations

from typing import Any

from referee.kit import Frame, Match, no, one_of, order, step

from . import galaxy
from .choices import break_one, interrupted, pass_by
from .galaxy import COLOURS, FEATURES
from .group import crew, for_all, most_needed, owner_of
from .mats import (
    captain_of,
    draw,
    fill_tank,
    free_space,
    gain_cargo,
    illegal_tokens,
    note_deed,
    open_illegal,
    put_away,
    ship_of,
    use_fuel,
)
from .movement import drift, fuel_for, harvest, label, stay_here, tow_fuel
from .pirates import fight_patrol, fight_together
from .table import Jump
from .turn_state import cast_off, gone, printed, turn_of

IGNORED = {"hurt", "break_one", "lose_to_storm", "meet_aliens"}
"""Variants, Hazardous Space: damage, loss of Improvements and Aliens, which are ignored on the way to a known hex."""


@step
def jump(m: Match, who: str, hex: str, way: list[str], towed: str) -> None:
    """Movement cost, C; PL-26: the Fuel is used, and Hyperspace cards are drawn one by one.

    `way` holds the known hexes between the own and the unexplored one; `towed` is a seat or nothing.
    """
    ship = ship_of(m, who)
    fuel = fuel_for(m, who, hidden=True) + (tow_fuel(m, who) if towed else 0)
    cast_off(m, who)
    m.table.turn.moved = True
    m.table.turn.jump = Jump(hex=hex, left=cards_to_draw(m, who))
    names = [label(m, name) for name in way]
    m.tell("jumps", who=who, start=ship.place, hex=hex, fuel=fuel, way=names, cards=m.table.turn.jump.left)
    others = [jump_along(who=seat) for seat in crew(m, who) if seat != who]
    paid = use_fuel(who=who, count=fuel, why="jumping")
    m.do(paid, *others, draw_hyperspace(who=who), arrive(who=who, way=way, towed=towed))


@step
def jump_along(m: Match, who: str) -> None:
    """Moving as a Group; PL-98: a member jumps with the others; his ship uses Fuel of its own."""
    fuel = fuel_for(m, who, hidden=True)
    cast_off(m, who)
    turn_of(m, who).moved = True
    m.tell("jumps along", who=who, fuel=fuel)
    m.do(use_fuel(who=who, count=fuel, why="jumping"))


def cards_to_draw(m: Match, who: str) -> int:
    """Movement cost, C, Captain cards, "Lucky" Oddson: one card, more for some Improvements, never more for Oddson.

    Moving as a Group; PL-98: as many as the member who needs most, and Oddson's ability is ignored.
    """
    one, moving = printed(m, "hyperspace"), crew(m, who)
    if len(moving) > 1:
        return most_needed(m, moving, "hyperspace-cards", lambda seat: one)
    return one if m.has("one-hyperspace-card", who) else max(1, m.value("hyperspace-cards", one, who))


@step
def draw_hyperspace(m: Match, who: str) -> None:
    """Movement cost, C; PL-26: the next card is turned; a Navigation Computer may put one away in each jump."""
    jump, moving = m.table.turn.jump, crew(m, who)
    if not moving or not jump.left:
        return
    jump.left -= 1
    for card in draw(m, "hyperspace"):
        m.reveal("hyperspace card", who=moving[0], card=card, name=m.components["hyperspace"][card]["name"])
        m.do(navigate(who=who, card=card))


@step
def navigate(m: Match, who: str, card: str) -> Any:
    """Improvement cards, Navigation Computer: once a jump a card may be discarded unresolved, and another drawn."""
    owner = owner_of(m, crew(m, who), "navigation")
    if owner and not m.table.turn.jump.navigated:
        offers = resolve.given(who=who, card=card), put_aside.given(card=card)
        return m.ask(owner, "navigate", *offers, interrupts=interrupted(m, owner), card=card)
    m.do(resolve(who=who, card=card))
    return None


@order("resolve")
def resolve(m: Match, who: str, card: str) -> None:
    """Movement cost, C; PL-26: the first card resolved decides whether the jump succeeds; later ones have their effect."""
    jump, row = m.table.turn.jump, m.components["hyperspace"][card]
    jump.drawn += 1
    if row.get("fails", False) and jump.drawn == 1:
        jump.failed = True
        m.tell("jump fails", who=who, card=card)
    put_away(m, "hyperspace", card)

    ignored = {frame["do"] for frame in row["effect"]} & IGNORED if galaxy.is_known(m, jump.hex) else set()
    if ignored:
        m.tell("known space", card=card)

    def frames_for(seat: str) -> list[Frame]:
        frames = m.components.effect(m.game.steps, "hyperspace", card, who=seat, card=card)
        return [frame for frame in frames if frame["do"] not in ignored]

    patrols = any(frame["do"] == "meet_patrol" for frame in row["effect"])
    closing = [fight_together(raider="", cause="patrol", docking=False)] if patrols else []
    m.do(*for_all(crew(m, who), frames_for, closing), draw_hyperspace(who=who))


@order("put aside")
def put_aside(m: Match, who: str, card: str) -> None:
    """Improvement cards, Navigation Computer: the card is discarded, and another one drawn."""
    m.table.turn.jump.navigated = True
    m.table.turn.jump.left += 1
    put_away(m, "hyperspace", card)
    m.tell("puts aside", who=who, card=card)
    m.do(draw_hyperspace(who=m.table.turn.who))


# Arriving


@step
def arrive(m: Match, who: str, way: list[str], towed: str) -> None:
    """Movement cost, C; PL-27, PL-28: a successful jump turns the hex up, and the player takes one of its halves.

    Moving as a Group; PL-98: if the ship that led is lost, the next one leads.
    """
    jump, arriving = m.table.turn.jump, crew(m, who)
    if not arriving:
        return
    if jump.failed:
        m.do(*[save_fuel(who=seat) for seat in arriving])
        return
    lead = arriving[0]
    galaxy.turn_up(m, jump.hex)
    found = galaxy.halves(m, jump.hex)
    m.reveal("explored", who=lead, hex=jump.hex, places=found)
    for seat in arriving:
        note_deed(m, seat, "explored")
        if any(galaxy.has(m, half, "giant") for half in found):
            note_deed(m, seat, "explored gas giant")
    rewards = [reward_explorer(who=seat) for seat in arriving]
    m.do(choose_half(who=lead, way=way, towed=towed if lead == who else ""), *rewards, fling(who=lead))


@step
def save_fuel(m: Match, who: str) -> None:
    """Improvement cards, Jump Stabiliser: an unsuccessful jump costs less Fuel."""
    saved = fill_tank(m, who, m.value("stabiliser", 0, who))
    if saved:
        m.tell("saves fuel", who=who, count=saved, fuel=ship_of(m, who).fuel)


@step
def choose_half(m: Match, who: str, way: list[str], towed: str) -> Any:
    """Movement cost, C; PL-28: the half-hex is chosen after the tiles are turned over."""
    found = galaxy.halves(m, m.table.turn.jump.hex)
    return m.ask(who, "half", enter.given(way=way, towed=towed), interrupts=interrupted(m, who), places=found)


@order("enter {half}", half="halves")
def enter(m: Match, who: str, way: list[str], towed: str, half: str) -> None:
    """Movement cost, C: the marker is placed on a half-hex."""
    arriving = crew(m, who)
    starts = {seat: ship_of(m, seat).place for seat in arriving}
    for seat in arriving:
        ship_of(m, seat).place = half
        m.tell("arrives", who=seat, place=half)
    m.do(*[harvest(who=seat, start=starts[seat], way=way, end=half) for seat in arriving])
    if towed:
        m.do(step.bring_along(who=who, towed=towed, place=half))


@enter.offered
def may_enter(m: Match, who: str, way: list[str], towed: str) -> Any:
    """Movement cost, C: either half-hex, by its name, its colour, or what it alone has."""
    found = galaxy.halves(m, m.table.turn.jump.hex)
    same = dict(zip(COLOURS, found, strict=True))
    for feature in FEATURES:
        having = [half for half in found if galaxy.has(m, half, feature) or galaxy.body(m, half) == feature]
        if len(having) == 1:
            same[feature] = having[0]
    refused = {name: no("no such half", half=name) for name in FEATURES if name not in same}
    return {"half": one_of(found, same=same, refused=refused)}


@step
def reward_explorer(m: Match, who: str) -> None:
    """Movement cost, C; PL-28: a level of Recognition below level 6."""
    if not gone(m, who) and captain_of(m, who).recognition < printed(m, "explorer-limit"):
        m.do(step.gain_recognition(who=who, by=1))


@step
def fling(m: Match, who: str) -> Any:
    """Hyperspace cards, Slingshot: after the arrival one more step to a known hex, free."""
    if gone(m, who) or not m.table.turn.jump.flung:
        return None
    return m.ask(who, "flung", drift, stay_here, interrupts=interrupted(m, who))


# What Hyperspace cards do


@step
def stall_engines(m: Match, who: str) -> None:
    """Hyperspace cards, Engine Failure: the ship cannot leave its hex in its next movement phase."""
    ship_of(m, who).stalled = captain_of(m, who).turns + 1
    m.tell("engines fail", who=who)


@step
def lose_to_storm(m: Match, who: str) -> None:
    """Hyperspace cards, Ion Storm: one installed Improvement of the player's choice breaks."""
    m.do(break_one(who=who, why="ion storm"))


@step
def find_cargo(m: Match, who: str, count: int) -> Any:
    """Hyperspace cards, Drifting Cargo: Ore or Food if there is space."""
    if gone(m, who) or free_space(m, who) <= 0:
        return None
    offers = take_drifting.given(count=count), leave_drifting
    return m.ask(who, "drifting cargo", *offers, interrupts=interrupted(m, who), count=count)


@order("pick up {goods}", goods="commodities")
def take_drifting(m: Match, who: str, count: int, goods: str) -> None:
    """Hyperspace cards, Drifting Cargo: what there is no space for is lost."""
    m.tell("picks up", who=who, count=gain_cargo(m, who, goods, count), goods=goods)


@take_drifting.offered
def may_take_drifting(m: Match, who: str, count: int) -> Any:
    """Hyperspace cards, Drifting Cargo: Ore or Food."""
    return {"goods": one_of(("ore", "food"))}


@order("leave_drifting it")
def leave_drifting(m: Match, who: str) -> None:
    """Hyperspace cards, Drifting Cargo: nothing has to be taken."""
    m.tell("leaves it", who=who)


@step
def slip_in_time(m: Match, who: str) -> None:
    """Hyperspace cards, Time Slip: there is no action phase this turn."""
    turn_of(m, who).no_action = True
    m.tell("slips in time", who=who)


@step
def hear_beacon(m: Match, who: str, fuel: int) -> Any:
    """Hyperspace cards, Distress Beacon: Fuel may be spent on a rescue, which brings fame."""
    if gone(m, who) or ship_of(m, who).fuel < fuel:
        return None
    offers = answer_beacon.given(fuel=fuel), pass_by.given(otherwise=[])
    return m.ask(who, "beacon", *offers, interrupts=interrupted(m, who), fuel=fuel)


@order("answer beacon")
def answer_beacon(m: Match, who: str, fuel: int) -> None:
    """Hyperspace cards, Distress Beacon: the Fuel is spent, and the rescue becomes known."""
    m.do(use_fuel(who=who, count=fuel, why="rescue"), step.gain_fame(who=who))


@step
def join_convoy(m: Match, who: str) -> None:
    """Hyperspace cards, Grey Convoy: with illegal cargo on board a captain becomes notorious."""
    if not gone(m, who) and illegal_tokens(m, who):
        m.do(step.gain_notoriety(who=who))


@step
def be_flung(m: Match, who: str) -> None:
    """Hyperspace cards, Slingshot: noted until the arrival."""
    m.table.turn.jump.flung = True


# The Alliance patrol in Hyperspace


@step
def meet_patrol(m: Match, who: str, fine: int) -> Any:
    """Hyperspace cards, Alliance Patrol: a search with a fine for each illegal token, or a battle instead."""
    if gone(m, who):
        return None
    found = open_illegal(m, who)
    if not found:
        m.tell("search", who=who, found=0, hounds=False)
        return None
    orders = submit.given(fine=fine), fight_patrol.given(docking=False)
    return m.ask(who, "patrol", *orders, interrupts=interrupted(m, who), found=found, fine=fine * found)


@order("submit")
def submit(m: Match, who: str, fine: int) -> None:
    """Hyperspace cards, Alliance Patrol: the illegal tokens are lost, and the fine is paid."""
    m.do(step.search(who=who, fine=fine, hounds=False, shame=0))
