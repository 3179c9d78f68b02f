"""Specialist Abilities: what the five symbol pairs do."""

from __future__ import annotations

from typing import Any

from referee.kit import NUMBER, Match, no, number, one_of, order, step

from .buildings import is_ready, use
from .deck import arrange, discard, draw, find, fronts, lay_deck, powers, show, top_back, turn_down, uncover
from .play import add_to_column
from .table import Card

MOST_PARTS = 7
MOST_STEPS = 3
VAULT = "seed vault"
PILE, DECK = "discard pile", "deck"


def nothing(m: Match, who: str, ability: str) -> None:
    """Specialist Abilities; FP-41: no components are left, so the pair is formed without effect."""
    m.tell("no effect", who=who, ability=ability)


@step
def spaceflight(m: Match, who: str) -> None:
    """Specialist Abilities, Spaceflight; FP-4, FP-13, FP-T9: a spaceship part for all following rounds, up to seven."""
    player = m.table.players[who]
    if player.parts == MOST_PARTS:
        nothing(m, who, "spaceflight")
        return
    player.parts += 1
    m.tell("gets part", who=who, parts=player.parts)


@step
def economy(m: Match, who: str) -> None:
    """Specialist Abilities, Economy; FP-13, FP-22: a coin, which may be used at once and in all following rounds."""
    if not m.table.coins:
        nothing(m, who, "economy")
        return
    m.table.coins -= 1
    m.table.players[who].coins += 1
    m.tell("gets coin", who=who, coins=m.table.players[who].coins, supply=m.table.coins)


@step
def exploration(m: Match, who: str) -> None:
    """Specialist Abilities, Exploration; FP-13, FP-30, FP-31: the marker moves on, and its owner looks at the card."""
    player = m.table.players[who]
    if player.marker == MOST_STEPS:
        nothing(m, who, "exploration")
        return
    player.marker += 1
    look_below_marker(m, who)
    m.do(step.recount(who=who))


def look_below_marker(m: Match, who: str) -> None:
    """Setup 3: a player looks at the colour bonus card that the own marker lies on."""
    name = reached(m, who)
    card = m.table.bonus[name]
    show(m, card, who)
    m.reveal("explores", to={who: {"card": card.front}}, who=who, bonus=name)


def reached(m: Match, who: str) -> str:
    """Setup 3: return the colour bonus card below a marker; the first seat counts from C1, the other from C4."""
    names, steps = list(m.table.bonus), m.table.players[who].marker
    return names[steps] if who == m.seats[0] else names[-1 - steps]


# Botany


@step
def botany(m: Match, who: str) -> Any:
    """Specialist Abilities, Botany; FP-13, FP-14: the top card of the deck is drawn, and placed face down."""
    if m.table.top and (m.table.deck or m.table.discards) and is_ready(m, who, VAULT):
        return m.ask(who, "vault", draw_for_botany)
    m.do(draw_for_botany(who=who, count=1))
    return None


@order("draw {count}", count=NUMBER)
def draw_for_botany(m: Match, who: str, count: int) -> None:
    """Specialist Abilities, Botany; FP-19, FP-41: look at what is drawn without showing it."""
    drawn = draw(m, count)
    if not drawn:
        nothing(m, who, "botany")
        return
    if count > 1:
        use(m, who, VAULT)
    pick_up(m, who, drawn)
    m.reveal("draws", to={who: {"cards": fronts(drawn)}}, who=who, powers=[c.power for c in drawn], top=top_back(m))
    m.do(plant(who=who))


@draw_for_botany.offered
def may_draw_for_botany(m: Match, who: str) -> Any:
    """Professional Mode, Seed Vault: once a game two cards are drawn, and one of them is placed."""
    return {"count": number(1, 2)}


def pick_up(m: Match, who: str, cards: list[Card]) -> None:
    """Specialist Abilities, Botany: lay drawn cards before a player, who alone looks at them."""
    for card in cards:
        card.known = [who]
    m.table.players[who].drawn = cards


@step
def plant(m: Match, who: str) -> Any:
    """Specialist Abilities, Botany; FP-14: in any own column that is not empty; a single one needs no question."""
    player = m.table.players[who]
    if len(player.drawn) > 1:
        return m.ask(who, "plant", place_one, cards=fronts(player.drawn))
    if len(filled(m, who)) == 1:
        m.do(place(who=who, colour=filled(m, who)[0]))
        return None
    return m.ask(who, "place", place, cards=fronts(player.drawn))


