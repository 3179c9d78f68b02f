"""`referee apply`: a submission is played."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from referee.errors import Usage

from .arguments import Takes
from .common import Json, Key, Saved, dealt, indented, path_of, posted, posted_data, read_input, seat_of, show, signing_key

if TYPE_CHECKING:
    from referee.block import Submission
    from referee.desk import Answer
    from referee.dispatch import Saves
    from referee.keys import SigningKey

_FENCED = rb"(?im)^\s*(?:\xef\xbb\xbf)?#\s*(?:referee|end)\b"
_SAID = {
    "accepted": "accepted",
    "in part": "accepted in part; what a die, a card or an answer had settled stands, the rest came back",
    "duplicate": "sent again; it was played before, and nothing was written. The first answer",
    "dry run": "would be accepted; this is a dry run, and nothing was written",
}


def apply(
    saved: Saved,
    move: Annotated[str, Takes("MOVE", "A mail's text or a signed move file; - reads it.")],
    seat: Annotated[str, Takes("NAME", "The moderator enters it for NAME; no code, plain lines will do.", "--seat")] = "",
    out: Annotated[str, Takes("NEXT", "For a single SAVE: where the next one goes.", "--out")] = "",
    dry_run: Annotated[bool, Takes("", "Write nothing, and stop before the first die.", "--dry-run")] = False,
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Verify, play a submission, write the next save and the reports of those concerned, and say which file goes to whom."""
    from referee.block import MAX_BYTES
    from referee.dispatch import open_saves

    signer = signing_key(key)
    saves = open_saves(path_of(saved), signer)
    data = read_input(move, MAX_BYTES)
    sent = _entered(saves, seat, data) if seat else _sent(data)
    answer = _play(saves, signer, sent, bool(seat), out, dry_run)
    show(_data(answer), _lines(answer), as_json)


def _sent(data: bytes) -> "Submission":
    from referee.block import read_submission

    return read_submission(data)


def _entered(saves: "Saves", seat: str, data: bytes) -> "Submission":
    """Return what the moderator enters for a seat: a block of that seat, or plain lines for the present stop."""
    m = dealt(saves).save.match
    seat_of(m, seat)
    if not re.search(_FENCED, data):
        data = f"#referee {m.id} {m.stop} {seat}\n".encode() + data + b"\n#end\n"
    sent = _sent(data)
    if sent.seat != seat:
        raise Usage(f"The block is of {sent.seat}, and --seat says {seat}.", "Name the seat of the block.")
    return sent


def _play(saves: "Saves", key: "SigningKey", sent: "Submission", moderator: bool, out: str, dry_run: bool) -> "Answer":
    from referee.chain import Chain
    from referee.desk import apply as play
    from referee.desk import apply_alone

    if isinstance(saves, Chain):
        if out:
            raise Usage("--out is for a single save; a folder numbers its saves by itself.", "Leave --out away.")
        return play(saves, key, sent, moderator=moderator, dry_run=dry_run)
    if not (out or dry_run):
        raise Usage("A single save needs --out NEXT.", "Say where the next save goes, or name the folder of the match.")
    return apply_alone(saves, key, sent, Path(out), moderator=moderator, dry_run=dry_run)


def _data(answer: "Answer") -> dict[str, Any]:
    names = ("status", "seat", "stop", "played", "waiting", "planned", "returned", "reason", "fence", "news")
    found = {name: getattr(answer, name) for name in names}
    return {**found, "save": answer.path, "deliveries": posted_data(answer.deliveries)}


def _lines(answer: "Answer") -> Iterator[str]:
    yield f"{answer.seat}: {_SAID[answer.status]}."
    titles = {"Played:": "played", "What comes of it:": "news", "Waiting:": "waiting"}
    titles |= {"Planned:": "planned", "Came back:": "returned"}
    for title, name in titles.items():
        if lines := getattr(answer, name):
            yield from (title, *indented(lines))
    if answer.reason:
        yield f"Why: {answer.reason}"
    if answer.fence:
        yield "What comes of the last line is not known before it is played."
    yield f"The match is at stop {answer.stop}." + (f" Save: {answer.path}" if answer.path else "")
    if answer.deliveries:
        yield from ("Send now:", *posted(answer.deliveries))
