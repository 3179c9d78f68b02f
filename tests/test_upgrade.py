"""A change of the rules in the middle of a match: what is played again, what is not, and what is checked all the same."""

from pathlib import Path

import pytest

import tests.toy
from referee import canon, desk, fields
from referee.chain import Chain
from referee.errors import Unverified
from referee.match import Match
from referee.steps import Step

from .matches import AT, KEY, OTHER_KEY, check, content, file, forge, new, play, refused, rule, signed

pytestmark = pytest.mark.usefixtures("quick_disk", "no_reports")


def second_version(monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a second version of the toy's rules, in which calm waters bring two lanterns."""
    mended = fields.replace(tests.toy.GAME, version=2)

    def raid(m: Match) -> None:
        for who in m.seats:
            boat = next(boat for boat in m.table.boats.values() if boat.captain == who)
            boat.lanterns += 2
            m.tell("calm", who=who, lanterns=boat.lanterns)

    mended.steps["raid"] = Step(raid)
    monkeypatch.setattr(tests.toy, "GAME", mended)


def started(tmp_path: Path) -> Chain:
    chain, _ = new(tmp_path / "upgraded", keys={"bob": OTHER_KEY.public.hex})
    desk.apply(chain, KEY, signed(chain, OTHER_KEY, "bob", "sail north"), at=AT)
    rule(chain, "note", text="Version 1 so far.")
    return chain


def test_another_version_without_a_ruling_names_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = started(tmp_path)
    second_version(monkeypatch)
    refused(chain, "0003.toml was played with version 1 of the rules of lantern-reef", "tests.toy", "upgrade")
    with pytest.raises(Unverified, match="version 2 is installed"):
        chain.latest()


def test_after_an_upgrade_the_older_part_is_not_played_again_and_the_rest_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = started(tmp_path)
    with monkeypatch.context() as installed:
        second_version(installed)
        rule(chain, "upgrade")
        play(chain, "lantern-reef", 1, 20)
        checked = check(chain)
        assert [one.replayed for one in checked[:5]] == [False] * 4 + [True]
        assert all(one.replayed for one in checked[4:])
        assert checked[2].voucher == f"bob's key {OTHER_KEY.public.fingerprint}"
        assert (checked[4].what, checked[4].voucher) == ("ruling upgrade", "the moderator")
        assert chain.latest().save.match.game.version == 2
    refused(chain, "0004.toml was played with version 2", "version 1 is installed")


def test_a_forged_upgrade_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = started(tmp_path)
    second_version(monkeypatch)
    rule(chain, "upgrade")
    kept = {n: file(chain, n).read_bytes() for n in range(5)}
    signature = canon.section(content(chain, 4), "move")["signature"]
    for serial, old, changed in (
        (4, signature, KEY.sign("ruling", b"another").hex()),
        (4, 'why = "for the test"', 'why = "as you like it"'),
        (4, "lanterns = 3", "lanterns = 9"),
        (4, 'reports = ["alice", "bob", "carol"]', "reports = []"),
        (2, canon.section(content(chain, 2), "move")["signature"], "ab" * 64),
        (3, canon.section(content(chain, 3), "move")["signature"], "ab" * 64),
        (3, "serial = 3", "serial = 7"),
    ):
        forge(chain, serial, old, changed)
        refused(chain, f"{serial:04}.toml")
        for n, data in kept.items():
            file(chain, n).write_bytes(data)
    assert check(chain)


def test_other_data_needs_an_upgrade_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chain = started(tmp_path)
    (chain.path / "packs").mkdir()
    from referee import components

    older = components.load_components(tests.toy.GAME)
    newer = fields.replace(older, hash="ab" * 32, memo={})
    monkeypatch.setitem(components._built_in, "lantern-reef", newer)
    refused(chain, "was played with component data")
    rule(chain, "upgrade")
    play(chain, "lantern-reef", 1, 5)
    assert [one.replayed for one in check(chain)] == [False] * 4 + [True] * 6
