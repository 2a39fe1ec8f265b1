"""Reports as CSV: read back as they were, and computed by no spreadsheet."""

from __future__ import annotations

import csv
import io
import re

import pytest
from hypothesis import HealthCheck, example, given, settings, strategies as st
from report_samples import finding, report

from codeintel.workspaces.proof import exports as exports
from codeintel.workspaces.proof.exports import COLUMNS, safe_cell
from codeintel.workspaces.proof.shapes import ReportedFinding

UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

FORMULAS = "=+-@\t\r\uff1d\uff0b\uff0d\uff20"
NASTY = ("=1+1", "+1", "-1", "@x", "\t=1", "\r=1", " =1", '"=1', ";=1", "a;=1", "a\n=1", 'a";"=1')


def rows(text: str, delimiter: str = ",") -> list[list[str]]:
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))


def of_texts(message: str, excerpt: str) -> str:
    one = ReportedFinding(
        path="/a.py", finding=finding(message=message), fingerprint="f", excerpt=excerpt
    )
    return exports.csv_text(report(findings=(one,), fixed=()))


def test_a_line_for_each_finding() -> None:
    made = report()
    text = exports.csv_text(made)
    assert text.endswith("\r\n")
    head, *body = rows(text)
    assert tuple(head) == COLUMNS
    assert len(body) == len(made.findings) + len(made.fixed)
    assert all(len(row) == len(COLUMNS) for row in body)
    first = dict(zip(COLUMNS, body[1], strict=True))
    assert (first["path"], first["startLine"], first["severity"]) == (
        "/src/shop/cart.py",
        "1",
        "low",
    )
    assert (first["rule"], first["comparison"]) == ("F401", "same")
    assert body[-1][COLUMNS.index("comparison")] == "fixed"
    assert rows(exports.csv_text(report(findings=(), fixed=()))) == [list(COLUMNS)]


@pytest.mark.parametrize("text", NASTY)
def test_no_cell_begins_a_formula(text: str) -> None:
    made = of_texts(text, f"x{text}")
    for delimiter in ",;\t":
        for cell in (cell for row in rows(made, delimiter) for cell in row):
            assert not re.match(rf'[ "]*[{re.escape(FORMULAS)}]', cell), (delimiter, cell)


@UNHURRIED
@given(st.text(max_size=30), st.text("=+-@;,\t\r\n\"' a\uff1d", max_size=30))
@example('a";"=1', "")
def test_any_text_is_read_back(message: str, excerpt: str) -> None:
    made = of_texts(message, excerpt)
    _, row = rows(made)
    found = dict(zip(COLUMNS, row, strict=True))
    assert found["message"] == safe_cell(message)
    assert found["excerpt"] == safe_cell(excerpt)
    # Only apostrophes are added.
    assert found["excerpt"].replace("'", "") == excerpt.replace("'", "")
    assert not re.match(f"[{re.escape(FORMULAS)}]", found["message"])
    assert not re.match(f"[{re.escape(FORMULAS)}]", found["excerpt"])


@pytest.mark.parametrize("text", ["", "plain", "a = b", "f(x, -1)", "/src/a.py", "x\ny", "it's"])
def test_what_is_no_formula_stays(text: str) -> None:
    assert safe_cell(text) == text
