"""Every match, once a round: its clock, what was done to it in a shell, and what a program that was cut off left to do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from referee.chain import Chain
from referee.config import Config
from referee.errors import RefereeError
from referee.keys import SigningKey
from referee.people import People
from referee.postal import FILE as POST_FILE
from referee.postal import Postal, write_postal
from referee.tick import Fetch, Notice, tick

from .deeds import move_in
from .digest import send_digests, send_notes
from .ledger import read_mailed
from .mailer import Mailer
from .notes import Notes
from .notices import deliver
from .outbox import Outbox
from .reports import Reports


class Rooms:
    """Goes through matches.

    Args:
        config: the desk.
        key: the referee's key.
        outbox: where mails go.
        now: the time, UTC.
        fetched: how mail was fetched; None if it was not, so that no deadline takes effect.
    """

    def __init__(self, config: Config, key: SigningKey, outbox: Outbox, now: str, fetched: Fetch | None) -> None:
        """Take what is needed; nothing is read yet."""
        self.config, self.key, self.outbox, self.now, self.fetched = config, key, outbox, now, fetched
        self.mailer = Mailer(config, key, outbox, now)

    def see_to(self, folders: Sequence[Path], told: Callable[[int], None]) -> list[str]:
        """See to some matches; return what went wrong, in sentences. One that cannot be read does not stop the others."""
        troubles = []
        for number, folder in enumerate(folders, 1):
            try:
                self._see_to_one(Chain(folder, self.key.public))
            except RefereeError as error:
                troubles.append(f"{folder.name}: {error.sentence}")
            except Exception as error:  # a mistake over one match must not stop the others
                troubles.append(f"{folder.name}: the program made a mistake ({type(error).__name__})")
            told(number)
        return troubles

    def _see_to_one(self, chain: Chain) -> None:
        self._give_address(chain.path)
        for seat, person in People(chain.path).read().items():
            if person.pending_address:
                move_in(chain, self.key, seat, self.now)

        def take(notice: Notice) -> None:
            deliver(notice, chain, self.key, self.mailer)
            self.outbox.flush()  # before it is written down that it was told

        tick(chain.path, self.key, self.now, self.fetched, take)
        self._mail_what_is_due(chain)

    def _give_address(self, folder: Path) -> None:
        """Let the reports of a match that was begun without this desk name its address."""
        if not (folder / POST_FILE).exists():
            write_postal(folder, Postal(self.config.address, self.config.moderator, self.config.name))

    def _mail_what_is_due(self, chain: Chain) -> None:
        if chain.store.latest_serial() != read_mailed(chain.path):
            reports = Reports(self.mailer, self.key)
            reports.mail(chain, chain.latest())
            self.outbox.flush()
            reports.write_ledgers()

    def once_a_day(self) -> None:
        """Send digests, and tell the moderator what was refused and what could not be delivered."""
        send_digests(self.outbox, self.mailer, self.config.digest_hour)
        notes = Notes(self.config.desk / "notes")
        days = send_notes(notes, self.mailer)
        for lost in self.outbox.lost():
            said = f"A mail for {lost.seat or 'nobody'} of {lost.match or 'no match'} to {lost.to} was given up: {lost.reason}"
            if lost.to != self.config.moderator:
                self.mailer.tell_moderator(f"lost {lost.key}", said)
        self.outbox.flush()
        for day in days:
            notes.drop(day)
