"""`referee mail`: mails in and out, by hand or by a mail server's pipe."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from referee.errors import RefereeError, Refused, Trouble, Usage

from .arguments import Command, Takes
from .common import NONE, Json, path_of, show
from .run import Desk, progress, show_done

if TYPE_CHECKING:
    from referee.config import Config

MOST_MAIL = (1 << 20) + 1  # bytes: one more than is ever read, so that a mail that is too long is seen to be so


def _config(name: str) -> "Config":
    from referee.config import read_config

    return read_config(path_of(name))


def accept(
    config: Desk,
    keep: Annotated[bool, Takes("", "Only keep it; the next round works on it.", "--keep")] = False,
) -> None:
    """Take one mail from standard input, for the pipe of a mail server; play it, and send the answer at once.

    When it ends with status 0 the mail is safe; with 75 the mail server has to offer it again. While a round of `referee run`
    is at work, the mail is kept for the next.
    """
    import sys

    raw = sys.stdin.buffer.read(MOST_MAIL)
    if not raw.strip():
        raise Refused("There is no mail on standard input.", "Let the mail server pipe the whole message into it.")
    try:
        desk = _kept(config, raw)
    except (RefereeError, OSError) as error:
        # Any other status than 75 would make the server return the mail to its sender.
        raise TryAgain(f"The mail could not be kept: {error}", "The mail server keeps it and tries again.") from None
    if not keep:
        _work_on(desk)


class TryAgain(Trouble):
    """A mail that a mail server has to offer again; the status is that of sysexits.h."""

    exit_code = 75


def _kept(config: str, raw: bytes) -> "Config":
    """Keep a mail in the inbox of a desk, and return the desk."""
    from referee.desk import now
    from referee.mail.inbox import Inbox
    from referee.mail.mailboxes import received_of
    from referee.runner import make_desk

    desk, at = _config(config), now()
    make_desk(desk)
    # A mail that waited in the server's queue came when the server says so, but never later than now.
    Inbox(desk.desk / "inbox").store(raw, min(received_of(raw, at), at), "a pipe")
    return desk


def _work_on(desk: "Config") -> None:
    """Work on the inbox now if nobody else does. The mail is safe, so that no trouble here may become the server's."""
    import sys

    from referee.locks import Locked
    from referee.runner import Office

    try:
        troubles = Office(desk).without_fetching().troubles
    except Locked:
        return
    except (RefereeError, OSError) as error:
        troubles = [str(error)]
    if troubles:
        print(f"referee: {troubles[0]} The mail is kept; the next round works on it.", file=sys.stderr)


def fetch(
    config: Desk,
    files: Annotated[list[str], Takes("[FILE...]", "Files of single mails instead of the mailbox.")] = NONE,
    as_json: Json = False,
) -> None:
    """Read new mail into the inbox, from the mailbox of the desk or from `.eml` files; nothing is played."""
    from referee.desk import now
    from referee.mail import mailboxes
    from referee.mail.inbox import Inbox
    from referee.runner import make_desk, note_fetch

    desk = _config(config)
    make_desk(desk)
    inbox = Inbox(desk.desk / "inbox")
    if files:
        found = mailboxes.read_files([Path(name) for name in files], inbox, now())
    else:
        found = mailboxes.fetch(desk.source, inbox, now())
        note_fetch(desk, found.began, found.complete, found.trouble)
    thing = {"count": found.count, "complete": found.complete, "trouble": found.trouble, "waiting": len(inbox.entries())}
    show(thing, [f"{found.count} mails were read; {thing['waiting']} wait to be handled."], as_json)
    if found.trouble:
        raise Trouble(found.trouble)


def send(config: Desk, as_json: Json = False) -> None:
    """Send what is due in the outbox."""
    from referee.runner import Office, make_desk

    desk = _config(config)
    if not desk.target.kind:
        raise Usage("The configuration does not say how mail is sent.", "Add a section [send] to referee.toml.")
    make_desk(desk)
    office = Office(desk, progress=progress)
    office.send()
    show_done(office.done, as_json)


def resend(
    config: Desk,
    pattern: Annotated[str, Takes("WHICH", "A match, match/seat, an address or a key; * and ? stand for anything.")],
    as_json: Json = False,
) -> None:
    """Make mails due again that were sent or given up; the next `send` or `run` sends them."""
    from referee.mail.outbox import Outbox

    desk = _config(config)
    with Outbox(desk.desk / "outbox") as outbox:
        keys = outbox.resend(pattern)
    if not keys:
        raise Refused(f"No mail in the outbox is meant by {pattern!r}.", "Quote the pattern; `referee mail status` lists them.")
    show({"keys": keys}, [f"{len(keys)} mails are due again:", *keys], as_json)


def status(config: Desk, as_json: Json = False) -> None:
    """Show what waits in the inbox and the outbox, what was refused and why, and what could not be delivered."""
    from referee.mail.inbox import Inbox
    from referee.mail.outbox import Outbox

    desk = _config(config)
    inbox = Inbox(desk.desk / "inbox")
    with Outbox(desk.desk / "outbox") as outbox:
        thing = {
            "in": [vars(entry) for entry in inbox.entries()],
            "refused": inbox.refused(),
            "out": vars(outbox.status()),
            "lost": [vars(one) for one in outbox.lost()],
        }
    show(thing, _status_lines(thing), as_json)


def _status_lines(thing: dict[str, Any]) -> Iterator[str]:
    out = thing["out"]
    yield f"Inbox: {len(thing['in'])} to be handled, {len(thing['refused'])} refused."
    yield from (f"  refused {key[:16]}: {reason}" for key, reason in thing["refused"].items())
    yield f"Outbox: {out['waiting']} to be sent, {out['held']} held for a digest, {out['sent']} sent, {out['lost']} given up."
    yield from (f"  given up: {one['key']} to {one['to']}: {one['reason']}" for one in thing["lost"])
    if out["trouble"]:
        yield f"Nothing can be sent since {out['since']}: {out['trouble']}"


def address(
    config: Desk,
    match: Annotated[str, Takes("MATCH", "The name of the match.")],
    seat: Annotated[str, Takes("SEAT=ADDRESS", "The seat and its new address.")],
) -> None:
    """Give a seat another address, at the moderator's word; codes of older mails hold no longer.

    Before the match has begun, an invitation goes to the new address.
    """
    from referee.desk import now
    from referee.keys import SigningKey
    from referee.mail.deeds import move_to
    from referee.mail.mailer import Mailer
    from referee.mail.notices import invite
    from referee.mail.outbox import Outbox
    from referee.mail.tables import Tables

    desk = _config(config)
    key = SigningKey.load(desk.key)
    chain = Tables(desk.matches, key, desk.tournaments).chain(match)
    if chain is None:
        raise Usage(f"There is no match {match!r} in {desk.matches}.", "`referee status` lists them.")
    name, _, new = seat.partition("=")
    move_to(chain, key, name, new, now())
    if chain.latest().save.match.table is None:
        with Outbox(desk.desk / "outbox") as outbox:
            invite(chain, name, Mailer(desk, key, outbox, now()), f"invitation {match} {name} {new}")
            outbox.flush()
    show({}, [f"{name} of {match} gets mail at {new} from now on; the next round sends it."], False)


mail: dict[str, Command] = {
    "accept": accept,
    "fetch": fetch,
    "send": send,
    "resend": resend,
    "status": status,
    "address": address,
}
"""The commands of the group."""
