"""The tournaments of a desk, once a round of its work: results, ends of rounds, next rounds, and their mails."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from referee.config import Config
from referee.errors import RefereeError
from referee.keys import SigningKey
from referee.mail.mailer import Mailer
from referee.mail.outbox import Outbox

from .book import STEPS, Book
from .director import Told
from .post import deliver, postal_of
from .watch import Watch


def see_to(config: Config, key: SigningKey, outbox: Outbox, at: str, mail_is_in: bool, told: Told, jobs: int = 1) -> list[str]:
    """See to every tournament; return what went wrong, in sentences. One that cannot be read does not stop the others.

    Args:
        config: the desk.
        key: the referee's key.
        outbox: where mails go.
        at: the time, UTC.
        mail_is_in: whether all mail was fetched and worked on, so that a round may end.
        told: is told how far the work is.
        jobs: how many processes work at once.
    """
    troubles: list[str] = []
    for folder in events_in(config.tournaments):
        try:
            watch = Watch(folder, key, at, mail_is_in=mail_is_in, postal=postal_of(config), told=told, jobs=jobs)
            notices = watch.at_all()
            deliver(notices, watch.director.read(), watch.director, Mailer(config, key, outbox, at))
            troubles += [f"{folder.name}: {trouble}" for trouble in watch.troubles]
        except RefereeError as error:
            troubles.append(f"{folder.name}: {error.sentence}")
        except Exception as error:  # a mistake over one event must not stop the others, nor the sending of mail
            troubles.append(f"{folder.name}: the program made a mistake ({type(error).__name__})")
    outbox.flush()
    return troubles


def row(folder: Path, key: SigningKey) -> dict[str, Any]:
    """Return how an event stands, as plain data: `folder`, `event`, `state` (in words), `trouble` (why it cannot be read).

    Example:
        >>> row(Path("nowhere"), SigningKey.new())["trouble"]
        'nowhere holds no event.'
    """
    found = {"folder": str(folder), "event": "", "state": "cannot be read", "trouble": ""}
    try:
        event = Book(folder, key).read().event
    except RefereeError as error:
        return found | {"trouble": error.sentence}
    state = f"{len(event.players)} players, {event.state}"
    if event.started:
        state += f"; round {len(event.sheets)} until {event.sheets[-1].ends}, {len(event.missing())} results missing"
    return found | {"event": event.plan.id, "state": state}


def events_in(folder: Path) -> list[Path]:
    """Return the folders of all events in a folder.

    Example:
        >>> events_in(Path("nowhere"))
        []
    """
    return sorted(path for path in folder.iterdir() if (path / STEPS).is_dir()) if folder.is_dir() else []
