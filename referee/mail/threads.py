"""Message-Ids: one thread for each match and seat, and the proof that a reply is a reply to us.

A reply without a block of orders names its match, stop and seat only by the Message-Id that it replies to. So an id
carries them together with a seal that nobody can make without the referee's key. No id holds a turn code, and none the
number of a save: both ids of a stop at which somebody has sealed an answer are alike.
"""

from __future__ import annotations

import hmac
import re
from typing import NamedTuple

from referee.keys import SigningKey

_PURPOSE = "message id"
_BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
_WHICH_BITS = 40  # tells apart the mails of a stop
_SEAL_BITS = 80
_ID = re.compile(
    r"([a-z0-9][a-z0-9_-]{0,39})\.([0-9]{1,9})\.([a-z][a-z0-9_-]{0,23})\.([0-9]{1,9})\.([a-z2-7]{8})\.([a-z2-7]{16})"
    r"@[a-z0-9.:\[\]_-]{1,255}"
)


class Thread(NamedTuple):
    """What a Message-Id of ours says: the match, the stop, the seat, and the number of the holder it was sent to."""

    match: str
    stop: int
    seat: str
    holder: int


def message_id(key: SigningKey, match: str, stop: int, seat: str, holder: int, what: str, domain: str) -> str:
    """Return the Message-Id of one mail, without angle brackets; the same arguments give the same id.

    Args:
        key: the referee's key.
        match, stop, seat: what the mail is about; stop 0 for an invitation.
        holder: the number of the seat's holder, from 1.
        what: what tells the mail from others about the same stop, such as its key in the outbox; it cannot be read
            from the id.
        domain: what stands behind the @, such as the host of the referee's address.

    Example:
        >>> key = SigningKey.from_bytes(bytes(range(32)))
        >>> message_id(key, "cl-7k3q", 12, "alice", 1, "report", "example.org")
        'cl-7k3q.12.alice.1.v2tpyesk.pl3osb7paywkj6c3@example.org'
    """
    named = f"{match}.{stop}.{seat}.{holder}"
    open_part = f"{named}.{_sealed(key, 'which', f'{named} {what}', _WHICH_BITS)}"
    return f"{open_part}.{_sealed(key, 'seal', open_part, _SEAL_BITS)}@{domain}"


def thread_of(key: SigningKey, id: str) -> Thread | None:
    """Return what a Message-Id says, if it is one that this key made; None for every other.

    Args:
        key: the referee's key.
        id: a Message-Id as a reply names it; angle brackets, capitals and another domain do no harm.

    Example:
        >>> key = SigningKey.from_bytes(bytes(range(32)))
        >>> thread_of(key, "<cl-7k3q.12.alice.1.v2tpyesk.pl3osb7paywkj6c3@example.org>")
        Thread(match='cl-7k3q', stop=12, seat='alice', holder=1)
        >>> thread_of(key, "cl-7k3q.13.alice.1.v2tpyesk.pl3osb7paywkj6c3@example.org") is None
        True
    """
    found = _ID.fullmatch(id.strip(" \t\r\n<>").lower())
    if found is None:
        return None
    match, stop, seat, holder, which, seal = found.groups()
    # Compared with the words as they came: a stop written 012 is none of ours.
    made = _sealed(key, "seal", f"{match}.{stop}.{seat}.{holder}.{which}", _SEAL_BITS)
    return Thread(match, int(stop), seat, int(holder)) if hmac.compare_digest(made, seal) else None


def root_id(key: SigningKey, match: str, seat: str, holder: int, domain: str) -> str:
    """Return the id that all mails of a match to one holder of a seat refer to; an invitation has it as its own.

    Example:
        >>> key = SigningKey.from_bytes(bytes(range(32)))
        >>> thread_of(key, root_id(key, "cl-7k3q", "alice", 1, "example.org"))
        Thread(match='cl-7k3q', stop=0, seat='alice', holder=1)
    """
    return message_id(key, match, 0, seat, holder, "root", domain)


def references(root: str, *before: str) -> tuple[str, ...]:
    """Return what the header References of a mail names: the root of its thread, then what it answers.

    Args:
        root: the id from `root_id`.
        before: the mail that is answered and what came before it, the oldest first; "" is left out.

    Example:
        >>> references("root@example.org", "", "root@example.org", "reply@example.net")
        ('root@example.org', 'reply@example.net')
    """
    return tuple(dict.fromkeys(filter(None, (root, *before))))


def domain_of(address: str) -> str:
    """Return what stands behind the @ of an address in lower case; `localhost` if nothing usable does.

    Example:
        >>> domain_of("Referee <referee@Example.org>"), domain_of("referee")
        ('example.org', 'localhost')
    """
    domain = address.rpartition("@")[2].strip(" >").lower() if "@" in address else ""
    return domain if re.fullmatch(r"[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?", domain) else "localhost"


def _sealed(key: SigningKey, part: str, text: str, bits: int) -> str:
    digest = hmac.digest(key.derive(_PURPOSE), f"{part} {text}".encode(), "sha256")
    number = int.from_bytes(digest, "big") >> (len(digest) * 8 - bits)
    return "".join(_BASE32[number >> shift & 31] for shift in range(bits - 5, -1, -5))
