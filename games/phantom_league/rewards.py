"""Gaining Recognition and money through battle, and looting a wreck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle
from typing import Any

from referee.kit import Frame, Match, order, some_of, step

from . import battle_ships as ships
from . import galaxy, mats
from .battle_losses import carrier
from .battle_plan import asks, lines_of
from .battle_sheet import grab
from .deals import share_loot
from .recognition import PATH_LEVEL, bounty
from .table import Ship

DEFEAT = 1
ORE = 3
BY_VALUE = ("narcotics", "slaves", "ore", "food", "fuel")

# Defeating a ship


@step
def defeated(m: Match, who: str, by: list[str], destroyed: bool) -> None:
    """Gaining Recognition and money; PL-75, PL-77: every opponent still there gains Recognition; who destroyed it, money."""
    captains = [enemy for enemy in by if ships.is_captain(m, enemy)]
    level = DEFEAT if ships.is_captain(m, who) else ships.fighter(m, who).numbers["recognition"]
    for captain in captains:
        m.table.battle.due.append({"who": captain, "by": str(level), "why": "defeat"})
        for deed in deeds(m, who):
            mats.note_deed(m, captain, deed)
    if captains:
        m.tell("defeats", who=who, by=captains, level=level)
    if destroyed:
        pay_bounty(m, who)
    m.do(*[plunder(who=captain, ship=who) for captain in captains if ships.able(m, captain, "plunder")])


def deeds(m: Match, who: str) -> list[str]:
    """Missions: return what a defeat counts as."""
    if ships.is_captain(m, who):
        path = mats.captain_of(m, who).path
        return ["defeated player", *{"fame": ["defeated fame"], "notoriety": ["defeated notorious"]}.get(path, [])]
    row = m.components["raiders"].get(who, {"deck": "alien"})
    return [f"defeated {row['deck']}"]


def bounty_of(m: Match, who: str) -> int:
    """Path of Notoriety; PL-T1: the price of the level below a Renegade's own; a non-player ship's is on its card."""
    if not ships.is_captain(m, who):
        return ships.fighter(m, who).numbers["bounty"]
    return bounty(m, who)


def pay_bounty(m: Match, who: str) -> None:
    """Gaining Recognition and money; PL-75: to the player whose card or effect destroyed the ship."""
    destroyer, money = ships.fighter(m, who).struck_by, bounty_of(m, who)
    if money and ships.is_captain(m, destroyer) and ships.fighter(m, destroyer).side != ships.fighter(m, who).side:
        mats.earn(m, destroyer, money)
        m.tell("bounty", who=destroyer, ship=who, money=money)


@step
def battle_recognition(m: Match, who: str, by: int) -> None:
    """Escape attempts; PL-10, PL-73: what a round brings or costs is booked when the round ends."""
    m.table.battle.due.append({"who": who, "by": str(by), "why": "escape"})
    mats.note_deed(m, who, "escaped")


@step
def settle_due(m: Match, who: str, by: int, why: str) -> None:
    """Battle round closure; PL-10, PL-T28: only survivors gain; an escape costs a level from 4 on (PL-T24)."""
    captain = mats.captain_of(m, who)
    if captain.dead or not mats.fleet(m, who):
        return
    if by > 0:
        m.do(*planned_path(m, who, by), step.gain_recognition(who=who, by=by))
    elif captain.recognition >= PATH_LEVEL:
        m.do(step.lose_recognition(who=who, by=-by, why=why))


def planned_path(m: Match, who: str, by: int) -> list[Frame]:
    """Battle sequence; PL-8: the path that the orders name, if level 4 is reached now."""
    captain = mats.captain_of(m, who)
    if captain.path or mats.is_straight(m, who) or not captain.recognition < PATH_LEVEL <= captain.recognition + by:
        return []
    lines = lines_of(m, who, "follow")
    m.reveal("plans path", of=who, who=who, paths=[line["path"] for line in lines[:1]])
    return [step.follow(who=who, path=line["path"]) for line in lines[:1]]


# The Corsair


@step
def plunder(m: Match, who: str, ship: str) -> Any:
    """Spaceships, Corsair: one commodity token of its choice from a defeated player's ship."""
    goods = [one for one in BY_VALUE if ships.cargo(m, ship).get(one) and may_carry(m, who, one)]
    with mats.aboard(m, who, ships.crewed(m, who)[0]):
        space = mats.free_space(m, who)
    if not goods or space < 1:
        return None
    if len(goods) > 1 and asks(m, who):
        offer = grab.given(who=who, scene={"ship": ship, "goods": goods})
        return m.ask(ships.seat_of(m, who), "grab", offer, ship=ship)
    planned = [one for line in lines_of(m, who, "grab") if (one := line["goods"]) in goods]
    m.do(seize(who=who, ship=ship, goods=planned[0] if planned else goods[0]))
    return None


