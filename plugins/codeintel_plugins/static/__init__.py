"""The static engine for Python: ruff, bandit, a search for secrets, and metrics.

Importing this is cheap; the analysers import their heavy libraries in ``preload()``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Analyzer, Engine
from codeintel_plugins.static.bandit import BanditAnalyzer
from codeintel_plugins.static.engine import StaticEngine
from codeintel_plugins.static.metrics import MetricsAnalyzer
from codeintel_plugins.static.ruff import RuffAnalyzer
from codeintel_plugins.static.secrets import SecretsAnalyzer


@hookimpl
def register_analyzers(register: Callable[[Analyzer], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the four analysers."""
    register(RuffAnalyzer())
    register(BanditAnalyzer())
    register(SecretsAnalyzer())
    register(MetricsAnalyzer())


@hookimpl
def register_engines(register: Callable[[Engine], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the static engine."""
    register(StaticEngine())
