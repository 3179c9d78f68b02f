"""What lies on the table, and who may see it (rulebook: Components, Setup, Costs and Buying Power)."""

from referee.kit import Record, blind, hand, known_to, open_, owned, part, pile


class Card(Record):
    """A specialist. Its back shows the buying power to everybody; `known` lists who has seen the front where it lies.

    A specialist that lies face up is known to every seat and to the observer.
    """

    power: int = open_()
    known: list[str] = open_([])
    front: str = known_to("known", pool="specialists", like=["power"])


class Ship(Record):
    """A spaceship at a planet: its parts, and one more if it left from the starting ramp (Dispatch Spaceships)."""

    who: str = open_()
    size: int = open_()
    ramp: int = open_(0)


class Planet(Record):
    """A planet of the board: the specialists below it, left and right, and the ships in the order of their arrival."""

    cards: list[Card] = part([])
    ships: list[Ship] = part([])


class Boost(Record):
    """A boost tile that somebody owns: what it is attached to, what it copies, whether it lies on the Tech-Tornillo."""

    on: str = open_("")
    copies: str = open_("")
    stored: bool = open_(False)


class Player(Record):
    """What one player has (Setup; Professional Mode)."""

    dealt: list[str] = hand(pool="buildings")
    hand: list[Card] = part([])
    drawn: list[Card] = part([])
    columns: dict[str, list[Card]] = part({})
    parts: int = open_(0)
    dock: int = open_(0)
    coins: int = open_(0)
    spent: int = open_(0)
    credit: int = open_(0)
    points: int = open_(0)
    exchanged: bool = open_(False)
    marker: int = open_(0)
    tiles: dict[str, Boost] = part({})
    buildings: list[str] = open_([])
    used: list[str] = open_([])


class Table(Record):
    """The board, the general supply and both players. `top` is the one card of the deck whose back shows."""

    players: dict[str, Player] = owned()
    planets: dict[str, Planet] = part({})
    deck: list[Card] = pile(pool="order of the deck")
    top: list[Card] = part([])
    discards: list[Card] = part([])
    bonus: dict[str, Card] = part({})
    coins: int = open_(0)
    tiles: list[str] = open_([])
    box: list[str] = pile(pool="tiles")
    game: int = open_(0)
    round: int = open_(0)
    ship: str = open_("")
    side: str = open_("left")
    phase: str = open_("")
    playing: str = open_("")
    chooser: str = open_("")
    buildings: list[str] = blind(pool="buildings", default=[])
    returned: list[str] = blind(pool="buildings", default=[])
    games: list[dict[str, dict[str, int]]] = open_([])
