"""`referee new`: a match begins."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from referee.errors import Refused, Usage

from .arguments import Takes
from .common import (
    NONE,
    Json,
    Key,
    Options,
    game_named,
    pairs,
    path_of,
    posted,
    posted_data,
    printable,
    public_key,
    read_input,
    show,
    signing_key,
)

if TYPE_CHECKING:
    from referee.chain import Chain, Link
    from referee.desk import Table
    from referee.dispatch import Delivery
    from referee.keys import SigningKey
    from referee.match import Match
    from referee.postal import Postal

MOST_PACK = 4 * 1024 * 1024  # bytes


Seats = Annotated[list[str], Takes("NAME[=ADDRESS]", "A seat, in order.", "--seat")]
Packs = Annotated[list[str], Takes("FILE", "Component data typed in from a box.", "--pack")]
Seed = Annotated[str, Takes("HEX", "For tests: 64 hex digits; every report says so.", "--seed")]
Plays = Annotated[list[str], Takes("SEAT", "The moderator holds it; every report says so.", "--referee-plays")]
PlayerKeys = Annotated[list[str], Takes("SEAT=FILE", "A player's public key, for signed moves.", "--player-key")]
Clock = Annotated[list[str], Takes("K=V", "A deadline's setting: zone, hours, grace, weekdays, ...", "--clock")]
Nonces = Annotated[list[str], Takes("SEAT=TEXT", "What a player contributes to the seed.", "--nonce")]


def new(
    game: Annotated[str, Takes("GAME", "The game; see `referee games`.")],
    folder: Annotated[str, Takes("DIR", "A folder that is new or empty.")],
    seat: Seats = NONE,
    option: Options = NONE,
    pack: Packs = NONE,
    seed: Seed = "",
    plays: Plays = NONE,
    player_key: PlayerKeys = NONE,
    nonce: Nonces = NONE,
    clock: Clock = NONE,
    invite: Annotated[bool, Takes("", "Deal later, by `referee begin`, when all have accepted.", "--invite")] = False,
    name: Annotated[str, Takes("ID", "The match's name; made up by default.", "--id")] = "",
    config: Annotated[str, Takes("FILE", "The desk that runs it by mail; DIR lies in its matches.", "--config")] = "",
    press: Annotated[str, Takes("WHO", "Players' messages: none, open or anonymous.", "--press")] = "none",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Begin a match: write the commitment to the seed, deal, and write everybody's first report."""
    from referee.desk import Table, write_reports
    from referee.postal import write_postal

    path, postal, usual, signer = _desk(config, folder, press, key)
    seats = [_seat(one) for one in seat]
    table = Table(
        game=game_named(game),
        seats=[who for who, _ in seats],
        options=pairs(option, "--option"),
        packs=_packs(pack),
        secret=_secret(seed),
        nonces=nonces_of(nonce),
        keys={who: public_key(file).hex for who, file in pairs(player_key, "--player-key", "SEAT=FILE").items()},
        addresses={who: address for who, address in seats if address},
        referee_plays=plays, match_id=name, clock={**usual, **_clock(clock)},
    )  # fmt: skip
    chain, link = _opened(path, table, signer, begin=not invite)
    if config or press != "none":
        write_postal(path, postal)
    show_begun(link.save.match, str(path), [] if invite else write_reports(chain, link, signer), as_json)


def _opened(path: Path, table: "Table", key: "SigningKey", begin: bool) -> "tuple[Chain, Link]":
    """Open a match, and deal if it begins at once.

    Raises:
        Refused: a pack cannot be used.
    """
    from referee.components import BadData
    from referee.desk import open_match

    try:
        return open_match(path, table, key, begin=begin)
    except BadData as error:
        raise Refused(f"{error}.", "Correct the pack; nothing was written.") from None


def _desk(config: str, folder: str, press: str, key: str) -> "tuple[Path, Postal, dict[str, Any], SigningKey]":
    """Return the folder of the match, how it goes by mail, its clock's usual settings, and the referee's key."""
    from referee.postal import PRESS, Postal

    if press not in PRESS:
        raise Usage(f"There is no press {press!r}.", f"Take one of {', '.join(PRESS)}.")
    if not config:
        return path_of(folder), Postal(press=press), {}, signing_key(key)
    from referee.config import read_config
    from referee.store import make_folder

    desk, path = read_config(path_of(config)), path_of(folder)
    path = desk.matches / folder if path.parent == Path() and not path.exists() else path
    if path.resolve().parent != desk.matches.resolve():
        raise Usage(f"{folder} is not among the matches of {config}.", f"Take a plain name, or a folder in {desk.matches}.")
    make_folder(desk.matches)
    postal = Postal(desk.address, desk.moderator, desk.name, press)
    return path, postal, {"zone": "UTC", **desk.clock}, signing_key(key or str(desk.key))


def show_begun(m: "Match", folder: str, deliveries: Sequence["Delivery"], as_json: bool) -> None:
    """Print the commitment, and one line a recipient; of a match that is not dealt yet, how it is."""
    from referee.chance import commitment

    thing: dict[str, Any] = {"match": m.id, "game": m.game.slug, "folder": folder, "stop": m.stop}
    thing |= {"commitment": commitment(m.id, m.secret), "deliveries": posted_data(deliveries)}
    does, then = ("begins", "Send now:") if m.stop else ("waits", f"When all have accepted, `referee begin {folder}` deals.")
    lines = [f"Match {m.id} of {m.game.title} {does} in {folder}.", f"Commitment to the seed: {thing['commitment']}"]
    show(thing, [*lines, then, *posted(deliveries)], as_json)


def _clock(given: list[str]) -> dict[str, Any]:
    """Return the settings of a clock as their types; lists are parted by commas."""
    settings: dict[str, Any] = {}
    for name, text in pairs(given, "--clock").items():
        if name in ("weekdays", "holidays"):
            settings[name] = [one.strip() for one in text.lower().split(",")]
        else:
            settings[name] = int(text) if re.fullmatch("[0-9]{1,6}", text) else text
    return settings


def nonces_of(given: list[str]) -> dict[str, str]:
    """Return what each player contributes to the seed."""
    return {who: printable(text, "The nonce", 64) for who, text in pairs(given, "--nonce", "SEAT=TEXT").items()}


def _seat(given: str) -> tuple[str, str]:
    """Cut `alice=alice@example.org` into seat and address."""
    seat, equals, address = given.partition("=")
    return seat, printable(address, f"The address of {seat}", 254) if equals else ""


def _packs(files: list[str]) -> list[tuple[str, bytes]]:
    names = [Path(file).name for file in files]
    for name in names:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,99}", name):
            raise Usage(f"The pack {name!r} needs a plainer name.", "Take letters, digits, dots, dashes and spaces.")
    if len(set(names)) < len(names):
        raise Usage("Two packs have the same name.", "Rename one.")
    return [(name, read_input(file, MOST_PACK)) for name, file in zip(names, files, strict=True)]


def _secret(seed: str) -> bytes:
    if seed and not re.fullmatch(r"[0-9a-fA-F]{64}", seed):
        raise Usage("--seed takes 64 hex digits.", "Leave it out for a match with people; it is for tests.")
    return bytes.fromhex(seed)
