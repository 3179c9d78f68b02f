"""Tie-breaks: what decides among players with equal points, and how each value comes about.

Every tie-break is counted from the ledger of an event and gives its terms along with its value, so that a standing can
print how it was calculated. Games that were not played are counted as the FIDE Handbook C.07, "Play-Off and Tie-Break
Regulations", effective 1 March 2026, has it in article 16 for Swiss tournaments and in article 15.2 for round robins.
At tables of three to six, one round gives one term of a Buchholz: the average of the opponents at the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from types import MappingProxyType
from typing import NamedTuple

from referee.tournament.ledger import Game, Ledger
from referee.tournament.scoring import shown
from referee.tournament.values import Term, Value, sentence, told, total

FINE = 60
"""A point has this many more units in tie-breaks than in the scoring, so that averages of two to five are exact."""


class TieBreak(NamedTuple):
    """One tie-break.

    Args:
        title: its name for people.
        short: the head of its column.
        about: a sentence that explains it.
        reckon: the terms for one player; None for the tie-break that looks at all tied players at once.
        say: where a term comes from.
        unit: how many units of a term are 1.
        lowest: whether the lower value is ahead.
    """

    title: str
    short: str
    about: str
    reckon: Callable[[Ledger, str], list[Term]] | None
    say: Callable[[Ledger, Term], str]
    unit: Callable[[Ledger], int]
    lowest: bool = False

    def sentence(self, ledger: Ledger, value: Value) -> str:
        """Return how a value was calculated."""
        return sentence(self.title, value, self.unit(ledger), lambda term: self.say(ledger, term))


def points(ledger: Ledger, player: str) -> str:
    """Return how the points of a player came about, a term for each round.

    Example:
        >>> from referee.tournament.rounds import Field
        >>> from referee.tournament.ledger import ledger
        >>> points(ledger(Field(("alice",), ("alice",)), {}), "alice")
        'Points: 0 = nothing to count.'
    """
    terms = [Term(game.points, game) for game in ledger.games[player] if game.kind != "open"]
    return sentence("Points", total(terms), ledger.scale.unit, _said_game)


def _said_game(term: Term) -> str:
    return f"round {term.game.round}: {told(term.game)}" if term.game else ""


# The opponents' points


def _counted(ledger: Ledger, game: Game) -> tuple[str, ...]:
    """Return the opponents of a game that counts as played in the tie-breaks; nobody if it does not."""
    if game.kind == "played":
        return game.met
    # C.07, 15.2: where everybody was to meet everybody, a forfeit is a game like any other.
    return game.missing if not ledger.swiss and game.kind.startswith("forfeit") else ()


def _average(ledger: Ledger, who: tuple[str, ...]) -> int:
    """Return the average of the points of opponents, in fine units."""
    adjusted = ledger.adjusted
    if len(who) == 1:
        return adjusted[who[0]] * FINE
    return sum([adjusted[other] for other in who]) * FINE // len(who)


def _dummy(ledger: Ledger, player: str, game: Game) -> int:
    """Return the points of the dummy that stands for the opponent of a game that was not played, in fine units.

    The player's own points, but no more than the scheduled opponent's after a forfeit (16.4.1), and no more than draws in
    all rounds otherwise (16.4.2).
    """
    most = _average(ledger, game.missing) if game.missing else ledger.draw * ledger.rounds * FINE
    return min(ledger.points[player] * FINE, most)


_VOLUNTARY = ("requested-bye", "sit-out", "forfeit-loss")


def _opponents(ledger: Ledger, player: str) -> list[Term]:
    terms = []
    for game in ledger.games[player]:
        if met := _counted(ledger, game):
            terms.append(Term(_average(ledger, met), game, met))
        elif ledger.swiss and game.kind != "open":
            terms.append(Term(_dummy(ledger, player, game), game, voluntary=game.kind in _VOLUNTARY))
    return terms


def _said_opponents(ledger: Ledger, term: Term) -> str:
    assert term.game is not None
    if not term.who:
        return f"a dummy, {_said_game(term)}"
    names = term.who[0] if len(term.who) == 1 else f"average of {', '.join(term.who)}"
    return f"{names}, round {term.game.round}"


def _buchholz(lowest: int, highest: int) -> Callable[[Ledger, str], list[Term]]:
    def reckon(ledger: Ledger, player: str) -> list[Term]:
        terms = _opponents(ledger, player)
        for _ in range(lowest):
            _cut(terms, lambda term: (not term.voluntary, term.amount))
        for _ in range(highest):
            _cut(terms, lambda term: (False, -term.amount))
        return terms

    return reckon


def _cut(terms: list[Term], key: Callable[[Term], tuple[bool, int]]) -> None:
    """Leave out one more term: the first by a key. A round not played by choice goes before all others (16.5)."""
    kept = [at for at, term in enumerate(terms) if not term.cut]
    if kept:
        at = min(kept, key=lambda at: key(terms[at]))
        terms[at] = terms[at]._replace(cut=True)


def _sonneborn_berger(ledger: Ledger, player: str) -> list[Term]:
    """Return the points of each opponent by the part of a win that was had against them; units of both multiplied."""
    terms = []
    for game in ledger.games[player]:
        if met := _counted(ledger, game):
            for other in met:
                part = _part_of_a_win(ledger, game, player, other)
                terms.append(Term(ledger.adjusted[other] * FINE * part, game, (other,), part))
        elif ledger.swiss and game.kind != "open" and ledger.scale.mode != "score":
            terms.append(Term(_dummy(ledger, player, game) * game.points, game, (), game.points))
    return [term for term in terms if term.amount]


def _part_of_a_win(ledger: Ledger, game: Game, player: str, other: str) -> int:
    """Return what was had of a win against one opponent, in units of `_win`."""
    if game.size == 2 and ledger.scale.mode == "places":
        return game.points
    mine, theirs = game.places[player], game.places[other]
    return _win(ledger) if mine < theirs else _win(ledger) // 2 if mine == theirs else 0


def _win(ledger: Ledger) -> int:
    """Return what a win is worth; a point, where the game's own score counts."""
    return ledger.scale.unit if ledger.scale.mode == "score" else ledger.scale.word("win")


