"""Questions: one object lists, checks, samples and explains the choices.

A step asks by returning a `Question`. It offers orders; what each order may be given now comes from the order's
partner, evaluated at most once and only when somebody looks. The text of the lines is in `lines`.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, Protocol

from .steps import Frame, Order

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

    __slots__ = ("default", "names", "refused", "same")

    def __init__(
        self, names: Sequence[str], refused: Mapping[str, No], default: Any, same: Mapping[str, str] | None = None
    ) -> None:
        """Keep the names."""
        self.names, self.refused, self.default, self.same = names, refused, default, same or {}

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
    """Several names out of a list in which a name may stand more than once."""

    __slots__ = ("default", "least", "most", "names")

    def __init__(self, names: Sequence[str], least: int, most: int, default: Any) -> None:
        """Keep the names, copies beside each other, and the bounds."""
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
) -> OneOf:
    """Offer one of the names.

    Args:
        names: what may be chosen.
        refused: for known names that may not be chosen now, why.
        default: what a line that leaves the slot out means.
        same: for known names that would have the same effect as one of the names now, that one. They are read as it, and
            listed once.
    """
    return OneOf(names, refused or {}, default, same)


def some_of(names: Sequence[str], *, least: int = 0, most: int | None = None, default: Any = ABSENT) -> SomeOf:
    """Offer several of the names, from `least` to `most` (all by default)."""
    return SomeOf(names, least, len(names) if most is None else min(most, len(names)), default)


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

OfferLike = Order | tuple[Order, dict[str, Any]]
"""An order, or one with arguments that are fixed (`Order.given`)."""


class Offer:
    """An order with the arguments that are fixed, and what it may be given now (evaluated when first needed)."""

    __slots__ = ("_m", "_slots", "bound", "order")

    def __init__(self, m: Any, order: Order, bound: dict[str, Any]) -> None:
        """Keep the order; nothing is evaluated yet."""
        self._m, self.order, self.bound = m, order, bound
        self._slots: dict[str, SlotOrRule] | No | None = None

    @property
    def slots(self) -> dict[str, SlotOrRule] | No:
        """The slots, or the reason why the order cannot be given now."""
        if self._slots is None:
            partner = self.order.offer
            self._slots = partner(self._m, **self.bound) if partner else {}
        return self._slots

    def slot(self, name: str, chosen: dict[str, Any]) -> Slot:
        """Return a slot, given what was chosen for the slots before it."""
        assert not isinstance(self.slots, No)
        slot = self.slots[name]
        return slot if isinstance(slot, Slot) else slot(chosen)

    def fills(self) -> Iterator[dict[str, Any]]:
        """Yield every way to fill the slots."""
        slots = self.slots
        if not isinstance(slots, No):
            yield from _fills(list(slots.items()), {}) if slots else ({},)

    def takes(self, fill: Mapping[str, Any]) -> bool:
        """Return whether the slots may be filled so."""
        slots = self.slots
        if isinstance(slots, No) or fill.keys() != slots.keys():
            return False
        for name, rule in slots.items():
            slot = rule if isinstance(rule, Slot) else rule(dict(fill))
            if not slot.takes(fill[name]):
                return False
        return True

    def available(self) -> bool:
        """Return whether there is at least one way to fill the slots."""
        return next(self.fills(), None) is not None

    def sample(self, pick: Picker) -> dict[str, Any] | None:
        """Return one way to fill the slots, or nothing when there is none."""
        slots = self.slots
        if isinstance(slots, No):
            return None
        chosen: dict[str, Any] = {}
        for name, rule in slots.items():
            slot = rule if isinstance(rule, Slot) else rule(chosen)
            if not slot:  # what was chosen before it may be to blame
                return next(self.fills(), None) if chosen else None
            chosen[name] = slot.sample(pick)
        return chosen

    def frame(self, fill: Mapping[str, Any]) -> Frame:
        """Return the frame for one way to fill the slots."""
        return {"do": self.order.name, **self.bound, **fill}


def _fills(left: Sequence[tuple[str, SlotOrRule]], chosen: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield every way to fill the slots that are left, with what was chosen for those before."""
    (name, rule), left = left[0], left[1:]
    for value in (rule if isinstance(rule, Slot) else rule(chosen)).values():
        fill = {**chosen, name: value}
        if left:
            yield from _fills(left, fill)
        else:
            yield fill


