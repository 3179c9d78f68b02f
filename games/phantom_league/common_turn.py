"""Game Turn with Phantom Leagues in it: whose turn is next, and the turn that members have together."""

from __future__ import annotations

from referee.kit import Match, step

from .leagues import FEWEST, companions, count_down, home_of
from .mats import alive, captain_of
from .table import new_turn
from .turn_state import end_blockade, gone

# Whose turn it is


def still_due(m: Match) -> list[str]:
    """Game Turn: return the living who have had fewer turns than others, and all of them when a round is over."""
    living = alive(m)
    fewest = min(captain_of(m, seat).turns for seat in living)
    return [seat for seat in living if captain_of(m, seat).turns == fewest]


def next_place(m: Match, who: str) -> str:
    """Game Turn; PL-97: return the player at whose place in the order of play the next turn is.

    Everybody has one turn in each round: who joins or leaves a League loses none and gains none by it. A common turn is at the
    place of the member who was chosen; whoever is still due when the round is over has his turn then.

    Args:
        m: the match.
        who: the player at whose place the last turn was.
    """
    waiting, first = still_due(m), m.table.first or m.others(who)[0]
    order = [first, *m.others(first)]
    passed = [] if waiting == alive(m) else order[: order.index(who) + 1]
    ahead = [seat for seat in order if seat not in passed and has_turn_at(m, seat, waiting, passed)]
    return (ahead or [seat for seat in order if seat in waiting])[0]


def has_turn_at(m: Match, seat: str, waiting: list[str], passed: list[str]) -> bool:
    """Game Turn; PL-97: tell whether anybody has a turn at a player's place; alone if that of his League is over already."""
    home = home_of(m, seat)
    if home == seat:
        return bool({seat, *companions(m, seat)} & set(waiting))
    return seat in waiting and home in passed


def who_has_turn(m: Match, seat: str) -> list[str]:
    """The Phantom Leagues; PL-98: return those who have the turn at a player's place, in turn order from him."""
    if home_of(m, seat) != seat:
        return [seat]
    waiting = still_due(m)
    return [one for one in (seat, *companions(m, seat)) if one in waiting]


# The common turn


@step
def take_common_turn(m: Match, place: str, members: list[str]) -> None:
    """The Phantom Leagues; PL-20, PL-98: start effects for all, then each member his part: movement, then actions.

    Args:
        m: the match.
        place: the player at whose place in the order of play it is.
        members: who has this turn, the leader of it first.
    """
    starts = [frame for who in members for frame in (step.recover(who=who), step.start_effects(who=who))]
    parts = [frame for who in members for frame in (take_part(who=who), step.choose(who=who), end_part(who=who))]
    m.do(begin_common_turn(place=place, members=members), *starts, *parts, end_common_turn(place=place, members=members))


@step
def begin_common_turn(m: Match, place: str, members: list[str]) -> None:
    """The Phantom Leagues; PL-43, PL-98: it is the own turn of each member, so that blockades that they keep up are over."""
    number = m.table.turn.number + 1
    m.table.turns = {who: new_turn() for who in members}
    for who, turn in m.table.turns.items():
        captain_of(m, who).turns += 1
        turn.who, turn.number, turn.phase = who, number, "movement"
    m.table.turn = m.table.turns.pop(members[0])
    if len(members) < FEWEST:
        m.tell("turn", who=members[0], number=number, own=captain_of(m, members[0]).turns)
    else:
        m.tell("common turn", number=number, members=members)
    for who in members:
        end_blockade(m, who)


@step
def take_part(m: Match, who: str) -> None:
    """The Phantom Leagues; PL-98: now a member has his own movement, unless he moved along, and his own actions."""
    if who in m.table.turns:
        m.table.turn = m.table.turns.pop(who)
        if not gone(m, who):
            m.tell("part", who=who)


@step
def end_part(m: Match, who: str) -> None:
    """The Phantom Leagues; PL-98: a member has done what he wanted."""
    m.do(step.keep_due(who=who), step.wait_for_aliens(who=who))


@step
def end_common_turn(m: Match, place: str, members: list[str]) -> None:
    """The Phantom Leagues; PL-97: the turn of all members is over, and maybe the term of their League."""
    m.table.turns = {}
    m.do(step.next_turn(who=place))
    count_down(m, members)
