"""Battle preparation: the three sets, the Destiny deck, and the Battle decks."""

from __future__ import annotations

from typing import Any

from referee.kit import SEATS, Components, Match

from . import battle_ships as ships
from .battle_table import Battle, BattleCard
from .options import EXTENSION

KINDS = ("attack", "defense", "support")
DESTINY = {"attack": 5, "defense": 3, "support": 1}
DESTINY_CARDS = 2
DEADLY = {"attack": 3, "defense": 1, "support": 1}
"""Variants, Deadlier Battles: what is drawn in place of the first card and the captain's symbols."""


def face_of(m: Match, face: str) -> dict[str, Any]:
    """Two sided Battle cards: return what is printed on one side of a card."""
    sides = m.components["sides"]
    return sides[face] if face in sides else m.components["battle"][face]


def card_of(m: Match, face: str) -> str:
    """Two sided Battle cards: return the card that has a side."""
    sides = m.components["sides"]
    found: str = sides[face]["of"] if face in sides else face
    return found


def kind_of(m: Match, card: str) -> str:
    """Battles: return the set that a card belongs to."""
    kind: str = face_of(m, card)["kind"]
    return kind


def all_faces(components: Components) -> dict[str, list[str]]:
    """Battles: return by set the sides of all cards, in the order of the data."""
    rows = {**components["battle"], **components["sides"]}
    return {kind: [face for face, row in rows.items() if row["kind"] == kind] for kind in KINDS}


def battle_names(components: Components) -> dict[str, list[str]]:
    """Battles: return the lists of words that orders in a battle use; `SEATS` stands for the seats."""
    aliens = [alien for alien, row in components["aliens"].items() if "structure" in row]
    raiders = [SEATS, *components["raiders"], *aliens]
    cards = [*components["battle"], *components["sides"]]
    return {
        "ships": raiders,
        "battle cards": cards,
        "battle sets": list(KINDS),
        "battle amounts": ["enough", "all", *map(str, range(21))],
        "weapons": ["projectile", "energy"],
        "moments": ["once"],
        "attacks": ["all", *raiders, *cards],
    }


def printed_set(m: Match, kind: str) -> list[str]:
    """Battles: return the cards of a set that are in use, copies included."""
    extension = m.options.get(EXTENSION, False)
    rows = m.components["battle"].items()
    in_use = [(card, row) for card, row in rows if row["kind"] == kind and (extension or row.get("set") != EXTENSION)]
    return [card for card, row in in_use for _ in row["codes"]]


# The sets


def lay_sets(m: Match, battle: Battle) -> None:
    """Battle preparation; PL-52: shuffle the three sets, and prepare the Destiny deck before any Battle deck."""
    for kind in KINDS:
        lay(battle, kind, m.shuffled(printed_set(m, kind)))
    prepare_destiny(m, battle)


def lay(battle: Battle, kind: str, cards: list[str]) -> None:
    """Battle preparation: lay cards face down as a set."""
    setattr(battle, kind, [BattleCard(set=kind, front=card) for card in cards])


def prepare_destiny(m: Match, battle: Battle) -> None:
    """Prepare the Destiny Deck; PL-52: five Attack, three Defense cards and one Support card, shuffled."""
    drawn = [card for kind, count in DESTINY.items() for card in [take(m, kind) for _ in range(count)] if card]
    cards = m.shuffled([card.front for card in drawn])
    battle.destiny = [BattleCard(set="destiny", front=card) for card in cards]


def take(m: Match, kind: str) -> BattleCard | None:
    """Cards; PL-19: take the top card of a set; when it has run out its discards are shuffled first."""
    battle = m.table.battle
    if not getattr(battle, kind):
        reshuffle(m, battle, kind)
    cards = getattr(battle, kind)
    return cards.pop() if cards else None


def reshuffle(m: Match, battle: Battle, kind: str) -> None:
    """Cards; PL-19: the discards of a set form a new one; of what was put off face down, what its back tells of."""
    again = [card for card in battle.discards if kind_of(m, card) == kind]
    again += [card.front for card in battle.buried if card.set == kind]
    battle.discards = [card for card in battle.discards if kind_of(m, card) != kind]
    battle.buried = [card for card in battle.buried if card.set != kind]
    lay(battle, kind, m.shuffled(again))
    m.tell("reshuffles battle cards", set=kind, count=len(again))


def take_destiny(m: Match) -> BattleCard | None:
    """Prepare Battle decks; PL-52: a card of the Destiny deck; when it is exhausted a new one is made."""
    battle = m.table.battle
    if not battle.destiny:
        prepare_destiny(m, battle)
        m.tell("new destiny", count=len(battle.destiny))
    card: BattleCard | None = battle.destiny.pop() if battle.destiny else None
    return card


# Battle decks


def give(m: Match, who: str, card: BattleCard | None) -> list[str]:
    """Prepare Battle decks: put a card into a Battle deck, seen by its player alone; return what it is, if there is one."""
    if card is None:
        return []
    fighter = ships.fighter(m, who)
    card.known = [fighter.seat]
    fighter.deck.append(card)
    order = [*KINDS, "destiny"]
    fighter.deck.sort(key=lambda c: (order.index(c.set), c.front))
    return [card.front]


