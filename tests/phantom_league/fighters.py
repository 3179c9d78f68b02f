"""Battles between scripted fighters who plan: how many mails they need, and what battles lead to.

A fighter sends one mail for preparation and two in each round: its cards, and its orders. It plays about half of its Battle
deck, guards with what is enough, and flees when its Structure is low. Raiders are played by the seat that is asked for them, in
the same mails. `python -m tests.phantom_league.fighters 500` prints what is measured over 500 battles of 2 to 6 seats, and over
500 duels of equally equipped ships with full dials for each of 1, 3 and 5 Improvements, beside what `DESIGNED` expects.
"""

from __future__ import annotations

import hashlib
import random
import statistics
import sys
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from games.phantom_league import battle_ships as ships
from referee.engine import begin, pending, start
from referee.lines import canonical
from referee.match import Match
from referee.orders import submit

from .arena import GAME, check

SEATS = ("alice", "bob", "carol", "dave", "erin", "frank")
PER_ROUND, PREPARATION = 2, 1
MOST_MAILS = 400
DESIGNED = {1: (4.9, 5), 3: (5.7, 3), 5: (6.5, 2)}
"""The balance check of the reconstructed cards, by Improvements: cards in a Battle deck, ships destroyed in percent.

In all: 1.7 damage by Attack cards for each ship, some for about half of the ships.
"""


@dataclass
class Fought:
    """What a battle came to.

    Attributes:
        rounds: how many rounds it had.
        mails: for each seat how many mails it sent, by the name of the question.
        decks: the sizes of the Battle decks at the beginning.
        damage: the Structure that was lost in all.
        struck: for each ship the damage that Attack cards did to it.
        outcomes: what became of the ships.
    """

    rounds: int = 0
    mails: dict[str, Counter[str]] = field(default_factory=dict)
    decks: list[int] = field(default_factory=list)
    damage: int = 0
    struck: Counter[str] = field(default_factory=Counter)
    outcomes: list[str] = field(default_factory=list)


def fight(seed: int, seats: int = 0, **options: Any) -> Fought:
    """Let scripted fighters fight the battle of a seed, with so many seats or a random number, and check it after each mail."""
    rng = random.Random(seed)
    named = SEATS[: seats or rng.randint(2, 6)]
    m = start(GAME, f"fight-{seed}", named, hashlib.sha256(str(seed).encode()).digest(), options)
    begin(m, {})
    found, log = Fought(mails={seat: Counter() for seat in named}), m.events[:]
    while (question := pending(m)) is not None:
        seat = next(d.seat for d in question.decisions.values() if d.decider not in m.sealed)
        lines = [line for d in question.of(seat) for line in answers(m, question.name, d.decider, len(question.of(seat)), rng)]
        m = submit(m, seat, lines).match
        check(m)
        log += m.events
        found.mails[seat][question.name] += 1
        assert sum(sum(mails.values()) for mails in found.mails.values()) < MOST_MAILS, "the battle goes on and on"
    found.outcomes = list(m.table.battle.outcome.values())
    return summed(found, log)


def summed(found: Fought, log: list[dict[str, Any]]) -> Fought:
    """Fill in what the events of a battle tell."""
    found.rounds = max((event["number"] for event in log if event["kind"] == "battle round"), default=0)
    found.decks = [event["count"] for event in log if event["kind"] == "battle deck"]
    found.damage = sum(event["damage"] for event in log if event["kind"] == "damaged")
    for event in log:
        if event["kind"] == "strikes":
            found.struck[event["target"]] += event["damage"]
    return found


def answers(m: Match, question: str, decider: str, deciders: int, rng: random.Random) -> list[str]:
    """Return the lines that a fighter sends for one of its ships."""
    lines = {"prepare": prepared, "play": played, "orders": ordered}.get(question, others)(m, decider, rng)
    return [f"{decider}: {line}" if deciders > 1 else line for line in lines]


def prepared(m: Match, who: str, rng: random.Random) -> list[str]:
    """Return the first card."""
    return [f"first {rng.choice(('attack', 'defense', 'support'))}"]


