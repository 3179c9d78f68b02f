"""Death of a Captain: escape pod, wrecks, elimination; the last captain wins."""

from __future__ import annotations

from typing import Any

from referee.kit import Frame, Match, one_of, order, step

from .battle_table import Battle
from .deals import strike_deals
from .docking import put_back_sighted
from .ending import win_if_last
from .galaxy import nearest_places
from .leagues import strike_off
from .mats import (
    aboard,
    captain_of,
    fleet,
    has_ship,
    lose_cargo,
    most_fuel,
    most_structure,
    name_of,
    put_away,
    ship_of,
    speed,
    spend,
    to_deck,
)
from .table import Ship
from .turn_state import cast_off

TURN = ("choose", "end_turn", "next_turn", "take_part", "end_part", "end_common_turn")
STILL_DONE = (
    "start_turn", "take_helm", "recover", "start_effects", "eat_fuel", "produce", "gain_recognition", "lose_recognition",
    "rise",
    "crown", "draw_missions", "jettison_surplus",
)  # fmt: skip
TURNED = {"hyperspace": ("navigate",), "aliens": ("keep_alien", "take_aboard")}
"""Steps that hold a card that was turned, by deck."""


@step
def destroy(m: Match, who: str, why: str) -> None:
    """Death of a Captain: a ship is blasted to pieces."""
    m.do(destroy_ships(seats=[who], why=why))


@step
def destroy_ships(m: Match, seats: list[str], why: str) -> None:
    """Death of a Captain; PL-84: one escape pod in the whole game, for the slower of two, for both if equally fast."""
    lost = [seat for seat in seats if fleet(m, seat) and not captain_of(m, seat).dead]
    fallen = {seat: fallen_ships(m, seat) for seat in lost}
    last = [seat for seat in lost if fallen[seat] == fleet(m, seat)]
    saved = [] if m.table.pod_used or not last else [s for s in last if speed(m, s) == min(speed(m, o) for o in last)]
    for seat in lost:
        for name in fallen[seat]:
            with aboard(m, seat, name):
                leave_wreck(m, seat, why)
        m.forget(seat)
    for seat in lost:
        if seat not in last:
            fly_on(m, seat)
        elif seat in saved:
            escape_in_pod(m, seat)
        else:
            bury_captain(m, seat)
    win_if_last(m)


def fallen_ships(m: Match, who: str) -> list[str]:
    """Variants, Two Player Game: return the ships of a captain that are destroyed at this moment; usually it is the one."""
    return [name for name in fleet(m, who) if not m.table.ships[name].structure] or [captain_of(m, who).ship]


def leave_wreck(m: Match, who: str, why: str) -> None:
    """Death of a Captain: a ship becomes a wreck, which remains on the board."""
    cast_off(m, who)
    ship = ship_of(m, who)
    ship.wreck, ship.structure, ship.blockaders, ship.stalled = True, 0, [], 0
    m.tell("destroyed", who=who, place=ship.place, why=why)


def fly_on(m: Match, who: str) -> None:
    """Variants, Two Player Game: a captain with another ship goes on with it; in his own turn when what is going on is over."""
    left = fleet(m, who)[0]
    m.tell("flies on", who=who, name=name_of(m, "ships", m.table.ships[left].card))
    if m.table.turn.who != who:
        captain_of(m, who).ship = left


def escape_in_pod(m: Match, who: str) -> None:
    """Death of a Captain: the first captain whose ship is destroyed survives."""
    m.table.pod_used = True
    m.tell("escape pod", who=who)


def bury_captain(m: Match, who: str) -> None:
    """Death of a Captain; PL-89: the player is out of the game; missions are discarded, and money ends."""
    captain = captain_of(m, who)
    captain.dead = True
    strike_off(m, who)
    strike_deals(m, who)
    put_back_missions(m, who)
    spend(m, who, captain.money)
    for alien in captain.aliens:
        put_away(m, "aliens", alien)
    captain.aliens = []
    m.tell("dies", who=who)


def put_back_missions(m: Match, who: str) -> None:
    """Death of a Captain; PL-89: the missions of a dead player lie open among the discards."""
    captain = captain_of(m, who)
    codes = [mission.code for mission in captain.missions] + captain.offered
    captain.missions, captain.offered = [], []
    for code in codes:
        put_away(m, "missions", code)
    if codes:
        m.reveal("missions discarded", of=who, who=who, missions=codes)


