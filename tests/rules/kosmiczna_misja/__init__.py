"""How scenarios of Kosmiczna misja lay out the table.

Squares are written in signs, counter-clockwise edge first: `|*(` has a plain edge, a station and a half-station, `)@|` a
half-station, an alien and a plain edge; `.` is an empty inside. A planet is written as its squares in clockwise order.

Plainly alice is on turn, nobody has a planet, everybody's first turn is over, and the row is `|.(`, `).|`, `|.|`. What a
scenario does not place lies in the supply below the squares that `top` names, next one first; if the scenario names the
whole `supply`, it lies in the box.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.kosmiczna_misja import GAME
from games.kosmiczna_misja.squares import all_squares, drawn, recount
from games.kosmiczna_misja.table import Planet, Player, Square, Table, Turn
from referee.components import load_components
from referee.match import Match
from referee.see import Record

from ..runner import overlay

AGENDA = [{"do": word, "who": "alice"} for word in ("roll", "take", "pass_on")]


def square(text: str) -> Square:
    """Read a square out of its signs."""
    for kind, row in load_components(GAME)["squares"].items():
        found = Square(kind=kind, **{column: row[column] for column in ("ccw", "cw", "stations", "aliens")})
        if drawn(found) == text:
            return found
    raise AssertionError(f"there is no square {text}")


def planet(text: str) -> Planet:
    """Read a planet out of the signs of its squares."""
    found = Planet(squares=[square(signs) for signs in text.split()])
    recount(found)
    return found


def shown(record: Record) -> Any:
    """Return a square or a planet as it is written in scenarios."""
    if isinstance(record, Planet):
        return " ".join(map(drawn, record.squares))
    assert isinstance(record, Square)
    return drawn(record)


def position(m: Match, given: Mapping[str, Any]) -> None:
    """Lay out the plain position with what a scenario changes in it."""
    row = {place: square(text) for place, text in given.get("row", {"1": "|.(", "2": ").|", "3": "|.|"}).items()}
    players = {seat: Player() for seat in m.seats}
    m.table = Table(players=players, row=row, turn=Turn(who="alice", number=9), youngest="alice", begun=m.seats[:])
    changes = {name: value for name, value in given.items() if name not in ("row", "top", "supply")}
    overlay(m.table, changes, {Square: square, Planet: planet})
    named = [square(text).kind for text in given.get("supply", given.get("top", []))]
    lying = [s.kind for s in [*m.table.row.values(), *m.table.box]]
    lying += [s.kind for p in players.values() for planet in p.planets.values() for s in planet.squares]
    held = Counter(named + lying)
    assert held <= Counter(all_squares(m.components)), "more squares of a kind than there are"
    rest = list((Counter(all_squares(m.components)) - held).elements())
    m.table.supply = named[::-1] if "supply" in given else rest + named[::-1]
    if "supply" in given:
        signs = {kind: Square(kind=kind, **_columns(m, kind)) for kind in rest}
        m.table.box += [signs[kind].copy() for kind in rest]


def _columns(m: Match, kind: str) -> dict[str, int]:
    return {column: m.components["squares"][kind][column] for column in ("ccw", "cw", "stations", "aliens")}
