"""Who may see a field: records with declared visibility, and the one function that redacts.

A game's table is made of `Record` classes. Every field says who may see it with one of the words below;
a field that says nothing is an error when the module is loaded. `redact` turns a record into plain data for
one reader, and nothing else in the program makes a view.

=============  =====================================================================
`open_`        everybody sees it
`hand`         the owner sees the list, others see how long it is
`secret`       the owner sees it, others do not see that it is there; it may hold records, all of them covered
`pile`         everybody sees how long the list is, nobody sees what is in it; it may hold records, all of them covered
`blind`        nobody sees or counts it
`known_to`     the seats listed in the field named beside it see it, others see a back
`owned`        records by id; the key, or the field named by `by`, is the owning seat
`part`         records inside; each of their fields speaks for itself, the owner is inherited
=============  =====================================================================

A hidden field names its `pool`: the things it may be exchanged with in a world that looks the same. A pool whose
name begins with `own` belongs to one owner. `like` names fields that must agree for an exchange to be possible.
"""

from __future__ import annotations

import sys
import typing
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple, TypeVar, dataclass_transform

BACK = "?"
"""What a reader gets in place of a thing that has only its back to show."""

OBSERVER = ""
"""The reader who holds no seat."""

HIDDEN = frozenset({"hand", "secret", "pile", "blind", "known_to"})
"""The words of fields that some reader does not see."""
NEEDED: Any = type("Needed", (), {"__repr__": lambda self: "NEEDED"})()
"""Stands for the default of a field that has none."""
_R = TypeVar("_R", bound="Record")
_Shown = Callable[[Any, str, str], Any]


class See(NamedTuple):
    """What a field declares: the word, and what belongs to it (see the table at the head of this module)."""

    word: str
    pool: str = ""
    like: tuple[str, ...] = ()
    by: str = ""


class Undeclared(TypeError):
    """A record has a field that does not say who may see it, or says it wrongly."""


class _Declared(NamedTuple):
    """A field as the class statement holds it, with what makes its default."""

    see: See
    default: Any

    def make(self) -> Any:
        """Return the default; a list or dict is copied."""
        return self.default.copy() if isinstance(self.default, list | dict) else self.default


def _field(see: See, default: Any) -> Any:
    return _Declared(see, default)


def open_(default: Any = NEEDED) -> Any:
    """Declare a field that everybody sees; `default` as for a dataclass (a list or dict is copied)."""
    return _field(See("open"), default)


def hand(pool: str, default: Any = NEEDED) -> Any:
    """Declare a list whose owner sees it and whose length everybody sees."""
    return _field(See("hand", pool), [] if default is NEEDED else default)


def secret(pool: str, default: Any = NEEDED) -> Any:
    """Declare a field that its owner alone knows to be there."""
    return _field(See("secret", pool), default)


def pile(pool: str, default: Any = NEEDED) -> Any:
    """Declare a list that everybody may count and nobody may look into."""
    return _field(See("pile", pool), [] if default is NEEDED else default)


def blind(pool: str, like: Sequence[str] = (), default: Any = NEEDED) -> Any:
    """Declare a field that nobody sees; `like` names the fields of the same record that an exchange must keep."""
    return _field(See("blind", pool, tuple(like)), default)


def known_to(by: str, pool: str, like: Sequence[str] = (), default: Any = NEEDED) -> Any:
    """Declare a field that is seen by the seats listed in field `by` of the same record; by all if `OBSERVER` is listed too.

    `like` names the fields of the same record that an exchange must keep, such as what the back of a card shows.
    """
    return _field(See("known_to", pool, tuple(like), by), default)


def owned(by: str = "", default: Any = NEEDED) -> Any:
    """Declare a dict of records by id; the owner is the key, or the value of the records' field `by`."""
    return _field(See("owned", by=by), {} if default is NEEDED else default)


def part(default: Any = NEEDED) -> Any:
    """Declare a record, or a list or dict of records, whose own fields say who sees them."""
    return _field(See("part"), default)


