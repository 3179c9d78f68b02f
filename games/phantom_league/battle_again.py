"""Variants, Alternative ending for Battles: when all cards are spent new Battle decks are built, or everybody makes a truce."""

from __future__ import annotations

from typing import Any

from referee.kit import Frame, Match, no, order, step

from . import battle_ships as ships
from .battle_deck import KINDS

MOST_ROUNDS = 20
"""House rule: after so many rounds a battle ends as it does without the variant."""


def builds_again(m: Match) -> bool:
    """Variants, Alternative ending for Battles: tell whether enemies whose cards are spent fight on."""
    left = {ships.fighter(m, who).side for who in ships.fighting(m)}
    return bool(m.options["alternative-ending"]) and len(left) > 1 and m.table.battle.round < MOST_ROUNDS


@step
def build_again(m: Match) -> None:
    """Variants, Alternative ending for Battles: all cards are shuffled into their decks; all build again, or make a truce."""
    battle = m.table.battle
    for kind in (*KINDS, "destiny", "discards", "buried"):
        setattr(battle, kind, [])
    for fighter in battle.fighters.values():
        fighter.deck = []
    m.tell("cards shuffled back")
    m.do(step.prepare())


def may_end(m: Match) -> bool:
    """Variants, Alternative ending for Battles: tell whether Battle decks are built once more, so that a truce is possible."""
    return bool(m.options["alternative-ending"]) and m.table.battle.round > 0


@order("truce")
def truce(m: Match, who: str) -> None:
    """Variants, Alternative ending for Battles: a ship would rather make a deal and fight no more."""


@truce.offered
def may_truce(m: Match, who: str) -> Any:
    """Variants, Alternative ending for Battles: whenever new Battle decks are built."""
    return {} if may_end(m) else no("no truce")


def is_truce(m: Match, answers: dict[str, Frame]) -> bool:
    """Variants, Alternative ending for Battles: tell of those who want a truce; there is one if all ships want it."""
    willing = [who for who, answer in answers.items() if any(line["do"] == "truce" for line in answer["lines"])]
    if len(willing) == len(answers):
        m.reveal("truce")
        return True
    if willing:
        m.reveal("truce wanted", ships=willing)
    return False
