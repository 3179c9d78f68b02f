"""Rulings: what a moderator may do, what it does to the match, who learns of it, and that it can be played again."""

import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from referee import canon, desk, engine
from referee.chain import Chain, Link
from referee.engine import pending
from referee.errors import NotNow, RefereeError, Refusal, Refused, Unverified, Usage
from referee.match import Match
from referee.rulings import KINDS
from referee.see import dump

from .matches import (
    AT,
    GAMES,
    KEY,
    OTHER_KEY,
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
    signed,
    waiting,
)

pytestmark = pytest.mark.usefixtures("quick_disk")

LATER, EVEN_LATER = "2031-12-03T18:00:00Z", "2031-12-24T18:00:00Z"


@pytest.fixture(params=GAMES)
def chain(request: pytest.FixtureRequest, tmp_path: Path, no_reports: None) -> Chain:
    found, _ = new(tmp_path / "match", request.param)
    play(found, request.param, 8, 12)
    return found


@pytest.fixture
def reef(tmp_path: Path) -> Chain:
    found, link = new(tmp_path / "reef")
    desk.write_reports(found, link, KEY)
    return found


def refused(chain: Chain, kind: type[RefereeError], words: str, ruling: str, **said: Any) -> str:
    """Check that a ruling is refused and writes nothing."""
    before = files(chain.path)
    with pytest.raises(kind, match=words) as error:
        rule(chain, ruling, **said)
    assert files(chain.path) == before
    return str(error.value)


SAID: dict[str, dict[str, Any]] = {
    "rollback": {"serial": 3},
    "hold": {},
    "upgrade": {},
    "recode": {"seat": "alice"},
    "note": {"text": "Be quick."},
}


@pytest.mark.parametrize("kind", SAID)
def test_a_dry_run_writes_nothing_and_shows_what_would_be(chain: Chain, kind: str) -> None:
    before = files(chain.path)
    shown = rule(chain, kind, **SAID[kind], dry_run=True)
    assert files(chain.path) == before
    made = rule(chain, kind, **SAID[kind])
    assert (shown.save.match.events, shown.save.entry.reports) == (made.save.match.events, made.save.entry.reports)
    assert check(chain)[-1].voucher == "the moderator"


def test_a_dry_run_of_the_other_kinds_writes_nothing_either(reef: Chain) -> None:
    edited = edit(newest(reef), "^gold = 0$", "gold = 5")
    for kind, said in (("correct", {"edited": edited}), ("option", {"option": "rounds", "value": "1"}), ("go", {})):
        if kind == "go":
            rule(reef, "hold")
        before = files(reef.path)
        shown = rule(reef, kind, **said, dry_run=True)
        assert files(reef.path) == before
        assert shown.save.match.events[0]["why"] == "for the test"
        assert rule(reef, kind, **said).save.match.events == shown.save.match.events


def test_every_kind_is_refused_when_its_words_are_wrong(chain: Chain) -> None:
    for kind in KINDS:
        for said in ({"why": ""}, {"why": "  "}, {"why": "x" * 3000}, {"colour": "red"}, {"why": "half \ud800"}):
            wanted = {**SAID.get(kind, {}), **said}
            refused(chain, Refused, r"\w", kind, **wanted)
    refused(chain, Refused, "There is no ruling 'magic'", "magic")
    for kind in ("resign", "recode"):
        refused(chain, Refused, "There is no seat 'zed'", kind, seat="zed")
        refused(chain, Refused, "needs seat and why", kind)
    refused(chain, Refused, "There is no seat 'zed'", "note", text="psst", seat="zed")
    for serial in ("3", True, 3.0):
        refused(chain, Refused, "is no number of a save", "rollback", serial=serial)


def test_nothing_can_be_ruled_before_the_deal(tmp_path: Path) -> None:
    found, _ = new(tmp_path / "match")
    (found.path / "0001.toml").unlink()
    for kind, said in SAID.items():
        if kind != "rollback":
            refused(found, Refused, "has not begun", kind, **said)
    with pytest.raises(NotNow, match="has not begun"):
        desk.apply(found, KEY, block(found.latest(), "alice", "sail north"), at=AT)


# Going back


def unknown(m: Match) -> dict[str, list[str]]:
    """Return the piles of a table, in their order."""
    table = dump(m.table)
    return {name: table[name] for name, see in type(m.table).fields.items() if see.word == "pile"}


