"""The same tokens but for those of types."""

from __future__ import annotations

import pytest

from codeintel.contracts import CheckStatus
from codeintel.verification.comparison import Comparison
from codeintel.verification.type_removal import compare


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
    ],
)
def test_anything_else_fails(before: str, after: str) -> None:
    assert status(before, after) is CheckStatus.FAILED


def test_what_cannot_be_read_is_not_compared() -> None:
    assert status("let = = 1", "") is CheckStatus.NOT_APPLICABLE
