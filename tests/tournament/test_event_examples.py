"""The example tournaments: closed, verified with the public key beside them, with the reports that are made of them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from referee.keys import PublicKey
from referee.tournament import reports
from referee.tournament.book import Book
from referee.tournament.check import verify_event
from referee.tournament.views import view_of

EXAMPLES = Path(__file__).parents[2] / "examples"
EVENTS = sorted(path.parent for path in EXAMPLES.glob("*/tournament.toml"))
KEY = PublicKey.load(EXAMPLES / "referee.pub")


def test_there_are_two_examples() -> None:
    assert {"tournament-cosmic", "tournament-phantom"} <= {path.name for path in EVENTS}


@pytest.mark.parametrize("folder", EVENTS, ids=lambda path: path.name)
def test_an_example_is_closed_and_verifies_move_by_move(folder: Path) -> None:
    found = verify_event(folder, KEY, jobs=min(2, os.cpu_count() or 1))
    assert found.event.state == "closed"
    assert found.lots == "drawn again"
    assert found.rounds == len(found.event.sheets)
    played = [one for sheet in found.event.sheets for one in sheet.round.pairings if not one.is_bye]
    assert found.results == found.replayed == len(played)


@pytest.mark.parametrize("folder", EVENTS, ids=lambda path: path.name)
def test_its_reports_say_what_the_event_says(folder: Path) -> None:
    """All but the line that says when they were made."""
    event = Book(folder, KEY).read().event
    seen = view_of(event, folder, KEY, "2026-12-31T12:00:00Z")
    texts = {"standings": 0, "crosstable": 0, **{f"pairings-{number + 1}": number + 1 for number in range(len(event.sheets))}}
    for title, number in texts.items():
        made = reports.render(seen, title.partition("-")[0], "text", round=number)
        assert _lasting(made) == _lasting((folder / "reports" / f"{title}.txt").read_text())


def _lasting(text: str) -> str:
    return text.partition("as it stood on")[0]
