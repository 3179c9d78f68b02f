"""Battles: who is in, how Battle decks are prepared, and how a battle ends."""

from __future__ import annotations

from typing import Any

from referee.kit import Frame, Match, Question, no, one_of, order, some_of, step

from . import battle_ships as ships
from . import galaxy, mats, raiders
from .battle_again import build_again, builds_again, is_truce, may_end, truce
from .battle_deck import (
    DESTINY_CARDS,
    KINDS,
    free_cards,
    fronts,
    give,
    is_deadlier,
    lay_sets,
    symbol_cards,
    take,
    take_destiny,
)
from .battle_losses import remove_improvement
from .battle_plan import ask
from .battle_round import battle_round, some_to_use
from .battle_sheet import swap
from .battle_table import Battle, Fighter
from .deals import is_bound, note_absence, note_attack
from .group import held_too

FIRST = "attack"
"""The set of the first card without an order."""


@step
def battle(m: Match, attacker: str, defender: str, cause: str) -> None:
    """Battles; PL-51: attacker and attacked; others in the hex may join, then Battle decks are prepared, then rounds follow."""
    active = m.table.turn.who
    m.table.battle = Battle(active=active, attacker=attacker, cause=cause)
    captains = [who for who in (attacker, defender) if ships.is_captain(m, who)]
    here = galaxy.hex_of(m, mats.ship_of(m, active if active in captains else captains[0]).place)
    for who in captains:
        come_forward(m, who, here)
    for who in (attacker, defender):
        enter(m, who, side=who)
    beside, m.table.turn.beside = m.table.turn.beside, []
    for who in beside:
        enter(m, who, side=defender)
    m.tell("battle begins", who=attacker, defender=defender, cause=cause)
    for ship, fighter in m.table.battle.fighters.items():
        if ship != fighter.seat:
            m.tell("plays ship", who=fighter.seat, ship=ship)
    m.do(*[offer_to_join(who=who) for who in bystanders(m, active)], prepare())
    if cause in ("attack", "blockade") and ships.is_captain(m, defender):
        note_attack(m, attacker, [defender])


def enter(m: Match, who: str, side: str) -> None:
    """Battles: a ship takes part on a side."""
    table = m.table.battle
    if ships.is_captain(m, who):
        table.fighters[who] = Fighter(seat=who, side=side, ships=ships_of(m, who))
    else:
        table.fighters[who] = raiders.new_raider(m, who, table.active, side)


def ships_of(m: Match, who: str) -> list[str]:
    """Variants, Two Player Game: return the ship that acts, and with it the other one if it flies in the same hex."""
    own, here = mats.captain_of(m, who).ship, galaxy.hex_of(m, mats.ship_of(m, who).place)
    return [own, *(name for name in galaxy.flying_in(m, who, here) if name != own)]


def come_forward(m: Match, who: str, here: str) -> None:
    """Variants, Two Player Game: a captain who does not act himself fights with a ship that flies in the hex."""
    flying = galaxy.flying_in(m, who, here)
    if flying and who != m.table.turn.who:
        mats.captain_of(m, who).ship = flying[0]


def bystanders(m: Match, active: str) -> list[str]:
    """Multiple players in battle; PL-41, PL-51: return the other undocked players in the hex, in turn order."""
    fighters, here = m.table.battle.fighters, battlefield(m)
    order = [active, *m.others(active)]
    free = [who for who in order if who not in fighters and not mats.captain_of(m, who).dead]
    beside = [who for who in free if mats.has_ship(m, who) and galaxy.hex_of(m, mats.ship_of(m, who).place) == here]
    return [who for who in free if galaxy.flying_in(m, who, here) or (who in beside and held_too(m, who))]


def battlefield(m: Match) -> str:
    """Battles: return the hex in which a battle is."""
    captains = [who for who in m.table.battle.fighters if ships.is_captain(m, who)]
    return galaxy.hex_of(m, mats.ship_of(m, captains[0]).place)


@step
def offer_to_join(m: Match, who: str) -> Any:
    """Multiple players in battle; PL-T13: a bystander watches, or joins either side; there is no side of one's own."""
    table = m.table.battle
    return m.ask(who, "join", join, watch, interrupts=table.active, attacker=table.attacker, sides=sides(m))


def sides(m: Match) -> list[str]:
    """Battles: return the leaders of both sides."""
    return list(dict.fromkeys(fighter.side for fighter in m.table.battle.fighters.values()))


