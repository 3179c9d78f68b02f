"""The README: its table of what there is names tests that exist, every game is in it, and its commands are commands."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from referee.cli import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
TABLE = README.partition("## What there is, and the test that shows it")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| (.+?) \| (.+?) \| `(.+?)` \|$", TABLE, re.MULTILINE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[1]}")
def test_a_row_names_a_test_that_exists(row: tuple[str, str, str]) -> None:
    path, _, function = row[2].partition("::")
    assert (ROOT / path).exists(), f"{path} does not exist"
    assert not function or re.search(rf"^def {function}\(", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_game_and_every_line_of_the_table_is_read() -> None:
    games = {row[0] for row in ROWS} - {"all"}
    assert games == {"The Cosmic League", "Kosmiczna misja", "Four Planets", "The Phantom League"}
    assert len(ROWS) == TABLE.count("\n| ") - 1


def test_every_command_it_shows_is_one() -> None:
    shown = set(re.findall(r"^referee (\w+)", README, re.MULTILINE)) | set(re.findall(r"`referee (\w+)", README))
    assert shown <= set(COMMANDS), shown - set(COMMANDS)
