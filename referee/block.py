"""Orders as they come in: a fenced block in a text, or a signed move file.

Here a submission is taken out of whatever a mail program made of it, and nothing is believed yet: match, stop, seat and
code are words that somebody wrote. Every limit is checked before the work that it limits. A move file is read by
pattern, line for line as it is written, because a TOML parser is no place for bytes that are not verified.
"""

from __future__ import annotations

import re
import unicodedata

from referee import canon, envelope
from referee.errors import Unreadable, Unverified
from referee.fields import dataclass, replace
from referee.keys import PublicKey, SigningKey, tidy_code

MAX_BYTES = 256 * 1024  # of a whole submission
MAX_LINES = 200  # between header and end of a block
MAX_LINE = 200  # characters
MAX_WORD = 64  # characters of a match's or a seat's name
MAX_NUMBER = 9  # digits

_FORM = (
    "Send the block from your report: a line `#referee MATCH STOP SEAT CODE`, one order a line, and a line `#end`, "
    "none of them behind a `>`."
)
_MOVE_FORM = "Sign it again with `referee sign` and attach the file as it is."

_BREAK = re.compile("\r\n|[\r\n\v\f\x85\u2028\u2029]")
_HEADER = re.compile(r"#\s*referee(?:\s|\Z)", re.IGNORECASE)
_END = re.compile(r"#\s*end\Z", re.IGNORECASE)
# White space may be a line end: at 76 columns a mail program wraps this line, and no other.
_OPENED = r"(?im)^#\s*opened\s+([0-9a-f]{64})\s+holder\s+([0-9]{1,9})$"
_HASH = r"[0-9a-f]{64}"
_CODE = r"[A-Z0-9]{12}"  # a wrong letter is for the caller to refuse, like any wrong code

_INVISIBLE = "\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe00-\ufe0f\ufeff\U000e0000-\U000e0fff"
_REMOVED = f"[{_INVISIBLE}]"  # these are compiled when they are first needed, which is seldom
_LOST = "[\ufffc\ufffd]"  # what a mail program puts where it lost a character
_PLAIN = str.maketrans(
    dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63\uff0d", "-")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u2035\u00b4", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb", '"')
)

# Also when a mail program has put something before it, so that the error can say so.
_MOVE_START = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,9}# referee move ")
_STRING = rb'"((?:[^"\\\x00-\x1f\x7f]|\\["\\]){0,800})"'
_NUMBER = rb"(0|[1-9][0-9]{0,8})"
_MOVE = (
    rb"# referee move 1\nmatch = " + _STRING + rb"\nstop = " + _NUMBER + rb"\nseat = " + _STRING
    + rb"\nholder = " + _NUMBER + rb'\nopened = "([0-9a-f]{64})"\nlines = \[(.*)\]\n'
)  # fmt: skip
_ITEM = _STRING + rb"(?:, (?!\Z)|\Z)"


@dataclass
class Submission:
    """What somebody says to send: not yet checked against any match.

    stop: the stop that is answered. code: turn code as `K7QF-2M9X-44TD`, "" if there is none.
    lines: the order lines, tidied. opened: hash of the save that opened the stop, in hex, "" if not given.
    holder: holder number, 0 if not given. key, signature, signed: of a move file alone, its signing key's fingerprint,
    the signature (64 bytes) and the bytes of the whole file; check them with `verify_move`.
    """

    match: str
    stop: int
    seat: str
    code: str = ""
    lines: tuple[str, ...] = ()
    opened: str = ""
    holder: int = 0
    signature: bytes = b""
    key: str = ""
    signed: bytes = b""


def read_submission(data: bytes) -> Submission:
    """Return the submission in the text of a mail, or in a signed move file. Raises Unreadable, and nothing else.

    >>> text = "Hi!\\n#referee cl-7k3q 12 alice k7qf 2m9x 44td\\n  load   green\\n#end\\n> #referee cl-7k3q 11 bob"
    >>> read_submission(text.encode())  # doctest: +NORMALIZE_WHITESPACE
    Submission(match='cl-7k3q', stop=12, seat='alice', code='K7QF-2M9X-44TD', lines=('load green',), opened='',
               holder=0, signature=b'', key='', signed=b'')
    """
    if len(data) > MAX_BYTES:
        raise Unreadable(f"The submission has {len(data) // 1024} KB, and {MAX_BYTES // 1024} are allowed.", _FORM)
    if _MOVE_START.match(data):
        return _read_move(data)
    return _only([_submission(at, lines) for at, lines in _blocks(_decoded(data))])


