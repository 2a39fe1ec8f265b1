"""Python, by ruff's fixes, and docstrings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Transformation, TransformationKind
from codeintel_plugins.transformations.python.documenting import PythonDocument
from codeintel_plugins.transformations.python.ruff import RuffModernize, RuffOptimize, RuffRefactor


@hookimpl
def register_transformations(
    register: Callable[[Transformation | TransformationKind], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register what transforms Python."""
    for way in (RuffRefactor(), RuffModernize(), RuffOptimize(), PythonDocument()):
        register(way)
