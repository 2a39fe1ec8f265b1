"""Python: ruff, bandit and metrics.

Importing this is cheap; the analyzers import their heavy libraries in ``preload()``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer
from codeintel_plugins.python.bandit import BanditAnalyzer
from codeintel_plugins.python.metrics import MetricsAnalyzer
from codeintel_plugins.python.ruff import RuffAnalyzer


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the analyzers for Python."""
    register(RuffAnalyzer())
    register(BanditAnalyzer())
    register(MetricsAnalyzer())
