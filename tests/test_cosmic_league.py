"""The Cosmic League: the laws over random matches, its data, its guide, and how matches end."""

import random
import re
from collections import Counter
from pathlib import Path

import pytest

from games.cosmic_league import GAME
from games.cosmic_league.places import chart, single_moves
from referee import engine
from referee.ask import Decision
from referee.components import BadData, folder_of, load_components
from referee.match import Match
from referee.steps import Frame, Order

from . import laws
from .cosmic_league.visibility import EVENTS, FIELDS

SEATS = ["alice", "bob"]
FOLDER = folder_of(GAME)


def test_the_sources_keep_the_laws() -> None:
    laws.check_sources(GAME, FIELDS, EVENTS)


@pytest.mark.parametrize("seed", range(30))
def test_a_random_match_keeps_the_laws(seed: int) -> None:
    laws.check_match(GAME, seed, EVENTS, most=3000, every=12)


def test_chance_comes_from_the_seed_alone() -> None:
    laws.dice(GAME, 3, most=3000)


# Whole matches


def fresh(seed: int, **options: object) -> Match:
    m = engine.start(GAME, f"cl-{seed}", SEATS, seed.to_bytes(32, "big"), options)
    engine.begin(m, {})
    return m


RANKS = ("unload", "remove", "load", "load_from", "play", "buy", "fly_toward", "fly", "roll", "decline")


def keen(decision: Decision, pick: random.Random) -> Frame:
    """Choose like somebody who wants to get on: the best of some random answers."""
    frames = [decision.sample(pick) for _ in range(6)]
    ranks = [RANKS.index(frame["do"]) if frame["do"] in RANKS else len(RANKS) for frame in frames]
    return frames[ranks.index(min(ranks))]


def finished(seed: int, **options: object) -> Match:
    m, pick = fresh(seed, **options), random.Random(seed)
    while (question := engine.pending(m)) is not None:
        (decision,) = question.decisions.values()
        engine.answer(m, decision.decider, keen(decision, pick))
        engine.pending(m)
        GAME.check(m)
    return m


def test_matches_end_by_the_star_without_goods_and_in_quiet() -> None:
    endings = Counter(finished(seed).table.ended for seed in range(12))
    endings["quiet"] += finished(1, **{"quiet-turns": 2}).table.ended == "quiet"
    assert endings["star"]
    assert endings["quiet"]
    assert set(endings) <= {"star", "no goods", "quiet"}


def test_the_winner_by_the_star_has_all_the_points() -> None:
    m = next(m for m in map(finished, range(12)) if m.table.ended == "star")
    result = GAME.score(m)
    assert sorted(row["place"] for row in result.values()) == [1, 2]
    assert max(row["points"] for row in result.values()) == 70


def test_who_resigns_loses_whatever_the_points() -> None:
    m = fresh(1)
    m.table.captains["alice"].mg = 60
    GAME.resign(m, "alice")  # type: ignore[misc]
    assert m.over
    assert GAME.score(m) == {"alice": {"place": 2, "points": 60}, "bob": {"place": 1, "points": 0}}


def test_the_deal_shows_no_goods_at_their_own_planet_and_five_at_each() -> None:
    for seed in range(30):
        planets = fresh(seed).table.planets
        assert [len(goods) for goods in planets.values()] == [5] * 6
        assert all(goods.to != planet for planet, dealt in planets.items() for goods in dealt)


def test_the_younger_is_drawn_or_named() -> None:
    assert {fresh(seed).table.younger for seed in range(20)} == set(SEATS)
    assert all(fresh(seed, younger="bob").table.younger == "bob" for seed in range(5))


def test_nobody_gets_backs_piles_or_the_other_hand() -> None:
    m = fresh(7)
    for viewer in [*SEATS, ""]:
        table = engine.view(m, viewer)["table"]
        assert not any("back" in goods for dealt in table["planets"].values() for goods in dealt)
        for seat, captain in table["captains"].items():
            assert set(captain["pile"]) == {"?"}
            assert captain["hand"] == (m.table.captains[seat].hand if seat == viewer else ["?"] * 5)


# The board


def test_ways_cost_what_the_table_of_costs_says() -> None:
    """Inward by k places 2 + k, outward 2 + 2k."""
    found = load_components(GAME).recall(chart)
    for here, start in enumerate(found.planets):
        for there, end in enumerate(found.planets):
            steps = abs(here - there)
            if steps:
                assert len(found.ways[start][end]) == 2 + (2 * steps if there > here else steps)


