"""The engine: pops the top frame of the agenda and runs its step, until a step asks. That is all the control flow."""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .ask import Decision, Question
from .chance import Chance, commitment, working_seed
from .components import load_components
from .errors import Unverified, Usage
from .lines import canonical, menu
from .match import Event, Game, Match
from .see import OBSERVER, redact
from .steps import Frame
from .words import sentence, sentences

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

SEAT_NAME = re.compile(r"[a-z][a-z0-9_-]{0,23}")
RESERVED = frozenset({"observer", "table", "moderator", "all", "nobody", "referee"})


def find_game(slug: str) -> Game:
    """Return an installed game.

    The games that come with the referee are found by their place, others through the entry points `referee.games`.

    Raises:
        Unverified: no game of that name is installed.
    """
    if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug):
        package = f"games.{slug.replace('-', '_')}"
        try:
            return _game_in(package)
        except ModuleNotFoundError as error:
            if error.name != package:
                raise
        found = _entry_point(slug)
        if found is not None:
            game = found.load()
            assert isinstance(game, Game)
            return game
    way_out = "Install the package that brings it, or see `referee games`."
    raise Unverified(f"The game {slug!r} is not installed here.", way_out)


_entries: dict[str, EntryPoint] = {}


def _entry_point(slug: str) -> EntryPoint | None:
    """Return where another package's game lies; kept once it is found, since all installed packages are looked into."""
    if slug not in _entries:
        from importlib.metadata import entry_points

        _entries.update((entry.name, entry) for entry in entry_points(group="referee.games", name=slug))
    return _entries.get(slug)


def _game_in(package: str) -> Game:
    game = importlib.import_module(package).GAME
    assert isinstance(game, Game)
    return game


def start(
    game: Game,
    match_id: str,
    seats: Sequence[str],
    secret: bytes,
    options: Mapping[str, Any] | None = None,
    packs: Sequence[tuple[str, bytes]] = (),
) -> Match:
    """Return a match before its first move: seats, options and the secret are fixed, nothing is dealt.

    Args:
        game: the rules.
        match_id: the name of the match, which reports, codes and the seed depend on.
        seats: the names of the seats, in order.
        secret: 32 random bytes.
        options: values for the game's options; the others keep their defaults.
        packs: name and bytes of each pack of component data.

    Raises:
        Usage: seats or options that the game does not have.
        BadData: a pack that cannot be used.
    """
    _check_seats(game, seats)
    chosen = choose_options(game, seats, options or {})
    components = load_components(game, packs)
    holders = dict.fromkeys(seats, 1)
    return Match(game, components, match_id, list(seats), holders, chosen, Chance(bytes(32), 0), secret)


def _check_seats(game: Game, seats: Sequence[str]) -> None:
    low, high = game.seats
    if not low <= len(seats) <= high:
        count = str(low) if low == high else f"{low} to {high}"
        raise Usage(f"{game.title} is for {count} seats, and {len(seats)} are named.", "Name each with --seat.")
    for seat in seats:
        if not SEAT_NAME.fullmatch(seat) or seat in RESERVED:
            raise Usage(
                f"{seat!r} cannot be the name of a seat.",
                "Take a word of up to 24 small letters, digits, - and _, beginning with a letter; not "
                + ", ".join(sorted(RESERVED))
                + ".",
            )
    if len(set(seats)) < len(seats):
        raise Usage("Two seats have the same name.", "Give each seat a name of its own.")


