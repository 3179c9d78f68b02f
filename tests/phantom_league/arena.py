"""Random battles straight from records: ships of two to six players and non-player ships meet in one hex and fight.

`GAME` is the match of one battle: its set-up draws captains, ships, Improvements, dials and levels from the seed, and it is
over when the battle is. So the laws can be run over many battles without the turns that lead to them.
"""

from __future__ import annotations

import sys
from typing import Any

import games.phantom_league as phantom
from games.phantom_league import mats
from games.phantom_league.battle_deck import check_battle
from games.phantom_league.data import DATA, SHEETS, in_play, names
from games.phantom_league.galaxy import lay_hexes
from games.phantom_league.options import OPTIONS, conflicts
from games.phantom_league.table import Captain, Ship, Table, new_table
from referee.kit import OBSERVER, Game, Match, Option, step

PLACE = "central"
LEVELS = (1, 2, 3, 3, 4, 5, 7)
ALIENS = ("A04", "A05", "A10", "A11")


def pick(m: Match, things: Any, count: int = 1) -> list[Any]:
    """Return some of the things, drawn by chance."""
    return m.shuffled(list(things))[:count]


def lay_table(m: Match) -> Table:
    """Return a table with the whole galaxy known and all tokens in the supply."""
    table: Table = new_table()
    systems = m.components["systems"]
    red, orange = ([s for s, row in systems.items() if row["half"] == half] for half in ("red", "orange"))
    table.hexes = lay_hexes(red, orange)
    for hex in table.hexes.values():
        hex.known = [*m.seats, OBSERVER]
    table.supply = {goods: row["count"] for goods, row in m.components["tokens"].items()}
    table.substitutes = dict.fromkeys(table.supply, 0)
    table.turn.who = m.seats[0]
    return table


def seat_ship(m: Match, seat: str, captain: str, ship: str, improvements: list[str]) -> None:
    """Put a player with a ship into space at Central."""
    who = Captain(captain=captain, ships=[seat], ship=seat, money=500, recognition=pick(m, LEVELS)[0])
    if who.recognition > 3:
        who.path = "fame" if captain == "C12" else pick(m, ("fame", "notoriety"))[0]
    m.table.captains[seat] = who
    fit_out(m, seat, seat, ship, improvements)


def fit_out(m: Match, seat: str, name: str, ship: str, improvements: list[str]) -> None:
    """Put a ship of a player into space at Central."""
    m.table.ships[name] = own = Ship(who=seat, card=ship, place=PLACE, installed=improvements)
    own.structure, own.fuel = mats.most_structure(m, seat), mats.most_fuel(m, seat)
    if m.options["equipped"]:
        return
    own.structure = max(1, own.structure - m.roll(3) + 1)
    own.fuel = min(own.fuel, m.roll(10) - 1)
    for goods in pick(m, mats.GOODS, m.roll(4) - 1):
        mats.gain_cargo(m, seat, goods, m.roll(3))


def second_ship(m: Match, seat: str, ship: str, improvements: list[str]) -> None:
    """Variants, Two Player Game: put a second ship of a player beside the first one."""
    name = f"{seat} 2"
    m.table.captains[seat].ships.append(name)
    with mats.aboard(m, seat, name):
        fit_out(m, seat, name, ship, improvements)


def setup(m: Match) -> None:
    """Lay out a random battle."""
    m.table = lay_table(m)
    captains, ships = (pick(m, in_play(m, sheet), 6) for sheet in ("captains", "ships"))
    improvements = m.shuffled(in_play(m, "improvements"))
    for seat in m.seats:
        count = m.options["equipped"] or m.roll(4)
        seat_ship(m, seat, captains.pop(), ships.pop(), sorted(improvements[:count]))
        improvements = improvements[count:]
    for seat in m.seats if m.options["two-ships"] else ():
        second_ship(m, seat, ships.pop(), [improvements.pop()])
    m.table.improvements = sorted(improvements)
    foe = m.seats[1]
    if m.options["raiders"] and m.roll(2) == 1:
        foe = pick(m, [*in_play(m, "raiders"), *ALIENS])[0]
    first, second = (foe, m.seats[0]) if m.roll(2) == 1 else (m.seats[0], foe)
    cause = "attack" if foe in m.seats else "hyperspace"
    m.do(step.battle(attacker=first, defender=second, cause=cause), fight_is_over())


@step
def fight_is_over(m: Match) -> None:
    """End the match with its battle."""
    m.finish()


def check(m: Match) -> None:
    """Assert that cards and tokens are conserved, and that dials stay within their bounds."""
    check_battle(m)
    fitted = [card for ship in m.table.ships.values() for card in [*ship.installed, *ship.stored]]
    assert sorted([*m.table.improvements, *fitted]) == sorted(in_play(m, "improvements")), "Improvements lost or doubled"
    for goods, row in m.components["tokens"].items():
        aboard = sum(ship.cargo.get(goods, 0) for ship in m.table.ships.values())
        assert m.table.supply[goods] - m.table.substitutes[goods] + aboard == row["count"], f"{goods} lost or made"
    for name, ship in m.table.ships.items():
        assert ship.structure >= 0, f"structure of {name}"
        with mats.aboard(m, ship.who, name):
            assert 0 <= ship.fuel <= mats.most_fuel(m, ship.who), f"fuel of {name}"
        assert set(ship.broken) <= {*ship.installed, *ship.stored}, "a broken card that is not there"


def score(m: Match) -> dict[str, dict[str, int]]:
    """Rank by Structure."""
    left = {seat: m.table.ships[seat].structure for seat in m.seats if seat in m.table.ships}
    return {s: {"place": 1 + sum(o > left.get(s, 0) for o in left.values()), "points": left.get(s, 0)} for s in m.seats}


GAME = Game(
    slug="phantom-league-arena",
    title="A battle of The Phantom League",
    version=1,
    seats=(2, 6),
    options={
        **OPTIONS,
        "equipped": Option(0, "how many Improvements each ship has, undamaged and with full dials; 0: drawn by chance"),
        "raiders": Option(True, "whether non-player ships may fight"),
    },
    conflicts=conflicts,
    table=Table,
    setup=setup,
    modules=(*phantom.GAME.modules, sys.modules[__name__]),
    names=names,
    check=check,
    score=score,
    in_force=mats.in_force,
    sheets=SHEETS,
    data=DATA,
)
