"""`referee pack`: component data typed in from a box."""

from pathlib import Path
from typing import Annotated

from referee.errors import Refused

from .arguments import Takes
from .common import Json, game_named, put, read_input, say, show
from .new import MOST_PACK

Game = Annotated[str, Takes("GAME", "The game; see `referee games`.")]


def init(
    game: Game,
    file: Annotated[str, Takes("FILE", "A file that does not exist yet; - for standard output.")],
) -> None:
    """Write a pack to fill in: every entry that is reconstructed, with what its columns mean."""
    from referee.packs import pack_text

    put(pack_text(game_named(game)).encode(), file)
    if file != "-":
        say(f"{file} is a pack for {game}. Fill it in, then: referee pack check {game} {file}")


def check(
    game: Game,
    file: Annotated[str, Takes("FILE", "The pack.")],
    as_json: Json = False,
) -> None:
    """Check a pack, and name every mistake in it by file, entry and reason."""
    from referee.components import load_components, pack_faults

    found, data = game_named(game), read_input(file, MOST_PACK)
    name = Path(file).name if file != "-" else "the pack"
    mistakes = pack_faults(found, name, data)
    if mistakes:
        show(mistakes, mistakes, as_json)
        count = "1 mistake" if len(mistakes) == 1 else f"{len(mistakes)} mistakes"
        raise Refused(f"{name} has {count}.", "Mend them and check again.")
    sources = load_components(found, [(name, data)]).sources()
    lines = (f"  {sheet}: " + ", ".join(f"{n} {source}" for source, n in row.items()) for sheet, row in sources.items())
    show(sources, [f"{name} can be used for {found.title}. With it the data is:", *lines], as_json)


pack = {"init": init, "check": check}
