"""The round robin without rounds: room, fairness, and every pair in the end."""

from __future__ import annotations

import random
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.formats import FORMATS
from referee.tournament.rounds import Field, Round

from .playing import field_of, outcome, pairs_of

FORM = FORMATS["open-round-robin"]


def finish(field: Field, chance: random.Random, share: float) -> Field:
    """Return the event after some of the open tables ended, one at least."""
    open_tables = [(one.number, p) for one in field.rounds for p in one.pairings if p.table not in one.outcomes]
    ended = [row for row in open_tables if chance.random() < share] or open_tables[:1]
    return field._replace(
        rounds=tuple(
            one._replace(outcomes={**one.outcomes, **{p.table: outcome(p, chance) for n, p in ended if n == one.number}})
            for one in field.rounds
        )
    )


def busy(field: Field) -> Counter[str]:
    return Counter(p for one in field.rounds for t in one.pairings if t.table not in one.outcomes for p in t.seats)


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 12), st.integers(1, 5), st.integers(0, 10**6), st.sampled_from((0.1, 0.5, 1.0)))
def test_every_pair_meets_once_and_nobody_has_too_many_open(count: int, most: int, seed: int, share: float) -> None:
    field = field_of(count, seed, settings={"open": most})
    chance = random.Random(seed)
    for _ in range(count * count):
        more = FORM.next_round(field)
        assert more == FORM.next_round(field)
        if more:
            field = field._replace(rounds=(*field.rounds, Round(len(field.rounds) + 1, tuple(more), {})))
        assert max(busy(field).values(), default=0) <= most
        # Whoever has room and has not met somebody with room would have been paired.
        room = [player for player in field.players if busy(field)[player] < most]
        met = pairs_of(field)
        assert not any(one < two and frozenset((one, two)) not in met for one in room for two in room)
        if not busy(field):
            break
        field = finish(field, chance, share)
    assert FORM.is_over(field)
    assert set(pairs_of(field).values()) == {1}
    assert len(pairs_of(field)) == count * (count - 1) // 2


def test_nobody_runs_ahead() -> None:
    field = field_of(10, 1, settings={"open": 2})
    chance = random.Random(1)
    for _ in range(6):
        more = FORM.next_round(field)
        field = field._replace(rounds=(*field.rounds, Round(len(field.rounds) + 1, tuple(more), {})))
        begun = Counter(player for one in field.rounds for pairing in one.pairings for player in pairing.seats)
        assert max(begun.values()) - min(begun[player] for player in field.players) <= 2
        field = finish(field, chance, 1.0)


def test_a_late_entry_meets_everybody_and_who_withdrew_nobody_more() -> None:
    field = field_of(5, 2, settings={"open": 3})._replace(joined={"p0005": 2})
    first = FORM.next_round(field)
    assert not any("p0005" in pairing.seats for pairing in first)
    field = field._replace(rounds=(Round(1, tuple(first), {}),), away=frozenset({"p0001"}))
    chance = random.Random(3)
    while busy(field):
        field = finish(field, chance, 1.0)
        more = FORM.next_round(field)
        assert not any("p0001" in pairing.seats for pairing in more)
        if more:
            field = field._replace(rounds=(*field.rounds, Round(len(field.rounds) + 1, tuple(more), {})))
    met = pairs_of(field)
    assert all(frozenset(("p0005", other)) in met for other in ("p0002", "p0003", "p0004"))
    assert FORM.is_over(field)
