"""HTML mail as text: one line for each line that the writer saw, and `>` before what is quoted.

lxml reads the HTML, element by element, and closes what the writer's program left open; it never builds a tree, of which some
input would make a very large one. What a line is and where mail programs mark a quotation in their own way is told here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import islice

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
_LINES = frozenset({
    "address", "article", "aside", "body", "center", "dd", "details", "div", "dl", "dt", "fieldset", "figcaption",
    "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "html", "legend", "li", "main", "nav", "ol",
    "p", "pre", "section", "summary", "table", "tbody", "tfoot", "thead", "title", "tr", "ul",
})  # fmt: skip
"""Elements that begin a line and end it."""
_UNSEEN = frozenset({"head", "script", "style", "title", "template", "object", "iframe"})
_QUOTATION = re.compile(r"(?i)<(/?)blockquote(?=[\s/>])")
_MARK = "data-end-of-quotation"
_SPACE = re.compile(r"[ \t\n\r\f]+")


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
    from lxml import etree  # takes its time to load, and few mails have no plain text

    html = _without_remarks(_beginning(html))
    text = _Text()
    parser = etree.HTMLParser(target=text, encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    parser.feed(_marked(html).encode("utf-8", "replace"))
    parser.close()
    lines = "\n".join(text.lines).strip("\n").splitlines()
    return "\n".join(f"> {line}" for line in lines) if _lost_quotation(html, text.quotations) else "\n".join(lines)


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


def _marked(html: str) -> str:
    """Return HTML with marks in place of the tags of quotations.

    The end of another element would end a quotation that is in it too, and what is quoted below would look like the writer's
    own words; a mark holds nothing, so nothing ends it.
    """
    return _QUOTATION.sub(lambda tag: f'<img {_MARK}="{tag[1]}" ', html)


def _lost_quotation(html: str, quotations: int) -> bool:
    """Tell whether the HTML has a quotation that the parser did not find, so that its words cannot be told apart."""
    return max(len(re.findall("(?i)<blockquote", html)), len(re.findall("(?i)</blockquote", html))) > quotations


class _Text:
    """Takes an HTML mail element by element, as lxml reads it, and makes lines of it.

    Attributes:
        lines: the lines that are finished.
        quotations: how many quotations began.
    """

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.quotations = 0
        self._line = ""
        self._quoted = self._unseen = self._as_typed = 0
        self._at_first = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """Begin an element."""
        if tag in _UNSEEN:
            self._unseen += 1
        if tag in _LINES:
            self._end_line()
        if _MARK in attributes:
            self._quotation(begins=attributes[_MARK] == "")
        names = " ".join(filter(None, map(attributes.get, ("id", "class", "data-marker", "name")))) if attributes else ""
        if names and (_CONTAINERS.search(names) or _SIGNATURES.search(names)):
            self._whole_line(ORIGINAL if _CONTAINERS.search(names) else "-- ")
        if tag == "br":
            self._end_line(empty=True)
        elif tag == "hr":
            self._whole_line("_" * 32)
        elif tag == "li":
            self._line = "* "
        elif tag == "pre":
            self._as_typed += 1
            self._at_first = True
        elif tag in ("td", "th") and self._line:
            self._line += " "

    def end(self, tag: str) -> None:
        """End an element."""
        if tag in _LINES:
            self._end_line()
        if tag == "pre":
            self._as_typed -= 1
        if tag in _UNSEEN:
            self._unseen -= 1

    def data(self, text: str) -> None:
        """Take words."""
        if self._unseen:
            return
        if self._as_typed:
            # A line end right behind <pre> is no part of it.
            first, *others = (text.removeprefix("\n") if self._at_first else text).split("\n")
            self._at_first = False
            self._line += first
            for line in others:
                self._end_line(empty=True)
                self._line = line
            return
        text = _SPACE.sub(" ", text)
        self._line += text.lstrip(" ") if not self._line or self._line.endswith(" ") else text

    def close(self) -> None:
        """End the mail."""
        self._end_line()

    def _quotation(self, begins: bool) -> None:
        self._end_line()
        self.quotations += begins
        self._quoted = max(0, self._quoted + (1 if begins else -1))

    def _whole_line(self, line: str) -> None:
        self._end_line()
        self._line = line
        self._end_line()

    def _end_line(self, empty: bool = False) -> None:
        """End a line, with `>` for each quotation that it is in; a line without words stays if somebody typed it."""
        if self._line.strip(" ") or empty:  # a no-break space is how some programs write an empty line
            marks = ">" * min(self._quoted, MAX_DEPTH)
            self.lines.append(f"{marks} {self._line}".rstrip() if marks else self._line.rstrip())
        self._line = ""
