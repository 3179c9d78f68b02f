"""The page on tournaments: every command in it runs, in its order."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from referee import cli
from referee.mail.desklines import is_for_desk
from referee.tournament import entrances

PAGE = Path(__file__).parents[2] / "docs" / "tournaments.md"
COMMANDS = re.findall(r"^    (referee .*)$", PAGE.read_text(), re.MULTILINE)


def test_every_command_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], quick_disk: None
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_KEY", "referee.key")
    Path("entries.txt").write_text("erin erin@example.org 1500\nfrank\n")
    Path("referee.toml").write_text('address = "referee@example.org"\nmoderator = "mona@example.org"\n')
    for command in COMMANDS:
        words = shlex.split(command)[1:]
        if words[:2] == ["tournament", "rule"] and words[3] in ("adjudicate", "correct"):
            words = _with_seats(words)
        monkeypatch.setattr(sys, "argv", ["referee", *words])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO()))
        status = cli.main()
        out, err = capsys.readouterr()
        assert (status, err) == (0, ""), command
        assert out or "--out" in words
    assert len(COMMANDS) > 25


def _with_seats(words: list[str]) -> list[str]:
    """Return a ruling with those who sit at the table, in the places of the two that the page names."""
    from referee.keys import SigningKey
    from referee.tournament.book import Book

    first, second = Book("spring", SigningKey.load("referee.key")).read().event.pairing(1, 1).seats
    named = {"alice": first, "carol": second}
    return [re.sub(r"^(alice|carol)\b", lambda found: named[found[0]], word) if " " not in word else word for word in words]


def test_the_lines_for_an_event_are_those_of_the_page() -> None:
    lines = re.findall(r"^    ((?:enter|withdraw) .*)$", PAGE.read_text(), re.MULTILINE)
    assert len(lines) == 2
    assert entrances._ENTER.fullmatch(lines[0])
    assert entrances._WITHDRAW.fullmatch(lines[1])
    assert not any(map(is_for_desk, lines))
