"""Playing lines: several lines in one mail, fences, alternatives, standing orders and kept lines.

Lines are played in order on a copy. A line is a *fence* if its outcome could differ between worlds that its sender cannot
tell apart. A line refused before any fence plays nothing at all; after a fence, what the fence closed stands and the rest
comes back. So nobody can look at a die, a card or an opponent's habit and take the turn back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .ask import Decision, Question
from .engine import answer, pending
from .errors import NotNow, Refusal, Refused, Unreadable
from .lines import Known, alternatives, canonical, known, line_of, plain, read
from .match import Match
from .steps import MACHINE_VERBS, Frame, Order
from .words import listing

MOST_LINES = 50
MOST_CHARACTERS = 2000
MOST_STANDING = 20
SKIP = "skip"
"""The alternative that plays nothing, in every game: `unload or skip`."""


@dataclass
class Outcome:
    """What came of a submission.

    Attributes:
        match: the match afterwards; the one before is unchanged.
        played: the lines that were played, in canonical form.
        waiting: the lines that wait for a window to close.
        returned: the lines that came back unplayed.
        reason: why they came back.
        fence: for a dry run, whether it stopped before an outcome that nobody can know yet.
        sealed: the joint question that the last line played was sealed for.
    """

    match: Match
    played: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    returned: list[str] = field(default_factory=list)
    reason: str = ""
    fence: bool = False
    sealed: Question | None = None


def submit(m: Match, seat: str, lines: Sequence[str], *, dry_run: bool = False) -> Outcome:
    """Play the lines of one seat.

    Args:
        m: the match; it is not changed.
        seat: the seat that sends them.
        lines: the lines, as typed.
        dry_run: stop before the outcome of the first fence.

    Returns:
        What came of it, with the match afterwards.

    Raises:
        Refusal: nothing was played; the sentence names the line and the reason.
    """
    check_readable(m, lines)
    work = m.copy()
    work.events, work.sender, work.moved = [], seat, False
    outcome = _play_all(work, seat, lines, dry_run)
    work = outcome.match
    if not dry_run:
        settle(work, seat)
    if work.moved:
        work.stop += 1
    work.sender, work.fence = "", False
    return outcome


def check_readable(m: Match, lines: Sequence[str]) -> None:
    """Read every line, and every alternative in it, against the game's whole vocabulary.

    Raises:
        Unreadable: there are no lines, too many, or one that no position could understand.
    """
    if not lines:
        raise Unreadable("There is no line to play.", "Write one order a line.")
    if len(lines) > MOST_LINES or sum(map(len, lines)) > MOST_CHARACTERS:
        raise Unreadable(f"A submission has at most {MOST_LINES} lines and {MOST_CHARACTERS} characters.", "Send fewer lines.")
    vocabulary = known(m)
    for number, line in enumerate(lines, 1):
        try:
            canonical_known(vocabulary, line)
        except Unreadable as error:
            raise Unreadable(f"Line {number}: {error.sentence}.", "Nothing was played; send the whole block again.") from None


def canonical_known(vocabulary: Known, line: str) -> str:
    """Return a line as it can be kept before there is a question: full names where they are certain.

    Raises:
        Unreadable: no position could understand it.
    """
    verb = _machine_verb(line)
    if verb:
        rest = plain(line).partition(" ")[2]
        return f"{verb} {_standing_line(vocabulary, rest)}" if rest else verb
    decider, text = _without_decider(line)
    parts = alternatives(text)
    if not parts:
        raise Unreadable(f"“{line}” is no order")
    kept = " or ".join(_kept_alternative(vocabulary, part) for part in parts)
    return f"{decider}: {kept}" if decider else kept


def _kept_alternative(vocabulary: Known, text: str) -> str:
    if plain(text) == SKIP:
        return SKIP
    readings = vocabulary.read(text)
    return line_of(*readings[0]) if len(readings) == 1 else plain(text)


def _machine_verb(line: str) -> str:
    """Return the verb of a line that answers no question, or nothing."""
    verb, _, rest = plain(line).partition(" ")
    return verb if ":" not in line and verb in MACHINE_VERBS and bool(rest) == (verb in ("always", "never")) else ""


def _without_decider(line: str) -> tuple[str, str]:
    """Cut `pirate: fire laser` into the decider and the line."""
    decider, colon, rest = line.partition(":")
    return (plain(decider), rest) if colon else ("", line)


# One line after the other


def _play_all(work: Match, seat: str, lines: Sequence[str], dry_run: bool) -> Outcome:
    outcome = Outcome(work)
    stands: Outcome | None = None
    for index, line in enumerate(lines):
        work.fence = False
        try:
            if _must_wait(work, seat, line, outcome.sealed):
                _keep(work, seat, lines[index:], outcome)
                return outcome
            before = work.copy() if dry_run else work
            asked = pending(work)
            outcome.played.append(_play(work, seat, line))
            answered = not _machine_verb(line) and outcome.played[-1] != SKIP
            if answered and asked is not None and asked.taken and asked is work.question:
                outcome.sealed = asked
            settle(work, seat, more=index + 1 < len(lines))
            _fence_off(work, seat, asked)
        except Refusal as refusal:
            if stands is None:
                raise type(refusal)(f"Line {index + 1}: {refusal.sentence}.", "Nothing was played.") from None
            return _give_back(stands, seat, lines, index, refusal)
        if work.fence and dry_run:
            return Outcome(before, outcome.played, fence=True)
        if work.fence:
            stands = Outcome(work.copy() if index + 1 < len(lines) else work, outcome.played[:])
    return outcome


def _fence_off(work: Match, seat: str, asked: Question | None) -> None:
    """Make the line a fence if somebody else is asked after it: standing orders and kept lines might have answered."""
    question = work.question
    if question is not None and question is not asked and not question.of(seat):
        work.fence = True


def _give_back(stands: Outcome, seat: str, lines: Sequence[str], refused: int, refusal: Refusal) -> Outcome:
    """Return what stands after the last fence; the lines after it come back."""
    stands.returned = list(lines[len(stands.played) :])
    stands.reason = f"Line {refused + 1}: {refusal.sentence}."
    stands.match.whisper(seat, "returned", who=seat, lines=stands.returned, reason=stands.reason)
    return stands


def _must_wait(work: Match, seat: str, line: str, sealed: Question | None) -> bool:
    """Tell whether a line has to wait: this mail opened a window in the seat's turn, or sealed all its answers."""
    question = pending(work)
    if question is None or _machine_verb(line):
        return False
    if sealed is question:
        return all(d.decider in work.sealed for d in question.of(seat))
    return question.interrupts == seat and not question.of(seat) and work.moved


