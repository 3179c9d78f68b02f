"""What the component data must be like, and what may never go wrong on the table (rulebook: Components)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from referee.kit import FRAMES, Components, Match, Sheet

from .ending import STAR
from .flight import DIRECTIONS
from .interventions import INTERVENTIONS
from .places import chart
from .setup import START, card_set
from .table import Captain
from .turn import ACTIONS, HAND

SET, GOODS, PLANETS = 30, 30, 6
KINDS = ("start", "technology", "intervention")

SHEETS = {
    "planets": Sheet(needs={"place": int, "title": str, "commodity": str}),
    "goods": Sheet(needs={"sides": list}),
    "cards": Sheet(
        needs={"kind": str, "copies": int},
        may={
            "holds": int,
            "draw": int,
            "energy": int,
            "orbit-actions": int,
            "jump": str,
            "to": str,
            "neutralizable": bool,
            "effect": FRAMES,
        },
    ),
}


def names(components: Components) -> Mapping[str, Sequence[str]]:
    """Return the lists of words that players use."""
    found, cards = components.recall(chart), components["cards"]
    holds = sum(card.get("holds", 0) * card["copies"] for card in cards.values())
    sides = [side for goods in components["goods"].values() for side in goods["sides"]]
    return {
        "planets": found.planets,
        "places": list(found.ways),
        "cards": list(cards),
        "holds": [f"hold {number}" for number in range(1, holds + 1)],
        "directions": DIRECTIONS,
        "values": sorted({side.rpartition(" ")[2] for side in sides}),
    }


# The data


def check_data(components: Components) -> None:
    """Components: check what the rulebook says of the cards and the board, whatever is printed on them.

    Raises:
        ValueError: the data contradicts it; the text says where.
    """
    places = [planet["place"] for planet in components["planets"].values()]
    expect(sorted(places) == list(range(1, PLANETS + 1)), f"the planets need the places 1 to {PLANETS}, each once")
    for name, card in components["cards"].items():
        _check_card(components, name, card)
    _check_set(components)
    for name, goods in components["goods"].items():
        _check_goods(components, name, goods["sides"])
    count = len(components["goods"])
    expect(count == GOODS, f"there are {GOODS} goods cards, and the data has {count}")
    _check_twins(components)


def expect(holds: bool, sentence: str) -> None:
    """Raise ValueError with the sentence unless something holds."""
    if not holds:
        raise ValueError(sentence)


def _check_card(components: Components, name: str, card: dict[str, object]) -> None:
    expect(card["kind"] in KINDS, f"the kind of {name!r} should be one of {', '.join(KINDS)}")
    plays = card["kind"] == "intervention"
    expect(plays == ("effect" in card) == ("neutralizable" in card), f"{name!r}: interventions alone have effects")
    effects = card.get("effect", [])
    assert isinstance(effects, list)
    delivers = any(frame["do"] == "deliver" for frame in effects)
    expect(delivers == ("to" in card), f"{name!r}: a passenger, and nothing else, says where to")
    expect(card.get("to", next(iter(components["planets"]))) in components["planets"], f"{name!r} goes to no planet")
    expect(card.get("jump", "inward") in DIRECTIONS, f"{name!r} jumps {' or '.join(DIRECTIONS)}")


def _check_set(components: Components) -> None:
    count = len(components.recall(card_set))
    expect(count == SET, f"a set has {SET} cards, and the data has {count}")
    starts = [name for name, card in components["cards"].items() if card["kind"] == "start"]
    expect(starts == [START] and components["cards"][START]["copies"] == 1, f"the one start card is called {START!r}")
    expect(all(card["copies"] > 0 for card in components["cards"].values()), "every card has at least one copy")


def destination(side: object) -> str:
    """Return the planet that a side of a goods card names.

    Example:
        >>> destination("green 3")
        'green'
    """
    return str(side).rpartition(" ")[0]


def _check_goods(components: Components, name: str, sides: list[str]) -> None:
    """Preparation, Unload one "Container": two sides, two destinations, 2 or 3 Megagalax."""
    expect(len(sides) == len({destination(side) for side in sides}) == 2, f"{name} needs two different sides")
    for side in sides:
        to, _, mg = str(side).rpartition(" ")
        expect(to in components["planets"] and mg in ("2", "3"), f"{name}: {side!r} should be a planet and 2 or 3")


def _check_twins(components: Components) -> None:
    """End of Game: goods leave two by two, so the last two can only go if no card is left without a partner."""
    pairs = Counter(" and ".join(sorted(map(destination, goods["sides"]))) for goods in components["goods"].values())
    odd = [pair for pair, count in pairs.items() if count % 2]
    expect(not odd, f"goods cards between {', '.join(odd)}: an odd number, so that they can never all leave in pairs")


# The table


def check(m: Match) -> None:
    """Assert that no card and no goods are lost, and that no number leaves its bounds."""
    if not m.table.planets:
        return
    for captain in m.table.captains.values():
        _check_captain(m, captain)
    _check_all_goods(m)
    turn = m.table.turn
    assert 0 <= turn.orbit_actions <= turn.actions + INTERVENTIONS, "actions from orbit"
    assert turn.actions <= ACTIONS, "too many planetary actions"
    assert turn.interventions <= INTERVENTIONS, "too many interventions"
    assert turn.flights in (0, 1), "flights"
    assert turn.flying == (turn.energy > 0), "a flight without energy, or energy without a flight"


def _check_captain(m: Match, captain: Captain) -> None:
    held = captain.technologies + captain.hand + captain.pile + captain.discards
    assert sorted(held) == sorted(m.components.recall(card_set)), "cards of a set were lost or doubled"
    assert len(captain.hand) <= HAND, "more cards in hand than allowed"
    assert 0 <= captain.mg <= STAR, "Megagalax off the track"
    holds = sum(m.components["cards"][t].get("holds", 0) for t in captain.technologies)
    assert len(captain.holds) == holds, "containers"


def _check_all_goods(m: Match) -> None:
    lying = [g for goods in m.table.planets.values() for g in goods]
    lying += [g for captain in m.table.captains.values() for load in captain.holds.values() for g in load]
    cards = Counter(" / ".join(sorted(printed["sides"])) for printed in m.components["goods"].values())
    now = Counter(" / ".join(sorted((f"{g.to} {g.mg}", g.back))) for g in lying)
    assert not now - cards, "goods cards that do not exist"
    assert len(lying) + m.table.removed == len(m.components["goods"]), "goods cards were lost or doubled"
    arrived = [g for planet, goods in m.table.planets.items() for g in goods if g.to == planet]
    assert not arrived, "goods wait at the planet that they should go to"
