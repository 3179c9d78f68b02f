"""What lies on the table, and who may see it (rulebook: Box contents, Setting Up the Game)."""

from referee.kit import Record, hand, known_to, open_, owned, part, pile, secret

from .battle_table import Battle


class Hex(Record):
    """A Star System hex: the red and the orange half-hex. A face-down hex is known to nobody, one face up to all."""

    known: list[str] = open_([])
    red: str = known_to("known", pool="red half-hexes")
    orange: str = known_to("known", pool="orange half-hexes")


class Mission(Record):
    """A mission of a captain; `known` is its owner alone until it is shown.

    All else is public, since everybody could have kept count: `drawn` is the own turn in which it came, `deeds` what its
    captain has done since, `place` where its goods were taken or first delivered, `delivered` what was returned in parts.
    """

    known: list[str] = open_([])
    code: str = known_to("known", pool="missions", default="")
    drawn: int = open_(0)
    deeds: dict[str, int] = open_({})
    place: str = open_("")
    begun: int = open_(0)
    delivered: dict[str, int] = open_({})


class Term(Record):
    """One promise of an agreement: who does what, how much of what, and by the end of which own turn; 0 is at once.

    `line` is how it is written; `state` says what became of it: `open`, `kept`, `broken` or `forgiven`.
    """

    who: str = open_()
    does: str = open_()
    count: int = open_(0)
    what: str = open_("")
    turn: int = open_(0)
    line: str = open_()
    state: str = open_("open")


class Deal(Record):
    """A proposal or an agreement of two players, numbered between the two (Agreements between players).

    `state` is `draft`, `offered`, `joined` (a League that this one would join) or `agreed`. A proposed League has `members`, is
    to have its turn at the `place` of one of them, and lasts so many `turns`.
    """

    sender: str = open_()
    to: str = open_()
    number: int = open_(0)
    state: str = open_("offered")
    terms: list[Term] = part([])
    members: list[str] = open_([])
    place: str = open_("")
    turns: int = open_(0)


class Captain(Record):
    """A captain's mat: what belongs to the player and not to a ship (Captains, Spaceships and Improvements).

    `ships` are the ids of the own ships and `ship` the one that is acting; `dead` says that the player is out of the game.
    `aliens` are Alien cards that are kept, `docked_at` says in which own turn each place was last docked at, `turns` counts own
    turns, `sighted` are Docking cards looked at before they are resolved, `offered` missions drawn of which one is put back.
    """

    captain: str = open_("")
    ships: list[str] = open_([])
    ship: str = open_("")
    money: int = open_(0)
    recognition: int = open_(1)
    path: str = open_("")
    missions: list[Mission] = part([])
    aliens: list[str] = open_([])
    docked_at: dict[str, int] = open_({})
    turns: int = open_(0)
    dead: bool = open_(False)
    sighted: list[str] = hand(pool="docking cards")
    offered: list[str] = hand(pool="missions")
    deals: list[Deal] = secret(pool="own deals", default=[])
    talked: dict[str, int] = secret(pool="own counts of proposals", default={})


class Ship(Record):
    """A Spaceship with its marker and all that is on board.

    `place` is a System. `broken` are those of the installed and stored Improvements that are face down. `off` are production
    Improvements that are switched off, `blockaders` the ships that hold it, `stalled` the own turn in which engines that failed
    do not run; a `wreck` is a destroyed ship that remains on the board, `looted` once. What Docking cards bring for a stay:
    `closed` businesses, `bonus` when selling, `market` Improvements that may be bought at half price, `auction` of Slaves.
    `docked_turns` counts own turns begun docked at this place.
    """

    who: str = open_()
    card: str = open_()
    place: str = open_("")
    docked: bool = open_(False)
    structure: int = open_(0)
    fuel: int = open_(0)
    cargo: dict[str, int] = open_({})
    installed: list[str] = open_([])
    stored: list[str] = open_([])
    broken: list[str] = open_([])
    off: list[str] = open_([])
    blockaders: list[str] = open_([])
    stalled: int = open_(0)
    wreck: bool = open_(False)
    looted: bool = open_(False)
    closed: list[str] = open_([])
    bonus: dict[str, int] = open_({})
    market: int = open_(0)
    auction: bool = open_(False)
    docked_turns: int = open_(0)
    repaired: int = open_(0)
    bought_at: dict[str, dict[str, int]] = open_({})

    def unbroken(self) -> list[str]:
        """Return the installed Improvements that are face up (PL-14)."""
        return [card for card in self.installed if card not in self.broken]

    def hand_over(self, card: str, other: "Ship") -> None:
        """Give a stored Improvement to another ship, as broken as it is (PL-46)."""
        self.stored.remove(card)
        other.stored.append(card)
        if card in self.broken:
            self.broken.remove(card)
            other.broken.append(card)


