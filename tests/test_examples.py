"""The examples: what stands in the tree verifies with the public key beside it, and the orders are those that were played."""

import doctest
from pathlib import Path

import pytest

from referee.block import read_submission
from referee.chain import Chain, verify
from referee.keys import PublicKey

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
MATCHES = sorted(path.parent for path in EXAMPLES.glob("*/0000.toml"))


@pytest.fixture(autouse=True)
def _at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


def test_every_game_has_an_example() -> None:
    games = {module.parent.name.replace("_", "-") for module in ROOT.glob("games/*/__init__.py")}
    key = PublicKey.load(EXAMPLES / "referee.pub")
    assert {Chain(match, key).section(0, "match")["game"] for match in MATCHES} == games


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.name)
def test_an_example_is_finished_and_verifies(match: Path) -> None:
    chain = Chain(match, PublicKey.load(EXAMPLES / "referee.pub"))
    checked = list(verify(chain))
    assert len(checked) == chain.store.latest_serial() + 1
    assert all(one.replayed for one in checked)
    assert chain.latest().save.match.over


@pytest.mark.parametrize("match", MATCHES, ids=lambda match: match.name)
def test_the_orders_are_those_that_were_played(match: Path) -> None:
    chain = Chain(match, PublicKey.load(EXAMPLES / "referee.pub"))
    mailed = [read_submission(path.read_bytes()) for path in sorted((match / "orders").iterdir())]
    moves = [chain.section(serial, "move") for serial in range(2, chain.store.latest_serial() + 1)]
    lines = [(move["seat"], move["lines"]) for move in moves if move["kind"] == "lines"]
    assert [(sent.seat, list(sent.lines)) for sent in mailed] == lines


def test_the_readme_runs() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
