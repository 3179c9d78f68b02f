"""What all tests share: the toy game is found as a third party's game is, by an installed entry point."""

import os
import sys
from pathlib import Path

import pytest

from referee import desk

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


@pytest.fixture
def no_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the desk write no reports, in tests that do not look at them: they take most of a submission's time."""
    monkeypatch.setattr(desk, "write_reports", lambda *given: [])
    monkeypatch.setattr(desk, "write_missing_reports", lambda *given: [])
