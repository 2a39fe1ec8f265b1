"""Forecasting one metric: from observations to a value, a band and how good they have been."""

from __future__ import annotations

from math import ceil

import numpy as np

from codeintel.trust.forecasts import backtest
from codeintel.trust.forecasts.methods import METHODS
from codeintel.trust.forecasts.series import Series, SeriesError, regular, weekly
from codeintel.trust.forecasts.shapes import (
    MAX_STEPS,
    Backtest,
    Forecast,
    NoForecast,
    Point,
    SeriesTask,
)

MOST_VALUES = 520
"""Steps looked back at; ten years of weeks."""
NAIVE = "naive"
COMBINATION = "combination"
_DIGITS = 6


def forecast(task: SeriesTask) -> Forecast | NoForecast:
    """Forecast a count.

    The band is one of 80% and never below 0. It is below the last value too, unless the series has
    never fallen: stars are taken back. The measured coverage is that of bands made in the same way.
    """
    seen = [row for row in task.observations if task.as_of is None or row.date <= task.as_of]
    if len(seen) < 2:
        return _hardly_seen(task, len(seen))
    try:
        series = regular(seen, task.measure)
    except SeriesError as error:
        return NoForecast(task.metric, task.horizon_days, str(error))
    if task.steps is None and series.spacing.mean_days == 1:
        series = weekly(series, task.measure)
    return of_series(task.metric, series, task.horizon_days, task.steps)


def _hardly_seen(task: SeriesTask, have: int) -> NoForecast:
    """Of one observation nobody knows the spacing: weeks, if the horizon is in days."""
    steps = task.steps if task.steps is not None else ceil((task.horizon_days or 1) / 7)
    needed = backtest.needed(min(steps, MAX_STEPS))
    reason = f"{have or 'no'} observation{'' if have == 1 else 's'} so far, {needed} are needed"
    return NoForecast(task.metric, task.horizon_days, reason, needed, have)


def of_series(
    metric: str, series: Series, horizon_days: int | None, steps: int | None
) -> Forecast | NoForecast:
    """Forecast a regular series.

    :param steps: how far; if None, the whole number of steps that is nearest to `horizon_days`.
    """
    days = series.spacing.mean_days
    if steps is None:
        steps = max(1, round((horizon_days or days) / days))
    if horizon_days is None:
        horizon_days = (series.spacing.step(series.last, steps) - series.last).days
    if steps > MAX_STEPS:
        reason = f"{horizon_days} days are {steps} steps, and at most {MAX_STEPS} can be forecast"
        return NoForecast(metric, horizon_days, reason)
    have, needed = len(series.values), backtest.needed(steps)
    if have < needed:
        reason = f"{have} {series.spacing.name} observations, {needed} are needed"
        return NoForecast(metric, horizon_days, reason, needed, have)
    return _forecast(metric, series, horizon_days, steps)


def _forecast(metric: str, series: Series, horizon_days: int, steps: int) -> Forecast:
    values = np.array(series.values[-MOST_VALUES:])
    rolled = backtest.roll(values, steps)
    path = tuple(
        Point(
            series.spacing.step(series.last, step),
            *(_rounded(side[-1, step - 1]) for side in (rolled.chosen, rolled.low, rolled.high)),
        )
        for step in range(1, steps + 1)
    )
    notes = list(series.notes)
    if len(series.values) > MOST_VALUES:
        notes.append(f"only the last {MOST_VALUES} steps were looked at")
    measured = _measured(rolled)
    if measured.mase is None:
        notes.append("the series had not moved, so there is no naive error to scale by")
    end = path[-1]
    method, weights = _method(rolled)
    return Forecast(
        metric=metric,
        horizon_days=horizon_days,
        value=end.value,
        low=end.low,
        high=end.high,
        method=method,
        backtest=measured,
        spacing_days=round(series.spacing.mean_days, 2),
        path=path,
        weights=weights,
        notes=tuple(notes),
    )


def _measured(rolled: backtest.Rolled) -> Backtest:
    mase, within = rolled.mase(rolled.chosen), rolled.within()
    checked = np.isfinite(within)
    enough = checked.any(axis=1).sum() >= backtest.LEAST_ORIGINS
    return Backtest(
        mase=None if mase is None else round(mase, 4),
        coverage80=round(float(within[checked].mean()), 4) if enough else None,
        origins=int(rolled.whole.sum()),
    )


def _method(rolled: backtest.Rolled) -> tuple[str, dict[str, float]]:
    if rolled.scales[-1] == 0.0:
        return NAIVE, {}
    weights = dict(zip(METHODS, rolled.weights[-1].tolist(), strict=True))
    for name, weight in weights.items():
        if weight == 1.0:
            return name, {}
    return COMBINATION, {name: round(weight, 3) for name, weight in weights.items()}


def _rounded(value: float) -> float:
    """Without digits that nobody reads; monotone, so that the order of the three stays."""
    return round(float(value), _DIGITS)
