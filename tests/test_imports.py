"""Who may import what: the walls of the house, read from the syntax trees.

A module of the machine imports only from the layers below its own; a game imports only the kit, its own package, and data
types of the standard library.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LAYERS = (
    ("errors", "canon", "layout", "fields", "spelling", "mailto", "ready"),
    ("see", "steps", "slots", "chance"),
    ("ask", "components", "hidden"),
    ("match", "words"),
    ("reading", "kit", "packs"),
    ("lines",),
    ("engine",),
    ("anytime",),
    ("waiting",),
    ("orders",),
    ("keys", "store", "templating", "locks"),
    ("envelope", "people", "clock", "postal", "press", "parted"),
    ("block",),
    ("save", "report"),
    ("rulings", "context", "entries"),
    ("chain",),
    ("submission",),
    ("dispatch", "opening"),
    ("desk",),
    ("late", "ticked"),
    ("tick",),
    ("config",),
    ("mail",),
    ("tournament",),
    ("runner", "overview"),
    ("api",),
    ("cli", "__main__"),
)
"""The modules of the machine, the lowest first."""
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
RULES = [name for layer in LAYERS[: LAYERS.index(("orders",)) + 1] for name in layer]
"""What plays a match: the same bytes in, the same bytes out."""
OUTSIDE = {
    "jinja2": "templating",
    "cryptography": "keys",
    "typer": "cli",
    "tomli": "canon",
    "imapclient": "mail",
    "lxml": "mail",
    "css_inline": "mail",
    "resvg_py": "mail",
    "PIL": "mail",
    "rustworkx": "tournament",
    "openskill": "tournament",
}
"""Each library from outside, and the one module that knows it."""
DATA_TYPES = frozenset(
    {"__future__", "collections", "dataclasses", "enum", "functools", "itertools", "math", "operator", "re", "string", "typing"}
)
UNRULY = frozenset({"random", "secrets", "time", "datetime", "uuid", "os", "io", "socket", "subprocess", "threading", "locale"})
ABOVE_A_VIEW = (
    "match", "engine", "see", "reading", "lines", "orders", "waiting", "words", "components", "save", "chain", "rulings",
    "context",
)  # fmt: skip
GAMES = sorted(path for path in [*ROOT.glob("games/*/"), ROOT / "tests" / "toy"] if (path / "__init__.py").exists())
MODULES = sorted(path for path in (ROOT / "referee").rglob("*.py") if "_compiled" not in path.parts)
BELOW = [path for path in MODULES if path != ROOT / "referee" / "__init__.py"]
"""All but the package itself, which opens its functions when they are asked for."""


def imports(path: Path) -> Iterator[str]:
    """Yield the dotted names that a file imports when it runs, those of its own package with a leading dot each."""
    tree = ast.parse(path.read_text())
    for_types = {id(node) for test in ast.walk(tree) if _is_for_types(test) for node in ast.walk(test)}
    for node in ast.walk(tree):
        if id(node) in for_types:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            yield from ([start] if node.module else [f"{start}{alias.name}" for alias in node.names])
            if node.module == "referee":
                yield from (f"referee.{alias.name}" for alias in node.names)


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def name_of(path: Path) -> str:
    """Return the name of a module of the machine; the whole command line counts as one."""
    inside = path.relative_to(ROOT / "referee")
    return inside.parts[0] if len(inside.parts) > 1 else inside.stem


def own_imports(path: Path) -> set[str]:
    """Return the modules of the machine that one of them imports."""
    inside_cli = name_of(path) == "cli"
    found = set()
    for dotted in imports(path):
        if dotted.startswith("referee."):
            found.add(dotted.split(".")[1])
        elif dotted.startswith(".") and not inside_cli:
            found.add(dotted.lstrip(".").split(".")[0])
    return found & RANK.keys()


@pytest.mark.parametrize("path", BELOW, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_from_below(path: Path) -> None:
    name = name_of(path)
    assert name in RANK, f"{name} has no place among the layers"
    wrong = {other for other in own_imports(path) if RANK[other] >= RANK[name] and other != name}
    assert wrong - ({"cli"} if name == "__main__" else set()) == set()


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_library_from_outside_is_known_to_one_module(path: Path) -> None:
    tops = {dotted.split(".")[0] for dotted in imports(path) if not dotted.startswith(".")}
    assert {OUTSIDE.get(top) for top in tops & OUTSIDE.keys()} <= {name_of(path)}
    assert tops - OUTSIDE.keys() - {"referee", "games"} <= sys.stdlib_module_names
    assert "games" not in tops or name_of(path) == "cli"


@pytest.mark.parametrize("name", RULES)
def test_what_plays_a_match_has_no_clock_and_no_chance_of_its_own(name: str) -> None:
    tops = {dotted.split(".")[0] for dotted in imports(ROOT / "referee" / f"{name}.py")}
    assert tops & UNRULY == set()


def test_a_report_is_made_from_a_view_and_cannot_reach_a_match() -> None:
    assert own_imports(ROOT / "referee" / "report.py") & set(ABOVE_A_VIEW) == set()


@pytest.mark.parametrize("game", GAMES, ids=lambda path: path.name)
def test_a_game_imports_the_kit_its_own_package_and_data_types(game: Path) -> None:
    for path in game.rglob("*.py"):
        for dotted in imports(path):
            own = dotted.startswith(".") and not dotted.startswith("..")
            allowed = dotted == "referee.kit" or own or dotted.split(".")[0] in DATA_TYPES
            assert allowed, f"{path.relative_to(ROOT)} imports {dotted}"


def test_there_are_games_to_look_at() -> None:
    assert {"toy", "cosmic_league"} <= {path.name for path in GAMES}


def test_imports_are_found_wherever_they_stand(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("from . import a\nfrom .b import c\ndef f():\n    import d.e\nif TYPE_CHECKING:\n    import g\n")
    assert list(imports(path)) == [".a", ".b", "d.e"]
