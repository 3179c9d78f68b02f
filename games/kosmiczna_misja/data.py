"""What the squares must be like, and what may never go wrong on the table (rulebook: Components)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from referee.kit import Components, Match, Sheet

from .planets import incomplete
from .squares import ENDS, FRAGMENTS, MOST_INCOMPLETE, ROW, all_squares, joined, places, square_of
from .table import Planet, Square
from .turn import DIE, MIDDLE

SET = 45
MOST_PRINTED = 3
SHEETS = {"squares": Sheet(needs={"ccw": int, "cw": int, "stations": int, "aliens": int, "copies": int})}


def names(components: Components) -> Mapping[str, Sequence[str]]:
    """Return the lists of words that players use."""
    return {
        "squares": ROW,
        "planets": components.recall(places),
        "ends": ENDS,
        "fragments": [*ENDS, MIDDLE],
    }


def check_data(components: Components) -> None:
    """Components: check what the rulebook says of the squares, whatever is printed on them.

    Raises:
        ValueError: the data contradicts it; the text says where.
    """
    for name, square in components["squares"].items():
        expect(square["ccw"] in (0, 1) and square["cw"] in (0, 1), f"{name}: an edge is 0 (plain) or 1 (half-station)")
        printed = (square["stations"], square["aliens"])
        expect(min(printed) >= 0, f"{name}: no square has fewer than 0 stations or aliens")
        expect(sum(printed) <= MOST_PRINTED, f"{name}: at most {MOST_PRINTED} stations and aliens go on one square")
        expect(square["copies"] >= 1, f"{name}: every square has at least one copy")
    kinds = components.recall(all_squares)
    expect(len(kinds) == SET, f"there are {SET} planet squares, and the data has {len(kinds)}")
    ccw, cw = (sum(components["squares"][kind][edge] for kind in kinds) for edge in ("ccw", "cw"))
    expect(ccw == cw, f"half-stations: {ccw} at counter-clockwise edges and {cw} at clockwise ones should be equal")


def expect(holds: bool, sentence: str) -> None:
    """Raise ValueError with the sentence unless something holds."""
    if not holds:
        raise ValueError(sentence)


def check(m: Match) -> None:
    """Assert that no square is lost or doubled, that planets are as they should be, and that the row is full."""
    table, planets = m.table, [planet for player in m.table.players.values() for planet in player.planets.values()]
    if not table.row and not planets:
        return
    lying = [*table.row.values(), *table.box, *(square for planet in planets for square in planet.squares)]
    kinds = Counter(table.supply + [square.kind for square in lying])
    assert kinds == Counter(m.components.recall(all_squares)), "squares were lost or doubled"
    assert all(square == square_of(m, square.kind) for square in lying), "a square that is not printed so"
    assert len(table.row) == len(ROW) or not table.supply, "the row is not full although the supply is not empty"
    assert 0 <= table.turn.die <= DIE, "the die"
    for planet in planets:
        _check_planet(planet)
    for seat in m.seats:
        assert len(incomplete(m, seat)) <= MOST_INCOMPLETE, "more than two incompletely open planets"


def _check_planet(planet: Planet) -> None:
    squares = planet.squares
    assert 1 <= len(squares) <= FRAGMENTS, "a planet with no square, or more than four"
    ring = squares[1:] + (squares[:1] if len(squares) == FRAGMENTS else [])
    assert all(one.cw == other.ccw for one, other in zip(squares, ring, strict=False)), "edges that do not match"
    whole = sum(square.stations for square in squares) + joined(squares)
    assert (planet.stations, planet.aliens) == (whole, _aliens(squares)), "stations or aliens miscounted"
    assert 0 <= planet.quarter < FRAGMENTS, "no quarter"


def _aliens(squares: Sequence[Square]) -> int:
    return sum(square.aliens for square in squares)
