"""What all tests share: the toy game is found as a third party's game is, by an installed entry point."""

import os
import sys
from pathlib import Path

import pytest

PLUGINS = Path(__file__).parent / "plugins"
"""Holds the metadata that installing the toy game would leave in site-packages."""

sys.path.append(str(PLUGINS))
# Child processes find the toy, and the tree itself, in the same way.
os.environ["PYTHONPATH"] = os.pathsep.join(
    [str(PLUGINS), str(PLUGINS.parent.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
)


@pytest.fixture
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing wait for the disk, in tests that are not about crashes."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
