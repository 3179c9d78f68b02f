"""What a program uses: load a match, submit lines, see what a reader may see, render a report."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from . import report
from .chain import Chain
from .components import folder_of
from .context import bare_context
from .engine import view as _view
from .envelope import unseal
from .keys import PublicKey
from .match import Match
from .orders import Outcome
from .orders import submit as _submit
from .save import parse
from .see import OBSERVER


def load(path: str | os.PathLike[str], public_key: PublicKey | str | os.PathLike[str]) -> Match:
    """Return the match in a save, or at the end of a chain, after its signature was verified.

    Args:
        path: a save, or the folder of a chain.
        public_key: the referee's public key, or the file that holds it.

    Raises:
        Unverified: it does not verify, or its game is not installed.

    Example:
        >>> m = load("examples/cosmic-league/0002.toml", "examples/referee.pub")
        >>> m.id, m.seats
        ('cl-example', ['alice', 'bob'])
    """
    key = public_key if isinstance(public_key, PublicKey) else PublicKey.load(public_key)
    place = Path(path)
    if place.is_dir():
        return Chain(place, key).latest().save.match
    chain = Chain(place.parent, key)
    return parse(unseal(place.read_bytes(), key, "save", name=place.name), place.name, chain.pack).match


def submit(m: Match, seat: str, lines: Sequence[str]) -> Outcome:
    """Play lines of a seat; the match given is not changed, the outcome holds the one afterwards.

    Args:
        m: the match.
        seat: the seat that sends them.
        lines: the lines, as typed.

    Raises:
        Refusal: nothing was played; the sentence says why.

    Example:
        >>> m = load("examples/cosmic-league/0001.toml", "examples/referee.pub")
        >>> submit(m, "alice", ["flie red"])  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        referee.errors.Unreadable: Line 1: “flie red” is no order of The Cosmic League; did you mean fly or fly toward?...
    """
    return _submit(m, seat, lines)


def view(m: Match, reader: str = OBSERVER) -> dict[str, Any]:
    """Return all that a reader may know, as plain data that holds nothing else.

    Args:
        m: the match.
        reader: a seat, or nobody for what everybody sees.

    Example:
        >>> m = load("examples/cosmic-league/0001.toml", "examples/referee.pub")
        >>> view(m, "alice")["table"]["captains"]["bob"]["hand"]
        ['?', '?', '?', '?', '?']
    """
    return _view(m, reader)


def render(m: Match, reader: str = OBSERVER, form: Literal["text", "html", "json"] = "text") -> str:
    """Return the report of a reader, without signature and turn code, which only the referee's key can make.

    Args:
        m: the match.
        reader: a seat, or nobody for what everybody sees.
        form: `text`, `html` or `json`.

    Example:
        >>> m = load("examples/cosmic-league/0001.toml", "examples/referee.pub")
        >>> max(len(line) for line in render(m, "alice").splitlines()) <= 72
        True
    """
    return report.render(bare_context(m, reader, m.events), form, folders=[folder_of(m.game)])
