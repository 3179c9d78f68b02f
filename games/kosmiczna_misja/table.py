"""What lies on the table, and who may see it (rulebook: Components, Setup)."""

from referee.kit import Record, open_, owned, part, pile


class Square(Record):
    """A planet square: its two inner edges (1 for a half-station, 0 for plain), whole stations, aliens."""

    kind: str = open_()
    ccw: int = open_()
    cw: int = open_()
    stations: int = open_()
    aliens: int = open_()


class Planet(Record):
    """A planet: its squares in clockwise order, the quarter in which the first lies, and what counts on it."""

    squares: list[Square] = part([])
    quarter: int = open_(0)
    stations: int = open_(0)
    aliens: int = open_(0)


class Player(Record):
    """What lies in front of one player (Taking a Planet Square from the Space Row)."""

    planets: dict[str, Planet] = part({})


class Turn(Record):
    """Whose turn it is, and what the die shows; 0 in the first round (Game Turn)."""

    who: str = open_("")
    number: int = open_(0)
    die: int = open_(0)


class Table(Record):
    """Space row, supply, box, and all players."""

    players: dict[str, Player] = owned()
    row: dict[str, Square] = part({})
    supply: list[str] = pile(pool="squares")
    box: list[Square] = part([])
    turn: Turn = part()
    youngest: str = open_("")
    begun: list[str] = open_([])
    passes: int = open_(0)
    resigned: list[str] = open_([])
    ended: str = open_("")