def tidy(line: str) -> str:
    """Return an order line in plain form: dashes and quotes straight, white space squashed, nothing invisible.

    Raises Unreadable if it holds control characters.

    >>> tidy("  fly\\u00a0\\u201cred\\u201d \\u2013 now ")
    'fly "red" - now'
    """
    if not line.isascii():
        # Twice, since normal forms of other characters can be dashes and quotes too.
        line = _visible(line).translate(_PLAIN)
        line = unicodedata.normalize("NFKC", line).translate(_PLAIN)
    line = " ".join(line.split())
    if not line.isprintable() or re.search(_LOST, line):
        said = f"The line {line[:40]!a} holds control characters, or some that were lost on the way."
        raise Unreadable(said, "Type it again in a plain text mail.")
    return line


def block_text(match: str, stop: int, seat: str, code: str, lines: tuple[str, ...], opened: str = "", holder: int = 0) -> str:
    """Return a block to copy, as `read_submission` reads it. Raises ValueError if a line would not come back.

    >>> print(block_text("cl-7k3q", 12, "alice", "K7QF-2M9X-44TD", ("load green", "end")), end="")
    #referee cl-7k3q 12 alice K7QF-2M9X-44TD
    load green
    end
    #end
    """
    for line in lines:
        if not _is_order(line):
            raise ValueError(f"{line!r} is no order line.")
    comment = [f"# opened {opened} holder {holder}"] if opened else []
    return "\n".join([f"#referee {match} {stop} {seat} {code}".rstrip(), *comment, *lines, "#end", ""])


def sign_move(submission: Submission, key: SigningKey) -> bytes:
    """Return the move file that carries this submission under the seat's own key.

    Raises Unreadable if the submission does not say which save opened its stop: a signature must not fit two branches.

    >>> key = SigningKey.new()
    >>> move = sign_move(Submission("cl-7k3q", 12, "alice", "", ("load green",), "ab" * 32, 1), key)
    >>> verify_move(read_submission(move), key.public)
    True
    """
    if not re.fullmatch(_HASH, submission.opened):
        said = "The block lacks the line `# opened HASH holder NUMBER`, without which it cannot be signed."
        raise Unreadable(said, "Copy the whole block from your report.")
    return envelope.seal(move_body(submission), key, "move")


def verify_move(submission: Submission, public_key: PublicKey) -> bool:
    """Return whether the submission was read from a move file that this key signed, and is unchanged since.

    >>> verify_move(Submission("cl-7k3q", 12, "alice"), SigningKey.new().public)
    False
    """
    try:
        envelope.unseal(submission.signed, public_key, "move", name="The move file")
        # The signature vouches for the file; this, that the fields at hand are the file's.
        return _read_move(submission.signed) == submission
    except (Unverified, Unreadable):
        return False


