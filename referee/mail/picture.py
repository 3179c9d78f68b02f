"""The pictures of a report as mail programs show them: PNG, since few of them show the SVG that stands in the page.

The font is vendored, so that a board looks alike on every machine, and on one that has no fonts at all. Boards are drawn in
few colours, so a palette of 256 of them looks the same and makes a PNG of a third of the bytes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

FONTS = Path(__file__).parent / "fonts"
WIDTH = 1000  # pixels: mail is laid out for 600, and screens of telephones have two or three to each
MOST_PIXELS = 8_000_000
COLOURS = 256  # as many as a palette of PNG holds

_SVG = re.compile(r"<svg\b[^>]*>.*?</svg\s*>", re.DOTALL)
_DEFS = re.compile(r"<defs\b[^>]*>(.*?)</defs\s*>", re.DOTALL)
_BOX = re.compile(r'\bviewBox="\s*[-\d.]+[\s,]+[-\d.]+[\s,]+([\d.]+)[\s,]+([\d.]+)\s*"')
_LABEL = re.compile(r'\baria-label="([^"]*)"')
_DESCRIBED = re.compile(r"<desc\b[^>]*>(.*?)</desc\s*>|<title\b[^>]*>(.*?)</title\s*>", re.DOTALL)
_REFERS = re.compile(r'(?:href="#|url\(#)([\w.-]+)')


class Picture(NamedTuple):
    """One picture of a page.

    svg: a whole SVG document. start, end: where the picture stands in the page. text: what it shows, in words.
    width, height: of its own coordinates.
    """

    svg: str
    start: int
    end: int
    text: str
    width: float
    height: float


def pictures(page: str) -> list[Picture]:
    """Return the pictures of a page, in their order, each fit to stand alone.

    Example:
        >>> page = '<p>x<svg viewBox="0 0 20 10" aria-label="A dot"><circle r="1"/></svg></p>'
        >>> [(one.text, one.width, page[one.start - 1 : one.start]) for one in pictures(page)]
        [('A dot', 20.0, 'x')]
    """
    found = list(_SVG.finditer(page))
    shared = "".join(part for match in found for part in _DEFS.findall(match[0]))
    return [_picture(match, shared) for match in found]


def png(picture: Picture, width: int = WIDTH) -> bytes:
    """Return a picture as PNG on white, with the vendored font.

    Args:
        picture: one of `pictures`.
        width: pixels; the height follows, and both are less for a picture that is very high.

    Raises:
        ValueError: it cannot be drawn.

    Example:
        >>> [one] = pictures('<svg viewBox="0 0 20 10"><circle cx="9" cy="5" r="4"/></svg>')
        >>> png(one, 40)[:4], int.from_bytes(png(one, 40)[16:20], "big"), int.from_bytes(png(one, 40)[20:24], "big")
        (b'\\x89PNG', 40, 20)
    """
    high = MOST_PIXELS * picture.width / max(picture.height, 1e-9)
    return _drawn(picture.svg, max(1, min(width, int(high**0.5))))


@lru_cache(maxsize=8)
def _drawn(svg: str, width: int) -> bytes:
    # A board is drawn once although two readers get it.
    import resvg_py

    return _in_few_colours(
        resvg_py.svg_to_bytes(
            svg_string=svg,
            width=width,
            background="#ffffff",
            skip_system_fonts=True,
            font_files=[str(path) for path in sorted(FONTS.glob("*.ttf"))],
            font_family="DejaVu Sans",
            sans_serif_family="DejaVu Sans",
            serif_family="DejaVu Sans",
            monospace_family="DejaVu Sans",
        )
    )


def _in_few_colours(drawn: bytes) -> bytes:
    """Return a PNG with the colours of its palette that are nearest, as PNG."""
    from PIL import Image  # takes its time to load, as resvg does

    with Image.open(BytesIO(drawn)) as image:
        # Dots of two colours in place of a third would look worse on a plain area than the nearest, and pack worse.
        few = image.convert("RGB").quantize(COLOURS, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    out = BytesIO()
    few.save(out, "PNG")
    return out.getvalue()


def without_pictures(page: str, instead: Sequence[str]) -> str:
    """Return a page with something else in the place of each picture.

    Args:
        page: a page.
        instead: HTML, as many pieces as the page has pictures.

    Example:
        >>> without_pictures("<p><svg></svg>!</p>", ["<img>"])
        '<p><img>!</p>'
    """
    pieces, at = [], 0
    for picture, piece in zip(pictures(page), instead, strict=True):
        pieces += [page[at : picture.start], piece]
        at = picture.end
    return "".join([*pieces, page[at:]])


def _picture(match: re.Match[str], shared: str) -> Picture:
    svg = match[0]
    head = svg[: svg.index(">") + 1]
    box = _BOX.search(head)
    width, height = (float(box[1]), float(box[2])) if box else (600.0, 600.0)
    return Picture(_alone(svg, head, shared), match.start(), match.end(), _text(svg, head), width, height)


def _alone(svg: str, head: str, shared: str) -> str:
    """Return a picture as a document: with its namespace, and with what other pictures of the page define for it."""
    named = head if "xmlns=" in head else f'{head[:4]} xmlns="http://www.w3.org/2000/svg"{head[4:]}'
    inside = svg[len(head) :]
    if any(f'id="{name}"' not in svg for name in _REFERS.findall(inside)):
        named += f"<defs>{shared}</defs>"
    return named + inside


def _text(svg: str, head: str) -> str:
    label = _LABEL.search(head)
    words = [label[1]] if label else [desc or title for desc, title in _DESCRIBED.findall(svg)]
    return " ".join(unescape(". ".join(words)).split())
