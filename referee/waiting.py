"""Lines that wait: what a seat has sent beforehand, and what answers before anybody is asked.

* A *standing order* (`always decline`) answers a kind of question, again and again, until `never` takes it back.
* *Kept lines* are the rest of a mail that opened a window in its own turn; they go on when the window has closed.
* *Planned lines* stand after `later:` in a mail; they answer the seat's next questions, one after the other.

All of them are private to their seat, and lie outside the table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .anytime import SKIP, is_anytime, kept_anytime, play_anytime
from .ask import Decision, Question
from .engine import answer, pending
from .errors import NotNow, Refusal, Refused, Unreadable
from .lines import Known, alternatives, has_every_word, known, line_of, plain, read
from .match import Match
from .steps import MACHINE_VERBS, Frame, Order
from .words import ended, listing

MOST_STANDING = 20
LATER = "later"
"""The line, with a colon, after which lines are planned."""


# A line before there is a question


def split_planned(lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Cut the lines of a mail at `later:` into those to be played now and those that are planned.

    Example:
        >>> split_planned(["roll", "Later: fly red", "end"])
        (['roll'], ['fly red', 'end'])
    """
    for index, line in enumerate(lines):
        word, colon, rest = line.partition(":")
        if colon and plain(word) == LATER:
            return list(lines[:index]), [*([rest.strip()] if rest.strip() else []), *lines[index + 1 :]]
    return list(lines), []


def canonical_known(vocabulary: Known, line: str, *, planned: bool = False) -> str:
    """Return a line as it can be kept before there is a question: full names where they are certain.

    Args:
        vocabulary: everything that the game knows.
        line: the line, as typed.
        planned: whether it stands after `later:`, where nothing but answers may stand.

    Raises:
        Unreadable: no position could understand it.
    """
    verb = machine_verb(line)
    talk = not verb and is_anytime(vocabulary, line)
    if planned and (verb or talk):
        raise Unreadable(f"“{verb or line}” answers no question and cannot be planned; write it above “{LATER}:”")
    if talk:
        return kept_anytime(vocabulary, line)
    if planned and plain(line) == LATER:
        return LATER
    if verb:
        rest = plain(line).partition(" ")[2]
        return f"{verb} {standing_line(vocabulary, rest)}" if rest else verb
    decider, text = without_decider(line)
    parts = alternatives(text)
    if not parts:
        raise Unreadable(f"“{line}” is no order")
    kept = " or ".join(_kept_alternative(vocabulary, part) for part in parts)
    return f"{decider}: {kept}" if decider else kept


def _kept_alternative(vocabulary: Known, text: str) -> str:
    if plain(text) == SKIP:
        return SKIP
    readings = vocabulary.read(text)
    whole = [reading for reading in readings if has_every_word(reading[0], plain(text).split())]
    readings = whole if len(whole) == 1 else readings
    return line_of(*readings[0]) if len(readings) == 1 else plain(text)


def machine_verb(line: str) -> str:
    """Return the verb of a line that answers no question, or nothing."""
    verb, _, rest = plain(line).partition(" ")
    return verb if ":" not in line and verb in MACHINE_VERBS and bool(rest) == (verb in ("always", "never")) else ""


def answers_nothing(work: Match, line: str) -> bool:
    """Tell whether a line answers no question: it changes what waits, or is an order that may be given at any time."""
    return bool(machine_verb(line)) or is_anytime(known(work), line)


def without_decider(line: str) -> tuple[str, str]:
    """Cut `pirate: fire laser` into the decider and the line."""
    decider, colon, rest = line.partition(":")
    return (plain(decider), rest) if colon else ("", line)


# A line and what is asked


def read_for(work: Match, decisions: Sequence[Decision], line: str, *, planned: bool = False) -> tuple[Decision, Frame] | None:
    """Return the decision that a line answers and the answer: the first alternative that is offered; nothing for `skip`.

    Args:
        work: the match.
        decisions: what the seat has to decide.
        line: the line, as typed or as kept.
        planned: whether it is planned, so that it does not skip a question of another kind than it was meant for.

    Raises:
        Refusal: none of the alternatives is offered; has the reason of each.
    """
    name, text = without_decider(line)
    if name:
        decisions = [d for d in decisions if plain(d.decider) == name]
        if not decisions:
            raise Refused(f"you decide nothing for “{name}” now")
    else:
        decisions = [d for d in decisions if d.decider not in work.sealed] or list(decisions)
    refusals: dict[str, Refusal] = {}
    for part in alternatives(text):
        if plain(part) == SKIP:
            if planned and _not_now(refusals):
                break
            return None
        for decision in decisions:
            try:
                return decision, read(work, decision, part)
            except Refusal as refusal:
                refusals.setdefault(refusal.sentence, refusal)
    first = next((one for one in refusals.values() if not isinstance(one, NotNow)), None) or next(iter(refusals.values()))
    raise type(first)("; ".join(refusals))