def fronts(m: Match, who: str) -> list[str]:
    """Battle sequence: return the cards in a Battle deck."""
    return [card.front for card in ships.fighter(m, who).deck]


def pick(m: Match, who: str, names: list[str]) -> list[BattleCard]:
    """Battle sequence: take named cards out of a Battle deck; of equal ones first those drawn from a set."""
    deck, found = ships.fighter(m, who).deck, []
    for name in names:
        card = next(card for card in deck if card.front == name)
        deck.remove(card)
        found.append(card)
    return found


def bury(m: Match, who: str, names: list[str]) -> list[BattleCard]:
    """Battle sequence: put off cards of a Battle deck unseen; they lie face down, counted, until they are shuffled again."""
    cards = pick(m, who, names)
    m.table.battle.buried += cards
    return cards


def discard(m: Match, who: str, card: str) -> None:
    """Battle sequence: put off a revealed card openly."""
    fighter = ships.fighter(m, who)
    fighter.cards.remove(card)
    m.table.battle.discards.append(card)


def everywhere(battle: Battle) -> list[str]:
    """Battles: return every Battle card on the table, for the check that none is lost or doubled."""
    hidden = [*battle.attack, *battle.defense, *battle.support, *battle.destiny, *battle.buried]
    hidden += [card for fighter in battle.fighters.values() for card in fighter.deck]
    revealed = [card for fighter in battle.fighters.values() for card in fighter.cards]
    return [card.front for card in hidden] + revealed + battle.discards


# What the symbols give


def symbol_cards(m: Match, who: str) -> dict[str, int]:
    """Prepare Battle decks; PL-55: count the cards that the symbols give; of a non-player ship its card says how many."""
    if not ships.is_captain(m, who):
        numbers = ships.fighter(m, who).numbers
        return {kind: numbers.get(f"{kind}-cards", 0) for kind in KINDS}
    captain, *improvements = ships.cards_for_deck(m, who)
    drawn, cards = dict.fromkeys(KINDS, 0), [captain, *improvements]
    if is_deadlier(m, who):
        drawn, cards = DEADLY, improvements
    return {
        "attack": drawn["attack"] + sum(ships.shows(m, card, "attack") for card in cards) + ships.extra_attack(m, who),
        "defense": drawn["defense"] + sum(ships.shows(m, card, "defense") for card in cards),
        "support": drawn["support"] + sum(ships.printed(m, card).get("support", 0) for card in cards),
    }


def is_deadlier(m: Match, who: str) -> bool:
    """Variants, Deadlier Battles: tell whether a Battle deck is built by the variant; non-player ships follow their cards."""
    return bool(m.options["deadlier-battles"]) and ships.is_captain(m, who)


def free_cards(m: Match, who: str, counted: list[str]) -> int:
    """Variants, Deadlier Battles: return how many cards are chosen freely: one for each support symbol, the ship's left out.

    Args:
        m: the match.
        who: whose Battle deck is built.
        counted: the disposable Improvements whose symbols count.
    """
    return sum(int(ships.printed(m, card).get("support", 0)) for card in ships.cards_for_deck(m, who, counted))


# The checks


CONDITIONS = {"installed": "any", "fitted": "category", "able": "power"}
"""The conditions of two-sided cards and of effects, each with the word that it takes."""


def check_cards(components: Components) -> None:
    """Two sided Battle cards: check sides and conditions of the data.

    Raises:
        ValueError: a condition that does not exist or takes other words, or a side that belongs to no card.
    """
    cards, backs = components["battle"], components["sides"]
    for face, row in {**cards, **backs}.items():
        needs = [*row.get("needs", []), *(need for frame in row.get("effect", []) for need in frame.get("needs", []))]
        for need in needs:
            if need.keys() != {"is", CONDITIONS.get(need.get("is", ""), "")}:
                known = ", ".join(f"{name} ({word})" for name, word in CONDITIONS.items())
                raise ValueError(f"{face}: {need!r} is no condition; possible are {known}")
        if row["kind"] not in KINDS or ("side" in row) != ("needs" in row):
            raise ValueError(f"{face}: a card is of one of the sets {', '.join(KINDS)}, and its first side needs something")
        if row.get("side", face) not in {**cards, **backs} or row.get("of", face) not in {**cards, **backs}:
            raise ValueError(f"{face}: its other side is not there")


def check_battle(m: Match) -> None:
    """Battles: assert that no Battle card is lost or doubled, and that no number leaves its bounds."""
    battle = m.table.battle
    cards = sorted(everywhere(battle))
    if cards:
        assert cards == sorted(card for kind in KINDS for card in printed_set(m, kind)), "Battle cards lost or doubled"
    for who, fighter in battle.fighters.items():
        assert min(fighter.structure, fighter.fuel) >= 0, f"dials of {who}"
        assert all(card.known == [fighter.seat] for card in fighter.deck), f"who knows the Battle deck of {who}"
