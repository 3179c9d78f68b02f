"""Saves: the same bytes again after loading, and a clear refusal of everything that is not one."""

import copy
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import canon, envelope, save
from referee.chain import Chain
from referee.errors import Trouble, Unverified

from .matches import GAMES, KEY, LATER, OTHER_KEY, check, content, new, play, reseal, waiting

pytestmark = pytest.mark.usefixtures("quick_disk", "no_reports")

PACK = b"""# The finds of a box
[finds.amulet]
kind = "jewel"
worth = 9
source = "printed"
"""


def parsed(data: bytes) -> save.Save:
    return save.parse(data, "0001.toml", lambda name: b"")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Chain:
    chain, _ = new(tmp_path_factory.mktemp("played") / "match")
    play(chain, "lantern-reef", 7, 25)
    return chain


@pytest.mark.parametrize("game", GAMES)
def test_loading_and_saving_gives_the_same_bytes_at_every_stop(game: str, tmp_path: Path) -> None:
    seen: set[str] = set()
    for seed in range(6):
        chain, _ = new(tmp_path / str(seed), game, seed)
        play(chain, game, seed, 60)
        for serial in chain.store.serials():
            once = content(chain, serial)
            again = parsed(once)
            assert save.body(again) == once
            assert save.body(parsed(save.body(again))) == once
            seen |= {name for name in ("sealed", "standing", "kept", "held") if getattr(again.match, name)}
    assert "standing" in seen
    assert game != "lantern-reef" or {"sealed", "standing"} <= seen


@pytest.mark.parametrize("game", GAMES)
def test_lines_that_wait_for_a_window_are_saved(game: str, tmp_path: Path) -> None:
    chain = waiting(tmp_path, game)
    kept = chain.latest()
    assert list(kept.save.match.kept.values()) == [[LATER[game]]]
    assert save.body(parsed(save.body(kept.save))) == save.body(kept.save)
    assert check(chain)


