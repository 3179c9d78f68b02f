"""Message-Ids: threads that hold together, replies that prove themselves, and nothing that gives a secret away."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.mail.threads import Thread, domain_of, message_id, references, root_id, thread_of
from tests.matches import KEY, OTHER_KEY

ARGUMENTS = ("cl-7k3q", 12, "alice", 1)
ID = message_id(KEY, *ARGUMENTS, "report", "example.org")
NAMES = st.text(string.ascii_lowercase + string.digits + "-_", min_size=1, max_size=20).map(lambda text: f"a{text}")


def test_an_id_says_what_it_is_about() -> None:
    assert thread_of(KEY, ID) == Thread(*ARGUMENTS)


@given(NAMES, st.integers(0, 10**9 - 1), NAMES, st.integers(1, 999), st.text())
def test_every_id_comes_back(match: str, stop: int, seat: str, holder: int, what: str) -> None:
    found = message_id(KEY, match, stop, seat, holder, what, "example.org")
    assert thread_of(KEY, found) == (match, stop, seat, holder)
    assert re.fullmatch(r"[!-;=?-~]{1,200}", found)


def test_what_mail_programs_do_to_an_id_does_no_harm() -> None:
    for changed in (f"<{ID}>", f" <{ID}>\r\n", ID.upper(), ID.replace("example.org", "mx.example.net")):
        assert thread_of(KEY, changed) == Thread(*ARGUMENTS)


def test_an_id_that_anybody_else_made_says_nothing() -> None:
    assert thread_of(OTHER_KEY, ID) is None
    for text in ("", "<>", "abc@example.net", "cl-7k3q.12.alice.1@example.org", ID.split("@")[0], ID + "\x00"):
        assert thread_of(KEY, text) is None


@pytest.mark.parametrize("at", [at for at, character in enumerate(ID.split("@")[0]) if character not in ".-"])
def test_no_character_of_an_id_can_be_changed(at: int) -> None:
    other = "3" if ID[at] != "3" else "4"
    assert thread_of(KEY, ID[:at] + other + ID[at + 1 :]) is None


def test_an_id_with_other_words_for_the_same_numbers_is_not_ours() -> None:
    assert thread_of(KEY, ID.replace(".12.", ".012.")) is None
    assert thread_of(KEY, ID.replace(".1.", ".01.")) is None


def test_mails_of_a_stop_have_ids_of_their_own_that_do_not_say_what_they_are() -> None:
    kinds = ["report", "answer 5f", "reminder", "report 13", "report 14"]
    ids = {message_id(KEY, *ARGUMENTS, kind, "example.org") for kind in kinds}
    assert len(ids) == len(kinds)
    assert not any(kind in id for id in ids for kind in ("report", "answer", "reminder"))


def test_the_same_mail_has_the_same_id() -> None:
    assert message_id(KEY, *ARGUMENTS, "report", "example.org") == ID


def test_a_new_holder_begins_a_new_thread() -> None:
    first, second = (root_id(KEY, "cl-7k3q", "alice", holder, "example.org") for holder in (1, 2))
    assert first != second
    assert thread_of(KEY, second) == Thread("cl-7k3q", 0, "alice", 2)


def test_references_begin_with_the_root_and_name_nothing_twice() -> None:
    assert references("r@x", "a@x", "", "r@x", "b@x", "a@x") == ("r@x", "a@x", "b@x")


@pytest.mark.parametrize(
    ("address", "domain"),
    [
        ("referee@example.org", "example.org"),
        ("Referee <referee@EXAMPLE.org>", "example.org"),
        ("referee", "localhost"),
        ("referee@bad domain", "localhost"),
        ("referee@[127.0.0.1]", "localhost"),
        ("", "localhost"),
    ],
)
def test_the_domain_is_that_of_the_address(address: str, domain: str) -> None:
    assert domain_of(address) == domain
