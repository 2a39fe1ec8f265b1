"""Removing types keeps all tokens except for those of types."""

from __future__ import annotations

import pytest
from tree_sitter import Node

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence import type_removal
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.type_removal import compare, typescript_tree


def status(before: str, after: str) -> CheckStatus:
    comparison = Comparison(before=before, after=after, language="typescript", target="javascript")
    return compare(comparison).status


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("let x: number = 1;", "let x = 1;"),
        ("function f<T>(a?: T, b: T = a): T { return a!; }", "function f(a, b = a) { return a; }"),
        ("class A<T> extends B<T> { private x = 1; }", "class A extends B { x = 1; }"),
        ("import { type A, b } from 'c';", "import { b } from 'c';"),
        ("x = y as A.B | null;", "x = y;"),
        ("sql<A>`b`", "sql`b`"),
        ("f(x => `a`); sql<A>`b`; a > `c`;", "f(x => `a`); sql`b`; a > `c`;"),
        ("for (let i: number = 0; ; ) {}", "for (let i = 0;;) {}"),
        ("class A { x: number = 1; }", "class A { x = 1 }"),
        ("f(a, b,); type A = 1;", "f(a, b);;"),
    ],
)
def test_removed_types_pass(before: str, after: str) -> None:
    assert status(before, after) is CheckStatus.PASSED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("let x: number = 1;", "let x = 2;"),
        ("let x: number = 1; f();", "let x = 1;"),
        ("let x: number = 1;", "let x: number = 1;"),
        ("type A = 1; f();", "A = 1; f();"),
        ("enum A { B }", ""),
        ("class A { constructor(private x: 1) {} }", "class A { constructor() {} }"),
        ("const a = b\ntype C = 1\n(d)()", "const a = b\n(d)()"),
        ("a = (b as C) ? 1 : 2;", "a = b || 1;"),
        ("x = y as A.B | null;", "x = y | null;"),
        ("f(); // why", "f(); // because"),
        ("(s as string).split(',')", "s.split(';')"),
        ("(s as string[]).join(' ')", "s.join('')"),
        ("let a: string = ` `;", "let a = ``;"),
        ("let a: string = `${b}, ${c}`;", "let a = `${b}; ${c}`;"),
        ("let a: RegExp = /,/;", "let a = /;/;"),
        ("let a = <b> , </b>;", "let a = <b>,</b>;"),
        ("let a: any[] = [1,,2];", "let a = [1,2];"),
        ("let [, a]: any = b;", "let [a] = b;"),
        ("let i: any; for (; i; ) {}", "let i; for (; ; i) {}"),
        ("let i: any; for (i; ; ) {}", "let i; for (; i; ) {}"),
        ("let a: any; if (a); b();", "let a; if (a) b();"),
        ("let a: any; while (b()); {}", "let a; while (b()) {}"),
        ("let a: string = '\ud800';", "let a = '';"),
    ],
)
def test_anything_else_fails(before: str, after: str) -> None:
    assert status(before, after) is CheckStatus.FAILED


def test_what_cannot_be_read_is_not_compared() -> None:
    assert status("let = = 1", "") is CheckStatus.NOT_APPLICABLE


@pytest.mark.parametrize("line", ["f(x =>`{}`);", "sql<A{}>`a`;", "a{} < 2 && b >`a`;"])
def test_many_templates_are_read_a_few_times(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(code: bytes) -> Node:
        read.append(len(code))
        return typescript_tree(code)

    monkeypatch.setattr(type_removal, "typescript_tree", counted)
    code = "\n".join(line.format(number) for number in range(1_000))
    assert status(code, code) is not CheckStatus.NOT_APPLICABLE
    assert len(read) <= 2 * 4  # both sides
