"""Planet squares and planets: edges, stations, aliens (rulebook: Components, Opening the Next Planet Fragment)."""

from __future__ import annotations

from typing import Any

from referee.kit import Components, Match, No, no

from .table import Planet, Square

CLOCKWISE, COUNTER = "clockwise", "counter-clockwise"
ENDS = (CLOCKWISE, COUNTER)
ROW = ("1", "2", "3")
FRAGMENTS = 4
MOST_INCOMPLETE = 2
EDGES = ("plain", "half-station")
"""What the numbers of an edge mean."""


def all_squares(components: Components) -> list[str]:
    """Return the kind of every square, copies included, in the order of the data."""
    return [kind for kind, printed in components["squares"].items() for _ in range(printed["copies"])]


def places(components: Components) -> list[str]:
    """Return the names of a player's planets, as many as there can ever be."""
    most = len(components.recall(all_squares)) // FRAGMENTS + MOST_INCOMPLETE
    return [f"planet {number}" for number in range(1, most + 1)]


def square_of(m: Match, kind: str) -> Square:
    """Return a square of a kind, face up."""
    printed = m.components["squares"][kind]
    return Square(kind=kind, **{column: printed[column] for column in ("ccw", "cw", "stations", "aliens")})


def drawn(square: Square) -> str:
    """Return a square in signs: counter-clockwise edge, inside, clockwise edge.

    Example:
        >>> drawn(Square(kind="s08", ccw=0, cw=1, stations=1, aliens=1))
        '|*@('
        >>> drawn(Square(kind="s05", ccw=1, cw=0, stations=0, aliens=0))
        ').|'
    """
    inside = "*" * square.stations + "@" * square.aliens
    return ("|", ")")[square.ccw] + (inside or ".") + ("|", "(")[square.cw]


# Whole planets


def complete(planet: Planet) -> bool:
    """Opening the Next Planet Fragment: tell whether a planet is fully open."""
    return len(planet.squares) == FRAGMENTS


def joined(squares: list[Square]) -> int:
    """Opening the Next Planet Fragment; KM-3: count the stations that two half-stations make; four squares are a ring."""
    ring = squares[1:] + (squares[:1] if len(squares) == FRAGMENTS else [])
    return sum(one.cw * other.ccw for one, other in zip(squares, ring, strict=False))


def recount(planet: Planet) -> None:
    """Opening the Next Planet Fragment, Aliens: count whole stations and aliens anew."""
    planet.stations = sum(square.stations for square in planet.squares) + joined(planet.squares)
    planet.aliens = sum(square.aliens for square in planet.squares)


def needed(planet: Planet) -> int:
    """Aliens; KM-1: return the least result of the die with which a square can be added.

    Example:
        >>> needed(Planet(stations=2, aliens=1)), needed(Planet(stations=0, aliens=2))
        (2, 1)
    """
    return max(planet.stations - planet.aliens + 1, 1)


# Where a square fits


def ends_of(planet: Planet) -> tuple[str, ...]:
    """Opening the Next Planet Fragment; KM-4: the ends where a square can lie; the fourth has one place only."""
    return ENDS[:1] if len(planet.squares) == FRAGMENTS - 1 else ENDS


def clashes(planet: Planet, square: Square, end: str) -> list[str]:
    """Opening the Next Planet Fragment; KM-5, KM-6: return the edges of a square that do not match their neighbours."""
    closes = len(ends_of(planet)) == 1  # its one place is called clockwise, and has a neighbour on both sides
    found = [COUNTER] if end == CLOCKWISE and square.ccw != planet.squares[-1].cw else []
    return [*found, CLOCKWISE] if (closes or end == COUNTER) and square.cw != planet.squares[0].ccw else found


def fitting(planet: Planet, square: Square) -> list[str]:
    """Opening the Next Planet Fragment: return the ends of a planet where a square fits."""
    return [end for end in ends_of(planet) if not clashes(planet, square, end)]


def misfit(planet: Planet, square: Square, end: str, /, **words: Any) -> No:
    """Opening the Next Planet Fragment; KM-5: say which edge of a square does not match at an end of a planet."""
    edges = clashes(planet, square, end)
    if len(edges) == len(ENDS):
        return no("closes nowhere", **words)
    (edge,) = edges
    has = square.ccw if edge == COUNTER else square.cw
    words.update(edge=edge, has=EDGES[has], meets=EDGES[1 - has])
    return no("does not fit", end=end, **words) if len(ends_of(planet)) == len(ENDS) else no("does not close", **words)
