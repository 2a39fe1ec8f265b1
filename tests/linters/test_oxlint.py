from __future__ import annotations

from pathlib import Path

import pytest
from codeintel_plugins.linters.oxlint import OxlintAnalyzer, process as oxlint_process
from codeintel_plugins.linters.oxlint.rules import LANGUAGES, OXLINT_RULES
from codeintel_plugins.toolkit.processes import ToolFailed
from linter_helpers import findings, notes, rules, run, text_at

from codeintel.contracts import Confidence, Model, Note, Severity
from codeintel.engine.dataflow.tree import READ_AS_TYPESCRIPT
from codeintel.testing import AnalyzerContract

OXLINT = OxlintAnalyzer()
BAD = "export function f(x) {\n  if (x === NaN) { return eval(x); }\n  debugger;\n}\n"


class TestOnJavaScript(AnalyzerContract):
    analyzer = OxlintAnalyzer()
    bad_code = BAD
    language = "javascript"


class TestOnTypeScript(AnalyzerContract):
    analyzer = OxlintAnalyzer()
    bad_code = "export const f = (x: number): boolean => x === NaN;\n"
    language = "typescript"


@pytest.mark.parametrize(
    ("code", "language", "expected"),
    [
        (BAD, "javascript", ["use-isnan", "no-eval", "no-debugger"]),
        ("export const a = {x: 1, x: 2};", "javascript", ["no-dupe-keys"]),
        ("const a = 1;\na = 2;\nexport { a };", "javascript", ["no-const-assign"]),
        ("import os from 'os';\n", "javascript", ["no-unused-vars"]),
        ("export function f() { return missing; }", "javascript", ["no-undef"]),
        ("export function f(): Missing { return missing; }", "typescript", []),
        ("for (let i = 0; i < 9; i--) { console.log(i); }", "javascript", ["for-direction"]),
        ("new Promise(async () => { await x(); });", "javascript", ["no-async-promise-executor"]),
        ("setTimeout('alert(1)', 5);", "javascript", ["no-implied-eval"]),
        ("export const E = <b x={1} x={2} />;", "javascript", ["react/jsx-no-duplicate-props"]),
        ("export enum E { A = 1, B = 1 }", "typescript", ["typescript/no-duplicate-enum-values"]),
        ("export const f = (x: any) => x!.y;", "typescript", []),
    ],
)
def test_what_flash_finds(code: str, language: str, expected: list[str]) -> None:
    found = rules(run(OXLINT, code, language, Model.FLASH))
    assert [rule for rule in found if rule != "no-undef" or rule in expected] == expected


@pytest.mark.parametrize(
    ("code", "rule"),
    [
        ("export const f = (x) => x == 1;", "eqeqeq"),
        ("var a = 1; export { a };", "no-var"),
        ("export async function f(x) { for (const y of x) { await y; } }", "no-await-in-loop"),
        ("export const f = (x: any) => x;", "typescript/no-explicit-any"),
    ],
)
def test_what_only_pro_finds(code: str, rule: str) -> None:
    assert rule in rules(run(OXLINT, code, "typescript", Model.PRO))
    assert rule not in rules(run(OXLINT, code, "typescript", Model.FLASH))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_ranges_count_lines_and_code_points(start: str, end: str) -> None:
    code = f'{start}const s = "é𝄞"; debugger;{end}export {{ s }};{end}/* 𝄞 */ debugger;'
    places = [(f.range, f.rule_id) for f in findings(run(OXLINT, code, "javascript"))]
    assert [rule for _, rule in places] == ["no-debugger", "no-debugger"]
    assert [text_at(place, code) for place, _ in places] == ["debugger;", "debugger;"]
    assert [place.start_line for place, _ in places] == [1, 3]


@pytest.mark.parametrize(
    "comment",
    [
        "// eslint-disable-next-line",
        "/* eslint-disable */",
        "// oxlint-disable-next-line no-debugger",
        "/*\n oxlint-disable */",
        "/* eslint no-debugger: 0 */",
    ],
)
def test_comments_do_not_switch_rules_off(comment: str) -> None:
    assert rules(run(OXLINT, f"{comment}\ndebugger;\n", "javascript")) == ["no-debugger"]


def test_files_in_the_working_folder_do_not_switch_rules_off() -> None:
    Path(".oxlintrc.json").write_text('{"rules": {"no-debugger": "off"}}')
    Path(".eslintignore").write_text("*")
    assert rules(run(OXLINT, "debugger;\n", "javascript")) == ["no-debugger"]


