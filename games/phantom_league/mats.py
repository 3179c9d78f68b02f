"""Captains and their ships: numbers of cards, money, tokens, Fuel and Structure (rulebook: Cards; Setting Up the Game)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from referee.kit import Match, step

from .table import Captain, Ship

GOODS = ("narcotics", "slaves", "fuel", "food", "ore")
ILLEGAL = ("narcotics", "slaves")


# Who and what


def captain_of(m: Match, who: str) -> Captain:
    """Captains: return the mat of a player."""
    found: Captain = m.table.captains[who]
    return found


def ship_of(m: Match, who: str) -> Ship:
    """Spaceships: return the ship of a player that is acting."""
    found: Ship = m.table.ships[captain_of(m, who).ship]
    return found


def fleet(m: Match, who: str) -> list[str]:
    """Variants, Two Player Game: return the ships of a player that are no wrecks; usually there is one."""
    return [name for name in captain_of(m, who).ships if not m.table.ships[name].wreck]


class Aboard:
    """Variants, Two Player Game: within a `with` block another ship of a captain is the one that acts."""

    def __init__(self, captain: Captain, ship: str) -> None:
        """Note which ship is meant."""
        self.captain, self.ship, self.before = captain, ship, captain.ship

    def __enter__(self) -> None:
        """Let that ship act."""
        self.captain.ship = self.ship

    def __exit__(self, *error: object) -> None:
        """Let the ship act again that did before."""
        self.captain.ship = self.before


def aboard(m: Match, who: str, ship: str) -> Aboard:
    """Variants, Two Player Game: return what lets another ship of a player act for as long as a `with` block lasts."""
    return Aboard(captain_of(m, who), ship)


def has_ship(m: Match, who: str) -> bool:
    """Death of a Captain: tell whether a player has a ship that is no wreck."""
    captain = captain_of(m, who)
    return bool(captain.ship) and not captain.dead and not ship_of(m, who).wreck


def alive(m: Match) -> list[str]:
    """Death of a Captain: return the seats that are not out of the game, in seat order."""
    return [seat for seat in m.seats if not captain_of(m, seat).dead]


def in_force(m: Match, who: str) -> list[str]:
    """Cards; PL-14: return Spaceship, Captain and unbroken installed Improvements, whose numbers count."""
    captain = captain_of(m, who)
    if not captain.ship:
        return [captain.captain] if captain.captain else []
    ship = ship_of(m, who)
    return [ship.card, captain.captain, *ship.unbroken()]


def ships_at(m: Match, places: Iterable[str]) -> list[str]:
    """Board: return the seats whose ships fly or are docked in some Systems, in seat order."""
    where = set(places)
    there = {ship.who for ship in m.table.ships.values() if ship.place in where and not ship.wreck}
    return [seat for seat in alive(m) if seat in there]


# Numbers


def speed(m: Match, who: str) -> int:
    """Movement cost: return how many hexes a ship can move."""
    return m.value("speed", 0, who)


def most_structure(m: Match, who: str) -> int:
    """Captains, Spaceships and Improvements: return the sum of the Structure values."""
    return m.value("structure", 0, who)


def most_fuel(m: Match, who: str) -> int:
    """Captains, Spaceships and Improvements: return how much Fuel the tank holds."""
    return m.value("fuel", 0, who)


def slots(m: Match, who: str) -> int:
    """Buying Improvements; PL-16: return how many Improvements may be installed."""
    return m.value("slots", 0, who)


def cargo_space(m: Match, who: str) -> int:
    """Cargo: return how many tokens a ship carries."""
    return m.value("cargo", 0, who)


def tokens(m: Match, who: str) -> int:
    """Cargo: return how many tokens are on board; an Ambassador takes the space of one."""
    return sum(ship_of(m, who).cargo.values()) + passengers(m, who)


def passengers(m: Match, who: str) -> int:
    """Cargo: return how many Alien cards take cargo space; of two ships it is that of the first."""
    if captain_of(m, who).ship not in fleet(m, who)[:1]:
        return 0
    rows = m.components["aliens"]
    return sum(frame["do"] == "take_aboard" for card in captain_of(m, who).aliens for frame in rows[card]["effect"])


def free_space(m: Match, who: str) -> int:
    """Cargo: return how many tokens more a ship can take."""
    return cargo_space(m, who) - tokens(m, who)


def illegal_tokens(m: Match, who: str) -> int:
    """Commodities: return how many Slaves and Narcotics are on board."""
    return sum(ship_of(m, who).cargo.get(goods, 0) for goods in ILLEGAL)


def open_illegal(m: Match, who: str, hounds: bool = False) -> int:
    """Commodities: return how many illegal tokens a search finds; a hidden hold keeps some from all but scent hounds."""
    hidden = 0 if hounds else m.value("hidden", 0, who)
    return max(0, illegal_tokens(m, who) - hidden)


def is_straight(m: Match, who: str) -> bool:
    """Captain cards, Sir Frank Elderberg IV; PL-50: tell whether a captain does nothing illegal."""
    return m.has("straight", who)


# Money


def earn(m: Match, who: str, money: int) -> None:
    """Money: a player gets money from the bank."""
    captain_of(m, who).money += money
    m.table.bank -= money


def spend(m: Match, who: str, money: int) -> None:
    """Money: a player pays the bank; whether he can is asked before (payments that are due: step `pay_due`)."""
    captain = captain_of(m, who)
    assert captain.money >= money, "money that is not there"
    captain.money -= money
    m.table.bank += money


def pay(m: Match, who: str, to: str, money: int) -> None:
    """Money; PL-13: a player pays another."""
    payer = captain_of(m, who)
    assert payer.money >= money, "money that is not there"
    payer.money -= money
    captain_of(m, to).money += money


# Tokens


def gain_cargo(m: Match, who: str, goods: str, count: int) -> int:
    """Cargo; PL-40, PL-91: take tokens on board, as far as there is space; what the supply lacks is substituted.

    Returns:
        How many were taken; the others are lost.
    """
    taken = max(0, min(count, free_space(m, who)))
    if goods in ILLEGAL and is_straight(m, who):
        taken = 0
    _out_of_supply(m, goods, taken)
    cargo = ship_of(m, who).cargo
    cargo[goods] = cargo.get(goods, 0) + taken
    return taken


def lose_cargo(m: Match, who: str, goods: str, count: int) -> None:
    """Cargo: put tokens back into the supply; substitutes go first."""
    cargo = ship_of(m, who).cargo
    assert cargo.get(goods, 0) >= count, "tokens that are not there"
    cargo[goods] -= count
    _into_supply(m, goods, count)


def move_cargo(m: Match, who: str, to: str, goods: str, count: int) -> int:
    """Moving Cargo From Ship to Ship: tokens change ships as far as there is space; return how many."""
    taken = max(0, min(count, free_space(m, to)))
    own, other = ship_of(m, who).cargo, ship_of(m, to).cargo
    assert own.get(goods, 0) >= taken, "tokens that are not there"
    own[goods] = own.get(goods, 0) - taken
    other[goods] = other.get(goods, 0) + taken
    return taken


def _out_of_supply(m: Match, goods: str, count: int) -> None:
    there = min(count, m.table.supply[goods])
    m.table.supply[goods] -= there
    m.table.substitutes[goods] += count - there


def _into_supply(m: Match, goods: str, count: int) -> None:
    substituted = min(count, m.table.substitutes[goods])
    m.table.substitutes[goods] -= substituted
    m.table.supply[goods] += count - substituted


# Fuel and Structure


def fill_tank(m: Match, who: str, count: int) -> int:
    """Captains, Spaceships...: put Fuel into the tank up to what it holds; return how much."""
    ship = ship_of(m, who)
    taken = max(0, min(count, most_fuel(m, who) - ship.fuel))
    ship.fuel += taken
    return taken


def burn_fuel(m: Match, who: str, count: int) -> int:
    """Movement cost; PL-29: use Fuel; what is missing is to be taken from the Structure. Return what is missing."""
    ship = ship_of(m, who)
    burnt = min(count, ship.fuel)
    ship.fuel -= burnt
    return count - burnt


def adjust_dials(m: Match, who: str) -> None:
    """Buying, Installing Improvements; PL-17: no dial stands above its maximum; surplus Fuel is lost."""
    ship = ship_of(m, who)
    ship.fuel = min(ship.fuel, most_fuel(m, who))
    ship.structure = min(ship.structure, most_structure(m, who))


@step
def hurt(m: Match, who: str, by: int, why: str) -> None:
    """Structure points: a ship takes damage outside of battles; at 0 it is destroyed (Death of a Captain)."""
    ship = ship_of(m, who)
    lost = min(by, ship.structure)
    ship.structure -= lost
    m.tell("loses structure", who=who, by=lost, left=ship.structure, why=why)
    if not ship.structure:
        m.do(step.destroy(who=who, why=why))


@step
def use_fuel(m: Match, who: str, count: int, why: str) -> None:
    """Movement cost; PL-29: Fuel is consumed, and Structure in place of what is missing."""
    missing = burn_fuel(m, who, count)
    m.tell("uses fuel", who=who, count=count - missing, left=ship_of(m, who).fuel, why=why)
    if missing:
        m.do(hurt(who=who, by=missing, why="no fuel"))


@step
def gain_fuel(m: Match, who: str, by: int) -> None:
    """Fuel: it flows into the tank as far as there is room."""
    m.tell("gains fuel", who=who, count=fill_tank(m, who, by), fuel=ship_of(m, who).fuel)


@step
def receive_money(m: Match, who: str, money: int) -> None:
    """Money: a reward is paid by the bank."""
    earn(m, who, money)
    m.tell("receives money", who=who, money=money, total=captain_of(m, who).money)


# Deeds


def note_deed(m: Match, who: str, deed: str, count: int = 1) -> None:
    """Missions: count what a captain does, with each mission that he holds; everybody could keep count."""
    for mission in captain_of(m, who).missions:
        mission.deeds[deed] = mission.deeds.get(deed, 0) + count


# Cards that break, and decks


def break_improvement(m: Match, who: str, card: str) -> None:
    """Apply damage to an Improvement; PL-14, PL-65: it is turned face down, and what it gave is gone at once."""
    ship_of(m, who).broken.append(card)
    drop_surplus(m, who)


def drop_surplus(m: Match, who: str) -> None:
    """Cargo; PL-17, PL-18: dials go down to their maximum; with too much cargo the owner is asked what he jettisons."""
    adjust_dials(m, who)
    if free_space(m, who) < 0:
        m.do(step.jettison_surplus(who=who))


def to_deck(m: Match, card: str) -> None:
    """Cards; PL-5: an Improvement goes back into its deck, which lies open."""
    m.table.improvements = sorted([*m.table.improvements, card])


def draw(m: Match, deck: str) -> list[str]:
    """Cards; PL-19: draw the top card of a deck, its discards reshuffled first when it has run out; maybe there is none."""
    cards: list[str] = getattr(m.table, deck)
    if not cards and m.table.discards.get(deck):
        cards += m.shuffled(m.table.discards[deck])
        m.table.discards[deck] = []
        m.tell("reshuffles", deck=deck, count=len(cards))
    return [cards.pop()] if cards else []


def put_away(m: Match, deck: str, card: str) -> None:
    """Cards: a card goes on the open discards of its deck."""
    m.table.discards.setdefault(deck, []).append(card)


def name_of(m: Match, sheet: str, card: str) -> Any:
    """Cards: return the printed name of a card."""
    return m.components[sheet][card]["name"]
