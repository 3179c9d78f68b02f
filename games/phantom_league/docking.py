"""Docking to a Space Station or Planet: the Docking cards, one by one."""

from __future__ import annotations

from typing import Any

from referee.kit import Frame, Match, no, one_of, order, step

from . import galaxy
from .choices import break_one, demand, interrupted, lose_tokens, pass_by
from .data import called
from .group import call_to_dock, dockers, for_all, owner_of
from .mat_numbers import cards_for_group, docking_cards
from .mats import (
    GOODS,
    ILLEGAL,
    burn_fuel,
    captain_of,
    draw,
    fill_tank,
    illegal_tokens,
    lose_cargo,
    most_fuel,
    note_deed,
    open_illegal,
    put_away,
    ship_of,
)
from .pirates import fight_patrol, fight_together, visit_nest
from .table import Docking
from .turn_state import action_over, end_blockade, gone, take_action, turn_of


@order("dock")
def dock(m: Match, who: str) -> None:
    """Docking to a Space Station or Planet; PL-34: first a nest, then Docking cards, then the marker is turned over."""
    take_action(m)
    end_blockade(m, who)
    place = ship_of(m, who).place
    m.table.turn.docking = Docking(place=place)
    m.tell("docks at", who=who, place=place)
    met = visit_nest(who=who), step.meet_guard(who=who)
    m.do(*call_to_dock(m, who), *met, draw_docking_cards(who=who), finish_docking(who=who))


@dock.offered
def may_dock(m: Match, who: str) -> Any:
    """Docking to a Space Station or Planet: where there is one, as the action of the turn."""
    over = action_over(m, who)
    if over is not None:
        return over
    place = ship_of(m, who).place
    return {} if galaxy.body(m, place) else no("nothing to dock at", place=place)


# How many cards are drawn


@step
def draw_docking_cards(m: Match, who: str) -> None:
    """Docking to a Space Station or Planet; PL-34, PL-37: the number is fixed now; an Explorer looks at all of them."""
    docking, coming = m.table.turn.docking, dockers(m, who)
    if not coming:
        return
    alone = len(coming) == 1
    docking.left = docking_cards(m, coming[0], docking.place) if alone else cards_for_group(m, coming, docking.place)
    m.tell("docking cards", who=coming[0], place=docking.place, count=docking.left)
    looking = owner_of(m, coming, "docking-sensors") if docking.left else ""
    sensors = [look_ahead(who=looking), choose_ignored(who=looking)] if looking else []
    m.do(*sensors, resolve_docking(who=who))


# Docking Sensors


@step
def look_ahead(m: Match, who: str) -> None:
    """Spaceships, Explorer: all Docking cards of a docking are looked at before they are resolved."""
    captain, docking = captain_of(m, who), m.table.turn.docking
    captain.sighted = [card for _ in range(docking.left) for card in draw(m, "docking")]
    docking.left = 0
    m.reveal("sights cards", who=who, count=len(captain.sighted), to={who: {"cards": captain.sighted[:]}})


@step
def choose_ignored(m: Match, who: str) -> Any:
    """Spaceships, Explorer: one of the cards may be ignored."""
    return m.ask(who, "sensors", ignore, ignore_nothing, interrupts=interrupted(m, who))


@order("ignore {card}", card="docking cards")
def ignore(m: Match, who: str, card: str) -> None:
    """Spaceships, Explorer: the card is discarded without any effect."""
    captain_of(m, who).sighted.remove(card)
    put_away(m, "docking", card)
    m.reveal("ignores card", of=who, who=who, card=card, name=m.components["docking"][card]["name"])


@ignore.offered
def may_ignore(m: Match, who: str) -> Any:
    """Spaceships, Explorer: any of the cards that were drawn."""
    sighted = captain_of(m, who).sighted
    return {"card": one_of(sighted, same=called(m, "docking", sighted))} if sighted else no("no card")


@order("ignore nothing")
def ignore_nothing(m: Match, who: str) -> None:
    """Spaceships, Explorer: all cards are resolved."""
    m.tell("ignores nothing", who=who)


# One card after the other


