"""Order lines: reading them against what is offered, writing them in canonical form, listing them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from .ask import Decision
from .errors import NotNow, Refused
from .reading import SEVERAL, Known, Misfit, Reader
from .slots import No
from .spelling import Names, alternatives, plain
from .steps import SEATS, Frame, Order
from .words import sentence

if TYPE_CHECKING:
    from .match import Match

__all__ = [
    "SEVERAL",
    "Known",
    "Names",
    "alternatives",
    "canonical",
    "has_every_word",
    "known",
    "line_of",
    "menu",
    "plain",
    "read",
    "verbs",
]


def known(m: Match) -> Known:
    """Return the vocabulary of a match; made once for its game, data and seats. `SEATS` in a list stands for the seats."""
    cache = m.components.memo
    key = ("known", m.game.slug, *m.seats)
    if key not in cache:
        names = m.game.names(m.components)
        seated = {of: [*m.seats, *(n for n in listed if n != SEATS)] for of, listed in names.items() if SEATS in listed}
        cache[key] = Known(m.game, {**names, **seated})
    found = cache[key]
    assert isinstance(found, Known)
    return found


# Reading against what is offered


def read(m: Match, decision: Decision, text: str) -> Frame:
    """Return the answer that one alternative of a line means.

    Args:
        m: the match.
        decision: what the seat has to decide.
        text: the alternative.

    Raises:
        Refused: it is no choice, or more than one; says why, and what is offered.
        NotNow: the game knows the order, and the question does not offer it.
        Unreadable: no position could understand it.
    """
    vocabulary = known(m)
    tokens = plain(text).split()
    frames, misfits = _fits(m, vocabulary, decision, tokens, exact=True)
    if not frames and not vocabulary.read(text, exact=True):
        frames, misfits = _fits(m, vocabulary, decision, tokens, exact=False)
    if len(frames) > 1:
        frames = [f for f in frames if has_every_word(_order_of(m, f), tokens)] or frames
    if len(frames) > 1:  # word for word as it is offered, though it shortens something else too: “ransom cargo”, a Cargo Bay
        frames = [f for f in frames if plain(canonical(m, f)) == " ".join(tokens)] or frames
    if len(frames) == 1:
        return frames[0]
    if frames:
        meanings = " or ".join(f"“{canonical(m, frame)}”" for frame in frames[:4])
        raise Refused(f"“{text}” may mean {meanings}")
    orders = vocabulary.read(text)
    if misfits:
        meant = [order for order, _ in orders]  # of several orders of one verb only those that the whole line could be
        about = [misfit for order, misfit in misfits if order in meant] or [misfit for _, misfit in misfits]
        raise Refused(f"“{text}” cannot be done: {max(about, key=lambda misfit: misfit.depth).reason}")
    raise NotNow(f"“{orders[0][0].verb}” is not asked for now; you may send: {verbs(decision)}")


def _fits(
    m: Match, vocabulary: Known, decision: Decision, tokens: list[str], *, exact: bool
) -> tuple[list[Frame], list[tuple[Order, Misfit]]]:
    frames: list[Frame] = []
    misfits: list[tuple[Order, Misfit]] = []
    begun = vocabulary.begun(tokens, exact=exact)
    for offer in decision.of(begun):
        slots = offer.slots
        if isinstance(slots, No):
            why = partial(sentence, m.game, "reasons", slots.key, slots.words)
            misfits.append((offer.order, Misfit(begun[offer.order], why)))
            continue
        reader = Reader(m.game, vocabulary.spelled, offer, tokens)
        for fill in reader.fills(begun[offer.order]):
            if (frame := decision.choose(offer, fill)) not in frames:
                frames.append(frame)
        if reader.worst:
            misfits.append((offer.order, reader.worst))
    return frames, misfits


def has_every_word(order: Order, tokens: list[str]) -> bool:
    """Return whether the words of a line include all the words that an order's pattern has between its slots.

    Of several readings such a one is meant: `move to camp`, and not `move to {place} via {way}` with its only way left out.
    """
    return all(word in tokens for keyword, _ in order.gaps for word in keyword.split())


def _order_of(m: Match, frame: Frame) -> Order:
    order = m.game.steps[frame["do"]]
    assert isinstance(order, Order)
    return order


def verbs(decision: Decision) -> str:
    """Return the verbs that can be used now, for a refusal."""
    return ", ".join(dict.fromkeys(offer.order.verb for offer in decision.offers if offer.available())) or "nothing"


# Writing


def canonical(m: Match, frame: Frame) -> str:
    """Return the full line that means a frame.

    Example:
        a frame `{"do": "load", "who": "alice", "goods": "green", "hold": "hold 1"}` reads `load green into hold 1`.
    """
    order = m.game.steps[frame["do"]]
    if not isinstance(order, Order):  # several lines that make one answer
        return "; ".join(canonical(m, line) for line in frame["lines"])
    return line_of(order, frame)


def line_of(order: Order, values: Mapping[str, Any]) -> str:
    """Return the line of an order with its slots filled; what is empty is left out, with the word before it."""
    line = order.verb
    for keyword, slot in order.gaps:
        value = values[slot]
        if value != [] and value != "":
            line += f"{keyword} {' and '.join(value) if isinstance(value, list) else value}"
    return line


def menu(m: Match, decision: Decision, limit: int = 8) -> list[dict[str, Any]]:
    """Return what may be sent now, for a report.

    Args:
        m: the match.
        decision: what the seat has to decide.
        limit: how many lines of one order are written out before examples do.

    Returns:
        For each order that can be given: `pattern`, `lines` (all, or the first few), `more` (whether some are left out).
    """
    rows = []
    for offer in decision.offers:
        if isinstance(offer.slots, No):
            continue
        lines = [line_of(offer.order, fill) for fill in islice(offer.fills(), limit + 1)]
        if lines:
            shown = lines if len(lines) <= limit else lines[: limit - 2]
            rows.append({"pattern": offer.order.pattern, "lines": shown, "more": len(shown) < len(lines)})
    return rows
