"""What may never go wrong on the table: money, tokens and cards are conserved (rulebook: Box contents)."""

from __future__ import annotations

from collections import Counter

from referee.kit import Match

from .battle_deck import check_battle
from .data import in_play
from .deals import check_deals
from .galaxy import CENTRAL
from .leagues import FEWEST
from .mats import aboard, alive, captain_of, cargo_space, most_fuel, most_structure, ship_of, slots
from .table import Ship

LEVELS = range(1, 9)


def check(m: Match) -> None:
    """Assert that nothing is lost or doubled, and that no number leaves its bounds."""
    if not m.table.supply:
        return
    _check_money(m)
    _check_tokens(m)
    _check_decks(m)
    _check_improvements(m)
    _check_galaxy(m)
    check_battle(m)
    check_deals(m)
    _check_leagues(m)
    for seat in m.seats:
        _check_captain(m, seat)


def _check_money(m: Match) -> None:
    held = sum(captain.money for captain in m.table.captains.values())
    assert held + m.table.bank == 0, "money was lost or made"
    assert all(captain.money >= 0 for captain in m.table.captains.values()), "negative money"


def _check_tokens(m: Match) -> None:
    for goods, row in m.components["tokens"].items():
        aboard = sum(ship.cargo.get(goods, 0) for ship in m.table.ships.values())
        there = m.table.supply[goods] + aboard - m.table.substitutes[goods]
        assert there == row["count"], f"tokens of {goods} were lost or made"
        assert min(m.table.supply[goods], m.table.substitutes[goods]) >= 0, f"negative supply of {goods}"
        assert all(ship.cargo.get(goods, 0) >= 0 for ship in m.table.ships.values()), f"negative cargo of {goods}"


def _check_decks(m: Match) -> None:
    table = m.table
    held = {
        "missions": [x.code for c in table.captains.values() for x in c.missions]
        + [code for c in table.captains.values() for code in c.offered],
        "docking": [card for c in table.captains.values() for card in c.sighted],
        "aliens": [card for c in table.captains.values() for card in c.aliens],
    }
    turned = [frame["card"] for frame in m.agenda if frame["do"] == "navigate"]
    for deck in ("missions", "hyperspace", "docking", "aliens"):
        cards = Counter(getattr(table, deck) + table.discards.get(deck, []) + held.get(deck, []))
        cards += Counter(turned if deck == "hyperspace" else _boarding(m) if deck == "aliens" else [])
        assert cards == Counter(in_play(m, deck)), f"cards of the deck {deck} were lost or doubled"
    raiders = table.pirates + table.alliance + table.discards.get("pirates", []) + table.discards.get("alliance", [])
    assert sorted(raiders) == sorted(in_play(m, "raiders")), "non-player ships were lost or doubled"


def _boarding(m: Match) -> list[str]:
    """Return the Alien that stands at the door: its captain is just asked whether to take it along."""
    frames = [frame for frame in m.agenda if frame["do"] == "take_aboard"]
    return [frame["card"] for frame in frames]


def _check_improvements(m: Match) -> None:
    aboard = [card for ship in m.table.ships.values() for card in ship.installed + ship.stored]
    assert sorted(m.table.improvements + aboard) == sorted(in_play(m, "improvements")), "Improvements were lost or doubled"
    for ship in m.table.ships.values():
        assert set(ship.broken) <= {*ship.installed, *ship.stored}, "a broken Improvement that is not on board"
        assert len(ship.broken) == len(set(ship.broken)), "an Improvement is broken twice"


def _check_galaxy(m: Match) -> None:
    tiles = [half for tile in m.table.hexes.values() for half in (tile.red, tile.orange) if half]
    assert sorted(tiles) == sorted(m.components["systems"]), "half-hexes were lost or doubled"
    known = {half for tile in m.table.hexes.values() if tile.known for half in (tile.red, tile.orange)}
    assert CENTRAL in known, "Central is hidden"
    for ship in m.table.ships.values():
        assert ship.place in known, "a ship in an unexplored hex"
        assert not ship.docked or m.components["systems"][ship.place].get("body"), "a ship docked to nothing"
        assert not ship.blockaders or ship.docked, "a blockade of a ship that is not docked"
    assert not m.table.token or m.table.token in known, "the Pirate token in an unexplored hex"


def _check_leagues(m: Match) -> None:
    living = alive(m)
    members = [seat for league in m.table.leagues for seat in league.members]
    assert len(members) == len(set(members)), "a captain in two Leagues"
    for group in (*m.table.leagues, *m.table.travels):
        assert len(group.members) >= FEWEST, "a League of one"
        assert group.turn_of in group.members, "a League has its turn at the place of a stranger"
        assert set(group.members) <= set(living), "a dead member"
    assert m.table.turn.who not in m.table.turns, "a member waits for the part of a turn that he has"
    turns = {captain_of(m, seat).turns for seat in living} if m.table.first else {0}
    assert max(turns, default=0) - min(turns, default=0) <= 1, "a captain had more turns than the rounds"


def _check_captain(m: Match, who: str) -> None:
    captain = captain_of(m, who)
    assert captain.recognition in LEVELS, "Recognition off the dial"
    assert bool(captain.path) <= (captain.recognition >= 4), "a path below level 4"
    if captain.ship and not captain.dead:
        for name in captain.ships:
            with aboard(m, who, name):
                _check_ship(m, who, ship_of(m, who))


def _check_ship(m: Match, who: str, ship: Ship) -> None:
    if ship.wreck:
        return
    asked = bool(m.agenda) and m.agenda[-1]["do"] in ("jettison_surplus", "jettison")
    assert asked or sum(ship.cargo.values()) <= cargo_space(m, who), "more cargo than space"
    assert 0 <= ship.fuel <= most_fuel(m, who), "Fuel off the dial"
    assert 0 <= ship.structure <= most_structure(m, who), "Structure off the dial"
    assert len(ship.installed) <= slots(m, who), "more Improvements than slots"
