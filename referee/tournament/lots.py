"""Lots: the one chance in an event, from a seed that the event committed to before anybody entered.

The players who are there at the start are shuffled; each later one is put in at a place drawn for it, so that the order of the
others stays. Everybody can draw them again when the event is closed and its secret published.
"""

from __future__ import annotations

from collections.abc import Mapping

from referee.chance import Chance, working_seed

from .event import Player


def draw_lots(event: str, secret: bytes, players: Mapping[str, Player]) -> tuple[str, ...]:
    """Return all players in the order of their lots.

    Args:
        event: the name of the event.
        secret: the 32 bytes that it committed to.
        players: all who entered, in the order of their entries.

    Example:
        >>> draw_lots("spring", bytes(32), {"alice": Player(), "bob": Player(), "carol": Player(joined=2)})
        ('carol', 'alice', 'bob')
    """
    first = [name for name, player in players.items() if player.joined == 1]
    nonces = {name: players[name].nonce for name in first}
    chance = Chance(working_seed(event, secret, nonces, first), 0)
    lots: list[str] = chance.shuffled(first)
    for name in players:
        if players[name].joined > 1:
            lots.insert(chance.roll(len(lots) + 1) - 1, name)
    return tuple(lots)
