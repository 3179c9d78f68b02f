"""What the reports of an event are made of: pairings, standings and progress, as plain data out of what a reader may know.

No event and no match is reached from here; sentences that never change are in the templates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from referee.clock import Settings as Clock
from referee.clock import spoken, utc
from referee.errors import Usage
from referee.tournament import standings
from referee.tournament.columns import Table, column, fit
from referee.tournament.ledger import Game, Ledger, ledger
from referee.tournament.rounds import Outcome, Pairing, Round
from referee.tournament.scoring import SIZES, shown
from referee.tournament.tiebreaks import TIEBREAKS

if TYPE_CHECKING:
    from referee.tournament import views

Page = dict[str, Any]

BAR = 20
"""How many signs a bar of progress has."""
NAME = 24
"""How many columns of a person's name are shown."""


def when(time: str) -> str:
    """Return a time in UTC as people read it; "" for none.

    Example:
        >>> when("2026-12-03T17:00:00Z"), when("")
        ('Thursday 3 December 2026, 17:00 (UTC)', '')
    """
    return spoken(Clock(), utc(time)) if time else ""


def labels(view: views.EventView) -> dict[str, str]:
    """Return how each player is called in lists: the seat, and the person's name, cut short, where all may know it.

    Example:
        >>> from referee.tournament.reports import blank
        >>> labels(blank())
        {'alice': 'alice', 'bob': 'bob'}
    """
    return {one.player: f"{one.player} ({fit(one.name, NAME)})" if one.name else one.player for one in view.entrants}


# Pairings


def pairings(view: views.EventView, number: int) -> Page:
    """Return the tables of one round, with the results that are known.

    Args:
        view: what the reader may know.
        number: which round; 0 for the newest, which for the director may be a draft.

    Raises:
        Usage: there is no such round.

    Example:
        >>> from referee.tournament.reports import blank
        >>> pairings(blank(), 0)["tables"][0]["rows"]
        [['1', 'alice', 'bob', '1 : 0']]
    """
    found = _round(view, number)
    if found is None:
        return {"heading": "entries", "tables": [_entrants(view)], "draft": False, "ends": "", "note": False}
    one, draft = found
    before = ledger(view.field._replace(rounds=tuple(r for r in view.field.rounds if r.number < one.number)), view.scoring)
    after = ledger(view.field, view.scoring)
    names = list(dict.fromkeys(pairing.group for pairing in one.pairings))
    tables = [_pairings_table(view, one, name, before, after) for name in names]
    ends = next((table.ends for table in view.tables if table.round == one.number), "")
    return {
        "heading": f"pairings of round {one.number}",
        "tables": tables,
        "draft": draft,
        "ends": when(ends),
        "rule": view.deadline_rule,
        "note": one.number > 1,
    }


def _round(view: views.EventView, number: int) -> tuple[Round, bool] | None:
    """Return a round and whether it is a draft; nothing if no round is known yet."""
    rounds = view.field.rounds
    if view.draft and number in (0, len(rounds) + 1):
        return Round(len(rounds) + 1, view.draft, {}), True
    if not rounds and not number:
        return None
    if number > len(rounds) or number < 0:
        known = f"Rounds 1 to {len(rounds)} are published." if rounds else "No round is published."
        raise Usage(f"The event {view.id} has no round {number}.", known)
    return rounds[number - 1], False


def _entrants(view: views.EventView) -> Table:
    columns = [column("No.", "pairing number", right=True, key=True), column("Player", grows=True, key=True)]
    rated = any(one.rating for one in view.entrants)
    columns += [column("Rating", right=True)] if rated else []
    columns.append(column("State"))
    called = labels(view)
    rows = []
    for one in view.entrants:
        rating = [str(one.rating or "")] if rated else []
        rows.append([str(one.number), called[one.player], *rating, _standing_of(one)])
    return {"caption": "", "columns": columns, "rows": rows}


def _standing_of(one: views.Entrant) -> str:
    state = "withdrawn" if one.state == "withdrawn" else f"from round {one.joined}" if one.joined > 1 else "plays"
    return f"{state}, {one.notes}" if one.notes else state