@step
def seize(m: Match, who: str, ship: str, goods: str) -> None:
    """Spaceships, Corsair: the token changes ships."""
    with mats.aboard(m, ship, carrier(m, ship, goods)), mats.aboard(m, who, ships.crewed(m, who)[0]):
        mats.move_cargo(m, ship, who, goods, 1)
    m.reveal("seizes", of=ships.seat_of(m, who), who=who, ship=ship, goods=goods)


def may_carry(m: Match, who: str, goods: str) -> bool:
    """Captain cards, Sir Frank Elderberg IV; PL-50: nothing illegal comes on board of a straight captain."""
    return goods not in mats.ILLEGAL or not mats.is_straight(m, who)


# Looting


@step
def offer_loot(m: Match) -> Any:
    """Looting a wreck; PL-88: victors still present may loot at once, without an action; nobody straight does (PL-50)."""
    asked = [who for who in ships.fighting(m) if ships.is_captain(m, who) and wrecks_for(m, who)]
    if not asked:
        return None
    return m.ask_all("loot", {who: (who, [loot_now, leave_wrecks]) for who in asked}, "booty_claimed")


def wrecks_for(m: Match, who: str) -> list[str]:
    """Looting a wreck: return what a victor may loot; a non-player ship also if one was on its side."""
    if not mats.has_ship(m, who) or mats.is_straight(m, who):
        return []
    side = ships.fighter(m, who).side
    fallen = list(dict.fromkeys(m.table.battle.wrecks))
    return [ship for ship in fallen if not ships.is_captain(m, ship) or ships.fighter(m, ship).side != side]


@order("loot {wrecks}", wrecks="some ships")
def loot_now(m: Match, who: str, wrecks: list[str]) -> None:
    """Looting a wreck; PL-88: the answers of all victors are taken together."""


@loot_now.offered
def may_loot_now(m: Match, who: str) -> Any:
    """Looting a wreck: any of the wrecks of this battle."""
    wrecks = wrecks_for(m, who)
    return {"wrecks": some_of(wrecks, least=1, default=wrecks)}


@order("leave wrecks")
def leave_wrecks(m: Match, who: str) -> None:
    """Looting a wreck: a victor may leave it to the others, or to space."""


@step
def booty_claimed(m: Match, answers: dict[str, Frame]) -> None:
    """Looting a wreck; PL-88: if several claim a wreck, they share it in equal parts, in speed order."""
    order = [who for who in ships.by_speed(m) if who in answers]
    for wreck in dict.fromkeys(m.table.battle.wrecks):
        looters = [who for who in order if wreck in answers[who].get("wrecks", [])]
        if looters:
            share(m, wreck, looters)


