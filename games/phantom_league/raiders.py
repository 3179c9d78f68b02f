"""Battle with non-player ships: Pirates, Alliance ships and Aliens, and who plays them."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, no, order, step

from . import battle_ships as ships
from . import mats
from .battle_table import Fighter
from .choices import interrupted
from .group import stands
from .leagues import companions

NUMBERS = (
    "speed", "projectile-attack", "energy-attack", "projectile-defense", "energy-defense", "structure", "fuel", "escape",
    "support", "attack-cards", "defense-cards", "support-cards", "bounty", "recognition",
)  # fmt: skip
MIRRORED = (*NUMBERS[:9], "stunt", "tractor")
"""What is copied of a ship card, its special powers in a battle included."""


def row_of(m: Match, raider: str) -> dict[str, Any]:
    """Battle with non-player ships: return the card of a non-player ship."""
    sheet = "raiders" if raider in m.components["raiders"] else "aliens"
    return m.components[sheet][raider]


def new_raider(m: Match, raider: str, active: str, side: str) -> Fighter:
    """Battle with non-player ships; PL-76: bring a ship into a battle; the first player to the left plays it."""
    row = row_of(m, raider)
    numbers = {column: row[column] for column in NUMBERS if column in row}
    if row.get("mirror"):
        own = ships.printed(m, mats.ship_of(m, active).card)
        numbers = {**{column: own[column] for column in MIRRORED if column in own}, **numbers}
    seat = player_of_raiders(m, active)
    return Fighter(seat=seat, side=side, numbers=numbers, structure=numbers["structure"], fuel=numbers.get("fuel", 0))


def player_of_raiders(m: Match, active: str) -> str:
    """Battle with non-player ships; PL-76: the first player to the left of the active one who is not in the same League."""
    left = [seat for seat in m.others(active) if not mats.captain_of(m, seat).dead]
    strangers = [seat for seat in left if not in_league(m, seat, active)]
    return next(iter(strangers or left), active)


def in_league(m: Match, one: str, other: str) -> bool:
    """The Phantom Leagues: tell whether two players are members of one League, or of one group that moves together."""
    return other in companions(m, one)


# Hostile aliens


@step
def fight_alien(m: Match, who: str, card: str) -> None:
    """Aliens: a hostile ship attacks; a group fights it together."""
    if not stands(m, who):
        m.do(step.battle(attacker=card, defender=who, cause="alien"))


@step
def pay_or_fight(m: Match, who: str, card: str, fuel: int) -> Any:
    """Aliens, Old Machine: Fuel out of the tank, or a battle."""
    offers = pay_toll.given(card=card, toll=fuel), face_alien.given(card=card)
    return m.ask(who, "alien toll", *offers, interrupts=interrupted(m, who), card=card, fuel=fuel)


@order("pay toll")
def pay_toll(m: Match, who: str, card: str, toll: int) -> None:
    """Aliens, Old Machine: the Fuel is paid."""
    mats.burn_fuel(m, who, toll)
    m.tell("pays toll", who=who, card=card, fuel=toll)


@pay_toll.offered
def may_pay_toll(m: Match, who: str, card: str, toll: int) -> Any:
    """Aliens, Old Machine: only with enough Fuel in the tank."""
    return {} if mats.ship_of(m, who).fuel >= toll else no("no fuel for toll", fuel=toll)


@order("fight alien")
def face_alien(m: Match, who: str, card: str) -> None:
    """Aliens, Old Machine: it comes to a battle."""
    m.do(fight_alien(who=who, card=card))
