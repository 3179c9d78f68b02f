"""Mini-Campaign: three games in professional mode as one match, with one more building each before every game."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, step

from .buildings import build, deal_buildings, draft, labels, return_buildings
from .rounds import opponent
from .scoring import close
from .setup import new_game

GAMES = 3
DEALT, CHOSEN = 3, 1


@step
def begin_campaign(m: Match) -> None:
    """Mini-Campaign: before the first game each player is dealt three buildings and keeps one."""
    m.do(draft(dealt=DEALT, chosen=CHOSEN))


@step
def after_game(m: Match) -> None:
    """Mini-Campaign; FP-37, FP-39: whoever has the lower total VP draws, and later decides where the start tile points."""
    totals = {seat: sum(game[seat]["total"] for game in m.table.games) for seat in m.seats}
    m.table.phase = ""
    m.tell("totals", games=len(m.table.games), totals=[f"{seat} {total}" for seat, total in totals.items()])
    if m.table.game == GAMES:
        m.do(close())
        return
    if len(set(totals.values())) == 1:
        m.do(draft(dealt=DEALT, chosen=CHOSEN), new_game())
        return
    behind = min(m.seats, key=totals.__getitem__)
    m.table.chooser = behind
    m.do(deal_buildings(who=behind, count=DEALT), pick_first(who=behind), new_game())


@step
def pick_first(m: Match, who: str) -> Any:
    """Mini-Campaign: the player who is behind keeps one of three buildings, and passes the other two."""
    then = [pass_on(who=who), pick_second(who=opponent(m, who))]
    return m.ask(who, "pick", build.given(count=CHOSEN), then=then, buildings=labels(m, m.table.players[who].dealt))


@step
def pass_on(m: Match, who: str) -> None:
    """Mini-Campaign: the two others go to the player who is ahead."""
    other, player = opponent(m, who), m.table.players[who]
    m.table.players[other].dealt, player.dealt = player.dealt, []
    passed = labels(m, m.table.players[other].dealt)
    m.reveal("passes", of=who, to={other: {"buildings": passed}}, who=who, other=other, count=len(passed))


@step
def pick_second(m: Match, who: str) -> Any:
    """Mini-Campaign: the player who is ahead keeps one of the two, and returns the other to the box."""
    then = [return_buildings(who=who)]
    return m.ask(who, "pick", build.given(count=CHOSEN), then=then, buildings=labels(m, m.table.players[who].dealt))
