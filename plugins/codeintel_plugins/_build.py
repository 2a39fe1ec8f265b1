"""Extra build steps of the plugins package: check the rules and write their pages."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import ClassVar

from setuptools import Command

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("codeintel_plugins/patterns")


class build_rule_pages(Command):  # noqa: N801 - commands are called as they are written
    """Write a page for each rule, and all rules in one file that is read faster. A file that is no
    rule, asks for what no syntax tree has, or lacks examples of both kinds, fails the build."""

    description = "write the pages of the pattern rules"
    user_options: ClassVar = [("build-lib=", "d", "directory to build to")]

    def initialize_options(self) -> None:
        """Set the options' defaults. Setuptools calls this."""
        self.build_lib: str | None = None
        self.editable_mode = False  # set by setuptools for `pip install -e`

    def finalize_options(self) -> None:
        """Complete the options. Setuptools calls this."""
        self.set_undefined_options("build_py", ("build_lib", "build_lib"))

    def run(self) -> None:
        """Write the pages."""
        sys.path[:0] = [str(ROOT), str(ROOT / "plugins")]
        from codeintel_plugins.patterns.building import check_rules, write_pages
        from codeintel_plugins.patterns.catalogue import (
            COMPILED,
            FOLDER,
            load_rules,
            write_compiled,
        )

        rules = load_rules(FOLDER)
        check_rules(rules)
        write_pages(rules, self._pages())
        write_compiled(rules, self._pages() / COMPILED.name)

    def get_source_files(self) -> list[str]:
        """Return the rules, below the project's folder."""
        rules = (ROOT / "plugins" / PACKAGE / "rules").rglob("*.yml")
        return [str(path.relative_to(ROOT)) for path in rules]

    def get_outputs(self) -> list[str]:
        """Return the pages."""
        if self.editable_mode:
            return list(self.get_output_mapping())
        return [str(path) for path in self._pages().iterdir()]

    def get_output_mapping(self) -> dict[str, str]:
        """Return where each page would be built, and its source: for editable installs."""
        if not self.editable_mode or self.build_lib is None:
            return {}
        target = Path(self.build_lib) / PACKAGE / "pages"
        pages = self._pages().iterdir()
        return {str(target / path.name): str(path.relative_to(ROOT)) for path in pages}

    def _pages(self) -> Path:
        if self.editable_mode or self.build_lib is None:
            return ROOT / "plugins" / PACKAGE / "pages"
        return Path(self.build_lib).resolve() / PACKAGE / "pages"
