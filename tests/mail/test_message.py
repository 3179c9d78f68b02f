"""Messages: headers, parts, charsets, limits, and what must never be answered."""

from __future__ import annotations

import base64
import time

import pytest

from referee.errors import Unreadable
from referee.mail.message import MAX_ATTACHMENTS, MAX_BYTES, MAX_HEADERS, Message, read_message
from referee.mail.plaintext import charset, decode, unflow
from referee.mail.webtext import MAX_HTML, html_text

FILE = b"--b\nContent-Type: image/png\nContent-Disposition: attachment\n\nx\n"


def of(head: str, body: str = "roll\n") -> Message:
    return read_message(f"{head}\n\n{body}".encode())


@pytest.mark.parametrize(
    ("value", "address", "name"),
    [
        ("alice@example.org", "alice@example.org", ""),
        ("Alice <Alice@EXAMPLE.org>", "Alice@example.org", "Alice"),
        ('"Example, Alice" <alice@example.org>', "alice@example.org", "Example, Alice"),
        ("=?utf-8?q?Al=0Aice=E2=80=AE?= <alice@example.org>", "alice@example.org", "Al ice"),
        ("alice@example.org (Alice)", "alice@example.org", "Alice"),
        ("alice@example.org, bob@example.org", "", ""),
        ("Alice <alice>", "", "Alice"),
        ("Alice <al..ice@example.org>", "", "Alice"),
        ("\u00e4lice@example.org", "", ""),
        ("<>", "", ""),
        ("", "", ""),
    ],
)
def test_a_sender_is_one_usable_address(value: str, address: str, name: str) -> None:
    found = of(f"From: {value}")
    assert (found.sender, found.name) == (address, name)


def test_headers_are_one_line_of_plain_characters() -> None:
    found = of("Subject: =?utf-8?b?YQ0KQmNjOiBib2I=?=\n folded\x07\nDate: Mon,\n 30 Nov 2026")
    assert found.subject == "a Bcc: bob folded"
    assert found.date == "Mon, 30 Nov 2026"
    assert len(of("Subject: " + "x" * 3000).subject) == 200


@pytest.mark.parametrize(
    ("head", "ids"),
    [
        ("In-Reply-To: <b@x>\nReferences: <a@x>\n <b@x>", ("b@x", "a@x")),
        ("References: <a@x> <b@x> <c@x>", ("c@x", "b@x", "a@x")),
        ("In-Reply-To: b@x", ("b@x",)),
        ("In-Reply-To: Your message of Monday <b@x>", ("b@x",)),
        ("In-Reply-To: nothing", ()),
        ("References: " + " ".join(f"<{n}@x>" for n in range(500)), tuple(f"{n}@x" for n in range(499, 439, -1))),
    ],
)
def test_what_it_replies_to_the_newest_first(head: str, ids: tuple[str, ...]) -> None:
    assert of(head).replies_to == ids


@pytest.mark.parametrize(
    "head",
    [
        "Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated; x", "Precedence: bulk", "Precedence: list",
        "Precedence: junk", "Precedence: auto_reply", "List-Id: <a.b>", "List-Unsubscribe: <mailto:x@y>", "Return-Path: <>",
        "X-Auto-Response-Suppress: All", "X-Autoreply: yes", "X-Referee: 1", "X-Failed-Recipients: a@b",
        "From: Mailer-Daemon@mx.example.org", "From: postmaster@example.org", "From: no-reply@example.org",
        "Content-Type: multipart/report; boundary=b", "Content-Type: message/delivery-status",
    ],
)  # fmt: skip
def test_a_program_is_never_answered(head: str) -> None:
    assert of(head).automatic.endswith(".")


