"""Equal tokens outside of the places that are said to have changed."""

from __future__ import annotations

import pytest

from codeintel.contracts import Change, CheckStatus, Range
from codeintel.verification.comparison import Comparison
from codeintel.verification.local_edits import compare


def status(
    before: str, after: str, *places: tuple[int, int, int, int], language: str
) -> CheckStatus:
    changes = tuple(Change(rule="r", message="m", range=Range(*place)) for place in places)
    comparison = Comparison(
        before=before, after=after, language=language, target=language, changes=changes
    )
    return compare(comparison).status


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ("var a = 1;", "let a = 1;", [(1, 1, 1, 4)]),
        ("f(a);\nvar b;", "f(a);\nlet b;", [(2, 1, 2, 4)]),
        ("function f() { return x }", "function f() {\n  return x\n}", []),
        ("f();", "/** New. */\nf();", [(1, 1, 1, 1)]),
        ("é = 'ü'; var a;", "é = 'ü'; let a;", [(1, 10, 1, 13)]),
        ("a(b, c)", "a(...b, c)", [(1, 3, 1, 3)]),
    ],
)
def test_named_changes_pass(
    before: str, after: str, places: list[tuple[int, int, int, int]]
) -> None:
    assert status(before, after, *places, language="javascript") is CheckStatus.PASSED


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ("var a; var b;", "let a; let b;", [(1, 1, 1, 4)]),
        ("f(); g();", "g(); f();", []),
        ("x = '  '", "x = ' '", []),
        ("x = `a  ${b}`", "x = `a ${b}`", []),
        ("function f() { return\nx }", "function f() { return x }", []),
        ("f(); // why", "f();", []),
        ("f();", "f(); g();", []),
        ("a - b", "a + b", [(1, 1, 1, 2)]),
    ],
)
def test_other_changes_fail(
    before: str, after: str, places: list[tuple[int, int, int, int]]
) -> None:
    assert status(before, after, *places, language="javascript") is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("go", 'package a\nfunc f() string { x := "  "; return x }\n'),
        ("ruby", 'x = "a  #{b}"\n'),
        ("java", 'class A { String s = "  "; }'),
        ("csharp", 'class A { string s = $"  {x} "; }'),
        ("php", '<?php $a = "  $b";'),
        ("rust", 'fn f() { let x = "  "; }'),
        ("c", 'char *x = "  ";'),
        ("cpp", 'auto x = R"(  )";'),
        ("typescript", "const x = <A b='  ' />;"),
    ],
)
def test_space_counts_within_quotes_only(language: str, code: str) -> None:
    assert status(code, code.replace("  ", " "), language=language) is CheckStatus.FAILED
    assert status(code, code.replace("= ", "=   "), language=language) is CheckStatus.PASSED


def test_other_languages_are_not_compared() -> None:
    assert status("a", "b", language="cobol") is CheckStatus.NOT_APPLICABLE