@dataclass_transform(kw_only_default=True, field_specifiers=(open_, hand, secret, pile, blind, known_to, owned, part))
class Record:
    """Base of everything that lies on a game's table.

    Raises:
        Undeclared: at the class statement, when a field does not say who may see it.

    Example:
        >>> class Purse(Record):
        ...     coins: int = open_(0)
        ...     cards: list[str] = hand(pool="own cards")
        >>> redact(Purse(cards=["fox"]), "bob", owner="alice")
        {'coins': 0, 'cards': ['?']}
        >>> class Leaky(Record):
        ...     cards: list[str] = []
        Traceback (most recent call last):
        referee.see.Undeclared: Leaky.cards does not say who may see it
    """

    fields: ClassVar[dict[str, See]] = {}
    _declared: ClassVar[dict[str, _Declared]] = {}

    def __init_subclass__(cls) -> None:
        """Check the declarations."""
        declared = {name: vars(cls).get(name) for name in cls.__annotations__}
        for name, spec in declared.items():
            if not isinstance(spec, _Declared):
                raise Undeclared(f"{cls.__name__}.{name} does not say who may see it")
            delattr(cls, name)
        cls._declared = {**cls._declared, **declared}  # type: ignore[dict-item]
        cls.fields = {name: spec.see for name, spec in cls._declared.items()}
        _check_declarations(cls)

    def __init__(self, **given: Any) -> None:
        """Fill the fields by name.

        Raises:
            TypeError: one is missing, or there is no such field.
        """
        # Not a dataclass: to make one takes a millisecond, and a process that plays one line makes a dozen.
        if given.keys() != self.fields.keys():
            needed = {name for name, spec in self._declared.items() if spec.default is NEEDED}
            if not needed <= given.keys() <= self.fields.keys():
                got = ", ".join(given) or "nothing"
                raise TypeError(f"{type(self).__name__} takes {', '.join(self.fields)} and was given {got}")
            given = {name: given[name] if name in given else spec.make() for name, spec in self._declared.items()}
        self.__dict__ = given

    def __eq__(self, other: object) -> bool:
        """Tell whether the other is a record of the same kind with equal fields."""
        return self.__dict__ == other.__dict__ if type(self) is type(other) else NotImplemented

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return f"{type(self).__qualname__}({', '.join(f'{name}={self.__dict__[name]!r}' for name in self.fields)})"

    def copy(self: _R) -> _R:
        """Return a record that shares nothing changeable with this one."""
        return typing.cast(_R, _shape(type(self)).copy(self))


def _check_declarations(cls: type[Record]) -> None:
    for name, see in cls.fields.items():
        where = f"{cls.__name__}.{name}"
        if see.word in HIDDEN and not see.pool:
            raise Undeclared(f"{where} is hidden and does not name its pool")
        for other in (*see.like, *([see.by] if see.word == "known_to" else [])):
            if cls.fields.get(other, See("")).word != "open":
                raise Undeclared(f"{where} leans on {other!r}, which is no open field of {cls.__name__}")


class Shape(NamedTuple):
    """How values of one declared type are copied, written, read and shown.

    `shower` makes the function that shows when somebody is shown something: whoever verifies saves does without.
    """

    copy: Callable[[Any], Any]
    dump: Callable[[Any], Any]
    load: Callable[[Any, str], Any]
    shower: Callable[[], _Shown]
    holds_records: bool


_shapes: dict[Any, Shape] = {}


def _shape(kind: Any) -> Shape:
    """Return the shape of a declared type; types are read once and kept."""
    found = _shapes.get(kind)
    if found is None:
        found = _shapes[kind] = _make_shape(kind)
    return found


def _make_shape(kind: Any) -> Shape:
    if kind in (str, int, bool):
        return _scalar_shape(kind)
    if isinstance(kind, type) and issubclass(kind, Record):
        return _record_shape(kind)
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is list and len(arguments) == 1:
        return _list_shape(arguments[0])
    if origin is dict and len(arguments) == 2 and arguments[0] is str:
        return _dict_shape(arguments[1])
    raise Undeclared(f"{kind!r} cannot be saved: a table holds str, int, bool, list, dict with str keys, and records")


