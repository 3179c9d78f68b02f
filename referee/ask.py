"""Questions: one object lists, checks, samples and explains the choices.

A step asks by returning a `Question`. It offers orders; what each order may be given now comes from the order's
partner, evaluated at most once and only when somebody looks. The text of the lines is in `lines`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from .slots import No, Picker, Slot, SlotOrRule
from .steps import Frame, Order

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