def test_a_rollback_goes_back_to_the_position_but_not_to_its_dice_and_piles(chain: Chain) -> None:
    link, target = chain.latest(), 4
    counter, then = link.save.match.chance.counter, chain.older(target).match
    back = rule(chain, "rollback", serial=target).save.match
    assert back.chance.counter > counter, "the piles were not shuffled anew"
    assert back.stop == link.save.match.stop + 1
    assert pending(back).name == pending(then).name  # type: ignore[union-attr]
    assert back.agenda == then.agenda
    for name, pile in unknown(then).items():
        assert len(unknown(back)[name]) == len(pile)
    orders = [unknown(rule(chain, "rollback", serial=target).save.match) for _ in range(8)]
    for name, pile in unknown(then).items():
        assert len(set(pile)) < 2 or any(order[name] != pile for order in orders), f"{name} lies as it lay"
    assert all(Counter(unknown(back)[name]) == Counter(pile) for name, pile in unknown(then).items() if name == "deck")
    assert canon.section(content(chain, 5), "match")["serial"] == 5, "history is kept"
    assert check(chain)[-1].chance


def test_after_a_rollback_the_same_die_never_comes_again(chain: Chain) -> None:
    seen = [draw for one in check(chain) for draw in one.chance]
    rule(chain, "rollback", serial=2)
    play(chain, chain.latest().save.match.game.slug, 8, 6)
    later = [draw for one in check(chain) for draw in one.chance][len(seen) :]
    assert later
    assert min(counter for _, counter, _ in later) > max(counter for _, counter, _ in seen)


def test_what_no_seat_knew_is_exchanged_and_what_a_seat_knew_is_kept(reef: Chain) -> None:
    for seat, *lines in (("alice", "sail north"), ("bob", "sail north"), ("carol", "sail east", "pirate: sail east")):
        send(reef, seat, *lines)
    send(reef, "alice", "peek into arch")
    then = reef.latest()
    closed: dict[str, set[str]] = {}
    for _ in range(12):
        chests = rule(reef, "rollback", serial=then.save.entry.serial).save.match.table.chests
        for name, chest in chests.items():
            closed.setdefault(name, set()).add(chest.inside)
    assert closed["arch"] == {then.save.match.table.chests["arch"].inside}
    assert all(len(found) > 1 for name, found in closed.items() if name != "arch")


def test_a_rollback_drops_sealed_answers_and_kept_lines_and_keeps_the_rest(reef: Chain) -> None:
    send(reef, "alice", "always decline")
    rule(reef, "recode", seat="bob")
    send(reef, "alice", "sail north")
    assert reef.latest().save.match.sealed
    back = rule(reef, "rollback", serial=1).save.match
    assert not back.sealed
    assert back.standing == {"alice": ["decline"]}
    assert back.holders == {"alice": 1, "bob": 2, "carol": 1}
    assert check(reef)


def test_a_rollback_drops_lines_that_wait(tmp_path: Path, no_reports: None) -> None:
    for game in GAMES:
        found = waiting(tmp_path, game)
        assert found.latest().save.match.kept
        assert not rule(found, "rollback", serial=found.latest().save.entry.serial).save.match.kept
        assert check(found)


def test_a_rollback_names_a_save_that_was_dealt(chain: Chain) -> None:
    newest = chain.latest().save.entry.serial
    refused(chain, Refused, "Save 0 is before the deal", "rollback", serial=0)
    for serial in (newest + 1, 10**9, -1):
        refused(chain, Refused, f"There is no save {serial} to go back to; the newest is {newest}", "rollback", serial=serial)


@pytest.mark.parametrize("game", GAMES)
def test_when_the_match_is_over_only_a_note_can_be_added(game: str, tmp_path: Path, no_reports: None) -> None:
    found, _ = new(tmp_path / "match", game)
    play(found, game, 1)
    for kind in ("rollback", "hold", "go", "recode", "resign", "option", "correct"):
        said = {**SAID, "resign": {"seat": "alice"}, "option": {"option": "rounds", "value": "2"}}.get(kind, {})
        said |= {"edited": newest(found)} if kind == "correct" else {}
        refused(found, Refused, "The match is over and its seed is published", kind, **said)
    stop = found.latest().save.match.stop
    private = rule(found, "note", text="Well played.", seat="alice")
    assert (private.save.match.stop, private.save.entry.reports) == (stop, ["alice"])
    public = rule(found, "note", text="Well played, all.")
    assert (public.save.match.stop, public.save.entry.reports) == (stop + 1, public.save.match.seats)
    assert check(found)


