"""End of the Game: the empty row, the deadlock, the result."""

from __future__ import annotations

from referee.kit import Match, step

from .squares import complete


@step
def end_with_row(m: Match) -> None:
    """End of the Game; KM-14: at once when the space row is empty."""
    m.tell("row empty")
    close(m, "row empty")


@step
def end_stuck(m: Match) -> None:
    """House rule; KM-15: all have passed, and nobody can or will go on."""
    m.tell("deadlock", turns=m.table.passes)
    close(m, "deadlock")


def stations(m: Match, who: str) -> int:
    """End of the Game; KM-16: count the whole stations on a player's fully open planets."""
    return sum(planet.stations for planet in m.table.players[who].planets.values() if complete(planet))


def close(m: Match, how: str) -> None:
    """End of the Game: say who won, or who shares the victory."""
    m.table.ended = how
    for seat in m.seats:
        m.tell("counts", who=seat, stations=stations(m, seat))
    first = [seat for seat, result in score(m).items() if result["place"] == 1]
    m.tell("shared", seats=first) if len(first) > 1 else m.tell("wins", who=first[0])
    m.finish()


def score(m: Match) -> dict[str, dict[str, int]]:
    """End of the Game; KM-16: most stations win, equal ones share; who resigned comes after all others.

    Returns:
        For each seat its place (1 is best, equal is shared) and its points in stations.
    """
    rank = {seat: (seat not in m.table.resigned, stations(m, seat)) for seat in m.seats}
    best = sorted(rank.values(), reverse=True)
    return {seat: {"place": best.index(rank[seat]) + 1, "points": rank[seat][1]} for seat in m.seats}


def resign(m: Match, who: str) -> None:
    """House rule: who resigns takes no more turns; the planets stay where they lie, and the last one left has won."""
    m.table.resigned.append(who)
    m.tell("resigns", who=who)
    if len(m.seats) - len(m.table.resigned) == 1:
        close(m, "resigned")
    elif m.table.turn.who == who:
        m.cancel(step.take(who=who))
