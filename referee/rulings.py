"""Rulings: what a moderator may do to a match. Each makes a save of its own, signed, with a reason, and is replayed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .engine import choose_options, pending
from .errors import RefereeError, Refused
from .match import Match
from .orders import settle
from .see import OBSERVER, hidden_cells, load

KINDS = ("rollback", "hold", "go", "correct", "option", "upgrade", "resign", "recode", "note")

_NOBODY_KNOWS = frozenset({"pile", "blind"})

OlderMatch = Callable[[int], Match]
"""Returns the match of an earlier save, by its serial."""


def apply_ruling(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """Return the match after a ruling.

    Args:
        m: the match before; it is not changed.
        ruling: `ruling` (one of `KINDS`), `why`, and what the kind takes: `serial`, `option` and `value`, `seat`, `text`.
        older: reads the match of an earlier save.
        state: for `correct`, the `table` and `agenda` of the edited save.

    Raises:
        Refused: the ruling cannot be made now; says why.
    """
    kind = ruling["ruling"]
    ruled = m.copy()
    ruled.events, ruled.moved = [], False
    if kind == "note":
        return _note(ruled, ruling)
    if m.over and kind != "upgrade":
        raise Refused("The match is over and its seed is published.", "Nothing but a note can be added to it.")
    shown = f"{kind} {ruling['seat']}" if "seat" in ruling else kind
    ruled.tell("ruling", ruling=shown, why=ruling["why"])
    ruled = _RULINGS[kind](ruled, ruling, older, state)
    settle(ruled, "")
    ruled.stop = m.stop + 1
    ruled.fence = False
    return ruled


def _note(m: Match, ruling: Mapping[str, Any]) -> Match:
    if ruling.get("seat"):
        m.whisper(ruling["seat"], "note", text=ruling["text"])
    else:
        m.tell("note", text=ruling["text"])
        m.stop += 1
    return m


def _rollback(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """Go back to an earlier position, with the dice and the order of the piles made anew.

    The counter never goes back, and what nobody knows is exchanged, so that what was seen is worth nothing now.
    """
    then = older(ruling["serial"])
    if then.table is None:
        raise Refused("Save 0 is before the deal.", "Name a later one, or begin a new match.")
    m.table, m.agenda, m.question = then.table.copy(), then.agenda[:], None
    m.sealed, m.kept = {}, {}
    for cells in hidden_cells(m.table, OBSERVER, words=_NOBODY_KNOWS).values():
        for cell, value in zip(cells, m.shuffled([cell.get() for cell in cells]), strict=True):
            cell.put(value)
    m.game.check(m)
    return m


def _hold(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    if m.held:
        raise Refused("The match is halted already.", "`rule go` lets it go on.")
    m.held = True
    return m


def _go(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    if not m.held:
        raise Refused("The match is not halted.")
    m.held = False
    return m


def _correct(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """Take table and agenda from an edited save; chance, seats and options stay."""
    try:
        m.table = load(m.game.table, state["table"])
        m.agenda = [dict(frame) for frame in state["agenda"].values()]
        m.sealed, m.kept, m.question = {}, {}, None
        m.game.check(m)
        pending(m)
    except RefereeError:
        raise
    except Exception as error:
        raise Refused(f"The edited save does not hold a match that can go on: {error}.", "Mend it and try again.") from None
    return m


def _option(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    m.options = choose_options(m.game, m.seats, {**m.options, ruling["option"]: ruling["value"]})
    m.question = None
    return m


def _upgrade(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """Go on under the installed version of the rules; the position is the same."""
    return m


def _resign(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    if m.game.resign is None:
        raise Refused(f"{m.game.title} knows no resignation.", "Rule a correction, or let another hold the seat.")
    m.game.resign(m, ruling["seat"])
    m.question = None
    return m


def _recode(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    m.holders[ruling["seat"]] += 1
    return m


_RULINGS: dict[str, Callable[[Match, Mapping[str, Any], OlderMatch, Mapping[str, Any]], Match]] = {
    "rollback": _rollback,
    "hold": _hold,
    "go": _go,
    "correct": _correct,
    "option": _option,
    "upgrade": _upgrade,
    "resign": _resign,
    "recode": _recode,
}
