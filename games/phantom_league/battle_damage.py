"""Battle sequence, step 5: Attack cards against Defense cards, and where the damage goes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from referee.kit import Frame, Match, step

from . import battle_ships as ships
from .battle_cards import copies, effect_of, owns, revealed
from .battle_deck import card_of, discard, face_of
from .battle_plan import (
    ANY,
    asks,
    at_least,
    concerns,
    fire,
    guard,
    guard_enough,
    guard_nothing,
    hits,
    lines_of,
    named,
    take_line,
    wound,
)

ONE, EVERY, BLOCK = "one", "all", "block"

# The attacker's choice


@step
def shots(m: Match, who: str) -> Any:
    """Resolve Attack and Defense cards: a ship resolves its Attack cards one by one, while there is an enemy left."""
    faces, targets = revealed(m, who, "attack"), ships.targets(m, who)
    if not faces or not targets:
        return None
    again = [shots(who=who)]
    if asks(m, who):
        return m.ask(ships.seat_of(m, who), "fire", fire.given(who=who, scene=choices(m, who, faces)), then=again, ship=who)
    m.do(planned_shot(m, who, targets) or default_shot(m, who, faces[0]), *again)
    return None


def choices(m: Match, who: str, faces: list[str]) -> dict[str, Any]:
    """Resolve Attack and Defense cards; PL-62: the sub-choices of each Attack card."""
    left = ships.fuel(m, who)
    return {
        "faces": faces,
        "weapons": {face: list(shown(m, face)) if is_choice(m, face) else [ANY] for face in faces},
        "fuel": {face: min(face_of(m, face).get("fuel", 0), left) for face in faces},
    }


def planned_shot(m: Match, who: str, targets: Sequence[str]) -> Frame | None:
    """Battle sequence: return the first planned attack that can be made."""
    fits = [line for line in lines_of(m, who, "fire") if owns(m, who, line["card"]) and line["target"] in (ANY, *targets)]
    if not fits:
        return None
    line = take_line(m, who, fits)
    return shot_frame(m, who, line["card"], line["target"], line["weapon"], int(line["fuel"] or 0))


def default_shot(m: Match, who: str, face: str) -> Frame:
    """Resolve Attack and Defense cards: without an order the enemy who does not block is attacked, and no Fuel is spent."""
    return shot_frame(m, who, face, ANY, ANY, 0)


def shot_frame(m: Match, who: str, face: str, target: str, weapon: str, fuel: int) -> Frame:
    """Resolve Attack and Defense cards: return an attack with what was left open filled in."""
    at = target or first_target(m, who)
    chosen = (weapon or better_weapon(m, who, face, at)) if is_choice(m, face) else ANY
    paid = min(fuel, face_of(m, face).get("fuel", 0), ships.fuel(m, who))
    return shot(who=who, face=face, target=at, weapon=chosen, fuel=paid)


def first_target(m: Match, who: str) -> str:
    """Resolve Attack and Defense cards: an enemy who does not block, and of those the leader of the other side."""
    found = ships.targets(m, who)
    return min(found, key=lambda t: (ships.fighter(m, t).blocking, ships.fighter(m, t).side != t))


def better_weapon(m: Match, who: str, face: str, target: str) -> str:
    """Resolve Attack and Defense cards: the weapon type that is farther above the enemy's Defense."""
    return max(shown(m, face), key=lambda w: attack_total(m, who, face, w, 0) - ships.defense(m, target, w))


def shown(m: Match, face: str) -> tuple[str, ...]:
    """Resolve Attack and Defense cards: return the weapon types whose symbols a card shows."""
    return tuple(weapon for weapon in ships.WEAPONS if weapon in face_of(m, face))


def is_choice(m: Match, face: str) -> bool:
    """Battle Example, Precision Strike: tell whether one weapon type is chosen."""
    return face_of(m, face).get("weapon") == ONE


