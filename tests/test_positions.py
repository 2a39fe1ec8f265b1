"""Lines and columns, compared with Python's compiler and plain splitting."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given, strategies as st

from codeintel.contracts import Range
from codeintel.contracts.positions import LineTable

# Includes every character that `str.splitlines` treats as a line end.
PIECES = ("\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1e", "\x85", "\u2028", "a", "é", "\U0001f4a9")
TEXTS = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


def lines_of(text: str) -> list[str]:
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def is_place(text: str, line: int, column: int) -> bool:
    lines = lines_of(text)
    return 1 <= line <= len(lines) and 1 <= column <= len(lines[line - 1]) + 1


@given(TEXTS)
def test_the_number_of_lines(text: str) -> None:
    assert len(LineTable(text)) == len(lines_of(text))


@given(TEXTS, *[st.integers(0, 8)] * 4)
def test_a_range_is_within_if_both_ends_are_places_in_order(
    text: str, line: int, column: int, end_line: int, end_column: int
) -> None:
    inside = (
        (line, column) <= (end_line, end_column)
        and is_place(text, line, column)
        and is_place(text, end_line, end_column)
    )
    assert LineTable(text).contains(Range(line, column, end_line, end_column)) is inside


@given(TEXTS)
def test_the_whole_text_is_within(text: str) -> None:
    lines, table = lines_of(text), LineTable(text)
    last = len(lines[-1]) + 1
    assert table.contains(Range(1, 1, len(lines), last))
    assert not table.contains(Range(1, 1, len(lines), last + 1))
    assert not table.contains(Range(1, 1, len(lines) + 1, 1))


@given(
    st.lists(st.sampled_from(["x = 1", "", "# é", "'\u2028'", "'\x85' + 'é'", "(y)"]), max_size=9),
    st.sampled_from(["\n", "\r", "\r\n"]),
)
def test_the_compiler_counts_alike(lines: list[str], end: str) -> None:
    code = end.join([*lines, "z"])
    table = LineTable(code)
    tree = ast.parse(code)
    assert tree.body[-1].lineno == len(table)
    for node in ast.walk(tree):
        if isinstance(node, ast.expr | ast.stmt):
            source = lines_of(code)[node.lineno - 1].encode()
            start = len(source[: node.col_offset].decode()) + 1
            stop = len(source[: node.end_col_offset].decode()) + 1
            assert table.contains(Range(node.lineno, start, node.lineno, stop))
            assert ast.get_source_segment(code, node) == source.decode()[start - 1 : stop - 1]


@pytest.mark.parametrize(
    ("place", "inside"),
    [
        ((1, 1, 1, 1), True),
        ((1, 3, 2, 1), True),
        ((2, 1, 1, 3), False),
        ((1, 1, 1, 4), False),
        ((0, 1, 1, 1), False),
        ((1, 0, 1, 1), False),
        ((2, 1, 2, 2), False),
        ((-1, 1, 1, 1), False),
    ],
)
def test_examples(place: tuple[int, int, int, int], inside: bool) -> None:
    assert LineTable("é\U0001f4a9\r\n").contains(Range(*place)) is inside
