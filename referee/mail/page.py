"""HTML for mail programs: one table, every style written at its element, pictures as images of the mail.

Mail programs drop style sheets, know no SVG and lay out with the means of 1999; so the page of a report is taken apart
here and put together again for them. Nothing is fetched from anywhere when it is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from itertools import pairwise
from typing import TYPE_CHECKING

from referee.layout import COLUMNS
from referee.mail.picture import Picture, without_pictures

if TYPE_CHECKING:
    import css_inline

WIDTH = 600  # pixels of the whole mail on a wide screen
_PADDING = 12
_SLACK = 8  # columns; a template that is wrapped by hand may leave them free
_ITEMS = ("- ", "* ")
_STYLE = re.compile(r"<style\b[^>]*>(.*?)</style\s*>", re.DOTALL)
_BODY = re.compile(r"<body\b[^>]*>(.*)</body\s*>", re.DOTALL)
_REM = re.compile(r"(?<![\w.])(\d*\.?\d+)rem\b")
_LINK = re.compile(r"mailto:\S+")
_FACE = "Arial,Helvetica,sans-serif"
# What holds for a mail and not for a page: a table around all, and fonts that Outlook takes over into tables only if told.
_OWN_STYLE = f"""
body{{margin:0;padding:0;background:#fff;max-width:none}}
table.mail{{width:100%;table-layout:fixed;max-width:{WIDTH}px;margin:0 auto;border-collapse:collapse}}
td.mail{{border:0;padding:{_PADDING}px;font:16px/1.45 {_FACE};color:#1a1a22;text-align:left}}
td.mail table{{font:15px/1.4 {_FACE}}}
img{{display:block;width:100%;height:auto;border:0}}
div.said{{border:2px solid #1a1a22;border-radius:6px;padding:4px 14px 10px;margin:0 0 20px}}
pre.block{{font-size:12px}}
p.quoted{{border-left:4px solid #999;margin:8px 0;padding:2px 12px}}
"""
_BARE_STYLE = """
p{margin:.4em 0}
ul{margin:.4em 0;padding-left:1.2em}
pre{margin:.5em 0;padding:.5em .7em;border:1px solid #bbb;background:#f6f6f2}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:.9em/1.4 Menlo,Consolas,monospace}
.answer a{display:inline-block;padding:.6em 1.1em;border:2px solid #1a1a22;border-radius:6px;background:#f6f6f2}
.answer a{color:#1a1a22;font-weight:bold;text-decoration:none}
"""
_FRAME = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<table class="mail" role="presentation" align="center" width="{width}" cellpadding="0" cellspacing="0"><tr><td class="mail">
{content}
</td></tr></table>
</body>
</html>
"""


def mail_page(title: str, text: str, report: str = "", pictures: Sequence[Picture] = (), ids: Sequence[str] = ()) -> str:
    """Return the HTML part of a mail.

    Args:
        title: the subject of the mail.
        text: what the mail says, as in its plain part.
        report: the page of a report, which stands below; "" for none.
        pictures: the pictures of this page.
        ids: the Content-Id of each picture, without angle brackets.

    Example:
        >>> page = mail_page("News", "Hello <alice>,\\n\\n- one\\n- two")
        >>> "Hello &lt;alice&gt;," in page, "<style" in page, page.count("<li")
        (True, False, 2)
    """
    body = _BODY.search(report)
    said = f'<div class="said">\n{as_html(text)}</div>\n' if body else as_html(text)
    style = "".join(_STYLE.findall(report)) if body else _BARE_STYLE
    images = [_image(picture, id) for picture, id in zip(pictures, ids, strict=True)]
    content = said + (without_pictures(body[1], images) if body else "")
    pixels = _REM.sub(lambda found: f"{round(float(found[1]) * 16)}px", style)
    return _inliner().inline(
        _FRAME.format(title=escape(title), style=pixels + _OWN_STYLE, width=WIDTH, content=content.strip())
    )


def as_html(text: str) -> str:
    """Return plain text as HTML: paragraphs, lists, blocks of orders and what is indented, links.

    Example:
        >>> print(as_html("Played:\\n\\n- fly\\n  red\\n\\n#referee a 1 b\\n\\n#end\\n\\nBye"), end="")
        <p>Played:</p>
        <ul>
        <li>fly red</li>
        </ul>
        <pre class="block">#referee a 1 b
        <BLANKLINE>
        #end</pre>
        <p>Bye</p>
    """
    pieces = re.split(r"(^#referee .*?^#end$)", text, flags=re.DOTALL | re.MULTILINE)
    found = [
        _pre(piece, ' class="block"') if at % 2 else "".join(map(_paragraph, _paragraphs(piece)))
        for at, piece in enumerate(pieces)
    ]
    return "".join(found)


def _paragraphs(text: str) -> list[str]:
    return [part.strip("\n") for part in re.split(r"\n\s*\n", text) if part.strip()]


def _paragraph(part: str) -> str:
    lines = part.split("\n")
    if len(lines) > 1 and set(lines[1]) == {"-"}:
        below = "\n".join(lines[2:])
        return f"<h3>{escape(lines[0])}</h3>\n{_paragraph(below) if below else ''}"
    if lines[0].startswith(_ITEMS) and all(line.startswith((*_ITEMS, "  ")) for line in lines):
        return _list(lines)
    if all(line.startswith("|") for line in lines):
        return f'<p class="quoted">{_unwrapped([line[1:] for line in lines])}</p>\n'
    if all(line.startswith("    ") for line in lines):
        return _pre("\n".join(line[4:] for line in lines))
    if _LINK.fullmatch(lines[-1]):
        before = f"<p>{escape(' '.join(lines[:-1]))}</p>\n" if lines[:-1] else ""
        return f'{before}<p class="answer"><a href="{escape(lines[-1])}">Answer by mail</a></p>\n'
    return f"<p>{_unwrapped(lines)}</p>\n"


def _unwrapped(lines: Sequence[str]) -> str:
    """Join lines; a break is meant, and stays, where the next word would have gone into the line."""
    joined = escape(lines[0].strip())
    for before, line in pairwise(lines):
        meant = not line.strip() or len(before) + 1 + len(line.split()[0]) <= COLUMNS - _SLACK
        joined += ("<br>\n" if meant else " ") + escape(line.strip())
    return joined


def _list(lines: Sequence[str]) -> str:
    """Return a list; an item with a star is a pattern of orders, with what it does below it."""
    items: list[str] = []
    for line in lines:
        text = escape(line[2:].strip())
        if line.startswith(_ITEMS):
            items.append(f"<b>{text}</b><br>" if line.startswith("* ") else text)
        else:
            items[-1] += text if items[-1].endswith("<br>") else f" {text}"
    return "<ul>\n" + "".join(f"<li>{item.removesuffix('<br>')}</li>\n" for item in items) + "</ul>\n"


def _pre(text: str, kind: str = "") -> str:
    return f"<pre{kind}>{escape(text)}</pre>\n"


def _image(picture: Picture, id: str) -> str:
    width = WIDTH - 2 * _PADDING
    height = round(width * picture.height / picture.width) if picture.width else width
    return f'<img src="cid:{escape(id)}" width="{width}" height="{height}" alt="{escape(picture.text)}">'


@lru_cache(maxsize=1)
def _inliner() -> css_inline.CSSInliner:
    import css_inline

    return css_inline.CSSInliner(load_remote_stylesheets=False, keep_style_tags=False)
