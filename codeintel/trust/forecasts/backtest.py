"""Rolling origins: forecast from past dates, choose methods by their errors, and measure the
errors.

No value after an origin is used at that origin. Parameters, choice and band only depend on earlier
values, so the figures are those of a forecast made at that time.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from codeintel.trust.forecasts.methods import METHODS, Floats, fit, forecasts, naive_error

LEVEL = 0.8
LEAST_ERRORS = 8
"""Minimum number of earlier errors at a step for an 80% band."""
VOLATILITY_STEPS = 26
_FLOOR = 0.1
_TOLERANCE = 1e-9


def quantile(scores: Floats, weights: Floats) -> float:
    """Return the smallest score that covers a share of `(n + 1) * 0.8 / n` of the weight. Return
    the largest score if that share is above 1.

    For n equal weights, it is score number `ceil((n + 1) * 0.8)` of the sorted ones (Vovk,
    Gammerman & Shafer 2005; Lei et al. 2018).
    """
    effective = weights.sum() ** 2 / (weights**2).sum()
    level = min(1.0, LEVEL * (effective + 1.0) / effective)
    order = np.argsort(scores)
    share = np.cumsum(weights[order]) / weights.sum()
    at = int(np.searchsorted(share, level - _TOLERANCE))
    return float(scores[order[min(at, len(scores) - 1)]])


def volatility(values: Floats) -> float:
    """Return the mean absolute deviation of the last differences from their median."""
    differences = np.diff(values[-VOLATILITY_STEPS - 1 :])
    return float(np.abs(differences - np.median(differences)).mean())


def resolution(values: Floats) -> float:
    """Return a tenth of the smallest change, or 0 if the values never changed.

    A count that was constant for a while is not certain to stay constant.
    """
    changes = np.abs(np.diff(values))
    return _FLOOR * float(changes[changes > 0].min(initial=np.inf)) if changes.any() else 0.0


def half_life(steps: int) -> float:
    """Return the steps after which an error weighs half: twice the horizon, and at least 20."""
    return max(20.0, 2.0 * steps)


def half_widths(
    errors: Floats, volatilities: Floats, origins: Floats, at: int, now: float, floor: float
) -> Floats:
    """Return half the band's width for each step at the origin `at`, which never shrinks with
    distance.

    :param errors: absolute errors by origin and step, NaN if unknown; errors that are still unknown
        at the origin `at` are ignored.
    :param volatilities: of the values before each origin.
    :param now: volatility at the origin.
    :param floor: a constant that is added to every volatility.
    :return: by step; NaN if fewer than `LEAST_ERRORS` are known.
    """
    steps = errors.shape[1]
    recency = 0.5 ** ((at - origins) / half_life(steps))
    units = volatilities + floor
    found = np.full(steps, np.nan)
    for step in range(steps):
        known = (origins + step + 1 <= at) & (origins < at)
        if known.sum() < LEAST_ERRORS:
            break
        unit = np.where(units[known] > 0, units[known], 1.0)
        found[step] = quantile(errors[known, step] / unit, recency[known])
    width = now + floor if now + floor > 0 else 1.0
    return _growing(found) * width


def _growing(found: Floats) -> Floats:
    """Return non-decreasing widths: the mean of raising low values and lowering high values.

    Only one of both would change the coverage.
    """
    raised = np.maximum.accumulate(found)
    known = np.where(np.isnan(found), np.inf, found)
    lowered = np.minimum.accumulate(known[::-1])[::-1]
    return np.asarray((raised + lowered) / 2.0)


LEAST_HISTORY = 20
LEAST_ORIGINS = 8
MOST_ORIGINS = 48
REFIT_EVERY = 3
"""Number of origins that share the parameters of the first of them."""
_LEAST_CHECKED = 3
_ALONE = 0.9
_POWER = 4.0


@dataclass(frozen=True)
class Rolled:
    """A series with forecasts from many origins, the last being its end.

    :param origins: the numbers of values known at each origin, ascending; the last is all of them.
    :param methods: forecasts by origin, method and step.
    :param actual: actual values by origin and step; NaN if unknown.
    :param chosen: the resulting forecast, by origin and step.
    :param weights: of the methods in it, by origin.
    :param low: and
    :param high: its band; NaN if the history is too short for one.
    :param scales: naive error before each origin.
    """

    origins: Floats
    methods: Floats
    actual: Floats
    chosen: Floats
    weights: Floats
    low: Floats
    high: Floats
    scales: Floats

    @property
    def whole(self) -> NDArray[np.bool_]:
        """Return which origins have actual values for all of their steps."""
        return np.asarray(np.isfinite(self.actual).all(axis=1))

    def mase(self, forecast: Floats) -> float | None:
        """Return the mean absolute scaled error (Hyndman & Koehler 2006).

        The absolute errors are divided by the naive one-step error before the origin, and averaged
        over steps and whole origins.

        :param forecast: by origin and step.
        :return: None if the series never changed before any of the origins.
        """
        usable = self.whole & (self.scales > 0)
        if not usable.any():
            return None
        errors = np.abs(forecast[usable] - self.actual[usable])
        return float((errors / self.scales[usable, None]).mean())

    def within(self) -> Floats:
        """Return 1 where a value is within its band, 0 where it is outside, NaN where one is
        missing.
        """
        known = np.isfinite(self.low) & np.isfinite(self.actual)
        # A value computed from floats may miss by a rounding error.
        slack = 1e-9 * (1.0 + np.abs(self.actual))
        hit = (self.actual >= self.low - slack) & (self.actual <= self.high + slack)
        return np.where(known, hit.astype(float), np.nan)


def needed(steps: int) -> int:
    """Return the number of values needed to forecast this number of steps ahead."""
    return LEAST_HISTORY + steps + LEAST_ORIGINS - 1


def roll(values: Floats, steps: int) -> Rolled:
    """Forecast from every origin.

    :param values: at least :func:`needed` of them, none below 0.
    """
    origins = _origins(len(values), steps)
    methods = np.concatenate(
        [forecasts(values, group, fit(values[: group[0]]), steps) for group in _groups(origins)]
    )
    padded = np.concatenate([values, np.full(steps, np.nan)])
    actual = np.array([padded[origin : origin + steps] for origin in origins])
    return _chosen(values, np.array(origins, dtype=float), methods, actual)


def _origins(count: int, steps: int) -> list[int]:
    affordable = -(-(count - LEAST_HISTORY) // max(MOST_ORIGINS, steps))
    # So that `LEAST_ORIGINS` have actual values for all of their steps.
    widest = (count - LEAST_HISTORY - steps) // (LEAST_ORIGINS - 1)
    stride = max(1, min(affordable, widest))
    return list(range(count, LEAST_HISTORY - 1, -stride))[::-1]


def _groups(origins: list[int]) -> list[list[int]]:
    """Return groups of origins that share parameters.

    The last origin, which counts most, is alone.
    """
    past = origins[:-1]
    groups = [past[at : at + REFIT_EVERY] for at in range(0, len(past), REFIT_EVERY)]
    return [*groups, origins[-1:]]


def _chosen(values: Floats, origins: Floats, methods: Floats, actual: Floats) -> Rolled:
    steps = actual.shape[1]
    volatilities = np.zeros(len(origins))
    scales = np.zeros(len(origins))
    weights = np.zeros((len(origins), len(METHODS)))
    chosen, low, high = (np.full(actual.shape, np.nan) for _ in range(3))
    errors = np.full(actual.shape, np.nan)
    misses = np.abs(methods - actual[:, None]).mean(axis=2)
    for at, origin in enumerate(origins.astype(int)):
        known = values[:origin]
        volatilities[at], scales[at] = volatility(known), naive_error(known)
        weights[at] = _weights(misses[origins + steps <= origin])
        least = known[-1] if (np.diff(known) >= 0).all() else 0.0
        chosen[at] = np.maximum(weights[at] @ methods[at], least)
        half = half_widths(
            errors, volatilities, origins, origin, volatilities[at], resolution(known)
        )
        low[at] = np.maximum(chosen[at] - half, least)
        high[at] = chosen[at] + half
        errors[at] = np.abs(chosen[at] - actual[at])
    return Rolled(origins, methods, actual, chosen, weights, low, high, scales)


def _weights(misses: Floats) -> Floats:
    """Return the weight of each method in the forecast.

    Weights are proportional to the inverse fourth power of the mean absolute error so far. This is
    the square of the weights of Bates & Granger (1969) for unrelated errors. A method with more
    than nine tenths gets all of the weight.

    :param misses: by whole origin and method.
    """
    if len(misses) < _LEAST_CHECKED:
        return np.full(len(METHODS), 1.0 / len(METHODS))
    mean = misses.mean(axis=0)
    least = mean.min()
    shares = (mean == least).astype(float) if least == 0 else (least / mean) ** _POWER
    shares /= shares.sum()
    if shares.max() > _ALONE:
        shares = (shares == shares.max()).astype(float)
    return np.asarray(shares / shares.sum())
