"""Every kind of question of The Phantom League is held to the laws, however seldom a random match comes to it."""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any

import pytest

from games.phantom_league import GAME
from games.phantom_league import battle_ships as ships
from referee import engine
from referee.chance import Chance, working_seed
from referee.match import Match

from . import laws
from .law_answers import asides, lines, opened, order, unmoved
from .law_play import At, next_mail, play
from .phantom_league.visibility import ALIKE, UNIQUE
from .rules.phantom_league import AGENDA, position
from .rules.runner import FOLDER, positions
from .soak import questions_of

SHIP = {"cargo": {"food": 2, "ore": 1}, "installed": ["I01", "I02"]}
FIGHT: dict[str, Any] = {"decks": {"alice": ["feint"], "bob": ["parry"]}, "revealed": {"alice": ["vanish"]}}
DISCARDS = {"discards": ["ion burst", "overcharge"]}
MENDING = {"captains": {"alice": {"captain": "C11"}}, "ships": {"alice": {"card": "S09", "structure": 5}}}
RARE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "ambassador": ({"do": "take_aboard", "who": "alice", "card": "A12"}, {}),
    "beggars": ({"do": "feed_beggars", "who": "alice", "food": 1, "by": 1}, {}),
    "barter fleet": ({"do": "barter_with_fleet", "who": "alice", "most": 2}, {}),
    "fine": ({"do": "charge", "who": "alice", "money": 20, "why": "a fine"}, {"ships": {"alice": {"installed": ["I40"]}}}),
    "beacon": ({"do": "hear_beacon", "who": "alice", "fuel": 1}, {}),
    "drifting cargo": ({"do": "find_cargo", "who": "alice", "count": 2}, {}),
    "block": ({"do": "block_all", "who": "alice"}, {"battle": FIGHT, "ships": {"alice": {"installed": ["I09"]}}}),
    "regain": ({"do": "regain", "target": "alice", "kind": "attack"}, {"battle": FIGHT | DISCARDS}),
    "lose": ({"do": "lose_improvement", "target": "alice"}, {"battle": FIGHT}),
    "breach": ({"do": "jettison_cargo", "target": "alice", "count": 2}, {"battle": FIGHT}),
    "mend": ({"do": "offer_mend"}, {"battle": FIGHT, **MENDING}),
}
"""For each kind of question to which few matches come: the step that asks it, and what lies on the table."""


OFTEN = ("aim", "bonus", "damage", "draw", "drop", "grab", "shed", "stunt")
"""Kinds of questions that no scenario stops at, and to which the battles of `tests.soak` come in every run of some hundreds."""


def keeps_the_laws(m: Match, answers: int) -> None:
    """Demand that a position keeps every law, some answers too; what was played with a pack cannot be read again here."""
    m = m.copy()
    m.chance, m.stop, m.events = Chance(working_seed(m.id, m.secret, m.nonces, m.seats), 0), max(m.stop, 1), []
    at = At(m.game, 1, m, random.Random(1), unique=UNIQUE, alike=ALIKE, few=0.5)
    for name, law in laws.POSITION_LAWS.items():
        if name != "saved" or not m.components.packs:
            law(at)
    asides(at)
    for _ in range(answers):
        seat, mail, decider, frame = next_mail(at)
        unmoved(at, decider, frame)
        order(at, decider, frame)
        opened(at, decider, frame)
        after = play(at, seat, mail)
        lines(at, after, decider, frame)


def laid_out(frame: dict[str, Any], table: dict[str, Any]) -> Match:
    """Return the position in which a step is about to ask."""
    m = engine.start(GAME, "rare", ["alice", "bob", "carol"], bytes(32), {"mostly-harmless": True})
    position(m, {"ships": {"alice": SHIP}, **table})
    if "battle" in table:
        ships.fighter(m, "alice").asks = True
    if "card" in frame:
        m.table.aliens.remove(frame["card"])
    m.do(frame, *AGENDA)
    return m


@pytest.mark.parametrize("kind", RARE)
def test_a_question_that_comes_up_seldom_keeps_the_laws(kind: str) -> None:
    m = laid_out(*RARE[kind])
    question = engine.pending(m)
    assert question is not None
    assert question.name == kind
    keeps_the_laws(m, answers=3)


@lru_cache
def of_scenarios() -> dict[str, Match]:
    """Return for each kind of question to which a scenario comes its first position there."""
    found: dict[str, Match] = {}
    for path in sorted(FOLDER.glob("phantom_league/*.toml")):
        for m in positions(path):
            if question := engine.pending(m):
                found.setdefault(question.name, m)
    return found


def test_the_questions_of_scenarios_keep_the_laws() -> None:
    for m in of_scenarios().values():
        keeps_the_laws(m, answers=1)


def test_no_kind_of_question_is_left_out() -> None:
    assert sorted({*of_scenarios(), *RARE, *OFTEN}) == questions_of([GAME.slug])
