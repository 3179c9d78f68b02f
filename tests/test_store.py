"""A folder of saves: nothing is overwritten, nothing is half written, whatever ends the process and whenever."""

import errno
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import store
from referee.errors import RefereeError, Trouble, Unverified
from referee.store import Folder, Taken, write_file, write_new

pytestmark = pytest.mark.skipif(os.name != "posix", reason="child processes are forked")

CALLS = ("open", "write", "fsync", "close", "link", "unlink", "replace", "listdir", "stat", "mkdir")
NEW = b"new " * 5000


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    made = Folder.create(tmp_path / "match")
    made.append(0, b"zero")
    made.append(1, b"one")
    return made


def in_child(act: Callable[[], int]) -> int:
    """Run act in a process of its own and return its exit status."""
    child = os.fork()
    if child == 0:
        status = 99
        try:
            status = act()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def fail_at(count: int, fault: Callable[[Callable[..., Any], tuple[Any, ...]], Any]) -> Iterator[str]:
    """Make the count-th file-system call (from 1) do what fault does; yield the name of each call as it comes."""
    calls = 0

    def broken(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **options: Any) -> Any:
            nonlocal calls
            calls += 1
            return fault(real, args) if calls == count else real(*args, **options)

        return call

    for name in CALLS:
        setattr(store.os, name, broken(name, getattr(os, name)))
        yield name


def test_saves_come_back_in_order(folder: Folder) -> None:
    assert folder.latest() == (1, b"one")
    assert folder.latest_serial() == 1
    assert folder.serials() == [0, 1]
    assert folder.read(0) == b"zero"
    assert sorted(os.listdir(folder.path)) == ["0000.toml", "0001.toml"]
    assert stat.S_IMODE(os.stat(folder.name(1)).st_mode) == 0o600


def test_numbers_grow_beyond_four_digits(folder: Folder) -> None:
    for serial in range(2, 10_001):
        os.link(folder.name(0), folder.name(serial))
    folder.append(10_001, b"last")
    assert folder.latest() == (10_001, b"last")
    assert os.path.basename(folder.name(10_001)) == "10001.toml"


def test_what_is_taken_stays(folder: Folder) -> None:
    with pytest.raises(Taken, match=r"0001\.toml exists already"):
        folder.append(1, b"other")
    assert folder.latest() == (1, b"one")
    assert len(os.listdir(folder.path)) == 2


def test_a_gap_is_named(folder: Folder) -> None:
    with pytest.raises(Unverified, match=r"0002\.toml is missing"):
        folder.append(3, b"three")
    with pytest.raises(Unverified, match=r"0007\.toml is missing"):
        folder.read(7)
    folder.append(2, b"two")
    os.unlink(folder.name(1))
    with pytest.raises(Unverified, match=r"0001\.toml is missing"):
        folder.latest()
    os.unlink(folder.name(0))
    with pytest.raises(Unverified, match=r"0000\.toml is missing"):
        folder.latest_serial()


@pytest.mark.parametrize("stray", ["7.toml", "00007.toml", "0007x.toml", "people.toml", "\u0660\u0660\u0660\u0667.toml"])
def test_a_file_that_is_no_save_hides_no_gap(tmp_path: Path, stray: str) -> None:
    """The newest save is told from the number of names, and only those of saves count."""
    for name in ("0000.toml", "0001.toml", "0003.toml", stray):
        (tmp_path / name).touch()
    with pytest.raises(Unverified, match=r"has a gap: 0002\.toml"):
        Folder(tmp_path).latest_serial()
    (tmp_path / "0002.toml").touch()
    assert Folder(tmp_path).latest_serial() == 3


def test_other_files_are_none_of_ours(folder: Folder) -> None:
    for name in ("people.toml", "2.toml", "00002.toml", "0002.toml.bak", "\u0662\u0662\u0662\u0662.toml", "-001.toml"):
        Path(folder.path, name).write_bytes(b"")
    Path(folder.path, "press").mkdir()
    assert folder.serials() == [0, 1]


def test_create_takes_new_and_empty_folders_alone(tmp_path: Path) -> None:
    Folder.create(tmp_path / "new")
    Folder.create(tmp_path / "new")
    (tmp_path / "new" / ".referee-0000.toml-1-ab.tmp").write_bytes(b"ha")
    Folder.create(tmp_path / "new").append(0, b"x")
    with pytest.raises(Trouble, match="exists and is not empty"):
        Folder.create(tmp_path / "new")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(Trouble, match="not a folder"):
        Folder.create(tmp_path / "file")
    with pytest.raises(Trouble, match="missing"):
        Folder.create(tmp_path / "none" / "new")