@step
def shot(m: Match, who: str, face: str, target: str, weapon: str, fuel: int) -> None:
    """Resolve Attack and Defense cards; PL-60, PL-62: the card is put off; a ship that blocks all disregards it."""
    seat = ships.seat_of(m, who)
    discard(m, who, card_of(m, face))
    if ships.fighter(m, target).blocking:
        ships.fighter(m, who).bonus.pop(face, None)
        m.reveal("is blocked", of=seat, who=who, card=face, target=target)
        return
    ships.burn(m, who, fuel)
    m.reveal("fires", of=seat, who=who, card=face, target=target, weapon=weapon, fuel=fuel)
    m.do(defend(who=who, face=face, target=target, weapon=weapon, fuel=fuel))


# The defender's choice


@step
def defend(m: Match, who: str, face: str, target: str, weapon: str, fuel: int) -> Any:
    """Resolve Attack and Defense cards; PL-62: the attacked player may use Defense cards, in any combination."""
    attack = {"who": who, "face": face, "target": target, "weapon": weapon, "fuel": fuel}
    cards = useful(m, target, attack)
    if not cards:
        m.do(strike(**attack, guards=[], choice=ANY, paid=0))
    elif asks(m, target):
        scene = defence_scene(m, attack, cards)
        offers = [one.given(who=target, scene=scene) for one in (guard, guard_enough, guard_nothing)]
        return m.ask(ships.seat_of(m, target), "guard", *offers, ship=target, attacker=who, card=face)
    else:
        m.do(planned_defence(m, attack, cards))
    return None


def useful(m: Match, target: str, attack: Frame) -> list[str]:
    """Resolve Attack and Defense cards: return the Defense cards that work against an attack; PL-T8: by its weapon types."""
    row, weapons = face_of(m, attack["face"]), weapons_of(m, attack)
    kinds = {ONE, EVERY} - {row.get("unguarded", ANY)}
    faces = [face for face in revealed(m, target, "defense") if face_of(m, face).get("guards") in kinds]
    fitting = [face for face in faces if any(weapon in face_of(m, face) for weapon in weapons)]
    return [face for face in fitting for _ in range(copies(m, target, face))]


def weapons_of(m: Match, attack: Frame) -> list[str]:
    """Resolve Attack and Defense cards; PL-63: the weapon types that an attack uses."""
    return [attack["weapon"]] if attack["weapon"] else list(shown(m, attack["face"]))


def defence_scene(m: Match, attack: Frame, cards: list[str]) -> dict[str, Any]:
    """Resolve Attack and Defense cards; PL-62: what a defender may choose."""
    return {
        "attack": attack,
        "cards": cards,
        "most": face_of(m, attack["face"]).get("most-guards", len(cards)),
        "together": [list(guards) for guards, _, _ in defences(m, attack, cards) if guards],
        "choice": [card for card in cards if is_choice(m, card)],
        "fuelled": [card for card in cards if "fuel" in face_of(m, card)],
        "left": ships.fuel(m, attack["target"]),
    }


def planned_defence(m: Match, attack: Frame, cards: list[str]) -> Frame:
    """Battle sequence: return the first planned defense that fits an attack, or the default."""
    unguarded = damage_of(m, attack, [], ANY, 0)
    lines = lines_of(m, attack["target"], "guard", "guard_enough", "guard_nothing")
    lines = [line for line in lines if concerns(line, attack["who"], attack["face"]) and at_least(line, unguarded)]
    lines = [line for line in lines if line["do"] != "guard" or can_guard(m, attack, cards, named(line["cards"]))]
    line = take_line(m, attack["target"], lines, "attack") if lines else {"do": "guard_enough"}
    if line["do"] == "guard_enough":
        return strike_enough(**attack)
    if line["do"] == "guard_nothing":
        return strike(**attack, guards=[], choice=ANY, paid=0)
    wanted = named(line["cards"])
    paid = min(int(line["fuel"] or 0), fuel_for(m, attack["target"], wanted))
    return strike(**attack, guards=wanted, choice=line["weapon"] or best_choice(m, attack, wanted), paid=paid)


