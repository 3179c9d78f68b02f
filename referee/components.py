"""Card and board data: TOML with declared sheets, checked when it is loaded, with its sources and its hash.

A data file has one table a *sheet* (`cards`, `planets`, ...), with one table an entry. Every entry says where it is
from: `source = "rulebook"` with the `section`, `"reconstructed"`, or `"printed"` (typed in from a box, in a pack). A pack
is a TOML file of the same form: its entries replace or add to the built-in ones, and `replaces = ["goods"]` empties
sheets first.
"""

from __future__ import annotations

import hashlib
import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import canon, ready
from .fields import dataclass, field
from .steps import Frame, Step

if TYPE_CHECKING:
    from .match import Game

FRAMES = list
"""The type of a column that holds a card's effect: a list of frames."""

SOURCES = ("rulebook", "reconstructed", "printed")
_COMMON = {"source": str, "section": str, "note": str}
FILLED_AT_PLAY = frozenset({"who", "card", "target"})


class BadData(ValueError):
    """Component data that cannot be used; the text names file, entry and reason."""


@dataclass
class Sheet:
    """The columns of one sheet.

    Attributes:
        needs: columns that every entry has, with their types (str, int, bool, list, or `FRAMES`).
        may: columns that an entry may have. A number column that is absent differs from one that is 0.
        shown: whether reports get the entries, so that a board template can draw what is printed.
        frames: the columns that hold frames, checked against the steps that they name.
    """

    needs: Mapping[str, type]
    may: Mapping[str, type] = field(default_factory=dict)
    shown: bool = False
    frames: Sequence[str] = ("effect",)


@dataclass
class Components:
    """The data in use in a match.

    Attributes:
        sheets: entries by sheet and id.
        hash: SHA-256 over the data in canonical form, 64 hex digits.
        columns: for each number column the numbers by entry.
        packs: the names of the packs in use.
    """

    sheets: dict[str, dict[str, dict[str, Any]]]
    hash: str = ""
    columns: dict[str, dict[str, int]] = field(default_factory=dict)
    packs: tuple[str, ...] = ()
    memo: dict[Any, Any] = field(default_factory=dict)

    def __getitem__(self, sheet: str) -> dict[str, dict[str, Any]]:
        """Return a sheet."""
        return self.sheets[sheet]

    def recall(self, make: Callable[[Components], Any]) -> Any:
        """Return what a function derives from the data; computed once, since data never changes."""
        if make not in self.memo:
            self.memo[make] = make(self)
        return self.memo[make]

    def effect(self, steps: Mapping[str, Step], sheet: str, entry: str, column: str = "effect", **filled: Any) -> list[Frame]:
        """Return the frames of a card's effect, with who plays it (and which card) filled in where a step takes it.

        A card may have effects in several columns (`Sheet.frames`); a column that it lacks has no frames.
        """
        frames = []
        for frame in self.sheets[sheet][entry].get(column, []):
            params = steps[frame["do"]].params
            frames.append({**frame, **{k: v for k, v in filled.items() if k in params and k not in frame}})
        return frames

    def sources(self) -> dict[str, dict[str, int]]:
        """Return for each sheet how many entries come from which source."""
        counts: dict[str, dict[str, int]] = {}
        for name, sheet in self.sheets.items():
            row = counts.setdefault(name, {})
            for entry in sheet.values():
                row[entry["source"]] = row.get(entry["source"], 0) + 1
        return counts


_built_in: dict[str, Components] = {}


def folder_of(game: Game) -> Path:
    """Return the folder of the game's package, where its data, words and templates lie."""
    return package_folder(game.package)


@lru_cache(maxsize=16)
def package_folder(package: str) -> Path:
    """Return the folder of an import package."""
    return Path(str(importlib.import_module(package).__file__)).parent


def load_components(game: Game, packs: Sequence[tuple[str, bytes]] = ()) -> Components:
    """Return the data of a game, with packs laid over it.

    Args:
        game: the game.
        packs: name and bytes of each pack, in the order in which they are laid.

    Raises:
        BadData: something in it cannot be used; names file, entry and reason.
    """
    if not packs and game.slug in _built_in:
        return _built_in[game.slug]
    known = ready.find("data", _sources(game))
    if known is None:
        components = read_components(game, packs)
    elif packs:
        components = _with_packs(game, known["sheets"], packs, known["texts"])
    else:
        components = Components(known["sheets"], known["hash"], _number_columns(known["sheets"]))
    if not packs:
        _built_in[game.slug] = components
    return components


def read_components(game: Game, packs: Sequence[tuple[str, bytes]] = ()) -> Components:
    """Return the data of a game, with packs laid over it, out of the files themselves and with every check.

    Args:
        game: the game.
        packs: name and bytes of each pack, in the order in which they are laid.

    Raises:
        BadData: something in it cannot be used; names file, entry and reason.
    """
    folder = folder_of(game)
    sheets: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in game.sheets}
    for name in game.data:
        _lay(game, sheets, name, (folder / name).read_bytes())
    return _with_packs(game, sheets, packs, {})


def made_ready(game: Game) -> tuple[str, str]:
    """Return name and text of the module from which the data of a game is loaded, which is read and checked here.

    Raises:
        BadData: something in it cannot be used; names file, entry and reason.
    """
    components = read_components(game)
    texts = {name: canon.dumps({name: sheet}) for name, sheet in components.sheets.items()}
    known = {"hash": components.hash, "sheets": components.sheets, "texts": texts}
    return ready.module_name("data", _sources(game)), ready.literal(known)


