"""Missions: drawn, begun, fulfilled in parts, claimed, exchanged (rulebook: Missions)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.kit import OBSERVER, Match, No, no, order, step

from .docked import PLANET, do_business, not_docked
from .galaxy import body, distance, faction, has, hex_of, is_known, known_systems, ring, systems
from .improvements import cards, named
from .mats import (
    GOODS,
    ILLEGAL,
    captain_of,
    draw,
    free_space,
    gain_cargo,
    is_straight,
    lose_cargo,
    put_away,
    ship_of,
    spend,
)
from .table import Mission
from .trade import forget_purchases, times

HAND = 3
EXPLORED, GIANT = "explored", "explored gas giant"


# Drawing


@step
def draw_missions(m: Match, who: str, count: int) -> None:
    """Missions; Drawing new Missions; PL-19: only their owner sees them."""
    captain, codes = captain_of(m, who), []
    for _ in range(count):
        codes += draw(m, "missions")
    captain.missions += [Mission(known=[who], code=code, drawn=captain.turns) for code in codes]
    m.reveal("draws missions", who=who, count=len(codes), to={who: {"missions": named(m, "missions", codes)}})


@step
def tip_off(m: Match, who: str) -> None:
    """Docking cards, Tip-off: draw a Mission, then discard one of all that are held."""
    before = len(captain_of(m, who).missions)
    m.do(draw_missions(who=who, count=1), choose_discard(who=who, before=before))


@step
def choose_discard(m: Match, who: str, before: int) -> Any:
    """Docking cards, Tip-off: if a Mission was drawn, its captain chooses which one goes."""
    return m.ask(who, "tip", put_back) if len(captain_of(m, who).missions) > max(before, 1) else None


@order("put back {mission}", mission="missions")
def put_back(m: Match, who: str, mission: str) -> None:
    """Docking cards, Tip-off: a Mission goes on the discards."""
    lay_off(m, who, mission)


@put_back.offered
def may_put_back(m: Match, who: str) -> Any:
    """Docking cards, Tip-off: any own Mission."""
    return {"mission": cards(m, "missions", held(m, who), {})}


@step
def show_missions(m: Match, who: str) -> None:
    """Aliens, Mind Probe: all own Missions are shown."""
    for mission in captain_of(m, who).missions:
        mission.known = [*m.seats, OBSERVER]
    m.reveal("shows missions", of=who, who=who, missions=named(m, "missions", held(m, who)))


def held(m: Match, who: str) -> list[str]:
    """Missions: return the codes of a captain's Missions."""
    return [mission.code for mission in captain_of(m, who).missions]


def mission_of(m: Match, who: str, code: str) -> Mission:
    """Missions: return one of a captain's Missions."""
    return next(mission for mission in captain_of(m, who).missions if mission.code == code)


def slot_of(m: Match, who: str, code: str) -> int:
    """Missions: return the number of a Mission among its captain's, from 1; all see at each when it came, and deeds since."""
    return held(m, who).index(code) + 1


def lay_off(m: Match, who: str, *codes: str) -> None:
    """Missions: Missions go on the open discards; everybody sees which ones of the captain's they were."""
    captain, slots = captain_of(m, who), [slot_of(m, who, code) for code in codes]
    captain.missions = [mission for mission in captain.missions if mission.code not in codes]
    for code in codes:
        put_away(m, "missions", code)
    m.reveal("lays off", of=who, who=who, missions=named(m, "missions", codes), slots=slots)


def show(m: Match, who: str, code: str) -> Mission:
    """Multi-part missions; PL-99: a Mission is shown when its first stage is done."""
    mission = mission_of(m, who, code)
    mission.known = [*m.seats, OBSERVER]
    return mission


# Where something has to be done


def wrong_place(m: Match, place: str, mission: Mission, at: Mapping[str, Any]) -> bool:
    """Missions: tell whether a place is none of those that a Mission names."""
    sold = m.components["trade"].get(place, {}).get("buy", {})
    return (
        place not in at.get("places", [place])
        or faction(m, place) != at.get("faction", faction(m, place))
        or body(m, place) != at.get("body", body(m, place))
        or ring(hex_of(m, place)) != at.get("ring", ring(hex_of(m, place)))
        or at.get("without", "") in sold
    )


def wrong_end(m: Match, place: str, mission: Mission, need: Mapping[str, Any]) -> bool:
    """Missions: tell whether goods cannot be delivered at a place: not there, not the one named, or too near the start."""
    far = need.get("far", 0)
    return (
        wrong_place(m, place, mission, need["at"])
        or (need.get("other", False) and place == mission.place)
        or (bool(far) and distance(hex_of(m, place), hex_of(m, mission.place)) < far)
        or (need.get("one-place", False) and bool(mission.delivered) and place != mission.place)
    )


