"""The matches of a desk: found by their names, and by the addresses of those who play them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from email.utils import parseaddr
from pathlib import Path

from referee.chain import Chain
from referee.errors import RefereeError
from referee.keys import SigningKey
from referee.people import People
from referee.save import MATCH_ID

from .fresh import FreshChain


class Tables:
    """The folder that holds the folders of all matches. What was found is kept: make a new one for each round of work.

    Args:
        folder: the folder; each match is a folder in it, of whatever name.
        key: the referee's key.
        events: the folder of the desk's tournaments, each with its matches in `matches`; none by default.
    """

    def __init__(self, folder: Path, key: SigningKey, events: Path | None = None) -> None:
        """Name the folders; nothing is read yet."""
        self.folder, self.key, self.events = folder, key, events
        self._by_id: dict[str, Path] = {}
        self._chains: dict[str, FreshChain] = {}
        self._by_address: dict[str, list[tuple[str, str]]] | None = None
        self.broken: dict[str, str] = {}

    def chain(self, match: str) -> Chain | None:
        """Return the match of that name; None if there is none."""
        if not MATCH_ID.fullmatch(match):
            return None
        # Most folders are called like their match; only if this one is not, all have to be looked at.
        if match not in self._by_id and not self._is_called(match):
            self._look()
        path = self._by_id.get(match)
        if path and match not in self._chains:
            self._chains[match] = FreshChain(path, self.key.public)
        return self._chains.get(match)

    def _is_called(self, match: str) -> bool:
        for path in (place / match for place in self._places()):
            if self._id(path) == match:
                self._by_id[match] = path
                return True
        return False

    def _places(self) -> Iterator[Path]:
        """Yield the folders that hold matches: the desk's own, and that of each tournament."""
        yield self.folder
        for event in _listed(self.events) if self.events is not None else ():
            yield event / "matches"

    def all(self) -> dict[str, Path]:
        """Return the folders of all matches, by the name of the match."""
        self._look()
        return self._by_id

    def _look(self) -> None:
        for path in self._folders():
            if match := self._id(path):
                self._by_id.setdefault(match, path)

    def _folders(self) -> Iterator[Path]:
        for place in self._places():
            # A name with a dot is that of a match which a tournament is just making.
            yield from (path for path in _listed(place) if path.name[0] != "." and os.path.exists(path / "0000.toml"))

    def _id(self, path: Path) -> str:
        """Return the name of the match in a folder; "" if there is none that can be read."""
        if not os.path.exists(path / "0000.toml"):
            return ""
        try:
            return str(Chain(path, self.key.public).section(0, "match")["id"])
        except (RefereeError, KeyError) as error:
            self.broken[path.name] = str(error)
            return ""

    def seats_of(self, address: str) -> list[tuple[str, str]]:
        """Return the match and the seat of everything that is played from an address."""
        if self._by_address is None:
            self._by_address = {}
            for match, path in self.all().items():
                for seat, person in self._people(path):
                    self._by_address.setdefault(plain_address(person), []).append((match, seat))
        return self._by_address.get(plain_address(address), []) if address else []

    def _people(self, path: Path) -> Iterator[tuple[str, str]]:
        try:
            yield from ((seat, person.address) for seat, person in People(path).read().items() if person.address)
        except RefereeError as error:
            self.broken[path.name] = str(error)

    def forget_people(self) -> None:
        """Look again who plays, since an address has changed."""
        self._by_address = None


def _listed(folder: Path) -> list[Path]:
    try:
        return [folder / name for name in sorted(os.listdir(folder))]
    except OSError:
        return []


def plain_address(address: str) -> str:
    """Return an address without a name, as addresses are compared.

    Example:
        >>> plain_address("Bob <Bob@Example.org>")
        'bob@example.org'
    """
    return parseaddr(address)[1].lower()
