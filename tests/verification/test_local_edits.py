"""Equal tokens outside of the places that are said to have changed."""

from __future__ import annotations

import pytest
from local_edits import status

from codeintel.contracts import CheckStatus


@pytest.mark.parametrize(
    ("before", "after", "places"),
    [
        ("var a = 1;", "let a = 1;", [(1, 1, 1, 4)]),
        ("f(a);\nvar b;", "f(a);\nlet b;", [(2, 1, 2, 4)]),
        ("function f() { return x }", "function f() {\n  return x\n}", []),
        ("f();", "/** New. */\nf();", [(1, 1, 1, 1)]),
        ("é = 'ü'; var a;", "é = 'ü'; let a;", [(1, 10, 1, 13)]),
        ("a(b, c)", "a(...b, c)", [(1, 3, 1, 3)]),
        ("f(); // why\nvar b;", "f(); // why\nlet b;", [(2, 1, 2, 4)]),
        ("// why\nvar b; g();", "// why\nlet b; g();", [(1, 1, 2, 4)]),
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
        ("// @ts-ignore\nf();\ng();", "f();\n// @ts-ignore\ng();", []),
        ("f(); // @ts-ignore\ng();", "f();\n// @ts-ignore\ng();", []),
        ("f();\ng();", "f();\n// New.\ng();", []),
        ("f();\ng();", "// @ts-nocheck\nf();\ng();", [(1, 1, 1, 1)]),
        ("var a; /* b */ c();", "let a; c(); /* b */", [(1, 1, 1, 4)]),
        ("'\ud800'", "a", []),
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


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("python", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"),
        ("yaml", "a:\n  b: 1\n", "a:\nb: 1\n"),
        ("css", "a :hover {}", "a:hover {}"),
    ],
)
def test_nothing_is_shown_where_space_means_something(
    language: str, before: str, after: str
) -> None:
    assert status(before, after, language=language) is CheckStatus.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("ruby", "foo -1\n", "foo - 1\n"),
        ("ruby", "puts [1]\n", "puts[1]\n"),
        ("ruby", "puts (1).abs\n", "puts(1).abs\n"),
        ("ruby", "foo *a\n", "foo * a\n"),
        ("ruby", "foo &a\n", "foo & a\n"),
        ("ruby", "a ?b :c\n", "a ? b : c\n"),
        ("bash", "a=1\nb\n", "a=1 b\n"),
        ("bash", "[ a ]\n", "[a ]\n"),
        ("php", "<?php f(); ?>\n  hi\n", "<?php f(); ?>\nhi\n"),
        ("php", "<?php f(); ?>  <?php g();", "<?php f(); ?> <?php g();"),
        ("php", " <?php f();", "<?php f();"),
        ("php", "<?php f(); ?>\n\n", "<?php f(); ?>\n"),
        ("c", "#define A(x) x\n", "#define A (x) x\n"),
        (
            "go",
            "package m\n//go:embed x\nvar s string\n",
            "package m\nvar s string\n//go:embed x\n",
        ),
        ("rust", "/// A.\nfn f() {}\nfn g() {}\n", "fn f() {}\n/// A.\nfn g() {}\n"),
    ],
)
def test_space_and_comments_that_mean_something_stay(
    language: str, before: str, after: str
) -> None:
    assert status(before, after, language=language) is CheckStatus.FAILED
    assert status(before, f"{before}\n", language=language) is (
        CheckStatus.FAILED if "?>" in before and "g()" not in before else CheckStatus.PASSED
    )


LOOPS = """function f(xs, n) {
  let t = 0;
  for (let i = 0; i < xs.length - n; i++) {
    t += g(xs[i]);
  }
  return t == n && n > 1;
}
"""
HEAD = "for (let i = 0; i < xs.length - n; i++) {"


@pytest.mark.parametrize(
    ("language", "before", "after", "expected"),
    [
        ("javascript", HEAD, "for (let i = 0, end = xs.length - n; i < end; i++) {", "passed"),
        ("javascript", HEAD, "for (let i = 0, end = xs.length + n; i < end; i++) {", "failed"),
        ("javascript", HEAD, "for (let i = 0, end = h(xs) - n; i < end; i++) {", "failed"),
        ("javascript", HEAD, "for (let i = 0, t = xs.length - n; i < t; i++) {", "failed"),
        ("javascript", HEAD, "for (let i = 0; i < end; i++) {", "failed"),
        (
            "javascript",
            f"{HEAD}\n    t += g(xs[i]);",
            "for (const x of xs) {\n    t += x;",
            "failed",
        ),
        ("javascript", "t == n", "t === n", "passed"),
        ("javascript", "t == n", "t !== n", "failed"),
        ("javascript", "t == n && n > 1", "t === n && n >= 1", "failed"),
    ],
)
def test_new_names_stand_for_what_is_there(
    language: str, before: str, after: str, expected: str
) -> None:
    assert before in LOOPS
    start = LOOPS[: LOOPS.index(before)].count("\n") + 1
    end = start + before.count("\n")
    width = len(LOOPS.splitlines()[end - 1]) + 1
    found = status(LOOPS, LOOPS.replace(before, after), (start, 1, end, width), language=language)
    assert found is CheckStatus(expected)


def test_loops_may_go_through_a_list_that_they_counted() -> None:
    before = "function f(xs) { for (let i = 0; i < xs.length; i++) { g(xs[i] + 1); } }"
    after = "function f(xs) { for (const x of xs) { g(x + 1); } }"
    places = [(1, 23, 1, 53), (1, 59, 1, 64)]
    assert status(before, after, *places, language="javascript") is CheckStatus.PASSED
    other = after.replace("x + 1", "x")
    assert status(before, other, *places, language="javascript") is CheckStatus.FAILED
