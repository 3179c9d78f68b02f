"""How scenarios of The Cosmic League lay out the table.

Plainly alice is on yellow and bob on violet, both with 10 Megagalax, their start card and an empty hand; no goods lie
anywhere, and alice is on turn. Goods are written with both sides, `green 2/blue 3`. The cards of a set that a scenario does
not place lie in the pile, or, if it lists the pile, in the discards. `top` names the next cards to be drawn.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from games.cosmic_league.places import chart
from games.cosmic_league.setup import START, card_set
from games.cosmic_league.table import Captain, Goods, Table, Turn
from referee.match import Match
from referee.see import Record

from ..runner import overlay

AGENDA = [{"do": "choose", "who": "alice"}, {"do": "pass_die", "who": "alice"}]


def goods(text: str) -> Goods:
    """Read a goods card: the side that shows, and the back."""
    front, back = text.split("/")
    to, mg = front.split()
    return Goods(to=to, mg=int(mg), back=back)


def shown(record: Record) -> Any:
    """Return a goods card as it is written in scenarios."""
    assert isinstance(record, Goods)
    return f"{record.to} {record.mg}/{record.back}"


def position(m: Match, given: Mapping[str, Any]) -> None:
    """Lay out the plain position with what a scenario changes in it."""
    places = dict(zip(m.seats, ("yellow", "violet"), strict=True))
    captains = {seat: Captain(place=places[seat], mg=10, technologies=[START]) for seat in m.seats}
    planets = {planet: [] for planet in chart(m.components).planets}
    changes = {seat: dict(captain) for seat, captain in given.get("captains", {}).items()}
    tops = {seat: captain.pop("top", []) for seat, captain in changes.items()}
    m.table = Table(captains=captains, planets=planets, turn=Turn(who="alice", number=1))
    overlay(m.table, {**given, "captains": changes}, {Goods: goods})
    for seat, captain in captains.items():
        complete(m, captain, changes.get(seat, {}), tops.get(seat, []))
    if "removed" not in given:
        lying = [*planets_of(m), *(load for captain in captains.values() for load in captain.holds.values())]
        m.table.removed = len(m.components["goods"]) - sum(map(len, lying))
    if "price" not in given.get("turn", {}):
        m.table.turn.price = len(captains[m.table.turn.who].technologies)


def planets_of(m: Match) -> list[list[Goods]]:
    """Return the goods at each planet."""
    return list(m.table.planets.values())


def complete(m: Match, captain: Captain, given: Mapping[str, Any], top: list[str]) -> None:
    """Give a captain the containers of the technologies, and the rest of the card set."""
    holds = sum(m.components["cards"][card].get("holds", 0) for card in captain.technologies)
    captain.holds = {name: captain.holds.get(name, []) for name in (f"hold {n}" for n in range(1, holds + 1))}
    held = Counter(captain.technologies + captain.hand + captain.pile + captain.discards + top)
    rest = list((Counter(m.components.recall(card_set)) - held).elements())
    if "pile" in given:
        captain.discards = rest + captain.discards
    else:
        captain.pile = rest + top[::-1]
