"""Reports: one plain context in, one text, HTML or JSON document out.

Everything here works on what a reader may know; no match and no table can be reached from here. Layout and fixed
sentences are in the templates `report.txt.j2` and `report.html.j2`, the board in `board.txt.j2` and `board.html.j2`,
which a game brings along in its own folder. Here is what templates are bad at: cleaning, wrapping, dumping.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, cast

Form = Literal["text", "html", "json"]

COLUMNS = 72
"""The width of a text report; mail programs wrap what is wider."""

_EDGE = re.compile(r"#(?=\s*(?:referee|end)\b)", re.IGNORECASE)
_FIRST_WIDE = "\u1100"  # no character before it takes two columns


class Example(TypedDict):
    """One worked turn for somebody who has never seen the order language.

    Attributes:
        lines: the order lines of the turn.
        result: what came of them, in a sentence or two.
        safe: lines that the reader may send now and that do no harm.
    """

    lines: list[str]
    result: str
    safe: list[str]


class Context(TypedDict):
    """All that one report is made of; plain data.

    Attributes:
        view: what `engine.view` gives for the reader.
        news: what `engine.news` gives, since the reader's last report; each has `kind` and `text`.
        older: whether older news exists that this report cannot show.
        first: whether it is the reader's first report of the match.
        deadline: until when to answer, as people read it; "" for none.
        code: the turn code as `K7QF-2M9X-44TD`; "" for none. Seats only.
        holder: the number of the seat's present holder, from 1; 0 for none. Seats only.
        keyed: whether a key is registered for the seat, so that it may sign its moves. Seats only.
        answer: what the reader's own submission came to, if it led here: `by`, `played`, `waiting`, `returned`, `reason`.
        opened: the hash of the save that opened this stop, 64 hex digits.
        commitment: the commitment to the secret seed, 64 hex digits.
        nonces: what players contributed to the seed, by seat.
        secret: the secret that the commitment was made from, 64 hex digits; "" until the match is over.
        fingerprint: the fingerprint of the referee's public key.
        notices: sentences for everybody, such as that the seed is for tests.
        sources: for each sheet of the component data how many entries are from which source.
        cards: what each card that may be explained does, by card.
        card_sources: where each of these cards is from, by card.
        orders: what each order does, by pattern.
        goal: the goal of the game in two sentences.
        example: a worked turn; it is shown in a first report.
        option_about: what each house rule decides, by option.
        sheets: the contexts of the seats; this makes the report the public board with one printed sheet a seat.
        everything: the whole table and agenda as plain data; this makes the report the moderator's.
    """

    view: dict[str, Any]
    news: list[dict[str, Any]]
    older: bool
    first: bool
    deadline: str
    code: NotRequired[str]
    holder: NotRequired[int]
    keyed: NotRequired[bool]
    answer: NotRequired[dict[str, Any]]
    opened: str
    commitment: str
    nonces: dict[str, str]
    secret: str
    fingerprint: str
    notices: list[str]
    sources: dict[str, dict[str, int]]
    cards: dict[str, str]
    card_sources: dict[str, str]
    orders: dict[str, str]
    goal: str
    example: NotRequired[Example]
    option_about: dict[str, str]
    sheets: NotRequired[list[Context]]
    everything: NotRequired[dict[str, Any]]


def render(
    context: Mapping[str, object], form: Form, *, folders: Sequence[Path], user_folder: Path | None = None
) -> str:
    """Return one report.

    Args:
        context: a `Context`. With `sheets` it becomes the table's report, with `everything` the moderator's, else that
            of the view's reader.
        form: `text` (UTF-8, 72 columns, no control characters), `html` (one file that needs nothing else) or `json`.
        folders: where the game keeps its `board.txt.j2` and `board.html.j2`; without them the table is printed as it is.
        user_folder: templates of the moderator's own, which come first.

    Returns:
        The report, ending in a line end; as `envelope.seal_report` takes it.

    Raises:
        TemplateFault: a template is missing or cannot be used.

    Example:
        >>> from referee.report import blank
        >>> print(render(blank(), "text", folders=[]).splitlines()[0])
        Toy: match toy-1, stop 1, for everybody
    """
    given = cast(Context, context)
    if form == "json":
        return _json(given)
    from .templating import render as fill

    name = "report.html.j2" if form == "html" else "report.txt.j2"
    text = fill(name, _prepared(_cleaned(given)), folders=folders, user_folder=user_folder)
    return "\n".join(map(str.rstrip, text.splitlines())) + "\n"


def blank(viewer: str = "observer") -> Context:
    """Return the smallest context that can be rendered: an observer's, or a seat's, of a match without a table.

    Example:
        >>> sorted(blank()["view"]["seats"])
        ['alice', 'bob']
    """
    view: dict[str, Any] = {
        "match": "toy-1", "game": "toy", "title": "Toy", "version": 1, "viewer": viewer, "seats": ["alice", "bob"],
        "stop": 1, "options": {}, "data": "0" * 64, "packs": [], "asked": [], "over": False, "held": False,
        "result": {}, "table": {},
    }  # fmt: skip
    if viewer != "observer":
        view |= {"you": [], "standing": [], "kept": []}
    return {
        "view": view, "news": [], "older": False, "first": False, "deadline": "", "opened": "0" * 64,
        "commitment": "0" * 64, "nonces": {}, "secret": "", "fingerprint": "AAAA-AAAA-AAAA-AAAA", "notices": [],
        "sources": {}, "cards": {}, "card_sources": {}, "orders": {}, "goal": "", "option_about": {},
    }  # fmt: skip


# JSON


def _json(context: Context) -> str:
    return json.dumps(_documented(context), ensure_ascii=False, indent=1) + "\n"


def _documented(context: Context) -> dict[str, Any]:
    """Return the documented keys in their order; the sheets lie on a table, so they carry no codes."""
    plain: dict[str, Any] = {key: context[key] for key in Context.__annotations__ if key in context}  # type: ignore[literal-required]
    if "sheets" in plain:
        hidden = ("code", "holder")
        plain["sheets"] = [{k: v for k, v in _documented(s).items() if k not in hidden} for s in context["sheets"]]
    return plain


# What the templates get


def _prepared(context: Context) -> dict[str, Any]:
    view = context["view"]
    kind = "seat" if "you" in view else "observer"
    kind = "moderator" if "everything" in context else "table" if "sheets" in context else kind
    return {
        **context,
        "report": context,
        "kind": kind,
        "block": _block(context) if kind == "seat" else "",
        "wrap": wrap,
        "shown": shown,
        "tally": tally,
        "outline": outline,
    }


def _block(context: Context) -> str:
    """Return the block to copy. It holds no line, because a report that is quoted whole must not count as orders."""
    from .block import block_text

    view = context["view"]
    text = block_text(view["match"], view["stop"], view["viewer"], context.get("code", ""), ())
    return text.replace("\n#end", "\n\n#end").rstrip()


def _cleaned(context: Context) -> Context:
    """Return the context with every text fit to be printed."""
    dump = json.dumps(context, ensure_ascii=False)
    # JSON writes line ends and most control characters with a backslash; one look finds that there is nothing to do.
    if dump.isprintable() and "\\" not in dump and "#" not in dump:
        return context
    return cast(Context, clean(context))


def clean(value: Any) -> Any:
    """Return plain data with every text fit to be printed.

    Characters that cannot be seen (controls, direction overrides, joiners) are dropped; line ends and rare spaces become
    a space, so that a name cannot pretend to be a line of the report. What could be read as the edge of a block of
    orders, when the report is quoted, gets quotes of its own.

    Example:
        >>> clean({"al\\u202eice": ["b\\no\\x07b", 3]}), clean("# end of it")
        ({'alice': ['b ob', 3]}, '“#” end of it')
    """
    if isinstance(value, str):
        text = value if value.isprintable() else "".join(map(_printable, value))
        return _EDGE.sub("“#”", text) if "#" in text else text
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return [clean(item) for item in value] if isinstance(value, list) else value


def _printable(character: str) -> str:
    return character if character.isprintable() else " " if character.isspace() else ""


def shown(value: Any) -> str:
    """Return a value of an option as people write it.

    Example:
        >>> shown(True), shown(20), shown(["alice", "bob"]), shown([])
        ('yes', '20', 'alice, bob', 'none')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) or "none" if isinstance(value, list | dict) else str(value)


