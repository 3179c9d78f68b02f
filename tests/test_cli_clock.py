"""The command line for time and people: clocks, invitations, begin, tick, and the rulings that go with them."""

import re
from pathlib import Path

import pytest

from referee import clock
from referee.chain import Chain
from referee.keys import SigningKey
from referee.people import People

from . import test_cli
from .matches import OTHER_KEY
from .test_cli import GAME, SEED, Run

pytestmark = pytest.mark.usefixtures("quick_disk")

run, toy_package = test_cli.run, test_cli.toy_package
REFUSED, USAGE = 3, 2


@pytest.fixture
def invited(run: Run) -> Run:
    """Open a match in the folder `m`, whose seats are invited."""
    seats = ["--seat", "alice=a@example.org", "--seat", "bob=b@example.org"]
    kept = ["--clock", "zone=Europe/Berlin", "--clock", "hours=48", "--clock", "weekdays=Monday, tuesday,friday"]
    done = run("new", GAME, "m", *seats, *kept, "--seed", SEED, "--invite")
    assert done.status == 0
    return run


def chain() -> Chain:
    return Chain("m", SigningKey.load("referee.key").public)


def test_a_match_may_wait_for_those_who_are_invited(invited: Run) -> None:
    assert not Path("m/reports").exists()
    kept = clock.read(Path("m"))
    assert kept is not None
    assert (kept.zone, kept.hours, kept.weekdays) == ("Europe/Berlin", 48, ["monday", "tuesday", "friday"])
    done = invited("begin", "m")
    assert (done.status, "Not accepted yet: alice, bob" in done.err) == (REFUSED, True)
    assert "Not accepted" not in invited("report", "m", "--for", "alice").err
    People(Path("m")).change("alice", accepted=True, nonce="tide")
    assert "Not accepted yet: bob" in invited("begin", "m").err
    People(Path("m")).change("bob", accepted=True)
    begun = invited("begin", "m", "--nonce", "bob=foam")
    assert "begins in m" in begun.out
    assert re.search(r"alice +a@example\.org +m/reports/alice", begun.out)
    assert chain().latest().save.match.nonces == {"alice": "tide", "bob": "foam"}
    again = invited("begin", "m")
    assert (again.status, "has begun already" in again.err) == (REFUSED, True)
    assert invited("verify", "m").status == 0


def test_what_new_says_of_a_match_that_waits(run: Run) -> None:
    done = run("new", GAME, "m", "--seat", "alice", "--seat", "bob", "--invite")
    assert "waits in m" in done.out
    assert "When all have accepted, `referee begin m` deals." in done.out
    assert run("begin", "m", "--anyway").status == 0


def test_reports_that_a_crash_left_away_are_written_by_begin(run: Run) -> None:
    run("new", GAME, "m", "--seat", "alice", "--seat", "bob")
    Path("m/reports/bob").rename("elsewhere")
    assert "begins in m" in run("begin", "m").out
    assert list(Path("m/reports/bob").iterdir())


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("hours=soon", "hours cannot be 'soon'"),
        ("zone=Mars/Olympus", "zone cannot be"),
        ("colour=red", "no entry 'colour'"),
        ("weekdays=", "not in the form K=V"),
    ],
)
def test_a_wrong_clock_is_named_and_no_folder_is_made(run: Run, setting: str, said: str) -> None:
    done = run("new", GAME, "m", "--seat", "alice", "--seat", "bob", "--clock", setting)
    if setting == "weekdays=":
        assert done.status in (0, USAGE)
        return
    assert (done.status, said in done.err) == (USAGE, True)
    assert not Path("m").exists()


def test_tick_tells_what_is_due(invited: Run) -> None:
    assert "Nothing is due" not in invited("tick", "m").out, "the invitations"
    assert invited("tick", "m").out == "Nothing is due.\n"
    invited("begin", "m", "--anyway")
    assert invited("tick", "m").out == "Nothing is due.\n"
    late = invited("tick", "m", "--now", "2031-01-01T00:00:00Z")
    assert "to alice: moved. Mail was late through no fault of yours" in late.out
    data = invited("tick", "m", "--now", "2031-06-01T00:00:00Z", "--mail-waits", "--json").json
    assert [one["kind"] for one in data["notices"]] == ["late", "late"] or data["notices"] == []
    wrong = invited("tick", "m", "--now", "yesterday")
    assert (wrong.status, "Write it in UTC" in wrong.err) == (USAGE, True)
    assert invited("tick", "nowhere").status == 5


