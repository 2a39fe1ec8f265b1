"""Our own rules over syntax trees: one file each, with the examples that are its tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer
from codeintel_plugins.patterns.analyzer import PatternAnalyzer
from codeintel_plugins.patterns.catalogue import refresh


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the patterns analyser; before, its rules are read if they were edited."""
    refresh()
    register(PatternAnalyzer())
