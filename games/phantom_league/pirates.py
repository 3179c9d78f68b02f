"""Pirates!: nests, ambushes, ransom; and ships of the Alliance."""

from __future__ import annotations

from typing import Any

from referee.kit import Match, No, no, one_of, order, step

from . import galaxy
from .choices import interrupted, lose_tokens
from .data import called, refusing, spelt
from .group import crew, dockers, stands
from .mats import (
    GOODS,
    captain_of,
    draw,
    drop_surplus,
    put_away,
    ship_of,
    spend,
    to_deck,
)
from .turn_state import gone, printed, turn_of

HALF, QUARTER = 2, 4


@step
def visit_nest(m: Match, who: str) -> None:
    """Pirates!, Moving Pirate nest; PL-34: before any Docking card whoever docks at a nest meets Pirates."""
    place = m.table.turn.docking.place
    coming = dockers(m, who)
    if coming and galaxy.is_nest(m, place):
        m.tell("nest", who=coming[0], place=place)
        m.do(meet_pirates(who=coming[0], docking=True))


@step
def meet_pirates(m: Match, who: str, docking: bool) -> None:
    """Pirates!: a random Pirate ship is drawn, seen by all; then the player pays or fights.

    Moving as a Group; PL-98: one ship for the whole group; each member pays or stands up to it, then those who stand fight.
    """
    met = dockers(m, who) if docking else crew(m, who)
    for raider in draw(m, "pirates") if met else ():
        put_away(m, "pirates", raider)
        m.reveal("pirates", who=who, raider=raider, name=m.components["raiders"][raider]["name"])
        fight = [fight_together(raider=raider, cause="ransom", docking=docking)] if len(met) > 1 else []
        m.do(*[face_pirates(who=seat, raider=raider, docking=docking) for seat in met], *fight)


@step
def face_pirates(m: Match, who: str, raider: str, docking: bool) -> Any:
    """Pirates!; PL-35: ransom of the player's choice, if he has all of it, or a battle."""
    if gone(m, who):
        return None
    words = {"raider": m.components["raiders"][raider]["name"], "money": money_claimed(m, who), "count": cargo_claimed(m, who)}
    fighting = fight_pirates.given(raider=raider, docking=docking)
    if all(isinstance(may(m, who, docking), No) for may in (may_ransom_money, may_ransom_cargo, may_ransom_improvement)):
        m.do(fight_pirates(who=who, raider=raider, docking=docking))
        return None
    offers = [*[ransom.given(docking=docking) for ransom in PAYING], fighting]
    return m.ask(who, "pirates", *offers, interrupts=interrupted(m, who), **words)


