"""What things cost, in counts that are the same on every machine: modules, calls, bytes, files, flushes.

The times themselves are in `bench/README.md`. A limit here has some margin; whoever has to raise one has made the
program slower.
"""

import importlib.util
import os
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bench import inside
from bench.scene import Scene, make_scene, to_be_made
from referee import desk, dispatch, templating
from referee.block import read_submission
from referee.chain import Chain
from referee.cli.games import slugs
from referee.engine import find_game, pending
from referee.match import Match

SLUG = "cosmic-league"
NEVER = {
    "asyncio", "dataclasses", "email", "importlib.metadata", "pydantic", "rich", "typer", "click", "difflib", "random",
    "zoneinfo", "referee.clock", "referee.tick", "referee.mail", "referee.tournament",
}  # fmt: skip
"""Modules that no command needs whose arguments are in order; each costs as much as several lines."""
REPORTS = {"jinja2", "inspect", "shutil"}
"""What Jinja2 brings along; a command that makes no report does without."""
RUN = """
import sys
before = set(sys.modules)
from referee.cli import main
status = main()
print(*sorted(set(sys.modules) - before), file=sys.stderr)
sys.exit(status)
"""


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Scene:
    """Return a match of The Cosmic League after twenty lines."""
    return make_scene(tmp_path_factory.mktemp("cost"), SLUG, 20)


def modules(scene: Scene, *words: str, status: int = 0, data: str = "") -> set[str]:
    """Return the modules that a command imports."""
    command = [sys.executable, "-c", RUN, *words]
    environment = {**os.environ, "REFEREE_KEY": str(scene.key_file)}
    done = subprocess.run(command, capture_output=True, text=True, input=data, env=environment, check=False)
    assert done.returncode == status, done.stderr
    return set(done.stderr.splitlines()[-1].split())


def check_modules(found: set[str], most: int, never: set[str]) -> None:
    """Check that a command imports at most so many modules, and none of some."""
    assert not found & never, f"imports {', '.join(sorted(found & never))}"
    assert len(found) <= most, f"imports {len(found)} modules instead of {most}"
    if importlib.util.find_spec("tomli"):
        assert not any(name.startswith("tomllib") for name in found), "reads saves with the slow parser"


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_to_say_the_version_takes_no_modules(scene: Scene, option: str) -> None:
    """Neither the version nor the list of commands imports more than the command line itself."""
    check_modules(modules(scene, option), 4, NEVER | REPORTS | {"typing", "pathlib", "re", "cryptography"})


def test_to_verify_a_save_takes_no_templates(scene: Scene) -> None:
    """A save, and a whole chain, are verified without what makes reports."""
    newest = scene.folder / f"{scene.link.save.entry.serial:04}.toml"
    for path in (newest, scene.folder):
        check_modules(modules(scene, "verify", str(path)), 150, NEVER | REPORTS | {"json"})


def test_to_refuse_a_submission_takes_no_templates(scene: Scene) -> None:
    """A line that cannot be played now is refused without what makes reports."""
    never = NEVER - {"difflib"} | REPORTS | {"json"}  # it names the words that are nearest
    check_modules(modules(scene, "apply", str(scene.folder), "-", status=3, data=scene.block("fly nowhere")), 155, never)


def test_to_apply_a_submission_takes_few_modules(scene: Scene, tmp_path: Path) -> None:
    """A submission that is played takes Jinja2 too, and nothing else that is large."""
    found = modules(scene, "apply", str(scene.folder), "-", "--dry-run", data=scene.block(scene.line))
    check_modules(found, 150, NEVER | REPORTS)
    newest = scene.folder / f"{scene.link.save.entry.serial:04}.toml"
    out = str(tmp_path / "next.toml")
    found = modules(scene, "apply", str(newest), "-", "--out", out, data=scene.block(scene.line))
    check_modules(found, 230, NEVER - {"random"})