def tally(counts: Mapping[str, int]) -> str:
    """Return how many entries are from which source, as people read it.

    Example:
        >>> tally({"rulebook": 15, "reconstructed": 6})
        '15 rulebook, 6 reconstructed'
    """
    return ", ".join(f"{count} {source}" for source, count in counts.items())


def wrap(text: str, first: str = "", rest: str | None = None) -> str:
    """Return a paragraph of at most 72 columns.

    Args:
        text: any text; its white space does not count.
        first: what the first line begins with, such as a bullet.
        rest: what the other lines begin with; as many spaces as `first` has characters, if not given.

    Example:
        >>> print(wrap("a hash is split where the line ends: " + "f" * 64, "- "))
        - a hash is split where the line ends:
          ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff
    """
    if len(first) + len(text) <= COLUMNS and text.isascii() and text.isprintable():
        return (first + text).rstrip()
    rest = " " * len(first) if rest is None else rest
    lines, line = [], first
    empty = True
    for word in _words(text, COLUMNS - max(_width(first), _width(rest))):
        if not empty and _width(line) + 1 + _width(word) > COLUMNS:
            lines.append(line)
            line, empty = rest, True
        line += word if empty else " " + word
        empty = False
    return "\n".join([*lines, line.rstrip()])


def _words(text: str, most: int) -> Iterator[str]:
    """Yield the words of a text; one that is wider than a line comes in pieces."""
    for word in text.split():
        while _width(word) > most:
            cut = most if word.isascii() else most // 2
            yield word[:cut]
            word = word[cut:]
        yield word


def _width(text: str) -> int:
    if text.isascii() or max(text) < _FIRST_WIDE:
        return len(text)
    return len(text) + sum(unicodedata.east_asian_width(character) in "WF" for character in text)


def outline(value: Any, indent: int = 0) -> str:
    """Return plain data as an outline that people can read, 72 columns wide.

    Example:
        >>> print(outline({"turn": {"who": "alice", "energy": 3}, "hand": ["agent", "jump"], "discards": []}))
        turn:
          who: alice
          energy: 3
        hand: agent; jump
        discards: none
    """
    return "\n".join(_outline(value, indent))


def _outline(value: Any, indent: int) -> Iterator[str]:
    space = " " * min(indent, COLUMNS // 2)
    for key, item in value.items() if isinstance(value, dict) else enumerate(value, 1):
        if item and _nested(item):
            yield wrap(f"{key}:", space)
            yield from _outline(item, indent + 2)
        else:
            yield wrap(f"{key}: {_flat(item)}", space, space + "    ")


def _nested(item: Any) -> bool:
    """Tell whether an item takes lines of its own: a dict, or a list that holds one."""
    return isinstance(item, dict) or (isinstance(item, list) and any(map(_nested, item)))


def _flat(item: Any) -> str:
    if isinstance(item, list | dict):
        return "; ".join(map(shown, item)) or "none"
    return shown(item)
