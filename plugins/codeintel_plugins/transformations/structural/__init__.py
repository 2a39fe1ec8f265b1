"""Structural rewrites: rules over syntax trees, each of which keeps what the code does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Transformation, TransformationKind
from codeintel_plugins.transformations.structural.transformation import (
    StructuralModernize,
    StructuralOptimize,
    StructuralRefactor,
)


@hookimpl
def register_transformations(
    register: Callable[[Transformation | TransformationKind], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register what rewrites by rules."""
    for way in (StructuralRefactor(), StructuralModernize(), StructuralOptimize()):
        register(way)
