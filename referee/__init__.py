"""Referee runs board games by email: signed saves, redacted reports, order lines checked against the rules.

A program uses `load`, `submit`, `view` and `render`; they are imported when they are first used.
"""

__version__ = "0.1.0"
__all__ = ["__version__", "load", "render", "submit", "view"]

TYPE_CHECKING = False  # the name alone counts for type checkers; `typing` takes as long as half a start of Python
if TYPE_CHECKING:
    from typing import Any

    from .api import load, render, submit, view


def __getattr__(name: str) -> "Any":
    """Import the functions for programs when they are first named."""
    if name in __all__:
        from . import api

        return getattr(api, name)
    raise AttributeError(f"module 'referee' has no attribute {name!r}")