def _pairings_table(view: views.EventView, one: Round, group: str, before: Ledger, after: Ledger) -> Table:
    wide = max((len(pairing.seats) for pairing in one.pairings), default=2) > 2
    columns = [column("Table", right=True, key=True)]
    columns += (
        [column("Players, by seat", grows=True)]
        if wide
        else [column("First seat", grows=True), column("Second seat", grows=True)]
    )
    columns.append(column("Result", grows=wide))
    states = {(table.round, table.table): table.state for table in view.tables}
    rows = []
    for pairing in one.pairings:
        if pairing.group == group:
            names = [_with_points(player, before, one.number) for player in pairing.seats]
            cells = [", ".join(names)] if wide else [names[0], names[1] if len(names) > 1 else "nobody"]
            result = _result(one, pairing, after, states.get((one.number, pairing.table), ""))
            rows.append([str(pairing.table), *cells, result])
    return {"caption": group_title(group), "columns": columns, "rows": rows}


def group_title(group: str) -> str:
    """Return what a group is called above its table.

    Example:
        >>> group_title("A"), group_title("grand-final"), group_title("")
        ('Group A', 'Grand final', '')
    """
    known = {
        "final": "Final", "finals": "Finals", "third": "Match for the third place", "winners": "Winners' bracket",
        "losers": "Losers' bracket", "grand-final": "Grand final", "reset": "Grand final, played again",
        "final-group": "Final group",
    }  # fmt: skip
    return known.get(group, f"Group {group}" if group else "")


def _with_points(player: str, before: Ledger, number: int) -> str:
    if number == 1 or player not in before.points:
        return player
    return f"{player} ({shown(before.points[player], before.scale.unit)})"


def _result(one: Round, pairing: Pairing, after: Ledger, state: str) -> str:
    """Return how a table ended: what each got, in the order of the seats, and how if it was not simply played."""
    outcome = one.outcomes.get(pairing.table)
    if outcome is None:
        return "bye" if pairing.is_bye else state
    games = {player: _game(after, player, one.number, pairing) for player in pairing.seats}
    got = {player: shown(game.points, after.scale.unit) for player, game in games.items()}
    if pairing.is_bye:
        return f"bye, {got[pairing.seats[0]]}"
    if len(pairing.seats) == 2:
        text = " : ".join(got.values())
    else:
        text = ", ".join(f"{place_of(outcome, player)} {player} {got[player]}" for player in _by_place(outcome, pairing))
    return f"{text}{_how(outcome)}"


def _game(after: Ledger, player: str, number: int, pairing: Pairing) -> Game:
    """Return a player's game at a table; a player may sit at several tables of one round."""
    games = [game for game in after.games[player] if game.round == number]
    others = set(pairing.seats) - {player}
    return next((game for game in games if {*game.met, *game.missing} == others), games[0])


def place_of(outcome: Outcome, player: str) -> str:
    """Return a place as it is printed; a sign of equality says that it is shared.

    Example:
        >>> place_of(Outcome(1, {"alice": 1, "bob": 1, "carol": 3}), "alice")
        '1='
    """
    if player in outcome.absent:
        return "absent"
    place = outcome.places[player]
    return f"{place}=" if list(outcome.places.values()).count(place) > 1 else str(place)


def _by_place(outcome: Outcome, pairing: Pairing) -> list[str]:
    return sorted(pairing.seats, key=lambda player: (player in outcome.absent, outcome.places[player]))


def _how(outcome: Outcome) -> str:
    if outcome.how == "forfeit":
        return f" ({', '.join(outcome.absent)} did not play)" if outcome.absent else " (forfeit)"
    return " (ruled)" if outcome.how == "adjudicated" else ""


# Standings


def standing(view: views.EventView) -> Page:
    """Return the standing after all matches that are over, a table for each group.

    Example:
        >>> from referee.tournament.reports import blank
        >>> standing(blank())["tables"][0]["rows"]
        [['1', 'alice', '1', '1'], ['2', 'bob', '0', '0']]
    """
    rows = standings.table(view.field, view.scoring, view.tiebreaks)
    names = list(dict.fromkeys(row.group for row in rows))
    tables = [_standing_table(view, [row for row in rows if row.group == name], name) for name in names]
    last = view.field.rounds[-1] if view.field.rounds else None
    return {
        "heading": f"standing after round {last.number}" if last and last.is_over else "standing",
        "tables": tables,
        "over": len(last.outcomes) if last else 0,
        "of": len(last.pairings) if last else 0,
        "last": last.number if last else 0,
        "legend": [(TIEBREAKS[name].short, TIEBREAKS[name].title, TIEBREAKS[name].about) for name in view.tiebreaks],
        "scoring": scoring_lines(view),
        "swiss": view.scoring.get("unplayed", "swiss") == "swiss",
        "progress": view.scoring.get("rank", "points") != "points",
    }


