"""Variants; Extension: Mostly Harmless: what a match may be played with, freely combined, and what does not go together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from referee.kit import Option

EXTENSION = "mostly-harmless"
PLAYERS = 2
"""Variants, Two Player Game."""
FEE_STEP, MOST_FEE = 25, 150
"""Variants, Docking fee: increments of 25 up to 150; 0 is no fee."""

OPTIONS: dict[str, Option] = {
    EXTENSION: Option(
        False,
        "extension: the captains, ships and cards of Mostly Harmless are in play, its reprints replace base cards"
        " (rules from the rulebook, most cards reconstructed)",
    ),
    "rounds": Option(60, "house rule: so many rounds end the game, and whoever stands best wins", (1, 200)),
    "secret-agreements": Option(False, "house rule: what two players agree on is known to the two alone"),
    "quick-start": Option(
        False, "variant of the rulebook: captain and Spaceship are assigned by chance, and nobody begins with an Improvement"
    ),
    "two-ships": Option(
        False,
        "variant of the rulebook for two players: one captain with two Spaceships each, a common turn and one Battle deck"
        " (1000 money for each ship is a house rule)",
    ),
    "buying-ships": Option(
        False,
        "variant of the rulebook: whoever begins a turn docked at a Space Station may trade the Spaceship in for another one"
        " (full dials are a house rule)",
    ),
    "hazardous-space": Option(
        False,
        "variant of the rulebook: moves to known hexes draw Hyperspace cards too, without damage, loss of Improvements and"
        " Aliens (a card may make them fail: house rule)",
    ),
    "powerful-alliance": Option(
        False, "variant of the rulebook: where a card brings an Alliance ship, it is a random card of the Alliance deck"
    ),
    "thematic-docking": Option(
        False,
        "variant of the rulebook: its table says how many Docking cards are drawn, not the mats (which are reconstructed)",
    ),
    "guarded-stations": Option(
        False,
        "variant of the rulebook: an Alliance Cruiser or a Pirate is fought before docking at a Space Station of the League"
        " or the Renegades (after an undecided battle a ship docks: house rule)",
    ),
    "alternative-ending": Option(
        False,
        "variant of the rulebook: a battle goes on with new Battle decks until somebody escapes, is destroyed, or all make"
        " a truce (after 20 rounds it ends as usual: house rule)",
    ),
    "deadlier-battles": Option(
        False,
        "variant of the rulebook: Battle decks begin with 3 Attack cards, 1 Defense card and 1 Support card and not with"
        " the symbols of the captain",
    ),
    "support-bonus": Option(
        False,
        "variant of the rulebook: a revealed Support card may be put off for 1 more on an Attack or Defense card"
        " (one that is named beforehand: house rule)",
    ),
    "docking-fee": Option(
        0,
        "variant of the rulebook: what each further turn docked at the same place costs after the first one; usual is 75,"
        " 0 is nothing (paid at the start of the own turn: house rule)",
        (0, MOST_FEE, FEE_STEP),
    ),
}


def conflicts(seats: Sequence[str], options: Mapping[str, Any]) -> list[str]:
    """Variants: say which options do not go together, or not with the number of players.

    Example:
        >>> conflicts(["alice", "bob"], {name: option.default for name, option in OPTIONS.items()})
        []
        >>> conflicts(["alice", "bob", "carol"], {"two-ships": True})
        ["The option 'two-ships' is for 2 players, and 3 seats are named."]
    """
    if options["two-ships"] and len(seats) != PLAYERS:
        return [f"The option 'two-ships' is for {PLAYERS} players, and {len(seats)} seats are named."]
    return []
