"""List the languages that can be read, and choose how to compare a model's results.

This module loads no readers, because servers import it, too.
"""

from __future__ import annotations

from codeintel.contracts import Equivalence, TransformTask

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
"""sqlglot's name of each SQL dialect, by canonical language."""
FORMATS = frozenset({"json", "yaml", "toml"})
"""Data formats."""
GRAMMARS = frozenset(
    {
        *("bash", "c", "cpp", "csharp", "css", "go", "html", "java", "javascript", "kotlin", "lua"),
        *("php", "ruby", "rust", "scala", "swift", "typescript", "tsx", "xml"),
    }
)
"""Languages that are read by a grammar only."""


def can_parse(language: str) -> bool:
    """Return whether there is a reader for a language."""
    return language == "python" or any(language in each for each in (FORMATS, DIALECTS, GRAMMARS))


_DOCUMENT = "document"
_FOLLOWED = frozenset({"javascript", "typescript", "tsx"})
"""Languages whose functions are compared by their paths."""


def expected_equivalence(task: TransformTask) -> Equivalence | None:
    """Return the comparison that every correct result passes.

    For Python, JavaScript and TypeScript, only some correct results pass. Return None if no
    comparison can show that a result is correct.
    """
    both = {task.language, task.target}
    if both <= FORMATS:
        return Equivalence.DATA_MODEL
    if both <= DIALECTS.keys():
        return Equivalence.QUERY_PLAN
    if (task.language, task.target) == ("typescript", "javascript"):
        return Equivalence.TYPE_REMOVAL
    if task.language != task.target:
        return None
    is_python = task.language == "python"
    if task.kind == _DOCUMENT:
        return Equivalence.SYNTAX_TREE if is_python else Equivalence.COMMENTS
    is_followed = is_python or task.language in _FOLLOWED
    return Equivalence.NORMAL_FORM if is_followed else None