def _sources(game: Game) -> list[bytes]:
    """Return all that checked data follows from: its files, the sheets, and the steps that its frames are checked against."""
    folder = folder_of(game)
    steps = [f"{name} {' '.join(sorted(step.params))}" for name, step in game.steps.items()]
    form = f"{game.slug} {game.version} {dict(game.sheets)!r} {steps}"
    return [form.encode(), *((folder / name).read_bytes() for name in game.data)]


def _with_packs(
    game: Game,
    sheets: dict[str, dict[str, dict[str, Any]]],
    packs: Sequence[tuple[str, bytes]],
    texts: Mapping[str, str],
) -> Components:
    """Lay packs over sheets, and check the whole; `texts` holds sheets in canonical form as they are without a pack."""
    texts = dict(texts)
    for name, data in packs:
        for sheet in _lay(game, sheets, name, data):
            texts.pop(sheet, None)
    names = tuple(name for name, _ in packs)
    try:
        written = [texts.get(sheet) or canon.dumps({sheet: entries}) for sheet, entries in sheets.items()]
        components = Components(sheets, _digest(written), _number_columns(sheets), names)
        if game.check_data:
            game.check_data(components)
    except ValueError as error:
        raise BadData(f"{', '.join(names) or game.slug}: {error}") from None
    return components


def _digest(written: Sequence[str]) -> str:
    """Return the hash of sheets in canonical form: that of one document, in which a blank line stands before each sheet."""
    return hashlib.sha256("\n".join(written).encode()).hexdigest()


def _lay(game: Game, sheets: dict[str, dict[str, dict[str, Any]]], name: str, data: bytes) -> set[str]:
    """Lay one file over the sheets, and return the names of those that it touches."""
    content = _content(name, data)
    for fault in faults(game, name, content):
        raise BadData(fault)
    emptied = content.pop("replaces", [])
    for sheet in emptied:
        sheets[sheet] = {}
    content.pop("title", None)
    for sheet, entries in content.items():
        sheets[sheet].update(entries)
    return {*emptied, *content}


def _content(name: str, data: bytes) -> dict[str, Any]:
    try:
        return canon.loads(data)
    except (ValueError, UnicodeDecodeError) as error:
        raise BadData(f"{name}: this is no TOML: {error}") from None


def pack_faults(game: Game, name: str, data: bytes) -> list[str]:
    """Return every fault of a pack, each with file, entry and reason; only a pack without any can be used.

    What the game itself demands of its data (numbers of cards, sums) is looked at when no entry has a fault of its own.

    Args:
        game: the game.
        name: the pack's name, for the sentences.
        data: the pack's bytes.
    """
    try:
        found = list(faults(game, name, _content(name, data)))
        if not found:
            load_components(game, [(name, data)])
    except BadData as error:
        return [str(error)]
    return found


def faults(game: Game, name: str, content: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the entries of a data file, each with file, entry and reason."""
    replaces = content.get("replaces", [])
    if not isinstance(replaces, list) or not all(isinstance(sheet, str) and sheet in game.sheets for sheet in replaces):
        yield f"{name}: 'replaces' should be a list of sheets out of {', '.join(game.sheets)}"
    for sheet, entries in content.items():
        if sheet in ("title", "replaces"):
            continue
        if sheet not in game.sheets:
            yield f"{name}: there is no sheet {sheet!r}; {game.title} has {', '.join(game.sheets)}"
        elif not isinstance(entries, dict):
            yield f"{name}: the sheet {sheet!r} should be a table of entries"
        else:
            for entry, columns in entries.items():
                for reason in _entry_faults(game, game.sheets[sheet], columns):
                    yield f"{name}: {sheet}.{entry}: {reason}"


def _entry_faults(game: Game, sheet: Sheet, columns: Any) -> Iterator[str]:
    """Yield what is wrong with one entry."""
    if not isinstance(columns, dict):
        yield "an entry is a table of columns"
        return
    known = {**sheet.needs, **sheet.may, **_COMMON}
    for column in [*sheet.needs, "source"]:
        if column not in columns:
            yield f"the column {column!r} is missing"
    for column, value in columns.items():
        if column not in known:
            yield f"there is no column {column!r}; possible are {', '.join(known)}"
        elif type(value) is not known[column]:
            yield f"{column!r} should be {known[column].__name__} and is {type(value).__name__}"
        elif column in sheet.frames and isinstance(value, list):
            yield from filter(None, (_frame_fault(game, frame) for frame in value))
    if columns.get("source", SOURCES[0]) not in SOURCES:
        yield f"source should be one of {', '.join(SOURCES)}"
    if columns.get("source") == "rulebook" and not columns.get("section"):
        yield "what comes from the rulebook names its section"


def _frame_fault(game: Game, frame: Any) -> str:
    """Return why a frame of an effect does not fit its step, or ""; `who`, `card` and `target` are filled in at play."""
    if not isinstance(frame, dict) or not isinstance(frame.get("do"), str) or frame["do"] not in game.steps:
        return f"effect {frame!r} names no step of {game.title}"
    given, params = frame.keys() - {"do"}, game.steps[frame["do"]].params
    if given <= params and params - given <= FILLED_AT_PLAY:
        inner = [one for value in frame.values() if isinstance(value, list) for one in value]
        return next(filter(None, (_frame_fault(game, one) for one in inner if isinstance(one, dict) and "do" in one)), "")
    return f"step {frame['do']} takes {sorted(params)}, the effect gives {sorted(given)}"


def _number_columns(sheets: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> dict[str, dict[str, int]]:
    columns: dict[str, dict[str, int]] = {}
    for sheet in sheets.values():
        for entry, values in sheet.items():
            for column, value in values.items():
                if type(value) is int:
                    columns.setdefault(column, {})[entry] = value
    return columns
