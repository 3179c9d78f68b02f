"""Variants, Guarded spacestations: whoever wants to dock at a Station of the Alliance or the Renegades fights its guard."""

from __future__ import annotations

from referee.kit import Match, step

from . import galaxy
from .group import dockers
from .mats import captain_of, draw, put_away
from .pirates import fight_together, named_ship


@step
def meet_guard(m: Match, who: str) -> None:
    """Variants, Guarded spacestations; PL-36: the guard is new at every docking; an undecided battle lets a ship dock."""
    place = m.table.turn.docking.place
    stopped = [seat for seat in dockers(m, who) if is_stopped(m, seat, place)]
    if stopped:
        guard = guard_of(m, place)
        m.reveal("guard", who=stopped[0], place=place, raider=guard, name=m.components["raiders"][guard]["name"])
        m.table.turn.beside = stopped
        m.do(fight_together(raider=guard, cause="guard", docking=True))


def is_stopped(m: Match, who: str, place: str) -> bool:
    """Variants, Guarded spacestations: the Alliance lets captains on the Path of Fame pass; neutral Stations have no guard."""
    if not m.options["guarded-stations"] or galaxy.body(m, place) != "station":
        return False
    faction = galaxy.faction(m, place)
    return faction == "renegade" or (faction == "league" and captain_of(m, who).path != "fame")


def guard_of(m: Match, place: str) -> str:
    """Variants, Guarded spacestations: return an Alliance Cruiser, or a random Pirate at a Renegade Station."""
    if galaxy.faction(m, place) == "league":
        return named_ship(m, "alliance cruiser")
    [pirate] = draw(m, "pirates")
    put_away(m, "pirates", pirate)
    return pirate
