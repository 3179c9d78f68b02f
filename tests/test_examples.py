"""The examples: what stands in the tree verifies with the public key beside it, and the orders are those that were played."""

import doctest
from collections import Counter
from pathlib import Path

import pytest

from referee.block import read_submission
from referee.chain import Chain, verify
from referee.keys import PublicKey
from referee.mail.letter import read_letter
from referee.mail.message import read_message

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
MATCHES = sorted(path.parent for path in EXAMPLES.glob("*/0000.toml"))
BY_MAIL = [match for match in MATCHES if (match / "mails").is_dir()]


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


@pytest.mark.parametrize("match", [m for m in MATCHES if m not in BY_MAIL], ids=lambda match: match.name)
def test_the_orders_are_those_that_were_played(match: Path) -> None:
    chain = Chain(match, PublicKey.load(EXAMPLES / "referee.pub"))
    mailed = [read_submission(path.read_bytes()) for path in sorted((match / "orders").iterdir())]
    moves = [chain.section(serial, "move") for serial in range(2, chain.store.latest_serial() + 1)]
    lines = [(move["seat"], move["lines"]) for move in moves if move["kind"] == "lines"]
    assert [(sent.seat, list(sent.lines)) for sent in mailed] == lines


@pytest.mark.parametrize("match", BY_MAIL, ids=lambda match: match.name)
def test_all_that_was_played_came_by_mail(match: Path) -> None:
    chain = Chain(match, PublicKey.load(EXAMPLES / "referee.pub"))
    mails = Counter(_sent(path) for path in (match / "mails").iterdir())
    moves = [chain.section(serial, "move") for serial in range(2, chain.store.latest_serial() + 1)]
    assert {move["kind"] for move in moves} == {"lines"}
    played = Counter((move["seat"], *move["lines"]) for move in moves)
    assert not played - mails


def _sent(path: Path) -> tuple[str, ...]:
    """Return who wrote a mail, and its lines."""
    letter = read_letter(read_message(path.read_bytes()))
    return path.stem.partition("-")[2], *(letter.submission.lines if letter.submission else letter.lines)


def test_by_mail_six_seats_have_played_to_the_end_with_agreements_and_a_league() -> None:
    (match,) = BY_MAIL
    chain = Chain(match, PublicKey.load(EXAMPLES / "referee.pub"))
    told = {event["kind"] for event in chain.events_since(1, chain.latest())}
    assert len(chain.latest().save.match.seats) == 6
    assert told >= {"agreement", "league formed", "common turn"}


def test_the_readme_runs() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
