"""Specialist Abilities, Science, and The Boost Tiles."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, no, one_of, order, step

from .abilities import DECK, PILE, empty_columns, filled, nothing, pick_up, take, take_drawn, take_from_pile
from .deck import draw, fronts, show, top_back
from .table import Boost

FIVE = 5
TORNILLO = "tech-tornillo"


@step
def science(m: Match, who: str) -> Any:
    """Specialist Abilities, Science; FP-13: any one open boost tile; which one is the player's choice."""
    if not m.table.tiles:
        nothing(m, who, "science")
        return None
    choices = [(name, on) for name in m.table.tiles for on in targets(m, who, name)]
    if len(choices) == 1 and not m.has("stored-vp", who):
        ((name, on),) = choices
        m.do(take_tile(who=who, tile=name, target=on))
        return None
    return m.ask(who, "tile", take_tile, store, tiles=m.table.tiles[:])


@order("tile {tile} [on {target}]", tile="tiles", target="targets")
def take_tile(m: Match, who: str, tile: str, target: str) -> None:
    """The Boost Tiles; FP-23: some are attached to a column, a colour bonus card, or another tile."""
    m.table.tiles.remove(tile)
    m.table.players[who].tiles[tile] = Boost(on=target)
    if target:
        m.tell("attaches tile", who=who, tile=tile, target=target)
    else:
        m.tell("takes tile", who=who, tile=tile)
    m.do(step.recount(who=who), *effect_of(m, who, tile))


@take_tile.offered
def may_take_tile(m: Match, who: str) -> Any:
    """Specialist Abilities, Science: the open tiles; each says what it may be attached to."""
    return {"tile": open_tiles(m, who), "target": lambda chosen: target_slot(m, who, chosen["tile"])}


def open_tiles(m: Match, who: str) -> Any:
    """Specialist Abilities, Science: the tiles that lie open; of the others, say where they are."""
    gone = {name: no("not in game", tile=name) for name in m.components["tiles"]}
    gone |= {name: no("tile gone", tile=name, owner=seat) for seat, p in m.table.players.items() for name in p.tiles}
    return one_of(m.table.tiles, refused=gone)


def target_slot(m: Match, who: str, tile: str) -> Any:
    """The Boost Tiles: what a tile may be attached to; most are attached to nothing."""
    names = targets(m, who, tile)
    refused = empty_columns(m, who) if m.components["tiles"][tile].get("target") == "column" else {}
    return one_of(names, refused=refused, default="") if names == [""] else one_of(names, refused=refused)


def targets(m: Match, who: str, tile: str) -> list[str]:
    """The Boost Tiles; FP-23, FP-24, FP-25: a column that is not empty, any colour bonus card, another own tile."""
    kind = m.components["tiles"][tile].get("target")
    if kind == "column":
        return filled(m, who)
    if kind == "bonus card":
        return list(m.table.bonus)
    own = [name for name, boost in m.table.players[who].tiles.items() if name != tile and not boost.stored]
    return own if kind == "tile" and own else [""]


def effect_of(m: Match, who: str, tile: str) -> list[Any]:
    """The Boost Tiles: return the frames of a tile's immediate effect."""
    if "effect" not in m.components["tiles"][tile]:
        return []
    return m.components.effect(m.game.steps, "tiles", tile, who=who, card=tile)


@order("store {tile}", tile="tiles")
def store(m: Match, who: str, tile: str) -> None:
    """Professional Mode, Tech-Tornillo: a tile is placed there instead of being used."""
    m.table.tiles.remove(tile)
    m.table.players[who].tiles[tile] = Boost(stored=True)
    m.tell("stores tile", who=who, tile=tile)
    m.do(step.recount(who=who))


@store.offered
def may_store(m: Match, who: str) -> Any:
    """Professional Mode, Tech-Tornillo: for its owner."""
    return {"tile": open_tiles(m, who)} if m.has("stored-vp", who) else no("no building", building=TORNILLO)


# The effects


@step
def search(m: Match, who: str) -> Any:
    """The Boost Tiles; FP-17: look through the discard pile and take one specialist."""
    pile = m.table.discards
    if not pile:
        nothing(m, who, "search")
        return None
    for card in pile:
        show(m, card, who)
    m.reveal("searches", to={who: {"cards": sorted(fronts(pile))}}, who=who, count=len(pile))
    m.do(choose_found(who=who))
    return None


@step
def choose_found(m: Match, who: str) -> Any:
    """The Boost Tiles: which specialist of the discard pile; a single one is taken without a question."""
    pile = m.table.discards
    if len(pile) > 1:
        return m.ask(who, "search", take.given(source=PILE), cards=sorted(fronts(pile)))
    take_from_pile(m, who, pile[0].front)
    return None


@step
def draw_five(m: Match, who: str) -> None:
    """The Boost Tiles; FP-20: look at the top five specialists of the deck, or at as many as there are."""
    drawn = draw(m, FIVE)
    if not drawn:
        nothing(m, who, "draw five")
        return
    pick_up(m, who, drawn)
    m.reveal("looks", to={who: {"cards": fronts(drawn)}}, who=who, powers=[c.power for c in drawn], top=top_back(m))
    m.do(choose_drawn(who=who))


@step
def choose_drawn(m: Match, who: str) -> Any:
    """The Boost Tiles; FP-20: which of the five is kept; a single one is kept without a question."""
    drawn = m.table.players[who].drawn
    if len(drawn) > 1:
        return m.ask(who, "drawn", take.given(source=DECK), cards=fronts(drawn))
    take_drawn(m, who, drawn[0].front)
    return None


@step
def copy(m: Match, who: str, card: str) -> None:
    """The Boost Tiles; FP-24: the copy does what another own tile does; without another one it does nothing, also later."""
    boost = m.table.players[who].tiles[card]
    if not boost.on:
        nothing(m, who, card)
        return
    boost.copies, boost.on = boost.on, ""
    m.do(choose_target(who=who, tile=boost.copies), *effect_of(m, who, boost.copies))


@step
def choose_target(m: Match, who: str, tile: str) -> Any:
    """The Boost Tiles; FP-24: a copied discount or bonus may be attached to another column or colour bonus card."""
    names = targets(m, who, tile)
    if len(names) > 1:
        return m.ask(who, "attach", attach.given(tile=tile), tile=tile)
    m.do(attach(who=who, tile=tile, target=names[0]))
    return None


@order("attach to {target}", target="targets")
def attach(m: Match, who: str, tile: str, target: str) -> None:
    """The Boost Tiles; FP-24: the copy is attached to what was chosen."""
    m.table.players[who].tiles["copy"].on = target
    if target:
        m.tell("attaches", who=who, tile=tile, target=target)
    m.do(step.recount(who=who))


@attach.offered
def may_attach(m: Match, who: str, tile: str) -> Any:
    """The Boost Tiles; FP-24: wherever the copied tile may be attached."""
    return {"target": target_slot(m, who, tile)}

