"""What may stand in the slots of an order: names, several of them, a number, or free text; or why it cannot be.

A slot lists, checks and samples what it takes. The text of the lines is in `lines`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "ABSENT", "__bool__": lambda self: False})()
"""Stands for a default that is not there; it never enters a match."""


class Picker(Protocol):
    """What `sample` needs of a source of chance, such as `random.Random`."""

    def random(self) -> float:
        """Return a number from 0 up to 1."""


class No:
    """Why something cannot be done now: a key into the game's sentences, and the words to fill in.

    Example:
        >>> no("sealed", hold="hold 1")
        No('sealed', hold='hold 1')
    """

    __slots__ = ("key", "words")

    def __init__(self, key: str, words: Mapping[str, Any]) -> None:
        """Keep the key and the words."""
        self.key, self.words = key, words

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return "No(" + ", ".join([repr(self.key), *(f"{k}={v!r}" for k, v in self.words.items())]) + ")"


def no(key: str, **words: Any) -> No:
    """Say why something cannot be done now; `key` names a sentence in the game's words."""
    return No(key, words)


class Slot:
    """What may stand in one slot of an order: names, or a number."""

    default: Any = ABSENT

    def values(self) -> Iterator[Any]:
        """Yield everything that the slot takes."""
        raise NotImplementedError  # pragma: no cover

    def takes(self, value: Any) -> bool:
        """Return whether the slot takes the value."""
        raise NotImplementedError  # pragma: no cover

    def sample(self, pick: Picker) -> Any:
        """Return something that the slot takes."""
        raise NotImplementedError  # pragma: no cover

    def __bool__(self) -> bool:
        """Tell whether there is anything that the slot takes."""
        return next(self.values(), ABSENT) is not ABSENT


class OneOf(Slot):
    """One name out of several; `refused` tells why known names are not among them, `same` which mean one of them."""

    __slots__ = ("default", "named", "names", "refused", "same")

    def __init__(
        self,
        names: Sequence[str],
        refused: Mapping[str, No],
        default: Any,
        same: Mapping[str, str] | None = None,
        named: bool = False,
    ) -> None:
        """Keep the names."""
        self.names, self.refused, self.default, self.same, self.named = names, refused, default, same or {}, named

    def values(self) -> Iterator[str]:
        """Yield the names."""
        return iter(dict.fromkeys(self.names))

    def takes(self, value: Any) -> bool:
        """Return whether the value is one of the names."""
        return value in self.names

    def sample(self, pick: Picker) -> str:
        """Return one of the names."""
        return self.names[int(pick.random() * len(self.names))]

    def __bool__(self) -> bool:
        """Tell whether there is a name."""
        return bool(self.names)


class SomeOf(Slot):
    """Several names out of a list in which a name may stand more than once; `same` tells which known names mean one of them."""

    __slots__ = ("default", "least", "most", "names", "same")

    def __init__(
        self, names: Sequence[str], least: int, most: int, default: Any, same: Mapping[str, str] | None = None
    ) -> None:
        """Keep the names, copies beside each other, and the bounds."""
        self.same = same or {}
        alike = len(set(names)) < len(names)
        self.names = sorted(names, key=list(names).index) if alike else list(names)
        self.least, self.most = least, most
        self.default = self.arranged(default) if default and isinstance(default, list) else default

    def arranged(self, chosen: Sequence[str]) -> list[str]:
        """Return a choice in the order of the list: the one form in which it enters a frame."""
        return sorted(chosen, key=self.names.index)

    def values(self) -> Iterator[list[str]]:
        """Yield every choice, each in the order of the list, equal ones once."""
        stock = [(name, self.names.count(name)) for name in dict.fromkeys(self.names)]
        for size in range(self.least, self.most + 1):
            alike = len(stock) < len(self.names)
            yield from _bags(stock, size) if alike else map(list, itertools.combinations(self.names, size))

    def takes(self, value: Any) -> bool:
        """Return whether the value is a list of so many of the names, arranged, none more often than there."""
        return (
            isinstance(value, list)
            and self.least <= len(value) <= self.most
            and all(value.count(name) <= self.names.count(name) for name in value)
            and value == self.arranged(value)
        )

    def sample(self, pick: Picker) -> list[str]:
        """Return one choice."""
        size = self.least + int(pick.random() * (self.most - self.least + 1))
        rest, chosen = list(self.names), []
        for _ in range(size):
            chosen.append(rest.pop(int(pick.random() * len(rest))))
        return self.arranged(chosen)

    def __bool__(self) -> bool:
        """Tell whether there is a choice."""
        return self.least <= self.most


