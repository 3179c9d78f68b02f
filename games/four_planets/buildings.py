"""Professional Mode: the buildings, how they are chosen, and those that come into play during the set-up."""

from __future__ import annotations

from typing import Any

from referee.kit import Frame, Match, order, some_of, step

from .deck import draw, fronts, lay_deck, printed, top_back, turn_up

DEALT, CHOSEN = 4, 2


@step
def draft(m: Match, dealt: int, chosen: int) -> None:
    """Professional Mode: each player is dealt some building cards at random, and chooses among them."""
    m.do(*[deal_buildings(who=seat, count=dealt) for seat in m.seats], choose_buildings(count=chosen))


@step
def deal_buildings(m: Match, who: str, count: int) -> None:
    """Professional Mode; FP-36: building cards that were never dealt; those returned only when they do not suffice."""
    table = m.table
    if len(table.buildings) < count:
        table.buildings, table.returned = table.buildings + m.shuffled(table.returned), []
    dealt = [table.buildings.pop(0) for _ in range(count)]
    table.players[who].dealt = dealt
    m.reveal("deals buildings", to={who: {"buildings": labels(m, dealt)}}, who=who, count=count)


@step
def choose_buildings(m: Match, count: int) -> Any:
    """Professional Mode; FP-33: both choose in secret, and reveal together."""
    return m.ask_all("draft", {seat: (seat, [build.given(count=count)]) for seat in m.seats}, "unveil", count=count)


@order("build {buildings}", buildings="some buildings")
def build(m: Match, who: str, count: int, buildings: list[str]) -> None:
    """Professional Mode, Mini-Campaign: the chosen buildings lie face up before their owner."""
    player = m.table.players[who]
    player.buildings += buildings
    player.dealt = [building for building in player.dealt if building not in buildings]
    m.reveal("builds", of=who, who=who, buildings=labels(m, buildings))


@build.offered
def may_build(m: Match, who: str, count: int) -> Any:
    """Professional Mode, Mini-Campaign: so many of those that were dealt."""
    return {"buildings": some_of(m.table.players[who].dealt, least=count, most=count)}


@step
def unveil(m: Match, answers: dict[str, Frame]) -> None:
    """Professional Mode; FP-33: when both have chosen, the buildings are revealed, and the others go back to the box."""
    m.do(*answers.values(), *[return_buildings(who=seat) for seat in m.seats])


@step
def return_buildings(m: Match, who: str) -> None:
    """Mini-Campaign; FP-36: unchosen cards are kept separate from those that were never dealt."""
    player = m.table.players[who]
    m.table.returned += player.dealt
    player.dealt = []


# Buildings in play


def is_ready(m: Match, who: str, building: str) -> bool:
    """Professional Mode: return whether a player owns a building with a one-time effect that was not applied yet."""
    player = m.table.players[who]
    return building in player.buildings and building not in player.used


def use(m: Match, who: str, building: str) -> None:
    """Professional Mode: turn a building over to its back after its one-time effect."""
    m.table.players[who].used.append(building)
    m.tell("uses", who=who, building=label(m, building))


def label(m: Match, building: str) -> str:
    """Professional Mode: return the name of a building, marked if what it does is not from the rulebook."""
    source = m.components["buildings"][building]["source"]
    return f"{building} ({source})" if source == "reconstructed" else building


def labels(m: Match, buildings: list[str]) -> list[str]:
    """Professional Mode: return the names of buildings, marked where they are reconstructed."""
    return [label(m, building) for building in buildings]


# Buildings that come into play during the set-up


@step
def use_buildings(m: Match, when: str) -> None:
    """Professional Mode; FP-34: the player who faces the spaceship symbol comes first."""
    frames = []
    for seat in [m.table.ship, *m.others(m.table.ship)]:
        for name in m.table.players[seat].buildings:
            if m.components["buildings"][name].get("when") == when:
                frames += m.components.effect(m.game.steps, "buildings", name, who=seat)
    m.do(*frames)


@step
def laboratory(m: Match, who: str) -> None:
    """Professional Mode, Laboratory (reconstructed): a sixth boost tile is revealed."""
    tile = m.table.box.pop()
    m.table.tiles.append(tile)
    m.reveal("sixth tile", who=who, tile=tile)


@step
def observatorium(m: Match, who: str) -> None:
    """Professional Mode, Observatorium: the colour bonus card closest to the opponent is revealed; both now know it."""
    names = list(m.table.bonus)
    name = names[-1] if who == m.seats[0] else names[0]
    card = m.table.bonus[name]
    turn_up(m, [card])
    m.reveal("observes", who=who, bonus=name, card=card.front)


@step
def telescope(m: Match, who: str) -> None:
    """Professional Mode, Telescope (reconstructed): the own marker moves on one card, as by a blue symbol pair."""
    m.do(step.exploration(who=who))


@step
def greenhouse(m: Match, who: str) -> None:
    """Professional Mode, Greenhouse; FP-35: the first green specialist of the deck with one symbol counts as played."""
    passed, found = [], draw(m, 1)
    while found and not fits_greenhouse(m, found[0].front):
        passed += found
        found = draw(m, 1)
    turn_up(m, found)
    m.table.players[who].columns["green"] += found
    lay_deck(m, passed + m.table.top + m.table.deck)
    # The others lie in the deck again, so that their colours and backs are told and not which ones they were.
    others = [f"{printed(m, card.front)['colour']} {card.power}" for card in passed]
    m.reveal("greenhouse", who=who, cards=fronts(found), others=others, top=top_back(m))
    m.do(step.recount(who=who))


def fits_greenhouse(m: Match, code: str) -> bool:
    """Professional Mode, Greenhouse (these words are reconstructed): the card shows one green symbol."""
    card: dict[str, Any] = printed(m, code)
    return card["colour"] == "green" and card["symbols"] == 1
