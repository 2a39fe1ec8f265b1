"""The keywords of suppression comments: where each is valid, and what it covers.

Only keywords about defects are included: `type: ignore` and `@ts-ignore` are about types. Of Java's
annotation `@SuppressWarnings`, which counts as a comment, only "all" is included.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import Enum, auto
from functools import cache
from typing import NamedTuple


class Scope(Enum):
    """The extent of a comment."""

    LINE = auto()  # its own line
    NEXT = auto()  # the line after it
    PREVIOUS = auto()  # the line before it
    COMMAND = auto()  # the next command, however long; before the first one, the file
    BLOCK = auto()  # the rest of the block around it; after a colon, the block that it opens
    OPEN = auto()  # all lines after it
    CLOSE = auto()  # until here
    FILE = auto()
    NOTHING = auto()  # the tool does not support it here


class Ids(Enum):
    """The syntax of rule ids after a keyword. Without ids, it covers all rules."""

    NONE = auto()
    COLON = auto()  # keyword: a, b and words
    CODES = auto()  # keyword: A1, B2 and words
    BARE_CODES = auto()  # keyword A1 B2 and words, the colon as you like
    EQUALS = auto()  # keyword=a,b and words; needed
    SPACE = auto()  # keyword a, b -- and words
    PARENTHESES = auto()  # keyword(a, b)
    BRACKETS = auto()  # keyword[a]


class Keyword(NamedTuple):
    """A row of the table. `keyword` is how the tool spells it, where it has but one.

    `pattern` may have a group `act`, by which `scopes` are chosen: the first is for a comment
    behind code, the second for one alone on its line. `anywhere` says that the tool finds its
    keyword behind words too; others must begin the comment, or follow another `#` or `//`.
    """

    tool: str
    keyword: str
    pattern: str
    languages: str
    ids: Ids
    scopes: Mapping[str, tuple[Scope, Scope]]
    anywhere: bool = False


_LINE = (Scope.LINE, Scope.LINE)
_LINE_OR_NEXT = (Scope.LINE, Scope.NEXT)
_NEXT = (Scope.NEXT, Scope.NEXT)
_OPEN = (Scope.OPEN, Scope.OPEN)
_CLOSE = (Scope.CLOSE, Scope.CLOSE)
_FILE = (Scope.FILE, Scope.FILE)
_FILE_ALONE = (Scope.LINE, Scope.FILE)
_BLOCK = (Scope.BLOCK, Scope.BLOCK)
_COMMAND = (Scope.NOTHING, Scope.COMMAND)

_SQL = "sql postgres mysql sqlite tsql oracle snowflake bigquery duckdb redshift sparksql trino"
_SCRIPT = "javascript typescript vue svelte html"
_C = "c cpp objc"

_ESLINT = r"-(?P<act>disable-next-line|disable-line|disable|enable)(?![\w-])"
_ESLINT_SCOPES = {
    "disable-next-line": _NEXT,
    "disable-line": _LINE,
    "disable": _OPEN,
    "enable": _CLOSE,
}

TABLE = (
    Keyword("noqa", "noqa", r"noqa\b", "python", Ids.CODES, {"": _LINE}),
    Keyword(
        "noqa",
        "noqa",
        r"(?P<act>ruff|flake8): {0,3}noqa\b",
        "python",
        Ids.CODES,
        {"ruff": _FILE_ALONE, "flake8": _FILE_ALONE},
    ),
    Keyword(
        "noqa",
        "noqa",
        r"noqa: {0,3}(?P<act>disable|enable)\b",
        _SQL,
        Ids.EQUALS,
        {"disable": _OPEN, "enable": _CLOSE},
    ),
    Keyword("noqa", "noqa", r"noqa(?!: {0,3}(?:dis|en)able)\b", _SQL, Ids.CODES, {"": _LINE}),
    Keyword("nosec", "nosec", r"nosec\b", "python", Ids.BARE_CODES, {"": _LINE}),
    Keyword("nosec", "nosec", r"nosec\b", "go", Ids.BARE_CODES, {"": _LINE_OR_NEXT}, anywhere=True),
    Keyword(
        "nosec", "gosec:disable", r"gosec:disable\b", "go", Ids.BARE_CODES, {"": _LINE_OR_NEXT}
    ),
    Keyword("nolint", "nolint", r"nolint\b", "go", Ids.COLON, {"": _LINE_OR_NEXT}),
    Keyword(
        "nosemgrep",
        "nosemgrep",
        r"nosem(?:grep)?\b",
        "",
        Ids.COLON,
        {"": _LINE_OR_NEXT},
        anywhere=True,
    ),
    Keyword("NOSONAR", "NOSONAR", r"NOSONAR\b", "", Ids.PARENTHESES, {"": _LINE}, anywhere=True),
    Keyword("lgtm", "lgtm", r"lgtm(?!\w)", "", Ids.BRACKETS, {"": _LINE}),
    Keyword(
        "codeql", "codeql", r"codeql(?=\[)", "", Ids.BRACKETS, {"": (Scope.NOTHING, Scope.NEXT)}
    ),
    Keyword(
        "pylint",
        "pylint",
        r"pylint: {0,3}(?P<act>disable-next|disable|enable)(?![\w-])",
        "python",
        Ids.EQUALS,
        {"disable-next": _NEXT, "disable": _BLOCK, "enable": (Scope.NOTHING, Scope.CLOSE)},
        anywhere=True,
    ),
    Keyword(
        "pylint", "pylint: skip-file", r"pylint: {0,3}skip-file\b", "python", Ids.NONE, {"": _FILE}
    ),
    Keyword("eslint", "eslint", rf"eslint{_ESLINT}", _SCRIPT, Ids.SPACE, _ESLINT_SCOPES),
    Keyword("oxlint", "oxlint", rf"oxlint{_ESLINT}", _SCRIPT, Ids.SPACE, _ESLINT_SCOPES),
    Keyword(
        "stylelint", "stylelint", rf"stylelint{_ESLINT}", "css scss less", Ids.SPACE, _ESLINT_SCOPES
    ),
    Keyword(
        "shellcheck",
        "shellcheck disable",
        r"shellcheck {1,3}disable\b",
        "bash",
        Ids.EQUALS,
        {"": _COMMAND},
    ),
    Keyword(
        "hadolint",
        "hadolint ignore",
        r"hadolint {1,3}ignore\b",
        "dockerfile",
        Ids.EQUALS,
        {"": _COMMAND},
    ),
    Keyword(
        "NOLINT",
        "NOLINT",
        r"NOLINT(?P<act>NEXTLINE|BEGIN|END|)\b",
        _C,
        Ids.PARENTHESES,
        {"": _LINE, "NEXTLINE": _NEXT, "BEGIN": _OPEN, "END": _CLOSE},
        anywhere=True,
    ),
    Keyword(
        "rubocop",
        "rubocop",
        r"rubocop: {0,3}(?P<act>disable|todo|enable)\b",
        "ruby",
        Ids.SPACE,
        {
            "disable": (Scope.LINE, Scope.OPEN),
            "todo": (Scope.LINE, Scope.OPEN),
            "enable": _CLOSE,
        },
    ),
    Keyword(
        "phpcs",
        "phpcs",
        r"phpcs:(?P<act>ignoreFile|ignore|disable|enable)\b",
        "php",
        Ids.SPACE,
        {"ignoreFile": _FILE, "ignore": _LINE_OR_NEXT, "disable": _OPEN, "enable": _CLOSE},
    ),
    Keyword(
        "pragma",
        "#pragma warning",
        r"(?<![/*])(?<![/*] )\# {0,3}pragma {1,3}warning {1,3}(?P<act>disable|restore)\b",
        "csharp",
        Ids.SPACE,
        {"disable": (Scope.NOTHING, Scope.OPEN), "restore": (Scope.NOTHING, Scope.CLOSE)},
    ),
    Keyword(
        "swiftlint",
        "swiftlint",
        r"swiftlint:(?P<act>(?:disable|enable)(?::(?:next|this|previous)|))(?![\w:])",
        "swift",
        Ids.SPACE,
        {
            "disable": _OPEN,
            "enable": _CLOSE,
            "disable:next": _NEXT,
            "disable:this": _LINE,
            "disable:previous": (Scope.PREVIOUS, Scope.PREVIOUS),
        },
    ),
    Keyword(
        "SuppressWarnings",
        "@SuppressWarnings",
        r"@SuppressWarnings[ \t]*\([^()\r\n]*\"all\"",
        "java",
        Ids.NONE,
        {"": (Scope.LINE, Scope.COMMAND)},
    ),
    Keyword("NOPMD", "NOPMD", r"NOPMD\b", "java", Ids.NONE, {"": _LINE}),
)
_CASE_MATTERS = frozenset({"NOLINT", "NOSONAR", "NOPMD", "nolint"})


@cache
def keywords(language: str | None) -> tuple[tuple[Keyword, re.Pattern[str]], ...]:
    """Return the rows for a language, each with its pattern; all rows if the language is
    unknown."""
    return tuple(
        (row, re.compile(rf"(?<!\w){row.pattern}", _flags(row)))
        for row in TABLE
        if language is None or not row.languages or language in row.languages.split()
    )


@cache
def any_keyword(language: str | None) -> re.Pattern[str]:
    """Return matches where some keyword of the language may be."""
    unnamed = (row.pattern.replace("?P<act>", "?:") for row, _ in keywords(language))
    return re.compile("|".join(f"(?:{pattern})" for pattern in unnamed), re.IGNORECASE)


def _flags(row: Keyword) -> re.RegexFlag:
    return re.NOFLAG if row.tool in _CASE_MATTERS else re.IGNORECASE
