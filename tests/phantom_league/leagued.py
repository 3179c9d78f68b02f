"""Short matches of The Phantom League that begin in the midst, with Leagues: ships of two to six players in one or two places.

The position is drawn from the seed: captains, ships, Improvements, dials, levels and cargo; the outer ring is unexplored.
Some players are in Leagues, some have agreed to move together, and at the end of each turn it may come to new Leagues and to
breaches. So the laws see common turns, groups that move, jump, dock and fight, and changes of membership at all times.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from games.phantom_league import GAME as WHOLE
from games.phantom_league import mats
from games.phantom_league.action import bargain, blockade, break_blockade, mine
from games.phantom_league.battle_menu import attack
from games.phantom_league.data import in_play
from games.phantom_league.docking import dock
from games.phantom_league.galaxy import known_systems
from games.phantom_league.group import leave_behind
from games.phantom_league.leagues import league_of
from games.phantom_league.movement import explore, move
from games.phantom_league.setup import deal_out, lay_out_decks, lay_out_galaxy
from games.phantom_league.table import Captain, League, Ship, new_table
from games.phantom_league.towing import tow
from games.phantom_league.turn import choose, end, next_turn
from games.phantom_league.turn_state import gone
from referee.kit import Match, Option, step
from referee.steps import Step

LEVELS = (1, 2, 3, 4, 4, 5, 6)


def pick(m: Match, things: Any) -> Any:
    """Return one of some things, drawn by chance."""
    return list(things)[m.roll(len(list(things))) - 1]


def setup(m: Match) -> None:
    """Lay out the board and the decks; then the position is drawn."""
    m.table = new_table()
    m.table.captains = {seat: Captain() for seat in m.seats}
    m.do(lay_out_galaxy(), lay_out_decks(), deal_out(), draw_position(), step.take_turn(who=m.seats[0]))
    m.table.first = m.seats[0]


@step
def draw_position(m: Match) -> None:
    """Draw captains, ships and all that is theirs, and who is in a League."""
    captains, ships = (m.shuffled(in_play(m, sheet)) for sheet in ("captains", "ships"))
    ships.sort(key=lambda ship: m.components["ships"][ship]["speed"] > 1)  # fast ones first, since groups are to explore
    spots = [pick(m, known_systems(m)) for _ in range(2)]
    for seat in m.seats:
        seat_ship(m, seat, captains.pop(), ships.pop(), pick(m, [spots[0], spots[0], *spots]))
    m.table.box = captains + ships
    order = m.shuffled(m.seats)
    count = m.roll(len(order))
    m.table.leagues = groups_of(m, [order[:count], order[count:]])
    if m.roll(3) == 1:
        m.table.travels = groups_of(m, [m.shuffled(m.seats)[:2]], endless=0)


def groups_of(m: Match, parts: list[list[str]], endless: int = 1) -> list[League]:
    """Return groups of some players, for a few common turns, or maybe without end."""
    found = [[seat for seat in m.seats if seat in part] for part in parts if len(part) > 1]
    return [League(members=part, turn_of=pick(m, part), turns=m.roll(3) - endless) for part in found]


def seat_ship(m: Match, seat: str, captain: str, ship: str, place: str) -> None:
    """Put a player with a ship somewhere."""
    own = m.table.captains[seat]
    own.captain, own.ships, own.ship, own.recognition = captain, [seat], seat, pick(m, LEVELS)
    if own.recognition > 3:
        own.path = "fame" if captain == "C12" else pick(m, ("fame", "notoriety"))
    docked = bool(m.components["systems"][place].get("body")) and m.roll(2) == 1
    m.table.ships[seat] = here = Ship(who=seat, card=ship, place=place, docked=docked)
    for _ in range(min(m.roll(4) - 1, mats.slots(m, seat))):
        card = pick(m, m.table.improvements)
        m.table.improvements.remove(card)
        here.installed.append(card)
        if len(here.installed) > mats.slots(m, seat):
            here.installed.remove(card)
            mats.to_deck(m, card)
    here.structure = max(1, mats.most_structure(m, seat) - m.roll(3) + 1)
    here.fuel = min(mats.most_fuel(m, seat), m.roll(10) - 1)
    for goods in mats.GOODS:
        mats.gain_cargo(m, seat, goods, m.roll(3) - 1)


@step
def change_leagues(m: Match, who: str) -> None:
    """Let it come to a new League, a breach or a journey together now and then; then the turns go on."""
    chance, free = m.roll(8), [seat for seat in mats.alive(m) if league_of(m, seat) is None]
    leagued = [seat for seat in mats.alive(m) if league_of(m, seat)]
    now: list[Any] = []
    if chance == 1 and leagued:
        now = [step.leave_league(who=pick(m, leagued))]
    elif chance in (2, 3) and len(free) > 1:
        team = sorted(m.shuffled(free)[: m.roll(len(free) - 1) + 1], key=m.seats.index)
        now = [step.form_league(members=team, turn_of=pick(m, team), turns=m.roll(3) - 1)]
    elif chance == 4:
        team = m.shuffled(mats.alive(m))[:2]
        now = [step.travel_together(members=team, turn_of=team[0], turns=m.roll(2))] if len(team) > 1 else []
    m.do(*now, {"do": "next_turn_as_printed", "who": who})


@step
def choose_in_space(m: Match, who: str) -> Any:
    """Ask who is on turn for what groups do, and for nothing that every docked ship does: so groups are seen often."""
    if gone(m, who):
        return None
    ship = mats.ship_of(m, who)
    menu = [move, explore, tow, leave_behind, break_blockade, bargain, blockade, dock, mine, attack, end]
    words = {"place": ship.place, "fuel": ship.fuel, "structure": ship.structure, "money": mats.captain_of(m, who).money}
    return m.ask(who, "movement", *menu, then=[choose(who=who)], **words)


GAME = copy(WHOLE)
GAME.setup = setup
GAME.options = {**WHOLE.options, "rounds": Option(4, "house rule: so many rounds end the game", (2, 6))}
GAME.steps = {
    **WHOLE.steps,
    "draw_position": draw_position,
    "choose": Step(choose_in_space.body),
    "next_turn": Step(change_leagues.body),
    "next_turn_as_printed": Step(next_turn.body),
}
