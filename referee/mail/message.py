"""A message as bytes becomes what was written in it, and whether a program or a person sent it.

Nothing here touches a disk or a network, and nothing is believed. The structure is read by the standard library's
parser under its `compat32` policy: the newer ones read each header into an object while they parse, and of hostile
headers some of those never come into being. Every limit is checked before the work that it limits.
"""

from __future__ import annotations

import email
import re
from base64 import b64decode
from email import policy
from email.errors import HeaderParseError
from email.header import decode_header
from email.message import Message as Part
from email.utils import collapse_rfc2231_value, getaddresses
from itertools import takewhile

from referee.errors import Unreadable
from referee.fields import dataclass, field

from .plaintext import decode, unflow
from .webtext import html_text

MAX_BYTES = 1024 * 1024  # of a whole message
MAX_HEADERS = 400
MAX_HEAD = 128 * 1024  # bytes of all headers
MAX_VALUE = 4000  # characters of one header
MAX_DEPTH = 12  # parts within parts
MAX_PARTS = 60
MAX_RULES = 2000  # lines that may be boundaries between parts, and may be rules of dashes
MAX_ATTACHMENTS = 20
MAX_TEXT = 256 * 1024  # bytes of one text; what a mail quotes stands below what it says, so the rest may go
MAX_IDS = 60  # Message-Ids of a header: the newest of a long thread

_AGAIN = "Send the block from your report in a plain text mail without attachments."
_ADDRESS = re.compile(r"[!#$%&'*+/=?^_`{|}~.\w-]{1,64}@[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])", re.IGNORECASE | re.ASCII)
_ID = re.compile(r"[!-;=?-~]{1,250}")
_IN_BRACKETS = re.compile(r"<\s*([!-;=?-~]{1,250})\s*>")
_NESTED = re.compile(rb"(?i)content-type:\s*[\"']?(?:multipart|message)/")
# Also behind a mark or blanks that a mail program has put before it: then its reader says so.
_MOVE_START = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,9}# referee move ")
_SILENT = frozenset(
    {"application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature", "text/calendar",
     "application/pgp-encrypted", "text/x-amp-html", "text/watch-html", "text/rfc822-headers", "application/pgp-keys"}
)  # fmt: skip
"""Parts that hold nothing that a person wrote to the referee, so that nothing need be said about them."""
_MEDIA = frozenset({"application", "audio", "font", "image", "message", "model", "multipart", "video"})
_HTML = re.compile(r"(?i)\s{0,99}<(?:!doctype html|html|head|body)\b")  # whatever its label says
_PART_HEAD = re.compile(r"(?im)^content-[a-z-]+:")
_BASE64 = re.compile(rb"[A-Za-z0-9+/]+={0,2}")
_TEXT_FILE = re.compile(r"(?i)\.(?:txt|text|md|toml|asc|move|eml)\Z")


@dataclass
class Message:
    """What a message says, without what a mail program wrapped around it.

    raw: the bytes as they came. id: the Message-Id without angle brackets, "" if it has none. sender: the address in
    From, "" if there is none, or several, or none that can be answered. name: the sender's name as shown.
    subject, date: as written, in one line of plain characters. replies_to: the Message-Ids that it replies to, without
    angle brackets: In-Reply-To, then References, the newest first. automatic: why it must never be answered, ""
    if a person seems to have sent it. texts: the body as one text, then each attached text. moves: attached signed move
    files, as bytes. notes: what was left unread, in sentences.
    """

    raw: bytes
    id: str = ""
    sender: str = ""
    name: str = ""
    subject: str = ""
    date: str = ""
    replies_to: tuple[str, ...] = ()
    automatic: str = ""
    texts: tuple[str, ...] = ("",)
    moves: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()


