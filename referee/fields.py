"""Classes that are little more than their fields: a part of `dataclasses`, at a part of its price.

The decorator of the standard library imports `inspect`, and writes and compiles methods for each class when it is
defined: for the classes of the machine that took a third of the time in which a save is verified. Here the methods look
at the fields when they are called.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, dataclass_transform

_C = TypeVar("_C")


class _Made:
    """A default that is made anew for each object."""

    __slots__ = ("make",)

    def __init__(self, make: Callable[[], Any]) -> None:
        self.make = make


def field(*, default_factory: Callable[[], Any]) -> Any:
    """Declare a field whose default is made anew for each object, such as a list."""
    return _Made(default_factory)


@dataclass_transform(field_specifiers=(field,))
def dataclass(cls: type[_C]) -> type[_C]:
    """Give a class the methods that follow from its annotated fields: `__init__`, `__eq__` and `__repr__`.

    Example:
        >>> @dataclass
        ... class Purse:
        ...     owner: str
        ...     coins: list[int] = field(default_factory=list)
        >>> Purse("alice"), Purse("alice") == Purse("alice", [3])
        (Purse(owner='alice', coins=[]), False)
        >>> Purse(coins=[])
        Traceback (most recent call last):
        TypeError: Purse takes owner, coins and was given coins
    """
    names = list(cls.__annotations__)
    defaults = {name: vars(cls)[name] for name in names if name in vars(cls)}

    def __init__(self: Any, *values: Any, **given: Any) -> None:
        fill(self, names, defaults, values, given)
        if after := getattr(self, "__post_init__", None):
            after()

    for method in (__init__, __eq__, __repr__):
        setattr(cls, method.__name__, method)
    cls.__hash__ = None  # type: ignore[assignment]
    return cls


def fill(thing: Any, names: list[str], defaults: dict[str, Any], values: tuple[Any, ...], given: dict[str, Any]) -> None:
    """Set the fields of a new object, in their order: by place, by name, or by default.

    Raises:
        TypeError: the values are not those of the fields.
    """
    found = thing.__dict__
    placed = dict(zip(names, values, strict=False))
    known = {**defaults, **placed, **given}
    if known.keys() != set(names) or len(placed) < len(values) or placed.keys() & given.keys():
        got = ", ".join([*placed, *given]) or "nothing"
        raise TypeError(f"{type(thing).__name__} takes {', '.join(names)} and was given {got}")
    for name in names:
        value = known[name]
        found[name] = value.make() if type(value) is _Made else value


def replace(thing: _C, **changes: Any) -> _C:
    """Return an object like another, with some fields changed.

    Example:
        >>> @dataclass
        ... class Place:
        ...     ring: int
        ...     name: str = ""
        >>> replace(Place(3, "red"), ring=4)
        Place(ring=4, name='red')
    """
    names = type(thing).__annotations__
    return type(thing)(**{**{name: getattr(thing, name) for name in names}, **changes})


def __eq__(self: Any, other: object) -> bool:
    return self.__dict__ == other.__dict__ if type(self) is type(other) else NotImplemented


def __repr__(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name in type(self).__annotations__)
    return f"{type(self).__qualname__}({shown})"
