"""Laying out Lantern Reef, and what must always hold on its table."""

from collections import Counter

from referee.kit import Match

from .rounds import play_round
from .table import Boat, Chest, Reef

BOATS = ("gull", "tern", "auk", "petrel")
TRAPS = {"shallow": ("none", "eel"), "deep": ("eel", "kraken", "none")}
HAND = 3


def setup(m: Match) -> None:
    """0. Sink the chests, deal flags and cards, and begin the first round."""
    m.table = Reef(helm=m.seats[-1])
    m.table.deep = m.shuffled(list(m.components["finds"]))
    m.table.deck = m.shuffled(all_cards(m))
    m.table.flags = m.shuffled(sorted({find["kind"] for find in m.components["finds"].values()}))
    for size in TRAPS:
        _sink(m, size)
    for boat, captain in zip(BOATS, m.seats, strict=False):
        cards = [m.table.deck.pop() for _ in range(HAND)]
        m.table.boats[boat] = Boat(captain=captain, cards=cards, flag=m.table.flags.pop())
    m.do(play_round())


def _sink(m: Match, size: str) -> None:
    traps = m.shuffled(TRAPS[size])
    for name, chest in m.components["chests"].items():
        if chest["size"] == size:
            m.table.chests[name] = Chest(size=size, inside=m.table.deep.pop(), trap=traps.pop())


def all_cards(m: Match) -> list[str]:
    """Return every card of the game, each as often as it is there."""
    return [card for card, data in m.components["cards"].items() for _ in range(data["copies"])]


def check(m: Match) -> None:
    """Assert that no card and no find is lost or doubled, and that nobody owes lanterns or gold."""
    boats = m.table.boats.values()
    cards = [*m.table.deck, *m.table.discard, *(card for boat in boats for card in [*boat.cards, *boat.crew])]
    assert Counter(cards) == Counter(all_cards(m)), "the cards are not those of the box"
    chests = [chest.inside for chest in m.table.chests.values()]
    finds = [*m.table.deep, *m.table.sold, *chests, *(find for boat in boats for find in boat.hold)]
    assert Counter(finds) == Counter(list(m.components["finds"])), "the finds are not those of the box"
    assert all(boat.lanterns >= 0 and boat.gold >= 0 for boat in boats), "a captain owes something"