# Hold and go


def test_a_held_match_takes_no_lines_until_it_goes_on(chain: Chain) -> None:
    refused(chain, Refused, "The match is not halted", "go")
    rule(chain, "hold")
    refused(chain, Refused, "halted already", "hold")
    link = chain.latest()
    seat, line = open_line(link.save.match, random.Random(1))
    with pytest.raises(NotNow, match="The moderator has halted the match"):
        desk.apply(chain, KEY, block(link, seat, line), at=AT)
    rule(chain, "go")
    assert desk.apply(chain, KEY, block(chain.latest(), seat, line), at=AT).status in ("accepted", "in part")
    assert check(chain)


def test_standing_orders_do_not_answer_while_a_match_is_held(tmp_path: Path, no_reports: None) -> None:
    found = waiting(tmp_path, "lantern-reef")
    window, asked = found.latest(), pending(found.latest().save.match)
    assert asked is not None
    serial = window.save.entry.serial
    rule(found, "rollback", serial=serial - 1)
    send(found, asked.seats[0], "always decline")
    rule(found, "hold")
    held = rule(found, "rollback", serial=serial).save.match
    question = pending(held)
    assert question is not None
    assert question.seats == asked.seats
    on = pending(rule(found, "go").save.match)
    assert on is None or on.seats != asked.seats
    assert check(found)


# Corrections


def edit(link_content: bytes, old: str, new_text: str) -> bytes:
    assert re.search(old, link_content.decode(), re.MULTILINE), old
    return re.sub(old, new_text, link_content.decode(), count=1, flags=re.MULTILINE).encode()


def newest(chain: Chain) -> bytes:
    return content(chain, chain.store.latest_serial())


def test_a_correction_takes_table_and_agenda_and_nothing_else(reef: Chain) -> None:
    send(reef, "alice", "sail north")
    before = reef.latest().save.match
    edited = edit(newest(reef), "^lanterns = 3$", "lanterns = 7")
    edited = edit(edited, "^counter = .*$", "counter = 0")
    edited = edit(edited, "^stop = .*$", "stop = 77")
    after = rule(reef, "correct", edited=edited).save.match
    assert after.table.boats["gull"].lanterns == 7
    assert after.chance.counter == before.chance.counter
    assert (after.stop, after.sealed) == (before.stop + 1, {})
    assert check(reef)[-1].what == "ruling correct"
    play(reef, "lantern-reef", 3, 6)
    assert check(reef)


def test_a_correction_may_be_made_of_the_signed_file_itself(reef: Chain) -> None:
    whole = (reef.path / "0001.toml").read_bytes()
    assert rule(reef, "correct", edited=edit(whole, "^gold = 0$", "gold = 5")).save.match.table.boats["gull"].gold == 5
    assert check(reef)


@pytest.mark.parametrize(
    ("old", "changed"),
    [
        ("^lanterns = 3$", "lanterns = -3"),
        ("^lanterns = 3$", 'lanterns = "many"'),
        ("^lanterns = 3$", ""),
        ("^cards = .*$", "cards = []"),
        ("^cards = .*$", 'cards = ["squall", "squall", "squall", "squall"]'),
        ("^round = 1$", "round = 1\ncolour = 3"),
        ('^1 = {do = "close_round"}$', '1 = {do = "open_sea"}'),
        (r"(?s)^\[agenda\].*?^$", "[agenda]\n"),
        (r"^\[table\]$", "[tabel]"),
        (r"^\[table\]$", "[table"),
        ('do = "set_courses"}', 'do = "raid"}'),
    ],
)
def test_a_correction_that_breaks_the_match_is_refused(reef: Chain, old: str, changed: str) -> None:
    refused(reef, Refused, "The edited save", "correct", edited=edit(newest(reef), old, changed))


@pytest.mark.parametrize(
    "nonsense", [b"", b"\x00\xff", b"a = 1\n", b"# referee save 1\n", b"# referee save 1\ntable = 3\nagenda = 3\n"]
)
def test_a_correction_by_nonsense_is_refused(reef: Chain, nonsense: bytes) -> None:
    refused(reef, Refused, "The edited save", "correct", edited=nonsense)


