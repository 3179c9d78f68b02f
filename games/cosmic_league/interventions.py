"""The Interventions: playing a card, and the opponent's chance to neutralize it."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, No, no, one_of, order, step

INTERVENTIONS = 2


@order("play {card}", card="cards")
def play(m: Match, who: str, card: str) -> None:
    """The Interventions; CL-2, CL-9: the card is discarded open, may be neutralized, and then does its work."""
    captain, turn = m.table.captains[who], m.table.turn
    turn.interventions += 1
    turn.started = True
    captain.hand.remove(card)
    captain.discards.append(card)
    m.reveal("plays", of=who, who=who, card=card)
    m.do(window(who=who, card=card), carry_out(who=who, card=card))


@play.offered
def may_play(m: Match, who: str) -> Any:
    """The Interventions: up to two a turn, from the hand, at any time."""
    if m.table.turn.interventions == INTERVENTIONS:
        return no("no intervention left")
    reasons = {card: hindrance(m, who, card) for card in m.table.captains[who].hand}
    refused = {card: reason for card, reason in reasons.items() if reason is not None}
    return {"card": one_of([card for card in reasons if card not in refused], refused=refused)}


def hindrance(m: Match, who: str, card: str) -> No | None:
    """The Interventions; CL-6: say why a card cannot be played: nothing of its instruction can be carried out."""
    if m.components["cards"][card]["kind"] != "intervention":
        return no("no intervention", card=card)
    for frame in m.components.effect(m.game.steps, "cards", card, who=who, card=card):
        given = frame.copy()
        partner = m.game.steps[given.pop("do")].offer
        reason = partner(m, **given) if partner else None
        if isinstance(reason, No):
            return reason
    return None


@step
def window(m: Match, who: str, card: str) -> Any:
    """Neutralizing an Intervention; CL-9, CL-10: the opponent is asked whenever he might hold the same card."""
    (opponent,) = m.others(who)
    if not may_hold(m, opponent, card):
        return None
    return m.ask(opponent, "window", neutralize, decline, interrupts=who, card=card, player=who)


def may_hold(m: Match, opponent: str, card: str) -> bool:
    """Neutralizing an Intervention; CL-10: judge by what all can see, never by the hand itself."""
    captain, printed = m.table.captains[opponent], m.components["cards"][card]
    discarded = captain.discards.count(card)
    return printed["neutralizable"] and bool(captain.hand) and discarded < printed["copies"]


def played(m: Match) -> str:
    """Return the card that a window is about: it lies on top of the discards of the player on turn."""
    card: str = m.table.captains[m.table.turn.who].discards[-1]
    return card


@order("neutralize [{card}]", standing=True, card="cards")
def neutralize(m: Match, who: str, card: str) -> None:
    """Neutralizing an Intervention; CL-7, CL-8: exactly the same card is discarded, and the effect is nullified."""
    captain, player = m.table.captains[who], m.table.turn.who
    captain.hand.remove(card)
    captain.discards.append(card)
    m.cancel(carry_out(who=player, card=card))
    m.reveal("neutralizes", of=who, who=who, card=card, player=player)


@neutralize.offered
def may_neutralize(m: Match, who: str) -> Any:
    """Neutralizing an Intervention; CL-11: by exactly the same card, from the hand."""
    card = played(m)
    return {"card": one_of([card])} if card in m.table.captains[who].hand else no("not in hand", card=card)


@order("decline [{card}]", standing=True, card="cards")
def decline(m: Match, who: str, card: str) -> None:
    """Neutralizing an Intervention: the opponent may let it happen."""
    m.tell("declines", who=who, card=card)


@decline.offered
def may_decline(m: Match, who: str) -> Any:
    """Neutralizing an Intervention: always possible."""
    return {"card": one_of([played(m)])}


@step
def carry_out(m: Match, who: str, card: str) -> None:
    """The Interventions: follow the instruction on the card."""
    m.do(*m.components.effect(m.game.steps, "cards", card, who=who, card=card))
