"""How languages write comments and strings: enough to tell lines of one kind from another."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple


class Lexis(NamedTuple):
    """Delimiters of a language: line comments, block comments, strings that end with their line,
    and strings that may span lines.
    """

    line: tuple[str, ...] = ()
    block: tuple[tuple[str, str], ...] = ()
    quotes: tuple[str, ...] = ('"',)
    long_quotes: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    """Words before the names of classes and their like; none where they cannot be counted."""


_C_BLOCK = (("/*", "*/"),)
_ANGLE = (("<!--", "-->"),)
_C = Lexis(("//",), _C_BLOCK, ('"', "'"))
_HASH = Lexis(("#",), (), ('"', "'"))
_LISP = Lexis((";",), (("#|", "|#"),), ('"',))
_SQL = Lexis(("--",), _C_BLOCK, ("'", '"'))

_LEXES: dict[str, Lexis] = {
    "ada": Lexis(("--",)),
    "asm": Lexis((";", "#", "//"), _C_BLOCK),
    "awk": _HASH,
    "bash": _HASH,
    "batch": Lexis(("rem ", "REM ", "Rem ", "::"), (), ()),
    "c": _C,
    "clojure": Lexis((";",)),
    "cmake": Lexis(("#",), (("#[[", "]]"),)),
    "commonlisp": _LISP,
    "cpp": _C,
    "crystal": _HASH,
    "csharp": _C._replace(classes=("class", "interface", "enum", "struct", "record")),
    "css": Lexis((), _C_BLOCK, ('"', "'")),
    "d": Lexis(("//",), (*_C_BLOCK, ("/+", "+/")), ('"', "'"), ("`",)),
    "dart": _C._replace(long_quotes=("'''", '"""'), classes=("class", "enum", "mixin")),
    "dockerfile": Lexis(("#",)),
    "elixir": Lexis(("#",), (), ('"', "'"), ('"""',), ("defmodule",)),
    "elm": Lexis(("--",), (("{-", "-}"),), ('"',), ('"""',)),
    "erlang": Lexis(("%",)),
    "fish": _HASH,
    "fortran": Lexis(("!",), (), ('"', "'")),
    "fsharp": Lexis(("//",), (("(*", "*)"),), ('"',), ('"""',)),
    "go": Lexis(("//",), _C_BLOCK, ('"', "'"), ("`",)),
    "gomod": Lexis(("//",)),
    "graphql": Lexis(("#",), (), ('"',), ('"""',)),
    "groovy": _C._replace(
        long_quotes=("'''", '"""'), classes=("class", "interface", "enum", "trait")
    ),
    "haskell": Lexis(("--",), (("{-", "-}"),)),
    "html": Lexis((), _ANGLE, ()),
    "ini": Lexis((";", "#"), (), ()),
    "java": _C._replace(long_quotes=('"""',), classes=("class", "interface", "enum", "record")),
    "javascript": _C._replace(long_quotes=("`",), classes=("class",)),
    "json": _C,
    "julia": Lexis(("#",), (("#=", "=#"),), ('"',), ('"""',)),
    "kotlin": _C._replace(long_quotes=('"""',), classes=("class", "interface", "object")),
    "latex": Lexis(("%",), (), ()),
    "less": _C,
    "lua": Lexis(("--",), (("--[[", "]]"),), ('"', "'")),
    "make": Lexis(("#",), (), ()),
    "markdown": Lexis((), _ANGLE, ()),
    "matlab": Lexis(("%",), (("%{", "%}"),), ('"',)),
    "nim": Lexis(("#",), (("#[", "]#"),), ('"',), ('"""',)),
    "nix": Lexis(("#",), _C_BLOCK, ('"',), ("''",)),
    "objc": _C,
    "ocaml": Lexis((), (("(*", "*)"),)),
    "pascal": Lexis(("//",), (("{", "}"), ("(*", "*)")), ("'",)),
    "perl": _HASH,
    "php": Lexis(("//", "#"), _C_BLOCK, ('"', "'"), (), ("class", "interface", "enum", "trait")),
    "powershell": Lexis(("#",), (("<#", "#>"),), ('"', "'")),
    "prolog": Lexis(("%",), _C_BLOCK),
    "properties": Lexis(("#", "!"), (), ()),
    "protobuf": _C,
    "r": _HASH,
    "racket": _LISP,
    "ruby": Lexis(("#",), (("\n=begin", "\n=end"),), ('"', "'"), (), ("class", "module")),
    "rust": Lexis(("//",), _C_BLOCK),
    "scala": _C._replace(long_quotes=('"""',), classes=("class", "trait", "object", "enum")),
    "scheme": _LISP,
    "scss": _C,
    "solidity": _C._replace(classes=("contract", "interface", "library")),
    "sql": _SQL,
    "starlark": Lexis(("#",), (), ('"', "'"), ('"""', "'''")),
    "svelte": Lexis((), (*_ANGLE, *_C_BLOCK), ()),
    "swift": Lexis(
        ("//",), _C_BLOCK, ('"',), ('"""',), ("class", "struct", "enum", "protocol", "actor")
    ),
    "tcl": Lexis(("#",)),
    "terraform": Lexis(("#", "//"), _C_BLOCK),
    "toml": Lexis(("#",), (), ('"', "'"), ('"""', "'''")),
    "typescript": _C._replace(long_quotes=("`",), classes=("class", "interface", "enum")),
    "vb": Lexis(("'",)),
    "verilog": Lexis(("//",), _C_BLOCK),
    "vhdl": Lexis(("--",)),
    "vim": Lexis(('"',), (), ()),
    "vue": Lexis(("//",), (*_ANGLE, *_C_BLOCK), ()),
    "xml": Lexis((), _ANGLE, ()),
    "yaml": _HASH,
    "zig": Lexis(("//",)),
    **dict.fromkeys(
        (
            "bigquery",
            "clickhouse",
            "databricks",
            "db2",
            "duckdb",
            "hive",
            "mariadb",
            "mysql",
            "oracle",
            "postgres",
            "redshift",
            "snowflake",
            "sparksql",
            "sqlite",
            "teradata",
            "trino",
            "tsql",
        ),
        _SQL,
    ),
}


