"""Who holds the seats: addresses, names, and what people told the desk, in `people.toml` beside the chain.

None of it is in a save: whoever verifies a match after its end learns no address.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import canon
from .errors import Trouble
from .fields import dataclass, field, replace
from .store import write_file

FILE = "people.toml"


@dataclass
class Person:
    """Who holds a seat.

    Attributes:
        address: where reports go; "" for nowhere.
        name: what the person is called in mails; "" for nothing but the seat.
        invited: whether the seat has to accept before the match begins.
        accepted: whether it has.
        nonce: what it contributes to the seed.
        digest: whether it wants one mail a day for all its matches.
        vacations: first and last day of each vacation, as `["2026-12-24", "2027-01-02"]`.
        pending_address: an address that still has to be confirmed.
        votes_draw: whether it votes for a draw.
    """

    address: str = ""
    name: str = ""
    invited: bool = False
    accepted: bool = False
    nonce: str = ""
    digest: bool = False
    vacations: list[list[str]] = field(default_factory=list)
    pending_address: str = ""
    votes_draw: bool = False


_DEFAULTS = vars(Person())


class People:
    """The list of people of one match.

    Args:
        folder: the folder of the match.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     people = People(Path(place))
        ...     _ = people.change("alice", address="alice@example.org", digest=True)
        ...     people.read()["alice"].digest, people.of("bob").address
        (True, '')
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder; nothing is read yet."""
        self.path = folder / FILE
        self._lock = folder / ".people.lock"

    def read(self) -> dict[str, Person]:
        """Return those who are listed, by seat.

        Raises:
            Trouble: the file cannot be read, or says something that it cannot say.
        """
        return {seat: self._person(seat, row) for seat, row in self._rows().items()}

    def of(self, seat: str) -> Person:
        """Return who holds a seat; somebody without an address, if nobody is listed."""
        return self.read().get(seat, Person())

    def change(self, seat: str, **changes: Any) -> Person:
        """Change what is kept of a seat, whoever else writes at the same time; return it as it is now.

        Args:
            seat: the seat.
            changes: fields of `Person`.

        Raises:
            Trouble: the file cannot be read or written.
        """
        from .locks import locked

        with locked(self._lock):
            listed = self.read()
            person = listed[seat] = replace(listed.get(seat, Person()), **changes)
            self.write(listed)
        return person

    def write(self, people: Mapping[str, Person]) -> None:
        """Write the whole list, without what is as it is by default; for a folder that nobody else knows yet.

        Raises:
            Trouble: it cannot be written.
        """
        rows = {
            seat: {name: value for name, value in vars(person).items() if value != _DEFAULTS[name]}
            for seat, person in people.items()
        }
        write_file(self.path, canon.dumps(rows).encode())

    def _rows(self) -> dict[str, dict[str, Any]]:
        try:
            with self.path.open("rb") as file:
                rows = canon.loads(file.read())
        except FileNotFoundError:
            return {}
        except OSError as error:
            said = f"{self.path} cannot be read: {error.strerror}."
            raise Trouble(said, "Check the path and its permissions.") from None
        except ValueError:
            rows = {"": {}}
        if not all(seat and type(row) is dict for seat, row in rows.items()):
            raise Trouble(f"{self.path} is not a list of seats with addresses.", "Mend it, one section [SEAT] a seat.")
        return rows

    def _person(self, seat: str, row: Mapping[str, Any]) -> Person:
        for name, value in row.items():
            if name not in _DEFAULTS:
                known = ", ".join(_DEFAULTS)
                raise Trouble(f"{self.path}: [{seat}] has no entry {name!r}.", f"Its entries are {known}.")
            if type(value) is not type(_DEFAULTS[name]) or (name == "vacations" and not all(map(_is_vacation, value))):
                raise Trouble(f"{self.path}: {name} of [{seat}] is not what belongs there.", _HOW[type(_DEFAULTS[name])])
        return Person(**row)


_HOW = {
    str: "Write it in quotes.",
    bool: "Write true or false.",
    list: 'Write days, as vacations = [["2026-12-24", "2027-01-02"]].',
}


def _is_vacation(value: Any) -> bool:
    return type(value) is list and len(value) == 2 and all(type(day) is str for day in value)


def addresses(folder: str | os.PathLike[str]) -> dict[str, str]:
    """Return the addresses of the seats of the match in a folder.

    Raises:
        Trouble: `people.toml` cannot be read.
    """
    return {seat: person.address for seat, person in People(Path(folder)).read().items()}
