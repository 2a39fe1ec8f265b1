from __future__ import annotations

import pytest
from codeintel_plugins.complexity import ComplexityAnalyzer

from codeintel.contracts import (
    AnalyzerOutput,
    AnalyzerRequest,
    Finding,
    Metric,
    Model,
    Note,
    Reported,
    Severity,
)
from codeintel.testing import AnalyzerContract

COMPLEXITY = ComplexityAnalyzer()
BRANCHES = "  if (a) { a--; }\n"


class TestOnC(AnalyzerContract):
    analyzer = ComplexityAnalyzer()
    bad_code = f"int f(int a) {{\n{BRANCHES * 12}  return a;\n}}\n"
    language = "c"


class TestOnRuby(AnalyzerContract):
    analyzer = ComplexityAnalyzer()
    bad_code = "def f(a)\n" + "  a -= 1 if a\n" * 12 + "end\n"
    language = "ruby"


class TestOnNoLanguage(AnalyzerContract):
    analyzer = ComplexityAnalyzer()
    bad_code = "anything\n"
    bad_code_has_findings = False
    language = None


def run(code: str, language: str | None, model: Model = Model.PRO) -> list[AnalyzerOutput]:
    return list(COMPLEXITY.analyze(AnalyzerRequest(code, language, model)))


def findings(outputs: list[AnalyzerOutput]) -> list[Finding]:
    return [each.finding for each in outputs if isinstance(each, Reported)]


def metrics(outputs: list[AnalyzerOutput]) -> dict[str, float]:
    return {each.name: each.value for each in outputs if isinstance(each, Metric)}


@pytest.mark.parametrize(
    ("language", "code", "functions", "highest"),
    [
        ("c", "int f(int a) { return a && a > 1 ? 1 : 2; }\nvoid g(void) {}", 2, 3),
        ("cpp", "int A::f(int a) { for (;;) {} return a; }", 1, 2),
        ("csharp", "class A { int F(int a) { if (a > 1) return 1; return 2; } }", 1, 2),
        ("go", "func f(a int) int { if a > 1 { return 1 }; return 2 }", 1, 2),
        ("java", "class A { int f(int a) { while (a > 1) a--; return a; } }", 1, 2),
        ("javascript", "const f = (a) => { return a ? <b/> : null; };\nfunction g() {}", 2, 2),
        ("kotlin", "fun f(a: Int): Int { if (a > 1) return 1; return 2 }", 1, 2),
        ("lua", "function f(a)\n if a then return 1 end\nend", 1, 2),
        ("oracle", "CREATE PROCEDURE p(a NUMBER) IS BEGIN IF a > 1 THEN NULL; END IF; END;", 1, 2),
        ("perl", "sub f { if ($a) { return 1 } return 2; }", 1, 2),
        ("php", "<?php function f($a) { if ($a) { return 1; } }", 1, 2),
        ("php", "function f($a) { if ($a) { return 1; } }", 1, 2),
        ("r", "f <- function(a) { if (a) 1 else 2 }", 1, 2),
        ("ruby", "def f(a)\n  a ? 1 : 2\nend", 1, 2),
        ("rust", "fn f(a: i32) -> i32 { if a > 1 { 1 } else { 2 } }", 1, 2),
        ("swift", "func f(_ a: Int) -> Int { if a > 1 { return 1 }; return 2 }", 1, 2),
        (
            "typescript",
            "export function f(a: number): number { if (a) { return 1 } return 2 }",
            1,
            2,
        ),
        ("typescript", "export function F(a: P) { return <b>{a && <i/>}</b> }", 1, 2),
    ],
)
def test_functions_of_many_languages(
    language: str, code: str, functions: int, highest: int
) -> None:
    measured = metrics(run(code, language))
    assert (measured["functions"], measured["complexityMax"]) == (functions, highest)
    assert measured["complexityMean"] <= highest


def test_python_has_an_analyser_of_its_own() -> None:
    assert not COMPLEXITY.understands("python")
    assert COMPLEXITY.understands("brainfuck")
    assert COMPLEXITY.understands(None)


@pytest.mark.parametrize(
    ("branches", "severity"),
    [(9, None), (10, Severity.LOW), (19, Severity.LOW), (20, Severity.MEDIUM)],
)
def test_how_bad_it_is(branches: int, severity: Severity | None) -> None:
    code = f"/* é𝄞 */ int\nworks(int a) {{\n{BRANCHES * branches}}}\n"
    found = findings(run(code, "c"))
    assert [each.severity for each in found] == ([] if severity is None else [severity])
    for each in found:
        assert (each.rule_id, each.cwe) == ("complex-function", "CWE-1121")
        assert f"({branches + 1} > 10)" in each.message
        place = each.range
        assert (place.start_line, place.start_column, place.end_column) == (2, 1, 6)


def test_too_many_parameters_are_for_pro() -> None:
    code = "int f(int a, int b, int c, int d, int e, int f, int g, int h) { return a; }"
    (found,) = findings(run(code, "c"))
    assert (found.rule_id, found.severity) == ("many-parameters", Severity.INFO)
    assert findings(run(code, "c", Model.FLASH)) == []


@pytest.mark.parametrize("comment", ["// #lizard forgives", "/* GENERATED CODE */"])
def test_comments_do_not_exclude_code(comment: str) -> None:
    code = f"{comment}\nint f(int a) {{\n{comment}\n{BRANCHES * 12}}}\n"
    assert len(findings(run(code, "c"))) == 1


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_all_line_ends_count(end: str) -> None:
    code = f"\n\nint f(int a) {{\n{BRANCHES * 12}}}\n".replace("\n", end)
    outputs = run(code, "c")
    assert metrics(outputs)["lines"] == 16
    assert findings(outputs)[0].range.start_line == 3


def test_nesting_that_is_too_deep_is_said() -> None:
    outputs = run("function f() {" * 7_000, "javascript")
    assert metrics(outputs)["lines"] == 1
    assert "functions" not in metrics(outputs)
    assert any(isinstance(each, Note) for each in outputs)


def test_rules_are_listed_in_order() -> None:
    assert [rule.id for rule in COMPLEXITY.rules()] == ["complex-function", "many-parameters"]
