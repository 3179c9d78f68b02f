"""`referee tick`: what time does to matches."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

from referee.errors import Usage

from .arguments import Takes
from .common import Json, Key, chain_in, show, signing_key

if TYPE_CHECKING:
    from referee.tick import Notice


def tick(
    folders: Annotated[list[str], Takes("DIR...", "The folders of matches.")],
    now: Annotated[str, Takes("TIME", "The time, UTC, as 2026-12-03T18:00:00Z; the present one by default.", "--now")] = "",
    mail_waits: Annotated[bool, Takes("", "Mail may still wait unread, so no deadline takes effect.", "--mail-waits")] = False,
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Do what is due in matches kept by hand: say which reminders to send, and let deadlines take effect.

    It may run at any time, late or twice. Enter all mail before: a deadline takes effect for whoever has not answered by then.
    `referee run` does this by itself.
    """
    from referee.clock import text_of, utc
    from referee.desk import now as present
    from referee.tick import Fetched
    from referee.tick import tick as look

    try:
        at = text_of(utc(now)) if now else present()
    except ValueError:
        raise Usage(f"{now!r} is no time.", "Write it in UTC, as 2026-12-03T18:00:00Z.") from None
    signer = signing_key(key)
    fetched = None if mail_waits else Fetched(at)
    notices = [notice for folder in folders for notice in look(chain_in(folder, signer).path, signer, at, fetched)]
    show({"now": at, "notices": [vars(notice) for notice in notices]}, _lines(notices), as_json)


def _lines(notices: "list[Notice]") -> Iterator[str]:
    if not notices:
        yield "Nothing is due."
    for notice in notices:
        yield f"{notice.match}, stop {notice.stop}, to {notice.to}: {notice.kind}. {notice.text}"
