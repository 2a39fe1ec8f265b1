"""Scaled errors, quantiles and drift against figures computed by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from codeintel.trust.forecasts import backtest, methods
from codeintel.trust.forecasts.backtest import Rolled

NAN = math.nan


def rolled(actual: list[list[float]], scales: list[float]) -> Rolled:
    came = np.array(actual)
    empty = np.full(came.shape, NAN)
    origins = np.arange(len(actual), dtype=float)
    return Rolled(origins, empty, came, empty, empty, empty, empty, np.array(scales))


def test_the_scaled_error_is_that_of_hyndman_and_koehler() -> None:
    # Naive errors before the origins: 2 and 4. Errors 1, 3 and 4, 0: (0.5 + 1.5 + 1 + 0) / 4.
    past = rolled([[10, 12], [20, 24]], [2.0, 4.0])
    assert past.mase(np.array([[11.0, 9.0], [24.0, 24.0]])) == 0.75
    assert methods.naive_error(np.array([1.0, 4.0, 2.0, 2.0])) == 5 / 3


def test_origins_without_a_scale_or_with_an_open_end_do_not_count() -> None:
    past = rolled([[10, 12], [20, 24], [5, NAN]], [0.0, 4.0, 1.0])
    assert past.mase(np.array([[99.0, 99.0], [24.0, 24.0], [99.0, 99.0]])) == 0.5
    assert rolled([[1, 1]], [0.0]).mase(np.array([[1.0, 1.0]])) is None


@pytest.mark.parametrize(
    ("count", "place"), [(4, 4), (5, 5), (9, 8), (10, 9), (14, 12), (19, 16), (99, 80)]
)
def test_the_quantile_is_the_finite_sample_one(count: int, place: int) -> None:
    assert place == min(count, math.ceil((count + 1) * 0.8))
    scores = np.arange(1.0, count + 1)
    np.random.default_rng(1).shuffle(scores)
    # Equal weights are all the same, however large.
    for weight in (1.0, 0.25):
        assert backtest.quantile(scores, np.full(count, weight)) == place


def test_recent_errors_weigh_more() -> None:
    scores = np.array([9.0] * 10 + [1.0] * 30)
    recent = 0.5 ** (np.arange(40)[::-1] / 5.0)
    assert backtest.quantile(scores, np.ones(40)) == 9.0
    assert backtest.quantile(scores, recent) == 1.0


def test_the_drift_leaves_out_what_happened_once() -> None:
    # Eight differences: one is left out at each end, of the purge and of the front page.
    differences = [1.0, 2.0, -500.0, 1.0, 2.0, 900.0, 1.0, 2.0]
    assert methods.recent_drift(np.cumsum([100.0, *differences])) == 1.5
    old = np.concatenate([[0.0], np.full(50, 7.0), np.full(methods.DRIFT_STEPS, 3.0)])
    assert methods.recent_drift(np.cumsum(old)) == 3.0


def test_the_width_grows_with_what_the_series_moves() -> None:
    origins = np.arange(20.0, 60.0)
    errors = np.ones((40, 2))
    one = backtest.half_widths(errors, np.ones(40), origins, 60, 1.0, 0.0)
    assert backtest.half_widths(errors, np.ones(40), origins, 60, 3.0, 0.0) == pytest.approx(
        3 * one
    )
    assert one == pytest.approx([1.0, 1.0])


def test_an_error_not_known_yet_is_not_looked_at() -> None:
    origins = np.arange(20.0, 60.0)
    errors = np.ones((40, 3))
    # At 50 the error of step 3 from origin 48 is of week 51.
    for at, origin in enumerate(origins):
        for step in range(3):
            if origin + step + 1 > 50:
                errors[at, step] = 1000.0
    found = backtest.half_widths(errors, np.ones(40), origins, 50, 1.0, 0.0)
    assert found == pytest.approx([1.0, 1.0, 1.0])


def test_too_few_errors_make_no_band() -> None:
    origins = np.arange(20.0, 20.0 + backtest.LEAST_ERRORS)
    at = 20 + backtest.LEAST_ERRORS
    found = backtest.half_widths(np.ones((len(origins), 2)), np.ones(8), origins, at, 1.0, 0.0)
    assert np.isfinite(found).tolist() == [True, False]


def test_volatility_and_resolution() -> None:
    # Differences 1, 3, 2, 2: the median is 2, the deviations 1, 1, 0, 0.
    values = np.array([0.0, 1.0, 4.0, 6.0, 8.0])
    assert backtest.volatility(values) == 0.5
    assert backtest.resolution(values) == pytest.approx(0.1)
    assert backtest.resolution(np.full(9, 4.0)) == 0.0


@pytest.mark.parametrize(
    ("misses", "weights"),
    [
        ([[1.0, 2.0, 2.0]] * 3, [16 / 18, 1 / 18, 1 / 18]),
        ([[1.0, 9.0, 9.0]] * 3, [1.0, 0.0, 0.0]),
        ([[0.0, 0.0, 5.0]] * 3, [0.5, 0.5, 0.0]),
        ([[1.0, 9.0, 9.0]] * 2, [1 / 3, 1 / 3, 1 / 3]),
    ],
)
def test_methods_weigh_by_their_errors(misses: list[list[float]], weights: list[float]) -> None:
    assert backtest._weights(np.array(misses)).tolist() == pytest.approx(weights)


@settings(max_examples=60, deadline=None)
@given(
    scores=st.lists(st.floats(0, 1e6), min_size=1, max_size=60),
    factor=st.sampled_from([0.5, 2.0, 1024.0]),
)
def test_a_quantile_is_one_of_the_scores_and_scales(scores: list[float], factor: float) -> None:
    weights = 0.5 ** (np.arange(len(scores)) / 10.0)
    found = backtest.quantile(np.array(scores), weights)
    assert found in scores
    assert backtest.quantile(np.array(scores) * factor, weights) == found * factor
