"""A mail as bytes: text and HTML, the board as a picture inside, the signed report files beside, headers that thread.

The bytes depend on the mail alone: whoever builds it again, after a crash or for `mail resend`, gets the same ones.
Nothing that a person wrote can add a header: every value is one line before it goes in.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from datetime import datetime
from email.errors import MessageError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import EmailPolicy
from email.utils import format_datetime, parseaddr
from textwrap import wrap
from typing import Any

from referee.errors import Trouble
from referee.fields import dataclass
from referee.mail.answers import plain_header
from referee.mail.outgoing import Outgoing
from referee.mail.page import mail_page
from referee.mail.picture import Picture, pictures, png

OWN_MARK = "X-Referee"
"""The header that marks our own mails, so that none of them is ever answered."""

_SPEC = re.compile(r"([A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64})@([^\W_](?:[\w.-]*[^\W_])?)")
_ID = re.compile(r"[^\s<>@]+@[^\s<>@]+")
_SIGNATURE = re.compile(r"\n\[signature\]\nkey = .*\Z", re.DOTALL)
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_RULE = "=" * 72
_WIDTH = 66  # columns of a line of the subject, behind the word Subject
_OF_IDS = ("message-id", "in-reply-to", "references", "content-id")
_FOLDED_HERE = (*_OF_IDS, "subject")


@dataclass
class Sender:
    """Whom the mails come from.

    Attributes:
        address: the referee's address, to which orders go.
        name: the name beside it.
        contact: the address of a human for questions; "" for none.
    """

    address: str
    name: str = ""
    contact: str = ""


class _Policy(EmailPolicy):
    """Folds a header between its words and never before the first: some servers take that for an empty header."""

    def fold(self, name: str, value: Any) -> str:
        if name.lower() not in _FOLDED_HERE or not str(value).isascii():
            return str(super().fold(name, value))
        width = 1 if name.lower() in _OF_IDS else _WIDTH
        lines = wrap(str(value), width, break_long_words=False, break_on_hyphens=False)
        return f"{name}: {f'{self.linesep} '.join(lines)}{self.linesep}"

    def fold_binary(self, name: str, value: Any) -> bytes:
        return self.fold(name, value).encode()


_POLICY = _Policy(linesep="\r\n", max_line_length=76)


def build(outgoing: Outgoing, sender: Sender, others: Sequence[Outgoing] = ()) -> bytes:
    """Return the bytes of a mail, with CRLF.

    Args:
        outgoing: what is sent, to whom; its report, if it has one, stands below the text and is attached.
        sender: whom it comes from.
        others: mails whose reports are attached as well, for a digest.

    Raises:
        Trouble: the address of the reader or of the sender cannot be used.

    Example:
        >>> mail = Outgoing("k", "bob@example.org", "n1@example.org", "Hi\\nBcc: all", "Dear bob,", "2026-11-30T18:00:00Z")
        >>> for line in build(mail, Sender("referee@example.org", "Referee")).decode().splitlines()[:5]:
        ...     print(line)
        From: Referee <referee@example.org>
        To: bob@example.org
        Subject: Hi Bcc: all
        Date: Mon, 30 Nov 2026 18:00:00 +0000
        Message-ID: <n1@example.org>
    """
    mail = EmailMessage(policy=_POLICY)
    _add_headers(mail, outgoing, sender)
    shown = pictures(_page_of(outgoing))
    mail.set_content(_plain(outgoing), cte="quoted-printable")
    _add_page(mail, outgoing, shown)
    for one in (outgoing, *others):
        _attach(mail, one, shown if one is outgoing else ())
    _fix_boundaries(mail, outgoing.message_id)
    return mail.as_bytes()


# Headers


def _add_headers(mail: EmailMessage, outgoing: Outgoing, sender: Sender) -> None:
    mail["From"] = _address(sender.address, sender.name)
    mail["To"] = _address(outgoing.to)
    if sender.contact and outgoing.what == "notice":
        mail["Reply-To"] = _address(sender.contact)
    mail["Subject"] = plain_header(outgoing.subject)
    mail["Date"] = format_datetime(datetime.fromisoformat(outgoing.date))
    mail["Message-ID"] = _bracketed([outgoing.message_id])
    if replied := _bracketed([outgoing.in_reply_to]):
        mail["In-Reply-To"] = replied
    if thread := _bracketed(outgoing.references.split()):
        mail["References"] = thread
    # RFC 3834, section 5: a direct response says so, and so does all else that no human sends.
    mail["Auto-Submitted"] = "auto-replied" if replied and outgoing.what == "answer" else "auto-generated"
    mail["X-Auto-Response-Suppress"] = "All"
    mail[OWN_MARK] = re.sub(r"[^a-z-]", "", outgoing.what.lower()) or "mail"


def _address(written: str, name: str = "") -> Address:
    """Return an address as a header takes it; a domain in other letters in the form that every server knows."""
    shown, address = parseaddr(plain_header(written))
    try:
        # What is read differently from what was written is a guess, and a hand must not go to a guessed address.
        local, domain = _SPEC.fullmatch(address if address in written else "").groups()  # type: ignore[union-attr]
        return Address(plain_header(name or shown), addr_spec=f"{local}@{domain.encode('idna').decode()}")
    except (AttributeError, ValueError, MessageError) as error:
        said = f"No mail can be sent to the address {plain_header(written)[:80]!a}."
        raise Trouble(said, "Write it as name@example.org, in people.toml or the configuration.") from error


def _bracketed(ids: Sequence[str]) -> str:
    return " ".join(f"<{id}>" for id in ids if _ID.fullmatch(id) and id.isascii() and id.isprintable())


# Parts


def _plain(outgoing: Outgoing) -> str:
    report = _SIGNATURE.sub("", outgoing.report_text.decode())
    text = outgoing.text.rstrip("\n")
    return f"{text}\n\n{_RULE}\n\n{report.strip()}\n" if report else f"{text}\n"


def _page_of(outgoing: Outgoing) -> str:
    return _COMMENT.sub("", outgoing.report_html.decode())


def _add_page(mail: EmailMessage, outgoing: Outgoing, shown: Sequence[Picture]) -> None:
    mark = hashlib.sha256(outgoing.message_id.encode()).hexdigest()[:16]
    ids = [f"board{number}.{mark}@referee" for number in range(1, len(shown) + 1)]
    page = mail_page(plain_header(outgoing.subject), outgoing.text, _page_of(outgoing), shown, ids)
    mail.add_alternative(page, subtype="html", cte="quoted-printable")
    html = list(mail.iter_parts())[-1]
    for picture, id in zip(shown, ids, strict=True):
        name = f"{id.partition('.')[0]}.png"
        html.add_related(png(picture), "image", "png", cid=f"<{id}>", filename=name, disposition="inline")


def _attach(mail: EmailMessage, outgoing: Outgoing, shown: Sequence[Picture]) -> None:
    """Attach the report files in base64: they are signed over their bytes, and no server may touch a line end."""
    name = re.sub(r"[^\w.-]", "_", outgoing.file_name, flags=re.ASCII) or "report"
    files = ((outgoing.report_text, "txt", "plain"), (outgoing.report_html, "html", "html"))
    for data, ending, kind in files:
        if data:
            mail.add_attachment(data, "text", kind, filename=f"{name}.{ending}", params={"charset": "utf-8"})
    for number, picture in enumerate(shown, 1):
        mail.add_attachment(picture.svg.encode(), "image", "svg+xml", filename=f"{name}-board{number}.svg")


def _fix_boundaries(mail: EmailMessage, id: str) -> None:
    """Derive the lines between parts from the Message-Id; those that Python draws would differ each time."""
    for number, part in enumerate(part for part in mail.walk() if part.is_multipart()):
        digest = hashlib.sha256(f"{number} {id}".encode()).hexdigest()[:32]
        part.set_boundary(f"=_{digest}")
