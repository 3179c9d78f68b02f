"""Matches of an event: what is taken from them and what is not, ends of rounds, sleepers, substitutes, deadlines that meet."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from referee import clock
from referee.chain import Chain
from referee.errors import NotNow, Refused, Unverified
from referee.people import People, Person
from referee.tournament.check import verify_event
from referee.tournament.director import Director
from referee.tournament.event import Event, Player
from referee.tournament.play import Looker
from referee.tournament.rounds import Outcome, Pairing
from referee.tournament.standings import table
from referee.tournament.substitutes import hand_over
from referee.tournament.views import EventView, view_of
from referee.tournament.watch import confirm, ruled_outcome

from ..matches import AT, KEY
from .scene import LATER, EventScene, rule

pytestmark = pytest.mark.usefixtures("quick_disk", "no_reports")


def view(scene: EventScene, *, for_director: bool = False) -> EventView:
    """Return what a reader may know of the event."""
    return view_of(scene.event, scene.folder, KEY.public, AT, for_director=for_director)


def rows_of(scene: EventScene) -> list[tuple[object, ...]]:
    """Return the standings, with the calculations in full."""
    rows = table(scene.event.field(), scene.event.plan.scoring, scene.event.plan.tiebreaks)
    return [(row.place, row.player, row.points, row.values, row.calculation) for row in rows]


# Results


def test_results_come_from_matches_that_are_over(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=6)
    event = scene.start()
    first, second = event.pairing(1, 1).seats
    scene.end("spring-1-1", first)
    scene.end("spring-1-2")
    scene.watch(AT).at_all()
    outcomes = scene.event.sheets[0].round.outcomes
    assert outcomes[1].places == {first: 1, second: 2}
    assert set(outcomes[2].places.values()) == {1}
    assert [one.how for one in outcomes.values()] == ["played", "played"]
    assert 3 not in outcomes
    assert scene.event.sheets[0].proofs[1] == (
        scene.chain("spring-1-1").latest().save.entry.serial,
        scene.chain("spring-1-1").latest().hash,
    )
    assert verify_event(scene.folder, KEY).results == 2


def test_who_forfeits_without_a_move_has_not_played(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    first, second = scene.start().pairing(1, 1).seats
    scene.move("spring-1-1", first)
    rule(scene.chain("spring-1-1"), "forfeit", seat=second)
    scene.watch(AT).at_all()
    outcome = scene.event.sheets[0].round.outcomes[1]
    assert (outcome.places, outcome.how, outcome.absent) == ({first: 1, second: 2}, "forfeit", (second,))


def test_who_never_had_a_turn_is_no_no_show_when_the_other_gives_up(tmp_path: Path) -> None:
    """As lichess-org/lila#12286 tells, where both counted as absent."""
    scene = EventScene(tmp_path, players=2, game="cosmic-league", settings={"rounds": 1}, no_shows=1)
    scene.start()
    chain = scene.chain("spring-1-1")
    (asked,) = chain.latest().save.entry.asked
    rule(chain, "resign", seat=asked)
    scene.watch(AT).at_all()
    outcome = scene.event.sheets[0].round.outcomes[1]
    assert (outcome.how, outcome.absent) == ("forfeit", (asked,))
    assert [name for name, player in scene.event.players.items() if player.away] == [asked]


def test_a_running_match_leaks_nothing_into_standings_and_views(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=2, settings={"rounds": 1})
    scene.start()
    before = rows_of(scene)
    head = (scene.folder / "tournament.toml").read_bytes()
    for seat in ("alice", "bob", "alice"):
        scene.move("spring-1-1", seat)
        scene.watch(AT).at_all()
    assert scene.chain("spring-1-1").latest().save.entry.serial > 2
    assert rows_of(scene) == before
    assert (scene.folder / "tournament.toml").read_bytes() == head
    assert view(scene).field == scene.event.field()


def test_a_sealed_answer_shows_in_no_view(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=2, settings={"rounds": 1})
    scene.start()
    before = view(scene).tables
    assert set(before[0].asked) == {"alice", "bob"}
    scene.move("spring-1-1", "bob")
    assert scene.chain("spring-1-1").latest().save.match.sealed
    assert view(scene).tables == before


