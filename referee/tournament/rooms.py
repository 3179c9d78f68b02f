"""The tournaments of a desk, once a round of its work: results, ends of rounds, next rounds, and their mails."""

from __future__ import annotations

from pathlib import Path

from referee.config import Config
from referee.errors import RefereeError
from referee.keys import SigningKey
from referee.mail.mailer import Mailer
from referee.mail.outbox import Outbox

from .book import STEPS
from .director import Told
from .post import deliver, postal_of
from .watch import Watch


def see_to(config: Config, key: SigningKey, outbox: Outbox, at: str, mail_is_in: bool, told: Told) -> list[str]:
    """See to every tournament; return what went wrong, in sentences. One that cannot be read does not stop the others.

    Args:
        config: the desk.
        key: the referee's key.
        outbox: where mails go.
        at: the time, UTC.
        mail_is_in: whether all mail was fetched and worked on, so that a round may end.
        told: is told how far the work is.
    """
    troubles: list[str] = []
    for folder in events_in(config.tournaments):
        try:
            watch = Watch(folder, key, at, mail_is_in=mail_is_in, postal=postal_of(config), told=told)
            notices = watch.at_all()
            deliver(notices, watch.director.read(), watch.director, Mailer(config, key, outbox, at))
            troubles += [f"{folder.name}: {trouble}" for trouble in watch.troubles]
        except RefereeError as error:
            troubles.append(f"{folder.name}: {error.sentence}")
        except Exception as error:  # a mistake over one event must not stop the others, nor the sending of mail
            troubles.append(f"{folder.name}: the program made a mistake ({type(error).__name__})")
    outbox.flush()
    return troubles


def events_in(folder: Path) -> list[Path]:
    """Return the folders of all events in a folder.

    Example:
        >>> events_in(Path("nowhere"))
        []
    """
    return sorted(path for path in folder.iterdir() if (path / STEPS).is_dir()) if folder.is_dir() else []
