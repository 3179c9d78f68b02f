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
from .battle_powers import after_reveal, offer_mend
from .battle_sheet import add_support, block_with, no_power, sheet
from .data import called

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
        select_cards(), give_orders(), after_reveal(), support_cards(), block_cards(), indirect_cards(),
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
    return {"cards": some_of(deck, least=least, most=most), "improvements": some_to_use(m, who, usable)}


@order("use {improvements}", improvements="some improvements", standing=True)
def use(m: Match, who: str, improvements: list[str]) -> None:
    """Use Improvements: as a standing order; what is used wherever a line does not say which Improvements are."""


def some_to_use(m: Match, who: str, cards: list[str]) -> Any:
    """Use Improvements: offer Improvements by code or name; if a line names none, those of the player's standing orders."""
    names = called(m, "improvements", cards)
    wished = [names.get(card, card) for wish in m.wishes(who, "use") for card in named(wish)]
    return some_of(cards, default=affordable(m, who, [card for card in cards if card in wished]), same=names)


def affordable(m: Match, who: str, cards: Sequence[str]) -> list[str]:
    """Use Improvements; PL-57: return the Improvements that there is Fuel for, one after the other."""
    left, found = ships.fuel(m, who), []
    for card in cards:
        if ships.needs_fuel(m, card) <= left:
            left -= ships.needs_fuel(m, card)
            found.append(card)
    return found


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
    for card in affordable(m, who, improvements):
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
    lines = [line for line in lines_of(m, who, "aim") if line["card"] in reachable]
    fits = [line for line in lines if line["target"] in (ANY, *reachable[line["card"]])]
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
    """Resolve block all damage cards; PL-60: each ship that has revealed one disregards all Attack cards."""
    m.do(*[block_all(who=who) for who in ships.by_speed(m)])


@step
def block_all(m: Match, who: str) -> Any:
    """Resolve block all damage cards: a card of this type blocks, unless its player uses its other side."""
    faces = [face for face in revealed(m, who, "defense") if face_of(m, face).get("guards") == BLOCK]
    faces = [face for face in faces if face not in ships.fighter(m, who).kept]
    if not faces:
        return None
    if asks(m, who) and any("side" in face_of(m, face) for face in faces):
        offers = [one.given(who=who, scene={"faces": faces}) for one in (block_with, no_power)]
        return m.ask(ships.seat_of(m, who), "block", *offers, ship=who)
    guarding = {card for line in lines_of(m, who, "guard") for card in named(line["cards"])}
    m.do(blocks(who=who, cards=[face for face in faces if face_of(m, face).get("side", ANY) not in guarding]))
    return None


@step
def blocks(m: Match, who: str, cards: list[str]) -> None:
    """Resolve block all damage cards; PL-60: the ship disregards all Attack cards; the Escape icon counts at once."""
    fighter = ships.fighter(m, who)
    fighter.blocking = fighter.blocking or bool(cards)
    fighter.kept += cards
    m.reveal("blocks", of=fighter.seat, who=who, cards=cards)
    icons = [face_of(m, face).get("escape", 0) for face in cards]
    m.do(*[step.shift_escape(target=who, by=by) for by in icons if by])


# Step 5


@step
def attack_cards(m: Match) -> None:
    """Resolve Attack and Defense cards; PL-66: the fastest ship first; equally fast ships attack at the same time."""
    order = ships.by_speed(m)
    speeds = list(dict.fromkeys(ships.speed(m, who) for who in order))
    volleys = [volley(group=[who for who in order if ships.speed(m, who) == speed]) for speed in speeds]
    m.do(*[frame for one in volleys for frame in (offer_mend(), one)])


@step
def volley(m: Match, group: list[str]) -> None:
    """Resolve Attack and Defense cards; PL-66: a ship destroyed by a faster one does not attack any more."""
    able = [who for who in group if ships.fighter(m, who).state == "fighting"]
    m.do(*[step.shots(who=who) for who in able], step.bury_dead())
