"""How scenarios of Four Planets lay out the table.

Plainly it is the play phase of alice in round 1, bob faces the spaceship symbol, both have four parts and nothing else; no
specialists lie at the planets; the colour bonus is R04 (known to alice), Y04, G04 and B04 (known to bob); the five tiles
that score lie open. Cards are written by name. In a hand they are known to their owner, in columns and at planets to all,
elsewhere to nobody; `R05 all`, `R05 alice` and `R05 nobody` say otherwise, and `[R05]` lies face down in a column. `top` names
the cards to be drawn next; `deck` names all cards of the deck, and the others then lie in the discard pile.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.four_planets import GAME
from games.four_planets.deck import arrange, colours, everybody, uncover
from games.four_planets.scoring import open_points
from games.four_planets.setup import BONUS, COINS, PARTS, PLANETS
from games.four_planets.table import Boost, Card, Planet, Player, Ship, Table
from referee.components import load_components
from referee.match import Match
from referee.see import Record

from ..runner import overlay

AGENDA = [
    {"do": "play_phase", "who": "alice"},
    {"do": "play_phase", "who": "bob"},
    {"do": "end_round"},
]
TILES = ["four points", "columns", "sets", "thirteenth", "power three"]
OWNER = "its owner"


def card(text: str) -> Card:
    """Read a card: its name, and who knows it if not those who plainly do."""
    code, _, who = text.partition(" ")
    known = [OWNER] if code.startswith("[") else [who] if who else ["plainly"]
    return of(code.strip("[]"), known)


def of(code: str, known: list[str]) -> Card:
    """Return the card of this name."""
    return Card(front=code, power=load_components(GAME)["specialists"][code]["power"], known=known)


def ship(text: str) -> Ship:
    """Read a ship: whose it is, its parts, and whether it left from the ramp."""
    who, size, *rest = text.split()
    return Ship(who=who, size=int(size), ramp=len(rest))


def boost(text: str) -> Boost:
    """Read a tile that somebody owns: `stored`, `on red`, `copies discount on red`, or nothing."""
    copies, _, on = text.partition("on ")
    return Boost(stored=text == "stored", on=on, copies=copies.removeprefix("copies").strip() if text != "stored" else "")


def shown(record: Record) -> Any:
    """Return a record as it is written in scenarios."""
    if isinstance(record, Card):
        return record.front
    if isinstance(record, Ship):
        return f"{record.who} {record.size}{' ramp' * record.ramp}"
    assert isinstance(record, Boost)
    copied = f"copies {record.copies} " * bool(record.copies)
    return "stored" if record.stored else f"{copied}{f'on {record.on}' * bool(record.on)}".strip()


def position(m: Match, given: Mapping[str, Any]) -> None:
    """Lay out the plain position with what a scenario changes in it."""
    empty: dict[str, list[Card]] = {colour: [] for colour in colours(m.components)}
    players = {seat: Player(parts=PARTS, dock=PARTS, columns={c: column[:] for c, column in empty.items()}) for seat in m.seats}
    bonus = dict(zip(BONUS, map(card, ("R04 alice", "Y04", "G04", "B04 bob")), strict=True))
    planets = {name: Planet() for name in PLANETS}
    m.table = Table(players=players, planets=planets, bonus=bonus, game=1, round=1, ship="bob", tiles=TILES[:])
    piles = {name: given[name] for name in ("top", "deck") if name in given}
    rest = {name: value for name, value in given.items() if name not in (*piles, "games")}
    overlay(m.table, rest, {Card: card, Ship: ship, Boost: boost})
    m.table.games = [{seat: dict(row) for seat, row in game.items()} for game in given.get("games", [])]
    settle_known(m)
    complete_deck(m, piles)
    complete(m, given)


def zones(m: Match) -> list[tuple[list[Card], list[str], str]]:
    """Return the cards of each place with those who plainly know them, and the owner."""
    table, public = m.table, everybody(m)
    found = [(table.discards, [], ""), (list(table.bonus.values()), [], "")]
    found += [(planet.cards, public, "") for planet in table.planets.values()]
    for seat, player in table.players.items():
        found += [(player.hand, [seat], seat), (player.drawn, [seat], seat)]
        found += [(column, public, seat) for column in player.columns.values()]
    return found


def settle_known(m: Match) -> None:
    """Say of every card who knows it."""
    for cards, plainly, owner in zones(m):
        for lying in cards:
            words = {"plainly": plainly, "all": everybody(m), "nobody": [], OWNER: [owner]}
            lying.known = list(words.get(lying.known[0], lying.known))
    for player in m.table.players.values():
        arrange(player.hand)
    arrange(m.table.discards)


def complete_deck(m: Match, piles: Mapping[str, list[str]]) -> None:
    """Lay the cards that lie nowhere else into the deck, or into the discard pile if the deck is given."""
    lying = {c.front for cards, _, _ in zones(m) for c in cards}
    named = [*piles.get("top", []), *piles.get("deck", [])]
    rest = [code for code in m.components["specialists"] if code not in {*lying, *named}]
    if "deck" in piles:
        m.table.discards += [of(code, []) for code in rest]
        arrange(m.table.discards)
        rest = []
    m.table.deck = [of(code, []) for code in (named + rest)[::-1]]
    uncover(m)


def complete(m: Match, given: Mapping[str, Any]) -> None:
    """Lay coins, tiles and buildings that nobody has where they belong, and count the points in the open."""
    table, players = m.table, m.table.players
    table.coins = COINS - sum(player.coins for player in players.values())
    owned = {tile for player in players.values() for tile in player.tiles}
    if "tiles" not in given:
        table.tiles = [tile for tile in table.tiles if tile not in owned]
    if "box" not in given:
        table.box = [tile for tile in m.components["tiles"] if tile not in owned and tile not in table.tiles]
    held = {name for player in players.values() for name in [*player.buildings, *player.dealt]}
    lying = {*held, *table.returned, *table.buildings}
    table.buildings += [name for name in m.components["buildings"] if name not in lying]
    for seat, player in players.items():
        player.points = open_points(m, seat)
