"""Ratings: what is counted, the signed file, and how it is corrected."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given, settings
from openskill.models import PlackettLuce

from referee.envelope import seal
from referee.errors import Refused, Unverified
from referee.keys import SigningKey
from referee.tournament import ratings
from referee.tournament.columns import width
from referee.tournament.ratings import Rating, Ratings
from referee.tournament.rounds import Field, Outcome

from .fields import field, fields, with_outcome

if TYPE_CHECKING:
    from referee.tournament.views import EventView

KEY = SigningKey.from_bytes(bytes(range(32)))
GAME = "Cosmic League"


def event(name: str, of: Field, state: str = "closed", game: str = GAME) -> EventView:
    """Return what ratings read of an event."""
    commitment = hashlib.sha256(name.encode()).hexdigest()
    return cast("EventView", SimpleNamespace(id=name, commitment=commitment, game=game, state=state, field=of))


def one() -> EventView:
    return event("spring", field([{"alice": 1, "bob": 2}], [{"alice": 1, "bob": 1}]))


def two() -> EventView:
    return event("autumn", field([{"carol": 1, "alice": 2, "bob": 3}], seats=3))


def names(rows: Iterable[tuple[str, Rating]]) -> list[str]:
    return [name for name, _ in rows]


def test_two_players_are_rated_as_the_library_rates_them() -> None:
    model = PlackettLuce()
    [[won], [lost]] = model.rate([[model.rating()], [model.rating()]], ranks=[1, 2])
    after = ratings.rated({}, [{"alice": 1, "bob": 2}])
    assert after["alice"].mean == pytest.approx(won.mu * 1e6, abs=5)
    assert after["bob"].deviation == pytest.approx(lost.sigma * 1e6, abs=5)


def test_a_larger_table_and_a_shared_place() -> None:
    after = ratings.rated({}, [{"alice": 1, "bob": 2, "carol": 2, "dave": 4}])
    assert after["alice"].number > after["bob"].number == after["carol"].number > after["dave"].number


def test_only_what_was_played_counts() -> None:
    of = field([{"alice": 1, "bob": 2}, {"carol": 1}], [{"alice": 1, "bob": 2}])
    of = with_outcome(of, 2, 1, Outcome(1, {"alice": 1, "bob": 2}, how="forfeit", absent=("bob",)))
    assert list(ratings.tables_of(of)) == [{"alice": 1, "bob": 2}]
    assert list(ratings.tables_of(with_outcome(of, 1, 1, None))) == []


def test_of_a_table_with_one_absent_the_others_are_rated() -> None:
    places = {"alice": 1, "bob": 2, "carol": 3}
    of = with_outcome(field([places], seats=3), 1, 1, Outcome(1, places, how="forfeit", absent=("carol",)))
    assert list(ratings.tables_of(of)) == [{"alice": 1, "bob": 2}]


def test_ten_games_make_a_rating_more_than_provisional() -> None:
    after = ratings.rated({}, [{"alice": 1, "bob": 2}] * 9)
    assert after["alice"].shown.endswith("?")
    after = ratings.rated(after, [{"alice": 1, "bob": 2}])
    assert after["alice"].shown == str(after["alice"].number)


@given(fields())
@settings(max_examples=25, deadline=None)
def test_games_are_counted_and_certainty_grows(of: Field) -> None:
    tables = list(ratings.tables_of(of))
    after = ratings.rated({}, tables)
    assert sum(one.games for one in after.values()) == sum(map(len, tables))
    assert all(one.deviation <= Rating().deviation for one in after.values())


def test_a_file_is_made_signed_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "ratings.toml"
    assert ratings.load(path, KEY.public) == Ratings()
    made = ratings.update(path, one(), KEY)
    assert ratings.load(path, KEY.public) == made
    assert path.read_text().startswith('# referee ratings 1\n[ratings]\nmodel = "plackett-luce"\nevent = "spring"\n')
    assert made.events[0].tables == 2
    assert made.of(GAME, "alice").games == 2


def test_each_file_names_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "ratings.toml"
    ratings.update(path, one(), KEY)
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    after = ratings.update(path, two(), KEY)
    assert after.previous == before
    assert [counted.event for counted in after.events] == ["spring", "autumn"]
    assert after.of(GAME, "alice").games == 3
    assert names(after.listed(GAME))[-1] == "bob"


def test_an_event_is_counted_once_and_only_when_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "ratings.toml"
    ratings.update(path, one(), KEY)
    data = path.read_bytes()
    with pytest.raises(Refused, match="spring was counted already"):
        ratings.update(path, one(), KEY)
    with pytest.raises(Refused, match="winter is not closed"):
        ratings.update(path, event("winter", one().field, "running"), KEY)
    assert path.read_bytes() == data


def test_a_file_that_somebody_edited_or_signed_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "ratings.toml"
    ratings.update(path, one(), KEY)
    data = path.read_bytes()
    path.write_bytes(data.replace(b"games = 2", b"games = 9", 1))
    with pytest.raises(Unverified, match="changed after it was signed"):
        ratings.update(path, two(), KEY)
    path.write_bytes(data)
    with pytest.raises(Unverified, match="another referee's key"):
        ratings.load(path, SigningKey.new().public)


def test_a_signed_file_in_another_form_is_refused_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "ratings.toml"
    for body in (b"# referee ratings 1\n", b"# referee ratings 1\n[players]\nalice = 3\n"):
        path.write_bytes(seal(body, KEY, "ratings"))
        with pytest.raises(Unverified, match="not in the form of ratings"):
            ratings.load(path, KEY.public)


def test_a_save_does_not_pass_for_ratings(tmp_path: Path) -> None:
    path = tmp_path / "ratings.toml"
    path.write_bytes(seal(b"# referee save 1\n", KEY, "save"))
    with pytest.raises(Unverified, match="is a referee save, not a ratings"):
        ratings.load(path, KEY.public)


def test_a_correction_makes_the_file_anew_from_the_events(tmp_path: Path) -> None:
    path, other = tmp_path / "ratings.toml", tmp_path / "other.toml"
    wrong = event("spring", field([{"alice": 2, "bob": 1}], [{"alice": 1, "bob": 1}]))
    ratings.update(path, wrong, KEY)
    ratings.update(path, two(), KEY)
    made = ratings.remake(path, [one(), two()], KEY)
    ratings.update(other, one(), KEY)
    expected = ratings.update(other, two(), KEY)
    assert (made.players, made.events) == (expected.players, expected.events)
    with pytest.raises(Refused, match="counted already"):
        ratings.remake(path, [one(), one()], KEY)


def test_the_same_events_give_the_same_bytes(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("one.toml", "other.toml")]
    for path in paths:
        ratings.update(path, one(), KEY)
        ratings.update(path, two(), KEY)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_games_are_rated_apart() -> None:
    after = ratings.count(ratings.count(Ratings(), one()), event("other", two().field, game="The Phantom League"))
    assert after.of(GAME, "carol").games == 0
    assert after.of("The Phantom League", "carol").games == 1


def test_lists_go_by_what_is_almost_sure() -> None:
    strong, lucky = Rating(28_000_000, 1_000_000, 40), Rating(33_000_000, 7_000_000, 2)
    assert names(Ratings({GAME: {"alice": lucky, "bob": strong}}).listed(GAME)) == ["bob", "alice"]


def test_the_list_is_72_columns_wide_whatever_the_names() -> None:
    known = Ratings({GAME: {name: Rating(games=number) for number, name in enumerate(("山田太郎", "a" * 100, "b\x07\nc"))}})
    text = ratings.listing(known)
    assert max(map(width, text.splitlines())) <= 72
    assert text.replace("\n", "").isprintable()
    assert "1500?" in text