def played(m: Match, who: str, rng: random.Random) -> list[str]:
    """Return about half of a Battle deck, at least two cards, with every Improvement that can be used."""
    deck = [card.front for card in ships.fighter(m, who).deck]
    least = min(2, len(deck))
    cards = " and ".join(rng.sample(deck, max(least, min(5, (len(deck) + 1) // 2))))
    using = " and ".join(ships.usable(m, who))
    return [" ".join(filter(None, ("play", cards, f"using {using}" if using else "")))]


def ordered(m: Match, who: str, rng: random.Random) -> list[str]:
    """Return the orders for a round: aim at somebody, guard with what is enough, flee when it gets dangerous."""
    enemy = rng.choice(ships.enemies(m, who))
    attacks = [card for card in ships.fighter(m, who).cards if m.components["battle"][card]["kind"] == "attack"]
    lines = [f"fire {card} at {enemy}" for card in attacks if "side" not in m.components["battle"][card]]
    low = ships.structure(m, who) <= ships.most_structure(m, who) // 3
    path = ["follow fame"] if ships.is_captain(m, who) else []
    return [*lines, "guard enough", *path, "flee with enough" if low else "stay"]


def others(m: Match, who: str, rng: random.Random) -> list[str]:
    """Return an answer to what is asked besides: joining, looting, throwing out what finds no space."""
    decision = pending(m).decisions[who]  # type: ignore[union-attr]
    return [canonical(m, decision.sample(rng))]


def too_many(found: Fought) -> list[str]:
    """Return the seats that needed more mails than one for preparation and two for each round.

    Joining a battle and dividing the booty are questions of their own, before and after it; a path at level 4 is in the orders.
    """
    in_round = dict.fromkeys(("play", "orders", "jettison"), found.rounds)
    limits = {"prepare": PREPARATION, "join": 1, "loot": 1, **in_round}
    return [seat for seat, mails in found.mails.items() if any(n > limits.get(name, 0) for name, n in mails.items())]


def report(count: int) -> str:
    """Fight so many battles and return what was measured."""
    fights = [fight(seed, **{"mostly-harmless": seed % 2 == 0}) for seed in range(count)]
    mails = [sum(m.values()) / f.rounds for f in fights if f.rounds for m in f.mails.values() if m["orders"]]
    duels = [f for f in fights if len(f.decks) == 2]
    return "\n".join(
        (
            f"battles {len(fights)}, with {statistics.mean(len(f.decks) for f in fights):.1f} ships on average",
            f"Battle decks: {statistics.mean(d for f in fights for d in f.decks):.1f} cards",
            f"rounds: {statistics.mean(f.rounds for f in fights):.2f} on average, {max(f.rounds for f in fights)} at most",
            f"mails of a seat for each round, preparation included: {statistics.mean(mails):.2f}, {max(mails):.2f} at most",
            f"seats that needed more than the stated number of mails: {sum(len(too_many(f)) for f in fights)}",
            f"duels of ships as they come: Structure lost {statistics.mean(f.damage for f in duels):.2f} a battle, some in"
            f" {sum(f.damage > 0 for f in duels) / len(duels):.0%} of them",
            f"ships destroyed {share_of(fights, 'destroyed'):.1%}, escaped {share_of(fights, 'escaped'):.1%}",
        )
    )


def duels(count: int, improvements: int) -> str:
    """Fight so many duels of equally equipped ships with full dials, and return what was measured beside what was designed."""
    fights = [fight(10_000 + seed, 2, equipped=improvements, raiders=False) for seed in range(count)]
    struck = [f.struck[seat] for f in fights for seat in SEATS[:2]]
    cards, lost = DESIGNED[improvements]
    return (
        f"duels with {improvements} Improvements: {statistics.mean(d for f in fights for d in f.decks):.1f} cards ({cards}),"
        f" {statistics.mean(struck):.2f} damage by Attack cards for each ship (1.7), some for"
        f" {sum(damage > 0 for damage in struck) / len(struck):.0%} of the ships (half),"
        f" {share_of(fights, 'destroyed'):.1%} of the ships destroyed ({lost}%)"
    )


def share_of(fights: list[Fought], outcome: str) -> float:
    """Return how many of all ships came to an outcome."""
    return sum(f.outcomes.count(outcome) for f in fights) / sum(len(f.outcomes) for f in fights)


if __name__ == "__main__":
    print(report(int(sys.argv[1])))
    print("\n".join(duels(int(sys.argv[1]), improvements) for improvements in DESIGNED))
