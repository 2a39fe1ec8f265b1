"""Plots of bars and series: pure functions from data to SVG."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from math import isfinite
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings, strategies as st
from plot_elements import HOSTILE, assert_inside, finite, read, texts, words

from codeintel.web.plots.bars import Bar, bars
from codeintel.web.plots.series import MOST_DRAWN, Ahead, Past, series
from codeintel.web.plots.svg import LARGEST, axis_of, compact, element, number, percent

DAY = date(2026, 11, 22)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (-0.001, "0"), (1.5, "1.5"), (2 / 3, "0.67"), (100.0, "100"), (1e6, "1000000")],
)
def test_coordinates_are_short(value: float, text: str) -> None:
    assert number(value) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 2 * LARGEST])
def test_what_is_no_number_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="finite numbers"):
        number(value)
    with pytest.raises(ValueError, match="finite numbers"):
        bars("b", "B", "", [Bar("", "", value, 1, 1)], 1)
    with pytest.raises(ValueError, match="finite numbers"):
        bars("b", "B", "", [], value)
    for ahead in (Ahead(DAY, value, 0, 1), Ahead(DAY, 0, value, 1), Ahead(DAY, 0, 0, value)):
        with pytest.raises(ValueError, match="finite numbers"):
            series("s", "S", "", [], [ahead])
    with pytest.raises(ValueError, match="finite numbers"):
        series("s", "S", "", [Past(DAY, value)], [])


def test_elements_escape_texts_and_attributes() -> None:
    made = element("text", HOSTILE, element("b"), view_box=HOSTILE, class_="a", x=1.0)
    found = ElementTree.fromstring(str(made))
    assert found.text == found.get("viewBox") == "<script>\"'&{{ x }}\ufffd\ufffd"
    assert [each.tag for each in found] == ["b"]
    assert str(element("a", class_="b", stroke_width=2.5)) == '<a class="b" stroke-width="2.5"></a>'


@pytest.mark.parametrize(("share", "text"), [(-1, "0%"), (0.625, "62.5%"), (7, "100%")])
def test_percentages_stay_in_the_plot(share: float, text: str) -> None:
    assert percent(share) == text


@pytest.mark.parametrize(
    ("values", "marks"),
    [
        ([], (0, 0.5, 1)),
        ([0], (0, 0.5, 1)),
        ([3, 97], (0, 50, 100)),
        ([90, 100], (90, 95, 100)),
        ([-5, 5], (-5, 0, 5)),
        ([-100, -30], (-100, -50, 0)),
    ],
)
def test_axes_end_at_round_numbers(values: list[float], marks: tuple[float, ...]) -> None:
    assert axis_of(values, intervals=2).marks == marks


@given(st.lists(st.floats(-LARGEST, LARGEST), max_size=6))
@settings(max_examples=200)
def test_axes_hold_all_values(values: list[float]) -> None:
    axis = axis_of(values)
    assert axis.low < axis.high
    assert 2 <= len(axis.marks) <= 7
    assert all(isfinite(mark) for mark in axis.marks)
    assert all(one < other for one, other in pairwise(axis.marks))
    slack = 1e-9 * (axis.high - axis.low)
    assert all(axis.low - slack <= value <= axis.high + slack for value in values)
    assert all(0 <= axis.part(value) <= 1 for value in values)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.25, "0.25"),
        (950, "950"),
        (1_000, "1k"),
        (1_250, "1.2k"),
        (-2_500_000, "-2.5M"),
        (3e9, "3B"),
        (1e18, "1e+18"),
        (0.0001, "1e-04"),
    ],
)
def test_marks_are_short(value: float, text: str) -> None:
    assert compact(value) == text


def test_a_bar_shows_what_is_proven_and_what_is_unknown() -> None:
    row = Bar("Security", "20 of 40", 20, 30, 40)
    root = read(bars("b", "Points", "20 of 40.", [row], 80, [0, 40, 80]))
    assert root.get("role") == "img"
    found = {each.get("class"): each for each in root.iter("rect")}
    widths = {name: (each.get("x"), each.get("width")) for name, each in found.items()}
    assert widths == {
        "plot-track": ("0", "50%"),
        "plot-proven": ("0", "25%"),
        "plot-unknown": ("25%", "12.5%"),
    }
    assert found["plot-unknown"].get("fill") == "url(#b-hatch)"
    assert root.find(".//pattern[@id='b-hatch']") is not None
    assert words(root) == ["0", "40", "80", "Security", "20 of 40"]


def test_a_bar_without_unknown_points_has_no_hatch_on_it() -> None:
    root = read(bars("b", "", "", [Bar("", "", 5, 5, 10)], 10))
    assert [each.get("class") for each in root.iter("rect")] == ["plot-track", "plot-proven"]
    assert words(root) == []


def test_no_bars_at_all() -> None:
    assert_inside(read(bars("b", "Nothing", "", [], 1)))
    with pytest.raises(ValueError, match="greater than 0"):
        bars("b", "", "", [], 0)


rows = st.builds(Bar, texts, texts, finite, finite, finite)


@given(st.lists(rows, max_size=6), st.floats(1e-6, 1e12), texts, st.booleans())
@settings(max_examples=100)
def test_bars_stay_inside(own: list[Bar], most: float, text: str, has_marks: bool) -> None:
    marks = [0.0, most / 2, most] if has_marks else []
    assert_inside(read(bars("b", text, text, own, most, marks)))


def test_a_forecast_goes_on_from_its_past() -> None:
    past = [Past(DAY - timedelta(days=2), 0.0), Past(DAY, 50.0)]
    ahead = [Ahead(DAY + timedelta(days=2), 75.0, 50.0, 100.0)]
    root = read(series("s", "Stars", "75.", past, ahead))
    shapes = {each.get("class"): each.get("points") for each in root.iter() if each.get("points")}
    assert shapes == {
        "plot-band": "500,500 1000,0 1000,500",
        "plot-ahead": "500,500 1000,250",
        "plot-past": "0,1000 500,500",
    }
    assert words(root)[:3] == ["forecast starts here", "Nov 20, 2026", "Nov 24, 2026"]
    assert words(root)[3:] == ["0", "50", "100"]
    marks = [each for each in root.iter("text") if each.text in ("0", "50", "100")]
    assert {(each.get("x"), each.get("dx"), each.get("text-anchor")) for each in marks} == {
        ("0", "-8", "end")  # next to the plot: no line crosses them
    }
    circles = [(each.get("cx"), each.get("class")) for each in root.iter("circle")]
    assert circles == [("0%", "plot-dot"), ("50%", "plot-dot"), ("100%", "plot-end")]


def test_one_point_is_in_the_middle() -> None:
    root = read(series("s", "S", "", [], [Ahead(DAY, 3.0, 2.0, 4.0)]))
    assert [each.get("cx") for each in root.iter("circle")] == ["50%"]
    assert words(root)[0] == "Nov 22, 2026"
    assert words(root).count("Nov 22, 2026") == 1


def test_nothing_to_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="no values"):
        series("s", "S", "", [], [])


def test_of_a_long_past_some_days_are_drawn_and_the_last_is_one() -> None:
    past = [Past(DAY + timedelta(days=i), float(i)) for i in range(5_000)]
    root = read(series("s", "S", "", past, []))
    (line,) = [each.get("points", "") for each in root.iter("polyline")]
    assert MOST_DRAWN / 2 < len(line.split()) <= MOST_DRAWN
    assert line.split()[-1].startswith("1000,")
    assert not list(root.iter("circle"))


days = st.dates(date(1990, 1, 1), date(2100, 1, 1))
huge = st.floats(-LARGEST, LARGEST)


@given(
    st.lists(st.builds(Past, days, huge), max_size=8),
    st.lists(st.builds(Ahead, days, huge, huge, huge), max_size=8),
    texts,
)
@settings(max_examples=100)
def test_series_stay_inside(past: list[Past], ahead: list[Ahead], text: str) -> None:
    if past or ahead:
        assert_inside(read(series("s", text, text, sorted(past), sorted(ahead))))