def _said_beaten(ledger: Ledger, term: Term) -> str:
    assert term.game is not None
    part = shown(term.note, _win(ledger))
    if not term.who:
        return f"{part} of a dummy's {shown(term.amount // term.note, ledger.scale.unit * FINE)}, {_said_game(term)}"
    return f"{part} of {term.who[0]}'s {shown(ledger.adjusted[term.who[0]], ledger.scale.unit)}, round {term.game.round}"


# Own results


def _is_win(ledger: Ledger, game: Game) -> bool:
    if game.kind == "played":
        return game.ahead == 0 and game.same == 1
    return game.kind != "open" and ledger.scale.mode != "score" and game.points == ledger.scale.word("win")


def _wins(ledger: Ledger, player: str) -> list[Term]:
    return [Term(1, game) for game in ledger.games[player] if _is_win(ledger, game)]


def _games_won(ledger: Ledger, player: str) -> list[Term]:
    return [Term(1, game) for game in ledger.games[player] if game.kind == "played" and _is_win(ledger, game)]


def _score_difference(ledger: Ledger, player: str) -> list[Term]:
    terms = []
    for game in ledger.games[player]:
        if game.kind == "played" and all(other in game.scores for other in (player, *game.met)):
            theirs = sum([game.scores[other] for other in game.met]) * FINE // len(game.met)
            terms.append(Term(game.scores[player] * FINE - theirs, game, game.met, theirs))
    return terms


def _said_scores(ledger: Ledger, term: Term) -> str:
    assert term.game is not None
    mine = shown(term.amount + term.note, FINE)
    return f"{mine} to {shown(term.note, FINE)}, {_said_opponents(ledger, term)}"


