"""Payments that are due: forced sales, loans from the others, death without a pod (rulebook: Death of a Captain)."""

from __future__ import annotations

from typing import Any

from referee.kit import NUMBER, Match, no, number, one_of, order, step

from .docked import STATION
from .galaxy import body
from .improvements import RESALE, give_up_card, price_of, sellable, tell_card
from .mats import captain_of, earn, has_ship, pay, ship_of, spend
from .trade import legal, sell_tokens, shown
from .turn_state import turn_of


@step
def pay_due(m: Match, who: str, money: int, why: str) -> None:
    """Docking to a Space Station or Planet, Note; PL-38: a payment is made at once, or the money for it raised."""
    m.do(raise_money(who=who, money=money, why=why, refused=[]))


@step
def raise_money(m: Match, who: str, money: int, why: str, refused: list[str]) -> Any:
    """Docking to a Space Station or Planet, Note; PL-38: money, then sales, then loans; else Death of a Captain.

    Args:
        m: the match.
        who: the player who has to pay.
        money: how much.
        why: what for, a key of the words.
        refused: the players who were asked for a loan already.
    """
    captain = captain_of(m, who)
    if captain.dead:
        return None
    if captain.money >= money:
        spend(m, who, money)
        m.tell("pays what is due", who=who, money=money, why=why, left=captain.money)
        return None
    debt: dict[str, Any] = {"money": money, "why": why, "refused": refused}
    lenders = lenders_of(m, who, refused)
    if not goods_to_sell(m, who) and not has_cards_to_sell(m, who):
        m.do(borrow(who=who, **debt) if lenders else step.eliminate(who=who, why="bankrupt"))
        return None
    loans = [borrow.given(**debt)] if lenders else []
    again = raise_money(who=who, **debt)
    offers: list[Any] = [sell_goods_due, sell_card_due, *loans]
    return m.ask(who, "debt", *offers, then=[again], interrupts=waits(m, who), short=money - captain.money, why=why)


def waits(m: Match, who: str) -> str:
    """Death of a Captain: return whose turn waits for a player's answer, if it is not his own."""
    return "" if m.table.turn.who == who else str(m.table.turn.who)


# Forced sales


def is_at_market(m: Match, who: str) -> bool:
    """Docking to a Space Station or Planet, Note: tell whether a ship is docked, or about to be."""
    return ship_of(m, who).docked or bool(turn_of(m, who).docking.place)


def goods_to_sell(m: Match, who: str) -> dict[str, int]:
    """Docking to a Space Station or Planet, Note; PL-38: return the commodities that can be sold at local prices."""
    if not has_ship(m, who) or not is_at_market(m, who):
        return {}
    ship = ship_of(m, who)
    wanted = m.components["trade"].get(ship.place, {}).get("sell", {})
    return {goods: count for goods, count in ship.cargo.items() if count and goods in wanted and legal(m, who, goods)}


def has_cards_to_sell(m: Match, who: str) -> bool:
    """Docking to a Space Station or Planet, Note; PL-38: tell whether Improvements can be sold: at a Space Station."""
    if not has_ship(m, who) or not is_at_market(m, who) or body(m, ship_of(m, who).place) != STATION:
        return False
    return isinstance(sellable(m, who), dict)


@order("sell {count} {commodity}", count=NUMBER, commodity="commodities")
def sell_goods_due(m: Match, who: str, count: int, commodity: str) -> None:
    """Docking to a Space Station or Planet, Note; PL-38: commodities are sold at local prices to pay with."""
    sell_tokens(m, who, count, commodity)


@sell_goods_due.offered
def may_sell_goods_due(m: Match, who: str) -> Any:
    """Docking to a Space Station or Planet, Note; PL-38: whatever is on board and wanted here."""
    goods = goods_to_sell(m, who)
    if not goods:
        return no("nothing wanted", place=ship_of(m, who).place, goods=[])
    why = no("selling limits", limits=shown(goods))

    def enough(chosen: dict[str, Any]) -> Any:
        return one_of([g for g in goods if goods[g] >= chosen["count"]], refused=dict.fromkeys(goods, why))

    return {"count": number(1, max(goods.values()), refused=why), "commodity": enough}


@order("sell {improvement}", improvement="improvements")
def sell_card_due(m: Match, who: str, improvement: str) -> None:
    """Docking to a Space Station or Planet, Note; PL-38: Improvements are sold for half their price to pay with."""
    give_up_card(m, who, improvement)
    price = price_of(m, improvement) // RESALE
    earn(m, who, price)
    tell_card(m, "sells improvement", who, improvement, price=price, money=captain_of(m, who).money)


@sell_card_due.offered
def may_sell_card_due(m: Match, who: str) -> Any:
    """Docking to a Space Station or Planet, Note; PL-38: only at a Space Station."""
    return sellable(m, who) if has_cards_to_sell(m, who) else no("nothing to resell")


# Loans


def lenders_of(m: Match, who: str, refused: list[str]) -> list[str]:
    """Death of a Captain; PL-38: return the others who have money and were not asked yet, in turn order."""
    others = [seat for seat in m.others(who) if seat not in refused]
    return [seat for seat in others if not captain_of(m, seat).dead and captain_of(m, seat).money]


@order("borrow")
def borrow(m: Match, who: str, money: int, why: str, refused: list[str]) -> None:
    """Death of a Captain; PL-38: the other Captains are asked for a loan, one after the other."""
    debt: dict[str, Any] = {"who": who, "money": money, "why": why}
    waiting = raise_money(**debt, refused=refused)
    if waiting in m.agenda:
        m.cancel(waiting)
    lenders = lenders_of(m, who, refused)
    m.tell("asks for loans", who=who, short=money - captain_of(m, who).money, seats=lenders)
    m.do(*[ask_loan(who=lender, debtor=who, money=money) for lender in lenders], raise_money(**debt, refused=m.others(who)))


@step
def ask_loan(m: Match, who: str, debtor: str, money: int) -> Any:
    """Death of a Captain; PL-38: a Captain is asked, unless the others have lent enough."""
    short = money - captain_of(m, debtor).money
    if short <= 0 or captain_of(m, debtor).dead or not captain_of(m, who).money:
        return None
    offers = [lend.given(debtor=debtor, short=short), refuse_loan.given(debtor=debtor)]
    return m.ask(who, "loan", *offers, interrupts=waits(m, who), debtor=debtor, short=short)


@order("lend {count}", count=NUMBER)
def lend(m: Match, who: str, count: int, debtor: str, short: int) -> None:
    """Death of a Captain: a loan; when it is paid back is between the two of them."""
    pay(m, who, debtor, count)
    m.tell("lends", who=who, debtor=debtor, count=count, money=captain_of(m, who).money)


@lend.offered
def may_lend(m: Match, who: str, debtor: str, short: int) -> Any:
    """Death of a Captain: no more than is missing, out of the own money; all of it if no number is named."""
    most = min(short, captain_of(m, who).money)
    return {"count": number(1, most, default=most)}


@order("lend nothing", standing=True)
def refuse_loan(m: Match, who: str, debtor: str) -> None:
    """Death of a Captain: nobody has to lend."""
    m.tell("lends nothing", who=who, debtor=debtor)
