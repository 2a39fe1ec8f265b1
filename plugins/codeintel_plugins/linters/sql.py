"""The sql analyzer: syntax, pitfalls and security of SQL in all its dialects; its rules, and how
parts of scripts that are no SQL are masked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import msgspec

from codeintel.contracts import Analyzer, AnalyzerOutput, AnalyzerRequest, Finding, Note, RuleInfo
from codeintel_plugins.linters.sql_text import Spot, find_in_text
from codeintel_plugins.redaction import Redactor
from codeintel_plugins.suppressions import report_worst
from codeintel_plugins.toolkit.positions import ToolSource
from codeintel_plugins.toolkit.rule_table import Rule, listing, read_table
from codeintel_plugins.toolkit.rule_texts import page_of, rule_texts, with_texts

if TYPE_CHECKING:
    from codeintel_plugins.linters.sql_trees import Script


_TABLE = """
f invalid-syntax critical high - correctness A statement does not parse.
f sql-always-true medium medium CWE-571 security A condition is true for every row.
f sql-cartesian-join medium medium - performance Cartesian join: every row of a table is joined to every row of another.
f sql-delete-without-where medium high - correctness All rows of a table are removed.
p sql-drop-without-if-exists info high - maintainability DROP without IF EXISTS fails if the object is missing.
f sql-dynamic-exec high medium CWE-89 security SQL injection: text that is built from parts is run as SQL.
f sql-equals-null medium high CWE-570 correctness A comparison with NULL is never true.
f sql-grant-all medium high CWE-732 security All privileges are granted together.
f sql-grant-to-public medium high CWE-732 security A privilege is granted to PUBLIC.
p sql-insert-without-columns low high - maintainability Values depend on the order of the columns.
f sql-leading-wildcard-like low high - performance A LIKE pattern begins with a wildcard, so no index is used.
f sql-not-in-subquery medium medium - correctness NOT IN returns no rows if the subquery contains a NULL.
f sql-os-command high high CWE-78 security The database runs operating system commands.
f sql-plaintext-password high medium CWE-798 secrets Hard-coded credentials: a password is written in the script.
p sql-select-star info high - maintainability SELECT * reads all columns.
f sql-update-without-where medium high - correctness All rows of a table are changed.
p sql-weak-hash low low CWE-327 security MD5 and SHA-1 do not protect passwords or signatures.
"""  # noqa: E501 - one rule in a line

SQL_RULES: Mapping[str, Rule] = read_table(_TABLE)
SYNTAX_ERROR = "invalid-syntax"
TEXTS = Path(__file__).parent / "texts" / "sql"

MESSAGES: Mapping[str, str] = {
    "sql-always-true": "This condition is true for every row, so other conditions have no effect.",
    "sql-cartesian-join": ("Cartesian join: nothing joins this table to the others."),
    "sql-delete-without-where": "DELETE without WHERE removes all rows.",
    "sql-drop-without-if-exists": "DROP without IF EXISTS fails if the object is missing.",
    "sql-dynamic-exec": ("SQL injection: text that is built from parts is run as SQL."),
    "sql-equals-null": "A comparison with NULL is never true.",
    "sql-grant-all": "GRANT ALL gives more privileges than needed.",
    "sql-grant-to-public": "GRANT to PUBLIC gives the privilege to every user.",
    "sql-insert-without-columns": "INSERT without a column list depends on the column order.",
    "sql-leading-wildcard-like": "A pattern that begins with a wildcard cannot use an index.",
    "sql-not-in-subquery": "NOT IN returns no rows if the subquery returns a NULL.",
    "sql-os-command": "The database runs an operating system command.",
    "sql-plaintext-password": "Hard-coded credentials: a password is written in the script.",
    "sql-select-star": "SELECT * reads all columns, including those that are added later.",
    "sql-update-without-where": "UPDATE without WHERE changes all rows.",
    "sql-weak-hash": "Weak hash algorithm: MD5 and SHA-1 do not protect passwords or signatures.",
}

REMEDIES: Mapping[str, str] = {
    "sql-cartesian-join": "Add a join condition, or write CROSS JOIN.",
    "sql-delete-without-where": "Add a WHERE clause, or use TRUNCATE to remove all rows.",
    "sql-dynamic-exec": "Use a parameterized query, and quote names with the database's function.",
    "sql-equals-null": "Use IS NULL or IS NOT NULL.",
    "sql-grant-all": "Grant only the required privileges.",
    "sql-insert-without-columns": "Name the columns.",
    "sql-not-in-subquery": "Use NOT EXISTS, or exclude NULL in the subquery.",
    "sql-plaintext-password": "Replace the password, and pass it to the script as a parameter.",
    "sql-select-star": "Name the columns.",
    "sql-update-without-where": "Add a WHERE clause.",
}


_BATCH_END = re.compile(
    r"^[ \t]*(?:GO(?:[ \t]+\d+)?|/)[ \t]*;?[ \t]*\r?$", re.IGNORECASE | re.MULTILINE
)
_CLIENT_COMMAND = re.compile(
    r"^[ \t]*(?:\\[A-Za-z!?].*|(?:PROMPT|SPOOL|WHENEVER|REM)\b.*|\.(?:mode|headers?|tables|schema|"
    r"import|read|open|dump|output|echo)\b.*"
    r"|SET[ \t]+(?:SERVEROUTPUT|ECHO|FEEDBACK|LINESIZE|PAGESIZE|VERIFY|TERMOUT|DEFINE)\b.*)$",
    re.IGNORECASE | re.MULTILINE,
)
_DELIMITER = re.compile(r"^[ \t]*DELIMITER[ \t]+(\S+)[ \t]*\r?$", re.IGNORECASE | re.MULTILINE)
_COPIED_ROWS = re.compile(
    r"(?<=;)(?<=stdin;)[ \t]*\r?\n.*?^\\\.", re.IGNORECASE | re.MULTILINE | re.DOTALL
)
_PARAMETER = re.compile(r"%(?:\((?P<name>\w{1,60})\))?[sd](?!\w)")
_TEMPLATE_TAG = re.compile(r"\{%.{0,500}?%\}|\{#.{0,500}?#\}", re.DOTALL)
_TEMPLATE_VALUE = re.compile(
    r"\{\{.{0,500}?\}\}|[$#]\{[^{}\r\n]{1,100}\}|(?<!\w)\{[A-Za-z_][\w.]{0,60}\}", re.DOTALL
)


def masked(text: str) -> str:
    """Mask the parts of a script that only its client understands.

    Where a template or a driver inserts a value, a name or a parameter is inserted. Each part keeps
    its length, so positions stay the same.
    """
    if "\n\\." in text:
        text = _COPIED_ROWS.sub(_blank, text)
    text = _without_delimiters(text)
    text = _CLIENT_COMMAND.sub(_blank, text)
    text = _BATCH_END.sub(_separator, text)
    text = _TEMPLATE_TAG.sub(_blank, text)
    text = _TEMPLATE_VALUE.sub(_name, text)
    return _PARAMETER.sub(_parameter, text)


def _without_delimiters(text: str) -> str:
    """Replace a client's own delimiter at the end of a statement by a semicolon."""
    signs = sorted({match[1] for match in _DELIMITER.finditer(text)} - {";"})
    text = _DELIMITER.sub(_blank, text)
    for sign in signs:
        text = re.sub(rf"{re.escape(sign)}(?=[ \t]*\r?$)", _separator, text, flags=re.MULTILINE)
    return text


