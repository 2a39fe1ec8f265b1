"""JavaScript and TypeScript."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Equivalence, Transformation, TransformationKind
from codeintel_plugins.transformations.deferred import Listing, deferred

_HERE = "codeintel_plugins.transformations.web"
_WEB = Listing(
    languages=frozenset({"javascript", "typescript"}),
    equivalence=Equivalence.LOCAL_EDITS,
    version=f"1 with oxlint {version('oxlint')}",
    timeout=20.0,
)
LISTINGS = (
    _WEB._replace(
        place=f"{_HERE}.type_removal:TypeRemoval",
        name="typescript-to-javascript",
        kind="convert",
        languages=frozenset({"typescript"}),
        equivalence=Equivalence.TYPE_REMOVAL,
        version="1",
        timeout=10.0,
        targets=frozenset({"javascript"}),
    ),
    _WEB._replace(place=f"{_HERE}.rewriting:WebModernize", name="web-modernize", kind="modernize"),
    _WEB._replace(place=f"{_HERE}.rewriting:WebRefactor", name="web-refactor", kind="refactor"),
    _WEB._replace(place=f"{_HERE}.rewriting:WebOptimize", name="web-optimize", kind="optimize"),
    _WEB._replace(
        place=f"{_HERE}.documenting:WebDocument",
        name="web-document",
        kind="document",
        equivalence=Equivalence.COMMENTS,
        version="1",
        timeout=10.0,
    ),
)
"""The available transformations, for servers, which do not load grammars."""


@hookimpl
def register_transformations(
    register: Callable[[Transformation | TransformationKind], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register what transforms JavaScript and TypeScript."""
    for listing in LISTINGS:
        register(deferred(listing))
