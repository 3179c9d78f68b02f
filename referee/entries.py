"""What a save says of itself after a move: its place, who is waited for since when, whose keys hold, who gets a report.

All of it follows from the save before, the move and its time, so that `verify` demands the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .engine import pending
from .errors import Refused
from .match import Match
from .save import Entry, Save


def entry_after(before: Save, hashed: str, m: Match, move: dict[str, Any], at: str, engine: str) -> Entry:
    """Return what a save says of itself after a move.

    Args:
        before: the save that the move was played on.
        hashed: the hash of its whole file, 64 hex digits.
        m: the match after the move.
        move: the move, with what came of it.
        at: the time, UTC.
        engine: the version of the program that played it.

    Raises:
        Refused: a ruling names a time that is over.
    """
    last, keys = before.entry, _keys_after(before.entry.keys, move)
    entry = Entry(last.serial + 1, hashed, at=at, engine=engine, move=move, keys=keys, notices=last.notices)
    if m.stop == before.match.stop:
        entry.opened_stop = last.opened_stop or m.stop
        entry.opened_hash = last.opened_hash or hashed
    entry.reported = {s: last.serial if s in last.reports else last.reported[s] for s in m.seats}
    if move.get("ruling") == "substitute":  # whoever takes a seat over is told all that the seat was told
        entry.reported[move["seat"]] = -1
    entry.reports = _readers(before.match, m, move)
    _wait(entry, before, m, move)
    return entry


def _keys_after(keys: dict[str, str], move: Mapping[str, Any]) -> dict[str, str]:
    """Return the registered keys: a ruling registers one, and that of a seat's former holder is gone."""
    if move.get("ruling") == "key":
        return {**keys, move["seat"]: move["key"]}
    if move.get("ruling") == "substitute":
        return {seat: key for seat, key in keys.items() if seat != move["seat"]}
    return keys


_ASKED_ANEW = frozenset({"rollback", "correct", "go"})
"""The rulings after which everybody has the whole time to answer again."""


def _still_waiting(before: Save, m: Match, move: Mapping[str, Any]) -> list[str]:
    """Return the seats that are waited for as they were before, so that their time goes on.

    Within a stop nothing changes, so that nobody sees who has answered a sealed question. When it closes, all who were asked
    have answered, and whoever is asked next is asked anew; a ruling leaves the time as it is of whoever is still asked.
    """
    asked, question = before.entry.asked, pending(m)
    if m.stop == before.match.stop:
        return list(asked)
    if move["kind"] != "ruling" or move["ruling"] in _ASKED_ANEW or question is None:
        return []
    replaced = move["seat"] if move["ruling"] == "substitute" else ""
    return [seat for seat in question.seats if seat in asked and seat != replaced]


def _wait(entry: Entry, before: Save, m: Match, move: Mapping[str, Any]) -> None:
    """Write down since when, and until when at least, each seat is waited for.

    Raises:
        Refused: a ruling names a time that is over.
    """
    last, question, still = before.entry, pending(m), _still_waiting(before, m, move)
    entry.asked = {seat: last.asked[seat] if seat in still else entry.at for seat in (question.seats if question else ())}
    until = {seat: last.until[seat] for seat in entry.asked if seat in still and seat in last.until}
    if move.get("ruling") == "extend":
        if move["until"] <= entry.at:
            raise Refused(f"The time {move['until']} is over.", "Name a later one.")
        until |= dict.fromkeys([move["seat"]] if "seat" in move else entry.asked, move["until"])
    entry.until = {seat: until[seat] for seat in entry.asked if seat in until}


def _readers(before: Match, m: Match, move: Mapping[str, Any]) -> list[str]:
    """Return the seats that get a report: the sender, who is asked now, who was told something alone; at last everybody."""
    if move.get("ruling") == "extend" or (m.stop != before.stop and (m.over or move["kind"] in ("begin", "ruling"))):
        return m.seats[:]
    concerned = {event["only"] for event in m.events if "only" in event} | {move.get("seat", "")}
    question = pending(m)
    if question is not None and m.stop != before.stop:
        concerned |= set(question.seats)
    return [seat for seat in m.seats if seat in concerned]