@order("join {ship}", ship="ships")
def join(m: Match, who: str, ship: str) -> None:
    """Multiple players in battle; PL-51: a joiner names a side."""
    come_forward(m, who, battlefield(m))
    enter(m, who, side=ship)
    m.tell("joins", who=who, ship=ship)
    note_attack(m, who, captains_against(m, ship))
    if ship == m.table.battle.attacker:
        note_absence(m, who, captains_against(m, ship))


def captains_against(m: Match, side: str) -> list[str]:
    """Multiple players in battle: return the players who fight on the other side."""
    fighters = m.table.battle.fighters
    return [who for who, fighter in fighters.items() if fighter.side != side and ships.is_captain(m, who)]


@join.offered
def may_join(m: Match, who: str) -> Any:
    """Multiple players in battle: the side of the attacker, or that of the attacked."""
    refused = {side: no("sworn", seat=foe) for side in sides(m) if (foe := sworn_against(m, who, side))}
    return {"ship": one_of([side for side in sides(m) if side not in refused], refused=refused)}


def sworn_against(m: Match, who: str, side: str) -> str:
    """Captain cards, Sir Frank Elderberg IV; PL-50: return to whom he has promised not to fight on a side, if to anybody."""
    kinds = ("peace", "protect") if side == m.table.battle.attacker else ("peace",)
    return next((foe for foe in captains_against(m, side) if is_bound(m, who, foe, *kinds)), "")


@order("watch", standing=True)
def watch(m: Match, who: str) -> None:
    """Multiple players in battle: a bystander may stay out of it."""
    m.tell("watches", who=who)
    note_absence(m, who, captains_against(m, m.table.battle.attacker))


@watch.offered
def may_watch(m: Match, who: str) -> Any:
    """Multiple players in battle; PL-50: Sir Frank does not watch where he has promised to stand by."""
    victims = [foe for foe in captains_against(m, m.table.battle.attacker) if is_bound(m, who, foe, "protect")]
    return no("sworn", seat=victims[0]) if victims else {}


# Preparation


@step
def prepare(m: Match) -> Question:
    """Prepare Battle decks; PL-56: all choose their first card and the disposables that count; all at once, to save mails."""
    deciders = {who: (ships.seat_of(m, who), prepare_offers(m, who)) for who in ships.fighting(m)}
    return m.ask_all("build" if m.options["deadlier-battles"] else "prepare", deciders, "prepared", gathers="plan")


def prepare_offers(m: Match, who: str) -> list[Any]:
    """Prepare Battle decks: the first card; what may be ordered for the time right after the deal."""
    begins = build if is_deadlier(m, who) else first
    return [begins, *([truce] if may_end(m) else []), *([swap.given(scene={})] if ships.able(m, who, "swaps") else []), ask]


@order("first {set} [using {improvements}]", set="battle sets", improvements="some improvements")
def first(m: Match, who: str, set: str, improvements: list[str]) -> None:
    """Prepare Battle decks: the answers of all are taken together."""


@first.offered
def may_first(m: Match, who: str) -> Any:
    """Prepare Battle decks; PL-55, PL-56: any set; the symbols of a disposable count if its use is announced."""
    return {"set": one_of(KINDS), "improvements": some_to_use(m, who, ships.disposables(m, who))}


@order("deck [using {improvements}] [with {sets}]", improvements="some improvements", sets="some battle sets")
def build(m: Match, who: str, improvements: list[str], sets: list[str]) -> None:
    """Variants, Deadlier Battles: the answers of all are taken together."""


@build.offered
def may_build(m: Match, who: str) -> Any:
    """Variants, Deadlier Battles: a card of any set for each support symbol on the Captain and the Improvements."""

    def free_choice(chosen: dict[str, Any]) -> Any:
        count = free_cards(m, who, chosen["improvements"])
        return some_of([kind for kind in KINDS for _ in range(count)], least=count, default=[FIRST] * count)

    return {"improvements": some_to_use(m, who, ships.disposables(m, who)), "sets": free_choice}


