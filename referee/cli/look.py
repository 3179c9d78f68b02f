"""`referee report` and `referee orders`: what a reader may know, and what a seat may send."""

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from referee.errors import Usage

from .arguments import Takes
from .common import Json, Key, Saved, dealt, indented, path_of, put, seat_of, show, signing_key


def report(
    saved: Saved,
    reader: Annotated[str, Takes("READER", "A seat, observer, table or moderator.", "--for")],
    form: Annotated[Literal["text", "html", "json"], Takes("", "What it is written as.", "--format")] = "text",
    out: Annotated[str, Takes("FILE", "A new file; printed by default.", "--out")] = "-",
    key: Key = "",
    as_json: Annotated[bool, Takes("", "The same as --format json.", "--json")] = False,
) -> None:
    """Write one signed report. `observer` is what everybody sees, `moderator` everything."""
    from referee.dispatch import open_saves, render

    if as_json and form == "html":
        raise Usage("--json and --format html cannot go together.", "Choose one.")
    signer = signing_key(key)
    saves = open_saves(path_of(saved), signer)
    put(render(saves, dealt(saves), reader, "json" if as_json else form, signer), out)


def orders(
    saved: Saved,
    seat: Annotated[str, Takes("SEAT", "The seat.", "--for")],
    key: Key = "",
    as_json: Json = False,
) -> None:
    """List the lines that a seat may send now."""
    from referee.dispatch import open_saves
    from referee.engine import view

    m = dealt(open_saves(path_of(saved), signing_key(key))).save.match
    seen = view(m, seat_of(m, seat))
    names = ("match", "stop", "over", "held", "asked", "you", "anytime", "standing", "kept")
    thing = {"seat": seat, **{name: seen[name] for name in names}}
    show(thing, _order_lines(thing), as_json)


def _order_lines(thing: dict[str, Any]) -> Iterator[str]:
    yield f"{thing['seat']} in match {thing['match']}, stop {thing['stop']}"
    if thing["over"]:
        yield "The match is over; there is nothing to send."
        return
    if thing["held"]:
        yield "The moderator has halted the match; nothing is played until it goes on."
    for asked in thing["you"]:
        yield from _asked(asked, thing["seat"])
    if not thing["you"]:
        yield f"Not asked now; the match waits for {', '.join(thing['asked'])}."
    if thing["anytime"]:
        yield from ("Whoever is asked:", *_listed(thing["anytime"], ""))
    for title, lines in (("Standing orders:", thing["standing"]), ("Waiting lines:", thing["kept"])):
        if lines:
            yield from (title, *indented(lines))
    yield "At any time: always ..., never ..., later: ..., forget, withdraw (see `referee games GAME`)."


def _asked(asked: dict[str, Any], seat: str) -> Iterator[str]:
    yield f"{asked['text']} {asked.get('why', '')}".rstrip()
    if "sealed" in asked:
        yield f"Sealed: {asked['sealed']} (another line replaces it)"
    before = "" if asked["decider"] == seat else f"{asked['decider']}: "
    yield from _listed(asked["orders"], before)


def _listed(orders: list[dict[str, Any]], before: str) -> Iterator[str]:
    for order in orders:
        yield from indented(f"{before}{line}" for line in order["lines"])
        if order["more"]:
            yield f"  ... and others of this form: {before}{order['pattern']}"
