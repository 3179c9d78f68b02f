"""The tables of the player's guide that are computed: the orders, the options, and the verbs that cards use.

`python -m tests.phantom_league.guide` writes them into games/phantom_league/README.md anew.
"""

from __future__ import annotations

import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from games.phantom_league import GAME
from referee.components import folder_of
from referee.steps import Order
from referee.words import sentences

README = Path(folder_of(GAME)) / "README.md"
BEGIN, END = "<!-- {}: computed -->", "<!-- end of {} -->"
SHEETS = ("missions", "hyperspace", "docking", "aliens", "battle", "sides")
"""The sheets whose cards have effects."""


def orders() -> Iterator[str]:
    """Yield the lines of the table of orders, in the order of the chapters."""
    texts = sentences(GAME).get("orders", {})
    yield "| order | what it does |"
    yield "|---|---|"
    for step in GAME.steps.values():
        if isinstance(step, Order):
            yield f"| `{step.pattern}` | {texts.get(step.name, '')} |"


@cache
def used() -> dict[str, set[tuple[str, str]]]:
    """Return for each verb the cards that use it, as sheet and entry."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for path in sorted(Path(folder_of(GAME)).glob("*.toml")):
        for sheet, rows in tomllib.loads(path.read_text(encoding="utf-8")).items():
            for entry, row in rows.items() if sheet in SHEETS else ():
                for verb in verbs_in(row):
                    found[verb].add((sheet, entry))
    return found


def verbs_in(value: Any) -> Iterator[str]:
    """Yield every verb in a row of data, those within other frames too."""
    if isinstance(value, dict):
        yield from [value["do"]] if "do" in value else []
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            yield from verbs_in(item)


def verbs() -> Iterator[str]:
    """Yield the lines of the table of verbs, the most used first, and the list of those that one card uses."""
    found = sorted(used().items(), key=lambda item: (-len(item[1]), item[0]))
    yield "| verb | cards | of | what it does |"
    yield "|---|---|---|---|"
    for verb, cards in found:
        if len(cards) > 1:
            sheets = ", ".join(sorted({"battle" if sheet == "sides" else sheet for sheet, _ in cards}))
            yield f"| `{verb}` | {len(cards)} | {sheets} | {about(verb)} |"
    alone = [verb for verb, cards in found if len(cards) == 1]
    yield ""
    yield f"One card each ({len(alone)} verbs):"
    yield ""
    for verb in alone:
        [(_, entry)] = used()[verb]
        yield f"* `{verb}` ({entry}): {about(verb)}"


def about(verb: str) -> str:
    """Return what a verb does: the first line of its docstring without the chapter of the rulebook."""
    first = (GAME.steps[verb].__doc__ or "").splitlines()[0]
    return first.split(": ", 1)[-1].rstrip(".")


def options() -> Iterator[str]:
    """Yield the lines of the table of options."""
    yield "| option | usual | possible | what it decides |"
    yield "|---|---|---|---|"
    for name, option in GAME.options.items():
        usual = ("no", "yes")[option.default] if isinstance(option.default, bool) else option.default
        yield f"| `{name}` | {usual} | {option.allowed()} | {option.about} |"


TABLES = {"orders": orders, "options": options, "verbs": verbs}


def filled(text: str) -> str:
    """Return the guide with all tables as they should be."""
    for name, lines in TABLES.items():
        begin, end = BEGIN.format(name), END.format(name)
        before, rest = text.split(begin, 1)
        text = "\n".join([before + begin, "", *lines(), "", end + rest.split(end, 1)[1]])
    return text


if __name__ == "__main__":
    README.write_text(filled(README.read_text(encoding="utf-8")), encoding="utf-8")
