"""What lies on the table during a battle, and who may see it (Battle preparation, Battle sequence).

Public: how many cards of which set a ship has drawn, how large its Battle deck is, what is revealed or put off openly, and
every number of a ship. Hidden: the cards in a Battle deck from all but its player, those in the sets and in the Destiny deck
from everybody, and a player's orders for the round.
"""

from referee.kit import Record, known_to, open_, owned, part, pile, secret


class BattleCard(Record):
    """A Battle card that is not revealed; `set` says where it was drawn: a set, or the Destiny deck."""

    set: str = open_()
    known: list[str] = open_([])
    front: str = known_to("known", pool="battle cards", like=["set"])


class Fighter(Record):
    """A ship in a battle. Structure, Fuel and numbers of a player's ship are on its mat; those here are a non-player ship's.

    `cards` are revealed and not resolved yet, `kept` counts what each Defense card in use has done for the own Escape
    value, `used` are the Improvements in use this round, `counted` the disposables that gave cards, `escape` what cards
    and powers changed, `boost` and `shields` what Support cards give for a round, `bonus` what Support cards were added to.

    Variants, Two Player Game: `ships` are those with which a captain entered the battle, `lost` those of them that fell.
    """

    seat: str = open_()
    side: str = open_()
    state: str = open_("fighting")
    numbers: dict[str, int] = open_({})
    structure: int = open_(0)
    fuel: int = open_(0)
    deck: list[BattleCard] = part([])
    cards: list[str] = open_([])
    kept: list[str] = open_([])
    used: list[str] = open_([])
    counted: list[str] = open_([])
    escape: int = open_(0)
    boost: int = open_(0)
    shields: int = open_(0)
    bonus: dict[str, int] = open_({})
    powers: list[str] = open_([])
    ships: list[str] = open_([])
    lost: list[str] = open_([])
    blocking: bool = open_(False)
    asks: bool = open_(False)
    struck_by: str = open_("")
    plan: list[dict[str, str]] = secret(pool="own plan", default=[])


class Battle(Record):
    """A battle, or what the last one led to: `outcome` says of each ship whether it stays, escaped or was destroyed."""

    active: str = open_("")
    attacker: str = open_("")
    cause: str = open_("")
    round: int = open_(0)
    fighters: dict[str, Fighter] = owned(by="seat")
    attack: list[BattleCard] = pile(pool="order of the attack set")
    defense: list[BattleCard] = pile(pool="order of the defense set")
    support: list[BattleCard] = pile(pool="order of the support set")
    destiny: list[BattleCard] = pile(pool="order of the destiny deck")
    discards: list[str] = open_([])
    buried: list[BattleCard] = part([])
    escaping: str = open_("")
    fallen: list[list[str]] = open_([])
    due: list[dict[str, str]] = open_([])
    wrecks: list[str] = open_([])
    outcome: dict[str, str] = open_({})
