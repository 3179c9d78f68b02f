"""What Battle cards do besides damage: the verbs of their effects, and the conditions of their sides.

An effect is carried out on the `target`; `who` is the player of the card. A condition is a row such as
`{ is = "fitted", category = "engine" }`; its name and its words are checked when the data is loaded, as those of steps are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from referee.kit import Frame, Match, step

from . import battle_ships as ships
from .battle_deck import card_of, face_of, fronts, give, kind_of, take
from .battle_plan import asks, lines_of, shed
from .battle_sheet import draw_from, drop, jettison_token, lose, take_back
from .battle_table import BattleCard

Condition = Callable[..., bool]

# Conditions


def installed(m: Match, who: str, any: Sequence[str]) -> bool:
    """Two sided Battle cards: one of these Improvements is installed and unbroken."""
    return bool(set(any) & set(ships.installed(m, who)))


def fitted(m: Match, who: str, category: str) -> bool:
    """Two sided Battle cards: an unbroken Improvement of a category is installed."""
    return category in [ships.printed(m, card)["category"] for card in ships.installed(m, who)]


def able(m: Match, who: str, power: str) -> bool:
    """Two sided Battle cards: the ship has a power, by whichever of its cards."""
    return ships.able(m, who, power)


CHECKS: Mapping[str, Condition] = {"installed": installed, "fitted": fitted, "able": able}


def holds(m: Match, who: str, needs: Sequence[Mapping[str, Any]]) -> bool:
    """Two sided Battle cards: tell whether all conditions hold for a ship."""
    return all(CHECKS[need["is"]](m, who, **{k: v for k, v in need.items() if k != "is"}) for need in needs)


def usable_faces(m: Match, who: str, card: str) -> list[str]:
    """Two sided Battle cards; PL-T18: return the sides that a player may use: the first only if its need is met."""
    row = face_of(m, card)
    if "side" not in row:
        return [card]
    return [card, row["side"]] if holds(m, who, row["needs"]) else [row["side"]]


def revealed(m: Match, who: str, *kinds: str) -> list[str]:
    """Battle sequence: return the sides that may be used of the revealed cards of some kinds."""
    cards = [card for card in ships.fighter(m, who).cards if kind_of(m, card) in kinds]
    return [face for card in dict.fromkeys(cards) for face in usable_faces(m, who, card)]


def owns(m: Match, who: str, *faces: str) -> bool:
    """Battle sequence: tell whether these sides may be used together: of each revealed card one side, of two cards two."""
    cards = [card_of(m, face) for face in faces]
    held = all(cards.count(card) <= ships.fighter(m, who).cards.count(card) for card in cards)
    return held and all(face in usable_faces(m, who, card) for face, card in zip(faces, cards, strict=True))


def copies(m: Match, who: str, face: str) -> int:
    """Battle sequence: return how many revealed cards have this side."""
    return ships.fighter(m, who).cards.count(card_of(m, face))


def effect_of(m: Match, face: str, who: str, target: str) -> list[Frame]:
    """Battle cards: return the frames of a card's effect."""
    return filled(m, face_of(m, face).get("effect", []), who, target)


def filled(m: Match, frames: Sequence[Frame], who: str, target: str) -> list[Frame]:
    """Battle cards: fill in who plays the card, and at whom."""
    given = {"who": who, "target": target}
    return [{**f, **{k: v for k, v in given.items() if k in m.game.steps[f["do"]].params}} for f in frames]


# Verbs


@step
def when(m: Match, who: str, target: str, needs: list[Any], effect: list[Frame], otherwise: list[Frame]) -> None:
    """Battle cards, Tractor Grip, Grappling Beam: one effect if the player's ship has what is needed, else another."""
    m.do(*filled(m, effect if holds(m, who, needs) else otherwise, who, target))


@step
def shift_escape(m: Match, target: str, by: int) -> None:
    """Escape attempts: effects of cards on the Escape value show at once."""
    ships.fighter(m, target).escape += by
    m.tell("escape changes", who=target, by=by, escape=ships.escape(m, target))


@step
def shift_own_escape(m: Match, who: str, by: int) -> None:
    """Two sided Battle cards, Afterburn Attack: an Attack card that changes the own Escape value."""
    m.do(shift_escape(target=who, by=by))


