"""The laws of chance: nothing but the seed, and the same in every process."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Sequence
from typing import Any, NoReturn
from unittest import mock

from referee.match import Game

from .law_play import Broken, next_mail, opening, play
from .worlds import picture, text_of


def record(game: Game, seed: int, most: int = 400) -> tuple[list[tuple[str, list[str]]], str]:
    """Play a random match without checking it; return the mails, and everything afterwards as text."""
    at, mails = opening(game, seed, most=most), []
    while not at.m.over and len(mails) < at.most:
        seat, mail, _, _ = next_mail(at)
        mails.append((seat, mail))
        at.m = play(at, seat, mail)
        at.log += at.m.events
    return mails, text_of([picture(at.m), at.log])


def replayed(game: Game, seed: int, mails: Sequence[tuple[str, list[str]]]) -> str:
    """Play recorded mails again; return everything afterwards as text."""
    at = opening(game, seed)
    with _poisoned():
        at.m = opening(game, seed).m
        at.log = at.m.events[:]
        for seat, mail in mails:
            at.m = play(at, seat, mail)
            at.log += at.m.events
    return text_of([picture(at.m), at.log])


@contextlib.contextmanager
def _poisoned() -> Iterator[None]:
    """Let every other source of chance, and the clock, raise."""

    def poison(*args: Any, **named: Any) -> NoReturn:
        raise Broken("dice", "chance", "something else than the seed was asked for chance or time")

    places: list[tuple[Any, str]] = [(os, "urandom"), (uuid, "uuid4"), (uuid, "uuid1")]
    places += [(random, name) for name in ("random", "randint", "randrange", "choice", "shuffle", "sample", "getrandbits")]
    places += [(time, name) for name in ("time", "time_ns", "monotonic", "perf_counter")]
    with contextlib.ExitStack() as stack:
        for module, name in places:
            stack.enter_context(mock.patch.object(module, name, poison))
        yield


def dice(game: Game, seed: int, most: int = 400) -> None:
    """Nothing but the seed gives chance: recorded lines give the same match when all other sources are poisoned."""
    mails, text = record(game, seed, most)
    if replayed(game, seed, mails) != text:
        raise Broken("dice", f"{game.slug}, seed {seed}", "the same lines gave another match")


def replay(game: Game, reference: str, seed: int) -> None:
    """The same seed gives the same match in fresh processes that order their sets differently."""
    command = [sys.executable, "-m", "tests.replay", reference, str(seed)]
    runs = [
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": hash_seed}, capture_output=True, text=True, check=False)
        for hash_seed in ("1", "2", "77")
    ]
    for run in runs:
        if run.returncode or run.stdout != runs[0].stdout:
            raise Broken("replay", f"{game.slug}, seed {seed}", run.stderr or "two processes played differently")
