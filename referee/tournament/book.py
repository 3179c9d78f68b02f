"""The book of an event: a folder of signed steps that only grows, and `tournament.toml`, the event as they have made it.

Each step names the hash of the file before it. `tournament.toml` is signed too and names the last step that it knows; where
it is missing or older than the newest step, as after a crash, it is made again from the steps. Nobody edits it: bytes that
do not verify are refused, whoever wrote them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from referee import envelope
from referee.errors import RefereeError, Trouble, Unverified, Usage
from referee.keys import PublicKey, SigningKey
from referee.save import file_hash
from referee.store import Folder, Taken, make_folder, read_small, write_file

from .event import Event, Step
from .form import Place, event_body, read_event, read_step, step_body
from .steps import take

HEAD, STEPS = "tournament.toml", "steps"
TRIES = 50
"""How often a writer who loses a race tries again."""


class _Steps(Folder):
    """The numbered steps of an event."""

    thing = "step of an event"


class Page(NamedTuple):
    """An event after one of its steps: the step's number, and the hash of its file."""

    event: Event
    serial: int
    hash: str


class Book:
    """The folder of an event.

    Args:
        folder: the folder.
        key: the referee's key; a public one can only read.

    Example:
        >>> import tempfile
        >>> from .event import Plan
        >>> key = SigningKey.new()
        >>> with tempfile.TemporaryDirectory() as place:
        ...     book = Book(Path(place) / "spring", key)
        ...     _ = book.begin(Step("new", vars(Plan("spring", "Spring", "cosmic-league", 2, "swiss")), "2026-11-30T18:00:00Z"))
        ...     page = book.act(lambda event: Step("enter", {"players": {"alice": {}}}, "2026-11-30T18:00:00Z"))
        ...     page.serial, list(book.read().event.players)
        (1, ['alice'])
    """

    def __init__(self, folder: str | os.PathLike[str], key: SigningKey | PublicKey) -> None:
        """Name the folder; nothing is read yet."""
        self.path = Path(folder)
        self.key = key if isinstance(key, SigningKey) else None
        self.trusted = key.public if isinstance(key, SigningKey) else key
        self.steps = _Steps(self.path / STEPS)
        self.head = self.path / HEAD
        self._known: tuple[bytes, Page] | None = None

    # Reading

    def read(self) -> Page:
        """Return the event as it is now, and mend `tournament.toml` if it lags behind the steps.

        Raises:
            Usage: the folder holds no event.
            Unverified: something in it does not verify.
        """
        self._check_there()
        page = self._read_head()
        last = self.steps.latest_serial()  # after the head, which may never be ahead of it
        if page is not None:
            self._check_head(page, last)
        behind = page is None or page.serial < last
        for serial in range(page.serial + 1 if page else 0, last + 1):
            page = self.follow(page, serial)
        assert page is not None
        if behind and self.key is not None:
            self._write_head(page)
        return page

    def _check_there(self) -> None:
        try:
            os.stat(self.steps.path)
        except (FileNotFoundError, NotADirectoryError):
            raise Usage(f"{self.path} holds no event.", "`referee tournament new` begins one.") from None
        except OSError as error:
            raise Trouble(f"{self.path} cannot be read: {error.strerror}.", "Check the disk and its permissions.") from None

    def _read_head(self) -> Page | None:
        """Return what `tournament.toml` says; None if it is not there."""
        data = read_small(self.head)
        if data is None:
            return None
        if self._known is None or self._known[0] != data:  # the same bytes need not be verified and read twice
            try:
                body = envelope.unseal(data, self.trusted, "event", name=str(self.head))
            except Unverified as error:
                raise Unverified(error.sentence, _NOT_BY_HAND) from None
            self._known = data, Page(*read_event(body, str(self.head)))
        return self._known[1]

    def _check_head(self, page: Page, last: int) -> None:
        """Check that `tournament.toml` was made from a step that is there."""
        if page.serial > last:
            said = f"{self.head} knows of step {page.serial}, and the newest in {self.steps.path} is {last}."
            raise Unverified(said, "Put the missing steps back from a copy.")
        if file_hash(self.steps.read(page.serial)) != page.hash:
            said = f"{self.steps.name(page.serial)} is not the step from which {self.head} was made."
            raise Unverified(said, "Put the right files back from a copy.")

    def step(self, serial: int) -> tuple[Place, Step, str]:
        """Return one step with its place and the hash of its file.

        Raises:
            Unverified: it is missing or does not verify.
        """
        data, name = self.steps.read(serial), self.steps.name(serial)
        try:
            body = envelope.unseal(data, self.trusted, "step", name=name)
        except Unverified as error:
            raise Unverified(error.sentence, "Put the file back from a copy; a step is never changed.") from None
        place, step = read_step(body, name)
        return place, step, file_hash(data)

    def follow(self, before: Page | None, serial: int) -> Page:
        """Return the event after the step of that number, taken on the one before.

        Raises:
            Unverified: the step does not belong there, or cannot be taken.
        """
        place, step, hashed = self.step(serial)
        name = self.steps.name(serial)
        wanted = Place(before.event.plan.id if before else place.event, serial, before.hash if before else "")
        if place != wanted:
            raise Unverified(f"{name} does not follow the step before it.", "Put the right file back from a copy.")
        try:
            return Page(take(before.event if before else None, step), serial, hashed)
        except RefereeError as error:
            raise Unverified(f"{name} is signed and cannot be taken: {error}") from None
        except (LookupError, ValueError, TypeError, AttributeError) as error:
            raise Unverified(f"{name} is signed but holds no step of an event: {error}.") from None

    def pages(self) -> Iterator[tuple[Page, Step]]:
        """Yield the event after each of its steps, from the first on, with the step; `tournament.toml` is not looked at.

        Raises:
            Unverified: a step is missing or does not verify.
        """
        page: Page | None = None
        serials = self.steps.serials()
        if not serials or serials != list(range(len(serials))):
            raise Unverified(f"{self.steps.path} does not hold the steps from 0000 on without a gap.", "Put the missing back.")
        for serial in serials:
            page = self.follow(page, serial)
            yield page, self.step(serial)[1]

    # Writing

    def begin(self, step: Step) -> Page:
        """Write the first step into a folder that is new or empty.

        Raises:
            Trouble: the folder holds something, or cannot be written.
        """
        if os.path.isdir(self.path) and any(name != STEPS for name in os.listdir(self.path)):
            raise Trouble(f"The folder {self.path} exists and is not empty.", "Name a new folder.")
        make_folder(self.path)
        Folder.create(self.steps.path)  # which refuses one that holds steps
        return self._append(None, step, take(None, step))

    def act(self, make: Callable[[Event], Step | None]) -> Page:
        """Take the step that `make` returns for the event as it is, and again if another writer was first.

        Args:
            make: returns a step, or None if there is nothing to do.

        Returns:
            The event after it.

        Raises:
            RefereeError: the step cannot be taken; nothing was written.
        """
        for _ in range(TRIES):
            page = self.read()
            step = make(page.event)
            if step is None:
                return page
            after = take(page.event, step)
            try:
                return self._append(page, step, after)
            except Taken:
                continue
        raise Trouble("Other writers were faster each time.", "Try again in a moment.")

    def _append(self, before: Page | None, step: Step, after: Event) -> Page:
        """Write a step, then `tournament.toml`; a crash between the two leaves one that is mended when it is read."""
        if self.key is None:
            raise Trouble("An event is written with the referee's key.", "Name it with --key.")
        serial = before.serial + 1 if before else 0
        place = Place(after.plan.id, serial, before.hash if before else "")
        data = envelope.seal(step_body(place, step), self.key, "step")
        self.steps.append(serial, data)
        page = Page(after, serial, file_hash(data))
        self._write_head(page)
        return page

    def _write_head(self, page: Page) -> None:
        if self.key is not None:
            data = envelope.seal(event_body(*page), self.key, "event")
            write_file(self.head, data)
            self._known = data, page


_NOT_BY_HAND = "It is never edited: put it back from a copy, or remove it, and it is made again from the steps."
