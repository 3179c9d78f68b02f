"""`referee rule`: what a moderator may do to a match."""

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

from referee.errors import Usage

from .arguments import Takes
from .common import (
    NONE,
    Json,
    Key,
    chain_in,
    dealt,
    indented,
    pairs,
    posted,
    posted_data,
    printable,
    public_key,
    read_input,
    seat_of,
    show,
    signing_key,
)

if TYPE_CHECKING:
    from referee.chain import Chain, Link
    from referee.keys import SigningKey

MOST_SAVE = 4 * 1024 * 1024  # bytes
_TAKES = {
    "rollback": "SERIAL",
    "hold": "",
    "go": "",
    "correct": "EDITED.toml",
    "option": "K=V",
    "upgrade": "",
    "resign": "SEAT",
    "recode": "SEAT",
    "note": "TEXT",
    "extend": "[SEAT]",
    "substitute": "SEAT",
    "key": "SEAT=FILE",
    "forfeit": "SEAT",
    "draw": "",
}


def rule(
    folder: Annotated[str, Takes("DIR", "The folder of the match.")],
    ruling: Annotated[str, Takes("RULING", "One of those above.")],
    given: Annotated[list[str], Takes("[WHAT]", "What it takes.")] = NONE,
    why: Annotated[str, Takes("TEXT", "The reason, which all players read.", "--why")] = "",
    to: Annotated[str, Takes("SEAT", "A note for this seat alone.", "--to")] = "",
    until: Annotated[str, Takes("TIME", 'For extend: "2026-12-03 18:00", by the clock of the match.', "--until")] = "",
    address: Annotated[str, Takes("ADDRESS", "For substitute: where the new holder's reports go.", "--address")] = "",
    dry_run: Annotated[bool, Takes("", "Write nothing; show what each player would read.", "--dry-run")] = False,
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Make a ruling: rollback SERIAL, hold, go, correct EDITED.toml, option K=V, upgrade, resign SEAT, recode SEAT, note TEXT,
    extend [SEAT] --until TIME, substitute SEAT --address ADDRESS, key SEAT=FILE, forfeit SEAT, draw.

    Each is a save of its own, signed, with its reason, played again by `verify`, and read by all players. A rollback keeps
    the history, and never gives the old dice or piles again. A reason can betray a secret: look at it with --dry-run.
    """
    from referee.desk import rule as make
    from referee.desk import write_reports

    signer = signing_key(key)
    chain = chain_in(folder, signer)
    said, edited = _said(ruling, given, why, to), b""
    said |= _until(chain, ruling, until)
    if ruling == "correct":
        edited = read_input(said.pop("file"), MOST_SAVE)
    if said.get("serial", 0) > (latest := chain.store.latest_serial()):
        raise Usage(f"There is no save {said['serial']}.", f"The newest is {latest}.")
    _hand_over(chain, ruling, said, address, dry_run)
    link = make(chain, signer, said, edited=edited, dry_run=dry_run)
    if dry_run:
        readers = list(_readers(chain, link, signer))
        show({"dry_run": True, "ruling": ruling, "readers": readers}, _reader_lines(readers), as_json)
        return
    deliveries = write_reports(chain, link, signer)
    serial, stop = link.save.entry.serial, link.save.match.stop
    thing = {"ruling": ruling, "serial": serial, "stop": stop, "deliveries": posted_data(deliveries)}
    lines = [f"Ruled: {' '.join([ruling, *given])}. Save {serial}, stop {stop}.", "Send now:", *posted(deliveries)]
    show(thing, lines, as_json)


# What was typed


def _said(ruling: str, given: list[str], why: str, to: str) -> dict[str, Any]:
    """Return a ruling as the desk takes it.

    Raises:
        Usage: there is no such ruling, or it takes something else.
    """
    if ruling not in _TAKES:
        raise Usage(f"There is no ruling {ruling!r}.", f"There are: {', '.join(_TAKES)}.")
    if len(given) != bool(_TAKES[ruling]) and (given or ruling != "extend"):
        raise Usage(f"The ruling {ruling} takes {_TAKES[ruling] or 'nothing'}.", f"`referee rule DIR {_form(ruling)}`")
    if to and ruling != "note":
        raise Usage("--to is for a note alone; every other ruling is read by all.", "Leave --to away.")
    if not why and ruling != "note":
        raise Usage(f"The ruling {ruling} needs a reason, which all players read.", "Give it with --why TEXT.")
    said = {"ruling": ruling, "why": printable(why or "A note says it all.", "The reason")}
    return {**said, **(_PARTS[ruling](given[0]) if given else {}), **({"seat": to} if to else {})}


def _until(chain: "Chain", ruling: str, until: str) -> dict[str, str]:
    """Return until when time is extended, UTC; a time without a zone is that of the match's clock.

    Raises:
        Usage: it is no time, or for another ruling than extend.
    """
    if bool(until) != (ruling == "extend"):
        raise Usage("--until TIME belongs to the ruling extend, which needs it.", f"`referee rule DIR {_form('extend')}`")
    if not until:
        return {}
    from referee import clock

    try:
        return {"until": clock.typed(clock.read(chain.path) or clock.Settings(), until)}
    except ValueError:
        raise Usage(f"{until!r} is no time.", 'Write it as "2026-12-03 18:00".') from None


def _hand_over(chain: "Chain", ruling: str, said: dict[str, Any], address: str, dry_run: bool) -> None:
    """Write down who holds a seat now, before the ruling: no report for the new holder may go to the former one.

    Raises:
        Usage: another ruling has an address, or there is no such seat.
    """
    if address and ruling != "substitute":
        raise Usage("--address is for the ruling substitute alone.", "Leave it away.")
    if ruling != "substitute" or dry_run:
        return
    from referee.people import People, Person

    seat_of(dealt(chain).save.match, said["seat"])
    new = Person(printable(address, "The address", 254) if address else "")
    People(chain.path).change(said["seat"], **vars(new))


def _form(ruling: str) -> str:
    if ruling == "extend":
        return 'extend [SEAT] --until "2026-12-03 18:00" --why TEXT'
    return f"{ruling} {_TAKES[ruling]}".rstrip() + ("" if ruling == "note" else " --why TEXT")


def _serial(text: str) -> dict[str, Any]:
    if not re.fullmatch(r"[0-9]{1,9}", text):
        raise Usage(f"{text!r} is no number of a save.", "`referee verify DIR` lists them.")
    return {"serial": int(text)}


def _key(text: str) -> dict[str, Any]:
    ((seat, file),) = pairs([text], "key", "SEAT=FILE").items()
    return {"seat": seat, "key": public_key(file).hex}


def _option(text: str) -> dict[str, Any]:
    ((name, value),) = pairs([text], "option", "K=V").items()
    return {"option": name, "value": value}


_PARTS: dict[str, Callable[[str], dict[str, Any]]] = {
    "rollback": _serial,
    "correct": lambda text: {"file": text},
    "option": _option,
    "resign": lambda text: {"seat": text},
    "recode": lambda text: {"seat": text},
    "note": lambda text: {"text": printable(text, "The note")},
    "extend": lambda text: {"seat": text},
    "substitute": lambda text: {"seat": text},
    "key": _key,
    "forfeit": lambda text: {"seat": text},
}


# A dry run


def _readers(chain: "Chain", link: "Link", key: "SigningKey") -> Iterator[dict[str, Any]]:
    """Yield for each seat what the ruling tells it, and its whole report: unsigned, and without a code that never holds."""
    from referee import report
    from referee.components import folder_of
    from referee.desk import context
    from referee.engine import news

    m = link.save.match
    for seat in link.save.entry.reports:
        ready = context(chain, link, seat, key)
        ready["code"] = ""
        told = [event["text"] for event in news(m.game, m.events, seat)]
        yield {"seat": seat, "news": told, "report": report.render(ready, "text", folders=[folder_of(m.game)])}


def _reader_lines(readers: list[dict[str, Any]]) -> Iterator[str]:
    yield "Nothing was written. This is what each player would read."
    for reader in readers:
        yield from (f"\n==== {reader['seat']} is told:", *indented(reader["news"]), f"\n==== {reader['seat']}'s whole report:")
        yield reader["report"]
