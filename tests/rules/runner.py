"""Plays rule scenarios: one TOML file shows one rule, ruling or refusal of a game.

A file says, in this order:

    section = "The Flight"            the chapter of the rulebook, as headed there
    rulings = ["CL-T2", "CL-1"]       worked examples and rulings that it shows
    shows = "..."                     what it shows, in own words
    dice = [5]                        what the dice roll; all must be used, and no more
    shuffles = [["b", "a"]]           what shuffles give (without it they change nothing)
    agenda = [{ do = "turn", ... }]   the frames to run (without it a turn of alice that is going on)
    pack = '...'                      component data laid over that of the game
    [options]                         options that differ from the defaults
    [table]                           what lies on the table differently from the game's plain position
    [[steps]]                         what is sent, and what must come of it:
      seat = "alice"                  who sends
      lines = ["roll"]                the lines
      refused = "part of the reason"  nothing is played
      played = ["roll"]               the lines played, in canonical form
      returned, waiting = [...]       lines that come back, or wait for a window
      reason = "..."                  part of the reason why lines come back
      events = [{ kind = "rolls" }]   events with these words, in this order, others between them
      silent = ["draws"]              kinds of events that must not be among them
      after = { "turn.energy" = 5 }   values on the table; a path ending in # gives a length
      asked = "bob"                   who is asked next, and by which `question`
      offered, missing = [...]        lines that are, or are not, among what can be sent next
      over = true                     the match has ended; `places` gives the place of each seat

Each game has a module with `position(m, table)`, which lays out the table, `AGENDA`, and `shown(record)`, a record as text.
"""

from __future__ import annotations

import importlib
import tomllib
import typing
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from referee.chance import Chance
from referee.engine import find_game, pending, start
from referee.errors import Refusal
from referee.lines import canonical
from referee.match import Match
from referee.orders import submit
from referee.see import Record, dump

FOLDER = Path(__file__).parent
SEATS = ["alice", "bob", "carol", "dave"]
KEYS = {"section", "rulings", "shows", "seats", "dice", "shuffles", "agenda", "pack", "options", "table", "steps"}
STEP_KEYS = {"seat", "lines", "refused", "played", "returned", "waiting", "reason", "events", "silent", "after"}
STEP_KEYS |= {"asked", "question", "offered", "missing", "over", "places"}


class Scripted(Chance):
    """Chance that rolls what a scenario says."""

    __slots__ = ("dice", "shuffles")

    def __init__(self, dice: list[int], shuffles: list[list[Any]]) -> None:
        """Keep the script."""
        super().__init__(bytes(32), 0)
        self.dice, self.shuffles = dice, shuffles

    def copy(self) -> Scripted:
        """Return a script that goes on from here by itself."""
        return Scripted(self.dice[:], self.shuffles[:])

    def roll(self, sides: int) -> int:
        """Roll the next die of the script."""
        assert self.dice, "the scenario has no more dice"
        return self.dice.pop(0)

    def shuffled(self, things: Any) -> list[Any]:
        """Return the things in the order of the script, or as they are."""
        if not self.shuffles:
            return list(things)
        order = self.shuffles.pop(0)
        assert sorted(order) == sorted(things), f"shuffled are {things}"
        return order


def scenarios() -> list[Path]:
    """Return the files of all scenarios."""
    return sorted(FOLDER.glob("*/*.toml"))


def read(path: Path) -> dict[str, Any]:
    """Return a scenario, with its keys checked."""
    scenario = tomllib.loads(path.read_text())
    for word in ("section", "rulings", "shows", "steps"):
        assert scenario.get(word), f"{path.name} does not say its {word}"
    assert scenario.keys() <= KEYS, f"{path.name}: unknown {scenario.keys() - KEYS}"
    for step in scenario["steps"]:
        assert step.keys() <= STEP_KEYS, f"{path.name}: unknown {step.keys() - STEP_KEYS}"
    return scenario


def play(path: Path) -> None:
    """Play a scenario.

    Raises:
        AssertionError: the rules do something else.
    """
    for _ in positions(path):
        pass


def positions(path: Path) -> Iterator[Match]:
    """Play a scenario and yield the match at its beginning and after each step.

    Raises:
        AssertionError: the rules do something else.
    """
    scenario, game = read(path), find_game(path.parent.name.replace("_", "-"))
    helper = importlib.import_module(f"tests.rules.{path.parent.name}")
    seats = scenario.get("seats", SEATS[: game.seats[0]])
    packs = [("the scenario's pack", scenario["pack"].encode())] if "pack" in scenario else []
    m = start(game, "rule", seats, bytes(32), scenario.get("options", {}), packs)
    m.chance = Scripted(scenario.get("dice", []), scenario.get("shuffles", []))
    helper.position(m, scenario.get("table", {}))
    m.do(*scenario.get("agenda", helper.AGENDA))
    pending(m)
    yield m
    for number, step in enumerate(scenario["steps"], 1):
        m = take(m, step, f"step {number}", helper.shown)
        game.check(m)
        yield m
    assert not m.chance.dice, f"dice left over: {m.chance.dice}"  # type: ignore[attr-defined]
    assert not m.chance.shuffles, "shuffles left over"  # type: ignore[attr-defined]


