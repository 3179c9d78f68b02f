"""Play the examples again under the present program: `python examples/remake.py KEY [MATCH...]`.

For a change of what saves hold: secret, nonces, lines and times stay, saves and reports are written anew, and the orders get
the turn codes of the new saves. KEY is the referee's key that `referee.pub` belongs to. A change of the rules is no matter
for this: whoever wrote the lines did not know the new rules.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from referee import canon, envelope
from referee.block import block_text, read_submission
from referee.chain import Chain, Link, opened_hash
from referee.desk import apply, begin_match, write_reports
from referee.engine import find_game, start
from referee.keys import SigningKey
from referee.save import Save, first_entry
from referee.store import Folder
from referee.submission import code_for

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))


def main(key_file: str, *names: str) -> None:
    """Play some examples again, or all of them."""
    import worked_battle

    key = SigningKey.load(key_file)
    for name in names or sorted(path.parent.name for path in HERE.glob("*/0000.toml")):
        if name == worked_battle.NAME:  # its ruling is about the table of its own save, and is made anew
            worked_battle.main(key_file)
            continue
        with tempfile.TemporaryDirectory() as place:
            made = remade(HERE / name, Path(place) / name, key)
            shutil.rmtree(HERE / name)
            shutil.copytree(made.path, HERE / name)
        print(f"{name}: {len(list((HERE / name).glob('*.toml')))} saves")


def remade(old: Path, folder: Path, key: SigningKey) -> Chain:
    """Play the match in a folder again in another one, and return its chain."""
    saves = [canon.loads(envelope.unseal(p.read_bytes(), key.public, "save", name=p.name)) for p in sorted(old.glob("*.toml"))]
    chain = _opened(saves[0], folder, key)
    link = begin_match(chain, saves[1]["move"]["nonces"], key, at=saves[1]["clock"]["at"])
    write_reports(chain, link, key, ["text"])
    (folder / "orders").mkdir()
    for number, save in enumerate(saves[2:], 1):
        link = _played(chain, link, save, number, key)
    write_reports(chain, link, key)
    return chain


def _opened(zero: dict[str, Any], folder: Path, key: SigningKey) -> Chain:
    """Write the first save, with the secret and the notices of the old one."""
    head, seats = zero["match"], list(zero["seats"])
    assert not head["packs"], "an example plays with the data that the game brings along"
    m = start(find_game(head["game"]), head["id"], seats, bytes.fromhex(zero["chance"]["secret"]), zero["options"])
    Folder.create(folder)
    chain = Chain(folder, key.public)
    chain.append(Save(m, first_entry(seats, zero["clock"]["at"], {}, head["notices"])), key)
    return chain


def _played(chain: Chain, link: Link, save: dict[str, Any], number: int, key: SigningKey) -> Link:
    """Write the mail that a move came with, under the turn code of the new save, and play it."""
    move, m = save["move"], link.save.match
    assert (move["kind"], move["by"]) == ("lines", "code"), "only mails with a turn code can be sent again"
    code = code_for(key, m, move["seat"], m.stop, opened_hash(link))
    text = block_text(m.id, m.stop, move["seat"], code, tuple(move["lines"]))
    (chain.path / "orders" / f"{number:04}-{move['seat']}.txt").write_text(text)
    apply(chain, key, read_submission(text.encode()), at=save["clock"]["at"], forms=["text"])
    after = chain.latest()
    assert after.save.match.stop == save["match"]["stop"], f"save {save['match']['serial']} leads to another stop now"
    return after


if __name__ == "__main__":
    main(*sys.argv[1:])
