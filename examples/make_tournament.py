"""Make an example tournament of scripted players: `python examples/make_tournament.py KEY GAME FOLDER [--option K=V ...]`.

The players are those of the example matches (a module here for each game), who know nothing but their own views. Every step of
the event and every save of its matches is kept, with the reports of the event at its end; the matches' own reports are
not. The two that are in the tree were made by

    python examples/make_tournament.py KEY cosmic-league examples/tournament-cosmic --players 16 --format swiss --set rounds=5
    python examples/make_tournament.py KEY phantom-league examples/tournament-phantom --players 12 --seats 3 --format tables \\
        --set rounds=3 --option rounds=4
"""

from __future__ import annotations

import argparse
import importlib
import shutil
import sys
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from types import ModuleType

from referee.block import Submission
from referee.chain import Chain, Link, opened_hash
from referee.desk import apply
from referee.engine import pending, view
from referee.keys import SigningKey
from referee.submission import code_for
from referee.tournament import reports
from referee.tournament.director import Director, is_over
from referee.tournament.event import Event
from referee.tournament.plans import Wanted
from referee.tournament.play import folder_of
from referee.tournament.views import view_of
from referee.tournament.watch import Watch

HERE = Path(__file__).parent
NAMES = (
    "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "kim", "leo", "mona", "nick", "olga",
    "paul", "quinn", "rosa", "sam", "tina", "uma", "vera", "will", "xena",
)  # fmt: skip
START = datetime(2026, 12, 1, 12)
NONCES = {"carol": "seven swans", "frank": "a cold spring"}


class Maker:
    """Whoever plays a whole event.

    Args:
        folder: where it goes.
        key: the referee's key.
        player: the module whose `lines(view)` play.
    """

    def __init__(self, folder: Path, key: SigningKey, player: ModuleType) -> None:
        """Take what is needed."""
        self.folder, self.key, self.player = folder, key, player
        self.minutes = count()

    @property
    def now(self) -> str:
        """A time that depends on nothing but how much has happened."""
        return f"{START + timedelta(minutes=next(self.minutes)):%Y-%m-%dT%H:%M:%SZ}"

    def director(self) -> Director:
        """Return the director, at the present time."""
        return Director(self.folder, self.key, self.now)

    def make(self, wanted: Wanted, names: tuple[str, ...]) -> Event:
        """Play an event from the entries to the end."""
        self.director().begin(wanted)
        rows = {name: {"rating": 1800 - 25 * at} for at, name in enumerate(names)}
        self.director().enter({name: row | ({"nonce": NONCES[name]} if name in NONCES else {}) for name, row in rows.items()})
        while not is_over(event := self.director().read()) or not event.started:
            self.director().pair()
            self._play_round(self.director().publish().event)
        event = self.director().close().event
        self.write_reports(event)
        return event

    def _play_round(self, event: Event) -> None:
        for number, table in event.missing():
            self._play(Chain(folder_of(self.folder, event.match_id(number, table)), self.key.public))
        Watch(self.folder, self.key, self.now).at_all()
        event = self.director().read()
        print(f"Round {len(event.sheets)} of {event.plan.id}: {len(event.sheets[-1].round.pairings)} tables.")

    def _play(self, chain: Chain) -> None:
        link = chain.latest()
        while not link.save.match.over:
            m = link.save.match
            question = pending(m)
            assert question is not None
            seat = next(one.seat for one in question.decisions.values() if one.decider not in m.sealed)
            lines = tuple(self.player.lines(view(m, seat)))
            apply(chain, self.key, self._sent(link, seat, lines), at=self.now, forms=())
            link = chain.latest()

    def _sent(self, link: Link, seat: str, lines: tuple[str, ...]) -> Submission:
        m = link.save.match
        return Submission(m.id, m.stop, seat, code_for(self.key, m, seat, m.stop, opened_hash(link)), lines)

    def write_reports(self, event: Event) -> None:
        """Write every report that the format has, in both forms, the pairings of each round among them."""
        place = self.folder / "reports"
        place.mkdir(exist_ok=True)
        seen = view_of(event, self.folder, self.key.public, self.now)
        for name in reports.NAMES:
            if name == "bracket" and "elimination" not in event.plan.format:
                continue
            for number in range(1, len(event.sheets) + 1) if name == "pairings" else (0,):
                title = f"{name}-{number}" if number else name
                (place / f"{title}.txt").write_text(reports.render(seen, name, "text", round=number))
                (place / f"{title}.html").write_text(reports.render(seen, name, "html", round=number))


def main() -> None:
    """Make the event that was asked for."""
    parser = argparse.ArgumentParser(description="Make an example tournament of scripted players.")
    parser.add_argument("key")
    parser.add_argument("game")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--players", type=int, default=16)
    parser.add_argument("--seats", type=int, default=0)
    parser.add_argument("--format", default="")
    parser.add_argument("--title", default="")
    parser.add_argument("--set", action="append", default=[])
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("--reports", action="store_true", help="only write the reports of the event in FOLDER anew")
    given = parser.parse_args()
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    player = importlib.import_module(given.game.replace("-", "_"))
    maker = Maker(given.folder, SigningKey.load(given.key), player)
    if given.reports:
        maker.write_reports(maker.director().read())
        return
    shutil.rmtree(given.folder, ignore_errors=True)
    wanted = Wanted(
        id=given.folder.name,
        game=given.game,
        title=given.title,
        seats=given.seats,
        format=given.format,
        settings=dict(one.split("=", 1) for one in given.set),
        options=dict(one.split("=", 1) for one in given.option),
    )
    maker.make(wanted, NAMES[: given.players])
    # What was seen of matches is no part of an event, and neither are locks.
    for path in [given.folder / "looked.toml", *given.folder.rglob(".*.lock")]:
        path.unlink(missing_ok=True)


if __name__ == "__main__":
    main()
