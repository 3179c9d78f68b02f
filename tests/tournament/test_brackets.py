"""One score group, against every pairing in the order in which the handbook tries them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from referee.errors import Refused
from referee.tournament.brackets import Bracket, _Costs, pair_bracket
from referee.tournament.history import Card


def candidates(size: int) -> Iterator[list[tuple[int, int]]]:
    """Yield the pairings of a group of equal scores: by exchanges between its halves, then by transpositions of the lower.

    FIDE Handbook C.04.3, on the order of exchanges: the fewest players; the smallest difference between what is exchanged;
    the highest number that comes down; the lowest that comes up. The number of nobody is that of the players.
    """
    half = size // 2
    top, bottom = range(half), range(half, size)
    exchanges = [
        (down, up) for many in range(half + 1) for down in combinations(top, many) for up in combinations(bottom, many)
    ]
    exchanges.sort(key=lambda one: (len(one[0]), sum(one[1]) - sum(one[0]), [-n for n in sorted(one[0])[::-1]], one[1]))
    for down, up in exchanges:
        first = sorted({*top, *up} - set(down))
        second = sorted({*bottom, *down} - set(up))
        for order in permutations(second):
            pairs = [(min(pair), max(pair)) for pair in zip(first, order, strict=False)]
            yield pairs + [(order[-1], size)] * (size % 2)


@st.composite
def brackets(draw: st.DrawFn) -> Bracket:
    size = draw(st.integers(2, 7))
    seats = st.lists(st.integers(0, 1), min_size=3, max_size=3).map(tuple)
    floats = st.lists(st.integers(-1, 1), min_size=3, max_size=3).map(tuple)
    players = tuple(
        Card(f"p{number}", number, 4, draw(seats), draw(floats), draw(st.booleans()), False, draw(st.integers(0, 1)))
        for number in range(size)
    )
    pairs = [frozenset((one.player, two.player)) for one, two in combinations(players, 2)]
    met = frozenset(draw(st.lists(st.sampled_from(pairs), max_size=2 * size, unique=True)))
    leaders = frozenset(draw(st.lists(st.sampled_from([card.player for card in players]), max_size=2)))
    return Bracket(players, (), 0, False, met, leaders)


def test_a_bye_is_a_float_too() -> None:
    # The last of three had a bye's worth of floating in the round before, so the first has the bye.
    seats = ((0, 1, 0), (1, 0, 1), (0, 1, 0))
    floats = ((0, 0, 0), (0, 0, 0), (0, 0, -1))
    players = tuple(Card(f"p{n}", n, 4, seats[n], floats[n], False, False, 0) for n in range(3))
    found, _ = pair_bracket(Bracket(players, (), 0, False, frozenset()))
    assert sorted(tuple(card.number for card in pair) for pair in found) == [(0,), (1, 2)]


@settings(max_examples=120, deadline=None)
@given(brackets())
def test_the_first_of_the_best(bracket: Bracket) -> None:
    size, costs = len(bracket.inside), _Costs(bracket)
    allowed = {pair for pair in combinations(range(size + size % 2), 2) if costs.allows(*pair)}
    value = {pair: costs.of(*pair) for pair in allowed}
    best: tuple[list[int], list[tuple[int, int]]] | None = None
    for pairs in candidates(size):
        if allowed.issuperset(pairs):
            total = [sum(column) for column in zip(*(value[pair] for pair in pairs), strict=True)]
            if best is None or total < best[0]:
                best = (total, pairs)
    if best is None:
        try:
            pair_bracket(bracket)
        except Refused:
            return
        raise AssertionError("there is no pairing")
    found, rest = pair_bracket(bracket)
    assert rest == []
    numbers = sorted(tuple(card.number for card in pair) for pair in found)
    assert numbers == sorted(pair if pair[1] < size else pair[:1] for pair in best[1])


@settings(max_examples=60, deadline=None)
@given(brackets(), st.integers(1, 3))
def test_those_moved_down_are_paired_first_and_with_the_highest(bracket: Bracket, moved: int) -> None:
    assume(2 * moved < len(bracket.inside))
    higher = tuple(card._replace(points=6) for card in bracket.inside[:moved])
    bracket = bracket._replace(inside=higher + bracket.inside[moved:], moved=moved, met=frozenset(), leaders=frozenset())
    # With nothing against anybody, the first of those moved down meets the first of the others, and so on.
    plain = bracket._replace(inside=tuple(card._replace(sat=(), floats=(), bye=False, unplayed=0) for card in bracket.inside))
    found, _ = pair_bracket(plain)
    for number in range(moved):
        assert (number, moved + number) in [tuple(card.number for card in pair) for pair in found]