def take(m: Match, step: Mapping[str, Any], where: str, shown: Callable[[Record], Any]) -> Match:
    """Send the lines of one step and compare what comes of it; return the match afterwards."""
    if "lines" in step:
        before, outcome, refusal = dump(m.table), None, ""
        try:
            outcome = submit(m, step["seat"], step["lines"])
        except Refusal as error:
            refusal = str(error)
        if outcome is None or "refused" in step:
            assert refusal, f"{where} should be refused, and plays {outcome and outcome.played}"
            assert step.get("refused", "nothing") in refusal, f"{where} is refused: {refusal}"
            assert dump(m.table) == before, f"{where} is refused and changes the table"
        else:
            compare_outcome(outcome, step, where)
            m = outcome.match
    compare_match(m, step, where, shown)
    return m


def compare_outcome(outcome: Any, step: Mapping[str, Any], where: str) -> None:
    """Compare what was played, what waits, what came back, and what was told."""
    for name in ("played", "returned", "waiting"):
        default = outcome.played if name == "played" else []
        assert getattr(outcome, name) == step.get(name, default), f"{where}: {name} {getattr(outcome, name)} {outcome.reason}"
    assert step.get("reason", "") in outcome.reason, f"{where}: the reason is {outcome.reason}"
    told = iter(outcome.match.events)
    for wanted in step.get("events", []):
        found = any(_tells(event, wanted) for event in told)
        assert found, f"{where}: {wanted} is not told in time: {outcome.match.events}"
    for kind in step.get("silent", []):
        assert kind not in [event["kind"] for event in outcome.match.events], f"{where}: {kind} is told"


def _tells(event: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(key in event and event[key] == word for key, word in wanted.items())


def compare_match(m: Match, step: Mapping[str, Any], where: str, shown: Callable[[Record], Any]) -> None:
    """Compare the table and the question that is asked next."""
    for path, wanted in step.get("after", {}).items():
        value = look(m.table, path, shown)
        assert value == wanted, f"{where}: {path} is {value!r} and should be {wanted!r}"
    question = pending(m)
    seats = question.seats if question else []
    assert not step.get("asked") or seats == [step["asked"]], f"{where}: {seats} are asked"
    name = question.name if question else ""
    assert step.get("question", name) == name, f"{where}: the question is {name}"
    wanted = question and (step.get("offered") or step.get("missing"))
    lines = [canonical(m, f) for d in question.decisions.values() for f in d.frames()] if wanted else []
    for line in step.get("offered", []):
        assert line in lines, f"{where}: {line!r} is not offered, but {lines}"
    for line in step.get("missing", []):
        assert line not in lines, f"{where}: {line!r} is offered"
    assert m.over == step.get("over", False), f"{where}: over is {m.over}"
    if "places" in step:
        places = {seat: row["place"] for seat, row in m.game.score(m).items()}
        assert places == step["places"], f"{where}: the places are {places}"


def look(value: Any, path: str, shown: Callable[[Record], Any]) -> Any:
    """Return what lies at a dotted path, records in it as text; # at the end gives a length."""
    for part in path.removesuffix("#").split("."):
        value = value.__dict__[part] if isinstance(value, Record) else value[int(part) if isinstance(value, list) else part]
    return len(value) if path.endswith("#") else _as_text(value, shown)


def _as_text(value: Any, shown: Callable[[Record], Any]) -> Any:
    if isinstance(value, Record):
        return shown(value)
    if isinstance(value, dict):
        return {key: _as_text(item, shown) for key, item in value.items()}
    return [_as_text(item, shown) for item in value] if isinstance(value, list) else value


Parsers = Mapping[type, Callable[[str], Any]]


def overlay(record: Any, data: Mapping[str, Any], parsers: Parsers) -> None:
    """Change fields of a record, and of the records in it, to what plain data says; records may be written as text."""
    kinds = typing.get_type_hints(type(record))
    for name, value in data.items():
        assert name in kinds, f"{type(record).__name__} has no field {name}"
        setattr(record, name, _build(kinds[name], value, getattr(record, name), parsers))


def _build(kind: Any, value: Any, old: Any, parsers: Parsers) -> Any:
    origin, arguments = typing.get_origin(kind), typing.get_args(kind)
    if origin is dict:
        old = old or {}
        return {**old, **{key: _build(arguments[1], item, old.get(key), parsers) for key, item in value.items()}}
    if origin is list:
        return [_build(arguments[0], item, None, parsers) for item in value]
    if isinstance(value, str) and kind in parsers:
        return parsers[kind](value)
    if isinstance(value, dict):
        record = old if old is not None else kind()
        overlay(record, value, parsers)
        return record
    return value
