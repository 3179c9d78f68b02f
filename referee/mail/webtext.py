"""HTML mail as text: one line for each line that the writer saw, and `>` before what is quoted.

The converter is html2text. What it makes is Markdown, so what Markdown would add is switched off or taken out again; and
it is told where mail programs mark a quotation in their own way.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import Any

MAX_HTML = 256 * 1024
"""Characters of HTML that are read; a mail's own words stand at its top, and below them is what it quotes."""
MAX_MARKS = 20_000
"""Tags and entities that are read, each of which costs the parser its time."""
MAX_DEPTH = 40
"""Quotations in quotations that are told apart."""
ORIGINAL = "-----Original Message-----"
"""What is put before a quotation that only the HTML marks."""

# Where programs keep the mail that is answered, by id or class: Outlook, Yahoo, Thunderbird (forwarding), Zimbra, Zoho.
_CONTAINERS = re.compile(
    r"(?i)\b(?:divRplyFwdMsg|appendonsend|ms-outlook-mobile-reference-message|mail-editor-reference-message-container"
    r"|yahoo_quoted\w*|moz-forward-container|protonmail_quote|zmail_extra|__QUOTED_TEXT__|OLK_SRC_BODY_SECTION)\b"
)
_SIGNATURES = re.compile(r"(?i)\b(?:gmail_signature|moz-signature|ms-outlook-mobile-signature|tutanota_signature)\b")
# A heading would get a # before it, and such lines mean something here; lists in lists are moved in without end.
_PLAINER = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol"})
_ESCAPES = re.compile(r"(?m)^([> ]*\d{0,9})\\([-+.])")


def html_text(html: str) -> str:
    """Return the text of an HTML mail, a line for each of its lines, with `>` before quotations.

    Of broken HTML it returns what could be read, and all of it as quoted if a quotation in it has lost its marks.

    Example:
        >>> print(html_text("<div>load green</div><p>roll<br>end</p><blockquote>old <b>words</b></blockquote>"))
        load green
        roll
        end
        > old words
    """
    html = _without_remarks(_beginning(html))
    reader = _reader()
    try:
        text = reader.handle(html)
    except Exception:
        # The parser of the standard library trips over its own assertions in broken HTML, and html2text over what follows.
        text = "".join(reader.outtextlist)
    lines = [line.rstrip() for line in _ESCAPES.sub(r"\1\2", text).strip("\n").splitlines()]
    return "\n".join(f"> {line}" for line in lines) if _lost_quotation(html, reader.quotations) else "\n".join(lines)


def _beginning(html: str) -> str:
    """Return as much of an HTML mail as is read, without a tag that is cut in two."""
    marks = islice(re.finditer("[<&]", html), MAX_MARKS, None)
    end = min(MAX_HTML, next((mark.start() for mark in marks), MAX_HTML))
    return html if end >= len(html) else html[:end].rpartition(">")[0] + ">"


def _without_remarks(html: str) -> str:
    """Return HTML without comments and declarations, whose ends the parser may look for again and again."""
    first, *others = html.split("<!--")
    html = first + "".join(other.partition("-->")[2] for other in others)
    return re.sub(r"<[!?](?:[^<>]{0,400}>)?", "", html)


def _lost_quotation(html: str, quotations: int) -> bool:
    """Tell whether the HTML has a quotation that the parser did not find, so that its words cannot be told apart."""
    return max(len(re.findall("(?i)<blockquote", html)), len(re.findall("(?i)</blockquote", html))) > quotations


def _reader() -> Any:
    import html2text  # takes its time to load, and few mails have no plain text

    reader: Any = html2text.HTML2Text(bodywidth=0)  # it says nothing of the attributes that it is steered by
    reader.ignore_links = reader.ignore_images = reader.ignore_emphasis = reader.ignore_tables = True
    reader.unicode_snob = reader.single_line_break = True
    reader.tag_callback = _tag
    reader.quotations = reader.deeper = 0
    return reader


def _tag(reader: Any, tag: str, attrs: dict[str, str | None], start: bool) -> bool:
    """Treat some tags otherwise than html2text does; the result tells whether it shall leave the tag alone."""
    names = " ".join(filter(None, (attrs.get(name) for name in ("id", "class", "data-marker", "name")))) if attrs else ""
    if start and names and _CONTAINERS.search(names):
        _paragraph(reader, ORIGINAL)
    elif start and names and _SIGNATURES.search(names):
        _paragraph(reader, "-- ")
    elif tag == "hr" and start:
        _paragraph(reader, "_" * 32)
        return True
    if tag in _PLAINER:
        reader.p()
        return True
    return tag == "blockquote" and _quotation(reader, start)


def _quotation(reader: Any, start: bool) -> bool:
    """Count a mark of a quotation; the result tells whether html2text shall leave it alone."""
    reader.quotations += start
    if start and reader.blockquote >= MAX_DEPTH:
        reader.deeper += 1  # each further `>` would stand before every line
        return True
    if not start and reader.deeper:
        reader.deeper -= 1
        return True
    # One end too many would make the next quotation look like the writer's own words.
    return not start and reader.blockquote <= 0


def _paragraph(reader: Any, line: str) -> None:
    reader.p()
    reader.o(line)
    reader.p()
