"""Make the example matches of scripted players anew: `python examples/make.py KEY [GAME...]`.

Each match is played by its players (a module here) from their own views alone, and every file is kept: the saves, the orders
as they were mailed, and the reports. KEY is the referee's key that `referee.pub` belongs to; it is not in the tree. What
`worked-battle` is stands in `worked_battle.py`. The other examples were played by hand, from the reports.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from referee.block import block_text, read_submission
from referee.chain import Chain, Link, opened_hash
from referee.desk import Table, apply, open_match, write_reports
from referee.engine import find_game, pending, view
from referee.envelope import Form
from referee.keys import SigningKey
from referee.submission import code_for

HERE = Path(__file__).parent
MATCHES = {"cosmic-league": ["alice", "bob"], "phantom-league": ["alice", "bob", "carol"]}
LONG = {"phantom-league"}
"""Matches of so many mails that only their last reports are kept."""
STANDING = {"cosmic-league": {"bob": ["always neutralize afterburner", "always decline"]}}


def main(key_file: str, *games: str) -> None:
    """Make all matches of scripted players under one key, or those of the games that are named."""
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    key = SigningKey.load(key_file)
    (HERE / "referee.pub").unlink(missing_ok=True)
    key.public.save(HERE / "referee.pub")
    for slug in games or [*MATCHES, "worked-battle"]:
        if slug == "worked-battle":
            importlib.import_module("worked_battle").main(key_file)
            continue
        seats, folder = MATCHES[slug], HERE / slug
        shutil.rmtree(folder, ignore_errors=True)
        make_match(slug, seats, folder, key)


def make_match(slug: str, seats: list[str], folder: Path, key: SigningKey) -> None:
    """Play one match to its end."""
    player = importlib.import_module(slug.replace("-", "_"))
    game = find_game(slug)
    initials = "".join(word[0] for word in slug.split("-"))
    table = Table(game, seats, match_id=f"{initials}-example", nonces={seats[0]: "seven swans"})
    chain, link = open_match(folder, table, key, at=_time(0))
    write_reports(chain, link, key, forms=["text"])
    (folder / "orders").mkdir()
    mails = 0
    for seat, lines in STANDING.get(slug, {}).items():
        mails += 1
        link = _send(chain, link, key, seat, lines, mails)
    forms: list[Form] = [] if slug in LONG else ["text"]
    while not link.save.match.over:
        mails += 1
        question = pending(link.save.match)
        assert question is not None
        seat = next(d.seat for d in question.decisions.values() if d.decider not in link.save.match.sealed)
        link = _send(chain, link, key, seat, player.lines(view(link.save.match, seat)), mails, forms)
    write_reports(chain, link, key)
    print(f"{slug}: {link.save.entry.serial + 1} saves, {link.save.match.game.score(link.save.match)}")


def _send(
    chain: Chain, link: Link, key: SigningKey, seat: str, lines: list[str], mails: int, forms: Sequence[Form] = ("text",)
) -> Link:
    """Write the mail of a seat, play it as it was written, and return the newest save."""
    m = link.save.match
    code = code_for(key, m, seat, m.stop, opened_hash(link))
    text = block_text(m.id, m.stop, seat, code, tuple(lines))
    (chain.path / "orders" / f"{mails:04}-{seat}.txt").write_text(text)
    apply(chain, key, read_submission(text.encode()), at=_time(mails), forms=forms)
    return chain.latest()


def _time(mails: int) -> str:
    days, hours = divmod(mails * 7, 24)
    return f"2026-{3 + days // 28:02}-{1 + days % 28:02}T{hours:02}:00:00Z"


if __name__ == "__main__":
    main(*sys.argv[1:])
