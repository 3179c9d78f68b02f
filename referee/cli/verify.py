"""`referee verify`: signatures, hashes, serials, every move played again, and the place of a report in its chain."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from referee.errors import Trouble, Unverified, Usage

from .arguments import Takes
from .common import Json, Key, path_of, public_key, read_input, show, signing_key

if TYPE_CHECKING:
    from referee.chain import Chain, Checked
    from referee.keys import PublicKey

MOST_FILE = 64 * 1024 * 1024  # bytes
_OPENED = re.compile(r"Hash of the save that opened this stop:\s*(?:<code>\s*)?([0-9a-f]{64})\b")
"""How reports in text and HTML name the save that opened their stop; a line may end before the hash."""


def verify(
    paths: Annotated[list[str], Takes("DIR|SAVE|REPORT...", "What is to be checked; - reads a save or a report.")],
    public: Annotated[str, Takes("FILE", "The referee's public key; by default that of --key.", "--public-key")] = "",
    reveal: Annotated[bool, Takes("", "Show rolls and shuffles of a match that goes on.", "--reveal")] = False,
    key: Key = "",
    as_json: Json = False,
) -> None:
    """Check matches, tournaments, saves and reports, and say who vouches for each move. A key beside them is never trusted.

    With the folder of its match, a report's place in the chain is checked too. After the end the seed is shown with all
    that was rolled and shuffled.
    """
    trusted = public_key(public) if public else signing_key(key).public
    found, opened = [], set()
    for folder in filter(_is_folder, paths):
        row = _event(folder, trusted) if (path_of(folder) / "steps").is_dir() else _chain(folder, trusted, reveal)
        opened |= {save["hash"] for save in row.get("saves", ())}
        found.append(row)
    for file in paths:
        if not _is_folder(file):
            found.append(_file(file, trusted, opened if any(map(_is_folder, paths)) else None))
    lines = [line for row in found for line in _LINES[row["kind"]](row)]
    show({"verified": True, "key": trusted.fingerprint, "found": found}, lines, as_json)


def _is_folder(path: str) -> bool:
    return path_of(path).is_dir()


# A whole match


def _chain(folder: str, trusted: "PublicKey", reveal: bool) -> dict[str, Any]:
    from referee import canon
    from referee.chain import Chain
    from referee.chain import verify as replay

    chain = Chain(folder, trusted)
    content, _ = chain.body(chain.store.latest_serial())
    head = canon.section(content, "match")
    checked = list(replay(chain))
    row: dict[str, Any] = {"kind": "match", "path": folder, "match": head["id"], "stop": head["stop"], "over": head["over"]}
    row["saves"] = [_save_row(one, head["over"] or reveal) for one in checked]
    if head["over"]:
        row |= _seed(chain, head["id"], bytes.fromhex(canon.section(content, "chance")["secret"]))
    return row


def _save_row(one: "Checked", with_chance: bool) -> dict[str, Any]:
    names = ("serial", "stop", "what", "voucher", "hash", "replayed")
    row: dict[str, Any] = {name: getattr(one, name) for name in names}
    if with_chance:
        row["chance"] = [{"what": what, "counter": counter, "result": result} for what, counter, result in one.chance]
    return row


def _seed(chain: "Chain", match: str, secret: bytes) -> dict[str, str]:
    """Return commitment and seed of a match that is over.

    Raises:
        Unverified: the first save committed to another seed.
    """
    from referee.chance import commitment

    published = chain.section(0, "chance")["commitment"]
    if commitment(match, secret) != published:
        raise Unverified(f"The seed of {match} is not the one that its first save committed to.", "Ask the moderator.")
    return {"commitment": published, "seed": secret.hex()}


def _chain_lines(row: dict[str, Any]) -> Iterator[str]:
    for save in row["saves"]:
        again = "" if save["replayed"] else "  (not played again: its version of the rules is not installed)"
        yield f"{save['serial']:04}  stop {save['stop']:<4} {save['what']:24}  {save['voucher']}{again}"
        for draw in save.get("chance", ()):
            yield f"        {draw['what']}, number {draw['counter']}: {_result(draw['result'])}"
    count, again = len(row["saves"]), sum(save["replayed"] for save in row["saves"])
    state = "is over" if row["over"] else "goes on"
    yield f"{row['path']}: all {count} saves of match {row['match']} verify, {again} by playing again; the match {state}."
    if "seed" in row:
        yield f"Seed {row['seed']}"
        yield f"fits the commitment {row['commitment']}."


def _result(result: Any) -> str:
    return ", ".join(map(str, result)) if isinstance(result, list) else str(result)


# A whole event


def _event(folder: str, trusted: "PublicKey") -> dict[str, Any]:
    """Verify a tournament with all its matches."""
    from .tournament_lines import verified_by

    thing, lines = verified_by(path_of(folder), trusted)
    return {"kind": "event", **thing, "lines": lines}


# A single file


def _file(path: str, trusted: "PublicKey", opened: set[str] | None) -> dict[str, Any]:
    from referee.envelope import kind_of

    if path != "-" and not Path(path).exists():
        raise Trouble(f"{path} does not exist.", "Name the folder of a match, a save or a report.")
    data = read_input(path, MOST_FILE)
    path = "standard input" if path == "-" else path
    kind = kind_of(data)
    if kind == "save":
        return _lone(path, data, trusted)
    if kind:
        raise Usage(f"{path} is a {kind}, which is checked when it is applied.", "Name a folder, a save or a report.")
    return _report(path, data, trusted, opened)


def _lone(path: str, data: bytes, trusted: "PublicKey") -> dict[str, Any]:
    """Check a save without its chain: signature, form, game and data."""
    from referee.envelope import unseal
    from referee.save import body, file_hash, parse, read_pack

    content = unseal(data, trusted, "save", name=path)
    save = parse(content, path, lambda name: read_pack(Path(path).parent, name))
    if body(save) != content:
        raise Unverified(f"{path} is signed but not in the form in which saves are written.", "Ask the moderator.")
    m, entry = save.match, save.entry
    return {"kind": "save", "path": path, "match": m.id, "serial": entry.serial, "stop": m.stop, "hash": file_hash(data)}


def _lone_lines(row: dict[str, Any]) -> Iterator[str]:
    yield (
        f"{row['path']}: save {row['serial']} of match {row['match']}, stop {row['stop']}; its signature holds. "
        "Name the folder to have all moves played again."
    )


def _report(path: str, data: bytes, trusted: "PublicKey", opened: set[str] | None) -> dict[str, Any]:
    """Check a report's signature, and that the save that opened its stop is in the chain, if there is one to look into."""
    from referee.envelope import unseal_report

    named = opening_hashes(unseal_report(data, trusted, name=path))
    if opened is not None:
        strange = [one for one in named if one not in opened]
        if strange:
            said = f"{path} belongs to another branch: the save {strange[0][:16]}... that opened its stop is not in the chain."
            raise Unverified(said, "The chain was cut or replaced after this report was sent; ask the moderator.")
    return {"kind": "report", "path": path, "opened": named, "in_chain": opened is not None}


def opening_hashes(content: bytes) -> Sequence[str]:
    """Return the hashes by which a report, text, HTML or JSON, names the save that opened its stop.

    Raises:
        Unverified: it names none.

    Example:
        >>> opening_hashes(b"Hash of the save that opened this stop:\\n" + b"ab" * 32)[0][:6]
        'ababab'
    """
    if content.startswith(b"{"):
        import json

        found = [json.loads(content).get("opened", "")]
    else:
        found = list(dict.fromkeys(_OPENED.findall(content.decode(errors="replace"))))
    if not any(found):
        raise Unverified("The report does not name the save that opened its stop.", "Ask the moderator for it again.")
    return found


def _report_lines(row: dict[str, Any]) -> Iterator[str]:
    place = (
        "the save that opened its stop is in the chain"
        if row["in_chain"]
        else "name the folder of its match too, to find its place in the chain"
    )
    yield f"{row['path']}: a report; its signature holds, {place}."


_LINES = {"event": lambda row: row["lines"], "match": _chain_lines, "save": _lone_lines, "report": _report_lines}
