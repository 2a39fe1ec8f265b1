"""Each rule, both ways: what it changes, and what looks alike."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.web.documenting import WebDocument
from codeintel_plugins.transformations.web.rewriting import WebModernize, WebOptimize, WebRefactor

from codeintel.contracts import RewriteRequest, Transformation

MODERN, SIMPLE, FAST = WebModernize(), WebRefactor(), WebOptimize()
Case = tuple[Transformation, str, str, str]
CASES: tuple[Case, ...] = (
    (MODERN, "no-var", "function f() { var a = 1; return a; }", "const a = 1"),
    (MODERN, "no-var", "function f() { var a; a = 1; return a; }", "let a;"),
    (MODERN, "no-var", "export {}; for (var i = 0; i < 3; i++) g(i);", "for (let i = 0;"),
    (MODERN, "prefer-const", "export {}; let a = 1; g(a);", "const a = 1"),
    (MODERN, "prefer-template", "const n = 1; g('a' + n + 'b');", "g(`a${n}b`)"),
    (MODERN, "prefer-includes", "const a = ['x']; g(a.indexOf('y') === -1);", "!a.includes('y')"),
    (MODERN, "prefer-exponentiation", "g(Math.pow(a + 1, 2));", "(a + 1) ** 2"),
    (MODERN, "prefer-object-spread", "g(Object.assign({}, a, b));", "{ ...a, ...b }"),
    (
        *(MODERN, "prefer-object-has-own"),
        *("g(Object.prototype.hasOwnProperty.call(a, 'b'));", "Object.hasOwn(a, 'b')"),
    ),
    (MODERN, "prefer-at", "const a = [1]; g(a[a.length - 1]);", "a.at(-1)"),
    (MODERN, "prefer-literals", "const a = new Array();", "= []"),
    (MODERN, "prefer-optional-catch-binding", "try { f(); } catch (e) { g(); }", "catch { g"),
    (MODERN, "object-shorthand", "g({ a: a, b: 1 });", "{ a, b: 1 }"),
    (MODERN, "prefer-arrow-callback", "a.map(function (x) { return x; });", "a.map((x) => x)"),
    (MODERN, "no-use-strict", "'use strict';\nexport {};\n", "export {};\n"),
    (MODERN, "operator-assignment", "let a = 1; a = a + g();", "a += g()"),
    (
        *(MODERN, "prefer-nullish-coalescing"),
        *("function f(a) { return a !== null && a !== undefined ? a : 1; }", "return a ?? 1"),
    ),
    (SIMPLE, "no-unneeded-ternary", "g(a === b ? true : false);", "g(a === b)"),
    (SIMPLE, "no-extra-boolean-cast", "if (!!a) g();", "if (a) g()"),
    (SIMPLE, "no-negated-comparison", "if (!(a === b)) g();", "if (a !== b) g()"),
    (SIMPLE, "no-boolean-literal-compare", "g((a < b) === true);", "g((a < b))"),
    (SIMPLE, "no-yoda", "if (1 === a) g();", "if (a === 1) g()"),
    (SIMPLE, "dot-notation", "g(a['b']);", "g(a.b)"),
    (SIMPLE, "no-undef-init", "let a = undefined; a = 1;", "let a; a"),
    (
        *(SIMPLE, "no-else-return"),
        "function f(a) {\n  if (a) {\n    return 1;\n  } else {\n    g();\n  }\n}\n",
        "function f(a) {\n  if (a) {\n    return 1;\n  }\n  g();\n}\n",
    ),
    (
        *(SIMPLE, "return-condition"),
        *("function f(a) { if (a > 1) { return true; } return false; }", "{ return a > 1; }"),
    ),
    (
        *(SIMPLE, "no-lonely-nested-if"),
        "if (a) {\n  if (b || c) {\n    g();\n  }\n}\n",
        "if (a && (b || c)) {\n  g();\n}\n",
    ),
    (SIMPLE, "no-useless-return", "function f() { g(); return; }", "{ g(); }"),
    (FAST, "prefer-array-find", "const a = [1]; g(a.filter((x) => x > 1)[0]);", "a.find((x)"),
    (FAST, "prefer-array-flat-map", "const a = [1]; g(a.map(f).flat());", "a.flatMap(f)"),
    (FAST, "prefer-array-some", "const a = [1]; g(a.filter((x) => x > 1).length > 0);", "a.some"),
    (FAST, "prefer-string-starts-with", "g(`${a}`.indexOf('b') === 0);", "`.startsWith('b')"),
)


def rewritten(way: Transformation, code: str, *without: str) -> str:
    request = RewriteRequest(
        code=code, language="javascript", target="javascript", options={}, without=without
    )
    return way.rewrite(request).code


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[1]}-{case[2][:20]}")
def test_rules_change_what_they_should_unless_left_out(case: Case) -> None:
    way, rule, code, expected = case
    request = RewriteRequest(code=code, language="javascript", target="javascript", options={})
    result = way.rewrite(request)
    assert expected in result.code
    assert rule in {change.rule for change in result.changes}
    assert rewritten(way, code, rule) != result.code
    assert rewritten(way, result.code) == result.code


@pytest.mark.parametrize(
    ("way", "code"),
    [
        (MODERN, "var a = 1;"),
        (MODERN, "function f() { if (x) { var a = 1; } return a; }"),
        (MODERN, "function f() { g(); var a = 1; function g() { return a; } }"),
        (MODERN, "function f(a) { var a = a; eval(''); }"),
        (MODERN, "export {}; for (var i = 0; i < 3; i++) g(() => i);"),
        (MODERN, "g('a' + b);"),
        (MODERN, "g(a.indexOf(b) !== -1);"),
        (MODERN, "const a = [1]; g(a.indexOf(NaN) !== -1);"),
        (MODERN, "const a = [1]; a[a.length - 1] = 2;"),
        (MODERN, "const a = [f]; a[a.length - 1]();"),
        (MODERN, "a.map(function () { return this; });"),
        (MODERN, "a.map(function () { return arguments; });"),
        (MODERN, "define(function () { return 1; });"),
        (MODERN, "try { f(); } catch (e) { var e = 1; }"),
        (MODERN, "g({ 'a': a, __proto__: __proto__ });"),
        (MODERN, "let a; a = a || function () {};"),
        (MODERN, "Object.assign(a, b);"),
        (SIMPLE, "g(a ? true : false);"),
        (SIMPLE, "g(!!a);"),
        (SIMPLE, "g(!(a < b));"),
        (SIMPLE, "g(a === true);"),
        (SIMPLE, "g(a['b-c']);"),
        (SIMPLE, "if (a) { if (b) { g(); } } else { h(); }"),
        (SIMPLE, "function f(a) {\n  if (a) {\n    g();\n  } else {\n    h();\n  }\n}\n"),
        (FAST, "g(a.filter((x) => x > 1)[0]);"),
        (FAST, "const a = [1]; g(a.filter((x) => log(x))[0]);"),
        (FAST, "g(a.map(f).flat());"),
    ],
)
def test_what_looks_alike_stays(way: Transformation, code: str) -> None:
    assert rewritten(way, code) == code


def test_definitions_are_described_from_what_they_say() -> None:
    code = (
        "export function parseHeader(text, limit = 3) {\n  throw new RangeError();\n}\n\n"
        "class HTTPClient {\n  isOpen() {}\n  _hidden() {}\n}\n\n// Known.\nfunction known() {}\n"
    )
    assert rewritten(WebDocument(), code) == (
        "/**\n * Parse header.\n *\n * @param text\n * @param [limit=3]\n * @throws {RangeError}\n"
        " */\nexport function parseHeader(text, limit = 3) {\n  throw new RangeError();\n}\n\n"
        "/** HTTP client. */\nclass HTTPClient {\n  /** Return whether it is open. */\n  isOpen() {}\n"  # noqa: E501
        "  _hidden() {}\n}\n\n// Known.\nfunction known() {}\n"
    )