@pytest.mark.parametrize(
    "head",
    ["Auto-Submitted: no", "Precedence: first-class", "X-Auto-Response-Suppress: None", "Return-Path: <alice@example.org>",
     "From: noreplyson@example.org", "From: alice-bounces-back@example.org"],
)  # fmt: skip
def test_a_person_is_no_program(head: str) -> None:
    assert of(head).automatic == ""


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"x" * (MAX_BYTES + 1), "1024 KB, and 1024 are allowed"),
        (b"A: b\n" * (MAX_HEADERS + 1) + b"\n", "more than 400 headers"),
        (b"A: " + b"b" * 200_000 + b"\n\n", "head of the mail is too long"),
        (
            b"Content-Type: multipart/mixed; boundary=b\n\n" + FILE * 21 + b"--b--",
            "more than 20 attachments",
        ),
        (b"Content-Type: multipart/mixed; boundary=b\n\n" + b"--b\n\nx\n" * 80, "more than 60 parts"),
        (b"Content-Type: text/plain\nContent-Type: text/html\n\nroll", "its parts cannot be told apart"),
        (b"From: alice@example.org\nFrom: bob@example.org\n\nroll", "two headers From"),
    ],
)
def test_each_limit_has_its_sentence(raw: bytes, why: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read_message(raw)
    assert why in caught.value.sentence
    assert caught.value.help


def test_limits_hold_and_no_more() -> None:
    mail = b"Content-Type: multipart/mixed; boundary=b\n\n" + FILE * MAX_ATTACHMENTS + b"--b--"
    assert read_message(mail).notes == ("20 attachments were not read.",)


def test_what_says_base64_and_is_none() -> None:
    head = "Content-Transfer-Encoding: base64"
    assert of(head, "load green\nroll\n").texts == ("load green\nroll\n",)
    footer = base64.b64encode(b"load green\n").decode() + "\n_______\nA list\n"
    assert of(head, footer).texts == ("load green\n",)


def test_html_wins_where_the_plain_text_says_nothing() -> None:
    def alternatives(plain: str, html: str) -> tuple[str, ...]:
        parts = f"--b\n\n{plain}\n--b\nContent-Type: text/html\n\n{html}\n--b--\n"
        return of('Content-Type: multipart/alternative; boundary="b"', parts).texts

    assert alternatives(" \n", "<p>roll</p>") == ("roll",)
    assert alternatives("Use a better program.", "#referee a 1 b<br>#end") == ("#referee a 1 b\n#end",)
    assert alternatives("roll", "<p>end</p>") == ("roll",)
    assert of("Content-Type: text/plain", "<!DOCTYPE html><html><p>roll</p></html>").texts == ("roll",)


@pytest.mark.parametrize("text", ["Gr\u00fcn \u2013 \u201cja\u201d", "\u7dd1\u3078", "\u0437\u0435\u043b\u0451\u043d"])
@pytest.mark.parametrize("label", ["utf-8", "us-ascii", "iso-8859-1", "koi8-r", "x-none", "rot13", "", "\u00fc", "a" * 300])
def test_utf8_is_known_under_every_label_of_one_byte(text: str, label: str) -> None:
    assert decode(text.encode(), label) == text


@pytest.mark.parametrize("name", ["iso-2022-jp", "shift_jis", "euc-jp", "utf-16", "gb18030"])
def test_charsets_of_several_bytes(name: str) -> None:
    text = "\u3053\u3093\u306b\u3061\u306f roll"
    assert decode(text.encode(name), name) == text


def test_damaged_text_is_still_read() -> None:
    assert decode("gr\u00fcn, gr\u00fcn".encode()[:-2], "utf-8") == "gr\u00fcn, gr\ufffd"
    assert decode(b'\x1b$B%"%j%9\x1b(B', "us-ascii") == "\u30a2\u30ea\u30b9"
    assert decode(b"roll\x00", "utf-8") == "roll\ufffd"
    assert decode("load green".encode("utf-16-be")) == "load green"


def test_only_charsets_are_charsets() -> None:
    assert not any(map(charset, ("rot13", "zlib", "idna", "punycode", "unicode_escape", "undefined", "utf-7", "", "\x00")))


def test_flowed_lines() -> None:
    long = "always fly to the nearest harbour that buys ore and sells any "
    assert unflow(f"{long}\nred") == f"{long}red"
    assert unflow(f"{long} \nred", delete_space=True) == f"{long}red"
    assert unflow(f"{long}\n#end") == f"{long}\n#end"
    assert unflow(f"{long}\n> red") == f"{long}\n> red"
    assert unflow(f">> {long}\n>> red\n> x") == f">> {long}red\n> x"
    assert unflow("-- \nAlice") == "-- \nAlice"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("<p>a</p><p>b<br>c</p>", "a\nb\nc"),
        ("<div>- a</div><div>1. b</div><div>+ c</div>", "- a\n1. b\n+ c"),
        ("<h2>end</h2>roll", "end\nroll"),
        ("<head><title>x</title></head><style>#referee</style><!-- y -->roll<![if !vml]><!--[if mso]>z<![endif]-->", "roll"),
        ("a<blockquote>b<br>c<blockquote>d</blockquote></blockquote>e", "a\n> b\n> c\n>> d\ne"),
        ("</blockquote>a<blockquote>b</blockquote>", "> a\n> > b"),
        ("a<block\x00quote>b</blockquote>", "> ab"),
        ("<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul><ol><li>d</ol>", "* a\n* b\n* c\n* d"),
        ("<div>a<br></div><div><br></div><p>&nbsp;</p><pre>\nb\n  c</pre>x<hr>y", f"a\n\n\nb\n  c\nx\n{'_' * 32}\ny"),
        ("<div><blockquote>a</div>b</blockquote><table><tr><td>c<td>d", "> a\n> b\nc d"),
        ("<div><blockquote a='>'>a<div>b</div></div></div>c</blockquote >d", "> a\n> b\n> c\nd"),
        ("<div id='divRplyFwdMsg'>a</div><div class='x gmail_signature'>b", "-----Original Message-----\na\n--\nb"),
        ("<blockquote>" * 60 + "a", f"{'>' * 40} a"),
        ("<code>a</code> <s>b</s><textarea>c</textarea><noscript>d</noscript>", "a bcd"),
        ("\ud800a&#0;&#xd800;b", "?a\ufffd\ufffdb"),
        ("<b>bold</b> <a href='x'>link</a> &amp; x_y *z*", "bold link & x_y *z*"),
        ("<table><tr><td>a</td></tr></table>", "a"),
        ("<", "<"),
        ("", ""),
    ],
)
def test_html_as_text(html: str, text: str) -> None:
    assert html_text(html) == text


@pytest.mark.parametrize(
    "html",
    [
        "<p>" + "".join(f"<b id={number}>" for number in range(6000)) + "x" + "<p>x" * 6000,
        "<div>" * 20_000,
        "<blockquote>" * 20_000,
        "<table><tr><td>" * 6000,
        "<!--" * 20_000,
        "<a" * 20_000,
        "&" * 20_000,
        "<p a='" * 20_000,
        "<ul><li>" * 10_000,
    ],
    ids=lambda html: html[:24],
)
def test_no_html_takes_long_or_makes_much(html: str) -> None:
    begun = time.process_time()
    text = html_text(html)
    assert len(text) < 5 * len(html) + 1000
    assert time.process_time() - begun < 2.0


def test_long_html_is_cut_between_its_tags() -> None:
    text = html_text("<p>roll</p>" + "<p>x</p>" * MAX_HTML)
    assert text.startswith("roll\nx\n")
    assert set(text.split("\n")) == {"roll", "x"}
