"""SQL, by sqlglot: layout, simplification, and other dialects."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import Any

from codeintel import hookimpl
from codeintel.contracts import Equivalence, Transformation, TransformationKind
from codeintel_plugins.transformations.deferred import Listing, deferred

_OTHERS = {"sql": "", "db2": "", "mariadb": "mysql", "sparksql": "spark"}
_ALIKE = (
    *("athena", "bigquery", "clickhouse", "databricks", "doris", "drill", "druid", "duckdb"),
    *("hive", "materialize", "mysql", "oracle", "postgres", "presto", "redshift", "risingwave"),
    *("snowflake", "sqlite", "starrocks", "teradata", "trino", "tsql"),
)
DIALECTS = {**{name: name for name in _ALIKE}, **_OTHERS}


_HERE = "codeintel_plugins.transformations.sql"
_SQL = Listing(
    languages=frozenset(DIALECTS),
    equivalence=Equivalence.QUERY_PLAN,
    version=version("sqlglot"),
    timeout=25.0,
)
LISTINGS = (
    _SQL._replace(place=f"{_HERE}.formatting:SqlRefactor", name="sqlglot-format", kind="refactor"),
    _SQL._replace(
        place=f"{_HERE}.optimizing:SqlOptimize", name="sqlglot-optimize", kind="optimize"
    ),
    _SQL._replace(
        place=f"{_HERE}.optimizing:SqlModernize", name="sqlglot-modernize", kind="modernize"
    ),
    _SQL._replace(
        place=f"{_HERE}.converting:SqlConvert",
        name="sqlglot-convert",
        kind="convert",
        timeout=15.0,
        targets=frozenset(DIALECTS),
    ),
)
"""The available transformations, for servers, which do not load sqlglot."""


@hookimpl
def register_transformations(
    register: Callable[[Transformation | TransformationKind], None],
    config: Mapping[str, Any],  # noqa: ARG001 - the hook's signature
) -> None:
    """Register what transforms SQL."""
    for listing in LISTINGS:
        register(deferred(listing))
