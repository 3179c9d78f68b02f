"""Battle sequence: the seven steps of a round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.kit import Frame, Match, order, some_of, step

from . import battle_ships as ships
from .battle_cards import effect_of, revealed
from .battle_damage import BLOCK
from .battle_deck import card_of, discard, face_of, fronts, pick
from .battle_plan import ANY, aim, asks, lines_of, named, take_line
from .battle_sheet import add_support, lower_escape, no_power, raise_escape, sheet, stunt

FEWEST, MOST = 2, 5


@step
def battle_round(m: Match) -> None:
    """Battle sequence: one round; what lasts for a round begins anew."""
    battle = m.table.battle
    battle.round += 1
    for who in ships.fighting(m):
        fighter = ships.fighter(m, who)
        fighter.used, fighter.kept, fighter.bonus, fighter.plan = [], [], {}, []
        fighter.boost, fighter.shields, fighter.blocking, fighter.asks = 0, 0, False, False
    m.tell("battle round", number=battle.round, decks=[f"{w} {len(fronts(m, w))}" for w in ships.fighting(m)])
    m.do(
        select_cards(), give_orders(), stunts(), support_cards(), block_cards(), indirect_cards(),
        step.attack_cards(), step.escape_attempts(), step.book_round(), step.close_round(),
    )  # fmt: skip


# Steps 1 and 2


@step
def select_cards(m: Match) -> Any:
    """Use Improvements; Select cards to play; PL-58: all choose at once and in secret; whoever has no choice is not asked."""
    asked = [who for who in ships.fighting(m) if has_choice(m, who)]
    if not asked:
        m.do(cards_selected(answers={}))
        return None
    deciders = {who: (ships.seat_of(m, who), [play_cards]) for who in asked}
    return m.ask_all("play", deciders, "cards_selected", number=m.table.battle.round)


def has_choice(m: Match, who: str) -> bool:
    """Select cards to play; PL-58: more cards than must be played, or an Improvement to announce."""
    return len(fronts(m, who)) > FEWEST or bool(ships.usable(m, who))


@order("play {cards} [using {improvements}]", cards="some battle cards", improvements="some improvements")
def play_cards(m: Match, who: str, cards: list[str], improvements: list[str]) -> None:
    """Select cards to play: the answers of all are taken together."""


@play_cards.offered
def may_play_cards(m: Match, who: str) -> Any:
    """Select cards to play; PL-58: two to five; a last card must be played unless nobody else has more than one."""
    deck = fronts(m, who)
    least = min(FEWEST, len(deck)) if len(deck) > 1 or must_play_last(m, who) else 0
    most = min(MOST, len(deck)) if len(deck) > 1 else least
    usable = ships.usable(m, who)
    return {"cards": some_of(deck, least=least, most=most), "improvements": some_of(usable, default=[])}


def must_play_last(m: Match, who: str) -> bool:
    """Select cards to play; PL-58: a last card is played if another ship has more than one."""
    return any(len(fronts(m, other)) > 1 for other in ships.fighting(m) if other != who)


@step
def cards_selected(m: Match, answers: dict[str, Frame]) -> None:
    """Use Improvements, then Select cards to play: announcements in turn order; then all cards are revealed at once."""
    for who in ships.fighting(m):
        announce_improvements(m, who, answers.get(who, {}).get("improvements", []))
    forced = {who: fronts(m, who) if len(fronts(m, who)) > 1 or must_play_last(m, who) else [] for who in ships.fighting(m)}
    for who in ships.fighting(m):
        cards = answers[who]["cards"] if who in answers else forced[who]
        fighter = ships.fighter(m, who)
        fighter.cards = [card.front for card in pick(m, who, cards)]
        m.reveal("shows cards", who=who, cards=cards, left=len(fighter.deck))


def announce_improvements(m: Match, who: str, improvements: Sequence[str]) -> None:
    """Use Improvements; PL-56, PL-57: Fuel is paid at once; what is not announced does not count in this round."""
    fighter = ships.fighter(m, who)
    for card in improvements:
        if ships.needs_fuel(m, card) <= ships.fuel(m, who):
            ships.burn(m, who, ships.needs_fuel(m, card))
            fighter.used.append(card)
    if fighter.used:
        m.reveal("uses", of=fighter.seat, who=who, improvements=fighter.used[:], fuel=ships.fuel(m, who))


@step
def give_orders(m: Match) -> Any:
    """Battle sequence: after the cards are revealed every ship gives its orders for the round, all at once and in secret."""
    deciders = {who: (ships.seat_of(m, who), sheet(m)) for who in ships.fighting(m)}
    return m.ask_all("orders", deciders, "orders_given", gathers="plan", number=m.table.battle.round)


@step
def orders_given(m: Match, answers: dict[str, Frame]) -> None:
    """Battle sequence: all orders are in."""
    m.do(*answers.values())


# Special powers after the cards are revealed


@step
def stunts(m: Match) -> None:
    """Battle Example, Stunt Maneuverability; PL-82: after the reveal, once a round."""
    able = [who for who in ships.by_speed(m) if ships.able(m, who, "stunt") and fronts(m, who)]
    m.do(*[offer_stunt(who=who) for who in able], *[offer_veteran(who=who, late=False) for who in veterans(m)])


@step
def offer_stunt(m: Match, who: str) -> Any:
    """Battle Example, Stunt Maneuverability; PL-82: by the orders, or asked; without an order not at all."""
    if asks(m, who):
        return m.ask(ships.seat_of(m, who), "stunt", stunt.given(who=who, scene={"now": True}), ship=who)
    planned = [int(line["count"]) for line in lines_of(m, who, "stunt")]
    m.do(perform_stunt(who=who, count=planned[0] if planned else 0))
    return None


@step
def perform_stunt(m: Match, who: str, count: int) -> None:
    """Battle Example, Stunt Maneuverability; PL-82: opponents put off as many, or all that they have."""
    count = min(count, ships.number(m, who, "stunt"), len(fronts(m, who)))
    m.reveal("stunts", of=ships.seat_of(m, who), who=who, count=count)
    if count:
        m.do(*[step.give_up(target=ship, count=count) for ship in (who, *ships.enemies(m, who))])


def veterans(m: Match) -> list[str]:
    """Captain cards, Sir Frank Elderberg IV; PL-83: return who can still change an Escape value for Fuel."""
    able = [who for who in ships.by_speed(m) if ships.able(m, who, "veteran") and ships.fuel(m, who) > 1]
    return [who for who in able if "veteran" not in ships.fighter(m, who).powers]


@step
def offer_veteran(m: Match, who: str, late: bool) -> Any:
    """Captain cards, Sir Frank Elderberg IV; PL-83: by the orders right before the escape attempts; if asked, also at once."""
    if who not in veterans(m) or not ships.enemies(m, who):
        return None
    if asks(m, who):
        offers = [one.given(who=who, scene={"now": True}) for one in (raise_escape, lower_escape, no_power)]
        return m.ask(ships.seat_of(m, who), "veteran", *offers, ship=who)
    for line in lines_of(m, who, "raise_escape", "lower_escape") if late else ():
        if line["ship"] in ships.enemies(m, who):
            sign = 1 if line["do"] == "raise_escape" else -1
            m.do(adjust_escape(who=who, ship=line["ship"], by=sign * min(int(line["points"]), ships.fuel(m, who) // 2)))
            return None
    if late:
        m.reveal("keeps power", of=ships.seat_of(m, who), who=who, power="veteran")
    return None


@step
def adjust_escape(m: Match, who: str, ship: str, by: int) -> None:
    """Captain cards, Sir Frank Elderberg IV; PL-83: 2 Fuel for each point, once in a battle."""
    ships.burn(m, who, 2 * abs(by))
    ships.fighter(m, who).powers.append("veteran")
    m.reveal("adjusts", of=ships.seat_of(m, who), who=who, ship=ship, by=by, fuel=ships.fuel(m, who))
    m.do(step.shift_escape(target=ship, by=by))


# Step 3, and indirect Defense cards


@step
def support_cards(m: Match) -> None:
    """Resolve Support cards; PL-59: the fastest ship first, then by turn order."""
    m.do(*[frame for who in ships.by_speed(m) for frame in (step.bonuses(who=who), next_card(who=who, kind="support"))])


@step
def indirect_cards(m: Match) -> None:
    """Resolve Attack and Defense cards; PL-61: indirect Defense cards come before any attack, in speed order."""
    m.do(*[next_card(who=who, kind="defense") for who in ships.by_speed(m)])


@step
def next_card(m: Match, who: str, kind: str) -> Any:
    """Resolve Support cards: a ship resolves its cards one by one; none is left unplayed while there is a target."""
    reachable = {face: targets_of(m, who, face) for face in unresolved(m, who, kind)}
    reachable = {face: targets for face, targets in reachable.items() if targets}
    if not reachable or ships.fighter(m, who).state != "fighting" or not ships.enemies(m, who):
        return None
    again = [step.bury_dead(), next_card(who=who, kind=kind)]
    only = next(iter(reachable)) if len(reachable) == 1 and len(next(iter(reachable.values()))) == 1 else ANY
    if not only and asks(m, who):
        offer = aim.given(who=who, scene={"targets": reachable})
        return m.ask(ships.seat_of(m, who), "aim", offer, then=again, ship=who)
    m.do(planned_aim(m, who, reachable) or default_aim(m, who, reachable), *again)
    return None


def unresolved(m: Match, who: str, kind: str) -> list[str]:
    """Resolve Support cards; PL-61: return the Support cards, or the Defense cards without a use against attacks."""
    return [face for face in revealed(m, who, kind) if "guards" not in face_of(m, face)]


def targets_of(m: Match, who: str, face: str) -> list[str]:
    """Resolve Support cards; PL-59: another ship in the battle; an enemy if there is no ally, even if it helps him."""
    row = face_of(m, face)
    if row["kind"] == "defense":
        return ships.targets(m, who) if row.get("at") == "enemy" else [who]
    return [*ships.targets(m, who), *ships.allies(m, who)]


def planned_aim(m: Match, who: str, reachable: dict[str, list[str]]) -> Frame | None:
    """Battle sequence: return the first planned use of a card that is possible."""
    fits = [line for line in lines_of(m, who, "aim") if line["target"] in (ANY, *reachable.get(line["card"], []))]
    fits = [line for line in fits if line["card"] in reachable]
    if not fits:
        return None
    line = take_line(m, who, fits)
    target = line["target"] or default_target(m, who, line["card"], reachable[line["card"]])
    return carry_out(who=who, face=line["card"], target=target)


def default_aim(m: Match, who: str, reachable: dict[str, list[str]]) -> Frame:
    """Resolve Support cards: without an order a card goes where its symbol suggests."""
    face = next(iter(reachable))
    return carry_out(who=who, face=face, target=default_target(m, who, face, reachable[face]))


def default_target(m: Match, who: str, face: str, targets: Sequence[str]) -> str:
    """Battles: the symbol suggests an ally or an enemy; of enemies the leader of the other side."""
    wished = ships.allies(m, who) if face_of(m, face).get("symbol") == "ally" else ships.enemies(m, who)
    return min(targets, key=lambda target: (target not in wished, ships.fighter(m, target).side != target))


@step
def carry_out(m: Match, who: str, face: str, target: str) -> None:
    """Resolve Support cards: effects are applied at once; an Escape icon on a Defense card affects the own ship."""
    row = face_of(m, face)
    m.reveal("plays card", of=ships.seat_of(m, who), who=who, card=face, target=target)
    shifted = [step.shift_escape(target=who, by=row["escape"])] if "escape" in row else []
    m.do(*effect_of(m, face, who, target), *shifted, done_with(who=who, card=card_of(m, face)))


@step
def done_with(m: Match, who: str, card: str) -> None:
    """Resolve Support cards: a card is put off when its effect is over, so that Regroup does not bring back itself."""
    if card in ships.fighter(m, who).cards:
        discard(m, who, card)


# Variant: Support card bonus


@step
def bonuses(m: Match, who: str) -> Any:
    """Variants, Support card bonus: a revealed Support card is put off for 1 more on a named card of the round."""
    cards, others = revealed(m, who, "support"), revealed(m, who, "attack", "defense")
    others = [face for face in others if face_of(m, face)["kind"] == "attack" or "guards" in face_of(m, face)]
    if not (m.options["support-bonus"] and cards and others):
        return None
    if asks(m, who):
        scene = {"cards": cards, "others": others}
        offers = [add_support.given(who=who, scene=scene), no_power.given(who=who, scene=scene)]
        return m.ask(ships.seat_of(m, who), "bonus", *offers, ship=who)
    lines = [line for line in lines_of(m, who, "add_support") if line["card"] in cards and line["other"] in others]
    if not lines:
        m.reveal("adds no bonus", of=ships.seat_of(m, who), who=who)
    m.do(*[give_bonus(who=who, card=line["card"], other=line["other"]) for line in lines])
    return None


@step
def give_bonus(m: Match, who: str, card: str, other: str) -> None:
    """Variants, Support card bonus; PL-T19: the bonus counts for both weapon types."""
    fighter = ships.fighter(m, who)
    if card_of(m, card) not in fighter.cards:
        return
    discard(m, who, card_of(m, card))
    fighter.bonus[other] = fighter.bonus.get(other, 0) + 1
    m.reveal("adds bonus", of=fighter.seat, who=who, card=card, other=other, bonus=fighter.bonus[other])


# Step 4


@step
def block_cards(m: Match) -> None:
    """Resolve block all damage cards; PL-60: the ship disregards all Attack cards; the Escape icon counts at once."""
    for who in ships.by_speed(m):
        faces = [face for face in revealed(m, who, "defense") if face_of(m, face).get("guards") == BLOCK]
        other_side = [c for line in lines_of(m, who, "guard") for c in named(line["cards"])]
        blocking = [face for face in faces if face_of(m, face).get("side", ANY) not in other_side or not other_side]
        if faces:
            ships.fighter(m, who).blocking = bool(blocking)
            m.reveal("blocks", of=ships.seat_of(m, who), who=who, cards=blocking)
            icons = [face_of(m, face).get("escape", 0) for face in blocking]
            m.do(*[step.shift_escape(target=who, by=by) for by in icons if by])


# Step 5


@step
def attack_cards(m: Match) -> None:
    """Resolve Attack and Defense cards; PL-66: the fastest ship first; equally fast ships attack at the same time."""
    order = ships.by_speed(m)
    speeds = list(dict.fromkeys(ships.speed(m, who) for who in order))
    m.do(*[volley(group=[who for who in order if ships.speed(m, who) == speed]) for speed in speeds])


@step
def volley(m: Match, group: list[str]) -> None:
    """Resolve Attack and Defense cards; PL-66: a ship destroyed by a faster one does not attack any more."""
    able = [who for who in group if ships.fighter(m, who).state == "fighting"]
    m.do(*[step.shots(who=who) for who in able], step.bury_dead())
