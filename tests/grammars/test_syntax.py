from __future__ import annotations

import pytest
from codeintel_plugins.grammars import SURE_OF_BRACKETS, TRUST, SyntaxAnalyzer, grammar_of
from syntax_samples import BROKEN, FINE
from tree_sitter_language_pack import get_language

from codeintel.contracts import AnalyzerOutput, AnalyzerRequest, Finding, Note, Reported, Severity
from codeintel.contracts.languages import canonical_language
from codeintel.testing import AnalyzerContract

SYNTAX = SyntaxAnalyzer()


class TestOnJava(AnalyzerContract):
    analyzer = SyntaxAnalyzer()
    bad_code = "class A { void f() { foo(1; } }\n"
    language = "java"


class TestOnJson(AnalyzerContract):
    analyzer = SyntaxAnalyzer()
    bad_code = '{"a": 1, "a": 2,}\n'
    language = "json"


class TestOnC(AnalyzerContract):
    analyzer = SyntaxAnalyzer()
    bad_code = "#include <x.h>\nint f(int a) {\n  return a\n}\n"
    language = "c"


class TestOnYaml(AnalyzerContract):
    analyzer = SyntaxAnalyzer()
    bad_code = "a: b: c\n"
    language = "yaml"


def run(code: str, language: str) -> list[AnalyzerOutput]:
    return list(SYNTAX.analyze(AnalyzerRequest(code, language)))


def findings(code: str, language: str) -> list[Finding]:
    return [each.finding for each in run(code, language) if isinstance(each, Reported)]


@pytest.mark.parametrize(("language", "code"), FINE)
def test_good_code_has_no_errors(language: str, code: str) -> None:
    assert run(code, language) == []


@pytest.mark.parametrize(("language", "code", "line", "column", "words"), BROKEN)
def test_the_error_is_where_a_reader_sees_it(
    language: str, code: str, line: int, column: int, words: str
) -> None:
    first = findings(code, language)[0]
    assert first.rule_id == "invalid-syntax"
    assert (first.range.start_line, first.range.start_column) == (line, column)
    assert words in first.message


@pytest.mark.parametrize("language", ["java", "go", "c", "json", "php", "ruby", "toml", "xml"])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_places_count_lines_and_code_points(language: str, end: str, start: str) -> None:
    lines = {
        "java": ["class A {", ' String s = "é𝄞"; void f( { }', "}"],
        "go": ["package a", ' var s = "é𝄞"; func f( { }', ""],
        "c": ["int x;", ' char *s = "é𝄞"; int f( { }', ""],
        "json": ["{", ' "é𝄞": 1 1', "}"],
        "php": ["<?php", ' $s = "é𝄞"; f(;', ""],
        "ruby": ["x = 1", ' s = "é𝄞"; f(', ""],
        "toml": ["x = 1", ' s = "é𝄞" 1', ""],
        "xml": ["<a>", " é𝄞 <b></a>", ""],
    }[language]
    found = findings(start + end.join(lines), language)[0]
    assert found.range.start_line == 2
    column = found.range.start_column
    assert lines[1][column - 1] in "(1b"
    assert len(lines[1][: column - 1].encode()) > column  # a byte's column would be another one


@pytest.mark.parametrize(
    ("language", "code", "severity"),
    [
        ("java", "class A { int x = ; }", Severity.CRITICAL),
        ("rust", "fn main() { let x = ; }", Severity.CRITICAL),
        ("kotlin", "fun f() { val x = }", Severity.MEDIUM),
        ("kotlin", "fun f() { g( }", Severity.HIGH),
        ("c", "int f(void) { return 1 }", Severity.MEDIUM),
        ("c", "int f(void) { if (1) { }", Severity.HIGH),
        ("html", '<a href="x>b</a>', Severity.LOW),
    ],
)
def test_a_grammar_is_believed_as_far_as_it_goes(
    language: str, code: str, severity: Severity
) -> None:
    assert findings(code, language)[0].severity is severity


def test_an_error_is_not_told_twice() -> None:
    code = "class A {\n" + "  void f() { int x = ; }\n" * 30 + "}\n"
    found = findings(code, "java")
    assert len(found) == 10
    assert [each.range.start_line for each in found] == list(range(2, 12))


def test_what_follows_from_a_bracket_is_not_told() -> None:
    code = "class A {\n  void f() {\n    g(1;\n    h(2);\n  }\n}\n"
    assert [each.range.start_line for each in findings(code, "java")] == [3]


@pytest.mark.parametrize("language", ["java", "php", "ruby", "c"])
def test_messages_quote_little_and_no_secret(language: str) -> None:
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    code = f'x = = "{secret}" {"y" * 300};\n'
    found = findings(code, language)
    assert found
    for each in found:
        assert secret[:12] not in each.message
        assert len(each.message) < 100


@pytest.mark.parametrize(
    ("code", "places"),
    [
        ('{"a": 1, "b": 2}', []),
        ('{"a": 1, "a": 2}', [(1, 10)]),
        ('{"a": {"b": 1, "b": 2}, "c": {"b": 1}}', [(1, 16)]),
        ('[{"a": 1},\n {"a": 2, "b": 3,\n"a": 4}]', [(3, 1)]),
        ('{"é𝄞": 1, "é𝄞": 2}', [(1, 11)]),
    ],
)
def test_keys_that_stand_twice(code: str, places: list[tuple[int, int]]) -> None:
    found = findings(code, "json")
    assert [(each.range.start_line, each.range.start_column) for each in found] == places
    assert {each.rule_id for each in found} <= {"json-duplicate-key"}


def test_a_language_that_nobody_knows() -> None:
    assert not SYNTAX.understands("brainfuck")
    assert run("anything (", "brainfuck") == []


@pytest.mark.parametrize("other", ["python", "javascript", "typescript", "bash", "sql", "tsql"])
def test_languages_that_others_parse(other: str) -> None:
    assert not SYNTAX.understands(other)


def test_nesting_that_is_too_deep_is_said() -> None:
    outputs = run("[" * 99_000, "json")
    assert all(isinstance(each, Note) for each in outputs)
    assert outputs


@pytest.mark.parametrize("language", sorted(TRUST))
def test_every_language_has_its_grammar(language: str) -> None:
    assert get_language(grammar_of(language)) is not None  # type: ignore[arg-type]
    assert canonical_language(language) == language


def test_sure_brackets_are_of_known_languages() -> None:
    assert set(TRUST) >= SURE_OF_BRACKETS


def test_rules_are_listed_in_order() -> None:
    listed = SYNTAX.rules()
    assert [rule.id for rule in listed] == ["invalid-syntax", "json-duplicate-key"]
    assert listed[1].languages == ("json",)
