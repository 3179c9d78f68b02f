"""How results come into an event: read from finished matches, ruled, corrected, withdrawn; each a pure function of a step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from referee.errors import NotNow, Refused, Usage
from referee.fields import replace

from .event import Event, Ruling, Sheet, Step
from .rounds import Outcome, Pairing


def ruled(event: Event, step: Step, what: str) -> Event:
    """Return the event with one more ruling; the reason is what people read."""
    why = step.data.get("why", "")
    if not why:
        raise Usage("A ruling needs a reason, which all players read.", "Give it with --why TEXT.")
    return replace(event, rulings=(*event.rulings, Ruling(step.at, what, why)))


def outcome_of(row: Mapping[str, Any], table: int) -> Outcome:
    """Return an outcome as it stands in a step.

    Example:
        >>> outcome_of({"places": {"alice": 1, "bob": 2}, "how": "played"}, 3).places["bob"]
        2
    """
    scores, absent = row.get("scores", {}), tuple(row.get("absent", ()))
    return Outcome(table, dict(row["places"]), dict(scores), row["how"], absent)


def check_outcome(pairing: Pairing, outcome: Outcome) -> None:
    """Check that an outcome is one of those who sat at a table.

    Raises:
        Refused: it names others, or places that no order gives.
    """
    if set(outcome.places) != set(pairing.seats):
        names = ", ".join(pairing.seats)
        raise Refused(f"The result of table {pairing.table} does not name those who sit there.", f"They are {names}.")
    if not {*outcome.absent, *outcome.scores} <= set(pairing.seats):
        raise Refused(f"The result of table {pairing.table} names somebody who does not sit there.", "Mend the name.")
    places = sorted(outcome.places.values())
    if any(place != 1 + sum(other < place for other in places) for place in places):
        raise Refused(f"The places {places} at table {pairing.table} are none.", "Shared places are equal: 1, 1, 3 or 1, 2, 2.")
    if outcome.how not in ("played", "adjudicated", "forfeit"):
        raise Refused(f"A match cannot end as {outcome.how!r}.", "It is played, adjudicated or forfeit.")


def _with_outcome(event: Event, number: int, outcome: Outcome, proof: tuple[int, str] | None) -> Event:
    sheet = event.sheet(number)
    check_outcome(event.pairing(number, outcome.table), outcome)
    proofs = {table: one for table, one in sheet.proofs.items() if table != outcome.table}
    if proof:
        proofs[outcome.table] = proof
    outcomes = {**sheet.round.outcomes, outcome.table: outcome}
    changed = sheet._replace(round=sheet.round._replace(outcomes=outcomes), proofs=proofs, void=sheet.void - {outcome.table})
    return _with_sheet(event, changed)


def _with_sheet(event: Event, sheet: Sheet) -> Event:
    at = sheet.round.number - 1
    return replace(event, sheets=(*event.sheets[:at], sheet, *event.sheets[at + 1 :]))


def take_results(event: Event, step: Step) -> Event:
    """Take results that were read from finished matches, by match, each with the save that it was read from."""
    by_round: dict[int, dict[int, Mapping[str, Any]]] = {}
    for match, row in step.data["results"].items():
        number, table = row["round"], row["table"]
        pairing = event.pairing(number, table)
        if pairing.is_bye or match != event.match_id(number, table):
            raise Refused(f"The match {match!r} is none of {event.plan.id}.", "Only its own matches count.")
        if table in event.sheet(number).round.outcomes:
            raise Refused(f"{match} has a result already.", "`rule correct` replaces it.")
        check_outcome(pairing, outcome_of(row, table))
        by_round.setdefault(number, {})[table] = row
    for number, rows in by_round.items():
        event = _with_sheet(event, _filled(event.sheet(number), rows))
    return _without_no_shows(event, step)


def _filled(sheet: Sheet, rows: Mapping[int, Mapping[str, Any]]) -> Sheet:
    outcomes = {**sheet.round.outcomes, **{table: outcome_of(row, table) for table, row in rows.items()}}
    proofs = {**sheet.proofs, **{table: (row["serial"], row["hash"]) for table, row in rows.items()}}
    return sheet._replace(round=sheet.round._replace(outcomes=outcomes), proofs=proofs)


def _without_no_shows(event: Event, step: Step) -> Event:
    """Take out whoever never began so many of the matches as the plan says, one of those of this step among them."""
    most = event.plan.no_shows
    absent = Counter(name for sheet in event.sheets for one in sheet.round.outcomes.values() for name in one.absent)
    new = {name for row in step.data["results"].values() for name in row.get("absent", ())}
    gone = [name for name in sorted(new) if most and absent[name] >= most and not event.players[name].away]
    if not gone:
        return event
    players = {**event.players, **{name: event.players[name]._replace(away=True) for name in gone}}
    told = [Ruling(step.at, f"{name} withdraws", f"No-shows: {absent[name]}.") for name in gone]
    return replace(event, players=players, rulings=(*event.rulings, *told))


def adjudicate(event: Event, step: Step) -> Event:
    """Give results to tables that have none, by the published rule or the director's word."""
    for match, row in step.data["results"].items():
        number, table = row["round"], row["table"]
        if match != event.match_id(number, table):
            raise Refused(f"The match {match!r} is none of {event.plan.id}.", "Only its own matches count.")
        if table in event.sheet(number).round.outcomes:
            raise Refused(f"{match} has a result already.", "`rule correct` replaces it.")
        proof = (row["serial"], row["hash"]) if row.get("hash") else None
        event = _with_outcome(event, number, outcome_of(row, table), proof)
        event = ruled(event, step, f"{match} is ruled: {_said(row)}")
    return _without_no_shows(event, step)


def correct(event: Event, step: Step) -> Event:
    number, table = step.data["round"], step.data["table"]
    if table not in event.sheet(number).round.outcomes or event.pairing(number, table).is_bye:
        raise NotNow(f"Table {table} of round {number} has no result that could be corrected.", "`rule adjudicate` gives one.")
    event = _with_outcome(event, number, outcome_of(step.data, table), None)
    return ruled(event, step, f"{event.match_id(number, table)} is corrected: {_said(step.data)}")


def annul(event: Event, step: Step) -> Event:
    """Return the event after the director took a result back; its table waits for a ruling."""
    number, table = step.data["round"], step.data["table"]
    sheet = event.sheet(number)
    if table not in sheet.round.outcomes or event.pairing(number, table).is_bye:
        raise NotNow(f"Table {table} of round {number} has no result that could be withdrawn.", "Look at the status.")
    outcomes = {other: one for other, one in sheet.round.outcomes.items() if other != table}
    proofs = {other: one for other, one in sheet.proofs.items() if other != table}
    changed = Sheet(sheet.round._replace(outcomes=outcomes), sheet.at, sheet.ends, sheet.stagger, proofs, sheet.void | {table})
    return ruled(_with_sheet(event, changed), step, f"{event.match_id(number, table)} is without a result: it is withdrawn")


def _said(row: Mapping[str, Any]) -> str:
    """Return the places of a result in words."""
    return ", ".join(f"{name} {place}" for name, place in sorted(row["places"].items(), key=lambda one: (one[1], one[0])))
