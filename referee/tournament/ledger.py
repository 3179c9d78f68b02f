"""The games of each player, with what they were worth: what standings and tie-breaks count.

Only what is over counts. A table that still plays is here too, as `open`, because it tells that its players are there to
play; it is worth nothing to anybody.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple

from referee.tournament.rounds import Field, Outcome, Pairing, Round
from referee.tournament.scoring import Scale, Settings, scale, shares

Kind = Literal["played", "open", "bye", "requested-bye", "sit-out", "forfeit-win", "forfeit-loss"]


class Game(NamedTuple):
    """One round of one player.

    Args:
        round: its number.
        kind: `played`; `open` while it goes on; `bye`; `requested-bye`, given to a player who asked for it; `sit-out` if the
            player was not paired; `forfeit-win` if nobody else was there; `forfeit-loss` if the player was not.
        seat: the player's seat, from 1; 0 if there was no table.
        size: how many were to sit at the table.
        met: the opponents who played.
        missing: the opponents who did not.
        ahead: how many finished ahead of the player, of those who played.
        same: how many shared the player's place, the player among them.
        points: what it was worth, in units of the scale.
        places: the places of the table.
        scores: the game's own scores of the table.
    """

    round: int
    kind: Kind
    seat: int = 0
    size: int = 0
    met: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    ahead: int = 0
    same: int = 1
    points: int = 0
    places: Mapping[str, int] = {}
    scores: Mapping[str, int] = {}


class Ledger(NamedTuple):
    """All games of all players of an event, or of one of its groups.

    Args:
        field: the event.
        players: who takes part, in the order of their pairing numbers.
        games: by player, a game for each round that is over for them.
        points: by player, the sum, in units of the scale.
        adjusted: by player, the points that count in the tie-breaks of their opponents (C.07, 16.3), in units.
        draw: what a draw is worth, in units.
        scale: the scoring, and with it how many units are one point.
        rounds: how many rounds the event has, as far as is known.
        swiss: whether games that were not played count as in a Swiss tournament (C.07, 16) or as games (15.2).
    """

    field: Field
    players: tuple[str, ...]
    games: Mapping[str, tuple[Game, ...]]
    points: Mapping[str, int]
    adjusted: Mapping[str, int]
    draw: int
    scale: Scale
    rounds: int
    swiss: bool


def ledger(field: Field, settings: Settings, group: str | None = None) -> Ledger:
    """Return the games of an event.

    Args:
        field: the event.
        settings: the scoring.
        group: count only the tables of this group, among the players who sit at them; None counts all tables.

    Example:
        >>> field = Field(("alice", "bob"), ("bob", "alice"), (Round(1, (Pairing(1, ("alice", "bob")),), {
        ...     1: Outcome(1, {"alice": 1, "bob": 2})}),))
        >>> found = ledger(field, {})
        >>> found.points["alice"] // found.scale.unit
        1
    """
    swiss = settings.get("unplayed", "swiss") == "swiss"
    weights = scale(settings, field.seats)
    players, found = _found(field, weights, group, swiss)
    draw = _draw(weights, found)
    games = {player: tuple(_valued(rows, weights)) for player, rows in found.items()}
    points = {player: sum([game.points for game in rows]) for player, rows in games.items()}
    adjusted = {player: _adjusted(games[player], draw) for player in players} if swiss else points
    rounds = max(len(field.rounds), int(field.settings.get("rounds", 0) or 0))
    return Ledger(field, players, games, points, adjusted, draw, weights, rounds, swiss)


def groups(field: Field) -> list[str]:
    """Return the names of the groups of an event in the order in which they first play.

    Example:
        >>> groups(Field(("alice",), ("alice",)))
        ['']
    """
    return list(dict.fromkeys(pairing.group for one in field.rounds for pairing in one.pairings)) or [""]


def _found(field: Field, weights: Scale, group: str | None, swiss: bool) -> tuple[tuple[str, ...], dict[str, list[Game]]]:
    """Return who takes part and the games of each, where free rounds are not yet worth anything."""
    chosen = [(one, [p for p in one.pairings if group in (None, p.group)]) for one in field.rounds]
    seated = {player for _, pairings in chosen for pairing in pairings for player in pairing.seats}
    players = tuple(player for player in field.players if group is None or player in seated)
    found: dict[str, list[Game]] = {player: [] for player in players}
    for one, pairings in chosen:
        for pairing in pairings:
            for player, game in _games(one, pairing, weights):
                found[player].append(game)
        if swiss and group in (None, ""):
            _sit_out(one, found)
    return players, found


def _sit_out(one: Round, found: Mapping[str, list[Game]]) -> None:
    paired = {player for pairing in one.pairings for player in pairing.seats}
    for player, games in found.items():
        if player not in paired:
            games.append(Game(one.number, "sit-out"))


def _games(one: Round, pairing: Pairing, weights: Scale) -> Iterator[tuple[str, Game]]:
    outcome = one.outcomes.get(pairing.table)
    size = len(pairing.seats)
    if outcome is None:
        for seat, player in enumerate(pairing.seats, 1):
            yield player, Game(one.number, "open", seat, size)
    elif pairing.is_bye:
        kind: Kind = "requested-bye" if pairing.seats[0] in outcome.absent else "bye"
        yield pairing.seats[0], Game(one.number, kind, size=size)
    else:
        yield from _finished(one.number, pairing, outcome, weights)


def _finished(number: int, pairing: Pairing, outcome: Outcome, weights: Scale) -> Iterator[tuple[str, Game]]:
    there = tuple(player for player in pairing.seats if player not in outcome.absent)
    size, values = len(pairing.seats), _values(outcome, there, weights)
    order = sorted(outcome.places[player] for player in there)
    for seat, player in enumerate(pairing.seats, 1):
        others = tuple(other for other in there if other != player)
        away = tuple(other for other in pairing.seats if other not in there and other != player)
        if player not in there:
            # To those who did not come it is one game that was not played, whoever else came.
            game = Game(number, "forfeit-loss", seat, size, missing=others + away, places=outcome.places)
        elif not others:
            game = Game(number, "forfeit-win", seat, size, missing=away, places=outcome.places)
        else:
            place = outcome.places[player]
            ahead, same = order.index(place), order.count(place)
            points = values[player] if values else _by_place(weights, ahead, same, size)
            game = Game(number, "played", seat, size, others, away, ahead, same, points, outcome.places, outcome.scores)
        yield player, game


_UNKNOWN = -(10**30)
"""Stands for the points of a table that was decided without scores, until the player's average is known."""


