"""The value of a tie-break with the terms that it is the sum of, and how both are written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from referee.tournament.ledger import Game
from referee.tournament.scoring import shown


class Term(NamedTuple):
    """One part of a value.

    Args:
        amount: what it adds, in units of the value.
        game: the game it comes from; None if it comes from no game.
        who: the opponents it comes from.
        note: what the words about it need besides; its own tie-break knows what it means.
        cut: whether it is left out.
        voluntary: whether it comes from a round that the player chose not to play (C.07, 16.1): that is cut first.
    """

    amount: int
    game: Game | None = None
    who: tuple[str, ...] = ()
    note: int = 0
    cut: bool = False
    voluntary: bool = False


class Value(NamedTuple):
    """The value of one tie-break for one player.

    Args:
        value: the sum of the terms that are not cut.
        terms: its parts.
    """

    value: int
    terms: Sequence[Term]


def total(terms: Sequence[Term]) -> Value:
    """Return the value that terms add up to.

    Example:
        >>> total([Term(60), Term(30, cut=True)]).value
        60
    """
    return Value(sum([term.amount for term in terms if not term.cut]), terms)


def sentence(title: str, value: Value, unit: int, say: Callable[[Term], str]) -> str:
    """Return how a value was calculated: each term, then what was left out.

    Args:
        title: the name of the tie-break.
        value: its value, in units.
        unit: how many units are 1.
        say: where a term comes from.

    Example:
        >>> terms = (Term(180, who=("bob",)), Term(0, who=("carol",), cut=True))
        >>> sentence("Buchholz cut 1", total(terms), 60, lambda term: term.who[0])
        'Buchholz cut 1: 3 = 3 (bob); left out: 0 (carol).'
    """
    kept = " + ".join([_part(term, unit, say) for term in value.terms if not term.cut]) or "nothing to count"
    cut = ", ".join([_part(term, unit, say) for term in value.terms if term.cut])
    return f"{title}: {shown(value.value, unit)} = {kept}" + (f"; left out: {cut}." if cut else ".")


def _part(term: Term, unit: int, say: Callable[[Term], str]) -> str:
    amount = shown(term.amount, unit)
    return f"{f'({amount})' if term.amount < 0 else amount} ({say(term)})"


def told(game: Game) -> str:
    """Return how a game ended for the player, in a few words.

    Example:
        >>> told(Game(2, "played", 1, 2, met=("bob",), ahead=1)), told(Game(3, "bye"))
        ('lost to bob', 'bye')
    """
    if game.kind == "played":
        return _told_played(game)
    missing = ", ".join(game.missing)
    return {
        "forfeit-win": f"{missing} did not play",
        "forfeit-loss": f"did not play against {missing}",
        "requested-bye": "free by request",
        "sit-out": "not paired",
    }.get(game.kind, game.kind)


def _told_played(game: Game) -> str:
    if len(game.met) > 1:
        shared = " shared" if game.same > 1 else ""
        return f"place {game.ahead + 1}{shared} of {game.size} with {', '.join(game.met)}"
    return f"{'drew with' if game.same > 1 else 'lost to' if game.ahead else 'beat'} {game.met[0]}"
