"""What readers see of The Phantom League: who may see what, the picture of the galaxy, mats, missions, battles."""

import random
import re
from typing import Any

import pytest

from games.phantom_league import GAME
from referee import engine, report
from referee.components import folder_of
from referee.context import bare_context
from referee.mail import picture
from referee.match import Match
from referee.see import OBSERVER

from . import laws
from .phantom_league.short import GAME as SHORT
from .phantom_league.visibility import EVENTS, FIELDS, UNIQUE
from .rules.phantom_league import position

SEATS = ["alice", "bob", "carol", "dave", "erin", "frank"]
LARGEST = 90_000


def laid_out(**table: Any) -> Match:
    """Return the plain position of the scenarios, with alice on turn."""
    m = engine.start(GAME, "pl", SEATS[:2], bytes(32))
    position(m, table)
    m.do({"do": "choose", "who": "alice"}, {"do": "end_turn", "who": "alice"})
    engine.pending(m)
    return m


def shown(m: Match, reader: str, form: report.Form = "text") -> str:
    """Return the report of a reader without news."""
    return report.render(bare_context(m, reader, []), form, folders=[folder_of(GAME)])


def played(seed: int, lines: int) -> Match:
    """Return a match of six after some random lines."""
    m, pick = engine.start(GAME, "pl", SEATS, bytes([seed]) * 32, {"mostly-harmless": True}), random.Random(seed)
    engine.begin(m, {})
    for _ in range(lines):
        question = engine.pending(m)
        if question is None:
            break
        decision = next(d for d in question.decisions.values() if d.decider not in m.sealed)
        engine.answer(m, decision.decider, decision.sample(pick))
    engine.pending(m)
    return m


def test_fields_events_and_sentences_are_those_of_the_rulebook() -> None:
    laws.check_sources(GAME, FIELDS, EVENTS)


@pytest.mark.parametrize("seed", range(2))
def test_the_laws_hold_with_the_lists_of_what_is_told(seed: int) -> None:
    laws.check_match(SHORT, seed, EVENTS, every=40, unique=UNIQUE, most=3000)


@pytest.mark.parametrize("lines", [0, 20, 150, 330])
def test_six_seats_fit_in_a_page_and_their_picture_can_be_drawn(lines: int) -> None:
    m = played(3, lines)
    for reader in ("alice", OBSERVER):
        page = shown(m, reader, "html")
        assert len(page.encode()) < LARGEST
        [galaxy] = picture.pictures(page)
        assert picture.png(galaxy)[:4] == b"\x89PNG"
        assert not re.findall(r"\bstyle=|\bclass=", galaxy.svg)
        for word in re.findall(r'(?:href="#|url\(#)([\w-]+)', galaxy.svg):
            assert f'id="{word}"' in galaxy.svg


def test_the_drawing_keeps_its_columns_however_many_ships_are_in_one_place() -> None:
    m = played(3, 20)
    for ship in m.table.ships.values():
        ship.place, ship.docked, ship.wreck = "central", True, False
    lines = shown(m, OBSERVER, "text").splitlines()
    row = next(line for line in lines if "[ABCDEF]" in line)
    assert row.index("[ABCDEF]") == 28
    assert all(cell == "" or row[at - 1] == " " for at, cell in ((14, row[14:28].strip()), (42, row[42:56].strip())))


def test_unexplored_hexes_show_their_names_and_nothing_else() -> None:
    m = played(3, 20)
    places = m.components["systems"]
    for reader in ("alice", OBSERVER):
        for form in ("text", "html"):
            seen = shown(m, reader, form)
            seen = seen[seen.lower().index("the board\n" if form == "text" else "<h2>the board") :]
            seen = seen[: seen.index("Improvements in the open deck")]
            for name, tile in m.table.hexes.items():
                halves = [places[half]["name"] for half in (tile.red, tile.orange) if half]
                assert all(half in seen for half in halves) if tile.known else not any(half in seen for half in halves)
                assert tile.known or name in seen


def test_a_mat_shows_its_dials_cargo_improvements_and_what_they_add_up_to() -> None:
    ship = {"card": "S05", "docked": True, "cargo": {"ore": 2}, "installed": ["I19", "I01"], "broken": ["I01"]}
    text = " ".join(shown(laid_out(ships={"alice": ship}), "bob").split())
    printed = laid_out().components
    captain = printed["captains"][laid_out().table.captains["alice"].captain]
    space = captain.get("cargo", 0) + printed["ships"]["S05"]["cargo"] + printed["improvements"]["I19"]["cargo"]
    for words in ("S05 Free Trader Ship, docked at Central", f"cargo 2 of {space}", "cargo: 2 ore", "I01 Turbo-Laser [broken]"):
        assert words in text


def test_own_missions_tell_their_progress_and_those_of_others_their_number() -> None:
    table = {"captains": {"alice": {"captain": "C03", "turns": 1, "missions": [{"code": "M22", "deeds": {"explored": 1}}]}}}
    m = laid_out(**table)
    wanted = m.components["missions"]["M22"]["needs"][0]["count"]
    assert f"so far: done 1 of {wanted}" in shown(m, "alice")
    assert "M22" not in shown(m, "bob")
    assert "alice: 1 mission in hand" in shown(m, "bob")


def test_prices_stand_in_a_table_as_costs_and_proceeds() -> None:
    m = laid_out()
    row = m.components["trade"]["central"]
    [line] = [line for line in shown(m, "alice").splitlines() if line.startswith("L Central") and "+" in line]
    assert line.split()[2:] == ["+80", ".", "-10", "-15", "-20"]
    assert (row["sell"]["narcotics"], row["buy"]["ore"]) == (80, 20)


def test_a_battle_shows_dials_decks_by_set_and_revealed_cards_to_all_and_cards_to_their_player() -> None:
    for seed in range(1, 20):
        for lines in range(60, 400, 20):
            m = played(seed, lines)
            battle = m.table.battle
            if any(fighter.cards for fighter in battle.fighters.values()):
                seen = " ".join(shown(m, OBSERVER).split())
                assert f"A BATTLE ({battle.cause})" in seen
                for who, fighter in battle.fighters.items():
                    assert f"Battle deck: {len(fighter.deck)}" in seen
                    assert all(f"revealed: {card}, " in seen for card in fighter.cards)
                    assert f"Battle deck of {who}" in shown(m, fighter.seat)
                    assert f"Battle deck of {who}" not in seen
                return
    pytest.fail("no battle with revealed cards in twenty matches")
