"""Linters for JavaScript and TypeScript, shell scripts and SQL.

Importing this is cheap; the analyzers import their heavy libraries in ``preload()``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer
from codeintel_plugins.linters.oxlint import OxlintAnalyzer
from codeintel_plugins.linters.shellcheck import ShellcheckAnalyzer
from codeintel_plugins.linters.sql import SqlAnalyzer


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the linters."""
    register(OxlintAnalyzer())
    register(ShellcheckAnalyzer())
    register(SqlAnalyzer())
