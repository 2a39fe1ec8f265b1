"""The five kinds of transformation, with their options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Transformation, TransformationKind
from codeintel_plugins.transformations.kinds import KINDS


@hookimpl
def register_transformations(
    register: Callable[[Transformation | TransformationKind], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register the kinds."""
    for kind in KINDS:
        register(kind)