def test_a_match_that_is_put_in_the_place_of_another_does_not_count(tmp_path: Path) -> None:
    scene, other = EventScene(tmp_path), EventScene(tmp_path / "other", players=4, seats=2)
    event = scene.start()
    other.start()
    place = scene.folder / "matches" / "spring-1-1"
    for source, words in ((scene.folder / "matches" / "spring-1-2", "is another match"),):
        shutil.rmtree(place)
        shutil.copytree(source, place)
        rule(Chain(place, KEY.public), "draw")
        watch = scene.watch(AT)
        watch.at_all()
        assert words in watch.troubles[0]
        assert 1 not in scene.event.sheets[0].round.outcomes
    assert event.pairing(1, 1).seats != event.pairing(1, 2).seats


def test_one_match_that_cannot_be_read_does_not_stop_the_others(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    scene.start()
    (scene.folder / "matches" / "spring-1-1" / "0001.toml").write_bytes(b"no save\n")
    scene.end("spring-1-2")
    watch = scene.watch(AT)
    watch.at_all()
    assert list(scene.event.sheets[0].round.outcomes) == [2]
    assert len(watch.troubles) == 1
    assert "0001.toml" in watch.troubles[0]


def test_what_was_seen_is_worth_nothing_against_the_chain(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    scene.start()
    scene.watch(AT).at_all()
    path = scene.folder / "looked.toml"
    seen = path.read_text()
    assert "goes on" in seen
    path.write_text(seen.replace("goes on", "over").replace("stop = 1", "stop = 9"))
    scene.watch(AT).at_all()
    assert scene.event.missing() == [(1, 1), (1, 2)], "a result is read from the chain, whatever was seen"
    scene.end("spring-1-1")
    for broken in (seen, "no TOML [", "a = 1\n"):
        path.write_text(broken)
        assert Looker(scene.folder, KEY.public).look("spring-1-1").state == "over"


# The end of a round


@pytest.mark.parametrize(
    ("rule_", "waited", "moved", "places", "how", "absent"),
    [
        ("late-loses", "b", "ab", (1, 2), "adjudicated", ""),
        ("late-loses", "ab", "ab", (1, 1), "adjudicated", ""),
        ("late-loses", "b", "a", (1, 2), "forfeit", "b"),
        ("late-loses", "ab", "", (1, 1), "forfeit", "ab"),
        ("draw", "b", "ab", (1, 1), "adjudicated", ""),
        ("draw", "b", "a", (1, 2), "forfeit", "b"),
        ("unplayed", "b", "ab", (1, 2), "forfeit", "b"),
        ("unplayed", "ab", "ab", (1, 1), "forfeit", "ab"),
    ],
)
def test_the_published_rule_decides(
    rule_: str, waited: str, moved: str, places: tuple[int, int], how: str, absent: str
) -> None:
    found = ruled_outcome(rule_, Pairing(1, ("a", "b")), set(waited), set(moved))
    assert found == Outcome(1, dict(zip("ab", places, strict=True)), {}, how, tuple(absent))


def test_one_sleeper_never_stalls_an_event(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=4, pairs_itself=True, no_shows=0)
    event = scene.start()
    awake, asleep = event.pairing(1, 1).seats
    scene.move("spring-1-1", awake)
    scene.end("spring-1-2", event.pairing(1, 2).seats[0])
    assert {one.to for one in scene.watch("2026-12-14T17:59:59Z").at_all()} == {awake, asleep}
    assert len(scene.event.sheets) == 1
    notices = scene.watch("2026-12-14T18:00:00Z").at_all()
    event = scene.event
    assert event.sheets[0].round.outcomes[1] == Outcome(1, {awake: 1, asleep: 2}, {}, "forfeit", (asleep,))
    assert len(event.sheets) == 2
    assert ("players", "published spring 2") in [(one.to, one.key) for one in notices]
    ruled = {one.to: one.text for one in notices if one.key.startswith("ruling spring 1")}
    assert ruled.keys() == {awake, asleep}
    assert "spring-1-1 is ruled" in ruled[awake]
    assert scene.watch("2026-12-14T18:00:00Z").at_all() == notices, "told again with the same keys, in case nobody heard"
    assert scene.chain("spring-1-1").latest().save.match.held, "nobody moves any more"
    verify_event(scene.folder, KEY)
    for _ in range(3):
        scene.watch(LATER).at_all()
        scene.watch("2027-02-02T18:00:00Z").at_all()
        scene.watch("2027-04-02T18:00:00Z").at_all()
    assert len(scene.event.sheets) == 3
    assert not scene.event.missing()
    assert scene.watch("2027-04-02T18:00:00Z").at_all()[0].key == "end spring"


def test_no_round_ends_before_all_mail_is_in(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    scene.start()
    scene.watch(LATER, mail_is_in=False).at_all()
    assert len(scene.event.missing()) == 2


def test_an_answer_in_time_counts_although_it_is_sealed(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=2, settings={"rounds": 1})
    scene.start()
    scene.move("spring-1-1", "bob")
    scene.watch(LATER).at_all()
    assert scene.event.sheets[0].round.outcomes[1].places == {"alice": 2, "bob": 1}


def test_a_match_that_the_director_halted_waits_for_the_director(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=2, settings={"rounds": 1})
    scene.start()
    rule(scene.chain("spring-1-1"), "hold")
    scene.watch(LATER).at_all()
    assert scene.event.missing() == [(1, 1)]
    scene.director.adjudicate(1, 1, {"alice": 1, "bob": 1}, "agreed")
    assert not scene.event.missing()


def test_the_director_confirms_where_the_event_says_so(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=2, settings={"rounds": 1}, confirm=True)
    scene.start()
    with pytest.raises(NotNow, match="goes on until"):
        confirm(scene.director, 1, "it is time")
    (notice,) = scene.watch(LATER).at_all()
    assert (notice.to, scene.event.missing()) == ("director", [(1, 1)])
    assert "rule" in notice.text
    late = Director(scene.folder, KEY, LATER)
    event = confirm(late, 1, "nobody answered")
    assert not event.missing()
    assert event.rulings[0].why == "nobody answered"
    with pytest.raises(NotNow, match="Every match of round 1 has a result"):
        confirm(late, 1, "again")


def test_where_the_director_rules_the_rule_rules_nothing(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=2, settings={"rounds": 1}, rule="director")
    scene.start()
    (notice,) = scene.watch(LATER).at_all()
    assert (notice.to, scene.event.missing()) == ("director", [(1, 1)])
    with pytest.raises(Refused, match="leaves each match to the director"):
        confirm(Director(scene.folder, KEY, LATER), 1, "why")


def test_a_round_may_be_given_more_time(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    scene.start()
    scene.director.extend(1, "2027-01-31T18:00:00Z", "the mail server burnt down")
    scene.watch(LATER).at_all()
    assert len(scene.event.missing()) == 2
    assert scene.event.rulings[0].what == "round 1 ends at 2027-01-31T18:00:00Z"


# People


def test_a_substitute_takes_over_in_matches_under_way(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, players=0, settings={"rounds": 1})
    scene.enter(["alice", "bob"], {"alice": Person("alice@example.org")})
    scene.start()
    hand_over(scene.director, "alice", Person("ann@example.org"), "moved away")
    match = scene.chain("spring-1-1")
    assert match.latest().save.match.holders["alice"] == 2
    assert People(match.path).of("alice").address == People(scene.folder).of("alice").address == "ann@example.org"
    assert scene.event.players["alice"] == Player(holder=2)
    assert view(scene).entrants[0].notes == "played by a substitute"


def test_an_anonymous_event_shows_the_names_of_seats_alone(tmp_path: Path) -> None:
    for anonymous in (True, False):
        scene = EventScene(tmp_path / str(anonymous), players=0, anonymous=anonymous, settings={"rounds": 1})
        scene.enter(["alice", "bob"], {"alice": Person("alice@example.org", "Alice Liddell")})
        scene.start()
        public, own = view(scene), view(scene, for_director=True)
        assert ("Liddell" in repr(public)) is not anonymous
        assert "example.org" not in repr(public)
        assert own.entrants[0][2:4] == ("Alice Liddell", "alice@example.org")
        steps = b"".join(path.read_bytes() for path in [*(scene.folder / "steps").iterdir(), scene.folder / "tournament.toml"])
        assert b"Liddell" not in steps
        assert b"example.org" not in steps


def test_a_draft_is_seen_by_the_director_alone(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    scene.director.pair()
    assert view(scene).draft == ()
    assert len(view(scene, for_director=True).draft) == 2
    assert view(scene).field.rounds == ()


def test_further_matches_of_a_player_may_take_longer(tmp_path: Path) -> None:
    scene = EventScene(
        tmp_path, players=4, format="round-robin", settings={"pace": "at-once"}, clock={"hours": 48, "zone": "UTC"}
    )
    scene.director.pair()
    event = scene.director.publish(stagger=24).event
    hours: dict[str, list[int]] = {}
    for one in event.sheets[0].round.pairings:
        settings = clock.read(scene.chain(event.match_id(1, one.table)).path)
        assert settings is not None
        for seat in one.seats:
            hours.setdefault(seat, []).append(settings.hours)
    assert all(len(set(found)) == len(found) == 3 for found in hours.values()), hours
    assert min(map(min, hours.values())) == 48


# What verify finds


def forged(scene: EventScene, event: Event) -> None:
    """Sign a head that says something else."""
    page = scene.director.book.read()
    scene.director.book._write_head(page._replace(event=event))


def test_a_signed_head_that_the_steps_do_not_make_is_found(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    event = scene.start()
    forged(scene, Event(**{**vars(event), "state": "entries"}))
    with pytest.raises(Unverified, match="is not what the steps make"):
        verify_event(scene.folder, KEY)


def test_pairings_that_do_not_follow_from_the_format_are_found(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    scene.director.pair()
    rows = {"1": {"seats": ["alice", "bob"]}, "2": {"seats": ["carol", "dave"]}}
    real = {tuple(sorted(one.seats)) for one in scene.event.draft}
    if ("alice", "bob") in real:
        rows = {"1": {"seats": ["alice", "carol"]}, "2": {"seats": ["bob", "dave"]}}
    from referee.tournament.event import Step

    scene.director.book.act(lambda event: Step("draft", {"round": 1, "pairings": rows}, AT))
    with pytest.raises(Unverified, match="does not follow from the format: table 1"):
        verify_event(scene.folder, KEY)


def test_lots_that_the_seed_does_not_give_are_found(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    event = scene.director.pair().event
    from referee.tournament.event import Step, pairing_rows

    data = {"round": 1, "pairings": pairing_rows(event.draft), "lots": list(reversed(event.lots))}
    scene.director.book.act(lambda event: Step("draft", data, AT))
    with pytest.raises(Unverified, match="does not have the lots that the seed gives"):
        verify_event(scene.folder, KEY)


def test_a_result_that_no_match_gave_is_found(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    event = scene.start()
    first, second = event.pairing(1, 1).seats
    scene.end("spring-1-1", first)
    link = scene.chain("spring-1-1").latest()
    from referee.tournament.event import Step

    row = {"round": 1, "table": 1, "how": "played", "places": {first: 2, second: 1}}
    row |= {"serial": link.save.entry.serial, "hash": link.hash}
    scene.director.book.act(lambda event: Step("results", {"results": {"spring-1-1": row}}, AT))
    with pytest.raises(Unverified, match="of spring-1-1, and its saves say"):
        verify_event(scene.folder, KEY)


def test_a_match_that_was_changed_after_its_result_is_found(tmp_path: Path) -> None:
    scene = EventScene(tmp_path)
    scene.start()
    scene.end_all()
    assert verify_event(scene.folder, KEY, jobs=2).replayed == 2
    chain = scene.chain("spring-1-2")
    path = chain.path / f"{chain.store.latest_serial():04}.toml"
    path.write_bytes(path.read_bytes().replace(b"stop = ", b"stop = 1", 1))
    with pytest.raises(Unverified, match="changed after it was signed"):
        verify_event(scene.folder, KEY)
    shutil.rmtree(chain.path)
    with pytest.raises(Unverified):
        verify_event(scene.folder, KEY, quick=True)


def test_after_the_close_everybody_can_draw_the_lots_again(tmp_path: Path) -> None:
    scene = EventScene(tmp_path, settings={"rounds": 1}, players=2)
    scene.start()
    assert verify_event(scene.folder, KEY.public).lots == "drawn again only when the event is closed"
    scene.end_all()
    scene.director.close()
    assert verify_event(scene.folder, KEY.public).lots == "drawn again"
