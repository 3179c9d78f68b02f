"""Compile the templates ahead, for a wheel and for an editable installation alike."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTemplates(BuildHookInterface):
    """Fills referee/_compiled before the files of the wheel are gathered."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        # Importable here only because referee/__init__.py imports nothing beyond the standard library.
        from referee.templating import compile_ahead

        compile_ahead(Path(self.root), Path(self.root) / "referee" / "_compiled")