def choose_options(game: Game, seats: Sequence[str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a match; text values are read as the option's type.

    Raises:
        Usage: an unknown option, a value that it cannot have, or options that do not go together.
    """
    for name in given:
        if name not in game.options:
            known = ", ".join(game.options) or "none"
            raise Usage(f"{game.title} has no option {name!r}.", f"Its options are: {known}.")
    chosen = {name: _option_value(game, name, given.get(name, o.default), seats) for name, o in game.options.items()}
    for conflict in game.conflicts(seats, chosen):
        raise Usage(conflict, "Choose other options, or other seats.")
    return chosen


def _option_value(game: Game, name: str, value: Any, seats: Sequence[str]) -> Any:
    option = game.options[name]
    kind = type(option.default)
    if isinstance(value, str) and kind is bool and value in ("yes", "no"):
        value = value == "yes"
    elif isinstance(value, str) and kind is int and re.fullmatch(r"-?[0-9]{1,9}", value):
        value = int(value)
    if not option.allows(value, seats):
        raise Usage(f"The option {name!r} cannot be {value!r}.", f"It takes: {option.allowed(seats)}.")
    return value


def begin(m: Match, nonces: Mapping[str, str]) -> None:
    """Make the first move: fix the working seed, set up the table, and go on to the first question.

    Args:
        m: a match fresh from `start`.
        nonces: what players contributed to the seed, by seat.
    """
    m.nonces = {seat: nonces[seat] for seat in m.seats if nonces.get(seat)}
    m.chance = Chance(working_seed(m.id, m.secret, m.nonces, m.seats), 0)
    m.tell("begins", commitment=commitment(m.id, m.secret))
    if m.nonces:
        m.tell("nonces", nonces=[f"{seat}: {nonce}" for seat, nonce in m.nonces.items()])
    m.game.setup(m)
    m.moved = True
    pending(m)


def pending(m: Match) -> Question | None:
    """Return the question that the match waits for, or nothing when it is over.

    It depends on the match alone; the step that asks changes nothing and stays on the agenda.
    """
    if m.question is None and not m.over and m.table is not None:
        m.question = _run(m)
    return m.question


def _run(m: Match) -> Question | None:
    steps, agenda = m.game.steps, m.agenda
    while agenda and not m.over:
        frame = agenda.pop()
        arguments = frame.copy()
        question = steps[arguments.pop("do")].body(m, **arguments)
        if question is not None:
            agenda.append(frame)
            assert isinstance(question, Question)
            return question
    assert m.over, "the agenda is empty and the match is not over"
    return None


def answer(m: Match, decider: str, frame: Frame) -> None:
    """Give one answer to the pending question, and schedule what follows (nothing runs yet).

    Args:
        m: the match.
        decider: whose decision it is; a seat's name unless the question says otherwise.
        frame: one of the answers offered.

    Raises:
        ValueError: it is not offered.
    """
    question = pending(m)
    if question is None or not question.takes(decider, frame):
        raise ValueError(f"not offered: {frame}")
    if question.gathers and frame["do"] != question.gathers:
        frame = question.gathered(decider, [frame])
    if question.taken:
        m.sealed[decider] = frame
        if m.sealed.keys() != question.decisions.keys():
            return
        answers, m.sealed = {name: m.sealed[name] for name in question.decisions}, {}
        frame = {"do": question.taken, "answers": answers}
    m.agenda.pop()
    m.do(frame, *question.then)
    m.question, m.moved = None, True


def aside(m: Match, seat: str) -> Decision:
    """Return what a seat may order at any time, whoever is asked.

    Nothing is offered while answers to a joint question are collected: what they were given for must not change.
    """
    question = pending(m)
    free = m.table is not None and question is not None and not question.taken
    return Decision(m, seat, seat, m.game.anytime(m, seat) if free else ())


def interject(m: Match, seat: str, frame: Frame) -> None:
    """Do what a seat orders at any time, and ask again what was asked.

    The public stop stays as it is, so that nobody's turn code dies because others talk; it moves on if others are asked now.

    Args:
        m: the match.
        seat: whose order it is.
        frame: one of the orders that `aside` offers it.

    Raises:
        ValueError: it is not offered.
    """
    asked = pending(m)
    if asked is None or frame not in aside(m, seat):
        raise ValueError(f"not offered: {frame}")
    m.do(frame)
    m.question = None
    now = pending(m)
    if now is None or now.seats != asked.seats:
        m.moved = True


# Views


def view(m: Match, viewer: str, *, with_menu: bool = True) -> dict[str, Any]:
    """Return everything that one reader may know of a match, as plain data.

    Args:
        m: the match.
        viewer: a seat, or `OBSERVER`.
        with_menu: whether to list the lines that the reader may send.

    Returns:
        A dict of str, int, bool, list and dict: `match`, `game`, `title`, `version`, `viewer`, `seats`, `stop`, `options`,
        `data`, `asked` (the seats that are asked), `over`, `held`, `result`, `table`, and for a seat `you` (what it is
        asked), `anytime` (what it may order whoever is asked), `standing`, `kept`, `planned`, `sealed`.
    """
    question = pending(m)
    seen: dict[str, Any] = {
        "match": m.id,
        "game": m.game.slug,
        "title": m.game.title,
        "version": m.game.version,
        "viewer": viewer or "observer",
        "seats": m.seats[:],
        "stop": m.stop,
        "options": m.options.copy(),
        "data": m.components.hash,
        "packs": list(m.components.packs),
        "asked": question.seats if question else [],
        "over": m.over,
        "held": m.held,
        "result": result(m) if m.over else {},
        "table": redact(m.table, viewer) if m.table is not None else {},
    }
    if viewer != OBSERVER:
        seen["you"] = _own_decisions(m, question, viewer, with_menu) if question else []
        seen["anytime"] = menu(m, aside(m, viewer), 4) if with_menu else []
        seen["standing"] = m.standing.get(viewer, [])[:]
        seen["kept"] = m.kept.get(viewer, [])[:]
        seen["planned"] = m.planned.get(viewer, [])[:]
    return seen


def result(m: Match) -> dict[str, dict[str, int]]:
    """Return place and points of each seat: as the rules score, unless the moderator ended the match."""
    scores = m.game.score(m)
    return {seat: {**row, "place": m.places.get(seat, row["place"])} for seat, row in scores.items()}


def _own_decisions(m: Match, question: Question, viewer: str, with_menu: bool) -> list[dict[str, Any]]:
    rows = []
    for decision in question.of(viewer):
        chapter = sentences(m.game)["questions"]
        row: dict[str, Any] = {
            "question": question.name,
            "text": sentence(m.game, "questions", question.name, question.words),
            "words": dict(question.words),
            "decider": decision.decider,
        }
        if f"{question.name}.why" in chapter:
            row["why"] = sentence(m.game, "questions", f"{question.name}.why", question.words)
        if decision.decider in m.sealed:
            row["sealed"] = canonical(m, m.sealed[decision.decider])
        if with_menu:
            row["orders"] = menu(m, decision)
        rows.append(row)
    return rows


def news(game: Game, events: Sequence[Event], viewer: str) -> list[dict[str, Any]]:
    """Return what one reader may know of what happened, each event with its sentence.

    Args:
        game: the game, for its sentences.
        events: the events of one or more saves, in order.
        viewer: a seat, or `OBSERVER`.
    """
    chapter = sentences(game)["events"]
    told = []
    for event in events:
        words = {key: value for key, value in event.items() if key not in ("kind", "to", "only")}
        if event.get("only", viewer) != viewer:
            continue
        private = event.get("to", {}).get(viewer, {}) if viewer != OBSERVER else {}
        words.update(private)
        own = viewer != OBSERVER and viewer == words.get("who")
        key = f"{event['kind']}.own" if own and f"{event['kind']}.own" in chapter else event["kind"]
        told.append({"kind": event["kind"], **words, "text": sentence(game, "events", key, words)})
    return told