def read_message(raw: bytes) -> Message:
    """Return what a message says. Raises Unreadable if it is beyond a limit, and nothing else.

    Args:
        raw: the message with its headers, with any line ends. Source of the form: RFC 5322 and RFC 2045.

    Example:
        >>> found = read_message(b"From: Alice <alice@example.org>\\nMessage-Id: <1@example.org>\\n\\nload green\\n")
        >>> found.sender, found.id, found.texts, found.automatic
        ('alice@example.org', '1@example.org', ('load green\\n',), '')
    """
    _check_size(raw)
    try:
        root = email.message_from_bytes(raw, policy=policy.compat32)
        return _message(raw, root)
    except Unreadable:
        raise
    except Exception as error:
        # Hostile bytes make the parser of the standard library raise whatever its helpers raise; none of it may pass.
        raise Unreadable("The mail is not built as mails are built, and cannot be read.", _AGAIN) from error


def _check_size(raw: bytes) -> None:
    if len(raw) > MAX_BYTES:
        raise Unreadable(f"The mail has {len(raw) // 1024} KB, and {MAX_BYTES // 1024} are allowed.", _AGAIN)
    head = re.search(rb"\r?\n\r?\n|\r\r", raw[:MAX_HEAD])
    if (not head and len(raw) > MAX_HEAD) or raw.count(b"\n", 0, head.end() if head else MAX_HEAD) > MAX_HEADERS * 4:
        raise Unreadable("The head of the mail is too long.", _AGAIN)
    # The parser calls itself for each part in a part, before anybody can count them.
    nested = len(_NESTED.findall(raw))
    if nested > MAX_PARTS or (nested and raw.count(b"\n--") > MAX_RULES):
        raise Unreadable(f"The mail has more than {MAX_PARTS} parts.", _AGAIN)


def _message(raw: bytes, root: Part) -> Message:
    if len(root) > MAX_HEADERS:
        raise Unreadable(f"The mail has more than {MAX_HEADERS} headers.", _AGAIN)
    if twice := next((name for name in ("From", "Date", "Subject") if len(root.get_all(name, [])) > 1), ""):
        # Two mails that ran into one: what looks like the writer's words may be somebody else's.
        raise Unreadable(f"The mail is damaged: it has two headers {twice}.", _AGAIN)
    parts = Parts()
    parts.read(root, 0)
    sender, name = _sender(root)
    return Message(
        raw=raw,
        id=_own_id(root),
        sender=sender,
        name=name,
        subject=_shown(_value(root, "Subject"), 200),
        date=_shown(_value(root, "Date"), 80),
        replies_to=_replies_to(root),
        automatic=automatic(root, sender),
        texts=("\n".join(parts.bodies), *parts.attached),
        moves=tuple(parts.moves),
        notes=tuple(parts.notes()),
    )


def _value(part: Part, name: str) -> str:
    """Return a header as it stands in the bytes, in one line; of several the first."""
    value = next((str(value) for key, value in part.raw_items() if key.lower() == name.lower()), "")
    # The parser keeps bytes that are no ASCII as halves of surrogates.
    return " ".join(decode(value[:MAX_VALUE].encode("utf-8", "surrogateescape")).split())


def _shown(value: str, length: int) -> str:
    """Return a header as a person reads it: encoded words decoded, no control characters, no longer than that."""
    try:
        words = [(word if isinstance(word, str) else decode(word, label or "")) for word, label in decode_header(value)]
    except (HeaderParseError, ValueError, LookupError):
        words = [value]
    text = " ".join("".join(words).split())
    return "".join(c for c in text if c.isprintable())[:length].strip()


def _sender(root: Part) -> tuple[str, str]:
    """Return address and name of the sender; two of them are none, since nobody could say who is meant."""
    found = [pair for pair in getaddresses([_value(root, "From")]) if pair[1]]
    if len(found) != 1:
        return "", ""
    local, _, domain = found[0][1].rpartition("@")
    address = f"{local}@{domain.lower()}"
    usable = _ADDRESS.fullmatch(address) and ".." not in address
    return (address if usable else ""), _shown(found[0][0], 80)


def _own_id(root: Part) -> str:
    value = _value(root, "Message-Id")
    found = _IN_BRACKETS.search(value) or _ID.fullmatch(value.strip("<> "))
    return (found[1] if found.re is _IN_BRACKETS else found[0]) if found else ""


