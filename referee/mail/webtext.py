"""HTML mail as text: one line for each line that the writer saw, and `>` before what is quoted.

The converter is html2text. What it makes is Markdown, so what Markdown would add is switched off or taken out again; and
it is told where mail programs mark a quotation in their own way.
"""

from __future__ import annotations

import re
from typing import Any

MAX_HTML = 256 * 1024
"""Characters of HTML that are read; a mail's own words stand at its top, and below them is what it quotes."""
ORIGINAL = "-----Original Message-----"
"""What is put before a quotation that only the HTML marks."""

# Where programs keep the mail that is answered, by id or class: Outlook, Yahoo, Thunderbird (forwarding), Zimbra, Zoho.
_CONTAINERS = re.compile(
    r"(?i)\b(?:divRplyFwdMsg|appendonsend|ms-outlook-mobile-reference-message|mail-editor-reference-message-container"
    r"|yahoo_quoted\w*|moz-forward-container|protonmail_quote|zmail_extra|__QUOTED_TEXT__|OLK_SRC_BODY_SECTION)\b"
)
_SIGNATURES = re.compile(r"(?i)\b(?:gmail_signature|moz-signature|ms-outlook-mobile-signature|tutanota_signature)\b")
_ESCAPES = re.compile(r"(?m)^([> ]*\d{0,9})\\([-+.])")


def html_text(html: str) -> str:
    """Return the text of an HTML mail, a line for each of its lines, with `>` before quotations.

    Of broken HTML it returns what could be read.

    Example:
        >>> print(html_text("<div>load green</div><p>roll<br>end</p><blockquote>old <b>words</b></blockquote>"))
        load green
        roll
        end
        > old words
    """
    reader = _reader()
    try:
        text = reader.handle(html[:MAX_HTML])
    except Exception:
        # The parser of the standard library trips over its own assertions in broken HTML, and html2text over what follows.
        text = "".join(reader.outtextlist)
    return "\n".join(line.rstrip() for line in _ESCAPES.sub(r"\1\2", text).splitlines()).strip("\n")


def _reader() -> Any:
    import html2text  # takes its time to load, and few mails have no plain text

    reader = html2text.HTML2Text(bodywidth=0)
    reader.ignore_links = reader.ignore_images = reader.ignore_emphasis = reader.ignore_tables = True
    reader.unicode_snob = reader.single_line_break = True
    reader.tag_callback = _tag
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
    if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
        reader.p()  # a heading would become a line with # before it, and those lines mean something here
        return True
    # One end too many would make the next quotation look like the writer's own words.
    return tag == "blockquote" and not start and reader.blockquote <= 0


def _paragraph(reader: Any, line: str) -> None:
    reader.p()
    reader.o(line)
    reader.p()
