"""Setup."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, one_of, order, step

from .abilities import look_below_marker
from .buildings import CHOSEN, DEALT, draft, use_buildings
from .deck import colours, covered, lay_deck
from .rounds import play_round, prepare_planets
from .table import Planet, Player, Table

PLANETS = ("planet 1", "planet 2", "planet 3", "planet 4")
BONUS = ("C1", "C2", "C3", "C4")
SYMBOLS = ("ship", "card")
COINS = 6
PARTS = 4
OPEN_TILES = 5


def setup(m: Match) -> None:
    """Setup: in the professional mode the buildings come first; then the game is laid out."""
    m.table = Table(players={seat: Player() for seat in m.seats})
    m.table.buildings = m.shuffled(list(m.components["buildings"]))
    if m.options["campaign"]:
        m.do(step.begin_campaign(), new_game())
    elif m.options["professional"]:
        m.do(draft(dealt=DEALT, chosen=CHOSEN), new_game())
    else:
        m.do(new_game())


@step
def new_game(m: Match) -> None:
    """Setup: lay everything out, orient the start tile, and begin the first round."""
    m.table.game += 1
    m.do(
        lay_out_supply(),
        lay_out_cards(),
        prepare_planets(),
        lay_out_tiles(),
        orient(),
        use_buildings(when="set-up"),
        use_buildings(when="after the set-up"),
        play_round(),
    )


@step
def lay_out_supply(m: Match) -> None:
    """Setup 2; FP-38: four spaceship parts each, a general supply of coins, all buildings face up."""
    table = m.table
    table.coins, table.round, table.discards = COINS, 0, []
    table.planets = {name: Planet() for name in PLANETS}
    for seat in m.seats:
        parts = m.value("parts", PARTS, seat)
        columns = {colour: [] for colour in colours(m.components)}
        table.players[seat] = Player(parts=parts, dock=parts, columns=columns, buildings=table.players[seat].buildings)


@step
def lay_out_cards(m: Match) -> None:
    """Setup 3, 4: four specialists are the colour bonus, each player looks at the closest, the rest is the deck."""
    cards = m.shuffled([covered(m, code) for code in m.components["specialists"]])
    m.table.bonus = dict(zip(BONUS, cards, strict=False))
    lay_deck(m, cards[len(BONUS) :])
    for seat in m.seats:
        look_below_marker(m, seat)


@step
def lay_out_tiles(m: Match) -> None:
    """Setup 5: five of the ten boost tiles lie face up; in a first game those five that score."""
    tiles = m.components["tiles"]
    first = [name for name, tile in tiles.items() if tile.get("first", False) and is_first_game(m)]
    order = first + m.shuffled([name for name in tiles if name not in first])
    m.table.tiles, m.table.box = order[:OPEN_TILES], order[OPEN_TILES:]
    m.reveal("tiles", tiles=m.table.tiles[:])


def is_first_game(m: Match) -> bool:
    """Setup 5: return whether the five tiles shown in the manual are used; later games of a campaign have random ones."""
    return bool(m.options["first-game"]) and m.table.game == 1


# The start tile


@step
def orient(m: Match) -> Any:
    """Setup 6, Mini-Campaign: the start tile lies at random, or whoever is behind in a campaign decides."""
    if m.table.chooser:
        return m.ask(m.table.chooser, "start tile", face)
    named = m.options["first"]
    m.do(point(who=named if named in m.seats and m.table.game == 1 else m.shuffled(m.seats)[0]))
    return None


@order("face {symbol}", symbol="symbols")
def face(m: Match, who: str, symbol: str) -> None:
    """Mini-Campaign: the spaceship symbol dispatches first, the card symbol plays specialists first."""
    m.do(point(who=who if symbol == SYMBOLS[0] else m.others(who)[0]))


@face.offered
def may_face(m: Match, who: str) -> Any:
    """Mini-Campaign: one of the two symbols."""
    return {"symbol": one_of(SYMBOLS)}


@step
def point(m: Match, who: str) -> None:
    """Setup 6: one player faces the spaceship symbol, the other the card symbol."""
    m.table.ship, m.table.chooser = who, ""
    m.tell("start tile", who=who, cards=m.others(who)[0])