def _not_now(refusals: Mapping[str, Refusal]) -> bool:
    return bool(refusals) and all(isinstance(one, NotNow) for one in refusals.values())


# Lines that answer no question


def machine_line(work: Match, seat: str, verb: str, line: str) -> str:
    """Play a line that answers no question, and return it in canonical form.

    Raises:
        Refused: there is nothing that it could change.
    """
    if verb == "forget":
        dropped = work.kept.pop(seat, []) + work.planned.pop(seat, [])
        if not dropped:
            raise Refused("none of your lines are waiting")
        work.whisper(seat, "forgotten", who=seat, lines=dropped)
        return verb
    if verb == "withdraw":
        return _withdraw(work, seat)
    return _change_standing(work, seat, verb, plain(line).partition(" ")[2])


def _withdraw(work: Match, seat: str) -> str:
    question = pending(work)
    mine = [d.decider for d in question.of(seat) if d.decider in work.sealed] if question else []
    if not mine:
        raise Refused("no answer of yours is sealed now")
    for decider in mine:
        del work.sealed[decider]
    work.whisper(seat, "withdrawn", who=seat)
    if work.kept.get(seat):  # they were to follow this answer, and must not become one
        work.whisper(seat, "forgotten", who=seat, lines=work.kept.pop(seat))
    return "withdraw"


def standing_line(vocabulary: Known, text: str) -> str:
    """Return the canonical form of what may follow `always`.

    Raises:
        Unreadable: it is no order, or none that may stand.
    """
    readings = [(order, fill) for order, fill in vocabulary.read(text) if order.standing]
    if not readings:
        standing = listing([o.verb for o in vocabulary.orders if o.standing])
        raise Unreadable(f"“{text}” cannot be a standing order; possible: {standing}")
    return line_of(*readings[0])


def _change_standing(work: Match, seat: str, verb: str, text: str) -> str:
    line = standing_line(known(work), text)
    orders = [kept for kept in work.standing.get(seat, []) if kept != line]
    if verb == "always":
        orders.append(line)
        if len(orders) > MOST_STANDING:
            raise Refused(f"a seat has at most {MOST_STANDING} standing orders; take one back with “never”")
    elif orders == work.standing.get(seat, []):
        raise Refused(f"“{line}” is not among your standing orders: {listing(orders)}")
    work.standing[seat] = orders
    if orders:
        work.whisper(seat, "standing", who=seat, lines=orders)
    else:
        del work.standing[seat]
        work.whisper(seat, "no standing", who=seat)
    return f"{verb} {line}"


# What answers before anybody is asked


def settle(work: Match, sender: str, more: bool = False) -> None:
    """Let standing orders, kept and planned lines answer, until somebody has to be asked.

    Args:
        work: the match.
        sender: the seat whose submission is being played.
        more: whether lines of the sender are still to come; they go before its standing orders.
    """
    while (question := pending(work)) is not None:
        decisions = [d for d in question.decisions.values() if d.decider not in work.sealed]
        if not any(_answers_itself(work, question, d) for d in decisions if not (more and d.seat == sender)):
            return


def _answers_itself(work: Match, question: Question, decision: Decision) -> bool:
    """Answer a decision by its seat's standing orders, kept or planned lines, if they do."""
    seat = decision.seat
    for line in work.standing.get(seat, []) if not question.gathers else ():
        frame = _standing_answer(work, decision, line)
        if frame is not None:
            _answer_for(work, decision, frame)
            return True
    if work.kept.get(seat) and not question.interrupts:
        return _play_kept(work, question, seat)
    return bool(work.planned.get(seat)) and _play_planned(work, question, seat)


