"""Play Specialists, and Costs and Buying Power."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, no, one_of, order, some_of, step

from .buildings import is_ready, use
from .deck import arrange, discard, find, fronts, is_public, powers, printed, turn_up
from .rounds import ROUNDS
from .table import Card

BANK = "galactic bank"
KEPT = 1
EXCHANGED = 1


@step
def play_phase(m: Match, who: str) -> None:
    """Play Specialists: one player plays specialists in any order, and keeps at most one of the others."""
    m.table.phase, m.table.playing = "play", who
    # A player without a card can do nothing, and all can see that.
    m.do(*[choose(who=who)] if m.table.players[who].hand else [], close_phase(who=who))


@step
def choose(m: Match, who: str) -> Any:
    """Play Specialists; FP-10, FP-11: cards from the hand are played or discarded for their buying power, in any order."""
    player = m.table.players[who]
    free = player.coins - player.spent
    offers = [play, pay, coin, bank, keep, done, look]
    return m.ask(who, "play", *offers, then=[choose(who=who)], credit=player.credit, coins=free, most=most_kept(m, who))


@step
def close_phase(m: Match, who: str) -> None:
    """Costs and Buying Power; FP-9: what is left of the credit lapses at the end of the phase."""
    player = m.table.players[who]
    if player.credit:
        m.tell("lapses", who=who, credit=player.credit)
    player.credit, m.table.playing = 0, ""


# Playing a specialist


@order("play {card}", card="specialists")
def play(m: Match, who: str, card: str) -> None:
    """Play Specialists; FP-12, FP-T10: pay the cost, lay the specialist into its column, form a pair at once."""
    player, found, price = m.table.players[who], find(m.table.players[who].hand, card), cost(m, who, card)
    player.hand.remove(found)
    player.credit -= price
    turn_up(m, [found])
    m.reveal("plays", of=who, who=who, card=card, cost=price, credit=player.credit)
    add_to_column(m, who, found, printed(m, card)["colour"])


@play.offered
def may_play(m: Match, who: str) -> Any:
    """Costs and Buying Power; FP-T5: whatever the buying power in hand pays for."""
    player = m.table.players[who]
    if not player.hand:
        return no("empty hand")
    costs = {card: cost(m, who, card) for card in fronts(player.hand)}
    dear = {c: no("too dear", card=c, cost=price, credit=player.credit) for c, price in costs.items() if price > player.credit}
    return {"card": one_of([card for card in costs if card not in dear], refused=played_cards(m, who) | dear)}


def cost(m: Match, who: str, card: str) -> int:
    """Costs and Buying Power; FP-21: the printed cost, less what own tiles take off in this colour, never below 0."""
    found = printed(m, card)
    tiles = [boost for boost in owned_tiles(m, who) if boost[1] == found["colour"]]
    return max(0, found["cost"] - sum(m.components["tiles"][name].get("discount", 0) for name, _ in tiles))


def owned_tiles(m: Match, who: str) -> list[tuple[str, str]]:
    """The Boost Tiles; FP-24: return for each tile that is in use what it does (a copy: what it copies) and where."""
    tiles = m.table.players[who].tiles
    return [(boost.copies or name, boost.on) for name, boost in tiles.items() if not boost.stored]


def played_cards(m: Match, who: str) -> dict[str, Any]:
    """Costs and Buying Power: say of a player's own played specialists that they are no longer in the hand."""
    lying = [card for column in m.table.players[who].columns.values() for card in column if who in card.known]
    return {card.front: no("played", card=card.front) for card in lying}