def _bags(stock: list[tuple[str, int]], size: int) -> Iterator[list[str]]:
    """Yield every choice of so many out of a stock of names with their counts, each choice once."""
    if not size:
        yield []
    elif sum(held for _, held in stock) >= size:
        name, held = stock[0]
        for taken in range(min(held, size), -1, -1):
            for rest in _bags(stock[1:], size - taken):
                yield [name] * taken + rest


class Number(Slot):
    """A whole number within bounds; `refused` tells why it cannot be another."""

    __slots__ = ("default", "high", "low", "refused")

    def __init__(self, low: int, high: int, default: Any, refused: No | None = None) -> None:
        """Keep the bounds, both included."""
        self.low, self.high, self.default, self.refused = low, high, default, refused

    def values(self) -> Iterator[int]:
        """Yield the numbers, the default first."""
        first = [self.default] if self.takes(self.default) else []
        return itertools.chain(first, (n for n in range(self.low, self.high + 1) if n not in first))

    def takes(self, value: Any) -> bool:
        """Return whether the value is a number within the bounds."""
        return type(value) is int and self.low <= value <= self.high

    def sample(self, pick: Picker) -> int:
        """Return a number within the bounds."""
        return self.low + int(pick.random() * (self.high - self.low + 1))

    def __bool__(self) -> bool:
        """Tell whether there is a number."""
        return self.low <= self.high


MOST_TEXT = 200
"""How many characters free text may have."""


class Text(Slot):
    """Free text in one line, such as a promise in words."""

    __slots__ = ()

    def values(self) -> Iterator[str]:
        """Yield one text that the slot takes; nobody could list them all."""
        return iter(("as we have said",))

    def takes(self, value: Any) -> bool:
        """Return whether the value is a text in one line, without space around it, and not too long."""
        return type(value) is str and 0 < len(value) <= MOST_TEXT and value == " ".join(value.split())

    def sample(self, pick: Picker) -> str:
        """Return a text."""
        return next(self.values())


def one_of(
    names: Sequence[str],
    *,
    refused: Mapping[str, No] | None = None,
    default: Any = ABSENT,
    same: Mapping[str, str] | None = None,
    named: bool = False,
) -> OneOf:
    """Offer one of the names.

    Args:
        names: what may be chosen.
        refused: for known names that may not be chosen now, why.
        default: what a line that leaves the slot out means.
        same: for known names that would have the same effect as one of the names now, that one. They are read as it, and
            listed once.
        named: whether a line must name it even if it is the only one: what is the only one may be another when the line
            arrives.
    """
    return OneOf(names, refused or {}, default, same, named)


def some_of(
    names: Sequence[str],
    *,
    least: int = 0,
    most: int | None = None,
    default: Any = ABSENT,
    same: Mapping[str, str] | None = None,
) -> SomeOf:
    """Offer several of the names, from `least` to `most` (all by default); `same` as in `one_of`."""
    return SomeOf(names, least, len(names) if most is None else min(most, len(names)), default, same)


def number(low: int, high: int, *, default: Any = ABSENT, refused: No | None = None) -> Number:
    """Offer a whole number from `low` to `high`, both included.

    Args:
        low: the least.
        high: the most.
        default: what a line that leaves the slot out means.
        refused: why it cannot be another number, where the bounds alone do not say it.
    """
    return Number(low, high, default, refused)


def free_text() -> Text:
    """Offer to take a text in the player's own words, of up to `MOST_TEXT` characters."""
    return Text()


SlotOrRule = Slot | Callable[[dict[str, Any]], Slot]
