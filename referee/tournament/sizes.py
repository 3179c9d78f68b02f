"""How many players sit at each table when the numbers do not divide."""

from __future__ import annotations


def sizes(players: int, seats: int, smallest: int) -> list[int]:
    """Return the sizes of the tables, the largest first: as few tables as can be, and as even as can be.

    Args:
        players: how many are to sit.
        seats: the most at one table.
        smallest: the fewest at one table.

    Returns:
        The sizes; none if there is no way to seat everybody.

    Example:
        >>> sizes(13, 4, 3), sizes(5, 4, 3), sizes(5, 4, 2)
        ([4, 3, 3, 3], [], [3, 2])
    """
    number = -(-players // seats)
    if not number or players < smallest * number:
        return []
    low, more = divmod(players, number)
    return [low + 1] * more + [low] * (number - more)


def sitting(players: int, seats: int, smallest: int) -> int:
    """Return how many of the players can sit at tables; the others have a bye.

    Example:
        >>> sitting(5, 4, 3), sitting(13, 4, 3), sitting(2, 4, 3)
        (4, 13, 0)
    """
    return next((count for count in range(players, 0, -1) if sizes(count, seats, smallest)), 0)
