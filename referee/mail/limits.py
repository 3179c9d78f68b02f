"""How much one sender may set going in a day: counted in files that only grow, so that processes share them."""

from __future__ import annotations

import contextlib
import os
import shutil
from hashlib import sha256
from pathlib import Path

from referee.errors import Trouble

_KEPT = 3  # days


class Limits:
    """Counters of a desk, anew each day.

    Args:
        folder: where they are kept.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     limits = Limits(Path(place))
        ...     [limits.allows("bob@example.org", 2, "2026-11-30") for _ in range(3)]
        [True, True, False]
    """

    def __init__(self, folder: Path) -> None:
        """Name the folder; nothing is read yet."""
        self.folder = folder

    def allows(self, who: str, most: int, day: str) -> bool:
        """Count one more and return True, or return False if there were so many in a day.

        Args:
            who: what is counted, such as an address.
            most: how many a day.
            day: the day, as `2026-11-30`.

        Raises:
            Trouble: it cannot be counted, so that nothing can be allowed.
        """
        path = os.path.join(self.folder, day, sha256(who.encode()).hexdigest()[:32])
        try:
            descriptor = self._opened(path)
            try:
                if os.fstat(descriptor).st_size >= most:
                    return False
                os.write(descriptor, b".")
            finally:
                os.close(descriptor)
        except OSError as error:
            said = f"The answers of the day cannot be counted in {path}: {error.strerror}."
            raise Trouble(said, "Check the disk, then try again.") from None
        return True

    def _opened(self, path: str) -> int:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        try:
            return os.open(path, flags, 0o600)
        except FileNotFoundError:
            os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
            self._forget_old_days()
            return os.open(path, flags, 0o600)

    def _forget_old_days(self) -> None:
        for day in sorted(os.listdir(self.folder))[:-_KEPT]:
            with contextlib.suppress(OSError):
                shutil.rmtree(os.path.join(self.folder, day))
