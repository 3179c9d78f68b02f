"""End of Game: the star, the last goods, and the result."""

from __future__ import annotations

from referee.kit import Match, step

STAR = 70


@step
def earn(m: Match, who: str, mg: int) -> None:
    """Unload one "Container"; CL-28, CL-29: the marker moves toward the star and stops there."""
    captain = m.table.captains[who]
    captain.mg = min(captain.mg + mg, STAR)
    m.table.quiet_turns = 0
    m.tell("earns", who=who, mg=mg, total=captain.mg)
    if captain.mg == STAR:
        m.do(reach_star(who=who))


@step
def reach_star(m: Match, who: str) -> None:
    """End of Game; CL-28: whoever reaches the star wins at once."""
    close(m, "star")


@step
def end_without_goods(m: Match) -> None:
    """End of Game; CL-30: the last two goods cards have left the game."""
    close(m, "no goods")


@step
def end_in_quiet(m: Match) -> None:
    """House rule; CL-31: too many turns went by in which nothing changed."""
    m.tell("quiet", turns=m.table.quiet_turns)
    close(m, "quiet")


def resign(m: Match, who: str) -> None:
    """House rule: who resigns loses, whatever the Megagalax say."""
    m.table.resigned = who
    m.tell("resigns", who=who)
    close(m, "resigned")


def close(m: Match, how: str) -> None:
    """End of Game: say who won, or that nobody did."""
    m.table.ended = how
    first = [seat for seat, result in score(m).items() if result["place"] == 1]
    m.tell("tie", seats=first) if len(first) > 1 else m.tell("wins", who=first[0], mg=m.table.captains[first[0]].mg)
    m.finish()


def score(m: Match) -> dict[str, dict[str, int]]:
    """End of Game; CL-30: more Megagalax, then more technologies, then a tie; who resigned comes last.

    Returns:
        For each seat its place (1 is best, equal is shared) and its points in Megagalax.
    """
    rank = {
        seat: (seat != m.table.resigned, captain.mg, len(captain.technologies))
        for seat, captain in m.table.captains.items()
    }
    best = sorted(rank.values(), reverse=True)
    return {seat: {"place": best.index(rank[seat]) + 1, "points": m.table.captains[seat].mg} for seat in m.seats}