def can_guard(m: Match, attack: Frame, cards: Sequence[str], wanted: Sequence[str]) -> bool:
    """Resolve Attack and Defense cards: tell whether these cards work together against an attack."""
    most = face_of(m, attack["face"]).get("most-guards", len(wanted))
    return set(wanted) <= set(cards) and owns(m, attack["target"], *wanted) and len(wanted) <= most


@step
def strike_enough(m: Match, who: str, face: str, target: str, weapon: str, fuel: int) -> None:
    """Resolve Attack and Defense cards: least damage, then the fewest cards spent, then the least Fuel."""
    attack = {"who": who, "face": face, "target": target, "weapon": weapon, "fuel": fuel}
    cards = useful(m, target, attack)
    guards, choice, paid = min(defences(m, attack, cards), key=lambda d: cost(m, attack, *d))
    m.do(strike(**attack, guards=guards, choice=choice, paid=paid))


def defences(m: Match, attack: Frame, cards: Sequence[str]) -> Iterator[tuple[list[str], str, int]]:
    """Resolve Attack and Defense cards: yield every combination of Defense cards, with weapon and Fuel."""
    most = face_of(m, attack["face"]).get("most-guards", len(cards))
    for size in range(min(most, len(cards)) + 1):
        for guards in map(list, combinations(cards, size)):
            if owns(m, attack["target"], *guards):
                for paid in range(fuel_for(m, attack["target"], guards) + 1):
                    yield guards, best_choice(m, attack, guards), paid


def cost(m: Match, attack: Frame, guards: list[str], choice: str, paid: int) -> tuple[int, int, int, int]:
    """Resolve Attack and Defense cards: return what a defense costs: damage, cards spent, Fuel, cards used."""
    spent = sum(face_of(m, face)["guards"] == ONE for face in guards)
    return damage_of(m, attack, guards, choice, paid), spent, paid, len(guards)


def fuel_for(m: Match, who: str, guards: Sequence[str]) -> int:
    """Battle cards, Emergency Power: return how much Fuel some Defense cards can take."""
    return min(ships.fuel(m, who), sum(face_of(m, face).get("fuel", 0) for face in guards))


def best_choice(m: Match, attack: Frame, guards: Sequence[str]) -> str:
    """Two sided Battle cards, A Choice: the type on which the card helps more."""
    if not any(is_choice(m, face) for face in guards):
        return ANY
    return min(ships.WEAPONS, key=lambda weapon: damage_of(m, attack, guards, weapon, 0))


# What comes of it


def attack_total(m: Match, who: str, face: str, weapon: str, fuel: int) -> int:
    """Resolve Attack and Defense cards; PL-63, PL-T29: ship, Captain, Improvements and card; without a weapon 0."""
    if not ships.has_weapon(m, who, weapon):
        return 0
    return ships.number(m, who, f"{weapon}-attack") + card_attack(m, who, face, weapon) + fuel


def card_attack(m: Match, who: str, face: str, weapon: str) -> int:
    """Battle cards, Cover Fire, Sensor Ghosts: return the number of an Attack card, at least 0, with what was added to it."""
    fighter = ships.fighter(m, who)
    return max(0, int(face_of(m, face)[weapon]) + fighter.boost) + fighter.bonus.get(face, 0)


def guard_total(m: Match, target: str, guards: Sequence[str], weapon: str, choice: str, paid: int) -> int:
    """Resolve Attack and Defense cards: return what Defense cards add against a weapon type."""
    bonus, total = ships.fighter(m, target).bonus, 0
    for face in guards:
        row = face_of(m, face)
        if weapon in row and not (row.get("weapon") == ONE and weapon != choice):
            fuelled = min(paid, row.get("fuel", 0))
            total += row[weapon] + fuelled
            paid -= fuelled
    return total + sum(bonus.get(face, 0) for face in dict.fromkeys(guards))


