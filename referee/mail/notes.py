"""What the moderator is told once a day: mails that were refused or not answered, with the reason."""

from __future__ import annotations

import os
from pathlib import Path

from referee.errors import Trouble

_SUFFIX = ".txt"


class Notes:
    """Notes of a desk, one file a day, a line each. They hold no order, no code and nothing that is hidden.

    Args:
        folder: where they are kept.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     notes = Notes(Path(place))
        ...     notes.add("2026-11-30T18:00:00Z", "a stranger's mail", "eve@example.net")
        ...     notes.before("2026-12-01")
        {'2026-11-30': "18:00 eve@example.net: a stranger's mail"}
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder; nothing is read yet."""
        self.folder = folder

    def add(self, at: str, reason: str, sender: str = "") -> None:
        """Add a line.

        Args:
            at: the time, UTC.
            reason: why a mail was refused, or what else the moderator should know.
            sender: the address that the mail came from.

        Raises:
            Trouble: it cannot be written.
        """
        said = f"{at[11:16]} {sender or 'no address'}: {reason}"
        line = "".join(letter if letter.isprintable() else " " for letter in said)[:500] + "\n"
        path = os.path.join(self.folder, at[:10] + _SUFFIX)
        try:
            os.makedirs(self.folder, mode=0o700, exist_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            try:
                os.write(descriptor, line.encode(errors="replace"))
            finally:
                os.close(descriptor)
        except OSError as error:
            raise Trouble(f"The note {path} cannot be written: {error.strerror}.", "Check the disk.") from None

    def before(self, day: str) -> dict[str, str]:
        """Return the notes of each day before one, by day."""
        try:
            names = sorted(os.listdir(self.folder))
        except OSError:
            return {}
        days = [name[: -len(_SUFFIX)] for name in names if name.endswith(_SUFFIX)]
        return {one: (self.folder / (one + _SUFFIX)).read_text(errors="replace").rstrip("\n") for one in days if one < day}

    def drop(self, day: str) -> None:
        """Remove the notes of a day, when the mail that tells them is safe in the outbox."""
        (self.folder / (day + _SUFFIX)).unlink(missing_ok=True)
