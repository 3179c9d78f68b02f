"""The reports of an event: pairings by round, crosstable, standing, bracket, and the progress of its matches.

What a reader may know goes in (`views.EventView`), plain data goes to the templates in `templates/tournament`, and text of
72 columns or one HTML file comes out; both say the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from referee.errors import Usage
from referee.report import clean
from referee.templating import render as fill
from referee.tournament import pages, scoring
from referee.tournament.columns import with_lines
from referee.tournament.crosstable import crosstable
from referee.tournament.picture import bracket

if TYPE_CHECKING:
    from referee.tournament.views import EventView

Form = Literal["text", "html"]

NAMES = ("pairings", "crosstable", "standings", "bracket", "progress")
"""What can be asked for."""
_STATES = {"entries": "Entries are open.", "running": "It goes on.", "closed": "It is over."}


def render(view: EventView, name: str, form: Form, *, round: int = 0, user_folder: Path | None = None) -> str:
    """Return one report, ending in a line end.

    Args:
        view: what its reader may know.
        name: one of `NAMES`.
        form: `text` (UTF-8, 72 columns, no control characters) or `html` (one file that needs nothing else).
        round: the round of the pairings; 0 for the newest.
        user_folder: templates of the director's own, which come first.

    Raises:
        Usage: there is no such report, no such round, or no bracket.
        TemplateFault: a template is missing or cannot be used.

    Example:
        >>> print(render(blank(), "standings", "text").splitlines()[0])
        Spring Cup: standing after round 1
    """
    context = clean(_plain(prepared(view, name, round)))
    if form == "text":
        context = _with_lines(context)
    text = fill(f"tournament/{name}.{'html' if form == 'html' else 'txt'}.j2", context, user_folder=user_folder)
    return text.rstrip("\n") + "\n"


def prepared(view: EventView, name: str, round: int = 0) -> dict[str, Any]:
    """Return what a report is made of, as plain data.

    Raises:
        Usage: there is no such report, no such round, or no bracket.

    Example:
        >>> sorted(prepared(blank(), "progress"))
        ['report', 'rounds', 'rule', 'waits']
    """
    made: dict[str, Callable[[EventView], dict[str, Any]]] = {
        "pairings": lambda view: pages.pairings(view, round),
        "crosstable": crosstable,
        "standings": pages.standing,
        "bracket": bracket,
        "progress": pages.progress,
    }
    if name not in made:
        raise Usage(f"There is no report {name} of an event.", f"Reports are {', '.join(NAMES)}.")
    page = made[name](view)
    return {"report": {**_head(view), "heading": page.pop("heading")}, **page}


def blank() -> EventView:
    """Return the smallest event that can be reported: two players, and one match that is over.

    Example:
        >>> blank().field.players
        ('alice', 'bob')
    """
    from referee.tournament.rounds import Field, Outcome, Pairing, Round
    from referee.tournament.views import Entrant, EventView, Table

    seats = ("alice", "bob")
    over = {1: Outcome(1, {"alice": 1, "bob": 2})}
    field = Field(seats, seats, (Round(1, (Pairing(1, seats),), over),), {"rounds": 1})
    return EventView(
        id="spring", title="Spring Cup", game="Toy", format="swiss", format_title="Swiss system", settings=field.settings,
        scoring=scoring.defaults("swiss"), tiebreaks=("wins",), deadline_rule="", anonymous=False, state="running",
        for_director=False, entrants=(Entrant(1, "alice"), Entrant(2, "bob")), field=field, draft=(),
        tables=(Table(1, 1, "", seats, "spring-1-1", "over", ends="2026-12-24T18:00:00Z"),), rulings=(),
        commitment="0" * 64, seed="", at="2026-11-30T09:00:00Z",
    )  # fmt: skip


def _head(view: EventView) -> dict[str, Any]:
    return {
        "title": view.title or view.id,
        "event": view.id,
        "game": view.game,
        "format": view.format_title,
        "state": _STATES[view.state],
        "players": len(view.entrants),
        "at": pages.when(view.at),
        "rule": view.deadline_rule,
        "anonymous": view.anonymous and not view.for_director,
        "director": view.for_director,
        "commitment": view.commitment,
        "seed": view.seed,
        "rulings": [{"what": one.what, "why": one.why, "at": pages.when(one.at)} for one in view.rulings],
    }


def _plain(value: Any) -> Any:
    """Return data with lists for tuples: what is cleaned has no other collections."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _with_lines(value: Any) -> Any:
    """Return data whose tables have their lines of text; made from clean names, so that columns stay straight."""
    if isinstance(value, dict):
        if "columns" in value and "rows" in value:
            return with_lines(value)  # type: ignore[arg-type]
        return {key: _with_lines(item) for key, item in value.items()}
    return [_with_lines(item) for item in value] if isinstance(value, list) else value
