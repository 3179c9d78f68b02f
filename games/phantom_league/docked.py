"""What being docked allows (rulebook: Actions on Space Stations; Actions on Planets)."""

from __future__ import annotations

from referee.kit import Match, No, no

from .galaxy import body
from .mats import captain_of, ship_of
from .turn_state import begin_action

PLANET, STATION = "planet", "station"


def not_docked(m: Match, who: str, *, at: str = "", business: str = "") -> No | None:
    """Actions on Space Stations; Actions on Planets: return why there is no docked action now, or nothing.

    Args:
        m: the match.
        who: the player.
        at: `planet` or `station`, where the action is possible on one of them only.
        business: what a Docking card may have closed until undocking: `market` or `improvements`.
    """
    ship = ship_of(m, who)
    if not ship.docked:
        return no("not docked")
    if m.table.turn.no_action:
        return no("no action phase")
    if at and body(m, ship.place) != at:
        return no("only at", body=at, place=ship.place)
    if business and {business, "all"} & set(ship.closed):
        return no(f"{business} closed", place=ship.place)
    return None


def do_business(m: Match, who: str) -> None:
    """Action phase; PL-20: an action while docked; there is no movement after it in this turn."""
    begin_action(m)
    m.table.turn.traded = True


def too_dear(m: Match, who: str, price: int) -> No | None:
    """Money: return that a price is beyond the own money, or nothing."""
    money = captain_of(m, who).money
    return no("too dear", price=price, money=money) if money < price else None
