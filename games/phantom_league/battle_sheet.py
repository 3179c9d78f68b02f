"""Orders for a battle round, continued: special powers and what Battle cards let a player choose."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, No, no, one_of, order, some_of, step

from . import battle_ships as ships
from .battle_deck import KINDS, face_of, fronts
from .battle_plan import (
    ANY,
    GOODS,
    ONCE,
    Scene,
    aim,
    amounts,
    ask,
    faces,
    fire,
    flee,
    flee_if,
    guard,
    guard_enough,
    guard_nothing,
    help_escape,
    hinder,
    hits,
    shed,
    spare,
    stay,
    wound,
)
from .data import called
from .recognition import follow


@order("stunt {count}", count="battle amounts")
def stunt(m: Match, who: str, scene: Scene, count: str) -> None:
    """Battle Example, Stunt Maneuverability; PL-82: put off own cards, and every opponent as many."""
    m.do(step.perform_stunt(who=who, count=int(count)))


@stunt.offered
def may_stunt(m: Match, who: str, scene: Scene) -> Any:
    """Battle Example, Stunt Maneuverability; PL-82: up to three, after the cards are revealed, once a round."""
    most = ships.number(m, who, "stunt")
    return {"count": one_of(amounts(0, min(most, len(fronts(m, who)))))} if most else no("no such power")


@order("swap {ship}", ship="ships")
def swap(m: Match, who: str, scene: Scene, ship: str) -> None:
    """Captain cards, Botch Lebadov; PL-80: a Battle deck is replaced, card by card, out of the same sets."""
    m.do(step.swap_deck(who=who, ship=ship))


@swap.offered
def may_swap(m: Match, who: str, scene: Scene) -> Any:
    """Captain cards, Botch Lebadov; PL-80: the own and an enemy's once in a battle each."""
    if not ships.able(m, who, "swaps"):
        return no("no such power")
    used = ships.fighter(m, who).powers
    own = [] if "swap own" in used else [who]
    enemy = [] if "swap enemy" in used else ships.enemies(m, who)
    return {"ship": one_of([*own, *enemy])} if own or enemy else no("power used")


@order("keep decks")
def keep_decks(m: Match, who: str, scene: Scene) -> None:
    """Captain cards, Botch Lebadov: not now."""


@order("raise {ship} by {points} [at {moment}]", ship="ships", points="battle amounts", moment="moments")
def raise_escape(m: Match, who: str, scene: Scene, ship: str, points: str, moment: str) -> None:
    """Captain cards, Sir Frank Elderberg IV; PL-83: 2 Fuel for each point of an opponent's Escape value."""
    m.do(step.adjust_escape(who=who, ship=ship, by=int(points)))


@raise_escape.offered
def may_raise_escape(m: Match, who: str, scene: Scene) -> Any:
    """Captain cards, Sir Frank Elderberg IV; PL-83: once in a battle."""
    return veteran_slots(m, who, scene)


@order("lower {ship} by {points} [at {moment}]", ship="ships", points="battle amounts", moment="moments")
def lower_escape(m: Match, who: str, scene: Scene, ship: str, points: str, moment: str) -> None:
    """Captain cards, Sir Frank Elderberg IV; PL-83: 2 Fuel for each point of an opponent's Escape value."""
    m.do(step.adjust_escape(who=who, ship=ship, by=-int(points)))


@lower_escape.offered
def may_lower_escape(m: Match, who: str, scene: Scene) -> Any:
    """Captain cards, Sir Frank Elderberg IV; PL-83: once in a battle."""
    return veteran_slots(m, who, scene)


