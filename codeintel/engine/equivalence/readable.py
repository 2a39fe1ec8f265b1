"""Which languages there are readers for. Loads none of them: servers ask, too."""

from __future__ import annotations

_ALIKE = (
    "athena bigquery clickhouse databricks doris drill druid duckdb hive materialize mysql oracle"
    " postgres presto redshift risingwave snowflake sqlite starrocks teradata trino tsql"
)
DIALECTS = {
    **{name: name for name in _ALIKE.split()},
    "sql": "",
    "db2": "",
    "mariadb": "mysql",
    "sparksql": "spark",
}
"""sqlglot's names of the dialects of SQL, by canonical language."""
FORMATS = frozenset({"json", "yaml", "toml"})
"""Of data."""
GRAMMARS = frozenset(
    {
        *("bash", "c", "cpp", "csharp", "css", "go", "html", "java", "javascript", "kotlin", "lua"),
        *("php", "ruby", "rust", "scala", "swift", "typescript", "tsx", "xml"),
    }
)
"""What is read by a grammar alone."""


def can_parse(language: str) -> bool:
    """Whether there is a reader for a language."""
    return language == "python" or any(language in each for each in (FORMATS, DIALECTS, GRAMMARS))
