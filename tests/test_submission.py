"""Submissions: who may send what to which stop, and what happens when it comes again."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from referee import desk, fields
from referee.block import Submission, read_submission, sign_move
from referee.chain import Chain, opened_hash
from referee.errors import NotNow, Refusal, Refused
from referee.keys import SigningKey
from referee.submission import MOST_AT_A_STOP, code_for, opened_at, repeated

from .matches import AT, GAMES, KEY, OTHER_KEY, begun, block, check, code_of, files, new, open_line, rule, send

pytestmark = pytest.mark.usefixtures("quick_disk", "no_reports")

ALICE_KEY = SigningKey.from_bytes(bytes(range(2, 34)))


@pytest.fixture
def chain(tmp_path: Path) -> Chain:
    """Return Lantern Reef at its first question, a joint one: alice and bob have a course each, carol one more."""
    return new(tmp_path / "match", keys={"alice": ALICE_KEY.public.hex})[0]


def sail(chain: Chain) -> None:
    """Answer the joint question."""
    send(chain, "alice", "sail north")
    send(chain, "bob", "sail south")
    send(chain, "carol", "sail east", "pirate: sail east")


def refused(chain: Chain, sent: Submission, *words: str, kind: type[Refusal] = Refusal) -> str:
    """Check that a submission is refused and changes nothing, and return why."""
    before = files(chain.path)
    with pytest.raises(kind) as error:
        desk.apply(chain, KEY, sent, at=AT)
    assert files(chain.path) == before
    for word in words:
        assert word in str(error.value)
    assert error.value.exit_code == 3
    return str(error.value)


# Turn codes


def test_a_code_opens_its_seat_at_its_stop_and_nothing_else(chain: Chain, tmp_path: Path) -> None:
    first = chain.latest()
    old = {seat: code_of(first, seat) for seat in first.save.match.seats}
    assert len(set(old.values())) == 3
    sail(chain)
    link = chain.latest()
    other, _ = new(tmp_path / "other", seed=2)
    wrong = {
        "of another seat": code_of(link, "bob"),
        "of another stop": old["alice"],
        "of another match": code_of(other.latest(), "alice"),
        "of another referee": code_for(OTHER_KEY, link.save.match, "alice", link.save.match.stop, opened_hash(link)),
        "of nothing": "AAAA-AAAA-AAAA",
        "cut short": code_of(link, "alice")[:-1],
        "too long": code_of(link, "alice") + "A",
    }
    for code in wrong.values():
        text = refused(chain, block(link, "alice", "land", code=code), "The turn code is not that of alice", kind=Refused)
        assert code not in text
        assert code_of(link, "alice") not in text
    refused(chain, block(link, "alice", "land", code=""), "The turn code of alice is missing", kind=Refused)
    assert send(chain, "alice", "land").status == "accepted"


def test_a_code_may_be_typed_without_dashes_and_in_lower_case(chain: Chain) -> None:
    code = code_of(chain.latest(), "alice").replace("-", "").lower()
    assert send(chain, "alice", "sail north", code=code).status == "accepted"
    text = f"#referee test-1 1 bob {code_of(chain.latest(), 'bob').replace('-', ' ').lower()}\nsail south\n#end\n"
    assert desk.apply(chain, KEY, read_submission(text.encode()), at=AT).status == "accepted"


def test_a_code_dies_with_its_holder(chain: Chain) -> None:
    link = chain.latest()
    old, stop = code_of(link, "alice"), link.save.match.stop
    rule(chain, "recode", seat="alice")
    m = chain.latest().save.match
    assert m.holders == {"alice": 2, "bob": 1, "carol": 1}
    for at in (stop, m.stop):
        refused(chain, block(chain.latest(), "alice", "sail north", code=old, stop=at), "turn code is not that of alice")
    assert send(chain, "alice", "sail north").status == "accepted"


def test_a_code_does_not_change_when_others_seal_answers_or_leave_standing_orders(chain: Chain) -> None:
    bob = code_of(chain.latest(), "bob")
    send(chain, "alice", "sail north")
    send(chain, "alice", "always decline")
    assert chain.latest().save.match.stop == 1
    assert code_of(chain.latest(), "bob") == bob
    send(chain, "bob", "sail south", code=bob)


def test_once_answered_a_code_still_serves_for_what_answers_no_question(chain: Chain) -> None:
    sail(chain)
    assert send(chain, "bob", "always decline").played == ["always decline"]
    assert chain.latest().save.match.standing == {"bob": ["decline"]}
    refused(chain, block(chain.latest(), "bob", "land"), "it is not you who is asked now", kind=NotNow)


def test_another_match_or_seat_is_refused(chain: Chain) -> None:
    link = chain.latest()
    refused(chain, block(link, "alice", "sail north", match="test-2"), "is for the match test-2, and this is test-1")
    refused(chain, block(link, "alice", "sail north", seat="zed"), "has no seat 'zed'; its seats are alice, bob, carol")
    refused(chain, block(link, "alice", "sail north", seat=""), "has no seat ''")
    refused(chain, block(link, "alice", "sail north", seat="observer"), "has no seat 'observer'")


def test_a_stale_or_future_stop_is_refused(chain: Chain) -> None:
    stale = block(chain.latest(), "alice", "always decline")
    sail(chain)
    refused(chain, stale, "Stop 1 has passed; the match is at stop 2", kind=NotNow)
    link = chain.latest()
    for stop in (3, 10**8):
        refused(chain, block(link, "alice", "land", stop=stop), "turn code is not that of alice")
    opened = opened_hash(link)
    guessed = code_for(KEY, link.save.match, "alice", 0, opened)
    refused(chain, block(link, "alice", "land", stop=0, code=guessed), "turn code is not that of alice")


def test_the_moderator_needs_no_code_but_the_right_stop(chain: Chain) -> None:
    link = chain.latest()
    sent = block(link, "alice", "sail north", code="")
    assert desk.apply(chain, KEY, sent, moderator=True, at=AT).status == "accepted"
    with pytest.raises(NotNow, match="Stop 5 is not there yet"):
        desk.apply(chain, KEY, block(link, "alice", "sail north", code="", stop=5), moderator=True, at=AT)


# The same again


def again(chain: Chain, sent: Submission) -> desk.Answer:
    """Send what was sent before; nothing may change."""
    before = files(chain.path)
    answer = desk.apply(chain, KEY, sent, at="2027-01-01T00:00:00Z")
    assert answer.status == "duplicate"
    assert files(chain.path) == before
    return answer


def test_a_repeated_submission_gets_the_first_answer(chain: Chain) -> None:
    sail(chain)
    sent = block(chain.latest(), "alice", "peek into arch", "peek into cave")
    first = desk.apply(chain, KEY, sent, at=AT)
    for _ in range(2):
        answer = again(chain, sent)
        assert (answer.played, answer.stop) == (first.played, first.stop)
    send(chain, "alice", "land")
    assert again(chain, sent).played == first.played
    refused(chain, block(chain.latest(), "alice", "peek into arch", stop=sent.stop, code=sent.code), "has passed")


def test_a_repeated_submission_that_was_played_in_part_gets_the_same_rest_back(chain: Chain) -> None:
    sail(chain)
    sent = block(chain.latest(), "alice", "peek into arch", "dive arch with 1", "play squall")
    link = chain.latest()
    first = desk.apply(chain, KEY, block(link, "alice", "peek into arch", "peek into arch"), at=AT)
    assert first.status == "in part"
    assert first.returned == ["peek into arch"]
    answer = again(chain, block(link, "alice", "peek into arch", "peek into arch"))
    assert (answer.played, answer.returned, answer.reason) == (first.played, first.returned, first.reason)
    refused(chain, sent, "has passed")


def test_the_latest_of_several_sealed_answers_counts(chain: Chain) -> None:
    link = chain.latest()
    a, b = block(link, "alice", "sail north"), block(link, "alice", "sail south")
    for sent in (a, b, a):
        assert desk.apply(chain, KEY, sent, at=AT).status == "accepted"
    assert again(chain, a).played == ["sail north"]
    assert chain.latest().save.match.sealed["alice"]["waters"] == "north"
    withdraw = block(link, "alice", "withdraw")
    assert desk.apply(chain, KEY, withdraw, at=AT).status == "accepted"
    assert again(chain, withdraw).played == ["withdraw"]
    assert desk.apply(chain, KEY, a, at=AT).status == "accepted"
    assert chain.latest().save.match.sealed["alice"]["waters"] == "north"
    send(chain, "bob", "sail south")
    send(chain, "carol", "sail east", "pirate: sail east")
    assert chain.latest().save.match.table.courses["alice"] == "north"
    for sent in (a, b):
        again(chain, sent)


def test_an_equal_submission_of_another_seat_is_no_repetition(chain: Chain) -> None:
    send(chain, "alice", "sail north")
    assert send(chain, "bob", "sail north").status == "accepted"


def test_a_repetition_with_a_wrong_code_tells_nothing(chain: Chain) -> None:
    sent = block(chain.latest(), "alice", "sail north")
    desk.apply(chain, KEY, sent, at=AT)
    sail(chain)
    refused(chain, block(chain.latest(), "alice", "sail north", stop=1, code="AAAA-AAAA-AAAA"), "turn code is not that")


def test_looking_for_a_repetition_costs_no_more_in_a_long_chain(tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "long")
    stranger = [block(chain.latest(), "alice", "land", stop=stop, code="AAAA-AAAA-AAAA") for stop in (1, 15, 10**6)]
    costs = []
    for notes in (20, 60):
        for _ in range(notes):
            rule(chain, "note", text="Tick.")
        link, read = chain.latest(), []

        def section(serial: int, name: str, read: list[int] = read) -> dict[str, Any]:
            read.append(serial)
            return chain.section(serial, name)

        assert repeated(link, block(link, "alice", "land"), section) is None
        assert opened_at(link, link.save.match.stop, section) == opened_hash(link)
        assert set(read) == {link.save.entry.serial - 1}
        for sent in stranger:
            assert opened_at(link, sent.stop, section) != "" or sent.stop > link.save.match.stop
            assert repeated(link, sent, section) is None
        costs.append(len(read))
    assert costs[1] <= costs[0] + 14, "halving four times as many saves takes two steps more, for each of six searches"


def test_the_opening_hash_of_earlier_stops_is_found(chain: Chain) -> None:
    opened = {1: opened_hash(chain.latest())}
    rng = random.Random(1)
    for _ in range(12):
        seat, line = open_line(chain.latest().save.match, rng)
        send(chain, seat, line)
        link = chain.latest()
        opened.setdefault(link.save.match.stop, opened_hash(link))
    assert len(opened) > 4
    assert {stop: opened_at(chain.latest(), stop, chain.section) for stop in opened} == opened
    assert opened_at(chain.latest(), 10**6, chain.section) == ""
    assert opened_at(chain.latest(), -1, chain.section) == ""


@pytest.mark.parametrize("game", GAMES)
def test_every_submission_of_a_match_is_known_again(game: str, tmp_path: Path) -> None:
    chain, _ = new(tmp_path / "match", game)
    rng, sent = random.Random(2), []
    for _ in range(15):
        link = chain.latest()
        if link.save.match.over:
            break
        seat, line = open_line(link.save.match, rng)
        sent.append(block(link, seat, line))
        desk.apply(chain, KEY, sent[-1], at=AT)
    replaced = [one for one in sent if [(s.seat, s.stop) for s in sent].count((one.seat, one.stop)) > 1]
    for one in sent:
        if one not in replaced:
            again(chain, one)


# Signed move files


def move(chain: Chain, key: SigningKey, *lines: str, **changed: Any) -> Submission:
    """Return a move file of alice, as it was read."""
    link = chain.latest()
    fields = {"opened": opened_hash(link), "holder": link.save.match.holders["alice"], "code": "", **changed}
    seat = fields.pop("seat", "alice")
    return read_submission(sign_move(block(link, seat, *lines, **fields), key))


def test_a_move_file_needs_no_code(chain: Chain) -> None:
    sent = move(chain, ALICE_KEY, "sail north")
    assert desk.apply(chain, KEY, sent, at=AT).played == ["sail north"]
    assert again(chain, sent).played == ["sail north"]
    assert check(chain)[-1].voucher == f"alice's key {ALICE_KEY.public.fingerprint}"
    sail(chain)
    assert again(chain, sent).played == ["sail north"]
    assert check(chain)


def test_a_move_file_with_an_awkward_line_verifies_in_the_chain(chain: Chain) -> None:
    sent = move(chain, ALICE_KEY, 'Sail the "north"', "always  decline".replace("  ", " "))
    desk.apply(chain, KEY, sent, at=AT)
    assert check(chain)[-1].voucher.startswith("alice's key")


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda c: move(c, OTHER_KEY, "sail north"), "The signature is not that of alice's key"),
        (lambda c: move(c, KEY, "sail north"), "The signature is not that of alice's key"),
        (lambda c: move(c, ALICE_KEY, "sail north", seat="bob"), "No key of bob is registered"),
        (lambda c: move(c, ALICE_KEY, "sail north", opened="ab" * 32), "signed for another branch of the match"),
        (lambda c: move(c, ALICE_KEY, "sail north", holder=2), "another holder"),
        (lambda c: move(c, ALICE_KEY, "sail north", match="test-9"), "is for the match test-9"),
        (lambda c: move(c, ALICE_KEY, "sail north", stop=7), "signed for another branch"),
    ],
)
def test_a_move_file_that_does_not_fit_is_refused(chain: Chain, make: Callable[[Chain], Submission], why: str) -> None:
    refused(chain, make(chain), why)


def test_a_move_file_whose_lines_were_changed_is_refused(chain: Chain) -> None:
    sent = move(chain, ALICE_KEY, "sail north")
    for changed in (
        fields.replace(sent, lines=("sail south",)),
        fields.replace(sent, signed=sent.signed.replace(b"north", b"south")),
        fields.replace(sent, signed=b""),
        read_submission(sent.signed.replace(b"sail north", b"sail south")),
    ):
        assert changed != sent
        if changed.signed:
            refused(chain, changed, "The signature is not that of alice's key")
        else:
            refused(chain, changed, "The turn code of alice is missing")


def test_a_move_file_dies_with_the_holder(chain: Chain) -> None:
    sent = move(chain, ALICE_KEY, "sail north")
    rule(chain, "recode", seat="alice")
    refused(chain, sent, "another branch of the match, or another holder")
    refused(chain, move(chain, ALICE_KEY, "sail north", holder=1), "another holder")


def test_a_move_file_of_a_branch_that_was_cut_is_refused(chain: Chain, tmp_path: Path) -> None:
    sail(chain)
    sent = move(chain, ALICE_KEY, "land")
    for serial in range(chain.store.latest_serial(), 2, -1):
        (chain.path / f"{serial:04}.toml").unlink()
    send(chain, "bob", "sail east")
    send(chain, "carol", "sail north", "pirate: sail east")
    assert chain.latest().save.match.stop == sent.stop
    refused(chain, sent, "another branch")


def test_a_code_of_a_branch_that_was_cut_is_refused(chain: Chain) -> None:
    sail(chain)
    sent = block(chain.latest(), "alice", "land")
    for serial in range(chain.store.latest_serial(), 2, -1):
        (chain.path / f"{serial:04}.toml").unlink()
    send(chain, "bob", "sail east")
    send(chain, "carol", "sail north", "pirate: sail east")
    refused(chain, sent, "The turn code is not that of alice at stop 2")


def test_mails_that_bring_the_match_no_further_are_limited(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match")
    for number in range(MOST_AT_A_STOP):
        send(chain, "alice", "never decline" if number % 2 else "always decline")
    with pytest.raises(NotNow, match="You have sent 30 mails at stop"):
        send(chain, "alice", "always decline")
    send(chain, "bob", "always decline")
    assert send(chain, "alice", "sail north").status == "accepted"
    with pytest.raises(NotNow, match="You have sent 31 mails at stop"):
        send(chain, "alice", "sail south")