def lexis_of(language: str | None) -> Lexis | None:
    """Return how a canonical language writes comments, or None if unknown."""
    return _LEXES.get(language or "")


@cache
def token_pattern(lexis: Lexis) -> re.Pattern[str]:
    """Return a pattern that splits code into comments, strings, words and everything else.

    All of its parts repeat possessively, so the search never goes back.
    """
    starts = [begin for begin, _ in lexis.block] + [*lexis.line]
    quotes = [*lexis.long_quotes, *lexis.quotes]
    special = "".join(sorted({re.escape(text[0]) for text in (*starts, *quotes)} - {"\\\n"}))
    block = "|".join(
        rf"{_start(begin)}(?:(?!{re.escape(end)}).)*+(?:{re.escape(end)}|\Z)"
        for begin, end in lexis.block
    )
    line = "|".join(rf"{re.escape(begin)}[^\r\n]*+" for begin in lexis.line)
    long_string = "|".join(
        rf"{quote}(?:[^{quote[0]}\\]|\\.|{quote[0]}(?!{quote[1:]}))*+(?:{quote}|\\?\Z)"
        if len(quote) > 1
        else rf"{quote}(?:[^{quote}\\]|\\.)*+(?:{quote}|\\?\Z)"
        for quote in lexis.long_quotes
    )
    string = "|".join(rf"{quote}(?:[^{quote}\\\r\n]|\\.)*+{quote}?" for quote in lexis.quotes)
    parts = [
        f"(?P<comment>{'|'.join(filter(None, (block, line))) or '(?!)'})",
        f"(?P<string>{'|'.join(filter(None, (long_string, string))) or '(?!)'})",
        r"(?P<word>[^\W\d]\w*+)",
        rf"(?P<other>[^\s\w{special}]++|\d\w*+|[^\s])",
    ]
    return re.compile("|".join(parts), re.DOTALL)


def _start(begin: str) -> str:
    """Return a pattern for the beginning of a block comment.

    A comment that must begin its line does not need the line end before it.
    """
    return rf"(?<![^\r\n]){re.escape(begin[1:])}" if begin[0] == "\n" else re.escape(begin)
