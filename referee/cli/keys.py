"""`referee keys` and `referee sign`: the referee's key, the players' keys, and moves signed with them."""

import os
from typing import TYPE_CHECKING, Annotated, Any

from referee.errors import Trouble, Usage

from .arguments import Takes
from .common import Json, Key, put, read_input, say, show

if TYPE_CHECKING:
    from referee.keys import PublicKey

_LOSS = "Back the key up now, and let nobody have it: whoever has it can sign as you. "
_WITHOUT = ("Without it your matches cannot go on.", "Without it you need turn codes again.")


def new(
    player: Annotated[str, Takes("NAME", "Make a player's key instead: NAME.key.", "--for")] = "",
    out: Annotated[str, Takes("FILE", "Where a player's key goes.", "--out")] = "",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Make a key, and beside it the public key that others need, in a file that ends in .pub. Nothing is overwritten."""
    from referee.keys import SigningKey, default_path

    if (out and not player) or (key and player):
        raise Usage("A player's key goes to --out, the referee's to --key.", "Name the one that is meant.")
    path = out or (f"{_file_name(player)}.key" if player else key or default_path())
    for taken in (path, f"{path}.pub"):
        if os.path.lexists(taken):
            raise Trouble(f"There is a key at {taken} already, and it stays as it is.", "Name another place, or use that one.")
    made = SigningKey.new()
    made.save(path)
    made.public.save(f"{path}.pub")
    lines = [f"Key: {path}", f"Public key, for everybody: {path}.pub", f"Fingerprint: {made.public.fingerprint}"]
    lines.append(_LOSS + _WITHOUT[bool(player)])
    show({"key": path, "public": f"{path}.pub", **_shown(made.public)}, lines, as_json)


def _file_name(player: str) -> str:
    if not player.isprintable() or os.path.basename(player) != player or player.startswith("."):
        raise Usage(f"{player!r} cannot name a file.", "Say where the key goes with --out.")
    return player


def show_key(
    file: Annotated[str, Takes("[FILE]", "A key or a public key; the referee's by default.")] = "",
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Show a key's fingerprint, for people to compare, and its public half. The secret half is never shown."""
    from referee.keys import default_path

    path = file or key or default_path()
    public = _public_half(path)
    lines = [f"Key: {path}", f"Fingerprint: {public.fingerprint}", f"Public key: {public.hex}"]
    show({"key": path, **_shown(public)}, lines, as_json)


def _public_half(path: str) -> "PublicKey":
    """Return the public key in a file, or that of the secret key in it; 32 raw bytes always count as secret."""
    from referee.keys import PublicKey, SigningKey

    if os.path.isfile(path) and os.path.getsize(path) >= 64:
        return PublicKey.load(path)
    return SigningKey.load(path).public


def _shown(public: "PublicKey") -> dict[str, str]:
    return {"fingerprint": public.fingerprint, "public_key": public.hex}


keys = {"new": new, "show": show_key}


def sign(
    move: Annotated[str, Takes("MOVE", "A block of orders as the report has it; - reads it.")],
    key: Annotated[str, Takes("FILE", "The player's key.", "--key")],
    out: Annotated[str, Takes("FILE", "Where the move file goes; printed by default.", "--out")] = "-",
    as_json: Json = False,
) -> None:
    """Sign a block of orders with a player's key: a move file, which needs no turn code.

    The block needs the line `#opened HASH holder NUMBER` that stands in the report.
    """
    from referee.block import MAX_BYTES, read_submission, sign_move
    from referee.keys import SigningKey

    signer: SigningKey = SigningKey.load(key)
    sent = read_submission(read_input(move, MAX_BYTES))
    signed = sign_move(sent, signer)
    if out != "-":
        put(signed, out)
    about: dict[str, Any] = {"match": sent.match, "stop": sent.stop, "seat": sent.seat, "lines": list(sent.lines)}
    if as_json:
        show({**about, "fingerprint": signer.public.fingerprint, "out": out, "move": signed.decode()}, (), True)
    elif out == "-":
        put(signed, out)
    else:
        say(f"Signed {len(sent.lines)} lines of {sent.seat} for stop {sent.stop} of {sent.match}: {out}")
