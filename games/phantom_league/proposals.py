"""Proposals: writing an agreement term by term, and sending it (rulebook: Agreements between players).

A proposal is written line by line (`propose to bob`, `let alice pay 100`, `let bob keep peace until 9`, `send proposal`). Its
draft is known to its writer alone. What is sent is not changed any more: another proposal has another number.
"""

from __future__ import annotations

from typing import Any

from referee.kit import NUMBER, TEXT, Match, No, free_text, no, number, one_of, order, some_of

from .data import MOST, called
from .mats import GOODS, alive, captain_of
from .table import Deal, Term

MOST_TERMS = 12
MOST_MONEY = 10000
MOST_DEALS = 10
"""How many proposals a player may have open with all others together."""
FARTHEST = 50
"""A promise may be for so many own turns ahead."""


# Writing a proposal


def draft_of(m: Match, who: str) -> Deal | None:
    """Agreements: return the proposal that a player is writing, if he is."""
    return next((deal for deal in captain_of(m, who).deals if deal.state == "draft"), None)


def new_draft(m: Match, who: str, seat: str) -> Deal:
    """Agreements: begin a proposal; one that was begun before is thrown away."""
    captain = captain_of(m, who)
    draft = Deal(sender=who, to=seat, state="draft")
    captain.deals = [*(deal for deal in captain.deals if deal.state != "draft"), draft]
    return draft


@order("propose to {seat}", seat="seats", anytime=True)
def propose(m: Match, who: str, seat: str) -> None:
    """Agreements between players: a proposal is begun."""
    new_draft(m, who, seat)
    m.whisper(who, "drafts", partner=seat)


@propose.offered
def may_propose(m: Match, who: str) -> Any:
    """Agreements between players: to any other living captain, and not too many at once."""
    return too_many(m, who) or {"seat": one_of([seat for seat in alive(m) if seat != who], named=True)}


def too_many(m: Match, who: str) -> No | None:
    """Agreements: return that a player has too many proposals open, or nothing."""
    count = sum(deal.sender == who and deal.state in ("offered", "joined") for deal in captain_of(m, who).deals)
    return no("too many proposals", count=MOST_DEALS) if count >= MOST_DEALS else None


def add_term(m: Match, who: str, party: str, does: str, *, count: int = 0, what: str = "", turn: int = 0) -> None:
    """Agreements: write a term into the own draft, and read it back to the writer."""
    draft = draft_of(m, who)
    assert draft is not None, "a term without a draft"
    term = Term(who=party, does=does, count=count, what=what, turn=turn, line="")
    term.line = written(term)
    draft.terms.append(term)
    m.whisper(who, "term", index=len(draft.terms), line=term.line)


def written(term: Term) -> str:
    """Agreements: return the line by which a term is written."""
    pattern = WRITTEN[term.does].pattern
    pattern = pattern.replace("[", "").replace("]", "") if term.turn else pattern.partition(" [")[0]
    what = dict.fromkeys(("commodity", "improvement", "words"), term.what)
    return str(pattern.format(party=term.who, count=term.count, turn=term.turn, **what))


def parties(m: Match, who: str) -> Any:
    """Agreements: return the slot for who promises something: the writer or his partner; or why nothing can be added."""
    draft = draft_of(m, who)
    if draft is None:
        return no("no draft")
    return no("too many terms", count=MOST_TERMS) if len(draft.terms) >= MOST_TERMS else one_of([who, draft.to])


def later_turns(m: Match) -> Any:
    """Agreements: return the slot for a rule that is to be done at the end of an own turn of whoever promises; or at once."""

    def rule(chosen: dict[str, Any]) -> Any:
        return some_of([str(turn) for turn in turns_ahead(m, chosen["party"])], most=1, default=[])

    return rule


def turns_ahead(m: Match, party: str) -> range:
    """Agreements: return the own turns of a player that something can be promised for, the one that is going on included."""
    now = captain_of(m, party).turns
    return range(max(now, 1), min(now + FARTHEST, m.options["rounds"]) + 1)


