"""What the component data must be like, and what may never go wrong on the table (rulebook: Components)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from referee.kit import FRAMES, Components, Match, Sheet

from .abilities import MOST_PARTS, MOST_STEPS
from .deck import colours, everybody, is_public
from .recruit import SIDES
from .rounds import ROUNDS
from .scoring import COUNTED, open_points
from .setup import BONUS, COINS, OPEN_TILES, PLANETS, SYMBOLS
from .table import Card, Player

OF_A_COLOUR = 10
COSTS, SYMBOLS_ON_A_CARD = (0, 1, 2), (1, 2)
TILES, BUILDINGS = 10, 15
TARGETS = ("column", "bonus card", "tile")
WHEN = ("set-up", "after the set-up")

SHEETS = {
    "colours": Sheet(needs={"animal": str, "effect": FRAMES}, shown=True),
    "specialists": Sheet(needs={"colour": str, "cost": int, "power": int, "symbols": int, "vp": int}, shown=True),
    "tiles": Sheet(may={"vp": int, "per": str, "target": str, "discount": int, "first": bool, "effect": FRAMES}, needs={}),
    "buildings": Sheet(
        needs={"theme": str},
        may={
            **dict.fromkeys(("side", "parts", "ramp", "bank", "keep", "exchange", "vault"), int),
            **dict.fromkeys(("face-down-vp", "stored-vp", "tile-vp", "step-vp"), int),
            **{"once": bool, "when": str, "effect": FRAMES},
        },
    ),
}


def names(components: Components) -> Mapping[str, Sequence[str]]:
    """Return the lists of words that players use."""
    return {
        "planets": PLANETS,
        "sides": SIDES,
        "symbols": SYMBOLS,
        "colours": colours(components),
        "bonus cards": BONUS,
        "specialists": list(components["specialists"]),
        "tiles": list(components["tiles"]),
        "targets": [*colours(components), *BONUS, *components["tiles"]],
        "buildings": list(components["buildings"]),
    }


# The data


def check_data(components: Components) -> None:
    """Components: check what the rulebook says of the cards and tiles, whatever is printed on them.

    Raises:
        ValueError: the data contradicts it; the text says where.
    """
    for code, card in components["specialists"].items():
        _check_specialist(components, code, card)
    counts = Counter(card["colour"] for card in components["specialists"].values())
    for colour in colours(components):
        count = counts[colour]
        expect(count == OF_A_COLOUR, f"there are {OF_A_COLOUR} specialists of a colour, and {count} are {colour}")
    for sheet, count in (("tiles", TILES), ("buildings", BUILDINGS)):
        expect(len(components[sheet]) == count, f"there are {count} {sheet}, and the data has {len(components[sheet])}")
    for name, tile in components["tiles"].items():
        expect(("vp" in tile) == (tile.get("per") in COUNTED), f"the tile {name!r} scores VP per {', '.join(COUNTED)}")
        expect(tile.get("target", "tile") in TARGETS, f"the tile {name!r} is attached to {', '.join(TARGETS)}")
    first = [name for name, tile in components["tiles"].items() if tile.get("first", False)]
    expect(len(first) == OPEN_TILES, f"a first game has {OPEN_TILES} tiles, and the data marks {len(first)}")
    for name, building in components["buildings"].items():
        expect(building["theme"] in components["colours"], f"the theme of {name!r} should be a colour")
        expect(("when" in building) == ("effect" in building), f"{name!r}: an effect says when it comes into play")
        expect(building.get("when", WHEN[0]) in WHEN, f"{name!r} comes into play at {' or '.join(WHEN)}")


def expect(holds: bool, sentence: str) -> None:
    """Raise ValueError with the sentence unless something holds."""
    if not holds:
        raise ValueError(sentence)


def _check_specialist(components: Components, code: str, card: Mapping[str, Any]) -> None:
    """Costs and Buying Power: the power is one more than the cost; cards without a cost have no VP."""
    expect(card["colour"] in components["colours"], f"{code} has no colour of the game")
    expect(card["cost"] in COSTS, f"{code}: a cost is one of {COSTS}")
    expect(card["power"] == card["cost"] + 1, f"{code}: the buying power is always 1 higher than the cost")
    expect(card["symbols"] in SYMBOLS_ON_A_CARD, f"{code} should show one symbol or two")
    expect(card["vp"] >= 0, f"{code}: victory points are not negative")


# The table


def check(m: Match) -> None:
    """Assert that no card, tile, coin or building is lost or doubled, and that no number leaves its bounds."""
    table = m.table
    _check_buildings(m)
    if not table.planets:
        return
    cards = [*table.deck, *table.top, *table.discards, *table.bonus.values()]
    cards += [card for planet in table.planets.values() for card in planet.cards]
    for seat, player in table.players.items():
        cards += [*player.hand, *player.drawn, *(card for column in player.columns.values() for card in column)]
        _check_player(player)
        # Between the games of a campaign there are new buildings beside the old table.
        assert table.game == len(table.games) or player.points == open_points(m, seat), "victory points in the open"
    codes = sorted(card.front for card in cards)
    assert codes == sorted(m.components["specialists"]), "specialists were lost or doubled"
    for card in cards:
        _check_card(m, card)
    assert bool(table.top) or not table.deck, "the top of the deck is covered"
    assert table.coins + sum(player.coins for player in table.players.values()) == COINS, "coins were lost or doubled"
    owned = [tile for player in table.players.values() for tile in player.tiles]
    assert not table.tiles or sorted([*table.tiles, *table.box, *owned]) == sorted(m.components["tiles"]), "boost tiles"
    assert 0 <= table.round <= ROUNDS, "rounds"
    _check_planets(m)


def _check_card(m: Match, card: Card) -> None:
    assert card.power == m.components["specialists"][card.front]["power"], "a back that is not the back of its front"
    assert card.known == [reader for reader in everybody(m) if reader in card.known], "who has seen a card"


def _check_player(player: Player) -> None:
    assert 0 <= player.spent <= player.coins, "coins used twice"
    assert 0 <= player.dock <= player.parts <= MOST_PARTS, "spaceship parts"
    assert 0 <= player.marker <= MOST_STEPS, "the exploration marker"
    assert player.credit >= 0, "a specialist that was not paid for"
    assert set(player.used) <= set(player.buildings), "a building that is not owned was used"
    for column in player.columns.values():
        assert not column or is_public(column[0]), "a face-down specialist began a column"


def _check_planets(m: Match) -> None:
    for name, planet in m.table.planets.items():
        seats = [ship.who for ship in planet.ships]
        assert len(set(seats)) == len(seats), f"two ships of one player at {name}"
        assert len(planet.cards) <= len(SIDES), f"too many specialists at {name}"


def _check_buildings(m: Match) -> None:
    table = m.table
    owned = [name for player in table.players.values() for name in [*player.buildings, *player.dealt]]
    assert sorted([*table.buildings, *table.returned, *owned]) == sorted(m.components["buildings"]), "buildings"