def filled(m: Match, who: str) -> list[str]:
    """Specialist Abilities: return the colours of a player's columns that are not empty."""
    return [colour for colour, column in m.table.players[who].columns.items() if column]


@order("place {colour}", colour="colours")
def place(m: Match, who: str, colour: str) -> None:
    """Specialist Abilities, Botany; FP-14, FP-T4: it counts as a specialist of the column with one symbol."""
    player = m.table.players[who]
    (card,) = player.drawn
    player.drawn = []
    m.tell("places", who=who, colour=colour, power=card.power)
    add_to_column(m, who, card, colour)


@place.offered
def may_place(m: Match, who: str) -> Any:
    """Specialist Abilities, Botany: never in an empty column."""
    return {"colour": one_of(filled(m, who), refused=empty_columns(m, who))}


def empty_columns(m: Match, who: str) -> dict[str, Any]:
    """Specialist Abilities, Botany: say of the empty columns that nothing is placed there."""
    columns = m.table.players[who].columns
    return {colour: no("empty column", colour=colour) for colour, column in columns.items() if not column}


@order("place {card} in {colour}", card="specialists", colour="colours")
def place_one(m: Match, who: str, card: str, colour: str) -> None:
    """Professional Mode, Seed Vault: one of the two drawn cards is placed, the other goes under the deck."""
    player = m.table.players[who]
    chosen = find(player.drawn, card)
    rest = [other for other in player.drawn if other is not chosen]
    turn_down(rest)
    player.drawn, m.table.deck = [chosen], rest + m.table.deck
    uncover(m)
    m.reveal("under deck", of=who, who=who, powers=powers(rest), top=top_back(m))
    m.do(place(who=who, colour=colour))


@place_one.offered
def may_place_one(m: Match, who: str) -> Any:
    """Professional Mode, Seed Vault: which card, and which column."""
    cards = one_of(fronts(m.table.players[who].drawn))
    return {"card": cards, "colour": one_of(filled(m, who), refused=empty_columns(m, who))}


# Taking a specialist out of some cards


@order("take {card}", card="specialists")
def take(m: Match, who: str, source: str, card: str) -> None:
    """Recruit Specialists, The Boost Tiles: a specialist out of those that are shown."""
    if source == PILE:
        take_from_pile(m, who, card)
    elif source == DECK:
        take_drawn(m, who, card)
    else:
        m.do(step.take_from_planet(who=who, planet=source, card=card))


@take.offered
def may_take(m: Match, who: str, source: str) -> Any:
    """Recruit Specialists, The Boost Tiles: any of those that lie there."""
    drawn, pile = m.table.players[who].drawn, m.table.discards
    cards = pile if source == PILE else drawn if source == DECK else m.table.planets[source].cards
    return {"card": one_of(fronts(cards))}


def take_from_pile(m: Match, who: str, card: str) -> None:
    """The Boost Tiles; FP-11, FP-17: one specialist goes into the hand, the pile is shuffled face down."""
    found = find(m.table.discards, card)
    m.table.discards.remove(found)
    receive(m, who, found)
    rest, m.table.discards = m.shuffled(m.table.discards), []
    turn_down(rest)
    discard(m, rest)
    m.reveal("finds", of=who, to={who: {"card": card}}, who=who, power=found.power)


def take_drawn(m: Match, who: str, card: str) -> None:
    """The Boost Tiles; FP-11, FP-20: one specialist goes into the hand, the others go back, and the deck is shuffled."""
    player = m.table.players[who]
    chosen = find(player.drawn, card)
    rest = [other for other in player.drawn if other is not chosen]
    player.drawn = []
    receive(m, who, chosen)
    lay_deck(m, rest + m.table.top + m.table.deck)
    m.reveal("keeps one", to={who: {"card": card}}, who=who, power=chosen.power, back=powers(rest), top=top_back(m))


def receive(m: Match, who: str, card: Card) -> None:
    """The Boost Tiles; FP-11: a specialist goes into the hand, its back to the opponent."""
    card.known = [who]
    m.table.players[who].hand.append(card)
    arrange(m.table.players[who].hand)
