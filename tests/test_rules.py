"""Every rule scenario is played; every worked example of the rulebooks is among them."""

import ast
from functools import lru_cache
from pathlib import Path

import pytest

from referee.components import folder_of
from referee.engine import find_game

from .rules.runner import FOLDER, play, read, scenarios

WORKED_EXAMPLES = {
    "cosmic_league": [f"CL-T{number}" for number in range(1, 20)],
    "phantom_league": [f"PL-T{number}" for number in (*range(1, 31), 33)],
}
RULINGS = {
    "cosmic_league": [f"CL-{number}" for number in range(1, 40)],
    "phantom_league": [f"PL-{number}" for number in range(1, 103)],
}


@pytest.mark.parametrize("path", scenarios(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_scenario(path: Path) -> None:
    play(path)


@pytest.mark.parametrize("name", WORKED_EXAMPLES)
def test_every_worked_example_and_ruling_is_shown(name: str) -> None:
    shown = {ruling for path in (FOLDER / name).glob("*.toml") for ruling in read(path)["rulings"]}
    missing = [ruling for ruling in WORKED_EXAMPLES[name] + RULINGS[name] if ruling not in shown]
    assert not missing


@pytest.mark.parametrize("path", scenarios(), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_section_is_one_that_a_rule_names(path: Path) -> None:
    assert any(docstring.startswith(read(path)["section"]) for docstring in docstrings(path.parent.name))


@lru_cache
def docstrings(name: str) -> list[str]:
    folder = folder_of(find_game(name.replace("_", "-")))
    functions = [node for file in folder.glob("*.py") for node in ast.walk(ast.parse(file.read_text()))]
    return [ast.get_docstring(node) or "" for node in functions if isinstance(node, ast.FunctionDef)]
