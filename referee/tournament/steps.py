"""The steps of an event: from one state to the next.

Each is a pure function, so the same steps give the same event to everybody who takes them again. A step that cannot be taken is
refused with the reason, whether it is typed now or found in a file.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from referee.engine import RESERVED, SEAT_NAME
from referee.errors import NotNow, Refused, Usage
from referee.fields import replace

from .event import Event, Plan, Player, Sheet, Step, pairings_of
from .results import adjudicate, annul, correct, ruled, take_results
from .rounds import Outcome, Pairing, Round


def take(event: Event | None, step: Step) -> Event:
    """Return the event after a step; the first step, `new`, is taken on nothing.

    Raises:
        Refused, NotNow, Usage: the step cannot be taken; says why.

    Example:
        >>> plan = vars(Plan("spring", "Spring", "cosmic-league", 2, "swiss"))
        >>> event = take(None, Step("new", plan, "2026-11-30T18:00:00Z"))
        >>> event = take(event, Step("enter", {"players": {"alice": {}}}, "2026-11-30T18:01:00Z"))
        >>> list(event.players), event.state
        (['alice'], 'entries')
    """
    if event is None:
        if step.kind != "new":
            raise Refused(f"An event cannot begin with a step {step.kind!r}.", "The first step is `new`.")
        return Event(Plan(**step.data))
    if step.kind not in _STEPS:
        raise Refused(f"There is no step {step.kind!r}.", f"There are: {', '.join(_STEPS)}.")
    check_open(event)
    return _STEPS[step.kind](event, step)


def check_open(event: Event) -> None:
    """Check that an event is not closed.

    Raises:
        NotNow: it is.
    """
    if event.state == "closed":
        raise NotNow(f"The event {event.plan.id} is closed.", "Nothing can be changed any more; begin another.")


# People


def check_name(name: str) -> None:
    """Check that a player can be seated under a name.

    Raises:
        Usage: it is none for a seat.
    """
    if not SEAT_NAME.fullmatch(name) or name in RESERVED:
        said = "Take a word of up to 24 small letters, digits, - and _, beginning with a letter; not "
        raise Usage(f"{name!r} cannot be the name of a player.", f"{said}{', '.join(sorted(RESERVED))}.")


def _enter(event: Event, step: Step) -> Event:
    players = dict(event.players)
    for name, row in step.data["players"].items():
        check_name(name)
        if name in players:
            raise Refused(f"{name} has entered {event.plan.id} already.", "A second player needs a name of their own.")
        if event.started and row.get("nonce"):
            raise NotNow("The lots are drawn, so nobody adds to the seed any more.", "Enter without a nonce.")
        players[name] = Player(joined=event.next_round, rating=row.get("rating", 0), nonce=row.get("nonce", ""))
    return replace(event, players=players)


def known(event: Event, name: str) -> Player:
    if name not in event.players:
        raise Refused(f"{name!r} has not entered {event.plan.id}.", "`referee tournament status` lists the players.")
    return event.players[name]


def _with_player(event: Event, name: str, player: Player) -> Event:
    return replace(event, players={**event.players, name: player})


def _withdraw(event: Event, step: Step) -> Event:
    name = step.data["player"]
    player = known(event, name)
    if player.away:
        raise Refused(f"{name} has withdrawn already.", f"`rule rejoin {name}` takes the player in again.")
    return ruled(_with_player(event, name, player._replace(away=True)), step, f"{name} withdraws")


def _rejoin(event: Event, step: Step) -> Event:
    name = step.data["player"]
    player = known(event, name)
    if not player.away:
        raise Refused(f"{name} has not withdrawn.", "There is nothing to take back.")
    return ruled(_with_player(event, name, player._replace(away=False)), step, f"{name} plays again")


def _substitute(event: Event, step: Step) -> Event:
    name = step.data["player"]
    player = known(event, name)
    changed = _with_player(event, name, player._replace(holder=player.holder + 1, away=False))
    return ruled(changed, step, f"somebody else plays for {name}")


# Rounds


def _draft(event: Event, step: Step) -> Event:
    """Take the tables of the next round; whether they follow from the format is for `verify` to check."""
    pairings = pairings_of(step.data["pairings"])
    _check_tables(event, step.data["round"], pairings)
    lots = tuple(step.data.get("lots", event.lots))
    if set(lots) != set(event.players) or len(lots) != len(event.players):
        raise Refused("The lots do not name every player once.", "Pair again.")
    return replace(event, draft=pairings, order=event.seeded, lots=lots)


def _check_tables(event: Event, number: int, pairings: Sequence[Pairing]) -> None:
    if number != event.next_round:
        raise NotNow(f"Round {number} cannot be paired now.", f"The next round is {event.next_round}.")
    if not pairings or len({pairing.table for pairing in pairings}) < len(pairings):
        raise Refused(f"Round {number} has no tables, or two of the same number.", "Pair again.")
    for pairing in pairings:
        for name in pairing.seats:
            if known(event, name).away:
                raise Refused(f"{name} is at table {pairing.table} and has withdrawn.", "Pair again.")


def _publish(event: Event, step: Step) -> Event:
    """Publish the draft: from now on its tables are played. Whoever sits alone has a bye at once."""
    number = step.data["round"]
    if not event.draft or number != event.next_round:
        raise NotNow(f"Round {number} of {event.plan.id} is not drafted.", "`referee tournament pair` drafts the next round.")
    for name in {name for pairing in event.draft for name in pairing.seats}:
        if event.players[name].away:
            raise NotNow(f"{name} has withdrawn since the round was drafted.", "`referee tournament pair` drafts it again.")
    byes = {one.table: Outcome(one.table, {one.seats[0]: 1}, how="bye") for one in event.draft if one.is_bye}
    sheet = Sheet(Round(number, event.draft, byes), step.at, step.data["ends"], step.data.get("stagger", 0))
    return replace(event, sheets=(*event.sheets, sheet), draft=(), state="running")


def _extend(event: Event, step: Step) -> Event:
    number, ends = step.data["round"], step.data["ends"]
    changed = event.sheet(number)._replace(ends=ends)
    return ruled(
        replace(event, sheets=tuple(changed if one.round.number == number else one for one in event.sheets)),
        step,
        f"round {number} ends at {ends}",
    )


def _close(event: Event, step: Step) -> Event:
    if event.missing():
        number, table = event.missing()[0]
        raise NotNow(f"{event.match_id(number, table)} has no result yet.", "Wait for it, or rule it: `rule adjudicate`.")
    closed = replace(event, state="closed", draft=(), secret=step.data["secret"])
    return ruled(closed, step, "the event ends early") if step.data.get("why") else closed


_STEPS: dict[str, Callable[[Event, Step], Event]] = {
    "enter": _enter,
    "withdraw": _withdraw,
    "rejoin": _rejoin,
    "substitute": _substitute,
    "draft": _draft,
    "publish": _publish,
    "results": take_results,
    "adjudicate": adjudicate,
    "correct": correct,
    "annul": annul,
    "extend": _extend,
    "close": _close,
}
