"""`python -m bench [GAME ...] [--rounds N] [--seconds S]`: every row of the table of targets, with its spread."""

from __future__ import annotations

import argparse
import os
import platform
import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from . import inside, processes
from .scene import make_long_turn, make_scene

MOVES, LINES = 30, 20
PROCESS_TARGETS = [
    ("apply", "F1", 2.4),
    (processes.LONG, "F1", 2.4),
    ("verify one save", "F1", 1.6),
    ("refused submission", "F1", 1.6),
    ("--version", "F0", 2.0),
    ("--help", "F0", 5.0),
]


def process_rows(slug: str, rounds: int, work: Path) -> Iterator[str]:
    """Yield the rows of whole processes."""
    (work / "scene").mkdir()
    (work / "long").mkdir()
    scene = make_scene(work / "scene", slug, MOVES)
    table = processes.measure(scene, work, rounds, make_long_turn(work / "long", slug, LINES))
    for name in ("F0", "F1"):
        values = sorted(1000 * s for s in table[name].seconds)
        spread = f"{values[0]:.0f} to {values[-1]:.0f} ms"
        yield f"| {name}, whole process, processor | {statistics.median(values):.0f} ms | {spread} | |"
    for name, base, target in PROCESS_TARGETS:
        if name not in table:
            continue
        median, low, high = processes.ratio(table[name].seconds, table[base].seconds)
        elapsed, _, _ = processes.ratio(table[name].elapsed, table[base].elapsed)
        spread = f"{low:.2f} to {high:.2f}; elapsed {elapsed:.2f}"
        yield f"| {name} | {median:.2f} {base} | {spread} | {target} {base} |"
    yield f"| peak memory of apply | {table['apply'].peak / 1024:.0f} MB | one run | 36 MB |"
    size = (scene.folder / f"{scene.link.save.entry.serial:04}.toml").stat().st_size
    yield f"| size of a save | {size / 1000:.1f} KB | after {MOVES} lines | 15 KB |"


def inside_rows(slug: str, seconds: float, work: Path) -> Iterator[str]:
    """Yield the rows measured inside one process: the median of five runs, with the lowest and the highest."""
    for name, play, target in (
        ("legal lines a second: every order looked at, one played", inside.bare, 30_000),
        ("legal lines a second: read from text", inside.from_text, 15_000),
        ("legal lines a second: with views and order lines of both", inside.with_views, 6_000),
    ):
        runs = sorted(inside.lines_a_second(slug, play, seconds, seed) for seed in range(1, 6))
        yield f"| {name} | {runs[2]:,.0f} | {runs[0]:,.0f} to {runs[-1]:,.0f} | {target:,} |"
    (work / "cycle").mkdir()
    scene = make_scene(work / "cycle", slug, MOVES)
    runs = sorted(inside.cycles_a_second(scene, seconds) for _ in range(5))
    yield f"| full cycles a second | {runs[2]:.0f} | {runs[0]:.0f} to {runs[-1]:.0f} | 80 |"
    checks = sorted(1000 * inside.verify_per_save(scene.folder, scene.key)[0] for _ in range(5))
    yield f"| verify a chain, per save | {checks[2]:.2f} ms | {checks[0]:.2f} to {checks[-1]:.2f} ms | 8 ms |"
    times, sizes = zip(*(inside.growth(work / f"growth{run}", slug) for run in range(5)), strict=True)
    spread = f"{min(times):.2f} to {max(times):.2f}"
    yield f"| cost of move 500 over move 5, time | {statistics.median(times):.2f} | {spread} | 1.1 |"
    yield f"| cost of move 500 over move 5, bytes | {max(sizes):.3f} | {min(sizes):.3f} to {max(sizes):.3f} | 1.1 |"


def main() -> None:
    """Print the table of each game named."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("games", nargs="*", default=["cosmic-league"])
    parser.add_argument("--rounds", type=int, default=21, help="rounds of whole processes")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a run inside the process")
    arguments = parser.parse_args()
    print(f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, CPython {platform.python_version()}", end="")
    print(f", {arguments.rounds} rounds; load {os.getloadavg()[0]:.1f} at the start")
    for slug in arguments.games:
        print(f"\n{slug}\n\n| measure | median | spread | target |\n|---|---|---|---|")
        for rows in (process_rows(slug, arguments.rounds, _work()), inside_rows(slug, arguments.seconds, _work())):
            for row in rows:
                print(row, flush=True)
    print(f"\nload {os.getloadavg()[0]:.1f} at the end")


def _work() -> Path:
    return Path(tempfile.mkdtemp(prefix="referee-bench-"))


if __name__ == "__main__":
    main()
