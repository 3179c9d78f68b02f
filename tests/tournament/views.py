"""What a reader may know of events made up for tests: every format, many players, and hostile names."""

from __future__ import annotations

from collections.abc import Sequence

from referee.tournament import berger, scoring, swiss, tiebreaks
from referee.tournament.double_elimination import next_round as next_of_double
from referee.tournament.elimination import next_round as next_of_single
from referee.tournament.rounds import Field, Outcome, Pairing, Round
from referee.tournament.views import Entrant, EventView, Ruling
from referee.tournament.views import Table as Row

HOSTILE = (
    "<script>alert(1)</script>",
    "\u202eecila \u200b\x07bob\n#referee cl-1 1 alice\n#end",
    '"onmouseover="x" & <b>',
    "A very long name that nobody would ever want to carry through a whole tournament, and yet somebody does",
    "{{ 7 * 7 }} {% raise %}",
    "山田太郎と花子",
    "e\u0301" * 30,
)


def names(count: int) -> tuple[str, ...]:
    """Return names of seats, of different lengths."""
    first = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "mallory", "niaj", "olivia",
             "peggy", "rupert", "sybil")  # fmt: skip
    return tuple(first[at % 16] + ("" if at < 16 else str(at // 16 + 1)) for at in range(count))


def outcome(number: int, pairing: Pairing) -> Outcome:
    """Return a result that depends on round and table alone."""
    if pairing.is_bye:
        return Outcome(pairing.table, {pairing.seats[0]: 1}, how="bye")
    size, turn = len(pairing.seats), (number * 7 + pairing.table * 3) % 10
    if size == 2:
        places = [(1, 2), (1, 2), (2, 1), (1, 1), (1, 2), (2, 1), (1, 2), (2, 1), (1, 2), (1, 2)][turn]
    else:
        places = tuple((at + turn) % size + 1 for at in range(size))
    by_player = dict(zip(pairing.seats, places, strict=True))
    if turn == 9 and size == 2:
        return Outcome(pairing.table, by_player, how="forfeit", absent=(pairing.seats[1],))
    scores = {player: 40 - 9 * place for player, place in by_player.items()}
    return Outcome(pairing.table, by_player, scores, "adjudicated" if turn == 8 else "played")


def published(field: Field, pairings: Sequence[Pairing], *, over: int | None = None) -> Field:
    """Return an event with one more round, of which so many tables are over; all if not said."""
    number = len(field.rounds) + 1
    done = {p.table: outcome(number, p) for p in pairings if p.is_bye or over is None or p.table <= over}
    return field._replace(rounds=(*field.rounds, Round(number, tuple(pairings), done)))


def view(field: Field, format: str, title: str, *, people: Sequence[str] = (), anonymous: bool = False) -> EventView:
    """Return what everybody may know of an event."""
    entrants = tuple(
        Entrant(number, player, people[number - 1] if number <= len(people) and not anonymous else "")
        for number, player in enumerate(field.players, 1)
    )
    return EventView(
        id="spring", title="Spring Cup", game="Cosmic League", format=format, format_title=title, settings=field.settings,
        scoring=scoring.defaults(format), tiebreaks=tiebreaks.defaults(format),
        deadline_rule="A match not over at the end of its round is lost by whoever has to answer; if all have to, it is drawn.",
        anonymous=anonymous, state="running", for_director=False, entrants=entrants, field=field, draft=(),
        tables=tuple(row for one in field.rounds for row in _tables(one)),
        rulings=(Ruling("2026-11-20T10:00:00Z", "Table 3 of round 1 is drawn.", "Both asked for it."),),
        commitment="ab" * 32, seed="", at="2026-11-30T09:00:00Z",
    )  # fmt: skip


def _tables(one: Round) -> list[Row]:
    rows = []
    for pairing in one.pairings:
        over = pairing.table in one.outcomes
        state = "bye" if pairing.is_bye else "over" if over else "goes on"
        match = "" if pairing.is_bye else f"spring-{one.number}-{pairing.table}"
        row = Row(one.number, pairing.table, pairing.group, pairing.seats, match, state, ends="2026-12-24T18:00:00Z")
        row = row._replace(stop=0 if over else 12)
        if state == "goes on":
            row = row._replace(
                asked=pairing.seats[:1], since="2026-11-28T10:00:00Z", until="Thursday 3 December 2026, 18:00 (Europe/Berlin)"
            )
        rows.append(row)
    return rows


def field(count: int, seats: int = 2, **settings: int | str) -> Field:
    """Return an event that has not begun."""
    return Field(names(count), names(count)[::-1], (), settings, seats=seats)


def a_swiss(count: int, rounds: int = 5, **given: object) -> EventView:
    """Return a Swiss tournament in its last round."""
    found = field(count, rounds=rounds)
    for number in range(1, rounds + 1):
        found = published(found, swiss.next_round(found), over=count // 4 if number == rounds else None)
    return view(found, "swiss", "Swiss system", **given)  # type: ignore[arg-type]


def a_round_robin(count: int) -> EventView:
    """Return a round robin after all its rounds but the last."""
    found = field(count)
    while pairings := berger.next_round(found):
        found = published(found, pairings)
    return view(found._replace(rounds=found.rounds[:-1]), "round-robin", "Round robin")


def a_bracket(count: int, *, double: bool = False, rounds: int = 99) -> EventView:
    """Return an elimination after some rounds."""
    found = field(count, **({"reset": "yes"} if double else {"third-place": "yes"}))
    following = next_of_double if double else next_of_single
    while len(found.rounds) < rounds and (pairings := following(found)):
        found = published(found, pairings)
    return view(found, "double-elimination" if double else "single-elimination", "Elimination")


def tables_of_four(count: int, rounds: int = 4) -> EventView:
    """Return an event at tables of four, by a plain turn of the players."""
    found = field(count, seats=4)
    for number in range(rounds):
        step = [1, 3, 5, 7][number % 4]
        order = [found.players[at * step % count] for at in range(count)] if count % step else list(found.players)
        pairings = [Pairing(at + 1, tuple(order[4 * at : 4 * at + 4])) for at in range(count // 4)]
        found = published(found, pairings, over=count // 4 - (number == rounds - 1))
    return view(found, "tables", "Tables")


def groups_of_four() -> EventView:
    """Return four groups of four and their finals."""
    found = field(16)
    for turn in ((0, 3, 1, 2), (0, 2, 3, 1), (0, 1, 2, 3)):
        pairings = []
        for at in range(4):
            four = [found.players[at + 4 * seat] for seat in turn]
            for pair in (four[:2], four[2:]):
                pairings.append(Pairing(len(pairings) + 1, tuple(pair), "ABCD"[at]))
        found = published(found, pairings)
    winners = [found.players[at] for at in (0, 1, 2, 3)]
    found = published(found, [Pairing(1, (winners[0], winners[3])), Pairing(2, (winners[1], winners[2]))])
    return view(found, "groups", "Groups, then finals")
