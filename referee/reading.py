"""Reading the words of one line into the slots of one order.

It is generous with spelling and strict with meaning: any unambiguous beginning among the offered names is read, and a full
known name means only itself, whether it is offered or not. A line is read twice: before there is a question against
everything that any position could understand (`Known`), and then against what is offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .ask import Offer
from .errors import Unreadable
from .slots import ABSENT, Number, OneOf, Slot, SomeOf, Text
from .spelling import Names, Spelled, nearest, nearest_verbs, plain, shortens, words_of
from .steps import NUMBER, TEXT, Order
from .words import listing, sentence

if TYPE_CHECKING:
    from .match import Game

AND = "and"
MOST_SHOWN = 12
"""How many names a refusal lists."""
SEVERAL = "some "
"""A vocabulary that begins so takes several names."""


class Misfit(Exception):
    """A line that does not fit an order: how far it was understood, and why not further."""

    def __init__(self, depth: int, why: str | Callable[[], str]) -> None:
        """Keep the number of words understood and the reason, which is put into words only when it is read."""
        self.depth, self.why = depth, why

    @property
    def reason(self) -> str:
        """The sentence that says why."""
        return self.why if isinstance(self.why, str) else self.why()


class Reader:
    """Fits the words of one line to the slots of one offer."""

    def __init__(self, game: Game, names: Names, offer: Offer, tokens: list[str]) -> None:
        self.game, self.names, self.offer, self.tokens = game, names, offer, tokens
        self.worst: Misfit | None = None

    def fills(self, start: int) -> list[dict[str, Any]]:
        """Return all different ways in which the words from `start` on fill the slots."""
        found: list[dict[str, Any]] = []
        for fill in self._fit(1, start, {}):
            if fill not in found:
                found.append(fill)
        return found

    def _fit(self, part: int, at: int, chosen: dict[str, Any], *, named: bool = False) -> Iterable[dict[str, Any]]:
        if at < len(self.tokens) and self.tokens[at] == AND:
            at += 1  # a comma between two parts
        if part == len(self.offer.order.parts):
            if at == len(self.tokens):
                return (chosen,)
            self._miss(at, lambda: f"“{' '.join(self.tokens[at:])}” is too much")
            return ()
        kind, text = self.offer.order.parts[part]
        if kind == "keyword":
            words = words_of(text)
            end = at + len(words)
            named = bool(words) and self.tokens[at:end] == words  # a word that does not count names nothing
            return self._fit(part + 1, end if named else at, chosen, named=named)
        return self._fit_slot(part, text, at, chosen, named)

    def _fit_slot(self, part: int, name: str, at: int, chosen: dict[str, Any], named: bool) -> Iterator[dict[str, Any]]:
        slot = self.offer.slot(name, chosen)
        longest = 1 if isinstance(slot, Number) else self.names.words if isinstance(slot, OneOf) else len(self.tokens)
        for end in range(min(len(self.tokens), at + longest), at, -1):
            try:
                value = self._value(slot, name, " ".join(self.tokens[at:end]))
            except Misfit as misfit:
                self._miss(at + misfit.depth, misfit.why)
                continue
            yield from self._fit(part + 1, end, {**chosen, name: value})
        if self.tokens[at : at + 1] == [name] and at + 1 < len(self.tokens):
            yield from self._fit_slot(part, name, at + 1, chosen, named)  # "open square 2" for "open 2"
        # What stands behind the word that names a slot is for this slot, and not for a later one.
        value = ABSENT if named and at < len(self.tokens) else _left_out(slot)
        if value is not ABSENT:
            yield from self._fit(part + 1, at, {**chosen, name: value})
        elif at == len(self.tokens):
            self._miss(at, lambda: self._wanted(slot, name))
        elif self._is_for_later(part, " ".join(self.tokens[at:])):
            self._miss(at + 1, lambda: self._wanted(slot, name))

    def _is_for_later(self, part: int, text: str) -> bool:
        """Tell whether a text that does not fit a slot begins a name for a later one: then this slot was forgotten."""
        later = [name for kind, name in self.offer.order.parts[part + 1 :] if kind == "slot"]
        return any(self._known(slot).begins_name(text) for slot in later if self.offer.order.vocabulary[slot] != NUMBER)

    def _miss(self, depth: int, why: str | Callable[[], str]) -> None:
        if self.worst is None or depth > self.worst.depth:
            self.worst = Misfit(depth, why)

    def _wanted(self, slot: Slot, name: str) -> str:
        if not slot:
            return sentence(self.game, "reasons", "no choice", {})
        return f"it does not say which {name}: {shown_values(slot)}"

    def _value(self, slot: Slot, name: str, text: str) -> Any:
        """Return what a text means in a slot.

        Raises:
            Misfit: nothing, or more than one thing.
        """
        if isinstance(slot, Number):
            return self._number(slot, name, text)
        if isinstance(slot, Text):
            return text
        known = self._known(name)
        if isinstance(slot, SomeOf):
            offered = OneOf(slot.names, {}, ABSENT, slot.same)
            chosen = slot.arranged([self._name(offered, known, word) for word in text.split(" and ")])
            if not slot.takes(chosen):
                raise Misfit(len(text.split()), f"“{text}” cannot be chosen; possible: {shown_values(slot)}")
            return chosen
        assert isinstance(slot, OneOf)
        return self._name(slot, known, text)

    def _known(self, name: str) -> Spelled:
        """Return every name that the vocabulary of a slot holds, by its plain form."""
        return self.names.plain[self.offer.order.vocabulary[name].removeprefix(SEVERAL)]

    def _number(self, slot: Number, name: str, text: str) -> int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 10):
            raise Misfit(0, lambda: f"“{text}” is no number for {name}: {shown_values(slot)}")
        if not slot.takes(int(text)):
            raise Misfit(1, lambda: f"{text} is not possible for {name}: {shown_values(slot)}{self._because(slot)}")
        return int(text)

    def _because(self, slot: Number) -> str:
        """Return why a number is out of bounds, where the question says it."""
        reason = slot.refused
        return f"; {sentence(self.game, 'reasons', reason.key, reason.words)}" if reason is not None else ""

    def _name(self, slot: OneOf, known: Spelled, text: str) -> str:
        full = known.get(text)
        if full is not None:
            full = slot.same.get(full, full)
            if full in slot.names:
                return full
            raise Misfit(len(text.split()), lambda: self._refused(slot, full))
        if not known.begins_word(text):
            raise Misfit(0, lambda: self._unknown(slot, text, known))
        begun = [full for short, full in known.items() if short[:1] == text[:1] and shortens(text, short)]
        matches = _meant(slot, text, within=not begun)
        if len(matches) == 1:
            return matches[0]
        if matches:
            raise Misfit(1, f"“{text}” may mean {listing(matches).replace(' and ', ' or ')}")
        begun = [name for name in begun if name in slot.refused] or begun
        if len(begun) == 1:
            raise Misfit(1, self._refused(slot, begun[0]))
        if begun:
            meant = listing(begun[:4]).replace(" and ", " or ")
            raise Misfit(1, f"“{text}” may mean {meant}, and none of these can be chosen now")
        raise Misfit(0, lambda: self._unknown(slot, text, known))

    def _refused(self, slot: OneOf, name: str) -> str:
        reason = slot.refused.get(name)
        if reason is not None:
            return sentence(self.game, "reasons", reason.key, reason.words)
        return sentence(self.game, "reasons", "not offered", {"name": name, "offered": shown_values(slot)})

    def _unknown(self, slot: OneOf, text: str, known: Mapping[str, str]) -> str:
        near = nearest(text, known)
        if near:
            return f"“{text}” is unknown; did you mean {listing(near).replace(' and ', ' or ')}?"
        return f"“{text}” is unknown; possible: {shown_values(slot)}"


def _meant(slot: OneOf, text: str, *, within: bool) -> list[str]:
    """Return the offered names that a text begins or, if wished, begins a later word of.

    No word within a name is looked at when the text begins a known name: `clock` must not mean `counter-clockwise` only
    because `clockwise` is not offered.
    """
    names = [*slot.names, *slot.same]
    found = [name for name in names if (short := plain(name))[:1] == text[:1] and shortens(text, short)]
    if not found and within:
        found = [name for name in names if f" {text}" in f" {plain(name)}"]
    return list(dict.fromkeys(slot.same.get(name, name) for name in found))


def _left_out(slot: Slot) -> Any:
    """Return what it means to leave a slot out: its default, or its only value."""
    if slot.default is not ABSENT:
        return slot.default
    if isinstance(slot, OneOf) and slot.named:
        return ABSENT
    values = slot.values()
    only = next(values, ABSENT)
    return only if next(values, ABSENT) is ABSENT else ABSENT


def shown_values(slot: Slot) -> str:
    """Return what a slot takes, as words."""
    if isinstance(slot, Number):
        return f"{slot.low} to {slot.high}" if slot.low < slot.high else str(slot.low)
    if isinstance(slot, SomeOf):
        size = f"exactly {slot.least}" if slot.least == slot.most else f"{slot.least} to {slot.most}"
        return f"{size} of {listing(list(slot.names))}" if slot.names else "nothing"
    names = list(slot.values())
    shown = names if len(names) <= MOST_SHOWN else [*names[: MOST_SHOWN - 4], f"and {len(names) - MOST_SHOWN + 4} more"]
    return ", ".join(shown) or "nothing"


# The whole vocabulary of a game, whatever the position


class _AnyNumber(Number):
    def takes(self, value: Any) -> bool:
        return type(value) is int


def _known_offer(order: Order, names: Mapping[str, Sequence[str]]) -> Offer:
    offer = Offer(None, order, {})
    slots: dict[str, Any] = {}
    for name in order.slots:
        vocabulary = order.vocabulary[name]
        if vocabulary == NUMBER:
            slots[name] = _AnyNumber(0, 10**9, "")
        elif vocabulary == TEXT:
            slots[name] = Text()
        elif vocabulary.startswith(SEVERAL):
            slots[name] = _Several(names[vocabulary.removeprefix(SEVERAL)])
        else:
            slots[name] = _AnyName(names[vocabulary])
    offer._slots = slots
    return offer


class _AnyName(OneOf):
    """Any known name, or any beginning of one, for reading a line before there is a question."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names, {}, "")


