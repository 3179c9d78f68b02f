"""TOML, written in one way only.

`verify` plays old moves again and demands the same bytes, for ever. So the writer is our own and no library's update
can move a comma. It writes what saves need (str, int, bool, list, dict) and refuses all else. Which characters are
escaped is listed here and not asked of `str.isprintable`, because that answer changes with every Python.

The form: a table's plain values come first, one key a line, then its tables as sections, each headed by its full path
and a blank line before it. Whatever lies in a list, below the third level, or at a path the caller names, is inline.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import tomllib
else:
    try:
        import tomli as tomllib  # the same parser, compiled: less than half the time
    except ImportError:
        import tomllib

SECTION_DEPTH = 3
INLINE_DEPTH = 32  # a parser recurses; this much is safe in any of them

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED_ASCII = re.compile('["\\\\\x00-\x1f\x7f]')
# Quotes, controls, invisible, formatting and private characters, separators other than the space, non-characters.
# Compiled when a word outside ASCII first comes, since that takes longer than writing a whole save.
_ESCAPED = (
    '["\\\\\x00-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e\u2000-\u200f'
    "\u2028-\u202f\u205f-\u206f\u3000\ud800-\uf8ff\ufdd0-\ufdef\ufeff\ufff0-\uffff\U000110bd\U000110cd"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
    "\U0001fffe\U0001ffff\U0002fffe\U0002ffff\U0003fffe\U0003ffff]"
)
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r"}
_only_words = {str}.issuperset
_MANY_WORDS = 4096  # then they are forgotten, so that a long run does not grow

_Patterns = list[tuple[str, ...]]


class _Unwritable(ValueError):
    """Something in the data has no form here; `dumps` then looks for where it is."""


def dumps(data: Mapping[str, Any], *, inline: Collection[str] = ()) -> str:
    """Return data as canonical TOML: "\\n" line ends, one key a line, keys in the order of the dicts.

    data: str, int (64 bit), bool, list and dict in any mixture; values are of exactly these types, keys are str.
    inline: dotted paths of dicts to be written inside a line; `*` stands for any one key.
    Raises ValueError, which names the place, for anything else (None, floats, lone surrogates, keys that are not str).

    >>> match, state = {"id": "cl-7k3q", "stop": 3}, {"a": {"x": 1}, "b": {}}
    >>> print(dumps({"match": match, "state": state}, inline=["state.a"]), end="")
    [match]
    id = "cl-7k3q"
    stop = 3
    <BLANKLINE>
    [state]
    a = {x = 1}
    <BLANKLINE>
    [state.b]
    """
    out: list[str] = []
    try:
        _table(data, (), [tuple(path.split(".")) for path in inline], out)
    except _Unwritable:
        raise ValueError(_fault(data, "")) from None
    return "".join(out)


def loads(data: bytes) -> dict[str, Any]:
    """Return the TOML document in data (UTF-8).

    Raises ValueError if it is not UTF-8 or not TOML.

    >>> loads(b'a = 1\\n[b]\\nc = "x"\\n')
    {'a': 1, 'b': {'c': 'x'}}
    """
    return _parse(data)


def section(data: bytes, name: str) -> dict[str, Any]:
    """Return the top-level section of that name from a canonical file, with its subsections, parsing nothing else.

    data: bytes as `dumps` writes them, perhaps after comment lines.
    Raises KeyError if there is no such section, ValueError if it is not TOML.

    >>> section(b"[a]\\nx = 1\\n\\n[b]\\ny = 2\\n\\n[b.c]\\nz = 3\\n\\n[d]\\n", "b")
    {'y': 2, 'c': {'z': 3}}
    """
    key = _name(name)
    head, below = f"\n[{key}]\n".encode(), f"\n[{key}.".encode()
    whole = b"\n" + data
    start = whole.find(head)
    if start < 0:
        raise KeyError(name)
    # No canonical line but a section's head begins with a bracket: strings and lists never span lines.
    end = whole.find(b"\n[", start + 1)
    while end >= 0 and whole.startswith(below, end):
        end = whole.find(b"\n[", end + 1)
    found: dict[str, Any] = _parse(whole[start:] if end < 0 else whole[start : end + 1])[name]
    return found


def _parse(data: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(data.decode())
    except RecursionError:
        raise ValueError("The file nests its values too deeply.") from None


def _table(table: Mapping[str, Any], path: tuple[str, ...], inline: _Patterns, out: list[str]) -> None:
    """Write the plain values of a table, then its sections: TOML has no way back into a table once a section began."""
    sections = []
    may_have_sections = len(path) < SECTION_DEPTH and ("*",) not in inline
    for key, value in table.items():
        if may_have_sections and type(value) is dict:
            below = [rest[1:] for rest in inline if rest[0] in (key, "*")]
            if () not in below:
                sections.append((_name(key), value, below))
                continue
        out.append(f"{_KEYS[key]}{_value(value, 0)}\n")
    for name, value, below in sections:
        here = (*path, name)
        out.append(f"\n[{'.'.join(here)}]\n" if out else f"[{'.'.join(here)}]\n")
        _table(value, here, below, out)


def _value(value: Any, depth: int) -> str:
    kind = type(value)
    if kind is str:
        return _WORDS[value]
    if kind is int and -(2**63) <= value < 2**63:
        return f"{value}"
    if kind is bool:
        return "true" if value else "false"
    if depth < INLINE_DEPTH:
        if kind is list:
            if _only_words(map(type, value)):  # the common case, without a call for each
                return f"[{', '.join(map(_word, value))}]"
            return f"[{', '.join([_value(one, depth + 1) for one in value])}]"
        if kind is dict:
            pairs = [f"{_KEYS[key]}{_value(one, depth + 1)}" for key, one in value.items()]
            return f"{{{', '.join(pairs)}}}"
    raise _Unwritable


class _Words(dict[str, str]):
    """Words and how they are written: the same few hundred recur in every save, and all over each."""

    def __missing__(self, word: str) -> str:
        if len(self) >= _MANY_WORDS:
            self.clear()
        plain = _ESCAPED_ASCII.sub(_escape, word) if word.isascii() else re.sub(_ESCAPED, _escape, word)
        written = self[word] = f'"{plain}"'
        return written


class _Keys(dict[str, str]):
    """Keys and how they begin a line, with the equals sign."""

    def __missing__(self, key: str) -> str:
        if len(self) >= _MANY_WORDS:
            self.clear()
        written = self[key] = f"{_name(key)} = "
        return written


_WORDS, _KEYS = _Words(), _Keys()
_word = _WORDS.__getitem__


def _escape(found: re.Match[str]) -> str:
    char = found[0]
    if "\ud800" <= char <= "\udfff":
        raise _Unwritable
    return _SHORT.get(char) or (f"\\u{ord(char):04X}" if char <= "\uffff" else f"\\U{ord(char):08X}")


def _name(key: str) -> str:
    # Of a key that equals a known one the kind is never seen, so a subclass of str must always do.
    if not isinstance(key, str):
        raise _Unwritable
    return key if _BARE.fullmatch(key) else _WORDS[key]


def _fault(value: Any, path: str, depth: int = 0) -> str:
    """Say what in value cannot be written, and where; empty if nothing. Called after a failure only; may be slow."""
    kind, where = type(value), path or "The document"
    if kind is list or isinstance(value, Mapping):
        return _inner_fault(value, path, depth)
    if kind is int and not -(2**63) <= value < 2**63:
        return f"{where} is a number of more than 64 bits, which a save cannot hold."
    if kind is str and any("\ud800" <= char <= "\udfff" for char in value):
        return f"{where} holds half a character (a lone surrogate), which a save cannot hold."
    if kind not in (str, int, bool):
        return f"{where} is of type {kind.__name__}; a save holds str, int, bool, list and dict alone."
    return ""


def _inner_fault(value: Any, path: str, depth: int) -> str:
    if depth > INLINE_DEPTH + SECTION_DEPTH:
        return f"{path[:60]}... nests its values more than {INLINE_DEPTH} deep."
    if path and type(value) not in (list, dict):
        return f"{path} is of type {type(value).__name__}; a save holds str, int, bool, list and dict alone."
    for key, one in enumerate(value) if type(value) is list else value.items():
        if type(value) is not list and (not isinstance(key, str) or _fault(str(key), "")):
            return f"{path or 'The document'} has the key {key!a}; keys must be str without lone surrogates."
        if found := _fault(one, f"{path}.{key}".lstrip("."), depth + 1):
            return found
    return "" if depth else f"The document nests its values more than {INLINE_DEPTH} deep."
