"""Secrets written into code, in any language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer
from codeintel_plugins.secrets.analyzer import SecretsAnalyzer


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the secrets analyser."""
    register(SecretsAnalyzer())