def _scalar_shape(kind: type) -> Shape:
    def same(value: Any) -> Any:
        return value

    def load(data: Any, where: str) -> Any:
        if type(data) is not kind:
            raise ValueError(f"{where} should be {kind.__name__} and is {type(data).__name__}")
        return data

    return Shape(same, same, load, lambda: lambda value, viewer, owner: value, False)


def _list_shape(inner: Any) -> Shape:
    item = _shape(inner)

    def load(data: Any, where: str) -> list[Any]:
        if type(data) is not list:
            raise ValueError(f"{where} should be a list and is {type(data).__name__}")
        return [item.load(value, where) for value in data]

    if inner in (str, int, bool):
        return Shape(list.copy, list.copy, load, lambda: lambda value, viewer, owner: value[:], False)
    copy, dump = item.copy, item.dump

    def shower() -> _Shown:
        show = item.shower()
        return lambda value, viewer, owner: [show(v, viewer, owner) for v in value]

    return Shape(
        lambda value: [copy(v) for v in value],
        lambda value: [dump(v) for v in value],
        load,
        shower,
        item.holds_records,
    )


def _dict_shape(inner: Any) -> Shape:
    item = _shape(inner)

    def load(data: Any, where: str) -> dict[str, Any]:
        if type(data) is not dict:
            raise ValueError(f"{where} should be a table and is {type(data).__name__}")
        return {key: item.load(value, f"{where}.{key}") for key, value in data.items()}

    if inner in (str, int, bool):
        return Shape(dict.copy, dict.copy, load, lambda: lambda value, viewer, owner: value.copy(), False)
    copy, dump = item.copy, item.dump

    def shower() -> _Shown:
        show = item.shower()
        return lambda value, viewer, owner: {k: show(v, viewer, owner) for k, v in value.items()}

    return Shape(
        lambda value: {k: copy(v) for k, v in value.items()},
        lambda value: {k: dump(v) for k, v in value.items()},
        load,
        shower,
        item.holds_records,
    )


def _record_shape(cls: type[Record]) -> Shape:
    kinds = _kinds(cls)
    shapes = {name: _shape(kinds[name]) for name in cls.fields}
    _check_kinds(cls, kinds, shapes)

    def load(data: Any, where: str) -> Record:
        if type(data) is not dict or data.keys() != shapes.keys():
            raise ValueError(f"{where} should be a table with {', '.join(shapes)}")
        return cls(**{name: shape.load(data[name], f"{where}.{name}") for name, shape in shapes.items()})

    return Shape(
        _record_copier(cls, shapes),
        lambda record: {name: shape.dump(getattr(record, name)) for name, shape in shapes.items()},
        load,
        cache(lambda: _record_shower(cls, shapes)),
        True,
    )


def _kinds(cls: type[Record]) -> dict[str, Any]:
    """Return the types of the fields of a class; what is written alike in a module is read once."""
    found = {}
    for base in reversed(cls.__mro__):
        space = getattr(sys.modules.get(base.__module__), "__dict__", {})
        known = _read_types.setdefault(base.__module__, {})
        for name, kind in vars(base).get("__annotations__", {}).items():
            if isinstance(kind, str):
                kind = known[kind] if kind in known else known.setdefault(kind, eval(kind, space))
            found[name] = kind
    return found


_read_types: dict[str, dict[str, Any]] = {}


def _check_kinds(cls: type[Record], kinds: Mapping[str, Any], shapes: Mapping[str, Shape]) -> None:
    """Check that the words fit the types: a text in place of a list of seats would show itself to parts of names."""
    for name, see in cls.fields.items():
        where = f"{cls.__name__}.{name}"
        if see.word not in ("pile", "secret") and shapes[name].holds_records != (see.word in ("part", "owned")):
            raise Undeclared(
                f"{where}: records inside need 'part', 'owned', 'pile' or 'secret', other things a word of their own"
            )
        if see.word in ("hand", "pile") and typing.get_origin(kinds[name]) is not list:
            raise Undeclared(f"{where}: a {see.word} is a list")
        if see.word == "owned" and typing.get_origin(kinds[name]) is not dict:
            raise Undeclared(f"{where}: owned records stand in a dict by id")
        if see.word == "known_to" and kinds[see.by] != list[str]:
            raise Undeclared(f"{where}: {see.by} should be a list of seats")