def _replies_to(root: Part) -> tuple[str, ...]:
    answered = _value(root, "In-Reply-To")
    first = _IN_BRACKETS.findall(answered) or [word for word in answered.split() if "@" in word and _ID.fullmatch(word)]
    thread = _IN_BRACKETS.findall(_tail(root, "References"))
    return tuple(dict.fromkeys([*first[:MAX_IDS], *reversed(thread[-MAX_IDS:])]))


def _tail(root: Part, name: str) -> str:
    # A long thread has long References, and the mail that is answered stands at their end.
    value = str(root.get(name, ""))[-MAX_VALUE * 2 :]
    return " ".join(value.encode("ascii", "replace").decode().split())


def automatic(root: Part, sender: str) -> str:
    """Return why a message must never be answered, "" if nothing in its headers says so. Source: RFC 3834.

    Args:
        root: the message, parsed. sender: its address in From, or "".

    Example:
        >>> automatic(email.message_from_bytes(b"Auto-Submitted: auto-replied\\n\\nAway."), "bob@example.org")
        'A program sent it (Auto-Submitted: auto-replied).'
    """
    if root.get("X-Referee") is not None:
        return "A referee sent it (X-Referee)."
    for name, harmless in _MARKS.items():
        value = _shown(_value(root, name), 60)
        if root.get(name) is not None and not re.match(harmless, value, re.IGNORECASE):
            return f"A program sent it ({name}: {value})."
    if re.match(r"(?i)(bulk|list|junk|auto)", _value(root, "Precedence")):
        return f"A program sent it (Precedence: {_shown(_value(root, 'Precedence'), 60)})."
    if root.get("Return-Path") is not None and re.fullmatch(r"(?:<\s*>)?", _value(root, "Return-Path")):
        return "It has no sender to answer (Return-Path: <>)."
    if re.match(r"(?i)(mailer-daemon|postmaster|no-?reply|do-?not-?reply|bounces?)\b[^@]*@", sender):
        return f"A program sent it (From: {sender})."
    if root.get_content_type() in ("multipart/report", "message/delivery-status", "message/disposition-notification"):
        return "It is a report about the delivery of another mail."
    return ""


_MARKS = {
    # Headers that programs set, and the values with which they say nothing.
    "Auto-Submitted": r"no\b",
    "X-Auto-Response-Suppress": r"none\b",
    "X-Autoreply": r"no\b",
    "X-Autorespond": r"no\b",
    "X-Failed-Recipients": r"\Z",
    "List-Id": r"\Z",
    "List-Post": r"\Z",
    "List-Unsubscribe": r"\Z",
}


@dataclass
class Parts:
    """What has been found in the parts of a message so far."""

    bodies: list[str] = field(default_factory=list)
    attached: list[str] = field(default_factory=list)
    moves: list[bytes] = field(default_factory=list)
    seen: int = 0
    files: int = 0
    left: int = 0
    remarks: list[str] = field(default_factory=list)

    def read(self, part: Part, depth: int) -> None:
        """Take what a part holds, and what the parts in it hold. Raises Unreadable beyond a limit."""
        self.seen += 1
        if depth > MAX_DEPTH or self.seen > MAX_PARTS:
            raise Unreadable(f"The mail has more than {MAX_PARTS} parts, or parts too deep within each other.", _AGAIN)
        if len(part.get_all("Content-Type", [])) > 1 or _PART_HEAD.search(str(part.preamble or "")):
            # Part of a mail that lost a piece on its way: what is left may be somebody else's words.
            raise Unreadable("The mail is damaged: its parts cannot be told apart.", _AGAIN)
        payload = part.get_payload()
        if part.get_content_maintype() == "message" or (isinstance(payload, list) and not part.is_multipart()):
            self._leave()
        elif isinstance(payload, list):
            for inner in _wanted(part, [one for one in payload if isinstance(one, Part)]):
                self.read(inner, depth + 1)
            if part.get_content_subtype() == "encrypted":
                self.remarks.append("It is encrypted, and the referee has no key for that.")
        else:
            self._leaf(part)

    def _leave(self) -> None:
        self.files += 1
        self.left += 1
        self._check_files()

    def _check_files(self) -> None:
        if self.files > MAX_ATTACHMENTS:
            raise Unreadable(f"The mail has more than {MAX_ATTACHMENTS} attachments.", _AGAIN)

    def _leaf(self, part: Part) -> None:
        kind = part.get_content_type()
        name = _file_name(part)
        # A part without a name, of a type that nobody knows, is text that lost its label; what follows it may quote.
        inline = not name and not _is_attached(part) and part.get_content_maintype() not in _MEDIA
        if kind not in _SILENT and inline:
            self.bodies.append(_text(part))
        elif kind not in _SILENT:
            self._file(part, kind, name)

    def _file(self, part: Part, kind: str, name: str) -> None:
        """Take an attached file: a signed move, a text, or something to leave alone."""
        self.files += 1
        self._check_files()
        data = _bytes(part)
        if _MOVE_START.match(data):
            self.moves.append(data.replace(b"\r\n", b"\n"))  # a mail has its own line ends, a move has plain ones
        elif kind == "text/plain" or (kind == "application/octet-stream" and _TEXT_FILE.search(name)):
            self.attached.append(_text(part))
        elif kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            self.remarks.append("It is encrypted, or signed in a form that hides its text.")
        elif kind in ("application/ms-tnef", "application/vnd.ms-tnef"):
            self.remarks.append("Outlook packed a part of it into winmail.dat, which was not read.")
        else:
            self.left += 1

    def notes(self) -> list[str]:
        """Return in sentences what was left unread."""
        if not self.left:
            return self.remarks
        many = "1 attachment was" if self.left == 1 else f"{self.left} attachments were"
        return [*self.remarks, f"{many} not read."]


