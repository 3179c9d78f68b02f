"""The Phantom League with its extension and variants: what is in play, what goes together, random combinations."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from games.phantom_league import GAME
from games.phantom_league.options import OPTIONS
from referee import engine
from referee.components import load_components
from referee.errors import Usage
from referee.match import Match
from referee.orders import submit
from referee.see import dump

from .phantom_league.combinations import combined
from .rules.phantom_league import position
from .test_phantom_reports import shown

SEATS = ["alice", "bob", "carol"]
REPRINTS = {
    "missions": "M03 M05 M06 M08 M09 M11 M12 M16 M17 M20 M23 M27 M28",
    "battle": "B27 B29 B30 B42 B49 B54 B55",
    "ships": "S06",
    "captains": "C02 C05",
}
"""Reprinted cards: what the extension replaces."""
SHEETS = ("captains", "ships", "missions", "aliens", "raiders", "improvements", "hyperspace", "docking")
MOST = {"secret-agreements", "rounds"}
"""Options that are no variants."""


def begun(**options: Any) -> Match:
    m = engine.start(GAME, "pl", SEATS, bytes(32), options)
    engine.begin(m, {})
    return m


# The extension


def test_the_reprinted_cards_are_those_that_the_rulebook_names() -> None:
    components = load_components(GAME)
    for sheet, listed in REPRINTS.items():
        rows = [(code, row) for code, row in components[sheet].items() if row.get("reprint")]
        codes = [one for code, row in rows for one in row.get("codes", [code])]
        assert sorted(codes) == listed.split(), sheet
        assert all(row.get("set", "base") == "base" for _, row in rows), "a reprint has the reference of the base card"


@pytest.mark.parametrize("extension", [False, True])
def test_cards_of_the_extension_are_in_play_with_it_only(extension: bool) -> None:
    m = begun(**{"mostly-harmless": extension, "quick-start": True})
    held = json.dumps(dump(m.table))
    for sheet in SHEETS:
        new = [code for code, row in m.components[sheet].items() if row.get("set") == "mostly-harmless"]
        assert new, sheet
        assert {code for code in new if f'"{code}"' in held} == (set(new) if extension else set()), sheet


# What goes together


def test_all_options_go_together_with_three_players_but_for_two_ships() -> None:
    on = {name: 75 if name == "docking-fee" else True for name in OPTIONS if name not in (*MOST, "two-ships")}
    m = begun(**on)
    assert all(m.options[name] for name in on)


def test_two_ships_are_for_two_players() -> None:
    with pytest.raises(Usage, match="The option 'two-ships' is for 2 players, and 3 seats are named"):
        begun(**{"two-ships": True})
    on = {name: 75 if name == "docking-fee" else True for name in OPTIONS if name not in MOST}
    assert engine.start(GAME, "pl", SEATS[:2], bytes(32), on).options["two-ships"]


def test_a_fee_comes_in_steps_of_25() -> None:
    assert begun(**{"docking-fee": "150"}).options["docking-fee"] == 150
    with pytest.raises(Usage, match="0 to 150 in steps of 25"):
        begun(**{"docking-fee": "80"})


def test_each_option_says_where_it_comes_from() -> None:
    for name, option in OPTIONS.items():
        assert any(word in option.about for word in ("rulebook", "house rule")), name


# Reports


def test_the_report_says_which_of_two_ships_acts_and_what_the_other_has_done() -> None:
    m = engine.start(GAME, "pl", SEATS[:2], bytes(32), {"two-ships": True})
    second = {"card": "S07", "place": "hollow core"}
    position(m, {"ships": {"alice 2": second, "bob 2": {"card": "S03"}}})
    m.table.turn.moved = True
    m.do({"do": "choose", "who": "alice"}, {"do": "end_turn", "who": "alice"})
    engine.pending(m)
    m = submit(m, "alice", ["helm courier"]).match
    for form in ("text", "html"):
        seen = " ".join(shown(m, "bob", form).split())
        assert "S05 Free Trader Ship" in seen
        assert re.search(r"flying at Central \(league planet\)[^;]*; it has moved", seen)
        assert re.search(r"flying at Hollow Core \(league planet\)[^;]*; it acts now", seen)


# Random combinations


@pytest.mark.parametrize("seed", [*range(1, 6), 1113])
def test_random_combinations_keep_the_cheap_laws(seed: int) -> None:
    combined(seed, closely=False)


def test_a_random_combination_keeps_all_laws() -> None:
    combined(1078, closely=True)
