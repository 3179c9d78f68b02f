"""4. Hails."""

from typing import Any

from referee.kit import NUMBER, TEXT, Match, No, free_text, no, number, one_of, order

from .table import boat_of


def hails(m: Match, who: str) -> list[Any]:
    """4. What a captain may call over the water whoever is on turn."""
    return [toss, vow]


@order("toss {lanterns} to {captain}", lanterns=NUMBER, captain="captains", anytime=True)
def toss(m: Match, who: str, lanterns: int, captain: str) -> None:
    """4.1 Lanterns change boats."""
    boat_of(m, who).lanterns -= lanterns
    boat_of(m, captain).lanterns += lanterns
    m.tell("tosses", who=who, captain=captain, lanterns=lanterns)
    m.whisper(captain, "catches", captain=who, lanterns=lanterns)


@toss.offered
def may_toss(m: Match, who: str) -> dict[str, object] | No:
    """4.1 As many as there are, to any other captain."""
    held = boat_of(m, who).lanterns
    return {"lanterns": number(1, held), "captain": one_of(m.others(who))} if held else no("dark")


@order("vow {promise}", promise=TEXT, anytime=True)
def vow(m: Match, who: str, promise: str) -> None:
    """4.2 A promise in words, which binds nobody."""
    m.tell("vows", who=who, promise=promise)


@vow.offered
def may_vow(m: Match, who: str) -> dict[str, object]:
    """4.2 Any words."""
    return {"promise": free_text()}
