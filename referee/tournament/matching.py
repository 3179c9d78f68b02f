"""Perfect matchings that are least by one criterion after the other.

Every criterion gives each edge a cost of 0 or more. A matching is better if its sum of the first criterion is less, and where
that is equal, by the second, and so on. All of them go into one whole number for each edge, each in digits of its own, and a
maximum-weight matching finds the best sum; a criterion that can be kept at nothing takes its edges away instead, which leaves
the digits to the next. (Edmonds' blossom algorithm as in Galil, "Efficient algorithms for finding maximum matching in
graphs", ACM Computing Surveys 18, 1986; from rustworkx.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

BITS = 118
"""Digits for the costs of one edge: the library computes with 128 bits, and doubles what it is given."""

Edge = tuple[int, int]
Costs = Mapping[Edge, int]


def cover(nodes: Iterable[int], edges: Mapping[Edge, int]) -> dict[int, int]:
    """Return a matching that covers the most nodes, and among those one whose edges cost least in sum.

    Args:
        nodes: the nodes, in any order.
        edges: the cost of each edge, at least 0 and below 2 to the power `BITS`.

    Returns:
        Each covered node and its partner.

    Example:
        >>> cover(range(4), {(0, 1): 1, (2, 3): 1, (0, 2): 0, (1, 3): 1})
        {0: 2, 2: 0, 1: 3, 3: 1}
    """
    import rustworkx  # here, because it takes as long to import as the rest of the program

    index = {node: number for number, node in enumerate(nodes)}
    names = list(index)
    graph: rustworkx.PyGraph[int, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from(names)
    most = max(edges.values(), default=0) + 1
    graph.add_edges_from([(index[one], index[two], most - cost) for (one, two), cost in edges.items()])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    pairs = sorted(tuple(sorted((names[one], names[two]))) for one, two in found)
    return {node: mate for one, two in pairs for node, mate in ((one, two), (two, one))}


class Matching:
    """A perfect matching that becomes more and more determined.

    Args:
        nodes: the nodes, an even number.
        edges: which of them may be matched; the smaller node first.

    Example:
        >>> best = Matching(range(4), [(0, 1), (2, 3), (0, 2), (1, 3)])
        >>> best.least([{(0, 1): 1, (2, 3): 1}]), best.mates[0]
        (True, 2)
        >>> best.settle([0, 3], {0: 0, 1: 1, 2: 2, 3: 3})
        [(0, 2), (3, 1)]
    """

    def __init__(self, nodes: Iterable[int], edges: Iterable[Edge]) -> None:
        self.nodes = list(nodes)
        self.costs: dict[Edge, int] = dict.fromkeys(edges, 0)
        self.bound = 0
        """No perfect matching costs more than this in `costs`, all criteria so far that could not be kept at nothing."""
        self.mates: dict[int, int] = {}

    def least(self, criteria: Sequence[Costs]) -> bool:
        """Make the matching least by each criterion in turn; what earlier calls made least stays so.

        Args:
            criteria: costs of edges, the most important criterion first; edges that are not named cost nothing.

        Returns:
            Whether there is a perfect matching at all. The last criteria are left out where the digits do not suffice.
        """
        waiting = [criterion for criterion in criteria if any(edge in self.costs for edge in criterion)]
        if not waiting and not self.mates:
            waiting = [{}]
        while waiting:
            bounds = self._fitting(waiting)
            if not bounds:
                break
            taken = waiting[: len(bounds)]
            self.mates = cover(self.nodes, self._with(taken, bounds))
            if len(self.mates) < len(self.nodes):
                return False
            self._keep(taken, bounds)
            waiting = waiting[len(bounds) :]
        return True

    def settle(self, nodes: Sequence[int], wish: Mapping[int, int]) -> list[Edge]:
        """Give each of these nodes in turn the partner that it wishes most, and take the pairs out of the matching.

        What earlier calls made least stays so; within that, the first node chooses first.

        Args:
            nodes: nodes that are still in the matching.
            wish: the place of each possible partner, the least wished most.

        Returns:
            The nodes and their partners, in the order of the nodes; of two that chose each other only the first is named.
        """
        settled: list[Edge] = []
        waiting = [node for node in nodes if node in self.mates]
        while waiting:
            places = {place: number for number, place in enumerate(sorted({wish[node] for node in self.nodes}))}
            some = max(1, (BITS - self.bound.bit_length()) // len(places).bit_length())
            self._choose(waiting[:some], {node: places[wish[node]] for node in self.nodes}, len(places))
            settled += self._take_out(waiting[:some])
            waiting = [node for node in waiting[some:] if node in self.mates]
        return settled

    def restrict(self, allowed: Callable[[Edge], bool]) -> bool:
        """Leave only some of the edges, if a matching is left that is as good.

        Returns:
            Whether there was one; if not, nothing has changed.
        """
        costs = {edge: cost for edge, cost in self.costs.items() if allowed(edge)}
        before = sum(self.costs.get(pair, 0) for pair in self.mates.items())
        mates = cover(self.nodes, costs)
        if len(mates) < len(self.nodes) or sum(costs.get(pair, 0) for pair in mates.items()) > before:
            return False
        self.costs, self.mates = costs, mates
        return True

    def decide(self, stars: Sequence[tuple[int, Costs]]) -> None:
        """Decide for one node after the other whether its edge is one that costs nothing, which is preferred.

        Args:
            stars: each a node, and costs of 1 for some of its edges; what is decided stays so.
        """
        some = BITS - self.bound.bit_length()
        for start in range(0, len(stars), some):
            chunk = stars[start : start + some]
            self.mates = cover(self.nodes, self._with([costs for _, costs in chunk], [1] * len(chunk)))
            for node, costs in chunk:
                mate = self.mates[node]
                paid = costs.get((min(node, mate), max(node, mate)), 0)
                self.costs = {edge: cost for edge, cost in self.costs.items() if node not in edge or costs.get(edge, 0) == paid}

    def _choose(self, nodes: Sequence[int], number: Mapping[int, int], radix: int) -> None:
        whole: int = radix ** len(nodes)
        costs = {edge: cost * whole for edge, cost in self.costs.items()} if self.bound else dict.fromkeys(self.costs, 0)
        for power, node in enumerate(reversed(nodes)):
            for other in self.nodes:
                edge = (node, other) if node < other else (other, node)
                if edge in costs:
                    costs[edge] += radix**power * number[other]
        self.mates = cover(self.nodes, costs)

    def _take_out(self, nodes: Sequence[int]) -> list[Edge]:
        pairs: dict[int, int] = {}
        for node in nodes:
            if node not in pairs.values():
                pairs[node] = self.mates[node]
        gone = pairs.keys() | pairs.values()
        self.mates = {node: mate for node, mate in self.mates.items() if node not in gone}
        self.nodes = [node for node in self.nodes if node not in gone]
        self.costs = {edge: cost for edge, cost in self.costs.items() if edge[0] not in gone and edge[1] not in gone}
        return list(pairs.items())

    def _fitting(self, criteria: Sequence[Costs]) -> list[int]:
        """Return a bound for each of as many criteria as there are digits for at once."""
        whole, bounds = self.bound + 1, list[int]()
        for criterion in criteria:
            own = self._bound(criterion)
            whole *= own + 1
            if whole.bit_length() > BITS:
                break
            bounds.append(own)
        return bounds

    def _with(self, criteria: Sequence[Costs], bounds: Sequence[int]) -> dict[Edge, int]:
        """Return the costs with some criteria more in the lowest digits."""
        digits = [1]
        for bound in reversed(bounds):
            digits.append(digits[-1] * (bound + 1))
        costs = {edge: cost * digits[-1] for edge, cost in self.costs.items()}
        for digit, criterion in zip(reversed(digits[:-1]), criteria, strict=True):
            for edge, cost in criterion.items():
                if edge in costs:
                    costs[edge] += cost * digit
        return costs

    def _bound(self, criterion: Costs) -> int:
        """Return what the edges of a matching cannot cost more than: each costs at most the mean of the most at its ends."""
        most: dict[int, int] = {}
        for edge, cost in criterion.items():
            if edge in self.costs:
                for node in edge:
                    if most.get(node, 0) < cost:
                        most[node] = cost
        return sum(most.values()) // 2

    def _keep(self, criteria: Sequence[Costs], bounds: Sequence[int]) -> None:
        """Keep to the sums that the matching reached in some criteria."""
        kept, edges = [], set[Edge]()
        for criterion, bound in zip(criteria, bounds, strict=True):
            if any(criterion.get((node, mate), 0) for node, mate in self.mates.items()):
                kept.append((criterion, bound))
            else:
                edges |= {edge for edge, cost in criterion.items() if cost}
        if edges:
            self.costs = {edge: cost for edge, cost in self.costs.items() if edge not in edges}
        if kept:
            self.costs = self._with([criterion for criterion, _ in kept], [bound for _, bound in kept])
            for _, bound in kept:
                self.bound = self.bound * (bound + 1) + bound
