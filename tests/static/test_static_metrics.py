from __future__ import annotations

import ast

import pytest
from codeintel_plugins.python.metrics import MetricsAnalyzer, measure_size
from codeintel_plugins.toolkit.positions import ToolSource
from hypothesis import given, strategies as st
from static_helpers import metrics, notes, run
from static_samples import BAD_MODULE

METRICS = MetricsAnalyzer()


def test_a_module() -> None:
    outputs = run(METRICS, BAD_MODULE)
    tree = list(ast.walk(ast.parse(BAD_MODULE)))
    assert metrics(outputs) == {
        "lines": BAD_MODULE.count("\n"),
        "codeLines": sum(bool(line.strip()) for line in BAD_MODULE.splitlines()),
        "commentLines": 0,
        "blankLines": sum(not line.strip() for line in BAD_MODULE.splitlines()),
        "functions": sum(isinstance(node, ast.FunctionDef) for node in tree),
        "classes": sum(isinstance(node, ast.ClassDef) for node in tree),
        "complexityMax": 11,
        "complexityMean": 2.62,
    }
    assert notes(outputs) == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("x = 1", (1, 1, 0, 0, 0, 0)),
        ("x = 1\n", (1, 1, 0, 0, 0, 0)),
        ("\n", (1, 0, 0, 1, 0, 0)),
        ("x = 1  # why\n# comment\n\n", (3, 1, 1, 1, 0, 0)),
        ("x = '# no comment'\n", (1, 1, 0, 0, 0, 0)),
        ("'''a\n# no comment\n\ndef f\n'''\n", (5, 4, 0, 1, 0, 0)),
        ("s = 'a\\\n# still'\n", (2, 2, 0, 0, 0, 0)),
        ("s = '\\'' # c\n", (1, 1, 0, 0, 0, 0)),
        ("async def f(): pass\r\nclass A:\r\n  def define(self): classy\r\n", (3, 3, 0, 0, 2, 1)),
        ("def f(\r\r# c", (3, 1, 1, 1, 1, 0)),
        ("x = 'unclosed\n# comment\n", (2, 1, 1, 0, 0, 0)),
        ('"""unclosed\n# no comment', (2, 2, 0, 0, 0, 0)),
    ],
)
def test_sizes(code: str, expected: tuple[int, ...]) -> None:
    assert tuple(measure_size(ToolSource(code))) == expected


def test_complexity_of_all_kinds_of_functions() -> None:
    code = "def f(a):\n  async def g():\n    if a: 0\n  for x in a: 0\nclass A:\n  def m(self): 0\n"
    measured = metrics(run(METRICS, code))
    assert measured["functions"] == 3
    assert (measured["complexityMax"], measured["complexityMean"]) == (4, 2.33)


def test_without_functions_there_is_no_complexity() -> None:
    outputs = run(METRICS, "x = 1\n")
    assert "complexityMax" not in metrics(outputs)
    assert notes(outputs) == []


@pytest.mark.parametrize(
    ("code", "words"),
    [("def f(:\n", "does not parse"), ("def f(): " + "1+" * 40_000 + "1", "nested too deeply")],
)
def test_what_cannot_be_measured_is_said(code: str, words: str) -> None:
    outputs = run(METRICS, code)
    assert metrics(outputs)["functions"] == 1
    assert "complexityMax" not in metrics(outputs)
    assert words in notes(outputs)[0]


@given(st.text(alphabet="a'\"#\\ \n\rd", max_size=60))
def test_kinds_of_lines_add_up(code: str) -> None:
    size = measure_size(ToolSource(code))
    assert size.lines == size.code_lines + size.comment_lines + size.blank_lines
    assert min(size) >= 0