def _standing_table(view: views.EventView, rows: Sequence[standings.Row], group: str) -> Table:
    rated = {one.player: str(one.rating or "") for one in view.entrants} if any(one.rating for one in view.entrants) else {}
    columns = [column("Place", right=True, key=True), column("Player", grows=True, key=True)]
    columns += [column("Rating", right=True)] if rated else []
    columns.append(column("Points", right=True))
    columns += [column(TIEBREAKS[name].short, TIEBREAKS[name].title, right=True) for name in view.tiebreaks]
    called, gone = labels(view), {one.player for one in view.entrants if one.state == "withdrawn"}
    sharers = Counter(row.place for row in rows)
    cells = []
    for row in rows:
        place = f"{row.place}=" if sharers[row.place] > 1 else str(row.place)
        name = called.get(row.player, row.player) + (", withdrawn" if row.player in gone else "")
        cells.append([place, name, *([rated.get(row.player, "")] if rated else []), row.points, *row.values])
    return {"caption": group_title(group), "columns": columns, "rows": cells}


def scoring_lines(view: views.EventView) -> list[str]:
    """Return what places, free rounds and forfeits are worth, a sentence each.

    Example:
        >>> from referee.tournament.reports import blank
        >>> scoring_lines(blank())[0]
        'Points by place at a table of 2: 1 0.'
    """
    scoring, seats = view.scoring, view.field.seats
    sizes = [size for size in SIZES if size == seats or (seats > 2 and 2 < size < seats)]
    if scoring.get("points", "places") == "places":
        lines = [f"Points by place at a table of {size}: {scoring[f'points-{size}']}." for size in sizes]
        lines.append("Those who share a place share what the places are worth.")
    else:
        what = {"score": "the game's own score", "share": "its part of all scores of the table"}[str(scoring["points"])]
        lines = [f"A game is worth {what}."]
    words = {
        "bye": "a bye",
        "forfeit-win": "a forfeit of the others",
        "forfeit-loss": "not playing",
        "sit-out": "not being paired",
    }
    lines.append("; ".join(f"{text}: {scoring[name]}" for name, text in words.items()).capitalize() + ".")
    return lines


# Progress


def progress(view: views.EventView) -> Page:
    """Return the matches that go on, round by round, those with the nearest end first.

    Example:
        >>> from referee.tournament.reports import blank
        >>> progress(blank())["rounds"][0]["bar"]
        '####################'
    """
    rounds = []
    for one in view.field.rounds:
        tables = [table for table in view.tables if table.round == one.number and table.state != "bye"]
        open_ = sorted((t for t in tables if t.state != "over"), key=lambda t: (t.ends, t.since or "~", t.table))
        if open_ or one is view.field.rounds[-1]:
            rounds.append(_progress_of(one.number, tables, open_))
    late = sorted({seat for table in view.tables for seat in table.asked})
    return {"heading": "progress of the matches", "rounds": rounds, "waits": late, "rule": view.deadline_rule}


def _progress_of(number: int, tables: Sequence[views.Table], open_: Iterable[views.Table]) -> Page:
    over = sum(table.state == "over" for table in tables)
    columns = [
        column("Match", key=True), column("Players", grows=True), column("State"),
        column("Waits for", grows=True), column("Until", grows=True),
    ]  # fmt: skip
    rows = [
        [
            table.match or f"table {table.table}",
            ", ".join(table.seats),
            f"{table.state}, stop {table.stop}" if table.stop else table.state,
            ", ".join(table.asked) or "nobody",
            table.until or when(table.ends) or "no deadline",
        ]
        for table in open_
    ]
    done = BAR * over // len(tables) if tables else BAR
    return {
        "number": number,
        "over": over,
        "of": len(tables),
        "bar": "#" * done + "." * (BAR - done),
        "ends": when(next((table.ends for table in tables), "")),
        "table": {"caption": "", "columns": columns, "rows": rows} if rows else None,
    }
