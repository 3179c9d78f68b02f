"""Where a turn stands: movement, then actions (rulebook: Game Turn; Movement phase; Action phase)."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, No, no

from .mats import has_ship, ship_of
from .table import Turn


def printed(m: Match, name: str) -> int:
    """Return one of the numbers that belong to no card."""
    value: int = m.components["numbers"][name]["value"]
    return value


def begin_action(m: Match) -> None:
    """Action phase; PL-20: whatever is done now, the movement phase of this turn is over."""
    m.table.turn.phase = "action"


def movement_over(m: Match, who: str) -> No | None:
    """Movement phase; PL-20, PL-44: say why a ship cannot move any more in this turn, if so."""
    turn, ship = m.table.turn, ship_of(m, who)
    if turn.moved:
        return no("moved already")
    if turn.phase == "action" or turn.acted:
        return no("movement is over")
    if ship.blockaders:
        return no("blockaded", seats=ship.blockaders[:])
    return None


def action_over(m: Match, who: str) -> No | None:
    """Actions in a Star System Hex: say why an undocked ship can do nothing more in this turn, if so."""
    if m.table.turn.no_action:
        return no("time slipped")
    if ship_of(m, who).docked:
        return no("docked", place=ship_of(m, who).place)
    return no("acted already") if m.table.turn.acted else None


def take_action(m: Match) -> None:
    """Actions in a Star System Hex: the one action of an undocked ship is used."""
    begin_action(m)
    m.table.turn.acted = True


def turn_of(m: Match, who: str) -> Turn:
    """The Phantom Leagues; PL-98: return a player's part of a common turn, also while it waits; for others what goes on."""
    found: Turn = m.table.turns.get(who, m.table.turn)
    return found


def gone(m: Match, who: str) -> bool:
    """Death of a Captain: tell whether a ship was lost meanwhile, so that nothing more happens to it."""
    return not has_ship(m, who)


def asked_once(m: Match, key: str) -> bool:
    """Towing, Docking with other ships: note a request and tell whether it was made in this turn before."""
    before = key in m.table.turn.asked
    if not before:
        m.table.turn.asked.append(key)
    return before


def cast_off(m: Match, who: str) -> None:
    """Movement phase; PL-43: a ship undocks; what its stay brought, and blockades that it kept up, are over."""
    ship: Any = ship_of(m, who)
    ship.docked, ship.closed, ship.bonus, ship.market, ship.auction, ship.docked_turns = False, [], {}, 0, False, 0
    ship.repaired = 0
    end_blockade(m, who)


def end_blockade(m: Match, who: str) -> None:
    """Blockading; PL-43: a ship holds nobody any more."""
    name = m.table.captains[who].ship
    freed = [ship for ship in m.table.ships.values() if name in ship.blockaders]
    for ship in freed:
        ship.blockaders = [other for other in ship.blockaders if other != name]
    if freed:
        m.tell("blockade ends", who=who, seats=[ship.who for ship in freed])
