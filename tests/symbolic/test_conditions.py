"""The numbers that a condition permits: whether an index is within bounds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings, strategies as st
from marked_code import facts_by_line

SIZE = 10
CODE = """\
void f(TYPE i, int n) {
    int a[10] = {0};
    if (CONDITION)
        a[i] = 1;
}
"""


def facts(condition: str, type_: str = "int") -> list[str]:
    """Return the findings if the condition is the only guard of an element."""
    code = CODE.replace("CONDITION", condition).replace("TYPE", type_)
    return sorted(fact for _, fact in facts_by_line(code))


@pytest.mark.parametrize(
    "condition",
    [
        "i >= 0 && i < 10",
        "0 <= i && 9 >= i",
        "!(i < 0 || i > 9)",
        "i > -1 && i - 10 < 0",
        "(unsigned)i < 10",
        "i == 9",
        "i >= 0 && i < n && n <= 10",
        "i >= 0 && i + n < 10 && n > 0",
        "i >= 0 && (n ? i < 5 : i < 10)",
        "__builtin_expect(i >= 0 && i < 10, 1)",
        "i >= 0 && i < sizeof(a) / sizeof(a[0])",
        "i >= 0 && i * 2 < 20",
        "i < 0 && i > 0",
    ],
)
def test_enough(condition: str) -> None:
    assert facts(condition) == []


@pytest.mark.parametrize(
    ("condition", "fact"),
    [
        ("n", "index-unchecked"),
        ("i >= 0", "index-unchecked"),
        ("i < 10", "index-negative"),
        ("i >= 0 && i <= 10", "overflow-by-one"),
        ("i >= 0 && i < 12", "overflow-stack"),
        ("i == 10", "overflow-by-one"),
        ("i >= 0 && i < sizeof(a)", "overflow-stack"),
    ],
)
def test_not_enough(condition: str, fact: str) -> None:
    assert facts(condition) == [fact]


def test_types_without_a_sign_need_one_side_only() -> None:
    assert facts("i < 10", "unsigned") == []
    assert facts("i <= 10", "size_t") == ["overflow-by-one"]


relations = st.builds(
    "i {} {}".format, st.sampled_from(["<", ">", "<=", ">=", "==", "!="]), st.integers(-15, 15)
)
conditions = st.recursive(
    relations,
    lambda inner: (
        st.builds("({} && {})".format, inner, inner)
        | st.builds("({} || {})".format, inner, inner)
        | st.builds("!({})".format, inner)
    ),
    max_leaves=5,
)


def holds(condition: str, number: int) -> bool:
    text = condition.replace("&&", " and ").replace("||", " or ").replace("!(", " not (")
    return bool(eval(text, {"__builtins__": {}}, {"i": number}))


@given(conditions)
@settings(deadline=None)
def test_no_alarm_where_every_number_that_passes_is_within_bounds(condition: str) -> None:
    passing = [number for number in range(-40, 41) if holds(condition, number)]
    if all(0 <= number < SIZE for number in passing):
        assert facts(condition) == []


@given(conditions)
@settings(deadline=None)
def test_numbers_far_behind_the_end_are_found(condition: str) -> None:
    """Check that a finding exists if the greatest permitted number is known and beyond the end."""
    passing = [number for number in range(-40, 41) if holds(condition, number)]
    if passing and min(passing) >= 0 and SIZE <= max(passing) < 40:
        assert facts(f"({condition}) && i >= 0") != []
