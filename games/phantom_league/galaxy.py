"""The galaxy: 19 hexes, their halves, and the ways between (rulebook: Board; System Half-hex tiles; Movement cost)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.kit import OBSERVER, Components, Match

from .table import Hex

CENTRE = "centre"
CENTRAL = "central"
DIRECTIONS = {
    "north": (0, -1),
    "north-east": (1, -1),
    "south-east": (1, 0),
    "south": (0, 1),
    "south-west": (-1, 1),
    "north-west": (-1, 0),
}
"""The six neighbours of a hex, in steps along two axes."""
RINGS = (1, 6, 12)
COLOURS = ("red", "orange")
FEATURES = ("asteroids", "giant", "planet", "station")


def spot(name: str) -> tuple[int, int]:
    """Board: return where a hex lies.

    The inner ring is named by its direction from Central, as "inner north", the outer ring by the hours of a clock, as "hex 1".

    Example:
        >>> spot("hex 12"), spot("hex 1"), spot("inner north-east")
        ((0, -2), (1, -2), (1, -1))
    """
    return SPOTS[name]


def _outer() -> Iterator[tuple[int, int]]:
    """Yield the outer ring clockwise, beginning in the north."""
    steps = list(DIRECTIONS.values())
    for (q, r), (dq, dr) in zip(steps, [*steps[1:], steps[0]], strict=True):
        yield 2 * q, 2 * r
        yield q + dq, r + dr


OUTER = [f"hex {hour or 12}" for hour in range(12)]
INNER = {f"inner {direction}": at for direction, at in DIRECTIONS.items()}
SPOTS: dict[str, tuple[int, int]] = {CENTRE: (0, 0), **INNER, **dict(zip(OUTER, _outer(), strict=True))}
_NAMES = {at: name for name, at in SPOTS.items()}


def neighbour(name: str, direction: str) -> str:
    """Movement phase: return the hex in a direction, or nothing at the edge of the galaxy.

    Example:
        >>> neighbour("inner north", "north-east"), neighbour("hex 12", "north")
        ('hex 1', '')
    """
    (q, r), (dq, dr) = SPOTS[name], DIRECTIONS[direction]
    return _NAMES.get((q + dq, r + dr), "")


NEIGHBOURS = {name: [n for d in DIRECTIONS if (n := neighbour(name, d))] for name in SPOTS}


def ring(name: str) -> str:
    """Board: return the ring that a hex lies in: centre, inner or outer."""
    return CENTRE if name == CENTRE else "outer" if name in OUTER else "inner"


def distance(one: str, other: str) -> int:
    """Movement phase: return how many hexes lie between two, the last one counted.

    Example:
        >>> distance("hex 12", "hex 6"), distance("inner north", "inner north")
        (4, 0)
    """
    (q, r), (s, t) = SPOTS[one], SPOTS[other]
    return max(abs(q - s), abs(r - t), abs(q + r - s - t))


# Systems


def systems(m: Match) -> dict[str, dict[str, Any]]:
    """System Half-hex tiles: return what is printed on the half-hexes, Central among them."""
    return m.components["systems"]


def is_known(m: Match, name: str) -> bool:
    """Movement cost: tell whether a hex lies face up."""
    return bool(m.table.hexes[name].known)


def halves(m: Match, name: str) -> list[str]:
    """System Half-hex tiles: return the Systems of a known hex; Central is one whole hex (PL-31)."""
    tile = m.table.hexes[name]
    return [half for half in (tile.red, tile.orange) if half] if is_known(m, name) else []


def hex_of(m: Match, place: str) -> str:
    """Board: return the hex in which a known System lies, or nothing while it is not found."""
    tiles = m.table.hexes.items() if place else ()
    return next((name for name, tile in tiles if place in (tile.red, tile.orange) and tile.known), "")


def known_systems(m: Match) -> list[str]:
    """Movement cost: return every System that is face up."""
    return [place for name in m.table.hexes for place in halves(m, name)]


def turn_up(m: Match, name: str) -> None:
    """Movement cost, C; PL-28: the two half-hexes are turned over, and stay open."""
    m.table.hexes[name].known = [*m.seats, OBSERVER]


def has(m: Match, place: str, feature: str) -> bool:
    """System Half-hex tiles: tell whether a System shows a feature: asteroids, giant, nest."""
    return bool(systems(m)[place].get(feature))


def body(m: Match, place: str) -> str:
    """System Half-hex tiles: return `planet` or `station`, or nothing in empty space."""
    found: str = systems(m)[place].get("body", "")
    return found


def faction(m: Match, place: str) -> str:
    """System Half-hex tiles: return `league`, `neutral` or `renegade`."""
    found: str = systems(m)[place]["faction"]
    return found


def is_nest(m: Match, place: str) -> bool:
    """Pirates!, Moving Pirate nest: tell whether Pirates wait at a place."""
    return has(m, place, "nest") or m.table.token == place


def nearest_places(m: Match, place: str) -> list[str]:
    """Death of a Captain; PL-85: return the known Planets and Stations nearest to a place."""
    here = hex_of(m, place)
    found = [p for p in known_systems(m) if body(m, p)]
    least = min(distance(here, hex_of(m, p)) for p in found)
    own = [p for p in found if p == place]
    return own or [p for p in found if distance(here, hex_of(m, p)) == least]


def flying_in(m: Match, who: str, name: str) -> list[str]:
    """Board: return the ships of a player that fly in a hex, the one that acts first; wrecks and docked ships left out."""
    captain, ships, there = m.table.captains[who], m.table.ships, halves(m, name)
    found = [ship for ship in captain.ships if ships[ship].place in there and not (ships[ship].docked or ships[ship].wreck)]
    return sorted(found, key=lambda ship: ship != captain.ship)


# Ways


def ways(m: Match, start: str, reach: int) -> list[list[str]]:
    """Movement cost, B; PL-22: return every way over known hexes without turning back, the start left out.

    Args:
        start: the hex that the ship leaves.
        reach: how many hexes its speed allows.
    """
    found, edge = [], [[start]]
    for _ in range(reach):
        edge = [[*way, n] for way in edge for n in NEIGHBOURS[way[-1]] if n not in way and is_known(m, n)]
        found += [way[1:] for way in edge]
    return found


def steps_to(m: Match, start: str) -> dict[str, int]:
    """Movement cost, B: return for every known hex that can be reached how many hexes away it is."""
    found, edge = {start: 0}, [start]
    for here in edge:
        near = [n for n in NEIGHBOURS[here] if n not in found and is_known(m, n)]
        found.update(dict.fromkeys(near, found[here] + 1))
        edge += near
    return found


# Names


def place_names(components: Components) -> list[str]:
    """System Half-hex tiles: return the names of all Systems."""
    return list(components["systems"])


def lay_hexes(red: list[str], orange: list[str]) -> dict[str, Hex]:
    """Board: lay out Central, then the pairs of half-hexes around it from the inner ring outward."""
    hexes = {CENTRE: Hex(known=[], red=CENTRAL, orange="")}
    rings = [name for name in SPOTS if name != CENTRE]
    hexes.update({n: Hex(known=[], red=r, orange=o) for n, r, o in zip(rings, red, orange, strict=True)})
    return hexes
