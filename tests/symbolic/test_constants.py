"""Constants have the values that C gives them."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from codeintel.engine.dataflow.tree import parse
from codeintel.engine.symbolic.reading.expressions import unescaped
from codeintel.engine.symbolic.reading.file import read_file
from codeintel.engine.symbolic.syntax import Number
from codeintel.engine.symbolic.values.polynomials import MAX_NUMBER
from codeintel.engine.symbolic.values.types import operate

numbers = st.integers(-(2**63), 2**64 - 1)


def constant(definitions: str, name: str, language: str = "c") -> int | None:
    """Return the value of a name that a file defines, or None if unknown."""
    source = read_file(parse(definitions, language), language)
    assert source is not None
    found = source.constants.get(name)
    return found.value if isinstance(found, Number) else None


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("42", 42),
        ("-1", -1),
        ("0x1F", 31),
        ("010", 8),
        ("0b101", 5),
        ("100UL", 100),
        ("'A'", 65),
        ("'\\n'", 10),
        ("1 << 4", 16),
        ("-7 / 2", -3),
        ("-7 % 2", -1),
        ("~0 & 0xFF", 255),
        ("(3 > 2) + !5", 1),
        ("2 || 0", 1),
        ("1 / 0", None),
        ("1 << 64", None),
        ("unknown + 1", None),
        ("0xFFFFFFFFFFFFFFFFFF", None),
    ],
)
def test_values(written: str, value: int | None) -> None:
    assert constant(f"#define X ({written})\n", "X") == value
    assert constant(f"const int X = {written};", "X") == value
    assert constant(f"enum {{ X = {written} }};", "X") == value


@pytest.mark.parametrize(
    ("definitions", "name", "value"),
    [
        ("enum { A, B, C };", "C", 2),
        ("enum { A = 1 << 3, B };", "B", 9),
        ("enum { A = 5, B = A * 2, C };", "C", 11),
        ("enum { A = sizeof(long) * 2 };", "A", 16),
        ("#define N 4\nenum { A = N + 1 };", "A", 5),
        ("#define N 4\n#define M (N * N)\n", "M", 16),
        ("enum { A = other(), B };", "B", None),
    ],
)
def test_names(definitions: str, name: str, value: int | None) -> None:
    assert constant(definitions, name) == value


def test_members_of_classes() -> None:
    assert constant("class A { static const int SIZE = 4 * 4; };", "SIZE", "cpp") == 16


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        (r"a\nb", "a\nb"),
        (r"\x41\101", "AA"),
        (r"\"\\\'", "\"\\'"),
        (r"\0", "\0"),
        (r"\u00e9", "é"),
        ("\\q\\", "q\\"),
        (r"\x", "x"),
    ],
)
def test_escapes(text: str, meant: str) -> None:
    assert unescaped(text) == meant


@given(st.text())
def test_escaping_what_a_text_stands_for_gives_the_text_again(text: str) -> None:
    plain = text.replace("\\", "\\\\")
    codes = "".join(f"\\u{ord(each):04x}" if ord(each) < 0x10000 else each for each in plain)
    assert unescaped(plain) == text
    assert unescaped(codes) == plain


@given(st.text())
def test_text_without_escapes_stands_for_itself(text: str) -> None:
    without = text.replace("\\", "")
    assert unescaped(without) == without
    assert unescaped(f"\\n{without}") == f"\n{without}"


@given(numbers, numbers)
def test_division(left: int, right: int) -> None:
    quotient, rest = operate("/", left, right), operate("%", left, right)
    if right == 0:
        assert quotient is rest is None
        return
    assert quotient is not None
    assert rest is not None
    assert quotient * right + rest == left
    assert abs(rest) < abs(right)
    assert rest == 0 or (rest < 0) == (left < 0)


@given(st.sampled_from(["+", "-", "*", "&", "|", "^", "<<", ">>"]), numbers, numbers)
def test_results_are_within_all_types(op: str, left: int, right: int) -> None:
    found = operate(op, left, right)
    assert found is None or abs(found) <= MAX_NUMBER


@given(st.sampled_from(["==", "!=", "<", ">", "<=", ">="]), numbers, numbers)
def test_relations(op: str, left: int, right: int) -> None:
    opposite = {"==": "!=", "!=": "==", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}[op]
    assert {operate(op, left, right), operate(opposite, left, right)} == {0, 1}
