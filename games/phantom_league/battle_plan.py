"""Orders for a battle round: plan lines that answer the choices of a round before they come up (Battle sequence, steps 3 to 7).

After the cards are revealed every ship gets one joint, sealed question; all lines of the answer are its plan. A later choice
takes the first line of its topic that fits, else its default. Whoever has written `ask` is asked instead, by the same orders:
then `scene` tells what is being decided, while in a plan it is empty and a line may name whatever may come up.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.kit import Frame, Match, no, one_of, order, some_of, step

from . import battle_ships as ships
from .battle_deck import all_faces, card_of, face_of, fronts
from .data import called

ANY = ""
ENOUGH, ALL = "enough", "all"
ONCE = "once"
COLLISION = "collision"
AMOUNTS = [str(count) for count in range(21)]
GOODS = ("narcotics", "slaves", "fuel", "food", "ore")
MOST_NAMED = 5
Scene = dict[str, Any]


@step
def plan(m: Match, who: str, lines: list[Frame]) -> None:
    """Battle sequence: keep the lines of an order sheet, hidden from all others."""
    fighter = ships.fighter(m, who)
    fighter.plan = [written(m, line) for line in lines]
    if any(line["do"] == "ask" for line in fighter.plan):
        fighter.asks = True
        m.reveal("wants to be asked", of=fighter.seat, who=who)


def written(m: Match, line: Frame) -> dict[str, str]:
    """Battle sequence: return a plan line as text, slot by slot."""
    slots = m.game.steps[line["do"]].slots  # type: ignore[attr-defined]
    values = {slot: line[slot] for slot in slots}
    return {"do": line["do"], **{k: " and ".join(v) if isinstance(v, list) else v for k, v in values.items()}}


def lines_of(m: Match, who: str, *topics: str) -> list[dict[str, str]]:
    """Battle sequence: return the plan lines on a topic, in order; none from whoever wants to be asked."""
    fighter = ships.fighter(m, who)
    return [] if fighter.asks else [line for line in fighter.plan if line["do"] in topics]


def take_line(m: Match, who: str, lines: Sequence[dict[str, str]], slot: str = "card") -> dict[str, str]:
    """Battle sequence: return the first of the lines that fit; where a second one is for a like card it has done its work."""
    first = lines[0]
    if first[slot] in all_cards(m) and any(line[slot] == first[slot] for line in lines[1:]):
        ships.fighter(m, who).plan.remove(first)
    return first


def all_cards(m: Match) -> set[str]:
    """Battle sequence: return all sides of all Battle cards."""
    return {*m.components["battle"], *m.components["sides"]}


def named(text: str) -> list[str]:
    """Battle sequence: return the names in a slot of a plan line."""
    return text.split(" and ") if text else []


def at_least(line: Mapping[str, str], damage: int) -> bool:
    """Battle sequence: tell whether a plan line fits the damage that an attack would do."""
    return damage >= int(line["least"] or 0)


def concerns(line: Mapping[str, str], attacker: str, face: str) -> bool:
    """Battle sequence: tell whether a plan line is about an attack, by its card or its ship."""
    return line["attack"] in (ANY, ALL, attacker, face)


def asks(m: Match, who: str) -> bool:
    """Battle sequence: tell whether a player wants to be asked instead of defaults."""
    return ships.fighter(m, who).asks


def others_in(m: Match, who: str) -> list[str]:
    """Battle sequence: return the other ships in the battle."""
    return [ANY, *(other for other in ships.fighting(m) if other != who)]


def amounts(low: int, high: int, *more: str) -> list[str]:
    """Battle sequence: return numbers as they are written in orders."""
    return [*more, *AMOUNTS[low : high + 1]]


def faces(m: Match, whose: Sequence[str], *kinds: str) -> list[str]:
    """Battle sequence: return all sides of the cards of some kinds, those that these ships have revealed first."""
    listed = [face for kind in kinds for face in m.components.recall(all_faces)[kind]]
    open_ones = {card for who in whose for card in ships.fighter(m, who).cards}
    return sorted(listed, key=lambda face: card_of(m, face) not in open_ones)


def with_copies(m: Match, listed: Sequence[str]) -> list[str]:
    """Battle sequence: return sides, each as often as its card is in the box."""
    return [face for face in listed for _ in m.components["battle"][card_of(m, face)]["codes"]]


@order(
    "fire {card} [at {target}] [as {weapon}] [with {fuel}]",
    card="battle cards", target="ships", weapon="weapons", fuel="battle amounts",
)  # fmt: skip
def fire(m: Match, who: str, scene: Scene, card: str, target: str, weapon: str, fuel: str) -> None:
    """Resolve Attack and Defense cards; PL-62: card, target, weapon and Fuel are the attacker's."""
    m.do(step.shot(who=who, face=card, target=target, weapon=weapon, fuel=int(fuel or 0)))


