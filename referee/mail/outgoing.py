"""A mail on its way out, what takes it, and what became of it."""

from __future__ import annotations

from typing import Protocol

from ..fields import dataclass


@dataclass
class Outgoing:
    """A mail to be sent, before it is built.

    Attributes:
        key: names it for ever, such as `report cl-7k3q 12 alice 17`; a key is sent once.
        to: the address.
        message_id, in_reply_to: without `<` and `>`.
        references: Message-Ids parted by spaces, the oldest first.
        subject, text: what the reader sees.
        date: when it was made (UTC, as `2026-11-30T18:00:00Z`).
        report_text, report_html: signed report files that go along; empty for none.
        file_name: what these are called, without their endings.
        match, seat: whom it is for; "" if it belongs to no match.
        what: `report`, `answer`, `reminder`, `invitation`, `press`, `notice`, ...
        digest: to be held for the reader's one mail of the day.
    """

    key: str
    to: str
    message_id: str
    subject: str
    text: str
    date: str
    in_reply_to: str = ""
    references: str = ""
    report_text: bytes = b""
    report_html: bytes = b""
    file_name: str = ""
    match: str = ""
    seat: str = ""
    what: str = "notice"
    digest: bool = False


class Postponed(Exception):
    """The server does not take this mail now; says why in one line."""


class Rejected(Exception):
    """The server will never take this mail; says why in one line."""


class Unreachable(Exception):
    """No mail can be sent this way now, whichever it is; says why in one line."""


class Carrier(Protocol):
    """What takes mails to their readers; see `referee.mail.carriers`."""

    def deliver(self, to: str, data: bytes, name: str) -> str:
        """Send one mail and return what the server said.

        Args:
            to: the address.
            data: the mail.
            name: the same for the same mail, different for others; what tells its parts by names uses it.

        Raises:
            Postponed, Rejected, Unreachable: it was not sent.
        """

    def close(self) -> None:
        """End the connection, if there is one."""


@dataclass
class Sent:
    """What a round of sending came to.

    Attributes:
        sent, postponed, lost: how many mails.
        trouble: why the round ended early; "" if it did not.
    """

    sent: int = 0
    postponed: int = 0
    lost: int = 0
    trouble: str = ""


@dataclass
class Lost:
    """A mail that will not be tried again: its key, whom it was for, and why."""

    key: str
    to: str
    match: str
    seat: str
    what: str
    reason: str
    at: str


@dataclass
class Status:
    """What is in the outbox.

    Attributes:
        waiting, held, sent, lost: how many mails.
        oldest: when the oldest that waits was made; "" if none does.
        due: when the next is tried; "" if none waits.
        matches: how many wait, by match.
        trouble: why nothing can be sent, "" if something can; since when in `since`.
    """

    waiting: int
    held: int
    sent: int
    lost: int
    oldest: str
    due: str
    matches: dict[str, int]
    trouble: str = ""
    since: str = ""
