"""Orders that may be given at any time, sent with the code of a stop that has passed: they are about no question."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee import desk, submission
from referee.block import Submission
from referee.chain import Chain
from referee.errors import NotNow, Refusal, Refused
from referee.fields import replace
from referee.keys import SigningKey

from .matches import AT, KEY, begun, block, check, rule, send, signed

pytestmark = pytest.mark.usefixtures("quick_disk")


@pytest.fixture
def passed(tmp_path: Path) -> tuple[Chain, Submission]:
    """Return a match in which stop 1 has passed, and what bob wrote at that stop."""
    chain = begun(tmp_path / "match")
    written = block(chain.latest(), "bob", "vow To keep the peace")
    for seat, lines in (("alice", ["sail north"]), ("bob", ["sail south"]), ("carol", ["sail east", "pirate: sail west"])):
        send(chain, seat, *[line.replace("west", "north") for line in lines])
    assert chain.latest().save.match.stop == 2
    return chain, written


def apply(chain: Chain, sent: Submission) -> desk.Answer:
    return desk.apply(chain, KEY, sent, at=AT)


def test_it_is_played_now_and_moves_no_stop(passed: tuple[Chain, Submission]) -> None:
    chain, written = passed
    assert apply(chain, written).played == ["vow To keep the peace"]
    assert chain.latest().save.match.stop == 2
    assert chain.latest().save.entry.move["stop"] == 1
    assert check(chain)


def test_the_same_again_is_a_duplicate(passed: tuple[Chain, Submission]) -> None:
    chain, written = passed
    apply(chain, written)
    send(chain, "alice", "land")
    serial = chain.latest().save.entry.serial
    assert apply(chain, written).status == "duplicate"
    assert chain.latest().save.entry.serial == serial


def test_lines_that_answer_a_question_are_late(passed: tuple[Chain, Submission]) -> None:
    chain, written = passed
    for lines in (("land",), ("vow To keep the peace", "land"), ("always decline",)):
        with pytest.raises(NotNow, match="has passed"):
            apply(chain, replace(written, lines=lines))


def test_the_code_must_be_that_of_the_stop_and_the_seat(passed: tuple[Chain, Submission]) -> None:
    chain, written = passed
    for changed in ({"seat": "alice"}, {"code": "AAAA-AAAA-AAAA"}, {"stop": 3}):
        with pytest.raises((Refused, NotNow)):
            apply(chain, replace(written, **changed))


def test_after_a_rollback_it_may_mean_something_else(passed: tuple[Chain, Submission]) -> None:
    chain, written = passed
    rule(chain, "rollback", serial=1)
    with pytest.raises(NotNow, match="for these lines to be certain"):
        apply(chain, written)


def test_after_many_stops_it_is_too_late(passed: tuple[Chain, Submission], monkeypatch: pytest.MonkeyPatch) -> None:
    chain, written = passed
    monkeypatch.setattr(submission, "LONGEST_TALK", 1)
    assert apply(chain, written).status == "accepted"
    again = replace(written, lines=("vow To keep quiet",))
    send(chain, "alice", "land")
    with pytest.raises(NotNow, match="for these lines to be certain"):
        apply(chain, again)


def test_a_move_file_is_signed_for_one_stop(tmp_path: Path) -> None:
    key = SigningKey.from_bytes(bytes(range(2, 34)))
    chain = begun(tmp_path / "match", keys={"bob": key.public.hex})
    written = signed(chain, key, "bob", "vow peace")
    for seat, lines in (("alice", ["sail north"]), ("bob", ["sail south"]), ("carol", ["sail east", "pirate: sail north"])):
        send(chain, seat, *lines)
    with pytest.raises(Refusal):
        apply(chain, written)
