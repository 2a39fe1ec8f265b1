"""The static engine: runs the analysers, merges what they find, and says it in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Engine
from codeintel_plugins.static.engine import StaticEngine


@hookimpl
def register_engines(register: Callable[[Engine], None], config: Mapping[str, Any]) -> None:  # noqa: ARG001 - the hook's signature
    """Register the static engine."""
    register(StaticEngine())
