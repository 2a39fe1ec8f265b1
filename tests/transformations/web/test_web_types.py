"""TypeScript to JavaScript."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.web.type_removal import TypeRemoval
from hypothesis import given, settings, strategies as st

from codeintel.contracts import RewriteRequest, Unsupported


def converted(code: str, **options: object) -> str:
    request = RewriteRequest(code=code, language="typescript", target="javascript", options=options)
    return TypeRemoval().rewrite(request).code


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("let x: number = 1;", "let x = 1;"),
        ("let x!: string;", "let x;"),
        ("const f = <T,>(a: T, b?: string): T => a;", "const f = (a, b) => a;"),
        ("function f(this: Window, a: number) {}", "function f(a) {}"),
        ("function f(a: unknown): asserts a is string {}", "function f(a) {}"),
        ("x = y as unknown as string;", "x = y;"),
        ("x = y as A.B.C | undefined;", "x = y;"),
        ("x = (y as A.B<C> | null)?.z;", "x = (y)?.z;"),
        ("x = <any>y;", "x = y;"),
        ("x = y!.z!;", "x = y.z;"),
        ("x = y satisfies Z;", "x = y;"),
        ("const x = { a: 1 } as const;", "const x = { a: 1 };"),
        ("f<string>(1); new Map<A, B>();", "f(1); new Map();"),
        ("sql<Row & { a: 1 }>`select`;", "sql`select`;"),
        ("import a, { type B, c } from 'x';", "import a, { c } from 'x';"),
        ("import { c, type B } from 'x';", "import { c } from 'x';"),
        ("import type { A } from 'x';\nf();", "f();"),
        ("export type { A } from 'x';\nf();", "f();"),
        ("/** Says what. */\ninterface A { a: 1 }\nf();", "f();"),
        ("const a = 1\ntype B = 2\n(f)()", "const a = 1\n;\n(f)()"),
        ("let v = q as any\n(f)()", "let v = q;\n(f)()"),
        ("class A { get: string\n x() {} }", "class A { get;\n x() {} }"),
        ("class A { a = 1\n readonly [b] = 2 }", "class A { a = 1\n ;[b] = 2 }"),
        ("class A { private static readonly x?: number = 1; }", "class A { static x = 1; }"),
        ("abstract class A { abstract f(): void; }", "class A {  }"),
        ("class A<T> extends B<T> implements C { }", "class A extends B { }"),
        ("function f(a: string): void;\nfunction f(a: any) {}", "function f(a) {}"),
        ("namespace A { export type B = 1 }\nf();", "f();"),
        ("declare global { var x: 1 }\nf();", "f();"),
        ("export interface A<in out T> { a: T }\nf();", "f();"),
        ("const x = a < b && c > d;", "const x = a < b && c > d;"),
        ("const x = <Foo<string> a={1} />;", "const x = <Foo a={1} />;"),
        ("// é\r\nlet é: string = 'ü';\r\n", "// é\r\nlet é = 'ü';\r\n"),
        ("\ufefflet x: 1;", "\ufefflet x;"),
        ("const f = (a: {\n  b: 1\n}): {\n  c: 1\n} => a;", "const f = (a) => a;"),
    ],
)
def test_types_are_left_out(before: str, after: str) -> None:
    assert converted(before) == after


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("f();\n\nenum Color { Red }", "line 3: `enum Color`"),
        ("const enum Color { Red }", "line 1: `enum Color`"),
        ("export enum Color { Red }", "line 1: `enum Color`"),
        ("namespace A { export const b = 1 }", "line 1: `namespace A` with more than types"),
        ("class A {\n constructor(private x: 1) {} }", "line 2: the parameter property `x`"),
        ("class A { constructor(readonly x: 1) {} }", "line 1: the parameter property `x`"),
        ("import x = require('y');", "line 1: `import` with `= require()`"),
        ("import A = B.C;", "line 1: an `import` alias with `=`"),
        ("export = x;", "line 1: `export =`"),
        ("@dec class A {}", "line 1: a decorator"),
        ("const f = () => <T>{ a: 1 };", "line 1: a `<Type>` cast at the start of a statement"),
        ("f();\nlet x = = 1;", "line 2: syntax error"),
    ],
)
def test_what_is_more_than_types_is_refused_with_its_line(code: str, said: str) -> None:
    with pytest.raises(Unsupported) as refusal:
        converted(code)
    assert str(refusal.value).removesuffix(" is not supported") == said


def test_lost_comments_are_named_and_can_be_refused() -> None:
    code = "interface A { /* what */ a: 1 }\nf(); // stays\n"
    request = RewriteRequest(code=code, language="typescript", target="javascript", options={})
    assert TypeRemoval().rewrite(request).losses == ("1 comment on types was removed.",)
    with pytest.raises(Unsupported):
        converted(code, strict=True)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from([*"!?`:;(){}<>", "let", "x", "= 1", "as any", "\n", "class"])))
def test_no_text_makes_it_fail_in_another_way(words: list[str]) -> None:
    code = " ".join(words)
    try:
        result = converted(code)
    except Unsupported:
        return
    assert len(result) <= len(code) + code.count("\n")


@pytest.mark.parametrize("code", ["x=" + "[" * 20_000 + "]" * 20_000, "a+" * 20_000 + "a"])
def test_what_is_nested_too_deeply_is_refused(code: str) -> None:
    with pytest.raises(Unsupported):
        converted(code)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        (
            "import { Foo, Bar, a } from './m.js';\n"
            "export function f(x: Foo, y: typeof a): Bar { return a(x); }",
            ["Foo", "Bar"],
        ),
        (
            "import D, { type T, U as V } from 'x';\nimport type { W } from 'y';\n"
            "import * as N from 'z';\nlet a: D<V>, b: N.Q, c: W, d: T;",
            ["D", "V", "N"],
        ),
        ("import { Foo } from './m.js';\nexport { Foo };\nlet x: Foo;", []),
        ("import { C } from 'm';\nclass A extends C { c: C }", []),
        ("import { C } from 'm';\nlet c: C; g({ C });", []),
        ("import 'x'; import { unused } from 'q';", []),
    ],
)
def test_imports_that_only_types_use_are_told(code: str, names: list[str]) -> None:
    request = RewriteRequest(
        code=code, language="typescript", target="javascript", options={"strict": True}
    )
    losses = TypeRemoval().rewrite(request).losses
    assert [loss.split("`")[1] for loss in losses] == names