# What a Mission needs


def done(m: Match, who: str, mission: Mission, need: Mapping[str, Any]) -> No | None:
    """Missions: deeds since the card was drawn, all of one kind."""
    most = max(mission.deeds.get(deed, 0) for deed in need["any"])
    if most >= need["count"]:
        return None
    return no("not done", mission=mission.code, deeds=need["any"], count=need["count"], done=most)


def delivered(m: Match, who: str, mission: Mission, need: Mapping[str, Any]) -> No | None:
    """Missions; PL-102: goods, which count as delivered when the Mission is claimed with the last of them on board."""
    given, cargo = "given" in m.components["missions"][mission.code], ship_of(m, who).cargo
    if given and not mission.begun:
        return no("not begun", mission=mission.code)
    left = goods_left(mission, need)
    lacking = {goods: count - cargo.get(goods, 0) for goods, count in left.items() if cargo.get(goods, 0) < count}
    if left and wrong_end(m, ship_of(m, who).place, mission, need):
        return no("deliver elsewhere", mission=mission.code, goods=times(left, 1), place=ship_of(m, who).place)
    if left and too_late(m, who, mission, need):
        return no("too late", mission=mission.code, turns=need["turns"])
    return no("goods missing", mission=mission.code, goods=times(lacking, 1)) if lacking else None


def goods_left(mission: Mission, need: Mapping[str, Any]) -> dict[str, int]:
    """Multi-part missions: return what is still to be delivered."""
    left = {goods: count - mission.delivered.get(goods, 0) for goods, count in need["goods"].items()}
    return {goods: count for goods, count in left.items() if count > 0}


def too_late(m: Match, who: str, mission: Mission, need: Mapping[str, Any]) -> bool:
    """Missions, Cake Run: tell whether the own turns for it are over."""
    return "turns" in need and captain_of(m, who).turns - mission.begun > need["turns"]


def installed(m: Match, who: str, mission: Mission, need: Mapping[str, Any]) -> No | None:
    """Missions, Show of Force: unbroken installed Improvements at a kind of place."""
    count, ship = len(ship_of(m, who).unbroken()), ship_of(m, who)
    if wrong_place(m, ship.place, mission, need["at"]):
        return no("mission elsewhere", mission=mission.code, place=ship.place)
    return no("few improvements", mission=mission.code, count=need["count"], done=count) if count < need["count"] else None


def carries(m: Match, who: str, mission: Mission, need: Mapping[str, Any]) -> No | None:
    """Missions, Full Hold: legal tokens on board."""
    count = sum(ship_of(m, who).cargo.get(goods, 0) for goods in GOODS if goods not in ILLEGAL)
    return no("few tokens", mission=mission.code, count=need["legal"], done=count) if count < need["legal"] else None


def owns(m: Match, who: str, mission: Mission, need: Mapping[str, Any]) -> No | None:
    """Missions, Proof of Wealth, Charity: money at a kind of place."""
    money, place = captain_of(m, who).money, ship_of(m, who).place
    if wrong_place(m, place, mission, need["at"]):
        return no("mission elsewhere", mission=mission.code, place=place)
    return no("too poor", mission=mission.code, count=need["money"], done=money) if money < need["money"] else None


def repaired(m: Match, who: str, mission: Mission, need: Mapping[str, Any]) -> No | None:
    """Missions, Test Pilot: Structure points repaired since the ship docked."""
    points = ship_of(m, who).repaired
    return no("few repairs", mission=mission.code, count=need["count"], done=points) if points < need["count"] else None


def stations(m: Match, who: str, mission: Mission, need: Mapping[str, Any]) -> No | None:
    """Missions, Express: different Space Stations docked at within some own turns."""
    docked_at = captain_of(m, who).docked_at
    turns = sorted(turn for place, turn in docked_at.items() if body(m, place) == "station")
    met = any(later - turn < need["turns"] for turn, later in zip(turns, turns[need["count"] - 1 :], strict=False))
    return None if met else no("few stations", mission=mission.code, count=need["count"], turns=need["turns"])


NEEDS = {
    "done": done, "delivered": delivered, "installed": installed, "carries": carries,
    "owns": owns, "paid": owns, "repaired": repaired, "stations": stations,
}  # fmt: skip
"""What a Mission may need, by the word that stands in its data."""