def damages(m: Match, attack: Frame, guards: Sequence[str], choice: str, paid: int) -> dict[str, dict[str, int]]:
    """Resolve Attack and Defense cards; PL-63: for each weapon type the parts of both totals, and the damage."""
    who, face, target = attack["who"], attack["face"], attack["target"]
    found = {}
    for weapon in weapons_of(m, attack):
        total = attack_total(m, who, face, weapon, attack["fuel"])
        base, added = ships.defense(m, target, weapon), guard_total(m, target, guards, weapon, choice, paid)
        found[weapon] = {
            "ship": ships.number(m, who, f"{weapon}-attack"),
            "number": card_attack(m, who, face, weapon),
            "fuel": attack["fuel"],
            "attack": total,
            "base": base,
            "added": added,
            "defense": base + added,
            "damage": max(0, total - base - added),
        }
    return found


def damage_of(m: Match, attack: Frame, guards: Sequence[str], choice: str, paid: int) -> int:
    """Resolve Attack and Defense cards; PL-63: damage is computed for each type, and added."""
    return sum(row["damage"] for row in damages(m, attack, guards, choice, paid).values())


@step
def strike(
    m: Match, who: str, face: str, target: str, weapon: str, fuel: int, guards: list[str], choice: str, paid: int
) -> None:
    """Resolve Attack and Defense cards; PL-62, PL-67: totals, Escape icons, damage; a card against one attack is gone."""
    attack = {"who": who, "face": face, "target": target, "weapon": weapon, "fuel": fuel}
    m.reveal("guards", of=ships.seat_of(m, target), who=target, cards=guards, weapon=choice, fuel=paid)
    ships.burn(m, target, paid)
    total = 0
    for type, row in damages(m, attack, guards, choice, paid).items():
        m.tell("strikes", who=who, target=target, card=face, weapon=type, **row)
        total += row["damage"]
    damage = [wounded(who=target, by=who, face=face, damage=total)] if total else []
    ships.fighter(m, who).bonus.pop(face, None)
    m.do(*[used(who=target, face=card, count=guards.count(card)) for card in dict.fromkeys(guards)], *icons(m, attack), *damage)


def icons(m: Match, attack: Frame) -> list[Frame]:
    """Escape attempts: Escape icons on Attack cards affect the opponent, also without damage."""
    by = face_of(m, attack["face"]).get("escape", 0)
    shifted = [step.shift_escape(target=attack["target"], by=by)] if by else []
    return shifted + effect_of(m, attack["face"], attack["who"], attack["target"])


@step
def used(m: Match, who: str, face: str, count: int) -> None:
    """Resolve Attack and Defense cards; PL-67: an Escape icon counts once a round; against one attack a card is put off."""
    row, fighter = face_of(m, face), ships.fighter(m, who)
    new = max(0, count - fighter.kept.count(face))
    if "escape" in row and new:
        m.do(step.shift_escape(target=who, by=new * row["escape"]))
    if row["guards"] == ONE:
        fighter.bonus.pop(face, None)
        for _ in range(count):
            discard(m, who, card_of(m, face))
    else:
        fighter.kept += [face] * new


# Where the damage goes


@step
def wounded(m: Match, who: str, by: str, face: str, damage: int) -> Any:
    """Resolve Attack and Defense cards; PL-64: the owner applies it unless the card says otherwise."""
    row = face_of(m, face)
    places = places_for(m, who, row.get("must-hit", ANY))
    chooser = by if row.get("applies") == "attacker" else who
    scene = {"ship": who, "places": places, "damage": damage, "by": by}
    if len(places) > 1 and asks(m, chooser):
        choice = wound if chooser == by else hits
        offer = choice.given(who=chooser, scene=scene)
        return m.ask(ships.seat_of(m, chooser), "damage", offer, ship=who, damage=damage)
    planned = planned_wound(m, chooser, scene) if chooser == by else planned_hit(m, scene, face)
    worst = chooser == by
    m.do(apply_damage(who=who, place=planned or default_place(m, scene, worst=worst), damage=damage, by=by))
    return None


