"""An event and its steps: what each changes, and all that is refused, with the reason and nothing written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee.errors import NotNow, RefereeError, Refused, Usage
from referee.people import Person
from referee.tournament.event import Event, Step
from referee.tournament.form import event_body, read_event
from referee.tournament.lots import draw_lots
from referee.tournament.plans import Wanted, plan_from
from referee.tournament.results import check_outcome
from referee.tournament.rounds import Outcome, Pairing
from referee.tournament.steps import take

from ..matches import AT, KEY, files
from .scene import EventScene

pytestmark = pytest.mark.usefixtures("quick_disk", "no_reports")


@pytest.fixture
def scene(tmp_path: Path) -> EventScene:
    return EventScene(tmp_path)


def refused(scene: EventScene, kind: type[RefereeError], words: str, work: Callable[[], Any]) -> None:
    """Check that something is refused in one sentence with a way out, and that nothing was written."""
    before = files(scene.folder)
    with pytest.raises(kind) as error:
        work()
    assert words in str(error.value)
    assert error.value.help
    assert "\n" not in str(error.value)
    after = files(scene.folder)
    assert {name: data for name, data in after.items() if name not in before} in ({}, {".enter.lock": b""})
    assert {name: after[name] for name in before} == before


# What a director asks for


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"id": "Spring Cup"}, "'Spring Cup' cannot name an event"),
        ({"game": "chess"}, "chess"),
        ({"seats": 7}, "is for 2 to 4 seats, and not for 7"),
        ({"format": "swis"}, "Did you mean swiss?"),
        ({"settings": {"round": "5"}}, "Did you mean rounds?"),
        ({"settings": {"rounds": "many"}}, "cannot be 'many'"),
        ({"settings": {"rounds": "0"}}, "0"),
        ({"scoring": {"drawn": "1"}}, "There is no setting 'drawn' of scoring"),
        ({"scoring": {"points-2": "0 1"}}, "points-2"),
        ({"tiebreaks": ["bucholz"]}, "bucholz"),
        ({"hours": 0}, "A round cannot last 0 hours"),
        ({"rule": "sleep"}, "There is no rule of adjudication 'sleep'"),
        ({"no_shows": -1}, "--no-shows -1"),
        ({"title": "Spring\nCup"}, "no printable line"),
        ({"clock": {"hour": 3}}, "--clock has no entry 'hour'"),
        ({"options": {"round": "3"}}, "has no option 'round'"),
    ],
)
def test_a_plan_that_cannot_be_is_refused_before_anything_is_written(tmp_path: Path, changed: Any, words: str) -> None:
    wanted: Any = {"id": "spring", "game": "lantern-reef", "format": "swiss", **changed}
    with pytest.raises(RefereeError, match=words) as error:
        plan_from(Wanted(**wanted), KEY, bytes(16))
    assert error.value.help
    assert list(tmp_path.iterdir()) == []


def test_what_is_usual_is_filled_in_and_written_down() -> None:
    plan = plan_from(Wanted("spring", "lantern-reef", settings={}, options={"rounds": "2"}), KEY, bytes(16))
    assert (plan.format, plan.seats, plan.rule, plan.options) == ("groups", 2, "late-loses", {"rounds": 2})
    assert plan.tiebreaks
    assert len(plan.commitment) == 64
    assert plan_from(Wanted("spring", "lantern-reef", seats=3), KEY, bytes(16)).format == "tables"


# People


def test_nobody_enters_twice(scene: EventScene) -> None:
    refused(scene, Refused, "bob has entered spring already", lambda: scene.enter(["kim", "bob"]))
    assert "kim" not in scene.event.players


def test_nobody_enters_twice_from_one_address(scene: EventScene) -> None:
    scene.enter(["kim"], {"kim": Person("kim@example.org")})
    refused(scene, Refused, "is that of kim already", lambda: scene.enter(["leo"], {"leo": Person("KIM@example.org")}))


@pytest.mark.parametrize("name", ["Alice", "table", "a b", "", "x" * 25, "<b>", "moderator"])
def test_a_name_that_is_none_for_a_seat_is_refused(scene: EventScene, name: str) -> None:
    refused(scene, Usage, "cannot be the name of a player", lambda: scene.enter([name]))


def test_who_comes_late_plays_from_the_next_round_on_and_keeps_the_lots_of_the_others(scene: EventScene) -> None:
    scene.start()
    before = scene.event.lots
    event = scene.enter(["kim"])
    assert event.players["kim"].joined == 2
    assert event.seeded[-1] == "kim"
    scene.end_all()
    scene.director.pair()
    lots = scene.event.lots
    assert "kim" in lots
    assert [name for name in lots if name != "kim"] == list(before)
    assert {name for one in scene.event.draft for name in one.seats} == set(scene.event.players)


def test_nobody_adds_to_a_seed_that_is_drawn(scene: EventScene) -> None:
    scene.start()
    refused(scene, NotNow, "nobody adds to the seed", lambda: scene.director.enter({"kim": {"nonce": "7"}}))


def test_lots_depend_on_what_players_contributed(scene: EventScene) -> None:
    names = [f"p{number}" for number in range(20)]
    plain = Event(scene.event.plan)
    found = {
        draw_lots("spring", bytes(32), take(plain, Step("enter", {"players": players}, AT)).players)
        for players in ({name: {} for name in names}, {name: {"nonce": "7"} if name == "p3" else {} for name in names})
    }
    assert len(found) == 2
    assert all(sorted(lots) == sorted(names) for lots in found)


def test_who_withdraws_is_paired_no_more_and_may_come_back(scene: EventScene) -> None:
    scene.start()
    scene.director.withdraw("bob", "ill")
    refused(scene, Refused, "bob has withdrawn already", lambda: scene.director.withdraw("bob", "ill"))
    scene.end_all()
    scene.director.pair()
    assert all("bob" not in one.seats for one in scene.event.draft)
    scene.director.rejoin("bob", "well again")
    scene.director.pair()
    assert any("bob" in one.seats for one in scene.event.draft)
    assert [one.why for one in scene.event.rulings] == ["ill", "well again"]


def test_a_ruling_needs_somebody_known_and_a_reason(scene: EventScene) -> None:
    refused(scene, Refused, "'zoe' has not entered spring", lambda: scene.director.withdraw("zoe", "ill"))
    refused(scene, Usage, "needs a reason", lambda: scene.director.withdraw("bob", ""))
    refused(scene, Refused, "has not withdrawn", lambda: scene.director.rejoin("bob", "well"))
    refused(scene, Refused, "'zoe' has not entered", lambda: scene.director.substitute("zoe", Person(), "ill"))


# Rounds


def test_a_round_is_not_paired_while_results_are_missing(scene: EventScene) -> None:
    scene.start()
    refused(scene, NotNow, "Results are missing: spring-1-1, spring-1-2", scene.director.pair)


def test_pairing_again_changes_nothing_and_pairs_the_same(scene: EventScene) -> None:
    first = scene.director.pair()
    before = files(scene.folder)
    assert scene.director.pair() == first
    assert files(scene.folder) == before


def test_a_draft_follows_who_comes_and_goes(scene: EventScene) -> None:
    scene.director.pair()
    scene.director.withdraw("bob", "ill")
    refused(scene, NotNow, "bob has withdrawn since the round was drafted", scene.director.publish)
    event = scene.director.pair().event
    assert {name for one in event.draft for name in one.seats} == {"alice", "carol", "dave"}
    assert sum(one.is_bye for one in event.draft) == 1


def test_nothing_is_published_without_a_draft(scene: EventScene) -> None:
    refused(scene, NotNow, "There is nothing to publish", scene.director.publish)


def test_if_everybody_withdraws_nobody_is_paired(scene: EventScene) -> None:
    """As lichess-org/lila#10812 tells, where all were paired anyway."""
    scene.start()
    scene.end_all()
    for name in scene.event.players:
        scene.director.withdraw(name, "gone")
    before = files(scene.folder)
    with pytest.raises(RefereeError) as error:
        scene.director.pair()
    assert error.value.help
    assert files(scene.folder) == before
    assert scene.director.close("nobody is left").event.state == "closed"


