"""Compile templates and data ahead, for a wheel and for an editable installation alike."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileTemplates(BuildHookInterface):
    """Fills referee/_compiled before the files of the wheel are gathered."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        sys.path.insert(0, self.root)
        # Importable here only because neither this nor the games need anything beyond the standard library and Jinja2.
        from referee.templating import compile_ahead

        compile_ahead(Path(self.root), Path(self.root) / "referee" / "_compiled")
