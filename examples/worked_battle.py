"""The worked battle of The Phantom League's rulebook, between Henri and Timo, as a match that verifies like any other.

`python examples/worked_battle.py KEY` plays it into `worked-battle/`: both choose captains, ships and Improvements, undock,
and Henri attacks. One thing cannot be left to chance: which Battle cards both have drawn. A ruling of the moderator, signed
and with its reason in the chain, exchanges cards of the same sets so that they lie as in the rulebook. Everything else is
played by mail and drawn from the seed; the match is begun anew until Henri's prayer takes the two cards that it takes there.

`worked-battle.txt` is what both write and read, from the saves; a test compares it, another verifies the chain. The same battle
stands number by number among the rule scenarios (`tests/rules/phantom_league/worked-battle-*.toml`).
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from games.phantom_league import GAME
from games.phantom_league.battle_table import Battle, BattleCard
from referee.block import block_text, read_submission
from referee.chain import Chain, Link, opened_hash
from referee.desk import Table, apply, open_match, rule, write_reports
from referee.engine import news
from referee.keys import PublicKey, SigningKey
from referee.match import Match
from referee.save import Save, body
from referee.see import OBSERVER
from referee.submission import code_for

HERE = Path(__file__).parent
NAME = "worked-battle"
HENRI, TIMO = "henri", "timo"

# The mails up to the battle, by what is asked for; whoever is asked sends his line.
BEFORE = {
    HENRI: ["captain rusty jim-bob", "ship courier", "improvement turbo-laser", "undock\nend", "attack timo"],
    TIMO: ["captain kerberos", "ship desperado", "improvement cloaking device", "undock\nend"],
}
PREPARATION = [(HENRI, ["first support"]), (TIMO, ["first attack"])]

SETS = ("attack", "defense", "support", "destiny")
# What both have drawn, set by set as they drew it.
DECKS = {
    HENRI: {
        "attack": ["glancing shot", "successful hit"],
        "defense": ["prayer to unknown god"],
        "support": ["first strike"],
        "destiny": ["escape artist", "successful hit"],
    },
    TIMO: {
        "attack": ["ion burst", "railgun salvo"],
        "defense": ["impressive move", "parry"],
        "support": ["jammed comms"],
        "destiny": ["feint", "precision strike"],
    },
}
NEXT_DEFENSE = "reflections"
LOST = ["feint", "jammed comms"]
WHY = "The cards fall as in the rulebook: cards of the same sets are exchanged, in both Battle decks and on the pile."
OVER = "The worked battle is over."

BATTLE = [
    (HENRI, ["play glancing shot and prayer to unknown god"]),
    (TIMO, ["play impressive move and ion burst and railgun salvo"]),
    (
        TIMO,
        [
            "fire ion burst at henri",
            "fire railgun salvo at henri with 2",
            "later:",
            "guard parry",
            "fire precision strike as projectile",
        ],
    ),
    (
        HENRI,
        [
            *("aim prayer to unknown god at timo", "guard reflections", "hits on hull", "later:"),
            "play first strike and escape artist and successful hit and successful hit",
            *("aim first strike at timo", "aim escape artist at timo"),
        ],
    ),
]


def main(key_file: str) -> None:
    """Play the match into its folder, and write down what both write and read."""
    make(HERE / NAME, SigningKey.load(key_file))
    (HERE / f"{NAME}.txt").write_text("\n".join(story()) + "\n")


def make(folder: Path, key: SigningKey) -> None:
    """Play the match into a folder."""
    for attempt in range(1, 200):
        with tempfile.TemporaryDirectory() as place:
            chain = played(Path(place) / NAME, key, nonce=f"henri throws {attempt}")
            if chain is not None:
                shutil.rmtree(folder, ignore_errors=True)
                shutil.copytree(chain.path, folder)
                return
    raise AssertionError("the prayer never takes the two cards of the rulebook")


def played(folder: Path, key: SigningKey, nonce: str) -> Chain | None:
    """Play the match, or as much of it as shows that the prayer takes other cards."""
    table = Table(GAME, [HENRI, TIMO], match_id=NAME, nonces={HENRI: nonce})
    chain, link = open_match(folder, table, key, at=_time(0))
    (folder / "orders").mkdir()
    lines = {seat: iter(mails) for seat, mails in BEFORE.items()}
    while not link.save.match.table.battle.fighters:
        seat = _asked(link)
        link = _send(chain, link, key, seat, next(lines[seat]).split("\n"))
    for seat, mail in PREPARATION:
        link = _send(chain, link, key, seat, mail)
    link = rule(chain, key, {"ruling": "correct", "why": WHY}, edited=corrected(link), at=_time(link.save.entry.serial + 1))
    write_reports(chain, link, key, ["text"])
    for seat, mail in BATTLE:
        link = _send(chain, link, key, seat, mail, reports=True)
    put_off = [event for event in link.save.match.events if event["kind"] == "puts off" and event["who"] == TIMO]
    if [event["to"][TIMO]["cards"] for event in put_off] != [LOST]:
        return None
    link = rule(chain, key, {"ruling": "draw", "why": OVER}, at=_time(link.save.entry.serial + 1))
    write_reports(chain, link, key)
    return chain


def _asked(link: Link) -> str:
    return next(iter(link.save.entry.asked))


def _send(chain: Chain, link: Link, key: SigningKey, seat: str, lines: Sequence[str], *, reports: bool = False) -> Link:
    """Write the mail of a seat, play it as it was written, and return the newest save."""
    m = link.save.match
    text = block_text(m.id, m.stop, seat, code_for(key, m, seat, m.stop, opened_hash(link)), tuple(lines))
    serial = link.save.entry.serial + 1
    (chain.path / "orders" / f"{serial:04}-{seat}.txt").write_text(text)
    apply(chain, key, read_submission(text.encode()), at=_time(serial), forms=["text"] if reports else [])
    return chain.latest()


def _time(mails: int) -> str:
    return f"2026-04-{1 + mails // 3:02}T{9 + 4 * (mails % 3):02}:00:00Z"


# The ruling


def corrected(link: Link) -> bytes:
    """Return the newest save with the cards of the rulebook in both Battle decks, and Reflections on top of its set."""
    m = link.save.match.copy()
    battle = m.table.battle
    for who, deck in DECKS.items():
        for kind, cards in deck.items():
            own = [card for card in battle.fighters[who].deck if card.set == kind]
            assert len(own) == len(cards), f"{who} has drawn {len(own)} cards of the {kind} set"
            for card, front in zip(own, cards, strict=True):
                exchange(battle, card, front)
        battle.fighters[who].deck.sort(key=lambda card: (SETS.index(card.set), card.front))
    exchange(battle, battle.defense[-1], NEXT_DEFENSE)
    return body(Save(m, link.save.entry))


def exchange(battle: Battle, card: BattleCard, front: str) -> None:
    """Exchange a card with one that lies in the piles, or else in a Battle deck that is not as it should be yet."""
    decks = [other for who in (TIMO, HENRI) for other in battle.fighters[who].deck]
    places = [*battle.attack, *battle.defense, *battle.support, *battle.destiny, *decks]
    other = card if card.front == front else next(one for one in places if one.front == front)
    card.front, other.front = other.front, card.front


# What everybody reads


def story(folder: Path = HERE / NAME) -> Iterator[str]:
    """Yield the lines of the battle out of its saves: mails and news; what one player alone reads is marked."""
    chain = Chain(folder, PublicKey.load(HERE / "referee.pub"))
    mails = {path.name[:4]: path for path in (folder / "orders").iterdir()}
    fought = False
    for serial in range(1, chain.store.latest_serial() + 1):
        m = chain.link(serial).save.match
        fought = fought or any(event["kind"] == "battle begins" for event in m.events)
        if fought:
            yield from mailed(mails.get(f"{serial:04}"))
            yield from told(m)
    yield f"Structure: {', '.join(f'{seat} {m.table.ships[seat].structure}' for seat in m.seats)}."


def mailed(path: Path | None) -> Iterator[str]:
    """Yield the lines of a mail."""
    if path is not None:
        sent = read_submission(path.read_bytes())
        yield from wrapped(f"{sent.seat}: {'; '.join(sent.lines)}", "> ")


def told(m: Match) -> Iterator[str]:
    """Yield what the events of a save say to all, and what they say to each player besides."""
    for event in m.events:
        for reader in (OBSERVER, *m.seats):
            for item in news(m.game, [event], reader):
                if reader == OBSERVER or is_for(event, reader):
                    yield from wrapped(f"{f'[{reader}] ' if reader else ''}{item['text'].strip()}", "  ")


def is_for(event: Mapping[str, object], reader: str) -> bool:
    """Tell whether an event has words for one player alone."""
    to = event.get("to", {})
    return event.get("only") == reader or (isinstance(to, dict) and reader in to)


def wrapped(text: str, start: str) -> list[str]:
    """Return a text in lines of 100 characters."""
    return textwrap.wrap(text, 100, initial_indent=start, subsequent_indent="    ")


if __name__ == "__main__":
    main(sys.argv[1])
