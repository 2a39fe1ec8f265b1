"""Code frames: marked lines for terminals."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given, strategies as st

from codeintel.cli.frames import excerpt, fix_diff, frame
from codeintel.cli.output import columns
from codeintel.cli.render import FindingText
from codeintel.contracts.positions import LineTable

CODE = LineTable('import os\n\ndef run(name):\n\tos.system("ls " + name)\n\nrun("x")\n')


def place(line: int, start: int, end: int, end_line: int | None = None) -> dict[str, Any]:
    return {
        "startLine": line,
        "startColumn": start,
        "endLine": end_line or line,
        "endColumn": end,
    }


def test_a_line_its_neighbors_and_carets() -> None:
    assert [*frame(CODE, place(4, 2, 11))] == [
        "    3 | def run(name):",
        '  > 4 |     os.system("ls " + name)',
        "      |     ^^^^^^^^^",
    ]


def test_numbers_are_aligned() -> None:
    code = LineTable("\n".join(f"line {number}" for number in range(1, 12)))
    assert [*frame(code, place(10, 1, 5))] == [
        "     9 | line 9",
        "  > 10 | line 10",
        "       | ^^^^",
        "    11 | line 11",
    ]


def test_a_range_of_several_lines_is_marked_to_the_end_of_the_first() -> None:
    assert [*frame(CODE, place(3, 1, 5, end_line=4))][:2] == [
        "  > 3 | def run(name):",
        "      | ^^^^^^^^^^^^^^",
    ]


def test_wide_characters_take_two_columns() -> None:
    code = LineTable('漢字 = eval("é")')
    assert [*excerpt(code, place(1, 6, 10))] == ['漢字 = eval("é")', "       ^^^^"]


def test_an_excerpt_has_no_indentation() -> None:
    assert [*excerpt(CODE, place(4, 2, 4))] == ['os.system("ls " + name)', "^^"]
    assert [*excerpt(CODE, place(2, 1, 1))] == []
    assert [*excerpt(CODE, place(99, 1, 1))] == []


def test_long_lines_are_cut_around_the_mark() -> None:
    code = LineTable(f"{'a' * 500} bad {'b' * 500}")
    shown = [*frame(code, place(1, 502, 505), width=60)]
    assert shown == [f"  > 1 | ...{'a' * 16} bad {'b' * 25}...", f"      | {' ' * 20}^^^"]
    assert len(shown[0]) <= 60


@pytest.mark.parametrize("value", [None, 1, "text", [], {}, True])
def test_ranges_outside_the_code_have_no_frame(value: Any) -> None:
    assert [*frame(CODE, {"startLine": value, "startColumn": value})] in ([], [*FIRST_LINE])
    assert [*frame(CODE, place(99, 1, 2))] == []


FIRST_LINE = ("  > 1 | import os", "      | ^")


@given(
    st.text(max_size=200),
    st.integers(1, 250),
    st.integers(0, 250),
    st.none() | st.integers(30, 80),
)
def test_carets_stay_below_the_line(text: str, start: int, end: int, width: int | None) -> None:
    for lines in (
        [*frame(LineTable(text), place(1, start, end), width=width)],
        [*excerpt(LineTable(text), place(1, start, end), width=width)],
    ):
        for line in lines:
            assert not {c for c in line if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}}
            assert width is None or columns(line) <= max(width, 30) + 1


def test_a_mark_behind_escaped_characters_is_in_view() -> None:
    lines = [*frame(LineTable("\x1f" * 6), place(1, 7, 0), width=30)]
    assert [columns(line) <= 30 for line in lines] == [True, True]


def test_the_diff_of_a_fix() -> None:
    fix = {
        "edits": [
            {"range": place(4, 2, 11), "content": "subprocess.run"},
            {"range": place(1, 8, 10), "content": "subprocess"},
        ]
    }
    assert [*fix_diff(CODE, fix)] == [
        "-import os",
        "+import subprocess",
        '-    os.system("ls " + name)',
        '+    subprocess.run("ls " + name)',
    ]
    assert "\x1b[31m-import os" in next(fix_diff(CODE, fix, colour=True))


def test_a_long_diff_is_cut() -> None:
    code = LineTable("x\n" * 30)
    fix = {"edits": [{"range": place(1, 1, 1, end_line=30), "content": ""}]}
    shown = [*fix_diff(code, fix)]
    assert len(shown) == 13
    assert shown[-1].endswith(" more lines")


def test_a_finding_with_its_code_and_path() -> None:
    finding = {
        "ruleId": "taint-command",
        "cwe": "CWE-78",
        "severity": "critical",
        "message": "Command injection.",
        "range": place(4, 2, 25),
        "remedy": "Pass a list.",
        "flow": [
            {"range": place(3, 9, 13), "message": "input"},
            {"range": place(3, 9, 13), "message": "assigned to name"},
            {"range": place(4, 20, 24), "message": "reaches a shell"},
        ],
    }
    assert FindingText("a.py", code=CODE.text).lines(finding) == (
        "a.py:4:2  critical  taint-command CWE-78\n"
        "  Command injection.\n"
        "\n"
        "    3 | def run(name):\n"
        '  > 4 |     os.system("ls " + name)\n'
        "      |     ^^^^^^^^^^^^^^^^^^^^^^^\n"
        "\n"
        "  Path:\n"
        "    1. a.py:3:9  input\n"
        "         def run(name):\n"
        "                 ^^^^\n"
        "    2. a.py:3:9  assigned to name\n"
        "    3. a.py:4:20  reaches a shell\n"
        '         os.system("ls " + name)\n'
        "                           ^^^^\n"
        "\n"
        "  Fix: Pass a list.\n"
        "\n"
    )


@pytest.mark.parametrize("value", [None, 1, "text", [1], {"a": 1}, True])
def test_findings_of_another_shape_do_no_harm(value: Any) -> None:
    for name in ("ruleId", "cwe", "message", "range", "flow", "remedy", "suppression", "fix"):
        finding = {"severity": "high", "range": place(1, 1, 2), name: value}
        assert FindingText("a.py", code=CODE.text).lines(finding).startswith("a.py:")
    fix = {"edits": [value, {"range": value, "content": value}]}
    FindingText("a.py", code=CODE.text).lines({"fix": fix})