@step
def boost_attacks(m: Match, target: str, by: int) -> None:
    """Battle cards, Cover Fire, Sensor Ghosts: the Attack cards of a ship are better or worse in this round."""
    ships.fighter(m, target).boost += by
    m.tell("attacks change", who=target, by=by, boost=ships.fighter(m, target).boost)


@step
def boost_shields(m: Match, target: str, by: int) -> None:
    """Battle cards, Shared Shields: both Defense values of a ship are better in this round."""
    ships.fighter(m, target).shields += by
    m.tell("shields change", who=target, by=by)


@step
def repair_ship(m: Match, target: str, by: int) -> None:
    """Battle cards, Damage Control, Emergency Repairs: recover Structure, not above the maximum."""
    gained = ships.change_structure(m, target, by)
    m.tell("repaired", who=target, by=gained, structure=ships.structure(m, target))


@step
def strike_hull(m: Match, who: str, target: str, by: int) -> None:
    """Battle cards, First Strike: the target loses Structure at once."""
    hull = max(ships.hulls(m, target), key=lambda place: ships.hull_left(m, target, place))
    m.do(step.lose_structure(who=target, by=who, damage=by, place=hull))


@step
def leak(m: Match, target: str, by: int) -> None:
    """Battle cards, Fuel Leak: the target loses Fuel out of its tank."""
    lost = ships.burn(m, target, by)
    m.tell("leaks", who=target, by=lost, fuel=ships.fuel(m, target))


# Verbs that move Battle cards


@step
def draw_cards(m: Match, target: str, kind: str) -> None:
    """Battle cards, Second Wind: a card of a set goes into the Battle deck."""
    seat = ships.seat_of(m, target)
    drawn = give(m, target, take(m, kind))
    m.reveal("draws battle card", to={seat: {"cards": drawn}}, who=target, set=kind, count=len(drawn))


@step
def draw_now(m: Match, who: str, kind: str) -> None:
    """Escape Example, Prayer to Unknown God; PL-61: a card is drawn and joins the revealed cards of this round."""
    card = take(m, kind)
    if card is None:
        m.tell("set is empty", set=kind)
        return
    ships.fighter(m, who).cards.append(card.front)
    m.reveal("draws openly", who=who, card=card.front)
    if kind == "defense":
        m.do(step.block_all(who=who))


@step
def draw_any(m: Match, target: str) -> Any:
    """Battle cards, Reserve Crew, Tactical Data: a card of a set of the ship's choice."""
    if asks(m, target):
        return m.ask(ships.seat_of(m, target), "draw", draw_from.given(who=target, scene={"now": True}), ship=target)
    planned = [line["set"] for line in lines_of(m, target, "draw_from")]
    m.do(draw_cards(target=target, kind=planned[0] if planned else "attack"))
    return None


@step
def lose_random(m: Match, target: str, count: int) -> None:
    """Battle cards, Feint, Jammed Comms, Prayer: random cards of a Battle deck go; only their player sees them."""
    deck = fronts(m, target)
    lost = m.shuffled(deck)[:count] if deck else []
    m.do(step.put_off(who=target, cards=sorted(lost)))


@step
def give_up(m: Match, target: str, count: int) -> Any:
    """Card Clarifications, Strategic Mistake: the target puts off cards of its choice out of its Battle deck."""
    deck = fronts(m, target)
    count = min(count, len(deck))
    if asks(m, target) and 0 < count < len(deck):
        offer = shed.given(who=target, scene={"count": count})
        return m.ask(ships.seat_of(m, target), "shed", offer, ship=target, count=count)
    m.do(step.put_off(who=target, cards=order_of_loss(m, target)[:count]))
    return None


def order_of_loss(m: Match, who: str) -> list[str]:
    """Battle sequence: return a Battle deck in the order in which cards go: planned ones first, spared ones last."""
    deck = fronts(m, who)
    first = [card for line in lines_of(m, who, "shed") for card in line["cards"].split(" and ")]
    last = {card for line in lines_of(m, who, "spare") for card in line["cards"].split(" and ")}
    kinds = ("support", "attack", "defense")
    rank = {card: first.index(card) - len(first) for card in deck if card in first}
    return sorted(deck, key=lambda card: (card in last, rank.get(card, 0), kinds.index(kind_of(m, card)), card))


