"""Who takes the first seat at a table of two."""

from __future__ import annotations

from .history import Card

ABSOLUTE, STRONG = 3, 2
"""Strengths of a wish for a seat."""


def seated(pair: tuple[Card, ...], first: int = 0) -> tuple[Card, ...]:
    """Return two players in the order of their seats (FIDE Handbook C.04.3, allocation of colours).

    Args:
        pair: the higher ranked player and the other; or one alone.
        first: the seat of the first player of all in a first round.

    Example:
        >>> due = [Card(name, number, 0, (0,), (0,), False, False, 0) for number, name in enumerate(("alice", "bob"))]
        >>> [card.player for card in seated((due[0], due[1]))]
        ['bob', 'alice']
    """
    if len(pair) == 1:
        return pair
    high, low = pair
    mine, other = high.wish, low.wish
    if mine.seat < 0 and other.seat < 0:
        seat = first ^ (high.number % 2)
    elif mine.seat < 0 or other.seat < 0:
        seat = mine.seat if other.seat < 0 else 1 - other.seat
    elif mine.seat != other.seat:
        seat = mine.seat
    else:
        seat = _when_both_want(high, low)
    return (high, low) if seat == 0 else (low, high)


def _when_both_want(high: Card, low: Card) -> int:
    """Return the seat of the higher player where both should have the same one."""
    mine, other = high.wish, low.wish
    if mine.strength != other.strength:
        return mine.seat if mine.strength > other.strength else 1 - other.seat
    if mine.strength == ABSOLUTE and abs(high.balance) != abs(low.balance):
        return mine.seat if abs(high.balance) > abs(low.balance) else 1 - other.seat
    own, its = ([seat for seat in card.sat if seat >= 0] for card in (high, low))
    for one, two in zip(reversed(own), reversed(its), strict=False):
        if one != two:
            return 1 - one
    return mine.seat
