"""V1: whether code parses."""

from __future__ import annotations

import logging

import pytest

from codeintel.engine.equivalence.parsing import UnreadableError, parse
from codeintel.engine.equivalence.readable import DIALECTS, can_parse

GOOD = {
    "python": "def f():\n    return 1\n",
    "json": '{"a": [1, null]}',
    "yaml": "a: 1\n---\nb: !mine {c: 2}\n",
    "toml": "a = 1\n[b]\n",
    "sql": "SELECT 1; SELECT 2",
    "postgres": "SELECT a::text FROM t",
    "tsql": "SELECT TOP 5 a FROM t",
    "javascript": "export const f = (a) => a ?? 1;",
    "typescript": "const f = <T,>(a: T): T => a as T;",
    "tsx": "const f = <div>{1}</div>;",
    "java": "class A { int a = 1; }",
    "go": "package main\n\nfunc main() {}\n",
    "csharp": "class A { int a = 1; }",
    "php": "<?php function f() { return 1; }",
    "ruby": "def f\n  1\nend\n",
    "rust": "fn main() {}",
    "c": "int main(void) { return 0; }",
    "cpp": "int main() { auto f = [] { return 1; }; return f(); }",
    "bash": "if true; then echo x; fi",
}
BAD = {
    "python": ("x = 1\nreturn 2\n", "line 2: 'return' outside function"),
    "json": ('{"a": 1,\n}', "line 2: "),
    "yaml": ("a: [1\nb: 2", "line 2: "),
    "yaml alias": ("a: &x 1\n---\nb: *x\n", "line 3: "),
    "toml": ("a = 1\na = 2", ""),
    "sql": ("SELECT FROM WHERE (", "sqlglot"),
    "javascript": ("let x = ;", "line 1: "),
    "typescript": ("let x: = 1\nlet y", "line 1: "),
    "java": ("class A {\n  int a = ;\n}", "line 2: "),
    "go": ("package main\nfunc {", "line 2: "),
    "php": ("<?php function (", "line 1: "),
    "ruby": ("def f\n  (\nend", "line "),
    "rust": ("fn main( {", "line 1: "),
    "c": ("int main(void) { return 0;", "line 1: "),
    "bash": ("if true; then\necho x", "line "),
}


@pytest.mark.parametrize("language", GOOD)
def test_good_code(language: str) -> None:
    assert can_parse(language)
    parse(GOOD[language], language)


@pytest.mark.parametrize("language", BAD)
def test_bad_code(language: str) -> None:
    code, words = BAD[language]
    with pytest.raises(UnreadableError) as found:
        parse(code, language.partition(" ")[0])
    assert str(found.value).startswith(words)


@pytest.mark.parametrize("language", ["python", "json", "yaml", "toml", "sql", "javascript"])
@pytest.mark.parametrize("code", ["(" * 50_000, "[" * 50_000, "\x00", "9" * 50_000, "{" * 9_999])
def test_hard_code_is_read_or_refused(language: str, code: str) -> None:
    try:
        parse(code, language)
    except UnreadableError as error:
        assert "((((" not in str(error)


def test_every_dialect_is_one_of_sqlglot() -> None:
    for language in DIALECTS:
        parse("SELECT a FROM t", language)


def test_what_nobody_reads() -> None:
    assert not can_parse("cobol")
    with pytest.raises(LookupError):
        parse("x", "cobol")


def test_typescript_may_have_jsx() -> None:
    parse("const f = <div className='a'>{1}</div>;", "typescript")


def test_sqlglot_logs_no_code(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        parse("CREATE PROCEDURE secret_name AS BEGIN x END", "tsql")
    assert "secret_name" not in caplog.text
