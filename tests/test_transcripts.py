"""Transcripts: one seeded match a game, written out as text and kept in the tree, so that every change of what people read is
seen and reviewed like code. `python -m tests.test_transcripts` writes them anew.

Each has the lines that were sent, what everybody was told of them, and every reader's whole report at the beginning, at some
stops between, and at the end.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import report
from referee.components import folder_of
from referee.context import bare_context
from referee.engine import begin, find_game, news, pending, start
from referee.lines import canonical
from referee.match import Match
from referee.orders import submit
from referee.see import OBSERVER

FOLDER = Path(__file__).parent / "transcripts"
SEATS = {
    "cosmic-league": ["alice", "bob"],
    "kosmiczna-misja": ["alice", "bob", "carol"],
    "four-planets": ["alice", "bob"],
    "phantom-league": ["alice", "bob"],
}
OPTIONS: dict[str, dict[str, int]] = {"phantom-league": {"rounds": 8}}
"""Options of a match that would fill a book."""
SEED = 7
WHOLE_EVERY = 40
"""How many stops lie between two stops whose reports are written out."""


def transcript(slug: str) -> str:
    """Return the transcript of one match of a game."""
    return "\n".join(_parts(slug)) + "\n"


def _parts(slug: str) -> Iterator[str]:
    m = start(find_game(slug), "transcript", SEATS[slug], random.Random(SEED).randbytes(32), options=OPTIONS.get(slug, {}))
    begin(m, {})
    m.stop, m.moved, pick = 1, False, random.Random(SEED)
    yield from _told(m, "the deal")
    yield from _reports(m)
    while (question := pending(m)) is not None:
        decision = next(d for d in question.decisions.values() if d.decider not in m.sealed)
        line = canonical(m, decision.sample(pick))
        line = line if decision.decider == decision.seat else f"{decision.decider}: {line}"
        m = submit(m, decision.seat, [line]).match
        yield from _told(m, f"{decision.seat} sends: {line}")
        if m.stop % WHOLE_EVERY == 0 and m.moved:
            yield from _reports(m)
    yield from _reports(m)


def _told(m: Match, title: str) -> Iterator[str]:
    """Yield what was told, by reader; what all are told alike stands once."""
    yield f"== stop {m.stop}: {title}"
    told = {reader: [one["text"] for one in news(m.game, m.events, reader)] for reader in (OBSERVER, *m.seats)}
    for reader, texts in told.items():
        yield from (f"   {reader or 'all'}: {text}" for text in texts if not reader or text not in told[OBSERVER])


def _reports(m: Match) -> Iterator[str]:
    for reader in (OBSERVER, *m.seats):
        yield f"== report at stop {m.stop} for {reader or 'the observer'}"
        ready = bare_context(m, reader, m.events)
        yield from (f"   | {line}".rstrip() for line in report.render(ready, "text", folders=[folder_of(m.game)]).splitlines())


@pytest.mark.parametrize("slug", SEATS)
def test_a_match_reads_as_it_did(slug: str) -> None:
    kept = (FOLDER / f"{slug}.txt").read_text(encoding="utf-8")
    for number, (one, other) in enumerate(zip(kept.splitlines(), transcript(slug).splitlines(), strict=False), 1):
        assert one == other, f"{slug}.txt, line {number}; if the change is meant, run `python -m tests.test_transcripts`"
    assert kept == transcript(slug)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in SEATS:
        (FOLDER / f"{name}.txt").write_text(transcript(name), encoding="utf-8")
