"""The rules of the sql analyser, with their grades."""

from __future__ import annotations

from collections.abc import Mapping

from codeintel_plugins.common.rule_table import Rule, read_table

_TABLE = """
f invalid-syntax critical high - correctness A statement does not parse.
f sql-always-true medium medium CWE-571 security A condition is true for every row.
f sql-cartesian-join medium medium - performance Every row of a table meets every row of another.
f sql-delete-without-where medium high - correctness All rows of a table are removed.
p sql-drop-without-if-exists info high - maintainability It fails where there is nothing to drop.
f sql-dynamic-exec high medium CWE-89 security Text that was put together is run as SQL.
f sql-equals-null medium high - correctness A comparison with NULL is never true.
f sql-grant-all medium high CWE-732 security All privileges are granted at once.
f sql-grant-to-public medium high CWE-732 security A privilege is granted to everybody.
p sql-insert-without-columns low high - maintainability Values depend on the order of the columns.
f sql-leading-wildcard-like low high - performance A pattern's beginning is open: no index helps.
f sql-not-in-subquery medium medium - correctness With a NULL in it no row is found.
f sql-os-command high high CWE-78 security The database runs commands of the operating system.
f sql-plaintext-password high medium CWE-798 secrets A password is written in the script.
p sql-select-star info high - maintainability All columns are read, whatever they are.
f sql-update-without-where medium high - correctness All rows of a table are changed.
p sql-weak-hash low low CWE-327 security MD5 and SHA-1 do not protect anything.
"""

SQL_RULES: Mapping[str, Rule] = read_table(_TABLE)
SYNTAX_ERROR = "invalid-syntax"

MESSAGES: Mapping[str, str] = {
    "sql-always-true": "This condition is true for every row, so the others do not count.",
    "sql-cartesian-join": (
        "Nothing joins this table to the others: every row meets every row of theirs."
    ),
    "sql-delete-without-where": "DELETE without WHERE removes all rows.",
    "sql-drop-without-if-exists": "DROP without IF EXISTS fails where there is nothing to drop.",
    "sql-dynamic-exec": (
        "Text that is put together from parts is run as SQL: a part from outside can change it."
    ),
    "sql-equals-null": "A comparison with NULL is never true.",
    "sql-grant-all": "GRANT ALL gives more than is needed.",
    "sql-grant-to-public": "GRANT to PUBLIC gives the privilege to everybody.",
    "sql-insert-without-columns": "INSERT without columns depends on their order in the table.",
    "sql-leading-wildcard-like": "A pattern that begins with a wildcard cannot use an index.",
    "sql-not-in-subquery": "NOT IN finds no row at all if the subquery gives a NULL.",
    "sql-os-command": "The database runs a command of the operating system.",
    "sql-plaintext-password": "A password is written in the script.",
    "sql-select-star": "SELECT * reads all columns, also those that are added later.",
    "sql-update-without-where": "UPDATE without WHERE changes all rows.",
    "sql-weak-hash": "MD5 and SHA-1 are broken: they do not protect passwords or signatures.",
}

REMEDIES: Mapping[str, str] = {
    "sql-cartesian-join": "Say how the rows belong together, or write CROSS JOIN.",
    "sql-delete-without-where": "Add a WHERE clause, or use TRUNCATE if all rows are meant.",
    "sql-dynamic-exec": "Pass values as parameters, and quote names with the database's function.",
    "sql-equals-null": "Use IS NULL or IS NOT NULL.",
    "sql-grant-all": "Grant the privileges that are needed.",
    "sql-insert-without-columns": "Name the columns.",
    "sql-not-in-subquery": "Use NOT EXISTS, or leave NULL out in the subquery.",
    "sql-plaintext-password": "Take the password from outside the script, and change it now.",
    "sql-select-star": "Name the columns.",
    "sql-update-without-where": "Add a WHERE clause.",
}
