"""A program that ends, or a disk that fails, at each call of the file system in turn: nothing is half written."""

import builtins
import contextlib
import errno
import io
import itertools
import os
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import desk
from referee.block import Submission
from referee.chain import Chain
from referee.engine import find_game
from referee.errors import RefereeError, Trouble
from referee.people import People
from referee.store import Taken
from referee.tick import Fetched, tick
from referee.ticked import read_ledger

from .matches import AT, KEY, block, check, files, new, send

CALLS = ("open", "write", "close", "link", "replace", "rename", "fsync", "unlink", "mkdir", "stat", "listdir", "scandir")
TEMPORARY = re.compile(r"(.*/)?\.referee-.*\.tmp")
ENDED = 9


@contextlib.contextmanager
def struck(number: int, strike: Callable[[str, tuple[Any, ...]], None]) -> Iterator[list[str]]:
    """Call `strike` before the call of that number (from 1) to the file system; yield the list of calls made."""
    made: list[str] = []

    def counted(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            made.append(name)
            if len(made) == number:
                strike(name, given)
            return real(*given, **named)

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in CALLS:
            patch.setattr(os, name, counted(name, getattr(os, name)))
        patch.setattr(builtins, "open", counted("open", builtins.open))
        patch.setattr(io, "open", counted("open", io.open))
        yield made


real_write = os.write


def end(name: str, given: tuple[Any, ...]) -> None:
    """End the process as `kill -9` does, in the middle of a write if it is one."""
    if name == "write":
        real_write(given[0], bytes(given[1])[: len(given[1]) // 2])
    os._exit(ENDED)


class Scene:
    """A match, a submission to it, and what the folder holds before and after."""

    def __init__(self, folder: Path, sealed: bool) -> None:
        self.folder = folder
        chain, link = new(folder / "before", addresses={"alice": "alice@example.org"})
        desk.write_reports(chain, link, KEY)
        send(chain, "alice", "sail north")
        if not sealed:
            send(chain, "bob", "sail south")
            send(chain, "carol", "sail east", "pirate: sail north")
        # A move that rolls dice, and one that changes nothing but what waits sealed and alice's report of this stop.
        lines = ["sail east", "always decline"] if sealed else ["peek into arch", "land"]
        self.sent: Submission = block(chain.latest(), "alice", *lines)
        self.before = files(chain.path)
        after = self.fresh("after")
        desk.apply(after, KEY, self.sent, at=AT)
        self.after = files(after.path)
        self.new = set(self.after) - set(self.before)
        self.serial = chain.latest().save.entry.serial

    def fresh(self, name: str) -> Chain:
        """Return a copy of the match as it was before the submission."""
        shutil.rmtree(self.folder / name, ignore_errors=True)
        shutil.copytree(self.folder / "before", self.folder / name)
        return Chain(self.folder / name, KEY.public)

    def sound(self, chain: Chain) -> None:
        """Check that the folder is as before or has the new save, and that nothing in it is half written."""
        for name, data in files(chain.path).items():
            if not TEMPORARY.fullmatch(name):
                assert data in (self.before.get(name), self.after.get(name)), name
        assert chain.latest().save.entry.serial in (self.serial, self.serial + 1)
        check(chain)

    def again(self, chain: Chain) -> str:
        """Send the same submission again; in the end everything must be there, with the same dice."""
        status = desk.apply(chain, KEY, self.sent, at=AT).status
        left = {name: data for name, data in files(chain.path).items() if not TEMPORARY.fullmatch(name)}
        assert left == self.after
        return status


@pytest.fixture(scope="module", params=[False, True], ids=["open", "sealed"])
def scene(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Scene:
    return Scene(tmp_path_factory.mktemp("scene"), request.param)


def run_and_end(chain: Chain, sent: Submission, number: int) -> int:
    """Apply a submission in a process of its own that ends before the call of that number; return its exit status."""
    child = os.fork()
    if not child:
        try:
            with struck(number, end):
                desk.apply(chain, KEY, sent, at=AT)
            os._exit(0)
        finally:
            os._exit(77)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_program_may_end_at_any_call(scene: Scene, quick_disk: None) -> None:
    statuses, number, code = [], 0, ENDED
    while code == ENDED:
        number += 1
        chain = scene.fresh("crashed")
        code = run_and_end(chain, scene.sent, number)
        scene.sound(chain)
        statuses.append(scene.again(chain))
    assert code == 0, "it neither ended nor was it done"
    assert number > 30
    changes = [one for one, other in itertools.pairwise(statuses) if one != other]
    assert changes == ["accepted"], "there is one instant at which the save is there, and it stays"
    assert statuses[0] == "accepted"
    assert statuses[-1] == "duplicate"


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EACCES, errno.EIO], ids=["full", "forbidden", "broken"])
def test_any_call_may_fail(scene: Scene, quick_disk: None, fault: int) -> None:
    def fail(name: str, given: tuple[Any, ...]) -> None:
        raise OSError(fault, os.strerror(fault))

    number, troubles, calls = 0, [], []
    while len(calls) >= number:
        number += 1
        chain = scene.fresh("failed")
        with struck(number, fail) as calls, contextlib.suppress(Trouble):
            try:
                desk.apply(chain, KEY, scene.sent, at=AT)
            except Trouble as error:
                troubles.append(error)
                raise
        scene.sound(chain)
        scene.again(chain)
    assert not any(isinstance(error, Taken) or "\n" in str(error) for error in troubles)
    assert 15 < len(troubles) < number, "a fault is told, and where there was none, none is told"


def test_a_disk_that_stays_full_leaves_everything_as_it_was(scene: Scene, quick_disk: None) -> None:
    real = os.write

    def full(descriptor: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    chain = scene.fresh("full")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(Trouble, match="the disk is full"):
            desk.apply(chain, KEY, scene.sent, at=AT)
    assert os.write is real
    assert files(chain.path) == scene.before
    assert scene.again(chain) == "accepted"


def test_a_disk_that_writes_in_small_pieces_is_none_the_worse(scene: Scene, quick_disk: None) -> None:
    chain = scene.fresh("slow")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "write", lambda descriptor, data: real_write(descriptor, bytes(data[:97])))
        assert desk.apply(chain, KEY, scene.sent, at=AT).status == "accepted"
    assert files(chain.path) == scene.after


def test_a_new_match_ended_at_any_call_leaves_nothing_that_passes_for_a_match(tmp_path: Path, quick_disk: None) -> None:
    number, code = 0, ENDED
    while code == ENDED:
        number += 1
        folder = tmp_path / f"match-{number}"
        child = os.fork()
        if not child:
            try:
                with struck(number, end):
                    new(folder, packs=[("box.toml", b"")], addresses={"bob": "bob@example.org"})
                os._exit(0)
            finally:
                os._exit(77)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        for name, data in files(folder).items() if folder.exists() else ():
            assert TEMPORARY.fullmatch(name) or data or name == os.path.join("packs", "box.toml")
        chain = Chain(folder, KEY.public)
        if folder.exists() and chain.store.serials():
            check(chain)
        else:
            with pytest.raises(RefereeError):
                chain.latest()
    assert code == 0


# Time, and a match that begins later


def ended_at(number: int, work: Callable[[], Any]) -> int:
    """Do something in a process of its own that ends before the call of that number; return its exit status."""
    child = os.fork()
    if not child:
        try:
            with struck(number, end):
                work()
            os._exit(0)
        finally:
            os._exit(77)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_look_at_the_clock_may_end_at_any_call(tmp_path: Path, quick_disk: None, no_reports: None) -> None:
    chain, _ = new(tmp_path / "before", "cosmic-league", clock={"missed": "bot", "grace": 0})
    for time in (AT, "2026-12-01T18:00:00Z", "2026-12-02T18:00:00Z"):
        tick(chain.path, KEY, time, Fetched(time))
    number, code, late = 0, ENDED, "2026-12-03T18:00:00Z"
    while code == ENDED:
        number += 1
        shutil.rmtree(tmp_path / "crashed", ignore_errors=True)
        shutil.copytree(chain.path, tmp_path / "crashed")
        crashed = Chain(tmp_path / "crashed", KEY.public)
        code = ended_at(number, lambda: tick(crashed.path, KEY, late, Fetched(late)))  # noqa: B023
        check(crashed)
        assert tick(crashed.path, KEY, late, Fetched(late)) == []
        link = crashed.latest()
        assert (link.save.entry.serial, link.save.entry.move["by"]) == (2, "clock"), number
        assert [row.in_a_row for row in read_ledger(crashed.path).rows.values() if row.in_a_row] == [1]
        check(crashed)
    assert code == 0
    assert number > 20


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_match_that_was_opened_is_dealt_whenever_the_program_ended(tmp_path: Path, quick_disk: None) -> None:
    number, code = 0, ENDED
    while code == ENDED:
        number += 1
        place = tmp_path / f"match-{number}"
        table = desk.Table(find_game("lantern-reef"), ["alice", "bob"], match_id="m", secret=bytes(32), nonces={"bob": "7"})
        chain, _ = desk.open_match(place, table, KEY, at=AT, begin=False)
        for seat in ("alice", "bob"):
            People(chain.path).change(seat, accepted=True)
        code = ended_at(number, lambda: tick(chain.path, KEY, AT))  # noqa: B023
        tick(chain.path, KEY, AT)
        assert chain.latest().save.match.nonces == {"bob": "7"}
        assert len(check(chain)) == 2
    assert code == 0
