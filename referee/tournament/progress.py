"""How far each player got in an elimination: whoever is still in is ahead of whoever is out, and who left late of who left
early.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.tournament.double_elimination import GRAND_FINAL, LOSERS, RESET, WINNERS
from referee.tournament.elimination import FINAL, MAIN, THIRD, draw_order
from referee.tournament.rounds import Field, Outcome, Pairing

BRACKET = (MAIN, FINAL, THIRD, WINNERS, LOSERS, GRAND_FINAL, RESET)
"""The groups of the tables of an elimination."""
STILL_IN = 10**9
"""Stands for those who are not out; the winner is the only one left."""
_STEP = 16  # room between two rounds for the match for the third place, and for the places of a larger final


class Progress:
    """An elimination as it was published, asked for who lost.

    Args:
        field: the event, or its finals.

    Example:
        >>> from referee.tournament.rounds import Round
        >>> over = {1: Outcome(1, {"alice": 2, "bob": 1})}
        >>> field = Field(("alice", "bob"), ("bob", "alice"), (Round(1, (Pairing(1, ("alice", "bob")),), over),))
        >>> Progress(field).is_lost(1, field.rounds[0].pairings[0], "alice"), Progress(field).ranks(1)
        (True, {'alice': 16, 'bob': 1000000000})
    """

    def __init__(self, field: Field) -> None:
        self.field = field
        self._seated = [{player: pairing.group for pairing in one.pairings for player in pairing.seats} for one in field.rounds]
        self._at = {one.number: at for at, one in enumerate(field.rounds)}
        self._last = {player: at for at, seated in enumerate(self._seated) for player in seated}

    def is_lost(self, number: int, pairing: Pairing, player: str) -> bool:
        """Return whether a player lost a table; not while it goes on.

        Args:
            number: the number of its round.
            pairing: the table.
            player: one of those who sit at it.
        """
        at = self._at[number]
        outcome = self.field.rounds[at].outcomes.get(pairing.table)
        if outcome is None or pairing.is_bye:
            return False
        if len(pairing.seats) > 2 and pairing.group != FINAL:
            # At larger tables several go on: out is whoever was not paired again.
            return at < len(self.field.rounds) - 1 and self._last[player] == at
        mine = outcome.places.get(player, len(pairing.seats))
        others = [other for other in pairing.seats if other != player]
        if player in outcome.absent or any(outcome.places.get(other, mine) < mine for other in others):
            return True
        beside = [other for other in others if outcome.places.get(other) == mine and other not in outcome.absent]
        return bool(beside) and self._went_on(at, pairing, [player, *beside]) != player

    def _went_on(self, at: int, pairing: Pairing, drawn: list[str]) -> str:
        """Return who went on from a draw: who was paired again and did not drop; if nobody was yet, the first by the draw."""
        for seated in self._seated[at + 1 :]:
            again = {player: seated[player] for player in drawn if player in seated}
            if again:
                kept = [player for player, group in again.items() if group != LOSERS or pairing.group == LOSERS]
                return next(iter(kept or [player for player in drawn if player not in again]), drawn[0])
        order = draw_order(self.field)
        return min(drawn, key=lambda player: order[player])

    def ranks(self, losses: int) -> Mapping[str, int]:
        """Return a number for each player: the higher, the further. Those who left in the same round share it.

        Args:
            losses: how many lost games put a player out, 1 or 2.
        """
        reached, lost = dict.fromkeys(self.field.players, STILL_IN), dict.fromkeys(self.field.players, 0)
        third: dict[str, int] = {}
        for at, one in enumerate(self.field.rounds):
            for pairing in one.pairings:
                losers = [player for player in pairing.seats if self.is_lost(one.number, pairing, player)]
                if pairing.group == THIRD and pairing.table in one.outcomes:
                    third |= {player: 0 if player in losers else _STEP // 2 for player in pairing.seats}
                    continue
                for player in losers:
                    lost[player] += losses if self._ends(at, pairing, one.outcomes[pairing.table], player) else 1
                    if lost[player] >= losses:
                        reached[player] = _STEP * one.number + _beside(pairing, one.outcomes[pairing.table], player)
        return {player: value + third.get(player, 0) for player, value in reached.items()}

    def _ends(self, at: int, pairing: Pairing, outcome: Outcome, player: str) -> bool:
        """Return whether one loss is enough: at the last table, and for who did not play, who drops into no bracket."""
        last = pairing.group == RESET or (pairing.group == GRAND_FINAL and self.field.settings.get("reset", "yes") != "yes")
        return last or (player in outcome.absent and self._last[player] == at)


def _beside(pairing: Pairing, outcome: Outcome, player: str) -> int:
    """Return how those who left at the same larger table stand to each other: by place."""
    size = len(pairing.seats)
    return size - outcome.places.get(player, size) if size > 2 else 0
