"""Sizes of code in any language, and the complexity of its functions where lizard knows them.

Importing this is cheap; the analyser imports its heavy library in ``preload()``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer
from codeintel_plugins.complexity.analyzer import ComplexityAnalyzer


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the analyser."""
    register(ComplexityAnalyzer())
