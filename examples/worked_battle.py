"""The worked battle of The Phantom League's rulebook, between Henri and Timo, from its set-up to its end.

`python examples/worked_battle.py` plays it by the mails that both would send, with cards that fall as in the rulebook, and
prints the mails and what everybody then reads. `worked-battle.txt` beside it is what it prints, and a test compares them. The
same battle stands number by number among the rule scenarios (`tests/rules/phantom_league/worked-battle-*.toml`).
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from games.phantom_league import GAME, mats
from games.phantom_league.battle_deck import printed_set
from games.phantom_league.galaxy import lay_hexes
from games.phantom_league.table import Captain, Ship, new_table
from referee.chance import Chance
from referee.engine import news, pending, start
from referee.match import Match
from referee.orders import submit
from referee.see import OBSERVER

HENRI, TIMO = "henri", "timo"
SHIPS = {HENRI: ("C03", "S07", ["I01"]), TIMO: ("C06", "S09", ["I09"])}

# What is drawn, the top card first: for the Destiny deck, then Henri's and Timo's cards.
DRAWN = {
    "attack": [
        *("successful hit", "precision strike", "weapon hit", "beam sweep", "torpedo run"),
        *("ion burst", "glancing shot", "successful hit", "railgun salvo"),
    ],
    "defense": [*("feint", "brace", "smoke screen"), "prayer to unknown god", "impressive move", "parry", "reflections"],
    "support": ["escape artist", "first strike", "jammed comms"],
}
DESTINY = ["successful hit", "escape artist", "precision strike", "feint"]
LOST = ["feint", "jammed comms"]

MAILS = [
    (HENRI, ["first support"]),
    (TIMO, ["first attack"]),
    (HENRI, ["play glancing shot and prayer to unknown god"]),
    (TIMO, ["play impressive move and ion burst and railgun salvo"]),
    (TIMO, ["fire ion burst at henri", "fire railgun salvo at henri with 2"]),
    (HENRI, ["aim prayer to unknown god at timo", "guard reflections", "hits on hull"]),
    (HENRI, ["play first strike and escape artist and successful hit and successful hit"]),
    (HENRI, ["aim first strike at timo", "aim escape artist at timo"]),
    (TIMO, ["fire precision strike at henri as projectile", "guard parry"]),
]


class Arranged(Chance):
    """Chance by which the cards fall as in the rulebook: sets, Destiny deck, and what the prayer takes."""

    def copy(self) -> Arranged:
        """Return a source that goes on from here by itself."""
        return Arranged(self.seed, self.counter)

    def shuffled(self, things: Sequence[Any]) -> list[Any]:
        """Return the things so that the wanted ones come first; sets and the Destiny deck are drawn from their ends."""
        self.counter += 1
        if self.counter <= len(DRAWN):
            return on_top(things, list(DRAWN.values())[self.counter - 1])
        return on_top(things, DESTINY) if self.counter == len(DRAWN) + 1 else on_top(things, LOST[::-1])[::-1]


def on_top(things: Sequence[Any], top: Sequence[Any]) -> list[Any]:
    """Return the things with some of them at the end, the first of these last."""
    rest = list(things)
    for thing in top:
        rest.remove(thing)
    return [*rest, *reversed(top)]


def battlefield() -> Match:
    """Return a match in which Henri and Timo fly at Central, and Henri attacks."""
    m = start(GAME, "worked-battle", [HENRI, TIMO], bytes(32))
    m.chance = Arranged(bytes(32), 0)
    m.table = table = new_table()
    systems = m.components["systems"]
    red, orange = ([s for s, row in systems.items() if row["half"] == half] for half in ("red", "orange"))
    table.hexes = lay_hexes(red, orange)
    for hex in table.hexes.values():
        hex.known = [*m.seats, OBSERVER]
    table.turn.who = HENRI
    for seat, (captain, ship, improvements) in SHIPS.items():
        table.captains[seat] = Captain(captain=captain, ships=[seat], ship=seat)
        table.ships[seat] = Ship(who=seat, card=ship, place="central", installed=improvements)
        own = table.ships[seat]
        own.structure, own.fuel = mats.most_structure(m, seat), mats.most_fuel(m, seat)
    m.do({"do": "battle", "attacker": HENRI, "defender": TIMO, "cause": "attack"}, {"do": "choose", "who": HENRI})
    pending(m)
    assert len(printed_set(m, "attack")) == 25
    return m


def story() -> Iterator[str]:
    """Yield the lines of the whole battle: mails, and what everybody reads; what is for one player alone is marked."""
    m = battlefield()
    yield from told(m)
    for seat, lines in MAILS:
        m = submit(m, seat, lines).match
        yield f"> {seat}: {'; '.join(lines)}"
        yield from told(m)
    yield f"Structure: {', '.join(f'{seat} {m.table.ships[seat].structure}' for seat in m.seats)}."


def told(m: Match) -> Iterator[str]:
    """Yield what the events since the last mail say to all, and what they say to each player besides."""
    for event in m.events:
        for reader in (OBSERVER, *m.seats):
            for item in news(m.game, [event], reader):
                if reader == OBSERVER or event.get("only") == reader or reader in event.get("to", {}):
                    yield from wrapped(f"{f'[{reader}] ' if reader else ''}{item['text'].strip()}")
    m.events.clear()


def wrapped(text: str) -> list[str]:
    """Return a text in lines of 100 characters."""
    return textwrap.wrap(text, 100, initial_indent="  ", subsequent_indent="    ")


if __name__ == "__main__":
    print("\n".join(story()))
