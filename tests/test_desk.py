"""The desk: what a new match writes, who gets which report, and what nobody may learn from any of it."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from referee import canon, desk, envelope
from referee.block import Submission
from referee.chain import Chain, Link
from referee.chance import commitment
from referee.engine import find_game, pending, view
from referee.errors import NotNow, Refusal, Refused, Trouble, Unreadable, Usage
from referee.match import Match
from referee.people import People
from referee.see import BACK, dump

from .matches import (
    AT,
    GAMES,
    KEY,
    SEATS,
    STANDING,
    begun,
    block,
    check,
    code_of,
    content,
    files,
    forge,
    new,
    open_line,
    plain,
    play,
    rule,
    send,
    shown,
)

pytestmark = pytest.mark.usefixtures("quick_disk")

ADDRESSES = {"alice": "alice@example.org", "bob": "Bob <bob@example.org>"}


# A new match


@pytest.mark.parametrize("game", GAMES)
def test_a_new_match_commits_first_and_deals_then(game: str, tmp_path: Path) -> None:
    chain, link = new(tmp_path / "match", game)
    zero, one = content(chain, 0), content(chain, 1)
    assert sorted(path.name for path in chain.path.iterdir()) == ["0000.toml", "0001.toml"]
    assert sorted(canon.loads(zero)) == sorted(["match", "seats", "options", "clock", "chance", "move", "reported", "events"])
    assert canon.section(zero, "move") == {"kind": "new", "reports": []}
    assert canon.section(zero, "chance")["counter"] == 0
    assert canon.section(zero, "chance")["commitment"] == commitment("test-1", (1).to_bytes(32, "big"))
    assert canon.section(one, "move") == {"kind": "begin", "nonces": {}, "reports": SEATS[game]}
    assert link.save.match.stop == 1
    assert pending(link.save.match) is not None
    assert [one.what for one in check(chain)] == ["new", "begin"]


def test_addresses_stay_beside_the_saves(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match", addresses=ADDRESSES)
    play(chain, "lantern-reef", 1, 8)
    assert desk.addresses(chain.path) == ADDRESSES
    for name, data in files(chain.path).items():
        assert (b"example.org" in data) == (name == "people.toml")
    deliveries = desk.write_reports(chain, rule(chain, "note", text="Hello."), KEY)
    assert {one.seat: one.address for one in deliveries} == {**ADDRESSES, "carol": ""}


@pytest.mark.parametrize("spoilt", [b"alice = 3\n", b"[alice\n", b"\xff\xfe", b"x = [1"])
def test_a_spoilt_list_of_addresses_is_named_and_the_move_is_not_lost(tmp_path: Path, spoilt: bytes) -> None:
    chain = begun(tmp_path / "match", addresses=ADDRESSES)
    good = (chain.path / "people.toml").read_bytes()
    (chain.path / "people.toml").write_bytes(spoilt)
    sent = block(chain.latest(), "alice", "sail north")
    with pytest.raises(Trouble, match=r"people\.toml is not a list of seats with addresses"):
        desk.apply(chain, KEY, sent, at=AT)
    (chain.path / "people.toml").write_bytes(good)
    answer = desk.apply(chain, KEY, sent, at=AT)
    assert (answer.status, [one.seat for one in answer.deliveries]) == ("duplicate", ["alice"])
    assert desk.apply(chain, KEY, sent, at=AT).deliveries == []


@pytest.mark.parametrize("game", GAMES)
def test_a_match_may_be_dealt_later(tmp_path: Path, game: str) -> None:
    secret = (1).to_bytes(32, "big")
    table = desk.Table(find_game(game), SEATS[game], match_id="test-1", secret=secret, addresses={"bob": ADDRESSES["bob"]})
    chain, link = desk.open_match(tmp_path / "later", table, KEY, at=AT, begin=False)
    assert (link.save.match.stop, link.save.match.table, chain.store.serials()) == (0, None, [0])
    people = People(chain.path).read()
    assert {seat: (one.address, one.invited, one.accepted) for seat, one in people.items()} == {
        seat: (ADDRESSES["bob"] if seat == "bob" else "", True, False) for seat in SEATS[game]
    }
    with pytest.raises(NotNow, match="The match has not begun"):
        send(chain, "alice", "stay")
    nonces = {"alice": "tide & foam"}
    begun_later = desk.begin_match(chain, nonces, KEY, at=AT)
    at_once, other = new(tmp_path / "at-once", game, nonces=nonces)
    assert content(chain, 1) == content(at_once, 1)
    assert (begun_later.hash, [one.what for one in check(chain)]) == (other.hash, ["new", "begin"])
    with pytest.raises(Refused, match="has begun already"):
        desk.begin_match(chain, nonces, KEY)


def test_what_the_moderator_holds_is_accepted_at_once(tmp_path: Path) -> None:
    table = desk.Table(find_game("lantern-reef"), SEATS["lantern-reef"], referee_plays=["carol"])
    chain, _ = desk.open_match(tmp_path / "match", table, KEY, begin=False)
    assert [person.accepted for person in People(chain.path).read().values()] == [False, False, True]


def test_nonces_change_the_deal_and_are_listed(tmp_path: Path) -> None:
    plain_deal = begun(tmp_path / "plain")
    with_nonces = begun(tmp_path / "nonces", nonces={"alice": "tide & foam", "carol": "7"})
    one, other = (chain.latest().save.match for chain in (plain_deal, with_nonces))
    assert one.secret == other.secret
    assert dump(one.table) != dump(other.table)
    assert check(with_nonces)
    assert plain(with_nonces, "bob")["nonces"] == {"alice": "tide & foam", "carol": "7"}
    text = " ".join(shown(with_nonces, "bob")[0].split())
    assert "tide & foam" in text
    assert commitment(one.id, one.secret) in text


def test_a_nonce_cannot_be_changed_afterwards(tmp_path: Path) -> None:
    from referee.errors import Unverified

    chain = begun(tmp_path / "match", nonces={"alice": "foam"})
    forge(chain, 1, 'nonces = {alice = "foam"}', 'nonces = {alice = "foal"}')
    with pytest.raises(Unverified, match=r"0001\.toml differs from what its move leads to"):
        check(chain)


def test_a_seed_for_tests_and_a_seat_of_the_moderator_are_said_in_every_report(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match", referee_plays=["carol"])
    play(chain, "lantern-reef", 1, 5)
    for reader in ("alice", "carol", "observer", "moderator", "table"):
        text, html, data = (" ".join(form.split()) for form in shown(chain, reader))
        for form in (text, html, data):
            assert "seed given for tests" in form
            assert "The moderator holds the seat carol." in form
    real, _ = new(tmp_path / "real", secret=b"")
    assert plain(real, "alice")["notices"] == []
    assert real.latest().save.match.secret != chain.latest().save.match.secret


def test_what_a_new_match_cannot_be_made_of_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    game = find_game("lantern-reef")
    for table in (
        desk.Table(game, ["alice"]),
        desk.Table(game, ["alice", "alice"]),
        desk.Table(game, ["alice", "Bob"]),
        desk.Table(game, ["alice", "observer"]),
        desk.Table(game, ["alice", "../bob"]),
        desk.Table(game, ["alice", "bob"], {"rounds": 9}),
        desk.Table(game, ["alice", "bob"], {"colour": "red"}),
        desk.Table(game, ["alice", "bob"], keys={"zed": KEY.public.hex}),
        desk.Table(game, ["alice", "bob"], keys={"bob": "00" * 32}),
        desk.Table(game, ["alice", "bob"], keys={"bob": "no key"}),
        desk.Table(game, ["alice", "bob"], nonces={"zed": "x"}),
        desk.Table(game, ["alice", "bob"], addresses={"zed": "x"}),
        desk.Table(game, ["alice", "bob"], referee_plays=["zed"]),
        desk.Table(game, ["alice", "bob"], match_id="../up"),
        desk.Table(game, ["alice", "bob"], match_id="two words"),
    ):
        with pytest.raises(Usage):
            desk.open_match(tmp_path / "match", table, KEY)
        assert not (tmp_path / "match").exists()
    (tmp_path / "match").mkdir()
    (tmp_path / "match" / "0000.toml").write_bytes(b"mine")
    with pytest.raises(Trouble, match="is not empty"):
        desk.open_match(tmp_path / "match", desk.Table(game, ["alice", "bob"]), KEY)
    assert files(tmp_path) == {"match/0000.toml": b"mine"}


# Who gets what


@pytest.mark.parametrize("game", GAMES)
def test_each_report_goes_into_its_seat_s_own_folder_and_only_to_those_concerned(game: str, tmp_path: Path) -> None:
    chain = begun(tmp_path / "match", game)
    assert sorted(path.name for path in (chain.path / "reports").iterdir()) == SEATS[game]
    rng, unasked = random.Random(4), 0
    for _ in range(30):
        link = chain.latest()
        if link.save.match.over:
            break
        seat, line = open_line(link.save.match, rng)
        before = files(chain.path)
        answer = desk.apply(chain, KEY, block(link, seat, line), at=AT)
        after, m = files(chain.path), chain.latest().save.match
        concerned = {seat, *(m.seats if m.over else ()), *(event["only"] for event in m.events if "only" in event)}
        if m.stop != link.save.match.stop and (question := pending(m)):
            concerned |= set(question.seats)
        assert {one.seat for one in answer.deliveries} == concerned
        written = {name for name in after if after[name] != before.get(name)}
        folders = {name.split("/")[1] for name in written if name.startswith("reports/")}
        assert folders <= concerned
        assert {one.split("/")[1] for one in written if f"stop-{m.stop:04}" in one} == folders
        unasked += len(concerned) < len(m.seats)
        for one in answer.deliveries:
            assert [path.parent.name for path in one.files] == [one.seat, one.seat]
            assert all(path.read_bytes() == after[str(path.relative_to(chain.path))] for path in one.files)
    assert unasked > 3


def test_codes_and_addresses_of_others_are_in_no_report(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match", addresses=ADDRESSES)
    rng = random.Random(1)
    for _ in range(12):
        link = chain.latest()
        codes = {seat: code_of(link, seat) for seat in link.save.match.seats}
        for reader in (*link.save.match.seats, "observer", "table"):
            for form in shown(chain, reader):
                assert "example.org" not in form
                for seat, code in codes.items():
                    assert (code in form) == (seat == reader), f"{seat}'s code in the report of {reader}"
        seat, line = open_line(link.save.match, rng)
        send(chain, seat, line)


def news(chain: Chain, link: Link, reader: str) -> list[dict[str, Any]]:
    data = desk.render(chain, link, reader, "json", KEY)
    return json.loads(envelope.unseal_report(data, KEY.public, name="report.json"))["news"]


@pytest.mark.parametrize("game", GAMES)
def test_news_is_complete_and_without_gaps_for_every_seat(game: str, tmp_path: Path) -> None:
    from referee.engine import news as told_of

    chain = begun(tmp_path / "match", game)
    seats = SEATS[game]
    told: dict[str, list[dict[str, Any]]] = {seat: news(chain, chain.latest(), seat) for seat in seats}
    base = dict.fromkeys(seats, 0)
    at_stop = dict.fromkeys(seats, 1)
    rng, longest = random.Random(9), 0
    for _ in range(60):
        link = chain.latest()
        if link.save.match.over:
            break
        seat, line = open_line(link.save.match, rng)
        lines = [f"always {STANDING[game]}"] if rng.random() < 0.1 else [line]
        desk.apply(chain, KEY, block(link, rng.choice(seats) if "always" in lines[0] else seat, *lines), at=AT)
        link = chain.latest()
        for reader in link.save.entry.reports:
            fresh = news(chain, link, reader)
            longest = max(longest, len(fresh))
            if at_stop[reader] == link.save.match.stop:
                del told[reader][base[reader] :]  # a second report of one stop repeats the first
            at_stop[reader], base[reader] = link.save.match.stop, len(told[reader])  # where this stop's news begins
            told[reader] += fresh
    last, m = chain.latest(), chain.latest().save.match
    for reader in seats:
        everything = told_of(m.game, chain.events_since(0, last), reader)
        assert told[reader] == everything[: len(told[reader])]
        assert m.over is False or told[reader] == everything
    assert longest > 3


def test_an_observer_s_report_shows_the_present_stop_and_nothing_hidden(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match")
    play(chain, "lantern-reef", 1, 10)
    m = chain.latest().save.match
    data = plain(chain, "observer")
    assert data["view"]["viewer"] == "observer"
    assert "code" not in data
    assert "you" not in data["view"]
    assert all(set(boat["cards"]) <= {BACK} for boat in data["view"]["table"]["boats"].values())
    assert not [find for find in m.table.deep if find in json.dumps(data["view"]["table"])]
    for reader in ("zed", "", "Alice", "referee"):
        with pytest.raises(Usage, match="There is no reader"):
            shown(chain, reader)


def test_the_moderator_s_report_shows_everything_and_no_other_does(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match")
    secret = chain.latest().save.match.secret.hex()
    assert any(secret in form for form in shown(chain, "moderator"))
    for reader in ("alice", "observer", "table"):
        assert not any(secret in form for form in shown(chain, reader))
    play(chain, "lantern-reef", 1)
    assert chain.latest().save.match.over
    assert all(secret in form for form in shown(chain, "observer"))


def test_the_table_s_sheets_carry_no_codes(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match")
    for form in shown(chain, "table"):
        assert not re.search(r"\b[A-Z2-7]{4}-[A-Z2-7]{4}-[A-Z2-7]{4}\b(?!-)", form.replace(KEY.public.fingerprint, ""))


# Refusals


BAD = [
    "fly to the moon", "", "call", "play", "sell everything", "dive with 9", "decline", "land or land", "pirate: land",
    "zed: land", "always land", "never decline", "withdraw", "forget", "or or", "x" * 150, "roll", "load", "buy",
]  # fmt: skip


def hidden_words(m: Match, seat: str) -> set[str]:
    """Return the names of things that a seat does not see anywhere."""
    everything, seen = json.dumps(dump(m.table)), json.dumps(view(m, seat))
    names = {name for names in m.game.names(m.components).values() for name in names}
    return {name for name in names if f'"{name}"' in everything and f'"{name}"' not in seen and name not in seen}


@pytest.mark.parametrize("game", GAMES)
def test_a_refusal_writes_nothing_and_names_nothing_hidden(game: str, tmp_path: Path) -> None:
    chain, other = begun(tmp_path / "match", game, 3), begun(tmp_path / "other", game, 4)
    rng, refused, words = random.Random(3), 0, 0
    for _ in range(12):
        link = chain.latest()
        if link.save.match.over:
            break
        before = files(chain.path)
        for seat in link.save.match.seats:
            hidden = hidden_words(link.save.match, seat)
            words += len(hidden)
            for line in BAD:
                try:
                    desk.apply(chain, KEY, block(link, seat, *filter(None, [line])), at=AT, dry_run=line.startswith("de"))
                except Unreadable as unreadable:
                    # It was read against the whole game, and not against the position: any match says the same.
                    with pytest.raises(Unreadable, match=re.escape(str(unreadable))):
                        desk.apply(other, KEY, block(other.latest(), seat, *filter(None, [line])), at=AT)
                except Refusal as refusal:
                    refused += 1
                    text = f" {re.sub(r'[^a-z0-9 ]', ' ', str(refusal).lower())} "
                    leaked = [word for word in hidden if f" {word.lower()} " in text and word not in line]
                    if leaked:
                        pytest.fail(f"{line!r} of {seat}: {refusal} names {leaked}")
                if chain.latest().hash != link.hash:
                    link, before = chain.latest(), files(chain.path)
                    hidden = hidden_words(link.save.match, seat)
            assert files(chain.path) == before
        if not link.save.match.over:
            seat, line = open_line(link.save.match, rng)
            send(chain, seat, line)
    assert refused > 60
    assert words > 20


def test_a_held_match_and_one_that_is_over_say_so(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match")
    rule(chain, "hold")
    with pytest.raises(NotNow, match="The moderator has halted the match"):
        send(chain, "alice", "sail north")
    assert plain(chain, "alice")["view"]["held"] is True
    rule(chain, "go")
    link = play(chain, "lantern-reef", 1)
    assert link.save.match.over
    with pytest.raises(NotNow, match="The match is over"):
        send(chain, "alice", "land")
    for seat in link.save.match.seats:
        text = (chain.path / "reports" / seat / f"test-1-stop-{link.save.match.stop:04}.txt").read_text()
        assert link.save.match.secret.hex() in "".join(text.split())


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match")
    before = files(chain.path)
    answer = desk.apply(chain, KEY, block(chain.latest(), "alice", "sail north"), dry_run=True)
    assert (answer.status, answer.played) == ("dry run", ["sail north"])
    assert files(chain.path) == before


# A lone save


def test_a_lone_save_is_played_on_and_reported(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match")
    (tmp_path / "mail").mkdir()
    start = tmp_path / "mail" / "save.toml"
    start.write_bytes((chain.path / "0001.toml").read_bytes())
    lone = desk.Lone(start, KEY)
    out = tmp_path / "mail" / "next.toml"
    answer = desk.apply_alone(lone, KEY, block(lone.latest(), "alice", "sail north"), out)
    assert (answer.status, answer.path) == ("accepted", str(out))
    assert out.read_bytes() == (send_as_written(chain) or b"")
    with pytest.raises(Trouble, match="exists already"):
        desk.apply_alone(lone, KEY, block(lone.latest(), "alice", "sail north"), out)
    again = desk.Lone(out, KEY)
    assert "sail north" in shown(again, "alice")[0]
    assert desk.apply_alone(again, KEY, block(again.latest(), "bob", "sail south"), tmp_path / "x", dry_run=True)
    assert not (tmp_path / "x").exists()


def send_as_written(chain: Chain) -> bytes:
    """Return the save that the chain itself makes of the same line, with the time of the lone one."""
    lone = (chain.path.parent / "mail" / "next.toml").read_bytes()
    at = re.search(rb'at = "(.*)"', lone)
    assert at is not None
    desk.apply(chain, KEY, block(chain.latest(), "alice", "sail north"), at=at[1].decode())
    return (chain.path / "0002.toml").read_bytes()


def test_an_answer_to_one_who_lost_a_race_is_as_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from referee.store import Taken

    chain = begun(tmp_path / "match")
    real, lost = Chain.append, []

    def append(self: Chain, *given: Any) -> Link:
        if len(lost) < 3:
            lost.append(1)
            send_other(chain.path, len(lost))
            raise Taken("another was first")
        return real(self, *given)

    def send_other(path: Path, number: int) -> None:
        with monkeypatch.context() as calm:
            calm.setattr(Chain, "append", real)
            send(Chain(path, KEY.public), "bob", f"sail {('north', 'east', 'south')[number - 1]}")

    sent: Submission = block(chain.latest(), "alice", "sail north")
    monkeypatch.setattr(Chain, "append", append)
    assert desk.apply(chain, KEY, sent, at=AT).status == "accepted"
    assert chain.latest().save.entry.serial == 5
    lost[:] = []
    monkeypatch.setattr(desk, "TRIES", 2)
    with pytest.raises(Trouble, match="Other writers were faster each time"):
        desk.apply(chain, KEY, block(chain.latest(), "carol", "sail north"), at=AT)
