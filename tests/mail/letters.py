"""The mails kept as fixtures: what mail programs write, with invented content, and what is to be read in each.

Beside each `NAME.eml` stands `NAME.toml`: `about` says what it shows; `kind` is what the letter is ("block", "lines", "move",
"check", "help", "trouble", "question"); `lines` are the order lines that are read; `legal` what else its writer wrote;
`quoted` words that stand only in what others wrote. Whatever else is named is demanded of the message.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from referee.mail.letter import Letter

FOLDER = Path(__file__).parent / "fixtures"
NAMES = sorted(path.stem for path in FOLDER.glob("*.eml"))
SENDER = "alice@example.org"
ID = "cl-7k3q.12.alice.1.v2tpyesk.pl3osb7paywkj6c3@example.net"


def raw(name: str) -> bytes:
    """Return the bytes of a mail."""
    return (FOLDER / f"{name}.eml").read_bytes()


def wanted(name: str) -> dict[str, Any]:
    """Return what is to be read in a mail."""
    return tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))


def kind(letter: Letter) -> str:
    """Return in a word what a letter is."""
    if letter.trouble:
        return "question" if letter.question else "trouble"
    if letter.asks:
        return letter.asks
    if letter.submission is None:
        return "lines"
    return "move" if letter.submission.signed else "block"


def read(letter: Letter) -> tuple[str, ...]:
    """Return all order lines that are read in a letter."""
    return (letter.submission.lines if letter.submission else ()) + letter.lines
