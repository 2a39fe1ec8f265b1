"""Trees of Python may differ in docstrings only; comments may move, but none may go."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from codeintel.contracts import Change, CheckStatus, Equivalence
from codeintel.engine.equivalence import python_trees, same_meaning
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.python_trees import compare, missing

PASSED, FAILED = CheckStatus.PASSED, CheckStatus.FAILED
UNDECIDED = CheckStatus.NOT_APPLICABLE


def compared(before: str, after: str, language: str = "python") -> Evidence:
    return compare(Comparison(before=before, after=after, language=language, target=language))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("x = 1\n", "x = 1\n"),
        ("x=(1)\n", "x = 1  # one\n"),
        ("def f(): return 1\n", 'def f():\n    """Docs."""\n    return 1\n'),
        ("class A:\n  x=1\n", 'class A:\n  r"""Docs."""\n  x=1\n'),
        ("async def f(): pass\n", 'async def f():\n    "Docs."\n    pass\n'),
        ("x = 1\n", '"""Docs."""\nx = 1\n'),
        ("def f(): 5\n", 'def f():\n    """Docs."""\n    5\n'),
        ("x = [\n1,\n2]  # type: ignore\n", "x = [1, 2]\n\n"[:-1] + "  # type: ignore\n"),
        ("\ufeffx = 1\n", "x = 1\n"),
        ("x = 'a' 'b'\n", 'x = "ab"\n'),
        (
            "if x:\n    pass\n    # type: nonsense here\n",
            "if x:\n    pass\n# type: nonsense here\n",
        ),
    ],
)
def test_the_same_program(before: str, after: str) -> None:
    evidence = compared(before, after)
    assert evidence.status is PASSED, evidence.text
    assert "nodes were compared" in evidence.text


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('def f():\n    """Docs."""\n', 'def f():\n    """Other."""\n'),
        ('def f():\n    """Docs."""\n    return 1\n', "def f():\n    return 1\n"),
        ('def f():\n    """A."""\n', 'def f():\n    """B."""\n    """A."""\n'),
        ("def f(): return 1\n", "def f():\n    b'Docs.'\n    return 1\n"),
        ("def f(): return 1\n", "def f():\n    f'Docs.'\n    return 1\n"),
        ("def f(): return 1\n", "def f():\n    'Docs.'\n    'More.'\n    return 1\n"),
        ("if x:\n    f()\n", "if x:\n    'Docs.'\n    f()\n"),
        ("x = 1\n", "x = 1.0\n"),
        ("x = 1\n", "x = True\n"),
        ("x = 0.0\n", "x = -0.0\n"),
        ("x = 'a'\n", "x = b'a'\n"),
        ("x = 1\n", "x = 1\ny = 2\n"),
        ("f(a, b)\n", "f(b, a)\n"),
        ("def f(x): pass\n", "async def f(x): pass\n"),
        ("def f(x): pass\n", "def f(*x): pass\n"),
        ("def f(x=1): pass\n", "def f(x=2): pass\n"),
        ("x = 1  # type: int\n", "x = 1  # type: str\n"),
        ("x = 1  # type: ignore\n", "x = 1\n"),
        ("from a import b\n", "from a import b as c\n"),
        ("from . import b\n", "from .. import b\n"),
        ("x += 1\n", "x -= 1\n"),
        ("@a\ndef f(): pass\n", "def f(): pass\n"),
        ("x = 1\n", "x = ("),
        ("x = 0x" + "f" * 9_000, "x = 0x" + "e" * 9_000),
        ("x = u'a'\n", "x = 'a'\n"),
        ("if x:\n    pass\n    # type: nonsense here\n", "if x:\n    pass\n"),
        ("x = 1  # one\n", 'x = 1\n"""one"""\n'),
    ],
)
def test_another_program(before: str, after: str) -> None:
    assert compared(before, after).status is FAILED


def test_what_cannot_be_compared() -> None:
    assert compared("x = (", "x = (").status is UNDECIDED
    unreadable = compared("x = (", "x = 1")
    assert unreadable.status is FAILED
    assert "nothing can be compared" in unreadable.text
    assert compared(f"x = {'-' * 50_000}1\n", "x = 1\n").status is FAILED
    deep = "x = " + "-" * 50_000 + "1\n"
    assert compared(deep, deep).status is UNDECIDED
    assert compared("x", "x", "ruby").status is UNDECIDED


def test_long_code_is_compared_without_recursion() -> None:
    code = "x = 1\n" + "".join(f"{'if' if not n else 'elif'} x == {n}:\n  y\n" for n in range(900))
    assert compared(code, code).status is PASSED


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(["x = 1", "f(2)", "y = 'a'", "if x: y = 2"]), min_size=1))
def test_dropping_a_statement_is_seen(lines: list[str]) -> None:
    before = "\n".join(lines) + "\n"
    after = "\n".join(lines[1:]) + "\n"
    assert compared(before, before).status is PASSED
    assert compared(before, after).status is FAILED


def comparison(before: str, after: str, *rules: str) -> Comparison:
    return Comparison(
        before=before,
        after=after,
        language="python",
        target="python",
        changes=tuple(Change(rule=rule, message="") for rule in rules),
        equivalence=Equivalence.NORMAL_FORM,
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("#one\na=1\n", "# one\na = 1\n"),
        ("a = 1  # one\nb = 2  # two\n", "# two  # one\na = 1\nb = 2\n"),
        ("a = 1 # one   \r\n", "a = 1  # one\r\n"),
        ("a = '# none'\n", "a = '# other'\n"),
        ("a = 1\n", "a = 1  # more\n"),
        ("a = 1  # see #12\n", "# see #12\na = 1\n"),
        ("a = (  # one\n  1)\n", "a = 1  # one\n"),
        ("\ufeff# one\na = 1\n", "# one\na = 1\n"),
        ("#\na = 1\n", "a = 1\n"),
    ],
)
def test_all_are_there(before: str, after: str) -> None:
    assert missing(comparison(before, after)) == ""


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("a = 1  # one\n", "a = 1\n", "1 comment is missing, on line 1."),
        (
            "# one\n# two\na = 1  # three\n",
            "# two\na = 1\n",
            "2 comments are missing, the first on line 1.",
        ),
        ("# one\n# one\na = 1\n", "# one\na = 1\n", "1 comment is missing, on line 2."),
        ("a = 1\nb = 2  # one\n", "a = 1\nb = 2  # other\n", "1 comment is missing, on line 2."),
        ("a = 1  # one\n", "a = 1\nb = '# one'\n", "1 comment is missing, on line 1."),
        ("a = 1  # one\n", "a = (\n", "cannot be compared"),
    ],
)
def test_one_is_gone(before: str, after: str, said: str) -> None:
    assert said in missing(comparison(before, after))


@pytest.mark.parametrize(
    ("before", "after", "rule"),
    [
        ("a = 1  # noqa: E501\n", "a = 1\n", "RUF100"),
        ("a = 1  # noqa: E501, F401\n", "a = 1  # noqa: F401\n", "RUF100"),
        ("a = 1  # why  # noqa\n", "a = 1  # why\n", "RUF100"),
        ("# -*- coding: utf-8 -*-\na = 1\n", "a = 1\n", "UP009"),
        ("#!/usr/bin/python\n# coding=utf-8\na = 1\n", "#!/usr/bin/python\na = 1\n", "UP009"),
        ("#!/usr/bin/python\na = 1\n", "a = 1\n", "EXE001"),
    ],
)
def test_a_rule_may_remove_what_only_tools_read(before: str, after: str, rule: str) -> None:
    assert missing(comparison(before, after, rule)) == ""
    assert "1 comment is missing" in missing(comparison(before, after))
    assert "1 comment is missing" in missing(comparison(before, after, "E713"))


@pytest.mark.parametrize("rule", ["RUF100", "UP009", "EXE001"])
def test_no_rule_may_remove_what_people_read(rule: str) -> None:
    code = "a = 1\nb = 2\n# coding: by us\nc = 3  # noqa, they said\n#!all\nd = 4  # why\n"
    for line in code.splitlines():
        if "#" in line:
            without = code.replace(line[line.index("#") :], "")
            is_silencing = rule == "RUF100" and "noqa" in line
            assert bool(missing(comparison(code, without, rule))) is not is_silencing


@pytest.mark.parametrize("comparer", [same_meaning.compare, python_trees.compare])
def test_both_comparisons_count_them(comparer: Callable[[Comparison], Evidence]) -> None:
    fine = comparer(comparison("a=1 # one\n", "a = 1  # one\n"))
    assert fine.status is CheckStatus.PASSED
    evidence = comparer(comparison("a=1 # secret\n", "a = 1\n"))
    assert evidence.status is CheckStatus.FAILED
    assert evidence.text == "1 comment is missing, on line 1."


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["a = 1  # one", "# two", "b = '#'", "if a:  # one\n  b"]), min_size=1)
)
def test_dropping_a_line_with_one_is_seen(lines: list[str]) -> None:
    before, after = "\n".join(lines) + "\n", "\n".join(lines[1:]) + "\n"
    assert missing(comparison(before, before + "c = 3\n")) == ""
    assert bool(missing(comparison(before, after))) is ("# " in lines[0])
