"""Battle sequence, step 6: escape attempts, with help and hindrance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.kit import Frame, Match, step

from . import battle_ships as ships
from .battle_cards import order_of_loss
from .battle_deck import fronts
from .battle_plan import ALL, ENOUGH, asks, flee, help_escape, hinder, lines_of, stay
from .battle_powers import offer_mend, veterans

COWARD = 4
"""From this Recognition level on an escape costs one level (Escape attempts)."""


@step
def escape_attempts(m: Match) -> None:
    """Escape attempts; PL-69: in normal turn order, each ship once a round; PL-83: first what Sir Frank adds."""
    offers = [step.offer_veteran(who=who, late=True) for who in veterans(m)]
    m.do(*offers, offer_mend(), *[turn_to_escape(who=who) for who in ships.fighting(m)])


@step
def turn_to_escape(m: Match, who: str) -> Any:
    """Escape attempts: a ship announces an attempt, or stays; nobody flees from an empty battlefield."""
    if ships.fighter(m, who).state != "fighting" or not ships.enemies(m, who):
        return None
    if asks(m, who) and (fronts(m, who) or ships.escape(m, who) <= 0):
        offers = [one.given(who=who, scene={"step": "announce"}) for one in (flee, stay)]
        return m.ask(ships.seat_of(m, who), "flee", *offers, ship=who, escape=ships.escape(m, who))
    verb, cards = planned_escape(m, who)
    m.do(announce(who=who) if verb == "flee" or cards else remain(who=who))
    return None


def planned_escape(m: Match, who: str) -> tuple[str, int]:
    """Battle sequence: return whether the orders say to flee or to stay, with how many cards; without an order a ship stays."""
    for line in lines_of(m, who, "flee", "flee_if", "stay"):
        cards = own_cards(m, who, line["amount"])
        if line["do"] == "stay":
            return "stay", cards if ships.escape(m, who) <= 0 else 0
        enough = line["amount"] != ENOUGH or ships.escape(m, who) <= 2 * cards
        if enough and ships.escape(m, who) <= int(line.get("value", ships.escape(m, who))):
            return "flee", cards
    return "stay", 0


def own_cards(m: Match, who: str, amount: str) -> int:
    """Escape attempts: return how many own cards an amount means; enough are the fewest that suffice if nobody hinders."""
    held, value = len(fronts(m, who)), ships.escape(m, who)
    if amount == ALL:
        return held
    return min(held, max(0, (value + 1) // 2)) if amount == ENOUGH else min(held, int(amount or 0))


@step
def announce(m: Match, who: str) -> None:
    """Escape attempts: the player trying to escape announces it; how many cards are put off stays secret."""
    m.table.battle.escaping = who
    m.reveal("announces", of=ships.seat_of(m, who), who=who, escape=ships.escape(m, who))
    m.do(secret_numbers())


@step
def remain(m: Match, who: str) -> None:
    """Escape attempts; PL-68: with an Escape value of 0 the ship leaves all the same."""
    seat = ships.seat_of(m, who)
    if ships.escape(m, who) <= 0:
        m.reveal("drifts off", of=seat, who=who, escape=ships.escape(m, who))
        m.do(leave_battle(who=who))
    else:  # to say so tells no more than silence does
        m.reveal("stays in battle", of=seat, who=who, escape=ships.escape(m, who))


# Numbers


@step
def secret_numbers(m: Match) -> Any:
    """Escape attempts; PL-69, PL-71: all choose in secret how many cards they put off, and what for."""
    fleeing = m.table.battle.escaping
    asked = [who for who in ships.fighting(m) if asks(m, who) and (who == fleeing or most_lent(m, who))]
    if not asked:
        m.do(numbers_chosen(answers={}))
        return None
    deciders = {who: (ships.seat_of(m, who), number_offers(m, who, fleeing)) for who in asked}
    return m.ask_all("numbers", deciders, "numbers_chosen", ship=fleeing, escape=ships.escape(m, fleeing))


def number_offers(m: Match, who: str, fleeing: str) -> list[Any]:
    """Escape attempts: the ship itself may help or hinder with any number of cards, others up to their support total."""
    if who == fleeing:
        return [one.given(who=who, scene={"step": "number", "cards": len(fronts(m, who))}) for one in (flee, stay)]
    scene = {"ship": fleeing, "most": most_lent(m, who)}
    return [one.given(who=who, scene=scene) for one in (help_escape, hinder)]


def most_lent(m: Match, who: str) -> int:
    """Escape attempts; PL-71: no more cards than the support total."""
    return min(len(fronts(m, who)), ships.support_total(m, who))


def lent(m: Match, who: str, ship: str) -> tuple[int, int]:
    """Battle sequence: return how many cards the orders give to help and to hinder a ship."""
    for line in lines_of(m, who, "help_escape", "hinder"):
        if line["ship"] == ship:
            most = most_lent(m, who)
            count = most if line["amount"] == ALL else min(most, int(line["amount"]))
            return (count, 0) if line["do"] == "help_escape" else (0, count)
    return 0, 0


@step
def numbers_chosen(m: Match, answers: dict[str, Frame]) -> None:
    """Escape attempts; PL-69: all numbers are revealed at once, out of answers and orders."""
    who = m.table.battle.escaping
    helped, hindered = {}, {}
    for other in [other for other in ships.fighting(m) if other != who]:
        helping, against = told(answers[other]) if other in answers else lent(m, other, who)
        helped |= {other: helping} if helping else {}
        hindered |= {other: against} if against else {}
    verb, own = planned_escape(m, who)
    if who in answers:
        verb, own = answers[who]["do"], own_cards(m, who, answers[who]["amount"])
    m.do(settle_escape(who=who, own=own, up=verb == "stay", helped=helped, hindered=hindered))


def told(answer: Frame) -> tuple[int, int]:
    """Escape attempts: return how many cards an answer gives to help and to hinder."""
    count = int(answer["amount"])
    return (count, 0) if answer["do"] == "help_escape" else (0, count)


@step
def settle_escape(m: Match, who: str, own: int, up: bool, helped: dict[str, int], hindered: dict[str, int]) -> None:
    """Escape attempts, table; PL-70: own cards lower by 2 or raise by 1, those of others lower by 1 or raise by a half."""
    before = ships.escape(m, who)
    value = new_escape(before, own, up, sum(helped.values()), sum(hindered.values()))
    lists = {"helped": counted(helped), "hindered": counted(hindered)}
    m.reveal("escape numbers", who=who, own=own, up=up, before=before, value=value, **lists)
    ships.fighter(m, who).escape += value - before
    put_off = {ship: count for ship, count in {who: own, **helped, **hindered}.items() if count}
    lost = [step.put_off(who=ship, cards=order_of_loss(m, ship)[:count]) for ship, count in put_off.items()]
    m.do(*lost, *([leave_battle(who=who)] if value <= 0 else []))


def counted(numbers: Mapping[str, int]) -> list[str]:
    """Escape attempts: return numbers of cards as words of an event."""
    return [f"{who} {count}" for who, count in numbers.items()]


def new_escape(value: int, own: int, up: bool, helped: int, hindered: int) -> int:
    """Escape attempts, table; PL-70: return the Escape value after cards of the ship itself and of others.

    Example:
        >>> new_escape(3, 2, False, 0, 1), new_escape(3, 2, False, 0, 2)
        (-1, 0)
    """
    return value + (own if up else -2 * own) - helped + hindered // 2


@step
def leave_battle(m: Match, who: str) -> None:
    """Escape attempts; PL-72, PL-73: the ship stays in the hex, out of this battle; from level 4 on it costs a level."""
    opponents = ships.enemies(m, who)
    ships.fighter(m, who).state = "escaped"
    m.tell("escapes", who=who)
    coward = ships.is_captain(m, who) and m.table.captains[who].recognition >= COWARD
    loss = [step.battle_recognition(who=who, by=-1)] if coward else []
    m.do(*loss, step.defeated(who=who, by=opponents, destroyed=False))
