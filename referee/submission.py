"""Who sent this, and to which stop: turn codes, signed move files, stale and repeated submissions."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import Any

from .anytime import is_late_talk
from .block import Submission, verify_move
from .chain import Link, opened_hash
from .errors import NotNow, Refused
from .keys import PublicKey, SigningKey, same_code, turn_code
from .match import Match

LONGEST_TALK = 100
"""For how many stops lines for one that has passed are taken, if they answer no question; stops are what all know."""
MOST_AT_A_STOP = 30
"""How many mails a seat may send at one stop that bring the match no further."""
_CODE_HELP = "Copy the whole block from your newest report."


def code_for(key: SigningKey, m: Match, seat: str, stop: int, opened: str) -> str:
    """Return the turn code of a seat's present holder at a stop.

    Args:
        key: the referee's key.
        m: the match.
        seat: the seat.
        stop: the stop.
        opened: the hash of the save that opened it, 64 hex digits.
    """
    return turn_code(key.derive("turn code"), m.id, stop, seat, m.holders[seat], opened)


def check_address(m: Match, sent: Submission) -> None:
    """Check that a submission is meant for this match and a seat of it.

    Raises:
        Refused: it is not.
    """
    if sent.match != m.id:
        raise Refused(f"This submission is for the match {sent.match}, and this is {m.id}.", _CODE_HELP)
    if sent.seat not in m.seats:
        raise Refused(f"The match {m.id} has no seat {sent.seat!r}; its seats are {', '.join(m.seats)}.", _CODE_HELP)


def authenticate(key: SigningKey, link: Link, sent: Submission, stop: int, opened: str) -> str:
    """Return what vouches for a submission: `code` or `key`.

    Args:
        key: the referee's key.
        link: the newest save, for holders and registered keys.
        sent: the submission.
        stop: the stop that it names.
        opened: the hash of the save that opened that stop.

    Raises:
        Refused: code or signature is missing or does not fit.
    """
    m, seat = link.save.match, sent.seat
    if sent.signed:
        _check_signature(link, sent, opened)
        return "key"
    if not sent.code:
        raise Refused(f"The turn code of {seat} is missing.", _CODE_HELP)
    if not same_code(sent.code, code_for(key, m, seat, stop, opened)):
        raise Refused(f"The turn code is not that of {seat} at stop {stop}.", _CODE_HELP)
    return "code"


def _check_signature(link: Link, sent: Submission, opened: str) -> None:
    registered = link.save.entry.keys.get(sent.seat)
    if registered is None:
        raise Refused(f"No key of {sent.seat} is registered, so no move file is taken.", "Send a block with a turn code.")
    public = PublicKey.from_bytes(bytes.fromhex(registered))
    if not verify_move(sent, public):
        raise Refused(f"The signature is not that of {sent.seat}'s key {public.fingerprint}.", "Sign with the registered key.")
    if sent.opened != opened or sent.holder != link.save.match.holders[sent.seat]:
        raise Refused("The move file is signed for another branch of the match, or another holder.", _CODE_HELP)


def check_open(m: Match, sent: Submission) -> None:
    """Check that a match takes submissions for the stop named; orders that may be given at any time may name an earlier one.

    Raises:
        NotNow: the stop has passed or is not there yet, the match is halted or over.
    """
    if m.table is None:
        raise NotNow("The match has not begun.", "Wait for your first report.")
    if sent.stop != m.stop and (sent.signed or not is_late_talk(m, sent.stop, sent.lines)):
        how = "has passed" if sent.stop < m.stop else "is not there yet"
        raise NotNow(f"Stop {sent.stop} {how}; the match is at stop {m.stop}.", "Answer your newest report.")
    if m.over:
        raise NotNow("The match is over.", "There is nothing more to send.")
    if m.held:
        raise NotNow("The moderator has halted the match.", "Send it again when the moderator lets it go on.")


# Earlier saves of the same chain

Sections = Callable[[int, str], dict[str, Any]]
"""Returns one section of an earlier save, by its serial and name."""


def _after_stop(link: Link, stop: int, section: Sections) -> int:
    """Return the serial of the first save of a later stop; one more than the newest when there is none.

    Stops never fall, so that halving finds it: a mail of long ago, or of a stranger, must not cost the whole chain.
    """
    if stop >= link.save.match.stop:
        return link.save.entry.serial + 1
    return bisect_right(range(link.save.entry.serial), stop, key=lambda serial: section(serial, "match")["stop"])


def opened_at(link: Link, stop: int, section: Sections) -> str:
    """Return the hash of the save that opened a stop; "" when there was none."""
    if stop == link.save.match.stop:
        return opened_hash(link)
    first = _after_stop(link, stop - 1, section)
    if first > link.save.entry.serial or section(first, "match")["stop"] != stop:
        return ""
    following: str = section(first + 1, "match")["previous"]
    return following


def repeated(link: Link, sent: Submission, section: Sections) -> dict[str, Any] | None:
    """Return the move that an equal submission led to, if it was played already.

    At the present stop only the seat's last one counts, since a newer answer may replace an older.
    """
    newest = link.save.entry.serial
    # The save that opened the next stop holds the last move that was played on this one.
    for serial in range(min(_after_stop(link, sent.stop, section), newest), 0, -1):
        if section(serial - 1, "match")["stop"] < sent.stop:
            return None
        move = link.save.entry.move if serial == newest else section(serial, "move")
        if move["kind"] == "lines" and move["seat"] == sent.seat and move["stop"] == sent.stop:
            if tuple(move["lines"]) == sent.lines:
                return move
            if sent.stop == link.save.match.stop:
                return None
    return None


def late_talk(link: Link, sent: Submission, section: Sections) -> dict[str, Any] | None:
    """Look at what was played since a stop that has passed, for lines that answer no question.

    Returns:
        The move that an equal submission led to, if it was played already.

    Raises:
        NotNow: too much was played since, or the moderator has changed the match, so that the lines may mean something else.
    """
    newest, first = link.save.entry.serial, _after_stop(link, sent.stop, section)
    changed = NotNow(
        "Too much has happened since your report for these lines to be certain.", "Send them with your newest report."
    )
    if link.save.match.stop - sent.stop > LONGEST_TALK:
        raise changed
    for serial in range(newest, first - 1, -1):
        move = link.save.entry.move if serial == newest else section(serial, "move")
        if move.get("ruling") in ("rollback", "correct"):
            raise changed
        if move["kind"] == "lines" and (move["seat"], move["stop"], tuple(move["lines"])) == (sent.seat, sent.stop, sent.lines):
            return move
    return None


def check_patience(link: Link, after: Match, seat: str, section: Sections) -> None:
    """Check that a seat does not go on sending mails that bring the match no further.

    Each of them is a save, and whoever reports the stop reads them all. A first answer to a sealed question always passes.

    Args:
        link: the save that the mail was played on.
        after: the match that it leads to.
        seat: who sent it.
        section: reads earlier saves.

    Raises:
        NotNow: the seat has sent `MOST_AT_A_STOP` mails at this stop.
    """
    before = link.save.match
    if after.stop != before.stop or after.sealed.keys() - before.sealed.keys():
        return
    sent = sum(move["kind"] == "lines" and move["seat"] == seat for move in _moves_at_stop(link, section))
    if sent >= MOST_AT_A_STOP:
        raise NotNow(
            f"You have sent {sent} mails at stop {before.stop} that left it as it is.",
            "Wait until the match moves on, or ask the moderator.",
        )


def _moves_at_stop(link: Link, section: Sections) -> Iterator[dict[str, Any]]:
    """Yield the moves that were made at the present stop, the newest first."""
    serial, head = link.save.entry.serial, {"opened": link.save.entry.opened_hash}
    while head.get("opened"):
        yield link.save.entry.move if serial == link.save.entry.serial else section(serial, "move")
        serial -= 1
        head = section(serial, "match")
