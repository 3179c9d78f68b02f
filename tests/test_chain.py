"""Chains: what verify accepts, and what it finds out."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from referee import canon, desk, envelope
from referee.chain import Chain, opened_hash, ruling_bytes
from referee.chance import Chance, commitment, working_seed
from referee.engine import pending
from referee.errors import Unverified
from referee.save import file_hash

from .matches import (
    AT,
    GAMES,
    KEY,
    OTHER_KEY,
    block,
    check,
    content,
    file,
    forge,
    new,
    play,
    refused,
    reseal,
    rule,
    send,
    signed,
)

pytestmark = pytest.mark.usefixtures("quick_disk", "no_reports")


@pytest.fixture(scope="module", params=GAMES)
def source(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Chain:
    chain, _ = new(tmp_path_factory.mktemp("source") / "match", request.param)
    play(chain, request.param, 5, 20)
    rule(chain, "note", text="On with it.")
    play(chain, request.param, 6, 6)
    return chain


@pytest.fixture
def chain(source: Chain, tmp_path: Path) -> Chain:
    """Return a copy that may be spoilt."""
    shutil.copytree(source.path, tmp_path / "copy", ignore=shutil.ignore_patterns("reports"))
    return Chain(tmp_path / "copy", KEY.public)


def last(chain: Chain) -> int:
    return chain.store.latest_serial()


# What is accepted


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_verifies_and_all_dice_are_listed(game: str, tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "match", game, 4)
    link = play(chain, game, 4)
    checked = check(chain)
    assert [one.serial for one in checked] == list(range(link.save.entry.serial + 1))
    assert all(one.replayed for one in checked)
    assert {one.voucher for one in checked} == {"the referee", "a turn code"}
    assert [one.hash for one in checked] == [file_hash(file(chain, n).read_bytes()) for n in range(len(checked))]
    m = link.save.match
    again = Chance(working_seed(m.id, m.secret, m.nonces, m.seats), 0)
    for what, counter, result in [draw for one in checked for draw in one.chance]:
        assert counter == again.counter
        kind, _, number = what.partition(" of ")
        if kind == "die":
            assert again.roll(int(number)) == result
        else:
            order = again.shuffled(list(range(int(number))))
            assert len(order) == len(result)
    assert again.counter == m.chance.counter, "a die or a shuffle is not in the list"
    assert canon.section(content(chain, 0), "chance")["commitment"] == commitment(m.id, m.secret)


def test_whoever_has_the_public_key_can_verify(source: Chain) -> None:
    assert check(Chain(source.path, [OTHER_KEY.public, KEY.public]))


def test_it_verifies_under_any_hash_seed(source: Chain) -> None:
    program = (
        "import sys; from referee.chain import Chain, verify; from referee.keys import PublicKey;"
        "print([one.hash for one in verify(Chain(sys.argv[1], PublicKey.from_bytes(bytes.fromhex(sys.argv[2]))))])"
    )
    told = set()
    for seed in ("0", "1", "4242"):
        command = [sys.executable, "-c", program, str(source.path), KEY.public.hex]
        done = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
        told.add(done.stdout)
    assert len(told) == 1


def test_the_same_submissions_give_the_same_bytes_under_any_hash_seed(source: Chain, tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from tests.matches import *; from referee import desk;"
        "chain, _ = new(Path(sys.argv[1]), sys.argv[2], 3); play(chain, sys.argv[2], 3, 12);"
        "print(chain.latest().hash)"
    )
    game, told = source.latest().save.match.game.slug, set()
    for seed in ("0", "77"):
        command = [sys.executable, "-c", program, str(tmp_path / seed), game]
        done = subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True)
        told.add(done.stdout)
    assert len(told) == 1


def test_a_cut_chain_verifies_as_far_as_it_goes_but_lacks_what_a_report_names(chain: Chain) -> None:
    named = opened_hash(chain.latest())
    hashes = [one.hash for one in check(chain)]
    assert named in hashes
    for _ in range(len(hashes) - hashes.index(named)):
        file(chain, last(chain)).unlink()
    assert named not in [one.hash for one in check(chain)]


# What is refused


def test_any_save_removed(chain: Chain) -> None:
    for serial in range(last(chain)):
        away = file(chain, serial).rename(chain.path / "away")
        refused(chain, "without a gap")
        away.rename(file(chain, serial))
    assert check(chain)


def test_any_save_removed_and_the_rest_renumbered(chain: Chain) -> None:
    removed = 3
    file(chain, removed).unlink()
    for serial in range(removed + 1, last_file(chain) + 1):
        file(chain, serial).rename(file(chain, serial - 1))
    refused(chain, "0003.toml does not follow the save before it")


def last_file(chain: Chain) -> int:
    return max(int(path.stem) for path in chain.path.glob("*.toml"))


def test_any_two_saves_exchanged(chain: Chain) -> None:
    for one in range(last(chain)):
        first, second = file(chain, one).read_bytes(), file(chain, one + 1).read_bytes()
        file(chain, one).write_bytes(second)
        file(chain, one + 1).write_bytes(first)
        refused(chain, f"{one:04}.toml")
        file(chain, one).write_bytes(first)
        file(chain, one + 1).write_bytes(second)


def test_a_save_of_another_branch(chain: Chain, tmp_path: Path) -> None:
    game = chain.latest().save.match.game.slug
    shutil.copytree(chain.path, tmp_path / "branch")
    branch = Chain(tmp_path / "branch", KEY.public)
    for serial in range(10, last(branch) + 1):
        file(branch, serial).unlink()
    play(branch, game, 99, 6)
    assert check(branch)
    different = next(n for n in range(10, 16) if file(branch, n).read_bytes() != file(chain, n).read_bytes())
    for serial in range(different, 16):
        mine = file(chain, serial).read_bytes()
        file(chain, serial).write_bytes(file(branch, serial).read_bytes())
        refused(chain, "does not follow" if serial > different else f"{serial + 1:04}.toml does not follow")
        file(chain, serial).write_bytes(mine)
    assert opened_hash(branch.latest()) not in [one.hash for one in check(chain)]


def test_a_save_of_another_match(chain: Chain, tmp_path: Path) -> None:
    other, _ = new(tmp_path / "other", chain.latest().save.match.game.slug, 2)
    for serial in (0, 1):
        file(chain, serial).write_bytes(file(other, serial).read_bytes())
        refused(chain, f"{1 if serial == 0 else 2:04}.toml does not follow the save before it")
        break


def test_a_save_that_another_key_signed(chain: Chain) -> None:
    for serial in (0, 1, 7, last(chain)):
        mine = file(chain, serial).read_bytes()
        reseal(chain, serial, content(chain, serial), OTHER_KEY)
        refused(chain, f"{serial:04}.toml is signed by another referee's key")
        file(chain, serial).write_bytes(mine)


def test_a_whole_chain_that_another_key_signed_even_with_its_key_beside_it(chain: Chain) -> None:
    for serial in range(last(chain) + 1):
        reseal(chain, serial, content(chain, serial), OTHER_KEY)
    (chain.path / "referee.pub").write_text(f"{OTHER_KEY.public.hex}\n")
    (chain.path / "key.pub").write_bytes(OTHER_KEY.public.raw)
    refused(chain, "is signed by another referee's key")
    with pytest.raises(Unverified):
        chain.latest()


# What the referee's own key cannot make true


def line(chain: Chain, serial: int, start: str) -> str:
    """Return the first line of a save that begins so."""
    return re.findall(rf"^{re.escape(start)}.*$", content(chain, serial).decode(), re.MULTILINE)[0]


def numbers(text: str) -> str:
    """Return a text with its first number raised."""
    return re.sub(r"\d+", lambda found: str(int(found[0]) + 1), text, count=1)


FORGERIES: list[tuple[int, str, Callable[[str], str]]] = [
    (8, "counter = ", numbers),
    (8, "stop = ", numbers),
    (8, "over = ", lambda text: "over = true"),
    (8, "held = ", lambda text: "held = true"),
    (8, "lines = ", lambda text: text.replace('["', '["perhaps ')),
    (8, "played = ", lambda text: text.replace('["', '["quickly ')),
    (8, "by = ", lambda text: 'by = "moderator"' if "code" in text else text),
    (8, "reports = ", lambda text: "reports = []"),
    (8, "alice = ", lambda text: text.replace("holder = 1", "holder = 2")),
    (8, "alice = ", lambda text: text.replace("}", f', key = "{OTHER_KEY.public.hex}"}}')),
    (8, "secret = ", lambda text: f'secret = "{"ab" * 32}"'),
    (8, "at = ", lambda text: 'at = "yesterday"'),
    (8, "at = ", lambda text: 'at = "2026-11-30T18:00:00Z or so"'),
    (8, "notices = ", lambda text: "notices = []"),
    (8, "1 = {kind", lambda text: text.replace('kind = "', 'kind = "un')),
    (1, "counter = ", numbers),
    (0, "counter = ", numbers),
    (0, "secret = ", lambda text: f'secret = "{"ab" * 32}"'),
    (0, "reports = ", lambda text: 'reports = ["alice"]'),
    (0, "alice = {", lambda text: text.replace("holder = 1", "holder = 3")),
    (0, "bob = -1", lambda text: "bob = 0"),
]


@pytest.mark.parametrize(("serial", "start", "change"), FORGERIES)
def test_a_forgery_under_the_right_key_is_found_by_playing_again(
    chain: Chain, serial: int, start: str, change: Callable[[str], str]
) -> None:
    before = line(chain, serial, start)
    after = change(before)
    assert after != before
    if start == "by = ":
        # Who vouches is what the referee says: nobody without the referee's secret can check a turn code.
        forge(chain, serial, before, after)
        assert check(chain)[serial].voucher == "the moderator's word"
        return
    forge(chain, serial, f"\n{before}\n", f"\n{after}\n")
    refused(chain, f"{serial:04}.toml" if serial or start != "secret = " else "")


def test_a_changed_table_is_found(chain: Chain) -> None:
    for serial in (5, last(chain)):
        kept = {n: file(chain, n).read_bytes() for n in range(serial, last(chain) + 1)}
        text = content(chain, serial).decode()
        place = re.search(r"\n\[table[^\n]*\]\n(?:[^\[\n]*\n)*?(\w+ = )(\d+)\n", text)
        assert place is not None
        old = text[place.start(1) : place.end(2)]
        at = text[: place.start(1)][-30:]
        forge(chain, serial, at + old, at + numbers(old))
        refused(chain, f"{serial:04}.toml differs from what its move leads to: line ")
        for n, data in kept.items():
            file(chain, n).write_bytes(data)


def test_a_move_with_a_stop_of_another_time_or_more_words_is_found(chain: Chain) -> None:
    serial = 8
    move = canon.section(content(chain, serial), "move")
    kept = {n: file(chain, n).read_bytes() for n in range(serial, last(chain) + 1)}
    for old, changed in (
        (f"\nstop = {move['stop']}\nby = ", f"\nstop = {move['stop'] + 1}\nby = "),
        ('\nkind = "lines"\n', '\nkind = "lines"\nmood = "good"\n'),
        ('\nkind = "lines"\n', '\nkind = "luck"\n'),
        ('\nby = "code"\n', '\nby = "magic"\n'),
        (f'\nseat = "{move["seat"]}"\n', '\nseat = "zed"\n'),
        (f'\nseat = "{move["seat"]}"\n', "\n"),
        ('\nkind = "lines"\n', '\nkind = "begin"\n'),
    ):
        forge(chain, serial, old, changed)
        refused(chain, "0008.toml")
        for n, data in kept.items():
            file(chain, n).write_bytes(data)
    assert check(chain)


def test_a_forged_first_save_is_found(chain: Chain) -> None:
    zero = content(chain, 0).decode()
    for old, changed in (("counter = 0", "counter = 1"), ("stop = 0", "stop = 1"), ("over = false", "over = true")):
        kept = {n: file(chain, n).read_bytes() for n in range(last(chain) + 1)}
        assert old in zero
        forge(chain, 0, old, changed)
        refused(chain, "0000.toml")
        for n, data in kept.items():
            file(chain, n).write_bytes(data)


# Who vouches


def vouched(tmp_path: Path) -> Chain:
    """Return a match with a move by turn code, one by a player's key, one by the moderator, and a ruling."""
    chain, _ = new(tmp_path / "vouched", keys={"alice": OTHER_KEY.public.hex})
    desk.apply(chain, KEY, signed(chain, OTHER_KEY, "alice", "sail north"), at=AT)
    send(chain, "bob", "sail south")
    desk.apply(chain, KEY, block(chain.latest(), "carol", "sail east", "pirate: sail north", code=""), moderator=True, at=AT)
    rule(chain, "hold")
    return chain