def _keep(work: Match, seat: str, lines: Sequence[str], outcome: Outcome) -> None:
    """Let lines wait; standing orders among them are changed at once, since they may be wanted before the lines."""
    vocabulary = known(work)
    waiting = []
    for line in lines:
        if _machine_verb(line) not in ("always", "never"):
            waiting.append(canonical_known(vocabulary, line))
            continue
        try:
            outcome.played.append(_play(work, seat, line))
        except Refusal as refusal:
            _return(work, seat, outcome, [line], f"{line}: {refusal.sentence}.")
    if sum(map(len, waiting)) > MOST_CHARACTERS:  # full names are longer than what was typed
        _return(work, seat, outcome, waiting, f"More than {MOST_CHARACTERS} characters cannot wait.")
    else:
        outcome.waiting = work.kept[seat] = waiting


def _return(work: Match, seat: str, outcome: Outcome, lines: list[str], reason: str) -> None:
    outcome.returned, outcome.reason = outcome.returned + lines, reason
    work.whisper(seat, "returned", who=seat, lines=lines, reason=reason)


def _play(work: Match, seat: str, line: str) -> str:
    """Play one line and return it in canonical form.

    Raises:
        Refusal: the sentence says why, without the number of the line.
    """
    verb = _machine_verb(line)
    if verb:
        return _machine_line(work, seat, verb, line)
    question = pending(work)
    if question is None:
        raise NotNow("the match is over")
    decisions = question.of(seat)
    if not decisions:
        raise NotNow(_not_asked(work, question, seat))
    chosen = _read_for(work, decisions, line)
    if chosen is None:
        return SKIP
    decision, frame = chosen
    text = canonical(work, frame)
    if question.taken:
        work.kept.pop(seat, None)
    answer(work, decision.decider, frame)
    if question.taken:
        # Whether the question closes depends on who else has answered, which nobody knows.
        work.fence = work.fence or all(d.decider in work.sealed or work.question is None for d in decisions)
        if work.question is question:
            work.whisper(seat, "answered", who=seat, line=text)
    return text


def _not_asked(work: Match, question: Question, seat: str) -> str:
    waiting = f"; your waiting lines ({listing(work.kept[seat])}) go on first" if work.kept.get(seat) else ""
    return f"it is not you who is asked now, but {listing(question.seats)}{waiting}"


def _read_for(work: Match, decisions: Sequence[Decision], line: str) -> tuple[Decision, Frame] | None:
    """Return the decision that a line answers and the answer: the first alternative that is offered; nothing for `skip`."""
    name, text = _without_decider(line)
    if name:
        decisions = [d for d in decisions if plain(d.decider) == name]
        if not decisions:
            raise Refused(f"you decide nothing for “{name}” now")
    else:
        decisions = [d for d in decisions if d.decider not in work.sealed] or list(decisions)
    first: Refusal | None = None
    for part in alternatives(text):
        if plain(part) == SKIP:
            return None
        for decision in decisions:
            try:
                return decision, read(work, decision, part)
            except Refusal as refusal:
                first = first or refusal
    raise first or Refused("there is nothing to choose")


# Lines that answer no question


def _machine_line(work: Match, seat: str, verb: str, line: str) -> str:
    if verb == "forget":
        dropped = work.kept.pop(seat, [])
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


def _standing_line(vocabulary: Known, text: str) -> str:
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
    line = _standing_line(known(work), text)
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
    """Let standing orders and kept lines answer, until somebody has to be asked.

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
    """Answer a decision by its seat's standing orders or kept lines, if they do."""
    seat = decision.seat
    for line in work.standing.get(seat, []):
        frame = _standing_answer(work, decision, line)
        if frame is not None:
            _answer_for(work, decision, frame)
            return True
    if work.kept.get(seat) and not question.interrupts:
        return _play_kept(work, question, seat)
    return False


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
    if lines[1:]:
        work.kept[seat] = lines[1:]
    try:
        if verb := _machine_verb(lines[0]):
            _machine_line(work, seat, verb, lines[0])
        elif chosen := _read_for(work, question.of(seat), lines[0]):
            _answer_for(work, *chosen)
    except Refusal as refusal:
        work.kept.pop(seat, None)
        work.whisper(seat, "returned", who=seat, lines=lines, reason=f"{lines[0]}: {refusal.sentence}.")
        return False
    return True
