"""The sql analyser: syntax, pitfalls and security of SQL in all its dialects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar

import msgspec

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutput,
    AnalyzerRequest,
    Finding,
    Note,
    RuleInfo,
)
from codeintel_plugins.common.positions import Source
from codeintel_plugins.common.rule_table import listing
from codeintel_plugins.linters.sql.masking import masked
from codeintel_plugins.linters.sql.rules import MESSAGES, REMEDIES, SQL_RULES, SYNTAX_ERROR
from codeintel_plugins.linters.sql.text import Spot, find_in_text
from codeintel_plugins.secrets.redaction import Redactor
from codeintel_plugins.suppressions.bounds import report_worst

if TYPE_CHECKING:
    from codeintel_plugins.linters.sql.parsing import Script

# sqlglot's names, where they are not ours; SQL in general is in none in particular.
_DIALECTS: Mapping[str, str | None] = {
    "sql": None,
    "db2": "",
    "mariadb": "mysql",
    "sparksql": "spark",
    "athena": "athena",
    "bigquery": "bigquery",
    "clickhouse": "clickhouse",
    "databricks": "databricks",
    "doris": "doris",
    "drill": "drill",
    "druid": "druid",
    "duckdb": "duckdb",
    "hive": "hive",
    "materialize": "materialize",
    "mysql": "mysql",
    "oracle": "oracle",
    "postgres": "postgres",
    "presto": "presto",
    "redshift": "redshift",
    "risingwave": "risingwave",
    "snowflake": "snowflake",
    "sqlite": "sqlite",
    "starrocks": "starrocks",
    "teradata": "teradata",
    "trino": "trino",
    "tsql": "tsql",
}
_MAX_SYNTAX_ERRORS = 10

# The tree has no place for keywords: a finding's place takes in those around it.
_BEFORE = {
    "sql-delete-without-where": re.compile(r"\bDELETE\b(?=[^;]*\Z)", re.IGNORECASE),
    "sql-drop-without-if-exists": re.compile(r"\bDROP\b(?=[^;]*\Z)", re.IGNORECASE),
    "sql-insert-without-columns": re.compile(r"\bINSERT\b(?=[^;]*\Z)", re.IGNORECASE),
    "sql-update-without-where": re.compile(r"\bUPDATE\b(?=[^;]*\Z)", re.IGNORECASE),
}
_BEHIND = {
    "sql-equals-null": re.compile(r"\s*(?:=|<>|!=|==)\s*NULL\b", re.IGNORECASE),
    "sql-not-in-subquery": re.compile(r"\s+NOT\s+IN\b", re.IGNORECASE),
}
_REACH = 80


class SqlAnalyzer(Analyzer):
    """Our own checks on what sqlglot parses, and on the text. `pro` has those about style too."""

    name: ClassVar[str] = "sql"
    languages: ClassVar[frozenset[str] | None] = frozenset(_DIALECTS)
    timeout: float = 5.0

    def __init__(self) -> None:
        self.version = version("sqlglot")

    def preload(self) -> None:
        from codeintel_plugins.linters.sql import checks as sql_checks, parsing as sql_parsing

        for dialect in ("", "postgres", "mysql", "tsql", "oracle"):
            sql_parsing.parse("SELECT 1", dialect)
        del sql_checks

    def rules(self) -> Sequence[RuleInfo]:
        return listing(SQL_RULES.values())

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Findings in order of place."""
        from codeintel_plugins.linters.sql.checks import check_tree
        from codeintel_plugins.linters.sql.parsing import parse

        source = Source(request.code)
        text = (
            source.text.replace("\ufeff", " ", 1)
            if source.for_tools != source.text
            else source.text
        )
        script = parse(masked(text), _DIALECTS.get(request.language or "sql"))
        spots = {_widened(spot, text) for tree in script.trees for spot in check_tree(tree)}
        spots.update(find_in_text(text))
        redactor = Redactor(source)
        findings = [
            redactor.redact(finding)
            for finding in (*_syntax_errors(script, source), *_findings(spots, source))
            if request.model in SQL_RULES[finding.rule_id].models
        ]
        yield from report_worst(self.name, findings, request)
        yield from _notes(script)


def _findings(spots: set[Spot], source: Source) -> Iterator[Finding]:
    for rule, start, end in sorted(spots, key=lambda spot: (spot.start, spot.end, spot.rule)):
        found = SQL_RULES[rule].finding(SqlAnalyzer.name, MESSAGES[rule], source.span(start, end))
        remedy = REMEDIES.get(rule)
        yield found if remedy is None else msgspec.structs.replace(found, remedy=remedy)


def _syntax_errors(script: Script, source: Source) -> Iterator[Finding]:
    for problem in script.problems[:_MAX_SYNTAX_ERRORS]:
        place = source.span(problem.start, problem.end)
        yield SQL_RULES[SYNTAX_ERROR].finding(SqlAnalyzer.name, problem.message, place)


def _widened(spot: Spot, text: str) -> Spot:
    before, behind = _BEFORE.get(spot.rule), _BEHIND.get(spot.rule)
    if before is not None:
        reach = text[max(0, spot.start - _REACH) : spot.start]
        nearest = list(before.finditer(reach))[-1:]
        for match in nearest:
            spot = spot._replace(start=spot.start - len(reach) + match.start())
    if behind is not None:
        word = behind.match(text, spot.end)
        spot = spot if word is None else spot._replace(end=word.end())
    return spot


def _notes(script: Script) -> Iterator[Note]:
    if script.problems:
        yield Note("Statements with a syntax error could not be checked further.")
    if script.too_deep:
        yield Note("Some statements could not be checked: they are nested too deeply.")
    if script.unknown:
        yield Note(
            "Some statements could be checked by their text only: the parser does not know them."
        )