# Rulings


@pytest.fixture
def begun(invited: Run) -> Run:
    assert invited("begin", "m", "--anyway").status == 0
    return invited


def test_time_is_extended_by_the_clock_of_the_match(begun: Run) -> None:
    done = begun("rule", "m", "extend", "alice", "--until", "2031-12-03 18:00", "--why", "a power cut")
    assert "Ruled: extend alice" in done.out
    assert chain().latest().save.entry.until == {"alice": "2031-12-03T17:00:00Z"}
    text = " ".join(Path("m/reports/alice/").glob("*.txt").__next__().read_text().split())
    assert "Answer by: Wednesday 3 December 2031, 18:00 (Europe/Berlin)." in text
    assert "The moderator ruled (extend alice until 2031-12-03 17:00 UTC): a power cut" in text
    assert begun("rule", "m", "extend", "--until", "2031-12-04T18:00:00Z", "--why", "and another").status == 0
    assert set(chain().latest().save.entry.until) == {"alice", "bob"}
    assert begun("verify", "m").status == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["extend"], "--until TIME belongs to the ruling extend"),
        (["extend", "alice", "--until", "soon"], "'soon' is no time"),
        (["extend", "alice", "bob", "--until", "2031-12-03 18:00"], "The ruling extend takes"),
        (["hold", "--until", "2031-12-03 18:00"], "--until TIME belongs"),
        (["hold", "--address", "c@example.org"], "--address is for the ruling substitute"),
        (["substitute", "zed"], "There is no seat 'zed'"),
        (["substitute"], "takes SEAT"),
        (["key", "alice"], "not in the form SEAT=FILE"),
        (["draw", "alice"], "takes nothing"),
    ],
)
def test_a_ruling_that_cannot_be_meant_is_refused(begun: Run, words: list[str], said: str) -> None:
    done = begun("rule", "m", *words, "--why", "x")
    assert (done.status, said in done.err) == (USAGE, True), done.err


def test_time_that_is_over_cannot_be_given(begun: Run) -> None:
    done = begun("rule", "m", "extend", "--until", "2001-12-03 18:00", "--why", "x")
    assert (done.status, "is over. Name a later one" in done.err) == (REFUSED, True)


def test_a_substitute_gets_the_reports_and_the_former_holder_nothing(begun: Run) -> None:
    People(Path("m")).change("bob", name="Bob", vacations=[["2026-12-24", "2026-12-26"]], digest=True)
    dry = begun("rule", "m", "substitute", "bob", "--address", "carol@example.org", "--why", "bob left", "--dry-run")
    assert "bob left" in dry.out
    assert People(Path("m")).of("bob").address == "b@example.org"
    done = begun("rule", "m", "substitute", "bob", "--address", "carol@example.org", "--why", "bob left")
    assert "carol@example.org" in done.out
    assert "b@example.org" not in done.out
    person = People(Path("m")).of("bob")
    assert (person.address, person.name, person.vacations, person.digest) == ("carol@example.org", "", [], False)


def test_a_key_is_registered_in_the_middle_of_a_match(begun: Run) -> None:
    Path("bob.pub").write_text(OTHER_KEY.public.hex)
    assert begun("rule", "m", "key", "bob=bob.pub", "--why", "asked for by mail").status == 0
    assert chain().latest().save.entry.keys == {"bob": OTHER_KEY.public.hex}
    assert begun("verify", "m").status == 0


def test_a_draw_ends_the_match(begun: Run) -> None:
    assert begun("rule", "m", "draw", "--why", "both agree").status == 0
    text = begun("report", "m", "--for", "observer").out
    assert "alice: place 1" in text
    assert "bob: place 1" in text
    assert begun("verify", "m").status == 0
