"""The laws that need no match: visibility, sentences, and names of later steps, read from the sources."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from referee.components import folder_of
from referee.match import Game
from referee.see import Record
from referee.words import MACHINE, sentences

from .law_play import Broken

Keys = tuple[str, ...]
Events = Mapping[str, tuple[Keys, Keys]]


def visibility(game: Game, fields: Mapping[str, str]) -> None:
    """The fields of all records say what the list written by hand says."""
    package = sys.modules[game.package]
    records = {cls for cls in _records(package) if cls.__module__.startswith(game.package)}
    declared = {f"{cls.__name__}.{name}": see.word for cls in records for name, see in cls.fields.items()}
    for name in sorted(declared.keys() | fields.keys()):
        if declared.get(name) != fields.get(name):
            raise Broken("visibility", game.slug, f"{name} is {declared.get(name)} and should be {fields.get(name)}")


def _records(package: Any) -> list[type[Record]]:
    found, left = [], [Record]
    while left:
        below = left.pop().__subclasses__()
        # A class that was replaced in its module is no part of the game any more.
        found += [cls for cls in below if getattr(importlib.import_module(cls.__module__), cls.__name__, None) is cls]
        left += below
    return found


def calls(game: Game) -> Iterator[ast.Call]:
    """Yield every call in the sources of a game."""
    for path in sorted(folder_of(game).glob("*.py")):
        yield from (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call))


def _texts(node: ast.AST | None) -> set[str]:
    found = ast.walk(node) if node else ()
    return {part.value for part in found if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def _argument(call: ast.Call, position: int, name: str) -> ast.expr | None:
    keyword = next((k.value for k in call.keywords if k.arg == name), None)
    return call.args[position] if len(call.args) > position else keyword


_SAYERS: dict[str, tuple[str, int, str]] = {
    "tell": ("events", 0, "kind"),
    "reveal": ("events", 0, "kind"),
    "whisper": ("events", 1, "kind"),
    "ask": ("questions", 1, "name"),
    "ask_all": ("questions", 0, "name"),
    "no": ("reasons", 0, "key"),
}


def used_words(game: Game) -> dict[str, set[str]]:
    """Return the keys of sentences that the sources of a game use, by chapter."""
    used: dict[str, set[str]] = {"events": set(), "questions": set(), "reasons": set()}
    for call in calls(game):
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if name in _SAYERS:
            chapter, position, keyword = _SAYERS[name]
            argument = _argument(call, position, keyword)
            if isinstance(argument, ast.IfExp):
                used[chapter] |= _texts(argument.body) | _texts(argument.orelse)
            elif isinstance(argument, ast.Constant):
                used[chapter] |= _texts(argument)
    return used


def words(game: Game, events: Events) -> None:
    """Every kind of event, question and reason has its sentence, and every sentence its use and its words."""
    used, written = used_words(game), sentences(game)
    for chapter, keys in used.items():
        known_keys = {key.removesuffix(".own").removesuffix(".why") for key in written.get(chapter, {})}
        if odd := keys ^ (known_keys - MACHINE.get(chapter, {}).keys()):
            raise Broken("words", game.slug, f"{chapter}: used or written, and not both: {sorted(odd)}")
    if odd := used["events"] ^ events.keys():
        raise Broken("words", game.slug, f"events in the sources or in the list, and not in both: {sorted(odd)}")
    for key, text in written["events"].items():
        shared, private = events.get(key.removesuffix(".own"), ((), ()))
        allowed = {*shared, *(private if key.endswith(".own") or not shared else ())}
        if key not in MACHINE["events"] and (odd := set(re.findall(r"{(\w+)}", text)) - allowed):
            raise Broken("words", game.slug, f"the sentence {key!r} wants {sorted(odd)}, which its reader does not get")


def late_names(game: Game) -> None:
    """Steps named before their chapter exist and take those arguments; so do the steps that take joint answers."""
    for call in calls(game):
        func = call.func
        if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Name) and func.value.id == "step":
            found = game.steps.get(func.attr)
            given = {keyword.arg for keyword in call.keywords}
            if found is None or (None not in given and given != found.params):
                raise Broken("late names", game.slug, f"step.{func.attr}({', '.join(map(str, given))}) is no step")
        if isinstance(func, ast.Attribute) and func.attr == "ask_all":
            for taken in _texts(_argument(call, 2, "taken")):
                if taken not in game.steps or game.steps[taken].params != {"answers"}:
                    raise Broken("late names", game.slug, f"{taken!r} does not take the answers of a joint question")


def check_sources(game: Game, fields: Mapping[str, str], events: Events) -> None:
    """Check the laws that need no match.

    Raises:
        Broken: a law does not hold.
    """
    visibility(game, fields)
    words(game, events)
    late_names(game)
