"""What is played for a seat that is late: always playable, from what the seat may know, and the same when asked again."""

import random
from pathlib import Path

import pytest

from referee.engine import find_game, pending
from referee.fields import replace
from referee.late import bot_lines, open_decisions, safest_lines
from referee.match import Match
from referee.orders import MOST_CHARACTERS, MOST_LINES, submit

from .matches import KEY, OTHER_KEY, new, open_line

SEATS = {
    "lantern-reef": ["alice", "bob", "carol"],
    "cosmic-league": ["alice", "bob"],
    "kosmiczna-misja": ["alice", "bob"],
    "four-planets": ["alice", "bob"],
    "phantom-league": ["alice", "bob"],
}


def positions(tmp_path: Path, game: str, count: int = 60) -> list[Match]:
    """Return matches at random moments at which somebody is asked."""
    from referee import desk

    table = desk.Table(find_game(game), SEATS[game], match_id="late", secret=bytes(32))
    m, rng, found = desk.open_match(tmp_path / game, table, KEY)[1].save.match, random.Random(4), []
    while len(found) < count and not m.over:
        found.append(m)
        seat, line = open_line(m, rng)
        m = submit(m, seat, [line]).match
    return found


@pytest.mark.parametrize("game", SEATS)
def test_there_are_always_lines_and_they_can_be_played(tmp_path: Path, game: str, quick_disk: None) -> None:
    for m in positions(tmp_path, game):
        question = pending(m)
        assert question is not None
        for seat in question.seats:
            if not open_decisions(m, seat):
                continue
            for lines in (safest_lines(m, seat), bot_lines(m, seat, KEY)):
                assert 0 < len(lines) <= MOST_LINES
                assert sum(map(len, lines)) <= MOST_CHARACTERS
                outcome = submit(m, seat, lines)
                assert not outcome.returned
                after = pending(outcome.match)
                assert after is None or after is not question


def test_the_safest_lines_of_a_turn_end_it_and_risk_nothing(tmp_path: Path, quick_disk: None) -> None:
    for m in positions(tmp_path, "cosmic-league", 150):
        question = pending(m)
        assert question is not None
        expected = {"turn": ["end"], "flight": ["end"], "agent": ["forgo"], "window": ["decline"]}.get(question.name)
        if expected:
            lines = safest_lines(m, question.seats[0])
            assert lines[0].split()[0] in (*expected, "stay"), (question.name, lines)


def test_a_game_that_knows_no_safe_lines_has_none(tmp_path: Path, quick_disk: None) -> None:
    m = new(tmp_path / "match")[1].save.match
    m.game = replace(m.game, safest="")
    assert safest_lines(m, "alice") == []
    assert bot_lines(m, "alice", KEY)


def test_a_bot_chooses_the_same_again_and_another_where_the_key_is_another(tmp_path: Path, quick_disk: None) -> None:
    found = positions(tmp_path, "cosmic-league")
    pairs = [(m, pending(m).seats[0]) for m in found]  # type: ignore[union-attr]
    once, again, other = ([bot_lines(m.copy(), seat, key) for m, seat in pairs] for key in (KEY, KEY, OTHER_KEY))
    assert once == again
    assert once != other


def test_a_seat_that_has_sealed_all_its_answers_is_not_late(tmp_path: Path, quick_disk: None) -> None:
    m = new(tmp_path / "match")[1].save.match
    sealed = submit(m, "alice", ["sail north"]).match
    assert open_decisions(m, "alice")
    assert not open_decisions(sealed, "alice")
    assert not safest_lines(sealed, "alice")
    assert [line.split()[0] for line in safest_lines(sealed, "carol")] == ["sail", "pirate:"]
