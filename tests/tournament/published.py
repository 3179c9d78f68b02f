"""Published tables, and values of tie-breaks that others calculated from them.

The Swiss tournament and the round robin are those of IA Mario Held, "Exercises in Tie-Breaking" (FIDE Technical Commission,
22 March 2024, https://tec.fide.com/2024/03/18/tie-break-exercise/), sections 2.1 and 2.2: sixteen players, five rounds, with
free rounds, forfeits and a withdrawal; and six players with one forfeit. The solutions there follow the regulations of 2023.
Those of 1 March 2026 limit what a dummy has (article 16.4), which changes the values of three players; for these, the values
are those of the test suites of Sharly Chess and of TieBreakServer, which agree wherever both have one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from referee.tournament.rounds import Field, Outcome, Pairing, Round

SWISS = """
1  +W9   =B13  =W2   +B15  =W4
2  +B10  +W7   =B1   +W16  =B3
3  =W11  +B6   +W8   =B4   =W2
4  +B12  =BYE  +W13  =W3   =B1
5  -W13  -B15  +W11  =B7   +W10
6  -B14  -W3   +BYE  +W10  +B8
7  +W15  -B2   -B16  =W5   -B11
8  =B16  +W14  -B3   +W13  -W6
9  -B1   -W10  =BYE  -F11  +BYE
10 -W2   +B9   -W15  -B6   -B5
11 =B3   -W16  -B5   +F9   +W7
12 -W4   +BYE  +F14  --    --
13 +B5   =W1   -B4   -B8   -W14
14 +W6   -B8   -F12  --    +B13
15 -B7   +W5   +B10  -W1   -B16
16 =W8   +B11  +W7   -B2   +W15
"""
"""Section 2.1: + = - for win, draw and loss; W and B for the seat; F for a forfeit; BYE, won if the pairing gave it and drawn
if it was asked for; -- for a round in which the player was not there."""

ROUND_ROBIN = """
1 =W5 +W2 +B3 -W4 +B6
2 +W6 -B1 +W5 =W3 +B4
3 +W4 +B6 -W1 =B2 +W5
4 -B3 -B5 =W6 +B1 -W2
5 =B1 +W4 -B2 -F6 -B3
6 -B2 -W3 =B4 +F5 -W1
"""
"""Section 2.2."""

SWISS_NINE = """
1  +W9  =B13 =W2  +B15 =W4  =B6  =B3  =W16 +B8
2  +B10 +W7  =B1  +W16 +B3  =W4  -W6  =B15 =W5
3  =W11 +B6  +W8  =B4  -W2  +B16 =W1  +W14 +B10
4  +B12 =BYE +W13 =W3  =B1  =B2  =W16 =B6  +W15
5  -W13 -B15 +W11 =B7  +W10 -B14 +B9  -W8  =B2
6  -B14 -W3  +BYE +W10 +B8  =W1  +B2  =W4  +B16
7  +W15 -B2  -B16 =W5  -B11 -B10 +W13 +W9  +B14
8  =B16 +W14 -B3  +W13 -W6  =B11 =W15 +B5  -W1
9  -B1  -W10 =BYE -F11 +BYE +B13 -W5  -B7  =W12
10 -W2  +B9  -W15 -B6  -B5  +W7  +B12 +W11 -W3
11 =B3  -W16 -B5  +F9  +W7  =W8  -B14 -B10 =W13
12 -W4  +BYE +F14 --   --   -B15 -W10 =B13 =B9
13 +B5  =W1  -B4  -B8  -W14 -W9  -B7  =W12 =B11
14 +W6  -B8  -F12 --   +B13 +W5  +W11 -B3  -W7
15 -B7  +W5  +B10 -W1  -B16 +W12 =B8  =W2  -B4
16 =W8  +B11 +W7  -B2  +W15 -W3  =B4  =B1  -W6
"""
"""The same players after nine rounds, for exercise 25."""


def read(text: str) -> Field:
    """Return the event of a crosstable."""
    rows = {line.split()[0]: line.split()[1:] for line in text.strip().splitlines()}
    count = len(next(iter(rows.values())))
    rounds = tuple(
        _round(number, {player: cells[number - 1] for player, cells in rows.items()}) for number in range(1, count + 1)
    )
    players = tuple(rows)
    return Field(players, players[::-1], rounds, {"rounds": count})


def _round(number: int, cells: Mapping[str, str]) -> Round:
    pairings, outcomes = [], {}
    for table, (player, cell) in enumerate(_firsts(cells), 1):
        seats, outcome = _table(table, player, cell, cells)
        pairings.append(Pairing(table, seats))
        outcomes[table] = outcome
    return Round(number, tuple(pairings), outcomes)


def _firsts(cells: Mapping[str, str]) -> Iterable[tuple[str, str]]:
    """Yield one player of each table: white, or the one of a forfeit who came first in the table."""
    for player, cell in cells.items():
        other = cell[2:]
        if cell[1:2] == "W" or cell.endswith("BYE") or (cell[1:2] == "F" and int(player) < int(other)):
            yield player, cell


def _table(table: int, player: str, cell: str, cells: Mapping[str, str]) -> tuple[tuple[str, ...], Outcome]:
    if cell.endswith("BYE"):
        return (player,), Outcome(table, {player: 1}, how="bye", absent=() if cell[0] == "+" else (player,))
    other = cell[2:]
    places = {"+": {player: 1, other: 2}, "=": {player: 1, other: 1}, "-": {player: 2, other: 1}}[cell[0]]
    if cell[1] == "F":
        return (player, other), Outcome(table, places, how="forfeit", absent=(other if cell[0] == "+" else player,))
    return (player, other), Outcome(table, places)
