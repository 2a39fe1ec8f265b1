"""Comments may move, but none may go."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings, strategies as st

from codeintel.contracts import Change, CheckStatus, Equivalence
from codeintel.engine.equivalence import python_trees, same_meaning
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.python_trees import missing


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
        ("a = 1  # one\n", "a = 1\n", "1 comment is gone, on line 1."),
        (
            "# one\n# two\na = 1  # three\n",
            "# two\na = 1\n",
            "2 comments are gone, the first on line 1.",
        ),
        ("# one\n# one\na = 1\n", "# one\na = 1\n", "1 comment is gone, on line 2."),
        ("a = 1\nb = 2  # one\n", "a = 1\nb = 2  # other\n", "1 comment is gone, on line 2."),
        ("a = 1  # one\n", "a = 1\nb = '# one'\n", "1 comment is gone, on line 1."),
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
    assert "1 comment is gone" in missing(comparison(before, after))
    assert "1 comment is gone" in missing(comparison(before, after, "E713"))


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
    assert evidence.text == "1 comment is gone, on line 1."


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["a = 1  # one", "# two", "b = '#'", "if a:  # one\n  b"]), min_size=1)
)
def test_dropping_a_line_with_one_is_seen(lines: list[str]) -> None:
    before, after = "\n".join(lines) + "\n", "\n".join(lines[1:]) + "\n"
    assert missing(comparison(before, before + "c = 3\n")) == ""
    assert bool(missing(comparison(before, after))) is ("# " in lines[0])