COUNT = """
import sys
from referee import canon
read, parse = [], canon._parse
canon._parse = lambda data: (read.append(data), parse(data))[1]
from referee.cli import main
status = main()
print(len(read), file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.parametrize("slug", sorted(slugs()))
def test_the_data_of_a_game_is_taken_ready_made(slug: str, tmp_path: Path) -> None:
    """To verify a save only that save is read as TOML, and to play a line no more than it and the head of a save."""
    if not find_game(slug).package.startswith("games."):
        pytest.skip("the game of another package is not compiled with the referee")
    templating.compile_ahead()
    scene = make_scene(tmp_path, slug, 3)
    newest = scene.folder / f"{scene.link.save.entry.serial:04}.toml"
    for most, words in ((1, ("verify", str(newest))), (2, ("apply", str(scene.folder), "-"))):
        command = [sys.executable, "-c", COUNT, *words]
        environment = {**os.environ, "REFEREE_KEY": str(scene.key_file)}
        done = subprocess.run(
            command, capture_output=True, text=True, input=scene.block(scene.line), env=environment, check=False
        )
        assert done.returncode == 0, done.stderr
        assert int(done.stderr.splitlines()[-1]) <= most, words


# Calls of functions


def sample(m: Match, pick: random.Random) -> None:
    """Play a line that the question makes up itself."""
    decision = to_be_made(m)
    inside.answer(m, decision.decider, decision.sample(pick))


def calls_a_line(play: Callable[[Match, random.Random], None], lines: int = 400) -> float:
    """Return how many functions, of Python and of C, are called to play one line of random matches."""
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event in ("call", "c_call")

    find_game(SLUG)
    pick, played, seed = random.Random(1), 0, 1
    inside.from_text(inside.fresh(SLUG, 0), random.Random(0))  # what is worked out once for the game's data
    while played < lines:
        m, seed = inside.fresh(SLUG, seed), seed + 1
        while played < lines and pending(m) is not None:
            m.events.clear()
            m.chance.log.clear()
            sys.setprofile(count)
            play(m, pick)
            pending(m)
            sys.setprofile(None)
            played += 1
    return calls / lines


@pytest.mark.parametrize(
    ("play", "most"), [(sample, 185), (inside.bare, 295), (inside.from_text, 455), (inside.with_views, 1100)]
)
def test_a_line_takes_few_calls(play: Callable[[Match, random.Random], None], most: int) -> None:
    """To play a line, to read it, and to show it to both seats takes no more calls than it did."""
    found = calls_a_line(play)
    assert found <= most, f"{found:.0f} calls a line"


# Files and bytes


def test_a_save_and_a_report_are_small(scene: Scene) -> None:
    """A save has less than 15 KB, a report in HTML less than 60 KB."""
    assert (scene.folder / f"{scene.link.save.entry.serial:04}.toml").stat().st_size < 15_000
    for reader in ("alice", "observer", "table"):
        forms = dispatch.render_all(Chain(scene.folder, scene.key.public), scene.link, reader, ("text", "html"), scene.key)
        assert len(forms["html"]) < (60_000 if reader != "table" else 180_000), reader
        assert len(forms["text"]) < (25_000 if reader != "table" else 75_000), reader


def test_a_submission_flushes_its_save_and_compiles_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One save is flushed to the disk, with its folder; reports are written once each, by templates compiled ahead."""
    import jinja2

    templating.compile_ahead()
    scene = make_scene(tmp_path, SLUG, 3)
    templating._environment.cache_clear()
    flushed, replaced = [], []
    real = os.replace
    monkeypatch.setattr(os, "fsync", flushed.append)
    monkeypatch.setattr(os, "replace", lambda source, target: (replaced.append(target), real(source, target)))
    monkeypatch.setattr(jinja2.Environment, "compile", lambda *given, **named: pytest.fail("a template was compiled"))
    before = set(scene.folder.glob("*.toml"))
    answer = desk.apply(Chain(scene.folder, scene.key.public), scene.key, read_submission(scene.block(scene.line).encode()))
    assert len(set(scene.folder.glob("*.toml")) - before) == 1
    assert len(flushed) == 2
    assert len(replaced) == sum(len(delivery.files) for delivery in answer.deliveries) > 0
