"""Mails spoilt on purpose: bytes changed, headers lost and doubled, encodings mislabelled, parts nested and cut.

    python -m tests.mail.fuzz [MAILS] [SEED]

Each mail is a fixture after some mutations, all drawn from one seed. What must hold: nothing is raised but Unreadable; an
order that stands only in a quotation is never read; and while the words of the body are untouched, no line is read that
its writer did not write.
"""

from __future__ import annotations

import random
import re
import sys
import time
from collections.abc import Callable

from referee.errors import Unreadable
from referee.mail.letter import Letter, read_letter
from referee.mail.message import read_message

from .letters import NAMES, raw, read, wanted

Mutation = Callable[[random.Random, bytes], bytes]
QUOTED = "jettison"
"""The first word of the orders that stand in quotations alone; in the midst of a line it makes no order."""
LABELS = (b"utf-8", b"us-ascii", b"iso-8859-1", b"windows-1252", b"koi8-r", b"x-none", b"", b"rot13", b"idna", b"\xff")
BOMBS = (
    b"\x00", b"\r", b"\x1b$B", b"=?utf-8?B?/////w==?=", b"\xff\xfe", b"\xed\xa0\x80", b"=\n", b"<![", b"<!--", b"&#0;", b"--",
    b"=?x?q?", b"\xe2\x80\xae", b"\n\n", b"(", b'"', b"<", b";" * 9, b"'*''", b"filename*0*=x''%", b"> ", b"charset=\"\x00\"",
)  # fmt: skip
HEADERS = (
    b"From: (((((((((", b'From: "a" <b@c', b"From: a@b, c@d", b"Subject: =?utf-8?q?=00=0A?=", b"Subject: \xff\xfe", b"Date: ",
    b"Message-ID: <<<>>>", b"References: " + b"<a@b> " * 400, b"In-Reply-To: =?utf-8?q?<a@b>?=",
    b"Content-Type: multipart/mixed",
    b"Content-Type: text/plain; charset*0*=''x; charset*1=", b"Content-Transfer-Encoding: x-uuencode", b"Content-Type: ;;;",
    b"Content-Disposition: attachment; filename*=%%%", b"Content-Type: message/rfc822",
    b"X: " + b"x" * 5000, b"Precedence: \xe9",
)  # fmt: skip


def flip(chance: random.Random, mail: bytes) -> bytes:
    """Change some bytes to others."""
    data = bytearray(mail)
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data)


def insert(chance: random.Random, mail: bytes) -> bytes:
    """Put something awkward somewhere."""
    at = chance.randrange(len(mail))
    return mail[:at] + chance.choice(BOMBS) * chance.choice((1, 1, 3)) + mail[at:]


def delete(chance: random.Random, mail: bytes) -> bytes:
    """Take out a few bytes."""
    at = chance.randrange(len(mail))
    return mail[:at] + mail[at + chance.randint(1, 12) :]


def truncate(chance: random.Random, mail: bytes) -> bytes:
    """Lose the end, as a broken connection does."""
    return mail[: chance.randint(1, len(mail))]


def double(chance: random.Random, mail: bytes) -> bytes:
    """Write a stretch of lines twice."""
    lines = mail.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join([*lines[: at + 3], *lines[at:]])


def relabel(chance: random.Random, mail: bytes) -> bytes:
    """Name another charset."""
    return re.sub(rb'(?i)charset="?[\w-]+"?', lambda _: b'charset="%s"' % chance.choice(LABELS), mail)


def recode(chance: random.Random, mail: bytes) -> bytes:
    """Name another transfer encoding."""
    name = chance.choice((b"base64", b"quoted-printable", b"7bit", b"x-uuencode", b"binary", b"none"))
    return re.sub(rb"(?i)(content-transfer-encoding:).*", rb"\1 " + name, mail)


def behead(chance: random.Random, mail: bytes) -> bytes:
    """Lose a header."""
    lines = mail.split(b"\n")
    end = max(1, next((at for at, line in enumerate(lines) if not line.strip()), len(lines)))
    del lines[chance.randrange(end)]
    return b"\n".join(lines)


def crown(chance: random.Random, mail: bytes) -> bytes:
    """Add a strange header at the top."""
    return chance.choice(HEADERS) + b"\n" + mail


def mark(chance: random.Random, mail: bytes) -> bytes:
    """Add a harmless header at the top."""
    header = chance.choice((b"X-Spam: no", b"Received: from a by b", b"X-Name: =?utf-8?q?=C3=A9?=", b"X-Raw: \xff"))
    return header + b"\n" + mail


def wrap(chance: random.Random, mail: bytes) -> bytes:
    """Put the mail into parts within parts."""
    return b'Content-Type: multipart/mixed; boundary="w%d"\n\n--w\n' % chance.randint(0, 9) * chance.choice((1, 5, 30)) + mail


def quote(chance: random.Random, mail: bytes) -> bytes:
    """Put `>` before every line of the body, if it is a text and nothing else."""
    if b"text/html" in mail or b"multipart" in mail or b"base64" in mail:
        return mail
    head, end, body = mail.partition(b"\n\n")
    return head + end + b"\n".join(b"> " + line for line in body.split(b"\n"))


def ends(chance: random.Random, mail: bytes) -> bytes:
    """Give all lines other ends."""
    return mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def footer(chance: random.Random, mail: bytes) -> bytes:
    """Let a list server or a virus scanner add some words at the end."""
    return mail + b"\n-- \nScanned by nobody\n_______\nWinter mailing list\n"


GENTLE: tuple[Mutation, ...] = (mark, ends, footer, relabel)
"""Mutations that leave the words of a body alone, as far as they are ASCII."""
ROUGH: tuple[Mutation, ...] = (*GENTLE, flip, insert, delete, truncate, double, recode, behead, crown, wrap, quote)


def mutate(chance: random.Random, mail: bytes, gently: bool) -> bytes:
    """Return a mail after one to four mutations."""
    for _ in range(chance.randint(1, 4)):
        mail = chance.choice(GENTLE if gently else ROUGH)(chance, mail) or b"\n"
    return mail


def letter_of(mail: bytes) -> Letter | None:
    """Return what is read in a mail, None if it is unreadable as a whole."""
    try:
        return read_letter(read_message(mail))
    except Unreadable:
        return None


def faults(name: str, letter: Letter | None, gently: bool) -> list[str]:
    """Return the lines that must not have been read in a mutation of a fixture."""
    if letter is None:
        return []
    want = wanted(name)
    lines = read(letter)
    stolen = [line for line in lines if line.startswith(QUOTED) and QUOTED in want.get("quoted", [])]
    own = {*want["lines"], *want.get("legal", [])}
    return stolen + ([line for line in lines if line not in own] if gently and all(map(str.isascii, own)) else [])


def run(mails: int, seed: int) -> float:
    """Mutate and read that many mails; return the seconds that the slowest one took. Raises AssertionError."""
    chance, slowest = random.Random(seed), 0.0
    for number in range(mails):
        name, gently = NAMES[number % len(NAMES)], chance.random() < 0.3
        mail = mutate(chance, raw(name), gently)
        began = time.process_time()
        letter = letter_of(mail)
        slowest = max(slowest, time.process_time() - began)
        assert not faults(name, letter, gently), (name, seed, number, faults(name, letter, gently), mail)
    return slowest


if __name__ == "__main__":
    mails, seed = [*map(int, sys.argv[1:3]), 10_000, 1][:2] if len(sys.argv) != 2 else (int(sys.argv[1]), 1)
    print(f"{mails} mails read; the slowest took {run(mails, seed):.3f} seconds.")
