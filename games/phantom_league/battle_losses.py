"""What is put off, lost or thrown out in a battle, once it is known what (Battle cards, Card Clarifications)."""

from __future__ import annotations

from referee.kit import Match, step

from . import battle_ships as ships
from . import mats
from .battle_deck import bury


@step
def put_off(m: Match, who: str, cards: list[str]) -> None:
    """Battle sequence: cards of a Battle deck are put off unseen: only their player knows which."""
    backs = [card.set for card in bury(m, who, cards)]
    own, left = {ships.seat_of(m, who): {"cards": cards}}, len(ships.fighter(m, who).deck)
    m.reveal("puts off", to=own, who=who, count=len(cards), backs=backs, left=left)


@step
def part_with(m: Match, who: str, improvement: str) -> None:
    """Card Clarifications, Equipment Breakage: the Improvement goes back into its deck; this cannot destroy the ship."""
    name = ships.bearer(m, who, improvement)
    ship = m.table.ships[name]
    value = 0 if improvement in ship.broken else ships.printed(m, improvement).get("structure", 0)
    remove_improvement(m, who, improvement)
    ship.structure = max(1, ship.structure - value)
    m.reveal("loses improvement", of=ships.seat_of(m, who), who=who, improvement=improvement, structure=ship.structure)
    with mats.aboard(m, who, name):
        mats.drop_surplus(m, who)


def remove_improvement(m: Match, who: str, card: str) -> None:
    """Cards; PL-5: an Improvement that is lost or used up goes back into the deck, which lies open."""
    ship = m.table.ships[ships.bearer(m, who, card)]
    ship.installed.remove(card)
    ship.broken = [other for other in ship.broken if other != card]
    mats.to_deck(m, card)


def carrier(m: Match, who: str, goods: str) -> str:
    """Variants, Two Player Game: return the ship of a captain that carries a commodity."""
    return next(name for name in ships.crewed(m, who) if m.table.ships[name].cargo.get(goods, 0))


@step
def throw_out(m: Match, who: str, goods: str) -> None:
    """Battle cards, Cargo Breach: a token goes back into the supply."""
    with mats.aboard(m, who, carrier(m, who, goods)):
        mats.lose_cargo(m, who, goods, 1)
    m.reveal("throws out", of=ships.seat_of(m, who), who=who, goods=goods)