def test_the_table_of_a_correction_cannot_be_changed_afterwards(reef: Chain) -> None:
    from .matches import forge

    rule(reef, "correct", edited=edit(newest(reef), "^gold = 0$", "gold = 5"))
    forge(reef, 2, "gold = 5", "gold = 6")
    with pytest.raises(Unverified, match=r"0002\.toml cannot be played again .* not the one that the ruling is about"):
        check(reef)


# Options, resignations, codes


def test_an_option_changes_for_the_rest_of_the_match(reef: Chain) -> None:
    assert rule(reef, "option", option="rounds", value="1").save.match.options["rounds"] == 1
    for option, value in (("rounds", "9"), ("rounds", "many"), ("traps", "maybe"), ("colour", "red")):
        refused(reef, Usage, "option", "option", option=option, value=value)
    play(reef, "lantern-reef", 2)
    assert reef.latest().save.match.table.round == 2
    assert check(reef)


def test_a_resignation_is_refused_where_the_rules_know_none(reef: Chain) -> None:
    refused(reef, Refused, "Lantern Reef knows no resignation", "resign", seat="bob")


def test_a_resignation_ends_the_match_where_the_rules_say_so(tmp_path: Path, no_reports: None) -> None:
    found, _ = new(tmp_path / "match", "cosmic-league")
    m = rule(found, "resign", seat="alice").save.match
    assert m.over
    assert m.game.score(m)["bob"]["place"] == 1
    assert check(found)


@pytest.mark.parametrize("game", ["kosmiczna-misja", "phantom-league"])
def test_a_seat_is_out_only_once(tmp_path: Path, no_reports: None, game: str) -> None:
    table = desk.Table(engine.find_game(game), ("alice", "bob", "carol"), secret=bytes(32))
    found, _ = desk.open_match(tmp_path / "match", table, KEY)
    rule(found, "resign", seat="alice")
    for ruling in ("resign", "forfeit"):
        refused(found, Refused, "alice has resigned already", ruling, seat="alice")
    assert rule(found, "forfeit", seat="bob").save.match.over
    assert check(found)


def test_an_upgrade_to_the_same_version_changes_nothing(chain: Chain) -> None:
    before = dump(chain.latest().save.match.table)
    assert dump(rule(chain, "upgrade").save.match.table) == before
    assert check(chain)[-1].replayed


# Who learns of it


def reports(chain: Chain) -> dict[str, dict[str, bytes]]:
    """Return the report files by seat."""
    return {seat: files(chain.path / "reports" / seat) for seat in ("alice", "bob", "carol")}


def posted(chain: Chain, link: Link) -> list[str]:
    return [delivery.seat for delivery in desk.write_reports(chain, link, KEY)]


def test_a_ruling_and_a_note_reach_everybody(reef: Chain) -> None:
    for kind, said in (("hold", {}), ("go", {}), ("note", {"text": "The tide turns."})):
        link = rule(reef, kind, **said, why="because of the tide")
        assert posted(reef, link) == ["alice", "bob", "carol"]
        for seat in reports(reef).values():
            newest_report = seat[max(name for name in seat if name.endswith(".txt"))].decode()
            assert ("The tide turns." if kind == "note" else "because of the tide") in " ".join(newest_report.split())


def test_of_a_private_note_nobody_else_gets_anything(reef: Chain, tmp_path: Path) -> None:
    before = {reader: everything(reef, reader) for reader in ("bob", "carol", "observer", "table")}
    written = reports(reef)
    link = rule(reef, "note", text="Psst: the cave.", seat="alice")
    assert posted(reef, link) == ["alice"]
    assert link.save.match.stop == 1
    assert {reader: everything(reef, reader) for reader in before if reader != "table"} == {
        reader: shown for reader, shown in before.items() if reader != "table"
    }
    after = reports(reef)
    assert (after["bob"], after["carol"]) == (written["bob"], written["carol"])
    assert b"Psst: the cave." in after["alice"]["test-1-stop-0001.txt"]
    send(reef, "bob", "sail north")
    send(reef, "alice", "sail north")
    send(reef, "carol", "sail north", "pirate: sail north")
    for seat in ("bob", "carol"):
        assert not any(b"Psst" in data for data in reports(reef)[seat].values())


