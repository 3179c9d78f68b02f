"""Variants, Two Player Game: one Captain with two Spaceships; which of them acts in their common turn, and loading."""

from __future__ import annotations

from typing import Any

from referee.kit import NUMBER, Frame, Match, No, no, number, one_of, order, step

from . import galaxy
from .data import called, refusing
from .mats import aboard, captain_of, fleet, free_space, name_of, ship_of
from .table import Turn, new_turn
from .trade import forget_purchases
from .turn_state import begin_action, end_blockade, gone, take_action

SHIPS = 2
"""How many Spaceships each captain has."""
SHARED = ("recognition_bought", "claimed", "changed", "self_repaired", "supply", "bought", "asked")
"""What counts once in a turn for the captain, whichever ship he acts with."""


def ships_each(m: Match) -> int:
    """Variants, Two Player Game: return how many Spaceships a captain begins with."""
    return SHIPS if m.options["two-ships"] else 1


# Whose turn it is


@step
def take_helm(m: Match, who: str, ship: str) -> None:
    """Variants, Two Player Game: a captain acts with one of his ships; each has a movement and an action of its own."""
    captain = captain_of(m, who)
    if captain.ship == ship:
        return
    if m.table.turn.who == who:
        m.table.parked[captain.ship] = before = m.table.turn
        m.table.turn = m.table.parked.pop(ship, None) or part_of(before)
        for name in SHARED:
            setattr(m.table.turn, name, getattr(before, name))
    captain.ship = ship


def part_of(turn: Turn) -> Turn:
    """Variants, Two Player Game: return what a ship has done in a turn that has just begun: nothing."""
    part = new_turn()
    part.who, part.number, part.phase = turn.who, turn.number, "movement"
    return part


def begin_parts(m: Match, who: str) -> None:
    """Variants, Two Player Game; PL-43: the turn of all ships begins; blockades that any of them keeps up are over."""
    captain, ready = captain_of(m, who), fleet(m, who)
    m.table.parked = {}
    if ready:
        captain.ship = ready[0]
    for ship in ready or [captain.ship]:
        with aboard(m, who, ship):
            end_blockade(m, who)
    m.table.parked = {ship: part_of(m.table.turn) for ship in ready[1:]}


def for_each_ship(m: Match, who: str, *frames: Frame) -> list[Frame]:
    """Variants, Two Player Game: return frames once for each ship, the one that acts first again at the helm in the end."""
    ready = fleet(m, who)
    if len(ready) < SHIPS:
        return list(frames)
    each = [frame for ship in ready for frame in (take_helm(who=who, ship=ship), *frames)]
    return [*each, take_helm(who=who, ship=ready[0])]


@step
def look_around(m: Match, who: str) -> None:
    """Variants, Two Player Game: of the ships of others that one is met which is nearest to the ship that acts."""
    if gone(m, who):
        return
    for seat in m.others(who):
        ready = fleet(m, seat)
        if len(ready) > 1:
            captain_of(m, seat).ship = min(ready, key=lambda name: remoteness(m, who, name))


def remoteness(m: Match, who: str, name: str) -> tuple[bool, bool, bool]:
    """Variants, Two Player Game: rank a ship by how little it has to do with the one that acts."""
    own, other = ship_of(m, who), m.table.ships[name]
    together = galaxy.hex_of(m, own.place) == galaxy.hex_of(m, other.place)
    return own.docked != other.docked, own.place != other.place, not together


@order("helm {ship}", ship="spaceships")
def helm(m: Match, who: str, ship: str) -> None:
    """Variants, Two Player Game: from now on the other ship acts; what each has done in this turn is kept."""
    m.tell("takes helm", who=who, ship=ship, name=name_of(m, "ships", ship))
    m.do(take_helm(who=who, ship=named(m, who, ship)))


@helm.offered
def may_helm(m: Match, who: str) -> Any:
    """Variants, Two Player Game: a ship of one's own that is no wreck and does not act just now."""
    others = other_cards(m, who)
    own = {ship_of(m, who).card: no("at the helm")}
    return {"ship": ship_slot(m, others, own)} if others else no("one ship")


def other_cards(m: Match, who: str) -> list[str]:
    """Variants, Two Player Game: return the cards of the own ships that do not act just now."""
    return [m.table.ships[name].card for name in fleet(m, who) if name != captain_of(m, who).ship]


