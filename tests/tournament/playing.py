"""Whole events played at random, for the laws that every format keeps."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from itertools import combinations

from referee.tournament.formats import FORMATS
from referee.tournament.rounds import Field, Outcome, Pairing, Round


def names(count: int) -> tuple[str, ...]:
    """Return so many players, by seed."""
    return tuple(f"p{number:04}" for number in range(1, count + 1))


def field_of(count: int, seed: int = 0, seats: int = 2, settings: Mapping[str, int | str] | None = None) -> Field:
    """Return an event before its first round, with lots that follow from a number."""
    players = names(count)
    lots = list(players)
    random.Random(f"lots {seed}").shuffle(lots)
    return Field(players, tuple(lots), (), settings or {}, seats=seats)


def outcome(pairing: Pairing, chance: random.Random, draws: float = 0.2, absent: float = 0.0) -> Outcome:
    """Return how a table ends by chance."""
    if pairing.is_bye:
        return Outcome(pairing.table, {pairing.seats[0]: 1}, how="bye")
    order = sorted(pairing.seats, key=lambda _: chance.random())
    places = {player: number for number, player in enumerate(order, 1)}
    gone = tuple(player for player in pairing.seats if chance.random() < absent)
    if gone:
        places |= dict.fromkeys(gone, len(order))
        return Outcome(pairing.table, places, how="forfeit", absent=gone)
    if chance.random() < draws:
        places[order[1]] = 1
    return Outcome(pairing.table, places)


def published(field: Field, pairings: list[Pairing], chance: random.Random, draws: float = 0.2, absent: float = 0.0) -> Field:
    """Return the event after a round that was played by chance."""
    outcomes = {pairing.table: outcome(pairing, chance, draws, absent) for pairing in pairings}
    return field._replace(rounds=(*field.rounds, Round(len(field.rounds) + 1, tuple(pairings), outcomes)))


def play(name: str, field: Field, seed: int = 0, draws: float = 0.2, absent: float = 0.0, most: int = 200) -> Field:
    """Play an event to its end; it must have one."""
    form, chance = FORMATS[name], random.Random(f"play {seed}")
    for _ in range(most):
        pairings = form.next_round(field)
        if not pairings:
            assert form.is_over(field) or not field.rounds
            return field
        assert not form.is_over(field)
        assert [pairing.table for pairing in pairings] == list(range(1, len(pairings) + 1))
        field = published(field, pairings, chance, draws, absent)
    raise AssertionError(f"{name} does not end")


def pairs_of(field: Field) -> Counter[frozenset[str]]:
    """Return how often each pair was put at a table."""
    tables = [pairing.seats for found in field.rounds for pairing in found.pairings]
    return Counter(frozenset(pair) for seats in tables for pair in combinations(seats, 2))


def byes_of(field: Field) -> Counter[str]:
    """Return how many byes each player had."""
    return Counter(pairing.seats[0] for found in field.rounds for pairing in found.pairings if pairing.is_bye)


def lost(field: Field) -> Counter[str]:
    """Return how many tables of two each player lost, drawn ones by the lots."""
    order = {player: number for number, player in enumerate(field.lots)}
    found: Counter[str] = Counter()
    for one in field.rounds:
        for pairing in one.pairings:
            if not pairing.is_bye:
                places = one.outcomes[pairing.table].places
                found[max(pairing.seats, key=lambda player: (places[player], order[player]))] += 1
    return found
