"""Matchings against all there are, on small graphs."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.tournament.matching import Costs, Edge, Matching, cover


def perfect(nodes: list[int], edges: set[Edge]) -> Iterator[list[Edge]]:
    """Yield every perfect matching."""
    if not nodes:
        yield []
        return
    first = nodes[0]
    for other in nodes[1:]:
        if (first, other) in edges:
            for rest in perfect([node for node in nodes if node not in (first, other)], edges):
                yield [(first, other), *rest]


def value(pairs: list[Edge], criteria: list[Costs]) -> list[int]:
    return [sum(criterion.get(pair, 0) for pair in pairs) for criterion in criteria]


def pairs_of(mates: dict[int, int]) -> list[Edge]:
    return sorted((one, two) for one, two in mates.items() if one < two)


@st.composite
def problems(draw: st.DrawFn) -> tuple[int, set[Edge], list[Costs]]:
    size = draw(st.sampled_from((2, 4, 6, 8)))
    every = [(one, two) for two in range(size) for one in range(two)]
    edges = set(draw(st.lists(st.sampled_from(every), min_size=len(every) // 2, unique=True)))
    costs = st.dictionaries(st.sampled_from(sorted(edges)), st.integers(0, draw(st.sampled_from((1, 3, 10**9)))))
    return size, edges, draw(st.lists(costs, max_size=12)) if edges else []


@settings(max_examples=80, deadline=None)
@given(problems(), st.permutations(range(8)))
def test_the_best_of_all(problem: tuple[int, set[Edge], list[Costs]], order: list[int]) -> None:
    size, edges, criteria = problem
    every = list(perfect(list(range(size)), edges))
    matching = Matching(range(size), sorted(edges))
    assert matching.least(criteria) is bool(every)
    if not every:
        return
    found = pairs_of(matching.mates)
    best = min(value(pairs, criteria) for pairs in every)
    # Sums up to 4 * 10**9 take 33 digits each: twelve criteria of that size do not all fit in, but three do.
    fitting = len(criteria) if best[:1] == [0] * len(best[:1]) and max(best, default=0) < 100 else 3
    assert value(found, criteria)[:fitting] == best[:fitting]
    kept = value(found, criteria)
    wish = {node: order.index(node) for node in range(size)}
    chosen = matching.settle(order, wish)
    assert value(sorted(tuple(sorted(pair)) for pair in chosen), criteria)[:fitting] == kept[:fitting]
    assert sorted(node for pair in chosen for node in pair) == list(range(size))


@settings(max_examples=60, deadline=None)
@given(problems(), st.permutations(range(8)))
def test_the_first_chooses_first(problem: tuple[int, set[Edge], list[Costs]], order: list[int]) -> None:
    size, edges, criteria = problem
    every = list(perfect(list(range(size)), edges))
    matching = Matching(range(size), sorted(edges))
    if not matching.least(criteria[:1]):
        return
    best = min(value(pairs, criteria[:1]) for pairs in every)
    left = [pairs for pairs in every if value(pairs, criteria[:1]) == best]
    wish = {node: order.index(node) for node in range(size)}
    for node, mate in matching.settle(range(size), wish):
        here = [next(two if one == node else one for one, two in pairs if node in (one, two)) for pairs in left]
        assert mate == min(here, key=lambda other: wish[other])
        left = [pairs for pairs, other in zip(left, here, strict=True) if other == mate]
    assert len(left) == 1


def test_a_cover_leaves_as_few_alone_as_can_be() -> None:
    assert cover(range(3), {(0, 1): 5, (1, 2): 4}) == {1: 2, 2: 1}
    assert cover(range(4), {(0, 1): 0, (1, 2): 0, (0, 2): 0}).keys() <= {0, 1, 2}
    assert cover((), {}) == {}
    # The cheap edge in the middle would leave both ends alone.
    assert cover(range(4), {(0, 1): 9, (1, 2): 0, (2, 3): 9}) == {0: 1, 1: 0, 2: 3, 3: 2}
