"""Rolling origins: forecasting from past dates, choosing by the errors, and measuring them.

Nothing at an origin comes from after it: parameters, choice and band are made of what was known
then, so that the figures are those of the forecast that would have been given.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from codeintel.trust.forecasts import conformal
from codeintel.trust.forecasts.methods import METHODS, Floats, fit, forecasts, naive_error

LEAST_HISTORY = 20
LEAST_ORIGINS = 8
MOST_ORIGINS = 48
REFIT_EVERY = 3
"""Origins that share their parameters: those of the first of them."""
_LEAST_CHECKED = 3
_ALONE = 0.9
_POWER = 4.0


@dataclass(frozen=True)
class Rolled:
    """A series forecast from many origins, the last being its end.

    :param origins: numbers of values that each may know, ascending; the last is all.
    :param methods: forecasts by origin, method and step.
    :param actual: what came, by origin and step; NaN where that is not known.
    :param chosen: the forecast that is given, by origin and step.
    :param weights: of the methods in it, by origin.
    :param low: and
    :param high: its band; NaN where there was too little for one.
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
        """Which origins have all of their steps behind them."""
        return np.asarray(np.isfinite(self.actual).all(axis=1))

    def mase(self, forecast: Floats) -> float | None:
        """Mean absolute scaled error (Hyndman & Koehler 2006): absolute errors over the naive
        one-step error before the origin, in the mean over steps and whole origins.

        :param forecast: by origin and step.
        :return: None if the series had never moved before any of the origins.
        """
        usable = self.whole & (self.scales > 0)
        if not usable.any():
            return None
        errors = np.abs(forecast[usable] - self.actual[usable])
        return float((errors / self.scales[usable, None]).mean())

    def within(self) -> Floats:
        """1 where a value came within its band, 0 where it did not, NaN where one is missing."""
        known = np.isfinite(self.low) & np.isfinite(self.actual)
        # A value computed from floats may miss by their rounding.
        slack = 1e-9 * (1.0 + np.abs(self.actual))
        hit = (self.actual >= self.low - slack) & (self.actual <= self.high + slack)
        return np.where(known, hit.astype(float), np.nan)


def needed(steps: int) -> int:
    """Values that it takes to forecast so many steps ahead."""
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
    # So that `LEAST_ORIGINS` have all of their steps behind them.
    widest = (count - LEAST_HISTORY - steps) // (LEAST_ORIGINS - 1)
    stride = max(1, min(affordable, widest))
    return list(range(count, LEAST_HISTORY - 1, -stride))[::-1]


def _groups(origins: list[int]) -> list[list[int]]:
    """Neighbours that share parameters; the last origin, which counts most, has its own."""
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
        volatilities[at], scales[at] = conformal.volatility(known), naive_error(known)
        weights[at] = _weights(misses[origins + steps <= origin])
        least = known[-1] if (np.diff(known) >= 0).all() else 0.0
        chosen[at] = np.maximum(weights[at] @ methods[at], least)
        half = conformal.half_widths(
            errors, volatilities, origins, origin, volatilities[at], conformal.resolution(known)
        )
        low[at] = np.maximum(chosen[at] - half, least)
        high[at] = chosen[at] + half
        errors[at] = np.abs(chosen[at] - actual[at])
    return Rolled(origins, methods, actual, chosen, weights, low, high, scales)


def _weights(misses: Floats) -> Floats:
    """How much of the forecast each method makes: in proportion to the inverse fourth power of its
    mean absolute error so far (the square of the weights of Bates & Granger 1969 for unrelated
    errors), all of it to one that would have more than nine tenths.

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