def _progressive(ledger: Ledger, player: str) -> list[Term]:
    by_round: dict[int, int] = {}
    for game in ledger.games[player]:
        by_round[game.round] = by_round.get(game.round, 0) + game.points
    after = accumulate(by_round.get(one.number, 0) for one in ledger.field.rounds)
    return [Term(sum_, note=one.number) for one, sum_ in zip(ledger.field.rounds, after, strict=True)]


def _second_seat(ledger: Ledger, player: str) -> list[Term]:
    return [Term(1, game, note=game.seat) for game in ledger.games[player] if game.kind == "played" and game.seat > 1]


def _said_seat(ledger: Ledger, term: Term) -> str:
    return f"round {term.game.round}: seat {term.note} of {term.game.size}" if term.game else ""


def _lots(ledger: Ledger, player: str) -> list[Term]:
    return [Term(ledger.field.lots.index(player) + 1)]


def _said_lot(ledger: Ledger, term: Term) -> str:
    return f"lot {term.amount} of {len(ledger.field.lots)}, drawn from the seed of the event"


# Head to head


def head_to_head(ledger: Ledger, tied: Sequence[str]) -> dict[str, Value] | None:
    """Return what tied players have of the games among themselves; None if two of them never met.

    Args:
        ledger: the games of the event.
        tied: players whom nothing before has told apart, two at least.

    Example:
        >>> from referee.tournament.ledger import ledger
        >>> from referee.tournament.rounds import Field
        >>> head_to_head(ledger(Field(("alice", "bob"), ("bob", "alice")), {}), ["alice", "bob"]) is None
        True
    """
    among = set(tied)
    if any(len(ledger.games[player]) < _least_games(ledger, among) for player in tied):
        return None
    values: dict[str, Value] = {}
    for player in tied:
        games = [(game, among.intersection(_counted(ledger, game))) for game in ledger.games[player]]
        if len(set().union(*(met for _, met in games))) < len(tied) - 1:
            return None
        values[player] = total([_mutual(ledger, game, player, met) for game, met in games if met])
    return values