@pytest.mark.parametrize(
    ("code", "place", "count"),
    [
        ("let a;\nlet a;\n", (2, 5), 1),
        ("function (\n", (1, 10), 1),
        ("let a; let a; let a;", (1, 12), 2),
    ],
)
def test_a_syntax_error_is_one_finding_and_a_note(
    code: str, place: tuple[int, int], count: int
) -> None:
    outputs = run(OXLINT, code, "javascript")
    (found,) = findings(outputs)
    assert (found.rule_id, found.severity) == ("invalid-syntax", Severity.CRITICAL)
    assert (found.range.start_line, found.range.start_column) == place
    (note,) = notes(outputs)
    assert str(count) in note or count == 1


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("with (a) { b(); }", "javascript"),
        ("import a from 'b'; export default await a;", "javascript"),
        ("const a = require('b'); module.exports = { a };", "javascript"),
        ("export const a = <p>{1}</p>;", "javascript"),
        ("#!/usr/bin/env node\nreturn 1;", "javascript"),
        ("export const a = <p>{1}</p>;", "typescript"),
        ("export const a = <any>window;", "typescript"),
        ("export const f = <T,>(x: T) => x as unknown;", "typescript"),
        ("export const a = <T>(x: T) => '</b>';", "typescript"),
        ("declare module 'x' { export type A = string; }", "typescript"),
    ],
)
def test_all_kinds_of_files_are_read(code: str, language: str) -> None:
    assert "invalid-syntax" not in rules(run(OXLINT, code, language))


@pytest.mark.parametrize(
    "code",
    [
        "function start() { return 1; }",
        "const handler = async (event) => event;",
        "class Service {}",
        "if (typeof thing !== 'undefined') { thing(); }",
        "export function f(unused) { return 1; }",
    ],
)
def test_what_a_piece_of_code_may_leave_open(code: str) -> None:
    assert rules(run(OXLINT, code, "javascript", Model.FLASH)) == []


@pytest.mark.parametrize(
    "code",
    [
        "class A {\n  constructor(private readonly x) {\n    debugger;\n  }\n}\nnew A(1);\n",
        "debugger;\nexport const size = document.title as string;\n",
        "debugger;\nexport const size: number = 1;\n",
        "debugger;\nexport const page = (x) => <p>{x as string}</p>;\n",
    ],
)
def test_typescript_that_is_called_javascript_is_checked(code: str) -> None:
    outputs = run(OXLINT, code, "javascript", Model.FLASH)
    assert "no-debugger" in rules(outputs)
    assert "invalid-syntax" not in rules(outputs)
    assert notes(outputs) == [READ_AS_TYPESCRIPT]


def test_what_is_neither_is_a_syntax_error() -> None:
    outputs = run(OXLINT, "eval(a as string);\nlet ) = 1;\n", "javascript")
    assert rules(outputs) == ["invalid-syntax"]
    assert "other rules could not check it" in notes(outputs)[0]


def test_an_error_that_typescript_numbers_is_a_syntax_error() -> None:
    outputs = run(OXLINT, "eval(a);\nfunction f(private x?: number = 1) {}\n", "typescript")
    assert "invalid-syntax" in rules(outputs)
    assert notes(outputs)


def test_an_undefined_name_is_reported_once() -> None:
    outputs = run(OXLINT, "a(); a(); b(a);", "javascript", Model.FLASH)
    assert rules(outputs) == ["no-undef", "no-undef"]


def test_of_too_many_findings_the_worst_are_kept() -> None:
    outputs = run(OXLINT, "debugger;\n" * 3_000 + "eval(x)", "javascript")
    assert len(findings(outputs)) == 2_000
    assert "no-eval" in rules(outputs)
    assert any(isinstance(each, Note) and each.truncated for each in outputs)


def test_too_much_output_is_cut() -> None:
    Path("many.js").write_text("debugger;\n" * 100)
    oxlint_process.write_configuration({"rules": {"no-debugger": "warn"}})
    cut = oxlint_process.OxlintRun("many.js", limit=10)
    assert len(list(cut)) == 10
    assert cut.cut_short


def test_a_crash_is_an_error_not_silence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(oxlint_process.ENVIRONMENT, "RUST_MIN_STACK", "1000000")
    with pytest.raises(ToolFailed, match="status"):
        run(OXLINT, "[" * 90_000, "javascript")


def test_a_file_that_is_not_looked_at_is_an_error() -> None:
    oxlint_process.write_configuration({})
    with pytest.raises(ToolFailed):
        list(oxlint_process.OxlintRun("no-such-file.js", limit=10))


def test_deeply_nested_code_is_checked() -> None:
    assert rules(run(OXLINT, f"x({'(' * 5_000}1{')' * 5_000}); debugger", "javascript"))[-1] == (
        "no-debugger"
    )


def test_a_secret_is_not_repeated() -> None:
    secret = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
    code = f'import {{ x }} from "{secret}";\nif (x == "{secret}") {{}}\n'
    assert secret[:12] not in repr(findings(run(OXLINT, code, "javascript")))


def test_rules_are_listed_in_order() -> None:
    listed = OXLINT.rules()
    assert [rule.id for rule in listed] == sorted(OXLINT_RULES)
    assert all(rule.languages == LANGUAGES[rule.id] for rule in listed)
    assert all(rule.summary.endswith(".") for rule in listed)
    assert {rule.confidence for rule in listed} == set(Confidence)


def test_oxlint_has_all_the_rules() -> None:
    """Check that all exist, because a missing rule would be an error in its configuration."""
    Path("empty.js").write_text("export {};\n")
    for language in ("javascript", "typescript"):
        run(OXLINT, "export {};", language, Model.PRO)
        assert list(oxlint_process.OxlintRun("empty.js", limit=10)) == []
