"""`referee tournament`: every command, its output as text and JSON, its exit status, and what is wrong in one sentence."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from referee import cli
from referee.cli.arguments import by_typer
from referee.cli.tournament import tournament
from referee.cli.tournament_lines import conflicts
from referee.keys import SigningKey
from referee.tournament.views import view_of

from ..matches import AT, KEY
from .scene import EventScene

pytestmark = pytest.mark.usefixtures("quick_disk", "no_reports")

USAGE, REFUSED, UNVERIFIED, TROUBLE = 2, 3, 4, 5


class Result(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """Return the output as the data that it should be."""
        return json.loads(self.out)


Run = Callable[..., Result]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that runs a command of the group in an empty folder, with the key of the tests."""
    monkeypatch.chdir(tmp_path)
    KEY.save("referee.key")
    monkeypatch.setenv("REFEREE_KEY", str(tmp_path / "referee.key"))

    def _run(*arguments: str, stdin: bytes = b"", group: str = "tournament") -> Result:
        capsys.readouterr()
        monkeypatch.setattr(sys, "argv", ["referee", group, *arguments])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        status = cli.main()
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        assert err.count("\n") <= 1, err
        assert bool(err) == (status != 0), (status, err)
        return Result(status, out, err)

    return _run


@pytest.fixture
def begun(run: Run) -> Run:
    """Begin an event of four in the folder `spring`."""
    assert run("new", "lantern-reef", "spring", "--format", "swiss", "--set", "rounds=1", "--title", "Spring Cup").status == 0
    assert run("enter", "spring", "alice=alice@example.org", "bob", "carol", "dave", "--rating", "dave=1700").status == 0
    return run


def test_an_event_from_the_entries_to_the_final_table(begun: Run, tmp_path: Path) -> None:
    run = begun
    out = run("pair", "spring").out
    assert "Round 1 of Spring Cup, a draft:\n  table 1: " in out
    assert run("pair", "spring").out == out
    done = run("publish", "spring", "--now", AT)
    assert "Round 1 of Spring Cup is published: 2 matches, until 2026-12-14T18:00:00Z." in done.out
    status = run("status", "spring").out
    assert "running. Players: 4 of 4." in status
    assert "spring-1-2: " in status
    assert "alice@example.org" not in status
    assert "alice@example.org" in run("status", "spring", "--director").out
    done = run("tick", "spring", "--now", "2026-12-14T18:00:00Z")
    assert "Results missing: 0 (before: 2)." in done.out
    table = run("standings", "spring").out.splitlines()
    assert table[0].startswith("place, player, points, ")
    assert len(table) == 5
    assert "Points: " in run("standings", "spring", "--explain", "alice").out
    assert run("close", "spring").out.startswith("Spring Cup is closed.\nSecret of the seed: ")
    found = run("verify", "spring")
    assert "all 6 steps of spring verify" in found.out
    assert "Results held against their matches: 2; matches played again move by move: 2." in found.out
    assert found.out == run("spring", group="verify").out
    assert "verify" in run("spring", "spring/matches/spring-1-1", group="verify").out


def test_every_command_speaks_json(begun: Run) -> None:
    run = begun
    assert run("pair", "spring", "--json").json["tables"].keys() == {"1", "2"}
    assert run("publish", "spring", "--json", "--now", AT).json["matches"] == ["spring-1-1", "spring-1-2"]
    status = run("status", "spring", "--json").json
    assert [one["player"] for one in status["entrants"]] == ["dave", "alice", "bob", "carol"]
    assert {one["state"] for one in status["tables"]} == {"goes on"}
    assert run("tick", "spring", "--now", AT, "--json").json["missing"] == 2
    seats = status["tables"][0]["seats"]
    places = [f"{seats[0]}=1", f"{seats[1]}=2"]
    assert run("rule", "spring", "adjudicate", "1-1", *places, "--why", "agreed", "--json").json["missing"] == 1
    rows = run("standings", "spring", "--json").json["standings"]
    assert rows[0]["player"] == seats[0]
    assert rows[0]["calculation"]
    assert run("enter", "spring", "kim", "--json").json == {"entered": ["kim"], "players": 5}
    assert run("close", "spring", "--why", "the hall burnt down", "--json").status == REFUSED
    assert run("verify", "spring", "--json", "--quick").json["results"] == 0


