"""Reports: one plain context in, one text, HTML or JSON document out.

Everything here works on what a reader may know; no match and no table can be reached from here. Layout and fixed
sentences are in the templates `report.txt.j2` and `report.html.j2`, the board in `board.txt.j2` and `board.html.j2`,
which a game brings along in its own folder; they lay out with the filters of `layout`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NotRequired, TypedDict, cast

Form = Literal["text", "html", "json"]

_EDGE = re.compile(r"#(?=\s*(?:referee|end)\b)", re.IGNORECASE)


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
        printed: what is printed on cards and board, by sheet and entry, for the sheets that a game shows in reports.
        orders: what each order does, by pattern.
        goal: the goal of the game in two sentences.
        example: a worked turn; it is shown in a first report.
        option_about: what each house rule decides, by option.
        sheets: the contexts of the seats; this makes the report the public board with one printed sheet a seat.
        everything: the whole table and agenda as plain data; this makes the report the moderator's.
        answer_to: the address that orders go to; absent or "" where none are taken by mail.
        contact: the address of a human for questions; absent or "" if there is none.
        press: what players said to the reader since its last report: `from` ("" if nobody may know), `to`, `text`.
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
    printed: NotRequired[dict[str, dict[str, dict[str, Any]]]]
    orders: dict[str, str]
    goal: str
    example: NotRequired[Example]
    option_about: dict[str, str]
    sheets: NotRequired[list[Context]]
    everything: NotRequired[dict[str, Any]]
    answer_to: NotRequired[str]
    contact: NotRequired[str]
    press: NotRequired[list[dict[str, str]]]


def render(context: Mapping[str, object], form: Form, *, folders: Sequence[Path], user_folder: Path | None = None) -> str:
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
    prepared = _prepared(given)
    text = fill(name, prepared, folders=folders, user_folder=user_folder)
    if not _is_clean(text, prepared["block"]):
        # Looked for in what came out and not in all that went in, because that takes a tenth of the time.
        text = fill(name, _prepared(cast(Context, clean(given))), folders=folders, user_folder=user_folder)
    return text.rstrip("\n") + "\n"


def _is_clean(text: str, block: str) -> bool:
    """Tell whether a report holds nothing that cannot be seen, and no edge of a block of orders but its own."""
    return text.replace("\n", "").isprintable() and len(_EDGE.findall(text)) == len(_EDGE.findall(block))


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
        view |= {"you": [], "anytime": [], "standing": [], "kept": [], "planned": []}
    return {
        "view": view, "news": [], "older": False, "first": False, "deadline": "", "opened": "0" * 64,
        "commitment": "0" * 64, "nonces": {}, "secret": "", "fingerprint": "AAAA-AAAA-AAAA-AAAA", "notices": [],
        "sources": {}, "cards": {}, "card_sources": {}, "orders": {}, "goal": "", "option_about": {},
    }  # fmt: skip


# JSON


def _json(context: Context) -> str:
    import json

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
    block = _block(context) if kind == "seat" else ""
    return {
        **{"code": "", "holder": 0, "keyed": False, "answer": {}, "answer_to": "", "contact": "", "press": []},
        **context,
        "report": context,
        "kind": kind,
        "block": block,
        "link": _link(context, block),
        "safe": _safe_lines(context),
    }


def _safe_lines(context: Context) -> list[str]:
    """Return lines that the seat may send now and that do no harm: the game's own if they are offered, else the first."""
    offered = [line for row in context["view"].get("you", ()) for order in row["orders"] for line in order["lines"]]
    safe = context["example"]["safe"] if "example" in context else []
    return safe if safe and safe[0] in offered else offered[:1]


def _block(context: Context) -> str:
    """Return the block to copy. It holds no line, because a report that is quoted whole must not count as orders."""
    from .block import block_text

    view = context["view"]
    text = block_text(view["match"], view["stop"], view["viewer"], context.get("code", ""), ())
    return text.replace("\n#end", "\n\n#end").rstrip()


def _link(context: Context, block: str) -> str:
    """Return the answer link; "" for who cannot answer by mail."""
    if not (block and context.get("answer_to")):
        return ""
    from .mailto import mailto

    view = context["view"]
    return mailto(context["answer_to"], f"Re: [{view['match']}] stop {view['stop']}: orders", block)


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