@step
def eliminate(m: Match, who: str, why: str) -> None:
    """Death of a Captain: who cannot pay is considered dead; there are no escape pods for bankruptcy."""
    m.tell("eliminated", who=who, why=why)
    leave_game(m, who)


def leave_game(m: Match, who: str) -> None:
    """Death of a Captain: captain and ship leave the board; what was on board goes back."""
    captain = captain_of(m, who)
    if captain.ship:
        for name in captain.ships:
            with aboard(m, who, name):
                cast_off(m, who)
                empty_ship(m, ship_of(m, who))
            del m.table.ships[name]
        captain.ships, captain.ship = [], ""
    m.forget(who)
    bury_captain(m, who)
    win_if_last(m)


def empty_ship(m: Match, ship: Ship) -> None:
    """Death of a Captain; PL-85: cargo and Improvements go back to supply and deck."""
    for card in ship.installed + ship.stored:
        to_deck(m, card)
    ship.installed, ship.stored, ship.broken, ship.off, ship.bought_at = [], [], [], [], {}
    for goods, count in ship.cargo.items():
        lose_cargo(m, ship.who, goods, count)


# Resigning


def resign(m: Match, who: str) -> None:
    """House rule: a captain who resigns is out of the game; what is going on at that moment is broken off undecided."""
    m.table.resigned.append(who)
    m.tell("resigns", who=who)
    if m.table.turn.who:
        break_off(m, who)
    leave_game(m, who)


def break_off(m: Match, who: str) -> None:
    """House rule: battle, jump, docking or deal end here; the turn goes on, and what is due to others is still done."""
    kept = []
    while m.agenda and m.agenda[-1]["do"] not in TURN:
        frame = m.agenda.pop()
        put_away_turned(m, frame)
        if frame["do"] in STILL_DONE and frame.get("who") != who:
            kept.append(frame)
    m.table.battle, m.table.turn.beside = Battle(), []
    for seat in m.seats:
        put_back_sighted(m, seat)
        put_back_offered(m, seat)
    fallen = [seat for seat in m.seats if seat != who and has_ship(m, seat) and not ship_of(m, seat).structure]
    m.do(*kept, destroy_ships(seats=fallen, why="a battle"), step.crown())


def put_away_turned(m: Match, frame: Frame) -> None:
    """House rule: a card that was turned and is not resolved any more is discarded."""
    for deck in [deck for deck, steps in TURNED.items() if frame["do"] in steps]:
        put_away(m, deck, frame["card"])


def put_back_offered(m: Match, who: str) -> None:
    """House rule: missions out of which one was being chosen go back into their deck."""
    captain = captain_of(m, who)
    if captain.offered:
        m.table.missions, captain.offered = m.shuffled(m.table.missions + captain.offered), []


# The escape pod


@step
def recover(m: Match, who: str) -> Any:
    """Death of a Captain; PL-20, PL-85: the captain in the pod starts docked at the nearest Planet or Station."""
    captain = captain_of(m, who)
    if captain.dead or not captain.ship or not ship_of(m, who).wreck:
        return None
    found = nearest_places(m, ship_of(m, who).place)
    if len(found) > 1:
        return m.ask(who, "pod", land)
    m.do(land(who=who, place=found[0]))
    return None


@order("land at {place}", place="places")
def land(m: Match, who: str, place: str) -> None:
    """Death of a Captain; PL-85: same ship, dials reset, cargo and Improvements lost, a level of Recognition lost."""
    ship = ship_of(m, who)
    empty_ship(m, ship)
    ship.wreck, ship.looted, ship.place, ship.docked = False, False, place, True
    ship.structure, ship.fuel = most_structure(m, who), most_fuel(m, who)
    m.tell("lands", who=who, place=place)
    m.do(step.lose_recognition(who=who, by=1, why="escape pod"))


@land.offered
def may_land(m: Match, who: str) -> Any:
    """Death of a Captain; PL-85: any of the nearest ones that are known."""
    return {"place": one_of(nearest_places(m, ship_of(m, who).place))}