@step
def prepared(m: Match, answers: dict[str, Frame]) -> None:
    """Prepare Battle decks; PL-53: all draw their first card, then what symbols give; Destiny cards follow."""
    if is_truce(m, answers):
        m.do(end_battle())
        return
    lay_sets(m, m.table.battle)
    choices = {who: chosen_sets(m, who, answer["lines"]) for who, answer in answers.items()}
    for who in clockwise(m):
        for kind in choices[who]:
            give(m, who, take(m, kind))
    for who in clockwise(m):
        for kind, count in symbol_cards(m, who).items():
            for _ in range(count):
                give(m, who, take(m, kind))
        tell_deck(m, who, choices[who])
    m.do(*[{**answer} for answer in answers.values()], deal(), battle_round())


def chosen_sets(m: Match, who: str, lines: list[Frame]) -> list[str]:
    """Prepare Battle decks; PL-56: note the disposables that count; return the sets that were chosen, or Attack."""
    fighter, chosen = ships.fighter(m, who), [line for line in lines if line["do"] in ("first", "build")]
    using = chosen[-1]["improvements"] if chosen else []
    fighter.counted = list(dict.fromkeys([*fighter.counted, *using]))
    if is_deadlier(m, who):
        sets: list[str] = chosen[-1]["sets"] if chosen else []
        return [*sets, *[FIRST] * (free_cards(m, who, fighter.counted) - len(sets))]
    return [chosen[-1]["set"] if chosen else FIRST]


def tell_deck(m: Match, who: str, chosen: list[str]) -> None:
    """Prepare Battle decks; PL-54: tell how many cards of each set a ship has drawn, and which of them it chose."""
    using = ships.fighter(m, who).counted
    if is_deadlier(m, who):
        m.reveal("builds deck", who=who, chosen=chosen, using=using, **counts(m, who))
    else:
        m.reveal("draws symbols", who=who, first=chosen[0], using=using, **counts(m, who))


def counts(m: Match, who: str) -> dict[str, int]:
    """Prepare Battle decks; PL-54: how many cards of each set a ship has drawn, the first one included."""
    deck = ships.fighter(m, who).deck
    return {kind: sum(card.set == kind for card in deck) for kind in KINDS}


def clockwise(m: Match) -> list[str]:
    """Prepare Battle decks; PL-53: return the ships clockwise, from the attacker on; who has left the battle builds none."""
    order, left = ships.turn_order(m), ships.fighting(m)
    at = order.index(m.table.battle.attacker)
    return [who for who in order[at:] + order[:at] if who in left]


@step
def deal(m: Match) -> None:
    """Prepare Battle decks; PL-53: two Destiny cards each, then everybody looks at his Battle deck."""
    for who in clockwise(m):
        for _ in range(DESTINY_CARDS):
            give(m, who, take_destiny(m))
    for who in clockwise(m):
        own = {ships.seat_of(m, who): {"cards": fronts(m, who)}}
        m.reveal("battle deck", to=own, who=who, count=len(fronts(m, who)))
    m.do(*[step.offer_swap(who=who) for who in ships.by_speed(m) if ships.able(m, who, "swaps")])


# Closure


@step
def bury_dead(m: Match) -> None:
    """Death of a Captain; PL-75, PL-84: ships that came to 0 at the same moment are destroyed together."""
    count_lost(m)
    dead = [who for who in ships.fighting(m) if ships.structure(m, who) == 0]
    opponents = {who: [enemy for enemy in ships.enemies(m, who) if enemy not in dead] for who in dead}
    for who in dead:
        ships.fighter(m, who).state = "destroyed"
        m.tell("is destroyed", who=who, by=ships.fighter(m, who).struck_by or who)
    if dead:
        m.table.battle.fallen.append(sorted(dead, key=lambda who: ships.speed(m, who)))
    m.do(*[step.defeated(who=who, by=opponents[who], destroyed=True) for who in dead])


def count_lost(m: Match) -> None:
    """Variants, Two Player Game; PL-75: one of two ships is destroyed; the enemies gain Recognition, its captain fights on."""
    for who in [who for who in ships.fighting(m) if ships.is_captain(m, who) and ships.structure(m, who)]:
        fighter = ships.fighter(m, who)
        for name in [name for name in fighter.ships if not m.table.ships[name].structure and name not in fighter.lost]:
            fighter.lost.append(name)
            card = m.table.ships[name].card
            m.tell("one is destroyed", who=who, ship=card, name=mats.name_of(m, "ships", card), by=ships.enemies(m, who))
            captains = [enemy for enemy in ships.enemies(m, who) if ships.is_captain(m, enemy)]
            m.table.battle.due += [{"who": enemy, "by": "1", "why": "defeat"} for enemy in captains]