@step
def resolve_docking(m: Match, who: str) -> None:
    """Docking to a Space Station or Planet; PL-34: a card has only the events of the faction docked to."""
    docking, coming = m.table.turn.docking, dockers(m, who)
    sighted = [seat for seat in (who, *docking.group) if captain_of(m, seat).sighted]
    if not coming or not (sighted or docking.left):
        for seat in sighted:
            put_back_sighted(m, seat)
        return
    for card in [captain_of(m, sighted[0]).sighted.pop(0)] if sighted else draw_counted(m):
        faction = galaxy.faction(m, docking.place)
        put_away(m, "docking", card)
        m.reveal("docking card", who=coming[0], card=card, name=m.components["docking"][card]["name"], faction=faction)
        m.do(*card_for_all(m, coming, card, faction), resolve_docking(who=who))


def card_for_all(m: Match, seats: list[str], card: str, faction: str) -> list[Frame]:
    """Docking to a Space Station or Planet; Moving as a Group, PL-98: return what a Docking card does to all who dock."""

    def frames_for(seat: str) -> list[Frame]:
        return m.components.effect(m.game.steps, "docking", card, faction, who=seat)

    verbs, closing = [frame["do"] for frame in frames_for(seats[0])], []
    if "face_patrol" in verbs:
        closing.append(fight_together(raider="", cause="patrol", docking=True))
    if "bad_spot" in verbs:
        closing.append(step.meet_pirates(who=seats[0], docking=True))
    return for_all(seats, frames_for, closing)


def draw_counted(m: Match) -> list[str]:
    """Docking to a Space Station or Planet: draw one of the cards that are still to come."""
    m.table.turn.docking.left -= 1
    return draw(m, "docking")


def put_back_sighted(m: Match, who: str) -> None:
    """Docking to a Space Station or Planet; PL-34: after a failure the cards not resolved are discarded."""
    captain = captain_of(m, who)
    if captain.sighted:
        m.reveal("cards unresolved", of=who, who=who, cards=captain.sighted[:])
    for card in captain.sighted:
        put_away(m, "docking", card)
    captain.sighted = []


@step
def finish_docking(m: Match, who: str) -> None:
    """Docking to a Space Station or Planet: the ships are docked; in a group those whose docking did not fail."""
    m.do(*[turn_marker(who=seat) for seat in (who, *m.table.turn.docking.group)])


@step
def turn_marker(m: Match, who: str) -> None:
    """Docking to a Space Station or Planet: if docking did not fail the marker is turned over."""
    docking, captain = turn_of(m, who).docking, captain_of(m, who)
    if gone(m, who):
        return
    if docking.failed:
        m.tell("docking fails", who=who, place=docking.place)
        return
    ship_of(m, who).docked = True
    captain.docked_at[docking.place] = captain.turns
    note_deed(m, who, f"docked {galaxy.faction(m, docking.place)}")
    if docking.paid and galaxy.is_nest(m, docking.place):
        note_deed(m, who, "paid a nest")
    if m.table.token == docking.place:
        note_deed(m, who, "docked at the token")
    m.tell("docked", who=who, place=docking.place)
    m.do(step.deliver_ambassador(who=who))


@step
def fail_docking(m: Match, who: str) -> None:
    """Docking to a Space Station or Planet; PL-34: docking fails, the rest of the cards is not resolved."""
    turn_of(m, who).docking.failed = True


# Searches, raids and fines


@step
def search(m: Match, who: str, fine: int, hounds: bool, shame: int) -> None:
    """Commodities: illegal tokens that are not in a hidden hold go back to the supply.

    `fine` is the money for each token found, `hounds` find hidden holds too, `shame` is the loss of Recognition.
    """
    if gone(m, who):
        return
    found = open_illegal(m, who, hounds)
    m.tell("search", who=who, found=found, hounds=hounds)
    if not found:
        return
    lost = [step.lose_recognition(who=who, by=shame, why="smuggling")] if shame else []
    taken = lose_tokens(who=who, count=found, among=list(ILLEGAL), why="confiscated")
    m.do(taken, charge(who=who, money=fine * found, why="illegal cargo"), *lost)


