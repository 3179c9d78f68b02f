"""A match: a table, an agenda, chance, and what was told. Steps read and change it through this class alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from types import ModuleType
from typing import TYPE_CHECKING, Any

from .ask import Decision, OfferLike, Question
from .chance import Chance
from .fields import dataclass, field
from .see import Record
from .steps import Frame, Step, collect

if TYPE_CHECKING:
    from .components import Components, Sheet

Event = dict[str, Any]
"""`{"kind": ..., shared words, "to": {seat: {private words}}}`, or `{"kind": ..., "only": seat, words}`."""


@dataclass
class Option:
    """A house rule that a match may choose.

    Attributes:
        default: the value when `--option` does not name it; its type (str, int, bool) is the option's type.
        about: what it decides, in one sentence.
        choices: the values allowed; for a number, the lowest and the highest, and the step from one to the next if not 1.
    """

    default: Any
    about: str
    choices: Sequence[Any] = ()

    def allows(self, value: Any, seats: Sequence[str] = ()) -> bool:
        """Return whether the option can have a value; the choice `seat` stands for every seat, not for itself.

        Example:
            >>> fee = Option(0, "the fee", (0, 150, 25))
            >>> [fee.allows(value) for value in (0, 75, 80, 175, True)]
            [True, True, False, False, False]
        """
        if type(value) is not type(self.default) or value == "seat":
            return False
        if isinstance(value, int) and not isinstance(value, bool) and self.choices:
            low, high, *step = self.choices
            return value in range(low, high + 1, *step)
        return not self.choices or value in self.choices or ("seat" in self.choices and value in seats)

    def allowed(self, seats: Sequence[str] = ()) -> str:
        """Return the values that the option can have, as text.

        Example:
            >>> Option(0, "the fee", (0, 150, 25)).allowed(), Option(True, "traps").allowed()
            ('0 to 150 in steps of 25', 'yes, no')
        """
        if isinstance(self.default, bool):
            return "yes, no"
        if isinstance(self.default, int) and self.choices:
            low, high, *step = self.choices
            return f"{low} to {high}" + "".join(f" in steps of {one}" for one in step)
        named = [*(one for one in self.choices if one != "seat"), *seats] if seats and "seat" in self.choices else self.choices
        return ", ".join(map(str, named))


@dataclass
class Game:
    """What a game is to the machine.

    Attributes:
        slug: its name on the command line and in saves.
        title: its name for people.
        version: raised by every change of the rules; a save says which one it was played with.
        seats: the fewest and the most seats.
        options: the house rules of a match.
        conflicts: `conflicts(seats, options)` gives a sentence for all options that do not go together, or not with the number
            of seats, and names them.
        table: the record that everything lies on.
        setup: `setup(m)` fills `m.table` and schedules the first frame.
        modules: the modules whose steps the agenda may name.
        names: `names(components)` gives the lists of words that slots of orders take.
        check: `check(m)` raises AssertionError when something is wrong that never may be.
        score: `score(m)` gives for each seat its place (1 is best, equal is shared) and its points.
        in_force: `in_force(m, who)` gives the cards whose number columns count for a seat.
        anytime: `anytime(m, who)` gives the orders that a seat may give whoever is asked, each made with `anytime=True`. What
            such an order schedules runs before the question is asked again, and may be nothing but acts of its own.
        resign: `resign(m, who)` takes a seat out of the match; absent where that ends it.
        safest: the line, with alternatives, that costs a seat the least when it is asked and does not answer, as
            `decline or stay or end`; what it does not answer is answered by the first choice. Absent where there is none.
        sheets: the columns of the component data.
        data: the names of the data files in the game's folder.
        check_data: raises ValueError when the data contradicts itself (counts, pairs).
    """

    slug: str
    title: str
    version: int
    seats: tuple[int, int]
    options: Mapping[str, Option]
    table: type[Record]
    setup: Callable[[Match], None]
    modules: Sequence[ModuleType]
    names: Callable[[Components], Mapping[str, Sequence[str]]]
    check: Callable[[Match], None]
    score: Callable[[Match], dict[str, dict[str, int]]]
    conflicts: Callable[[Sequence[str], Mapping[str, Any]], Sequence[str]] = lambda seats, options: ()
    in_force: Callable[[Match, str], Iterable[str]] = lambda m, who: ()
    anytime: Callable[[Match, str], Sequence[OfferLike]] = lambda m, who: ()
    resign: Callable[[Match, str], None] | None = None
    safest: str = ""
    sheets: Mapping[str, Sheet] = field(default_factory=dict)
    data: Sequence[str] = ()
    check_data: Callable[[Components], None] | None = None

    def __post_init__(self) -> None:
        """Collect the steps."""
        self.steps: dict[str, Step] = collect(self.modules)

    @cached_property
    def package(self) -> str:
        """The import package that the game lives in; its data and templates lie beside its table."""
        return self.table.__module__.rpartition(".")[0]


@dataclass
class Match:
    """One match at one moment. All of it but the cached question is in its save.

    Attributes:
        game: the rules.
        components: the cards and the board in use.
        id: the match's name.
        seats: the seats' names, in order.
        holders: for each seat the number of its present holder, from 1.
        options: the house rules in use.
        chance: seed and counter.
        secret: the 32 bytes that the commitment was made from.
        nonces: what players contributed to the seed, by seat.
        table: what lies on the table.
        agenda: frames to be run; the last is the top.
        events: what happened since the save before.
        sealed: answers to a joint question, by decider; outside the table until all are in.
        standing: each seat's standing orders, in canonical form.
        kept: each seat's lines that wait for a window to close.
        planned: each seat's lines that wait for its next questions.
        stop: how often the match has publicly stopped to ask.
        over: whether the match has ended.
        held: whether the moderator has halted it.
        places: how the moderator ended it, by seat (1 is best, equal is shared); absent when the rules did.
        sender: the seat whose line is being played.
        fence: whether the line being played had an outcome that its sender could not know.
        foreseen: how many events had been told when that outcome came, for a dry run.
        moved: whether a question was openly answered since the save before.
    """

    game: Game
    components: Components
    id: str
    seats: list[str]
    holders: dict[str, int]
    options: dict[str, Any]
    chance: Chance
    secret: bytes = b""
    nonces: dict[str, str] = field(default_factory=dict)
    table: Any = None
    agenda: list[Frame] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    sealed: dict[str, Frame] = field(default_factory=dict)
    standing: dict[str, list[str]] = field(default_factory=dict)
    kept: dict[str, list[str]] = field(default_factory=dict)
    planned: dict[str, list[str]] = field(default_factory=dict)
    stop: int = 0
    over: bool = False
    held: bool = False
    places: dict[str, int] = field(default_factory=dict)
    sender: str = ""
    fence: bool = False
    foreseen: int = 0
    moved: bool = False
    question: Question | None = None

    def copy(self) -> Match:
        """Return a match that shares nothing changeable with this one (frames and events are never changed)."""
        twin = Match.__new__(Match)
        twin.__dict__.update(self.__dict__)
        twin.table = self.table.copy() if self.table is not None else None
        twin.chance = self.chance.copy()
        twin.agenda, twin.events, twin.seats = self.agenda[:], self.events[:], self.seats[:]
        twin.nonces = self.nonces.copy()
        twin.holders, twin.options, twin.sealed = self.holders.copy(), self.options.copy(), self.sealed.copy()
        twin.standing = {seat: lines[:] for seat, lines in self.standing.items()}
        twin.kept = {seat: lines[:] for seat, lines in self.kept.items()}
        twin.planned = {seat: lines[:] for seat, lines in self.planned.items()}
        twin.question = None
        return twin

    # What comes next

    def do(self, *frames: Frame) -> None:
        """Schedule frames: they run in the order given, before everything that waits already."""
        self.agenda.extend(reversed(frames))

    def cancel(self, frame: Frame) -> None:
        """Remove the topmost frame equal to this one from the agenda.

        Raises:
            ValueError: there is none, which is a fault of the game.
        """
        for index in range(len(self.agenda) - 1, -1, -1):
            if self.agenda[index] == frame:
                del self.agenda[index]
                return
        raise ValueError(f"nothing to cancel: {frame}")

    def finish(self) -> None:
        """End the match: nothing is scheduled any more, and `score` gives the result."""
        self.agenda.clear()
        self.over = True

    # Asking

    def ask(
        self, seat: str, name: str, *offers: OfferLike, then: Sequence[Frame] = (), interrupts: str = "", **words: Any
    ) -> Question:
        """Ask one seat; a step returns what this returns.

        Args:
            seat: who is asked. Every order offered gets it as `who`, unless `given` says otherwise.
            name: the key of the question's sentence.
            offers: the orders that may be given.
            then: frames that follow the answer.
            interrupts: the seat whose turn waits for the answer, if this is a reaction.
            words: what is filled into the sentence.
        """
        return Question(name, words, {seat: Decision(self, seat, seat, offers)}, then, "", interrupts)

    def ask_all(
        self,
        name: str,
        deciders: Mapping[str, tuple[str, Sequence[OfferLike]]],
        taken: str,
        *,
        gathers: str = "",
        interrupts: str = "",
        **words: Any,
    ) -> Question:
        """Ask several deciders at once for sealed answers.

        Args:
            name: the key of the question's sentence.
            deciders: for each decider the seat that answers for it and what is offered.
            taken: the step that gets all answers as `answers`, a dict of frames by decider.
            gathers: the step that stands for an answer of several lines, if all lines of a mail make one answer.
            interrupts: the seat whose turn waits for the answers, if this is a reaction.
            words: what is filled into the sentence; all deciders may know it.
        """
        decisions = {decider: Decision(self, decider, seat, offers) for decider, (seat, offers) in deciders.items()}
        return Question(name, words, decisions, (), taken, interrupts, gathers)

    # Chance

    def roll(self, sides: int) -> int:
        """Roll a die with so many sides. Nobody can know the outcome before."""
        self._meet_fence()
        return self.chance.roll(sides)

    def shuffled(self, things: Sequence[Any]) -> list[Any]:
        """Return the things in a new order that nobody knows."""
        self._meet_fence()
        return self.chance.shuffled(things)

    def _meet_fence(self) -> None:
        if not self.fence:
            self.fence, self.foreseen = True, len(self.events)

    # Telling

    def tell(self, kind: str, **words: Any) -> None:
        """Tell everybody of something that everybody could know: the same words in every world that looks the same."""
        self.events.append({"kind": kind, **words})

    def reveal(self, kind: str, *, of: str = "", to: Mapping[str, Mapping[str, Any]] | None = None, **words: Any) -> None:
        """Tell of something that was hidden until now.

        Args:
            kind: the key of the event's sentence.
            of: the seat that knew it already, if one did.
            to: words for single seats alone, by seat.
            words: what everybody learns.
        """
        if self.sender != of or not of:
            self._meet_fence()
        self.events.append({"kind": kind, **words, **({"to": {s: dict(w) for s, w in to.items()}} if to else {})})

    def whisper(self, seat: str, kind: str, **words: Any) -> None:
        """Tell one seat alone; nobody else learns that anything was told."""
        self.events.append({"kind": kind, "only": seat, **words})

    def forget(self, seat: str) -> None:
        """Drop the lines of a seat that wait to go on with its turn, since that turn is over for it; it alone is told.

        Args:
            seat: the seat whose lines would else answer a question that they were not meant for.
        """
        if lines := self.kept.pop(seat, []):
            self.whisper(seat, "forgotten", who=seat, lines=lines)

    # Values

    def value(self, column: str, base: int, who: str) -> int:
        """Return `base` plus the numbers that the cards in force for a seat have in a column.

        A card without the column does not count; `has` tells whether there is any card with it.
        """
        cards = self.components.columns.get(column, {})
        return base + sum([cards[card] for card in self.game.in_force(self, who) if card in cards])

    def has(self, column: str, who: str) -> bool:
        """Return whether a card in force for a seat has a number in the column, be it 0."""
        cards = self.components.columns.get(column, {})
        return any(card in cards for card in self.game.in_force(self, who))

    def wishes(self, who: str, verb: str) -> list[str]:
        """Return what a player's standing orders of a verb name, as it is kept: of `always use laser` for `use` the laser.

        So a game can have standing orders that answer no question, but say what a line means that leaves a thing out.
        """
        return [line.removeprefix(f"{verb} ") for line in self.standing.get(who, ()) if line.startswith(f"{verb} ")]

    def others(self, who: str) -> list[str]:
        """Return the other seats, in order from the one after `who`."""
        at = self.seats.index(who)
        return self.seats[at + 1 :] + self.seats[:at]