def _blank(match: re.Match[str]) -> str:
    return re.sub(r"[^\r\n]", " ", match[0])


def _separator(match: re.Match[str]) -> str:
    return ";" + re.sub(r"[^\r\n]", " ", match[0][1:])


def _name(match: re.Match[str]) -> str:
    return re.sub(r"[^\r\n]", "x", match[0])


def _parameter(match: re.Match[str]) -> str:
    if match["name"] is None:
        return "? "
    return f":{match['name']}".ljust(len(match[0]))


# sqlglot's names, where they differ from the names in this project. SQL in general has no dialect.
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
        from codeintel_plugins.linters.sql_trees import parse

        for dialect in ("", "postgres", "mysql", "tsql", "oracle"):
            parse("SELECT 1", dialect)

    def rules(self) -> Sequence[RuleInfo]:
        return with_texts(listing(SQL_RULES.values()), rule_texts(TEXTS))

    def page(self, rule_id: str) -> str | None:
        return page_of(rule_id, rule_texts(TEXTS))

    def analyze(self, request: AnalyzerRequest) -> Iterator[AnalyzerOutput]:
        """Yield findings in order of place."""
        from codeintel_plugins.linters.sql_trees import check_tree, parse

        source = ToolSource(request.code)
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


def _findings(spots: set[Spot], source: ToolSource) -> Iterator[Finding]:
    for rule, start, end in sorted(spots, key=lambda spot: (spot.start, spot.end, spot.rule)):
        found = SQL_RULES[rule].finding(SqlAnalyzer.name, MESSAGES[rule], source.span(start, end))
        remedy = REMEDIES.get(rule)
        yield found if remedy is None else msgspec.structs.replace(found, remedy=remedy)


def _syntax_errors(script: Script, source: ToolSource) -> Iterator[Finding]:
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
        yield Note("Some statements are nested too deeply and could not be checked.")
    if script.unknown:
        yield Note("Some statements are unknown to the parser, so only their text was checked.")
