"""Round Sequence, and Preparing the Next Round."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, step

from .deck import LEFT_AND_RIGHT, draw, fronts, top_back, turn_up

ROUNDS = 5


@step
def play_round(m: Match) -> None:
    """Round Sequence: ships are dispatched, specialists are recruited and played, and the next round is prepared."""
    table = m.table
    table.round += 1
    table.side = "left"
    for player in table.players.values():
        player.dock = player.parts
        player.exchanged = False
    (card_side,) = m.others(table.ship)
    m.tell("round", number=table.round, ship=table.ship, cards=card_side)
    m.do(
        step.dispatch(who=table.ship),
        step.choose_side(),
        step.recruit_all(),
        step.return_ships(),
        step.play_phase(who=card_side),
        step.play_phase(who=table.ship),
        end_round(),
    )


@step
def end_round(m: Match) -> None:
    """Round Sequence; FP-T12: after the fifth round nothing is prepared any more."""
    m.table.phase = ""
    m.do(*[step.end_game()] if m.table.round == ROUNDS else [rotate(), prepare_planets(), play_round()])


@step
def rotate(m: Match) -> None:
    """Preparing the Next Round; FP-T11, FP-22: the start tile is rotated, and all coins show their yellow front."""
    (m.table.ship,) = m.others(m.table.ship)
    for player in m.table.players.values():
        player.spent = 0


@step
def prepare_planets(m: Match) -> None:
    """Preparing the Next Round; FP-6, FP-7: two open specialists a planet, from left to right, while there are any."""
    dealt: list[str] = []
    for name, planet in m.table.planets.items():
        planet.cards = draw(m, LEFT_AND_RIGHT)
        turn_up(m, planet.cards)
        dealt.append(f"{name}: {', '.join(fronts(planet.cards)) or '-'}")
    m.reveal("deals", planets=dealt, top=top_back(m))


def opponent(m: Match, who: str) -> Any:
    """Return the other player."""
    (other,) = m.others(who)
    return other
