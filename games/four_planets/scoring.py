"""End of Game and Scoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from referee.kit import Match, step

from .deck import discard, fronts, is_public, printed, turn_up
from .play import owned_tiles
from .table import Card

FIRST_COUNTED = 13
FULL_COLUMN = 5
VALUABLE = 3


@step
def end_game(m: Match) -> None:
    """End of Game and Scoring; FP-8, FP-T12: hands are discarded, the colour bonus is revealed, VP are added up."""
    for player in m.table.players.values():
        player.hand, gone = [], player.hand
        discard(m, gone)
    turn_up(m, m.table.bonus.values())
    m.reveal("bonus", cards=fronts(m.table.bonus.values()))
    m.do(add_up(), step.after_game() if m.options["campaign"] else close())


@step
def add_up(m: Match) -> None:
    """End of Game and Scoring: each player adds up the victory points."""
    result = {seat: points(m, seat) for seat in m.seats}
    m.table.games.append(result)
    for seat, row in result.items():
        m.tell("scores", who=seat, game=len(m.table.games), **row)


@step
def close(m: Match) -> None:
    """End of Game and Scoring; FP-29: the match is over."""
    rows = score(m)
    first = [seat for seat, row in rows.items() if row["place"] == 1]
    if len(first) > 1:
        m.tell("tie", seats=first, points=rows[first[0]]["points"])
    else:
        m.tell("wins", who=first[0], points=rows[first[0]]["points"])
    m.finish()


def score(m: Match) -> dict[str, dict[str, int]]:
    """End of Game and Scoring; FP-29, FP-40: most VP; then more from the colour bonus of the last game; then shared.

    In a campaign the VP of all games count, and of equal sums that of the winner of the third game is the better one.

    Returns:
        For each seat its place (1 is best, equal is shared) and its points in VP.
    """
    games = m.table.games if m.table else []
    total = {seat: sum(game[seat]["total"] for game in games) for seat in m.seats}
    last = {seat: (games[-1][seat]["total"], games[-1][seat]["colour"]) if games else (0, 0) for seat in m.seats}
    rank = {seat: (total[seat], *last[seat]) for seat in m.seats}
    best = sorted(rank.values(), reverse=True)
    return {seat: {"place": best.index(rank[seat]) + 1, "points": total[seat]} for seat in m.seats}


# Victory points


@step
def recount(m: Match, who: str) -> None:
    """End of Game and Scoring: keep the VP that all can see: all but those that depend on the colour bonus."""
    m.table.players[who].points = open_points(m, who)


def open_points(m: Match, who: str) -> int:
    """End of Game and Scoring: return VP on cards, from buildings, and from tiles that need no colour bonus card."""
    tiles = [name for name, _ in owned_tiles(m, who) if m.components["tiles"][name].get("target") != "bonus card"]
    return card_points(m, who) + from_buildings(m, who) + sum(worth(m, who, name, "") for name in tiles)


def card_points(m: Match, who: str) -> int:
    """End of Game and Scoring; FP-15: VP on played cards; what is printed on a face-down one does not count."""
    return sum(printed(m, card.front)["vp"] for card in specialists(m, who) if is_public(card))


def points(m: Match, who: str) -> dict[str, int]:
    """End of Game and Scoring; FP-28: VP on played cards, from boost tiles, from buildings, and the colour bonus."""
    parts = {
        "cards": card_points(m, who),
        "tiles": sum(worth(m, who, name, on) for name, on in owned_tiles(m, who)),
        "buildings": from_buildings(m, who),
        "colour": sum(colour_bonus(m, colour) * len(column) for colour, column in m.table.players[who].columns.items()),
    }
    return {**parts, "total": sum(parts.values())}


def specialists(m: Match, who: str) -> list[Card]:
    """Specialist Abilities, Botany: return all specialists in a player's columns, those that lie face down too."""
    return [card for column in m.table.players[who].columns.values() for card in column]


def colour_bonus(m: Match, colour: str) -> int:
    """End of Game and Scoring; FP-27, FP-T7: VP for each specialist of a colour: one more than its colour bonus cards."""
    shown = Counter(printed(m, card.front)["colour"] for card in m.table.bonus.values())
    return shown[colour] + 1 if shown[colour] else 0


def from_buildings(m: Match, who: str) -> int:
    """Professional Mode, Orchard, Archive, Probe, Tech-Tornillo: VP from buildings."""
    player = m.table.players[who]
    counted = {
        "face-down-vp": sum(not is_public(card) for card in specialists(m, who)),
        "tile-vp": len(player.tiles),
        "step-vp": player.marker,
        "stored-vp": sum(boost.stored for boost in player.tiles.values()),
    }
    return sum(m.value(column, 0, who) * count for column, count in counted.items())


def worth(m: Match, who: str, tile: str, on: str) -> int:
    """The Boost Tiles: VP from one tile."""
    row = m.components["tiles"][tile]
    return row["vp"] * COUNTED[row["per"]](m, who, on) if "vp" in row else 0


def full_columns(m: Match, who: str, on: str) -> int:
    """The Boost Tiles; FP-26: own columns with five or more specialists."""
    return sum(len(column) >= FULL_COLUMN for column in m.table.players[who].columns.values())


def sets(m: Match, who: str, on: str) -> int:
    """The Boost Tiles; FP-26: own sets of five specialists in five colours: as many as the smallest column has."""
    return min(map(len, m.table.players[who].columns.values()))


def beyond_twelve(m: Match, who: str, on: str) -> int:
    """The Boost Tiles; FP-T8: the 13th and each further specialist."""
    return max(0, len(specialists(m, who)) - FIRST_COUNTED + 1)


def valuable(m: Match, who: str, on: str) -> int:
    """The Boost Tiles; FP-15: own specialists with a buying power of 3; those face down show it on their backs."""
    counted = [card for card in specialists(m, who) if is_public(card) or m.options["face-down-power"]]
    return sum(card.power == VALUABLE for card in counted)


def of_bonus_card(m: Match, who: str, on: str) -> int:
    """The Boost Tiles; FP-23: own specialists in the colour of the colour bonus card that the tile lies on."""
    return len(m.table.players[who].columns[printed(m, m.table.bonus[on].front)["colour"]])


COUNTED: dict[str, Callable[[Match, str, str], int]] = {
    "tile": lambda m, who, on: 1,
    "column": full_columns,
    "set": sets,
    "specialist from the 13th": beyond_twelve,
    "specialist of power 3": valuable,
    "specialist of the bonus card": of_bonus_card,
}
