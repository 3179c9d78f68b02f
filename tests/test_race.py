"""Eight processes apply at the same instant: no save is lost, none is written twice, and nobody is answered wrongly."""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee import desk
from referee.block import Submission
from referee.chain import Chain

from .matches import AT, GAMES, KEY, block, check, code_of, new, open_line, play
from .race import race

pytestmark = [pytest.mark.usefixtures("quick_disk"), pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")]

WRITERS = 8


def applying(chain: Chain, sent: Submission) -> Callable[[], Any]:
    """Return what a process does: it applies one submission and tells the answer."""

    def run() -> Any:
        answer = desk.apply(Chain(chain.path, KEY.public), KEY, sent, at=AT)
        return {k: v for k, v in vars(answer).items() if k not in ("deliveries", "path", "link")}

    return run


@pytest.mark.parametrize("game", GAMES)
def test_the_same_submission_eight_times_at_once(game: str, tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "match", game)
    rng = random.Random(1)
    for _ in range(8):
        link = chain.latest()
        if link.save.match.over:
            break
        seat, line = open_line(link.save.match, rng)
        told = race([applying(chain, block(link, seat, line))] * WRITERS)
        assert chain.latest().save.entry.serial == link.save.entry.serial + 1
        assert sorted(one.pop("status") for one in told) == sorted(["accepted"] + ["duplicate"] * (WRITERS - 1))
        assert all(one == told[0] for one in told)
    assert check(chain)


def test_different_submissions_to_one_question(tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "match")
    rng = random.Random(2)
    rounds = 0
    while rounds < 8:
        link = chain.latest()
        m = link.save.match
        seat, line = open_line(m, rng)
        if m.question is None or m.question.taken:
            desk.apply(chain, KEY, block(link, seat, line), at=AT)
            continue
        lines = list({open_line(m, rng, seat)[1] for _ in range(60)})[:WRITERS]
        if len(lines) < 3:
            desk.apply(chain, KEY, block(link, seat, line), at=AT)
            continue
        rounds += 1
        told = race([applying(chain, block(link, seat, one)) for one in lines])
        winners = [one for one in told if isinstance(one, dict)]
        losers = [one for one in told if isinstance(one, list)]
        assert len(winners) == 1
        assert all(kind == "NotNow" and f"Stop {m.stop} has passed" in why for kind, why in losers)
        assert chain.latest().save.entry.serial == link.save.entry.serial + 1
    assert check(chain)


def test_sealed_answers_and_standing_orders_all_get_in(tmp_path: Path) -> None:
    for number in range(6):
        chain, first = new(tmp_path / str(number), seed=number)
        desk.write_reports(chain, first, KEY)
        sent = [
            block(first, "alice", "sail north"),
            block(first, "bob", "sail south", "always decline"),
            block(first, "carol", "always decline"),
            block(first, "carol", "pirate: sail east"),
            block(first, "alice", "always decline"),
        ]
        told = race([applying(chain, one) for one in sent])
        assert all(isinstance(one, dict) and one["status"] == "accepted" for one in told), told
        link = chain.latest()
        assert link.save.entry.serial == len(sent) + 1
        assert link.save.match.stop == 1
        assert sorted(link.save.match.sealed) == ["alice", "bob", "pirate"]
        assert link.save.match.standing == {"alice": ["decline"], "bob": ["decline"], "carol": ["decline"]}
        for seat in ("alice", "bob", "carol"):
            written = (chain.path / "reports" / seat / f"test-{number}-stop-0001.txt").read_bytes()
            assert written == desk.render(chain, link, seat, "text", KEY)
        last = [block(link, "carol", "sail west"), block(link, "carol", "sail north"), block(link, "alice", "sail south")]
        told = race([applying(chain, one) for one in last])
        assert told[0][0] == "Unreadable"
        assert isinstance(told[1], dict)
        assert isinstance(told[2], dict) or told[2][0] == "NotNow"
        assert chain.latest().save.match.stop == 2
        assert check(chain)


def test_a_ruling_and_a_move_at_once(tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "match")
    play(chain, "lantern-reef", 1, 6)
    rng = random.Random(3)

    def ruling() -> str:
        note = {"ruling": "note", "why": "for order's sake", "text": "Quiet, please."}
        return desk.rule(Chain(chain.path, KEY.public), KEY, note).hash

    for _ in range(4):
        link = chain.latest()
        seat, line = open_line(link.save.match, rng)
        told = race([ruling, applying(chain, block(link, seat, line)), ruling])
        assert isinstance(told[0], str)
        assert isinstance(told[2], str)
        moved = isinstance(told[1], dict)
        assert moved or "has passed" in told[1][1]
        assert chain.latest().save.entry.serial == link.save.entry.serial + 2 + moved
    assert check(chain)


def test_two_new_matches_in_one_folder(tmp_path: Path) -> None:
    for number in range(5):
        folder = tmp_path / str(number)
        told = race([lambda folder=folder, seed=seed: new(folder, seed=seed)[1].hash for seed in range(2, 2 + WRITERS)])
        assert sum(isinstance(one, str) for one in told) == 1, told
        assert check(Chain(folder, KEY.public))


def test_codes_stay_good_while_others_write(tmp_path: Path) -> None:
    chain, first = new(tmp_path / "match")
    bob = code_of(first, "bob")
    race([applying(chain, block(first, "alice", f"sail {w}")) for w in ("north", "east", "south")])
    assert code_of(chain.latest(), "bob") == bob
