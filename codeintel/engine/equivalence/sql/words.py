"""What a translation carries over word for word to dialects that do not have it."""

from __future__ import annotations

import re
from collections.abc import Iterable

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
    """What stands in the tokens of a result, as kinds and texts, though the target lacks it."""
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