def test_a_missing_folder_and_an_empty_one(tmp_path: Path) -> None:
    gone, empty = Folder(tmp_path / "gone"), Folder.create(tmp_path / "empty")
    appends = [lambda: gone.append(0, b"x"), lambda: gone.append(5, b"x")]
    for act in (gone.latest, gone.serials, lambda: gone.read(0), *appends):
        with pytest.raises(Trouble, match="is missing"):
            act()
    with pytest.raises(Unverified, match="holds no save"):
        empty.latest()
    assert empty.serials() == []


def test_leftovers_are_ignored_and_swept_when_old(folder: Folder) -> None:
    old, young = Path(folder.path, ".referee-0002.toml-7-aa.tmp"), Path(folder.path, ".referee-0002.toml-7-bb.tmp")
    for path in (old, young):
        path.write_bytes(b"half a sa")
    hour_ago = time.time() - store.STALE - 5
    os.utime(old, (hour_ago, hour_ago))
    assert folder.latest() == (1, b"one")
    folder.append(2, b"two")
    assert not old.exists()
    assert young.exists()
    assert folder.latest() == (2, b"two")


@pytest.mark.parametrize("way", ["before", "after", "half"])
def test_a_crash_at_any_call_leaves_the_old_or_the_new_save(tmp_path: Path, way: str) -> None:
    def crash(real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if way == "half" and isinstance(args[-1], memoryview):
            real(args[0], args[-1][: len(args[-1]) // 2])
        elif way != "before":
            real(*args)
        os._exit(77)

    outcomes = []
    for count in range(1, 100):
        folder = Folder.create(tmp_path / str(count))
        folder.append(0, b"zero")

        def act(folder: Folder = folder, count: int = count) -> int:
            list(fail_at(count, crash))
            folder.append(1, NEW)
            return 0

        status = in_child(act)
        assert folder.latest() in [(0, b"zero"), (1, NEW)]
        outcomes.append(folder.latest_serial())
        # Whoever comes after the crash goes on from what stands.
        folder.append(folder.latest_serial() + 1, b"next")
        assert folder.latest()[1] == b"next"
        if status == 0:
            break
        assert status == 77
    assert outcomes == sorted(outcomes)
    assert {0, 1} == set(outcomes)
    assert len(outcomes) > 8


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO, errno.EDQUOT])
def test_a_failing_call_leaves_nothing_behind(tmp_path: Path, code: int) -> None:
    def fail(real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        raise OSError(code, os.strerror(code))

    troubles = 0
    for count in range(1, 100):
        folder = Folder.create(tmp_path / str(count))
        folder.append(0, b"zero")

        def act(folder: Folder = folder, count: int = count) -> int:
            list(fail_at(count, fail))
            try:
                folder.append(1, NEW)
            except Trouble as error:
                return 5 if folder.path in error.sentence else 98
            return 0

        status = in_child(act)
        assert status in (0, 5)
        troubles += status == 5
        assert folder.latest() in ([(1, NEW)] if status == 0 else [(0, b"zero"), (1, NEW)])
        if folder.latest_serial() == 0:
            assert sorted(os.listdir(folder.path)) == ["0000.toml"]
        if status == 0 and count > 14:
            break
    assert troubles >= 5


def broken_call(monkeypatch: pytest.MonkeyPatch, name: str, code: int) -> None:
    def fail(*args: Any, **options: Any) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(store.os, name, fail)


@pytest.mark.parametrize(
    ("call", "code", "said"),
    [
        ("write", errno.ENOSPC, "the disk is full. Make room"),
        ("fsync", errno.EDQUOT, "share of the disk is used up"),
        ("open", errno.EACCES, "you have no permission"),
        ("open", errno.EROFS, "the disk is read-only"),
        ("link", errno.EPERM, "no hard links"),
        ("link", errno.EOPNOTSUPP, "no hard links"),
        ("link", errno.EIO, "Input/output error"),
    ],
)
def test_each_trouble_has_its_own_words(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, call: str, code: int, said: str
) -> None:
    with monkeypatch.context() as patched:
        broken_call(patched, call, code)
        with pytest.raises(Trouble, match=said) as caught:
            folder.append(2, b"two")
    assert not isinstance(caught.value, Taken)
    assert sorted(os.listdir(folder.path)) == ["0000.toml", "0001.toml"]
    assert folder.latest() == (1, b"one")


def test_a_disk_that_cannot_flush_folders_will_do(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EINVAL, "Invalid argument")
        real(descriptor)

    monkeypatch.setattr(store.os, "fsync", fsync)
    folder.append(2, b"two")
    assert folder.latest() == (2, b"two")


def test_a_folder_flush_that_fails_is_told(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.fsync

    def fsync(descriptor: int) -> None:
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "Input/output error")
        real(descriptor)

    monkeypatch.setattr(store.os, "fsync", fsync)
    with pytest.raises(Trouble, match="is written, but the disk does not confirm it"):
        folder.append(2, b"two")
    assert folder.latest() == (2, b"two")


def test_short_writes_are_completed(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(store.os, "write", lambda descriptor, data: real(descriptor, data[:7]))
    folder.append(2, NEW[:200])
    assert folder.read(2) == NEW[:200]


@pytest.mark.parametrize("round_", range(5))
def test_of_eight_writers_one_wins(folder: Folder, round_: int) -> None:
    ready, go = os.pipe()
    children = []
    for writer in range(8):
        child = os.fork()
        if child == 0:
            status = 99
            try:
                os.close(go)
                os.read(ready, 1)  # returns when the last writing end is closed: all start at once
                folder.append(2, f"writer {writer}".encode())
                status = 0
            except Taken:
                status = 3
            except RefereeError:
                status = 5
            finally:
                os._exit(status)
        children.append(child)
    os.close(ready)
    os.close(go)
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert sorted(statuses) == [0, 3, 3, 3, 3, 3, 3, 3]
    assert folder.latest() == (2, f"writer {statuses.index(0)}".encode())
    assert sorted(os.listdir(folder.path)) == ["0000.toml", "0001.toml", "0002.toml"]


def test_the_cost_of_a_save_does_not_grow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Folder.create(tmp_path / "match")
    folder.append(0, b"x")
    counts: list[int] = []
    for name in CALLS:
        real = getattr(os, name)

        def counted(*args: Any, real: Any = real, **options: Any) -> Any:
            counts.append(1)
            return real(*args, **options)

        monkeypatch.setattr(store.os, name, counted)
    costs = []
    for serial in range(1, 501):
        before = len(counts)
        folder.append(serial, b"x")
        folder.latest()
        costs.append(len(counts) - before)
    assert costs[499] == costs[4]
    assert costs[499] <= 12


def test_a_report_is_replaced_whole(tmp_path: Path) -> None:
    path = tmp_path / "report.txt"
    write_file(path, b"old")
    write_file(path, b"new")
    assert path.read_bytes() == b"new"
    assert os.listdir(tmp_path) == ["report.txt"]


@pytest.mark.parametrize("way", ["before", "after"])
def test_a_crash_leaves_the_old_or_the_new_report(tmp_path: Path, way: str) -> None:
    path, seen = tmp_path / "report.txt", set()

    def crash(real: Callable[..., Any], args: tuple[Any, ...]) -> None:
        if way == "after":
            real(*args)
        os._exit(77)

    for count in range(1, 100):
        path.write_bytes(b"old")

        def act(count: int = count) -> int:
            list(fail_at(count, crash))
            write_file(path, NEW)
            return 0

        status = in_child(act)
        assert path.read_bytes() in (b"old", NEW)
        seen.add(path.read_bytes())
        if status == 0:
            break
    assert seen == {b"old", NEW}


def test_a_report_that_cannot_be_written_leaves_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "report.txt"
    write_file(path, b"old")
    for call in ("open", "write", "fsync", "replace"):
        with monkeypatch.context() as patched:
            broken_call(patched, call, errno.ENOSPC)
            with pytest.raises(Trouble, match=r"report\.txt cannot be written: the disk is full"):
                write_file(path, b"new")
        assert path.read_bytes() == b"old"
        assert os.listdir(tmp_path) == ["report.txt"]
    with pytest.raises(Trouble, match="is missing"):
        write_file(tmp_path / "none" / "report.txt", b"")
    (tmp_path / "sub").mkdir()
    with pytest.raises(Trouble, match="it is a folder"):
        write_file(tmp_path / "sub", b"")
    assert sorted(os.listdir(tmp_path)) == ["report.txt", "sub"]


def test_a_new_file_beside_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write_new("next.toml", b"one")
    with pytest.raises(Taken):
        write_new("next.toml", b"two")
    write_file("report.txt", b"three")
    assert sorted(os.listdir()) == ["next.toml", "report.txt"]
    assert Path("next.toml").read_bytes() == b"one"


def test_an_interrupt_leaves_nothing_behind(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*args: Any) -> None:
        raise KeyboardInterrupt

    for call in ("write", "fsync", "link"):
        with monkeypatch.context() as patched:
            patched.setattr(store.os, call, interrupt)
            with pytest.raises(KeyboardInterrupt):
                folder.append(2, b"two")
        assert sorted(os.listdir(folder.path)) == ["0000.toml", "0001.toml"]
