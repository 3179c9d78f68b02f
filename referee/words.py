"""The sentences of a game, out of its words.toml: one for each kind of event, question and reason.

A rule never holds a sentence. It names a key and the words to fill in; the sentence stands in the game's `words.toml`:
`[events]`, `[questions]`, `[reasons]`, `[orders]`, `[cards]`, ... An event may have a second sentence under
`key.own` for the seat that it is about (its word `who`), and a question a second one, `key.why`, that says why it is
asked. A long game may part its sentences into more files: `words-battle.toml` and the like add to `words.toml`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from . import canon, ready
from .components import package_folder

if TYPE_CHECKING:
    from .match import Game

MACHINE = {
    "reasons": {
        "not offered": "“{name}” cannot be chosen now; possible: {offered}",
        "no choice": "there is nothing to choose for it now",
    },
    "events": {
        "returned": "These lines of yours came back unplayed: {lines}. {reason}",
        "standing": "Your standing orders are now: {lines}.",
        "no standing": "You have no standing orders now.",
        "forgotten": "Your waiting lines were dropped: {lines}.",
        "planned": "You plan for your next questions: {lines}.",
        "dropped": "Your planned line “{line}” was dropped: {reason}",
        "answered": "Your answer to the open question is sealed: {line}.",
        "withdrawn": "Your sealed answer was taken back.",
        "missed": "{who} did not answer in time; the match went on by the rule for missed turns.",
        "missed.own": "You did not answer in time; by the rule for missed turns these lines were played for you: {lines}.",
        "key": "The key {fingerprint} is registered for {who}.",
        "ruling": "The moderator ruled ({ruling}): {why}",
        "note": "The moderator notes: {text}",
        "begins": "The match began. The commitment to its seed is {commitment}.",
        "nonces": "Nonces of players were mixed into the seed: {nonces}.",
    },
}
"""Sentences of the machine itself, for every game."""


@lru_cache(maxsize=16)
def _sentences(package: str) -> dict[str, dict[str, str]]:
    sources = _sources(package)
    return _together([MACHINE, ready.find("words", sources) or _read(sources)])


def _sources(package: str) -> list[bytes]:
    folder = package_folder(package)
    return [path.read_bytes() for path in [folder / "words.toml", *sorted(folder.glob("words-*.toml"))]]


def _read(sources: Sequence[bytes]) -> dict[str, dict[str, str]]:
    return _together(map(canon.loads, sources))


def _together(parts: Iterable[Mapping[str, Mapping[str, str]]]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for part in parts:
        for chapter, said in part.items():
            found.setdefault(chapter, {}).update(said)
    return found


def made_ready(game: Game) -> tuple[str, str]:
    """Return name and text of the module from which the sentences of a game are loaded, which are read here."""
    sources = _sources(game.package)
    return ready.module_name("words", sources), ready.literal(_read(sources))


def sentences(game: Game) -> dict[str, dict[str, str]]:
    """Return all sentences of a game by chapter and key, those of the machine included."""
    return _sentences(game.package)


def listing(value: Any) -> str:
    """Return a value as it reads in a sentence: lists joined by commas and a last "and".

    Example:
        >>> listing(["a", "b", "c"]), listing([]), listing(3)
        ('a, b and c', 'nothing', '3')
    """
    if type(value) is str:
        return value
    if isinstance(value, list):
        items = [listing(item) for item in value]
        return " and ".join([", ".join(items[:-1]), items[-1]] if len(items) > 1 else items) or "nothing"
    return str(value)


def ended(text: str) -> str:
    """Return a text with a full stop at its end, unless it ends a sentence already.

    Example:
        >>> ended("your hold is full"), ended("did you mean fly?")
        ('your hold is full.', 'did you mean fly?')
    """
    return text if text.endswith((".", "?", "!")) else f"{text}."


def fill(sentence: str, words: Mapping[str, Any]) -> str:
    """Fill words into a sentence; a word that the reader may not know shows as a back.

    Order lines, which hold "and" themselves, are parted by semicolons.
    """
    pieces = _pieces(sentence).copy()
    for at in range(1, len(pieces), 2):
        name = pieces[at]
        if name not in words:
            pieces[at] = "?"
        else:
            pieces[at] = "; ".join(words[name]) if name == "lines" else listing(words[name])
    return "".join(pieces)


@lru_cache(maxsize=1024)
def _pieces(sentence: str) -> list[str]:
    """Cut a sentence at its gaps: text and the name of a word in turn."""
    return re.split(r"\{(\w+)\}", sentence)


def sentence(game: Game, chapter: str, key: str, words: Mapping[str, Any]) -> str:
    """Return a filled sentence.

    Raises:
        KeyError: the game has no such sentence, which its tests exclude.
    """
    return fill(sentences(game)[chapter][key], words)
