"""How scenarios of The Phantom League lay out the table.

Plainly the whole galaxy is face up, all tokens are in the supply, and every seat has a captain without numbers of its own, a
Spaceship at Central in space with full dials, and no Improvement; it is alice's turn. What a scenario says of `ships` and
`captains` is laid over that; Improvements that a ship has are taken out of the deck, and dials that are not given are full.

A second Spaceship of alice is `alice 2`, with a `card` of its own.

`fresh = true` lays out nothing at all, for scenarios of the set-up.

A battle is laid out by `[table.battle]`: `attacker` (alice) and `defender` (bob), `allies` (seat to side), and for each ship
`decks` and `revealed`, Battle cards by name. All other Battle cards lie in their sets; `tops` names for each set the next
cards to be drawn. Without decks no battle is going on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.phantom_league import mats
from games.phantom_league.battle import enter
from games.phantom_league.battle_deck import KINDS, kind_of, lay, printed_set
from games.phantom_league.battle_table import Battle, BattleCard
from games.phantom_league.data import in_play
from games.phantom_league.galaxy import lay_hexes
from games.phantom_league.table import Captain, Mission, Ship, new_table, new_turn
from referee.kit import OBSERVER, Match
from referee.see import Record

from ..runner import overlay

AGENDA = [{"do": "choose", "who": "alice"}, {"do": "end_turn", "who": "alice"}]
CAPTAINS = ("C04", "C08", "C09", "C01")
SHIPS = ("S05", "S01", "S03", "S04")
BATTLE_KEYS = {"attacker", "defender", "allies", "decks", "revealed", "tops", "destiny", "round"}


def shown(record: Record) -> Any:
    """Return a Battle card or a mission as it is written in scenarios."""
    return record.front if isinstance(record, BattleCard) else record.code if isinstance(record, Mission) else repr(record)


def position(m: Match, given: Mapping[str, Any]) -> None:
    """Lay out the plain position with what a scenario changes in it."""
    m.table = table = new_table()
    if given.get("fresh"):
        table.captains = {seat: Captain() for seat in m.seats}
        return
    lay_galaxy(m, given.get("hidden", []))
    table.supply = {goods: row["count"] for goods, row in m.components["tokens"].items()}
    table.substitutes = dict.fromkeys(table.supply, 0)
    table.turn.who, table.turn.number, table.turn.phase = m.seats[0], 1, "movement"
    for index, seat in enumerate(m.seats):
        table.captains[seat] = Captain(captain=CAPTAINS[index], ships=[seat], ship=seat)
        table.ships[seat] = Ship(who=seat, card=SHIPS[index], place="central")
    second = [name for name in given.get("ships", {}) if name not in m.seats]
    for name in second:
        seat = name.split()[0]
        table.captains[seat].ships.append(name)
        table.ships[name] = Ship(who=seat, card=given["ships"][name]["card"], place="central")
    battle = dict(given.get("battle", {}))
    rest = {name: value for name, value in given.items() if name not in ("battle", "hidden")}
    table.turns = {seat: new_turn() for seat in given.get("turns", {})}
    overlay(table, rest, {Mission: lambda code: Mission(code=code)})
    for seat in m.seats:
        fill(m, seat, given.get("ships", {}).get(seat, {}))
        complete(m, seat, given.get("captains", {}).get(seat, {}))
    for name in second:
        with mats.aboard(m, table.ships[name].who, name):
            fill(m, table.ships[name].who, given["ships"][name])
    lay_decks(m, given)
    if battle:
        lay_battle(m, battle)


def lay_galaxy(m: Match, hidden: list[str]) -> None:
    """Lay out the galaxy in the order of the data, face up but for the hexes that are named."""
    systems = m.components["systems"]
    red, orange = ([s for s, row in systems.items() if row["half"] == half] for half in ("red", "orange"))
    m.table.hexes = lay_hexes(red, orange)
    for name, hex in m.table.hexes.items():
        hex.known = [] if name in hidden else [*m.seats, OBSERVER]


def fill(m: Match, seat: str, ship: Mapping[str, Any]) -> None:
    """Fill the dials of the ship that acts where they are not given, and take its tokens out of the supply."""
    own = mats.ship_of(m, seat)
    own.structure = ship.get("structure", mats.most_structure(m, seat))
    own.fuel = ship.get("fuel", mats.most_fuel(m, seat))
    for goods, count in own.cargo.items():
        m.table.supply[goods] -= count


def complete(m: Match, seat: str, captain: Mapping[str, Any]) -> None:
    """Take money that is given out of the bank, and let missions be known to their captain."""
    m.table.captains[seat].money = money = captain.get("money", 1000)
    m.table.bank -= money
    for mission in m.table.captains[seat].missions:
        mission.known = [seat]


def lay_decks(m: Match, given: Mapping[str, Any]) -> None:
    """Lay the cards that are nowhere else into their decks, in the order of the data, unless a scenario lays out the deck."""
    table = m.table
    fitted = [card for ship in table.ships.values() for card in [*ship.installed, *ship.stored]]
    table.improvements = [card for card in in_play(m, "improvements") if card not in fitted]
    taken = {captain.captain for captain in table.captains.values()} | {ship.card for ship in table.ships.values()}
    table.box = [card for card in [*in_play(m, "captains"), *in_play(m, "ships")] if card not in taken]
    held = [mission.code for captain in table.captains.values() for mission in captain.missions]
    raiders = {
        name: [c for c in in_play(m, "raiders") if m.components["raiders"][c]["deck"] == deck]
        for name, deck in (("pirates", "pirate"), ("alliance", "alliance"))
    }
    decks = {**raiders, **{name: in_play(m, name) for name in ("hyperspace", "docking", "aliens", "missions")}}
    for name, cards in decks.items():
        top = list(given.get(name, []))
        gone = [*held, *table.discards.get(name, []), *top]
        kept = [card for captain in table.captains.values() for card in captain.aliens]
        setattr(table, name, [*(c for c in cards if c not in gone and c not in kept), *reversed(top)])


def lay_battle(m: Match, given: dict[str, Any]) -> None:
    """Lay out a battle between rounds: sides, Battle decks, and what is next in the sets."""
    sides = {"attacker": given.get("attacker", "alice"), "defender": given.get("defender", "bob")}
    m.table.battle = battle = Battle(active=m.seats[0], attacker=sides["attacker"], cause="attack")
    for who in sides.values():
        enter(m, who, side=who)
    for who, side in given.get("allies", {}).items():
        enter(m, who, side=side)
    overlay(battle, {name: value for name, value in given.items() if name not in BATTLE_KEYS}, {})
    battle.round = given.get("round", 0)
    used = []
    for who, cards in given.get("decks", {}).items():
        seat = battle.fighters[who].seat
        battle.fighters[who].deck = [BattleCard(set=kind_of(m, card), known=[seat], front=card) for card in cards]
        used += cards
    for who, cards in given.get("revealed", {}).items():
        battle.fighters[who].cards = list(cards)
        used += cards
    used += battle.discards
    for kind in KINDS:
        top = list(given.get("tops", {}).get(kind, []))
        left = printed_set(m, kind)
        for card in [card for card in [*used, *top] if kind_of(m, card) == kind]:
            left.remove(card)
        lay(battle, kind, [*left, *reversed(top)])
    battle.destiny = []
