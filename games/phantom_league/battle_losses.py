"""What is put off, swapped, lost or thrown out in a battle, once it is known what (Battle cards, Captain cards)."""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.kit import Match, step

from . import battle_ships as ships
from . import mats
from .battle_deck import bury, give, take
from .battle_plan import asks, lines_of
from .battle_sheet import keep_decks, swap


@step
def put_off(m: Match, who: str, cards: list[str]) -> None:
    """Battle sequence: cards of a Battle deck are put off unseen: only their player knows which."""
    backs = [card.set for card in bury(m, who, cards)]
    own, left = {ships.seat_of(m, who): {"cards": cards}}, len(ships.fighter(m, who).deck)
    m.reveal("puts off", to=own, who=who, count=len(cards), backs=backs, left=left)


@step
def part_with(m: Match, who: str, improvement: str) -> None:
    """Card Clarifications, Equipment Breakage: the Improvement goes back into its deck; this cannot destroy the ship."""
    ship = ships.mat(m, who)
    value = 0 if improvement in ship.broken else ships.printed(m, improvement).get("structure", 0)
    remove_improvement(m, who, improvement)
    ship.structure = max(1, ship.structure - value)
    m.reveal("loses improvement", of=ships.seat_of(m, who), who=who, improvement=improvement, structure=ship.structure)
    mats.drop_surplus(m, who)


def remove_improvement(m: Match, who: str, card: str) -> None:
    """Cards; PL-5: an Improvement that is lost or used up goes back into the deck, which lies open."""
    ship = ships.mat(m, who)
    ship.installed.remove(card)
    ship.broken = [other for other in ship.broken if other != card]
    mats.to_deck(m, card)


@step
def throw_out(m: Match, who: str, goods: str) -> None:
    """Battle cards, Cargo Breach: a token goes back into the supply."""
    mats.lose_cargo(m, who, goods, 1)
    m.reveal("throws out", of=ships.seat_of(m, who), who=who, goods=goods)


# Botch Lebadov


@step
def offer_swap(m: Match, who: str) -> Any:
    """Captain cards, Botch Lebadov; PL-80: after the deal and at the end of each round; without an order not at all."""
    if not swap.offer or not isinstance(swap.offer(m, who=who, scene={"now": True}), dict):
        return None
    if asks(m, who):
        offers = [one.given(who=who, scene={"now": True}) for one in (swap, keep_decks)]
        return m.ask(ships.seat_of(m, who), "swap", *offers, then=[offer_swap(who=who)], ship=who)
    lines = lines_of(m, who, "swap")
    if not lines:
        m.reveal("keeps power", of=ships.seat_of(m, who), who=who, power="swap")
    m.do(*[swap_deck(who=who, ship=line["ship"]) for line in lines])
    return None


@step
def swap_deck(m: Match, who: str, ship: str) -> None:
    """Captain cards, Botch Lebadov; PL-80: a whole Battle deck is replaced by cards of the same sets, once in a battle."""
    fighter, power = ships.fighter(m, who), "swap own" if ship == who else "swap enemy"
    if power in fighter.powers or ship not in (who, *ships.enemies(m, who)):
        m.reveal("keeps power", of=fighter.seat, who=who, power="swap")
        return
    fighter.powers.append(power)
    deck = ships.fighter(m, ship).deck
    ships.fighter(m, ship).deck = []
    kinds = Counter(m.components["battle"][card.front]["kind"] for card in deck)
    m.table.battle.buried += deck
    drawn = [front for kind, count in kinds.items() for _ in range(count) for front in give(m, ship, take(m, kind))]
    m.reveal("swaps", who=who, ship=ship, kinds=[f"{k} {n}" for k, n in sorted(kinds.items())])
    m.reveal("new deck", to={ships.seat_of(m, ship): {"cards": drawn}}, who=ship, count=len(drawn))