def _decoded(data: bytes) -> str:
    """Return the text, in whichever encoding a mail program or an editor left it."""
    try:
        text = data.decode("utf-16" if data.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig")
    except UnicodeDecodeError:
        # Of the one-byte encodings cp1252 is the common one; latin-1 takes what it leaves open, and never fails.
        try:
            text = data.decode("cp1252")
        except UnicodeDecodeError:
            text = data.decode("latin-1")
    if "\x00" in text:
        raise Unreadable("The submission is no text: it holds zero bytes.", _FORM)
    return text


def _blocks(text: str) -> list[tuple[int, list[str]]]:
    """Return the blocks of a text, each with the number of its header line (from 1) and its lines, header first."""
    found: list[tuple[int, list[str]]] = []
    inside: list[str] | None = None
    for number, raw in enumerate(_BREAK.split(text), 1):
        # Only what may begin with the sign of a block is worth a closer look, or else 100,000 lines take their time.
        line = _visible(raw[: MAX_LINE + 1]).strip() if inside is not None or "#" in raw[:40] else ""
        if _HEADER.match(line):
            if inside is not None:
                raise _unclosed(found[-1][0])
            _check_line(raw, number, 0)
            inside = [raw]
            found.append((number, inside))
        elif inside is not None and _END.match(line):
            inside = None
        elif inside is not None:
            _check_line(raw, number, len(inside))
            inside.append(raw)
    if inside is not None:
        raise _unclosed(found[-1][0])
    return found


def _visible(text: str) -> str:
    return text if text.isascii() else re.sub(_REMOVED, "", text)


def _unclosed(number: int) -> Unreadable:
    return Unreadable(f"The block that begins in line {number} is not closed by a line `#end`.", _FORM)


def _check_line(raw: str, number: int, lines: int) -> None:
    if lines > MAX_LINES:
        raise Unreadable(f"The block has more than {MAX_LINES} lines.", "Send fewer orders at a time.")
    if len(raw.strip()) > MAX_LINE:
        raise Unreadable(f"Line {number} has more than {MAX_LINE} characters.", "Write one order a line.")
    if raw.lstrip().startswith(">"):
        raise Unreadable(f"Line {number} is a quotation (`>`) inside a block.", "Type the block below the quotation.")


def _submission(number: int, block: list[str]) -> Submission:
    match, stop, seat, code = _header(number, tidy(block[0]))
    text = "\n".join(filter(None, map(tidy, block[1:])))
    opened = re.search(_OPENED, text) if "opened" in text.lower() else None
    if opened:
        text = text[: opened.start()] + text[opened.end() :]
    lines = tuple(line for line in text.split("\n") if line and not line.startswith("#"))
    if long := next((line for line in lines if len(line) > MAX_LINE), None):
        raise Unreadable(f"The line {long[:40]!a}... has more than {MAX_LINE} characters.", "Write one order a line.")
    if not opened:
        return Submission(match, stop, seat, code, lines)
    return Submission(match, stop, seat, code, lines, opened[1].lower(), int(opened[2]))


def _header(number: int, line: str) -> tuple[str, int, str, str]:
    words = line[1:].split()[1:]  # `#referee` and `# referee` alike
    if len(words) < 3 or len(line) > MAX_LINE or max(map(len, words)) > MAX_WORD:
        said = f"The header in line {number} has not the words it needs: match, stop, seat and code."
        raise Unreadable(said, _FORM)
    match, stop, seat, *rest = words
    if not (stop.isascii() and stop.isdigit() and len(stop) <= MAX_NUMBER):
        raise Unreadable(f"The header in line {number} has {stop[:20]!a} where the number of the stop belongs.", _FORM)
    code = tidy_code("".join(rest))
    if code and not re.fullmatch(_CODE, code):
        said = f"The header in line {number} has too many words, or its turn code has not three times four characters."
        raise Unreadable(said, _FORM)
    return match, int(stop), seat, "-".join(filter(None, (code[:4], code[4:8], code[8:])))


def _only(found: list[Submission]) -> Submission:
    # Mail programs quote the report below the answer, and some put no `>` before it: its empty block is no order.
    filled = [one for one in found if one.lines] or found
    if not filled:
        raise Unreadable("There is no block of orders in the submission.", _FORM)
    if any(one != filled[0] for one in filled):
        raise Unreadable("The submission has two different blocks of orders.", "Send one block with all your orders.")
    return filled[0]


def _is_order(line: str) -> bool:
    try:
        return bool(line) and line[0] not in "#>" and len(line) <= MAX_LINE and tidy(line) == line
    except Unreadable:
        return False


def move_body(submission: Submission) -> bytes:
    """Return the bytes that a seat's key signs: everything a move says but code and signature.

    >>> move_body(Submission("cl-7k3q", 12, "alice", "", ("roll",), "ab" * 32, 1)).splitlines()[2:4]
    [b'stop = 12', b'seat = "alice"']
    """
    fields = {
        "match": submission.match,
        "stop": submission.stop,
        "seat": submission.seat,
        "holder": submission.holder,
        "opened": submission.opened,
        "lines": list(submission.lines),
    }
    return b"# referee move 1\n" + canon.dumps(fields).encode()


def _read_move(data: bytes) -> Submission:
    try:
        body, key, signature = envelope.split(data, "move", name="The move file")
    except Unverified as error:
        raise Unreadable(error.sentence, error.help or _MOVE_FORM) from None
    found = re.fullmatch(_MOVE, body)
    if not found:
        raise Unreadable("The move file is not in the form in which move files are written.", _MOVE_FORM)
    match, stop, seat, holder, opened, items = found.groups()
    submission = Submission(
        match=_word(match),
        stop=int(stop),
        seat=_word(seat),
        lines=_items(items),
        opened=opened.decode(),
        holder=int(holder),
    )
    # A replay has only the fields to make these bytes from. What a later Python calls printable may not be plain to canon.
    if body != move_body(submission):
        raise Unreadable("The move file is not in the form in which move files are written.", _MOVE_FORM)
    return replace(submission, signature=signature, key=key, signed=data)


def _word(raw: bytes) -> str:
    word = _unquoted(raw)
    if not _is_order(word) or " " in word or len(word) > MAX_WORD:
        raise Unreadable("The move file names no match or no seat.", _MOVE_FORM)
    return word


def _items(raw: bytes) -> tuple[str, ...]:
    lines: list[str] = []
    at = 0
    while at < len(raw):
        item = re.compile(_ITEM).match(raw, at)
        if item is None or len(lines) == MAX_LINES:
            raise Unreadable(f"The move file holds no list of at most {MAX_LINES} order lines.", _MOVE_FORM)
        lines.append(_unquoted(item[1]))
        at = item.end()
    if not all(map(_is_order, lines)):
        raise Unreadable("A line of the move file is no order: it is empty, too long, or not plain.", _MOVE_FORM)
    return tuple(lines)


def _unquoted(raw: bytes) -> str:
    try:
        return re.sub(r'\\(["\\])', r"\1", raw.decode())
    except UnicodeDecodeError:
        raise Unreadable("The move file is not in UTF-8.", _MOVE_FORM) from None
