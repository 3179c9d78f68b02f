"""Game Turn: rolling the die, taking a square if one can, returning one if not, and the next player."""

from __future__ import annotations

from itertools import islice
from typing import Any

from referee.kit import Match, No, no, one_of, order, step

from .planets import add, incomplete, one_place, open_planet, ways
from .squares import CLOCKWISE, ENDS, FRAGMENTS, complete, drawn, places, recount
from .table import Turn

DIE = 6
MIDDLE = "middle"


@step
def turn(m: Match, who: str) -> None:
    """Game Turn: roll the die, take a square, refill the space row, pass the turn on."""
    m.do(begin_turn(who=who), roll(who=who), take(who=who), pass_on(who=who))


@step
def begin_turn(m: Match, who: str) -> None:
    """Game Turn: the turn passes to a player."""
    m.table.turn = Turn(who=who, number=m.table.turn.number + 1)
    m.tell("turn", who=who, number=m.table.turn.number)


@step
def roll(m: Match, who: str) -> None:
    """Rolling the Die; KM-9, KM-20: the roll comes before every choice of a turn; whoever opens a first planet has none."""
    if who in m.table.begun:
        m.table.turn.die = m.roll(DIE)
        m.tell("rolls", who=who, die=m.table.turn.die)
    else:
        m.table.begun.append(who)


# Taking a Planet Square from the Space Row


@step
def take(m: Match, who: str) -> Any:
    """Taking a Planet Square from the Space Row; KM-7, KM-8: the player chooses; an only possibility is no choice."""
    die, offers = m.table.turn.die, (open_planet, add, return_square, keep)
    if not die:
        return m.ask(who, "first", *offers)
    if not can_take(m, who):
        return m.ask(who, "stuck", *offers, die=die)
    question = m.ask(who, "turn", *offers, die=die)
    frames = list(islice(question.decisions[who].frames(), 2))
    if len(frames) > 1:
        return question
    m.tell("only way", who=who)
    m.do(*frames)
    return None


def can_take(m: Match, who: str) -> bool:
    """Taking a Planet Square from the Space Row; KM-7: tell whether a player can open a planet or add a square."""
    return not isinstance(open_planet.offer(m, who=who), No) or any(ways(m, who, m.table.turn.die))


@order("return [from {planet}] [{end}]", planet="planets", end="fragments")
def return_square(m: Match, who: str, planet: str, end: str) -> None:
    """Opening the Next Planet Fragment; KM-10, KM-11: who cannot take may return a square to the box."""
    planets = m.table.players[who].planets
    shrunk = planets[planet]
    square = shrunk.squares.pop(-1 if end == CLOCKWISE else 0)
    shrunk.quarter = (shrunk.quarter + (end != CLOCKWISE)) % FRAGMENTS
    recount(shrunk)
    m.table.box.append(square)
    m.table.passes = 0
    m.tell("returns", who=who, planet=planet, end=end, drawn=drawn(square), stations=shrunk.stations, aliens=shrunk.aliens)
    if not shrunk.squares:
        del planets[planet]
        m.tell("planet gone", who=who, planet=planet)


@return_square.offered
def may_return(m: Match, who: str) -> Any:
    """Opening the Next Planet Fragment; KM-10: only from planets not fully open, and only at an end."""
    if can_take(m, who):
        return no("must take")
    names, open_ones = m.components.recall(places), incomplete(m, who)
    refused = {name: no("unknown planet", planet=name) for name in names if name not in open_ones}
    full = {name: no("untouchable", planet=name) for name, p in m.table.players[who].planets.items() if complete(p)}

    def end(chosen: dict[str, Any]) -> Any:
        single = len(open_ones[chosen["planet"]].squares) == 1
        middle = no("middle", planet=chosen["planet"])
        return one_of(ENDS[:1] if single else ENDS, refused={MIDDLE: middle}, same=one_place(single))

    return {"planet": one_of(list(open_ones), refused={**refused, **full}), "end": end}


@order("keep", standing=True)
def keep(m: Match, who: str) -> None:
    """Opening the Next Planet Fragment: who cannot take a square need not return one either."""
    m.table.passes += 1
    m.tell("keeps", who=who)


@keep.offered
def may_keep(m: Match, who: str) -> Any:
    """Opening the Next Planet Fragment; KM-7: declining is not allowed while a square can be taken."""
    return no("must take") if can_take(m, who) else {}


# The next player


@step
def pass_on(m: Match, who: str) -> None:
    """Game Turn: the next player clockwise, unless nobody can go on."""
    following = next(seat for seat in [*m.others(who), who] if seat not in m.table.resigned)
    m.do(step.end_stuck() if deadlocked(m) else turn(who=following))


def deadlocked(m: Match) -> bool:
    """House rule; KM-15: tell whether so many players in succession have passed that the game ends.

    One round is enough when the supply is empty and no roll would help; after more rounds either of the two is.
    """
    playing = len(m.seats) - len(m.table.resigned)
    if m.table.passes < playing:
        return False
    hopeless = not any(any(ways(m, seat, DIE)) for seat in m.seats if seat not in m.table.resigned)
    if m.table.passes < playing * m.options["idle-rounds"]:
        return hopeless and not m.table.supply
    return hopeless or not m.table.supply
