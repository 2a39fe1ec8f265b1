"""JSON, YAML and TOML: one into another, and tidied."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Equivalence, Transformation, TransformationKind
from codeintel_plugins.transformations.deferred import Listing, deferred

_FORMATS = frozenset({"json", "toml", "yaml"})
_HERE = "codeintel_plugins.transformations.data"
_DATA = Listing(languages=_FORMATS, equivalence=Equivalence.DATA_MODEL, version="1", timeout=10.0)
LISTINGS = (
    _DATA._replace(
        place=f"{_HERE}.transforming:DataConvert",
        name="data-convert",
        kind="convert",
        targets=_FORMATS,
    ),
    _DATA._replace(
        place=f"{_HERE}.transforming:DataRefactor", name="data-refactor", kind="refactor"
    ),
)
"""The available transformations, for servers, which do not load grammars."""


@hookimpl
def register_transformations(
    register: Callable[[Transformation | TransformationKind], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register what transforms data."""
    for listing in LISTINGS:
        register(deferred(listing))