@step
def drop_attack(m: Match, target: str) -> Any:
    """Battle cards, Overheat: the target puts off one of its revealed Attack cards."""
    cards = [card for card in ships.fighter(m, target).cards if kind_of(m, card) == "attack"]
    if len(set(cards)) > 1 and asks(m, target):
        return m.ask(ships.seat_of(m, target), "drop", drop.given(who=target, scene={"cards": cards}), ship=target)
    planned = [line["card"] for line in lines_of(m, target, "drop") if line["card"] in cards]
    if cards:
        m.do(lay_down(who=target, card=planned[0] if planned else weakest(m, cards)))
    return None


def weakest(m: Match, cards: Sequence[str]) -> str:
    """Battle cards, Overheat: return the Attack card with the lowest numbers."""
    return min(cards, key=lambda card: sum(face_of(m, card).get(weapon, 0) for weapon in ships.WEAPONS))


@step
def lay_down(m: Match, who: str, card: str) -> None:
    """Battle cards, Overheat: a revealed card is put off openly."""
    fighter = ships.fighter(m, who)
    fighter.cards.remove(card)
    m.table.battle.discards.append(card)
    m.reveal("lays down", of=fighter.seat, who=who, card=card)


@step
def regain(m: Match, target: str, kind: str) -> Any:
    """Battle cards, Regroup: a card that lies open in the discards comes into the Battle deck."""
    cards = [card for card in m.table.battle.discards if kind_of(m, card) == kind]
    if len(set(cards)) > 1 and asks(m, target):
        offer = take_back.given(who=target, scene={"cards": cards})
        return m.ask(ships.seat_of(m, target), "regain", offer, ship=target)
    planned = [line["card"] for line in lines_of(m, target, "take_back") if line["card"] in cards]
    if cards:
        m.do(pick_up(who=target, card=planned[0] if planned else cards[-1]))
    return None


@step
def pick_up(m: Match, who: str, card: str) -> None:
    """Battle cards, Regroup: the card was seen by all, and goes into the Battle deck all the same."""
    m.table.battle.discards.remove(card)
    give(m, who, BattleCard(set=kind_of(m, card), front=card))
    m.reveal("regains", of=ships.seat_of(m, who), who=who, card=card)


# Verbs that touch Improvements and cargo


@step
def lose_improvement(m: Match, target: str) -> Any:
    """Card Clarifications, Equipment Breakage: the target loses an installed Improvement of its own choice."""
    fitted_ones = ships.all_installed(m, target)
    if len(fitted_ones) > 1 and asks(m, target):
        return m.ask(ships.seat_of(m, target), "lose", lose.given(who=target, scene={"now": True}), ship=target)
    planned = [c for line in lines_of(m, target, "lose") if (c := line["improvement"]) in fitted_ones]
    if fitted_ones:
        cheapest = min(fitted_ones, key=lambda card: ships.printed(m, card)["price"])
        m.do(step.part_with(who=target, improvement=planned[0] if planned else cheapest))
    else:
        m.tell("nothing to lose", who=target)
    return None


@step
def jettison_cargo(m: Match, target: str, count: int) -> Any:
    """Battle cards, Cargo Breach: the target throws out tokens of its choice, one after the other."""
    goods = ships.cargo(m, target)
    if not goods or not count:
        return None
    again = [jettison_cargo(target=target, count=count - 1)]
    if len(goods) > 1 and asks(m, target):
        offer = jettison_token.given(who=target, scene={"goods": list(goods)})
        return m.ask(ships.seat_of(m, target), "breach", offer, then=again, ship=target)
    planned = [g for line in lines_of(m, target, "jettison_token") if (g := line["goods"]) in goods]
    m.do(step.throw_out(who=target, goods=planned[0] if planned else least_dear(goods)), *again)
    return None


def least_dear(goods: Mapping[str, int]) -> str:
    """Battle cards, Cargo Breach: return the commodity that is usually worth least."""
    return next(one for one in ("fuel", "food", "ore", "slaves", "narcotics") if one in goods)
