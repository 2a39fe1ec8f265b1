"""Which languages can be read, and how what a model wrote in them is compared.

Loads none of the readers: servers ask, too.
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


_DOCUMENT = "document"
_FOLLOWED = frozenset({"javascript", "typescript", "tsx"})
"""Languages whose functions are compared by their paths."""


def expected_equivalence(task: TransformTask) -> Equivalence | None:
    """The comparison that every right answer passes; for Python, JavaScript and TypeScript one that
    some pass. None where no comparison can show that an answer is right."""
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
