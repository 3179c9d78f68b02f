"""One score group of a Swiss round: what makes a pairing of it better than another, and the best one.

The criteria and their order are those of the Dutch system (FIDE Handbook C.04.3), with these differences. That two players
with an absolute wish for the same seat do not meet is the first criterion, not a condition: only a rematch and a second bye
stop a round. Of the next group only the number of players who can be paired counts, not their scores.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from ..errors import Refused
from .history import Card
from .matching import Edge, Matching, cover
from .seats import ABSOLUTE, STRONG, seated


class Bracket(NamedTuple):
    """One score group to be paired, with those moved down into it, and who may have to be paired with its rest.

    Args:
        inside: the players of the bracket, by rank; those moved down come first.
        below: the next players by rank, as many as it takes to tell that all others can be paired later.
        moved: how many of those inside were moved down.
        deep: whether there are more players than those below, so that one of them may find a partner there.
        met: the pairs that may not meet again.
        leaders: in the last round, who has more than half of all points: they and who meets them may miss any seat.
    """

    inside: tuple[Card, ...]
    below: tuple[Card, ...]
    moved: int
    deep: bool
    met: frozenset[frozenset[str]]
    leaders: frozenset[str] = frozenset()

    @property
    def all(self) -> tuple[Card, ...]:
        """Return everybody who is looked at, by rank."""
        return self.inside + self.below

    @property
    def nobody(self) -> int:
        """Return the node that stands for a bye, or for a partner further down."""
        return len(self.inside) + len(self.below)

    @property
    def nodes(self) -> range:
        """Return the nodes of the graph, an even number: the players by rank, and nobody if they are odd."""
        return range(self.nobody + self.nobody % 2)


def may_have_bye(card: Card) -> bool:
    """Return whether a player got no points without playing yet (FIDE Handbook C.04.1, on byes).

    Example:
        >>> may_have_bye(Card("alice", 0, 2, (-1,), (-1,), True, False, 1))
        False
    """
    return not card.bye and not card.unopposed


def pair_bracket(bracket: Bracket) -> tuple[list[tuple[Card, ...]], list[Card]]:
    """Pair one score group.

    Args:
        bracket: who is in it, and who comes next.

    Returns:
        The pairs, the higher ranked player first, with a bye as a player alone; and who moves down to the next group.

    Raises:
        Refused: not everybody can be paired.

    Example:
        >>> four = tuple(Card(name, number, 0, (), (), False, False, 0) for number, name in enumerate("abcd"))
        >>> [[card.player for card in pair] for pair in pair_bracket(Bracket(four, (), 0, False, frozenset()))[0]]
        [['a', 'c'], ['b', 'd']]
    """
    size, everybody = len(bracket.inside), bracket.all
    found = _natural(bracket)
    if found is None:
        found = _best(bracket)
    pairs: list[tuple[Card, ...]] = [(everybody[one], everybody[two]) for one, two in found if two < size]
    rest = [everybody[one] for one, two in found if two >= size]
    if bracket.below or bracket.deep:
        return pairs, rest
    return [*pairs, *((card,) for card in rest)], []


def _natural(bracket: Bracket) -> list[Edge] | None:
    """Return top half against bottom half in order, if nothing speaks against any of these pairs; else None."""
    size = len(bracket.inside)
    if bracket.moved or (bracket.below and (size % 2 or not bracket.deep)):
        return None
    half = size // 2
    pairs = [(node, node + half) for node in range(half)] + [(size - 1, bracket.nobody)] * (size % 2)
    costs = _Costs(bracket)
    kept = all(costs.allows(one, two) and not any(costs.of(one, two)) for one, two in pairs[:half])
    if kept and size % 2:
        least = min(card.unplayed for card in bracket.inside)
        # A bye costs one for itself, and the rounds that the player has not played.
        kept = costs.allows(*pairs[-1]) and sum(costs.of(*pairs[-1])) == 1 + least
    return pairs if kept else None


class _Costs:
    """What each pair of a bracket costs, by criterion."""

    def __init__(self, bracket: Bracket) -> None:
        self.bracket = bracket
        self.cards = bracket.all
        self.size, self.nobody = len(bracket.inside), bracket.nobody
        self.levels = sorted({card.points for card in bracket.inside}, reverse=True)
        self.wishes = [card.wish for card in self.cards]
        below = bracket.below
        self.next_end = self.size + sum(card.points == below[0].points for card in below)

    def allows(self, one: int, two: int) -> bool:
        """Return whether two nodes may be matched at all; the smaller is a player."""
        if two < self.nobody:
            return frozenset((self.cards[one].player, self.cards[two].player)) not in self.bracket.met
        return one >= self.size if self.bracket.deep else not self.cards[one].bye

    def of(self, one: int, two: int) -> list[int]:
        """Return the cost of a pair for each criterion, the most important first."""
        bye, out = two == self.nobody and not self.bracket.deep, one < self.size <= two
        card = self.cards[one]
        levels = [int(out and card.points == level) for level in self.levels[:-1]]
        onward = bool(self.bracket.below) and one < self.next_end <= two
        head = [
            int(bye and card.unopposed),
            int(self._wish(one, two) == ABSOLUTE and not self._leading(one, two)),
            self._height(card) if bye else 0,
            int(out),
            *levels,
            int(two < self.bracket.moved),
            int(onward),
            card.unplayed if bye else 0,
        ]
        tail = self._inside(one, two) if two < self.size else self._floating(one) if out else []
        return head + (tail or [0] * (8 + 4 * len(levels)))

    def _height(self, card: Card) -> int:
        """Return how many different scores below a player's there are."""
        return len({other.points for other in self.cards if other.points < card.points})

    def _wish(self, one: int, two: int) -> int:
        """Return how much one of two players will miss the seat that is due, if both should have the same."""
        if two == self.nobody:
            return 0
        mine, other = self.wishes[one], self.wishes[two]
        return min(mine.strength, other.strength) if mine.seat == other.seat else 0

    def _leading(self, one: int, two: int) -> bool:
        leaders = self.bracket.leaders
        return bool(leaders) and not leaders.isdisjoint((self.cards[one].player, self.cards[two].player))

    def _inside(self, one: int, two: int) -> list[int]:
        missed = self._wish(one, two)
        seats = _amiss(self.cards[one], self.cards[two]) if missed == ABSOLUTE and self._leading(one, two) else [0, 0]
        moved = one < self.bracket.moved <= two
        up = [int(moved and self.cards[two].float_before(ago) == 1) for ago in (1, 2)]
        far = [self._levels(one, up[0]), self._levels(one, up[1])]
        none = self._levels(one, 0)
        return [*seats, int(missed > 0), int(missed >= STRONG), 0, up[0], 0, up[1], *none, *far[0], *none, *far[1]]

    def _floating(self, one: int) -> list[int]:
        moved = one < self.bracket.moved
        down = [int(self.cards[one].float_before(ago) == -1) for ago in (1, 2)]
        far = [self._levels(one, flag and moved) for flag in down]
        down = [flag * (not moved) for flag in down]
        none = self._levels(one, 0)
        return [0, 0, 0, 0, down[0], 0, down[1], 0, *far[0], *none, *far[1], *none]

    def _levels(self, one: int, flag: int) -> list[int]:
        """Return a flag at the score of a player who was moved down, the highest first."""
        return [int(bool(flag) and self.cards[one].points == level) for level in self.levels[:-1]]

    def criteria(self) -> tuple[list[Edge], list[dict[Edge, int]]]:
        """Return the edges, and for each criterion the costs of those that cost anything."""
        edges, known = list[Edge](), dict[tuple[int, ...], list[tuple[int, int]]]()
        found: list[dict[Edge, int]] = [{} for _ in self.of(0, 1)]
        numbers = {card.player: node for node, card in enumerate(self.cards)}
        met = {tuple(sorted(numbers[player] for player in pair)) for pair in self.bracket.met if pair <= numbers.keys()}
        for edge in combinations(self.bracket.nodes, 2):
            if edge in met or not (edge[1] < self.nobody or self.allows(*edge)):
                continue
            edges.append(edge)
            kind = self._kind(*edge)
            costs = known.get(kind)
            if costs is None:
                costs = known[kind] = [(number, cost) for number, cost in enumerate(self.of(*edge)) if cost]
            for number, cost in costs:
                found[number][edge] = cost
        return edges, found

    def _kind(self, one: int, two: int) -> tuple[int, ...]:
        """Return what two pairs share if they cost the same: most pairs are of few kinds."""
        if one < self.bracket.moved or two >= self.nobody:
            return (one, two)
        (seat, mine), (same, other) = self.wishes[one], self.wishes[two]
        missed = 0 if seat != same else mine if mine < other else other
        if missed == ABSOLUTE and self.bracket.leaders:
            return (one, two)
        if two < self.size:
            return (-1, missed, 0)
        beyond = int(two >= self.next_end)
        return (one if one < self.size else -2 - (one < self.next_end), missed, beyond)


