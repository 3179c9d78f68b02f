"""Inside one process: legal lines a second, the full cycle, a chain's replay, and whether cost grows with the chain.

All times are of the processor (`time.process_time`), so that other work on the machine counts as little as may be. What
waits for the disk is no part of them.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from referee import envelope
from referee.block import Submission
from referee.chain import Chain, Link, opened_hash, successor, verify
from referee.desk import Lone, Table, apply, open_match, rule
from referee.dispatch import render_all
from referee.engine import answer, begin, find_game, news, pending, start, view
from referee.keys import SigningKey
from referee.lines import canonical, read
from referee.match import Match
from referee.save import body, file_hash, parse
from referee.submission import code_for

from .scene import SECRET, Scene, to_be_made

SEATS = ["alice", "bob"]


def fresh(slug: str, seed: int) -> Match:
    """Return a match that has begun."""
    m = start(find_game(slug), "bench", SEATS, random.Random(seed).randbytes(32))
    begin(m, {})
    return m


def bare(m: Match, pick: random.Random) -> None:
    """Find out of every order on offer whether and how it can be given, and play one answer.

    The fills of an order are not written out one by one: to discard any of five cards is 32 answers, and no list of
    another engine's would hold them.
    """
    decision = to_be_made(m)
    for offer in decision.offers:
        offer.slots  # noqa: B018 - evaluates the order's partner, once
    answer(m, decision.decider, decision.sample(pick))


def from_text(m: Match, pick: random.Random) -> None:
    """Read a line of text against what is offered, and play it."""
    decision = to_be_made(m)
    answer(m, decision.decider, read(m, decision, canonical(m, decision.sample(pick))))


def with_views(m: Match, pick: random.Random) -> None:
    """Play a line and make the views of both seats, with the order lines of those asked, and the news."""
    from_text(m, pick)
    for seat in SEATS:
        view(m, seat)
        news(m.game, m.events, seat)


def lines_a_second(slug: str, play: Callable[[Match, random.Random], None], seconds: float, seed: int = 1) -> float:
    """Play random matches for so many seconds and return how many lines a second were played; the last one is cut short."""
    pick, played, number = random.Random(seed), 0, seed
    begin_time = time.process_time()
    end_time = begin_time + seconds
    while time.process_time() < end_time:
        m, number = fresh(slug, number), number + 1
        while pending(m) is not None and time.process_time() < end_time:
            m.events.clear()
            m.chance.log.clear()
            play(m, pick)
            played += 1
    return played / (time.process_time() - begin_time)


def cycles_a_second(scene: Scene, seconds: float) -> float:
    """Verify, parse, play a line, write, sign, and make text and HTML of both seats, again and again."""
    chain = Chain(scene.folder, scene.key.public)
    path = scene.folder / f"{scene.link.save.entry.serial:04}.toml"
    data, count = path.read_bytes(), 0
    stop = scene.link.save.match.stop
    move = {"kind": "lines", "seat": scene.seat, "stop": stop, "by": "code", "lines": [scene.line]}
    begin_time = time.process_time()
    while time.process_time() - begin_time < seconds:
        content = envelope.unseal(data, scene.key.public, "save", name=path.name)
        link = Link(parse(content, path.name, chain.pack), file_hash(data))
        save, _ = successor(link, move, "2026-01-01T00:00:00Z", "bench", chain.older)
        sealed = envelope.seal(body(save), scene.key, "save")
        after = Link(save, file_hash(sealed))
        for seat in SEATS:
            render_all(Lone(path, scene.key), after, seat, ("text", "html"), scene.key)
        count += 1
    return count / (time.process_time() - begin_time)


def verify_per_save(folder: Path, key: SigningKey) -> tuple[float, int]:
    """Return the seconds per save that verifying a chain takes, and the number of saves."""
    begin_time = time.process_time()
    count = sum(1 for _ in verify(Chain(folder, key.public)))
    return (time.process_time() - begin_time) / count, count


def growth(folder: Path, slug: str, length: int = 500) -> tuple[float, float]:
    """Return the cost of a move late in a chain over that of the same move early, in time and in bytes.

    The chain is made long by notes of the moderator, each a stop of its own, so that both moves are made in one position.
    """
    key = SigningKey.new()
    chain, link = open_match(folder, Table(find_game(slug), SEATS, match_id="bench", secret=SECRET), key)
    early = _timed_moves(chain, key)
    while link.save.entry.serial < length:
        link = rule(chain, key, {"ruling": "note", "text": "The chain grows.", "why": "a measurement"})
    late = _timed_moves(chain, key)
    return min(t for t, _ in late) / min(t for t, _ in early), late[-1][1] / early[-1][1]


def _timed_moves(chain: Chain, key: SigningKey, times: int = 7) -> list[tuple[float, int]]:
    """Plan a line and drop it again through the desk, for a seat that is not asked, again and again, each at its own stop.

    Returns:
        For each time the seconds that it took and the bytes of the last save.
    """
    found = []
    for _ in range(times):
        link = rule(chain, key, {"ruling": "note", "text": "Another stop.", "why": "a measurement"})
        m, question = link.save.match, pending(link.save.match)
        assert question is not None
        seat = next(seat for seat in SEATS if seat not in question.seats)
        code = code_for(key, m, seat, m.stop, opened_hash(link))
        line = canonical(m, next(next(iter(question.decisions.values())).frames()))
        begin_time = time.process_time()
        for lines in (("later:", line), ("forget",)):
            apply(chain, key, Submission(m.id, m.stop, seat, code, lines))
        found.append((time.process_time() - begin_time, len(chain.store.latest()[1])))
    return found
