"""Docking to a Space Station or Planet: how many Docking cards a captain or a group draws."""

from __future__ import annotations

from referee.kit import Match

from . import galaxy
from .group import most_needed
from .mats import captain_of, open_illegal
from .turn_state import printed

FAME_LEVELS = (6, 4)
"""From which levels on a mat shows other numbers of Docking cards, the highest first."""


def docking_cards(m: Match, who: str, place: str) -> int:
    """Docking to a Space Station or Planet; PL-37: the number on the mat, and one more in all for illegal cargo."""
    count = on_mat(m, who, place)
    if open_illegal(m, who) and not m.has("unnoticed", who):
        count += printed(m, "illegal-cards")
    if galaxy.body(m, place) == "station":
        count = m.value("station-cards", count, who)
    return max(0, int(count))


def cards_for_group(m: Match, seats: list[str], place: str) -> int:
    """Moving as a Group; PL-98: the highest number for any member; captains and cards that make it less are ignored."""
    column = "station-cards" if galaxy.body(m, place) == "station" else ""
    illegal = {seat: printed(m, "illegal-cards") if open_illegal(m, seat) else 0 for seat in seats}
    return most_needed(m, seats, column, lambda seat: on_mat(m, seat, place) + illegal[seat])


def on_mat(m: Match, who: str, place: str) -> int:
    """Docking to a Space Station or Planet; Variants, Thematically correct docking: return the number of Docking cards."""
    mat = m.components["thematic" if m.options["thematic-docking"] else "mat"]
    return int(mat[galaxy.faction(m, place)][mat_column(m, who)])


def mat_column(m: Match, who: str) -> str:
    """Docking to a Space Station or Planet: return which column of the mat counts for a captain."""
    captain = captain_of(m, who)
    level = next((level for level in FAME_LEVELS if captain.path and captain.recognition >= level), 0)
    return f"{captain.path}-{level}" if level else "neutral"
