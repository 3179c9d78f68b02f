"""A Player's Turn, and the End of a Player's Turn."""

from __future__ import annotations

from typing import Any

from referee.kit import NUMBER, Match, number, order, some_of, step

from .actions import ACTIONS, buy, load, unload
from .flight import end_flight, fly, fly_toward, jump, roll, stay
from .interventions import INTERVENTIONS, play
from .table import Turn

HAND = 5


@step
def turn(m: Match, who: str) -> None:
    """A Player's Turn: it begins, goes on until its player ends it, and the die is handed on."""
    m.do(begin_turn(who=who), choose(who=who), pass_die(who=who))


@step
def begin_turn(m: Match, who: str) -> None:
    """Buy a technology; CL-17: technologies in front of the player now make the price of the whole turn."""
    price, number = len(m.table.captains[who].technologies), m.table.turn.number + 1
    m.table.turn = Turn(who=who, number=number, price=price)
    m.table.quiet_turns += 1
    m.tell("turn", who=who, number=number, price=price)


ON_TURN = (jump, roll, fly, fly_toward, stay, *(action.given(by="turn") for action in (load, unload, buy)), play)


@step
def choose(m: Match, who: str) -> Any:
    """A Player's Turn; CL-38: two actions, one flight, two interventions, in any order, none of them compulsory."""
    turn = m.table.turn
    left = {"actions": ACTIONS - turn.actions, "interventions": INTERVENTIONS - turn.interventions}
    if turn.flying:
        return m.ask(who, "flight", *ON_TURN, end, then=[choose(who=who)], energy=turn.energy, **left)
    return m.ask(who, "turn", *ON_TURN, end, then=[choose(who=who)], flights=turn.flights, **left)


@order("end [discarding {cards}] [drawing {count}]", cards="some cards", count=NUMBER)
def end(m: Match, who: str, cards: list[str], count: int) -> None:
    """End of a Player's Turn; CL-36: discard what is not wanted, draw, and nothing else."""
    m.cancel(choose(who=who))
    m.do(throw_away(who=who, cards=cards), draw(who=who, count=count))


@end.offered
def may_end(m: Match, who: str) -> Any:
    """End of a Player's Turn, "Nachschub"; CL-12, CL-13: any cards; up to one a replenishment, to five in hand."""
    captain = m.table.captains[who]
    draws = m.value("draw", 0, who)

    def room(chosen: dict[str, Any]) -> Any:
        gone = len(chosen["cards"])
        stock = len(captain.pile) + (len(captain.discards) + gone) * m.options["reshuffle"]
        most = min(draws, HAND - len(captain.hand) + gone, stock)
        return number(0, most, default=most)

    return {"cards": some_of(captain.hand, default=[]), "count": room}


@step
def throw_away(m: Match, who: str, cards: list[str]) -> None:
    """End of a Player's Turn; CL-14, CL-36: the discards lie open."""
    captain = m.table.captains[who]
    for card in cards:
        captain.hand.remove(card)
    captain.discards += cards
    if cards:
        m.reveal("discards", of=who, who=who, cards=cards)
    end_flight(m, who)


@step
def draw(m: Match, who: str, count: int) -> None:
    """End of a Player's Turn; CL-12: draw cards; an empty pile is made again out of the shuffled discards."""
    captain, drawn = m.table.captains[who], []
    while len(drawn) < count and (captain.pile or refilled(m, who)):
        drawn.append(captain.pile.pop())
    captain.hand += drawn
    if drawn:
        m.reveal("draws", to={who: {"cards": drawn}}, who=who, count=len(drawn))


def refilled(m: Match, who: str) -> bool:
    """End of a Player's Turn; CL-12: shuffle the discards into a new pile, and return whether there is one."""
    captain = m.table.captains[who]
    if not (m.options["reshuffle"] and captain.discards):
        return False
    captain.pile, captain.discards = m.shuffled(captain.discards), []
    m.tell("reshuffles", who=who, count=len(captain.pile))
    return True


@step
def pass_die(m: Match, who: str) -> None:
    """End of a Player's Turn; CL-31: the die goes to the opponent, unless nothing has happened for too long."""
    (opponent,) = m.others(who)
    quiet = m.table.quiet_turns >= m.options["quiet-turns"]
    m.do(step.end_in_quiet() if quiet else turn(who=opponent))