def named(m: Match, who: str, card: str) -> str:
    """Variants, Two Player Game: return the own ship that has a card."""
    return next(name for name in fleet(m, who) if m.table.ships[name].card == card)


def ship_slot(m: Match, codes: list[str], refused: dict[str, No]) -> Any:
    """Variants, Two Player Game: offer ships by code or name."""
    return one_of(codes, refused=refusing(m, "ships", refused), same=called(m, "ships", codes))


# Loading


@order("load {count} {commodity} onto {ship}", count=NUMBER, commodity="commodities", ship="spaceships")
def load(m: Match, who: str, count: int, commodity: str, ship: str) -> None:
    """Variants, Two Player Game; PL-46, PL-47: tokens change from one own ship to the other."""
    use_action(m, who)
    other = named(m, who, ship)
    with aboard(m, who, other):
        taken = min(count, free_space(m, who))
    own, cargo = ship_of(m, who).cargo, m.table.ships[other].cargo
    own[commodity] -= taken
    cargo[commodity] = cargo.get(commodity, 0) + taken
    forget_purchases(m, who, commodity)
    m.tell("loads", who=who, ship=ship, count=taken, goods=commodity)


@load.offered
def may_load(m: Match, who: str) -> Any:
    """Variants, Two Player Game; PL-46, PL-47: to the other ship beside this one, as far as there is space."""
    beside = ships_beside(m, who)
    if isinstance(beside, No):
        return beside
    room = {}
    for name in beside:
        with aboard(m, who, name):
            room[m.table.ships[name].card] = free_space(m, who)
    most = {goods: min(count, max(room.values())) for goods, count in ship_of(m, who).cargo.items() if count}
    if not any(count > 0 for count in most.values()):
        return no("nothing to load")

    def enough(chosen: dict[str, Any]) -> Any:
        return one_of([goods for goods, count in most.items() if count >= chosen["count"]])

    ship = ship_slot(m, [card for card in room if room[card] > 0], {})
    return {"count": number(1, max(most.values())), "commodity": enough, "ship": lambda chosen: ship}


@order("load {improvement} onto {ship}", improvement="improvements", ship="spaceships")
def load_card(m: Match, who: str, improvement: str, ship: str) -> None:
    """Variants, Two Player Game; PL-46: a stored Improvement changes from one own ship to the other, as broken as it is."""
    use_action(m, who)
    ship_of(m, who).hand_over(improvement, m.table.ships[named(m, who, ship)])
    m.tell("loads card", who=who, ship=ship, card=improvement, name=name_of(m, "improvements", improvement))


@load_card.offered
def may_load_card(m: Match, who: str) -> Any:
    """Variants, Two Player Game; PL-46: what is not installed, to the other ship beside this one."""
    beside, stored = ships_beside(m, who), ship_of(m, who).stored
    if isinstance(beside, No):
        return beside
    ships = [m.table.ships[name].card for name in beside]
    cards = one_of(stored, same=called(m, "improvements", stored))
    return {"improvement": cards, "ship": ship_slot(m, ships, {})} if stored else no("nothing to load")


def ships_beside(m: Match, who: str) -> list[str] | No:
    """Variants, Two Player Game; PL-46, PL-47: return own ships docked at the same place, or flying in the same hex.

    In space loading is the action of the ship that acts, as docking with another ship is.
    """
    own, turn = ship_of(m, who), m.table.turn
    others = [name for name in fleet(m, who) if name != captain_of(m, who).ship]
    if not others:
        return no("one ship")
    beside = [name for name in others if is_beside(m, who, name)]
    if not beside:
        return no("other ship not here")
    if turn.no_action or (turn.acted and not own.docked):
        return no("acted already")
    return beside


def is_beside(m: Match, who: str, name: str) -> bool:
    """Variants, Two Player Game: tell whether two own ships can be loaded from one into the other."""
    own, other = ship_of(m, who), m.table.ships[name]
    if own.docked or other.docked:
        return own.docked and other.docked and own.place == other.place
    return galaxy.hex_of(m, own.place) == galaxy.hex_of(m, other.place)


def use_action(m: Match, who: str) -> None:
    """Variants, Two Player Game: loading is business while docked, and the action of the ship in space."""
    if ship_of(m, who).docked:
        begin_action(m)
        m.table.turn.traded = True
    else:
        take_action(m)


FLEET = (helm, load, load_card)
