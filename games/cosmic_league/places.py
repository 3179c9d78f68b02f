"""Where a ship can be, and the ways between (The Flight).

A ship is on a planet, in its orbit, or in the gap between two neighbouring orbits. Every single move costs one unit:
launching, landing, one orbit inward, and outward first the gap and then the orbit.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from referee.kit import Components, Match, no, one_of


class Chart:
    """The places, worked out once from the planets.

    Attributes:
        planets: from the sun outward.
        ways: from each place to each other the shortest way, the start left out; its length is its cost.
        orbit: the planet that an orbit belongs to, by orbit.
        slots: offers made before, since a place and an amount of energy always offer the same.
    """

    def __init__(self, planets: list[str], ways: dict[str, dict[str, list[str]]], orbit: dict[str, str]) -> None:
        """Keep the places; nothing has been offered yet."""
        self.planets, self.ways, self.orbit = planets, ways, orbit
        self.slots: dict[Any, Any] = {}


def orbit_of(planet: str) -> str:
    """Return the orbit of a planet."""
    return f"{planet} orbit"


def chart(components: Components) -> Chart:
    """Return the chart that the board data makes."""
    planets = sorted(components["planets"], key=lambda planet: components["planets"][planet]["place"])
    moves = single_moves(planets)
    return Chart(planets, {start: _ways_from(start, moves) for start in moves}, {orbit_of(p): p for p in planets})


def single_moves(planets: list[str]) -> dict[str, list[str]]:
    """Return where one unit of energy takes a ship from each place (The Flight).

    Example:
        >>> single_moves(["yellow", "green"])["green orbit"]
        ['green', 'yellow orbit']
        >>> single_moves(["yellow", "green"])["yellow-green gap"]
        ['yellow orbit', 'green orbit']
    """
    moves: dict[str, list[str]] = {}
    for planet in planets:
        moves[planet], moves[orbit_of(planet)] = [orbit_of(planet)], [planet]
    for inner, outer in pairwise(planets):
        gap = f"{inner}-{outer} gap"
        moves[gap] = [orbit_of(inner), orbit_of(outer)]
        moves[orbit_of(inner)].append(gap)
        moves[orbit_of(outer)].append(orbit_of(inner))
    return moves


def _ways_from(start: str, moves: dict[str, list[str]]) -> dict[str, list[str]]:
    ways: dict[str, list[str]] = {start: []}
    edge = [start]
    while edge:
        reached = [(place, here) for here in edge for place in moves[here]]
        edge = []
        for place, here in reached:
            if place not in ways:
                ways[place] = [*ways[here], place]
                edge.append(place)
    del ways[start]
    return ways


def destinations(m: Match, here: str, energy: int) -> Any:
    """Offer every place that the energy reaches from here, and say of the others what they cost."""
    found = m.components.recall(chart)
    key = (here, energy)
    if key not in found.slots:
        ways = found.ways[here]
        far = {p: no("too far", place=p, cost=len(w), energy=energy) for p, w in ways.items() if len(w) > energy}
        far[here] = no("already there", place=here)
        found.slots[key] = one_of([p for p, w in ways.items() if len(w) <= energy], refused=far)
    return found.slots[key]


def headings(m: Match, here: str) -> Any:
    """Offer every planet to fly toward from here."""
    found = m.components.recall(chart)
    if here not in found.slots:
        refused = {here: no("already there", place=here)}
        found.slots[here] = one_of([p for p in found.planets if p != here], refused=refused)
    return found.slots[here]
