"""Reports: what stands where, that both forms say the same, and that nothing in a name can break them."""

import json
import random
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.block import read_submission
from referee.components import folder_of
from referee.context import bare_context
from referee.engine import begin, find_game, pending, start, view
from referee.envelope import seal_report, unseal_report
from referee.keys import SigningKey
from referee.layout import COLUMNS, outline, wrap
from referee.match import Match
from referee.orders import submit
from referee.report import Context, blank, render

GAME = find_game("cosmic-league")
FOLDERS = [folder_of(GAME)]
CODE = "K7QF-2M9X-44TD"
HOSTILE = "</td><script>alert(1)</script>\u202e\x07\n#referee m 1 bob X\nend\n#end\u2028" + "x" * 200 + "漢" * 50
INTRO, HIDDEN, ORDERS = "your first report", "your own hidden things", "every order line you may send now"
SECTIONS = [
    "what this is",
    "what must be done",
    "how to answer",
    "what happened since your last report",
    "the board",
    HIDDEN,
    "what all may know of the others",
    ORDERS,
    "standing orders and waiting lines",
    "rules and data in use",
    "how to check this report, the dice and the cards",
]
# The board and the cards stand in tables in the page, and so in other words.
TABULAR = {"the board", HIDDEN, "what all may know of the others"}


@cache
def matches() -> list[tuple[Match, list[dict[str, Any]]]]:
    """A few matches, each at a stop early, in the middle or late, with the last events."""
    return [played(seed, stops) for seed, stops in ((1, 0), (2, 3), (3, 40), (4, 90), (5, 140), (6, 5000))]


def played(seed: int, stops: int) -> tuple[Match, list[dict[str, Any]]]:
    # Random lines change little; without this the matches would end before their late stops.
    m = start(GAME, "cl-7k3q", ["alice", "bob"], bytes([seed]) * 32, {"quiet-turns": 50})
    begin(m, {"alice": "blue moon"})
    picker, events = random.Random(seed), list(m.events)
    while m.stop < stops and (question := pending(m)) is not None:
        seat = question.seats[0]
        lines = [line for row in view(m, seat)["you"] for order in row["orders"] for line in order["lines"]]
        m = submit(m, seat, [picker.choice(lines)]).match
        events = [*events, *m.events][-12:]
    return m, events


def context(m: Match, viewer: str, events: list[dict[str, Any]]) -> Context:
    ready = bare_context(m, viewer, events)
    ready["opened"], ready["fingerprint"], ready["deadline"] = "9f" * 32, "ABCD-EFGH-IJKL-MNOP", "4 December, 20:00 UTC"
    ready["notices"] = ["The moderator holds the seat bob."]
    if viewer:
        ready["code"], ready["holder"] = CODE, 1
    return ready


def contexts() -> Iterator[Context]:
    for m, events in matches():
        for viewer in ("alice", "bob", ""):
            yield context(m, viewer, events)


def middle(viewer: str = "alice") -> Context:
    return context(*[(m, viewer, e) for m, e in matches()][2])


def asked() -> Context:
    """The context of the seat that is asked."""
    m, events = matches()[2]
    return context(m, view(m, "")["asked"][0], events)


