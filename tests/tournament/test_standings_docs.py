"""The page for directors names every setting of the scoring with its default, every tie-break and every report."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.tournament import reports, scoring, tiebreaks
from referee.tournament.ratings import PROVISIONAL_GAMES, Rating

PAGE = (Path(__file__).parent.parent.parent / "docs" / "tournaments.md").read_text()


@pytest.mark.parametrize("name", scoring.SETTINGS)
def test_every_setting_stands_there_with_its_default(name: str) -> None:
    assert f"| `{name}` | `{scoring.SETTINGS[name]}` |" in PAGE


@pytest.mark.parametrize("name", tiebreaks.TIEBREAKS)
def test_every_tiebreak_stands_there_with_its_column(name: str) -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `") and f"`{name}`" in line.split(" | ")[0]]
    assert len(rows) == 1
    assert tiebreaks.TIEBREAKS[name].short in rows[0].split(" | ")[1].split(", ")


@pytest.mark.parametrize("format", ["swiss", "round-robin", "tables"])
def test_the_usual_tiebreaks_stand_there_in_their_order(format: str) -> None:
    assert ", ".join(tiebreaks.defaults(format)) in " ".join(PAGE.split())


@pytest.mark.parametrize("name", reports.NAMES)
def test_every_report_stands_there(name: str) -> None:
    assert f"* `{name}`: " in PAGE


def test_the_numbers_of_ratings_are_those_of_the_program() -> None:
    assert f"A newcomer has {Rating().number}, give or take {Rating().give_or_take}." in PAGE
    assert f"fewer than {PROVISIONAL_GAMES} games" in PAGE


def test_the_edition_of_the_regulations_is_named() -> None:
    assert "edition effective\nfrom 1 March 2026" in PAGE
