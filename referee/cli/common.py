"""What the commands share: recurring options, input and output, keys, and which file goes to whom."""

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from referee.errors import Trouble, Unreadable, Usage

from .arguments import Takes

if TYPE_CHECKING:
    from referee.chain import Chain, Link
    from referee.dispatch import Delivery, Saves
    from referee.keys import PublicKey, SigningKey
    from referee.match import Game, Match

Key = Annotated[str, Takes("FILE", "The referee's key, if not at its usual place.", "--key")]
Json = Annotated[bool, Takes("", "Print JSON.", "--json")]
Options = Annotated[list[str], Takes("K=V", "A house rule; see `referee games GAME`.", "--option")]
Saved = Annotated[str, Takes("DIR|SAVE", "The folder of a match, or a single save.")]

NONE: list[str] = []
"""The default of an option that may come several times; commands get a copy."""

MOST_TEXT = 500


# Output


def show(thing: Any, lines: Iterable[str], as_json: bool) -> None:
    """Print a thing as JSON, or as lines of text."""
    if as_json:
        import json

        say(json.dumps(thing, ensure_ascii=False, indent=1, default=str))
    else:
        say("\n".join(lines))


def say(text: str) -> None:
    """Print text on standard output, without anything that could command a terminal."""
    if sys.stdout is None:
        return
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # not every terminal has every letter of a name
    sys.stdout.write("".join([c if c.isprintable() or c == "\n" else " " for c in text]) + "\n")


def put(data: bytes, out: str) -> None:
    """Write bytes as they are: to a file that does not exist yet, or to standard output for `-`."""
    if out and out != "-":
        from referee.store import write_new

        write_new(out, data)
    elif sys.stdout is not None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def posted(deliveries: Sequence["Delivery"]) -> list[str]:
    """Return one line a recipient: seat, address, files."""
    rows = [(d.seat, d.address or "-", "  ".join(map(str, d.files))) for d in deliveries]
    seat, address = (max((len(row[i]) for row in rows), default=0) for i in (0, 1))
    return [f"{row[0]:{seat}}  {row[1]:{address}}  {row[2]}" for row in rows]


def posted_data(deliveries: Sequence["Delivery"]) -> list[dict[str, Any]]:
    """Return deliveries as plain data."""
    return [{"seat": d.seat, "address": d.address, "files": [str(file) for file in d.files]} for d in deliveries]


# Input


def path_of(name: str) -> Path:
    """Return the path of a file or folder that was named.

    Raises:
        Usage: the name is empty, which would mean the present folder.
    """
    if not name:
        raise Usage("An empty name is no file and no folder.", "Name one; `.` is the present folder.")
    return Path(name)


def read_input(name: str, most: int) -> bytes:
    """Return the bytes of a file, or of standard input for `-`.

    Args:
        name: the file.
        most: how many bytes it may have.

    Raises:
        Unreadable: it has more.
        Trouble: it cannot be read.
    """
    try:
        if name == "-":
            data = sys.stdin.buffer.read(most + 1) if sys.stdin is not None else b""
        else:
            with path_of(name).open("rb") as file:
                data = file.read(most + 1)
    except OSError as error:
        raise Trouble(f"{name} cannot be read: {error.strerror}.", "Check the path and its permissions.") from None
    if len(data) > most:
        called = "Standard input" if name == "-" else name
        raise Unreadable(f"{called} has more than {most // 1024} KB.", "Send only what is needed, as plain text.")
    return data


def pairs(given: Sequence[str], option: str, form: str = "K=V") -> dict[str, str]:
    """Return options such as `--option K=V` as a dict.

    Raises:
        Usage: one has no `=`, or a name comes twice.

    Example:
        >>> pairs(["rounds=2", "note=a=b"], "--option")
        {'rounds': '2', 'note': 'a=b'}
    """
    found: dict[str, str] = {}
    for one in given:
        name, equals, value = one.partition("=")
        if not (name and equals):
            raise Usage(f"{option} {one!r} is not in the form {form}.")
        if name in found:
            raise Usage(f"{option} names {name!r} twice.", "Name it once.")
        found[name] = value
    return found


def printable(text: str, called: str, most: int = MOST_TEXT) -> str:
    """Return a text of one line that people will read.

    Raises:
        Usage: it is empty, too long, or holds control characters.
    """
    if not text.strip():
        raise Usage(f"{called} is empty.", "Write what people are to read.")
    if len(text) > most or not text.isprintable():
        raise Usage(f"{called} should be one line of at most {most} characters, without control characters.")
    return text


# Keys, games, matches


def signing_key(name: str) -> "SigningKey":
    """Return the referee's key at a place named, or at its usual one."""
    from referee.keys import SigningKey, default_path

    return SigningKey.load(name or default_path())


def public_key(name: str) -> "PublicKey":
    """Return the public key in a file of 64 hex digits.

    A file of 32 raw bytes is refused here although it could be read: such a file is a secret key, most likely.

    Raises:
        Usage: it holds no public key.
    """
    from referee.keys import PublicKey

    data = read_input(name, 4096)
    try:
        return PublicKey.from_bytes(bytes.fromhex(data.decode("ascii").strip()))
    except ValueError:
        raise Usage(f"{name} holds no public key: 64 hex digits.", "Name the file that ends in .pub.") from None


def game_named(slug: str) -> "Game":
    """Return an installed game.

    Raises:
        Usage: there is none of that name.
    """
    from referee.engine import find_game
    from referee.errors import Unverified

    try:
        return find_game(slug)
    except Unverified as error:
        raise Usage(error.sentence, "`referee games` lists those that are.") from None


def dealt(saves: "Saves") -> "Link":
    """Return the newest save of a match.

    Raises:
        Trouble: the match was not dealt yet: seats are invited, or its beginning was interrupted.
    """
    link = saves.latest()
    if link.save.match.table is None:
        raise Trouble(f"The match in {saves.path} was not dealt yet.", f"`referee begin {saves.path}` does it.")
    return link


def chain_in(folder: str, key: "SigningKey") -> "Chain":
    """Return the chain in a folder.

    Raises:
        Usage: it is no folder.
    """
    from referee.chain import Chain
    from referee.dispatch import open_saves

    saves = open_saves(path_of(folder), key)
    if not isinstance(saves, Chain):
        raise Usage(f"{folder} is a file.", "Name the folder of a match.")
    return saves


def seat_of(m: "Match", seat: str) -> str:
    """Return the name of a seat.

    Raises:
        Usage: the match has no such seat.
    """
    if seat not in m.seats:
        raise Usage(f"There is no seat {seat!r}.", f"The seats are {', '.join(m.seats)}.")
    return seat


def indented(lines: Iterable[str], space: str = "  ") -> list[str]:
    """Return lines with space before them."""
    return [f"{space}{line}" for line in lines]


def results(result: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return the result of a match, a line a seat, best first."""
    rows = sorted(result.items(), key=lambda row: row[1]["place"])
    return [f"{seat}: place {row['place']}, {row['points']} points" for seat, row in rows]