def test_who_vouches_is_told_apart(tmp_path: Path) -> None:
    told = [(one.what, one.voucher) for one in check(vouched(tmp_path))]
    assert told == [
        ("new", "the referee"),
        ("begin", "the referee"),
        ("lines of alice", f"alice's key {OTHER_KEY.public.fingerprint}"),
        ("lines of bob", "a turn code"),
        ("lines of carol", "the moderator's word"),
        ("ruling hold", "the moderator"),
    ]


def test_a_forged_signature_inside_a_move_is_found(tmp_path: Path) -> None:
    chain = vouched(tmp_path)
    move = canon.section(content(chain, 2), "move")
    other = KEY.sign("move", b"anything").hex()
    kept = {n: file(chain, n).read_bytes() for n in range(6)}
    forgeries = [
        (2, move["signature"], other),
        (2, f'key = "{OTHER_KEY.public.fingerprint}"', f'key = "{KEY.public.fingerprint}"'),
        (2, f'signature = "{move["signature"]}"', 'signature = "00"'),
        (2, f'signature = "{move["signature"]}"', 'signature = "no hex"'),
        (5, canon.section(content(chain, 5), "move")["signature"], other),
        (5, 'why = "for the test"', 'why = "for nothing"'),
    ]
    for serial, old, changed in forgeries:
        forge(chain, serial, old, changed)
        refused(chain, f"{serial:04}.toml")
        for n, data in kept.items():
            file(chain, n).write_bytes(data)
    assert check(chain)