def test_rulings_are_typed_and_read_by_all(begun: Run) -> None:
    run = begun
    run("pair", "spring")
    run("publish", "spring", "--now", AT)
    seats = run("status", "spring", "--json").json["tables"][0]["seats"]
    places = [f"{seats[0]}=1", f"{seats[1]}=2"]
    for words in (
        ("adjudicate", "spring-1-1", *places, "--absent", seats[1]),
        ("correct", "1-1", f"{seats[0]}=1", f"{seats[1]}=1"),
        ("annul", "1-1"),
        ("withdraw", seats[0]),
        ("rejoin", seats[0]),
        ("substitute", seats[1], "--address", "sam@example.org"),
        ("extend", "1", "--until", "2027-01-01T18:00:00Z"),
    ):
        assert run("rule", "spring", *words, "--why", "for the test").status == 0, words
    out = run("status", "spring", "--director").out
    assert "sam@example.org" in out
    assert "round 1 ends at 2027-01-01T18:00:00Z. for the test" in out


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (("pair", "nowhere"), USAGE, "nowhere holds no event. `referee tournament new` begins one."),
        (("new", "lantern-reef", "spring"), TROUBLE, "spring exists and is not empty"),
        (("new", "lantern-reef", "autumn", "--format", "swis"), USAGE, "Did you mean swiss?"),
        (("new", "lantern-reef", "autumn", "--set", "rounds"), USAGE, "--set 'rounds' is not in the form K=V"),
        (("enter", "spring", "bob"), REFUSED, "bob has entered spring already"),
        (("enter", "spring", "kim", "kim"), USAGE, "kim is named twice"),
        (("enter", "spring"), USAGE, "Nobody is named"),
        (("enter", "spring", "kim=nobody"), USAGE, "The address of kim is none"),
        (("enter", "spring", "kim", "--rating", "leo=1500"), USAGE, "'leo' is not among those who enter"),
        (("enter", "spring", "kim", "--rating", "kim=good"), USAGE, "The rating of kim is no number"),
        (("enter", "spring", "kim=ALICE@example.org"), REFUSED, "is that of alice already"),
        (("publish", "spring"), REFUSED, "There is nothing to publish"),
        (("publish", "spring", "--stagger", "999"), USAGE, "--stagger 999 is out of bounds"),
        (("rule", "spring", "promote", "bob", "--why", "x"), USAGE, "There is no ruling 'promote'"),
        (("rule", "spring", "withdraw", "bob"), USAGE, "The reason is empty"),
        (("rule", "spring", "withdraw", "--why", "x"), USAGE, "The ruling withdraw takes NAME"),
        (("rule", "spring", "withdraw", "bob", "--until", AT, "--why", "x"), USAGE, "--until does not belong"),
        (("rule", "spring", "withdraw", "zoe", "--why", "x"), REFUSED, "'zoe' has not entered spring"),
        (("rule", "spring", "adjudicate", "1-1", "bob=1", "--why", "x"), REFUSED, "Round 1 of spring was not published"),
        (("rule", "spring", "adjudicate", "autumn-1-1", "bob=1", "--why", "x"), USAGE, "is no match of spring"),
        (("rule", "spring", "adjudicate", "1-1", "bob=first", "--why", "x"), USAGE, "names no place"),
        (("rule", "spring", "confirm", "one", "--why", "x"), USAGE, "'one' is no round"),
        (("rule", "spring", "extend", "1", "--until", "soon", "--why", "x"), USAGE, "'soon' is no time"),
        (("status", "spring", "--now", "soon"), USAGE, "'soon' is no time"),
        (("standings", "spring", "--explain", "zoe"), USAGE, "There is no player 'zoe'"),
        (("close", "spring"), REFUSED, "spring is not over"),
        (("verify", "spring", "--jobs", "0"), USAGE, "0 processes are out of bounds"),
        (("promote", "spring"), USAGE, "promote"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(begun: Run, words: tuple[str, ...], status: int, said: str) -> None:
    found = begun(*words)
    assert (found.status, said in found.err) == (status, True), found.err


def test_ratings_go_from_event_to_event(run: Run) -> None:
    for name in ("spring", "autumn"):
        assert run("new", "lantern-reef", name, "--format", "swiss", "--set", "rounds=1").status == 0
        more = ("--ratings", "ratings.toml") if name == "autumn" else ()
        assert run("enter", name, "alice", "bob", "--rating", "bob=1900", *more).status == 0
        run("pair", name)
        run("publish", name)
        assert run("rule", name, "adjudicate", "1-1", "alice=1", "bob=2", "--why", "agreed").status == 0
        assert run("close", name, "--ratings", "ratings.toml").status == 0
        assert run("close", name, "--ratings", "ratings.toml").status == REFUSED, "an event is counted once"
    rated = {one["player"]: one["rating"] for one in run("status", "autumn", "--json").json["entrants"]}
    assert rated["bob"] == 1900
    assert rated["alice"] > 1500
    listed = run("ratings", "ratings.toml").out
    assert "Lantern Reef" in listed
    assert run("ratings", "ratings.toml", "spring", "autumn").out == listed
    assert run("ratings", "nothing.toml").status == USAGE


def test_entries_come_from_a_file(begun: Run) -> None:
    Path("entries.txt").write_text("# the juniors\nkim kim@example.org 1500\nleo, 1400\n\nann\n")
    assert begun("enter", "spring", "--from", "entries.txt", "--called", "kim=Kim Philby").status == 0
    out = begun("status", "spring", "--director").out
    assert "kim  Kim Philby, kim@example.org, rating 1500" in out
    assert begun("enter", "spring", "--from", "-", stdin=b"zoe zoe@example.org 1 2\n").status == REFUSED
    assert "zoe" not in begun("status", "spring", "--director").out


def test_a_file_edited_by_hand_is_refused_by_every_command(begun: Run) -> None:
    path = Path("spring/tournament.toml")
    path.write_text(path.read_text().replace('format = "swiss"', 'format = "tables"'))
    for words in (("pair",), ("publish",), ("status",), ("standings",), ("enter", "kim"), ("close",), ("verify",)):
        found = begun(words[0], "spring", *words[1:])
        assert found.status == UNVERIFIED, words
        assert "tournament.toml was changed after it was signed" in found.err


def test_another_referees_key_is_refused(begun: Run) -> None:
    SigningKey.new().save("other.key")
    assert begun("pair", "spring", "--key", "other.key").status == UNVERIFIED


def test_the_deadlines_of_one_player_that_meet_are_shown(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=4, format="round-robin", settings={"pace": "at-once"}, clock={"hours": 48})
    scene.start()
    found = conflicts(view_of(scene.event, scene.folder, KEY.public, AT))
    assert {len(matches) for matches in found.values()} == {3}
    assert found.keys() == {"alice", "bob", "carol", "dave"}
    apart = EventScene(tmp_path / "apart", players=4, format="round-robin", settings={"pace": "at-once"}, clock={"hours": 48})
    apart.director.pair()
    apart.director.publish(stagger=24)
    assert conflicts(view_of(apart.event, apart.folder, KEY.public, AT)) == {}


@pytest.mark.parametrize("name", list(tournament))
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert by_typer("tournament", tournament, [name, "--help"]) == 0
    out = capsys.readouterr().out
    assert f"referee tournament {name}" in out
    assert (tournament[name].__doc__ or "").split(":")[0].split()[0] in out


def test_a_desk_keeps_its_events_in_one_folder(run: Run, tmp_path: Path) -> None:
    Path("referee.toml").write_text('address = "referee@example.org"\nkey = "referee.key"\n')
    assert (
        run("new", "lantern-reef", "spring", "--config", "referee.toml", "--format", "swiss", "--set", "rounds=1").status == 0
    )
    place = "tournaments/spring"
    assert run("enter", place, "alice=alice@example.org", "bob=bob@example.org").status == 0
    assert run("pair", place).status == 0
    assert "are in the outbox" in run("publish", place, "--config", "referee.toml").out
    assert run("status", "referee.toml", group="mail").status == 0
    assert "spring  tournament, 2 players, running; round 1 until " in run("referee.toml", group="status").out