@fire.offered
def may_fire(m: Match, who: str, scene: Scene) -> Any:
    """Resolve Attack and Defense cards; PL-62: in a plan any card, else one of those that are revealed."""
    if not scene:
        return {
            "card": one_of(faces(m, [who], "attack")),
            "target": one_of(others_in(m, who), default=ANY),
            "weapon": one_of([ANY, *ships.WEAPONS], default=ANY),
            "fuel": one_of([ANY, *amounts(1, 2)], default=ANY),
        }
    return {
        "card": one_of(scene["faces"]),
        "target": one_of(ships.targets(m, who)),
        "weapon": lambda chosen: one_of(scene["weapons"][chosen["card"]]),
        "fuel": lambda chosen: one_of([ANY, *amounts(1, scene["fuel"][chosen["card"]])], default=ANY),
    }


@order("aim {card} [at {target}]", card="battle cards", target="ships")
def aim(m: Match, who: str, scene: Scene, card: str, target: str) -> None:
    """Resolve Support cards; PL-59, PL-61: which Support or indirect Defense card is next, and at whom."""
    m.do(step.carry_out(who=who, face=card, target=target))


@aim.offered
def may_aim(m: Match, who: str, scene: Scene) -> Any:
    """Resolve Support cards; PL-59: never at oneself; at an enemy if there is no ally."""
    if not scene:
        cards = faces(m, [who], "support", "defense")
        return {"card": one_of(cards), "target": lambda chosen: one_of(planned_targets(m, who, chosen["card"]), default=ANY)}
    return {"card": one_of(list(scene["targets"])), "target": lambda chosen: one_of(scene["targets"][chosen["card"]])}


def planned_targets(m: Match, who: str, face: str) -> list[str]:
    """Resolve Support cards; PL-59, PL-61: a Support card is never for the own ship, an indirect Defense card may be."""
    own = [who] if face_of(m, face)["kind"] == "defense" and face_of(m, face).get("at") != "enemy" else []
    return [*others_in(m, who), *own]


@order(
    "guard {cards} [as {weapon}] [with {fuel}] [against {attack}] [if {least}]",
    cards="some battle cards", weapon="weapons", fuel="battle amounts", attack="attacks", least="battle amounts",
)  # fmt: skip
def guard(m: Match, who: str, scene: Scene, cards: list[str], weapon: str, fuel: str, attack: str, least: str) -> None:
    """Resolve Attack and Defense cards; PL-62: the attacked player uses any number of Defense cards."""
    m.do(step.strike(**scene["attack"], guards=cards, choice=weapon, paid=int(fuel or 0)))


def condition_slots(m: Match, who: str, scene: Scene) -> dict[str, Any]:
    """Resolve Attack and Defense cards: in a plan, which attack or collision and how much damage a line is about."""
    about = [ANY] if scene else [ANY, ALL, *others_in(m, who)[1:], *faces(m, others_in(m, who)[1:], "attack"), COLLISION]
    return {
        "attack": one_of(about, default=ANY),
        "least": one_of([ANY] if scene else [ANY, *amounts(1, 9)], default=ANY),
    }


@guard.offered
def may_guard(m: Match, who: str, scene: Scene) -> Any:
    """Resolve Attack and Defense cards; PL-62: in a plan any Defense cards, else those that work against this attack."""
    if not scene:
        cards = some_of(with_copies(m, faces(m, [who], "defense")), least=1, most=MOST_NAMED)
        weapon, fuel = one_of([ANY, *ships.WEAPONS], default=ANY), one_of([ANY, "1"], default=ANY)
        return {"cards": cards, "weapon": weapon, "fuel": fuel, **condition_slots(m, who, scene)}
    if not scene["cards"]:
        return no("no defense card")
    return {
        "cards": some_of(scene["cards"], least=1, most=scene["most"]),
        "weapon": lambda chosen: one_of(types_for(chosen["cards"], scene)),
        "fuel": lambda chosen: one_of([ANY, *amounts(1, min(scene["left"], fuelled(chosen["cards"], scene)))], default=ANY),
        **condition_slots(m, who, scene),
    }


