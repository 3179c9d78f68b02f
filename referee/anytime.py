"""Orders that may be given at any time, whoever is asked: what players offer each other, and what they make of it.

Such a line answers no question. It is played at once, on the match as it stands, and then what was asked is asked again; the
public stop stays, since nobody's turn code should die because others talk. For the same reason such lines may name a stop
that has passed: they are about what is said between players, and not about what was asked then. While a joint question is
open none is taken.
"""

from __future__ import annotations

from collections.abc import Sequence

from .engine import aside, interject, pending
from .errors import NotNow, Refusal, Refused, Unreadable
from .lines import Known, alternatives, canonical, known, line_of, plain, read
from .match import Match
from .slots import MOST_TEXT, No
from .spelling import words_of
from .steps import Frame, Order
from .words import sentence

SKIP = "skip"
"""The alternative that plays nothing, in every game: `unload or skip`."""


def is_anytime(vocabulary: Known, line: str) -> bool:
    """Tell whether a line begins with the verb of an order that may be given at any time, and of no other.

    Args:
        vocabulary: everything that the game knows.
        line: the line, as typed.
    """
    if not vocabulary.has_anytime:
        return False
    tokens = plain(line).split()
    begun = vocabulary.begun(tokens, exact=True) or vocabulary.begun(tokens, exact=False)
    return bool(begun) and all(order.anytime for order in begun)


def is_late_talk(m: Match, stop: int, lines: Sequence[str]) -> bool:
    """Tell whether lines for a stop that has passed can be played all the same, since none of them answers a question.

    Args:
        m: the match as it is now.
        stop: the stop that they name.
        lines: the lines.
    """
    return 0 < stop < m.stop and bool(lines) and all(is_anytime(known(m), line) for line in lines)


def kept_anytime(vocabulary: Known, line: str) -> str:
    """Return such a line as it can be kept: free text as it is typed, all else with full names where they are certain.

    Raises:
        Unreadable: no position could understand it.
    """
    texts = _text_orders(vocabulary, line)
    if texts:
        return f"{texts[0].verb} {_text_of(texts[0], line)}"
    return " or ".join(_kept(vocabulary, part) for part in alternatives(line))


def _kept(vocabulary: Known, part: str) -> str:
    if plain(part) == SKIP:
        return SKIP
    readings = vocabulary.read(part)
    if not all(order.anytime for order, _ in readings):
        raise Unreadable(f"“{part}” answers a question, and what comes before it does not; give each a line of its own")
    return line_of(*readings[0]) if len(readings) == 1 else plain(part)


def _text_orders(vocabulary: Known, line: str) -> list[Order]:
    """Return the orders of free text that a line begins, if it begins any: all of the line is theirs, “or” and colons too."""
    tokens = plain(line).split()
    begun = vocabulary.begun(tokens, exact=True) or vocabulary.begun(tokens, exact=False)
    longest = max(begun.values())
    return [order for order, end in begun.items() if order.takes_text and end == longest]


def _text_of(order: Order, line: str) -> str:
    """Return what stands after the verb, as it was typed.

    Raises:
        Unreadable: nothing does, or too much.
    """
    words, left = line.split(), len(words_of(order.verb))
    while words and left > 0:
        left -= len(words_of(words.pop(0)))
    text = " ".join(words)
    if not text:
        raise Unreadable(f"after “{order.verb}” its {order.slots[0]} is missing")
    if len(text) > MOST_TEXT:
        raise Unreadable(f"after “{order.verb}” at most {MOST_TEXT} characters are taken, and there are {len(text)}")
    return text


def play_anytime(work: Match, seat: str, line: str) -> str:
    """Play such a line, and return it in canonical form.

    Raises:
        NotNow: the match is over, or a joint question is open.
        Refused: it cannot be done; says why.
    """
    question = pending(work)
    if question is None:
        raise NotNow("the match is over")
    if question.taken:
        raise NotNow("sealed answers are being collected; send this when they have been opened")
    frame = _read_anytime(work, seat, line)
    if not frame:
        return SKIP
    text = canonical(work, frame)
    interject(work, seat, frame)
    return text


def _read_anytime(work: Match, seat: str, line: str) -> Frame:
    """Return the frame of the first alternative that is offered; none for `skip`."""
    vocabulary = known(work)
    texts = _text_orders(vocabulary, line)
    if texts:
        return _read_text(work, seat, texts[0], line)
    refusals: list[Refusal] = []
    for part in alternatives(line):
        if plain(part) == SKIP:
            return {}
        try:
            return read(work, aside(work, seat), part)
        except Refusal as refusal:
            refusals.append(refusal)
    raise type(refusals[0])("; ".join(dict.fromkeys(refusal.sentence for refusal in refusals)))


def _read_text(work: Match, seat: str, order: Order, line: str) -> Frame:
    decision = aside(work, seat)
    for offer in decision.of([order]):
        if isinstance(offer.slots, No):
            raise Refused(f"“{line}” cannot be done: {sentence(work.game, 'reasons', offer.slots.key, offer.slots.words)}")
        return decision.choose(offer, {order.slots[0]: _text_of(order, line)})
    raise NotNow(f"“{order.verb}” is not possible now")
