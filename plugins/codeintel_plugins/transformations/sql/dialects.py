"""sqlglot's names of the dialects, by canonical language."""

from __future__ import annotations

_OTHERS = {"sql": "", "db2": "", "mariadb": "mysql", "sparksql": "spark"}
_ALIKE = (
    *("athena", "bigquery", "clickhouse", "databricks", "doris", "drill", "druid", "duckdb"),
    *("hive", "materialize", "mysql", "oracle", "postgres", "presto", "redshift", "risingwave"),
    *("snowflake", "sqlite", "starrocks", "teradata", "trino", "tsql"),
)
DIALECTS = {**{name: name for name in _ALIKE}, **_OTHERS}
