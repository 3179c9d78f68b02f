"""Packs: a file to begin with for every game, and every mistake in one named by file, entry and reason."""

import sys
from pathlib import Path

import pytest

from referee import canon, cli
from referee.cli.games import slugs
from referee.components import load_components, pack_faults
from referee.engine import find_game
from referee.match import Game
from referee.packs import WIDTH, pack_text
from tests.toy import GAME as TOY

GAMES = [*(find_game(slug) for slug in slugs()), TOY]


@pytest.fixture(params=GAMES, ids=lambda game: game.slug)
def game(request: pytest.FixtureRequest) -> Game:
    found: Game = request.param
    return found


def test_a_pack_to_begin_with_holds_all_that_is_reconstructed_and_changes_nothing(game: Game) -> None:
    data = pack_text(game).encode()
    assert pack_faults(game, "box.toml", data) == []
    built_in = load_components(game).sheets
    assert load_components(game, [("box.toml", data)]).sheets == built_in
    content = canon.loads(data)
    for name, sheet in built_in.items():
        assert list(content.get(name, {})) == [entry for entry, row in sheet.items() if row["source"] != "rulebook"]


def test_its_remarks_name_every_sheet_column_and_entry_of_the_rulebook(game: Game) -> None:
    text = pack_text(game)
    remarks = " ".join(line.lstrip("# ") for line in text.splitlines() if line.startswith("#"))
    assert all(len(line) <= WIDTH for line in text.splitlines() if line.startswith("#"))
    for name, sheet in game.sheets.items():
        assert f"---- {name}" in remarks
        assert all(f"{column} (" in remarks for column in [*sheet.needs, *sheet.may])
    for sheet_name, entries in load_components(game).sheets.items():
        given = [entry for entry, row in entries.items() if row["source"] == "rulebook"]
        assert all(entry in remarks for entry in given), sheet_name


MISTAKES = """
replaces = ["nonsense"]
[squares.A]
ccw = 1
cw = "one"
stations = 1
aliens = 1
colour = "red"
copies = 1
source = "printed"
[squares.B]
ccw = 1
cw = 0
stations = 1
aliens = 0
source = "the box"
[squares.C]
ccw = 1
cw = 0
stations = 1
aliens = 0
copies = 1
source = "rulebook"
[hexes.D]
source = "printed"
"""
FOUND = [
    "box.toml: 'replaces' should be a list of sheets out of squares",
    "box.toml: squares.A: 'cw' should be int and is str",
    "box.toml: squares.A: there is no column 'colour'; possible are ccw, cw, stations, aliens, copies, source, section, note",
    "box.toml: squares.B: the column 'copies' is missing",
    "box.toml: squares.B: source should be one of rulebook, reconstructed, printed",
    "box.toml: squares.C: what comes from the rulebook names its section",
    "box.toml: there is no sheet 'hexes'; Kosmiczna misja has squares",
]


def test_every_mistake_is_named_by_file_entry_and_reason() -> None:
    assert pack_faults(find_game("kosmiczna-misja"), "box.toml", MISTAKES.encode()) == FOUND


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[squares", "box.toml: this is no TOML: "),
        (b"\xff\xfe", "box.toml: this is no TOML: "),
        (b'squares = "all"', "box.toml: the sheet 'squares' should be a table of entries"),
        (b"[squares]\nA = 1\n", "box.toml: squares.A: an entry is a table of columns"),
        (b'replaces = ["squares"]\n', "box.toml: there are 45 planet squares, and the data has 0"),
    ],
)
def test_what_is_no_pack_is_named_too(data: bytes, said: str) -> None:
    (fault,) = pack_faults(find_game("kosmiczna-misja"), "box.toml", data)
    assert fault.startswith(said)


def test_an_effect_that_names_no_step_or_takes_other_words_is_named() -> None:
    text = '[buildings.hut]\ntheme = "blue"\nsource = "printed"\neffect = [{do = "dig"}, {do = "laboratory", deep = 3}, 7]\n'
    first, second, third = pack_faults(find_game("four-planets"), "box.toml", text.encode())
    assert first.startswith("box.toml: buildings.hut: effect {'do': 'dig'} names no step")
    assert second.startswith("box.toml: buildings.hut: step laboratory takes ")
    assert third.startswith("box.toml: buildings.hut: effect 7 names no step")


def test_a_pack_from_init_can_be_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> int:
        monkeypatch.setattr(sys, "argv", ["referee", *words])
        return cli.main()

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("REFEREE_KEY", str(tmp_path / "k"))
    assert run("keys", "new") == 0
    assert run("pack", "init", "cosmic-league", "box.toml") == 0
    assert run("pack", "init", "cosmic-league", "box.toml") == 5  # it is never written over
    assert run("pack", "check", "cosmic-league", "box.toml") == 0
    assert run("new", "cosmic-league", "m", "--seat", "alice", "--seat", "bob", "--pack", "box.toml") == 0
    Path("bad.toml").write_text('[goods.x]\nsource = "printed"\n')
    capsys.readouterr()
    assert run("pack", "check", "cosmic-league", "bad.toml") == 3
    out, err = capsys.readouterr()
    assert out.startswith("bad.toml: goods.x: the column ")
    assert err.startswith("referee: bad.toml has ")
