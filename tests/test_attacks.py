"""Files that were damaged or exchanged, byte by byte and whole: none is read, and each is told apart."""

import contextlib
import os
import random
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import desk, envelope
from referee.chain import Chain
from referee.errors import RefereeError, Trouble, Unverified

from .matches import AT, GAMES, KEY, block, check, content, file, files, new, open_line, play, refused, reseal

pytestmark = pytest.mark.usefixtures("quick_disk", "no_reports")


@pytest.fixture(scope="module", params=GAMES)
def source(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Chain:
    chain, _ = new(tmp_path_factory.mktemp("source") / "match", request.param)
    play(chain, request.param, 5, 6)
    return chain


@pytest.fixture
def chain(source: Chain, tmp_path: Path) -> Chain:
    shutil.copytree(source.path, tmp_path / "copy", ignore=shutil.ignore_patterns("reports"))
    return Chain(tmp_path / "copy", KEY.public)


def newest(chain: Chain) -> Path:
    return chain.path / f"{chain.store.latest_serial():04}.toml"


def accepted(data: bytes) -> bool:
    """Tell whether bytes pass for a save of the referee."""
    try:
        envelope.unseal(data, KEY.public, "save", name="0003.toml")
    except Unverified:
        return False
    return True


def test_any_single_byte_changed_at_any_position(source: Chain) -> None:
    data = newest(source).read_bytes()
    assert accepted(data)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= (1, 32, 128, 2)[place % 4]  # another digit, the other case, no ASCII, another letter
        assert not accepted(bytes(changed)), f"byte {place} of {len(data)}"


@pytest.mark.parametrize("change", [1, 32, 128])
def test_any_byte_of_a_small_save_changed_in_several_ways(tmp_path: Path, change: int) -> None:
    data = (new(tmp_path / "match")[0].path / "0000.toml").read_bytes()
    assert accepted(data)
    for place in range(len(data)):
        changed = bytearray(data)
        changed[place] ^= change
        assert not accepted(bytes(changed)), f"byte {place} of {len(data)}"


@pytest.mark.parametrize("byte", [b"", b" ", b"\n", b"0"])
def test_any_single_byte_left_out_or_put_in(tmp_path: Path, byte: bytes) -> None:
    data = (new(tmp_path / "match")[0].path / "0000.toml").read_bytes()
    for place in range(len(data)):
        # Whichever of several equal neighbours goes, the file is shorter by it and does not verify.
        changed = data[:place] + byte + data[place + (not byte) :]
        assert not accepted(changed), f"byte {place} of {len(data)}"


def test_a_save_cut_at_any_length(source: Chain) -> None:
    data = newest(source).read_bytes()
    for length in range(len(data)):
        assert not accepted(data[:length])
        assert not accepted(data[length + 1 :])


def spoilt(data: bytes) -> dict[str, tuple[bytes, str]]:
    """Return what becomes of a file on its way, and a word of what is said about it."""
    text = data.decode()
    return {
        "line ends": (data.replace(b"\n", b"\r\n"), "line ends"),
        "old line ends": (data.replace(b"\n", b"\r"), "first line"),
        "one line end": (data.replace(b"\n", b"\r\n", 1), "line ends"),
        "mark": (b"\xef\xbb\xbf" + data, "byte order mark"),
        "utf-16": (text.encode("utf-16"), "UTF-16"),
        "second document": (data + data, "changed after it was signed"),
        "signed twice": (envelope.seal(data, KEY, "save"), "does not hold a match"),
        "appended": (data + b"\n", "added"),
        "appended table": (data + b"[table]\ngold = 9\n", "added"),
        "empty": (b"", "empty"),
        "blank": (b"\n\n  \n", "empty"),
        "quoted": (text.replace("=", "=3D").encode(), "quoted-printable"),
        "behind marks": (b"".join(b"> " + line for line in data.splitlines(keepends=True)), "first line"),
        "without end": (data[:-1], "damaged or cut short"),
        "rubbish": (os.urandom(4000), ""),
        "zeros": (bytes(len(data)), "UTF-16"),
        "a report": (envelope.seal_report(b"Dear alice,\n", KEY, "text"), "first line"),
        "a move": (envelope.seal(b"# referee move 1\n", KEY, "move"), "is a referee move"),
        "a ruling": (envelope.seal(b"# referee ruling 1\n", KEY, "ruling"), "is a referee ruling"),
    }


def test_a_spoilt_save_is_refused_and_it_is_said_why(chain: Chain) -> None:
    whole = newest(chain).read_bytes()
    link = chain.latest()
    for name, (data, why) in spoilt(whole).items():
        newest(chain).write_bytes(data)
        before = files(chain.path)
        with pytest.raises(Unverified) as error:
            chain.latest()
        assert error.value.exit_code == 4, name
        assert why in str(error.value), name
        assert newest(chain).name in str(error.value)
        with pytest.raises(Unverified):
            check(chain)
        with pytest.raises(Unverified):
            desk.apply(chain, KEY, block(link, "alice", "end"), at=AT)
        with pytest.raises(Unverified):
            desk.Lone(newest(chain), KEY).latest()
        assert files(chain.path) == before, "something was written"
    newest(chain).write_bytes(whole)
    assert check(chain)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def nothing(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / "nowhere.toml")


def itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path)