def _by_place(weights: Scale, ahead: int, same: int, size: int) -> int:
    return weights.award(ahead, same, size) if weights.mode == "places" else _UNKNOWN


def _values(outcome: Outcome, there: tuple[str, ...], weights: Scale) -> Mapping[str, int]:
    """Return what the game's own scores are worth; empty if places count, or if there are no scores."""
    if weights.mode == "places" or len(there) < 2 or any(player not in outcome.scores for player in there):
        return {}
    if weights.mode == "share":
        return shares(outcome.scores, there, weights.unit)
    return {player: outcome.scores[player] * weights.unit for player in there}


def _draw(weights: Scale, found: Mapping[str, list[Game]]) -> int:
    """Return what a draw is worth; where the game's own scores count, that is the average of all games."""
    if weights.mode != "score":
        return weights.word("draw")
    known = [game.points for games in found.values() for game in games if _is_known(game)]
    return sum(known) // len(known) if known else 0


def _is_known(game: Game) -> bool:
    return game.kind == "played" and game.points != _UNKNOWN


def _valued(games: list[Game], weights: Scale) -> Iterator[Game]:
    """Yield the games of one player, free rounds and forfeits with what they are worth."""
    known = [game.points for game in games if _is_known(game)]
    average = sum(known) // len(known) if known else 0
    for game in games:
        if game.kind == "open" or _is_known(game):
            yield game
        elif game.kind == "played":
            yield game._replace(points=average)
        else:
            yield game._replace(points=_free(weights, weights.free[game.kind], average))


def _free(weights: Scale, value: int | str, average: int) -> int:
    if isinstance(value, int):
        return value
    if value == "average":
        return average
    return 0 if weights.mode == "score" else weights.word(value)


def _adjusted(games: tuple[Game, ...], draw: int) -> int:
    """Return the points that count in the tie-breaks of a player's opponents.

    A free round by the player's own wish counts as a draw if the player was never there to play afterwards, and as what
    it was worth otherwise. Source: FIDE Handbook C.07 (effective 1 March 2026), 16.2 and 16.3.
    """
    total, gone = 0, True
    for game in reversed(games):
        asked = game.kind in ("requested-bye", "sit-out")
        total += draw if asked and gone else game.points
        gone = gone and (asked or game.kind == "forfeit-loss")
    return total
