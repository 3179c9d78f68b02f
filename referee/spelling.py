"""How lines spell names: what does not count in spelling, and what an abbreviation may stand for.

Case, accents, punctuation and filler words do not count. A comma reads as "and".
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

FILLERS = frozenset({"a", "an", "the", "to", "my", "please"})
ALIKE = 0.55
"""How much alike a verb and the first words of a line must be for one to be named to who wrote the other, out of 1."""

# A minus before a number stays: without it the line would mean another number.
_SPLIT = re.compile(r"(?:(?!(?<!\w)[-\u2013\u2212]\d)\W)+")


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Return a text without case, accents, punctuation and filler words; commas read as "and".

    Example:
        >>> plain("  Load the GRÜN, into Hold-1. ")
        'load grun and into hold 1'
    """
    text = text.replace(",", " and ")
    if text.isascii():  # nearly all names, of which a match reads hundreds before its first line
        text = text.lower()
        if text.isalnum():
            return "" if text in FILLERS else text
    else:
        text = unicodedata.normalize("NFKD", text).casefold()
        text = "".join(c for c in text if not unicodedata.combining(c))
    return " ".join(word for word in _SPLIT.split(text) if word and word not in FILLERS)


def alternatives(line: str) -> list[str]:
    """Cut a line at the word "or".

    Example:
        >>> alternatives("fly red or fly orange orbit OR stay")
        ['fly red', 'fly orange orbit', 'stay']
    """
    return [part.strip() for part in re.split(r"(?i)(?:^|\s)or(?:\s|$)", line) if part.strip()]


class Spelled(dict[str, str]):
    """The names of one list by their plain form."""

    def __init__(self, names: Sequence[str]) -> None:
        """Spell the names."""
        super().__init__({plain(name): name for name in names})
        self._all = "".join(f"\n {name}" for name in self)
        self._several = [name for name in self if " " in name]
        self._spaced = [(f" {short}", name) for short, name in self.items()]

    def begins_name(self, text: str) -> bool:
        """Tell whether a text begins a name; one look at all of them, since most texts that are tried begin none."""
        return f"\n {text}" in self._all

    def begins_word(self, text: str) -> bool:
        """Tell whether a text begins a word of a name, or each of its words one after the other."""
        if f" {text}" in self._all:
            return True
        first, _, rest = text.partition(" ")
        return rest != "" and self.begins_name(first) and any(shortens(text, name) for name in self._several)

    def begun(self, text: str) -> list[str]:
        """Return the names of which a text begins a word, or each of the words one after the other."""
        begins = f" {text}"
        if " " not in text:
            return [name for short, name in self._spaced if begins in short]
        return [name for short, name in self._spaced if begins in short or shortens(text, short)]


def shortens(text: str, name: str) -> bool:
    """Tell whether the words of a text begin the first words of a name.

    Example:
        >>> shortens("pl 1", "planet 1"), shortens("fus dr", "fusion drive"), shortens("drive", "fusion drive")
        (True, True, False)
    """
    words, names = text.split(), name.split()
    return len(words) <= len(names) and all(map(str.startswith, names, words))


class Names:
    """The lists of names that slots of orders take, as lines spell them.

    Attributes:
        plain: for each list its names by their plain form.
        words: the most words that one has.
    """

    def __init__(self, names: Mapping[str, Sequence[str]]) -> None:
        """Spell the names."""
        self.plain = {each: Spelled(those) for each, those in names.items()}
        self.words = max((len(name.split()) for those in self.plain.values() for name in those), default=0)


def nearest(text: str, known: Mapping[str, str]) -> list[str]:
    """Return up to three known names that look most like a text."""
    import difflib

    return [known[near] for near in difflib.get_close_matches(text, list(known), 3, 0.6)]


def nearest_verbs(tokens: list[str], verbs: list[str]) -> list[str]:
    """Return up to two verbs that look most like as many of the first words of a line."""
    from difflib import SequenceMatcher

    likeness = {}
    for verb in verbs:
        words = plain(verb).split()
        look = SequenceMatcher(None, " ".join(tokens[: len(words)]), " ".join(words))
        # The first two are never less than the ratio, and soon told.
        if look.real_quick_ratio() > ALIKE and look.quick_ratio() > ALIKE and (ratio := look.ratio()) > ALIKE:
            likeness[verb] = ratio
    return sorted(likeness, key=lambda verb: -likeness[verb])[:2]


@lru_cache(maxsize=1024)
def words_of(text: str) -> list[str]:
    return plain(text).split()