@step
def fine(m: Match, who: str, money: int) -> None:
    """Docking to a Space Station or Planet: a fine is due."""
    m.do(charge(who=who, money=money, why="a fine"))


@step
def charge(m: Match, who: str, money: int, why: str) -> Any:
    """Docking to a Space Station or Planet; PL-38: a fine is paid, unless a Diplomatic Transponder makes it void once."""
    if gone(m, who) or not money:
        return None
    if m.has("diplomacy", who) and not turn_of(m, who).docking.pardoned:
        offers = take_fine.given(money=money, why=why), plead
        return m.ask(who, "fine", *offers, interrupts=interrupted(m, who), money=money, why=why)
    m.do(take_fine(who=who, money=money, why=why))
    return None


@order("pay fine")
def take_fine(m: Match, who: str, money: int, why: str) -> None:
    """Docking to a Space Station or Planet: the fine is paid."""
    m.do(step.pay_due(who=who, money=money, why=why))


@order("plead immunity")
def plead(m: Match, who: str) -> None:
    """Improvement cards, Diplomatic Transponder: one fine in a docking is ignored."""
    turn_of(m, who).docking.pardoned = True
    m.tell("pleads immunity", who=who)


@step
def inspect_weapons(m: Match, who: str, money: int) -> None:
    """Docking cards, Weapons Inspection: a fine for each installed weapon."""
    if gone(m, who):
        return
    rows = m.components["improvements"]
    weapons = [card for card in ship_of(m, who).installed if rows[card]["category"] == "weapon"]
    m.tell("inspection", who=who, count=len(weapons))
    m.do(charge(who=who, money=money * len(weapons), why="weapons"))


