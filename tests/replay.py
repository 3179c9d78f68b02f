"""Play the random match of a seed and print what became of it: `python -m tests.replay MODULE:NAME SEED`."""

import contextlib
import importlib
import sys

from referee.match import Game

from .laws import record


def main(reference: str, seed: str) -> None:
    """Print the match of a seed; the reference names a game, or a function that returns a context with one."""
    module, _, name = reference.partition(":")
    found = getattr(importlib.import_module(module), name)
    with contextlib.nullcontext(found) if isinstance(found, Game) else found() as game:
        mails, text = record(game, int(seed))
    print(mails, text)


if __name__ == "__main__":
    main(*sys.argv[1:])
