"""Events made up for tests: random ones for properties, and a builder for those written out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from referee.tournament.rounds import Field, Outcome, Pairing, Round

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "mallory", "niaj")


def field(*rounds: Sequence[Mapping[str, int]], players: Sequence[str] = (), seats: int = 2, **settings: int) -> Field:
    """Return an event whose tables are given by their places; a table of one is a bye."""
    made = []
    for number, tables in enumerate(rounds, 1):
        pairings = tuple(Pairing(at, tuple(places)) for at, places in enumerate(tables, 1))
        over = {at: Outcome(at, dict(p), how="bye" if len(p) == 1 else "played") for at, p in enumerate(tables, 1)}
        made.append(Round(number, pairings, over))
    everybody = tuple(players) or tuple(dict.fromkeys(name for tables in rounds for places in tables for name in places))
    return Field(everybody, everybody[::-1], tuple(made), settings, seats=seats)


def with_outcome(of: Field, number: int, table: int, outcome: Outcome | None) -> Field:
    """Return an event with another outcome of one table; None takes it away."""
    rounds = list(of.rounds)
    over = {**rounds[number - 1].outcomes}
    over.pop(table, None)
    if outcome is not None:
        over[table] = outcome
    rounds[number - 1] = rounds[number - 1]._replace(outcomes=over)
    return of._replace(rounds=tuple(rounds))


def renamed(of: Field, new: Mapping[str, str]) -> Field:
    """Return an event with other names for its players."""

    def one_round(one: Round) -> Round:
        pairings = tuple(pairing._replace(seats=tuple(new[seat] for seat in pairing.seats)) for pairing in one.pairings)
        over = {table: renamed_outcome(outcome, new) for table, outcome in one.outcomes.items()}
        return Round(one.number, pairings, over)

    players, lots = (tuple(new[player] for player in names) for names in (of.players, of.lots))
    return of._replace(players=players, lots=lots, rounds=tuple(map(one_round, of.rounds)))


def renamed_outcome(outcome: Outcome, new: Mapping[str, str]) -> Outcome:
    places, scores = ({new[player]: value for player, value in values.items()} for values in (outcome.places, outcome.scores))
    return outcome._replace(places=places, scores=scores, absent=tuple(new[player] for player in outcome.absent))


@st.composite
def fields(draw: st.DrawFn, most: int = 12) -> Field:
    """Draw an event of two to six seats with games, byes, forfeits, players who sit out, and tables that go on."""
    seats = draw(st.integers(2, 6))
    players = NAMES[: draw(st.integers(2, most))]
    rounds = tuple(draw(_rounds(number, players, seats)) for number in range(1, draw(st.integers(0, 5)) + 1))
    return Field(players, tuple(draw(st.permutations(players))), rounds, {"rounds": 5}, seats=seats)


@st.composite
def _rounds(draw: st.DrawFn, number: int, players: Sequence[str], seats: int) -> Round:
    order = draw(st.permutations(players))[: draw(st.integers(1, len(players)))]
    pairings = tuple(
        Pairing(table, tuple(order[start : start + seats])) for table, start in enumerate(range(0, len(order), seats), 1)
    )
    over = {pairing.table: outcome for pairing in pairings if (outcome := draw(_outcomes(pairing)))}
    return Round(number, pairings, over)


@st.composite
def _outcomes(draw: st.DrawFn, pairing: Pairing) -> Outcome | None:
    if pairing.is_bye:
        return Outcome(pairing.table, {pairing.seats[0]: 1}, how="bye", absent=draw(st.sampled_from(((), pairing.seats))))
    places = {player: draw(st.integers(1, len(pairing.seats))) for player in pairing.seats}
    scores = {player: draw(st.integers(-3, 30)) for player in pairing.seats}
    how = draw(st.sampled_from(("played", "played", "played", "adjudicated", "forfeit", "open")))
    if how == "open":
        return None
    if how == "forfeit":
        absent = tuple(draw(st.lists(st.sampled_from(pairing.seats), min_size=1, unique=True)))
        return Outcome(pairing.table, places, how=how, absent=absent)
    return Outcome(pairing.table, places, scores, how)
