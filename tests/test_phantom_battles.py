"""Battles of The Phantom League straight from records: laws, mails, and lines that cannot be read or done."""

from __future__ import annotations

import runpy
import statistics
from pathlib import Path

import pytest

from games.phantom_league.battle_escape import new_escape
from referee.chain import Chain
from referee.keys import PublicKey
from referee.see import dump

from . import laws
from .phantom_league import arena, planned, visibility
from .phantom_league.fighters import DESIGNED, PER_ROUND, PREPARATION, fight, too_many

EXAMPLES = Path(__file__).parent.parent / "examples"
EVENTS = visibility.EVENTS


@pytest.mark.parametrize("seed", range(40))
def test_a_fighter_who_plans_needs_two_mails_a_round_and_one_before(seed: int) -> None:
    found = fight(seed, **{"mostly-harmless": seed % 2 == 0, "support-bonus": seed % 3 == 0})
    assert not too_many(found)
    for mails in found.mails.values():
        assert mails["prepare"] <= PREPARATION
        assert mails["play"] + mails["orders"] <= PER_ROUND * found.rounds


@pytest.mark.parametrize("seats", range(2, 7))
def test_battles_of_any_size_end(seats: int) -> None:
    assert fight(1000 + seats, seats).outcomes


@pytest.mark.parametrize("improvements", DESIGNED)
def test_battle_decks_are_as_large_as_designed(improvements: int) -> None:
    fights = [fight(20_000 + seed, 2, equipped=improvements, raiders=False) for seed in range(25)]
    assert abs(statistics.mean(size for f in fights for size in f.decks) - DESIGNED[improvements][0]) < 0.5


@pytest.mark.parametrize("seed", [100, 102, 202])
def test_laws_of_battles(seed: int) -> None:
    laws.check_match(arena.GAME, seed, EVENTS, every=6)


@pytest.mark.parametrize(
    ("value", "own", "up", "helped", "hindered", "after"),
    [(3, 2, False, 0, 0, -1), (3, 2, False, 0, 1, -1), (3, 2, False, 0, 2, 0), (6, 2, False, 0, 0, 2), (0, 1, True, 0, 0, 1),
     (4, 1, False, 1, 0, 1), (4, 0, False, 0, 3, 5)],
)  # fmt: skip
def test_the_table_of_escape_attempts(value: int, own: int, up: bool, helped: int, hindered: int, after: int) -> None:
    assert new_escape(value, own, up, helped, hindered) == after


def test_whatever_is_answered_question_by_question_can_be_ordered_beforehand() -> None:
    for m, rng in planned.rounds(25):
        alike, asked = planned.same(m, rng)
        assert alike, asked.lines


def test_the_worked_battle_of_the_rulebook() -> None:
    program = runpy.run_path(str(EXAMPLES / "worked_battle.py"))
    assert list(program["story"]()) == (EXAMPLES / "worked-battle.txt").read_text().splitlines()


def test_the_ruling_of_the_worked_battle_changes_nothing_but_which_battle_cards_lie_where() -> None:
    program = runpy.run_path(str(EXAMPLES / "worked_battle.py"))
    chain = Chain(EXAMPLES / "worked-battle", PublicKey.load(EXAMPLES / "referee.pub"))
    count = chain.store.latest_serial() + 1
    [ruled] = [n for n in range(1, count) if chain.section(n, "move").get("ruling") == "correct"]
    before, after = (dump(chain.link(n).save.match.table) for n in (ruled - 1, ruled))
    assert before.pop("battle") != after["battle"]
    drawn = {who: fighter["deck"] for who, fighter in after.pop("battle")["fighters"].items()}
    for who, cards in program["DECKS"].items():
        assert {kind: [c["front"] for c in drawn[who] if c["set"] == kind] for kind in program["SETS"]} == cards
    assert before == after


def test_the_worked_battle_takes_three_mails_each() -> None:
    program = runpy.run_path(str(EXAMPLES / "worked_battle.py"))
    mails = [seat for seat, _ in [*program["PREPARATION"], *program["BATTLE"]]]
    assert (mails.count("henri"), mails.count("timo")) == (3, 3)