def types_for(cards: Sequence[str], scene: Scene) -> list[str]:
    """Two sided Battle cards: the weapon types to choose from; none where both sides of one card are named."""
    if sorted(cards) not in [sorted(together) for together in scene["together"]]:
        return []
    return list(ships.WEAPONS) if set(cards) & set(scene["choice"]) else [ANY]


def fuelled(cards: Sequence[str], scene: Scene) -> int:
    """Battle cards, Emergency Power: return how much Fuel some Defense cards can take."""
    return sum(card in scene["fuelled"] for card in cards)


@order("guard enough [against {attack}] [if {least}]", attack="attacks", least="battle amounts")
def guard_enough(m: Match, who: str, scene: Scene, attack: str, least: str) -> None:
    """Resolve Attack and Defense cards: least damage, then fewest cards spent, then least Fuel."""
    m.do(step.strike_enough(**scene["attack"]))


@guard_enough.offered
def may_guard_enough(m: Match, who: str, scene: Scene) -> Any:
    """Resolve Attack and Defense cards: always possible."""
    return condition_slots(m, who, scene)


@order("guard nothing [against {attack}] [if {least}]", attack="attacks", least="battle amounts")
def guard_nothing(m: Match, who: str, scene: Scene, attack: str, least: str) -> None:
    """Resolve Attack and Defense cards; PL-62: the use of a Defense card is optional."""
    m.do(step.strike(**scene["attack"], guards=[], choice=ANY, paid=0))


@guard_nothing.offered
def may_guard_nothing(m: Match, who: str, scene: Scene) -> Any:
    """Resolve Attack and Defense cards: always possible."""
    return condition_slots(m, who, scene)


@order("hits on {place} [from {attack}] [if {least}]", place="places of hits", attack="attacks", least="battle amounts")
def hits(m: Match, who: str, scene: Scene, place: str, attack: str, least: str) -> None:
    """Resolve Attack and Defense cards; PL-64: where the owner applies the damage."""
    m.do(step.apply_damage(who=scene["ship"], place=place, damage=scene["damage"], by=scene["by"]))


@hits.offered
def may_hits(m: Match, who: str, scene: Scene) -> Any:
    """Resolve Attack and Defense cards; PL-64: the hull, or an unbroken Improvement with Structure."""
    places = scene["places"] if scene else [*ships.hulls(m, who), *ships.installed(m, who)]
    return {"place": one_of_places(m, places), **condition_slots(m, who, scene)}


def one_of_places(m: Match, places: Sequence[str]) -> Any:
    """Resolve Attack and Defense cards; PL-64: offer the hull, Improvements and a second ship, by code or name."""
    names = {}
    for sheet in ("improvements", "ships"):
        names.update(called(m, sheet, [place for place in places if place in m.components[sheet]]))
    return one_of(places, same=names)


@order("wound {place} [of {ship}]", place="places of hits", ship="ships")
def wound(m: Match, who: str, scene: Scene, place: str, ship: str) -> None:
    """Resolve Attack and Defense cards; PL-64: where the attacker applies damage, if the card says so."""
    m.do(step.apply_damage(who=scene["ship"], place=place, damage=scene["damage"], by=scene["by"]))


@wound.offered
def may_wound(m: Match, who: str, scene: Scene) -> Any:
    """Resolve Attack and Defense cards; PL-64: the hull, or an unbroken Improvement of the enemy."""
    if scene:
        return {"place": one_of_places(m, scene["places"]), "ship": one_of([scene["ship"]])}
    others = others_in(m, who)
    fitted = [card for other in others[1:] for card in [*ships.hulls(m, other), *ships.installed(m, other)]]
    return {"place": one_of_places(m, list(dict.fromkeys([ships.HULL, *fitted]))), "ship": one_of(others, default=ANY)}


@order("shed {cards}", cards="some battle cards")
def shed(m: Match, who: str, scene: Scene, cards: list[str]) -> None:
    """Battle sequence: which cards of the Battle deck go first, whatever takes them."""
    m.do(step.put_off(who=who, cards=cards))