def test_an_event_of_one_is_none(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=1)
    with pytest.raises(Refused):
        scene.director.pair()


def test_whoever_sits_alone_has_a_bye_at_once(tmp_path: Path) -> None:
    event = EventScene(tmp_path, players=3).start()
    (bye,) = (one for one in event.sheets[0].round.pairings if one.is_bye)
    assert event.sheets[0].round.outcomes == {bye.table: Outcome(bye.table, {bye.seats[0]: 1}, how="bye")}


# Results


def test_a_result_of_another_match_is_refused(scene: EventScene) -> None:
    event = scene.start()
    seats = event.pairing(1, 1).seats
    row = {"round": 1, "table": 1, "how": "played", "places": {seats[0]: 1, seats[1]: 2}, "serial": 3, "hash": "ab"}
    for match in ("autumn-1-1", "spring-1-2", "spring-2-1"):
        step = Step("results", {"results": {match: row}}, AT)
        refused(
            scene, Refused, f"The match {match!r} is none of spring", lambda step=step: scene.director.book.act(lambda e: step)
        )
    for place, words in (((9, 1), "Round 9 of spring was not published"), ((1, 9), "has no table 9")):
        refused(scene, Refused, words, lambda place=place: scene.director.adjudicate(*place, {"alice": 1}, "why"))