def veteran_slots(m: Match, who: str, scene: Scene) -> dict[str, Any] | No:
    """Captain cards, Sir Frank Elderberg IV; PL-83: an opponent, and as many points as there is Fuel for."""
    if not ships.able(m, who, "veteran"):
        return no("no such power")
    if "veteran" in ships.fighter(m, who).powers:
        return no("power used")
    points = amounts(1, ships.fuel(m, who) // 2)
    if not points:
        return no("no fuel for it")
    moments = one_of([ANY] if scene else [ANY, ONCE], default=ANY)
    return {"ship": one_of(ships.enemies(m, who)), "points": one_of(points), "moment": moments}


@order("mend hull [if {least}]", least="battle amounts")
def mend_hull(m: Match, who: str, scene: Scene, least: str) -> None:
    """Captain cards, Aayaeh'h: one Fuel repairs one Structure, once a turn, as soon as so much is missing."""
    m.do(step.mend_in_battle(who=who))


@mend_hull.offered
def may_mend_hull(m: Match, who: str, scene: Scene) -> Any:
    """Captain cards, Aayaeh'h: in a battle in her own turn, unless she has repaired a point in it already."""
    if not ships.able(m, who, "self-repair"):
        return no("no such power")
    if m.table.turn.who != who:
        return no("mends in own turn")
    if m.table.turn.self_repaired:
        return no("mended")
    return {"least": one_of([ANY] if scene else [ANY, *amounts(1, 9)], default=ANY)}


@order("block with {cards}", cards="some battle cards")
def block_with(m: Match, who: str, scene: Scene, cards: list[str]) -> None:
    """Resolve block all damage cards: which sides block; with `guard duck` in a plan the other side of Vanish is kept."""
    m.do(step.blocks(who=who, cards=[face for face in scene["faces"] if face in cards or "side" not in face_of(m, face)]))


@block_with.offered
def may_block_with(m: Match, who: str, scene: Scene) -> Any:
    """Resolve block all damage cards; PL-60: whatever has no other side blocks; of others the player chooses."""
    return {"cards": some_of(scene["faces"], least=1)} if scene else no("no block card")


@order("no power")
def no_power(m: Match, who: str, scene: Scene) -> None:
    """Captain cards; Resolve block all damage cards: a power, or a side that is a choice, is not used now."""
    cards = [face for face in scene.get("faces", []) if "side" not in face_of(m, face)]
    m.do(*[step.blocks(who=who, cards=cards) for _ in cards[:1]])


@order("lose {improvement}", improvement="improvements")
def lose(m: Match, who: str, scene: Scene, improvement: str) -> None:
    """Battle cards, Equipment Breakage: the player may choose which Improvement goes."""
    m.do(step.part_with(who=who, improvement=improvement))


@lose.offered
def may_lose(m: Match, who: str, scene: Scene) -> Any:
    """Battle cards, Equipment Breakage: any installed Improvement."""
    fitted = ships.all_installed(m, who)
    return {"improvement": one_of(fitted, same=called(m, "improvements", fitted))} if fitted else no("no improvement")


@order("drop {card}", card="battle cards")
def drop(m: Match, who: str, scene: Scene, card: str) -> None:
    """Battle cards, Overheat: which revealed Attack card is put off."""
    m.do(step.lay_down(who=who, card=card))


@drop.offered
def may_drop(m: Match, who: str, scene: Scene) -> Any:
    """Battle cards, Overheat: in a plan any Attack card, else one that is revealed."""
    return {"card": one_of(scene["cards"] if scene else faces(m, [who], "attack"))}


@order("regain {card}", card="battle cards")
def take_back(m: Match, who: str, scene: Scene, card: str) -> None:
    """Battle cards, Regroup: which discarded Defense card comes into the Battle deck."""
    m.do(step.pick_up(who=who, card=card))


@take_back.offered
def may_take_back(m: Match, who: str, scene: Scene) -> Any:
    """Battle cards, Regroup: in a plan any Defense card, else one that lies open in the discards."""
    return {"card": one_of(scene["cards"] if scene else faces(m, [], "defense"))}


@order("draw {set}", set="battle sets")
def draw_from(m: Match, who: str, scene: Scene, set: str) -> None:
    """Battle cards, Reserve Crew, Tactical Data: out of which set a card is drawn."""
    m.do(step.draw_cards(target=who, kind=set))


@draw_from.offered
def may_draw_from(m: Match, who: str, scene: Scene) -> Any:
    """Battle cards, Reserve Crew, Tactical Data: any set."""
    return {"set": one_of(KINDS)}


@order("jettison {goods}", goods="commodities")
def jettison_token(m: Match, who: str, scene: Scene, goods: str) -> None:
    """Battle cards, Cargo Breach: which token is thrown out."""
    m.do(step.throw_out(who=who, goods=goods))


@jettison_token.offered
def may_jettison_token(m: Match, who: str, scene: Scene) -> Any:
    """Battle cards, Cargo Breach: in a plan any commodity, else one on board."""
    return {"goods": one_of(scene["goods"] if scene else GOODS)}


@order("grab {goods}", goods="commodities")
def grab(m: Match, who: str, scene: Scene, goods: str) -> None:
    """Spaceships, Corsair: which commodity is taken from a defeated ship."""
    m.do(step.seize(who=who, ship=scene["ship"], goods=goods))


@grab.offered
def may_grab(m: Match, who: str, scene: Scene) -> Any:
    """Spaceships, Corsair: in a plan any commodity, else one that the defeated ship carries."""
    if not ships.able(m, who, "plunder"):
        return no("no such power")
    return {"goods": one_of(scene["goods"] if scene else GOODS)}


@order("add {card} to {other}", card="battle cards", other="battle cards")
def add_support(m: Match, who: str, scene: Scene, card: str, other: str) -> None:
    """Variants, Support card bonus: a Support card is put off for 1 more on an Attack or Defense card of the round."""
    m.do(step.give_bonus(who=who, card=card, other=other), step.bonuses(who=who))


@add_support.offered
def may_add_support(m: Match, who: str, scene: Scene) -> Any:
    """Variants, Support card bonus: if the match is played with it."""
    if not m.options["support-bonus"]:
        return no("no support bonus")
    others = scene["others"] if scene else faces(m, [who], "attack", "defense")
    return {"card": one_of(scene["cards"] if scene else faces(m, [who], "support")), "other": one_of(others)}


SHEET = (
    fire, aim, guard, guard_enough, guard_nothing, hits, wound, shed, spare, flee, flee_if, stay, help_escape, hinder,
    stunt, swap, raise_escape, lower_escape, mend_hull, lose, drop, take_back, draw_from, jettison_token, grab, add_support,
)  # fmt: skip


def sheet(m: Match) -> list[Any]:
    """Battle sequence: return what an order sheet may hold; special powers only where somebody has them."""
    return [*[one.given(scene={}) for one in SHEET], follow, ask]
