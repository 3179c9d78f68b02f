"""Letters: blocks, moves, dry runs, help, plain replies, and questions where a mail has two meanings."""

from __future__ import annotations

import pytest

from referee.block import MAX_LINE, Submission, sign_move
from referee.keys import SigningKey
from referee.mail.letter import MAX_BLOCKS, Letter, read_letter
from referee.mail.message import Message

from .letters import kind

HEAD = "#referee cl-7k3q 12 alice K7QF-2M9X-44TD"
BLOCK = f"{HEAD}\nload green\nroll\n#end"
MOVE = sign_move(
    Submission("cl-7k3q", 12, "alice", "", ("load green", "roll"), "ab" * 32, 1), SigningKey.from_bytes(bytes(range(32)))
)


def of(*texts: str, moves: tuple[bytes, ...] = (), replies: tuple[str, ...] = ("a@x",)) -> Letter:
    return read_letter(Message(b"", texts=texts, moves=moves, replies_to=replies))


def lines(letter: Letter) -> tuple[str, ...]:
    return letter.submission.lines if letter.submission else letter.lines


@pytest.mark.parametrize(
    "around", ["{}", "Hi!\n\n{}\n\nBye\n-- \nAlice", "roll\n{}", "-- \nAlice\n{}", "\n> x\n\n{}\n> y", "On we go:\n{}"]
)
def test_all_outside_a_block_is_ignored(around: str) -> None:
    letter = of(around.format(BLOCK))
    assert (kind(letter), lines(letter)) == ("block", ("load green", "roll"))
    assert letter.lines == ()


@pytest.mark.parametrize("word", ["check", "Check.", "CHECK!", " check: "])
def test_check_is_a_dry_run(word: str) -> None:
    assert (kind(of(f"{HEAD}\n{word}\nroll\n#end")), lines(of(f"{HEAD}\n{word}\nroll\n#end"))) == ("check", ("roll",))
    assert (kind(of(f"{word}\nroll")), lines(of(f"{word}\nroll"))) == ("check", ("roll",))
    assert kind(of(f"{HEAD}\n{word}\n#end")) == "check"


@pytest.mark.parametrize("text", ["help", "Help.\n\nSent from my iPhone", f"{HEAD}\nhelp\n#end", "- HELP!\n> x"])
def test_help(text: str) -> None:
    assert kind(of(text)) == "help"


@pytest.mark.parametrize("text", ["help me", "checked", f"{HEAD}\nroll\ncheck\n#end"])
def test_the_words_count_only_alone_and_first(text: str) -> None:
    assert of(text).asks == ""


def test_a_signed_move_stays_as_it_was_signed() -> None:
    assert kind(of("", moves=(MOVE,))) == "move"
    assert kind(of(BLOCK, moves=(MOVE,))) == "move"
    assert kind(of(BLOCK.replace("green", "red"), moves=(MOVE,))) == "question"
    assert "64 hex" not in of("", moves=(MOVE[:-9],)).trouble
    assert kind(of("", moves=(MOVE[:-9],))) == "trouble"


def test_two_meanings_are_a_question() -> None:
    other = BLOCK.replace("green", "red")
    assert kind(of(BLOCK, other)) == kind(of(f"{BLOCK}\n{other}")) == "question"
    assert kind(of(BLOCK, BLOCK)) == kind(of(f"{BLOCK}\n\n{BLOCK}")) == "block"
    assert kind(of(f"{BLOCK}\n{BLOCK.replace('12', '11')}")) == "question"
    assert kind(of(f"{HEAD}\n#end\n{BLOCK}")) == "block"
    quoted = other.replace("\n", "\n> ")
    assert kind(of(f"{BLOCK}\n\n> {quoted}")) == "block"


@pytest.mark.parametrize(
    ("text", "trouble"),
    [
        ("", "There are no orders in the mail."),
        (" \n\u00a0\n", "There are no orders in the mail."),
        (f"{HEAD}\nroll", "The block that begins in line 1 is not closed"),
        (f"Hi\n\n{HEAD}\nroll\n{BLOCK}", "The block that begins in line 3 is not closed"),
        (f"{HEAD}\n#end", "has no line in it"),
        ("#referee cl-7k3q\nroll\n#end", "not the words it needs"),
        ("> x\n\nroll", "No orders stand above the quotation"),
        (f"> {HEAD}\n> roll\n> #end", "stands in the quoted part"),
        ("x" * (MAX_LINE + 1), "more than 200 characters"),
        ("ro\x07ll", "control characters"),
        ("gr\ufffdn", "lost on the way"),
        ("\n".join(f"#referee a {n} b\nroll\n#end" for n in range(MAX_BLOCKS + 1)), "more than 20 blocks"),
    ],
)
def test_each_trouble_has_its_sentence(text: str, trouble: str) -> None:
    letter = of(text)
    assert trouble in letter.trouble
    assert letter.help.endswith(".")
    assert (lines(letter), letter.asks) == ((), "")


def test_an_empty_block_names_its_seat() -> None:
    letter = of(f"{HEAD}\n\n#end", replies=())
    assert letter.submission is not None
    assert (letter.submission.seat, letter.submission.lines) == ("alice", ())


def test_lines_above_an_empty_block_count_in_a_reply_alone() -> None:
    text = f"roll\n\n{HEAD}\n\n#end"
    assert (of(text).lines, of(text).submission, of(text).trouble) == (("roll",), None, "")
    assert kind(of(text, replies=())) == "trouble"


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Load green.", "Load green"),
        ("load green\u2026", "load green"),
        ("- load green", "load green"),
        ("\u2022 load green", "load green"),
        ("1. load green;", "load green"),
        ("\u201cload\u201d \u2014 green!", '"load" - green'),
        ("say to bob: Hello.", "say to bob: Hello."),
        ("add -1 to red", "add -1 to red"),
        ("3", "3"),
        ("later:", "later:"),
    ],
)
def test_autocorrection_is_undone(typed: str, read: str) -> None:
    assert of(typed).lines == (read,)


def test_a_plain_reply_ends_at_the_first_blank_line() -> None:
    letter = of("\n\nload green\n\u200broll\n\u00a0\nsee you\n\n> x")
    assert (letter.lines, letter.rest) == (("load green", "roll"), "see you")


def test_what_is_left_unread_is_told() -> None:
    letter = read_letter(Message(b"", notes=("It is encrypted.",)))
    assert letter.trouble == "There are no orders in the mail. It is encrypted."
