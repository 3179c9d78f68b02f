"""Taking a Planet Square from the Space Row: opening a planet, adding the next fragment, and the refill."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.kit import Match, No, no, one_of, order, step

from .squares import (
    CLOCKWISE,
    COUNTER,
    FRAGMENTS,
    MOST_INCOMPLETE,
    ROW,
    complete,
    drawn,
    ends_of,
    fitting,
    misfit,
    needed,
    places,
    recount,
    square_of,
)
from .table import Planet, Square


def incomplete(m: Match, who: str) -> dict[str, Planet]:
    """Return a player's planets that are not fully open."""
    return {name: planet for name, planet in m.table.players[who].planets.items() if not complete(planet)}


def ways(m: Match, who: str, die: int) -> Iterator[tuple[str, str]]:
    """Opening the Next Planet Fragment: yield each square and planet that go together with a result of the die."""
    strong = {name: planet for name, planet in incomplete(m, who).items() if die >= needed(planet)}
    return ((place, name) for name, planet in strong.items() for place, sq in m.table.row.items() if fitting(planet, sq))


def row_slot(m: Match) -> Any:
    """Taking a Planet Square from the Space Row: offer what lies there."""
    return one_of(list(m.table.row), refused={place: no("empty place", square=place) for place in ROW})


def leave_row(m: Match, place: str) -> Square:
    """Refilling the Space Row; KM-13: take a square, and schedule the refill of its place."""
    m.table.passes = 0
    m.do(refill(place=place))
    square = m.table.row.pop(place)
    assert isinstance(square, Square)
    return square


# Opening a New Planet


@order("open {square}", square="squares")
def open_planet(m: Match, who: str, square: str) -> None:
    """Opening a New Planet; KM-12: the square is the first fragment; the die does not count."""
    taken, planets = leave_row(m, square), m.table.players[who].planets
    name = next(name for name in m.components.recall(places) if name not in planets)
    planets[name] = Planet(squares=[taken])
    recount(planets[name])
    m.table.players[who].planets = {name: planets[name] for name in m.components.recall(places) if name in planets}
    m.tell("opens", who=who, square=square, drawn=drawn(taken), planet=name)


@open_planet.offered
def may_open(m: Match, who: str) -> Any:
    """Opening a New Planet; KM-21: never more than two incompletely open planets."""
    begun = list(incomplete(m, who))
    return no("two begun", planets=begun) if len(begun) == MOST_INCOMPLETE else {"square": row_slot(m)}


# Opening the Next Planet Fragment


@order("add {square} [to {planet}] [{end}]", square="squares", planet="planets", end="ends")
def add(m: Match, who: str, square: str, planet: str, end: str) -> None:
    """Opening the Next Planet Fragment; KM-4: lay the square at an end of the planet; the fourth closes the ring."""
    taken, grown = leave_row(m, square), m.table.players[who].planets[planet]
    if end == CLOCKWISE:
        grown.squares.append(taken)
    else:
        grown.squares.insert(0, taken)
        grown.quarter = (grown.quarter - 1) % FRAGMENTS
    before = grown.stations
    recount(grown)
    words = {"who": who, "square": square, "drawn": drawn(taken), "planet": planet, "stations": grown.stations}
    m.tell("adds", **words, end=end, gained=grown.stations - before, aliens=grown.aliens)
    if complete(grown):
        m.tell("completes", who=who, planet=planet, stations=grown.stations)


@add.offered
def may_add(m: Match, who: str) -> Any:
    """Opening the Next Planet Fragment: any square of the row, a planet where it fits, an end where it fits."""
    planets, die = m.table.players[who].planets, m.table.turn.die
    if not die:
        return no("first round")
    if not incomplete(m, who):
        return no("nothing begun")

    def fits(chosen: dict[str, Any]) -> Any:
        odd = {name: unfit(m, who, chosen["square"], name) for name in m.components.recall(places)}
        refused = {name: why for name, why in odd.items() if isinstance(why, No)}
        return one_of([name for name in planets if name not in refused], refused=refused)

    def at(chosen: dict[str, Any]) -> Any:
        return end_slot(m, who, chosen["square"], chosen["planet"])

    return {"square": row_slot(m), "planet": fits, "end": at}


def unfit(m: Match, who: str, place: str, name: str) -> No | None:
    """Opening the Next Planet Fragment: return why a square of the row cannot be added to a planet, if it cannot."""
    planet, square = m.table.players[who].planets.get(name), m.table.row[place]
    if planet is None:
        return no("unknown planet", planet=name)
    if complete(planet):
        return no("complete", planet=name)
    least, die = needed(planet), m.table.turn.die
    if die < least:
        return no("too few", planet=name, stations=planet.stations, aliens=planet.aliens, least=least, die=die)
    if fitting(planet, square):
        return None
    why, *other = [misfit(planet, square, end, square=place, planet=name) for end in ends_of(planet)]
    words = {f"other_{word}": text for reason in other for word, text in reason.words.items()}
    return no("fits nowhere", **why.words, **words) if other else why


def end_slot(m: Match, who: str, square: str, planet: str) -> Any:
    """Opening the Next Planet Fragment: offer the ends where a square fits; the fourth fragment has one place only."""
    grown, taken = m.table.players[who].planets[planet], m.table.row[square]
    fits = fitting(grown, taken)
    words = {"square": square, "planet": planet}
    refused = {end: misfit(grown, taken, end, **words) for end in ends_of(grown) if end not in fits}
    return one_of(fits, refused=refused, same=one_place(len(ends_of(grown)) == 1))


def one_place(single: bool) -> dict[str, str]:
    """Opening the Next Planet Fragment: where both ends are one place, either word means it."""
    return {COUNTER: CLOCKWISE} if single else {}


# Refilling the Space Row


@step
def refill(m: Match, place: str) -> None:
    """Refilling the Space Row; KM-13, KM-14: the next square of the supply; when the row stays empty the game ends."""
    if m.table.supply:
        row = {**m.table.row, place: square_of(m, m.table.supply.pop())}
        m.table.row = {name: row[name] for name in ROW if name in row}
        m.reveal("refills", square=place, drawn=drawn(row[place]), left=len(m.table.supply))
    elif not m.table.row:
        m.do(step.end_with_row())
