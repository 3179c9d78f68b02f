"""Playing lines: several lines in one mail, in order, with fences.

Lines are played in order on a copy. A line is a *fence* if its outcome could differ between worlds that its sender cannot
tell apart. A line refused before any fence plays nothing at all; after a fence, what the fence closed stands and the rest
comes back. So nobody can look at a die, a card or an opponent's habit and take the turn back. Lines that stand after
`later:` are not played but planned; what waits and stands is in `waiting`.
"""

from __future__ import annotations

from collections.abc import Sequence

from .anytime import SKIP, is_anytime, play_anytime
from .ask import Decision, Question
from .engine import answer, pending
from .errors import NotNow, Refusal, Unreadable
from .fields import dataclass, field
from .lines import canonical, known
from .match import Match
from .steps import Frame
from .waiting import (
    answer_gathered,
    answers_nothing,
    canonical_known,
    gathered_lines,
    machine_line,
    machine_verb,
    plan,
    read_for,
    settle,
    split_planned,
)
from .words import ended, listing

MOST_LINES = 50
MOST_CHARACTERS = 2000
_NOTHING = "Nothing was played; mend it and send the whole block again."


@dataclass
class Outcome:
    """What came of a submission.

    Attributes:
        match: the match afterwards; the one before is unchanged.
        played: the lines that were played, in canonical form.
        waiting: the lines that wait for a window to close.
        planned: the lines that wait for the seat's next questions.
        returned: the lines that came back unplayed.
        reason: why they came back.
        fence: for a dry run, whether it stopped before an outcome that nobody can know yet.
        sealed: the joint question that the last line played was sealed for.
    """

    match: Match
    played: list[str] = field(default_factory=list)
    waiting: list[str] = field(default_factory=list)
    planned: list[str] = field(default_factory=list)
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
    now, later = split_planned(lines)
    outcome = _play_all(work, seat, now, dry_run)
    work = outcome.match
    if later and not outcome.returned:
        outcome.planned = plan(work, seat, later)
    elif later:
        outcome.returned += ["later:", *later]
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
    now, planned = split_planned(lines)
    if len(now) < len(lines) and not planned:
        raise Unreadable("Nothing stands after “later:”.", "Write the lines to be planned below it.")
    for number, line in enumerate(lines, 1):
        try:
            canonical_known(vocabulary, line, planned=number > len(now))
        except Unreadable as error:
            raise Unreadable(ended(f"Line {number}: {error.sentence}"), _NOTHING) from None


# One line after the other


def _play_all(work: Match, seat: str, lines: Sequence[str], dry_run: bool) -> Outcome:
    outcome = Outcome(work)
    stands: Outcome | None = None
    gathered: list[tuple[Decision, Frame] | None] = []
    for index, line in enumerate(lines):
        work.fence, work.foreseen = False, 0
        try:
            if _must_wait(work, seat, line, outcome.sealed):
                _keep(work, seat, lines[index:], outcome)
                return outcome
            before = work.copy() if dry_run else work
            asked = pending(work)
            if asked is not None and asked.gathers and asked.of(seat) and not answers_nothing(work, line):
                gathered.append(read_for(work, asked.of(seat), line))
                outcome.played.append(canonical(work, gathered[-1][1]) if gathered[-1] else SKIP)
                if gathered_lines(work, lines[index:]) > 1:
                    continue
                _seal_gathered(work, asked, seat, gathered)
                gathered = []
            else:
                outcome.played.append(_play(work, seat, line))
            answered = not answers_nothing(work, line) and outcome.played[-1] != SKIP
            if answered and asked is not None and asked.taken and asked is work.question:
                outcome.sealed = asked
            settle(work, seat, more=index + 1 < len(lines))
            if not (asked and is_anytime(known(work), line) and _asks_the_same(work.question, asked)):
                _fence_off(work, seat, asked)
        except Refusal as refusal:
            if stands is None:
                raise type(refusal)(ended(f"Line {index + 1}: {refusal.sentence}"), _NOTHING) from None
            return _give_back(stands, seat, lines, index, refusal)
        if work.fence and dry_run:
            before.events = work.events[: max(work.foreseen, len(before.events))]
            return Outcome(before, outcome.played, fence=True)
        if work.fence:
            stands = Outcome(work.copy() if index + 1 < len(lines) else work, outcome.played[:])
    return outcome


def _seal_gathered(work: Match, asked: Question, seat: str, gathered: list[tuple[Decision, Frame] | None]) -> None:
    """Give the lines read so far as one answer for each decider; whether that closes the question is a fence."""
    work.kept.pop(seat, None)
    answer_gathered(work, asked, gathered)
    work.fence = work.fence or all(d.decider in work.sealed or work.question is None for d in asked.of(seat))
    if work.question is asked:
        for decider in dict.fromkeys(chosen[0].decider for chosen in gathered if chosen):
            work.whisper(seat, "answered", who=seat, line=canonical(work, work.sealed[decider]))


def _fence_off(work: Match, seat: str, asked: Question | None) -> None:
    """Make the line a fence if somebody else is asked after it: standing orders and kept lines might have answered.

    The end of the match is one too, since it is final: what was written for the case that it goes on comes back.
    """
    question = work.question
    if work.over or (question is not None and question is not asked and not question.of(seat)):
        work.fence = True


def _asks_the_same(question: Question | None, asked: Question) -> bool:
    """Tell whether after a line that answers nothing the same is asked, so that nobody else has had a part in it."""
    return question is not None and (question.name, question.seats, question.words) == (asked.name, asked.seats, asked.words)


def _give_back(stands: Outcome, seat: str, lines: Sequence[str], refused: int, refusal: Refusal) -> Outcome:
    """Return what stands after the last fence; the lines after it come back."""
    stands.returned = list(lines[len(stands.played) :])
    stands.reason = ended(f"Line {refused + 1}: {refusal.sentence}")
    stands.match.whisper(seat, "returned", who=seat, lines=stands.returned, reason=stands.reason)
    return stands


def _must_wait(work: Match, seat: str, line: str, sealed: Question | None) -> bool:
    """Tell whether a line has to wait: this mail opened a window in the seat's turn, or sealed all its answers."""
    question = pending(work)
    if question is None or answers_nothing(work, line):
        return False
    if sealed is question:
        return all(d.decider in work.sealed for d in question.of(seat))
    return question.interrupts == seat and not question.of(seat) and work.moved


def _keep(work: Match, seat: str, lines: Sequence[str], outcome: Outcome) -> None:
    """Let lines wait; standing orders among them are changed at once, since they may be wanted before the lines."""
    vocabulary = known(work)
    waiting = []
    for line in lines:
        if machine_verb(line) not in ("always", "never"):
            waiting.append(canonical_known(vocabulary, line))
            continue
        try:
            outcome.played.append(_play(work, seat, line))
        except Refusal as refusal:
            _return(work, seat, outcome, [line], ended(f"{line}: {refusal.sentence}"))
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
    verb = machine_verb(line)
    if verb:
        return machine_line(work, seat, verb, line)
    if is_anytime(known(work), line):
        return play_anytime(work, seat, line)
    question = pending(work)
    if question is None:
        raise NotNow("the match is over")
    decisions = question.of(seat)
    if not decisions:
        raise NotNow(_not_asked(work, question, seat))
    chosen = read_for(work, decisions, line)
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
    hint = waiting or "; lines below “later:” would wait for your next question"
    return f"it is not you who is asked now, but {listing(question.seats)}{hint}"
