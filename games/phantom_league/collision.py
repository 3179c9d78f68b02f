"""Ship collisions."""

from __future__ import annotations

from referee.kit import Match, step

from . import battle_ships as ships
from .battle_plan import COLLISION


@step
def collide(m: Match, who: str, target: str) -> None:
    """Ship collisions; PL-79: both ships compute their damage before any of it is applied; no bounty comes of it (PL-75)."""
    damages = {ship: crash_damage(m, ship, enemy) for ship, enemy in ((who, target), (target, who))}
    for ship, enemy in ((who, target), (target, who)):
        m.tell("collides", who=ship, enemy=enemy, **parts(m, ship, enemy), damage=damages[ship])
    m.do(*[step.wounded(who=ship, by="", face=COLLISION, damage=damage) for ship, damage in damages.items() if damage])


def parts(m: Match, ship: str, enemy: str) -> dict[str, int]:
    """Ship collisions; PL-79: the enemy's Escape value, the own Defense against Projectiles, the enemy's Battering Ram."""
    defense = ships.number(m, ship, "projectile-defense") + ships.fighter(m, ship).shields
    return {"escape": ships.escape(m, enemy), "defense": defense, "ram": ships.number(m, enemy, "ram")}


def crash_damage(m: Match, ship: str, enemy: str) -> int:
    """Ship collisions; PL-79, PL-T14: the ram adds to damage only if there is any."""
    found = parts(m, ship, enemy)
    damage = found["escape"] - found["defense"]
    return damage + found["ram"] if damage > 0 else 0
