"""What a mail asks for: a block of orders, a signed move, a dry run, help, or a few lines above the mail it replies to.

A block in the writer's own words wins over everything else. What is quoted is never played, at any depth. Where a mail
can be meant in two ways, nothing is chosen: it is a question to its writer.
"""

from __future__ import annotations

import re
from itertools import pairwise

from referee.block import MAX_LINE, Submission, read_submission, tidy
from referee.errors import Unreadable
from referee.fields import dataclass, replace

from .message import Message
from .quoting import fresh, opening, parted

MAX_BLOCKS = 20  # in one text

CHECK = "check"
HELP = "help"

_HEADER = re.compile(r"(?im)^[^\S\n]*#\s*referee(?=\s|\Z)")
_REMOVED = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff]")
_BULLET = re.compile(r"\A(?:[-*\u2022\u2023\u00b7\u25cf]|\d{1,2}[.)])\s+(?=\S)")
_SIGNED = re.compile(r"(?ms)^-----BEGIN PGP SIGNED MESSAGE-----\n(?:\S[^\n]*\n)*\n?(.*?)^-----BEGIN PGP SIGNATURE-----.*")
_SENTENCES = {
    "two": ("The mail has two different blocks of orders.", "Send one block with all your orders."),
    "moves": ("The mail has a block of orders and a signed move, and they differ.", "Send one of them."),
    "empty": (
        "The block in the mail has no line in it.",
        "Write your orders between the line `#referee ...` and the line `#end`, one a line.",
    ),
    "quoted": (
        "The block of orders stands in the quoted part of the mail, and what is quoted is never played.",
        "Copy the block above the quotation, or write your orders there, one a line.",
    ),
    "below": (
        "No orders stand above the quotation, and what stands below or between quoted lines is not read without a block.",
        "Write your orders above the quotation, one a line, or send the whole block.",
    ),
    "nothing": (
        "There are no orders in the mail.",
        "Reply with your orders on the first lines, one a line, or send the block from your report.",
    ),
}


@dataclass
class Letter:
    """What a mail asks for.

    message: the mail. submission: its one block or signed move, None if there is none. asks: "check" for a dry run of the
    submission or the lines, "help" for the guide, "" otherwise. lines: of a reply without a block, the lines above the
    quotation up to the first blank line or the signature. rest: what the writer says after them, which is not read.
    trouble, help: why nothing can be read, and the way out, in one sentence each; "" if something can be read.
    question: the mail can be meant in two ways, and trouble asks which.
    """

    message: Message
    submission: Submission | None = None
    asks: str = ""
    lines: tuple[str, ...] = ()
    rest: str = ""
    trouble: str = ""
    help: str = ""
    question: bool = False


def read_letter(message: Message) -> Letter:
    """Return what a mail asks for. It always returns; what cannot be read is told in the letter.

    Example:
        >>> letter = read_letter(Message(b"", texts=("Load green.\\nroll\\n\\nSee you!\\n\\n> #referee cl-7k3q 12 alice",)))
        >>> letter.lines, letter.rest, letter.trouble
        (('Load green', 'roll'), 'See you!', '')
        >>> text = "#referee cl-7k3q 12 alice K7QF-2M9X-44TD\\ncheck\\nroll\\n#end\\n"
        >>> letter = read_letter(Message(b"", texts=(text,)))
        >>> letter.asks, letter.submission.lines
        ('check', ('roll',))
    """
    texts = tuple(map(_unsigned, message.texts))
    try:
        found = _submissions(texts, message.moves)
        return _with_block(message, found) if found else _without_block(message, texts)
    except Unreadable as error:
        return Letter(message, trouble=error.sentence, help=error.help)


def _unsigned(text: str) -> str:
    """Return a text without the armour of a signature inside it. Source: RFC 4880, section 7."""
    text = re.sub("\r\n?", "\n", text)
    inside = _SIGNED.search(text) if "-----BEGIN PGP SIGNED" in text else None
    return re.sub(r"(?m)^- ", "", inside[1]) if inside else text


