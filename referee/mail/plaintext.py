"""Text out of the bytes of a message: charsets, and lines that a mail program has wrapped.

What a label says about a part is a hint. Real mails come in UTF-8 that calls itself Latin-1, in cp1252 that calls itself
ASCII, and under names that no table knows, so the bytes have the last word.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

# Not every codec is a charset: some unpack archives, some read escapes. Only what mails are written in.
_CHARSETS = re.compile(
    r"utf-?(8|16|32)(-?[lb]e)?|ascii|iso-?8859-?\d+|latin-?\d+|cp\d+|windows-?\d+|koi8-[rtu]|mac-\w+|gb\w+|big5\w*"
    r"|euc-\w+|shift-?jis\w*|iso2022-\w+|johab|tis-620|hz|viscii"
)
_ALIASES = {
    # What labels say, and what mail programs mean by it: a superset that reads the same letters and a few more.
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "shift-jis": "cp932", "gb2312": "gb18030",
    "gbk": "gb18030", "euc-kr": "cp949", "iso2022-jp": "iso2022_jp_ext", "tis-620": "cp874",
}  # fmt: skip
_SPELLINGS = {"x-sjis": "shift-jis", "ks-c-5601-1987": "euc-kr", "iso-8859-8-i": "iso-8859-8"}
_ESCAPED = re.compile(rb"\x1b[$(]")  # ISO-2022 writes in seven bits, so it is often labelled ASCII or UTF-8
_SEVERAL = re.compile(r"gb|big5|euc|shift|cp9[345]|iso2022|johab|hz|utf-16|utf-32")
_MARKS = {b"\xef\xbb\xbf": "utf-8", b"\xff\xfe": "utf-16-le", b"\xfe\xff": "utf-16-be"}
_WRAP = 60
"""Columns: no mail program wraps before them, so a shorter line with a blank at its end is just a line."""


def decode(data: bytes, label: str = "") -> str:
    """Return the text of some bytes, whatever their label says. It always returns; what is no text becomes U+FFFD.

    Args:
        data: the bytes, without their transfer encoding.
        label: the name of a charset, as written.

    Example:
        >>> decode("Grün".encode(), "iso-8859-1"), decode("Grün".encode("cp1252"), "us-ascii"), decode(b"roll", "no-such")
        ('Grün', 'Grün', 'roll')
    """
    named = charset(label)
    for name in _guesses(data, named):
        if (text := _strictly(data, name)) is not None:
            return text.replace("\x00", "\ufffd")
    # One letter that was cut in two does not make UTF-8 something else.
    loose = data.decode("utf-8", "replace")
    if len(loose.encode("ascii", "ignore")) + 2 * loose.count("\ufffd") > len(loose):
        common = "iso2022_jp_ext" if _ESCAPED.search(data) else "cp1252"
        loose = data.decode(common if named in ("", "utf-8", "cp1252") else named, "replace")
    return loose.replace("\x00", "\ufffd")


def charset(label: str) -> str:
    """Return Python's name of a charset, or of the one that is meant; "" for a name that is no charset.

    Example:
        >>> charset("ISO-8859-1"), charset("X-SJIS"), charset("rot13")
        ('cp1252', 'cp932', '')
    """
    name = re.sub(r"[\s_]+", "-", label.strip(" \"'").lower())
    try:
        known = codecs.lookup(_SPELLINGS.get(name, name)).name.replace("_", "-")
    except (LookupError, ValueError):
        return ""
    return _ALIASES.get(known, known) if _CHARSETS.fullmatch(known) else ""


def _guesses(data: bytes, named: str) -> Iterator[str]:
    """Yield the charsets in which all of some bytes might be: what they show, and what their label says."""
    yield from (name for mark, name in _MARKS.items() if data.startswith(mark))
    if _ESCAPED.search(data):
        yield "iso2022_jp_ext"
    if _sparse(data):
        yield "utf-16-le" if data[1:2] == b"\x00" else "utf-16-be"
    if _SEVERAL.match(named):
        yield named
    yield "utf-8"  # what is in another charset is hardly ever UTF-8 by chance


def _sparse(data: bytes) -> bool:
    """Tell whether every other byte is zero, as in UTF-16 that has no mark before it."""
    start = data[:64]
    return len(start) >= 4 and 0 in (start[0], start[1]) and start.count(0) * 3 > len(start)


def _strictly(data: bytes, name: str) -> str | None:
    try:
        return data.decode(name).removeprefix("\ufeff")
    except (UnicodeError, LookupError):
        return None


def unflow(text: str, delete_space: bool = False) -> str:
    """Return a text in format=flowed with its paragraphs in one line each. Source: RFC 3676.

    Quotations keep a `>` for each depth. A short line that ends with a blank was not wrapped, and stays a line.

    Args:
        text: the text as sent.
        delete_space: the blank at the end of a wrapped line is no part of it (DelSp=yes).

    Example:
        >>> unflow("load green \\n fly red\\n> was \\n> here\\n" + "a " * 32 + "\\nb").split("\\n")[:4]
        ['load green ', 'fly red', '> was ', '> here']
        >>> unflow("a word " * 9 + "\\nmore").count("\\n")
        0
    """
    lines: list[str] = []
    open_depth = -1  # of the paragraph that goes on, -1 if none does
    width = 0  # of its last line
    for depth, line in map(_unstuffed, text.splitlines()):
        first = line.split(" ", 1)[0]
        if depth == open_depth and width + len(first) > _WRAP and not first.startswith("#"):
            lines[-1] = (lines[-1][:-1] if delete_space else lines[-1]) + line
        else:
            lines.append(f"{'>' * depth} {line}" if depth else line)
        width = depth + len(line)
        open_depth = depth if line.endswith(" ") and line != "-- " else -1
    return "\n".join(lines)


def _unstuffed(line: str) -> tuple[int, str]:
    """Return the depth of quotation of a flowed line, and the line without marks and without the blank before it."""
    bare = line.lstrip(">")
    return len(line) - len(bare), bare.removeprefix(" ")