def the_one_before(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.parent / "0001.toml")


@pytest.mark.parametrize("replace", [a_folder, nothing, itself, the_one_before])
def test_a_save_that_is_no_file_of_its_own_is_refused(chain: Chain, replace: Callable[[Path], None]) -> None:
    link, path = chain.latest(), newest(chain)
    replace(path)
    for read in (chain.latest, lambda: check(chain), lambda: desk.apply(chain, KEY, block(link, "bob", "end"), at=AT)):
        with pytest.raises((Unverified, Trouble)) as error:
            read()
        assert path.name in str(error.value)
        assert "Traceback" not in str(error.value)


def test_a_link_to_the_very_bytes_is_as_good_as_they_are(chain: Chain, tmp_path: Path) -> None:
    path = newest(chain)
    shutil.move(path, tmp_path / "elsewhere.toml")
    path.symlink_to(tmp_path / "elsewhere.toml")
    assert check(chain)


def test_a_next_save_that_is_a_link_to_nowhere_is_not_written_through(chain: Chain, tmp_path: Path) -> None:
    link = chain.latest()
    seat, line = open_line(link.save.match, random.Random(1))
    (chain.path / f"{link.save.entry.serial + 1:04}.toml").symlink_to(tmp_path / "out.toml")
    with pytest.raises(RefereeError):
        desk.apply(chain, KEY, block(link, seat, line), at=AT)
    assert not (tmp_path / "out.toml").exists()


def test_a_huge_save_is_refused_without_being_read(chain: Chain) -> None:
    whole = newest(chain).read_bytes()
    with newest(chain).open("wb") as file:
        file.write(whole)
        file.truncate(1 << 40)  # a terabyte that takes no room
    for read in (chain.latest, lambda: check(chain), desk.Lone(newest(chain), KEY).latest):
        with pytest.raises(Unverified, match=r"\d{4}\.toml .*too large"):
            read()


def test_files_that_are_no_saves_do_not_count(chain: Chain) -> None:
    count = len(check(chain))
    for name in ("7.toml", "00007.toml", "0099.toml.bak", "people.toml", "notes.txt", "٠٠٠٩.toml", ".0099.toml"):
        (chain.path / name).write_bytes(b"gold = 9\n")
    (chain.path / "referee.pub").write_text(KEY.public.hex)
    assert len(check(chain)) == count


def test_a_gap_is_found_before_anything_is_written(chain: Chain) -> None:
    link = chain.latest()
    (chain.path / "0002.toml").unlink()
    before = files(chain.path)
    with pytest.raises(Unverified, match=r"0002\.toml is missing"):
        desk.apply(chain, KEY, block(link, "alice", "end"), at=AT)
    assert files(chain.path) == before


VALUES = ("true", "0", "-1", "7", "99999999999999999999", '""', '"zed"', '"alice"', "[]", "[1]", '["alice"]', "{}",
          "{a = 1}", '{do = "land"}', "1.5", "1979-05-27", "inf", '"\\u0000"')  # fmt: skip


def mangled(text: str, rng: random.Random) -> str:
    """Return the text of a save with one line dropped, doubled, renamed, or given another value."""
    lines = text.splitlines()
    at, how = rng.randrange(1, len(lines)), rng.randrange(6)
    words = list(re.finditer(r'"[^"]*"|-?\d+|true|false', lines[at]))
    if how == 0:
        del lines[at]
    elif how == 1:
        lines.insert(at, lines[at])
    elif how == 2:
        lines[at] = re.sub(r"^\w+", rng.choice(("zed", "alice", "do", "kind", "1")), lines[at])
    elif how == 3:
        lines.insert(at, rng.choice(("[x]", "[table.x]", "[agenda]", "[match]")))
    elif words:
        word = rng.choice(words)
        lines[at] = lines[at][: word.start()] + rng.choice(VALUES) + lines[at][word.end() :]
    return "\n".join(lines) + "\n"


def test_no_random_change_under_the_right_key_is_believed(chain: Chain) -> None:
    last = chain.store.latest_serial()
    for case in range(90):
        rng = random.Random(case)
        serial = rng.choice((0, 1, last, last))
        path, before = file(chain, serial), content(chain, serial)
        whole, changed = path.read_bytes(), mangled(before.decode(), rng).encode()
        if changed.splitlines() == before.splitlines() or vouched_for_by_the_referee(before, changed):
            continue
        reseal(chain, serial, changed)
        refused(chain)
        with contextlib.suppress(Unverified):
            chain.latest()
        path.unlink()
        path.write_bytes(whole)


def vouched_for_by_the_referee(one: bytes, other: bytes) -> bool:
    """Tell whether the change is one that only the referee could vouch for: who vouches, when, by which program."""
    words = {line.partition(b" = ")[0] for line in set(one.splitlines()) ^ set(other.splitlines())}
    return words <= {b"at", b"by", b"engine"}
