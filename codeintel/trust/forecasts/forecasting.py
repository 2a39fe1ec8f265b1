"""Forecast one metric, from observations or the dates of releases."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from itertools import pairwise
from math import ceil
from statistics import NormalDist

import numpy as np

from codeintel.trust.forecasts import (
    DORMANCY_RISK,
    MAX_STEPS,
    RELEASE_CADENCE,
    Backtest,
    Forecast,
    NoForecast,
    Point,
    ReleasesTask,
    SeriesTask,
    backtest,
)
from codeintel.trust.forecasts.methods import METHODS
from codeintel.trust.forecasts.series import Series, SeriesError, Spacing, regular, weekly

MOST_VALUES = 520
"""Maximum number of past steps: ten years of weeks."""
NAIVE = "naive"
COMBINATION = "combination"
_DIGITS = 6


def forecast(task: SeriesTask) -> Forecast | NoForecast:
    """Forecast a count.

    The band has 80% and is never below 0. It only extends below the last value if the series has
    ever fallen, as stars may be removed. The measured coverage is that of bands made in the same
    way.
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
    """Return the reason for a missing forecast.

    A single observation has no spacing, so weeks are assumed for a horizon in days.
    """
    steps = task.steps if task.steps is not None else ceil((task.horizon_days or 1) / 7)
    needed = backtest.needed(min(steps, MAX_STEPS))
    reason = f"{have or 'no'} observation{'' if have == 1 else 's'} so far, {needed} are needed"
    return NoForecast(task.metric, task.horizon_days, reason, needed, have)


def of_series(
    metric: str, series: Series, horizon_days: int | None, steps: int | None
) -> Forecast | NoForecast:
    """Forecast a regular series.

    :param steps: number of steps; None for the number that is nearest to `horizon_days`.
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
        notes.append(f"only the last {MOST_VALUES} steps were used")
    measured = _measured(rolled)
    if measured.mase is None:
        notes.append("the series had not changed, so no naive error exists to scale by")
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
    """Return a rounded value. Rounding is monotonic, so the order of the three values stays."""
    return round(float(value), _DIGITS)


MONTH_DAYS = 30
LEAST_RELEASES = 5
ORIGIN_DAYS = 91
PRIOR_WEIGHT = 2.0
METHOD = "conditional_survival"
_LEVEL = 0.8


def from_releases(task: ReleasesTask) -> Forecast | NoForecast:
    """Forecast `releaseCadence`, the number of releases in 30 days, or `dormancyRisk`.

    Releases of one day count as one. Releases after `as_of` are ignored.
    """
    days = sorted({day for day in task.releases if day <= task.as_of})
    if task.metric == RELEASE_CADENCE:
        return _cadence(days, task)
    if task.metric == DORMANCY_RISK:
        return _dormancy(days, task)
    reason = f"the metric of releases is {RELEASE_CADENCE} or {DORMANCY_RISK}, not {task.metric}"
    return NoForecast(task.metric, task.horizon_days, reason)


def _cadence(days: Sequence[date], task: ReleasesTask) -> Forecast | NoForecast:
    months = (task.as_of - days[0]).days // MONTH_DAYS if days else 0
    counts = [0.0] * months
    for day in days:
        # Month 0 ends with `as_of`. The first month, which is not complete, is omitted.
        ago = (task.as_of - day).days // MONTH_DAYS
        if ago < months:
            counts[months - 1 - ago] += 1.0
    series = Series(task.as_of, Spacing(MONTH_DAYS), tuple(counts))
    return of_series(task.metric, series, task.horizon_days, None)


def _dormancy(days: Sequence[date], task: ReleasesTask) -> Forecast | NoForecast:
    if len(days) < LEAST_RELEASES:
        reason = f"{len(days)} days with a release, {LEAST_RELEASES} are needed"
        return NoForecast(task.metric, task.horizon_days, reason, LEAST_RELEASES, len(days))
    risk, weight = dormancy(days, task.as_of, task.horizon_days)
    low, high = wilson(risk, weight)
    measured = _tested(days, task.as_of, task.horizon_days)
    notes = ["a probability has no scaled error or coverage. See its Brier score"]
    if not measured.origins:
        notes.append("the package's own history is too short for a test")
    return Forecast(
        metric=task.metric,
        horizon_days=task.horizon_days,
        value=round(risk, 4),
        low=round(low, 4),
        high=round(high, 4),
        method=METHOD,
        backtest=measured,
        spacing_days=ORIGIN_DAYS,
        notes=tuple(notes),
    )


def dormancy(days: Sequence[date], as_of: date, horizon: int) -> tuple[float, float]:
    """Return the probability of no release within `horizon` days, and the weight of evidence.

    The last release was `t` days ago. Of the gaps between releases, `m` are longer than `t`, and
    `k` of those are longer than `t + horizon`. The probability is `(k + 2 p) / (m + 2)`, the share
    of the gaps that lasted that long. It is smoothed by two assumed gaps, whose share is `p = t
    / (t + horizon)`: a pause lasts as long again half of the time (the Pareto law of exponent
    1).

    :param days: of releases, ascending, none after `as_of`.
    :return: the probability, and `m + 2`.
    """
    silent = (as_of - days[-1]).days
    gaps = [(later - one).days for one, later in pairwise(days)]
    longer = sum(gap > silent for gap in gaps)
    dormant = sum(gap > silent + horizon for gap in gaps)
    prior = silent / (silent + horizon)
    weight = longer + PRIOR_WEIGHT
    return (dormant + PRIOR_WEIGHT * prior) / weight, weight


def wilson(share: float, weight: float) -> tuple[float, float]:
    """Return Wilson's 80% score interval (1927) for a share of a number of trials."""
    z = NormalDist().inv_cdf((1.0 + _LEVEL) / 2.0)
    middle = (share + z * z / (2 * weight)) / (1 + z * z / weight)
    spread = math.sqrt(share * (1 - share) / weight + z * z / (4 * weight * weight))
    half = z / (1 + z * z / weight) * spread
    return max(0.0, min(share, middle - half)), min(1.0, max(share, middle + half))


def _tested(days: Sequence[date], as_of: date, horizon: int) -> Backtest:
    """Return the Brier scores (1950) from a date in each quarter, of the forecast and of a
    baseline.

    The baseline is the share of dormant outcomes that were known at that date, `(k + 1) / (n + 2)`.
    """
    outcomes: list[tuple[date, float]] = []
    ours, naive = 0.0, 0.0
    for origin in _origins(days, as_of, horizon):
        known = [day for day in days if day <= origin]
        end = origin + timedelta(days=horizon)
        outcome = 0.0 if any(origin < day <= end for day in days) else 1.0
        over = [was for when, was in outcomes if when + timedelta(days=horizon) <= origin]
        rate = (sum(over) + 1.0) / (len(over) + 2.0)
        ours += (dormancy(known, origin, horizon)[0] - outcome) ** 2
        naive += (rate - outcome) ** 2
        outcomes.append((origin, outcome))
    if not outcomes:
        return Backtest(None, None, 0)
    count = len(outcomes)
    return Backtest(None, None, count, round(ours / count, 4), round(naive / count, 4))


def _origins(days: Sequence[date], as_of: date, horizon: int) -> Iterator[date]:
    """Yield every quarter from the first date with enough releases, while the outcome is known."""
    origin = days[LEAST_RELEASES - 1]
    while origin + timedelta(days=horizon) <= as_of:
        yield origin
        origin += timedelta(days=ORIGIN_DAYS)
