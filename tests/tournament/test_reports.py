"""Reports of events: what they say, that both forms say the same, and that no name can break them."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from functools import lru_cache
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.errors import Usage
from referee.tournament import reports, standings
from referee.tournament.columns import width
from referee.tournament.double_elimination import next_round as next_of_double
from referee.tournament.elimination import next_round as next_of_single
from referee.tournament.picture import BOX, LINE, bracket
from referee.tournament.rounds import Outcome, Pairing, Round
from referee.tournament.views import EventView

from . import views
from .fields import renamed

EVENTS = {
    "swiss of 9": views.a_swiss(9),
    "swiss of 64": views.a_swiss(64, 7),
    "round robin of 4": views.a_round_robin(4),
    "round robin of 16": views.a_round_robin(16),
    "round robin of 20": views.a_round_robin(20),
    "single elimination of 13": views.a_bracket(13, rounds=2),
    "single elimination of 64": views.a_bracket(64),
    "double elimination of 16": views.a_bracket(16, double=True),
    "tables of four": views.tables_of_four(16),
    "groups and finals": views.groups_of_four(),
}
BRACKETS = [name for name in EVENTS if "elimination" in name or "groups" in name]


@lru_cache(maxsize=200)
def page(event: str, name: str, form: reports.Form) -> str:
    """Return a report of one of the events; many tests read the same."""
    return reports.render(EVENTS[event], name, form)


def each() -> list[tuple[str, str]]:
    return [(event, name) for event in EVENTS for name in reports.NAMES if name != "bracket" or event in BRACKETS]


class Words(HTMLParser):
    """Collects the words that a page shows, and its tags."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self.tags: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag not in ("meta", "path", "rect", "use"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag, f"</{tag}> closes something else"

    def handle_data(self, data: str) -> None:
        if not {"style", "svg"} & set(self.open):
            self.words += data.split()


def read(page: str) -> Words:
    found = Words()
    found.feed(page)
    found.close()
    return found


@pytest.mark.parametrize(("event", "name"), each())
def test_text_is_72_columns_of_what_can_be_seen(event: str, name: str) -> None:
    text = page(event, name, "text")
    assert max(map(width, text.splitlines())) <= 72
    assert text.replace("\n", "").isprintable()
    assert text.endswith("(UTC).\n")
    assert "\n\n\n" not in text


@pytest.mark.parametrize(("event", "name"), each())
def test_html_is_one_small_file_without_scripts_or_links_outside(event: str, name: str) -> None:
    made = page(event, name, "html")
    found = read(made)
    assert len(made.encode()) < 90_000
    assert not {"script", "iframe", "img", "link", "object", "form"} & set(found.tags)
    assert not found.open
    assert not re.search(r"(?:src|href)=\"(?!#)|url\(|@import", made)


@pytest.mark.parametrize(("event", "name"), each())
def test_both_forms_tell_of_the_same_players_and_numbers(event: str, name: str) -> None:
    shown = {word.strip(".,:;()[]") for word in read(page(event, name, "html")).words}
    text = {word.strip(".,:;()[]") for word in page(event, name, "text").split()}
    players = set(EVENTS[event].field.players)
    assert players & shown == players & text
    numbers = re.compile(r"[+=-]?[0-9]+(?:\.[0-9]+)?f?")
    assert {word for word in shown if numbers.fullmatch(word)} == {word for word in text if numbers.fullmatch(word)}


def test_the_standing_of_the_swiss_tournament() -> None:
    lines = page("swiss of 9", "standings", "text").splitlines()
    assert lines[0] == "Spring Cup: standing"
    assert lines[4] == "Only matches that are over count: 3 of 5 tables of round 5 are."
    assert lines[6].split() == ["Place", "Player", "Points", "H2H", "BH-C1", "BH", "SB", "Wins"]
    assert "article 16" in " ".join(lines)


def test_matches_that_go_on_leak_nothing() -> None:
    view = EVENTS["swiss of 9"]
    other = view._replace(tables=tuple(row._replace(stop=99, asked=(), until="") for row in view.tables))
    for name in ("standings", "crosstable", "pairings"):
        assert reports.render(view, name, "text") == reports.render(other, name, "text")


def test_the_pairings_of_a_round_say_how_each_table_ended() -> None:
    text = page("swiss of 9", "pairings", "text")
    assert "pairings of round 5" in text
    assert re.search(r"^ +1  alice \(3\) +bob \(3\) +1 : 0 \(ruled\)$", text, re.MULTILINE)
    assert re.search(r"nobody +bye, 1$", text, re.MULTILINE)
    assert " goes on\n" in text
    assert " goes on\n" not in reports.render(EVENTS["swiss of 9"], "pairings", "text", round=1)


