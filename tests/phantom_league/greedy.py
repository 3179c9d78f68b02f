"""A simple greedy trader: how long matches of The Phantom League last until somebody has Recognition 8.

It knows what its report knows: the view of its seat and the printed cards. It always does what brings most a turn, by a crude
estimate: carry goods from where they are sold to where they are wanted, the same for a mission, explore, buy Recognition. It
never attacks, pays every ransom and flees from every battle. The spread of its matches is the check of the reconstructed
economy: `python -m tests.phantom_league.greedy 20` plays 20 matches for each number of seats and prints it.
"""

from __future__ import annotations

import math
import statistics
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from games.phantom_league.galaxy import NEIGHBOURS, distance, ring
from games.phantom_league.recognition import PRICES
from referee.components import load_components
from referee.engine import begin, find_game, pending, start, view
from referee.errors import Refusal
from referee.lines import canonical
from referee.match import Match
from referee.orders import submit

SEATS = ["alice", "bob", "carol", "dave", "erin", "frank"]
CAPTAINS = ("C09", "C04", "C01", "C08", "C07", "C02", "C06", "C03", "C05")
SHIPS = ("S08", "S07", "S05", "S03", "S04", "S06", "S01", "S02", "S09")
LEVEL_WORTH, LAST_LEVELS, RESERVE, FEES, HURT = 300, 1000, 150, 75, 3
"""What a level is worth to it, what one beyond 6 is, what it keeps for trading and for fees, the Structure it explores with."""
MOST_TURNS, EXPLORERS = 200, 6
LIKED = (
    "ransom money", "ransom cargo", "follow fame", "lend nothing", "turn down cargo", "decline", "pay", "pay fine", "submit",
    "resolve", "ignore nothing", "leave wrecks", "flee", "watch", "put back", "jettison", "accept", "refuse",
)  # fmt: skip
"""What it answers to all questions but that of its turn, by the beginnings of lines: the first that is offered."""


