"""Play the random match of a seed and print what became of it: `python -m tests.replay MODULE:NAME SEED`.

`planted:NAME` is the toy game with a mistake in it.
"""

import sys
from contextlib import nullcontext
from importlib import import_module

from .law_chance import record
from .mistakes import planted


def main(reference: str, seed: str) -> None:
    """Print the match of a seed."""
    module, _, name = reference.partition(":")
    with planted(name) if module == "planted" else nullcontext(getattr(import_module(module), name)) as game:
        mails, text = record(game, int(seed))
    print(mails, text)


if __name__ == "__main__":
    main(*sys.argv[1:])
