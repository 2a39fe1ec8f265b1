"""Plots of reports: well formed, within their bounds, told by more than colors."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
import report_samples as samples
from hypothesis import HealthCheck, given, settings, strategies as st
from markupsafe import Markup
from msgspec import UNSET

from codeintel.contracts import Severity
from codeintel.web.plots.kinds import MOST, MOST_LETTERS, Kind, Stack, Step, changes, stacks
from codeintel.web.workspaces.report_findings import file_rows, language_rows, severity_rows
from codeintel.web.workspaces.report_views import (
    SEVERITIES,
    files_plot,
    languages_plot,
    severity_plot,
    trend_plot,
)

KINDS = (
    Kind("stayed", "There before"),
    Kind("came", "New", "stripes"),
    Kind("went", "Fixed", "dots"),
)
HOSTILE = "<script>\"'&{{ x }}\x00\ud800"
numbers = st.integers(0, 10_000)
UNHURRIED = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read(markup: Markup) -> ElementTree.Element:
    """Return the plot, and check that it has a name, no inline styles, and nothing outside of
    its width and height."""
    root = ElementTree.fromstring(str(markup))
    named = {each.get("id"): each.text for each in root if each.tag in ("title", "desc")}
    assert list(named) == [root.get("aria-labelledby"), root.get("aria-describedby")]
    patterns = {each.get("id") for each in root.iter("pattern")}
    for each in root.iter():
        assert each.get("style") is None
        fill = each.get("fill")
        assert fill is None or fill.removeprefix("url(#").removesuffix(")") in patterns
    for rect in root.findall("rect"):
        x, width = (float(rect.get(name, "").removesuffix("%")) for name in ("x", "width"))
        assert 0 <= x <= x + width <= 100.05
        y, height = (float(rect.get(name, "")) for name in ("y", "height"))
        assert 0 <= y <= y + height <= float(root.get("height", "")) + 0.01
    return root


def parts(root: ElementTree.Element, kind: str) -> list[ElementTree.Element]:
    return [each for each in root.findall("rect") if f"part-{kind}" in each.get("class", "")]


@UNHURRIED
@given(
    st.lists(st.tuples(st.text(max_size=50), st.tuples(*[numbers] * 5)), min_size=1, max_size=12)
)
def test_bars_of_any_counts(rows: list[tuple[str, tuple[int, ...]]]) -> None:
    bars = [Stack(label, "", counts) for label, counts in rows]
    if not any(sum(counts) for _, counts in rows):
        with pytest.raises(ValueError, match="no values"):
            stacks("plot", HOSTILE, "finding", bars, SEVERITIES)
        return
    root = read(stacks("plot", HOSTILE, "finding", bars, SEVERITIES))
    for at, kind in enumerate(SEVERITIES):
        drawn = parts(root, kind.name)
        assert len(drawn) == sum(bool(counts[at]) for _, counts in rows)
    assert all(len(each.text or "") <= MOST_LETTERS for each in root.findall("text"))


@UNHURRIED
@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=MOST + 5))
def test_columns_of_any_counts(rows: list[tuple[int, int, int]]) -> None:
    steps = [Step(f"Revision {at}", f"r{at}", *row) for at, row in enumerate(rows)]
    root = read(changes("plot", HOSTILE, steps, KINDS))
    for at, kind in enumerate(KINDS):
        assert len(parts(root, kind.name)) == sum(bool(row[at]) for row in rows[-MOST:])
    (zero,) = (each for each in root.findall("line") if "plot-zero" in each.get("class", ""))
    y = float(zero.get("y1", ""))
    for rect in parts(root, "went"):
        assert float(rect.get("y", "")) >= y - 0.01
    for rect in (*parts(root, "stayed"), *parts(root, "came")):
        assert float(rect.get("y", "")) <= y


def test_nothing_is_drawn_of_nothing() -> None:
    with pytest.raises(ValueError, match="no values"):
        changes("plot", "", [], KINDS)
    empty = samples.report(findings=(), fixed=(), languages=())
    assert severity_plot(severity_rows(empty)) is None
    assert files_plot(file_rows(empty.findings)) is None
    assert languages_plot(empty) is None
    assert trend_plot(samples.history(1)) is None


def test_kinds_differ_in_more_than_colour() -> None:
    # Of those in one color one has no pattern.
    assert len({kind.pattern for kind in SEVERITIES if kind.name in ("critical", "high")}) == 2
    assert len({kind.pattern for kind in SEVERITIES}) == 4
    plot = severity_plot(severity_rows(samples.report()))
    assert plot is not None
    for kind in SEVERITIES:
        assert kind.title in plot


def test_suppressed_findings_do_not_count() -> None:
    report = samples.report()
    rows = severity_rows(report)
    suppressed = sum(each.finding.suppression is not UNSET for each in report.findings)
    assert suppressed == 1
    assert sum(row.found for row in rows) == len(report.findings) - suppressed
    assert [row.severity for row in rows] == list(Severity)
    assert all((row.new or 0) + (row.same or 0) == row.found for row in rows)
    paths = [row.path for row in file_rows(report.findings)]
    assert paths == ["/src/shop/keys.py", "/web/app.js", "/src/shop/cart.py"]


def test_languages_by_their_part() -> None:
    report = samples.report()
    rows = language_rows(report)
    assert [row.title for row in rows] == ["Python", "JavaScript", "Markdown"]
    assert sum(float(row.share.removesuffix(" %")) for row in rows) == pytest.approx(100, abs=0.2)
    plot = languages_plot(report)
    assert plot is not None
    read(plot)


def test_the_trend_begins_with_the_oldest() -> None:
    plot = trend_plot(samples.history(60))
    assert plot is not None
    assert plot.index(">r21<") < plot.index(">r60<")
    assert "Revision 60" in plot
