"""Chance: one secret seed and one counter.

Every die and every shuffle comes from BLAKE2b of the counter, keyed with the working seed (RFC 7693). Whoever knows the
seed can compute every number again; whoever does not cannot tell them from dice. Before anything is dealt the referee
publishes the commitment, a hash of the secret; players may add nonces, so that the referee cannot choose either.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any

SECRET_BYTES = 32


def _prefixed(*fields: bytes) -> bytes:
    """Join fields so that no two lists of fields give the same bytes: each with its length in 4 bytes before it."""
    return b"".join(len(field).to_bytes(4, "big") + field for field in fields)


def commitment(match: str, secret: bytes) -> str:
    """Return what is published before the deal: SHA-256 over a context, the match's id and the secret.

    Args:
        match: the id of the match.
        secret: 32 random bytes.

    Returns:
        64 hex digits.

    Example:
        >>> commitment("cl-test", bytes(32))[:16]
        '93a28b0483e14cc3'
    """
    return hashlib.sha256(_prefixed(b"referee commitment 1", match.encode(), secret)).hexdigest()


def working_seed(match: str, secret: bytes, nonces: Mapping[str, str], seats: Sequence[str]) -> bytes:
    """Return the seed that all chance of a match comes from: an HMAC of the secret over match and nonces.

    Args:
        match: the id of the match.
        secret: the 32 bytes of the commitment.
        nonces: what players contributed, by seat; a seat without one counts as empty.
        seats: the seats in their order.

    Returns:
        32 bytes.
    """
    message = _prefixed(b"referee seed 1", match.encode(), *(nonces.get(seat, "").encode() for seat in seats))
    return hmac.digest(secret, message, "sha256")


class Chance:
    """A source of numbers that depends on the seed and the counter alone.

    Attributes:
        seed: 32 bytes.
        counter: how many numbers were used so far.
        log: what was drawn since the log was last emptied: `(what, counter before, result)`.

    Example:
        >>> chance = Chance(bytes(32), 0)
        >>> [chance.roll(6) for _ in range(5)]
        [1, 6, 3, 3, 1]
        >>> chance.counter
        5
        >>> chance.shuffled(["a", "b", "c"])
        ['b', 'c', 'a']
    """

    __slots__ = ("counter", "log", "seed")

    def __init__(self, seed: bytes, counter: int) -> None:
        """Go on after `counter` numbers of the seed."""
        self.seed, self.counter = seed, counter
        self.log: list[tuple[str, int, Any]] = []

    def copy(self) -> Chance:
        """Return a source that goes on from here by itself."""
        twin = Chance(self.seed, self.counter)
        twin.log = self.log[:]
        return twin

    def _below(self, bound: int) -> int:
        """Return a whole number from 0 up to below `bound`, each equally likely (rejection of the uneven rest)."""
        block = self.counter.to_bytes(8, "big")
        self.counter += 1
        limit = (1 << 64) - (1 << 64) % bound
        while True:
            # Keyed BLAKE2b is a quarter of the price of an HMAC, and as good a source for a key of full length.
            block = hashlib.blake2b(block, digest_size=8, key=self.seed).digest()
            value = int.from_bytes(block, "big")
            if value < limit:
                return value % bound

    def roll(self, sides: int) -> int:
        """Roll a die; one number of the counter.

        Args:
            sides: how many sides, numbered from 1.
        """
        before = self.counter
        result = self._below(sides) + 1
        self.log.append((f"die of {sides}", before, result))
        return result

    def shuffled(self, things: Sequence[Any]) -> list[Any]:
        """Return the things in a new order (Fisher and Yates); one number for each thing but the first."""
        before, order = self.counter, list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self._below(last + 1)
            order[last], order[other] = order[other], order[last]
        self.log.append((f"shuffle of {len(order)}", before, order[:]))
        return order
