"""Four Planets: the laws, whole matches, its data, its words and its guide."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import pytest

from games.four_planets import GAME
from games.four_planets.deck import everybody
from games.four_planets.table import Card
from referee import engine, report
from referee.ask import Decision
from referee.components import BadData, folder_of, load_components
from referee.context import bare_context
from referee.match import Match
from referee.steps import Frame, Order

from . import laws
from .four_planets.visibility import EVENTS, FIELDS, UNIQUE
from .rules.runner import FOLDER as FOLDER_OF_RULES
from .rules.runner import read

SEATS = ["alice", "bob"]
FOLDER = folder_of(GAME)
SAMPLE = Decision.sample


def keen(m: Match, decision: Decision, pick: random.Random) -> Frame:
    """Choose like somebody who wants to get on: pay with what cannot be played, play what can, keep the best."""
    frames = [SAMPLE(decision, pick) for _ in range(10)]
    return max(frames, key=lambda frame: keenness(m, frame))


def keenness(m: Match, frame: Frame) -> float:
    """Return how much somebody likes an answer."""
    player, cards = m.table.players.get(frame.get("who")), m.components["specialists"]
    if frame["do"] == "play":
        card = cards[frame["card"]]
        return 10 + card["symbols"] + len(player.columns[card["colour"]])
    if frame["do"] in ("coin", "bank"):
        return 5 if any(cards[c.front]["cost"] > player.credit for c in player.hand) else -5
    if frame["do"] == "pay":
        wanted = [c for c in player.hand if cards[c.front]["cost"] > player.credit and c.front != frame["card"]]
        return 4 - cards[frame["card"]]["vp"] / 10 if wanted else -5
    if frame["do"] == "send":
        return -frame["parts"]
    return float(frame["do"] == "done") + len(frame.get("cards", [])) / 10


def busy(decision: Decision, pick: random.Random) -> Frame:
    """Choose keenly for the most part, so that abilities and tiles come into play, and else at random."""
    return keen(decision._m, decision, pick) if pick.random() < 0.8 else SAMPLE(decision, pick)


@pytest.fixture
def busily() -> Iterator[None]:
    """Let random play go on for long."""
    with mock.patch.object(Decision, "sample", busy):
        yield


def test_the_sources_keep_the_laws() -> None:
    laws.check_sources(GAME, FIELDS, EVENTS)


@pytest.mark.parametrize("seed", range(4))
def test_a_random_match_keeps_the_laws(seed: int) -> None:
    laws.check_match(GAME, seed, EVENTS, unique=UNIQUE, most=3000, every=6)


@pytest.mark.parametrize("seed", range(4, 10))
def test_a_busy_match_keeps_the_laws(seed: int, busily: None) -> None:
    laws.check_match(GAME, seed, EVENTS, unique=UNIQUE, most=3000, every=8)


def test_chance_comes_from_the_seed_alone() -> None:
    laws.dice(GAME, 3, most=3000)


# Whole matches


def fresh(seed: int, **options: object) -> Match:
    m = engine.start(GAME, f"fp-{seed}", SEATS, seed.to_bytes(32, "big"), options)
    engine.begin(m, {})
    return m


def finished(seed: int, **options: object) -> Match:
    """Play a whole match, checking the table after each answer."""
    m, pick = fresh(seed, **options), random.Random(seed)
    while (question := engine.pending(m)) is not None:
        for decision in question.decisions.values():
            engine.answer(m, decision.decider, keen(m, decision, pick))
        engine.pending(m)
        GAME.check(m)
    return m


def test_matches_of_every_kind_end_after_so_many_games() -> None:
    for options, games in (({}, 1), ({"professional": True}, 1), ({"campaign": True}, 3)):
        for seed in range(3):
            m = finished(seed, **options)
            assert [m.table.game, len(m.table.games), m.table.round] == [games, games, 5]
            held = {"professional": [2, 2], "campaign": [3, 3]}.get(next(iter(options), ""), [0, 0])
            assert [len(player.buildings) for player in m.table.players.values()] == held


def test_the_figures_are_those_of_an_ordinary_game() -> None:
    """About 16 specialists played and 17 VP on cards, as the reconstruction of the cards wants it."""
    rows, played = [], []
    for seed in range(40):
        m = finished(seed)
        rows += m.table.games[0].values()
        played += [sum(map(len, player.columns.values())) for player in m.table.players.values()]
    mean = {key: sum(row[key] for row in rows) / len(rows) for key in rows[0]}
    assert 12 <= sum(played) / len(played) <= 18
    assert 10 <= mean["cards"] <= 20
    assert 14 <= mean["colour"] <= 26
    assert mean["buildings"] == 0


def test_the_score_adds_up_and_orders_the_seats() -> None:
    for seed in range(6):
        m = finished(seed, campaign=True)
        result = GAME.score(m)
        for seat in SEATS:
            games = [game[seat] for game in m.table.games]
            assert all(row["total"] == sum(row[k] for k in ("cards", "tiles", "buildings", "colour")) for row in games)
            assert result[seat]["points"] == sum(row["total"] for row in games)
        first = max(SEATS, key=lambda seat: result[seat]["points"])
        assert result[first]["place"] == 1


def test_before_the_first_game_ends_nobody_is_ahead() -> None:
    assert {row["place"] for row in GAME.score(fresh(1)).values()} == {1}


# What is laid out, and who knows it


def test_the_layout_is_that_of_the_rulebook() -> None:
    table = fresh(5).table
    assert [len(planet.cards) for planet in table.planets.values()] == [2] * 4
    assert [len(table.bonus), len(table.deck), len(table.top)] == [4, 37, 1]
    assert [len(table.tiles), len(table.box), table.coins, table.round] == [5, 5, 6, 1]
    assert [(player.parts, player.coins, player.marker) for player in table.players.values()] == [(4, 0, 0)] * 2
    assert [card.known for card in table.bonus.values()] == [["alice"], [], [], ["bob"]]


def test_the_tiles_of_a_first_game_are_the_five_that_score() -> None:
    scoring = ["four points", "columns", "sets", "thirteenth", "power three"]
    assert fresh(5, **{"first-game": True}).table.tiles == scoring
    assert any(fresh(seed).table.tiles != scoring for seed in range(3))


def test_the_start_tile_is_drawn_or_named() -> None:
    assert {fresh(seed).table.ship for seed in range(20)} == set(SEATS)
    assert all(fresh(seed, first="bob").table.ship == "bob" for seed in range(5))


def test_nobody_gets_fronts_past_the_own_marker_nor_the_deck() -> None:
    m = fresh(7)
    bonus = [card.front for card in m.table.bonus.values()]
    seen = {viewer: engine.view(m, viewer)["table"] for viewer in [*SEATS, ""]}
    fronts = {viewer: [card["front"] for card in table["bonus"].values()] for viewer, table in seen.items()}
    assert fronts == {"alice": [bonus[0], "?", "?", "?"], "bob": ["?", "?", "?", bonus[3]], "": ["?"] * 4}
    assert all(table["deck"] == ["?"] * 37 and table["top"][0]["front"] == "?" for table in seen.values())
    assert all(table["top"][0]["power"] == m.table.top[0].power for table in seen.values())


def test_the_buildings_of_a_draft_are_for_their_owner_and_marked_where_they_are_reconstructed() -> None:
    m = fresh(2, professional=True)
    dealt = {viewer: engine.view(m, viewer)["table"]["players"]["alice"]["dealt"] for viewer in [*SEATS, ""]}
    assert dealt == {"alice": m.table.players["alice"].dealt, "bob": ["?"] * 4, "": ["?"] * 4}
    text = rendered(m, "alice")
    for name in m.table.players["alice"].dealt:
        marked = m.components["buildings"][name]["source"] == "reconstructed"
        assert (f"{name} (reconstructed):" in text) == marked
    assert not any("buildings" in engine.view(m, viewer)["table"] for viewer in SEATS)


def rendered(m: Match, viewer: str, form: report.Form = "text") -> str:
    return report.render(bare_context(m, viewer, m.events), form, folders=[FOLDER])


def test_reports_of_all_phases_stay_small_and_narrow(busily: None) -> None:
    m, pick = fresh(4, campaign=True), random.Random(4)
    while (question := engine.pending(m)) is not None:
        for decision in question.decisions.values():
            engine.answer(m, decision.decider, decision.sample(pick))
        m.events = m.events[-10:]
        if pick.random() < 0.2:
            text = rendered(m, pick.choice([*SEATS, ""]))
            assert max(map(len, text.splitlines())) <= 72
            assert len(rendered(m, pick.choice([*SEATS, ""]), "html").encode()) < 60_000
    assert "Game 3, alice" in rendered(m, "")


# The data


def pack(text: str) -> list[tuple[str, bytes]]:
    return [("box.toml", text.encode())]


def test_a_pack_with_printed_cards_is_used_and_drawn() -> None:
    line = 'R05 = { colour = "red", cost = 1, power = 2, symbols = 1, vp = 7, source = "printed" }'
    components = load_components(GAME, pack(f"[specialists]\n{line}"))
    assert components.sources()["specialists"] == {"reconstructed": 49, "printed": 1}
    m = engine.start(GAME, "fp-pack", SEATS, bytes(32), {}, pack(f"[specialists]\n{line}"))
    engine.begin(m, {})
    m.table.planets["planet 1"].cards[0] = Card(front="R05", power=2, known=everybody(m))
    assert "R05 red, cost 1, 1 symbol, 7 VP" in rendered(m, "")


CARD = 'R05 = {{ colour = "{}", cost = {}, power = {}, symbols = {}, vp = {}, source = "printed" }}'


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[specialists]\n" + CARD.format("pink", 1, 2, 1, 2), "R05 has no colour of the game"),
        ("[specialists]\n" + CARD.format("red", 3, 4, 1, 2), "a cost is one of"),
        ("[specialists]\n" + CARD.format("red", 1, 3, 1, 2), "the buying power is always 1 higher"),
        ("[specialists]\n" + CARD.format("red", 1, 2, 3, 2), "one symbol or two"),
        ("[specialists]\n" + CARD.format("red", 1, 2, 1, -1), "victory points are not negative"),
        ("[specialists]\n" + CARD.format("blue", 1, 2, 1, 2), "there are 10 specialists of a colour, and 9 are red"),
        ('[tiles.fun]\nvp = 1\nper = "tile"\nsource = "printed"', "there are 10 tiles, and the data has 11"),
        ('[tiles.sets]\nvp = 1\nper = "day"\nsource = "printed"', "the tile 'sets' scores VP per"),
        ('[tiles.discount]\ntarget = "hat"\nsource = "printed"', "the tile 'discount' is attached to"),
        ('[tiles.search]\nfirst = true\neffect = [{ do = "search" }]\nsource = "printed"', "a first game has 5 tiles"),
        ('[buildings.barn]\ntheme = "red"\nsource = "printed"', "there are 15 buildings"),
        ('[buildings.tower]\ntheme = "pink"\nsource = "printed"', "the theme of 'tower' should be a colour"),
        ('[buildings.tower]\ntheme = "red"\nwhen = "set-up"\nsource = "printed"', "an effect says when"),
        (
            '[buildings.tower]\ntheme = "red"\nwhen = "noon"\neffect = [{ do = "telescope" }]\nsource = "printed"',
            "comes into play at set-up or after",
        ),
    ],
)
def test_data_that_contradicts_the_rulebook_is_refused(text: str, reason: str) -> None:
    with pytest.raises(BadData, match=re.escape(reason)):
        load_components(GAME, pack(text))


def test_ten_buildings_are_marked_as_reconstructed() -> None:
    assert load_components(GAME).sources()["buildings"] == {"rulebook": 5, "reconstructed": 10}


# The words, the guide and the scenarios


def test_every_tile_building_and_order_is_explained() -> None:
    chapters, components = engine.sentences(GAME), load_components(GAME)
    assert chapters["cards"].keys() == {*components["tiles"], *components["buildings"]}
    assert chapters["orders"].keys() == {s.name for s in GAME.steps.values() if isinstance(s, Order)}


def test_every_question_says_why_it_is_asked() -> None:
    questions = engine.sentences(GAME)["questions"]
    assert {f"{name}.why" for name in questions if "." not in name} <= questions.keys()


def test_the_guide_has_every_order_ruling_option_tile_and_building() -> None:
    guide, components = (Path(FOLDER) / "README.md").read_text(), load_components(GAME)
    orders = [step.pattern for step in GAME.steps.values() if isinstance(step, Order)]
    rulings = [f"| FP-{number} " for number in range(1, 42)]
    names = [*components["tiles"], *components["buildings"], *GAME.options]
    missing = [word for word in [*orders, *rulings, *(f"`{name}`" for name in names)] if word not in guide]
    assert not missing


def test_every_ruling_and_worked_example_has_a_scenario() -> None:
    shown = {ruling for path in (FOLDER_OF_RULES / "four_planets").glob("*.toml") for ruling in read(path)["rulings"]}
    wanted = [f"FP-{number}" for number in range(1, 42)] + [f"FP-T{number}" for number in range(1, 13)]
    assert not [ruling for ruling in wanted if ruling not in shown]
