from __future__ import annotations

import ast

import pytest
from codeintel_plugins.toolkit.positions import ToolSource
from hypothesis import given, strategies as st
from static_helpers import is_within, lines_of, text_at

from codeintel.contracts import Range

CODE = st.text(alphabet="ab é𝄞\n\r\x0c\u2028\ufeff\ud800", max_size=40)
NUMBER = st.integers(-3, 60)


@given(CODE, NUMBER, NUMBER, NUMBER, NUMBER)
def test_a_tool_range_always_lies_within_the_code(
    code: str, a: int, b: int, c: int, d: int
) -> None:
    source = ToolSource(code)
    place = source.tool_range((a, b), (c, d))
    assert is_within(place, code)
    exact = source.exact_range((a, b), (c, d))
    assert exact is None or exact == place


@given(CODE, st.data())
def test_a_span_names_the_text_between_its_offsets(code: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(code)))
    end = data.draw(st.integers(start, len(code)))
    source = ToolSource(code)
    place = source.span(start, end)
    assert is_within(place, code)
    inside = "\n".join(lines_of(source.text[start:end]))
    # An offset between CR and LF has no separate column.
    assert text_at(place, source.text).strip("\n") == inside.strip("\n")


@given(CODE)
def test_lines_are_those_of_the_contract(code: str) -> None:
    source = ToolSource(code)
    assert [source.line(n) for n in range(1, len(source) + 1)] == lines_of(source.text)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = eval(a)\n", (1, 5, 1, 12)),
        ("s = 'é𝄞'; eval(a)\n", (1, 11, 1, 18)),
        ("\ufeffx = eval(a)\n", (1, 6, 1, 13)),
        ("a = 1\r\rx = eval(a)", (3, 5, 3, 12)),
        ("a = '\u2028\x0c'\r\nx = eval('é')", (2, 5, 2, 14)),
    ],
)
def test_bytes_become_code_points(code: str, expected: tuple[int, int, int, int]) -> None:
    source = ToolSource(code)
    call = next(n for n in ast.walk(ast.parse(source.for_tools)) if isinstance(n, ast.Call))
    assert call.end_lineno is not None
    assert call.end_col_offset is not None
    start = call.lineno, source.column_of_byte(call.lineno, call.col_offset)
    end = call.end_lineno, source.column_of_byte(call.end_lineno, call.end_col_offset)
    assert source.tool_range(start, end) == Range(*expected)


def test_an_edit_is_never_moved() -> None:
    source = ToolSource("ab\ncd\n")
    assert source.exact_range((1, 1), (2, 1)) == Range(1, 1, 2, 1)
    assert source.exact_range((3, 1), (3, 1)) == Range(3, 1, 3, 1)
    assert source.exact_range((1, 1), (1, 9)) is None
    assert source.exact_range((2, 2), (1, 1)) is None
    assert source.exact_range((4, 1), (4, 1)) is None
