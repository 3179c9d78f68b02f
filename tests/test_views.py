"""What others keep to themselves shows in nothing that a reader gets."""

import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from referee import desk, dispatch
from referee.chain import Chain, Link
from referee.engine import pending
from referee.errors import Refusal

from .matches import AT, GAMES, KEY, STANDING, begun, block, code_of, files, open_line, rule, send, shown, waiting

pytestmark = pytest.mark.usefixtures("quick_disk")


def sail_all(chain: Chain) -> None:
    send(chain, "alice", "sail north")
    send(chain, "bob", "sail south")
    send(chain, "carol", "sail east", "pirate: sail east")


SECRETS: dict[str, Callable[[Chain, str], Any]] = {
    "a standing order": lambda chain, who: send(chain, who, "always decline"),
    "planned lines": lambda chain, who: send(chain, who, "later:", "sail north", "land"),
    "a private note": lambda chain, who: rule(chain, "note", text="psst", seat=who),
    "a sealed answer": lambda chain, who: send(chain, who, "sail north"),
    "a sealed answer replaced": lambda chain, who: [send(chain, who, f"sail {w}") for w in ("north", "south")],
    "a sealed answer withdrawn": lambda chain, who: [send(chain, who, line) for line in ("sail north", "withdraw")],
    "another seat's as well": lambda chain, who: [send(chain, who, "sail north"), send(chain, who, "always call gale")],
}
AT_SEA = ("a standing order", "a private note", "planned lines")
"""What can be done while another's turn goes on, too."""


TRIED = (
    ["sail south"], ["sail south", "land"], ["sail south", "always decline"], ["sail west"], ["land"], ["withdraw"],
    ["forget"], ["never decline"], ["pirate: sail north"], ["call squall"], ["decline"], ["later:", "land"],
)  # fmt: skip


def tried(chain: Chain, seat: str) -> list[str]:
    """Return what a seat is told when it tries lines, those that can be played and those that cannot."""
    told = []
    for lines in TRIED:
        try:
            told.append(str(desk.apply(chain, KEY, block(chain.latest(), seat, *lines), dry_run=True)))
        except Refusal as refusal:
            told.append(str(refusal))
    return told


@pytest.mark.parametrize(
    ("secret", "at_sea"), [*((secret, False) for secret in SECRETS), *((secret, True) for secret in AT_SEA)]
)
def test_what_others_keep_to_themselves_changes_nothing(tmp_path: Path, secret: str, at_sea: bool) -> None:
    without, with_it = begun(tmp_path / "without"), begun(tmp_path / "with")
    for chain in (without, with_it) if at_sea else ():
        sail_all(chain)
    # Alice's turn goes on at sea, so that nothing of hers would wait.
    who = "carol" if at_sea else "alice"
    SECRETS[secret](with_it, who)
    others = [seat for seat in with_it.latest().save.match.seats if seat != who]
    assert with_it.latest().save.entry.serial > without.latest().save.entry.serial
    for reader in (*others, "observer"):
        assert shown(with_it, reader) == shown(without, reader)
    for seat in others:
        assert code_of(with_it.latest(), seat) == code_of(without.latest(), seat)
        assert files(with_it.path / "reports" / seat) == files(without.path / "reports" / seat)
        assert tried(with_it, seat) == tried(without, seat)
    one, other = (send(chain, "bob", "always decline") for chain in (without, with_it))
    assert (one.status, one.stop, one.played, [d.seat for d in one.deliveries]) == (
        other.status, other.stop, other.played, [d.seat for d in other.deliveries],
    )  # fmt: skip
    assert files(with_it.path / "reports" / "bob") == files(without.path / "reports" / "bob")


def test_the_last_to_answer_is_told_no_more_than_the_first(tmp_path: Path) -> None:
    without, with_it = begun(tmp_path / "without"), begun(tmp_path / "with")
    send(with_it, "alice", "sail north", "always decline")
    send(with_it, "carol", "sail east", "pirate: sail east")
    assert len(with_it.latest().save.match.sealed) == 3
    for reader in ("bob", "observer"):
        assert shown(with_it, reader) == shown(without, reader)
    assert code_of(with_it.latest(), "bob") == code_of(without.latest(), "bob")
    assert tried(with_it, "bob") == tried(without, "bob")
    assert any("dry run" in told for told in tried(with_it, "bob"))


