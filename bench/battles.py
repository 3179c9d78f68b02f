"""How many mails a battle of The Phantom League takes: `python -m bench.battles [--battles N]`.

Scripted captains who plan (`tests.phantom_league.fighters`) fight random battles of two seats to six, with and without the
extension. Counts are the same on every machine.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator

from tests.phantom_league.fighters import PER_ROUND, PREPARATION, Fought, fight, share_of, too_many

IN_ROUND = ("play", "orders", "jettison")
"""The questions of a round; `prepare` is the one before the first."""


def mails_a_round(fights: list[Fought]) -> list[float]:
    """Return for each seat that fought in a battle how many mails it sent for each of its rounds."""
    return [
        sum(mails[name] for name in IN_ROUND) / fought.rounds
        for fought in fights
        for mails in fought.mails.values()
        if fought.rounds and mails["orders"]
    ]


def preparations(fights: list[Fought]) -> list[int]:
    """Return for each seat that prepared a Battle deck how many mails that took."""
    return [mails["prepare"] for fought in fights for mails in fought.mails.values() if mails["prepare"]]


def whole(fights: list[Fought]) -> list[int]:
    """Return for each seat that fought in a battle how many mails the whole of it took, joining and booty included."""
    return [sum(mails.values()) for fought in fights for mails in fought.mails.values() if mails["orders"]]


def rows(fights: list[Fought]) -> Iterator[str]:
    """Yield the rows of the table."""
    in_round, before, all_mails = mails_a_round(fights), preparations(fights), whole(fights)
    rounds = [fought.rounds for fought in fights]
    yield f"| mails of a seat for a round | {statistics.mean(in_round):.2f} | {max(in_round):.2f} | {PER_ROUND} |"
    yield f"| mails of a seat to prepare | {statistics.mean(before):.2f} | {max(before)} | {PREPARATION} |"
    yield f"| mails of a seat for a whole battle | {statistics.mean(all_mails):.1f} | {max(all_mails)} | |"
    yield f"| seats that needed more than that | {sum(len(too_many(fought)) for fought in fights)} | | 0 |"
    yield f"| rounds of a battle | {statistics.mean(rounds):.2f} | {max(rounds)} | |"
    yield f"| ships in a battle | {statistics.mean(len(f.decks) for f in fights):.1f} | {max(len(f.decks) for f in fights)} | |"
    destroyed, escaped = share_of(fights, "destroyed"), share_of(fights, "escaped")
    yield f"| ships destroyed; escaped | {destroyed:.1%}; {escaped:.1%} | | |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.battles", description=__doc__)
    parser.add_argument("--battles", type=int, default=500)
    count = parser.parse_args().battles
    fights = [fight(seed, **{"mostly-harmless": seed % 2 == 0}) for seed in range(count)]
    print(f"{count} battles\n\n| measure | mean | most | target |\n|---|---|---|---|")
    print(*rows(fights), sep="\n")


if __name__ == "__main__":
    main()
