"""Packs: component data that the owner of a box fills in. Here one is written to begin with; `components` checks it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from . import canon
from .components import FILLED_AT_PLAY, FRAMES, Components, Sheet, load_components
from .match import Game

WIDTH = 100
_KINDS = {str: "text", int: "number", bool: "true or false", list: "list", dict: "table"}


def pack_text(game: Game) -> str:
    """Return a pack to fill in: every entry that is reconstructed as it is played now, with the columns explained.

    What the rulebook gives is only named, since it needs no correction. The text can be used as it is; then the match is
    played as without it.

    Args:
        game: the game.
    """
    components = load_components(game)
    lines = [*_head(game), f"title = {canon.dumps({'t': f'my box of {game.title}'}).partition(' = ')[2]}".rstrip()]
    for name, sheet in game.sheets.items():
        lines += ["", *_about_sheet(game, components, name, sheet)]
        for entry, columns in components[name].items():
            if columns["source"] != "rulebook":
                lines += ["", canon.dumps({name: {entry: columns}}, inline=[f"{name}.*.*"]).partition("\n\n")[2].strip()]
    return "\n".join(lines) + "\n"


def _head(game: Game) -> Iterator[str]:
    yield from _remark(f"A pack for {game.title}: what is printed on the components of a box.")
    yield "#"
    yield from _remark(
        "Each entry below is one that the rulebook does not print, as it is reconstructed. Compare it with your box, "
        'correct it, and then change its source to "printed". Entries that you leave out stay as they are built in.'
    )
    yield from _remark(
        'A line replaces = ["SHEET"] above all entries empties a sheet first, for a box whose cards have other names.'
    )
    yield "#"
    yield f"#   referee pack check {game.slug} THIS-FILE      names every mistake"
    yield f"#   referee new {game.slug} DIR --pack THIS-FILE --seat ..."
    yield "#"


def _about_sheet(game: Game, components: Components, name: str, sheet: Sheet) -> Iterator[str]:
    """Yield what a sheet is made of, as remarks."""
    given = [entry for entry, columns in components[name].items() if columns["source"] == "rulebook"]
    yield f"# ---- {name}"
    yield from _remark(f"Every entry has: {_columns(sheet.needs) or 'no column of its own'}; and source.")
    if sheet.may:
        yield from _remark(f"It may have: {_columns(sheet.may)}. A number that is left out differs from 0.")
    frames = [column for column in sheet.frames if {**sheet.needs, **sheet.may}.get(column) is FRAMES]
    if frames:
        yield from _remark(f"Steps that are in use in {', '.join(frames)}: {_steps(game, components[name], frames)}.")
    if given:
        yield from _remark(f"Given by the rulebook, and not repeated here: {', '.join(given)}.")


def _columns(columns: Mapping[str, type]) -> str:
    return ", ".join(f"{name} ({_KINDS[kind]})" for name, kind in columns.items())


def _steps(game: Game, entries: Mapping[str, Mapping[str, Any]], columns: list[str]) -> str:
    """Return the steps that the entries of a sheet name, with the words that each takes."""
    used = {frame["do"] for row in entries.values() for column in columns for frame in row.get(column, [])}
    taken = {step: sorted(game.steps[step].params - FILLED_AT_PLAY) for step in sorted(used)}
    return "; ".join(f"{step} ({', '.join(words)})" if words else step for step, words in taken.items()) or "none"


def _remark(text: str) -> Iterator[str]:
    """Yield text as lines of remarks."""
    line = "#"
    for word in text.split():
        if len(line) + len(word) >= WIDTH:
            yield line
            line = "#  "
        line += f" {word}"
    yield line