class _Several(SomeOf):
    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(names, 0, 99, [])

    def takes(self, value: Any) -> bool:
        return True


class _KnownReader(Reader):
    """Reads a line against everything that any position could understand; what is ambiguous stays as it is typed."""

    def _name(self, slot: OneOf, known: Spelled, text: str) -> str:
        if text in known:
            return known[text]
        matches = known.begun(text) if known.begins_word(text) else []
        if not matches:
            raise Misfit(0, lambda: self._unknown(slot, text, known))
        return matches[0] if len(matches) == 1 else text

    def _value(self, slot: Slot, name: str, text: str) -> Any:
        if isinstance(slot, SomeOf):
            known = self._known(name)
            return [self._name(OneOf(slot.names, {}, ABSENT), known, word) for word in text.split(" and ")]
        return super()._value(slot, name, text)

    def _wanted(self, slot: Slot, name: str) -> str:
        return f"it does not say which {name}"


def verb_end(order: Order, tokens: list[str]) -> int:
    """Return how many words of a line begin the words of the order's verb, or 0."""
    verb = words_of(order.verb)
    fits = len(tokens) >= len(verb) and all(v.startswith(t) for t, v in zip(tokens, verb, strict=False))
    return len(verb) if fits else 0


class Known:
    """The vocabulary of a match: every order with every name."""

    def __init__(self, game: Game, names: Mapping[str, Sequence[str]]) -> None:
        """Collect the orders."""
        self.game, self.names, self.spelled = game, names, Names(names)
        self.orders = [s for s in game.steps.values() if isinstance(s, Order)]
        self.offers = {order.name: _known_offer(order, names) for order in self.orders}
        self.has_anytime = any(order.anytime for order in self.orders)
        self._by_verb: dict[str, dict[Order, int]] = {}
        for order in self.orders:
            self._by_verb.setdefault(" ".join(words_of(order.verb)), {})[order] = len(words_of(order.verb))
        self._longest = max((len(words_of(order.verb)) for order in self.orders), default=0)

    def begun(self, tokens: list[str], *, exact: bool) -> dict[Order, int]:
        """Return the orders whose verb a line begins with, word for word if `exact`, and how many words that takes."""
        if not exact:
            return {order: end for order in self.orders if (end := verb_end(order, tokens))}
        found: dict[Order, int] = {}
        for end in range(1, min(self._longest, len(tokens)) + 1):
            found |= self._by_verb.get(" ".join(tokens[:end]), {})
        return found

    def read(self, text: str, *, exact: bool = False) -> list[tuple[Order, dict[str, Any]]]:
        """Return the orders that a single alternative could mean in some position, each with what it names.

        Raises:
            Unreadable: no position could understand it.
        """
        tokens = plain(text).split()
        found, worst = [], Misfit(-1, "")
        for strict in (True, False):
            for order, end in self.begun(tokens, exact=strict).items():
                reader = _KnownReader(self.game, self.spelled, self.offers[order.name], tokens)
                found += [(order, fill) for fill in reader.fills(end)[:1]]
                if reader.worst and reader.worst.depth > worst.depth:
                    worst = reader.worst
            if found or exact:
                return found
        raise Unreadable(self._unknown_line(text, tokens, worst))

    def _unknown_line(self, text: str, tokens: list[str], worst: Misfit) -> str:
        if worst.depth >= 0:
            return f"“{text}” cannot be read: {worst.reason}"
        near = nearest_verbs(tokens, [order.verb for order in self.orders])
        hint = (
            f"did you mean {listing(near).replace(' and ', ' or ')}?"
            if near
            else "orders begin with " + ", ".join(dict.fromkeys(o.verb for o in self.orders))
        )
        return f"“{text}” is no order of {self.game.title}; {hint}"
