"""Data that is kept ready: the same as what the files say, for every game, and gone after any change."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import canon, components, ready, templating, words
from referee.cli.games import slugs
from referee.components import BadData, load_components, read_components
from referee.engine import find_game
from referee.fields import replace
from referee.match import Game


@pytest.fixture(params=slugs())
def game(request: pytest.FixtureRequest) -> Game:
    return find_game(request.param)


@pytest.fixture(autouse=True)
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of ready modules that belongs to this test alone, and a process that has loaded nothing yet."""
    monkeypatch.setattr(ready, "COMPILED", tmp_path / "compiled")
    monkeypatch.setattr(components, "_built_in", {})
    words._sentences.cache_clear()
    (tmp_path / "compiled").mkdir()
    yield tmp_path / "compiled"
    words._sentences.cache_clear()


def make(game: Game, folder: Path) -> None:
    for name, text in (components.made_ready(game), words.made_ready(game)):
        (folder / f"{name}.py").write_text(text)


def refuse(*given: Any) -> None:
    raise AssertionError("a file was read as TOML")


def alike(one: components.Components, other: components.Components) -> bool:
    """Tell whether two are the same, the order of their entries too, which decides what is shown and shuffled."""
    return repr((one.sheets, one.hash, one.columns, one.packs)) == repr((other.sheets, other.hash, other.columns, other.packs))


def test_what_is_ready_is_what_the_files_say(game: Game, compiled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read, said = read_components(game), repr(words.sentences(game))
    words._sentences.cache_clear()
    make(game, compiled)
    monkeypatch.setattr(canon, "loads", refuse)
    assert alike(load_components(game), read)
    assert repr(words.sentences(game)) == said


def test_without_a_module_the_files_are_read_and_checked(game: Game) -> None:
    assert alike(load_components(game), read_components(game))


def test_a_pack_is_laid_over_what_is_ready_as_over_what_is_read(game: Game, compiled: Path) -> None:
    row = next((name, entry) for name, entries in read_components(game).sheets.items() for entry in entries)
    columns = read_components(game)[row[0]][row[1]] | {"source": "printed", "note": "as on the box"}
    pack = canon.dumps({row[0]: {row[1]: columns}}).encode()
    read = load_components(game, [("box.toml", pack)])
    make(game, compiled)
    assert alike(load_components(game, [("box.toml", pack)]), read)
    assert read.hash != load_components(game).hash
    assert alike(load_components(game), read_components(game)), "the pack stayed in what is ready"


def test_a_pack_is_checked_though_the_rest_is_ready(game: Game, compiled: Path) -> None:
    def demand(whole: components.Components) -> None:
        raise ValueError(f"{len(whole.sheets)} sheets are too few")

    make(game, compiled)
    for pack in (b"[nonsense]\n", b"not toml", b'replaces = ["nonsense"]\n'):
        with pytest.raises(BadData, match=r"box\.toml"):
            load_components(game, [("box.toml", pack)])
    with pytest.raises(BadData, match=r"box\.toml: .* sheets are too few"):
        load_components(replace(game, check_data=demand), [("box.toml", b"")])


def test_other_sheets_steps_or_versions_are_not_served_by_the_old_module(game: Game, compiled: Path) -> None:
    make(game, compiled)
    name = next(iter(game.sheets))
    wider = {**game.sheets, name: replace(game.sheets[name], may={**game.sheets[name].may, "weight": int})}
    known = components._sources(game)
    assert ready.find("data", known) is not None
    for changed in (replace(game, version=game.version + 1), replace(game, sheets=wider)):
        assert ready.find("data", components._sources(changed)) is None
    assert ready.find("data", [*known[:-1], known[-1] + b"\n"]) is None


def test_data_with_a_mistake_is_never_made_ready(game: Game) -> None:
    sheet = next(iter(game.sheets))
    demanding = {**game.sheets, sheet: replace(game.sheets[sheet], needs={**game.sheets[sheet].needs, "weight": int})}
    with pytest.raises(BadData, match="'weight' is missing"):
        components.made_ready(replace(game, sheets=demanding))


def test_all_games_are_compiled_with_the_templates(tmp_path: Path) -> None:
    names = {module.stem for module in templating.compile_ahead(target=tmp_path / "made")}
    ours = [one for one in map(find_game, slugs()) if one.package.startswith("games.")]
    assert len(ours) >= 4
    for one in ours:
        assert {components.made_ready(one)[0], words.made_ready(one)[0]} <= names