def _amiss(high: Card, low: Card) -> list[int]:
    """Return whether a pair makes a balance of three, and whether it makes three times the same seat in turn."""
    found = [0, 0]
    for seat, card in enumerate(seated((high, low))):
        found[0] |= int(abs(card.balance + 1 - 2 * seat) > 2)
        found[1] |= int([own for own in card.sat if own >= 0][-2:] == [seat, seat])
    return found


def _best(bracket: Bracket) -> list[Edge]:
    """Return the pairs of the players inside; those that move down have a partner outside."""
    edges, criteria = _Costs(bracket).criteria()
    matching = Matching(bracket.nodes, edges)
    if not matching.least(criteria):
        raise _no_round(bracket, edges)
    size, moved = len(bracket.inside), bracket.moved
    wish = {node: _late(node, size) if node >= moved else 2 * size - node for node in bracket.nodes}
    pairs = matching.settle(range(moved), wish)
    rest = [node for node in matching.nodes if node < size]
    half = sum(matching.mates[node] < size for node in rest) // 2
    top, bottom = _exchange(matching, rest, half, size)
    order = {node: _late(node, size) for node in bracket.nodes}
    return pairs + matching.settle([*top, *bottom], order)


def _late(node: int, size: int) -> int:
    """Return the place of a node as a partner: by rank, and everybody outside last and alike."""
    return node if node < size else 3 * size


