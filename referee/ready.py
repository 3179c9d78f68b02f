"""What a data file says, kept as a Python module from before: to load it takes a tenth of the time that reading it does.

The data of a game is TOML, with a form and rules of its own to be checked against. That is done when the wheel is built
(or by `python -m referee.templating` in a tree), and what came out lies in `referee/_compiled/` as a module with one
literal. It is found by the hash of everything that it follows from, the files' bytes among it: after any change none is
found, and whoever asks reads the files themselves, with every check.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from types import CodeType

COMPILED = Path(__file__).parent / "_compiled"
_FORM = b"ready 1"


def module_name(kind: str, sources: Sequence[bytes]) -> str:
    """Return the name of the module that holds what follows from some bytes.

    Args:
        kind: what it is, a word.
        sources: all bytes that it follows from, in their order; where one ends and the next begins counts.

    Example:
        >>> module_name("data", [b"ab", b"c"]) == module_name("data", [b"a", b"bc"])
        False
        >>> len(module_name("data", [b"ab"]))
        45
    """
    digest = hashlib.sha256(_FORM)
    for source in sources:
        digest.update(b"%d:" % len(source) + source)
    return f"{kind}_{digest.hexdigest()[:40]}"


def literal(value: Any) -> str:
    """Return the text of a module that holds a value: str, int, bool, list and dict in any mixture.

    Example:
        >>> literal({"price": 3})
        "READY = {'price': 3}\\n"
    """
    return f"READY = {value!r}\n"


def find(kind: str, sources: Sequence[bytes]) -> Any | None:
    """Return what follows from some bytes, a new copy at each call, or None if it was not made ready for them.

    Args:
        kind: what it is, a word.
        sources: all bytes that it follows from, in their order.

    Example:
        >>> find("data", [b"bytes that no game has"]) is None
        True
    """
    code = code_of(COMPILED / f"{module_name(kind, sources)}.py")
    if code is None:
        return None
    space: dict[str, Any] = {}
    exec(code, space)
    return space["READY"]


def code_of(module: Path) -> CodeType | None:
    """Return the code of a module without importing it, or None if it is not there."""
    try:
        return SourceFileLoader(module.stem, str(module)).get_code(module.stem)
    except OSError:
        return None