def money_claimed(m: Match, who: str) -> int:
    """Pirates!; PL-6, Spaceships, Desperado: half of the money, a quarter where they fear a ship, at least 50."""
    share = QUARTER if m.has("feared", who) else HALF
    return max(captain_of(m, who).money // share, printed(m, "ransom-money"))


def cargo_claimed(m: Match, who: str) -> int:
    """Pirates!, Mission-related cargo; PL-6: half of all tokens, at least one."""
    return max(aboard(m, who) // HALF, printed(m, "ransom-cargo"))


def aboard(m: Match, who: str) -> int:
    """Pirates!, Mission-related cargo: count the tokens on board, those of missions too."""
    return sum(ship_of(m, who).cargo.values())


@order("ransom money")
def ransom_money(m: Match, who: str, docking: bool) -> None:
    """Pirates!: they leave with the money."""
    money = money_claimed(m, who)
    spend(m, who, money)
    m.tell("ransom", who=who, what=f"{money} money")
    m.do(leave_in_peace(who=who, docking=docking))


@ransom_money.offered
def may_ransom_money(m: Match, who: str, docking: bool) -> Any:
    """Pirates!; PL-35: only in full."""
    money = money_claimed(m, who)
    return {} if captain_of(m, who).money >= money else no("too dear", price=money, money=captain_of(m, who).money)


@order("ransom cargo")
def ransom_cargo(m: Match, who: str, docking: bool) -> None:
    """Pirates!; PL-35: the player chooses the tokens."""
    count = cargo_claimed(m, who)
    m.tell("ransom", who=who, what=f"{count} tokens")
    m.do(lose_tokens(who=who, count=count, among=list(GOODS), why="ransom"), leave_in_peace(who=who, docking=docking))


@ransom_cargo.offered
def may_ransom_cargo(m: Match, who: str, docking: bool) -> Any:
    """Pirates!; PL-35: only with cargo on board."""
    return {} if aboard(m, who) >= cargo_claimed(m, who) else no("no cargo")


@order("ransom {improvement}", improvement="improvements")
def ransom_improvement(m: Match, who: str, docking: bool, improvement: str) -> None:
    """Pirates!: one installed Improvement; the card goes back into its deck."""
    ship = ship_of(m, who)
    ship.installed.remove(improvement)
    ship.broken = [card for card in ship.broken if card != improvement]
    ship.off = [card for card in ship.off if card != improvement]
    to_deck(m, improvement)
    m.tell("ransom", who=who, what=f"{m.components['improvements'][improvement]['name']} ({improvement})")
    m.do(leave_in_peace(who=who, docking=docking))
    drop_surplus(m, who)


@ransom_improvement.offered
def may_ransom_improvement(m: Match, who: str, docking: bool) -> Any:
    """Pirates!: what is installed; what is stored they do not want."""
    ship = ship_of(m, who)
    if not ship.installed:
        return no("no improvement")
    stored = {card: no("stored", improvement=card) for card in ship.stored}
    return {
        "improvement": one_of(
            ship.installed, refused=refusing(m, "improvements", stored), same=called(m, "improvements", ship.installed)
        )
    }


PAYING = (ransom_money, ransom_cargo, ransom_improvement)


@step
def leave_in_peace(m: Match, who: str, docking: bool) -> None:
    """Pirates!: they leave without fighting."""
    m.tell("pirates leave", who=who)
    if docking:
        turn_of(m, who).docking.paid = True


@order("fight")
def fight_pirates(m: Match, who: str, raider: str, docking: bool) -> None:
    """Pirates!: who does not pay must battle them."""
    if not stands(m, who):
        m.do(step.battle(attacker=raider, defender=who, cause="ransom"), after_fight(who=who, docking=docking))


@step
def after_fight(m: Match, who: str, docking: bool) -> None:
    """Pirates!; PL-36: docking goes on after a battle that was won or undecided, and fails after an escape."""
    if docking and not gone(m, who) and m.table.battle.outcome.get(who) == "escaped":
        m.do(step.fail_docking(who=who))


@step
def fight_together(m: Match, raider: str, cause: str, docking: bool) -> None:
    """Moving as a Group; PL-98: those who stand up to a non-player ship fight it side by side, each with his Battle deck.

    Args:
        m: the match.
        raider: the non-player ship; an Alliance Patroller if it is empty.
        cause: why there is a battle.
        docking: whether they are docking, which fails for those who escape.
    """
    standing, m.table.turn.beside = [seat for seat in m.table.turn.beside if not gone(m, seat)], []
    if not standing:
        return
    m.table.turn.beside = standing[1:]
    after = [after_fight(who=seat, docking=docking) for seat in standing]
    m.do(step.battle(attacker=raider or patroller(m), defender=standing[0], cause=cause), *after)


# The Alliance


@order("fight patrol")
def fight_patrol(m: Match, who: str, docking: bool) -> None:
    """Docking and Hyperspace cards, Alliance Patrol; PL-36: an Alliance Patroller is fought."""
    if not stands(m, who):
        m.do(step.battle(attacker=patroller(m), defender=who, cause="patrol"), after_fight(who=who, docking=docking))


def patroller(m: Match) -> str:
    """Non-player ships: return the card of an Alliance Patroller.

    Variants, More powerful Alliance: a random card of the Alliance deck instead.
    """
    if not m.options["powerful-alliance"]:
        return named_ship(m, "alliance patroller")
    [ship] = draw(m, "alliance")
    put_away(m, "alliance", ship)
    m.reveal("alliance ship", raider=ship, name=m.components["raiders"][ship]["name"])
    return ship


def named_ship(m: Match, name: str) -> str:
    """Non-player ships: return the first card with a name, as players type it."""
    return next(code for code, row in m.components["raiders"].items() if spelt(row["name"]) == name)
