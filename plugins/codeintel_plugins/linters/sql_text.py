"""Checks of the text of SQL, because no grammar supports everything that databases run. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple


class Spot(NamedTuple):
    """A rule, and where it applies: offsets into the text, the end exclusive."""

    rule: str
    start: int
    end: int


_COMMENT_OR_STRING = re.compile(
    r"--[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?|'(?:[^']|'')*+'?", re.DOTALL
)
_LITERAL = r"[NnEe]?'(?:[^']|'')*+'"

# The word that starts the execution of a text, and the executed expression, up to the furthest
# possible end.
_RUN = re.compile(
    r"\b(?:(?:EXEC(?:UTE)?\s+)?sp_executesql|EXEC(?:UTE)?(?:\s+IMMEDIATE)?|PREPARE\s+\w+\s+FROM)\b"
    r"\s*+(?P<what>[^;]{0,2000})",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"(?:\bSET\s+|\bSELECT\s+|\bDECLARE\s+)?(?<![@\w])(?P<name>@?\w++)"
    r"(?:\s+(?:AS\s+)?[A-Za-z_]\w*(?:\s*\([^()]{0,40}\))?)?\s*(?::=|\+=|=)\s*"
    rf"(?P<value>(?:{_LITERAL}|CONCAT\s*\(|@?\w++\s*(?:\+|\|\|))[^;]{{0,2000}})",
    re.IGNORECASE,
)
_PUT_TOGETHER = re.compile(
    rf"(?:{_LITERAL}\s*(?:\+|\|\|)\s*(?P<after>[@:\w.]++\s*\(?)"
    rf"|(?<![@:\w.])(?P<before>[@:\w.]++)\s*(?:\+|\|\|)\s*{_LITERAL}"
    rf"|\bCONCAT\s*\(\s*{_LITERAL}\s*,\s*(?P<argument>[@:\w.]++\s*\(?))",
    re.IGNORECASE,
)
_QUOTING = re.compile(
    r"(?:quotename|quote_ident|quote_literal|quote_nullable|dbms_assert\.\w+|chr|char|nchar)\s*\(",
    re.IGNORECASE,
)
_VARIABLE = re.compile(r"\(?\s*(?P<name>@?\w+)")
_PASSWORD = re.compile(
    r"\b(?:CREATE|ALTER)\s+(?:USER|ROLE|LOGIN)\b[^;]{0,400}?"
    r"(?:\bIDENTIFIED\s+(?:WITH\s+\S+\s+)?(?:BY|AS)\s+(?:PASSWORD\s+)?|\bPASSWORD\s*=?\s*)"
    rf"(?P<user>{_LITERAL})"
    rf"|\bSET\s+PASSWORD\b[^;=]{{0,200}}=\s*(?:PASSWORD\s*\(\s*)?(?P<set>{_LITERAL})",
    re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"'\s*(?:|\?|[$#%:@{<\[].*|x+|\*+|\.+|changeme|null)\s*'", re.IGNORECASE)
_GRANT = re.compile(
    r"\bGRANT\s++(?P<what>[^;]{1,600}?)\s+TO\s+(?P<whom>[^;\r\n]{1,200})", re.IGNORECASE
)
_PUBLIC = re.compile(r"\bPUBLIC\b", re.IGNORECASE)
_ALL = re.compile(r"ALL\b(?!\s+(?:TABLES|SEQUENCES|FUNCTIONS))", re.IGNORECASE)
_OS_COMMAND = re.compile(
    r"\b(?:xp_cmdshell|sp_OACreate|dbms_scheduler\.create_job)\b", re.IGNORECASE
)
_PROGRAM = re.compile(r"\bCOPY\b[^;]{0,300}?\b(?:TO|FROM)\s+PROGRAM\b", re.IGNORECASE)
_WEAK_HASH = re.compile(
    r"\b(?:MD5|SHA1?)\s*\(|\bHASHBYTES\s*\(\s*N?'(?:MD[245]|SHA1?)'", re.IGNORECASE
)


def find_in_text(text: str) -> Iterator[Spot]:
    """Yield all findings, in no particular order."""
    bare = _blanked(text, strings=False)
    code = _blanked(text, strings=True)
    yield from _dynamic(bare)
    yield from _passwords(bare)
    yield from _grants(code)
    for pattern in (_OS_COMMAND, _PROGRAM):
        for match in pattern.finditer(code):
            yield Spot("sql-os-command", *match.span())
    for match in _WEAK_HASH.finditer(bare):
        yield Spot("sql-weak-hash", *match.span())


def _blanked(text: str, *, strings: bool) -> str:
    """Return the text, as long as before, without comments, and without what is in strings if so
    asked."""

    def blank(match: re.Match[str]) -> str:
        found = match[0]
        if found.startswith("'"):
            return f"'{' ' * (len(found) - 2)}'" if strings and len(found) > 1 else found
        return re.sub(r"[^\r\n]", " ", found)

    return _COMMENT_OR_STRING.sub(blank, text)


def _dynamic(bare: str) -> Iterator[Spot]:
    """Yield executions of dynamic text: concatenated in place, or before in the variable that is
    run.
    """
    assembled = {
        match["name"].lower()
        for match in _ASSIGNED.finditer(bare)
        if _is_put_together(match["value"].partition("\n\n")[0])
    }
    for match in _RUN.finditer(bare):
        what = match["what"]
        variable = _VARIABLE.match(what)
        if _is_put_together(_statement(what)) or (
            variable is not None and variable["name"].lower() in assembled
        ):
            yield Spot("sql-dynamic-exec", match.start(), match.start("what") + _first_line(what))


def _statement(what: str) -> str:
    """Return the part of a run's text that belongs to it: the inside of an open bracket, or its
    line and the lines that continue it with an operator.
    """
    lines = what.splitlines(keepends=True) or [""]
    taken = lines[0]
    for line in lines[1:]:
        goes_on = taken.count("(") > taken.count(")") or re.search(r"(?:\+|\|\||,)\s*\Z", taken)
        if not goes_on and not re.match(r"\s*(?:\+|\|\|)", line):
            break
        taken += line
    return taken


def _is_put_together(text: str) -> bool:
    for match in _PUT_TOGETHER.finditer(text):
        part = match["after"] or match["before"] or match["argument"]
        if not _QUOTING.match(part) and not part[:1].isdigit():
            return True
    return False


def _first_line(what: str) -> int:
    return len((what.splitlines() or [""])[0].rstrip())


def _passwords(bare: str) -> Iterator[Spot]:
    for match in _PASSWORD.finditer(bare):
        group = "user" if match["user"] is not None else "set"
        if not _PLACEHOLDER.fullmatch(match[group].lstrip("NnEe")):
            yield Spot("sql-plaintext-password", *match.span(group))


def _grants(code: str) -> Iterator[Spot]:
    for match in _GRANT.finditer(code):
        if _ALL.match(match["what"]):
            yield Spot("sql-grant-all", match.start(), match.end("what"))
        public = _PUBLIC.search(match["whom"])
        if public is not None:
            start = match.start("whom")
            yield Spot("sql-grant-to-public", start + public.start(), start + public.end())
