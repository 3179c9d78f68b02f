"""Ratings: how strong each player is in each game, kept from event to event in a signed file.

The model is that of Weng and Lin ("A Bayesian Approximation Method for Online Ranking", Journal of Machine Learning Research
12, 2011) in its Plackett-Luce form, as the library openskill has it: it rates tables of two and of more alike. Only games
that were played or adjudicated count, one after another in the order of rounds and tables. All is kept in millionths, so
that the same events give the same file.

The file says which events made it, with a digest of the results of each, and the hash of the file before it. An event is
counted once. To correct one, make the file anew from all events in their order.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from referee import canon
from referee.envelope import seal, unseal
from referee.errors import Refused, Unverified
from referee.keys import PublicKey, SigningKey
from referee.layout import wrap
from referee.locks import locked
from referee.report import clean
from referee.store import read_small, write_file
from referee.tournament.columns import column, with_lines
from referee.tournament.rounds import Field

if TYPE_CHECKING:
    from referee.tournament.views import EventView

PROVISIONAL_GAMES = 10
"""With fewer games than this a rating is marked as provisional."""
_MICRO = 1_000_000
_START = (25 * _MICRO, 8_333_333)  # mean and deviation of somebody unknown, as the library has them
_POINTS = 40  # of a printed rating for 1 of the model's mean, so that a newcomer has 1500, give or take 333
_MIDDLE = 1500
_FIRST_LINE = "# referee ratings 1\n"
_LEGEND = (
    f"A question mark: fewer than {PROVISIONAL_GAMES} games. The true strength lies within +/-, 19 times in 20. Players stand "
    "in the order of what they are stronger than almost surely: the rating less 1.5 times +/-."
)


class Rating(NamedTuple):
    """What is known of one player's strength in one game.

    Args:
        mean: the model's mean, in millionths.
        deviation: the model's standard deviation, in millionths.
        games: how many games it comes from.

    Example:
        >>> Rating().shown, Rating(31_000_000, 2_000_000, 40).shown
        ('1500?', '1740')
    """

    mean: int = _START[0]
    deviation: int = _START[1]
    games: int = 0

    @property
    def number(self) -> int:
        """Return the rating as it is printed, without its mark."""
        return round(_MIDDLE + _POINTS * (self.mean - _START[0]) / _MICRO)

    @property
    def give_or_take(self) -> int:
        """Return twice the standard deviation, as it is printed: the true strength lies within it, 19 times in 20."""
        return round(2 * _POINTS * self.deviation / _MICRO)

    @property
    def sure(self) -> int:
        """Return what the player is stronger than almost surely, mean less three deviations: what lists are ordered by."""
        return self.mean - 3 * self.deviation

    @property
    def is_provisional(self) -> bool:
        """Return whether it comes from few games."""
        return self.games < PROVISIONAL_GAMES

    @property
    def shown(self) -> str:
        """Return the rating as it is printed; a question mark says that it comes from few games."""
        return f"{self.number}?" if self.is_provisional else str(self.number)


class Counted(NamedTuple):
    """One event that was counted.

    Args:
        event: its name.
        commitment: what it published of its seed, 64 hex digits: no two events have the same.
        results: the SHA-256 of its results, 64 hex digits.
        game: the title of its game.
        tables: how many of its tables were counted.
    """

    event: str
    commitment: str
    results: str
    game: str
    tables: int


class Ratings(NamedTuple):
    """All ratings.

    Args:
        players: by game and player.
        events: what was counted, in order.
        previous: the SHA-256 of the file before this, 64 hex digits; empty for the first.
    """

    players: Mapping[str, Mapping[str, Rating]] = MappingProxyType({})
    events: tuple[Counted, ...] = ()
    previous: str = ""

    def of(self, game: str, player: str) -> Rating:
        """Return a player's rating in a game; that of a newcomer if there is none.

        Example:
            >>> Ratings().of("Cosmic League", "alice").games
            0
        """
        return self.players.get(game, {}).get(player, Rating())

    def listed(self, game: str) -> list[tuple[str, Rating]]:
        """Return the players of a game with their ratings, the surely strongest first; equals by name."""
        return sorted(self.players.get(game, {}).items(), key=lambda row: (-row[1].sure, row[0]))


def tables_of(field: Field) -> Iterator[dict[str, int]]:
    """Yield the places of each table that counts, in order: played or adjudicated, of those two or more who were there.

    Example:
        >>> list(tables_of(Field(("alice",), ("alice",))))
        []
    """
    for one in field.rounds:
        for pairing in one.pairings:
            outcome = one.outcomes.get(pairing.table)
            if outcome is None or pairing.is_bye:
                continue
            there = {player: outcome.places[player] for player in pairing.seats if player not in outcome.absent}
            if len(there) > 1:
                yield there


def rated(before: Mapping[str, Rating], tables: Iterable[Mapping[str, int]]) -> dict[str, Rating]:
    """Return the ratings of one game after more tables.

    Args:
        before: the ratings by player; whoever is absent is a newcomer.
        tables: the places of each table, in the order in which they count.

    Example:
        >>> after = rated({}, [{"alice": 1, "bob": 2}])
        >>> after["alice"].shown, after["bob"].shown, after["alice"].games
        ('1605?', '1395?', 1)
    """
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    after = dict(before)
    for places in tables:
        known = {player: after.get(player, Rating()) for player in places}
        teams = [[model.rating(one.mean / _MICRO, one.deviation / _MICRO)] for one in known.values()]
        new = model.rate(teams, ranks=[float(place) for place in places.values()])
        for (player, old), [one] in zip(known.items(), new, strict=True):
            after[player] = Rating(round(one.mu * _MICRO), round(one.sigma * _MICRO), old.games + 1)
    return after


def count(ratings: Ratings, view: EventView) -> Ratings:
    """Return the ratings after one more event.

    Args:
        ratings: those before it.
        view: a closed event.

    Raises:
        Refused: the event is not closed, or was counted already.

    Example:
        >>> from referee.tournament.reports import blank
        >>> count(Ratings(), blank()._replace(state="closed")).of("Toy", "alice").shown
        '1605?'
    """
    if view.state != "closed":
        raise Refused(f"The event {view.id} is not closed.", "Ratings count finished events: close it first.")
    if any(view.commitment == one.commitment for one in ratings.events):
        raise Refused(f"The event {view.id} was counted already.", "To correct it, make the ratings anew from all events.")
    tables = list(tables_of(view.field))
    players = {**ratings.players, view.game: rated(ratings.players.get(view.game, {}), tables)}
    counted = Counted(view.id, view.commitment, digest(tables), view.game, len(tables))
    return Ratings(players, (*ratings.events, counted), ratings.previous)


def digest(tables: Sequence[Mapping[str, int]]) -> str:
    """Return the SHA-256 of results, 64 hex digits, so that all can see which results were counted.

    Example:
        >>> digest([])[:8]
        'e3b0c442'
    """
    lines = [",".join(f"{player}={place}" for player, place in places.items()) for places in tables]
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).hexdigest()


def load(path: Path, trusted: PublicKey) -> Ratings:
    """Return the ratings of a file; none if there is no file.

    Raises:
        Unverified: it was changed after it was signed, or is no file of ratings.
        Trouble: it cannot be read.

    Example:
        >>> load(Path("no such file"), SigningKey.new().public).events
        ()
    """
    data = read_small(path)
    return Ratings() if data is None else _parsed(data, trusted, str(path))


def update(path: Path, view: EventView, key: SigningKey) -> Ratings:
    """Count a closed event in a file of ratings, which is made if it is not there; return the new ratings.

    Args:
        path: the file.
        view: the event.
        key: the referee's key, which signed the file and signs it anew.

    Raises:
        Refused: the event is not closed, or was counted already; the file stays as it was.
        Unverified: the file does not verify.
        Trouble: it cannot be read or written.

    Example:
        >>> import tempfile
        >>> from referee.tournament.reports import blank
        >>> with tempfile.TemporaryDirectory() as place:
        ...     made = update(Path(place, "ratings.toml"), blank()._replace(state="closed"), SigningKey.new())
        >>> made.of("Toy", "bob").games
        1
    """
    with locked(f"{path}.lock"):
        data = read_small(path)
        before = Ratings() if data is None else _parsed(data, key.public, str(path))
        after = count(before, view)._replace(previous="" if data is None else hashlib.sha256(data).hexdigest())
        write_file(path, seal(_written(after), key, "ratings"))
    return after


def remake(path: Path, views: Sequence[EventView], key: SigningKey) -> Ratings:
    """Make a file of ratings anew from events in their order, as after a correction; return the ratings.

    Raises:
        Refused: an event is not closed, or is named twice; the file stays as it was.
        Unverified: the old file does not verify.
        Trouble: it cannot be read or written.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     remake(Path(place, "ratings.toml"), [], SigningKey.new()).events
        ()
    """
    with locked(f"{path}.lock"):
        data = read_small(path)
        if data is not None:
            _parsed(data, key.public, str(path))
        after = Ratings(previous="" if data is None else hashlib.sha256(data).hexdigest())
        for view in views:
            after = count(after, view)
        write_file(path, seal(_written(after), key, "ratings"))
    return after


def listing(ratings: Ratings) -> str:
    """Return all ratings as text of 72 columns, game by game, the surely strongest first.

    Example:
        >>> print(listing(Ratings({"Cosmic League": {"alice": Rating(27_000_000, 3_000_000, 12)}})), end="")
        Cosmic League
        <BLANKLINE>
        Player  Rating  +/-  Games
        ------  ------  ---  -----
        alice     1580  240     12
        <BLANKLINE>
        A question mark: fewer than 10 games. The true strength lies within +/-,
        19 times in 20. Players stand in the order of what they are stronger
        than almost surely: the rating less 1.5 times +/-.
    """
    texts = []
    for game in sorted(ratings.players):
        rows = [[clean(player), one.shown, str(one.give_or_take), str(one.games)] for player, one in ratings.listed(game)]
        columns = [column("Player", grows=True), *(column(head, right=True) for head in ("Rating", "+/-", "Games"))]
        table = with_lines({"caption": "", "columns": columns, "rows": rows})
        texts.append("\n".join([clean(game), "", *table["lines"]]))
    return "\n\n".join([*texts, wrap(_LEGEND)]) + "\n"


def _written(ratings: Ratings) -> bytes:
    last = ratings.events[-1].event if ratings.events else ""
    head = {"model": "plackett-luce", "event": last, "previous": ratings.previous}
    events = {str(number): one._asdict() for number, one in enumerate(ratings.events, 1)}
    players = {
        game: {player: one._asdict() for player, one in sorted(rows.items())} for game, rows in sorted(ratings.players.items())
    }
    data = {"ratings": head, "events": events, "players": players}
    return (_FIRST_LINE + canon.dumps(data, inline=["events.*", "players.*.*"])).encode()


def _parsed(data: bytes, trusted: PublicKey, name: str) -> Ratings:
    body = unseal(data, trusted, "ratings", name=name)
    try:
        found: dict[str, Any] = canon.loads(body)
        players = {game: {who: Rating(**one) for who, one in rows.items()} for game, rows in found["players"].items()}
        events = tuple(Counted(**one) for one in found["events"].values())
        return Ratings(players, events, found["ratings"]["previous"])
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Unverified(f"{name} is signed, but is not in the form of ratings.", "It may come from a newer program.") from None
