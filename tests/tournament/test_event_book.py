"""The book of an event: crashes at every call of the file system, racing writers, and edits by hand at many places."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.chain import verify
from referee.errors import RefereeError, Trouble, Unverified, Usage
from referee.keys import SigningKey
from referee.tournament.book import Book
from referee.tournament.check import verify_event
from referee.tournament.director import Director
from referee.tournament.event import Step

from ..matches import AT, KEY, OTHER_KEY, files
from ..test_crash import ENDED, TEMPORARY, ended_at, struck
from .scene import LATER, EventScene

pytestmark = [
    pytest.mark.usefixtures("quick_disk", "no_reports"),
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork"),
]


def secret(match: str) -> bytes:
    """Return the same secret whenever a match is made, so that interrupted and whole runs can be compared."""
    return match.encode().ljust(32, b"-")


@pytest.fixture
def scene(tmp_path: Path) -> EventScene:
    return EventScene(tmp_path, players=3)


def lasting(folder: Path) -> dict[str, bytes]:
    """Return what a folder holds, but for what a crash may leave behind and a look may leave out."""
    skipped = ("looked.toml", ".enter.lock")
    return {
        name: data
        for name, data in files(folder).items()
        if not TEMPORARY.fullmatch(name) and os.path.basename(name) not in skipped and "/.new-" not in f"/{name}"
    }


# Crashes


@pytest.mark.parametrize("work", ["pair", "publish", "enter", "close"])
def test_the_program_may_end_at_any_call_and_the_same_command_finishes(scene: EventScene, work: str) -> None:
    def act(director: Director) -> Any:
        if work == "publish":
            return director.publish(secret=secret)
        if work == "enter":
            return director.enter({"kim": {}, "leo": {"rating": 1500}})
        return director.close("for the test") if work == "close" else director.pair()

    if work == "publish":
        scene.director.pair()
    before = scene.folder.parent / "before"
    shutil.copytree(scene.folder, before)
    act(scene.director)
    whole = lasting(scene.folder)
    number, code, step = 0, ENDED, 1 if work != "publish" else 3
    while code == ENDED:
        number += step
        shutil.rmtree(scene.folder)
        shutil.copytree(before, scene.folder)
        code = ended_at(number, lambda: act(Director(scene.folder, KEY, AT)))
        event = scene.event
        assert Book(scene.folder, KEY.public).read().event == event, "what is mended is what the steps say"
        for match in (scene.folder / "matches").glob("[a-z]*"):
            assert len([*verify(scene.chain(match.name))]) == 2, "a match is whole or not there"
        again = None
        try:
            again = act(scene.director)
        except RefereeError:
            assert work in ("enter", "close", "publish")
            assert event != Book(before, KEY).read().event, "only what was done is refused a second time"
        assert again is None or again.event == scene.event
        assert lasting(scene.folder) == whole
    assert code == 0
    assert number > 20


@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO], ids=["full", "broken"])
def test_any_call_may_fail_while_a_round_is_published(scene: EventScene, fault: int) -> None:
    scene.director.pair()
    before = scene.folder.parent / "before"
    shutil.copytree(scene.folder, before)

    def fail(name: str, given: tuple[Any, ...]) -> None:
        raise OSError(fault, os.strerror(fault))

    number, calls, troubles = 0, [""], 0
    while len(calls) >= number:
        number += 5
        shutil.rmtree(scene.folder)
        shutil.copytree(before, scene.folder)
        with struck(number, fail) as calls:
            try:
                scene.director.publish(secret=secret)
            except Trouble:
                troubles += 1
        scene.director.publish(secret=secret) if scene.event.draft else scene.director.open_matches(scene.event, secret=secret)
        assert scene.event.started
        assert len([*(scene.folder / "matches").glob("[a-z]*")]) == 1
        verify_event(scene.folder, KEY)
    assert troubles > 3


def test_a_look_that_ends_a_round_may_end_at_any_call(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=4, pairs_itself=True)
    scene.start()
    scene.end("spring-1-1", scene.event.pairing(1, 1).seats[0])
    before = scene.folder.parent / "before"
    shutil.copytree(scene.folder, before)
    number, code = 0, ENDED
    while code == ENDED:
        number += 9
        shutil.rmtree(scene.folder)
        shutil.copytree(before, scene.folder)
        code = ended_at(number, lambda: scene.watch().at_all())
        scene.watch().at_all()
        event = scene.event
        assert len(event.sheets) == 2
        assert [sorted(sheet.round.outcomes) for sheet in event.sheets] == [[1, 2], []]
        assert [one.what.split(" ")[0] for one in event.rulings] == ["spring-1-2"]
        verify_event(scene.folder, KEY)
    assert code == 0
    assert number > 50


def test_an_event_that_was_not_begun_wholly_can_be_begun_again(tmp_path: Path) -> None:
    number, code = 0, ENDED
    while code == ENDED:
        number += 1
        place = tmp_path / f"try-{number}"
        place.mkdir()
        code = ended_at(number, lambda: EventScene(place, players=0))  # noqa: B023
        if code == ENDED and not (place / "spring" / "steps" / "0000.toml").exists():
            EventScene(place, players=0)
        else:
            with pytest.raises(Trouble, match="not empty"):
                EventScene(place, players=0)
        assert Book(place / "spring", KEY).read().event.plan.id == "spring"
    assert code == 0
    assert number > 8


# Races


def test_of_two_writers_each_has_its_way_after_the_other(scene: EventScene) -> None:
    other = Director(scene.folder, KEY, AT)
    made = []

    def first(event: Any) -> Step:
        if not made:
            made.append(other.enter({"leo": {}}))
        return Step("enter", {"players": {"kim": {}}}, AT)

    scene.director.book.act(first)
    assert {"kim", "leo"} <= scene.event.players.keys()
    assert [place.serial for place, _, _ in map(scene.director.book.step, range(4))] == [0, 1, 2, 3]


def test_a_table_gets_one_match_however_many_publish(scene: EventScene) -> None:
    scene.director.pair()
    children = []
    for _ in range(4):
        child = os.fork()
        if not child:
            try:
                Director(scene.folder, KEY, AT).publish()
            except RefereeError:
                os._exit(3)
            finally:
                os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    assert len(scene.event.sheets) == 1
    assert [path.name for path in (scene.folder / "matches").iterdir()] == [
        scene.event.match_id(1, scene.event.missing()[0][1])
    ]
    verify_event(scene.folder, KEY)


def test_results_are_taken_and_rounds_ended_once_however_many_look(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=8, pairs_itself=True, no_shows=0)
    event = scene.start()
    for number in (1, 2):
        scene.end(f"spring-1-{number}", event.pairing(1, number).seats[0])
    children = []
    for _ in range(4):
        child = os.fork()
        if not child:
            try:
                scene.watch().at_all()
            except RefereeError:
                os._exit(3)
            finally:
                os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    scene.watch().at_all()
    event = scene.event
    assert sorted(event.sheets[0].round.outcomes) == [1, 2, 3, 4]
    assert [len(sheet.round.pairings) for sheet in event.sheets] == [4, 4]
    assert len(event.rulings) == 2
    assert len([*(scene.folder / "matches").glob("[a-z]*")]) == 8
    verify_event(scene.folder, KEY)


# Edits by hand


def edited(data: bytes, at: int) -> bytes:
    """Return a file with one letter changed to another of its kind."""
    letter = data[at : at + 1]
    new = b"2" if letter.isdigit() and letter != b"2" else b"1" if letter.isdigit() else b"z" if letter != b"z" else b"y"
    return data[:at] + new + data[at + 1 :]


def everywhere(work: Callable[[], Any], path: Path, stride: int) -> int:
    """Change a file at many places, one at a time, and check that each is refused; return how many."""
    data, count = path.read_bytes(), 0
    for at in range(0, len(data), stride):
        changed = edited(data, at)
        path.unlink()
        path.write_bytes(changed)
        with pytest.raises(Unverified) as error:
            work()
        assert error.value.help
        assert error.value.exit_code == 4
        count += 1
    path.unlink()
    path.write_bytes(data)
    work()
    return count


def test_an_edit_of_the_head_is_refused_wherever_it_is(scene: EventScene) -> None:
    scene.start()
    scene.end_all()
    assert everywhere(scene.director.read, scene.folder / "tournament.toml", 19) > 80


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_an_edit_of_a_step_is_found_wherever_it_is(scene: EventScene, number: int) -> None:
    scene.start()
    assert (
        everywhere(lambda: verify_event(scene.folder, KEY, quick=True), scene.folder / "steps" / f"{number:04}.toml", 17) > 20
    )


def test_an_edit_says_what_to_do(scene: EventScene) -> None:
    path = scene.folder / "tournament.toml"
    path.write_bytes(path.read_bytes().replace(b'tiebreaks = ["', b'tiebreaks = ["wins", "'))
    with pytest.raises(
        Unverified, match=r"tournament.toml was changed after it was signed.*never edited: put it back.*made again"
    ):
        scene.enter(["kim"])
    path.unlink()
    assert scene.event.plan.tiebreaks[0] != "wins"
    assert path.exists()


def test_what_another_key_signed_is_refused(scene: EventScene) -> None:
    for wrong in (OTHER_KEY, OTHER_KEY.public):
        with pytest.raises(Unverified, match="signed by another referee's key"):
            Book(scene.folder, wrong).read()
    with pytest.raises(Unverified, match="signed by another referee's key"):
        verify_event(scene.folder, SigningKey.new())


def test_missing_swapped_and_foreign_steps_are_found(scene: EventScene, tmp_path: Path) -> None:
    scene.director.pair()
    steps = scene.folder / "steps"
    data = {path.name: path.read_bytes() for path in sorted(steps.iterdir())}

    def put(changed: dict[str, bytes]) -> None:
        for path in steps.iterdir():
            path.unlink()
        for name, content in changed.items():
            (steps / name).write_bytes(content)

    one, two, last = sorted(data)[-3:]
    for changed, words in (
        ({name: data[name] for name in data if name != two}, "has a gap"),
        ({**data, two: data[one], one: data[two]}, "does not follow"),
        ({name: data[name] for name in data if name != last}, "knows of step"),
        ({**data, last: data[two]}, "is not the step from which"),
    ):
        put(changed)
        with pytest.raises(Unverified, match=words):
            verify_event(scene.folder, KEY) if "follow" in words else scene.director.read()
    other = EventScene(tmp_path / "other", players=2)
    put({**data, last: (other.folder / "steps" / "0001.toml").read_bytes()})
    (scene.folder / "tournament.toml").unlink()
    with pytest.raises(Unverified, match="does not follow the step before it"):
        scene.director.read()


def test_a_head_that_is_missing_or_old_is_made_again_from_the_steps(scene: EventScene) -> None:
    path = scene.folder / "tournament.toml"
    old = path.read_bytes()
    scene.director.pair()
    new = path.read_bytes()
    for data in (b"", old):
        path.unlink()
        if data:
            path.write_bytes(data)
        assert scene.event.draft
        assert path.read_bytes() == new


def test_a_public_key_reads_and_writes_nothing(scene: EventScene) -> None:
    (scene.folder / "tournament.toml").unlink()
    book = Book(scene.folder, KEY.public)
    assert book.read().event == scene.event
    with pytest.raises(Trouble, match="with the referee's key"):
        book.act(lambda event: Step("enter", {"players": {"kim": {}}}, AT))


def test_a_folder_without_an_event_says_so(tmp_path: Path, scene: EventScene) -> None:
    with pytest.raises(Usage, match="holds no event"):
        Book(tmp_path / "nowhere", KEY).read()
    with pytest.raises(Trouble, match="exists and is not empty"):
        EventScene(tmp_path)


def test_nothing_is_left_of_a_match_that_was_being_made_long_ago(scene: EventScene) -> None:
    scene.start()
    rough = scene.folder / "matches" / ".new-spring-1-1-7-aa"
    rough.mkdir()
    scene.watch(AT).at_all()
    assert rough.exists(), "another process may be making it"
    os.utime(rough, (0, 0))
    scene.watch(LATER).at_all()
    assert not rough.exists()
