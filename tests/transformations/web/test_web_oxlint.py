"""Oxlint's fixes, rule by rule: what each changes, and what looks alike."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.web import oxlint
from codeintel_plugins.transformations.web.oxlint import OXLINT_RULES
from codeintel_plugins.transformations.web.rewriting import WebModernize, WebOptimize, WebRefactor

from codeintel.contracts import Rewrite, RewriteRequest, Transformation

MODERN, SIMPLE, FAST = WebModernize(), WebRefactor(), WebOptimize()
CASES: tuple[tuple[Transformation, str, str, str], ...] = (
    (SIMPLE, "no-useless-computed-key", "g({ ['a']: 1 });", "g({ 'a': 1 });"),
    (SIMPLE, "no-useless-rename", "import { x as x } from 'y';\n\ng(x);", "import { x } from 'y'"),
    (SIMPLE, "no-useless-escape", r"g('a\d', /[\.]/);", "g('ad', /[.]/);"),
    (SIMPLE, "no-extra-label", "A: for (;;) { if (x) break A; }", "for (;;) { if (x) break; }"),
    (SIMPLE, "no-unused-labels", "A: for (;;) { g(); }", "for (;;) { g(); }"),
    (SIMPLE, "no-regex-spaces", "g(/a   b/);", "g(/a {3}b/);"),
    (SIMPLE, "no-array-constructor", "g(new Array(1, 2));", "g([1, 2]);"),
    (SIMPLE, "unicorn/empty-brace-spaces", "if (a) {  }", "if (a) {}"),
    (SIMPLE, "unicorn/escape-case", r"g('\xa9');", r"g('\xA9');"),
    (SIMPLE, "unicorn/number-literal-case", "g(0XfF);", "g(0xFF);"),
    (SIMPLE, "unicorn/no-zero-fractions", "g(1.0, 2.50);", "g(1, 2.5);"),
    (SIMPLE, "unicorn/no-useless-fallback-in-spread", "g({ ...(a || {}) });", "g({ ...a });"),
    (SIMPLE, "unicorn/no-length-as-slice-end", "g(a.slice(1, a.length));", "g(a.slice(1));"),
    (SIMPLE, "unicorn/no-unnecessary-slice-end", "g(a.slice(1, Infinity));", "g(a.slice(1));"),
    (
        *(SIMPLE, "unicorn/no-unnecessary-array-splice-count"),
        *("a.splice(1, a.length);", "a.splice(1);"),
    ),
    (SIMPLE, "unicorn/throw-new-error", "throw TypeError('a');", "throw new TypeError('a');"),
    (
        *(SIMPLE, "unicorn/no-typeof-undefined"),
        *("function f(a) { return typeof a === 'undefined'; }", "return a === undefined;"),
    ),
    (
        *(SIMPLE, "no-negated-condition"),
        *("if (!a) { g(); } else { h(); }", "if (a) { h(); } else { g(); }"),
    ),
    (SIMPLE, "typescript/array-type", "let a: Array<number | string>;", "(number | string)[]"),
    (
        *(SIMPLE, "typescript/consistent-generic-constructors"),
        *("const a: Map<string, number> = new Map();", "a = new Map<string, number>();"),
    ),
    (SIMPLE, "typescript/consistent-type-assertions", "g(<any>a);", "g(a as any);"),
    (SIMPLE, "typescript/no-extra-non-null-assertion", "g(a!!.b);", "g(a!.b);"),
    (SIMPLE, "typescript/prefer-as-const", "const a = { b: 'x' as 'x' };", "'x' as const"),
    (SIMPLE, "typescript/no-useless-empty-export", "export {};\nexport const a = 1;", "export"),
    (SIMPLE, "react/self-closing-comp", "g(<div></div>);", "g(<div />);"),
    (SIMPLE, "react/jsx-boolean-value", "g(<A b={true} />);", "g(<A b />);"),
    (SIMPLE, "import/newline-after-import", "import a from 'a';\ng(a);", "'a';\n\ng(a);"),
    (MODERN, "unicorn/prefer-set-size", "g([...new Set(a)].length);", "g(new Set(a).size);"),
    (FAST, "unicorn/prefer-set-size", "g([...new Set(a)].length);", "g(new Set(a).size);"),
    (MODERN, "unicorn/prefer-date-now", "g(new Date().getTime());", "g(Date.now());"),
    (FAST, "unicorn/prefer-date-now", "g(+new Date());", "g(Date.now());"),
    (
        *(MODERN, "unicorn/prefer-string-starts-ends-with"),
        *("const a = 'x'; g(/^x/.test(a));", "g(a.startsWith('x'));"),
    ),
    (
        *(FAST, "unicorn/prefer-string-starts-ends-with"),
        *("const a = 'x'; g(/x$/.test(a));", "g(a.endsWith('x'));"),
    ),
    (MODERN, "unicorn/prefer-string-trim-start-end", "g(a.trimLeft());", "g(a.trimStart());"),
    (
        *(MODERN, "unicorn/prefer-string-slice"),
        *("function f(a: string) { return a.substr(1); }", "a.slice(1)"),
    ),
    (
        *(MODERN, "unicorn/prefer-string-replace-all"),
        *("function f(a: string) { return a.replace(/ /g, ''); }", "a.replaceAll(' ', '')"),
    ),
    (MODERN, "unicorn/prefer-node-protocol", "const a = require('fs');", "require('node:fs')"),
    (MODERN, "unicorn/prefer-bigint-literals", "g(BigInt(1));", "g(1n);"),
    (MODERN, "prefer-numeric-literals", "g(parseInt('101', 2));", "g(0b101);"),
    (MODERN, "unicorn/prefer-number-properties", "g(parseInt(a, 10));", "Number.parseInt(a, 10)"),
    (MODERN, "unicorn/no-hex-escape", r"g('\x1B');", r"g('\u001B');"),
    (MODERN, "unicorn/consistent-date-clone", "g(new Date(a.getTime()));", "g(new Date(a));"),
    (MODERN, "unicorn/numeric-separators-style", "g(1000000007);", "g(1_000_000_007);"),
)
LEFT_ALONE: tuple[tuple[Transformation, str], ...] = (
    (SIMPLE, "g({ ['__proto__']: 1 });\nclass A { ['constructor']() {} }"),
    (SIMPLE, "g(String.raw`\\xa9`, /[\\-a]/v);"),
    (SIMPLE, "A: for (;;) { for (;;) { continue A; } }"),
    (SIMPLE, "A: 'use strict';\ng();"),
    (SIMPLE, "g(new Array(5));\ng(new Array<number>(1, 2));"),
    (SIMPLE, "function f(Array) { return new Array(1, 2); }"),
    (SIMPLE, "function f(Infinity) { return a.slice(1, Infinity); }"),
    (SIMPLE, "g(h().slice(1, h().length));"),
    (SIMPLE, "throw lib.FooError('a');"),
    (SIMPLE, "function Error(a) { return a; }\nthrow Error('a');"),
    (SIMPLE, "g(typeof a === 'undefined');"),
    (SIMPLE, "function f(undefined, a) { return typeof a === 'undefined'; }"),
    (SIMPLE, "const a = <number /* in cents */>b;"),
    (SIMPLE, "// eslint-disable-next-line no-useless-escape\ng('\\d');"),
    (SIMPLE, "g(a as number);\ng(<T,>(x: T) => x);"),
    (MODERN, "let a = new Set(); a = b();\ng([...a].length);"),
    (MODERN, "function f(Set) { return [...new Set(a)].length; }"),
    (MODERN, "g(new Date(1).getTime(), a - new Date());"),
    (MODERN, "function f(Date) { return new Date().getTime(); }"),
    (MODERN, "g(/^x/.test(a));"),
    (MODERN, "g(/^x/i.test('X'), /a.c/.test('abc'));"),
    (MODERN, "g(a.substr(1), a.replace(/ /g, ''));"),
    (MODERN, "g('abc'.substr(1, 2), 'abc'.substring(2, 1));"),
    (MODERN, "const a = require('./fs');"),
    (MODERN, "function f(parseInt) { return parseInt('101', 2); }"),
    (MODERN, "g(1000, 123.456, 0x1F);"),
    (FAST, "g([...a].length);"),
)


def rewritten(
    way: Transformation,
    code: str,
    language: str = "typescript",
    without: frozenset[str] = frozenset(),
) -> Rewrite:
    return way.rewrite(
        RewriteRequest(code=code, language=language, target=language, options={}, without=without)
    )


@pytest.mark.parametrize(
    ("way", "rule", "code", "expected"), CASES, ids=[f"{case[0].kind}-{case[1]}" for case in CASES]
)
def test_fixed(way: Transformation, rule: str, code: str, expected: str) -> None:
    result = rewritten(way, code)
    assert expected in result.code
    assert rule in {change.rule for change in result.changes}
    assert rewritten(way, result.code).code == result.code
    kept = rewritten(way, code, without=frozenset({rule}))
    assert rule not in {change.rule for change in kept.changes}


def test_every_rule_is_tried() -> None:
    tried = {(way.kind, rule) for way, rule, _, _ in CASES}
    assert tried == {(kind, rule.name) for kind, rules in OXLINT_RULES.items() for rule in rules}


@pytest.mark.parametrize(("way", "code"), LEFT_ALONE)
def test_left_alone(way: Transformation, code: str) -> None:
    assert rewritten(way, code).code == code


@pytest.mark.parametrize("language", ["javascript", "typescript"])
def test_places_are_bytes_of_the_original(language: str) -> None:
    code = "// 😀 é\r\ng('😀', 1.0); /* 😀 */ g(2.50);\r\n"
    result = rewritten(SIMPLE, code, language)
    assert result.code == "// 😀 é\r\ng('😀', 1); /* 😀 */ g(2.5);\r\n"
    places = [change.range for change in result.changes]
    assert [(each.start_line, each.start_column) for each in places] == [(2, 8), (2, 24)]


def test_code_that_oxlint_cannot_read_keeps_our_own_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    code = "if (!!a) g(1.0);"
    monkeypatch.setattr(oxlint, "_SECONDS", 0)
    assert rewritten(SIMPLE, code).code == "if (a) g(1.0);"


def test_a_lone_carriage_return_is_no_line_for_everybody() -> None:
    assert rewritten(SIMPLE, "g(1.0);\rg(2.0);").code == "g(1.0);\rg(2.0);"