class Page(HTMLParser):
    """Reads a page strictly: what is opened is closed, and its text is kept by sections."""

    VOID = frozenset({"meta", "circle", "path", "rect", "stop", "br"})
    SILENT = frozenset({"style", "svg", "title"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.sections: dict[str, list[str]] = {"": []}
        self.at = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.SILENT & set(self.open):
            return
        if "h2" in self.open:
            self.at = data.lower()
            assert self.at not in self.sections
            self.sections[self.at] = []
        else:
            self.sections[self.at] += data.split()


def text_sections(text: str) -> dict[str, list[str]]:
    """Return the words of a text report by sections, without bullets."""
    lines, sections, at = text.splitlines(), {"": []}, ""
    for index, line in enumerate(lines):
        under = lines[index + 1] if index + 1 < len(lines) else ""
        if line and under == "-" * len(line):
            at = line.lower()
            assert at not in sections
            sections[at] = []
        elif not re.fullmatch("-+|=+", line):
            sections[at] += re.sub(r"^ *[-*] ", "", line).split()
    return sections


def headings(sections: dict[str, list[str]]) -> list[str]:
    return [heading for heading in sections if heading]


# The order of a report


def test_the_sections_stand_in_the_order_that_is_promised() -> None:
    ready = asked()
    assert headings(text_sections(render(ready, "text", folders=FOLDERS))) == SECTIONS
    assert headings(Page(render(ready, "html", folders=FOLDERS)).sections) == SECTIONS


def test_a_first_report_begins_with_some_25_lines_for_a_beginner() -> None:
    ready = asked()
    ready["first"] = True
    text = render(ready, "text", folders=FOLDERS)
    assert headings(text_sections(text)) == [INTRO, *SECTIONS]
    intro = text[text.index("YOUR FIRST REPORT") : text.index("WHAT THIS IS")]
    assert 20 <= len(intro.splitlines()) <= 32
    assert all(line in intro for line in ready["example"]["lines"])
    assert ready["goal"].split()[-1] in intro


def test_the_answer_that_a_first_report_calls_harmless_is_offered() -> None:
    for ready in contexts():
        ready["first"] = True
        offered = {line for row in ready["view"].get("you", []) for order in row["orders"] for line in order["lines"]}
        text = render(ready, "text", folders=FOLDERS)
        found = re.search("does no harm:\n    (.*)\n", text)
        assert bool(found) == bool(offered)
        assert found is None or found[1] in offered


# Both forms


def test_text_and_page_say_the_same_in_the_same_words() -> None:
    for ready in contexts():
        ready["first"] = True
        ready["older"] = True
        ready["keyed"] = True
        ready["answer"] = {"by": "moderator", "played": ["roll", "end"]}
        text = text_sections(render(ready, "text", folders=FOLDERS))
        page = Page(render(ready, "html", folders=FOLDERS)).sections
        assert headings(text) == headings(page)
        for heading in set(text) - TABULAR:
            assert text[heading] == page[heading], heading


def test_the_board_and_the_cards_are_the_same_in_text_and_page() -> None:
    for ready in contexts():
        text = text_sections(render(ready, "text", folders=FOLDERS))
        page = Page(render(ready, "html", folders=FOLDERS)).sections
        for heading in TABULAR & set(text):
            said, shown = (" ".join(sections[heading]) for sections in (text, page))
            for words in facts(ready, heading):
                assert words in said
                assert words in shown


def facts(ready: Context, heading: str) -> Iterator[str]:
    table, viewer = ready["view"]["table"], ready["view"]["viewer"]
    if heading == HIDDEN:
        for card in table["captains"][viewer]["hand"]:
            yield card
            yield f"{ready['cards'][card]} [{ready['card_sources'][card]}]"
    for captain in table["captains"].values():
        if heading == "the board":
            yield f"{captain['mg']} Megagalax"
            yield captain["place"] or "no place yet"
            yield ", ".join(captain["technologies"])
            for goods in filter(None, captain["holds"].values()):
                yield f"= {sum(card['mg'] for card in goods)} Megagalax at {goods[0]['to']}"
        elif heading != HIDDEN:
            yield f"{len(captain['hand'])} card"
            yield f"{len(captain['pile'])} in the draw pile; discards: {', '.join(captain['discards']) or 'none'}."


def test_the_picture_shows_every_ship_and_every_card_of_goods() -> None:
    for ready in contexts():
        page = render(ready, "html", folders=FOLDERS)
        picture = page[page.index("<svg") : page.index("</svg>")]
        goods = [card for stack in ready["view"]["table"]["planets"].values() for card in stack]
        drawn = re.findall(r'y="20">([A-Z][23])</text>', picture)
        assert sorted(drawn) == sorted(card["to"][0].upper() + str(card["mg"]) for card in goods)
        placed = [captain["place"] for captain in ready["view"]["table"]["captains"].values() if captain["place"]]
        assert picture.count('font-size="17" fill="#fff">A<') + picture.count('y="6" font-size="17">B<') == 2 + len(placed)
        assert all(place in picture for place in placed)
        assert "<title" in picture
        assert "<desc" in picture


# What a text and a page may hold


def test_a_text_has_72_columns_and_nothing_that_cannot_be_seen() -> None:
    for ready in contexts():
        check_text(render(ready, "text", folders=FOLDERS))


def check_text(text: str) -> None:
    assert text.endswith("\n")
    for line in text[:-1].split("\n"):
        assert line.isprintable()
        assert len(line) <= COLUMNS
        assert line == line.rstrip()


def test_a_page_needs_no_script_and_nothing_from_outside() -> None:
    for ready in contexts():
        text = render(ready, "html", folders=FOLDERS)
        assert text.startswith("<!DOCTYPE html>")
        assert len(text.encode()) < 40_000
        check_page(text)


def check_page(text: str) -> None:
    for tag, attributes in Page(text).tags:
        assert tag not in {"script", "link", "iframe", "object", "embed", "img", "image", "use", "form", "base", "a"}
        for name, value in attributes.items():
            assert name not in {"src", "href", "xlink:href", "srcset", "style"}
            assert not name.startswith("on")
            assert value is None or not re.search(r"url\((?!#)", value)
    assert not re.search(r"@import|url\((?!#)|https?://(?!www\.w3\.org/2000/svg)", text)


def test_a_page_has_a_style_for_paper_and_for_a_phone() -> None:
    text = render(middle(), "html", folders=FOLDERS)
    assert "@page" in text
    assert "@media print" in text
    assert '<meta name="viewport" content="width=device-width' in text


@pytest.mark.parametrize("folders", [FOLDERS, []])
def test_hostile_names_break_neither_form(folders: list[Path]) -> None:
    ready = asked()
    ready["first"] = True
    ready["news"] = [{"kind": "note", "text": HOSTILE}, {"kind": "note", "text": "# End of it"}]
    ready["notices"], ready["deadline"], ready["goal"] = [HOSTILE], HOSTILE, HOSTILE
    ready["option_about"] = dict.fromkeys(ready["option_about"], HOSTILE)
    ready["cards"], ready["view"]["packs"] = dict.fromkeys(ready["cards"], HOSTILE), [HOSTILE]
    ready["answer"] = {"by": "code", "played": [HOSTILE]}
    ready["view"]["kept"], ready["view"]["standing"] = [HOSTILE], [HOSTILE]
    ready["nonces"] = {"alice": HOSTILE}
    me = ready["view"]["viewer"]
    ready["view"]["table"]["captains"][me]["technologies"] = [HOSTILE]
    text, page = (render(ready, form, folders=folders) for form in ("text", "html"))
    for line in text[:-1].split("\n"):
        assert line.isprintable()
        assert len(line) + line.count("漢") <= COLUMNS
    check_page(page)
    assert "\u202e" not in page
    assert read_submission(text.encode()).lines == ()


def test_a_report_quoted_whole_below_an_answer_is_no_order() -> None:
    ready = asked()
    ready["first"] = True
    text = render(ready, "text", folders=FOLDERS)
    empty = read_submission(text.encode())
    m = ready["view"]
    assert (empty.match, empty.stop, empty.seat, empty.code, empty.lines) == (m["match"], m["stop"], m["viewer"], CODE, ())
    answer = f"#referee {m['match']} {m['stop']} {m['viewer']} {CODE}\nroll\n#end\n\n{text}"
    assert read_submission(answer.encode()).lines == ("roll",)


def test_the_block_and_the_two_lines_for_signing_fit_together() -> None:
    ready = asked()
    ready["keyed"] = True
    text = render(ready, "text", folders=FOLDERS)
    signing = re.search("^#opened .*\nholder 1$", text, re.MULTILINE)
    assert signing
    block = re.search("^#referee .*$", text, re.MULTILINE)
    assert block
    found = read_submission(f"{block[0]}\n{signing[0]}\nroll\n#end\n".encode())
    assert (found.opened, found.holder, found.lines) == (ready["opened"], 1, ("roll",))
    ready["keyed"] = False
    assert "#opened" not in render(ready, "text", folders=FOLDERS)


# Readers


def test_an_observer_gets_no_code_no_orders_and_no_hand() -> None:
    text = render(middle(""), "text", folders=FOLDERS)
    assert not {"how to answer", HIDDEN, ORDERS, "standing orders and waiting lines"} & set(text_sections(text))
    assert "#referee" not in text


def test_the_table_s_report_has_a_sheet_a_seat_and_no_codes() -> None:
    ready = middle("")
    ready["sheets"] = [middle("alice"), middle("bob")]
    for form in ("text", "html", "json"):
        text = render(ready, form, folders=FOLDERS)
        assert CODE not in text
        assert "#referee" not in text
    text, page = (render(ready, form, folders=FOLDERS) for form in ("text", "html"))
    check_text(text)
    assert page.count('<section class="sheet">') == 2
    for sheet in text.split("cut here")[1:]:
        seat = re.search("SHEET OF (alice|bob)", sheet)
        assert seat
        hand = middle(seat[1])["view"]["table"]["captains"][seat[1]]["hand"]
        assert all(f"- {card}:" in sheet for card in hand)


def test_the_moderator_s_report_shows_everything_and_says_so() -> None:
    ready = middle("")
    ready["everything"] = {"chance": {"secret": "5a" * 32}, "agenda": [{"do": "clash", "where": "blue"}], "hand": ["x"] * 90}
    text = render(ready, "text", folders=FOLDERS)
    page = render(ready, "html", folders=FOLDERS)
    check_text(text)
    check_page(page)
    for form in (text, page):
        assert "FOR THE MODERATOR ALONE" in form
        assert "5a" * 32 in form
        assert "do: clash" in form


def test_a_finished_match_shows_its_result_and_the_secret() -> None:
    m, events = matches()[-1]
    assert m.over
    text = render(context(m, "alice", events), "text", folders=FOLDERS)
    assert "the match is over" in text
    assert m.secret.hex() in text
    assert re.search("- (alice|bob): place 1, ", text)
    assert "how to answer" not in text_sections(text)


def test_what_a_reader_may_not_know_changes_nothing() -> None:
    m, _ = matches()[3]
    twin = m.copy()
    bob = twin.table.captains["bob"]
    cards = sorted([*bob.hand, *bob.pile])
    bob.hand, bob.pile = cards[: len(bob.hand)], cards[len(bob.hand) :]
    twin.table.captains["alice"].pile.sort()
    for viewer in ("alice", ""):
        for form in ("text", "html", "json"):
            one, other = (render(context(world, viewer, []), form, folders=FOLDERS) for world in (m, twin))
            assert one == other


# JSON, signatures, games without templates


def test_json_is_the_context_itself_in_its_documented_order() -> None:
    ready = asked()
    text = render(ready, "json", folders=FOLDERS)
    assert json.loads(text) == ready
    assert list(json.loads(text)) == [key for key in Context.__annotations__ if key in ready]
    assert text.endswith("}\n")


@pytest.mark.parametrize("form", ["text", "html", "json"])
def test_every_form_can_be_signed(form: str) -> None:
    key = SigningKey.new()
    content = render(asked(), form, folders=FOLDERS).encode()
    assert unseal_report(seal_report(content, key, form), key.public, name="report") == content


def test_a_game_without_templates_has_its_table_printed_as_it_is() -> None:
    ready = middle()
    text, page = (render(ready, form, folders=[]) for form in ("text", "html"))
    check_text(text)
    assert outline(ready["view"]["table"]) in text
    assert "technologies:" in page


def test_a_match_without_a_table_can_be_reported() -> None:
    for viewer in ("observer", "alice"):
        for form in ("text", "html"):
            assert render(blank(viewer), form, folders=FOLDERS)


def test_what_is_held_sealed_or_kept_is_said() -> None:
    ready = asked()
    ready["view"]["held"] = True
    ready["view"]["you"][0]["sealed"] = "fly red"
    ready["view"]["you"][0]["decider"] = "pirate"
    ready["view"]["kept"] = ["roll or end"]
    for form in ("text", "html"):
        words = " ".join(render(ready, form, folders=FOLDERS).split())
        assert "has halted the match" in words
        assert "Your answer is sealed: fly red." in words
        assert "For pirate (begin the line with “pirate:”)" in words
        assert "roll or end" in words


# Wrapping


@given(st.text(max_size=300), st.sampled_from(["", "- ", "    "]))
def test_wrapping_keeps_the_words_and_the_width(text: str, first: str) -> None:
    found = wrap(text, first)
    assert "".join(found[len(first) :].split()) == "".join(text.split())
    for line in found.split("\n"):
        wide = sum(character >= "\u1100" for character in line)
        assert len(line) <= COLUMNS
        assert len(line) + wide <= COLUMNS or not re.search("[가-힣一-鿿]", line)
