"""Damaged mails at the desk: each is put away, none stops another, and no line is played that its writer did not write."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from referee.chain import verify
from referee.mail.threads import root_id

from ..matches import KEY, code_of
from . import fuzz
from .letters import NAMES, raw
from .scene import ADDRESSES, REFEREE, Scene, to

MAILS = 400
SEEDS = (1, 2)
WRITTEN = {"sail north", "later:", "land", "always decline"}


def mails(scene: Scene, chance: random.Random) -> list[bytes]:
    """Return sound mails of every kind: blocks, replies, lines for the desk, and what mail programs write."""
    code, id = code_of(scene.link, "alice"), to(scene.mails(), "alice").message_id
    root = root_id(KEY, "m-1", "alice", 1, REFEREE.partition("@")[2])
    head = f"From: {ADDRESSES['alice']}\nSubject: x\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n"
    block = f"#referee m-1 1 alice {code}\n%s\n#end\n"
    texts = [
        f"{head}\n{block % 'sail north'}",
        f"{head}In-Reply-To: <{id}>\n\nsail north\n\n> {block % 'sail south'}",
        f"{head}References: <{root}> <{id}>\n\nSail north.\n",
        f"{head}\n{block % 'later:' + chr(10) + 'land'}",
        f"{head}\n{block % 'vacation 2026-12-24 to 2026-12-26'}",
        f"{head}\n{block % 'say to bob: ahoy'}",
        f"{head}\n{block % 'digest on'}",
        f"{head}In-Reply-To: <{id}>\n\nhelp\n",
        f"{head}\n{block % 'check'}",
    ]
    return [*(text.encode() for text in texts), *(raw(name) for name in chance.sample(NAMES, 12))]


@pytest.mark.parametrize("seed", SEEDS)
def test_damaged_mails_are_put_away_and_play_nothing_wrong(tmp_path: Path, quick_disk: None, seed: int) -> None:
    scene, chance = Scene(tmp_path), random.Random(seed)
    scene.config.answers_a_day = 1000
    scene.round()
    sound = mails(scene, chance)
    inbox = scene.office().inbox
    keys = set()
    for number in range(MAILS):
        mail = fuzz.mutate(chance, chance.choice(sound), gently=False)
        keys.add(inbox.store(mail, f"2026-11-30T12:{number // 60:02}:{number % 60:02}Z", "a test"))
    done = scene.done()
    assert done.troubles == []
    assert done.tally.handled == len(keys)
    assert {inbox.state(key) for key in keys} <= {"done", "refused"}
    mistakes = [reason for reason in inbox.refused().values() if "mistake" in reason or "could not be handled" in reason]
    assert mistakes == []
    assert {mail.to for mail in scene.mails()} <= {*ADDRESSES.values(), scene.config.moderator}
    checked = list(verify(scene.chain))
    moves = [scene.chain.section(serial, "move") for serial in range(2, len(checked))]
    assert moves, "some mails outlive what was done to them"
    assert {move["seat"] for move in moves} == {"alice"}
    assert {line for move in moves for line in move.get("played", [])} <= WRITTEN
