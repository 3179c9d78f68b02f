"""Agreements between players: whose promises there are, and what keeps or breaks them (rulebook: Agreements between players).

A proposal is known to the two who talk, and lies in both their books. What was agreed lies on the table for all to see, or
stays in the two books if the match plays with secret agreements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from referee.kit import Match, No, no, step

from . import galaxy
from .mats import (
    ILLEGAL,
    captain_of,
    free_space,
    has_ship,
    is_straight,
    move_cargo,
    note_deed,
    pay,
    ship_of,
)
from .table import Deal, Term
from .trade import forget_purchases

SECRET = "secret-agreements"
AT_ONCE = ("pay", "give", "hand", "free")
"""What can be done at the moment when an agreement is made."""
FREES_ITSELF = ("peace", "protect", "share", "along")
"""What is kept by not having been broken when its term is over."""


# Whose there are


def other(deal: Deal, who: str) -> str:
    """Agreements: return the partner of a player in an agreement or proposal."""
    return deal.to if deal.sender == who else deal.sender


def agreed(m: Match, who: str) -> list[Deal]:
    """Agreements: return the agreements of a player that are in force, those that only the two know among them.

    Args:
        m: the match.
        who: the player.
    """
    public = [deal for deal in m.table.deals if who in (deal.sender, deal.to)]
    return [*public, *(deal for deal in captain_of(m, who).deals if deal.state == "agreed")]


def copies(m: Match, deal: Deal) -> list[Deal]:
    """Agreements: return the same proposal or agreement wherever it is written down."""
    found = list(m.table.deals)
    for seat in dict.fromkeys((deal.sender, deal.to)):
        found += captain_of(m, seat).deals
    mark = (deal.sender, deal.to, deal.number, deal.state)
    return [one for one in found if (one.sender, one.to, one.number, one.state) == mark]


def promises(m: Match, who: str, *does: str) -> Iterator[tuple[Deal, int]]:
    """Agreements: yield what a player still has to keep, each as agreement and number of the term, from 0.

    Args:
        m: the match.
        who: the player who promised it.
        does: the kinds to look at; all if none is named.
    """
    for deal in agreed(m, who):
        for index, term in enumerate(deal.terms):
            if term.who == who and term.state == "open" and (not does or term.does in does):
                yield deal, index


def sworn(m: Match, who: str, to: str, *does: str) -> list[tuple[Deal, int]]:
    """Agreements: return what a player still has to keep towards another."""
    return [(deal, index) for deal, index in promises(m, who, *does) if other(deal, who) == to]


# What a term takes


def hindrance(m: Match, term: Term, to: str) -> No | None:
    """Agreements: say why a promise cannot be kept at this moment, or return nothing.

    Args:
        m: the match.
        term: the promise.
        to: whom it was given to.
    """
    who, captain = term.who, captain_of(m, term.who)
    if term.does == "pay":
        return None if captain.money >= term.count else no("cannot pay that", who=who, money=captain.money)
    if term.does == "free":
        return None if holds(m, to, who) else no("holds nobody", who=to, seat=who)
    if not has_ship(m, who) or not has_ship(m, to) or ship_of(m, who).place != ship_of(m, to).place:
        return no("not beside", who=who, seat=to)
    return goods_hindrance(m, term, to) if term.does == "give" else card_hindrance(m, term)


def goods_hindrance(m: Match, term: Term, to: str) -> No | None:
    """Agreements; PL-47, PL-50: tokens that are there, space for them, and nothing illegal with Sir Frank."""
    if ship_of(m, term.who).cargo.get(term.what, 0) < term.count:
        return no("lacks tokens", who=term.who, goods=term.what)
    if term.what in ILLEGAL and (is_straight(m, to) or is_straight(m, term.who)):
        return no("honest")
    return no("lacks space", who=to) if free_space(m, to) < term.count else None


def card_hindrance(m: Match, term: Term) -> No | None:
    """Agreements; PL-46: an Improvement that is stored and not installed."""
    return None if term.what in ship_of(m, term.who).stored else no("lacks card", who=term.who, card=term.what)


def holds(m: Match, who: str, seat: str) -> bool:
    """Blockading: tell whether a player's ship holds another's."""
    return has_ship(m, seat) and captain_of(m, who).ship in ship_of(m, seat).blockaders


# Keeping


def keep(m: Match, deal: Deal, index: int) -> None:
    """Agreements: a promise is kept; what changes hands does so now."""
    term = deal.terms[index]
    to = other(deal, term.who)
    if term.does == "pay":
        pay(m, term.who, to, term.count)
        m.reveal("pays", who=term.who, seat=to, money=term.count)
        if term.count >= m.components["numbers"]["extorted"]["value"]:
            note_deed(m, to, "extorted")
    elif term.does == "give":
        m.reveal("transfers", who=term.who, seat=to, count=move_cargo(m, term.who, to, term.what, term.count), goods=term.what)
        forget_purchases(m, term.who, term.what)
    elif term.does == "hand":
        ship_of(m, term.who).hand_over(term.what, ship_of(m, to))
        name = m.components["improvements"][term.what]["name"]
        m.reveal("transfers card", who=term.who, seat=to, improvement=term.what, name=name)
    elif term.does == "free":
        ship = ship_of(m, term.who)
        ship.blockaders = [name for name in ship.blockaders if name != captain_of(m, to).ship]
        m.reveal("freed", who=term.who, seat=to)
    settle(m, deal, index, "kept")


def settle(m: Match, deal: Deal, index: int, state: str) -> None:
    """Agreements: note what became of a promise; an agreement of which nothing is left to keep is over."""
    same = copies(m, deal)
    for one in same:
        one.terms[index].state = state
    term = deal.terms[index]
    if term.does == "along" and state != "kept":
        m.do(step.stop_travelling(who=term.who, seat=other(deal, term.who)))
    if not any(term.state == "open" for term in deal.terms):
        for one in same:
            one.state = "over"
        m.table.deals = [one for one in m.table.deals if one.state != "over"]
        for seat in (deal.sender, deal.to):
            captain = captain_of(m, seat)
            captain.deals = [one for one in captain.deals if one.state != "over"]
            m.whisper(seat, "agreement over", partner=other(deal, seat), number=deal.number)


# Breaking


def break_promise(m: Match, deal: Deal, index: int, why: str) -> None:
    """Agreements; PL-96: whoever fails to keep a promise loses a level, also if it has become impossible.

    Args:
        m: the match.
        deal: the agreement.
        index: which of its terms, from 0.
        why: a key of the words.
    """
    who = deal.terms[index].who
    to = other(deal, who)
    m.reveal("breaks agreement", who=who, seat=to, number=deal.number, why=why)
    m.whisper(to, "wronged", partner=who, number=deal.number)
    settle(m, deal, index, "broken")
    m.do(step.lose_recognition(who=who, by=1, why="breach"))


def break_all(m: Match, who: str, to: str, *does: str, why: str) -> None:
    """Agreements; PL-96: break every promise of some kinds that a player gave another; each agreement once."""
    found = sworn(m, who, to, *does)
    for number in dict.fromkeys(deal.number for deal, _ in found):
        indexes = [(deal, index) for deal, index in found if deal.number == number]
        for deal, index in indexes[1:]:
            settle(m, deal, index, "broken")
        break_promise(m, *indexes[0], why=why)


@step
def break_term(m: Match, who: str, seat: str, number: int, index: int, why: str) -> None:
    """Agreements; PL-96: a promise is broken knowingly."""
    for deal, at in sworn(m, who, seat):
        if (deal.number, at) == (number, index):
            break_promise(m, deal, at, why)


@step
def keep_due(m: Match, who: str) -> None:
    """Agreements; PL-96, PL-T30: at the end of an own turn what was promised for it is kept, or the agreement is broken."""
    if not captain_of(m, who).dead:
        turn = captain_of(m, who).turns
        found = [(deal, index) for deal, index in promises(m, who) if 0 < deal.terms[index].turn <= turn]
        m.do(*[keep_term(who=who, seat=other(deal, who), number=deal.number, index=index) for deal, index in found])


@step
def keep_term(m: Match, who: str, seat: str, number: int, index: int) -> None:
    """Agreements; PL-96: one promise that is due now."""
    found = next(((d, i) for d, i in sworn(m, who, seat) if (d.number, i) == (number, index)), None)
    if found is None:
        return
    term = found[0].terms[index]
    if term.does in FREES_ITSELF:
        m.whisper(who, "promise over", partner=seat, number=number)
        m.whisper(seat, "promise over", partner=who, number=number)
        settle(m, *found, "kept")
    elif term.does in AT_ONCE and hindrance(m, term, seat) is None:
        keep(m, *found)
    else:
        break_promise(m, *found, why="not kept")


# What others do


def note_attack(m: Match, who: str, enemies: Sequence[str]) -> None:
    """Battles; PL-96: fighting somebody to whom peace was promised breaks the agreement."""
    for enemy in enemies:
        break_all(m, who, enemy, "peace", why="attack")


def note_absence(m: Match, who: str, victims: Sequence[str]) -> None:
    """Multiple players in battle; PL-96: whoever promised protection and does not stand by breaks the agreement."""
    for victim in victims:
        break_all(m, who, victim, "protect", why="no protection")


def note_tow(m: Match, who: str, seat: str) -> None:
    """Towing Ships; PL-96: a tow that was promised has been given."""
    for deal, index in sworn(m, who, seat, "tow"):
        settle(m, deal, index, "kept")


def note_staying(m: Match, who: str, leader: str) -> None:
    """Moving as a Group; PL-96: whoever promised to travel along and stays behind breaks the agreement."""
    break_all(m, who, leader, "along", why="stayed behind")


@step
def journey_over(m: Match, members: list[str], leader: str) -> None:
    """Moving as a Group; PL-96: players have moved together as often as they agreed to; that promise is kept."""
    for who in [seat for seat in members if seat != leader]:
        for deal, index in sworn(m, who, leader, "along")[:1]:
            settle(m, deal, index, "kept")


def share_loot(m: Match, who: str, tokens: dict[str, int]) -> None:
    """Looting a wreck; PL-96: half of the tokens looted, rounded down, goes to a partner in the same hex, as space allows.

    Args:
        m: the match.
        who: the looter.
        tokens: how many of each commodity he has looted.
    """
    for deal, _ in list(promises(m, who, "share")):
        to = other(deal, who)
        if has_ship(m, to) and galaxy.hex_of(m, ship_of(m, to).place) == galaxy.hex_of(m, ship_of(m, who).place):
            for goods, count in tokens.items():
                share_token(m, who, to, goods, count // 2)


def share_token(m: Match, who: str, to: str, goods: str, count: int) -> None:
    """Looting a wreck; PL-50, PL-96: what nobody straight may carry, and what finds no space, stays where it is."""
    if goods in ILLEGAL and is_straight(m, to):
        return
    taken = move_cargo(m, who, to, goods, min(count, ship_of(m, who).cargo.get(goods, 0)))
    forget_purchases(m, who, goods)
    if taken:
        m.reveal("shares loot", who=who, seat=to, count=taken, goods=goods)


def is_bound(m: Match, who: str, to: str, *does: str) -> bool:
    """Captain cards, Sir Frank Elderberg IV; PL-50: tell whether a straight captain has promised what he will not break."""
    return is_straight(m, who) and bool(sworn(m, who, to, *does))


def strike_deals(m: Match, who: str) -> None:
    """Death of a Captain; PL-89: agreements and proposals end with the death of a captain, and nobody is blamed."""
    m.table.deals = [deal for deal in m.table.deals if who not in (deal.sender, deal.to)]
    for seat, captain in m.table.captains.items():
        captain.deals = [deal for deal in captain.deals if seat != who and who not in (deal.sender, deal.to, *deal.members)]


def check_deals(m: Match) -> None:
    """Assert that both who talk have the same in their books, and that no dead captain has agreed to anything."""
    for who in m.seats:
        for deal in captain_of(m, who).deals:
            assert who in (deal.sender, deal.to), "a proposal in the book of a stranger"
            assert deal.state == "draft" or len(copies(m, deal)) == 2, "a proposal that only one of the two knows"
    for deal in m.table.deals:
        assert not any(captain_of(m, seat).dead for seat in (deal.sender, deal.to)), "an agreement of a dead captain"