@pytest.mark.parametrize(
    ("places", "words"),
    [
        ({"alice": 1}, "does not name those who sit there"),
        ({"alice": 1, "zoe": 2}, "does not name those who sit there"),
        ({"alice": 1, "bob": 3}, "are none"),
        ({"alice": 2, "bob": 2}, "are none"),
        ({"alice": 0, "bob": 1}, "are none"),
    ],
)
def test_places_that_nobody_can_have_are_refused(places: dict[str, int], words: str) -> None:
    with pytest.raises(Refused, match=words):
        check_outcome(Pairing(1, ("alice", "bob")), Outcome(1, places))


def test_shared_places_are_taken() -> None:
    pairing = Pairing(1, ("alice", "bob", "carol"))
    for places in ((1, 1, 1), (1, 1, 3), (1, 2, 2), (1, 2, 3)):
        check_outcome(pairing, Outcome(1, dict(zip(pairing.seats, places, strict=True))))
    with pytest.raises(Refused, match="are none"):
        check_outcome(pairing, Outcome(1, dict(zip(pairing.seats, (1, 1, 2), strict=True))))


def test_a_result_is_ruled_corrected_and_withdrawn_each_with_a_reason(scene: EventScene) -> None:
    event = scene.start()
    first, second = event.pairing(1, 1).seats
    refused(
        scene, NotNow, "has no result that could be corrected", lambda: scene.director.correct(1, 1, {first: 1, second: 2}, "w")
    )
    refused(scene, NotNow, "has no result that could be withdrawn", lambda: scene.director.annul(1, 1, "why"))
    scene.director.adjudicate(1, 1, {first: 1, second: 2}, "agreed")
    refused(scene, Refused, "has a result already", lambda: scene.director.adjudicate(1, 1, {first: 1, second: 2}, "again"))
    scene.director.correct(1, 1, {first: 2, second: 1}, "wrong way round")
    assert scene.event.sheets[0].round.outcomes[1].places == {first: 2, second: 1}
    scene.director.annul(1, 1, "played with another board")
    assert 1 not in scene.event.sheets[0].round.outcomes
    scene.end("spring-1-1", first)
    scene.watch(AT).at_all()
    assert 1 not in scene.event.sheets[0].round.outcomes, "a result that was withdrawn does not come back by itself"
    scene.director.adjudicate(1, 1, {first: 1, second: 1}, "shared")
    assert [one.why for one in scene.event.rulings] == ["agreed", "wrong way round", "played with another board", "shared"]


def test_no_shows_are_taken_out_after_as_many_as_the_plan_says(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, no_shows=1)
    event = scene.start()
    first, second = event.pairing(1, 1).seats
    event = scene.director.adjudicate(1, 1, {first: 1, second: 2}, "never came", [second]).event
    assert event.players[second].away
    assert event.sheets[0].round.outcomes[1] == Outcome(1, {first: 1, second: 2}, {}, "forfeit", (second,))
    assert event.rulings[-1].what == f"{second} withdraws"


# The end


def test_an_event_is_closed_when_it_is_over_or_for_a_reason(scene: EventScene) -> None:
    refused(scene, NotNow, "is not over", scene.director.close)
    scene.start()
    refused(scene, NotNow, "spring-1-1 has no result yet", lambda: scene.director.close("the hall burnt down"))
    for _ in range(2):
        scene.end_all()
        scene.start()
    scene.end_all()
    refused(scene, NotNow, "is over: nothing is left to be paired", scene.director.pair)
    event = scene.director.close().event
    assert (event.state, len(event.secret)) == ("closed", 64)
    for work in (scene.director.pair, scene.director.close, lambda: scene.enter(["kim"])):
        with pytest.raises(RefereeError, match="spring is closed"):
            work()


def test_no_step_changes_how_an_event_is_played_or_ranked(scene: EventScene) -> None:
    for kind in ("plan", "tiebreaks", "settings", "new", "scoring"):
        with pytest.raises(Refused, match=f"There is no step '{kind}'"):
            take(scene.event, Step(kind, {"tiebreaks": ["wins"]}, AT))
    with pytest.raises(Refused, match="The first step is `new`"):
        take(None, Step("enter", {"players": {}}, AT))


def test_an_event_is_the_same_after_it_was_written_and_read(scene: EventScene) -> None:
    scene.start()
    scene.director.withdraw("bob", "ill")
    scene.end_all()
    scene.enter(["kim"])
    scene.director.pair()
    for event in (scene.event, scene.director.annul(1, 1, "why").event):
        body = event_body(event, 3, "ab")
        again = read_event(body, "tournament.toml")
        assert again == (event, 3, "ab")
        assert event_body(*again) == body