def _standing_answer(work: Match, decision: Decision, line: str) -> Frame | None:
    for offer in decision.offers:
        if offer.order.standing:
            try:
                frame = read(work, decision, line)
            except Refusal:
                return None
            order = work.game.steps[frame["do"]]
            return frame if isinstance(order, Order) and order.standing else None
    return None


def _answer_for(work: Match, decision: Decision, frame: Frame) -> None:
    answer(work, decision.decider, frame)
    if decision.seat != work.sender:
        work.fence = True


def _play_kept(work: Match, question: Question, seat: str) -> bool:
    """Play the first of the seat's kept lines; at the first refusal all that are left come back."""
    lines = work.kept.pop(seat)
    size = gathered_lines(work, lines) if question.gathers else 1
    if lines[size:]:
        work.kept[seat] = lines[size:]
    try:
        if verb := machine_verb(lines[0]):
            machine_line(work, seat, verb, lines[0])
        elif is_anytime(known(work), lines[0]):
            play_anytime(work, seat, lines[0])
        elif question.gathers:
            answer_gathered(work, question, [read_for(work, question.of(seat), line) for line in lines[:size]])
        elif chosen := read_for(work, question.of(seat), lines[0]):
            _answer_for(work, *chosen)
    except Refusal as refusal:
        work.kept.pop(seat, None)
        work.whisper(seat, "returned", who=seat, lines=lines, reason=ended(f"{lines[0]}: {refusal.sentence}"))
        return False
    if (rest := work.kept.get(seat)) and is_anytime(known(work), rest[0]):
        _play_kept(work, question, seat)  # it need not wait until its seat is asked again
    return True


# Lines that make one answer together


def gathered_lines(work: Match, lines: Sequence[str]) -> int:
    """Return how many lines from the first on can make one answer: up to a line that answers no question."""
    return next((index for index, line in enumerate(lines) if answers_nothing(work, line)), len(lines)) or 1


def answer_gathered(work: Match, question: Question, chosen: Sequence[tuple[Decision, Frame] | None]) -> bool:
    """Give all lines that were read for one decision as its one answer; return whether there was any."""
    gathered: dict[str, list[Frame]] = {}
    for decision, frame in filter(None, chosen):
        gathered.setdefault(decision.decider, []).append(frame)
    # An answer that is replaced goes first: the last one that was missing closes the question.
    for decider, frames in sorted(gathered.items(), key=lambda item: item[0] not in work.sealed):
        _answer_for(work, question.decisions[decider], question.gathered(decider, frames))
    return bool(gathered)


def _gather_planned(work: Match, question: Question, seat: str) -> bool:
    """Answer with all planned lines that fit; what is asked for and cannot be done is dropped."""
    chosen, waiting, lines = [], [], work.planned.pop(seat)
    for line in lines:
        try:
            chosen.append(read_for(work, question.of(seat), line, planned=True))
        except NotNow:
            waiting.append(line)
        except Refusal as refusal:
            work.whisper(seat, "dropped", who=seat, line=line, reason=ended(refusal.sentence))
    if waiting:
        work.planned[seat] = waiting
    return answer_gathered(work, question, chosen) or len(waiting) < len(lines)


# Planned lines


def plan(work: Match, seat: str, lines: Sequence[str]) -> list[str]:
    """Let lines wait for the seat's next questions, in place of those that were planned before; return them as kept."""
    vocabulary = known(work)
    planned = [canonical_known(vocabulary, line, planned=True) for line in lines]
    work.planned[seat] = planned
    work.whisper(seat, "planned", who=seat, lines=planned)
    return planned


def _play_planned(work: Match, question: Question, seat: str) -> bool:
    """Try the seat's planned lines in order; return whether anything has changed.

    The first that answers the question is played. A line for a question of another kind goes on waiting; one that is asked
    for and cannot be done is dropped.
    """
    if question.gathers:
        return _gather_planned(work, question, seat)
    for index, line in enumerate(work.planned[seat]):
        try:
            chosen = read_for(work, question.of(seat), line, planned=True)
        except NotNow:
            continue
        except Refusal as refusal:
            work.whisper(seat, "dropped", who=seat, line=line, reason=ended(refusal.sentence))
            chosen = None
        rest = [*work.planned[seat][:index], *work.planned[seat][index + 1 :]]
        work.planned[seat] = rest
        if not rest:
            del work.planned[seat]
        if chosen:
            _answer_for(work, *chosen)
        return True
    return False
