"""Mails as bytes: what a mail program finds in them, and what no name or subject can make of them."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from referee import envelope
from referee.block import read_submission
from referee.errors import Trouble
from referee.fields import replace
from referee.mail import picture
from referee.mail.answers import KINDS, Kind
from referee.mail.compose import OWN_MARK, Sender, build
from referee.mail.outgoing import Outgoing
from referee.mail.page import as_html, mail_page
from tests.mail.sample import ABOUT, SEATS, SENDER, outgoing, page, plain, read, sample
from tests.matches import KEY

BARE = Outgoing("k", "bob@example.org", "n1@example.org", "Hello", "Dear bob,", "2026-11-30T18:00:00Z")
CLIPPED = 102_000  # bytes of HTML at which Gmail cuts a mail
UNKNOWN_TO_MAIL = ("<svg", "<style", "<script", "<form", "<link", "flex", "grid", "rem;", "@media")


# What is in a mail


@pytest.mark.parametrize("game", SEATS)
def test_a_report_goes_out_as_text_page_picture_and_signed_files(game: str) -> None:
    one = sample(game)
    mail = read(build(outgoing(one), SENDER))
    kinds = [part.get_content_type() for part in mail.walk()]
    assert kinds[:5] == ["multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html"]
    count = kinds.count("image/png")
    assert count == kinds.count("image/svg+xml") == one.page.count(b"<svg ") > 0
    assert kinds[5:] == ["image/png"] * count + ["text/plain", "text/html"] + ["image/svg+xml"] * count


@pytest.mark.parametrize("game", SEATS)
def test_the_attached_report_files_verify(game: str) -> None:
    one = sample(game)
    files = {part.get_filename(): part for part in read(build(outgoing(one), SENDER)).iter_attachments()}
    name = f"{one.m.id}-stop-{one.m.stop:04}"
    for ending, data in ((".txt", one.text), (".html", one.page)):
        found = files[name + ending].get_payload(decode=True)
        assert found == data
        envelope.unseal_report(found, KEY.public, name="the report")


@pytest.mark.parametrize("game", SEATS)
def test_the_text_holds_the_answer_and_the_report_without_its_signature(game: str) -> None:
    one = sample(game)
    text = plain(read(build(outgoing(one, "accepted", played=["roll"]), SENDER)))
    assert text.startswith("Played, every line as it is understood:\n\n- roll\n")
    assert one.text.decode().split("\n[signature]")[0] in text
    assert "[signature]" not in text
    assert "not signed" in text
    sent = read_submission(text.encode())
    assert (sent.code, sent.lines) == (one.context["code"], ())


@pytest.mark.parametrize("game", SEATS)
def test_the_page_is_made_for_mail_programs(game: str) -> None:
    html = page(read(build(outgoing(sample(game, 0, first=True)), SENDER)))
    assert len(html.encode()) < CLIPPED
    for word in UNKNOWN_TO_MAIL:
        assert word not in html
    assert re.findall(r'\b(?:src|href|background)="(?!cid:|mailto:)[^"]*"', html) == []
    assert re.search(r'<table class="mail"[^>]*width="600"', html)
    assert re.search(r'<td [^>]*style="[^"]*font', html)


@pytest.mark.parametrize("game", SEATS)
def test_the_page_says_what_the_text_says(game: str) -> None:
    one = sample(game)
    html = page(read(build(outgoing(one), SENDER)))
    shown = " ".join(re.sub(r"<[^>]+>", " ", html).split())
    for row in one.context["view"]["you"]:
        for order in row["orders"]:
            assert all(line in shown for line in order["lines"])
    assert one.context["code"] in shown


@pytest.mark.parametrize("game", SEATS)
def test_every_picture_of_the_page_is_in_the_mail_and_has_words(game: str) -> None:
    mail = read(build(outgoing(sample(game)), SENDER))
    images = re.findall(r"<img [^>]*>", page(mail))
    ids = [part["Content-ID"].strip("<>") for part in mail.walk() if part.get_content_type() == "image/png"]
    assert [re.findall(r'src="cid:([^"]+)"', image)[0] for image in images] == ids
    assert all(re.search(r'alt="[^"]{10,}"', image) for image in images)


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_mail_can_be_built_without_a_report(kind: Kind) -> None:
    mail = read(build(outgoing(sample("cosmic-league"), kind, attached=False), SENDER))
    assert [part.get_content_type() for part in mail.walk()] == ["multipart/alternative", "text/plain", "text/html"]
    assert plain(mail).strip()
    assert "<style" not in page(mail)


def test_a_digest_carries_the_reports_of_all_its_mails() -> None:
    others = [outgoing(sample(game)) for game in ("cosmic-league", "four-planets")]
    names = [part.get_filename() for part in read(build(BARE, SENDER, others)).iter_attachments()]
    assert len([name for name in names if name.endswith(".txt")]) == 2


def test_a_page_of_another_make_is_left_out_and_still_attached() -> None:
    mail = read(build(replace(BARE, report_html=b"no page at all\n", file_name="r"), SENDER))
    assert "Dear bob," in page(mail)
    assert "no page" not in page(mail)
    assert [part.get_filename() for part in mail.iter_attachments()] == ["r.html"]


# Headers


def test_the_headers_thread_and_mark_a_mail() -> None:
    one = sample("cosmic-league")
    sent = outgoing(one)
    mail = read(build(sent, SENDER))
    assert mail["Message-ID"] == f"<{sent.message_id}>"
    assert mail["In-Reply-To"] == f"<{ABOUT.id}>"
    assert mail["References"] == " ".join(f"<{id}>" for id in sent.references.split())
    assert mail["Date"] == "Mon, 30 Nov 2026 18:00:00 +0000"
    assert mail["From"] == "Referee <referee@example.org>"
    assert mail["To"] == f"{one.seat}@example.org"
    assert mail["Auto-Submitted"] == "auto-replied"
    assert mail["X-Auto-Response-Suppress"] == "All"
    assert mail[OWN_MARK] == "answer"


def test_what_answers_nothing_is_generated() -> None:
    mail = read(build(BARE, SENDER))
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["In-Reply-To"] is None
    assert mail["References"] is None


def test_the_same_mail_is_built_of_the_same_bytes() -> None:
    sent = outgoing(sample("cosmic-league"))
    assert build(sent, SENDER) == build(sent, SENDER)


def test_every_line_is_ascii_and_short_and_ends_as_smtp_has_it() -> None:
    data = build(outgoing(sample("kosmiczna-misja"), "accepted", played=["zażółć"]), Sender("r@example.org", "Zażółć"))
    assert data.isascii()
    assert b"\r\n" in data
    assert re.search(rb"(?<!\r)\n|\r(?!\n)", data) is None
    assert max(map(len, data.split(b"\r\n"))) <= 200


def test_no_header_begins_with_an_empty_line() -> None:
    long = replace(BARE, subject="word " * 24, message_id="a" * 90 + "@example.org", references="b@x " * 20)
    head = build(long, SENDER).split(b"\r\n\r\n")[0].decode()
    assert not re.search(r"^[\w-]+: ?$", head, re.MULTILINE)
    assert read(build(long, SENDER))["Subject"] == ("word " * 24).strip()


TEXTS = st.text(st.characters(codec="utf-8"), max_size=200)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(TEXTS, TEXTS, TEXTS, TEXTS, TEXTS)
def test_nothing_that_anybody_wrote_adds_a_header(subject: str, name: str, replied: str, file: str, what: str) -> None:
    known = read(build(replace(BARE, in_reply_to="a@b", references="a@b"), SENDER))
    sent = replace(
        BARE, subject=subject, in_reply_to=replied, references=replied, file_name=file, what=what, report_text=b"x\n"
    )
    mail = read(build(sent, Sender("referee@example.org", name)))
    assert set(mail.keys()) <= {*known.keys(), "Reply-To"}
    assert len(mail.keys()) == len(set(mail.keys()))
    [attached] = mail.iter_attachments()
    assert re.fullmatch(r"[\w.-]+\.txt", attached.get_filename() or "")


INJECTIONS: list[dict[str, Any]] = [
    {"subject": "Hi\r\nBcc: eve@example.net"},
    {"message_id": "n1@example.org>\r\nBcc: <eve@example.net"},
    {"in_reply_to": "x@y>\r\nBcc: eve@example.net\r\nX: <z@y"},
    {"references": "a@b\r\nBcc: eve@example.net"},
    {"file_name": 'a"\r\nBcc: eve@example.net\r\n\r\nboo', "report_text": b"x\n"},
    {"what": "report\r\nBcc: eve@example.net"},
]


@pytest.mark.parametrize("fields", INJECTIONS, ids=lambda fields: next(iter(fields)))
def test_an_injected_header_is_none(fields: dict[str, Any]) -> None:
    mail = read(build(replace(BARE, **fields), Sender("referee@example.org", "Referee\r\nBcc: eve@example.net")))
    for part in mail.walk():
        assert part["Bcc"] is None


@pytest.mark.parametrize(
    "to", ["", "bob", "bob@", "@example.org", "bób@example.org", "a@b@c", "bob@exa mple.org", "x@" + "a" * 70]
)
def test_an_address_that_cannot_be_used_is_named(to: str) -> None:
    with pytest.raises(Trouble, match="No mail can be sent to the address"):
        build(replace(BARE, to=to), SENDER)


def test_an_injected_reader_is_none() -> None:
    try:
        mail = read(build(replace(BARE, to="bob@example.org\r\nBcc: eve@example.net"), SENDER))
    except Trouble:
        return
    assert mail["Bcc"] is None
    assert "eve" not in [address.username for address in mail["To"].addresses]


def test_names_and_domains_in_other_letters_arrive() -> None:
    mail = read(build(replace(BARE, to='"Böb, B." <bob@bücher.example>'), Sender("r@example.org", "Schiedsrichterin Ü")))
    [reader] = mail["To"].addresses
    assert (reader.display_name, reader.addr_spec) == ("Böb, B.", "bob@xn--bcher-kva.example")
    assert mail["From"].addresses[0].display_name == "Schiedsrichterin Ü"


# Pages and pictures


def test_plain_text_as_a_page() -> None:
    html = as_html(
        "Why:\nshort <b>.\n\n* fly {x}\n  away\n* roll\n\n| one\n|\n| two\n\nTitle\n-----\n\nOpen:\nmailto:a@b?x=1&y=2\n"
    )
    assert "Why:<br>\nshort &lt;b&gt;." in html
    assert "<li><b>fly {x}</b><br>away</li>\n<li><b>roll</b></li>" in html
    assert '<p class="quoted">one<br>\n<br>\ntwo</p>' in html
    assert "<h3>Title</h3>" in html
    assert '<a href="mailto:a@b?x=1&amp;y=2">Answer by mail</a>' in html


def test_a_title_cannot_leave_its_element() -> None:
    assert "<b>" not in mail_page("</title><b>x", "y")


def test_a_picture_needs_no_font_and_nothing_else_of_the_machine() -> None:
    [with_text] = picture.pictures(
        '<svg viewBox="0 0 100 40" font-family="Nowhere"><text x="5" y="30">alice ★ ▲ ◆ ✓</text></svg>'
    )
    [without] = picture.pictures('<svg viewBox="0 0 100 40"></svg>')
    assert len(picture.png(with_text)) > 2 * len(picture.png(without))


def test_pictures_of_a_page_lend_each_other_what_they_define() -> None:
    first = '<svg viewBox="0 0 9 9"><defs><g id="dot"><circle cx="4" cy="4" r="4"/></g></defs></svg>'
    second = '<svg viewBox="0 0 9 9"><use href="#dot"/></svg>'
    empty, drawn = picture.pictures(f"<p>{first}{second}</p>")
    assert "<defs>" in drawn.svg
    assert len(picture.png(drawn, 90)) > len(picture.png(empty, 90))


def test_a_very_high_picture_keeps_within_bounds() -> None:
    [high] = picture.pictures('<svg viewBox="0 0 10 1000"><rect width="10" height="1000"/></svg>')
    data = picture.png(high)
    width, height = (int.from_bytes(data[at : at + 4], "big") for at in (16, 20))
    assert width * height <= picture.MOST_PIXELS
    assert height == 100 * width


def test_the_words_of_a_picture() -> None:
    said = picture.pictures('<svg viewBox="0 0 1 1"><title>Board</title><desc>Two &lt;ships&gt;\n here</desc></svg>')
    assert [one.text for one in said] == ["Board. Two <ships> here"]