def missing(m: Match, who: str, code: str) -> No | None:
    """Missions: return which part of a Mission is not fulfilled, or nothing."""
    mission = mission_of(m, who, code)
    found = (NEEDS[need["is"]](m, who, mission, need) for need in m.components["missions"][code]["needs"])
    return next((why for why in found if why), None)


# Claiming


@order("claim {mission}", mission="missions")
def claim(m: Match, who: str, mission: str) -> None:
    """Missions; PL-99: it is shown, rewarded and discarded, and a new one is drawn."""
    m.table.turn.claimed = True
    do_business(m, who)
    settle_needs(m, who, mission)
    captain, row = captain_of(m, who), m.components["missions"][mission]
    m.reveal("claims", of=who, who=who, mission=mission, name=row["name"], slot=slot_of(m, who, mission))
    captain.missions = [other for other in captain.missions if other.code != mission]
    put_away(m, "missions", mission)
    bonus = m.value("claim-money", 0, who)
    rewards = m.components.effect(m.game.steps, "missions", mission, who=who)
    extra = [step.receive_money(who=who, money=bonus)] if bonus else []
    m.do(*rewards, *extra, draw_missions(who=who, count=1))


def settle_needs(m: Match, who: str, code: str) -> None:
    """Missions: what is still to be delivered leaves the ship; what is to be paid is paid."""
    mission = mission_of(m, who, code)
    for need in m.components["missions"][code]["needs"]:
        if need["is"] == "delivered":
            return_goods(m, who, goods_left(mission, need))
        if need["is"] == "paid":
            spend(m, who, need["money"])


def return_goods(m: Match, who: str, goods: Mapping[str, int]) -> None:
    """Missions: tokens go back into the supply without payment."""
    for name, count in goods.items():
        lose_cargo(m, who, name, count)
        forget_purchases(m, who, name)


@claim.offered
def may_claim(m: Match, who: str) -> Any:
    """Missions; PL-99: docked, in the own turn, one a turn, and every part fulfilled."""
    stop = not_docked(m, who)
    if stop or m.table.turn.claimed:
        return stop or no("claimed")
    reasons = {code: missing(m, who, code) for code in held(m, who)}
    refused = {code: why for code, why in reasons.items() if why}
    return {"mission": cards(m, "missions", [code for code in reasons if code not in refused], refused)}


# Given goods, and deliveries in parts


@order("begin {mission}", mission="missions")
def begin_mission(m: Match, who: str, mission: str) -> None:
    """Mission-related cargo; PL-102: the goods of a Mission are given to the player, who shows it."""
    do_business(m, who)
    shown, given = show(m, who, mission), m.components["missions"][mission]["given"]
    shown.place, shown.begun = ship_of(m, who).place, captain_of(m, who).turns
    for goods, count in given["goods"].items():
        gain_cargo(m, who, goods, count)
    told = {"goods": times(given["goods"], 1), "slot": slot_of(m, who, mission)}
    m.reveal("begins mission", of=who, who=who, mission=mission, **told)


@begin_mission.offered
def may_begin(m: Match, who: str) -> Any:
    """Mission-related cargo; PL-102: docked at the start place, with cargo space for all of it."""
    stop = not_docked(m, who)
    if stop:
        return stop
    reasons = {code: why_not_begun(m, who, mission_of(m, who, code)) for code in held(m, who)}
    refused = {code: why for code, why in reasons.items() if why}
    return {"mission": cards(m, "missions", [code for code in reasons if code not in refused], refused)}


def why_not_begun(m: Match, who: str, mission: Mission) -> No | None:
    """Mission-related cargo; PL-50, PL-102: return why the goods of a Mission cannot be taken here, or nothing."""
    given = m.components["missions"][mission.code].get("given")
    place = ship_of(m, who).place
    if given is None:
        return no("nothing given", mission=mission.code)
    if mission.begun:
        return no("begun already", mission=mission.code, place=mission.place)
    if wrong_place(m, place, mission, given["at"]):
        return no("mission elsewhere", mission=mission.code, place=place)
    if is_straight(m, who) and any(goods in ILLEGAL for goods in given["goods"]):
        return no("straight captain", goods=list(given["goods"]))
    needed = sum(given["goods"].values())
    return no("no cargo space", needed=needed, space=free_space(m, who)) if free_space(m, who) < needed else None


