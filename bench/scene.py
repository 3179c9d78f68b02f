"""What is measured: a match in its middle, made afresh in a folder of its own."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

from referee.ask import Decision
from referee.block import Submission, block_text
from referee.chain import Chain, Link, opened_hash
from referee.desk import Table, apply, open_match
from referee.engine import find_game, pending
from referee.keys import SigningKey
from referee.lines import canonical
from referee.match import Match
from referee.orders import submit
from referee.submission import code_for

SECRET = bytes(range(32))
MOST_SAVES = 150
TRIES = 3
"""How many lines are drawn for each that a long turn needs: those that would end it are not taken."""


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

    def block(self, *lines: str) -> str:
        """Return the order block that sends lines."""
        m = self.link.save.match
        code = code_for(self.key, m, self.seat, m.stop, opened_hash(self.link))
        return block_text(m.id, m.stop, self.seat, code, lines)


def make_key(folder: Path) -> tuple[SigningKey, Path, Path]:
    """Write a referee's key pair and return it with its files."""
    key = SigningKey.new()
    key.save(folder / "referee.key")
    key.public.save(folder / "referee.key.pub")
    return key, folder / "referee.key", folder / "referee.key.pub"


def make_scene(folder: Path, slug: str, moves: int, seed: int = 1) -> Scene:
    """Play random lines through the desk for so many moves, and return where the match stands."""
    key, key_file, public_file = make_key(folder)
    chain, link = _opened(folder, slug, key)
    pick = random.Random(seed)
    for _ in range(moves):
        link = play_random(chain, key, link, pick)
    seat, line = random_line(link, pick)
    return Scene(folder / "match", key, key_file, public_file, link, seat, line)


def _opened(folder: Path, slug: str, key: SigningKey) -> tuple[Chain, Link]:
    table = Table(find_game(slug), ["alice", "bob"], match_id="bench", secret=SECRET)
    return open_match(folder / "match", table, key)


def make_long_turn(folder: Path, slug: str, count: int, seed: int = 1) -> tuple[Scene, list[str]] | None:
    """Play random lines until so many lines in a row can be sent at one stop; return the scene and these lines.

    Returns:
        None for a game in which no turn is as long: none was found in a match.
    """
    key, key_file, public_file = make_key(folder)
    chain, link = _opened(folder, slug, key)
    pick = random.Random(seed)
    while (question := pending(link.save.match)) is not None and link.save.entry.serial < MOST_SAVES:
        lines = long_turn(link.save.match, question.seats[0], count, pick)
        if len(lines) == count:
            return Scene(folder / "match", key, key_file, public_file, link, question.seats[0], lines[0]), lines
        link = play_random(chain, key, link, pick)
    return None


def long_turn(m: Match, seat: str, count: int, pick: random.Random) -> list[str]:
    """Return up to so many random lines that a seat may send in one mail, all of them answers to questions of one name."""
    now, lines = m, list[str]()
    for _ in range(TRIES * count):
        question = pending(now)
        if question is None or len(lines) == count:
            break
        line = canonical(now, question.of(seat)[0].sample(pick))
        after = submit(now, seat, [line]).match
        following = pending(after)
        if following is not None and following.name == question.name and following.of(seat):
            now = after
            lines.append(line)
        elif not lines:
            break
    return lines if len(lines) == count and submit(m, seat, lines).played == lines else []


def random_line(link: Link, pick: random.Random) -> tuple[str, str]:
    """Return a seat that is asked and a line that it may send; the end of a match is never asked for."""
    decision = to_be_made(link.save.match)
    return decision.seat, canonical(link.save.match, decision.sample(pick))


def to_be_made(m: Match) -> Decision:
    """Return a decision that nobody has made yet; a sealed one may be made again, and a joint question would never close."""
    question = pending(m)
    assert question is not None, "the match is over; take fewer moves or another seed"
    return next(decision for decision in question.decisions.values() if decision.decider not in m.sealed)


def play_random(chain: Chain, key: SigningKey, link: Link, pick: random.Random) -> Link:
    """Send one random line and return the newest save."""
    m = link.save.match
    seat, line = random_line(link, pick)
    code = code_for(key, m, seat, m.stop, opened_hash(link))
    apply(chain, key, Submission(m.id, m.stop, seat, code, (line,)))
    return chain.latest()
