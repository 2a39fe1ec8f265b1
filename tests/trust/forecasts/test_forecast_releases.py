"""Release cadence and the risk of dormancy."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from codeintel.trust.forecasts import (
    DORMANCY_RISK,
    RELEASE_CADENCE,
    Forecast,
    NoForecast,
    ReleasesTask,
)
from codeintel.trust.forecasts.forecasting import dormancy, from_releases, wilson

START = date(2020, 1, 1)


def after(*gaps: int) -> list[date]:
    days = [START]
    for gap in gaps:
        days.append(days[-1] + timedelta(days=gap))
    return days


@pytest.mark.parametrize(
    ("silent", "horizon", "risk", "weight"),
    [
        # Gaps 10, 20, 30, 400. All are longer than no time; one is longer than 0 + 100.
        (0, 100, 1 / 6, 6.0),
        # Longer than 25: 30 and 400, one of them than 125; p = 25 / 125.
        (25, 100, (1 + 2 * 0.2) / 4, 4.0),
        # None has lasted so long: p alone, 500 / 600.
        (500, 100, 5 / 6, 2.0),
    ],
)
def test_the_risk_is_the_share_of_pauses_that_went_on(
    silent: int, horizon: int, risk: float, weight: float
) -> None:
    days = after(10, 20, 400, 30)
    found = dormancy(days, days[-1] + timedelta(days=silent), horizon)
    assert found[0] == pytest.approx(risk)
    assert found[1] == weight


def test_the_interval_is_that_of_wilson() -> None:
    # z = 1.2816, z^2 = 1.6424: middle (0.5 + 0.08212) / 1.16424, half 1.2816 / 1.16424 * 0.1706.
    assert wilson(0.5, 10) == pytest.approx((0.3122, 0.6878), abs=2e-4)
    low, high = wilson(0.0, 10)
    assert (low, round(high, 4)) == (0.0, round(1.64237 / 11.64237, 4))


def task(metric: str, days: list[date], as_of: date, horizon: int = 365) -> ReleasesTask:
    return ReleasesTask(metric, tuple(days), as_of, horizon)


def test_a_package_that_went_silent_is_told_from_one_that_goes_on() -> None:
    days = after(*[30] * 40)
    soon = from_releases(task(DORMANCY_RISK, days, days[-1] + timedelta(days=10)))
    late = from_releases(task(DORMANCY_RISK, days, days[-1] + timedelta(days=1500)))
    assert isinstance(soon, Forecast)
    assert isinstance(late, Forecast)
    assert soon.value < 0.05
    assert late.value == pytest.approx(1500 / 1865, abs=1e-4)
    assert soon.low <= soon.value <= soon.high
    assert (soon.path, soon.backtest.mase, soon.backtest.coverage80) == ((), None, None)


def test_the_brier_scores_are_those_of_the_past() -> None:
    # Releases on days 0, 1, 2, 3, 4, then none: from day 4 on every quarter nothing came.
    days = after(1, 1, 1, 1)
    found = from_releases(task(DORMANCY_RISK, days, START + timedelta(days=4 + 91 + 91), 91))
    assert isinstance(found, Forecast)
    # From day 4: gaps 1, 1, 1, 1, all of them short: 0 of 6, so 1 off. From day 95: silent for 91
    # days: p = 91 / 182. The naive forecast: 1/2, then one of one dormant, 2/3.
    past = found.backtest
    assert past.origins == 2
    assert past.brier == pytest.approx((1 + 0.25) / 2)
    assert past.brier_naive == pytest.approx((0.25 + 1 / 9) / 2, abs=1e-4)
    # A day more, so the outcome of the first date is still open when the second comes.
    found = from_releases(task(DORMANCY_RISK, days, START + timedelta(days=4 + 91 + 92), 92))
    assert isinstance(found, Forecast)
    assert (found.backtest.origins, found.backtest.brier_naive) == (2, 0.25)


def test_releases_after_the_date_are_not_known() -> None:
    days = after(30, 30, 30, 30, 30, 30)
    known = from_releases(task(DORMANCY_RISK, days[:5], days[4]))
    assert from_releases(task(DORMANCY_RISK, days, days[4])) == known
    assert isinstance(known, Forecast)
    assert known.backtest.origins == 0
    assert "history is too short" in known.notes[-1]


def test_too_few_releases_have_no_risk() -> None:
    days = after(30, 30, 0, 30)
    found = from_releases(task(DORMANCY_RISK, days, days[-1]))
    assert isinstance(found, NoForecast)
    assert found.reason == "4 days with a release, 5 are needed"
    assert (found.needed, found.have) == (5, 4)


def test_the_cadence_is_counted_in_30_days() -> None:
    days = after(*[10] * 180)
    found = from_releases(task(RELEASE_CADENCE, days, days[-1], 90))
    assert isinstance(found, Forecast)
    assert (len(found.path), found.spacing_days) == (3, 30)
    assert found.value == pytest.approx(3.0)
    assert found.path[-1].date == days[-1] + timedelta(days=90)
    short = from_releases(task(RELEASE_CADENCE, days[:20], days[19]))
    assert isinstance(short, NoForecast)
    assert short.reason == "6 30-day observations, 39 are needed"
    nothing = from_releases(task(RELEASE_CADENCE, [], START))
    assert isinstance(nothing, NoForecast)
    assert nothing.have == 0


def test_another_metric_is_refused() -> None:
    found = from_releases(task("stars", after(1, 1, 1, 1, 1), START))
    assert isinstance(found, NoForecast)
    assert "releaseCadence or dormancyRisk, not stars" in found.reason


@settings(max_examples=80, deadline=None)
@given(
    gaps=st.lists(st.integers(1, 900), min_size=4, max_size=30),
    silent=st.integers(0, 3000),
    horizon=st.integers(1, 1000),
)
def test_a_risk_is_a_probability_and_falls_with_the_horizon(
    gaps: list[int], silent: int, horizon: int
) -> None:
    days = after(*gaps)
    as_of = days[-1] + timedelta(days=silent)
    risk, weight = dormancy(days, as_of, horizon)
    low, high = wilson(risk, weight)
    assert 0.0 <= low <= risk <= high <= 1.0
    assert dormancy(days, as_of, horizon + 100)[0] <= risk
