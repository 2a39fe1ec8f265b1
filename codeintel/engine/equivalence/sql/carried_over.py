"""Find words that a translation copies into dialects that do not have them.

The table lists the functions that are most often copied. Where an engine is available, the engine
is asked instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

KNOWN_DIALECTS = frozenset(
    {"bigquery", "mysql", "oracle", "postgres", "redshift", "snowflake", "tsql"}
)
"""The dialects for which the table is complete. Others are not checked."""

_TABLE = """
ADD_MONTHS: oracle redshift snowflake
ADDDATE: mysql
AGE: postgres
APPROX_COUNT_DISTINCT: bigquery oracle snowflake tsql
ARG_MAX:
ARG_MIN:
ARRAY_AGG: bigquery postgres snowflake
ARRAY_CONTAINS: snowflake redshift
ARRAY_LENGTH: bigquery postgres
ARRAY_SIZE: snowflake
ARRAY_TO_STRING: bigquery postgres snowflake redshift
BOOL_AND: postgres redshift
BOOL_OR: postgres redshift
BOOLAND_AGG: snowflake
BOOLOR_AGG: snowflake
CARDINALITY: postgres oracle
CHARINDEX: redshift snowflake tsql
CHR: bigquery oracle postgres redshift snowflake
CONCAT_WS: mysql postgres snowflake tsql
CONVERT_TIMEZONE: redshift snowflake
COUNT_IF: snowflake
COUNTIF: bigquery
CURDATE: mysql
DATALENGTH: tsql
DATE_ADD: bigquery mysql
DATE_DIFF: bigquery
DATE_FORMAT: mysql
DATE_PART: postgres redshift snowflake
DATE_SUB: bigquery mysql
DATE_TRUNC: bigquery postgres redshift snowflake
DATEADD: redshift snowflake tsql
DATEDIFF: mysql redshift snowflake tsql
DATEFROMPARTS: snowflake tsql
DATENAME: tsql
DATEPART: tsql
DATETRUNC: tsql
DAYNAME: mysql snowflake
DECODE: oracle redshift snowflake postgres
EOMONTH: tsql
EXPLODE:
FIELD: mysql
FIND_IN_SET: mysql
FORMAT_DATE: bigquery
FORMAT_TIMESTAMP: bigquery
FROM_UNIXTIME: mysql
GENERATE_ARRAY: bigquery
GENERATE_DATE_ARRAY: bigquery
GENERATE_SERIES: postgres redshift tsql
GETDATE: redshift snowflake tsql
GREATEST: bigquery mysql oracle postgres redshift snowflake tsql
GROUP_CONCAT: mysql
IFNULL: bigquery mysql snowflake
IIF: snowflake tsql
INITCAP: bigquery oracle postgres redshift snowflake
INSTR: bigquery mysql oracle
ISNULL: mysql tsql
JSON_AGG: postgres
JSON_ARRAYAGG: mysql oracle tsql
JSON_BUILD_OBJECT: postgres
JSON_EXTRACT: bigquery mysql
JSON_EXTRACT_PATH_TEXT: postgres redshift snowflake
JSON_EXTRACT_SCALAR: bigquery
JSON_OBJECTAGG: mysql oracle tsql
JSON_VALUE: bigquery mysql oracle tsql
JSONB_AGG: postgres
JSONB_BUILD_OBJECT: postgres
JSONB_EACH: postgres
JSONB_ARRAY_ELEMENTS: postgres
LAST_DAY: bigquery mysql oracle redshift snowflake
LEN: redshift snowflake tsql
LIST_AGGREGATE:
LIST_CONTAINS:
LIST_FILTER:
LIST_TRANSFORM:
LISTAGG: oracle redshift snowflake
LOGICAL_AND: bigquery
LOGICAL_OR: bigquery
LPAD: bigquery mysql oracle postgres redshift snowflake
MAKE_DATE: postgres
MAKE_INTERVAL: postgres bigquery
MEDIAN: oracle redshift snowflake
MOD: bigquery mysql oracle postgres redshift snowflake
MONTHNAME: mysql snowflake
MONTHS_BETWEEN: oracle redshift snowflake
NEXT_DAY: oracle redshift snowflake
NOW: mysql postgres
NUMTODSINTERVAL: oracle
NVL: oracle redshift snowflake
NVL2: oracle redshift snowflake
OBJECT_CONSTRUCT: snowflake
PARSE_DATE: bigquery
PARSE_JSON: bigquery snowflake
PARSE_TIMESTAMP: bigquery
PATINDEX: tsql
PERCENTILE_CONT: bigquery oracle postgres redshift snowflake tsql
PIVOT: oracle snowflake tsql bigquery
QUOTENAME: tsql
RATIO_TO_REPORT: oracle redshift snowflake
REGEXP_COUNT: oracle postgres redshift snowflake
REGEXP_EXTRACT: bigquery
REGEXP_LIKE: mysql oracle postgres snowflake
REGEXP_MATCHES: postgres
REGEXP_REPLACE: bigquery mysql oracle postgres redshift snowflake
REGEXP_SPLIT_TO_ARRAY: postgres
REGEXP_SPLIT_TO_TABLE: postgres
REGEXP_SUBSTR: bigquery mysql oracle postgres redshift snowflake
RPAD: bigquery mysql oracle postgres redshift snowflake
SAFE_CAST: bigquery
SAFE_DIVIDE: bigquery
SPLIT: bigquery snowflake
SPLIT_PART: postgres redshift snowflake
STR_TO_DATE: mysql
STRFTIME:
STRING_AGG: bigquery postgres tsql
STRING_SPLIT: tsql
STRING_TO_ARRAY: postgres
STRPOS: bigquery postgres redshift
STUFF: tsql
SUBDATE: mysql
SUBSTRING_INDEX: mysql
SYSDATETIME: tsql oracle
TIME_BUCKET:
TIMESTAMP_TRUNC: bigquery
TIMESTAMPADD: mysql snowflake
TIMESTAMPDIFF: mysql snowflake
TO_CHAR: oracle postgres redshift snowflake
TO_DATE: oracle postgres redshift snowflake
TO_NUMBER: oracle postgres redshift snowflake
TO_TIMESTAMP: oracle postgres redshift snowflake
TO_TSVECTOR: postgres
TRANSLATE: bigquery oracle postgres redshift snowflake tsql
TRUNC: bigquery oracle postgres redshift snowflake
TRY_CAST: snowflake tsql redshift
TRY_CONVERT: tsql
UNIX_TIMESTAMP: mysql
UNNEST: bigquery postgres redshift
WM_CONCAT:
XMLAGG: oracle postgres
"""
_HAVING = {
    name: frozenset(dialects.split())
    for name, _, dialects in (line.partition(":") for line in _TABLE.strip().splitlines())
}


def missing_functions(tokens: Iterable[tuple[str, str]], target: str) -> list[str]:
    """Return the functions that a statement calls and the target is known to lack, sorted.

    Tokens are pairs of kind and text.
    """
    if target not in KNOWN_DIALECTS:
        return []
    found: list[str] = []
    before = name = ""
    for kind, text in tokens:
        upper = text.upper() if kind != "IDENTIFIER" else ""
        if kind == "L_PAREN" and before != "DOT" and target not in _HAVING.get(name, {target}):
            found.append(name)
        if kind != "L_PAREN":
            before = "DOT" if name == "." else ""
        name = upper
    return sorted(set(found))


_INTERVAL = (r"\bINTERVAL 's'", "INTERVAL")
_DISTINCT_ON = (r"\bDISTINCT ON \(", "DISTINCT ON")
_FILTER = (r"\) FILTER \( WHERE\b", "FILTER")
_DUPLICATE = (r"\bON DUPLICATE KEY\b", "ON DUPLICATE KEY UPDATE")
_CONFLICT = (r"\bON CONFLICT\b", "ON CONFLICT")
_QUALIFY = (r"\bQUALIFY [\w(]", "QUALIFY")
_ILIKE = (r"[\w\")] (?:NOT )?ILIKE\b", "ILIKE")
_SERIAL = (r"\b\w+ (?:BIG|SMALL)?SERIAL\b(?! \()", "SERIAL")
_LIMIT = (r"\bLIMIT (?:\d|\?|:)", "LIMIT")
_NULLS = (r"\bNULLS (?:FIRST|LAST)\b", "NULLS FIRST or LAST")
_BOOLEAN = (
    r"(?:[=,(]|\b(?:THEN|ELSE|WHERE|AND|OR|NOT|IS|SELECT|DEFAULT)) (?:TRUE|FALSE)\b",
    "TRUE",
)
_TOP = (r"\bSELECT (?:DISTINCT )?TOP \d", "TOP")
_UNSIGNED = (r"\bUNSIGNED\b", "UNSIGNED")
_INCREMENT = (r"\bAUTO_?INCREMENT\b", "AUTO_INCREMENT")
_WIDTH = (r"\b(?:SMALL|BIG|TINY|MEDIUM)?INT(?:EGER)? \( \d", "a width of an integer")
_RETURNING = (r"\bRETURNING [\w*\"]", "RETURNING")
_PIVOT = (r"\bPIVOT \(", "PIVOT")
_CONNECT = (r"\bCONNECT BY\b", "CONNECT BY")
_FULL = (r"\bFULL (?:OUTER )?JOIN\b", "FULL JOIN")
_MINUS = (r"\bMINUS SELECT\b", "MINUS")
_ARRAY = (r"\bARRAY \[", "ARRAY")
_MARK = (r"\( \+ \)", "(+)")
_REPLACE = (r"^REPLACE INTO\b", "REPLACE INTO")
_USING = (r"\bJOIN [\w.\" ]+ USING \(", "USING")
_COMPARED = (
    r"\bDEFAULT \( 1 = [01] \)|, \( ?1 = [01] \)|THEN \( 1 = [01]",
    "a comparison as a value",
)
_CASTED = (r" :: ", "::")
_FOREIGN: dict[str, tuple[tuple[str, str], ...]] = {
    "tsql": (
        _INTERVAL,
        _DISTINCT_ON,
        _FILTER,
        _DUPLICATE,
        _CONFLICT,
        _QUALIFY,
        _ILIKE,
        _SERIAL,
        _LIMIT,
        _NULLS,
        _BOOLEAN,
        _UNSIGNED,
        _INCREMENT,
        _WIDTH,
        _RETURNING,
        _CONNECT,
        _MINUS,
        _ARRAY,
        _MARK,
        _REPLACE,
        _USING,
        _COMPARED,
        _CASTED,
    ),
    "postgres": (
        _DUPLICATE,
        _QUALIFY,
        _TOP,
        _UNSIGNED,
        _INCREMENT,
        _WIDTH,
        _PIVOT,
        _CONNECT,
        _MINUS,
        _MARK,
        _REPLACE,
    ),
    "mysql": (
        _DISTINCT_ON,
        _FILTER,
        _CONFLICT,
        _QUALIFY,
        _ILIKE,
        _NULLS,
        _TOP,
        _RETURNING,
        _PIVOT,
        _MARK,
        _CONNECT,
        _FULL,
        _MINUS,
        _ARRAY,
        _CASTED,
    ),
    "oracle": (
        _DISTINCT_ON,
        _FILTER,
        _DUPLICATE,
        _CONFLICT,
        _QUALIFY,
        _ILIKE,
        _SERIAL,
        _LIMIT,
        _TOP,
        _BOOLEAN,
        _UNSIGNED,
        _INCREMENT,
        _ARRAY,
        _REPLACE,
        _CASTED,
    ),
    "snowflake": (
        _DISTINCT_ON,
        _FILTER,
        _DUPLICATE,
        _CONFLICT,
        _SERIAL,
        _UNSIGNED,
        _RETURNING,
        _REPLACE,
    ),
    "bigquery": (
        _DISTINCT_ON,
        _FILTER,
        _DUPLICATE,
        _CONFLICT,
        _ILIKE,
        _SERIAL,
        _TOP,
        _UNSIGNED,
        _WIDTH,
        _INCREMENT,
        _RETURNING,
        _CONNECT,
        _MARK,
        _MINUS,
        _REPLACE,
        _CASTED,
    ),
}
_FOREIGN["mariadb"] = tuple(each for each in _FOREIGN["mysql"] if each is not _RETURNING)
_FOREIGN["redshift"] = (*_FOREIGN["postgres"], _CONFLICT, _SERIAL)
_LAKES = (
    *(_DISTINCT_ON, _CONFLICT, _DUPLICATE, _SERIAL, _TOP, _UNSIGNED, _INCREMENT, _RETURNING),
    *(_REPLACE, _CONNECT, _MARK),
)
_FOREIGN.update(
    dict.fromkeys(("presto", "trino", "athena", "hive", "sparksql", "databricks"), _LAKES)
)
_ORACLES = {"oracle": (r"\bROWNUM\b", r"\bFROM DUAL\b", r"\bSYSDATE\b")}
_PATTERNS = {
    target: tuple((re.compile(pattern), title) for pattern, title in found)
    for target, found in _FOREIGN.items()
}


def foreign_words(tokens: Iterable[tuple[str, str]], language: str, target: str) -> list[str]:
    """Return the constructs in a result that the target lacks.

    Tokens are pairs of kind and text.
    """
    text = " ".join(_plain(kind, said) for kind, said in tokens)
    found = [title for pattern, title in _PATTERNS.get(target, ()) if pattern.search(text)]
    if target not in ("oracle", "mysql", "mariadb"):
        found += [
            pattern.replace(r"\b", "")
            for pattern in _ORACLES.get(language, ())
            if re.search(pattern, text)
        ]
    return found


def _plain(kind: str, said: str) -> str:
    if kind.endswith("STRING"):
        return "'s'"
    return '"i"' if kind == "IDENTIFIER" else said.upper()
