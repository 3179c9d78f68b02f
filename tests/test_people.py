"""The list of people beside a chain: written whole, changed by several at once, and mended by hand."""

import multiprocessing
from pathlib import Path

import pytest

from referee.errors import Trouble
from referee.locks import Locked, locked
from referee.people import People, Person, addresses


def test_what_is_written_is_read(tmp_path: Path) -> None:
    people = People(tmp_path)
    assert people.read() == {}
    alice = Person("alice@example.org", "Alice Example", True, True, "tide", True, [["2026-12-24", "2027-01-02"]], "a@b", True)
    people.write({"alice": alice, "bob": Person()})
    assert people.read() == {"alice": alice, "bob": Person()}
    assert addresses(tmp_path) == {"alice": "alice@example.org", "bob": ""}


def test_only_what_was_said_is_written(tmp_path: Path) -> None:
    People(tmp_path).write({"alice": Person("alice@example.org")})
    assert (tmp_path / "people.toml").read_text() == '[alice]\naddress = "alice@example.org"\n'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[alice]\nadress = "alice@example.org"\n', r"\[alice\] has no entry 'adress'. Its entries are address, name"),
        ("[alice]\naddress = true\n", "address of .* is not what belongs there. Write it in quotes"),
        ("[alice]\ndigest = 1\n", "digest of .* is not what belongs there. Write true or false"),
        ('[alice]\nvacations = [["2026-12-24"]]\n', 'vacations of .* Write days, as vacations = \\[\\["2026'),
        ("alice = 3\n", "is not a list of seats"),
        ('[""]\naddress = "x"\n', "is not a list of seats"),
    ],
)
def test_what_was_mistyped_is_named(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "people.toml").write_text(text)
    with pytest.raises(Trouble, match=said):
        People(tmp_path).read()


def _change(folder: Path, seat: str) -> None:
    for day in range(1, 16):
        people = People(folder)
        vacations = people.of(seat).vacations
        people.change(seat, vacations=[*vacations, [f"2026-12-{day:02}", f"2026-12-{day:02}"]])


def test_several_at_once_lose_nothing(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    running = [context.Process(target=_change, args=(tmp_path, seat)) for seat in ("alice", "bob", "carol")]
    for process in running:
        process.start()
    for process in running:
        process.join()
    assert [len(person.vacations) for person in People(tmp_path).read().values()] == [15, 15, 15]


def test_a_lock_is_held_by_one_and_given_back(tmp_path: Path) -> None:
    held, said = locked(tmp_path / "lock"), "Another process is at work"
    with held, pytest.raises(Locked, match=said), locked(tmp_path / "lock", patience=0.05):
        pytest.fail("two hold it")
    with locked(tmp_path / "lock", patience=0):
        pass
    with pytest.raises(Trouble, match="cannot be made"), locked(tmp_path / "no" / "lock"):
        pytest.fail("there is no such folder")
