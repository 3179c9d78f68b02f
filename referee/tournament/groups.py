"""Groups, then finals: everybody meets everybody of the own group, and the best of each group meet those of the others.

The groups are dealt by seed as a snake runs. In the finals those of the same group stand as far apart as can be, so that they
do not meet again before they have to.
"""

from __future__ import annotations

from collections.abc import Sequence

from . import elimination, table_elimination
from . import tables as rounds_of_tables
from .berger import AT_ONCE, schedule, starters, tables_of
from .elimination import seeds
from .matching import Matching
from .ranking import BY_PLACES, Ranking
from .rounds import Field, Pairing, Round

KNOCKOUT, GROUP = "knockout", "group"
"""The finals: an elimination, or one more group in which all meet."""
FINAL_GROUP = "final-group"
GROUPS, QUALIFY, GAMES = 4, 1, 3


def name_of(number: int) -> str:
    """Return the name of a group, from 0: A to Z, then A2 and so on.

    Example:
        >>> name_of(0), name_of(27)
        ('A', 'B2')
    """
    again, letter = divmod(number, 26)
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[letter] + (str(again + 1) if again else "")


def dealt(players: Sequence[str], count: int) -> dict[str, tuple[str, ...]]:
    """Return the players of each group.

    Args:
        players: by seed.
        count: how many groups.

    Example:
        >>> dealt(("alice", "bob", "carol", "dave", "erin"), 2)
        {'A': ('alice', 'dave', 'erin'), 'B': ('bob', 'carol')}
    """
    layers = table_elimination.snake(players, count)
    return {name_of(number): tuple(layer[number] for layer in layers if number < len(layer)) for number in range(count)}


def groups(field: Field) -> dict[str, tuple[str, ...]]:
    """Return the players of each group, as published, or as they would be dealt now.

    Example:
        >>> groups(Field(("alice", "bob"), ("bob", "alice"), settings={"groups": 1}))
        {'A': ('alice', 'bob')}
    """
    if not field.rounds:
        return dealt(starters(field), _number(field, "groups", GROUPS))
    found: dict[str, set[str]] = {}
    for pairing in field.rounds[0].pairings:
        found.setdefault(pairing.group, set()).update(pairing.seats)
    return {name: tuple(player for player in field.players if player in found[name]) for name in sorted(found, key=_order)}


def _order(name: str) -> tuple[int, str]:
    return (int(name[1:] or 0), name)


def _number(field: Field, name: str, default: int) -> int:
    return int(field.settings.get(name, default))


def parted(field: Field) -> tuple[tuple[Round, ...], tuple[Round, ...]]:
    """Return the rounds of the groups and those of the finals.

    Example:
        >>> parted(Field(("alice", "bob"), ("bob", "alice")))
        ((), ())
    """
    names = groups(field).keys() if field.rounds else ()
    split = next(
        (number for number, found in enumerate(field.rounds) if any(table.group not in names for table in found.pairings)),
        len(field.rounds),
    )
    return field.rounds[:split], field.rounds[split:]


def next_round(field: Field, ranking: Ranking = BY_PLACES) -> list[Pairing]:
    """Return the tables of the next round: of the groups as long as they play, then of the finals.

    Args:
        field: the event so far; its settings: `groups`, `qualify`, `pace`, `games`, `final`, `third-place`, `draw`.
        ranking: tells who qualifies.

    Example:
        >>> names = ("alice", "bob", "carol", "dave")
        >>> [(table.group, table.seats) for table in next_round(Field(names, names, settings={"groups": 2}))]
        [('A', ('alice', 'dave')), ('B', ('bob', 'carol'))]
    """
    staged, finals = parted(field)
    if not finals:
        found = _of_groups(field, staged)
        if found:
            return [Pairing(number, seats, group) for number, (group, seats) in enumerate(found, 1)]
    inside = qualified(field, ranking) if not finals else []
    if field.settings.get("final", KNOCKOUT) == GROUP:
        return _of_final_group(field, finals, inside)
    if field.seats > 2:
        return table_elimination.next_of(field, finals, inside)
    return elimination.next_of(field, finals, inside)


def _of_groups(field: Field, staged: Sequence[Round]) -> list[tuple[str, tuple[str, ...]]]:
    pace = str(field.settings.get("pace", AT_ONCE))
    found = []
    for name, inside in groups(field).items():
        for seats in _of_group(field, staged, name, inside, pace):
            found.append((name, seats))
    return found


