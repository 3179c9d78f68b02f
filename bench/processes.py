"""Whole processes: rounds in which every row runs once, in shuffled order; ratios are taken round by round."""

from __future__ import annotations

import os
import random
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .scene import Scene

PYTHON = sys.executable
SMALL = """
import os, subprocess, sys
child = subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
print(os.wait4(child.pid, 0)[2].ru_maxrss)
"""
LONG = "apply, 20 lines in one mail"
REFEREE = str(Path(sys.executable).with_name("referee"))


@dataclass
class Row:
    """One command to be timed.

    Attributes:
        name: what the table calls it.
        command: makes the arguments for a fresh folder.
        status: the exit status that proves that it did what is measured.
        seconds: the processor's time that it took, one a round.
        elapsed: the time by the clock, which has the waiting for the disk in it, and whatever else the machine does.
        peak: the most memory that it used, in KB; measured apart, see `peak_of`.
        scene: the match that it is about, copied afresh for each run.
    """

    name: str
    command: Callable[[Path], Sequence[str]]
    scene: Scene
    status: int = 0
    seconds: list[float] = field(default_factory=list)
    elapsed: list[float] = field(default_factory=list)
    peak: int = 0


def rows(scene: Scene, blocks: Path, long: tuple[Scene, list[str]] | None = None) -> list[Row]:
    """Return the rows of the table for a scene, and for a long turn in one mail if the game has any."""
    good, bad, whole = blocks / "good.txt", blocks / "bad.txt", blocks / "whole.txt"
    good.write_text(scene.block(scene.line))
    bad.write_text(scene.block("fly nowhere"))
    newest = f"{scene.link.save.entry.serial:04}.toml"

    def floor(folder: Path) -> list[str]:
        files = (folder / newest, scene.public_file, scene.key_file, folder / "out")
        return [PYTHON, "-m", "bench.floor", *map(str, files)]

    found = [
        Row("F0", lambda folder: [PYTHON, "-c", "pass"], scene),
        Row("F1", floor, scene),
        Row("apply", lambda folder: [REFEREE, "apply", str(folder), str(good)], scene),
        Row("verify one save", lambda folder: [REFEREE, "verify", str(folder / newest)], scene),
        Row("refused submission", lambda folder: [REFEREE, "apply", str(folder), str(bad)], scene, status=3),
        Row("--version", lambda folder: [REFEREE, "--version"], scene),
        Row("--help", lambda folder: [REFEREE, "--help"], scene),
    ]
    if long:
        whole.write_text(long[0].block(*long[1]))
        found.append(Row(LONG, lambda folder: [REFEREE, "apply", str(folder), str(whole)], long[0]))
    return found


def run(row: Row, folder: Path) -> None:
    """Run a row once and note time and memory."""
    command = row.command(folder)
    begin = time.perf_counter()
    child = subprocess.Popen(command, env=_environment(row), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    row.elapsed.append(time.perf_counter() - begin)
    row.seconds.append(usage.ru_utime + usage.ru_stime)
    child.returncode = os.waitstatus_to_exitcode(status)
    assert child.returncode == row.status, f"{row.name} left with {child.returncode}: {' '.join(command)}"


def peak_of(row: Row, folder: Path) -> int:
    """Return the most memory that a row's process used, in KB.

    A small process starts it: Linux counts as a process's own what the one that started it held at that moment.
    """
    command = [PYTHON, "-c", SMALL, *row.command(folder)]
    return int(subprocess.run(command, env=_environment(row), capture_output=True, text=True, check=True).stdout)


def _environment(row: Row) -> dict[str, str]:
    environment = {**os.environ, "REFEREE_KEY": str(row.scene.key_file)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    return environment


def measure(scene: Scene, work: Path, rounds: int, long: tuple[Scene, list[str]] | None = None) -> dict[str, Row]:
    """Run all rows in so many rounds, each row on a fresh copy of its match."""
    table = rows(scene, work, long)
    order = random.Random(0)
    folder = work / "copy"
    for row in table:  # this warms the caches of the disk, too
        shutil.copytree(row.scene.folder, folder)
        row.peak = peak_of(row, folder)
        shutil.rmtree(folder)
    for _ in range(rounds):
        for row in order.sample(table, len(table)):
            shutil.copytree(row.scene.folder, folder)
            run(row, folder)
            shutil.rmtree(folder)
    return {row.name: row for row in table}


def ratio(times: Sequence[float], base: Sequence[float]) -> tuple[float, float, float]:
    """Return median, lower and upper quartile of the round-by-round ratios of two rows."""
    values = sorted(one / other for one, other in zip(times, base, strict=True))
    low, _, high = statistics.quantiles(values, n=4)
    return statistics.median(values), low, high