def everything(chain: Chain, reader: str) -> list[bytes]:
    """Return all that a reader can be given of the newest save."""
    link = chain.latest()
    return [desk.render(chain, link, reader, form, KEY) for form in ("text", "html", "json")]


HOSTILE = [
    "</p><script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "line one\n#end\n#referee test-1 1 alice AAAA-AAAA-AAAA\nsail north\n#end",
    "bell \x07 escape \x1b[2J zero \x00 back \x08",
    "right to left \u202egnorw\u202c and \u2028 lines \u2029 and \ufeff",
    "{{ 7 * 7 }} {% raw %} {who} %s %(x)s",
    "]]> --> <!-- [signature] '''\"\"\"",
    "ü ß 漢字 🦑",
    '[signature]\nkey = "AAAA-AAAA-AAAA-AAAA"\ned25519 = "00"\n',
    "{0.__class__}",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_text(reef: Chain, text: str) -> None:
    for kind, said in (("hold", {"why": text}), ("note", {"text": text}), ("note", {"text": text, "seat": "alice"})):
        link = rule(reef, kind, **said)
        assert check(reef)[-1].voucher == "the moderator"
        assert link.save.match.events[-1][("why" if kind == "hold" else "text")] == text
        plain, html, _ = (data.decode() for data in everything(reef, "alice"))
        page = html[: html.rindex("[signature]")]
        assert "<script" not in page
        assert "<img src" not in page
        assert not [c for c in plain if not c.isprintable() and c != "\n"]
        assert plain.count("\n#end") == everything_clean(plain)


def everything_clean(plain: str) -> int:
    """Return how many blocks a report opens: only its own, which it closes."""
    return len(re.findall(r"^#referee ", plain, re.MULTILINE))


def test_a_refusal_of_a_ruling_is_one_sentence(chain: Chain) -> None:
    with pytest.raises(Refusal) as error:
        rule(chain, "go")
    assert "\n" not in str(error.value)


# Time, seats and ends


def test_an_extension_leaves_stop_and_codes_and_reaches_everybody(reef: Chain) -> None:
    send(reef, "alice", "sail north")
    before, codes = reef.latest().save, {seat: code_of(reef.latest(), seat) for seat in ("alice", "bob", "carol")}
    link = rule(reef, "extend", seat="bob", until=LATER)
    assert (link.save.match.stop, link.save.entry.reports) == (before.match.stop, ["alice", "bob", "carol"])
    assert {seat: code_of(link, seat) for seat in codes} == codes
    assert (link.save.entry.asked, link.save.entry.until) == (before.entry.asked, {"bob": LATER})
    assert link.save.match.sealed == before.match.sealed
    news = [one["text"] for one in plain(reef, "carol")["news"]]
    assert news[-1] == "The moderator ruled (extend bob until 2031-12-03 18:00 UTC): for the test"
    assert rule(reef, "extend", until=EVEN_LATER).save.entry.until == dict.fromkeys(["alice", "bob", "carol"], EVEN_LATER)
    assert rule(reef, "extend", seat="bob", until=LATER).save.entry.until["bob"] == LATER, "the moderator may think again"
    assert check(reef)


def test_an_extension_ends_when_the_seat_is_asked_anew(reef: Chain) -> None:
    rule(reef, "extend", until=LATER)
    assert rule(reef, "recode", seat="bob").save.entry.until, "a ruling asks nobody anew"
    send(reef, "alice", "sail north")
    assert len(reef.latest().save.entry.until) == 3, "nobody sees that alice has answered"
    send(reef, "bob", "sail south")
    send(reef, "carol", "sail east", "pirate: sail north")
    assert reef.latest().save.entry.until == {}
    assert check(reef)


def test_what_cannot_be_extended(reef: Chain) -> None:
    refused(reef, Refused, "is over", "extend", until="2001-01-01T00:00:00Z")
    refused(reef, Refused, "is no time", "extend", until="tomorrow")
    refused(reef, Refused, "needs until and why", "extend")
    refused(reef, Refused, "There is no seat 'zed'", "extend", seat="zed", until=LATER)
    for seat, *lines in (("alice", "sail north"), ("bob", "sail south"), ("carol", "sail east", "pirate: sail east")):
        send(reef, seat, *lines)
    (asked,) = reef.latest().save.entry.asked
    other = next(seat for seat in ("alice", "bob", "carol") if seat != asked)
    refused(reef, Refused, f"{other} is not asked now. Asked are: {asked}", "extend", seat=other, until=LATER)


@pytest.mark.parametrize("kind", ["rollback", "go", "recode", "option", "substitute"])
def test_who_has_the_whole_time_again_after_a_ruling(reef: Chain, kind: str) -> None:
    if kind == "go":
        rule(reef, "hold")
    said = {"rollback": {"serial": 1}, "option": {"option": "rounds", "value": "2"}}.get(kind, {"seat": "bob"})
    link = rule(reef, kind, **({} if kind == "go" else said))
    now, first = link.save.entry.at, dict.fromkeys(["alice", "bob", "carol"], AT)
    anew = {"rollback": first.keys(), "go": first.keys(), "substitute": {"bob"}}.get(kind, set())
    assert link.save.entry.asked == {**first, **dict.fromkeys(anew, now)}
    assert check(reef)


def test_a_substitute_takes_over_nothing_but_what_the_seat_knows(tmp_path: Path) -> None:
    found, link = new(tmp_path / "match", keys={"bob": OTHER_KEY.public.hex})
    desk.write_reports(found, link, KEY)
    send(found, "bob", "always decline", "sail north", "later:", "land")
    before = found.latest()
    assert before.save.match.sealed
    old, told = code_of(before, "bob"), [one["text"] for one in plain(found, "bob")["news"]]
    link = rule(found, "substitute", seat="bob")
    m = link.save.match
    assert (m.sealed, m.standing, m.planned, m.kept) == ({}, {}, {}, {})
    assert (m.holders, link.save.entry.keys) == ({"alice": 1, "bob": 2, "carol": 1}, {})
    assert link.save.entry.reported == {"alice": 1, "bob": -1, "carol": 1}
    assert code_of(link, "bob") != old
    report = plain(found, "bob")
    assert report["first"]
    assert [text for text in told if text not in [one["text"] for one in report["news"]]] == []
    assert not plain(found, "alice")["first"]
    with pytest.raises(Refused, match="turn code is not that of bob"):
        desk.apply(found, KEY, block(link, "bob", "sail north", code=old), at=AT)
    send(found, "bob", "sail south")
    assert not plain(found, "bob")["view"]["standing"]
    assert check(found)


def test_a_registered_key_signs_at_once_and_a_wrong_one_is_refused(reef: Chain) -> None:
    stop = reef.latest().save.match.stop
    for wrong in ("00", "zz" * 32, ""):
        refused(reef, Refused, "The public key of bob is none", "key", seat="bob", key=wrong)
    link = rule(reef, "key", seat="bob", key=OTHER_KEY.public.hex)
    assert (link.save.match.stop, link.save.entry.reports) == (stop, ["bob"])
    desk.apply(reef, KEY, signed(reef, OTHER_KEY, "bob", "sail north"), at=AT)
    assert check(reef)[-1].voucher.startswith("bob's key")


def test_a_forfeit_takes_the_seat_out_or_ends_the_match(tmp_path: Path, no_reports: None) -> None:
    reef, _ = new(tmp_path / "reef")
    m = rule(reef, "forfeit", seat="alice").save.match
    assert m.over
    result = engine.result(m)
    assert result["alice"]["place"] == 3
    assert sorted(result[seat]["place"] for seat in ("bob", "carol")) in ([1, 2], [1, 1])
    league, _ = new(tmp_path / "league", "cosmic-league")
    assert engine.result(rule(league, "forfeit", seat="bob").save.match)["alice"]["place"] == 1
    for found in (reef, league):
        assert check(found)
        assert plain(found, "observer")["view"]["result"]["alice"]["place"] in (1, 3)


def test_a_draw_is_shared_by_all(chain: Chain) -> None:
    m = rule(chain, "draw").save.match
    assert {row["place"] for row in engine.result(m).values()} == {1}
    assert plain(chain, "observer")["secret"] == m.secret.hex(), "the seed is published"
    refused(chain, Refused, "The match is over", "draw")
    assert check(chain)
    forge(chain, chain.store.latest_serial(), "bob = 1", "bob = 2")
    with pytest.raises(Unverified):
        check(chain)