@step
def rob_smuggler(m: Match, who: str) -> None:
    """Docking cards, Cargo Thieves: half of the illegal tokens, at least one, hidden ones too."""
    if not gone(m, who) and illegal_tokens(m, who):
        count = max(1, illegal_tokens(m, who) // 2)
        m.do(lose_tokens(who=who, count=count, among=list(ILLEGAL), why="stolen"))


@step
def rob_token(m: Match, who: str) -> None:
    """Docking cards, Cargo Thieves: one token of the owner's choice."""
    m.do(lose_tokens(who=who, count=1, among=list(GOODS), why="stolen"))


@step
def slave_revolt(m: Match, who: str) -> None:
    """Docking cards, Slave Revolt: with Slaves on board one is lost, and a point of Structure."""
    if not gone(m, who) and ship_of(m, who).cargo.get("slaves", 0):
        lose_cargo(m, who, "slaves", 1)
        m.tell("loses tokens", who=who, tokens=["1 slaves"], why="a revolt")
        m.do(step.hurt(who=who, by=1, why="a revolt"))


# Pay, or else


@step
def pay_or_be_hurt(m: Match, who: str, money: int, by: int) -> None:
    """Docking cards, Protection Money: money, or damage."""
    m.do(demand(who=who, money=money, why="protection", otherwise=[step.hurt(who=who, by=by, why="no protection")]))


@step
def pay_or_break(m: Match, who: str, money: int) -> None:
    """Docking cards, Bar Brawl: money, or one installed Improvement breaks; who has none pays."""
    if gone(m, who):
        return
    if ship_of(m, who).unbroken():
        m.do(demand(who=who, money=money, why="a brawl", otherwise=[break_one(who=who, why="a brawl")]))
    else:
        m.do(step.pay_due(who=who, money=money, why="a brawl"))


@step
def pay_or_fail(m: Match, who: str, money: int) -> None:
    """Docking cards, Quarantine: money, or docking fails."""
    m.do(demand(who=who, money=money, why="quarantine", otherwise=[fail_docking(who=who)]))


@step
def pay_if_wanted(m: Match, who: str, money: int) -> None:
    """Docking cards, Wanted Poster: a captain on the Path of Notoriety pays, or docking fails."""
    if captain_of(m, who).path == "notoriety":
        m.do(demand(who=who, money=money, why="a wanted poster", otherwise=[fail_docking(who=who)]))


@step
def pay_or_lose_face(m: Match, who: str, money: int, by: int) -> None:
    """Docking cards, Old Debt: money, or Recognition."""
    lost = step.lose_recognition(who=who, by=by, why="an old debt")
    m.do(demand(who=who, money=money, why="an old debt", otherwise=[lost]))


@step
def face_patrol(m: Match, who: str) -> Any:
    """Docking cards, Alliance Patrol: a captain on the Path of Notoriety fights an Alliance Patroller, or docking fails."""
    if gone(m, who) or captain_of(m, who).path != "notoriety":
        return None
    offers = fight_patrol.given(docking=True), pass_by.given(otherwise=[fail_docking(who=who)])
    return m.ask(who, "patroller", *offers, interrupts=interrupted(m, who))


@step
def bad_spot(m: Match, who: str) -> Any:
    """Moving Pirate nest: the Pirate token is placed here; who carries on docking meets Pirates."""
    if gone(m, who):
        return None
    if m.table.token != m.table.turn.docking.place:
        m.do(lay_token(who=who), bad_spot(who=who))
        return None
    offers = carry_on, pass_by.given(otherwise=[fail_docking(who=who)])
    return m.ask(who, "bad spot", *offers, interrupts=interrupted(m, who))


@order("carry on")
def carry_on(m: Match, who: str) -> None:
    """Moving Pirate nest: whoever chooses to carry on the docking manoeuvre meets Pirates; a group does so when all chose."""
    if m.table.turn.docking.group:
        m.tell("carries on", who=who)
    else:
        m.do(step.meet_pirates(who=who, docking=True))


@step
def lay_token(m: Match, who: str) -> None:
    """Moving Pirate nest: the Planet or Station becomes a Pirate nest, and the place where the token lay is none any more."""
    m.table.token = m.table.turn.docking.place
    m.tell("token", who=who, place=m.table.token)


# Business, prices and gifts


@step
def close_business(m: Match, who: str, business: str) -> None:
    """Missions; Docking cards: market, Improvement trader, or all businesses are closed until undocking."""
    ship_of(m, who).closed.append(business)
    m.tell("closes", who=who, business=business)


@step
def raise_price(m: Match, who: str, goods: str, by: int) -> None:
    """Docking cards, Sellers' Market, Auction Day: a commodity sells for more during this stay."""
    bonus = ship_of(m, who).bonus
    bonus[goods] = bonus.get(goods, 0) + by
    m.tell("price rises", who=who, goods=goods, by=by)


@step
def open_auction(m: Match, who: str) -> None:
    """Docking cards, Auction Day: selling Slaves here is noted."""
    ship_of(m, who).auction = True


@step
def open_black_market(m: Match, who: str) -> None:
    """Docking cards, Black Market: one Improvement of the deck at half price, on a Planet too."""
    ship_of(m, who).market += 1
    m.tell("black market", who=who)


@step
def welcome(m: Match, who: str, path: str, money: int) -> None:
    """Docking cards, Warm Welcome: money for captains on a path, or for everybody."""
    if not gone(m, who) and path in ("", captain_of(m, who).path):
        m.do(step.receive_money(who=who, money=money))


@step
def leak_fuel(m: Match, who: str, count: int) -> None:
    """Docking cards, Rough Docking, Leaking Hose; Movement cost, A: Fuel is lost out of the tank, as far as it is there."""
    if not gone(m, who):
        lost = count - burn_fuel(m, who, count)
        m.tell("leaks fuel", who=who, count=lost, left=ship_of(m, who).fuel)


@step
def refuel(m: Match, who: str) -> None:
    """Docking cards, Free Refuel: the tank is filled."""
    if not gone(m, who):
        m.tell("gains fuel", who=who, count=fill_tank(m, who, most_fuel(m, who)), fuel=ship_of(m, who).fuel)


@step
def mend_all(m: Match, who: str) -> None:
    """Docking cards, Mechanics' Feast: all broken Improvements are repaired free."""
    if not gone(m, who):
        m.tell("mends", who=who, improvements=ship_of(m, who).broken[:])
        ship_of(m, who).broken = []


@step
def check_again(m: Match, who: str, count: int) -> None:
    """Docking cards, Double Check: more Docking cards are to come."""
    m.table.turn.docking.left += count
