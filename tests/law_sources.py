"""The laws that need no match: visibility, sentences, and names of later steps, read from the sources."""

from __future__ import annotations

import ast
import importlib
import re
import sys
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

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


_BY_NAME = 1000
"""The position of an argument that is given by its name alone."""


class Teller(NamedTuple):
    """A function of a game that passes one of its arguments on as a key, within `form`, as in `f"ends {how}"`."""

    chapter: str
    position: int
    keyword: str
    form: str = "{}"


def tellers(game: Game) -> dict[str, Teller]:
    """Return what says something by key: the machine's functions, and those of a game that hand a key on to them."""
    found = {name: Teller(*sayer) for name, sayer in _SAYERS.items()}
    for path in sorted(folder_of(game).glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.FunctionDef) and node.name not in found and (handed := _handed_on(node)):
                found[node.name] = handed
    return found


def _handed_on(function: ast.FunctionDef) -> Teller | None:
    """Return how a function hands one of its own arguments on as a key, if it does."""
    positional, params = len(function.args.args), [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs)]
    for call in ast.walk(function):
        if isinstance(call, ast.Call) and (name := _called(call)) in _SAYERS:
            chapter, position, keyword = _SAYERS[name]
            form, param = _form(_argument(call, position, keyword))
            if param in params:
                at = params.index(param)
                return Teller(chapter, at if at < positional else _BY_NAME, param, form)
    return None


def _form(argument: ast.expr | None) -> tuple[str, str]:
    """Return the form of a key that is made of one name, and that name; two empty texts for any other key."""
    if isinstance(argument, ast.Name):
        return "{}", argument.id
    if not isinstance(argument, ast.JoinedStr):
        return "", ""
    names = [
        part.value.id for part in argument.values if isinstance(part, ast.FormattedValue) and isinstance(part.value, ast.Name)
    ]
    parts = [part.value if isinstance(part, ast.Constant) else "{}" for part in argument.values]
    return ("".join(map(str, parts)), names[0]) if len(names) == 1 else ("", "")


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def used_words(game: Game) -> dict[str, set[str]]:
    """Return the keys of sentences that the sources of a game use, by chapter."""
    used: dict[str, set[str]] = {"events": set(), "questions": set(), "reasons": set()}
    known = tellers(game)
    for call in calls(game):
        if teller := known.get(_called(call)):
            argument = _argument(call, teller.position, teller.keyword)
            keys = set()
            if isinstance(argument, ast.IfExp):
                keys = _texts(argument.body) | _texts(argument.orelse)
            elif isinstance(argument, ast.Constant):
                keys = _texts(argument)
            used[teller.chapter] |= {teller.form.replace("{}", key) for key in keys}
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