class Decision:
    """One decider's part of a question: who answers for it, and what is offered (each offer made when first needed)."""

    __slots__ = ("_chosen", "_given", "_m", "_made", "decider", "seat")

    def __init__(self, m: Any, decider: str, seat: str, given: Sequence[OfferLike]) -> None:
        """Keep who decides and what is offered."""
        self._m, self.decider, self.seat, self._given = m, decider, seat, given
        self._made: dict[int, Offer] = {}
        self._chosen: Frame = {}

    def _offer(self, index: int) -> Offer:
        offer = self._made.get(index)
        if offer is None:
            given = self._given[index]
            order, bound = (given, {}) if isinstance(given, Order) else given
            bound = {"who": self.decider, **bound} if "who" in order.params else bound
            offer = self._made[index] = Offer(self._m, order, bound)
        return offer

    @property
    def offers(self) -> list[Offer]:
        """Everything that is offered."""
        return [self._offer(index) for index in range(len(self._given))]

    def of(self, orders: Container[Order]) -> list[Offer]:
        """Return the offers of some orders; the others are not looked at."""
        given = enumerate(self._given)
        return [self._offer(i) for i, one in given if (one if isinstance(one, Order) else one[0]) in orders]

    def choose(self, offer: Offer, fill: Mapping[str, Any]) -> Frame:
        """Return the answer that is an offer with its slots filled as it takes them; it need not be checked again."""
        self._chosen = offer.frame(fill)
        return self._chosen

    def frames(self) -> Iterator[Frame]:
        """Yield every answer."""
        for offer in self.offers:
            for fill in offer.fills():
                yield self.choose(offer, fill)

    def __contains__(self, frame: object) -> bool:
        """Tell whether the frame is one of the answers."""
        if frame is self._chosen:
            return bool(frame)
        if not isinstance(frame, dict):
            return False
        name = frame.get("do")
        for index, given in enumerate(self._given):
            if (given if isinstance(given, Order) else given[0]).name == name:
                offer = self._offer(index)
                fill = {k: v for k, v in frame.items() if k != "do" and k not in offer.bound}
                if offer.bound.items() <= frame.items() and offer.takes(fill):
                    return True
        return False

    def sample(self, pick: Picker) -> Frame:
        """Return one answer: each order that can be given is equally likely, then each way to fill it.

        Raises:
            LookupError: there is no answer at all, which is a fault of the game.
        """
        left = list(range(len(self._given)))
        while left:
            offer = self._offer(left.pop(int(pick.random() * len(left))))
            fill = offer.sample(pick)
            if fill is not None:
                return self.choose(offer, fill)
        raise LookupError(f"{self.seat} is asked and can answer nothing")


class Question:
    """What a match waits for.

    Attributes:
        name: the key of its sentence in the game's words.
        words: what is filled into that sentence; its decider may know it.
        decisions: by decider, what each has to decide. More than one decider makes it a joint, sealed question.
        then: the frames that follow the answer.
        taken: for a joint question, the name of the step that receives all answers.
        interrupts: the seat whose turn waits for the answer, if this is a reaction.
        gathers: for a joint question whose answers are several lines each, the step that stands for one such answer: it
            takes `who` and `lines`, the frames of the lines in order.
    """

    __slots__ = ("decisions", "gathers", "interrupts", "name", "taken", "then", "words")

    def __init__(
        self,
        name: str,
        words: dict[str, Any],
        decisions: dict[str, Decision],
        then: Sequence[Frame] = (),
        taken: str = "",
        interrupts: str = "",
        gathers: str = "",
    ) -> None:
        """Keep what is asked."""
        self.name, self.words, self.decisions = name, words, decisions
        self.then, self.taken, self.interrupts, self.gathers = then, taken, interrupts, gathers

    def gathered(self, decider: str, lines: Sequence[Frame]) -> Frame:
        """Return the answer that several lines make together."""
        return {"do": self.gathers, "who": decider, "lines": list(lines)}

    def takes(self, decider: str, frame: Frame) -> bool:
        """Return whether a frame is an answer of a decider: each of its lines, if lines are gathered."""
        lines = frame["lines"] if self.gathers and frame["do"] == self.gathers else [frame]
        return bool(lines) and all(line in self.decisions[decider] for line in lines)

    @property
    def seats(self) -> list[str]:
        """The seats that are asked, each once."""
        return list(dict.fromkeys(d.seat for d in self.decisions.values()))

    def of(self, seat: str) -> list[Decision]:
        """Return the decisions that a seat has to answer."""
        return [d for d in self.decisions.values() if d.seat == seat]
