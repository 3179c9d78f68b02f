"""Swiss rounds for tables of two: never a rematch, equal scores together, seats in turn, top half against bottom half.

The order of what matters is that of the Dutch system (FIDE Handbook C.04.3): each score group, with who was moved down into
it, is paired by a matching that is least by every criterion in turn, while the rest of the field can still be paired. Where
several are equally good, the highest player gets the highest of the bottom half, and so on down.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import Refused
from .brackets import Bracket, may_have_bye, pair_bracket
from .history import Card, cards, meetings
from .ranking import BY_PLACES, Ranking
from .rounds import Field, Pairing
from .seats import ABSOLUTE, seated

APART, AGAIN = "apart", "again"
"""Whether two players who were paired, but did not play, stay apart, or may be paired again as the Dutch system has it."""


def entitled(field: Field) -> tuple[str, ...]:
    """Return who is to be paired in the next round: present, and not to join later.

    Example:
        >>> entitled(Field(("alice", "bob", "carol"), ("bob", "carol", "alice"), joined={"carol": 2}))
        ('alice', 'bob')
    """
    number = len(field.rounds) + 1
    return tuple(player for player in field.present if field.joined.get(player, 1) <= number)


def next_round(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    """Return the tables of the next Swiss round.

    Args:
        field: the event so far; the last round is over.
        ranking: where the points come from.

    Raises:
        Refused: fewer than two players, or there is no round without a rematch or a second bye.

    Example:
        >>> names = ("alice", "bob", "carol", "dave", "erin")
        >>> [table.seats for table in next_round(Field(names, names))]
        [('alice', 'carol'), ('dave', 'bob'), ('erin',)]
    """
    known = cards(field, ranking)
    players = sorted((known[player] for player in entitled(field)), key=lambda card: (-card.points, card.number))
    if len(players) < 2:
        raise Refused(
            f"A round takes two players, and {len(players)} can be paired.",
            "Let players enter or come back, or close the event: the standings count as they are.",
        )
    met = meetings(field, unplayed=field.settings.get("after-forfeit", APART) == APART)
    pairs = _pairs(players, frozenset(met), len(field.rounds), _leaders(field, players, ranking))
    first = _first_seat(field)
    tables = [tuple(card.player for card in seated(pair, first)) for pair in _in_order(pairs)]
    return [Pairing(number, seats) for number, seats in enumerate(tables, 1)]


def _leaders(field: Field, players: Sequence[Card], ranking: Ranking) -> frozenset[str]:
    """Return who has more than half of the most points, before the last round (FIDE Handbook C.04.3, on topscorers)."""
    if not ranking.win or len(field.rounds) + 1 != field.settings.get("rounds"):
        return frozenset()
    return frozenset(card.player for card in players if 2 * card.points > ranking.win * len(field.rounds))


def _in_order(pairs: Sequence[tuple[Card, ...]]) -> list[tuple[Card, ...]]:
    """Return the tables in the order in which they are published: the highest scores first, a bye last."""
    return sorted(pairs, key=lambda pair: (len(pair) == 1, -pair[0].points, -sum(c.points for c in pair), pair[0].number))


def _first_seat(field: Field) -> int:
    """Return the seat of the first player in a first round, which the lots decide."""
    return field.lots.index(field.players[0]) % 2


def _pairs(
    players: Sequence[Card], met: frozenset[frozenset[str]], rounds: int, leaders: frozenset[str]
) -> list[tuple[Card, ...]]:
    left, moved, pairs = list(players), list[Card](), list[tuple[Card, ...]]()
    while left or moved:
        points = left[0].points if left else moved[-1].points
        group = [card for card in left if card.points == points]
        left = left[len(group) :]
        inside = (*moved, *group)
        reach = _reach(inside, rounds)
        odd = (len(inside) + len(left)) % 2
        deep = len(left) > reach and (not odd or any(may_have_bye(card) for card in left))
        bracket = Bracket(inside, tuple(left[:reach] if deep else left), len(moved), deep, met, leaders)
        found, moved = pair_bracket(bracket)
        pairs += found
    return pairs


def _reach(inside: Sequence[Card], rounds: int) -> int:
    """Return how many players below a bracket are enough to know that whoever moves down, the rest can be paired.

    Each of n players has met at most r others; a graph where everybody could meet half of the others has a perfect matching
    (Dirac 1952), and so it is enough if those below are more than who moves down by 2 r + 2. Of a bracket with more than
    2 r + 2 players only those with an absolute wish for a seat may have to move down.
    """
    down = min(len(inside), sum(card.wish.strength == ABSOLUTE for card in inside) + 2 * rounds + 2)
    return down + 2 * rounds + 2
