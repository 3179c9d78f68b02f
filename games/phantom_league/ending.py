"""Object of the game: who wins, and in what order the others follow."""

from __future__ import annotations

from collections.abc import Sequence

from referee.kit import Match

from .mats import alive, captain_of, has_ship, ship_of


def finish_game(m: Match, winners: Sequence[str], how: str) -> None:
    """Object of the game: the match is over.

    Args:
        m: the match.
        winners: the seats that win; nobody if all captains are dead.
        how: `recognition`, `last`, `dead` or `rounds`.
    """
    m.table.ended, m.table.winners = how, list(winners)
    if not winners:
        m.tell("nobody wins")
    elif how == "recognition":
        m.tell("wins", winners=m.table.winners)
    elif how == "last":
        m.tell("last one wins", winners=m.table.winners)
    else:
        m.tell("rounds are over", winners=m.table.winners)
    m.finish()


def win_if_last(m: Match) -> None:
    """Object of the game; PL-12: the last living captain wins; if none is alive nobody does."""
    left = alive(m)
    if len(left) <= 1 and not m.over:
        finish_game(m, left, "last" if left else "dead")


def standing(m: Match, who: str) -> tuple[int, ...]:
    """House rule; PL-11: rank the living before the dead, then Recognition, money and Structure."""
    captain = captain_of(m, who)
    structure = ship_of(m, who).structure if has_ship(m, who) else 0
    return (not captain.dead, captain.recognition, captain.money, structure)


def best(m: Match, seats: Sequence[str]) -> list[str]:
    """Object of the game; PL-11: of several seats those that stand best; equal ones share."""
    top = max(standing(m, seat) for seat in seats)
    return [seat for seat in seats if standing(m, seat) == top]


def end_in_rounds(m: Match) -> None:
    """House rule: after the last round whoever stands best wins."""
    finish_game(m, best(m, alive(m)), "rounds")


def score(m: Match) -> dict[str, dict[str, int]]:
    """Object of the game: winners first, then by what each reached; points are levels of Recognition."""
    rank = {seat: (seat in m.table.winners, *standing(m, seat)) for seat in m.seats}
    ordered = sorted(rank.values(), reverse=True)
    levels = {seat: captain_of(m, seat).recognition for seat in m.seats}
    return {seat: {"place": 1 + _before(ordered, rank[seat]), "points": levels[seat]} for seat in m.seats}


def _before(ordered: list[tuple[int, ...]], own: tuple[int, ...]) -> int:
    return sum(other[0] > own[0] or (not own[0] and other > own) for other in ordered)