def fixed_places(table: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Yield the sections of a save and those of its keys that may not be left out."""
    yield from ((section,) for section in table)
    for section in ("match", "seats", "options", "clock", "chance", "reported", "table"):
        yield from ((section, key) for key in table[section] if key != "opened")
    yield ("seats", "alice", "holder")
    yield from (("match", "opened", key) for key in table["match"].get("opened", ()))
    yield ("move", "reports")


def changed(table: dict[str, Any], path: tuple[str, ...], make: Any) -> bytes:
    table = copy.deepcopy(table)
    inner = table
    for key in path[:-1]:
        inner = inner[key]
    make(inner, path[-1])
    return (save.HEAD + canon.dumps(table)).encode()


def drop(table: dict[str, Any], key: str) -> None:
    del table[key]


def mistype(table: dict[str, Any], key: str) -> None:
    table[key] = {"no": ["such", 1]} if not isinstance(table[key], dict) else "text"


def test_every_key_of_a_save_is_needed_and_of_its_type(played: Chain) -> None:
    for serial in (1, 4, 12):
        table = canon.loads(content(played, serial))
        for path in fixed_places(table):
            for change in (drop, mistype):
                with pytest.raises(Unverified, match=r"^0001\.toml is signed but does not hold a match: "):
                    parsed(changed(table, path, change))


def test_an_unknown_key_is_refused_and_named(played: Chain) -> None:
    table = canon.loads(content(played, 2))
    for section in ("match", "chance", "clock"):
        table_with = copy.deepcopy(table)
        table_with[section]["colour"] = "red"
        with pytest.raises(Unverified, match=f"there is no place for {section}.colour"):
            parsed((save.HEAD + canon.dumps(table_with)).encode())


def put(old: str, new: str, data: bytes) -> bytes:
    assert re.search(old, data.decode(), re.MULTILINE), old
    return re.sub(old, new, data.decode(), count=1, flags=re.MULTILINE).encode()


def test_a_save_of_another_version_names_the_package(played: Chain) -> None:
    other = put("^version = 1$", "version = 9", content(played, 3))
    with pytest.raises(Unverified) as error:
        parsed(other)
    assert error.value.exit_code == 4
    assert "version 9" in str(error.value)
    assert "version 1 is installed" in str(error.value)
    assert "tests.toy" in str(error.value)


def test_a_save_with_other_data_says_so(played: Chain) -> None:
    other = put('^data = "[0-9a-f]{12}', f'data = "{"ab" * 6}', content(played, 3))
    with pytest.raises(Unverified, match=r"0001\.toml was played with component data abababababab, and "):
        parsed(other)


def test_a_save_of_a_game_that_is_not_installed_says_so(played: Chain) -> None:
    for name in ("chess", "../toy", "", "os", "Lantern-Reef"):
        other = put('^game = ".*"$', f'game = "{name}"', content(played, 3))
        with pytest.raises(Unverified, match=f"The game '{re.escape(name)}' is not installed here"):
            parsed(other)


def test_a_save_of_a_newer_format_says_so(played: Chain) -> None:
    newer = content(played, 1).replace(b"# referee save 1\n", b"# referee save 2\n")
    signature = KEY.sign("save", newer).hex()
    data = newer + f'[signature]\nkey = "{KEY.public.fingerprint}"\ned25519 = "{signature}"\n'.encode()
    with pytest.raises(Unverified, match="has the newer format 2"):
        envelope.unseal(data, KEY.public, "save", name="0001.toml")


@pytest.mark.parametrize(
    "nonsense",
    [
        b"", b"colour = \"red\"\n", b"[match]\n", b"[match\n", b"\xff\xfe\n", b"match = 3\n", b"match = []\n",
        b"[match]\nid = 3\n", b"a = " + b"[" * 5000 + b"]" * 5000 + b"\n", b"[seats]\nalice = 3\n",
    ],
)  # fmt: skip
def test_a_signed_file_of_nonsense_is_refused(nonsense: bytes, tmp_path: Path) -> None:
    (tmp_path / "0000.toml").write_bytes(envelope.seal(save.HEAD.encode() + nonsense, KEY, "save"))
    chain = Chain(tmp_path, KEY.public)
    for read in (chain.latest, lambda: check(chain)):
        with pytest.raises(Unverified, match=r"0000\.toml"):
            read()


def test_a_frame_that_is_no_step_is_refused(played: Chain) -> None:
    table = canon.loads(content(played, 2))
    for frame in ({"do": "cheat"}, {"who": "alice"}, {"do": "take_turn"}, {"do": "take_turn", "who": "bob", "gold": 9}):
        table["agenda"]["1"] = frame
        with pytest.raises(Unverified, match="is no step of Lantern Reef as it stands on the agenda"):
            parsed((save.HEAD + canon.dumps(table)).encode())


def test_packs_are_copied_and_needed_byte_for_byte(tmp_path: Path) -> None:
    plain, _ = new(tmp_path / "plain")
    chain, link = new(tmp_path / "packed", packs=[("box.toml", PACK)])
    assert (chain.path / "packs" / "box.toml").read_bytes() == PACK
    assert link.save.match.components["finds"]["amulet"]["worth"] == 9
    assert plain.latest().save.match.components["finds"]["amulet"]["worth"] == 4
    play(chain, "lantern-reef", 2, 12)
    assert check(chain)
    assert canon.section(content(chain, 1), "match")["packs"] == ["box.toml"]
    (chain.path / "packs" / "box.toml").write_bytes(PACK.replace(b"9", b"8"))
    for read in (chain.latest, lambda: check(chain)):
        with pytest.raises(Unverified, match="was played with component data"):
            read()
    (chain.path / "packs" / "box.toml").write_bytes(b"[finds.amulet]\nworth = 3\n")
    with pytest.raises(Unverified, match="uses component data that cannot be read"):
        chain.latest()
    (chain.path / "packs" / "box.toml").unlink()
    with pytest.raises(Unverified, match=r"The pack 'box\.toml' is missing"):
        chain.latest()


def test_a_save_of_another_referee_names_both_keys(played: Chain) -> None:
    with pytest.raises(Unverified, match=r"is signed by another referee's key, .* the trusted key is"):
        Chain(played.path, OTHER_KEY.public).latest()


def test_a_save_under_a_wrong_name_is_refused(played: Chain, tmp_path: Path) -> None:
    for serial in range(5):
        shutil.copy(played.path / f"{serial:04}.toml", tmp_path)
    shutil.copy(played.path / "0003.toml", tmp_path / "0004.toml")
    with pytest.raises(Unverified, match=r"0004\.toml is save 3 under a wrong name"):
        Chain(tmp_path, KEY.public).latest()


def test_a_missing_folder_is_trouble(tmp_path: Path) -> None:
    with pytest.raises(Trouble):
        Chain(tmp_path / "nowhere", KEY.public).latest()


def test_resealing_the_same_bytes_changes_nothing(played: Chain) -> None:
    before, after = reseal(played, 2, content(played, 2))
    assert before == after


def test_a_number_that_no_save_can_hold_is_refused(played: Chain) -> None:
    for number in (-2, 2**63, 10**30):
        other = put("^carol = -?[0-9]+$", f"carol = {number}", content(played, 3))
        with pytest.raises(Unverified, match=r"reported\.carol is not what belongs there"):
            parsed(other)
