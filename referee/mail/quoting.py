"""What of a mail its writer wrote, and what was written before by others.

Mail programs quote in three ways: with `>` before each line, below a line such as "On Monday alice wrote:", and below a
little head of From, Sent, To and Subject, each in the language of whoever uses the program. What follows a head
without `>` is quoted to the end of the mail. A line counts as such only if it looks like one in more than one respect:
a paragraph that begins with "On" is the writer's own.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .phrases import DIVIDERS, LABELS, SENT_FROM, STARTS, WROTE, WROTE_JOINED

MAX_HEADER = 4  # lines that the line before a quotation may be wrapped into
MAX_LINES = 5_000  # of a text; far below its writer's words and all that they quote
MAX_WIDTH = 400  # characters of it

_INVISIBLE = "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]"
_QUOTED = re.compile(r"[\s*]*[>\uff1e]")
_COLON = re.compile(r"[:\uff1a]\s*\Z")
_ADDRESS = re.compile(r"[^\s<>()\[\]@]@[^\s<>()\[\]@]{1,200}\.[^\s<>()\[\]@]")
_DATE = re.compile(r"(?:19|20)\d\d|\d{1,2}[:.h]\d\d|\d{1,2}[./-]\d{1,2}[./-]\d\d")
_WROTE = re.compile(rf"(?i)(?:^|[\s,>)\"'])(?:{WROTE})(?=$|[\s:\uff1a,<(])|{WROTE_JOINED}")
_START = re.compile(rf"(?i)(?:{STARTS})(?=[\s,.\d])")
_DIVIDER = re.compile(rf"(?i)[-_=*\s]*(?:{DIVIDERS})\s*[-_=*:]*\s*\Z")
_LABEL = re.compile(rf"(?i)[*\s]*(?:{LABELS})[*\s]*[:\uff1a]")
# Of a mail whose structure is broken: nobody can tell which of its parts are whose.
_RAW_PART = re.compile(r"(?i)content-(?:type|transfer-encoding|disposition)\s*:")
_ANY_LABEL = re.compile(r"[^:\uff1a\d<>#]{1,24}[:\uff1a]")
_RULE = re.compile(r"\s*(?:_{5,}|-{20,}|\*(?: \*){2,})\s*\Z")
_SIGNATURE = re.compile(r"--\s*\Z|—\s*\Z|__+\s*\Z|\*(?: \*){2,}\s*\Z")
_SENT_FROM = re.compile(rf"(?i)[\s\[(]*(?:{SENT_FROM})\Z")


def fresh(text: str) -> str:
    """Return what of a mail's text is its writer's own: no quotations and no lines that announce one.

    What a person wrote between or below quoted lines stays. Everything below an unmarked original goes.

    Args:
        text: the body as plain text, in lines.

    Example:
        >>> print(fresh("load green\\nOn Monday, 30 Nov 2026 at 10:00 Bob <bob@example.org> wrote:\\n> roll\\n\\nOn we go!"))
        load green
        <BLANKLINE>
        On we go!
    """
    return "\n".join(line for own, line in parted(text) if own)


def above(text: str) -> str:
    """Return the writer's own words above the first quotation.

    Example:
        >>> above("load green\\n\\n> roll\\n\\nThanks")
        'load green\\n'
    """
    lines = parted(text)
    end = next((at for at, (own, _) in enumerate(lines) if not own), len(lines))
    return "\n".join(line for _, line in lines[:end])


def opening(text: str) -> tuple[tuple[str, ...], str]:
    """Return the lines above the first quotation up to the first blank line or signature, and what of it follows.

    Lines come without blanks at their ends. A signature, and words such as "Sent from my phone", are nobody's orders.

    Example:
        >>> opening("\\nload green\\nroll\\n\\nSee you!\\n\\nSent from my iPhone")
        (('load green', 'roll'), 'See you!')
    """
    lines = [re.sub(_INVISIBLE, "", line).strip() for line in above(text).split("\n")]
    end = next((at for at, line in enumerate(lines) if is_signature(line)), len(lines))
    kept = "\n".join(lines[:end]).strip("\n")
    first, _, rest = kept.partition("\n\n")
    return tuple(filter(None, first.split("\n"))), rest.strip("\n")


def is_signature(line: str) -> bool:
    """Tell whether a line begins a signature, or is what a telephone puts below a mail.

    Example:
        >>> is_signature("-- "), is_signature("Von meinem iPhone gesendet"), is_signature("sent from green to red")
        (True, True, False)
    """
    return bool(_SIGNATURE.match(line) or _SENT_FROM.match(line))


@lru_cache(maxsize=4)  # a letter asks for the parts of the same texts several times
def parted(text: str) -> tuple[tuple[bool, str], ...]:
    """Return the lines of a text, each with whether its writer wrote it; no more than `MAX_LINES`.

    Example:
        >>> parted("roll\\n> load")
        ((True, 'roll'), (False, '> load'))
    """
    lines = text.split("\n", MAX_LINES)[:MAX_LINES]
    own = [not _QUOTED.match(re.sub(_INVISIBLE, "", line[:80])) for line in lines]
    for at, line in enumerate(lines):
        start = _header_start(lines, own, at, re.sub(_INVISIBLE, "", line[:MAX_WIDTH]).strip()) if own[at] else -1
        if start >= 0:
            below = _first_below(lines, at + 1)
            # With `>` before each line the quotation ends where they end; without, nobody can tell where.
            end = at + 1 if below < len(lines) and not own[below] else len(lines)
            own[start:end] = [False] * (end - start)
            if end == len(lines):
                break
    return tuple(zip(own, lines, strict=True))


def _first_below(lines: list[str], at: int) -> int:
    """Return the number of the first line from there on that is not blank."""
    return next((n for n in range(at, len(lines)) if lines[n].strip()), len(lines))


def _header_start(lines: list[str], own: list[bool], at: int, line: str) -> int:
    """Return the line where the words begin that announce a quotation and end in this line, or -1."""
    if not line:
        return -1
    if _DIVIDER.match(line) or _RAW_PART.match(line) or _is_head(lines, at):
        return at - 1 if at and _RULE.match(lines[at - 1]) else at
    if not _COLON.search(line):
        return -1
    return _attribution(lines, own, at)


def _is_head(lines: list[str], at: int) -> bool:
    """Tell whether a head of From, Sent, To, Subject begins in this line; blank lines may stand between."""
    if not _ANY_LABEL.match(lines[at]):
        return False
    near = [line for line in lines[at : at + 12] if line.strip()][:6]
    if _LABEL.match(near[0]) and sum(map(bool, map(_LABEL.match, near))) >= 3:
        return True
    # A head in a language, or in a spoilt charset, that no list knows has an address and a date all the same.
    return len(near) >= 4 and all(map(_ANY_LABEL.match, near[:4])) and _names_a_mail("\n".join(near[:4]))


def _names_a_mail(head: str) -> bool:
    return _ADDRESS.search(head) is not None and _DATE.search(head) is not None


def _attribution(lines: list[str], own: list[bool], at: int) -> int:
    """Return where a paragraph begins that ends in this line and says who wrote what is quoted below, or -1."""
    below = _first_below(lines, at + 1)
    marked = below < len(lines) and not own[below]
    for start in range(at, max(-1, at - MAX_HEADER), -1):
        if not own[start] or not lines[start].strip():
            return -1
        words = " ".join(lines[start : at + 1])
        if len(words) <= MAX_WIDTH and _announces(words, marked):
            return _whole(lines, own, start)
    return -1


def _announces(words: str, marked: bool) -> bool:
    """Tell whether a paragraph announces a quotation: in two respects, or in one if there is a `>` below it."""
    signs = [_DATE.search(words), _ADDRESS.search(words), _WROTE.search(words)]
    return sum(map(bool, signs)) >= (1 if marked else 2)


def _whole(lines: list[str], own: list[bool], start: int) -> int:
    """Return where the paragraph really begins, if its first lines were wrapped away from the rest."""
    for earlier in range(start - 1, max(-1, start - MAX_HEADER), -1):
        if not own[earlier] or not lines[earlier].strip():
            break
        if _START.match(lines[earlier].strip()) and re.search(r"\d", lines[earlier]):
            return earlier
    return start