@step
def book_round(m: Match) -> None:
    """Battle round closure: destroyed ships are out of the game; then the Recognition of the round is booked."""
    table = m.table.battle
    due, table.due = table.due, []
    fallen, table.fallen = table.fallen, []
    table.wrecks += [who for group in fallen for who in group]
    for who in table.fighters:
        clear_away(m, who)
    captains = [[who for who in group if ships.is_captain(m, who)] for group in fallen]
    reduced = [who for who, fighter in table.fighters.items() if any(not m.table.ships[n].wreck for n in fighter.lost)]
    reduced = [who for who in reduced if not any(who in group for group in captains)]
    table.wrecks += reduced
    captains += [[who] for who in reduced]
    m.do(
        *[use_up(who=who) for who in ships.fighting(m) if ships.is_captain(m, who)],
        *[step.destroy_ships(seats=group, why="battle") for group in captains if group],
        *[step.settle_due(who=row["who"], by=int(row["by"]), why=row["why"]) for row in due],
    )


def clear_away(m: Match, who: str) -> None:
    """Resolve Attack and Defense cards; PL-67: what is still revealed is put off; so is the Battle deck of a ship that left."""
    fighter = ships.fighter(m, who)
    m.table.battle.discards += fighter.cards
    fighter.cards = []
    if fighter.state != "fighting":
        m.table.battle.buried += fighter.deck
        fighter.deck = []


@step
def close_round(m: Match) -> None:
    """Battle round closure; PL-10, PL-74: victory is decided; then a new round starts, or the battle is over.

    Variants, Alternative ending for Battles: it goes on with new Battle decks.
    """
    if goes_on(m):
        swaps = [step.offer_swap(who=who) for who in ships.by_speed(m) if ships.able(m, who, "swaps")]
        m.do(step.crown(), *swaps, battle_round())
    else:
        m.do(step.crown(), build_again() if builds_again(m) else end_battle())


def goes_on(m: Match) -> bool:
    """Battle round closure; PL-74, PL-T11: two sides are left, and some ship has more than one card."""
    left = ships.fighting(m)
    return len({ships.fighter(m, who).side for who in left}) > 1 and any(len(fronts(m, who)) > 1 for who in left)


@step
def use_up(m: Match, who: str) -> None:
    """Use Improvements; PL-56: a disposable that was used in this round goes back into its deck."""
    fighter = ships.fighter(m, who)
    for card in [card for card in fighter.used if ships.printed(m, card).get("disposable")]:
        spend_disposable(m, who, card)
    fighter.used = []


def spend_disposable(m: Match, who: str, card: str) -> None:
    """Use Improvements; PL-56: what it gave is gone, its Structure included; that cannot destroy the ship."""
    if card in ships.all_installed(m, who):
        name = ships.bearer(m, who, card)
        ship = m.table.ships[name]
        value = 0 if card in ship.broken else ships.printed(m, card).get("structure", 0)
        remove_improvement(m, who, card)
        ship.structure = max(1, ship.structure - value)
        m.tell("used up", who=who, improvement=card)
        with mats.aboard(m, who, name):
            mats.drop_surplus(m, who)


@step
def end_battle(m: Match) -> None:
    """Battle round closure; PL-74, PL-78: cards are put away, dials reset; what was counted is used up; wrecks are looted."""
    table = m.table.battle
    for who in ships.fighting(m):
        for card in ships.fighter(m, who).counted:
            spend_disposable(m, who, card)
    table.outcome = {who: outcome(fighter) for who, fighter in table.fighters.items()}
    m.tell("battle ends", outcomes=[f"{who} {how}" for who, how in table.outcome.items()])
    for kind in (*KINDS, "destiny", "discards", "buried"):
        setattr(table, kind, [])
    for fighter in table.fighters.values():
        fighter.deck = []
    m.do(step.offer_loot(), put_away_battle())


def outcome(fighter: Fighter) -> str:
    """Battle round closure: return what became of a ship."""
    return "stayed" if fighter.state == "fighting" else fighter.state


@step
def put_away_battle(m: Match) -> None:
    """Battle round closure; PL-74: only what became of the ships is kept."""
    m.table.battle = Battle(outcome=m.table.battle.outcome, cause=m.table.battle.cause)