def places_for(m: Match, who: str, must_hit: str) -> list[str]:
    """Resolve Attack and Defense cards; PL-64: the hull, or one unbroken Improvement with Structure; some cards leave less."""
    fitted = [card for card in ships.installed(m, who) if ships.printed(m, card).get("structure", 0) > 0]
    forced = [card for card in fitted if ships.printed(m, card)["category"] == must_hit]
    return forced or [*ships.hulls(m, who), *fitted]


def planned_hit(m: Match, scene: dict[str, Any], face: str) -> str:
    """Battle sequence: return where the owner planned to apply this damage."""
    lines = [line for line in lines_of(m, scene["ship"], "hits") if concerns(line, scene["by"], face)]
    lines = [line for line in lines if at_least(line, scene["damage"]) and line["place"] in scene["places"]]
    return take_line(m, scene["ship"], lines, "attack")["place"] if lines else ANY


def planned_wound(m: Match, chooser: str, scene: dict[str, Any]) -> str:
    """Battle sequence: return where the attacker planned to apply this damage."""
    lines = [line for line in lines_of(m, chooser, "wound") if line["ship"] in (ANY, scene["ship"])]
    return next((line["place"] for line in lines if line["place"] in scene["places"]), ANY)


def default_place(m: Match, scene: dict[str, Any], *, worst: bool) -> str:
    """Resolve Attack and Defense cards: the owner takes it on the hull, unless that kills and an Improvement does not.

    An attacker who may apply it takes what costs the enemy most Structure.
    """
    who, places = scene["ship"], scene["places"]
    losses = {place: loss_at(m, who, place, scene["damage"]) for place in places}
    left = {place: ships.hull_left(m, who, hull_of(m, who, place)) for place in places}
    if worst:
        return max(places, key=lambda place: (losses[place], place == ships.HULL))
    safe = [hull for hull in ships.hulls(m, who) if hull in places and losses[hull] < left[hull]]
    return max(safe, key=lambda hull: left[hull]) if safe else min(places, key=lambda p: (losses[p] >= left[p], losses[p]))


def hull_of(m: Match, who: str, place: str) -> str:
    """Variants, Two Player Game: return the hull that a place of hits belongs to."""
    hulls = ships.hulls(m, who)
    if place in hulls or len(hulls) == 1:
        return place if place in hulls else ships.HULL
    return hulls[ships.crewed(m, who).index(ships.bearer(m, who, place))]


def loss_at(m: Match, who: str, place: str, damage: int) -> int:
    """Resolve Attack and Defense cards; PL-64: an Improvement soaks up all but its own Structure value."""
    return damage if place in ships.hulls(m, who) else int(ships.printed(m, place)["structure"])


@step
def apply_damage(m: Match, who: str, place: str, damage: int, by: str) -> None:
    """Resolve Attack and Defense cards; PL-64, PL-65: the hull loses it all; or an Improvement breaks."""
    m.reveal("applies damage", who=who, place=place, damage=damage)
    hull = hull_of(m, who, place)
    lost = lose_structure(who=who, by=by, damage=loss_at(m, who, place, damage), place=hull)
    if place != hull:
        m.do(lost, break_down(who=who, card=place))
    else:
        m.do(lost)


@step
def lose_structure(m: Match, who: str, by: str, damage: int, place: str) -> None:
    """Resolve Attack and Defense cards; PL-75: whoever brings it to 0 destroys the ship; nobody, where `by` is empty.

    `place` is the hull: of two ships the second one goes by its card.
    """
    ships.change_structure(m, who, -damage, place)
    left = ships.structure(m, who)
    if left == 0 and not ships.fighter(m, who).struck_by:
        ships.fighter(m, who).struck_by = by
    m.tell("damaged", who=who, damage=damage, structure=left)


@step
def break_down(m: Match, who: str, card: str) -> None:
    """Resolve Attack and Defense cards; PL-65: a broken Improvement is unavailable at once; its Structure is lost before."""
    ships.break_improvement(m, who, card)