class Jump(Record):
    """A move into an unexplored hex that is going on (Movement cost, C)."""

    hex: str = open_("")
    drawn: int = open_(0)
    left: int = open_(0)
    burnt: int = open_(0)
    failed: bool = open_(False)
    navigated: bool = open_(False)
    flung: bool = open_(False)


class Docking(Record):
    """A docking that is going on: the faction that counts, how many Docking cards are still to come, who docks along."""

    place: str = open_("")
    group: list[str] = open_([])
    left: int = open_(0)
    failed: bool = open_(False)
    pardoned: bool = open_(False)
    paid: bool = open_(False)


class League(Record):
    """A Phantom League, or some players who have agreed to move together (The Phantom Leagues; Moving as a Group).

    `turn_of` is the member at whose place in the order of play the common turn is, `turns` counts the common turns still to
    come; 0 is without end. `leaving` are members who would dissolve it.
    """

    members: list[str] = open_([])
    turn_of: str = open_("")
    turns: int = open_(0)
    leaving: list[str] = open_([])


class Turn(Record):
    """The turn that is going on (Game Turn). `started` says that the ship was docked when it began, `supply` counts the
    commodities at the first purchase of the turn, `bought` what was taken of each since.

    Moving as a Group: `group` moves along in the movement of this turn, `left` was left behind, `beside` are those who stand
    up to a non-player ship that the group has met.
    """

    who: str = open_("")
    number: int = open_(0)
    phase: str = open_("")
    docked_before: bool = open_(False)
    moved: bool = open_(False)
    acted: bool = open_(False)
    no_action: bool = open_(False)
    traded: bool = open_(False)
    recognition_bought: bool = open_(False)
    claimed: bool = open_(False)
    changed: bool = open_(False)
    self_repaired: bool = open_(False)
    drones_used: bool = open_(False)
    repaired: int = open_(0)
    supply: dict[str, int] = open_({})
    bought: dict[str, int] = open_({})
    towed: str = open_("")
    asked: list[str] = open_([])
    group: list[str] = open_([])
    left: list[str] = open_([])
    beside: list[str] = open_([])
    jump: Jump = part()
    docking: Docking = part()


class Table(Record):
    """The galaxy, the supply, the decks and the captains' mats. Decks are face down, `discards` lie open by deck.

    Variants, Two Player Game: `parked` says by ship what the other one of the captain on turn has done in this turn.

    `first` begins the game; `token` is where the Pirate token lies, `pod_used` says that the one escape pod is gone.
    `substitutes` counts tokens in play beyond the printed ones, `bank` what the bank has taken in beyond what it paid out
    since the first money was dealt. `box` holds Spaceships and Captains that nobody chose. `travels` are agreements to move
    together without a League; `turns` belong to those who have the turn in common with the one in `turn`, and wait for their
    part of it.
    """

    captains: dict[str, Captain] = owned()
    ships: dict[str, Ship] = part({})
    hexes: dict[str, Hex] = part({})
    supply: dict[str, int] = open_({})
    substitutes: dict[str, int] = open_({})
    bank: int = open_(0)
    improvements: list[str] = open_([])
    missions: list[str] = pile(pool="missions")
    hyperspace: list[str] = pile(pool="hyperspace cards")
    docking: list[str] = pile(pool="docking cards")
    aliens: list[str] = pile(pool="aliens")
    pirates: list[str] = pile(pool="pirates")
    alliance: list[str] = pile(pool="alliance ships")
    discards: dict[str, list[str]] = open_({})
    box: list[str] = open_([])
    chosen: list[str] = open_([])
    first: str = open_("")
    token: str = open_("")
    pod_used: bool = open_(False)
    ended: str = open_("")
    resigned: list[str] = open_([])
    winners: list[str] = open_([])
    deals: list[Deal] = part([])
    leagues: list[League] = part([])
    travels: list[League] = part([])
    parked: dict[str, Turn] = part({})
    turn: Turn = part()
    turns: dict[str, Turn] = part({})
    battle: Battle = part()


def new_table() -> Table:
    """Return a table with nothing on it."""
    return Table(turn=new_turn(), battle=Battle())


def new_turn() -> Turn:
    """Return a turn in which nothing has happened."""
    return Turn(jump=Jump(), docking=Docking())
