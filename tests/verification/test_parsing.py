"""V1: whether code parses, and how often a comparison parses each of its texts."""

from __future__ import annotations

import builtins
import logging
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from codeintel.contracts import CheckStatus, Equivalence, Promise
from codeintel.engine import syntax
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.levels import compare
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


def test_one_byte_order_mark_is_forgiven_as_python_does() -> None:
    parse("\ufeffx = 1\n", "python")
    with pytest.raises(UnreadableError, match=r"line 1: .*U\+FEFF"):
        parse("\ufeff\ufeffx = 1\n", "python")


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


Parses = Counter[tuple[str, str]]
LOOP = (
    "def f(items: list[int]):\n    r = []\n    for x in items:\n        r.append(x + 1)\n"
    "    return r\n"
)
INDEX = (
    "def f(items: list[int]):\n    r = []\n    for i in range(len(items)):\n"
    "        r.append(items[i] + 1)\n    return r\n"
)
OTHER = LOOP.replace("+ 1", "+ 2")
DOCUMENTED = LOOP.replace("    r = []", '    """Add one."""\n    r = []')
SCRIPT = "function f(a) {\n  if (a) { return 1; }\n  return 2;\n}\n"
CHOICE = "function f(a) {\n  return a ? 1 : 2;\n}\n"


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> Iterator[Parses]:
    counts: Parses = Counter()
    compiled, parsed = builtins.compile, syntax.parsed

    def compiling(code: Any, *given: Any, **named: Any) -> Any:
        if isinstance(code, str):
            counts[code, "python"] += 1
        return compiled(code, *given, **named)

    def parsing(data: bytes, grammar: Any) -> Any:
        counts[data.decode(), grammar] += 1
        return parsed(data, grammar)

    monkeypatch.setattr(builtins, "compile", compiling)
    monkeypatch.setattr(syntax, "parsed", parsing)
    syntax._source.cache_clear()
    yield counts
    syntax._source.cache_clear()


@pytest.mark.parametrize(
    ("before", "after", "language", "equivalence", "status", "most"),
    [
        # One tree is shared, the other brought into normal form.
        (LOOP, INDEX, "python", Equivalence.NORMAL_FORM, CheckStatus.PASSED, 2),
        (LOOP, OTHER, "python", Equivalence.NORMAL_FORM, CheckStatus.NOT_APPLICABLE, 2),
        (LOOP, DOCUMENTED, "python", Equivalence.SYNTAX_TREE, CheckStatus.PASSED, 2),
        (SCRIPT, CHOICE, "javascript", Equivalence.NORMAL_FORM, CheckStatus.PASSED, 1),
    ],
)
def test_a_comparison_parses_each_text_seldom(
    parses: Parses,
    before: str,
    after: str,
    language: str,
    equivalence: Equivalence,
    status: CheckStatus,
    most: int,
) -> None:
    comparison = Comparison(
        before=before,
        after=after,
        language=language,
        target=language,
        equivalence=equivalence,
        by_model=True,
    )
    checks = {check.name: check for check in compare(comparison)}
    assert checks[Promise.EQUIVALENT].status is status, checks[Promise.EQUIVALENT].evidence
    assert parses[before, language]
    assert all(count <= most for count in parses.values()), parses
