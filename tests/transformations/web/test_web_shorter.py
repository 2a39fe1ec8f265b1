"""Redundant parts of functions and statements, and similar parts that are needed."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.web.rules import Rule, shorter
from codeintel_plugins.transformations.web.rules.blocks import ELSE_RETURN
from codeintel_plugins.transformations.web.rules.names import PREFER_CONST
from single_rules import applied

RETURN, PARENTHESES = shorter.IMMEDIATE_RETURN, shorter.EXTRA_PARENTHESES
LONELY = "if (a) {\n  b();\n} else {\n  if (c) {\n    d();\n  }\n}\n"
CHAIN = "if (a) {\n  return 1;\n} else if (b) {\n  return 2;\n} else {\n  c();\n}\n"


def in_function(code: str) -> str:
    lines = "".join(f"  {line}\n" for line in code.splitlines())
    return f"function f(a, b, c, d) {{\n{lines}}}\n"


@pytest.mark.parametrize(
    ("rule", "code", "expected"),
    [
        (shorter.ARROW_BODY, "g((x) => { return x + 1; });", "g((x) => x + 1);"),
        (shorter.ARROW_BODY, "g(x => {\n  return { a: x };\n});", "g(x => ({ a: x }));"),
        (shorter.ARROW_BODY, "g(() => { return (a, b); });", "g(() => (a, b));"),
        (
            shorter.NAMED_ARROW,
            "const f = function (x: number): number { return x; }; f(1); [1].map(f);",
            "const f = (x: number): number => { return x; }; f(1); [1].map(f);",
        ),
        (
            shorter.NAMED_ARROW,
            "const f = async function <T>(x: T) { return x; }; const h = f; h(1);",
            "const f = async <T>(x: T) => { return x; }; const h = f; h(1);",
        ),
        (RETURN, "function f() { const a = g(); return a; }", "function f() { return g(); }"),
        (
            *(RETURN, "function f(): number { let a: number = g()\n  return a\n}"),
            "function f(): number { return g()\n}",
        ),
        (PARENTHESES, "function f() { return (a + b); }", "function f() { return a + b; }"),
        (PARENTHESES, "function f() { return(a); }", "function f() { return a; }"),
        (PARENTHESES, "const x = ((a + b)); g((x));", "const x = a + b; g((x));"),
        (PARENTHESES, "const x = (a) ? (b) : c;", "const x = a ? b : c;"),
        (shorter.INFERRED_TYPES, "let t: number = 0; t += 1;", "let t = 0; t += 1;"),
        (shorter.INFERRED_TYPES, "function f(s: string = 'a') {}", "function f(s = 'a') {}"),
        (shorter.INFERRED_TYPES, "class A { b: boolean = true; }", "class A { b = true; }"),
        (
            *(shorter.LONELY_IF, LONELY),
            "if (a) {\n  b();\n} else if (c) {\n  d();\n}\n",
        ),
        (
            *(ELSE_RETURN, in_function(CHAIN)),
            in_function("if (a) {\n  return 1;\n} else if (b) {\n  return 2;\n}\nc();\n"),
        ),
        (PREFER_CONST, "export {}; for (let x of a) g(x);", "export {}; for (const x of a) g(x);"),
    ],
)
def test_what_can_be_left_out_is(rule: Rule, code: str, expected: str) -> None:
    assert applied(rule, code) == expected
    assert applied(rule, expected) == expected


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (shorter.ARROW_BODY, "const f = () => { return a }\n(b)"),
        (shorter.ARROW_BODY, "const f = () => { return a }\n;[1].map(f)".replace(";", "")),
        (shorter.ARROW_BODY, "const f = () => { return; };"),
        (shorter.ARROW_BODY, "const f = () => { /* why */ return a; };"),
        (shorter.ARROW_BODY, "const f = () => { 'use strict'; return a; };"),
        (shorter.ARROW_BODY, "for (const f = () => { return a in b; }; ;) g(f);"),
        (shorter.NAMED_ARROW, "const F = function () { return 1; }; new F();"),
        (shorter.NAMED_ARROW, "const f = function () { return this; }; f();"),
        (shorter.NAMED_ARROW, "const f = function () { return arguments; }; f();"),
        (shorter.NAMED_ARROW, "const f = function g() { return g; }; f();"),
        (shorter.NAMED_ARROW, "const f = function () {}; f.call(a);"),
        (shorter.NAMED_ARROW, "const f = function () {}; a.b = f; f();"),
        (shorter.NAMED_ARROW, "const f = function () {}; h(f);"),
        (shorter.NAMED_ARROW, "const f = function () {}; const h = f; new h();"),
        (shorter.NAMED_ARROW, "export const f = function () {}; f();"),
        (shorter.NAMED_ARROW, "let f = function () {}; f();"),
        (shorter.NAMED_ARROW, "const f = function* () {}; f();"),
        (shorter.NAMED_ARROW, "const f = function (this: any) {}; f();"),
        (RETURN, "function f() { const a = g(); h(); return a; }"),
        (RETURN, "function f() { const a = g(); return a + 1; }"),
        (RETURN, "function f() { const a = () => 1; return a; }"),
        (RETURN, "function f() { const a = g(() => a); return a; }"),
        (RETURN, "function f() { const a = g(); /* why */ return a; }"),
        (RETURN, "function f() { const a: any = g(); return a; }"),
        (RETURN, "function f(): A { const a = { b: 1 }; return a; }"),
        (RETURN, "function f() { const a = g(), b = 1; return a; }"),
        (RETURN, "function f() { const { a } = g(); return a; }"),
        (PARENTHESES, "function f() { return (\n  a\n); }"),
        (PARENTHESES, "g((a, b)); x = (a, b);"),
        (PARENTHESES, "while ((m = next())) g(m);"),
        (PARENTHESES, "const x = (a + b) * c; (a?.b).c; (() => 1)();"),
        (PARENTHESES, "const f = () => ({});"),
        (PARENTHESES, "const x = (/* why */ a);"),
        (shorter.INFERRED_TYPES, "const t: number = 0;"),
        (shorter.INFERRED_TYPES, "let t: number = 0;"),
        (shorter.INFERRED_TYPES, "let t: any = 0; t = 1;"),
        (shorter.INFERRED_TYPES, "let t: number | null = 0; t = 1;"),
        (shorter.INFERRED_TYPES, "class A { readonly b: boolean = true; }"),
        (shorter.LONELY_IF, LONELY.replace("  if (c)", "  e();\n  if (c)")),
        (shorter.LONELY_IF, LONELY.replace("  if (c)", "  // why\n  if (c)")),
        (shorter.LONELY_IF, f"if (z)\n{LONELY}else e();\n"),
        (shorter.LONELY_IF, LONELY.replace("d();", "`\n    `;")),
        (ELSE_RETURN, in_function(CHAIN.replace("return 1", "d()"))),
        (ELSE_RETURN, in_function(CHAIN.replace("c();", "const c = 1;"))),
        (ELSE_RETURN, in_function(f"while (d)\n{CHAIN}")),
        (PREFER_CONST, "export {}; for (let x of a) { x += 1; g(x); }"),
    ],
)
def test_what_looks_alike_stays(rule: Rule, code: str) -> None:
    assert applied(rule, code) == code
