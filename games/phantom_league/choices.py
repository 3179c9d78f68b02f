"""Questions that many cards and encounters ask: yes or no, pay or else, which tokens go, which Improvement breaks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from referee.kit import Frame, Match, no, one_of, order, some_of, step

from .data import called, refusing
from .mats import break_improvement, captain_of, lose_cargo, ship_of
from .turn_state import gone


def interrupted(m: Match, who: str) -> str:
    """Return the seat whose turn waits when somebody else is asked; nobody's if that ship is lost."""
    active = str(m.table.turn.who)
    return "" if who == active or gone(m, active) else active


# Yes or no


@order("accept", standing=True)
def accept(m: Match, who: str, yes: list[Frame]) -> None:
    """Agreements between players: what was proposed is done."""
    m.tell("accepts", who=who)
    m.do(*yes)


@order("decline", standing=True)
def decline(m: Match, who: str, no: list[Frame]) -> None:
    """Agreements between players: what was proposed is not done."""
    m.tell("declines", who=who)
    m.do(*no)


def yes_or_no(yes: Sequence[Frame], refusal: Sequence[Frame] = ()) -> tuple[Any, Any]:
    """Return the two orders of a question whether something shall be done.

    Args:
        yes: what is done then.
        refusal: what is done otherwise.
    """
    return accept.given(yes=list(yes)), decline.given(no=list(refusal))


@order("pass")
def pass_by(m: Match, who: str, otherwise: list[Frame]) -> None:
    """Hyperspace, Docking and Alien cards: what a card lets a player do is not done."""
    m.tell("passes", who=who)
    m.do(*otherwise)


# Pay, or else


@order("pay")
def pay_up(m: Match, who: str, money: int, why: str) -> None:
    """Docking to a Space Station or Planet: what is demanded is paid."""
    m.do(step.pay_due(who=who, money=money, why=why))


@order("refuse")
def refuse(m: Match, who: str, otherwise: list[Frame]) -> None:
    """Docking to a Space Station or Planet: what is demanded is not paid."""
    m.do(*otherwise)


@step
def demand(m: Match, who: str, money: int, why: str, otherwise: list[Frame]) -> Any:
    """Docking to a Space Station or Planet: the player pays, or takes what comes; who lacks the money has no choice."""
    if gone(m, who):
        return None
    if captain_of(m, who).money < money:
        m.tell("cannot pay", who=who, money=money, why=why)
        m.do(*otherwise)
        return None
    orders = pay_up.given(money=money, why=why), refuse.given(otherwise=otherwise)
    return m.ask(who, "demand", *orders, interrupts=interrupted(m, who), money=money, why=why)


# Tokens that go


@step
def lose_tokens(m: Match, who: str, count: int, among: list[str], why: str) -> Any:
    """Cargo: so many tokens out of some commodities go back to the supply; the owner chooses which."""
    if gone(m, who):
        return None
    cargo = ship_of(m, who).cargo
    aboard = [goods for goods in among for _ in range(cargo.get(goods, 0))]
    count = min(count, len(aboard))
    if not count:
        return None
    if count == len(aboard) or len(set(aboard)) == 1:
        m.do(part_with_tokens(who=who, why=why, count=count, aboard=aboard, tokens=aboard[:count]))
        return None
    offer = part_with_tokens.given(why=why, count=count, aboard=aboard)
    return m.ask(who, "tokens", offer, interrupts=interrupted(m, who), count=count, why=why)


@order("give up {tokens}", tokens="some commodities")
def part_with_tokens(m: Match, who: str, why: str, count: int, aboard: list[str], tokens: list[str]) -> None:
    """Cargo: the tokens leave the ship."""
    for goods in dict.fromkeys(tokens):
        lose_cargo(m, who, goods, tokens.count(goods))
    m.tell("loses tokens", who=who, tokens=counted(tokens), why=why)


@part_with_tokens.offered
def may_part_with_tokens(m: Match, who: str, why: str, count: int, aboard: list[str]) -> Any:
    """Cargo: any of the tokens, exactly as many as must go."""
    return {"tokens": some_of(aboard, least=count, most=count)}


def counted(tokens: Sequence[str]) -> list[str]:
    """Return tokens as they read in a sentence.

    Example:
        >>> counted(["ore", "food", "ore"])
        ['2 ore', '1 food']
    """
    return [f"{tokens.count(goods)} {goods}" for goods in dict.fromkeys(tokens)]


# Improvements that break


@step
def break_one(m: Match, who: str, why: str) -> Any:
    """Apply damage to an Improvement: one installed Improvement of the owner's choice is turned face down."""
    if gone(m, who):
        return None
    whole = ship_of(m, who).unbroken()
    if len(whole) > 1:
        return m.ask(who, "breaks", let_break.given(why=why), interrupts=interrupted(m, who), why=why)
    m.do(*[let_break(who=who, why=why, improvement=card) for card in whole])
    return None


@order("break {improvement}", improvement="improvements")
def let_break(m: Match, who: str, why: str, improvement: str) -> None:
    """Apply damage to an Improvement: it is unavailable until it is repaired."""
    name = m.components["improvements"][improvement]["name"]
    m.tell("breaks", who=who, improvement=improvement, name=name, why=why)
    break_improvement(m, who, improvement)


@let_break.offered
def may_let_break(m: Match, who: str, why: str) -> Any:
    """Apply damage to an Improvement: any that is installed and whole."""
    whole = ship_of(m, who).unbroken()
    broken = {card: no("broken already", improvement=card) for card in ship_of(m, who).broken}
    return {"improvement": one_of(whole, refused=refusing(m, "improvements", broken), same=called(m, "improvements", whole))}
