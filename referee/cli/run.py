"""`referee run` and `referee status`: the desk at work, and where everything stands."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from referee.errors import RefereeError, Trouble, Usage

from .arguments import Takes
from .common import Json, Key, indented, path_of, show, signing_key

if TYPE_CHECKING:
    from referee.config import Config
    from referee.keys import SigningKey
    from referee.runner import Done

Desk = Annotated[str, Takes("CONFIG", "The desk: referee.toml, or its folder.")]
MOST_HOURS_WITHOUT_MAIL = 6
"""For so long fetching may fail before `status` says so by its exit status."""


def run(
    config: Desk,
    once: Annotated[bool, Takes("", "One round; the line for cron.", "--once")] = False,
    jobs: Annotated[int, Takes("N", "How many processes work at once.", "--jobs")] = 1,
    as_json: Json = False,
) -> None:
    """Fetch mail, play and answer it, look at the clocks, and send what is due: again and again, or --once.

    Two of them never get in each other's way: the second does nothing. It prints how many, and never what.
    """
    from referee.config import read_config

    desk = read_config(path_of(config))
    if not 1 <= jobs <= 64:
        raise Usage(f"{jobs} processes are out of bounds.", "Take 1 to 64.")
    if once:
        _one_round(desk, jobs, as_json)
        return
    while True:
        try:
            _one_round(desk, jobs, as_json)
        except RefereeError as error:  # a full disk or a server that is down may be mended by the next round
            print(f"referee: {error}", file=sys.stderr, flush=True)
        time.sleep(desk.pause)


def _one_round(desk: "Config", jobs: int, as_json: bool) -> None:
    from referee.locks import Locked
    from referee.runner import Office

    office = Office(desk, jobs=jobs, progress=progress)
    try:
        done = office.round()
    except Locked:
        show({"busy": True}, ["Another process is at work on this desk; there is nothing to do."], as_json)
        return
    finally:
        _clear()
    show_done(done, as_json)


def show_done(done: "Done", as_json: bool) -> None:
    """Print what a round came to.

    Raises:
        Trouble: something went wrong; the round is done all the same.
    """
    tally = done.tally
    thing = {"fetched": done.fetched, "handled": tally.handled, "refused": tally.refused, "left": tally.left}
    thing |= {"sent": done.sent, "postponed": done.postponed, "lost": done.lost}
    line = ", ".join(f"{name} {count}" for name, count in thing.items())
    show({**thing, "troubles": done.troubles}, [f"Mails: {line}."], as_json)
    if done.troubles:
        more = f" And {len(done.troubles) - 1} more." if done.troubles[1:] else ""
        raise Trouble(done.troubles[0] + more, "`referee status` shows where everything stands.")


def progress(what: str, done: int, of: int) -> None:
    """Show on a terminal how far a round is."""
    if sys.stderr is not None and sys.stderr.isatty():
        count = f" {done} of {of}" if of else ""
        sys.stderr.write(f"\r\x1b[K{what}{count}")
        sys.stderr.flush()


def _clear() -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write("\r\x1b[K")


# Where everything stands


def status(
    places: Annotated[list[str], Takes("DIR...|CONFIG", "Folders of matches, or a desk.")],
    now: Annotated[str, Takes("TIME", "The time, UTC; the present one by default.", "--now")] = "",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Show all matches: whose turn, since when, until when; tournaments; and what mail waits. Nothing hidden is shown.

    Its exit status is not 0 when no mail could be fetched for six hours, or a match cannot be read.
    """
    from referee.desk import now as present
    from referee.overview import row

    at = now or present()
    desk = _desk(places)
    signer = signing_key(key or (str(desk.key) if desk else ""))
    folders = _matches(desk) if desk else [path_of(place) for place in places]
    rows = [row(folder, signer) for folder in folders]
    mail = _mail(desk, at) if desk else {}
    events = _events(desk, signer) if desk else []
    show({"matches": rows, "events": events, "mail": mail}, _lines(rows, events, mail), as_json)
    if mail.get("silent"):
        said = f"No mail could be fetched for {mail['silent']} hours: {mail['trouble'] or 'no round has run'}"
        raise Trouble(said, "Look at the mailbox, and whether `referee run` is running.")
    if broken := [one for one in [*rows, *events] if one["trouble"]]:
        raise Trouble(f"{broken[0]['folder']}: {broken[0]['trouble']}", "`referee verify` says more.")


def _desk(places: list[str]) -> "Config | None":
    """Return the desk that was named; None if folders of matches were."""
    from referee.config import read_config

    first = path_of(places[0])
    if len(places) == 1 and (first.is_file() or (first / "referee.toml").exists()):
        return read_config(first)
    return None


def _matches(desk: "Config") -> list[Path]:
    if not desk.matches.is_dir():
        return []
    return sorted(path for path in desk.matches.iterdir() if (path / "0000.toml").exists())


def _events(desk: "Config", key: "SigningKey") -> list[dict[str, Any]]:
    """Return how each tournament of a desk stands, in a line; its matches are told of by `referee tournament status`."""
    if not desk.tournaments.is_dir():
        return []
    from referee.tournament.rooms import events_in, row

    return [row(folder, key) for folder in events_in(desk.tournaments)]


def _mail(desk: "Config", at: str) -> dict[str, Any]:
    """Return how mail goes: what waits, and since when nothing could be fetched."""
    from referee.mail.inbox import Inbox
    from referee.mail.outbox import Outbox
    from referee.runner import read_fetch

    fetch = read_fetch(desk)
    with Outbox(desk.desk / "outbox") as outbox:
        out = outbox.status()
    waiting = len(Inbox(desk.desk / "inbox").entries())
    found = {"in": waiting, "out": out.waiting, "held": out.held, "lost": out.lost, "sending": out.trouble}
    last = fetch.get("complete", "") or fetch.get("first", "")
    found |= {"matches": out.matches, "fetched": fetch.get("complete", ""), "trouble": fetch.get("trouble", ""), "silent": 0}
    if desk.source.kind and last and (hours := _hours(last, at)) >= MOST_HOURS_WITHOUT_MAIL:
        found["silent"] = hours
    return found


def _hours(first: str, last: str) -> int:
    from referee.clock import utc

    return int((utc(last) - utc(first)).total_seconds() // 3600)


def _lines(rows: list[dict[str, Any]], events: list[dict[str, Any]], mail: dict[str, Any]) -> Iterator[str]:
    waiting = mail.get("matches", {})
    for one in rows:
        yield f"{one['match'] or one['folder']}  {one['title']}, stop {one['stop']}: {one['state']}"
        yield from indented(one["asked"])
        if count := waiting.get(one["match"]):
            yield f"  {count} mails wait to be sent."
    for one in events:
        yield f"{one['event'] or one['folder']}  tournament, {one['state']}"
    if not (rows or events):
        yield "There are no matches."
    if mail:
        counts = f"{mail['out']} to be sent, {mail['held']} held for a digest, {mail['lost']} given up"
        yield f"Mail: {mail['in']} to be handled, {counts}."
        yield f"Last complete fetch: {mail['fetched'] or 'none'}." + (f" {mail['trouble']}" if mail["trouble"] else "")
        if mail["sending"]:
            yield f"Nothing can be sent: {mail['sending']}"
