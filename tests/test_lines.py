"""Order lines: what is read generously, what strictly, and what a refusal says."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee import engine, lines, reading
from referee.ask import Decision, Offer
from referee.errors import NotNow, Refusal, Refused, Unreadable
from referee.match import Match
from referee.slots import no, number, one_of, some_of
from referee.steps import order
from referee.words import sentence

from .toy import GAME
from .toy.table import boat_of
from .toy.turn import dive, land

SEATS = ["alice", "bob"]


def at_turn(*cards: str, hold: tuple[str, ...] = (), lanterns: int = 3) -> Match:
    """Return a match in which alice is asked for her turn."""
    m = engine.start(GAME, "toy-1", SEATS, bytes(32))
    engine.begin(m, {})
    boat = boat_of(m, "alice")
    boat.cards, boat.hold, boat.lanterns = list(cards), list(hold), lanterns
    m.agenda.append({"do": "take_turn", "who": "alice"})
    m.question = None
    return m


def decision(m: Match, seat: str = "alice") -> Decision:
    question = engine.pending(m)
    assert question is not None
    return question.decisions[seat]


def read(m: Match, text: str) -> dict[str, Any]:
    frame = dict(lines.read(m, decision(m), text))
    assert frame.pop("who") == "alice"
    return frame


def refusal(m: Match, text: str) -> Refusal:
    with pytest.raises(Refusal) as caught:
        lines.read(m, decision(m), text)
    return caught.value


@pytest.mark.parametrize(
    "text",
    ["dive wreck with 2", "DIVE Wreck WITH 2", "  dive to the wreck with 2.", "dive wréck 2", "div wre wit 2", "dive wreck 2"],
)
def test_case_accents_fillers_and_beginnings_do_not_count(text: str) -> None:
    if "wit " in text:
        assert "wit" in refusal(at_turn(), text).sentence
    else:
        assert read(at_turn(), text) == {"do": "dive", "chest": "wreck", "lanterns": 2}


def test_a_default_stands_for_what_is_left_out() -> None:
    assert read(at_turn(), "dive cave")["lanterns"] == 1
    assert read(at_turn("dog"), "land")["cards"] == []
    assert read(at_turn(hold=("ring", "ducat")), "sell")["finds"] == ["ring", "ducat"]


def test_a_slot_with_one_choice_may_be_left_out() -> None:
    assert read(at_turn("dog"), "play") == {"do": "play", "card": "dog"}
    assert "which card" in refusal(at_turn("dog", "mastiff"), "play").sentence


def test_copies_of_one_card_are_never_ambiguous() -> None:
    assert read(at_turn("dog", "dog"), "play do") == {"do": "play", "card": "dog"}
    assert read(at_turn("dog", "gale", "dog"), "land dog, dog")["cards"] == ["dog", "dog"]


def test_a_full_name_means_only_itself() -> None:
    m = at_turn()
    assert read(m, "dive arch")["chest"] == "arch"
    assert read(m, "dive coral")["chest"] == "coral arch"
    del m.table.chests["arch"]
    m.question = None
    assert refusal(m, "dive arch").sentence.endswith("the chest at the arch is opened already")


def test_part_of_a_name_serves_if_no_name_begins_so() -> None:
    m = at_turn("lamp oil", "dog")
    assert read(m, "play oil")["card"] == "lamp oil"


def test_an_ambiguous_beginning_gets_its_candidates() -> None:
    m = at_turn()
    sentence = refusal(m, "dive c").sentence
    assert "“c” may mean coral arch or cave" in sentence


def test_an_unknown_word_gets_the_nearest_known_ones() -> None:
    assert "did you mean wreck?" in refusal(at_turn(), "dive wrexk").sentence
    assert "possible: arch, coral arch, wreck, cave" in refusal(at_turn(), "dive qqq").sentence


def test_a_known_name_that_is_not_offered_gets_the_reason() -> None:
    m = at_turn("squall", "dog")
    assert refusal(m, "play squall").sentence.endswith("squall is called when somebody else dives")
    assert "cannot be chosen now; possible: dog" in refusal(m, "play mastiff").sentence


def test_an_order_that_cannot_be_given_gets_its_reason() -> None:
    error = refusal(at_turn(lanterns=0), "dive cave")
    assert isinstance(error, Refused)
    assert error.sentence.endswith("there is no lantern left")


def test_an_order_that_is_not_asked_for_is_named_with_those_that_are() -> None:
    error = refusal(at_turn("dog"), "decline")
    assert isinstance(error, NotNow)
    assert error.sentence == "“decline” is not asked for now; you may send: dive, peek, play, land"


@pytest.mark.parametrize(("text", "hint"), [("diwe cave", "did you mean dive"), ("xyzzy", "orders begin with")])
def test_what_no_position_understands_is_unreadable(text: str, hint: str) -> None:
    error = refusal(at_turn(), text)
    assert isinstance(error, Unreadable)
    assert hint in error.sentence


@pytest.mark.parametrize("number", ["0", "4", "-1", "two", "1.5", "99999999999999999999", "\N{MINUS SIGN}1"])
def test_numbers_are_whole_and_within_bounds(number: str) -> None:
    assert isinstance(refusal(at_turn(), f"dive cave with {number}"), Refused | Unreadable)


def test_a_bound_depends_on_the_slot_before() -> None:
    assert read(at_turn(), "dive wreck with 3")["lanterns"] == 3
    assert "3 is not possible for lanterns: 1 to 2" in refusal(at_turn(), "dive arch with 3").sentence


def test_several_names_are_brought_into_one_order() -> None:
    m = at_turn("dog", "gale")
    assert read(m, "land gale and dog") == read(m, "land dog, gale") == {"do": "land", "cards": ["dog", "gale"]}
    assert "possible: 0 to 2 of" in refusal(m, "land dog and dog").sentence


def test_too_many_words_are_named() -> None:
    assert "“now” is too much" in refusal(at_turn("dog"), "play dog now").sentence


def test_verbs_may_be_shortened() -> None:
    assert read(at_turn(), "pe cave") == {"do": "peek", "chest": "cave"}


def test_the_canonical_line_is_full() -> None:
    m = at_turn("lamp oil", "dog")
    assert lines.canonical(m, {"do": "land", "who": "alice", "cards": ["lamp oil", "dog"]}) == "land lamp oil and dog"
    assert lines.canonical(m, {"do": "land", "who": "alice", "cards": []}) == "land"
    assert lines.canonical(m, lines.read(m, decision(m), "di wr")) == "dive wreck with 1"


def test_the_menu_shows_examples_where_lines_are_many() -> None:
    rows = {row["pattern"]: row for row in lines.menu(at_turn("dog"), decision(at_turn("dog")))}
    assert rows["peek [into] {chest}"]["lines"][0] == "peek into arch"
    many = rows["dive {chest} with {lanterns}"]
    assert len(many["lines"]) == 6
    assert many["more"]
    assert not rows["peek [into] {chest}"]["more"]


def test_alternatives_are_cut_at_or() -> None:
    assert lines.alternatives("dive arch or dive coral arch OR land") == ["dive arch", "dive coral arch", "land"]
    assert lines.alternatives("or") == []


WORDS = ["dive", "peek", "into", "play", "sell", "land", "with", "and", "or", "the", "arch", "coral", "dog", "c", "1", "ring"]


@given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=6)), max_size=8).map(" ".join))
def test_reading_raises_nothing_but_a_refusal(text: str) -> None:
    m = at_turn("dog", "gale", "dog", hold=("ring",))
    try:
        frame = lines.read(m, decision(m), text)
    except Refusal:
        return
    assert frame in decision(m)
    assert lines.read(m, decision(m), lines.canonical(m, frame)) == frame


@given(st.integers(0, 10**6))
def test_every_line_that_is_sampled_reads_as_its_frame(seed: int) -> None:
    m = at_turn("dog", "gale", "dog", "lamp oil", hold=("ring", "ducat"))
    frame = decision(m).sample(random.Random(seed))
    assert lines.read(m, decision(m), lines.canonical(m, frame)) == frame


def test_names_of_the_same_effect_are_read_as_the_one_that_is_listed() -> None:
    slot = one_of(["clockwise"], same={"counter-clockwise": "clockwise"})
    assert list(slot.values()) == ["clockwise"]
    assert not slot.takes("counter-clockwise")
    for text in ("clockwise", "counter", "clock", "c"):
        assert reading._meant(slot, text, within=True) == ["clockwise"]


def test_a_word_within_a_name_does_not_count_when_the_text_begins_a_known_name() -> None:
    slot = one_of(["counter-clockwise"])
    assert reading._meant(slot, "clock", within=True) == ["counter-clockwise"]
    assert reading._meant(slot, "clock", within=False) == []


def test_a_word_that_does_not_count_names_no_slot() -> None:
    put = order("put {coin} to {bird} {way}", coin="coins", bird="birds", way="ways")(lambda m, who, coin, bird, way: None)
    offer = Offer(None, put, {})
    offer._slots = {"coin": one_of(["penny"]), "bird": one_of(["gull"]), "way": one_of(["left", "right"])}
    names = reading.Names({"coins": ["penny"], "birds": ["gull", "tern"], "ways": ["left", "right"]})
    assert reading.Reader(GAME, names, offer, ["put", "penny", "left"]).fills(1) == [
        {"coin": "penny", "bird": "gull", "way": "left"}
    ]


def test_a_slot_that_must_be_named_is_not_left_out_even_if_it_has_one_choice() -> None:
    nod = order("nod to {bird}", bird="birds")(lambda m, who, bird: None)
    for named, read in ((False, [{"bird": "gull"}]), (True, [])):
        offer = Offer(None, nod, {})
        offer._slots = {"bird": one_of(["gull"], named=named)}
        names = reading.Names({"birds": ["gull", "tern"]})
        assert reading.Reader(GAME, names, offer, ["nod"]).fills(1) == read
        assert reading.Reader(GAME, names, offer, ["nod", "gull"]).fills(1) == [{"bird": "gull"}]


def test_a_slot_that_was_forgotten_is_named_when_a_later_one_follows() -> None:
    @order("pay {finds} to {boats}", finds="finds", boats="boats")
    def pay(m: Match, who: str, finds: str, boats: str) -> None:
        """Pay."""

    pay.offered(lambda m, who: {"finds": one_of(["pearl", "coin"]), "boats": one_of(["ketch", "sloop"])})
    names = {"finds": ["pearl", "coin"], "boats": ["ketch", "sloop"]}
    for text, reason in (("sloop", "it does not say which finds: pearl, coin"), ("sail", "“sail” is unknown")):
        reader = reading.Reader(GAME, reading.Names(names), Offer(None, pay, {"who": "alice"}), ["pay", text])
        assert reader.fills(1) == []
        assert reader.worst is not None
        assert reason in reader.worst.reason


def test_what_stands_behind_the_word_for_a_slot_is_not_read_as_a_later_one() -> None:
    @order("guard {boat} [with {finds}] [if {least}]", boat="boats", finds="finds", least="finds")
    def guard(m: Match, who: str, boat: str, finds: str, least: str) -> None:
        """Guard."""

    free = one_of(["pearl", "coin"], default="")
    guard.offered(lambda m, who: {"boat": one_of(["ketch"]), "finds": free, "least": free})
    names = reading.Names({"finds": ["pearl", "coin"], "boats": ["ketch"]})

    def read(line: str) -> list[dict[str, Any]]:
        return reading.Reader(GAME, names, Offer(None, guard, {"who": "alice"}), line.split()).fills(1)

    assert read("guard ketch with pearl") == [{"boat": "ketch", "finds": "pearl", "least": ""}]
    assert read("guard ketch if pearl") == [{"boat": "ketch", "finds": "", "least": "pearl"}]
    assert read("guard ketch with pearl if coin") == [{"boat": "ketch", "finds": "pearl", "least": "coin"}]
    assert read("guard ketch with") == [{"boat": "ketch", "finds": "", "least": ""}]


def test_a_line_means_the_order_whose_every_word_it_has() -> None:
    @order("sail to {port} via {way}", port="ports", way="ports")
    def sail(m: Match, who: str, port: str, way: str) -> None:
        """Sail."""

    assert lines.has_every_word(sail, ["sail", "cove", "via", "cape"])
    assert not lines.has_every_word(sail, ["sail", "cove"])


def test_a_number_out_of_bounds_is_refused_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    slots = {"chest": one_of(["wreck"]), "lanterns": number(1, 2, refused=no("dark"))}
    monkeypatch.setattr(dive, "offer", lambda m, who: slots)
    reason = sentence(GAME, "reasons", "dark", {})
    assert f"3 is not possible for lanterns: 1 to 2; {reason}" in refusal(at_turn(), "dive wreck with 3").sentence


def test_of_orders_with_one_verb_those_that_the_line_could_be_say_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    @order("dive for {find}", find="finds")
    def dive_for(m: Match, who: str, find: str) -> None: ...

    dive_for.offered(lambda m, who: no("dark"))
    monkeypatch.setitem(GAME.steps, "dive_for", dive_for)
    m = at_turn()
    m.components.memo.clear()
    decided = Decision(m, "alice", "alice", [dive_for, dive])
    with pytest.raises(Refused) as caught:
        lines.read(m, decided, "dive wreck with 9")
    m.components.memo.clear()
    assert "9 is not possible for lanterns" in caught.value.sentence


def test_several_things_may_go_by_other_names(monkeypatch: pytest.MonkeyPatch) -> None:
    m = at_turn()
    first, second = list(m.components["cards"])[:2]
    monkeypatch.setattr(land, "offer", lambda m, **bound: {"cards": some_of([first], same={second: first})})
    assert lines.read(m, Decision(m, "alice", "alice", [land]), f"land {second}")["cards"] == [first]
