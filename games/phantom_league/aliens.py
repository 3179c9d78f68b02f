"""Aliens: encounters in Hyperspace. The hostile ones fight; what the peaceful ones bring is here."""

from __future__ import annotations

from typing import Any

from referee.kit import Frame, Match, no, one_of, order, step

from . import galaxy
from .choices import interrupted, pass_by
from .group import crew, for_all
from .mats import (
    GOODS,
    ILLEGAL,
    captain_of,
    draw,
    free_space,
    gain_cargo,
    is_straight,
    lose_cargo,
    note_deed,
    put_away,
    ship_of,
)
from .pirates import fight_together
from .turn_state import gone

NEW_HEBRON = "new hebron"
HOSTILE = {"fight_alien", "pay_or_fight"}
KEPT = ("keep_alien", "take_aboard")
"""Effects after which an Alien card stays with the captain."""


@step
def meet_aliens(m: Match, who: str) -> None:
    """Aliens: a card is drawn and resolved; most Aliens are peaceful. A group meets one Alien together (PL-98)."""
    met = crew(m, who)
    for card in draw(m, "aliens") if met else ():
        row = m.components["aliens"][card]
        m.reveal("aliens", who=who, card=card, name=row["name"])
        if not any(frame["do"] in KEPT for frame in row["effect"]):
            put_away(m, "aliens", card)
        m.do(*alien_for_all(m, met, card), *[have_met(who=seat) for seat in met])


def alien_for_all(m: Match, seats: list[str], card: str) -> list[Frame]:
    """Aliens; Moving as a Group, PL-98: return what an Alien does to all who meet it; whoever fights does so together."""

    def frames_for(seat: str) -> list[Frame]:
        return m.components.effect(m.game.steps, "aliens", card, who=seat, card=card)

    hostile = {frame["do"] for frame in frames_for(seats[0])} & HOSTILE
    return for_all(seats, frames_for, [fight_together(raider=card, cause="alien", docking=False)] if hostile else [])


@step
def have_met(m: Match, who: str) -> None:
    """Aliens: the encounter is over."""
    if not gone(m, who):
        note_deed(m, who, "met aliens")


@step
def barter_with_fleet(m: Match, who: str, most: int) -> Any:
    """Aliens, Barter Fleet: tokens are exchanged one for one with the supply."""
    if gone(m, who) or not most or not any(ship_of(m, who).cargo.values()):
        return None
    offers = exchange_token.given(most=most), barter_no_more
    return m.ask(who, "barter fleet", *offers, interrupts=interrupted(m, who), most=most)


@order("exchange {commodity} for {other}", commodity="commodities", other="commodities")
def exchange_token(m: Match, who: str, most: int, commodity: str, other: str) -> None:
    """Aliens, Barter Fleet: one token for another."""
    lose_cargo(m, who, commodity, 1)
    gain_cargo(m, who, other, 1)
    m.tell("exchanges", who=who, gave=commodity, got=other)
    m.do(barter_with_fleet(who=who, most=most - 1))


@exchange_token.offered
def may_exchange_token(m: Match, who: str, most: int) -> Any:
    """Aliens, Barter Fleet: what is on board for what the supply has."""
    cargo = [goods for goods, count in ship_of(m, who).cargo.items() if count]
    straight = is_straight(m, who)
    there = [goods for goods in GOODS if m.table.supply[goods] and not (straight and goods in ILLEGAL)]
    empty = {goods: no("supply empty", goods=goods) for goods in GOODS if not m.table.supply[goods]}
    return {
        "commodity": one_of(cargo),
        "other": lambda chosen: one_of([g for g in there if g != chosen["commodity"]], refused=empty),
    }


@order("no more")
def barter_no_more(m: Match, who: str) -> None:
    """Aliens, Barter Fleet: nothing more is exchanged."""
    m.tell("barters no more", who=who)


