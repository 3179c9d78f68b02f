"""Plans of tables at which nobody meets anybody twice, where such plans are known.

Players are put in rows and columns: as many columns as tables, and at every table one player of each row. In round r the
player of row a, column x sits at table x + a r, counted in a finite field with as many elements as there are tables: two
players of different rows then share a table in just one round, and two of the same row in none. With as many rows as tables
the rows make one more round (an affine plane; "social golfers" of 16 in fours for 5 rounds are the one of order 4).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

_POLYNOMIALS = {4: 0b111, 8: 0b1011, 16: 0b10011, 32: 0b100101}
"""By size of a field of characteristic 2, a polynomial over two elements that has no factors, as bits."""
Rows = tuple[tuple[int, ...], ...]


@cache
def field_of(size: int) -> tuple[Rows, Rows] | None:
    """Return the sums and the products of a finite field, or None if there is none here of this size.

    Example:
        >>> sums, products = field_of(4)
        >>> sums[2][3], products[2][3], field_of(6)
        (1, 1, None)
    """
    if size in _POLYNOMIALS:
        return _rows(size, lambda one, two: one ^ two), _rows(size, lambda one, two: _times(one, two, size))
    if size == 9:
        return _rows(size, _plus_nine), _rows(size, _times_nine)
    if size > 1 and all(size % low for low in range(2, int(size**0.5) + 1)):
        return _rows(size, lambda one, two: (one + two) % size), _rows(size, lambda one, two: one * two % size)
    return None


def _rows(size: int, combine: Callable[[int, int], int]) -> Rows:
    return tuple(tuple(combine(one, two) for two in range(size)) for one in range(size))


def _times(one: int, two: int, size: int) -> int:
    """Return the product of two polynomials over two elements, whose bits the numbers are."""
    product = 0
    while two:
        product ^= one * (two & 1)
        one, two = one << 1, two >> 1
        one ^= _POLYNOMIALS[size] * (one >= size)
    return product


def _plus_nine(one: int, two: int) -> int:
    """Return the sum in the field of nine: a + 3 b stands for a + b i, counted modulo 3."""
    return (one + two) % 3 + 3 * ((one // 3 + two // 3) % 3)


def _times_nine(one: int, two: int) -> int:
    (b, a), (d, c) = divmod(one, 3), divmod(two, 3)
    return (a * c - b * d) % 3 + 3 * ((a * d + b * c) % 3)


def planned(place: int, tables: int, seats: int, number: int) -> int:
    """Return the table, from 0, of a player in one round.

    Args:
        place: the player's place in the plan, from 0; those of a row follow one another.
        tables: how many tables there are.
        seats: the most players at a table.
        number: the round, from 0; where a plan has ended it begins again.

    Example:
        >>> [planned(place, 3, 3, 1) for place in range(9)]
        [0, 1, 2, 1, 2, 0, 2, 0, 1]
    """
    row, column = divmod(place, tables)
    turns = tables + (seats == tables)
    turn = number % turns
    if turn == tables:
        return row % tables
    found = field_of(tables)
    if found is None or row >= tables:
        return (column + row * turn) % tables
    sums, products = found
    return sums[column][products[row][turn]]
