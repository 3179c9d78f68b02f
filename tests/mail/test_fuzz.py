"""Ten thousand spoilt mails: no traceback, nothing slow, and no order played that only a quotation holds."""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from .fuzz import faults, letter_of, run
from .letters import raw

EACH = 500
PLAIN, HTML = b"From: a@example.org\n\n", b"From: a@example.org\nContent-Type: text/html\n\n"
HEAVY: dict[str, Callable[[], bytes]] = {
    "colons": lambda: PLAIN + b":\n" * 300_000,
    "labels": lambda: PLAIN + b"x: \n" * 200_000,
    "one line": lambda: PLAIN + b"a@a" * 300_000,
    "blocks": lambda: PLAIN + b"#referee a 1 b\n#end\n" * 45_000,
    "lists": lambda: HTML + b"<ul><li>" * 120_000,
    "comments": lambda: HTML + b"<!--" * 250_000,
    "brackets": lambda: HTML + b"<" * 1_000_000,
    "quotations": lambda: HTML + b"<blockquote>x" * 60_000,
    "parts": lambda: b'Content-Type: multipart/mixed; boundary="b"\n\n' + b"--b\n\n" * 200_000,
    "headers": lambda: b"a: b\n" * 200_000 + b"\n",
    "remarks": lambda: b"From: " + b"(" * 900_000 + b"\n\n",
    "nested": lambda: b"".join(b'Content-Type: multipart/mixed; boundary="%d"\n\n--%d\n' % (n, n) for n in range(3000)),
    "messages": lambda: b"Content-Type: message/rfc822\n\n" * 30_000,
    "ends": lambda: b"\r" * 1_000_000,
    "zeros": lambda: b"\0" * 1_000_000,
    "nothing": lambda: b"",
}


@pytest.mark.parametrize("seed", range(20))
def test_spoilt_mails_are_read_rightly_or_not_at_all(seed: int) -> None:
    assert run(EACH, seed) < 5.0


@pytest.mark.parametrize("name", HEAVY)
def test_no_mail_takes_long(name: str) -> None:
    mail = HEAVY[name]()[: 1024 * 1024]
    began = time.process_time()
    letter_of(mail)
    assert time.process_time() - began < 10.0


def test_noise_is_read_as_nothing() -> None:
    chance = random.Random(7)
    for size in (1, 10, 1000, 100_000):
        letter = letter_of(chance.randbytes(size))
        assert letter is None or letter.submission is None


def test_a_reader_that_played_quotations_would_be_caught() -> None:
    name = "gmail-web-en-block"
    played = letter_of(
        raw(name).replace(b"> ", b"").replace(b"load green\nroll\nfly red or fly red orbit\nend", b"jettison ore")
    )
    assert faults(name, played, gently=False) == ["jettison ore"]