@step
def keep_alien(m: Match, who: str, card: str) -> None:
    """Card Clarifications, Alien Card: the card is kept until the captain has waited at New Hebron."""
    if gone(m, who):
        put_away(m, "aliens", card)
    else:
        captain_of(m, who).aliens.append(card)
        m.tell("keeps alien", who=who, card=card)


@step
def wait_for_aliens(m: Match, who: str) -> None:
    """Card Clarifications, Alien Card: Recognition only after one turn spent undocked at New Hebron."""
    if gone(m, who) or not waited(m, who):
        return
    rows = m.components["aliens"]
    for card in [c for c in captain_of(m, who).aliens if any(f["do"] == "keep_alien" for f in rows[c]["effect"])]:
        captain_of(m, who).aliens.remove(card)
        put_away(m, "aliens", card)
        m.tell("aliens come", who=who, card=card)
        m.do(step.gain_recognition(who=who, by=1))


def waited(m: Match, who: str) -> bool:
    """Card Clarifications, Alien Card: tell whether this whole turn was spent undocked at New Hebron."""
    parts = [(ship_of(m, who), m.table.turn), *((m.table.ships[name], turn) for name, turn in m.table.parked.items())]
    there = [turn for ship, turn in parts if ship.place == NEW_HEBRON and not ship.docked]
    return any(not (turn.docked_before or turn.moved) for turn in there)


@step
def take_gift(m: Match, who: str) -> None:
    """Aliens, Gift; PL-5: a random Improvement of the deck, not installed."""
    deck = m.table.improvements
    if gone(m, who) or not deck:
        return
    card = deck.pop(m.roll(len(deck)) - 1)
    ship_of(m, who).stored.append(card)
    m.tell("gift", who=who, improvement=card, name=m.components["improvements"][card]["name"])


@step
def feed_beggars(m: Match, who: str, food: int, by: int) -> Any:
    """Aliens, Beggars: Food may be given for Recognition."""
    if gone(m, who) or ship_of(m, who).cargo.get("food", 0) < food:
        return None
    offers = feed.given(food=food, by=by), pass_by.given(otherwise=[])
    return m.ask(who, "beggars", *offers, interrupts=interrupted(m, who), food=food)


@order("feed beggars")
def feed(m: Match, who: str, food: int, by: int) -> None:
    """Aliens, Beggars: the Food is given away."""
    given = step.lose_tokens(who=who, count=food, among=["food"], why="given away")
    m.do(given, step.gain_recognition(who=who, by=by))


@step
def take_aboard(m: Match, who: str, card: str) -> Any:
    """Aliens, Ambassador: he takes one cargo space, if he is taken along."""
    if gone(m, who) or free_space(m, who) < 1:
        put_away(m, "aliens", card)
        return None
    away = [turn_away(who=who, card=card)]
    offers = board_ambassador.given(card=card), pass_by.given(otherwise=away)
    return m.ask(who, "ambassador", *offers, interrupts=interrupted(m, who))


@order("take ambassador")
def board_ambassador(m: Match, who: str, card: str) -> None:
    """Aliens, Ambassador: the card stays with the captain."""
    captain_of(m, who).aliens.append(card)
    m.tell("keeps alien", who=who, card=card)


@step
def turn_away(m: Match, who: str, card: str) -> None:
    """Aliens, Ambassador: he travels with somebody else."""
    put_away(m, "aliens", card)


@step
def deliver_ambassador(m: Match, who: str) -> None:
    """Aliens, Ambassador: fame at the next League place, notoriety at the next Renegade place."""
    rewards = {"league": step.gain_fame(who=who), "renegade": step.gain_notoriety(who=who)}
    faction = galaxy.faction(m, ship_of(m, who).place)
    rows = m.components["aliens"]
    guests = [card for card in captain_of(m, who).aliens if any(f["do"] == "take_aboard" for f in rows[card]["effect"])]
    for card in guests if faction in rewards else []:
        captain_of(m, who).aliens.remove(card)
        put_away(m, "aliens", card)
        m.tell("ambassador leaves", who=who, card=card, place=ship_of(m, who).place)
        m.do(rewards[faction])
