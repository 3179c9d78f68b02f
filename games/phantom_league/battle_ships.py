"""The ships in a battle: their numbers, whoever they belong to (Battle sequence, Battle with non-player ships).

A player's ship has its numbers on the Spaceship, the Captain and the unbroken installed Improvements, a non-player ship on
its card.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from referee.kit import Match

from . import mats
from .battle_table import Fighter
from .mats import aboard, captain_of, ship_of
from .mats import most_structure as full_structure
from .table import Ship

WEAPONS = ("projectile", "energy")
HULL = "hull"
CLUMSIER: dict[str, Callable[[list[int]], int]] = {"speed": min, "escape": max}
"""Variants, Two Player Game: the numbers that are not added."""


def fighter(m: Match, who: str) -> Fighter:
    """Battles: return a ship in the battle."""
    found: Fighter = m.table.battle.fighters[who]
    return found


def is_captain(m: Match, who: str) -> bool:
    """Battle with non-player ships: tell a player's ship from others."""
    return who in m.seats


def mat(m: Match, who: str) -> Any:
    """Captains, Spaceships and Improvements: return the ship of a captain, or of a non-player ship what the battle keeps."""
    return m.table.ships[crewed(m, who)[0]] if is_captain(m, who) else fighter(m, who)


def crewed(m: Match, who: str) -> list[str]:
    """Variants, Two Player Game: return the ships with which a captain still fights; usually the one."""
    able = [name for name in fighter(m, who).ships if name in m.table.ships and m.table.ships[name].structure > 0]
    return able or [captain_of(m, who).ship]


def crews(m: Match, who: str) -> list[Ship]:
    """Variants, Two Player Game: return the ships with which a captain still fights."""
    return [m.table.ships[name] for name in crewed(m, who)]


def bearer(m: Match, who: str, card: str) -> str:
    """Variants, Two Player Game: return the ship of a captain in which an Improvement is installed, even if it just fell."""
    names = [*crewed(m, who), *fighter(m, who).ships]
    return next(name for name in names if name in m.table.ships and card in m.table.ships[name].installed)


def seat_of(m: Match, who: str) -> str:
    """Battle with non-player ships: return the seat that decides for a ship."""
    return fighter(m, who).seat


# Cards of a ship


def printed(m: Match, card: str) -> dict[str, Any]:
    """Cards: return what is printed on a Spaceship, Captain or Improvement card."""
    for sheet in ("improvements", "captains", "ships"):
        if card in m.components[sheet]:
            return m.components[sheet][card]
    raise LookupError(card)


def installed(m: Match, who: str) -> list[str]:
    """Use Improvements; PL-14: return the unbroken installed Improvements of a ship."""
    return [card for ship in crews(m, who) for card in ship.unbroken()] if is_captain(m, who) else []


def all_installed(m: Match, who: str) -> list[str]:
    """Battle cards, Equipment Breakage; PL-14: return the installed Improvements of a ship, broken ones included."""
    return [card for ship in crews(m, who) for card in ship.installed] if is_captain(m, who) else []


def is_optional(m: Match, card: str) -> bool:
    """Use Improvements: tell the disposable and the Fuel-consuming Improvements, which count only while they are used."""
    row = printed(m, card)
    return bool(row.get("disposable")) or needs_fuel(m, card) > 0


def needs_fuel(m: Match, card: str) -> int:
    """Use Improvements: return the Fuel that an Improvement takes in each round in which it is used."""
    return int(printed(m, card).get("burns", 0))


def usable(m: Match, who: str) -> list[str]:
    """Use Improvements; PL-56, PL-57: return the Improvements that a player may use in this round."""
    left = fuel(m, who)
    return [card for card in installed(m, who) if is_optional(m, card) and needs_fuel(m, card) <= left]


def disposables(m: Match, who: str) -> list[str]:
    """Use Improvements; PL-56: return the disposable Improvements of a ship."""
    return [card for card in installed(m, who) if printed(m, card).get("disposable")]


def in_force(m: Match, who: str) -> list[str]:
    """Use Improvements: return the cards whose numbers count in this round; Spaceship and Captain first."""
    used = fighter(m, who).used
    return [*own_cards(m, who), *(c for c in installed(m, who) if c in used or not is_optional(m, c))]


def own_cards(m: Match, who: str) -> list[str]:
    """Captains, Spaceships and Improvements: return the Spaceship and the Captain."""
    return [*(ship.card for ship in crews(m, who)), m.table.captains[who].captain]