def test_a_signed_move_cannot_be_put_into_a_seat_without_a_key(tmp_path: Path) -> None:
    chain = vouched(tmp_path)
    for serial in range(6):
        forge(chain, serial, f', key = "{OTHER_KEY.public.hex}"', "")
    refused(chain, "0002.toml: the move is signed, and no key of alice is registered")


def test_the_ruling_bytes_name_match_and_place() -> None:
    said = {"kind": "ruling", "ruling": "hold", "why": "x", "signature": "ab"}
    both = {ruling_bytes(match, serial, said) for match in ("a", "b") for serial in (1, 2)}
    assert len(both) == 4
    assert not any(b"ab" in one for one in both)


def test_a_report_cannot_pass_for_a_save(chain: Chain) -> None:
    text = content(chain, last(chain))
    file(chain, last(chain)).write_bytes(envelope.seal_report(text, KEY, "text"))
    refused(chain, "was changed after it was signed")


def test_a_better_sentence_for_a_reason_does_not_make_old_matches_wrong(tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "match", "lantern-reef")
    send(chain, "alice", "sail north")
    send(chain, "bob", "sail south")
    send(chain, "carol", "sail east", "pirate: sail east")
    question = pending(chain.latest().save.match)
    assert question is not None
    came_back = send(chain, question.seats[0], "land", "land")
    assert came_back.returned == ["land"]
    forge(chain, last(chain), came_back.reason, "Line 2: put into better words.")
    forge(chain, last(chain), came_back.reason, "Line 2: put into better words.")
    check(chain)
    forge(chain, last(chain), 'returned = ["land"]', 'returned = ["roll"]')
    refused(chain, "differs from what its move leads to")
