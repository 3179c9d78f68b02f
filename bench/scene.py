"""What is measured: a match in its middle, made afresh in a folder of its own."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from referee.block import Submission, block_text
from referee.chain import Chain, Link, opened_hash
from referee.desk import Table, apply, open_match
from referee.engine import find_game, pending
from referee.keys import SigningKey
from referee.lines import canonical
from referee.submission import code_for

SECRET = bytes(range(32))


@dataclass
class Scene:
    """A match at a stop that its first asked seat can answer.

    Attributes:
        folder: the chain.
        key: the referee's key; `key_file` and `public_file` hold it.
        link: the newest save.
        seat: who is asked.
        line: a legal answer, in canonical form.
    """

    folder: Path
    key: SigningKey
    key_file: Path
    public_file: Path
    link: Link
    seat: str
    line: str

    def block(self, line: str) -> str:
        """Return the order block that sends one line."""
        m = self.link.save.match
        code = code_for(self.key, m, self.seat, m.stop, opened_hash(self.link))
        return block_text(m.id, m.stop, self.seat, code, (line,))


def make_key(folder: Path) -> tuple[SigningKey, Path, Path]:
    """Write a referee's key pair and return it with its files."""
    key = SigningKey.new()
    key.save(folder / "referee.key")
    key.public.save(folder / "referee.key.pub")
    return key, folder / "referee.key", folder / "referee.key.pub"


def make_scene(folder: Path, slug: str, moves: int, seed: int = 1) -> Scene:
    """Play random lines through the desk for so many moves, and return where the match stands."""
    key, key_file, public_file = make_key(folder)
    table = Table(find_game(slug), ["alice", "bob"], match_id="bench", secret=SECRET)
    chain, link = open_match(folder / "match", table, key)
    pick = random.Random(seed)
    for _ in range(moves):
        link = play_random(chain, key, link, pick)
    seat, line = random_line(link, pick)
    return Scene(folder / "match", key, key_file, public_file, link, seat, line)


def random_line(link: Link, pick: random.Random) -> tuple[str, str]:
    """Return a seat that is asked and a line that it may send; the end of a match is never asked for."""
    question = pending(link.save.match)
    assert question is not None, "the match is over; take fewer moves or another seed"
    decision = next(iter(question.decisions.values()))
    return decision.seat, canonical(link.save.match, decision.sample(pick))


def play_random(chain: Chain, key: SigningKey, link: Link, pick: random.Random) -> Link:
    """Send one random line and return the newest save."""
    m = link.save.match
    seat, line = random_line(link, pick)
    code = code_for(key, m, seat, m.stop, opened_hash(link))
    apply(chain, key, Submission(m.id, m.stop, seat, code, (line,)))
    return chain.latest()
