"""The forecast methods: parameters by statsmodels, forecasts at many origins by one filtering pass.

Parameters come from the values before one date and are used after that date, so a forecast never
uses a value after its origin. Values are arrays of floats. `steps` is the number of steps ahead.

- `damped_ets`: exponential smoothing with additive errors and an additive damped trend, ETS(A,Ad,N)
  of Hyndman, Koehler, Ord & Snyder (2008).
- `theta`: Assimakopoulos & Nikolopoulos (2000), as in :class:`statsmodels.tsa.api.ThetaModel`.
- `drift`: the last value and, for each step, the trimmed mean of the last 26 differences. An eighth
  is omitted at each end, because a purge of bots or a day on a front page predicts little.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from statsmodels.tsa.exponential_smoothing.ets import ETSModel  # type: ignore[import-untyped]
from statsmodels.tsa.forecasting.theta import ThetaModel  # type: ignore[import-untyped]

Floats = NDArray[np.float64]

METHODS = ("damped_ets", "theta", "drift")
DRIFT_STEPS = 26
_TRIMMED = 8


@dataclass(frozen=True)
class Fitted:
    """Parameters of all methods, from the first `fitted_on` values.

    :param shift: a value that is subtracted first, and
    :param scale: a divisor: the optimizers need values near 1.
    :param ets: level, trend and damping parameters, first level and first trend; None if the fit
        failed.
    :param alpha: smoothing parameter of theta; None if the fit failed.
    """

    shift: float
    scale: float
    ets: tuple[float, float, float, float, float] | None
    alpha: float | None


def naive_error(values: Floats) -> float:
    """Return the mean absolute error of forecasting each value by the previous one."""
    return float(np.abs(np.diff(values)).mean())


def fit(values: Floats) -> Fitted:
    """Fit the parameters to all of the values, at least ten."""
    shift, scale = float(values[0]), naive_error(values)
    if scale == 0.0:
        return Fitted(shift, 1.0, None, None)
    scaled = (values - shift) / scale
    with warnings.catch_warnings():
        # The back-test judges a fit that has not converged like any other.
        warnings.simplefilter("ignore")
        return Fitted(shift, scale, _fit_ets(scaled), _fit_theta(scaled))


def _fit_ets(scaled: Floats) -> tuple[float, float, float, float, float] | None:
    try:
        model = ETSModel(scaled, error="add", trend="add", damped_trend=True)
        found = dict(zip(model.param_names, model.fit(disp=False).params, strict=True))
    except (ValueError, ArithmeticError, np.linalg.LinAlgError):
        return None
    names = ("smoothing_level", "smoothing_trend", "damping_trend", "initial_level")
    parameters = (*(float(found[name]) for name in names), float(found["initial_trend"]))
    return parameters if np.isfinite(parameters).all() else None  # type: ignore[return-value]


def _fit_theta(scaled: Floats) -> float | None:
    try:
        found = ThetaModel(scaled, period=1, deseasonalize=False).fit().params["alpha"]
    except (ValueError, ArithmeticError, np.linalg.LinAlgError):
        return None
    return float(found) if 0.0 < found <= 1.0 else None


def forecasts(values: Floats, origins: list[int], fitted: Fitted, steps: int) -> Floats:
    """Return each method's forecasts at each origin, which is the number of known values.

    :param origins: ascending; the first is at least the number of values that the parameters were
        fitted to.
    :return: by origin, method and step. A method without parameters repeats the last value.
    """
    scaled = (values - fitted.shift) / fitted.scale
    found = np.empty((len(origins), len(METHODS), steps))
    ahead = np.arange(1, steps + 1)
    for at, origin in enumerate(origins):
        found[at] = scaled[origin - 1]
        found[at, 2] += recent_drift(scaled[:origin]) * ahead
    if fitted.ets is not None:
        found[:, 0] = _damped(scaled, origins, fitted.ets, steps)
    if fitted.alpha is not None:
        found[:, 1] = _theta(scaled, origins, fitted.alpha, steps)
    return found * fitted.scale + fitted.shift


def recent_drift(values: Floats) -> float:
    """Return the trimmed mean of the last differences."""
    differences = np.sort(np.diff(values[-DRIFT_STEPS - 1 :]))
    cut = len(differences) // _TRIMMED
    return float(differences[cut : len(differences) - cut].mean())


def _damped(
    scaled: Floats, origins: list[int], ets: tuple[float, float, float, float, float], steps: int
) -> Floats:
    alpha, beta, phi, level, trend = ets
    powers = np.cumsum(phi ** np.arange(1, steps + 1))
    wanted = {origin: at for at, origin in enumerate(origins)}
    found = np.empty((len(origins), steps))
    for count, value in enumerate(scaled[: origins[-1]].tolist(), 1):
        expected = level + phi * trend
        level = expected + alpha * (value - expected)
        trend = phi * trend + beta * (value - expected)
        if count in wanted:
            found[wanted[count]] = level + trend * powers
    return found


def _theta(scaled: Floats, origins: list[int], alpha: float, steps: int) -> Floats:
    wanted = {origin: at for at, origin in enumerate(origins)}
    found = np.empty((len(origins), steps))
    level = float(scaled[0])
    for count, value in enumerate(scaled[: origins[-1]].tolist(), 1):
        level += alpha * (value - level)
        if count in wanted:
            slope = _slope(scaled[:count])
            warm = (1.0 - (1.0 - alpha) ** count) / alpha
            found[wanted[count]] = level + slope / 2.0 * (np.arange(steps) + warm)
    return found


def _slope(values: Floats) -> float:
    """Return the slope of the least-squares line through the values."""
    middle = np.arange(len(values)) - (len(values) - 1) / 2.0
    return float((middle * values).sum() / (middle * middle).sum())