def test_a_standing_order_of_the_seat_that_is_not_asked_does_not_show(tmp_path: Path) -> None:
    without, with_it = (begun(tmp_path / name, "cosmic-league") for name in ("without", "with"))
    m = without.latest().save.match
    question = pending(m)
    assert question is not None
    waits = next(seat for seat in m.seats if seat not in question.seats)
    send(with_it, waits, "always decline")
    for reader in (*question.seats, "observer"):
        assert shown(with_it, reader) == shown(without, reader)
    seat, line = open_line(m, random.Random(1))
    one, other = (send(chain, seat, line) for chain in (without, with_it))
    assert (one.status, one.stop, one.played) == (other.status, other.stop, other.played)
    assert masked(with_it, seat) == masked(without, seat)


def masked(chain: Chain, reader: str) -> list[str]:
    """Return a report without what depends on the bytes of the save that opened the stop, which holds everybody's secrets."""
    link = chain.latest()
    opened, codes = dispatch.opened_hash(link), [code_of(link, seat) for seat in link.save.match.seats]
    found = []
    for form in shown(chain, reader):
        for word in (opened, *codes):
            form = form.replace(word, "-")
        found.append(re.sub(r'ed25519"?(?: = |:)"[0-9a-f]{128}"', "", form))
    return found


def test_lines_that_wait_and_standing_orders_do_not_show_at_later_stops(tmp_path: Path) -> None:
    for game in GAMES:
        kept = waiting(tmp_path, game)
        last = kept.latest()
        move = last.save.entry.move
        plain_chain = Chain(tmp_path / f"{game}-plain", KEY.public)
        plain_chain.path.mkdir()
        for serial in range(last.save.entry.serial):
            name = f"{serial:04}.toml"
            (plain_chain.path / name).write_bytes((kept.path / name).read_bytes())
        send(plain_chain, move["seat"], *move["lines"][:-1])
        assert last.save.match.kept
        assert not plain_chain.latest().save.match.kept
        for reader in (*(seat for seat in last.save.match.seats if seat != move["seat"]), "observer"):
            assert masked(kept, reader) == masked(plain_chain, reader)


def test_a_report_made_again_is_the_one_that_was_sent(tmp_path: Path) -> None:
    """Whenever within a stop a seat's report is made anew, it says what it said, as long as the seat itself did nothing."""
    for game in GAMES:
        chain = begun(tmp_path / game, game)
        sent: dict[tuple[str, int], bytes] = {}
        for link in played(chain, game):
            for seat in link.save.match.seats:
                place = (seat, link.save.match.stop)
                data = desk.render(chain, link, seat, "text", KEY)
                if seat in link.save.entry.reports:
                    sent[place] = data
                assert data == sent.get(place, data)
                sent[place] = data


def played(chain: Chain, game: str) -> Iterator[Link]:
    rng = random.Random(6)
    yield chain.latest()
    for _ in range(25):
        link = chain.latest()
        if link.save.match.over:
            return
        seat, line = open_line(link.save.match, rng)
        if rng.random() < 0.3:
            seat, line = rng.choice(link.save.match.seats), f"always {STANDING[game]}"
        desk.apply(chain, KEY, block(link, seat, line), at=AT)
        yield chain.latest()


def test_no_report_but_the_moderator_s_shows_a_serial_number(tmp_path: Path) -> None:
    chain = begun(tmp_path / "match")
    for _ in range(110):
        rule(chain, "note", text="psst", seat="alice")
    serial = chain.latest().save.entry.serial
    assert serial > 100
    for reader in ("bob", "observer"):
        text = desk.render(chain, chain.latest(), reader, "text", KEY).decode()
        assert not re.search(rf"\b0*{serial}\b", text)
    assert not [name for name in files(chain.path / "reports") if str(serial) in name]