def until(m: Match) -> Any:
    """Agreements: return the slot for the own turn with which a promise is over."""

    def rule(chosen: dict[str, Any]) -> Any:
        ahead = turns_ahead(m, chosen["party"])
        return number(ahead[0], ahead[-1])

    return rule


def slots(m: Match, who: str, **more: Any) -> Any:
    """Agreements: return the slots of a term, the party first; or why there can be none."""
    party = parties(m, who)
    return party if isinstance(party, No) else {"party": party, **more}


def first(turn: list[str]) -> int:
    """Return the own turn that a line names, 0 for at once."""
    return int(turn[0]) if turn else 0


@order("let {party} pay {count} [on turn {turn}]", party="seats", count=NUMBER, turn="some turns", anytime=True)
def let_pay(m: Match, who: str, party: str, count: int, turn: list[str]) -> None:
    """Agreements; PL-13, PL-96: money, at once or at the end of an own turn."""
    add_term(m, who, party, "pay", count=count, turn=first(turn))


@let_pay.offered
def may_let_pay(m: Match, who: str) -> Any:
    """Agreements; PL-96: any sum; whether it is there is seen when it is due."""
    return slots(m, who, count=number(1, MOST_MONEY), turn=later_turns(m))


@order(
    "let {party} give {count} {commodity} [on turn {turn}]",
    party="seats", count=NUMBER, commodity="commodities", turn="some turns", anytime=True,
)  # fmt: skip
def let_give(m: Match, who: str, party: str, count: int, commodity: str, turn: list[str]) -> None:
    """Agreements; PL-47, PL-96: tokens change ships in the same place."""
    add_term(m, who, party, "give", count=count, what=commodity, turn=first(turn))


@let_give.offered
def may_let_give(m: Match, who: str) -> Any:
    """Agreements; PL-96: any commodity."""
    return slots(m, who, count=number(1, MOST), commodity=one_of(GOODS), turn=later_turns(m))


@order(
    "let {party} hand {improvement} [on turn {turn}]",
    party="seats", improvement="improvements", turn="some turns", anytime=True,
)  # fmt: skip
def let_hand(m: Match, who: str, party: str, improvement: str, turn: list[str]) -> None:
    """Agreements; PL-46, PL-96: a stored Improvement changes ships in the same place."""
    add_term(m, who, party, "hand", what=improvement, turn=first(turn))


@let_hand.offered
def may_let_hand(m: Match, who: str) -> Any:
    """Agreements; PL-96: any Improvement that is on board of a ship."""
    aboard = [card for ship in m.table.ships.values() for card in [*ship.stored, *ship.installed]]
    cards = one_of(aboard, same=called(m, "improvements", aboard))
    return slots(m, who, improvement=cards, turn=later_turns(m)) if aboard else no("no improvement aboard")


@order("let {party} keep peace until {turn}", party="seats", turn=NUMBER, anytime=True)
def let_keep_peace(m: Match, who: str, party: str, turn: int) -> None:
    """Agreements; PL-96: no attack on the other, and no joining against him."""
    add_term(m, who, party, "peace", turn=turn)


@order("let {party} protect until {turn}", party="seats", turn=NUMBER, anytime=True)
def let_protect(m: Match, who: str, party: str, turn: int) -> None:
    """Agreements; PL-96: joining the other's side when he is attacked in the same hex."""
    add_term(m, who, party, "protect", turn=turn)


@order("let {party} tow until {turn}", party="seats", turn=NUMBER, anytime=True)
def let_tow(m: Match, who: str, party: str, turn: int) -> None:
    """Agreements; PL-96: one tow of the other's ship."""
    add_term(m, who, party, "tow", turn=turn)


@order("let {party} share loot until {turn}", party="seats", turn=NUMBER, anytime=True)
def let_share(m: Match, who: str, party: str, turn: int) -> None:
    """Agreements; PL-96: half of the tokens looted while the other is in the same hex."""
    add_term(m, who, party, "share", turn=turn)


@let_keep_peace.offered
@let_protect.offered
@let_tow.offered
@let_share.offered
def may_let_until(m: Match, who: str) -> Any:
    """Agreements; PL-96: up to the end of an own turn of whoever promises it."""
    return slots(m, who, turn=until(m))