def _record_copier(cls: type[Record], shapes: Mapping[str, Shape]) -> Callable[[Any], Any]:
    deep = [(name, shape.copy) for name, shape in shapes.items() if not _is_scalar(shape)]
    new = cls.__new__

    def copy(record: Any) -> Any:
        twin = new(cls)
        values = record.__dict__.copy()
        for name, copy_value in deep:
            values[name] = copy_value(values[name])
        twin.__dict__ = values
        return twin

    return copy


def _is_scalar(shape: Shape) -> bool:
    return any(shape is _shapes.get(kind) for kind in (str, int, bool))


_SHOWN = {
    "open": "{name!r}: {value}",
    "part": "{name!r}: {value}",
    "owned": "{name!r}: {value}",
    "hand": "{name!r}: {value} if viewer == owner and viewer else [BACK] * len(record.{name})",
    "secret": "**({{{name!r}: {value}}} if viewer == owner and viewer else {{}})",
    "pile": "{name!r}: [BACK] * len(record.{name})",
    "blind": "",
    "known_to": "{name!r}: {value} if viewer in record.{by} else BACK",
}
"""How each word shows its field, as a part of the dict that a reader gets; `value` is a copy of all of it."""


def _record_shower(cls: type[Record], shapes: Mapping[str, Shape]) -> _Shown:
    """Return the function that redacts the records of a class, with its fields written out as `dataclasses` does it.

    A function for each field, called one by one, would take three times as long; and views are half of a report's time.
    """
    known: dict[str, Any] = {"BACK": BACK}
    parts = []
    for name, see in cls.fields.items():
        known[f"show_{name}"] = _owned_shower(see) if see.word == "owned" else shapes[name].shower()
        value = f"record.{name}" if _is_scalar(shapes[name]) else f"show_{name}(record.{name}, viewer, owner)"
        parts.append(_SHOWN[see.word].format(name=name, value=value, by=see.by))
    written = ", ".join(filter(None, parts))
    return typing.cast(_Shown, eval(f"lambda record, viewer, owner: {{{written}}}", known))


def _owned_shower(see: See) -> _Shown:
    def show(records: Any, viewer: str, owner: str) -> Any:
        return {k: redact(v, viewer, owner=owner_of(k, v, see)) for k, v in records.items()}

    return show


def owner_of(key: str, record: Record, see: See) -> str:
    """Return the seat that owns a record of an `owned` field: its key, or what its field `by` says."""
    return typing.cast(str, getattr(record, see.by)) if see.by else key


def redact(record: Record, viewer: str, *, owner: str = OBSERVER) -> dict[str, Any]:
    """Return what one reader may see of a record, as plain data that cannot reach the record.

    Args:
        record: the table, or anything on it.
        viewer: a seat's name, or `OBSERVER`.
        owner: the seat that owns the record; nobody by default.

    Returns:
        A dict of str, int, bool, list and dict. Hidden things are absent, or backs (`BACK`) where they may be counted.
    """
    return typing.cast(dict[str, Any], _shape(type(record)).shower()(record, viewer, owner))


def dump(record: Record) -> dict[str, Any]:
    """Return all of a record as plain data, in the order of its fields: what a save holds."""
    return typing.cast(dict[str, Any], _shape(type(record)).dump(record))


def load(cls: type[_R], data: Any, where: str = "table") -> _R:
    """Return the record that `dump` wrote.

    Raises:
        ValueError: the data does not fit the record's fields; the text names the place.

    Example:
        >>> class Marker(Record):
        ...     at: str = open_()
        >>> load(Marker, {"at": "red"})
        Marker(at='red')
    """
    return typing.cast(_R, _shape(cls).load(data, where))
