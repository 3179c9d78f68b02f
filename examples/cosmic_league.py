"""Two players of The Cosmic League who read their own reports as JSON and answer with one mail a turn.

They are no masters. They load what pays best, fly there, unload, buy early, and play what they hold, and they know nothing but
what their view says.
"""

from __future__ import annotations

from typing import Any

View = dict[str, Any]

WORTH_BUYING = ("container", "fusion drive", "replenishment", "space station")
MOST_PAID = 3
KEPT_FOR_LATER = ("afterburner", "agent", "passenger")


def lines(view: View) -> list[str]:
    """Return the lines of one mail.

    Args:
        view: what the seat's report says, as `referee report --format json` has it under `view`.
    """
    asked = view["you"][0]["question"]
    if asked in ("start", "planet"):
        return ["begin" if asked == "start" else "start at green"]
    if asked == "window":
        return [f"neutralize {view['you'][0]['words']['card']} or decline"]
    if asked in ("turn", "flight"):
        return turn(view)
    return [view["you"][0]["orders"][0]["lines"][0]]


def turn(view: View) -> list[str]:
    """Return a whole turn: unload and load here, fly where it pays, unload there."""
    me = view["table"]["captains"][view["viewer"]]
    if view["table"]["turn"]["flying"] or not view["table"]["turn"]["flights"]:
        return ["unload or skip", _ending(me)]
    planned = [f"play {card} or skip" for card in me["hand"] if card == f"passenger to {me['place']}"]
    holds = {hold: goods[0]["to"] for hold, goods in me["holds"].items() if goods}
    planned += [f"unload {hold}" for hold, to in holds.items() if to == me["place"]][:2]
    targets = [to for to in holds.values() if to != me["place"]]
    planned += _loading(view, me, len(planned), targets)
    planned += _buying(view, me, len([line for line in planned if not line.startswith("play")]))
    goal = targets[0] if targets else next(planet for planet in view["table"]["planets"] if planet != me["place"])
    again = ["unload or play afterburner or skip", f"fly toward {goal} or skip"] if "afterburner" in me["hand"] else []
    arriving = ["unload or skip", f"play passenger to {goal} or skip", _ending(me)]
    return [*planned, "roll", f"fly toward {goal}", *again, *arriving]


def _loading(view: View, me: dict[str, Any], used: int, targets: list[str]) -> list[str]:
    """Load the stack that pays best, if a container is empty (or will be) and an action is left."""
    waiting: dict[str, int] = {}
    for goods in view["table"]["planets"].get(me["place"], []):
        waiting[goods["to"]] = waiting.get(goods["to"], 0) + goods["mg"]
    free = sum(1 for goods in me["holds"].values() if not goods or goods[0]["to"] == me["place"])
    if not (waiting and free and used < 2):
        return []
    best = max(waiting, key=lambda to: (waiting[to], to))
    targets.append(best)
    return [f"load {best} or skip"]


def _buying(view: View, me: dict[str, Any], used: int) -> list[str]:
    price = view["table"]["turn"]["price"]
    wanted = [card for card in WORTH_BUYING if card in me["hand"]]
    if not wanted or used > 1 or price > MOST_PAID or me["place"] not in view["table"]["planets"]:
        return []
    return [f"buy {wanted[0]} or skip"]


def _ending(me: dict[str, Any]) -> str:
    """End the turn, and make room for new cards by the first that seems worth least."""
    dull = [card for card in me["hand"] if not card.startswith(KEPT_FOR_LATER) and card not in WORTH_BUYING]
    return f"end discarding {dull[0]} or end" if dull and len(me["hand"]) == 5 else "end"
