"""The Phantom Leagues: who is in one, who has agreed to travel together, and at whose place they have their turn."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from referee.kit import Match, no, order, step

from .mats import alive, captain_of
from .table import League

FEWEST = 2
"""A League has at least so many members (PL-97)."""


# Who is with whom


def league_of(m: Match, who: str) -> League | None:
    """The Phantom Leagues; PL-97: return the one League of a player, or nothing.

    Args:
        m: the match.
        who: the player.
    """
    found: League | None = next((league for league in m.table.leagues if who in league.members), None)
    return found


def companions(m: Match, who: str) -> list[str]:
    """Moving as a Group: return the others who have their turn together with a player, in turn order from him.

    They are in the same League, or have agreed to move with somebody who is; dead captains are with nobody.

    Args:
        m: the match.
        who: the player.
    """
    found, groups = {who}, [set(one.members) for one in (*m.table.leagues, *m.table.travels)]
    while any(found & group and not group <= found for group in groups):
        found.update(*[group for group in groups if found & group])
    living = alive(m)
    return [seat for seat in m.others(who) if seat in found and seat in living]


def home_of(m: Match, who: str) -> str:
    """Moving as a Group; PL-97: return the player at whose place in the order of play somebody has his turn.

    A League decides for all who travel with its members.
    """
    together = {who, *companions(m, who)}
    homes = [one.turn_of for one in (*m.table.leagues, *m.table.travels) if together & set(one.members)]
    return homes[0] if homes else who


def clockwise(m: Match, seats: Iterable[str]) -> list[str]:
    """Game Turn: return seats in the order of play."""
    found = set(seats)
    return [seat for seat in m.seats if seat in found]


# Forming and leaving


@step
def form_league(m: Match, members: list[str], turn_of: str, turns: int) -> None:
    """The Phantom Leagues; PL-97: players team up; from the next turn on they have their turn together.

    Args:
        m: the match.
        members: at least two living players, none of them in a League.
        turn_of: the member at whose place in the order of play the common turn is.
        turns: for how many common turns; 0 is without end.
    """
    check_members(members, turn_of)
    assert not any(league_of(m, who) or captain_of(m, who).dead for who in members), "a member of a League, or a dead one"
    members = clockwise(m, members)
    m.table.leagues.append(League(members=members, turn_of=turn_of, turns=turns))
    if turns:
        m.tell("league formed", members=members, place=turn_of, turns=turns)
    else:
        m.tell("open league formed", members=members, place=turn_of)


def check_members(members: Sequence[str], turn_of: str) -> None:
    """The Phantom Leagues; PL-97: assert that some players can team up; an offer that they cannot is refused before.

    Args:
        members: who teams up.
        turn_of: at whose place in the order of play the common turn is.
    """
    assert len(members) >= FEWEST, "a League of one"
    assert turn_of in members, "a League at the place of a stranger"


@step
def leave_league(m: Match, who: str) -> None:
    """The Phantom Leagues; PL-97: whoever leaves before its time is over breaks the agreement, and loses a level."""
    league = league_of(m, who)
    if league is None:
        return
    m.tell("leaves league", who=who, members=[seat for seat in league.members if seat != who])
    take_out(m, who, m.table.leagues)
    m.do(step.lose_recognition(who=who, by=1, why="left the League"))


@order("dissolve league", anytime=True)
def dissolve(m: Match, who: str) -> None:
    """The Phantom Leagues; PL-97: by the agreement of all members a League is over before its time, and nobody loses."""
    league = m.table.leagues[[who in one.members for one in m.table.leagues].index(True)]
    league.leaving.append(who)
    m.tell("would dissolve", who=who, members=[seat for seat in league.members if seat not in league.leaving])
    if set(league.members) <= set(league.leaving):
        drop(m, league)


@dissolve.offered
def may_dissolve(m: Match, who: str) -> Any:
    """The Phantom Leagues; PL-97: a member who has not said so before."""
    league = league_of(m, who)
    if league is None:
        return no("no league")
    return no("dissolving already") if who in league.leaving else {}


@step
def travel_together(m: Match, members: list[str], turn_of: str, turns: int) -> None:
    """Moving as a Group: players agree to move together for some turns without a League.

    Args:
        m: the match.
        members: at least two living players.
        turn_of: the one at whose place in the order of play the common turn is.
        turns: for how many common turns, at least one.
    """
    check_members(members, turn_of)
    members = clockwise(m, members)
    m.table.travels.append(League(members=members, turn_of=turn_of, turns=turns))
    m.tell("travel agreed", members=members, place=turn_of, turns=turns)


@step
def stop_travelling(m: Match, who: str, seat: str) -> None:
    """Moving as a Group: two players do not move together any more, because the agreement is broken."""
    for group in [one for one in m.table.travels if {who, seat} <= set(one.members)]:
        drop(m, group)


def take_out(m: Match, who: str, groups: Sequence[League]) -> None:
    """The Phantom Leagues; PL-97: somebody is no member any more; what is left of a group of two is none."""
    for group in [one for one in groups if who in one.members]:
        order = [*m.others(who), who]
        group.members = [seat for seat in group.members if seat != who]
        group.leaving = []
        if group.turn_of == who:
            group.turn_of = next(seat for seat in order if seat in group.members)
        if len(group.members) < FEWEST:
            drop(m, group)


def strike_off(m: Match, who: str) -> None:
    """Death of a Captain; PL-89: agreements end with the death of a captain, and nobody is blamed."""
    take_out(m, who, m.table.leagues)
    take_out(m, who, m.table.travels)


def drop(m: Match, group: League) -> None:
    """The Phantom Leagues; PL-97: a League, or an agreement to move together, is over."""
    if any(one is group for one in m.table.leagues):
        m.tell("league ends", members=group.members)
    else:
        m.tell("travel ends", members=group.members)
    m.table.leagues = [one for one in m.table.leagues if one is not group]
    m.table.travels = [one for one in m.table.travels if one is not group]


def end_term(m: Match, group: League) -> None:
    """The Phantom Leagues; PL-97: a League, or a journey together, ends with its last common turn, and nobody loses."""
    travelled = any(one is group for one in m.table.travels)
    drop(m, group)
    if travelled:
        m.do(step.journey_over(members=group.members, leader=group.turn_of))


def count_down(m: Match, members: Sequence[str]) -> None:
    """The Phantom Leagues; PL-97: a common turn is over; a League whose term is over ends free.

    Args:
        m: the match.
        members: those who had this turn together.
    """
    for group in (*m.table.leagues, *m.table.travels):
        if group.turns and len(set(group.members) & set(members)) >= FEWEST:
            group.turns -= 1
            if not group.turns:
                end_term(m, group)