def _wanted(part: Part, parts: list[Part]) -> list[Part]:
    """Return those of the parts in a part that are to be read, in order."""
    kind = part.get_content_subtype()
    if kind in ("signed", "report"):
        return parts[:1]  # then follow the signature, or what a program says to programs
    return [_chosen(parts)] if kind == "alternative" and parts else parts


def _chosen(parts: list[Part]) -> Part:
    """Return the alternative to read: plain text, unless only the HTML holds what was written."""
    plain = [one for one in parts if one.get_content_type() == "text/plain"]
    rich = [one for one in parts if one not in plain and one.get_content_type() != "text/calendar"]
    if not plain or not rich:
        return (plain or rich or parts)[0]
    text = _text(plain[0])
    if not text.strip():
        return rich[-1]
    whole = b"#referee" in _bytes(rich[-1]).lower() and "#referee" not in text.lower()
    return rich[-1] if whole and rich[-1].get_content_type() == "text/html" else plain[0]


def _text(part: Part) -> str:
    text = decode(_bytes(part)[:MAX_TEXT], str(part.get_content_charset() or ""))
    text = re.sub("\r\n?|\x85|\u2028|\u2029", "\n", text)
    if part.get_content_subtype() == "html" or _HTML.match(text):
        return html_text(text)
    if _parameter(part, "format").lower() == "flowed":
        return unflow(text, _parameter(part, "delsp").lower() == "yes")
    return text


def _bytes(part: Part) -> bytes:
    """Return the bytes of a part without their transfer encoding."""
    if str(part.get("Content-Transfer-Encoding", "")).strip().lower() != "base64":
        payload = part.get_payload(decode=True)
        return payload if isinstance(payload, bytes) else b""
    del part["Content-Transfer-Encoding"]
    written = _bytes(part)
    # List servers add their words in plain below, and some programs say base64 and write something else.
    lines = list(takewhile(_BASE64.fullmatch, filter(None, map(bytes.strip, written.splitlines()))))
    encoded = b"".join(lines)
    part["Content-Transfer-Encoding"] = "base64"
    return b64decode(encoded[: len(encoded) - (len(encoded) % 4 == 1)] + b"==") if lines else written


def _parameter(part: Part, name: str, header: str = "Content-Type") -> str:
    value = part.get_param(name, "", header)
    return collapse_rfc2231_value(value) if isinstance(value, (str, tuple)) else ""


def _file_name(part: Part) -> str:
    return _parameter(part, "filename", "Content-Disposition") or _parameter(part, "name")


def _is_attached(part: Part) -> bool:
    return part.get_content_disposition() == "attachment"