def share(m: Match, wreck: str, looters: Sequence[str]) -> None:
    """Looting a wreck; PL-86, PL-87: Improvements (broken), cargo, tank Fuel, 3 Ore; Fame suffers from it."""
    before = {who: dict(mats.ship_of(m, who).cargo) for who in looters}
    remains = remains_of(m, wreck, looters[0])
    parts = cycle(looters)
    gained: dict[str, list[str]] = {who: [] for who in looters}
    for card in sorted([*remains.installed, *remains.stored], key=lambda c: (-ships.printed(m, c)["price"], c)):
        gained[take_improvement(m, remains, card, next(parts))].append(card)
    for goods in [one for one in BY_VALUE for _ in range(remains.cargo.get(one, 0))]:
        take_token(m, remains, goods, looters, parts)
    for _ in range(remains.fuel):
        take_fuel(m, next(parts))
    for _ in range(ORE):
        mats.gain_cargo(m, next(parts), "ore", 1)
    remains.fuel, remains.looted = 0, True
    for who in looters:
        salvage(m, who)
        mats.note_deed(m, who, "looted")
        cargo = mats.ship_of(m, who).cargo
        taken = {goods: cargo[goods] - before[who].get(goods, 0) for goods in cargo if cargo[goods] > before[who].get(goods, 0)}
        tokens = [f"{count} {goods}" for goods, count in taken.items()]
        told = {"improvements": gained[who], "cargo": tokens, "fuel": mats.ship_of(m, who).fuel}
        # What each gets of it depends on who else claimed it, which nobody knew.
        m.reveal("loots", of=who if len(looters) == 1 else "", who=who, wreck=wreck, **told)
        share_loot(m, who, taken)
    famous = [who for who in looters if mats.captain_of(m, who).path == "fame"]
    m.do(*[step.lose_recognition(who=who, by=1, why="looting") for who in famous])


def remains_of(m: Match, wreck: str, who: str) -> Ship:
    """Looting a wreck: return the wreck of a player, or what is left of a non-player ship: the Fuel in its tank."""
    if ships.is_captain(m, wreck):
        wrecks = [ship for ship in m.table.ships.values() if ship.who == wreck and ship.wreck]
        here = galaxy.hex_of(m, mats.ship_of(m, who).place)
        return min(wrecks, key=lambda ship: (ship.looted, galaxy.hex_of(m, ship.place) != here))
    return Ship(who=wreck, card=wreck, fuel=ships.fighter(m, wreck).fuel)


def take_improvement(m: Match, remains: Ship, card: str, who: str) -> str:
    """Looting a wreck: looted Improvements are broken, and stored."""
    for cards in (remains.installed, remains.stored, remains.broken):
        if card in cards:
            cards.remove(card)
    ship = mats.ship_of(m, who)
    ship.stored.append(card)
    ship.broken.append(card)
    return who


def take_token(m: Match, remains: Ship, goods: str, looters: Sequence[str], parts: Iterator[str]) -> None:
    """Looting a wreck; PL-87: the next looter with space takes a token; what nobody can take stays behind."""
    turns = [next(parts) for _ in looters]
    who = next((w for w in turns if mats.free_space(m, w) > 0 and may_carry(m, w, goods)), "")
    if who:
        remains.cargo[goods] -= 1
        cargo = mats.ship_of(m, who).cargo
        cargo[goods] = cargo.get(goods, 0) + 1
        while next(parts) != who:
            pass


def take_fuel(m: Match, who: str) -> None:
    """Looting a wreck; PL-87: into the tank, and what does not fit into the cargo."""
    if not mats.fill_tank(m, who, 1):
        mats.gain_cargo(m, who, "fuel", 1)


def salvage(m: Match, who: str) -> None:
    """Captain cards, Vulture Mac-X: salvage brings Ore and Fuel, from any destroyed ship."""
    mats.gain_cargo(m, who, "ore", m.value("salvage-ore", 0, who))
    for _ in range(m.value("salvage-fuel", 0, who)):
        take_fuel(m, who)


# Later


@step
def loot_wreck(m: Match, who: str, wreck: str) -> None:
    """Looting a wreck; PL-88: docking to it later is the action of a turn."""
    share(m, wreck, [who])


