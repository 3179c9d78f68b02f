"""Mail from a server that speaks IMAP over TLS.

What is new is told by UIDs, not by `\\Seen`: somebody may read the mailbox too. When the server numbers its mails anew
(another UIDVALIDITY), everything is looked at that is unread or came since shortly before the last look; what is here
already is known by its bytes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from datetime import UTC, timedelta
from typing import Any

import imapclient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, LoginError

from ..config import Source
from ..errors import Trouble
from .rounds import LOST, MOST_BYTES, Mark, Round, batches
from .spool import moment, one_line, utc
from .tls import check_security, trusting

TIMEOUT = 60.0
"""Seconds to wait for an answer of the server."""
_OVERLAP = timedelta(days=2)  # IMAP searches by day, in the zone of the server
_FACTS = ("RFC822.SIZE", "INTERNALDATE")


def read_imap(source: Source, look: Round) -> None:
    """Read what is new on the server into the inbox, then mark it there.

    Args:
        source: the server and the mailbox on it.
        look: takes the mails.

    Raises:
        Trouble: the server cannot be reached, or the connection is lost; what was read until then is safe.
        Usage: the connection would not be encrypted.
    """
    with _told(source), _opened(source) as client:
        box = client.select_folder(source.folder)
        validity = box.get(b"UIDVALIDITY", 0)
        uids = _candidates(client, look.mark, validity)
        if look.mark.validity != validity:
            look.mark.validity, look.mark.uid, look.mark.failing = validity, 0, {}
        for batch in batches(uids):
            kept = _read_batch(client, batch, look)
            look.settle()
            _mark(client, kept, source, look)
            look.mark.uid = max(look.mark.uid, *batch)
            look.remember()


def _candidates(client: imapclient.IMAPClient, mark: Mark, validity: int) -> list[int]:
    """Return the UIDs that may be new, the lowest first."""
    if mark.validity == validity:
        found = client.search(["UID", f"{mark.uid + 1}:*"])
        # The star stands for the last mail, even if that lies below the first number.
        fresh = {uid for uid in found if uid > mark.uid}
        return sorted(fresh | {int(uid) for uid in mark.failing})
    if mark.validity == LOST:
        return sorted(client.search("ALL"))
    if not mark.began:
        return sorted(client.search("UNSEEN"))
    since = (moment(mark.began) - _OVERLAP).date()
    return sorted({*client.search("UNSEEN"), *client.search(["SINCE", since])})


def _read_batch(client: imapclient.IMAPClient, uids: list[int], look: Round) -> list[int]:
    """Keep some mails and return the UIDs of those that were kept."""
    facts = client.fetch(uids, _FACTS)
    for uid in set(uids) - facts.keys():
        look.mark.failing.pop(str(uid), None)  # somebody has taken it away
    small = [uid for uid in uids if facts.get(uid, {}).get(b"RFC822.SIZE", MOST_BYTES) < MOST_BYTES]
    bodies = _fetch_bodies(client, small, "BODY.PEEK[]", look)
    for uid in set(facts) - set(small):
        bodies |= _fetch_bodies(client, [uid], f"BODY.PEEK[]<0.{MOST_BYTES}>", look)
    for uid, raw in sorted(bodies.items()):
        look.keep(str(uid), raw, _received(facts[uid], look))
    return sorted(bodies)


def _fetch_bodies(client: imapclient.IMAPClient, uids: Sequence[int], part: str, look: Round) -> dict[int, bytes]:
    try:
        rows = client.fetch(uids, [part])
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        if len(uids) == 1:
            look.fail(str(uids[0]), one_line(str(error)))
            return {}
        # One of them makes the server refuse all: each by itself, then.
        return {uid: raw for one in uids for uid, raw in _fetch_bodies(client, [one], part, look).items()}
    found = {uid: _body(row) for uid, row in rows.items()}
    for uid in [uid for uid, raw in found.items() if raw is None]:
        look.fail(str(uid), "the server sends nothing")
    return {uid: raw for uid, raw in found.items() if raw is not None}


def _body(row: dict[bytes, Any]) -> bytes | None:
    return next((value for name, value in row.items() if name.startswith(b"BODY[]")), None)


def _received(facts: dict[bytes, Any], look: Round) -> str:
    date = facts.get(b"INTERNALDATE")
    return utc(date.astimezone(UTC).timestamp()) if date else look.began


def _mark(client: imapclient.IMAPClient, uids: list[int], source: Source, look: Round) -> None:
    """Mark mails on the server. That it refuses does no harm to what is read, and is told."""
    if not uids:
        return
    try:
        client.add_flags(uids, [imapclient.SEEN], silent=True)
        if source.done:
            _move(client, uids, source.done)
    except IMAPClientAbortError:
        raise
    except IMAPClientError as error:
        look.trouble = f"Mails that were fetched could not be marked on the server: {one_line(str(error))}."


def _move(client: imapclient.IMAPClient, uids: list[int], folder: str) -> None:
    if not client.folder_exists(folder):
        with contextlib.suppress(IMAPClientError):  # another process may be quicker
            client.create_folder(folder)
    if client.has_capability("MOVE"):
        client.move(uids, folder)
        return
    client.copy(uids, folder)
    client.delete_messages(uids, silent=True)
    # A plain EXPUNGE would also take what others have marked as deleted.
    if client.has_capability("UIDPLUS"):
        client.uid_expunge(uids)


@contextlib.contextmanager
def _opened(source: Source) -> Iterator[imapclient.IMAPClient]:
    check_security(source.host, source.security)
    password, context = source.secret.read(), trusting(source.certificate)
    client = imapclient.IMAPClient(source.host, source.port, ssl=source.security == "tls", ssl_context=context, timeout=TIMEOUT)
    try:
        client.normalise_times = False
        if source.security == "starttls":
            client.starttls(context)
        client.login(source.user, password)
        yield client
    finally:
        _leave(client)


def _leave(client: imapclient.IMAPClient) -> None:
    try:
        client.logout()
    except (OSError, IMAPClientError):
        with contextlib.suppress(OSError, IMAPClientError):
            client.shutdown()


@contextlib.contextmanager
def _told(source: Source) -> Iterator[None]:
    where = f"{source.host} port {source.port}"
    try:
        yield
    except LoginError as error:
        said = f"{where} refuses the login of {source.user}: {one_line(str(error))}."
        raise Trouble(said, "Check user and password in [fetch].") from None
    except (OSError, IMAPClientError) as error:
        reason = one_line(getattr(error, "strerror", None) or str(error) or type(error).__name__)
        raise Trouble(
            f"The mailbox {source.folder} at {where} cannot be read: {reason}.", "The next look will try again."
        ) from None
