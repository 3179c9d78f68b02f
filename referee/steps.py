"""Steps and frames: what a match can do, and what its agenda is made of.

A step is a rule with a name. Calling it does not run it: it builds a *frame*, plain data that names the step and its
arguments, checked against the step's signature. An order is a step that a player may choose, with its line of text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

Frame = dict[str, Any]
"""`{"do": name of a step, argument: value, ...}`."""

NUMBER = "number"
"""The vocabulary of a slot that takes a number."""

TEXT = "text"
"""The vocabulary of the one slot of an order that takes free text, up to the end of the line."""

SEATS = "<seats>"
"""Stands for the names of a match's seats in a list of names of a game."""


MACHINE_VERBS = ("always", "never", "forget", "withdraw")
"""Lines that begin so answer no question, in every game."""


class Step:
    """A rule that acts or asks; made by the decorator `step`.

    Attributes:
        name: the word under which frames name it.
        body: the function, called as `body(m, **arguments)`.
        params: the names of its arguments.
        offer: the partner that lists what the step may be given now, or says why it cannot be done.
    """

    def __init__(self, body: Callable[..., Any]) -> None:
        """Read the signature of `body` once."""
        self.name = body.__name__
        self.body = body
        code = body.__code__  # `inspect` says the same, after a long import
        self.params = frozenset(code.co_varnames[1 : code.co_argcount + code.co_kwonlyargcount])
        self.offer: Callable[..., Any] | None = None
        self.__doc__ = body.__doc__
        self.__module__ = body.__module__
        self.__wrapped__ = body

    def __call__(self, **given: Any) -> Frame:
        """Build the frame that runs this step with the arguments given.

        Raises:
            TypeError: the arguments are not exactly those of the step.
        """
        if given.keys() != self.params:
            raise TypeError(f"step {self.name} takes {sorted(self.params)} and was given {sorted(given)}")
        return {"do": self.name, **given}

    def offered(self, partner: Callable[..., Any]) -> Callable[..., Any]:
        """Declare the partner: `partner(m, **bound)` returns a dict of slots, or a `No` with the reason."""
        self.offer = partner
        return partner

    def __repr__(self) -> str:
        """Name the step."""
        return f"<step {self.name}>"


class Order(Step):
    """A step that a player may choose, with its line of text; made by the decorator `order`.

    Attributes:
        pattern: the line, with slots in braces: `load {goods} into {hold}`. A part in brackets may be left out with the
            word that begins it: `end [discarding {cards}]` is read from `end` too, if the slot has a default.
        vocabulary: for each slot the name of a list of the game's names, or `NUMBER`.
        standing: whether it may be a standing order (`always ...`).
        anytime: whether it answers no question and may be given whoever is asked (see `Game.anytime`).
        gaps: for each slot the keyword before it, with a space before that, or nothing; and the slot's name.
    """

    def __init__(
        self, body: Callable[..., Any], pattern: str, vocabulary: dict[str, str], standing: bool, anytime: bool
    ) -> None:
        """Check the pattern against the signature."""
        super().__init__(body)
        self.pattern = pattern
        self.vocabulary = vocabulary
        self.standing, self.anytime = standing, anytime
        self.parts = _parts(pattern)
        self.slots = [text for kind, text in self.parts if kind == "slot"]
        self.gaps = _gaps(self.parts)
        if self.parts[0][0] != "verb" or self.parts[0][1].split()[0] in (*MACHINE_VERBS, "skip"):
            raise TypeError(f"order {self.name}: {pattern!r} should begin with a verb of the game's own")
        if set(self.slots) != set(vocabulary) or not set(self.slots) <= self.params:
            raise TypeError(f"order {self.name}: the slots of {pattern!r}, its vocabulary and its arguments differ")
        if standing and anytime:
            raise TypeError(f"order {self.name}: what answers no question cannot answer it beforehand")
        if self.takes_text and not (anytime and len(self.slots) == 1):
            raise TypeError(f"order {self.name}: free text is taken at any time only, and alone")

    def given(self, **bound: Any) -> tuple[Order, dict[str, Any]]:
        """Offer this order with some arguments fixed beforehand (besides `who`)."""
        return self, bound

    @property
    def takes_text(self) -> bool:
        """Whether its one slot takes free text."""
        return TEXT in self.vocabulary.values()

    @property
    def verb(self) -> str:
        """The words before the first slot."""
        return self.parts[0][1]


def _parts(pattern: str) -> list[tuple[str, str]]:
    """Cut a pattern into ("verb", words) and then ("keyword", words) and ("slot", name) in turn."""
    parts: list[tuple[str, str]] = []
    for part in pattern.split():
        word = part.strip("[]")
        if word.startswith("{"):
            parts.append(("slot", word[1:-1]))
        elif parts and parts[-1][0] != "slot" and not part.startswith("["):
            parts[-1] = (parts[-1][0], parts[-1][1] + " " + word)
        else:
            parts.append(("keyword" if parts else "verb", word))
    return parts


def _gaps(parts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return for each slot the keyword before it, with a space before that, or nothing; and the slot's name."""
    before = [f" {text}" if kind == "keyword" else "" for kind, text in parts]
    return [(before[at - 1], text) for at, (kind, text) in enumerate(parts) if kind == "slot"]


class _Later:
    """A step of a later chapter, named without importing it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __call__(self, **given: Any) -> Frame:
        return {"do": self.name, **given}


class _StepMaker:
    """The decorator `step`; `step.settle(who=who)` builds a frame for a step of a later chapter."""

    def __call__(self, body: Callable[..., Any]) -> Step:
        return Step(body)

    def __getattr__(self, name: str) -> _Later:
        if name.startswith("__"):
            raise AttributeError(name)
        return _Later(name)


step = _StepMaker()
"""Make a function a step.

Example:
    >>> @step
    ... def draw(m, who, count):
    ...     pass
    >>> draw(who="alice", count=2)
    {'do': 'draw', 'who': 'alice', 'count': 2}
    >>> draw(who="alice")
    Traceback (most recent call last):
    TypeError: step draw takes ['count', 'who'] and was given ['who']
    >>> step.settle(who="alice")
    {'do': 'settle', 'who': 'alice'}
"""


def order(
    pattern: str, *, standing: bool = False, anytime: bool = False, **vocabulary: str
) -> Callable[[Callable[..., Any]], Order]:
    """Make a function an order that a player may give.

    Args:
        pattern: the line of text, with slots in braces.
        standing: whether a player may give it beforehand with `always`.
        anytime: whether it answers no question, and may be given whoever is asked: an offer to another player.
        vocabulary: for each slot the name of a list of names of the game, or `NUMBER`; `TEXT` for the only slot of an order
            that is given at any time.

    Example:
        >>> @order("load {goods} into {hold}", goods="planets", hold="holds")
        ... def load(m, who, goods, hold):
        ...     pass
        >>> load.verb, load.slots
        ('load', ['goods', 'hold'])
    """
    return lambda body: Order(body, pattern, vocabulary, standing, anytime)


def collect(modules: Iterable[ModuleType]) -> dict[str, Step]:
    """Return all steps that the modules define, by name.

    Raises:
        TypeError: two steps have one name.
    """
    steps: dict[str, Step] = {}
    for module in modules:
        for value in vars(module).values():
            if isinstance(value, Step) and steps.setdefault(value.name, value) is not value:
                raise TypeError(f"two steps are called {value.name}")
    return steps
