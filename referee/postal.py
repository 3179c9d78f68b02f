"""How a match goes by mail, in `post.toml` beside the chain: where players write, whom they may ask, what they may say.

Without the file a match knows no mail, and its reports name no address.
"""

from __future__ import annotations

import os

from . import canon
from .errors import Trouble
from .fields import dataclass
from .store import write_file

FILE = "post.toml"
PRESS = ("none", "open", "anonymous")
"""What players may say to each other: nothing, under the name of their seat, or without any name."""


@dataclass
class Postal:
    """How a match goes by mail.

    Attributes:
        answer_to: the address that orders go to; "" for none.
        contact: the address of the human who runs the match; "" for none.
        name: what the referee is called in mails.
        press: one of `PRESS`.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     write_postal(place, Postal("referee@example.org", press="open"))
        ...     read_postal(place).press, read_postal("nowhere").press
        ('open', 'none')
    """

    answer_to: str = ""
    contact: str = ""
    name: str = ""
    press: str = "none"


def read_postal(folder: str | os.PathLike[str]) -> Postal:
    """Return how the match in a folder goes by mail.

    Raises:
        Trouble: the file cannot be read, or says something that it cannot say.
    """
    path = os.path.join(folder, FILE)
    try:
        with open(path, "rb") as file:
            rows = canon.loads(file.read())
    except FileNotFoundError:
        return Postal()
    except OSError as error:
        raise Trouble(f"{path} cannot be read: {error.strerror}.", "Check the path and its permissions.") from None
    except ValueError:
        rows = {"": ""}
    if not rows.keys() <= vars(Postal()).keys() or not all(type(value) is str for value in rows.values()):
        raise Trouble(f"{path} is not in its form.", f"It takes {', '.join(vars(Postal()))}, each a text in quotes.")
    postal = Postal(**rows)
    if postal.press not in PRESS:
        raise Trouble(f"{path}: there is no press {postal.press!r}.", f"Take one of {', '.join(PRESS)}.")
    return postal


def write_postal(folder: str | os.PathLike[str], postal: Postal) -> None:
    """Write how the match in a folder goes by mail.

    Raises:
        Trouble: it cannot be written.
    """
    rows = {name: value for name, value in vars(postal).items() if value}
    write_file(os.path.join(folder, FILE), canon.dumps(rows).encode())
