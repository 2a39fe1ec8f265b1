"""SQL, by sqlglot: layout, simplification, and other dialects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Equivalence, Transformation, TransformationKind
from codeintel_plugins.transformations.deferred import Listing, deferred
from codeintel_plugins.transformations.sql.dialects import DIALECTS

_ALL = frozenset(DIALECTS)
_HERE = "codeintel_plugins.transformations.sql"
_PLAN, _VERSION = Equivalence.QUERY_PLAN, version("sqlglot")
LISTINGS = (
    Listing(
        place=f"{_HERE}.formatting:SqlRefactor",
        name="sqlglot-format",
        kind="refactor",
        languages=_ALL,
        equivalence=_PLAN,
        version=_VERSION,
        timeout=25.0,
    ),
    Listing(
        place=f"{_HERE}.optimizing:SqlOptimize",
        name="sqlglot-optimize",
        kind="optimize",
        languages=_ALL,
        equivalence=_PLAN,
        version=_VERSION,
        timeout=25.0,
    ),
    Listing(
        place=f"{_HERE}.optimizing:SqlModernize",
        name="sqlglot-modernize",
        kind="modernize",
        languages=_ALL,
        equivalence=_PLAN,
        version=_VERSION,
        timeout=25.0,
    ),
    Listing(
        place=f"{_HERE}.converting:SqlConvert",
        name="sqlglot-convert",
        kind="convert",
        languages=_ALL,
        equivalence=_PLAN,
        version=_VERSION,
        timeout=15.0,
        targets=_ALL,
    ),
)
"""What there is, for servers, which do not load sqlglot."""


@hookimpl
def register_transformations(
    register: Callable[[Transformation | TransformationKind], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register what transforms SQL."""
    for listing in LISTINGS:
        register(deferred(listing))
