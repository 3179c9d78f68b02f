"""Recognition: both paths, the choice at level 4, gains and losses, the bounty, buying, victory (rulebook: Recognition)."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, no, one_of, order, step

from .data import PATHS
from .docked import PLANET, do_business, not_docked, too_dear
from .ending import best, finish_game
from .mats import alive, captain_of, is_straight, spend
from .options import EXTENSION

PRICES = {2: 50, 3: 100, 4: 200, 5: 400, 6: 800, 7: 1600}
"""What it costs to rise to a level (Buying Recognition); level 8 is not for sale."""
LEAST, PATH_LEVEL, WINNING = 1, 4, 8
FAME, NOTORIETY = PATHS


# Gains and losses


@step
def gain_recognition(m: Match, who: str, by: int) -> None:
    """Recognition; PL-8: a player rises by some levels, one after the other."""
    m.do(*[rise(who=who) for _ in range(by)])


@step
def rise(m: Match, who: str) -> Any:
    """Recognition; PL-7, PL-8, PL-10: one level; reaching level 4 takes a path, reaching level 8 wins."""
    captain = captain_of(m, who)
    if captain.dead or captain.recognition == WINNING:
        return None
    if captain.recognition + 1 == PATH_LEVEL and not captain.path:
        return choose_path(m, who)
    captain.recognition += 1
    m.tell("rises", who=who, level=captain.recognition)
    if captain.recognition == WINNING and not in_battle_round(m):
        m.do(crown())
    return None


def choose_path(m: Match, who: str) -> Any:
    """Recognition; PL-8, PL-50: the path is chosen when level 4 is reached; Sir Frank takes the Path of Fame unasked."""
    if is_straight(m, who):
        captain_of(m, who).path = FAME
        m.tell("takes path", who=who, path=FAME)
        m.do(rise(who=who))
        return None
    active = m.table.turn.who
    return m.ask(who, "path", follow, then=[rise(who=who)], interrupts="" if active == who else active)


@order("follow {path}", path="paths", standing=True)
def follow(m: Match, who: str, path: str) -> None:
    """Path of Fame; Path of Notoriety: a player chooses one of them."""
    captain_of(m, who).path = path
    m.tell("takes path", who=who, path=path)


@follow.offered
def may_follow(m: Match, who: str) -> Any:
    """Path of Fame; Path of Notoriety: both are open to all but Sir Frank, who is not asked."""
    return {"path": one_of(PATHS)}


@step
def lose_recognition(m: Match, who: str, by: int, why: str) -> None:
    """Recognition; PL-7: never below level 1; below level 4 a player is neutral again."""
    captain = captain_of(m, who)
    lost = min(by, captain.recognition - LEAST)
    captain.recognition -= lost
    m.tell("sinks", who=who, by=lost, level=captain.recognition, why=why)
    if captain.recognition < PATH_LEVEL and captain.path:
        captain.path = ""
        m.tell("neutral again", who=who)


@step
def gain_fame(m: Match, who: str) -> None:
    """Path based Recognition rewards; PL-9: a level more, or one less on the Path of Notoriety."""
    m.do(path_reward(m, who, against=NOTORIETY))


@step
def gain_notoriety(m: Match, who: str) -> None:
    """Path based Recognition rewards; PL-9: a level more, or one less on the Path of Fame."""
    m.do(path_reward(m, who, against=FAME))


def path_reward(m: Match, who: str, against: str) -> Any:
    """Path based Recognition rewards; PL-9: return what the symbol brings; the base game reads it as a level."""
    if m.options.get(EXTENSION, False) and captain_of(m, who).path == against:
        return lose_recognition(who=who, by=1, why="other path")
    return gain_recognition(who=who, by=1)


def in_battle_round(m: Match) -> bool:
    """Object of the game; PL-10: tell whether a battle round is going on; then its closure decides who has won.

    So does the end of what a card does to all members of a group, which is one moment (PL-98).
    """
    return any(frame["do"] in ("close_round", "moment_over") for frame in m.agenda)


def bounty(m: Match, who: str) -> int:
    """Path of Notoriety: the price of the level below the own one; nothing for others."""
    captain = captain_of(m, who)
    return PRICES[captain.recognition - 1] if captain.path == NOTORIETY else 0


# Buying


@order("buy recognition")
def buy_recognition(m: Match, who: str) -> None:
    """Buying Recognition; PL-48: one level a turn, at the price of the level that is reached."""
    price = PRICES[captain_of(m, who).recognition + 1]
    do_business(m, who)
    spend(m, who, price)
    m.table.turn.recognition_bought = True
    m.tell("buys recognition", who=who, price=price, money=captain_of(m, who).money)
    m.do(gain_recognition(who=who, by=1))


@buy_recognition.offered
def may_buy_recognition(m: Match, who: str) -> Any:
    """Buying Recognition; PL-48: docked on a Planet, once a turn, never the last level."""
    stop, level = not_docked(m, who, at=PLANET), captain_of(m, who).recognition + 1
    if stop:
        return stop
    if m.table.turn.recognition_bought:
        return no("recognition bought")
    if level not in PRICES:
        return no("last level")
    return too_dear(m, who, PRICES[level]) or {}


# Victory


@step
def crown(m: Match) -> None:
    """Object of the game; PL-10, PL-11: level 8 wins; at the same moment more money, then more Structure."""
    winners = [who for who in alive(m) if captain_of(m, who).recognition == WINNING]
    if winners and not m.over:
        finish_game(m, best(m, winners), "recognition")
