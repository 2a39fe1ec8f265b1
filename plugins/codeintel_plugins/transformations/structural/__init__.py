"""Structural rewrites: rules over syntax trees that preserve the code's behavior."""

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
