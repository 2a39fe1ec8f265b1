"""Following values from where they come in to where they do harm, inside one file."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer
from codeintel_plugins.taint.analyzer import TaintAnalyzer


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the taint analyser."""
    register(TaintAnalyzer())