def _exchange(matching: Matching, rest: Sequence[int], half: int, size: int) -> tuple[list[int], list[int]]:
    """Exchange as few players between the halves as it takes, as near to the middle as can be, and return the halves."""
    top, bottom = list(rest[:half]), list(rest[half:])
    if _across(matching, top, bottom):
        return top, bottom
    place = {node: number for number, node in enumerate(rest)}
    fewest: dict[Edge, int] = {}
    nearest: dict[Edge, int] = {}
    for one, two in matching.costs:
        first, second = place.get(one, size), place.get(two, size)
        if first < half and (second < half or two >= size):
            fewest[one, two] = 1
            nearest[one, two] = half - (second if second < half else first)
        elif half <= first < size and second < size:
            nearest[one, two] = first - half + 1
    matching.least([fewest, nearest])
    matching.decide(_stays(matching, top[::-1], bottom))
    down = {max(pair) if max(pair) < size else min(pair) for pair in fewest if _is_matched(matching, pair)}
    up = {min(pair) for pair in nearest if pair not in fewest and _is_matched(matching, pair)}
    top = [node for node in rest if (place[node] < half or node in up) and node not in down]
    bottom = [node for node in rest if node not in top]
    _across(matching, top, bottom)
    return top, bottom


def _stays(matching: Matching, top: Sequence[int], bottom: Sequence[int]) -> list[tuple[int, dict[Edge, int]]]:
    """Return for each player the edges with which it stays in its half: those are exchanged first who come first here.

    Of two players of the top half who meet, the lower has come down; of two of the bottom half, the higher has come up.
    """
    upper, lower = set(top), set(bottom)
    edges: dict[int, dict[Edge, int]] = {node: {} for node in (*top, *bottom)}
    for one, two in matching.costs:
        if one in upper and (two in upper or two in lower):
            edges[one][one, two] = 1
        if two in lower:
            edges[two][one, two] = 1
        elif one in lower:
            edges[one][one, two] = 1
    return list(edges.items())


def _across(matching: Matching, top: Sequence[int], bottom: Sequence[int]) -> bool:
    """Let only players of different halves meet, and only those of the bottom half move down, if that is as good."""
    sides = dict.fromkeys(top, 0) | dict.fromkeys(bottom, 1)
    across = ({0, 1}, {1, 2}, {2})
    return matching.restrict(lambda edge: {sides.get(edge[0], 2), sides.get(edge[1], 2)} in across)


def _is_matched(matching: Matching, pair: Edge) -> bool:
    return matching.mates.get(pair[0]) == pair[1]


def _no_round(bracket: Bracket, edges: Sequence[Edge]) -> Refused:
    mates = cover(bracket.nodes, dict.fromkeys(edges, 0))
    alone = [card.player for node, card in enumerate(bracket.all) if node not in mates]
    names = " and ".join(alone) or bracket.all[-1].player
    return Refused(
        f"No round is left in which nobody meets an opponent again and nobody has a second bye: {names} cannot be paired.",
        "Close the event with the rounds that were played, or let a player enter, come back or sit out and pair again.",
    )
