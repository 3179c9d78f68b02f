"""Agreements between players: answering proposals, what becomes of what was agreed, and Leagues; by order lines at any time."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, No, no, one_of, order, some_of, step

from .deals import AT_ONCE, SECRET, agreed, copies, hindrance, keep, other, settle, sworn
from .leagues import FEWEST, clockwise, dissolve, league_of
from .mats import alive, captain_of, is_straight
from .proposals import MOST_DEALS, TERMS, deliver, draft_of, first, new_draft, propose, too_many
from .table import Deal, Term


def anytime(m: Match, who: str) -> list[Any]:
    """Agreements between players: what a living captain may say to the others, whoever is on turn."""
    if not m.table.turn.who or captain_of(m, who).dead or len(alive(m)) < FEWEST:
        return []
    talks = [propose, propose_league, agree, reject, retract, counter, renege, settle_now, forgive, leave, dissolve]
    return [*talks, *(TERMS if draft_of(m, who) else ())]


# Answering it


def open_with(m: Match, who: str, *, mine: bool) -> dict[str, list[str]]:
    """Agreements: return by partner the numbers of the proposals that wait for an answer.

    Args:
        m: the match.
        who: the player.
        mine: whether he has made them; else they were made to him.
    """
    found: dict[str, list[str]] = {}
    for deal in captain_of(m, who).deals:
        if deal.state in (("offered", "joined") if mine else ("offered",)) and (deal.sender == who) == mine:
            found.setdefault(other(deal, who), []).append(str(deal.number))
    return found


def which(found: dict[str, list[str]]) -> Any:
    """Agreements: return the slots for a partner and the number of what stands between the two."""

    def numbers(chosen: dict[str, Any]) -> Any:
        return one_of(found.get(chosen["seat"], []), named=True)

    return {"seat": one_of(list(found)), "number": numbers}


def find(m: Match, who: str, seat: str, number: str) -> Deal:
    """Agreements: return a proposal or agreement by partner and number."""
    deals = [*captain_of(m, who).deals, *m.table.deals]
    return next(d for d in deals if {d.sender, d.to} == {who, seat} and d.number == int(number) and d.state != "draft")


def throw_away(m: Match, deal: Deal) -> None:
    """Agreements: a proposal is in no book any more."""
    same = copies(m, deal)
    for seat in (deal.sender, deal.to):
        captain = captain_of(m, seat)
        captain.deals = [one for one in captain.deals if not any(one is found for found in same)]


@order("agree with {seat} on {number}", seat="seats", number="turns", anytime=True)
def agree(m: Match, who: str, seat: str, number: str) -> None:
    """Agreements between players; PL-96: what was proposed is agreed, and what is for now is done."""
    deal = find(m, who, seat, number)
    if deal.members:
        join_league(m, deal)
        return
    same = copies(m, deal)
    for one in same:
        one.state = "agreed"
    m.whisper(seat, "agreed", partner=who, number=deal.number)
    m.whisper(who, "agreed", partner=seat, number=deal.number)
    if not m.options[SECRET]:
        publish(m, deal)
    begin_travel(m, deal)
    for index, term in enumerate(deal.terms):
        if term.does in AT_ONCE and not term.turn:
            keep(m, find_agreed(m, deal), index)


def find_agreed(m: Match, deal: Deal) -> Deal:
    """Agreements: return an agreement wherever it lies now; what is over lies nowhere."""
    mark = (deal.sender, deal.to, deal.number)
    return next((d for d in agreed(m, deal.sender) if (d.sender, d.to, d.number) == mark), deal)


def publish(m: Match, deal: Deal) -> None:
    """Agreements; PL-96: it is out of both books and on the table, for all to see."""
    throw_away(m, deal)
    m.table.deals.append(deal)
    m.reveal("agreement", who=deal.to, seat=deal.sender, number=deal.number)


def begin_travel(m: Match, deal: Deal) -> None:
    """Moving as a Group; PL-96: whoever promised to travel along does so from now on."""
    for term in deal.terms:
        if term.does == "along":
            to = other(deal, term.who)
            m.do(step.travel_together(members=clockwise(m, [term.who, to]), turn_of=to, turns=term.count))


@agree.offered
def may_agree(m: Match, who: str) -> Any:
    """Agreements between players: to what can be done now, as far as it is to be done now."""
    found = open_with(m, who, mine=False)
    if not found:
        return no("no proposal")

    def numbers(chosen: dict[str, Any]) -> Any:
        seat = chosen["seat"]
        refused = {number: why for number in found[seat] if (why := cannot_agree(m, who, seat, number))}
        return one_of([number for number in found[seat] if number not in refused], refused=refused, named=True)

    return {"seat": one_of(list(found)), "number": numbers}


def cannot_agree(m: Match, who: str, seat: str, number: str) -> No | None:
    """Agreements; PL-96: return why a proposal cannot be agreed to now, or nothing."""
    deal = find(m, who, seat, number)
    if deal.members:
        return no("in a league") if any(league_of(m, one) for one in deal.members) else None
    for term in deal.terms:
        if term.does in AT_ONCE and not term.turn and (why := hindrance(m, term, other(deal, term.who))):
            return why
    for one in (who, seat):
        due = sum(term.count for term in deal.terms if (term.who, term.does, term.turn) == (one, "pay", 0))
        if due > captain_of(m, one).money:
            return no("cannot pay that", who=one, money=captain_of(m, one).money)
    return None


@order("reject {seat} on {number}", seat="seats", number="turns", anytime=True)
def reject(m: Match, who: str, seat: str, number: str) -> None:
    """Agreements between players: a proposal is turned down."""
    deal = find(m, who, seat, number)
    throw_away(m, deal)
    m.whisper(seat, "rejected", partner=who, number=deal.number)
    m.whisper(who, "rejects", partner=seat, number=deal.number)


@order("counter {seat} on {number}", seat="seats", number="turns", anytime=True)
def counter(m: Match, who: str, seat: str, number: str) -> None:
    """Agreements between players: a proposal is turned down, and its terms are the own draft, to be changed and sent."""
    deal = find(m, who, seat, number)
    throw_away(m, deal)
    m.whisper(seat, "countered", partner=who, number=deal.number)
    draft = new_draft(m, who, seat)
    draft.terms = [term.copy() for term in deal.terms]
    m.whisper(who, "drafts", partner=seat)
    for index, term in enumerate(draft.terms, 1):
        m.whisper(who, "term", index=index, line=term.line)


@reject.offered
@counter.offered
def may_reject(m: Match, who: str) -> Any:
    """Agreements between players: what was proposed to the player."""
    found = open_with(m, who, mine=False)
    return which(found) if found else no("no proposal")


@order("retract from {seat} on {number}", seat="seats", number="turns", anytime=True)
def retract(m: Match, who: str, seat: str, number: str) -> None:
    """Agreements between players: an own proposal is taken back before it is answered."""
    deal = find(m, who, seat, number)
    throw_away(m, deal)
    m.whisper(seat, "retracted", partner=who, number=deal.number)
    m.whisper(who, "retracts", partner=seat, number=deal.number)


@retract.offered
def may_retract(m: Match, who: str) -> Any:
    """Agreements between players: what the player has proposed and nobody has answered."""
    found = open_with(m, who, mine=True)
    return which(found) if found else no("nothing proposed")


# What was agreed


def in_force_with(m: Match, who: str, wanted: Any) -> dict[str, list[str]]:
    """Agreements: return by partner the numbers of the agreements with a term that is wanted.

    Args:
        m: the match.
        who: the player.
        wanted: tells of an open term and its agreement whether it is.
    """
    found: dict[str, list[str]] = {}
    for deal in agreed(m, who):
        if any(term.state == "open" and wanted(deal, term) for term in deal.terms):
            found.setdefault(other(deal, who), []).append(str(deal.number))
    return found


@order("settle with {seat} on {number}", seat="seats", number="turns", anytime=True)
def settle_now(m: Match, who: str, seat: str, number: str) -> None:
    """Agreements; PL-96: what was promised for later and can be done now is done now."""
    for deal, index in sworn(m, who, seat, *AT_ONCE):
        if deal.number == int(number) and hindrance(m, deal.terms[index], seat) is None:
            keep(m, deal, index)


@settle_now.offered
def may_settle_now(m: Match, who: str) -> Any:
    """Agreements; PL-96: own promises that can be kept at this moment."""

    def can_be_kept(deal: Deal, term: Term) -> bool:
        return term.who == who and term.does in AT_ONCE and hindrance(m, term, other(deal, who)) is None

    found = in_force_with(m, who, can_be_kept)
    return which(found) if found else no("nothing to settle")


@order("renege with {seat} on {number}", seat="seats", number="turns", anytime=True)
def renege(m: Match, who: str, seat: str, number: str) -> None:
    """Agreements; PL-96: a player breaks an agreement knowingly, and loses a level."""
    mine = [(deal, index) for deal, index in sworn(m, who, seat) if deal.number == int(number)]
    for deal, index in mine[1:]:
        settle(m, deal, index, "broken")
    m.do(step.break_term(who=who, seat=seat, number=int(number), index=mine[0][1], why="reneged"))


@renege.offered
def may_renege(m: Match, who: str) -> Any:
    """Agreements; PL-50: anybody but Sir Frank."""
    if is_straight(m, who):
        return no("honest")
    found = in_force_with(m, who, lambda deal, term: term.who == who)
    return which(found) if found else no("nothing promised")


@order("forgive {seat} on {number}", seat="seats", number="turns", anytime=True)
def forgive(m: Match, who: str, seat: str, number: str) -> None:
    """Agreements between players: what another has promised need not be kept any more."""
    for deal, index in sworn(m, seat, who):
        if deal.number == int(number):
            settle(m, deal, index, "forgiven")
    m.whisper(seat, "forgiven", partner=who, number=int(number))
    m.whisper(who, "forgives", partner=seat, number=int(number))


@forgive.offered
def may_forgive(m: Match, who: str) -> Any:
    """Agreements between players: what was promised to the player."""
    found = in_force_with(m, who, lambda deal, term: term.who != who)
    return which(found) if found else no("nothing owed")


# Leagues


@order(
    "propose league with {members} on turn of {place} [for {turns}]",
    members="some seats", place="seats", turns="some turns", anytime=True,
)  # fmt: skip
def propose_league(m: Match, who: str, members: list[str], place: str, turns: list[str]) -> None:
    """The Phantom Leagues; PL-97: all who are asked have to agree before there is a League."""
    together = clockwise(m, [who, *members])
    for seat in members:
        deliver(m, Deal(sender=who, to=seat, members=together, place=place, turns=first(turns)))


@propose_league.offered
def may_propose_league(m: Match, who: str) -> Any:
    """The Phantom Leagues; PL-97: with players who are in no League, on the turn of one of them, with or without an end.

    Variants, Two Player Game: the two ships of a captain form his League already.
    """
    if m.options["two-ships"]:
        return no("two ships league")
    if league_of(m, who):
        return no("in a league")
    free = [seat for seat in alive(m) if seat != who and not league_of(m, seat)]
    if not free:
        return no("nobody for a league")
    room = MOST_DEALS - sum(len(numbers) for numbers in open_with(m, who, mine=True).values())

    def places(chosen: dict[str, Any]) -> Any:
        return one_of([who, *chosen["members"]])

    turns = some_of([str(turn) for turn in range(1, m.options["rounds"] + 1)], most=1, default=[])
    seats = some_of(free, least=1, most=room)
    return {"members": seats, "place": places, "turns": turns} if room > 0 else too_many(m, who)


def join_league(m: Match, deal: Deal) -> None:
    """The Phantom Leagues; PL-97: one has agreed; with the last one the League is formed."""
    for one in copies(m, deal):
        one.state = "joined"
    m.whisper(deal.to, "joins league", partner=deal.sender, number=deal.number)
    m.whisper(deal.sender, "joined league", partner=deal.to, number=deal.number)
    mark = (deal.members, deal.place, deal.turns)
    asked = [one for one in captain_of(m, deal.sender).deals if (one.members, one.place, one.turns) == mark]
    if {one.to for one in asked if one.state == "joined"} >= set(deal.members) - {deal.sender}:
        for one in asked:
            throw_away(m, one)
        m.do(step.form_league(members=deal.members, turn_of=deal.place, turns=deal.turns))


@order("quit league", anytime=True)
def leave(m: Match, who: str) -> None:
    """The Phantom Leagues; PL-97: whoever leaves before its time is over loses a level."""
    m.do(step.leave_league(who=who))


@leave.offered
def may_leave(m: Match, who: str) -> Any:
    """The Phantom Leagues; PL-50, PL-97: a member, but not Sir Frank."""
    if not league_of(m, who):
        return no("no league")
    return no("honest") if is_straight(m, who) else {}
