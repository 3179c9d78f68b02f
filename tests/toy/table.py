"""What lies on the table of Lantern Reef, and who may see it."""

from typing import cast

from referee.kit import Match, Record, blind, hand, known_to, open_, owned, part, pile, secret


class Chest(Record):
    """A closed chest on the reef. Its size is plain; who peeked knows the find; nobody knows the trap."""

    size: str = open_()
    seen_by: list[str] = open_([])
    inside: str = known_to("seen_by", pool="finds")
    trap: str = blind(pool="traps", like=["size"])


class Boat(Record):
    """A captain's boat. The flag says which kind of find counts twice at the end."""

    captain: str = open_()
    lanterns: int = open_(3)
    gold: int = open_(0)
    crew: list[str] = open_([])
    flown: str = open_("")
    cards: list[str] = hand(pool="cards")
    hold: list[str] = hand(pool="finds")
    flag: str = secret(pool="flags")


class Reef(Record):
    """The whole table."""

    round: int = open_(1)
    helm: str = open_()
    courses: dict[str, str] = open_({})
    chests: dict[str, Chest] = part({})
    boats: dict[str, Boat] = owned(by="captain")
    deck: list[str] = pile(pool="cards")
    discard: list[str] = open_([])
    sold: list[str] = open_([])
    deep: list[str] = pile(pool="finds")
    flags: list[str] = pile(pool="flags")


def boat_of(m: Match, who: str) -> Boat:
    """Return a captain's boat."""
    return next(cast(Boat, boat) for boat in m.table.boats.values() if boat.captain == who)
