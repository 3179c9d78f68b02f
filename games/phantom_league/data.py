"""What the component data must be like (rulebook: Box contents; Cards; System Half-hex tiles)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from referee.kit import FRAMES, SEATS, Components, Match, No, Sheet

from .battle_deck import battle_names, check_cards
from .galaxy import COLOURS, DIRECTIONS, FEATURES, SPOTS
from .mats import GOODS
from .mission_data import check_missions
from .options import EXTENSION

FACTIONS = ("league", "neutral", "renegade")
PATHS = ("fame", "notoriety")
COUNTS = {
    "captains": (9, 3),
    "ships": (9, 1),
    "missions": (30, 5),
    "aliens": (11, 1),
    "raiders": (10, 3),
    "improvements": (40, 15),
    "hyperspace": (19, 6),
    "docking": (20, 13),
}
"""How many cards of each sheet belong to the base game and to the extension (reprints left out)."""
MOST_TURNS = 250
"""The highest number of a turn, and of a proposal, that a line names."""
MOST = 30
"""The highest number that a line names in words: more tokens of one kind than that there are never on board."""

MAT = ("neutral", "fame-4", "fame-6", "notoriety-4", "notoriety-6")
"""The columns of a mat: neutral captains, then both paths from level 4 and from level 6."""

WEAPONS = {f"{weapon}-{kind}": int for weapon in ("projectile", "energy") for kind in ("attack", "defense")}
NUMBERS = {**WEAPONS, **dict.fromkeys(("speed", "support", "escape", "slots", "cargo", "fuel", "structure"), int)}
POWERS = dict.fromkeys(
    (
        "amount", "attacker-cards", "burns", "claim-money", "diplomacy", "discount", "docking-sensors", "drones",
        "eats", "feared", "harvest", "hidden", "hyperspace-cards", "jack", "jump-cost", "mining", "move-fuel",
        "navigation", "one-hyperspace-card", "plunder", "ram", "repair-discount", "runs-on", "salvage-fuel",
        "salvage-ore", "scoop", "self-repair", "skin", "stabiliser", "station-cards", "straight", "stunt", "swaps",
        "tow-fuel", "tractor", "unnoticed", "veteran",
    ),
    int,
)  # fmt: skip
_RAIDER = {
    **WEAPONS,
    **dict.fromkeys(("speed", "structure", "fuel", "escape"), int),
    **dict.fromkeys(("attack-cards", "defense-cards", "support-cards", "bounty", "recognition"), int),
}
_PRINT = {"text": str, "reprint": bool}
"""What a card says, and whether the extension holds a corrected print of it, which replaces it (Reprinted cards)."""
_SIDE = {
    **dict.fromkeys(("projectile", "energy", "escape", "fuel", "most-guards"), int),
    **dict.fromkeys(("weapon", "applies", "must-hit", "unguarded", "set", "side", "guards", "at", "symbol"), str),
    "needs": list,
    "reprint": bool,
    "effect": FRAMES,
}

SHEETS = {
    "numbers": Sheet(needs={"value": int}, shown=True),
    "tokens": Sheet(needs={"count": int}, shown=True),
    "mat": Sheet(needs=dict.fromkeys(MAT, int), shown=True),
    "thematic": Sheet(needs=dict.fromkeys(MAT, int), shown=True),
    "systems": Sheet(
        needs={"name": str, "code": str, "half": str, "faction": str},
        may={"body": str, "asteroids": bool, "giant": bool, "nest": bool},
        shown=True,
    ),
    "trade": Sheet(needs={"buy": dict, "sell": dict}, may={"barter": dict}, shown=True),
    "captains": Sheet(needs={"name": str, "set": str}, may={**NUMBERS, **POWERS, **_PRINT}, shown=True),
    "ships": Sheet(needs={"name": str, "set": str, "price": int}, may={**NUMBERS, **POWERS, **_PRINT}, shown=True),
    "improvements": Sheet(
        needs={"name": str, "set": str, "category": str, "price": int},
        may={**NUMBERS, **POWERS, "text": str, "disposable": bool, "produces": str},
        shown=True,
    ),
    "missions": Sheet(
        needs={"name": str, "set": str, "text": str, "needs": list, "effect": FRAMES},
        may={"given": dict, "reprint": bool},
        shown=True,
    ),
    "hyperspace": Sheet(needs={"name": str, "set": str, "effect": FRAMES}, may={"fails": bool}, shown=True),
    "docking": Sheet(
        needs={"name": str, "set": str},
        may=dict.fromkeys(FACTIONS, FRAMES),
        frames=FACTIONS,
        shown=True,
    ),
    "aliens": Sheet(
        needs={"name": str, "effect": FRAMES}, may={**_RAIDER, "mirror": bool, "aboard": bool, "set": str}, shown=True
    ),
    "raiders": Sheet(needs={"name": str, "deck": str, **_RAIDER}, may={"set": str}, shown=True),
    "battle": Sheet(needs={"kind": str, "codes": list}, may=_SIDE, shown=True),
    "sides": Sheet(needs={"kind": str, "of": str}, may=_SIDE, shown=True),
}

DATA = (
    "numbers.toml", "systems.toml", "trade.toml", "captains.toml", "ships.toml", "improvements.toml", "missions.toml",
    "hyperspace.toml", "docking.toml", "aliens.toml", "raiders.toml", "battle.toml",
)  # fmt: skip


# Words


def names(components: Components) -> Mapping[str, Sequence[str]]:
    """Return the lists of words that players use: codes of cards, and their names."""
    return {
        "places": list(components["systems"]),
        "hexes": [*DIRECTIONS, *SPOTS, *components["systems"]],
        "halves": [*components["systems"], *COLOURS, *FEATURES],
        "commodities": GOODS,
        "paths": PATHS,
        "seats": [SEATS],
        "turns": [str(number) for number in range(1, MOST_TURNS + 1)],
        "amounts": [str(number) for number in range(MOST + 1)],
        "captains": with_names(components, "captains"),
        "spaceships": with_names(components, "ships"),
        "improvements": with_names(components, "improvements"),
        "places of hits": ["hull", *with_names(components, "improvements"), *with_names(components, "ships")],
        "missions": with_names(components, "missions"),
        "hyperspace cards": with_names(components, "hyperspace"),
        "docking cards": with_names(components, "docking"),
        "aliens": with_names(components, "aliens"),
        **battle_names(components),
    }


@lru_cache(maxsize=1024)
def spelt(name: str) -> str:
    """Return the name of a card as players type it: without quotation marks.

    Example:
        >>> spelt('HLD-454 "Jack"'), spelt("Sellers' Market")
        ('hld-454 jack', 'sellers market')
    """
    return "".join(letter for letter in name.lower() if letter.isalnum() or letter in " -").strip()


def with_names(components: Components, sheet: str) -> list[str]:
    """Return the codes of all cards of a sheet and the names that they go by."""
    rows = components[sheet]
    return [*rows, *dict.fromkeys(spelt(row["name"]) for row in rows.values())]


def called(m: Match, sheet: str, codes: Iterable[str]) -> dict[str, str]:
    """Return for each name of some cards the first card of that name: what a name typed in place of a code means."""
    found: dict[str, str] = {}
    for code in codes:
        found.setdefault(spelt(m.components[sheet][code]["name"]), code)
    return found


def refusing(m: Match, sheet: str, refused: Mapping[str, No]) -> dict[str, No]:
    """Return reasons why cards cannot be chosen by their names too."""
    return {**{spelt(m.components[sheet][code]["name"]): why for code, why in refused.items()}, **refused}


def in_play(m: Match, sheet: str) -> list[str]:
    """Box contents: return the cards of a sheet that are used in this match, with the extension or without it."""
    rows = m.components[sheet]
    return [code for code, row in rows.items() if row.get("set", "base") != EXTENSION or m.options.get(EXTENSION, False)]


# The data


def check_data(components: Components) -> None:
    """Box contents; Board: check what the rulebook says of the components, whatever is printed on them.

    Raises:
        ValueError: the data contradicts it; the text says where.
    """
    _check_systems(components["systems"])
    _check_trade(components)
    _check_numbers(components)
    _check_counts(components)
    check_cards(components)
    check_missions(components)


def expect(holds: bool, sentence: str) -> None:
    """Raise ValueError with the sentence unless something holds."""
    if not holds:
        raise ValueError(sentence)


def _check_systems(systems: Mapping[str, Mapping[str, Any]]) -> None:
    halves = Counter(row["half"] for row in systems.values())
    expect(halves == {"red": 18, "orange": 18, "whole": 1}, "there are 18 red and 18 orange Systems, and Central")
    for place, row in systems.items():
        expect(row["faction"] in FACTIONS, f"{place}: the faction should be one of {', '.join(FACTIONS)}")
        expect(row.get("body", "planet") in ("planet", "station"), f"{place}: the body is a planet or a station")
        expect("body" in row or not row.get("nest"), f"{place}: Pirates nest on planets")
    expect(systems.get("central", {}).get("body") == "planet", "Central is a planet")


def _check_trade(components: Components) -> None:
    for place, row in components["trade"].items():
        expect("body" in components["systems"].get(place, {}), f"trade: {place!r} is no planet and no station")
        for goods in [*row["buy"], *row["sell"]]:
            expect(goods in GOODS, f"trade: {place} trades {goods!r}, which is no commodity")
        expect(not row["buy"].keys() & row["sell"].keys(), f"trade: {place} buys and sells the same commodity")


def _check_numbers(components: Components) -> None:
    """Captains, Spaceships and Improvements: prices differ, so that the order of buying Improvements is never tied."""
    prices = Counter(row["price"] for row in components["ships"].values())
    expect(max(prices.values()) == 1, "all Spaceships need different prices")


def _check_counts(components: Components) -> None:
    """Box contents; Extension: so many cards of each set are in the base game, and so many more in the extension."""
    for sheet, (base, more) in COUNTS.items():
        sets = Counter(row.get("set", "base") for row in components[sheet].values())
        expect(sets == {"base": base, EXTENSION: more}, f"{sheet}: there are {base} cards of the base game and {more} more")