def cards_for_deck(m: Match, who: str, counted: Sequence[str] | None = None) -> list[str]:
    """Prepare Battle decks; PL-55: return the cards whose symbols give Battle cards, the Captain first; not the Spaceship.

    Args:
        m: the match.
        who: whose Battle deck is built.
        counted: the disposable Improvements that count, if they are not noted yet.
    """
    counted = fighter(m, who).counted if counted is None else counted
    improvements = [c for c in installed(m, who) if c in counted or not printed(m, c).get("disposable")]
    return [m.table.captains[who].captain, *improvements]


def shows(m: Match, card: str, kind: str) -> bool:
    """Prepare Battle decks: tell whether a card shows one or both symbols of a kind; a number of 0 is a symbol."""
    return any(f"{weapon}-{kind}" in printed(m, card) for weapon in WEAPONS)


def able(m: Match, who: str, power: str) -> bool:
    """Captains, Spaceships and Improvements: tell whether a ship has a special power; each has a column of its name."""
    return number(m, who, power) > 0


def extra_attack(m: Match, who: str) -> int:
    """Spaceships, Patrol Cutter: the attacker adds an Attack card to its Battle deck."""
    return number(m, who, "attacker-cards") if who == m.table.battle.attacker else 0


# Numbers


def number(m: Match, who: str, column: str) -> int:
    """Battle sequence: return the sum of the numbers beside a symbol on the cards of a ship."""
    if not is_captain(m, who):
        return fighter(m, who).numbers.get(column, 0)
    if column in CLUMSIER and len(crewed(m, who)) > 1:
        return clumsier(m, who, column)
    return sum(printed(m, card).get(column, 0) for card in in_force(m, who))


def clumsier(m: Match, who: str, column: str) -> int:
    """Variants, Two Player Game: two ships are as fast as the slower, and escape as hard as the clumsier one."""
    force = in_force(m, who)
    fitted = [[ship.card, *(card for card in ship.unbroken() if card in force)] for ship in crews(m, who)]
    numbers = [sum(printed(m, card).get(column, 0) for card in cards) for cards in fitted]
    return CLUMSIER[column](numbers) + int(printed(m, m.table.captains[who].captain).get(column, 0))


def has_weapon(m: Match, who: str, weapon: str) -> bool:
    """Resolve Attack and Defense cards; PL-63: a type without any number on the cards of a ship does no damage."""
    column = f"{weapon}-attack"
    if not is_captain(m, who):
        return column in fighter(m, who).numbers
    return any(column in printed(m, card) for card in in_force(m, who))


def defense(m: Match, who: str, weapon: str) -> int:
    """Resolve Attack and Defense cards: return a ship's Defense without Defense cards."""
    return number(m, who, f"{weapon}-defense") + fighter(m, who).shields


def speed(m: Match, who: str) -> int:
    """Resolve Attack and Defense cards: return the speed that decides who is first."""
    return number(m, who, "speed")


def support_total(m: Match, who: str) -> int:
    """Escape attempts; PL-71: count support symbols and Improvement Support cards."""
    if not is_captain(m, who):
        return fighter(m, who).numbers.get("support", 0)
    cards = in_force(m, who)
    return number(m, who, "support") + sum(printed(m, card).get("category") == "support" for card in cards)


def escape(m: Match, who: str) -> int:
    """Escape attempts, Escape value: the sum on the cards, what changed it in this battle, and the Captain "Jack" (PL-81)."""
    return number(m, who, "escape") + fighter(m, who).escape + jack(m, who)


def jack(m: Match, who: str) -> int:
    """Captain cards, HLD-454 "Jack"; PL-81: he gains 1 for each enemy ship, and each enemy of his gains 1."""
    against = enemies(m, who)
    own = len(against) if able(m, who, "jack") else 0
    return own + any(able(m, enemy, "jack") for enemy in against)


def structure(m: Match, who: str) -> int:
    """Resolve Attack and Defense cards: return the Structure of a ship, or of both ships of a captain."""
    return sum(ship.structure for ship in crews(m, who)) if is_captain(m, who) else fighter(m, who).structure


def most_structure(m: Match, who: str) -> int:
    """Battle cards, Damage Control: return the Structure that cannot be exceeded."""
    if not is_captain(m, who):
        return fighter(m, who).numbers.get("structure", 0)
    return sum(printed(m, c).get("structure", 0) for c in (*own_cards(m, who), *installed(m, who)))


