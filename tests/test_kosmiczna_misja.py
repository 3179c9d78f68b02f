"""Kosmiczna misja: the laws over random matches, its squares, its guide, and how matches end."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from games.kosmiczna_misja import GAME
from games.kosmiczna_misja.squares import all_squares, complete, drawn, ends_of, fitting, recount
from games.kosmiczna_misja.table import Planet, Square
from referee import engine
from referee.components import BadData, folder_of, load_components
from referee.context import bare_context
from referee.match import Match
from referee.orders import submit
from referee.report import render
from referee.steps import Order

from . import laws
from .kosmiczna_misja.visibility import EVENTS, FIELDS
from .rules.kosmiczna_misja import planet, position, square
from .rules.runner import FOLDER as RULES
from .rules.runner import read

SEATS = ["alice", "bob", "carol", "dave", "erin"]
FOLDER = folder_of(GAME)
SQUARES = load_components(GAME)["squares"]


def test_the_sources_keep_the_laws() -> None:
    laws.check_sources(GAME, FIELDS, EVENTS)


@pytest.mark.parametrize("seed", range(6))
def test_a_random_match_keeps_the_laws(seed: int) -> None:
    laws.check_match(GAME, seed, EVENTS, most=1000, every=5)


def test_chance_comes_from_the_seed_alone() -> None:
    laws.dice(GAME, 3, most=1000)


def test_every_worked_example_and_ruling_is_shown() -> None:
    shown = {ruling for path in (RULES / "kosmiczna_misja").glob("*.toml") for ruling in read(path)["rulings"]}
    assert shown == {f"KM-{number}" for number in range(1, 22)} | {f"KM-T{number}" for number in range(1, 11)}


# Whole matches


def fresh(seed: int, seats: int, **options: object) -> Match:
    m = engine.start(GAME, f"km-{seed}", SEATS[:seats], seed.to_bytes(32, "big"), options)
    engine.begin(m, {})
    return m


def finished(seed: int, seats: int, **options: object) -> Match:
    """Return a random match at its end, checked after every answer."""
    m, pick = fresh(seed, seats, **options), random.Random(seed)
    while (question := engine.pending(m)) is not None:
        (decision,) = question.decisions.values()
        engine.answer(m, decision.decider, decision.sample(pick))
        engine.pending(m)
        GAME.check(m)
    return m


def full_planets(m: Match) -> list[Planet]:
    return [p for player in m.table.players.values() for p in player.planets.values() if complete(p)]


@pytest.mark.parametrize("seats", range(2, 6))
def test_matches_end_and_lose_no_square(seats: int) -> None:
    for seed in range(10):
        m = finished(seed, seats)
        assert m.table.ended in ("row empty", "deadlock")
        assert m.table.ended == "deadlock" or not m.table.row
        lying = [*m.table.row.values(), *m.table.box]
        lying += [s for player in m.table.players.values() for p in player.planets.values() for s in p.squares]
        assert len(lying) + len(m.table.supply) == 45


def test_a_fully_open_planet_has_about_as_many_stations_as_in_the_rulebook() -> None:
    stations = [p.stations for seed in range(30) for p in full_planets(finished(seed, 3))]
    assert 11 / 3 - 0.4 < sum(stations) / len(stations) < 11 / 3 + 0.4


def test_places_go_by_stations_and_are_shared() -> None:
    shared = 0
    for seed in range(30):
        result = finished(seed, 4)
        rows = GAME.score(result).values()
        best = max(row["points"] for row in rows)
        assert all((row["place"] == 1) == (row["points"] == best) for row in rows)
        told = {event["kind"] for event in result.events}
        winners = sum(row["place"] == 1 for row in rows)
        assert ("shared" in told, "wins" in told) == (winners > 1, winners == 1)
        shared += winners > 1
    assert 0 < shared < 30


def test_the_first_round_has_no_die_and_every_other_turn_has_one() -> None:
    m = finished(4, 5)
    rolls = [event["who"] for event in m.events if event["kind"] == "rolls"]
    turns = [event["who"] for event in m.events if event["kind"] == "turn"]
    assert sorted(turns[:5]) == SEATS
    assert rolls == turns[5:]
    begins = SEATS.index(turns[0])
    assert turns[:10] == (SEATS[begins:] + SEATS[:begins]) * 2


def test_the_youngest_is_drawn_or_named() -> None:
    assert {fresh(seed, 3).table.youngest for seed in range(30)} == set(SEATS[:3])
    assert all(fresh(seed, 3, youngest="carol").table.youngest == "carol" for seed in range(3))


STUCK = {"planet 1": ").(", "planet 2": ")@("}


def test_standing_orders_to_keep_everything_never_run_for_ever() -> None:
    m = fresh(1, 2)
    players = {seat: {"planets": STUCK if seat == "alice" else {"planet 1": ").(", "planet 2": ").("}} for seat in SEATS[:2]}
    position(m, {"row": {"1": "|*|", "2": "|*|", "3": "|.|"}, "players": players})
    m.agenda, m.question = [GAME.steps["turn"](who="alice")], None
    m = submit(m, "bob", ["always keep"]).match
    m = submit(m, "alice", ["always keep"]).match
    assert m.table.ended == "deadlock"
    assert m.table.passes == 6
    assert m.table.supply


def test_squares_stay_in_their_quarter() -> None:
    m, pick, lying = fresh(5, 2), random.Random(5), {}
    while (question := engine.pending(m)) is not None:
        (decision,) = question.decisions.values()
        engine.answer(m, decision.decider, decision.sample(pick))
        engine.pending(m)
        now = {
            (seat, name, (planet.quarter + index) % 4): square.kind
            for seat, player in m.table.players.items()
            for name, planet in player.planets.items()
            for index, square in enumerate(planet.squares)
        }
        gone = [event for event in m.events if event["kind"] == "planet gone"]
        assert gone or all(now[place] == kind for place, kind in lying.items() if place in now)
        lying, m.events = now, []
    assert lying


# Resigning


def test_who_resigns_takes_no_more_turns_and_comes_last() -> None:
    m = fresh(2, 3, youngest="alice")
    GAME.resign(m, "alice")  # type: ignore[misc]
    m.question = None
    assert engine.pending(m).seats == ["bob"]  # type: ignore[union-attr]
    pick = random.Random(2)
    while (question := engine.pending(m)) is not None:
        (decision,) = question.decisions.values()
        assert decision.seat != "alice"
        engine.answer(m, decision.decider, decision.sample(pick))
    assert GAME.score(m)["alice"]["place"] == 3


def test_who_resigns_in_anothers_turn_stops_nobody() -> None:
    m = fresh(2, 3, youngest="alice")
    GAME.resign(m, "bob")  # type: ignore[misc]
    m = submit(m, "alice", ["open 1"]).match
    assert engine.pending(m).seats == ["carol"]  # type: ignore[union-attr]


def test_the_last_one_left_has_won() -> None:
    m = fresh(2, 2)
    GAME.resign(m, "bob")  # type: ignore[misc]
    assert m.over
    assert {seat: row["place"] for seat, row in GAME.score(m).items()} == {"alice": 1, "bob": 2}


# The squares


def test_the_data_is_the_reconstructed_set() -> None:
    kinds = [SQUARES[kind] for kind in all_squares(load_components(GAME))]
    assert len(kinds) == 45
    edges = Counter((kind["ccw"], kind["cw"]) for kind in kinds)
    assert edges == {(0, 1): 12, (1, 0): 12, (1, 1): 12, (0, 0): 9}
    assert sum(kind["stations"] for kind in kinds) == 18
    assert sum(kind["aliens"] for kind in kinds) == 11
    assert all(kind["source"] == "reconstructed" for kind in SQUARES.values())


def test_every_kind_is_written_differently() -> None:
    columns = ("ccw", "cw", "stations", "aliens")
    signs = {drawn(Square(kind=name, **{column: row[column] for column in columns})): name for name, row in SQUARES.items()}
    assert len(signs) == len(SQUARES)
    assert all(square(text).kind == name for text, name in signs.items())


def test_first_and_second_square_can_make_three_stations_as_in_the_game_example() -> None:
    begun = planet("|*(")
    assert begun.stations == 1
    assert planet("|*( )*|").stations == 3


def test_rings_count_every_pair_of_half_stations() -> None:
    pick, kinds = random.Random(1), [square(text) for text in (").(", "|.(", ").|", "|.|", ")*(", "|*@|")]
    for _ in range(300):
        grown = Planet(squares=[pick.choice(kinds)])
        while len(grown.squares) < 4:
            fits = [(new, end) for new in kinds for end in ends_of(grown) if end in fitting(grown, new)]
            new, end = pick.choice(fits)
            grown.squares.insert(0 if end != "clockwise" else len(grown.squares), new)
        recount(grown)
        ring = zip(grown.squares, grown.squares[1:] + grown.squares[:1], strict=True)
        pairs = [(one.cw, other.ccw) for one, other in ring]
        assert all(one == other for one, other in pairs)
        assert grown.stations == pairs.count((1, 1)) + sum(new.stations for new in grown.squares)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("copies = 5", "there are 45 planet squares, and the data has 44"),
        ("ccw = 2", "s01: an edge is 0 (plain) or 1 (half-station)"),
        ("ccw = 1", "half-stations: 30 at counter-clockwise edges and 24 at clockwise ones should be equal"),
        ("stations = -1", "s01: no square has fewer than 0"),
        ("aliens = 4", "s01: at most 3 stations and aliens go on one square"),
        ("copies = 0", "s01: every square has at least one copy"),
        ("copies = \"6\"", "should be int"),
    ],
)
def test_data_that_contradicts_the_rulebook_is_refused(text: str, reason: str) -> None:
    row = {"ccw": "0", "cw": "1", "stations": "0", "aliens": "0", "copies": "6", "source": '"printed"'}
    name, _, value = text.partition(" = ")
    lines = "\n".join(f"{key} = {old}" for key, old in {**row, name: value}.items())
    with pytest.raises(BadData, match=re.escape(reason)):
        load_components(GAME, [("box.toml", f"[squares.s01]\n{lines}\n".encode())])


def test_a_pack_of_other_squares_is_played_with() -> None:
    pack = 'replaces = ["squares"]\n[squares.x]\nccw = 1\ncw = 1\nstations = 1\naliens = 0\ncopies = 45\nsource = "printed"\n'
    m = engine.start(GAME, "km-pack", SEATS[:2], bytes(32), {}, [("box.toml", pack.encode())])
    engine.begin(m, {})
    assert [drawn(lying) for lying in m.table.row.values()] == [")*("] * 3


# Reports, words, guide


@pytest.mark.parametrize("seats", [2, 5])
def test_reports_stay_small_and_narrow_to_the_end(seats: int) -> None:
    m = finished(11, seats)
    for viewer in [*m.seats, ""]:
        context = bare_context(m, viewer, m.events[-20:])
        text = render(context, "text", folders=[FOLDER])
        assert max(map(len, text.splitlines())) <= 72
        page = render(context, "html", folders=[FOLDER])
        assert len(page.encode()) < 90_000
        drawn_squares = sum(len(p.squares) for player in m.table.players.values() for p in player.planets.values())
        assert page.count('fill="url(#km-') == drawn_squares + len(m.table.row)


def test_every_order_and_every_question_is_explained() -> None:
    chapters = engine.sentences(GAME)
    assert chapters["orders"].keys() == {s.name for s in GAME.steps.values() if isinstance(s, Order)}
    questions = chapters["questions"]
    assert {f"{name}.why" for name in questions if "." not in name} <= questions.keys()


def test_the_guide_has_every_order_ruling_and_option() -> None:
    guide = (Path(FOLDER) / "README.md").read_text()
    orders = [step.pattern for step in GAME.steps.values() if isinstance(step, Order)]
    rulings = [f"KM-{number} " for number in range(1, 22)]
    missing = [word for word in [*orders, *rulings, *GAME.options] if word not in guide]
    assert not missing