def test_a_round_that_is_not_there_is_refused() -> None:
    with pytest.raises(Usage, match=r"The event spring has no round 6\. Rounds 1 to 5 are published\."):
        reports.render(EVENTS["swiss of 9"], "pairings", "text", round=6)


def test_the_draft_is_the_directors_alone() -> None:
    view = EVENTS["swiss of 9"]._replace(draft=(Pairing(1, ("alice", "bob")),), for_director=True)
    text = reports.render(view, "pairings", "text")
    assert "A draft: nobody has been told yet" in text
    assert "FOR THE DIRECTOR ALONE" in text
    assert "pairings of round 6" in text


def test_before_the_first_round_the_pairings_list_who_entered() -> None:
    view = views.view(views.field(3), "swiss", "Swiss system", people=("Alice Example",))
    text = reports.render(view, "pairings", "text")
    assert "Spring Cup: entries" in text
    assert re.search(r"^ +1  alice \(Alice Example\) +plays$", text, re.MULTILINE)
    assert "Nobody has played" in reports.render(view, "crosstable", "text") or "alice" in reports.render(
        view, "crosstable", "text"
    )
    assert "No round has been published yet." in reports.render(view, "progress", "text")
    assert "Spring Cup: standing" in reports.render(view, "standings", "text")


def test_ratings_are_shown_where_there_are_any() -> None:
    view = EVENTS["swiss of 9"]
    assert "Rating" not in page("swiss of 9", "standings", "text")
    rated = view._replace(entrants=tuple(one._replace(rating=1500 + one.number) for one in view.entrants))
    assert re.search(r"^ +1  alice +1501 +4 ", reports.render(rated, "standings", "text"), re.MULTILINE)


def test_the_grid_of_a_round_robin_and_the_rounds_of_others() -> None:
    grid = page("round robin of 4", "crosstable", "text")
    assert re.search(r"^No\. +Player +Points +1 +2 +3 +4$", grid, re.MULTILINE)
    assert len(re.findall(r"\*", grid)) == 4
    swiss, view = page("swiss of 9", "crosstable", "text"), EVENTS["swiss of 9"]
    played = [over for one in view.field.rounds for over in one.outcomes.values() if over.how in ("played", "adjudicated")]
    drawn = sum(len(set(over.places.values())) == 1 for over in played)
    lines = [line for line in swiss.splitlines() if re.match(r" *[0-9]+  [a-z]", line)]
    assert drawn
    assert [sum(line.count(sign) for line in lines) for sign in "=…"] == [2 * drawn, 4]
    assert sum(len(re.findall(r" \+[0-9]+ ", f"{line} ")) for line in lines) == len(played) - drawn
    rounds = page("tables of four", "crosstable", "text")
    assert re.search(r"\b1/4\b", rounds)
    assert "2/4 is the second place of four" in rounds


def test_the_bracket_says_the_same_as_picture_and_as_words() -> None:
    made = page("single elimination of 13", "bracket", "html")
    picture = ET.fromstring(re.search(r"<svg xmlns.*</svg>(?=\n</div>)", made, re.DOTALL)[0])  # type: ignore[index]
    svg = "{http://www.w3.org/2000/svg}"
    titles = [found.text or "" for found in picture.iter(f"{svg}title")]
    assert "Round 1, table 1: alice has a bye" in titles
    assert titles[-1] == "Final, not paired yet"
    assert len(picture.findall(f"{svg}svg")) == 8 + 4 + 2 + 1
    assert len(picture.findall(f"{svg}path")) == 14
    words = page("single elimination of 13", "bracket", "text")
    for title in titles[1:13]:
        assert f"- {title.split(': ')[1]}." in words


def assert_apart(view: EventView) -> None:
    """Demand that all boxes of a bracket are in the picture and none lies upon another."""
    picture = bracket(view)["picture"]
    boxes = [(box["x"], box["y"]) for box in picture["boxes"]]
    for at, (x, y) in enumerate(boxes):
        assert 0 <= x <= picture["width"] - BOX
        assert 0 <= y <= picture["height"] - 2 * LINE
        assert all(x != other_x or abs(y - other_y) > 2 * LINE for other_x, other_y in boxes[at + 1 :])


@pytest.mark.parametrize("event", BRACKETS)
def test_no_box_of_a_bracket_lies_upon_another(event: str) -> None:
    assert_apart(EVENTS[event])


