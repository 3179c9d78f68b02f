"""Special powers of captains and ships in a battle: when they may be used, by the orders or asked, and what they do.

The numbers of all cards count by themselves; here is what somebody decides on (Captain cards, Spaceship cards).
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from referee.kit import Match, step

from . import battle_ships as ships
from .battle_deck import fronts, give, take
from .battle_plan import asks, lines_of
from .battle_sheet import keep_decks, lower_escape, mend_hull, no_power, raise_escape, stunt, swap


@step
def after_reveal(m: Match) -> None:
    """Battle sequence, step 2: powers right after the reveal; PL-82: the stunt is for this moment alone, once a round."""
    able = [who for who in ships.by_speed(m) if ships.able(m, who, "stunt") and fronts(m, who)]
    m.do(*[offer_stunt(who=who) for who in able], *[offer_veteran(who=who, late=False) for who in veterans(m)], offer_mend())


# The Courier


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


# Sir Frank Elderberg IV


def veterans(m: Match) -> list[str]:
    """Captain cards, Sir Frank Elderberg IV; PL-83: return who can still change an Escape value for Fuel."""
    able = [who for who in ships.by_speed(m) if ships.able(m, who, "veteran") and ships.fuel(m, who) > 1]
    return [who for who in able if "veteran" not in ships.fighter(m, who).powers]


@step
def offer_veteran(m: Match, who: str, late: bool) -> Any:
    """Captain cards, Sir Frank Elderberg IV; PL-83: at once if the orders say so, else right before the escape attempts."""
    if who not in veterans(m) or not ships.enemies(m, who):
        return None
    if asks(m, who):
        offers = [one.given(who=who, scene={"now": True}) for one in (raise_escape, lower_escape, no_power)]
        return m.ask(ships.seat_of(m, who), "veteran", *offers, ship=who)
    for line in lines_of(m, who, "raise_escape", "lower_escape"):
        if (late or line["moment"]) and line["ship"] in ships.enemies(m, who):
            sign = 1 if line["do"] == "raise_escape" else -1
            m.do(adjust_escape(who=who, ship=line["ship"], by=sign * min(int(line["points"]), ships.fuel(m, who) // 2)))
            return None
    m.reveal("keeps power", of=ships.seat_of(m, who), who=who, power="veteran")
    return None


@step
def adjust_escape(m: Match, who: str, ship: str, by: int) -> None:
    """Captain cards, Sir Frank Elderberg IV; PL-83: 2 Fuel for each point, once in a battle."""
    ships.burn(m, who, 2 * abs(by))
    ships.fighter(m, who).powers.append("veteran")
    m.reveal("adjusts", of=ships.seat_of(m, who), who=who, ship=ship, by=by, fuel=ships.fuel(m, who))
    m.do(step.shift_escape(target=ship, by=by))


# Aayaeh'h


@step
def offer_mend(m: Match) -> Any:
    """Captain cards, Aayaeh'h: at any time in her own turn, a battle in it included, one Fuel repairs one Structure."""
    who = m.table.turn.who
    if not can_mend(m, who):
        return None
    if asks(m, who):
        return m.ask(who, "mend", *[one.given(who=who, scene={"now": True}) for one in (mend_hull, no_power)], ship=who)
    missing = ships.most_structure(m, who) - ships.structure(m, who)
    if any(missing >= int(line["least"] or 1) for line in lines_of(m, who, "mend_hull")):
        m.do(mend_in_battle(who=who))
    else:
        m.reveal("keeps power", of=who, who=who, power="mend")
    return None


def can_mend(m: Match, who: str) -> bool:
    """Captain cards, Aayaeh'h: tell whether she still can repair a point in this turn, and needs it."""
    if who not in ships.fighting(m) or not ships.able(m, who, "self-repair") or m.table.turn.self_repaired:
        return False
    return ships.fuel(m, who) > 0 and 0 < ships.structure(m, who) < ships.most_structure(m, who)


@step
def mend_in_battle(m: Match, who: str) -> None:
    """Captain cards, Aayaeh'h: once a turn, in or out of battle."""
    m.table.turn.self_repaired = True
    ships.burn(m, who, 1)
    ships.change_structure(m, who, 1)
    m.reveal("mends in battle", of=who, who=who, structure=ships.structure(m, who), fuel=ships.fuel(m, who))


# Botch Lebadov


@step
def offer_swap(m: Match, who: str) -> Any:
    """Captain cards, Botch Lebadov; PL-80: after the deal and at the end of each round; without an order not at all."""
    if not swap.offer or not isinstance(swap.offer(m, who=who, scene={"now": True}), dict):
        return None
    if asks(m, who):
        offers = [one.given(who=who, scene={"now": True}) for one in (swap, keep_decks)]
        return m.ask(ships.seat_of(m, who), "swap", *offers, then=[offer_swap(who=who)], ship=who)
    lines = lines_of(m, who, "swap")
    if not lines:
        m.reveal("keeps power", of=ships.seat_of(m, who), who=who, power="swap")
    m.do(*[swap_deck(who=who, ship=line["ship"]) for line in lines])
    return None


@step
def swap_deck(m: Match, who: str, ship: str) -> None:
    """Captain cards, Botch Lebadov; PL-80: a whole Battle deck is replaced by cards of the same sets, once in a battle."""
    fighter, power = ships.fighter(m, who), "swap own" if ship == who else "swap enemy"
    if power in fighter.powers or ship not in (who, *ships.enemies(m, who)):
        m.reveal("keeps power", of=fighter.seat, who=who, power="swap")
        return
    fighter.powers.append(power)
    deck = ships.fighter(m, ship).deck
    ships.fighter(m, ship).deck = []
    kinds = Counter(m.components["battle"][card.front]["kind"] for card in deck)
    m.table.battle.buried += deck
    drawn = [front for kind, count in kinds.items() for _ in range(count) for front in give(m, ship, take(m, kind))]
    m.reveal("swaps", who=who, ship=ship, kinds=[f"{k} {n}" for k, n in sorted(kinds.items())])
    m.reveal("new deck", to={ships.seat_of(m, ship): {"cards": drawn}}, who=ship, count=len(drawn))
