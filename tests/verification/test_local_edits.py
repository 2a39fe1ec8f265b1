"""Equal tokens outside of the places that are said to have changed."""

from __future__ import annotations

import pytest

from codeintel.contracts import Change, CheckStatus, Range
from codeintel.verification.comparison import Comparison
from codeintel.verification.local_edits import compare


def status(
    before: str, after: str, *places: tuple[int, int, int, int], language: str
) -> CheckStatus:
    changes = tuple(Change(rule="r", message="m", range=Range(*place)) for place in places)
    comparison = Comparison(
        before=before, after=after, language=language, target=language, changes=changes
    )
    return compare(comparison).status


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


CODE = """function f(a, b) {
  if (a > 1 || !b) {
    save(a);
    return a - b;
  }
  log("a, b", [19, 0]);
  return a < b && a === 1;
}
"""
EVERYWHERE = "".join(f"const part{number} = {number};\n" for number in range(10))


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        (4, "a - b", "a + b"),
        (4, "a - b", "b - c"),
        (4, "a - b", "a"),
        (4, "return", "throw"),
        (3, "save(a);", ""),
        (3, "save(a)", "remove(a)"),
        (3, "save(a)", "log(a)"),
        (3, "save(a)", "save(a); save(a)"),
        (3, "save(a)", "fetch('http://x'); save(a)"),
        (3, "save(a)", "save(a, 7)"),
        (6, "[19, 0]", "[21, 0]"),
        (6, "[19, 0]", "[0]"),
        (6, '"a, b"', '"a; b"'),
        (6, '"a, b"', '"a,b"'),
        (6, '"a, b"', '"a, c"'),
        (6, '"a, b"', '"a"'),
        (6, '"a, b"', '""'),
        (7, "a < b", "a <= b"),
        (7, "a < b", "a > b"),
        (7, "a < b && a", "a < b || a"),
        (7, "a === 1", "a == 1"),
        (7, "a === 1", "a !== 1"),
        (2, "!b", "b"),
        (2, "a > 1 || !b", "a > 1 && !b"),
        (2, "a > 1 || !b", "!(a > 1) || !b"),
    ],
)
def test_places_do_not_hold_just_anything(line: int, before: str, after: str) -> None:
    lines = CODE.splitlines(keepends=True)
    assert before in lines[line - 1]
    width = len(lines[line - 1])
    lines[line - 1] = lines[line - 1].replace(before, after)
    whole_line = (line, 1, line, width)
    assert status(CODE, "".join(lines), whole_line, language="javascript") is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("line", "before", "after"),
    [
        (2, "a > 1 || !b", "!(a <= 1 && b)"),
        (7, "a < b", "!(a >= b)"),
        (7, "a < b", "b > a"),
        (7, "a === 1", "1 === a"),
        (6, '"a, b"', "'a, b'"),
        (6, "[19, 0]", "[0x13, 0]"),
        (6, "[19, 0]", "[19]"),
        (6, "[19, 0]", "[19.0, 0]"),
    ],
)
def test_places_hold_what_was_there_in_another_form(line: int, before: str, after: str) -> None:
    lines = CODE.splitlines(keepends=True)
    assert before in lines[line - 1]
    width = len(lines[line - 1])
    lines[line - 1] = lines[line - 1].replace(before, after)
    whole_line = (line, 1, line, width)
    assert status(CODE, "".join(lines), whole_line, language="javascript") is CheckStatus.PASSED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1.5e10", "1.5e1"),
        ("0x1F", "0x1E"),
        ('"a/b"', '"ab"'),
        ('"90%"', '"90"'),
        ('"90%"', '"%"'),
        ('"{a}"', '"a"'),
        ('"a, b, c"', '"a b, c"'),
        ('"a", "b"', '"a", ""'),
        ('"a"', '"b"'),
        ('"a"', '" a"'),
        ('" "', '""'),
        ("/^a$/", "/^b$/"),
        ("`a ${b}`", "`a, ${b}`"),
    ],
)
def test_constants_in_places_stay(before: str, after: str) -> None:
    place = (1, 1, 1, len(before) + 6)
    result = status(f"log({before}); f()", f"log({after}); f()", place, language="javascript")
    assert result is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("before", "after", "is_right"),
    [
        ("if (a > 1) { return true; } return false;", "return a > 1;", True),
        ("if (a > 1) { return true; } return false;", "return a < 1;", False),
        ("if (a > 1) { return false; } return true;", "return a <= 1;", True),
        ("if (a) { if (b) { f(); } }", "if (a && b) { f(); }", True),
        ("if (a && b) { return true; } return false;", "return a && b;", True),
        ("if (a && b) { return true; } return false;", "return a || b;", False),
    ],
)
def test_conditions_in_places_are_not_turned_round(before: str, after: str, is_right: bool) -> None:
    place = (1, 18, 1, 18 + len(before))
    result = status(
        f"function g(a,b) {{{before}}}",
        f"function g(a,b) {{{after}}}",
        place,
        language="javascript",
    )
    assert result is (CheckStatus.PASSED if is_right else CheckStatus.FAILED)


@pytest.mark.parametrize("last", [6, 9, 10])
def test_changes_may_not_name_everything(last: int) -> None:
    after = EVERYWHERE.replace("const", "let")
    places = [(line, 1, line, 16) for line in range(1, last + 1)]
    places += [(line, 1, line, 6) for line in range(last + 1, 11)]
    expected = CheckStatus.PASSED if last == 6 else CheckStatus.FAILED
    assert status(EVERYWHERE, after, *places, language="javascript") is expected


def test_what_stands_twice_belongs_to_the_places_beside_it() -> None:
    before, after = "var a; x; x; var b;", "let a; x; x; let b;"
    places = [(1, 1, 1, 4), (1, 8, 1, 8), (1, 14, 1, 17)]
    assert status(before, after, *places, language="javascript") is CheckStatus.PASSED
    assert status(before, after + " x;", *places, language="javascript") is CheckStatus.FAILED


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
