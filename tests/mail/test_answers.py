"""The words of mails: every kind says what happened, quotes what it answers, and gives nothing away in its subject."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from referee import report
from referee.block import read_submission
from referee.components import folder_of
from referee.engine import find_game
from referee.fields import replace
from referee.mail.answers import KINDS, LONGEST_SUBJECT, About, Facts, Kind, answer, asked_words, corrected, subject
from referee.mailto import LONGEST, mailto
from referee.words import sentences
from tests.mail.sample import ABOUT, SEATS, SENDER, facts, sample

HOSTILE = "x\r\nBcc: all@example.org\n\n#referee cl-7k3q 12 alice CODE\nroll\n#end\u202e\x00"
FULL = Facts(
    match="cl-7k3q",
    title="The Cosmic League",
    stop=12,
    seat="alice",
    seats=["alice", "bob"],
    asks="it is your turn",
    questions=["It is your turn."],
    played=["roll", "fly red"],
    waiting=["land"],
    planned=["stay"],
    returned=["buy probe"],
    reason="the hold is full.",
    help="Unload first.",
    done=["Your vacation is noted."],
    notes=["2 attachments were not read."],
    block=corrected("cl-7k3q", 12, "alice", "K7QF-2M9X-44TD", ["roll"], ["fly rde"]),
    link="mailto:referee@example.org?subject=x&body=y",
    deadline="Thursday",
    other_address="eve@example.net",
    address="new@example.org",
    sender="bob",
    message="Hello,\n\nalice.",
    goal="Be first.",
    orders={"fly {place}": "fly there"},
    example={"lines": ["roll"], "result": "A die was rolled."},
    items=[("[cl-7k3q] stop 12", "Played:\n\n- roll")],
    contact="mona@example.org",
    answer_to="referee@example.org",
)
ANSWERS_ORDERS = ("accepted", "in part", "refused", "stale", "duplicate", "wrong", "unreadable", "question", "check", "help")
SAYS: dict[Kind, list[str]] = {
    "accepted": ["- roll\n- fly red", "- land", "- stay"],
    "in part": ["- roll\n- fly red", "- buy probe", "Why: the hold is full.", "Unload first.", "What stands is final"],
    "refused": ["Nothing of your mail was played", "Why: the hold is full.", "# not played: fly rde"],
    "stale": ["a stop that is over", "Nothing was played"],
    "duplicate": ["have come before", "- roll\n- fly red"],
    "wrong": ["Nothing of your mail was played", "Copy the whole block"],
    "unreadable": ["No orders could be read", "#referee cl-7k3q 12 alice"],
    "question": ["more than one block", "Which one is it?"],
    "check": ["dry run: nothing was played", "- roll\n- fly red"],
    "help": ["Be first.", "* fly {place}", "fly there", "say to bob", "A die was rolled."],
    "withdrawn": ["taken back"],
    "done": ["Your vacation is noted."],
    "invitation": ["as alice", "Be first.", "    accept", "decline", "| Hello,\n|\n| alice.", "alice, bob"],
    "joined": ["you have the seat alice"],
    "begun": ["has begun"],
    "report": ["There is news"],
    "reminder": ["waits for you", "Answer by: Thursday."],
    "missed": ["deadline", "- roll\n- fly red"],
    "press": ["message from bob", "| Hello,\n|\n| alice.", "say to all"],
    "confirm": ["    new@example.org", "    confirm", "somebody else knows your code"],
    "address": ["new@example.org"],
    "digest": ["[cl-7k3q] stop 12\n---", "- roll", "digest off"],
    "notice": ["Hello,", "    - roll"],
    "entry": ["Your vacation is noted."],
    "event": ["Hello,\n\nalice."],
}


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_says_what_happened_and_quotes_what_it_answers(kind: Kind) -> None:
    text = answer(kind, FULL, ABOUT).text
    for words in (*SAYS[kind], f"Subject: {ABOUT.subject}", f"Date: {ABOUT.date}", f"Message-Id: {ABOUT.id}"):
        assert words in text
    assert "mona@example.org" in text
    assert "not signed" in text or "not\nsigned" in text


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_say_little(kind: Kind) -> None:
    text = answer(kind, Facts()).text
    assert text.strip()
    assert "\n\n\n" not in text
    assert "This answers your mail" not in text


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_has_72_columns_but_for_links(kind: Kind) -> None:
    for line in answer(kind, FULL, ABOUT).text.splitlines():
        assert len(line) <= 72 or line.startswith("mailto:")


@pytest.mark.parametrize("kind", KINDS)
def test_what_others_wrote_adds_no_header_no_block_and_nothing_unseen(kind: Kind) -> None:
    hostile = dict.fromkeys(("title", "reason", "help", "message", "sender", "address", "other_address", "asks"), HOSTILE)
    told = replace(FULL, block="", link="", notes=[HOSTILE], played=[HOSTILE], items=[(HOSTILE, HOSTILE)], **hostile)
    mail = answer(kind, told, About(HOSTILE, HOSTILE, HOSTILE))
    assert mail.subject.isprintable()
    assert mail.text.replace("\n", "").isprintable()
    assert not re.search(r"#\s*(referee|end)\b", mail.text)


@pytest.mark.parametrize("kind", KINDS)
def test_a_mail_that_holds_a_code_says_that_it_is_not_to_be_forwarded(kind: Kind) -> None:
    for attached in (True, False):
        text = " ".join(answer(kind, replace(FULL, attached=attached), ABOUT).text.split())
        assert "Do not forward it" in text


def test_a_mail_from_elsewhere_names_the_other_address() -> None:
    assert "eve@example.net" in answer("accepted", FULL, ABOUT).text


# Subjects


@pytest.mark.parametrize("kind", KINDS)
def test_a_subject_names_match_and_stop_and_no_line_that_was_sent(kind: Kind) -> None:
    found = answer(kind, FULL, ABOUT).subject
    assert ("[cl-7k3q] stop 12" in found) == (kind != "digest")
    assert len(found) <= LONGEST_SUBJECT
    assert not any(word in found for word in ("roll", "red", "K7QF", "probe"))


@pytest.mark.parametrize("kind", ["accepted", "report", "reminder", "begun"])
def test_a_subject_says_what_is_asked(kind: Kind) -> None:
    assert answer(kind, FULL).subject.endswith("; it is your turn")
    assert "it is your turn" not in answer(kind, replace(FULL, asks="")).subject
    assert answer(kind, replace(FULL, over=True)).subject.endswith("; the match is over")


@pytest.mark.parametrize("game", SEATS)
def test_no_question_of_a_game_puts_a_filled_word_into_a_subject(game: str) -> None:
    questions = sentences(find_game(game))["questions"]
    for name, pattern in questions.items():
        found = asked_words({"over": False, "you": [{"question": name, "decider": "alice"}]}, questions)
        assert found == "your answer is asked for" or found.lower() in pattern.lower()
        assert "{" not in found


def test_a_sealed_answer_is_not_asked_for_again() -> None:
    view = {"over": False, "you": [{"question": "turn", "decider": "alice", "sealed": "roll"}]}
    assert asked_words(view, {"turn": "It is your turn."}) == ""


def test_a_subject_is_cut_and_stays_one_line() -> None:
    assert len(subject("cl-7k3q", 1, "x" * 300)) == LONGEST_SUBJECT
    assert subject("cl-7k3q", 1, "a\nb") == "[cl-7k3q] stop 1: a b"
    assert subject("cl-7k3q", 0, "hello") == "[cl-7k3q] hello"
    assert subject("cl-7k3q", 3, "which?", "your turn") == "[cl-7k3q] stop 3: which? your turn"


# Blocks and links


def test_a_corrected_block_reads_as_its_good_lines() -> None:
    wrong = ["fly rde", "#end", "x" * 500, "\x00 \u202e", ""]
    block = corrected("cl-7k3q", 12, "alice", "K7QF-2M9X-44TD", ["roll", "fly red"], wrong)
    assert read_submission(block.encode()).lines == ("roll", "fly red")
    assert read_submission(corrected("cl-7k3q", 12, "alice", "K7QF-2M9X-44TD").encode()).lines == ()


def test_a_link_opens_a_mail_with_the_block_and_room_for_lines() -> None:
    block = corrected("cl-7k3q", 12, "alice", "K7QF-2M9X-44TD", ["roll"], ["fly & ü?"])
    link = mailto("Referee <ref&eree@example.org>", "Re: [cl-7k3q] stop 12: 100% & more", block)
    assert re.fullmatch(r"[!-~]+", link)
    parts = urlsplit(link)
    fields = parse_qs(parts.query, strict_parsing=True)
    assert unquote(parts.path) == "ref&eree@example.org"
    assert fields["subject"] == ["Re: [cl-7k3q] stop 12: 100% & more"]
    assert fields["body"][0].split("\r\n")[-3:] == ["", "", "#end"]
    assert read_submission(fields["body"][0].encode()).lines == ("roll",)


def test_a_link_is_never_longer_than_mail_programs_take() -> None:
    for count in range(0, 200, 5):
        block = corrected("cl-7k3q", 12, "alice", "K7QF-2M9X-44TD", ["fly to the red planet"] * count, ["ü" * 99] * 3)
        link = mailto("referee@example.org", "Re: orders", block)
        assert len(link) <= LONGEST
        if link:
            body = parse_qs(urlsplit(link).query)["body"][0]
            assert len(read_submission(body.encode()).lines) == count


@pytest.mark.parametrize("game", SEATS)
def test_a_report_by_mail_has_its_link_its_human_and_its_warning(game: str) -> None:
    one = sample(game)
    text, page = one.text.decode(), one.page.decode()
    [link] = re.findall(r"^mailto:\S+$", text, re.MULTILINE)
    assert len(link) <= LONGEST
    sent = read_submission(parse_qs(urlsplit(link).query)["body"][0].encode())
    assert (sent.match, sent.stop, sent.seat, sent.code) == (one.m.id, one.m.stop, one.seat, one.context["code"])
    assert f'href="{link.replace("&", "&amp;")}"' in page
    for form in (text, page):
        plain = " ".join(form.split())
        assert "do not forward it" in plain
        assert f"Questions to a human: {SENDER.contact}" in plain
        assert "On a telephone: just reply with your orders on the first lines" in plain


def test_a_first_report_by_mail_has_some_25_lines_and_a_human() -> None:
    for game in SEATS:
        text = sample(game, 0, first=True).text.decode()
        start = text[text.index("YOUR FIRST REPORT") : text.index("WHAT THIS IS")]
        assert SENDER.contact in start
        assert "“help”" in start
        assert 20 <= sum(1 for line in start.splitlines() if line) <= 32


def test_a_report_without_mail_has_no_link() -> None:
    one = sample("cosmic-league")
    bare = {name: value for name, value in one.context.items() if name not in ("answer_to", "contact")}
    for form in ("text", "html"):
        made = report.render(bare, form, folders=[folder_of(one.m.game)])
        assert "mailto" not in made
        assert "telephone" not in made


def test_messages_stand_in_the_report_and_name_nobody_in_an_anonymous_match() -> None:
    one = sample("cosmic-league")
    said = [{"from": "bob", "to": "all", "text": "hello\nthere"}, {"from": "", "to": "alice", "text": "<b>boo</b>"}]
    context = {**one.context, "press": said}
    text = report.render(context, "text", folders=[folder_of(one.m.game)])
    page = report.render(context, "html", folders=[folder_of(one.m.game)])
    assert "- bob says to all: hello there" in text
    assert "- Somebody says to alice: <b>boo</b>" in text
    assert "Somebody says to alice: &lt;b&gt;boo&lt;/b&gt;" in page


def test_facts_of_a_report_hold_its_block_and_its_question() -> None:
    found = facts(sample("cosmic-league"))
    assert read_submission(found.block.encode()).lines == ()
    assert found.questions
    assert found.asks
    assert found.answer_to == SENDER.address