@shed.offered
def may_shed(m: Match, who: str, scene: Scene) -> Any:
    """Battle sequence: in a plan any cards, else so many of the own Battle deck."""
    if scene:
        return {"cards": some_of(fronts(m, who), least=scene["count"], most=scene["count"])}
    return {"cards": some_of(list(m.components["battle"]), least=1, most=MOST_NAMED)}


@order("spare {cards}", cards="some battle cards")
def spare(m: Match, who: str, scene: Scene, cards: list[str]) -> None:
    """Battle sequence: which cards of the Battle deck go last; of no effect but in a plan."""


@spare.offered
def may_spare(m: Match, who: str, scene: Scene) -> Any:
    """Battle sequence: any cards."""
    return {"cards": some_of(list(m.components["battle"]), least=1, most=MOST_NAMED)}


@order("flee [with {amount}]", amount="battle amounts")
def flee(m: Match, who: str, scene: Scene, amount: str) -> None:
    """Escape attempts; PL-69: announce an attempt, and with how many own cards."""
    m.do(step.announce(who=who))


@flee.offered
def may_flee(m: Match, who: str, scene: Scene) -> Any:
    """Escape attempts; PL-71: the player who attempts it may use any number of cards."""
    if scene.get("step") == "announce":
        return {"amount": one_of([ANY], default=ANY)}
    if scene:
        return {"amount": one_of([ALL, *amounts(0, scene["cards"])])}
    return {"amount": one_of([ENOUGH, ALL, *amounts(0, 20)], default=ENOUGH)}


@order("flee if {value} [with {amount}]", value="battle amounts", amount="battle amounts")
def flee_if(m: Match, who: str, scene: Scene, value: str, amount: str) -> None:
    """Escape attempts: announce an attempt only if the Escape value is not above a number; in a plan alone."""


@flee_if.offered
def may_flee_if(m: Match, who: str, scene: Scene) -> Any:
    """Escape attempts: any value."""
    return {"value": one_of(amounts(0, 20)), "amount": one_of([ENOUGH, ALL, *amounts(0, 20)], default=ENOUGH)}


@order("stay [with {amount}]", amount="battle amounts")
def stay(m: Match, who: str, scene: Scene, amount: str) -> None:
    """Escape attempts; PL-68: no attempt; or one that is hindered with own cards, so that the ship stays."""
    m.do(step.remain(who=who))


@stay.offered
def may_stay(m: Match, who: str, scene: Scene) -> Any:
    """Escape attempts; PL-68: any number of own cards."""
    if scene.get("step") == "announce":
        return {"amount": one_of([ANY], default=ANY)}
    return {"amount": one_of([ANY, *amounts(1, scene.get("cards", 20))], default=ANY)}


@order("help {ship} [with {amount}]", ship="ships", amount="battle amounts")
def help_escape(m: Match, who: str, scene: Scene, ship: str, amount: str) -> None:
    """Escape attempts; PL-69: cards that lower the Escape value of another ship; counted when all have answered."""


@help_escape.offered
def may_help_escape(m: Match, who: str, scene: Scene) -> Any:
    """Escape attempts; PL-71: up to the support total."""
    return lend_slots(m, who, scene)


@order("hinder {ship} [with {amount}]", ship="ships", amount="battle amounts")
def hinder(m: Match, who: str, scene: Scene, ship: str, amount: str) -> None:
    """Escape attempts; PL-70: cards that raise the Escape value of another ship; counted when all have answered."""


@hinder.offered
def may_hinder(m: Match, who: str, scene: Scene) -> Any:
    """Escape attempts; PL-71: up to the support total."""
    return lend_slots(m, who, scene)


def lend_slots(m: Match, who: str, scene: Scene) -> dict[str, Any]:
    """Escape attempts: whom, and with how many cards."""
    if scene:
        return {"ship": one_of([scene["ship"]]), "amount": one_of(amounts(0, scene["most"]), default="0")}
    return {"ship": one_of(others_in(m, who)[1:]), "amount": one_of([ALL, *amounts(1, 9)], default=ALL)}


@order("ask")
def ask(m: Match, who: str) -> None:
    """Battle sequence: no defaults: every choice of the round is asked."""