def _least_games(ledger: Ledger, among: set[str]) -> int:
    """Return how many games it takes to meet all: seen at once, where there are too few for a large tie."""
    return -(-(len(among) - 1) // (max(ledger.field.seats, 2) - 1))


def _mutual(ledger: Ledger, game: Game, player: str, met: set[str]) -> Term:
    """Return the points of a game, or at a larger table a point for each tied opponent behind and half for one beside."""
    who = tuple(other for other in (*game.met, *game.missing) if other in met)
    if game.size == 2:
        return Term(game.points, game, who)
    mine, theirs = game.places[player], [game.places[other] for other in met]
    halves = sum(2 if place > mine else place == mine for place in theirs)
    return Term(halves * ledger.scale.unit // 2, game, who)


def _said_mutual(ledger: Ledger, term: Term) -> str:
    return f"against {', '.join(term.who)}, round {term.game.round}" if term.game else ""


def _points_unit(ledger: Ledger) -> int:
    return ledger.scale.unit


def _fine_unit(ledger: Ledger) -> int:
    return ledger.scale.unit * FINE


def _product_unit(ledger: Ledger) -> int:
    return ledger.scale.unit * FINE * _win(ledger)


def _score_unit(ledger: Ledger) -> int:
    return FINE


def _one(ledger: Ledger) -> int:
    return 1


def _said_round(ledger: Ledger, term: Term) -> str:
    return f"after round {term.note}"


def _said_result(ledger: Ledger, term: Term) -> str:
    return _said_game(term)


def _opponents_tiebreak(title: str, short: str, about: str, lowest: int, highest: int) -> TieBreak:
    return TieBreak(title, short, about, _buchholz(lowest, highest), _said_opponents, _fine_unit)


TIEBREAKS: Mapping[str, TieBreak] = MappingProxyType(
    {
        "head-to-head": TieBreak(
            "Head to head",
            "H2H",
            "What the tied players made of the games among themselves, if they all have met (C.07, 6): points at tables of "
            "two, at larger ones 1 for each of them who finished behind and 0.5 for each beside.",
            None,
            _said_mutual,
            _points_unit,
        ),
        "buchholz": _opponents_tiebreak(
            "Buchholz", "BH", "The sum of the opponents' points, a term for each round (C.07, 8.1).", 0, 0
        ),
        "buchholz-cut-1": _opponents_tiebreak(
            "Buchholz cut 1", "BH-C1", "Buchholz without its lowest term (C.07, 8.1 and 14.1).", 1, 0
        ),
        "buchholz-cut-2": _opponents_tiebreak(
            "Buchholz cut 2", "BH-C2", "Buchholz without its two lowest terms (C.07, 8.1 and 14.2).", 2, 0
        ),
        "buchholz-median": _opponents_tiebreak(
            "Median Buchholz", "BH-M1", "Buchholz without its lowest and its highest term (C.07, 8.1 and 14.3).", 1, 1
        ),
        "sonneborn-berger": TieBreak(
            "Sonneborn-Berger",
            "SB",
            "The points of each opponent beaten, and half the points of each who shared the place (C.07, 9.1).",
            _sonneborn_berger,
            _said_beaten,
            _product_unit,
        ),
        "wins": TieBreak(
            "Wins",
            "Wins",
            "How many rounds brought as much as a win, with or without playing (C.07, 7.1).",
            _wins,
            _said_result,
            _one,
        ),
        "games-won": TieBreak(
            "Games won", "Won", "How many games were played and won (C.07, 7.2).", _games_won, _said_result, _one
        ),
        "score-difference": TieBreak(
            "Score difference",
            "Diff",
            "The game's own scores, minus the average score of the opponents at the table, over all games played.",
            _score_difference,
            _said_scores,
            _score_unit,
        ),
        "progressive": TieBreak(
            "Progressive score",
            "Prog",
            "The sum of the points that the player had after each round (C.07, 7.5).",
            _progressive,
            _said_round,
            _points_unit,
        ),
        "second-seat": TieBreak(
            "Games as second seat",
            "2nd",
            "How many games were played from a seat after the first (C.07, 7.3).",
            _second_seat,
            _said_seat,
            _one,
        ),
        "lots": TieBreak(
            "Drawn lots",
            "Lot",
            "The lower lot is ahead; lots are drawn from the seed of the event, so all can check them.",
            _lots,
            _said_lot,
            _one,
            lowest=True,
        ),
    }
)
"""Every tie-break, by the name that directors type."""

DEFAULT: tuple[str, ...] = ("head-to-head", "buchholz-cut-1", "buchholz", "sonneborn-berger", "wins")
"""What decides in a Swiss tournament if nothing else is chosen."""

_BY_FORMAT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "tables": ("sonneborn-berger", "wins", "score-difference", "buchholz"),
        "single-elimination": (),
        "double-elimination": (),
        **dict.fromkeys(
            ("round-robin", "double-round-robin", "open-round-robin", "groups"),
            ("head-to-head", "sonneborn-berger", "wins", "score-difference"),
        ),
    }
)


def defaults(format: str) -> tuple[str, ...]:
    """Return the tie-breaks that an event of a format has unless its director names others.

    Example:
        >>> defaults("groups")
        ('head-to-head', 'sonneborn-berger', 'wins', 'score-difference')
    """
    return _BY_FORMAT.get(format, DEFAULT)


def problems(names: Sequence[str]) -> list[str]:
    """Return what is wrong with a list of tie-breaks, a sentence each.

    Example:
        >>> problems(["wins", "buchholz", "wins"])
        ['The tie-break wins is named twice.']
    """
    known = ", ".join(TIEBREAKS)
    found = [f"There is no tie-break {name}; there are {known}." for name in names if name not in TIEBREAKS]
    twice = [name for name in dict.fromkeys(names) if list(names).count(name) > 1]
    found += [f"The tie-break {name} is named twice." for name in twice]
    if "lots" in names and list(names)[-1] != "lots":
        found.append("The tie-break lots leaves nothing to decide, so it must be the last.")
    return found
