"""Bands from the errors of earlier forecasts (split conformal prediction).

The half-width at an origin and step is a quantile of earlier absolute errors at the same step, each
in units of how much the series moved when it was made. Recent errors weigh more, by a half-life, as
in Barber, Candes, Ramdas & Tibshirani (2023); the finite-sample level `(n + 1) * 0.8 / n` takes for
`n` the effective number `sum(w)^2 / sum(w^2)` of Kish (1965), which is n for equal weights. With
weights the level is a rule, not a theorem: that is what the measured coverage is for.
"""

from __future__ import annotations

import numpy as np

from codeintel.trust.forecasts.methods import Floats

LEVEL = 0.8
LEAST_ERRORS = 8
"""Earlier errors at a step below which its band is not taken to be one of 80%."""
VOLATILITY_STEPS = 26
_FLOOR = 0.1
_TOLERANCE = 1e-9


def quantile(scores: Floats, weights: Floats) -> float:
    """The smallest score that a share of `(n + 1) * 0.8 / n` of the weight does not exceed; the
    largest score where that share is above 1.

    For n equal weights it is score number `ceil((n + 1) * 0.8)` of the sorted ones (Vovk, Gammerman
    & Shafer 2005; Lei et al. 2018).
    """
    effective = weights.sum() ** 2 / (weights**2).sum()
    level = min(1.0, LEVEL * (effective + 1.0) / effective)
    order = np.argsort(scores)
    share = np.cumsum(weights[order]) / weights.sum()
    at = int(np.searchsorted(share, level - _TOLERANCE))
    return float(scores[order[min(at, len(scores) - 1)]])


def volatility(values: Floats) -> float:
    """The mean absolute deviation of the last differences from their median."""
    differences = np.diff(values[-VOLATILITY_STEPS - 1 :])
    return float(np.abs(differences - np.median(differences)).mean())


def resolution(values: Floats) -> float:
    """A tenth of the smallest change; 0 if there was none. A count that stood still for a while is
    not taken to be certain to go on so."""
    changes = np.abs(np.diff(values))
    return _FLOOR * float(changes[changes > 0].min(initial=np.inf)) if changes.any() else 0.0


def half_life(steps: int) -> float:
    """Steps after which an error weighs half: twice the horizon, and no fewer than 20."""
    return max(20.0, 2.0 * steps)


def half_widths(
    errors: Floats, volatilities: Floats, origins: Floats, at: int, now: float, floor: float
) -> Floats:
    """Half the band's width at each step, at the origin `at`; never narrower further ahead.

    :param errors: absolute ones by origin and step, NaN where not known; those not known yet at
        the origin `at` are not looked at.
    :param volatilities: of the values before each origin.
    :param now: volatility at the origin.
    :param floor: what is added to every volatility.
    :return: by step; NaN where fewer than `LEAST_ERRORS` are known.
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
    """The same made not to fall, in the middle between raising what is too low for that and
    lowering what is too high: either alone would move the coverage."""
    raised = np.maximum.accumulate(found)
    known = np.where(np.isnan(found), np.inf, found)
    lowered = np.minimum.accumulate(known[::-1])[::-1]
    return np.asarray((raised + lowered) / 2.0)
