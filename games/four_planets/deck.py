"""Specialist cards: who has seen them, the deck, and the discard pile (Setup; Costs and Buying Power)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.kit import OBSERVER, Components, Match

from .table import Card

LEFT_AND_RIGHT = 2


def colours(components: Components) -> list[str]:
    """Components: return the five colours, in the order of the data."""
    return list(components["colours"])


def printed(m: Match, code: str) -> dict[str, Any]:
    """Components: return what is printed on a specialist."""
    return m.components["specialists"][code]


def covered(m: Match, code: str) -> Card:
    """Costs and Buying Power: return a specialist that lies face down, its back showing the buying power."""
    return Card(power=printed(m, code)["power"], front=code)


def everybody(m: Match) -> list[str]:
    """Return all who read reports: what these know is public."""
    return [*m.seats, OBSERVER]


def is_public(card: Card) -> bool:
    """Return whether all have seen the front of a card where it lies."""
    return OBSERVER in card.known


def turn_up(m: Match, cards: Iterable[Card]) -> None:
    """Setup: turn specialists face up."""
    for card in cards:
        card.known = everybody(m)


def turn_down(cards: Iterable[Card]) -> None:
    """Setup: let nobody know any more which specialist lies where."""
    for card in cards:
        card.known = []


def show(m: Match, card: Card, who: str) -> None:
    """Setup 3: let one more player look at the front of a card."""
    card.known = [reader for reader in everybody(m) if reader in card.known or reader == who]


def fronts(cards: Iterable[Card]) -> list[str]:
    """Return the fronts of cards, for those who may know them."""
    return [card.front for card in cards]


def powers(cards: Iterable[Card]) -> list[int]:
    """Costs and Buying Power: return what the backs of cards show, in rising order."""
    return sorted(card.power for card in cards)


def arrange(cards: list[Card]) -> None:
    """Costs and Buying Power; FP-18: sort cards by what everybody sees of them, so that no place among like backs tells."""
    cards.sort(key=lambda card: (card.power, card.known))


def find(cards: Iterable[Card], code: str) -> Card:
    """Return the card with this front."""
    return next(card for card in cards if card.front == code)


# The deck


def top_back(m: Match) -> list[int]:
    """Costs and Buying Power: return what the back of the top card of the deck shows, or nothing without a card."""
    return powers(m.table.top)


def lay_deck(m: Match, cards: list[Card]) -> None:
    """Setup 4: shuffle cards into the deck; only the back of the top one shows."""
    turn_down(cards)
    m.table.deck, m.table.top = m.shuffled(cards), []
    uncover(m)


def uncover(m: Match) -> None:
    """Costs and Buying Power: let the back of the next card show, once the one above it is gone."""
    if m.table.deck and not m.table.top:
        m.table.top = [m.table.deck.pop()]


def draw(m: Match, count: int) -> list[Card]:
    """Specialist Abilities; FP-19, FP-20: draw cards; an empty deck is made again out of the shuffled discard pile."""
    drawn: list[Card] = []
    while len(drawn) < count:
        if not m.table.top:
            reshuffle(m)
        if not m.table.top:
            break
        drawn += m.table.top
        m.table.top = []
        uncover(m)
    return drawn


def reshuffle(m: Match) -> None:
    """Specialist Abilities; FP-19: a new deck is formed out of the discard pile."""
    discards = m.table.discards
    if discards:
        m.table.discards = []
        lay_deck(m, discards)
        m.reveal("reshuffles", count=len(discards), top=top_back(m))


def discard(m: Match, cards: Iterable[Card]) -> None:
    """Costs and Buying Power; FP-17, FP-18: put cards face down on the discard pile; who knew them still does."""
    m.table.discards += cards
    arrange(m.table.discards)