class Trader:
    """What one seat does with its view."""

    def __init__(self, data: Any, seen: Mapping[str, Any]) -> None:
        """Look at the table."""
        self.data, self.me = data, seen["viewer"]
        self.table = seen["table"]
        self.mat = self.table["captains"][self.me]
        self.ship = self.table["ships"].get(self.mat["ship"], {})
        tiles = self.table["hexes"].items()
        self.hexes = {half: name for name, tile in tiles if tile["known"] for half in (tile["red"], tile["orange"]) if half}
        self.hidden = [name for name, tile in tiles if not tile["known"]]

    # What it can do

    def number(self, column: str) -> int:
        """Return a number of the own ship, captain and unbroken Improvements."""
        cards = [self.ship["card"], self.mat["captain"], *self.ship["installed"]]
        return sum(self.data.columns.get(column, {}).get(card, 0) for card in cards if card not in self.ship["broken"])

    @property
    def space(self) -> int:
        """The free cargo space."""
        return self.number("cargo") - sum(self.ship["cargo"].values())

    @property
    def spare(self) -> int:
        """The money that it trades with: what Docking cards may ask for is kept, unless that would be nearly all."""
        return max(self.mat["money"] // 2, self.mat["money"] - FEES)

    def turns(self, start: str, end: str) -> int:
        """Return how many turns a way takes, at least one."""
        return max(1, math.ceil(distance(self.hexes[start], self.hexes[end]) / max(1, self.number("speed"))))

    def places(self) -> list[str]:
        """Return where it could trade: known places whose boxes are not behind Pirates or Renegade searches."""
        rows = self.data["systems"]
        return [place for place in self.hexes if "body" in rows[place] and "nest" not in rows[place]]

    def box(self, place: str, side: str) -> Mapping[str, int]:
        """Return what a place sells or buys; only legal goods."""
        prices: Mapping[str, int] = self.data["trade"].get(place, {}).get(side, {})
        return {goods: price for goods, price in prices.items() if goods not in ("narcotics", "slaves")}

    # What it wants

    def demands(self) -> Iterator[tuple[str, str, int, int]]:
        """Yield (goods, place, most, worth of each) for what is wanted somewhere, missions before trade."""
        for mission in self.mat["missions"]:
            yield from self.mission_demands(mission)
        for place in self.places():
            for goods, price in self.box(place, "sell").items():
                yield goods, place, 20, price

    def mission_demands(self, mission: Mapping[str, Any]) -> Iterator[tuple[str, str, int, int]]:
        """Yield what a mission wants delivered, if one kind of legal goods does."""
        row = self.data["missions"][mission["code"]]
        need = row["needs"][0]
        if need["is"] != "delivered" or "given" in row:
            return
        ((goods, count),) = need["goods"].items()
        left = count - mission["delivered"].get(goods, 0)
        if left > 0 and goods not in ("narcotics", "slaves") and left <= self.number("cargo"):
            for place in self.places():
                if self.fits(place, need["at"]) and mission["place"] in ("", place):
                    yield goods, place, left, self.reward(row) // left

    def fits(self, place: str, at: Mapping[str, Any]) -> bool:
        """Tell whether a place is one that a mission names."""
        row = self.data["systems"][place]
        return (
            place in at.get("places", [place])
            and row["faction"] == at.get("faction", row["faction"])
            and row["body"] == at.get("body", row["body"])
            and ring(self.hexes[place]) == at.get("ring", ring(self.hexes[place]))
            and at.get("without", "") not in self.data["trade"].get(place, {}).get("buy", {})
        )

    def reward(self, row: Mapping[str, Any]) -> int:
        """Return what a mission is worth."""
        frames = row["effect"]
        level = LEVEL_WORTH if self.mat["recognition"] < EXPLORERS else LAST_LEVELS
        return sum(f.get("money", 0) + (0 if "money" in f else level * f.get("by", 1)) for f in frames)

    def ends(self, mission: Mapping[str, Any]) -> list[str]:
        """Return the known places where the goods of a mission that were given can be returned."""
        need = self.data["missions"][mission["code"]]["needs"][0]
        far, start = need.get("far", int(need.get("other", False))), self.hexes[mission["place"]]
        fit = [place for place in self.hexes if "body" in self.data["systems"][place] and self.fits(place, need["at"])]
        return [place for place in fit if distance(start, self.hexes[place]) >= far and place != mission["place"]]

    def explores(self, mission: Mapping[str, Any]) -> bool:
        """Tell whether a mission asks to explore, and something is left to explore."""
        need = self.data["missions"][mission["code"]]["needs"][0]
        return need["is"] == "done" and need["any"][0].startswith("explored") and bool(self.hidden)

    def is_work(self, mission: Mapping[str, Any]) -> bool:
        """Tell whether a mission brings a level, and is one that a trader can fulfil."""
        row = self.data["missions"][mission["code"]]
        if all(frame["do"] == "receive_money" for frame in row["effect"]):
            return False
        paid = row["needs"][0]["is"] in ("owns", "paid") or mission["code"] == "M13"
        called = any(self.call(mission, place) for place in self.hexes if "body" in self.data["systems"][place])
        return paid or called or self.explores(mission) or any(self.mission_demands(mission))

    # Its turn

    def turn(self) -> list[str]:
        """Return one line for what it does next in its turn, with alternatives."""
        if not self.ship.get("docked"):
            return [*self.flight(), "end"]
        if self.table["turn"]["phase"] == "action" or self.mat["turns"] == 1:
            return [*self.business(), "end"]
        hopeless = not any(self.is_work(mission) for mission in self.mat["missions"])
        return [*(["change missions"] if hopeless else []), *self.journey(), *self.business(), "end"]

    def business(self) -> list[str]:
        """Return what it can do at once where it is docked; what is not possible is passed over."""
        lines = [f"{verb} {mission['code']}" for verb in ("claim", "begin") for mission in self.mat["missions"]]
        lines += [f"drop {mission['code']}" for mission in self.mat["missions"]]
        place = self.ship["place"]
        wanted = {goods for mission in self.mat["missions"] for goods, *_ in self.mission_demands(mission)}
        wanted |= {goods for mission in self.mat["missions"] if mission["begun"] for goods in self.given(mission)}
        lines += [f"sell all {goods}" for goods in self.box(place, "sell") if goods not in wanted]
        level = self.mat["recognition"]
        if level + 1 in PRICES and self.mat["money"] >= PRICES[level + 1] + RESERVE:
            lines.append("buy recognition")
        if self.mat["money"] >= 30 and self.ship["fuel"] < self.number("fuel"):
            lines.append("refuel")
        if self.ship["fuel"] < self.number("fuel") - 1 and self.ship["cargo"].get("fuel"):
            lines.append("tank")
        if self.ship["structure"] <= HURT:
            lines.append("repair 2")
        return [*lines, *self.fitting(), *self.purchase()]

    def given(self, mission: Mapping[str, Any]) -> list[str]:
        """Return the goods that were given for a mission."""
        return list(self.data["missions"][mission["code"]].get("given", {}).get("goods", {}))

    def fitting(self) -> list[str]:
        """Return the Improvements that it wants: more speed for exploring, then more cargo."""
        wanted = () if self.number("speed") > 1 else ("I16", "I31", "I17")
        cargo = ("I21", "I19", "I20") if self.number("cargo") < 14 else ()
        cards = [card for card in (*wanted, *cargo) if card in self.table["improvements"]]
        rich = [card for card in cards if self.mat["money"] >= self.data["improvements"][card]["price"] + RESERVE]
        stored = [f"install {card}" for card in self.ship["stored"]]
        return [*stored, *(f"buy {card}" for card in rich[:1] if not self.ship["stored"])]

    def purchase(self) -> list[str]:
        """Return what it buys here: what brings most a turn elsewhere."""
        place, best = self.ship["place"], self.best_run(self.ship["place"])
        if not best or best[1] == place:
            return []
        goods, _, count = best[2]
        bought = self.table["turn"]["bought"].get(goods, 0)
        limit = max(1, self.table["turn"]["supply"].get(goods, self.table["supply"][goods]) // 2) - bought
        count = min(count, limit, self.space, self.spare // self.box(place, "buy")[goods])
        return [f"buy {count} {goods}"] if count > 0 else []

    def best_run(self, place: str) -> tuple[float, str, tuple[str, str, int]] | None:
        """Return (worth a turn, target, (goods, target, count)) for the best goods to buy at a place."""
        runs = []
        for goods, price in self.box(place, "buy").items():
            for wanted, target, most, worth in self.demands():
                count = min(most, self.space, self.spare // price, max(1, self.table["supply"][goods] // 2))
                if wanted == goods and target != place and count > 0:
                    runs.append(((worth - price) * count / self.turns(place, target), target, (goods, target, count)))
        return max((run for run in runs if run[0] > 0), default=None)

    # Where it goes

    def targets(self) -> list[tuple[float, str]]:
        """Return the places worth going to, each with what it brings a turn."""
        here, found = self.ship["place"], []
        for place in self.places():
            if place == here:
                continue
            worth = sum(
                min(most, self.ship["cargo"].get(goods, 0)) * each
                for goods, where, most, each in self.demands()
                if where == place
            )
            ahead = self.best_run(place)
            away = self.turns(here, place)
            later = ahead[0] / 2 if ahead and self.space > 2 else 0.0
            found.append((worth / away + later / away + self.calls(place) / away, place))
        return sorted(found, reverse=True)

    def calls(self, place: str) -> int:
        """Return what all missions promise for docking at a place at all."""
        return sum(self.call(mission, place) for mission in self.mat["missions"])

    def call(self, mission: Mapping[str, Any], place: str) -> int:
        """Return what a mission promises for docking at a place: its goods, their end, or what else it asks for there."""
        row = self.data["missions"][mission["code"]]
        need, worth = row["needs"][0], self.reward(row)
        if "given" in row:
            if mission["begun"]:
                return worth * (place in self.ends(mission))
            return worth // 2 * self.fits(place, row["given"]["at"])
        if need["is"] in ("owns", "paid"):
            return worth * (self.mat["money"] >= need["money"] and self.fits(place, need["at"]))
        flag = f"docked {self.data['systems'][place]['faction']}"
        return worth // 3 * (mission["code"] == "M13" and flag not in mission["deeds"])

    def wants_to_explore(self) -> bool:
        """Tell whether exploring brings a level, or a mission asks for it."""
        return self.mat["recognition"] < EXPLORERS or any(map(self.explores, self.mat["missions"]))

    def explorations(self) -> list[str]:
        """Return lines that explore, if ship and level make it worth while; nearest hexes first."""
        able = self.number("speed") > 1 and self.ship["fuel"] > 2 and self.ship["structure"] >= HURT
        if not able or not self.wants_to_explore():
            return []
        here = self.hexes[self.ship["place"]]
        reach = self.number("speed") - 2
        near = [h for h in self.hidden if any(distance(here, n) <= reach for n in NEIGHBOURS[h])]
        return [f"explore {name}" for name in near]

    def flight(self) -> list[str]:
        """Return what it does in space: move, then dock."""
        moved = self.table["turn"]["moved"] or self.table["turn"]["phase"] == "action"
        towards = self.journey()
        target = towards[0] if towards else ""
        return ["dock", "mine", "scoop"] if moved else [*towards, "dock"] if target else ["dock"]

    def journey(self) -> list[str]:
        """Return the lines that bring it nearer to what is worth most a turn."""
        targets = self.targets()
        lines = [line for worth, place in targets[:4] if worth > 0 for line in self.way(place)]
        best = targets[0][0] if targets else 0
        exploring = self.explorations()
        outward = self.outward() if not exploring and self.number("speed") > 1 else []
        return [*exploring, *lines] if best < LEVEL_WORTH else [*lines, *exploring, *outward]

    def outward(self) -> list[str]:
        """Return moves to the inner ring beside a hidden hex, if exploring still pays."""
        if not self.wants_to_explore() or self.ship["fuel"] < 4:
            return []
        beside = {n for name in self.hidden for n in NEIGHBOURS[name]}
        return [f"move to {place}" for place in self.places() if self.hexes[place] in beside]

    def way(self, place: str) -> list[str]:
        """Return a move to a place, or to a known System on the way to it."""
        here, end, speed = self.hexes[self.ship["place"]], self.hexes[place], self.number("speed")
        if distance(here, end) <= speed:
            return [f"move to {place}"]
        nearer = [half for half, name in self.hexes.items() if distance(here, name) <= speed]
        nearer = [half for half in nearer if distance(self.hexes[half], end) < distance(here, end)]
        nearer.sort(key=lambda half: (distance(self.hexes[half], end), half not in self.places()))
        return [f"move to {half}" for half in nearer[:6]]


TURN = ("blockaded", "movement docked", "movement", "docked", "action", "ended")


def lines_for(data: Any, seen: Mapping[str, Any], row: Mapping[str, Any]) -> list[str]:
    """Return what a trader might say to a question, best first."""
    if row["question"] in TURN:
        return Trader(data, seen).turn()
    if row["question"] == "captain":
        return [f"captain {card}" for card in CAPTAINS]
    if row["question"] == "ship":
        return [f"ship {card}" for card in SHIPS]
    if row["question"] == "first improvement":
        bays = ["improvement I19", "improvement I20"] if row["words"]["money"] >= 400 else []
        return [*bays, "no improvement"]
    offered = [line for order in row["orders"] for line in order["lines"]]
    liked = [line for liking in LIKED for line in offered if line.startswith(liking)]
    return [*liked, *offered]


def answer(m: Match, data: Any, seat: str) -> Match:
    """Let the trader of a seat answer: the first line that is accepted is played."""
    asked = pending(m)
    assert asked is not None
    in_turn = asked.name in TURN or asked.name in ("captain", "ship", "first improvement")
    seen = view(m, seat, with_menu=not in_turn)
    for row in seen["you"]:
        if "sealed" in row:
            continue
        for line in lines_for(data, seen, row):
            try:
                return submit(m, seat, [line]).match
            except Refusal:
                continue
    frames = next(asked.decisions[row["decider"]].frames() for row in seen["you"])
    return submit(m, seat, [canonical(m, frames)]).match


def match_of(seed: int, count: int, options: Mapping[str, Any]) -> Match:
    """Play a match of greedy traders until it is over."""
    m = start(find_game("phantom-league"), f"greedy-{seed}", SEATS[:count], seed.to_bytes(32, "big"), dict(options))
    begin(m, {})
    data = load_components(m.game)
    while (question := pending(m)) is not None:
        seat = next((s for s in question.seats if any(d.decider not in m.sealed for d in question.of(s))), question.seats[0])
        m = answer(m, data, seat)
        m.events.clear()
    return m


def result_of(m: Match) -> tuple[str, int]:
    """Return how a match ended and how many own turns the winner had."""
    winners = m.table.winners or m.seats
    return m.table.ended, max(m.table.captains[seat].turns for seat in winners)


def main(number: int) -> None:
    """Print the spread of turns to Recognition 8 for two to six seats."""
    for count in range(2, 7):
        results = [result_of(match_of(seed, count, {"rounds": MOST_TURNS})) for seed in range(1, number + 1)]
        turns = sorted(turns for how, turns in results if how == "recognition")
        others = [how for how, _ in results if how != "recognition"]
        middle = statistics.median(turns) if turns else 0
        print(f"{count} seats: {len(turns)} of {number} reach level 8, median {middle} own turns: {turns}; else {others}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10)
