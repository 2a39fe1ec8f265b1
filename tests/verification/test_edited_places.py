"""Permitted changes at the positions that an edit names."""

from __future__ import annotations

import pytest
from local_edits import status

from codeintel.contracts import CheckStatus

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
