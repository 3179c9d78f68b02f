"""What lies on the table, and who may see it (rulebook: Components, Preparation)."""

from referee.kit import Record, blind, hand, open_, owned, part, pile


class Goods(Record):
    """A goods card: the side that shows, and the side that nobody may look at (Load one "Container")."""

    to: str = open_()
    mg: int = open_()
    back: str = blind(pool="goods backs", like=("to", "mg"))


class Captain(Record):
    """What one player has before them (Preparation)."""

    place: str = open_("")
    mg: int = open_(0)
    technologies: list[str] = open_([])
    holds: dict[str, list[Goods]] = part({})
    hand: list[str] = hand(pool="own set")
    pile: list[str] = pile(pool="own set")
    discards: list[str] = open_([])


class Turn(Record):
    """What the player on turn has done so far; `flights` is what is left of it (A Player's Turn)."""

    who: str = open_("")
    number: int = open_(0)
    price: int = open_(0)
    actions: int = open_(0)
    orbit_actions: int = open_(0)
    interventions: int = open_(0)
    flights: int = open_(1)
    flying: bool = open_(False)
    energy: int = open_(0)
    started: bool = open_(False)
    jumped: list[str] = open_([])


class Table(Record):
    """Sun, planets, goods and both captains."""

    captains: dict[str, Captain] = owned()
    planets: dict[str, list[Goods]] = part({})
    removed: int = open_(0)
    turn: Turn = part()
    quiet_turns: int = open_(0)
    younger: str = open_("")
    ended: str = open_("")
    resigned: str = open_("")