@order("deliver {mission}", mission="missions")
def deliver(m: Match, who: str, mission: str) -> None:
    """Multi-part missions: as much as is on board is returned; the Mission is shown after its first part."""
    do_business(m, who)
    shown, need, ship = show(m, who, mission), delivery(m, mission), ship_of(m, who)
    brought = {goods: min(count, ship.cargo.get(goods, 0)) for goods, count in goods_left(shown, need).items()}
    brought = {goods: count for goods, count in brought.items() if count}
    return_goods(m, who, brought)
    if need.get("one-place"):
        shown.place = ship.place
    for goods, count in brought.items():
        shown.delivered[goods] = shown.delivered.get(goods, 0) + count
    left = times(goods_left(shown, need), 1)
    told = {"goods": times(brought, 1), "left": left, "place": ship.place, "slot": slot_of(m, who, mission)}
    m.reveal("delivers", of=who, who=who, mission=mission, **told)


def delivery(m: Match, code: str) -> dict[str, Any]:
    """Multi-part missions: return what a Mission wants delivered, if it wants something."""
    needs = m.components["missions"][code]["needs"]
    return next((need for need in needs if need["is"] == "delivered"), {})


@deliver.offered
def may_deliver(m: Match, who: str) -> Any:
    """Multi-part missions: docked at the right place with some of the goods."""
    stop = not_docked(m, who)
    if stop:
        return stop
    reasons = {code: why_no_delivery(m, who, mission_of(m, who, code)) for code in held(m, who)}
    refused = {code: why for code, why in reasons.items() if why}
    return {"mission": cards(m, "missions", [code for code in reasons if code not in refused], refused)}


def why_no_delivery(m: Match, who: str, mission: Mission) -> No | None:
    """Multi-part missions: return why nothing can be delivered for a Mission here, or nothing."""
    need = delivery(m, mission.code)
    if not need or not goods_left(mission, need):
        return no("nothing to deliver", mission=mission.code)
    why, cargo = delivered(m, who, mission, need), ship_of(m, who).cargo
    if why is not None and why.key != "goods missing":
        return why
    return None if any(cargo.get(goods, 0) for goods in goods_left(mission, need)) else why


# Drawing new Missions


@order("drop {mission}", mission="missions")
def drop_mission(m: Match, who: str, mission: str) -> None:
    """Drawing new Missions; PL-100: a Mission that cannot be completed is exchanged for a new one."""
    lay_off(m, who, mission)
    m.do(draw_missions(who=who, count=1))


@drop_mission.offered
def may_drop_mission(m: Match, who: str) -> Any:
    """Drawing new Missions; PL-100: if what all can see proves that it cannot be completed."""
    hopeless = [code for code in held(m, who) if is_impossible(m, who, mission_of(m, who, code))]
    refused = {code: no("possible", mission=code) for code in held(m, who) if code not in hopeless}
    return {"mission": cards(m, "missions", hopeless, refused)}


def is_impossible(m: Match, who: str, mission: Mission) -> bool:
    """Drawing new Missions; PL-100: too few hexes are left to explore, or the time for a delivery is over."""
    return any(_is_hopeless(m, who, mission, need) for need in m.components["missions"][mission.code]["needs"])


def _is_hopeless(m: Match, who: str, mission: Mission, need: Mapping[str, Any]) -> bool:
    if need["is"] == "delivered":
        return bool(mission.begun) and too_late(m, who, mission, need)
    left = hexes_left(m, need["any"][0]) if need["is"] == "done" else -1
    return left >= 0 and mission.deeds.get(need["any"][0], 0) + left < need["count"]


def hexes_left(m: Match, deed: str) -> int:
    """Drawing new Missions: return how many hexes can still be explored, or explored with a gas giant; -1 for other deeds."""
    hidden = sum(not is_known(m, name) for name in m.table.hexes)
    giants = {place for place in systems(m) if has(m, place, "giant")} - set(known_systems(m))
    return hidden if deed == EXPLORED else min(hidden, len(giants)) if deed == GIANT else -1


@order("change missions")
def change_missions(m: Match, who: str) -> None:
    """Drawing new Missions; PL-101: all Missions are discarded for three new ones, and that is the whole turn."""
    lay_off(m, who, *held(m, who))
    m.table.turn.changed = True
    m.do(draw_missions(who=who, count=HAND), step.end(who=who))


@change_missions.offered
def may_change_missions(m: Match, who: str) -> Any:
    """Drawing new Missions; PL-101: docked on a Planet since before the turn, and nothing done in it."""
    turn = m.table.turn
    stop = not_docked(m, who, at=PLANET)
    if stop:
        return stop
    return {} if turn.docked_before and not (turn.moved or turn.acted or turn.traded) else no("entire turn")
