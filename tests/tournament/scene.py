"""An event of quick matches for tests: begun, entered, paired, played to any result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from referee import desk
from referee.chain import Chain
from referee.engine import pending
from referee.lines import canonical
from referee.match import Match
from referee.people import Person
from referee.tournament.director import Director
from referee.tournament.event import Event
from referee.tournament.plans import Wanted
from referee.tournament.play import folder_of
from referee.tournament.watch import Notice, Watch

from ..matches import AT, KEY, block

NAMES = ("alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "kim", "leo")
LATER = "2026-12-30T18:00:00Z"
"""After the end of a round that was published at `AT`."""


class EventScene:
    """An event in a folder, of a small game, in a Swiss system unless the test says otherwise."""

    def __init__(self, folder: Path, players: int = 4, **wanted: Any) -> None:
        """Begin it and enter players."""
        self.folder = folder / "spring"
        self.director = Director(self.folder, KEY, AT)
        wanted = {"game": "lantern-reef", "format": "swiss", "settings": {"rounds": 3}, **wanted}
        self.director.begin(Wanted("spring", **wanted), bytes(16))
        if players:
            self.enter(NAMES[:players])

    def enter(self, names: Sequence[str], people: Mapping[str, Person] | None = None) -> Event:
        """Enter players."""
        return self.director.enter({name: {} for name in names}, people).event

    @property
    def event(self) -> Event:
        """The event as it is now."""
        return self.director.read()

    def start(self) -> Event:
        """Pair and publish a round."""
        self.director.pair()
        return self.director.publish(secret=lambda match: match.encode().ljust(32, b"-")).event

    def chain(self, match: str) -> Chain:
        """Return a match of the event."""
        return Chain(folder_of(self.folder, match), KEY.public)

    def open_matches(self) -> list[str]:
        """Return the matches without a result."""
        return [self.event.match_id(*place) for place in self.event.missing()]

    def end(self, match: str, first: str = "") -> None:
        """End a match at the moderator's word: drawn, or won by whoever is named."""
        chain = self.chain(match)
        m = chain.latest().save.match
        losers = [seat for seat in m.seats if seat != first]
        for seat in m.seats:
            self.move(match, seat)
        for loser in losers if first else ():
            rule(chain, "forfeit", seat=loser)
        if not first:
            rule(chain, "draw")

    def end_all(self, at: str = AT) -> list[Notice]:
        """End every open match, won by the seat that comes first, and take the results."""
        for match in self.open_matches():
            self.end(match, self.chain(match).latest().save.match.seats[0])
        return self.watch(at).at_all()

    def move(self, match: str, seat: str) -> bool:
        """Send a move of a seat, if it is asked; return whether it was."""
        chain = self.chain(match)
        link = chain.latest()
        line = line_of(link.save.match, seat)
        if line:
            desk.apply(chain, KEY, block(link, seat, *line), at=AT, forms=())
        return bool(line)

    def watch(self, at: str = LATER, **options: Any) -> Watch:
        """Return a look at the event at some time."""
        return Watch(self.folder, KEY, at, **options)


def rule(chain: Chain, kind: str, **said: Any) -> None:
    """Make a ruling in a match, unless it is over."""
    if not chain.latest().save.match.over:
        desk.rule(chain, KEY, {"ruling": kind, "why": "for the test", **said}, at=AT)


def line_of(m: Match, seat: str) -> list[str]:
    """Return lines by which a seat answers all that it is asked."""
    from random import Random

    question = pending(m)
    asked = [one for one in question.of(seat) if one.decider not in m.sealed] if question else []
    lines = []
    for one in asked:
        line = canonical(m, one.sample(Random(1)))
        lines.append(line if one.decider == seat else f"{one.decider}: {line}")
    return lines