def test_no_inward_move_ends_in_a_gap() -> None:
    moves = single_moves(["yellow", "green", "orange"])
    assert "yellow-green gap" not in moves["green orbit"]
    assert len(moves) == 8


# The data


def pack(text: str) -> list[tuple[str, bytes]]:
    return [("box.toml", text.encode())]


def test_a_pack_with_other_values_and_passengers_is_used() -> None:
    goods = "\n".join(
        f'{name} = {{ sides = ["{a.rpartition(" ")[0]} 3", "{b.rpartition(" ")[0]} 2"], source = "printed" }}'
        for name, (a, b) in ((n, g["sides"]) for n, g in load_components(GAME)["goods"].items())
    )
    passenger = '[cards."passenger to blue"]\nkind = "intervention"\ncopies = 1\nneutralizable = false\nto = "sand"\n'
    passenger += 'effect = [{ do = "deliver", mg = 4 }]\nsource = "printed"\n'
    components = load_components(GAME, pack(f'replaces = ["goods"]\n[goods]\n{goods}\n{passenger}'))
    assert components.hash != load_components(GAME).hash
    assert components.sources()["goods"] == {"printed": 30}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[goods]\ng01 = { sides = ["yellow 2", "yellow 3"], source = "printed" }', "two different sides"),
        ('[goods]\ng01 = { sides = ["yellow 2", "pink 3"], source = "printed" }', "should be a planet and 2 or 3"),
        ('[goods]\ng01 = { sides = ["yellow 2", "green 4"], source = "printed" }', "should be a planet and 2 or 3"),
        ('[goods]\ng01 = { sides = ["yellow 2", "violet 2"], source = "printed" }', "an odd number"),
        ('[goods]\ng31 = { sides = ["yellow 2", "violet 2"], source = "printed" }', "there are 30 goods cards"),
        ('[cards.agent]\nkind = "intervention"\ncopies = 3\nneutralizable = true\neffect = []\nsource = "printed"', "30"),
        ('[cards.agent]\nkind = "trick"\ncopies = 2\nsource = "printed"', "the kind of 'agent'"),
        ('[cards.agent]\nkind = "technology"\ncopies = 2\neffect = []\nsource = "printed"', "interventions alone"),
        ('[cards."start card"]\nkind = "technology"\ncopies = 1\nsource = "printed"', "the one start card"),
        ('[planets.blue]\nplace = 3\ntitle = "x"\ncommodity = "y"\nsource = "printed"', "the places 1 to 6"),
        ('[cards."hyperjump inward"]\nkind = "technology"\ncopies = 1\njump = "up"\nsource = "printed"', "jumps inward or"),
        (
            '[cards.agent]\nkind = "intervention"\ncopies = 2\nneutralizable = true\nto = "pink"\n'
            'effect = [{ do = "deliver", mg = 3 }]\nsource = "printed"',
            "goes to no planet",
        ),
        (
            '[cards.agent]\nkind = "intervention"\ncopies = 2\nneutralizable = true\n'
            'effect = [{ do = "deliver", mg = 3 }]\nsource = "printed"',
            "says where to",
        ),
    ],
)
def test_data_that_contradicts_the_rulebook_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadData, match=re.escape(reason)):
        load_components(GAME, pack(text))


# The words and the guide


def test_every_card_and_every_order_is_explained() -> None:
    chapters = engine.sentences(GAME)
    assert chapters["cards"].keys() == load_components(GAME)["cards"].keys()
    assert chapters["orders"].keys() == {s.name for s in GAME.steps.values() if isinstance(s, Order)}


def test_every_question_says_why_it_is_asked_but_for_the_name_of_it() -> None:
    questions = engine.sentences(GAME)["questions"]
    assert {f"{name}.why" for name in questions if "." not in name} <= questions.keys()


def test_the_guide_has_every_order_ruling_option_and_card() -> None:
    guide = (Path(FOLDER) / "README.md").read_text()
    orders = [step.pattern for step in GAME.steps.values() if isinstance(step, Order)]
    rulings = [f"CL-{number} " for number in range(1, 41)]
    cards = load_components(GAME)["cards"]
    missing = [word for word in [*orders, *rulings, *GAME.options, *cards] if word not in guide]
    assert not missing
