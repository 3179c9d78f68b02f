"""Action phase: attacking another ship, and looting a wreck later."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, No, no, one_of, order, step

from . import galaxy, mats
from .deals import is_bound


def hindrance(m: Match, who: str) -> No | None:
    """Action phase: say why a ship cannot act in space now."""
    if m.table.turn.acted:
        return no("acted")
    return no("docked") if mats.ship_of(m, who).docked else None


@order("attack {seat}", seat="seats")
def attack(m: Match, who: str, seat: str) -> None:
    """Action phase; PL-42: attacking a ship in the same hex is the action of the turn."""
    m.table.turn.acted = True
    m.do(step.battle(attacker=who, defender=seat, cause="attack"))


@attack.offered
def may_attack(m: Match, who: str) -> Any:
    """Action phase; PL-41, PL-42: any undocked ship in the same hex, in either half."""
    here = galaxy.hex_of(m, mats.ship_of(m, who).place)
    near = [seat for seat in mats.ships_at(m, galaxy.halves(m, here)) if seat != who]
    free = [seat for seat in near if galaxy.flying_in(m, seat, here)]
    refused = {seat: no("docked ship", seat=seat) for seat in near if seat not in free}
    refused |= {seat: no("sworn", seat=seat) for seat in free if is_bound(m, who, seat, "peace")}
    free = [seat for seat in free if seat not in refused]
    reason = hindrance(m, who)
    return reason or ({"seat": one_of(free, refused=refused)} if free else no("nobody here"))


@order("loot {wreck}", wreck="seats")
def loot(m: Match, who: str, wreck: str) -> None:
    """Looting a wreck; PL-88: an action if it is not done right after the battle."""
    m.table.turn.acted = True
    m.do(step.loot_wreck(who=who, wreck=wreck))


@loot.offered
def may_loot(m: Match, who: str) -> Any:
    """Looting a wreck; PL-50, PL-86: a wreck in the same hex, once."""
    here = set(galaxy.halves(m, galaxy.hex_of(m, mats.ship_of(m, who).place)))
    wrecks = [ship.who for ship in m.table.ships.values() if ship.wreck and not ship.looted and ship.place in here]
    reason = hindrance(m, who) or (no("straight") if mats.is_straight(m, who) else None)
    return reason or ({"wreck": one_of(wrecks)} if wrecks else no("no wreck here"))


MENU = (attack, loot)