def _of_group(field: Field, staged: Sequence[Round], name: str, inside: tuple[str, ...], pace: str) -> list[tuple[str, ...]]:
    """Return the tables of one group in the next round."""
    if field.seats == 2:
        return tables_of(inside, field.away, pace, len(staged), False)
    games = _number(field, "games", GAMES)
    if len(staged) >= (1 if pace == AT_ONCE else games):
        return []
    own = [one._replace(pairings=tuple(table for table in one.pairings if table.group == name)) for one in staged]
    lots = tuple(player for player in field.lots if player in inside)
    part = field._replace(players=inside, lots=lots, rounds=tuple(own), away=field.away & set(inside))
    found: list[Pairing] = []
    for _ in range(games if pace == AT_ONCE else 1):
        here = rounds_of_tables.next_round(part) if len(part.present) >= rounds_of_tables.smallest_of(part) else []
        found += here
        part = part._replace(rounds=(*part.rounds, Round(len(part.rounds) + 1, tuple(here), {})))
    return [table.seats for table in found]


def qualified(field: Field, ranking: Ranking) -> list[str]:
    """Return who comes to the finals, by seed: the winners of the groups first, then who was second, and so on.

    Whoever is away makes room for the next of the group.

    Args:
        field: the event after the groups.
        ranking: where the order within a group comes from.

    Example:
        >>> names = ("alice", "bob", "carol", "dave")
        >>> done = Round(1, (Pairing(1, ("alice", "dave"), "A"), Pairing(2, ("bob", "carol"), "B")), {})
        >>> qualified(Field(names, names, (done,), {"groups": 2}), BY_PLACES)
        ['alice', 'bob']
    """
    staged, _ = parted(field)
    after = field._replace(rounds=staged)
    count = _number(field, "qualify", QUALIFY)
    best = {
        name: [player for player in ranking.rank(after, name) if player not in field.away][:count] for name in groups(field)
    }
    layers = [[(name, found[place]) for name, found in best.items() if place < len(found)] for place in range(count)]
    if field.seats > 2 or field.settings.get("final", KNOCKOUT) == GROUP:
        return [player for layer in layers for _, player in layer]
    return crossed(layers)


def crossed(layers: Sequence[Sequence[tuple[str, str]]]) -> list[str]:
    """Return the seeds of a bracket in which those of one group are far apart.

    Args:
        layers: the winners of the groups, those who were second, and so on, each as group and player.

    Example:
        >>> crossed([[("A", "a1"), ("B", "b1")], [("A", "a2"), ("B", "b2")]])
        ['a1', 'b1', 'a2', 'b2']
    """
    total = sum(map(len, layers))
    place = {seed: number for number, seed in enumerate(seeds(1 << max(total - 1, 0).bit_length()))}
    seeded: list[tuple[str, str]] = []
    for layer in layers:
        start, free = len(seeded), range(len(layer))
        edges = [(count, len(layer) + slot) for count in free for slot in free]
        near: dict[tuple[int, int], int] = {}
        for count, node in edges:
            own = place[start + node - len(layer) + 1]
            mates = [place[number + 1] for number, (group, _) in enumerate(seeded) if group == layer[count][0]]
            # Two places of a bracket meet in round n if their numbers differ from bit n downwards alone.
            near[count, node] = sum(len(layers) ** (len(place).bit_length() - (own ^ mate).bit_length()) for mate in mates)
        matching = Matching(range(2 * len(layer)), edges)
        matching.least([near])
        chosen = dict(matching.settle(free, {node: node for node in range(2 * len(layer))}))
        seeded += sorted(layer, key=lambda one: chosen[list(layer).index(one)])
    return [player for _, player in seeded]


def _of_final_group(field: Field, finals: Sequence[Round], inside: Sequence[str]) -> list[Pairing]:
    pace = str(field.settings.get("pace", AT_ONCE))
    there = {player for table in finals[0].pairings for player in table.seats} if finals else set(inside)
    players = tuple(player for player in field.players if player in there)
    if len(players) < 2:
        return []
    found = _of_group(field, finals, FINAL_GROUP, players, pace)
    return [Pairing(number, seats, FINAL_GROUP) for number, seats in enumerate(found, 1)]


def rounds(field: Field) -> int:
    """Return how many rounds there are.

    Example:
        >>> names = tuple("abcdefghijklmnop")
        >>> rounds(Field(names, names))
        3
    """
    at_once = field.settings.get("pace", AT_ONCE) == AT_ONCE
    found = groups(field)
    staged = 1 if at_once else max((_length(field, len(inside)) for inside in found.values()), default=0)
    count = sum(min(len(inside), _number(field, "qualify", QUALIFY)) for inside in found.values())
    if field.settings.get("final", KNOCKOUT) == GROUP:
        return staged + (1 if at_once else _length(field, count))
    return staged + (table_elimination.rounds_for(field, count) if field.seats > 2 else max(count - 1, 0).bit_length())


def _length(field: Field, players: int) -> int:
    return len(schedule(tuple(map(str, range(players))), False)) if field.seats == 2 else _number(field, "games", GAMES)
