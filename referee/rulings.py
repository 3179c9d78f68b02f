"""Rulings: what a moderator may do to a match. Each makes a save of its own, signed, with a reason, and is replayed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Any

from . import canon
from .engine import choose_options, pending, view
from .errors import RefereeError, Refused
from .hidden import Cell, hidden_cells
from .keys import PublicKey
from .match import Match
from .save import AT, check_frames
from .see import OBSERVER, load
from .waiting import settle

KINDS = (
    "rollback", "hold", "go", "correct", "option", "upgrade", "resign", "recode", "note", "extend", "substitute", "key",
    "forfeit", "draw",
)  # fmt: skip

MOST_TEXT = 2000  # characters of a reason or a note
_NEEDED = {
    "rollback": ("serial",),
    "correct": ("state",),
    "option": ("option", "value"),
    "resign": ("seat",),
    "recode": ("seat",),
    "note": ("text",),
    "extend": ("until",),
    "substitute": ("seat",),
    "key": ("seat", "key"),
    "forfeit": ("seat",),
}
_SEAT_IF_MEANT = frozenset({"note", "extend"})
_SAME_STOP = frozenset({"extend", "key"})
"""Rulings that change nothing of what is asked, so that blocks on their way hold as they are."""
_MAYBE_UNKNOWN = frozenset({"pile", "blind", "known_to"})

OlderMatch = Callable[[int], Match]
"""Returns the match of an earlier save, by its serial."""


def ruling_bytes(match: str, serial: int, move: Mapping[str, Any]) -> bytes:
    """Return what the moderator signs of a ruling: the match, the number of its save, and all it says."""
    said = {k: v for k, v in move.items() if k != "signature"}
    return canon.dumps({"match": match, "serial": serial, **said}).encode()


def apply_ruling(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """Return the match after a ruling.

    Args:
        m: the match before; it is not changed.
        ruling: `ruling` (one of `KINDS`), `why`, and what the kind takes: `serial`, `state`, `option` and `value`, `seat`,
            `text`, `until`, `key`.
        older: reads the match of an earlier save.
        state: for `correct`, the `table` and `agenda` of the edited save.

    Raises:
        Refused: the ruling cannot be made now; says why.
    """
    check_words(m, ruling)
    kind = ruling["ruling"]
    ruled = m.copy()
    ruled.events, ruled.moved = [], False
    if kind == "note":
        return _note(ruled, ruling)
    if m.over and kind != "upgrade":
        raise Refused("The match is over and its seed is published.", "Nothing but a note can be added to it.")
    ruled.tell("ruling", ruling=_shown(ruling), why=ruling["why"])
    if kind in _SAME_STOP:
        return _RULINGS[kind](ruled, ruling, older, state)
    ruled = _RULINGS[kind](ruled, ruling, older, state)
    if not ruled.held and kind != "correct":  # what a correction leads to is what was edited, and nothing more
        settle(ruled, "")
    ruled.stop = m.stop + 1
    ruled.fence = False
    return ruled


def _shown(ruling: Mapping[str, Any]) -> str:
    """Return a ruling as its readers see it named.

    Example:
        >>> _shown({"ruling": "extend", "seat": "bob", "until": "2026-12-03T18:00:00Z"})
        'extend bob until 2026-12-03 18:00 UTC'
    """
    until = f"until {ruling['until'][:10]} {ruling['until'][11:16]} UTC" if "until" in ruling else ""
    return " ".join(filter(None, (ruling["ruling"], ruling.get("seat", ""), until)))


def state_hash(state: Mapping[str, Any]) -> str:
    """Return the SHA-256 of an edited table and agenda, which binds a correction to them, in whichever order they stand.

    Example:
        >>> state_hash({"table": {"a": 1, "b": 2}, "agenda": {}}) == state_hash({"agenda": {}, "table": {"b": 2, "a": 1}})
        True
    """
    plain = {"table": state["table"], "agenda": list(state["agenda"].values())}
    import json

    return hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest()


def check_words(m: Match, ruling: Mapping[str, Any]) -> None:
    """Check that a ruling says what its kind needs, in words that a save can hold.

    Raises:
        Refused: it does not.
    """
    kind = ruling.get("ruling", "")
    if kind not in KINDS:
        raise Refused(f"There is no ruling {kind!r}.", f"The rulings are: {', '.join(KINDS)}.")
    needed = {"why", *_NEEDED.get(kind, ())}
    allowed = needed | {"kind", "ruling", "signature"} | ({"seat"} if kind in _SEAT_IF_MEANT else set())
    if not needed <= ruling.keys() <= allowed:
        raise Refused(f"The ruling {kind} needs {' and '.join(sorted(needed))}, and nothing else.")
    for word, value in ruling.items():
        if word == "serial" and type(value) is not int:
            raise Refused(f"{value!r} is no number of a save.", "Name the save to go back to.")
        if word == "until" and not (isinstance(value, str) and AT.fullmatch(value)):
            raise Refused(f"{value!r} is no time.", "Write it in UTC, as 2026-12-03T18:00:00Z.")
        if word in ("why", "text") and not (isinstance(value, str) and value.strip() and len(value) <= MOST_TEXT):
            raise Refused(f"A ruling needs a reason, and a text has at most {MOST_TEXT} characters.", "Give it with --why.")
        if isinstance(value, str) and any("\ud800" <= c <= "\udfff" for c in value):
            raise Refused(f"The text of the ruling ({word}) is not in UTF-8.", "Type it again.")
    if ruling.get("seat", m.seats[0]) not in m.seats:
        raise Refused(f"There is no seat {ruling['seat']!r}.", f"The seats are {', '.join(m.seats)}.")
    if m.table is None:
        raise Refused("The match has not begun, and nothing can be ruled.", "Begin it, or make a new one.")


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
    m.sealed, m.kept, m.planned = {}, {}, {}
    for cells in _unknown_cells(m):
        for cell, value in zip(cells, m.shuffled([cell.get() for cell in cells]), strict=True):
            cell.put(value)
    m.game.check(m)
    return m


def _unknown_cells(m: Match) -> list[list[Cell]]:
    """Return, pool by pool, the places on the table whose contents no seat knows."""
    hidden = [hidden_cells(m.table, viewer, words=_MAYBE_UNKNOWN) for viewer in (OBSERVER, *m.seats)]
    places = [{(id(cell.holder), cell.key) for cells in pools.values() for cell in cells} for pools in hidden]
    unknown = set.intersection(*places)
    return [[cell for cell in cells if (id(cell.holder), cell.key) in unknown] for cells in hidden[0].values()]


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
    """Take table and agenda from an edited save; chance, seats and options stay.

    The edited agenda must ask at once: then the save holds the very table that was edited, and can be replayed from it.
    """
    try:
        if ruling["state"] != state_hash(state):
            raise ValueError("it is not the one that the ruling is about")
        m.table = load(m.game.table, state["table"])
        m.agenda = [dict(frame) for frame in state["agenda"].values()]
        m.sealed, m.kept, m.planned, m.question = {}, {}, {}, None
        check_frames(m.game, m.agenda)
        m.game.check(m)
        before = m.agenda[:], m.chance.counter, len(m.events)
        for seat in m.seats:
            view(m, seat)
        if before != (m.agenda, m.chance.counter, len(m.events)) or m.over:
            raise ValueError("the top of its agenda does not ask anybody")
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
    if ruling["seat"] in getattr(m.table, "resigned", ()):  # so tables call those who are out for good
        raise Refused(f"{ruling['seat']} has resigned already.", "There is nothing more to rule about the seat.")
    m.game.resign(m, ruling["seat"])
    m.question = None
    return m


def _recode(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    m.holders[ruling["seat"]] += 1
    return m


def _extend(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """Let a seat, or all that are asked, answer until a later time; the chain keeps it."""
    question = pending(m)
    asked = question.seats if question else []
    if ruling.get("seat", "") not in ("", *asked):
        raise Refused(f"{ruling['seat']} is not asked now.", f"Asked are: {', '.join(asked)}.")
    return m


def _substitute(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """Give a seat to somebody else: what its former holder sent beforehand, sealed answers included, counts no more."""
    seat, question = ruling["seat"], pending(m)
    for decision in question.of(seat) if question else ():
        m.sealed.pop(decision.decider, None)
    for sent in (m.standing, m.kept, m.planned):
        sent.pop(seat, None)
    m.holders[seat] += 1
    return m


def _key(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """Register a seat's public key; the chain keeps it."""
    try:
        key = PublicKey.from_bytes(bytes.fromhex(ruling["key"]))
    except (ValueError, TypeError):
        raise Refused(f"The public key of {ruling['seat']} is none.", "A public key has 64 hex digits.") from None
    m.events.append({"kind": "key", "who": ruling["seat"], "fingerprint": key.fingerprint})
    return m


def _forfeit(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """Take a seat out of the match; where the rules know no resignation, the match ends and the seat comes last."""
    seat = ruling["seat"]
    if m.game.resign is not None:
        return _resign(m, ruling, older, state)
    score = m.game.score(m)
    others = sorted(score[other]["place"] for other in m.others(seat))
    m.places = {other: others.index(score[other]["place"]) + 1 for other in m.seats if other != seat}
    m.places[seat] = len(m.seats)
    return _ended(m)


def _draw(m: Match, ruling: Mapping[str, Any], older: OlderMatch, state: Mapping[str, Any]) -> Match:
    """End the match; all share the first place."""
    m.places = dict.fromkeys(m.seats, 1)
    return _ended(m)


def _ended(m: Match) -> Match:
    m.finish()
    m.question, m.sealed, m.kept, m.planned = None, {}, {}, {}
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
    "extend": _extend,
    "substitute": _substitute,
    "key": _key,
    "forfeit": _forfeit,
    "draw": _draw,
}