def _submissions(texts: tuple[str, ...], moves: tuple[bytes, ...]) -> list[Submission]:
    """Return what the blocks and moves say that the writer wrote, each once. Raises Unreadable."""
    different: list[Submission] = []
    for data in [*moves, *(block for text in texts for block in _blocks(fresh(text)))]:
        if (one := read_submission(data)) not in different:
            different.append(one)
    return different


def _blocks(text: str) -> list[bytes]:
    """Return each block of a text with what follows it, and above it as many line ends as its number asks for."""
    text = _REMOVED.sub("", text) if "#" in text else ""
    starts = [found.start() for found in _HEADER.finditer(text)]
    if len(starts) > MAX_BLOCKS:
        raise Unreadable(f"The mail has more than {MAX_BLOCKS} blocks of orders.", _SENTENCES["two"][1])
    pieces = [(text.count("\n", 0, start), text[start:end]) for start, end in pairwise([*starts, len(text)])]
    return [("\n" * above + piece).encode("utf-8", "replace") for above, piece in pieces]


def _with_block(message: Message, found: list[Submission]) -> Letter:
    filled = [one for one in found if one.lines]
    signed = [one for one in filled if one.signed]
    if len(signed) == 1 and all(_alike(one, signed[0]) for one in filled):
        filled = signed  # the move, and the block that it was made from
    if len(filled) > 1:
        return _trouble(message, "moves" if signed else "two", question=True)
    if filled:
        return _asked(Letter(message, submission=filled[0]))
    if message.replies_to and (plain := _plain(message)).lines:
        return replace(plain, rest="")  # the empty block belongs to a report that is quoted in a way that nobody marks
    return replace(_trouble(message, "empty"), submission=found[0])


def _alike(one: Submission, move: Submission) -> bool:
    return (one.match, one.stop, one.seat, one.lines) == (move.match, move.stop, move.seat, move.lines)


def _asked(letter: Letter) -> Letter:
    """Take a first line `check` or `help` for what it asks; a signed move stays as it was signed."""
    submission = letter.submission
    if submission is None or not submission.lines or submission.signed:
        return letter
    asks = _asks(submission.lines[0])
    return replace(letter, asks=asks, submission=replace(submission, lines=submission.lines[1:])) if asks else letter


def _asks(line: str) -> str:
    word = line.strip(" .!?:").casefold()
    return word if word in (CHECK, HELP) else ""


def _without_block(message: Message, texts: tuple[str, ...]) -> Letter:
    letter = _plain(message)
    if letter.lines or letter.asks:
        return letter
    if any(map(_quotes_orders, texts)):
        return _trouble(message, "quoted")
    if any(fresh(text).strip() for text in texts[:1]):
        return _trouble(message, "below")
    sentence, help = _SENTENCES["nothing"]
    return Letter(message, trouble=" ".join([sentence, *message.notes]), help=help)


def _plain(message: Message) -> Letter:
    """Return the letter of a reply without a block. Raises Unreadable if its lines are no order lines."""
    first, rest = opening(_unsigned(message.texts[0]) if message.texts else "")
    end = next((at for at, line in enumerate(first) if _HEADER.match(line)), len(first))
    lines = tuple(filter(None, map(_uncorrected, first[:end])))
    asks = _asks(lines[0]) if lines else ""
    return Letter(message, asks=asks, lines=lines[1:] if asks else lines, rest=rest)


def _uncorrected(line: str) -> str:
    """Return a line without what a telephone or a habit put around it: a bullet, a full stop."""
    line = _BULLET.sub("", tidy(line))
    if len(line) > MAX_LINE:
        raise Unreadable(f"The line {line[:40]!a}... has more than {MAX_LINE} characters.", "Write one order a line.")
    # What follows a colon is speech, and keeps its full stop.
    return line if ":" in line else line.rstrip(" .,;!\u2026")


def _quotes_orders(text: str) -> bool:
    """Tell whether a block with lines stands in the quoted part of a text."""
    quoted = "\n".join(re.sub(r"^[> ]+", "", line) for own, line in parted(text) if not own)
    try:
        return any(read_submission(block).lines for block in _blocks(quoted))
    except Unreadable:
        return True  # a broken one, which its writer may have taken for his own


def _trouble(message: Message, key: str, question: bool = False) -> Letter:
    sentence, help = _SENTENCES[key]
    return Letter(message, trouble=sentence, help=help, question=question)
