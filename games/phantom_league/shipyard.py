"""Variants, Buying A New Spaceship: the ship that a captain flies is traded in for another one."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, No, no, one_of, order, some_of, step

from .data import called, refusing
from .docked import STATION, not_docked
from .mats import captain_of, drop_surplus, earn, fleet, most_fuel, most_structure, name_of, ship_of, slots, spend, to_deck
from .turn_state import printed

RESALE = 2
"""Used ships sell for half their purchase price."""


@order("trade in for {ship} [keeping {improvements}]", ship="spaceships", improvements="some improvements")
def trade_in(m: Match, who: str, ship: str, improvements: list[str]) -> None:
    """Variants, Buying A New Spaceship; PL-T31: the old ship for half its price, a flat rate for all Improvements kept."""
    own, captain = ship_of(m, who), captain_of(m, who)
    back, price, rate = worth(m, who), price_of(m, ship), transfer_rate(m, improvements)
    earn(m, who, back)
    spend(m, who, price + rate)
    name = name_of(m, "ships", ship)
    m.tell("trades in", who=who, ship=ship, name=name, price=price, back=back, rate=rate, money=captain.money)
    m.table.box.remove(ship)
    m.table.box.append(own.card)
    own.card = ship
    transfer(m, who, improvements)
    own.structure, own.fuel = most_structure(m, who), most_fuel(m, who)
    end_part(m, who)
    drop_surplus(m, who)


def end_part(m: Match, who: str) -> None:
    """Variants, Buying A New Spaceship: that was the whole turn; of two ships the other one may still act."""
    if len(fleet(m, who)) == 1:
        m.do(step.end(who=who))
    turn = m.table.turn
    turn.phase, turn.moved, turn.acted, turn.no_action = "action", True, True, True


def transfer(m: Match, who: str, improvements: list[str]) -> None:
    """Variants, Buying A New Spaceship: what is kept stays as it is while there are slots; the rest goes into the deck."""
    own = ship_of(m, who)
    given_up = [card for card in [*own.installed, *own.stored] if card not in improvements]
    kept = [card for card in own.installed if card in improvements]
    own.stored = [card for card in own.stored if card in improvements]
    own.broken = [card for card in own.broken if card in improvements]
    own.off = [card for card in own.off if card in improvements]
    own.installed = []
    for card in kept:
        (own.installed if len(own.installed) < slots(m, who) else own.stored).append(card)
    own.off = [card for card in own.off if card in own.installed]
    for card in given_up:
        to_deck(m, card)
    if kept or own.stored or given_up:
        m.tell("transfers improvements", who=who, installed=own.installed[:], stored=own.stored[:], left=given_up)


@trade_in.offered
def may_trade_in(m: Match, who: str) -> Any:
    """Variants, Buying A New Spaceship: docked at a Space Station since before the turn, and nothing done in it."""
    if not m.options["buying-ships"]:
        return no("no ships sold")
    stop, turn = not_docked(m, who, at=STATION), m.table.turn
    if stop:
        return stop
    if not turn.docked_before or turn.phase == "action" or turn.moved or turn.acted:
        return no("entire turn for a ship")
    return ships_for_sale(m, who)


def ships_for_sale(m: Match, who: str) -> Any:
    """Variants, Buying A New Spaceship: return the ships that nobody owns and that the money is enough for."""
    left = [card for card in m.table.box if card in m.components["ships"]]
    refused: dict[str, No] = {ship.card: no("ship taken", seat=ship.who) for ship in m.table.ships.values()}
    means = captain_of(m, who).money + worth(m, who)
    refused |= {card: no("ship too dear", price=price_of(m, card), means=means) for card in left if price_of(m, card) > means}
    free = [card for card in left if card not in refused]
    aboard = [*ship_of(m, who).installed, *ship_of(m, who).stored]

    def keepable(chosen: dict[str, Any]) -> Any:
        enough = price_of(m, chosen["ship"]) + transfer_rate(m, aboard) <= means
        return some_of(aboard if enough else [], default=[], same=called(m, "improvements", aboard))

    ships = one_of(free, refused=refusing(m, "ships", refused), same=called(m, "ships", free))
    return {"ship": ships, "improvements": keepable} if free else no("no ship for sale", means=means)


def price_of(m: Match, ship: str) -> int:
    """Variants, Buying A New Spaceship: return what is printed on a Spaceship card."""
    price: int = m.components["ships"][ship]["price"]
    return price


def worth(m: Match, who: str) -> int:
    """Variants, Buying A New Spaceship; PL-T31: return half of the price of the own ship."""
    return price_of(m, ship_of(m, who).card) // RESALE


def transfer_rate(m: Match, improvements: list[str]) -> int:
    """Variants, Buying A New Spaceship: return the flat rate for all Improvements that are kept."""
    return printed(m, "transfer-rate") if improvements else 0