def add_to_column(m: Match, who: str, card: Card, colour: str) -> None:
    """Specialist Abilities; FP-12: each new pair of symbols in a column triggers the ability of its colour once."""
    column = m.table.players[who].columns[colour]
    before = symbols(m, column)
    column.append(card)
    ability = m.components.effect(m.game.steps, "colours", colour, who=who)
    m.do(step.recount(who=who), *ability * (symbols(m, column) // 2 - before // 2))


def symbols(m: Match, column: list[Card]) -> int:
    """Specialist Abilities: count the symbols of a column; a specialist that lies face down has one."""
    return sum(printed(m, card.front)["symbols"] if is_public(card) else 1 for card in column)


# Buying power


@order("discard {card}", card="specialists")
def pay(m: Match, who: str, card: str) -> None:
    """Costs and Buying Power; FP-9, FP-18: a specialist from the hand goes face down to the discard pile and pays."""
    player, found = m.table.players[who], find(m.table.players[who].hand, card)
    cover_like(m, who, [found])
    player.hand.remove(found)
    discard(m, [found])
    worth = found.power
    if worth == EXCHANGED and not player.exchanged:
        worth, player.exchanged = m.value("exchange", worth, who), True
    player.credit += worth
    private = {who: {"card": card}}
    m.reveal("discards", of=who, to=private, who=who, power=found.power, worth=worth, credit=player.credit)


@pay.offered
def may_pay(m: Match, who: str) -> Any:
    """Costs and Buying Power: only from the hand, never what was played."""
    held = fronts(m.table.players[who].hand)
    return {"card": one_of(held, refused=played_cards(m, who))} if held else no("empty hand")


def cover_like(m: Match, who: str, going: list[Card]) -> None:
    """Costs and Buying Power; FP-18: if some of like backs go, the opponent cannot tell which, though he saw their fronts."""
    hand = m.table.players[who].hand
    for power in {card.power for card in going}:
        like = [card for card in hand if card.power == power]
        if any(card not in going for card in like):
            for card in like:
                card.known = [who]
    arrange(hand)


@order("coin")
def coin(m: Match, who: str) -> None:
    """Specialist Abilities, Economy; FP-22: a coin is turned to its grey back and raises the buying power by 1."""
    player = m.table.players[who]
    player.spent += 1
    player.credit += 1
    m.tell("coin", who=who, left=player.coins - player.spent, credit=player.credit)


@coin.offered
def may_coin(m: Match, who: str) -> Any:
    """Specialist Abilities, Economy; FP-22: each coin once a round."""
    player = m.table.players[who]
    return {} if player.coins > player.spent else no("no coin")


@order("bank")
def bank(m: Match, who: str) -> None:
    """Professional Mode, Galactic Bank: once a game it is used as 1 coin."""
    use(m, who, BANK)
    m.table.players[who].credit += m.value("bank", 0, who)


@bank.offered
def may_bank(m: Match, who: str) -> Any:
    """Professional Mode, Galactic Bank: while it lies face up."""
    return {} if is_ready(m, who, BANK) else no("no building", building=BANK)


# The end of the phase


def most_kept(m: Match, who: str) -> int:
    """Play Specialists; FP-8: return how many specialists may be kept for the next round."""
    return 0 if m.table.round == ROUNDS else m.value("keep", KEPT, who)


@order("keep {cards}", cards="some specialists")
def keep(m: Match, who: str, cards: list[str]) -> None:
    """Play Specialists; FP-8: the phase ends; the specialists that are not kept go face down to the discard pile."""
    player = m.table.players[who]
    kept = [find(player.hand, code) for code in cards]
    gone = [card for card in player.hand if card not in kept]
    cover_like(m, who, gone)
    player.hand = [card for card in player.hand if card in kept]
    discard(m, gone)
    m.cancel(choose(who=who))
    m.reveal("ends", of=who, to={who: {"cards": cards}}, who=who, kept=powers(kept), gone=powers(gone))


@keep.offered
def may_keep(m: Match, who: str) -> Any:
    """Play Specialists; FP-8, FP-T12: at most one, and none in the last round."""
    most = most_kept(m, who)
    return {"cards": some_of(fronts(m.table.players[who].hand), most=most, default=[])} if most else no("last round")


@order("done")
def done(m: Match, who: str) -> None:
    """Play Specialists: the phase ends; the whole hand is kept, or in the last round discarded."""
    hand = m.table.players[who].hand
    m.do(keep(who=who, cards=[] if m.table.round == ROUNDS else some_of(fronts(hand)).arranged(fronts(hand))))


@done.offered
def may_done(m: Match, who: str) -> Any:
    """Play Specialists; FP-8: with no more in the hand than may be kept; in the last round always."""
    held, most = len(m.table.players[who].hand), most_kept(m, who)
    return {} if held <= most or m.table.round == ROUNDS else no("keep which", held=held, most=most)


@order("look at {bonus}", bonus="bonus cards")
def look(m: Match, who: str, bonus: str) -> None:
    """Setup 3; FP-30: never offered, since every report shows what a player may look at; the refusal says so."""


@look.offered
def may_look(m: Match, who: str) -> Any:
    """Setup 3; FP-30: cards up to the own marker are in the report already; those past it stay hidden."""
    known = {name: no("in report" if who in card.known else "past marker", bonus=name) for name, card in m.table.bonus.items()}
    return {"bonus": one_of([], refused=known)}