@given(st.integers(2, 17), st.booleans(), st.data())
@settings(max_examples=25, deadline=None)
def test_brackets_in_which_many_do_not_come(count: int, double: bool, data: st.DataObject) -> None:
    of = views.field(count, **({"reset": "yes"} if double else {"third-place": "yes"}))
    following = next_of_double if double else next_of_single
    for _ in range(data.draw(st.integers(1, 9))):
        pairings = following(of)
        if not pairings:
            break
        over = {pairing.table: data.draw(results(pairing)) for pairing in pairings}
        of = of._replace(rounds=(*of.rounds, Round(len(of.rounds) + 1, tuple(pairings), over)))
    view = views.view(of, "double-elimination" if double else "single-elimination", "Elimination")
    assert_apart(view)
    text = reports.render(view, "bracket", "text")
    assert max(map(width, text.splitlines())) <= 72
    places = [row.place for row in standings.table(of, view.scoring, [])]
    assert places[0] == 1


@st.composite
def results(draw: st.DrawFn, pairing: Pairing) -> Outcome:
    """Draw how a table of two ended: a bye, a win, a draw, or one or both not there."""
    if pairing.is_bye:
        return Outcome(pairing.table, {pairing.seats[0]: 1}, how="bye")
    places = dict(zip(pairing.seats, draw(st.sampled_from([(1, 2), (2, 1), (1, 1)])), strict=True))
    absent = draw(st.sampled_from([(), (), (), pairing.seats[:1], pairing.seats[1:], pairing.seats]))
    if len(absent) == 1:
        places = {player: 1 + (player in absent) for player in pairing.seats}
    return Outcome(pairing.table, places, how="forfeit" if absent else "played", absent=absent)


def test_the_end_of_a_double_elimination() -> None:
    text = page("double elimination of 16", "bracket", "text")
    assert "Grand final: " in text
    rows = page("double elimination of 16", "standings", "text")
    assert re.search(r"^ +1  \w+ ", rows, re.MULTILINE)
    assert re.search(r"^ +2  \w+ ", rows, re.MULTILINE)


def test_what_has_no_bracket_says_so() -> None:
    with pytest.raises(Usage, match="The event spring has no bracket"):
        page("swiss of 9", "bracket", "html")
    with pytest.raises(Usage, match="where two play at a table"):
        page("tables of four", "bracket", "html")
    with pytest.raises(Usage, match="There is no report weather of an event"):
        page("swiss of 9", "weather", "text")


def test_progress_lists_what_goes_on_by_its_end() -> None:
    text = page("swiss of 9", "progress", "text")
    assert "Round 5: [##########..........] 2 of 4 matches are over." in text
    assert "spring-5-3: ivan, dave: goes on, stop 12\n    waits for ivan, until Thursday 3 December 2026, 18:00\n" in text


def test_in_an_anonymous_event_nobody_has_a_name() -> None:
    people = [f"Person {number}" for number in range(9)]
    view = views.a_swiss(9, people=people, anonymous=True)
    for name in ("pairings", "standings", "crosstable", "progress"):
        for form in ("text", "html"):
            made = reports.render(view, name, form)  # type: ignore[arg-type]
            assert "Person" not in made
            assert "The event is anonymous" in made


NAMES = st.text(st.characters(codec="utf-8"), max_size=60) | st.sampled_from(views.HOSTILE)


@given(st.lists(NAMES, min_size=16, max_size=16), st.sampled_from(["standings", "pairings"]))
@settings(max_examples=20, deadline=None)
def test_no_persons_name_can_break_a_report(people: list[str], name: str) -> None:
    view = views.view(EVENTS["groups and finals"].field, "groups", "Groups", people=people)
    check(view, name)


@given(st.lists(NAMES.filter(str.strip), min_size=13, max_size=13, unique=True), st.sampled_from(reports.NAMES))
@settings(max_examples=40, deadline=None)
def test_no_seats_name_can_break_a_report(seats: list[str], name: str) -> None:
    of = EVENTS["single elimination of 13"].field
    field = renamed(of, dict(zip(of.players, seats, strict=True)))
    check(views.view(field, "single-elimination", "Elimination", people=seats), name)


def check(view: EventView, name: str) -> None:
    """Hold a report to what every report is held to, whatever the names in it."""
    text, made = reports.render(view, name, "text"), reports.render(view, name, "html")
    assert text.replace("\n", "").isprintable()
    assert max(map(width, text.splitlines())) <= 72
    assert not re.search(r"#\s*(?:referee|end)\b", text, re.IGNORECASE)
    plain = read(page(PLAIN[name], name, "html"))
    found = read(made)
    assert not found.open
    assert set(found.tags) <= set(plain.tags) | {"title"}
    assert "<script" not in made


PLAIN = {
    name: "single elimination of 13" if name in ("bracket", "crosstable", "progress") else "groups and finals"
    for name in reports.NAMES
}
