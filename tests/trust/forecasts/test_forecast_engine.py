"""Forecasts of whole series."""

from __future__ import annotations

import warnings
from datetime import date, timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from codeintel.trust.forecasts import (
    Forecast,
    Measure,
    NoForecast,
    Observation,
    SeriesTask,
    backtest,
    forecasting,
    methods,
)
from codeintel.trust.forecasts.forecasting import forecast

START = date(2025, 1, 3)


def walk(count: int, seed: int = 1, drift: float = 5.0, noise: float = 3.0) -> Any:
    """Return a count that grows by about the same each step."""
    moves = np.random.default_rng(seed).normal(drift, noise, count)
    return np.maximum(0.0, np.round(1000.0 + np.cumsum(moves)))


def task(values: Any, *, days: int = 7, **changes: Any) -> SeriesTask:
    rows = tuple(
        Observation(START + timedelta(days=days * at), float(value))
        for at, value in enumerate(values)
    )
    return SeriesTask("stars", rows, **changes)


def found(values: Any, steps: int = 4, **changes: Any) -> Forecast:
    outcome = forecast(task(values, steps=steps, **changes))
    assert isinstance(outcome, Forecast)
    return outcome


def test_filtering_says_what_statsmodels_says() -> None:
    from statsmodels.tsa.exponential_smoothing.ets import ETSModel  # type: ignore[import-untyped]
    from statsmodels.tsa.forecasting.theta import ThetaModel  # type: ignore[import-untyped]

    values = walk(60)
    fitted = methods.fit(values)
    ours = methods.forecasts(values, [len(values)], fitted, 6)[0]
    scaled = (values - fitted.shift) / fitted.scale
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ets = ETSModel(scaled, error="add", trend="add", damped_trend=True).fit(disp=False)
        theta = ThetaModel(scaled, period=1, deseasonalize=False).fit()
    for row, theirs in ((0, ets), (1, theta)):
        expected = np.asarray(theirs.forecast(6)) * fitted.scale + fitted.shift
        assert ours[row] == pytest.approx(expected, rel=1e-9)


def test_an_origin_knows_nothing_of_what_came_later() -> None:
    values = walk(60)
    other = values.copy()
    other[45:] += 500.0
    one, two = backtest.roll(values, 4), backtest.roll(other, 4)
    before = one.origins <= 45
    assert before.sum() > 20
    for name in ("methods", "chosen", "weights", "low", "high"):
        np.testing.assert_array_equal(getattr(one, name)[before], getattr(two, name)[before])
    assert (one.chosen[~before] != two.chosen[~before]).any()


def test_the_last_origin_is_what_the_forecast_says() -> None:
    # Cut at an origin of the longer series, it is the forecast of that origin.
    values = walk(60)
    cut = found(values[:57])
    assert cut == found(values[:57])
    assert cut.path[-1].date == START + timedelta(days=7 * 60)
    assert [point.date.toordinal() for point in cut.path] == [
        (START + timedelta(days=7 * at)).toordinal() for at in range(57, 61)
    ]
    assert (cut.value, cut.low, cut.high) == (
        cut.path[-1].value,
        cut.path[-1].low,
        cut.path[-1].high,
    )
    assert cut.horizon_days == 28


def test_a_line_goes_on() -> None:
    line = found(np.arange(50) * 3.0 + 7.0)
    assert line.value == pytest.approx(3.0 * 53 + 7.0, abs=0.01)
    assert line.high - line.low < 0.1
    assert line.backtest.mase is not None
    assert line.backtest.mase < 0.2


@pytest.mark.parametrize("value", [0.0, 7.0, 1e15])
def test_what_stands_still_has_no_scale(value: float) -> None:
    still = found([value] * 40)
    assert (still.value, still.low, still.high, still.method) == (value, value, value, "naive")
    assert still.backtest.mase is None
    assert still.backtest.coverage80 == 1.0
    assert "no naive error" in still.notes[-1]


def test_counts_never_fall_below_nothing_and_growing_ones_never_below_the_last() -> None:
    falling = found(np.maximum(0.0, 100.0 - 2.5 * np.arange(45)))
    assert {(point.value, point.low) for point in falling.path} == {(0.0, 0.0)}
    grown = np.cumsum([0.0, 50.0, 0.0, 0.0] * 12)
    growing = found(grown)
    assert min(point.low for point in growing.path) >= grown[-1]
    stars = grown.copy()
    stars[3] -= 1.0
    assert min(point.low for point in found(stars).path) < grown[-1]


def test_bands_cover_what_they_say() -> None:
    hits: list[float] = []
    for seed in range(5):
        rolled = backtest.roll(walk(64, seed), 4)
        past = rolled.within()
        hits += past[np.isfinite(past)].tolist()
    assert 0.76 < float(np.mean(hits)) < 0.92


def test_errors_do_not_depend_on_the_unit() -> None:
    values = walk(48)
    one, two = found(values), found(values * 8.0)
    assert one.backtest.mase is not None
    assert two.backtest.mase == pytest.approx(one.backtest.mase, rel=1e-3)
    assert two.high - two.low == pytest.approx(8 * (one.high - one.low), rel=1e-3)


@pytest.mark.parametrize(
    ("count", "days", "changes", "reason", "needed", "have"),
    [
        (12, 7, {"steps": 13}, "12 weekly observations, 40 are needed", 40, 12),
        (40, 7, {"steps": 14}, "40 weekly observations, 41 are needed", 41, 40),
        (100, 1, {"horizon_days": 91}, "14 weekly observations, 40 are needed", 40, 14),
        (60, 1, {"horizon_days": 3000}, "at most 366 can be forecast", None, None),
        (60, 7, {"steps": 4, "as_of": START}, "1 observation so far, 31 are needed", 31, 1),
        (0, 7, {"horizon_days": 91}, "no observations so far, 40 are needed", 40, 0),
    ],
)
def test_too_little_history_has_no_forecast(
    count: int,
    days: int,
    changes: dict[str, Any],
    reason: str,
    needed: int | None,
    have: int | None,
) -> None:
    none = forecast(task(walk(count), days=days, **changes))
    assert isinstance(none, NoForecast)
    assert reason in none.reason
    assert (none.needed, none.have) == (needed, have)


def test_days_become_weeks_for_a_horizon_in_days_only() -> None:
    flow = forecast(task([10.0, 20.0] * 112, days=1, horizon_days=28, measure=Measure.FLOW))
    assert isinstance(flow, Forecast)
    assert (len(flow.path), flow.spacing_days) == (4, 7)
    assert flow.value == pytest.approx(105.0, abs=6.0)
    assert "daily observations were summed into weeks" in flow.notes
    assert found(walk(60), days=1).spacing_days == 1


def test_what_is_older_than_most_series_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forecasting, "MOST_VALUES", 40)
    values = walk(60)
    late = found(values)
    assert late.notes == ("only the last 40 steps were used",)
    assert late.path == found(np.concatenate([values[:20] * 3, values[20:]])).path


@settings(max_examples=6, deadline=None)
@given(values=st.lists(st.one_of(st.integers(0, 30), st.floats(0, 1e15)), min_size=31, max_size=34))
def test_any_counts_have_a_forecast_in_its_band(values: list[float]) -> None:
    outcome = found(values)
    for point in outcome.path:
        assert 0.0 <= point.low <= point.value <= point.high < 1e18
    assert outcome.backtest.origins >= backtest.LEAST_ORIGINS