def fuel(m: Match, who: str) -> int:
    """Use Improvements: return the Fuel in the tank of a ship, or of both ships of a captain."""
    return sum(ship.fuel for ship in crews(m, who)) if is_captain(m, who) else fighter(m, who).fuel


def burn(m: Match, who: str, count: int) -> int:
    """Use Improvements: take Fuel out of the tank, as far as it is there; return how much that was."""
    left = count
    for ship in crews(m, who) if is_captain(m, who) else [fighter(m, who)]:
        burnt = min(left, ship.fuel)
        ship.fuel -= burnt
        left -= burnt
    return count - left


def change_structure(m: Match, who: str, by: int, place: str = HULL) -> int:
    """Resolve Attack and Defense cards: change the Structure, between 0 and its maximum; return by how much.

    Args:
        m: the match.
        who: whose ship it is.
        by: the change; of two ships repairs go to the first that is damaged.
        place: the hull that is damaged; of two ships the second one goes by its card.
    """
    if not is_captain(m, who):
        return change_hull(fighter(m, who), by, most_structure(m, who))
    if by < 0:
        return change_hull(hull(m, who, place), by, 0)
    before = structure(m, who)
    for name in crewed(m, who):
        with aboard(m, who, name):
            left = by - (structure(m, who) - before)
            change_hull(ship_of(m, who), left, full_structure(m, who))
    return structure(m, who) - before


def change_hull(ship: Any, by: int, most: int) -> int:
    """Resolve Attack and Defense cards: change the Structure of one hull; return by how much."""
    before = int(ship.structure)
    ship.structure = max(0, min(before + by, max(before, most)))
    return int(ship.structure) - before


def hull(m: Match, who: str, place: str) -> Ship:
    """Variants, Two Player Game: return the ship that a place of hits means: the first, or the one with that card."""
    found = crews(m, who)
    return next((ship for ship in found if ship.card == place), found[0])


def hulls(m: Match, who: str) -> list[str]:
    """Variants, Two Player Game: return the hulls of a captain as places of hits."""
    return [HULL, *(ship.card for ship in crews(m, who)[1:])] if is_captain(m, who) else [HULL]


def hull_left(m: Match, who: str, place: str) -> int:
    """Resolve Attack and Defense cards: return the Structure of one hull."""
    return hull(m, who, place).structure if is_captain(m, who) else fighter(m, who).structure


def cargo(m: Match, who: str) -> dict[str, int]:
    """Battle cards, Cargo Breach: return the tokens on board by commodity; a non-player ship carries none."""
    found: dict[str, int] = {}
    for ship in crews(m, who) if is_captain(m, who) else ():
        for goods, count in ship.cargo.items():
            found[goods] = found.get(goods, 0) + count
    return {goods: count for goods, count in found.items() if count}


def break_improvement(m: Match, who: str, card: str) -> None:
    """Resolve Attack and Defense cards; PL-65: the card is turned face down and unavailable at once."""
    with aboard(m, who, bearer(m, who, card)):
        mats.break_improvement(m, who, card)


# Who fights whom


def fighting(m: Match) -> list[str]:
    """Battle round closure: return the ships still in the battle, in turn order."""
    fighters = m.table.battle.fighters
    return [who for who in turn_order(m) if fighters[who].state == "fighting"]


def turn_order(m: Match) -> list[str]:
    """Escape attempts; PL-69, PL-76: the normal turn order from the active player; a non-player ship follows its player."""
    battle = m.table.battle
    at = m.seats.index(battle.active)
    seats = m.seats[at:] + m.seats[:at]
    own = {seat: [w for w, f in battle.fighters.items() if f.seat == seat] for seat in seats}
    return [who for seat in seats for who in sorted(own[seat], key=lambda w: w != seat)]


def by_speed(m: Match) -> list[str]:
    """Resolve Support cards; PL-59: the fastest ship first, equally fast ones in turn order."""
    return sorted(fighting(m), key=lambda who: -speed(m, who))


def enemies(m: Match, who: str) -> list[str]:
    """Multiple players in battle; PL-51: return the ships of the other side that are still there."""
    return [other for other in fighting(m) if fighter(m, other).side != fighter(m, who).side]


def allies(m: Match, who: str) -> list[str]:
    """Multiple players in battle: return the other ships of the own side that are still there."""
    side = fighter(m, who).side
    return [other for other in fighting(m) if fighter(m, other).side == side and other != who]


def targets(m: Match, who: str) -> list[str]:
    """Resolve Attack and Defense cards: return the enemies that are not destroyed yet."""
    return [enemy for enemy in enemies(m, who) if structure(m, enemy) > 0]