@order("let {party} travel along for {count}", party="seats", count=NUMBER, anytime=True)
def let_travel(m: Match, who: str, party: str, count: int) -> None:
    """Moving as a Group; PL-96: so many common turns at the place of the other."""
    add_term(m, who, party, "along", count=count)


@let_travel.offered
def may_let_travel(m: Match, who: str) -> Any:
    """Moving as a Group; PL-96: a few turns."""
    if m.options["two-ships"]:
        return no("two ships league")
    return slots(m, who, count=number(1, FARTHEST))


@order("free {party}", party="seats", anytime=True)
def let_free(m: Match, who: str, party: str) -> None:
    """Blockading; PL-44, PL-96: the other lifts the blockade of a player's ship."""
    add_term(m, who, party, "free")


@let_free.offered
def may_let_free(m: Match, who: str) -> Any:
    """Blockading; PL-96: either of the two."""
    return slots(m, who)


@order("besides {words}", words=TEXT, anytime=True)
def besides(m: Match, who: str, words: str) -> None:
    """Agreements; PL-96: a term in words, which only people can judge."""
    add_term(m, who, who, "words", what=words)


@besides.offered
def may_add_words(m: Match, who: str) -> Any:
    """Agreements; PL-96: any words."""
    party = parties(m, who)
    return party if isinstance(party, No) else {"words": free_text()}


@order("strike {term}", term="turns", anytime=True)
def cross_out(m: Match, who: str, term: str) -> None:
    """Agreements: a term of the own draft is crossed out; the others keep their order."""
    draft = draft_of(m, who)
    assert draft is not None, "a term of no draft"
    del draft.terms[int(term) - 1]
    m.whisper(who, "crosses out", term=int(term), left=len(draft.terms))


@cross_out.offered
def may_cross_out(m: Match, who: str) -> Any:
    """Agreements: any term of the draft."""
    draft = draft_of(m, who)
    if draft is None or not draft.terms:
        return no("no draft")
    return {"term": one_of([str(index) for index in range(1, len(draft.terms) + 1)], named=True)}


# Sending it


@order("send proposal", anytime=True)
def send(m: Match, who: str) -> None:
    """Agreements between players: what was written is told to the one whom it is for."""
    draft = draft_of(m, who)
    assert draft is not None, "nothing to send"
    captain_of(m, who).deals.remove(draft)
    deliver(m, draft)


@send.offered
def may_send(m: Match, who: str) -> Any:
    """Agreements between players: with at least one term."""
    draft = draft_of(m, who)
    return (too_many(m, who) or {}) if draft is not None and draft.terms else no("no draft")


def deliver(m: Match, deal: Deal) -> None:
    """Agreements: number a proposal, write it into both books, and read it to the one whom it is for."""
    counts = [captain_of(m, seat).talked for seat in (deal.sender, deal.to)]
    deal.number, deal.state = counts[0].get(deal.to, 0) + 1, "offered"
    counts[0][deal.to] = counts[1][deal.sender] = deal.number
    for seat in (deal.sender, deal.to):
        captain_of(m, seat).deals.append(deal.copy())
    m.whisper(deal.sender, "proposal sent", partner=deal.to, number=deal.number)
    if deal.members:
        told = {"members": deal.members, "place": deal.place, "turns": deal.turns, "number": deal.number}
        m.whisper(deal.to, "league proposed" if deal.turns else "open league proposed", partner=deal.sender, **told)
    else:
        m.whisper(deal.to, "proposal", partner=deal.sender, number=deal.number)
        for index, term in enumerate(deal.terms, 1):
            m.whisper(deal.to, "term", index=index, line=term.line)


# The lines

WRITTEN = {
    "pay": let_pay, "give": let_give, "hand": let_hand, "peace": let_keep_peace, "protect": let_protect, "tow": let_tow,
    "share": let_share, "along": let_travel, "free": let_free, "words": besides,
}  # fmt: skip
"""The order that writes each kind of term."""
TERMS = (
    let_pay, let_give, let_hand, let_keep_peace, let_protect, let_tow, let_share, let_travel, let_free,
    besides, cross_out, send,
)  # fmt: skip
