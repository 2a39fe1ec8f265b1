"""Fit the model: a logistic regression, then a shift towards the required false positive rate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from codeintel.trust.names.weighing import OTHER, Model
from typosquat_parts.samples import RANKED, Sample

Floats = NDArray[np.float64]

# The share of honest names that may be suspicious: below the 1% that is allowed, for others than
# those that are learnt from are met.
FALSE_POSITIVES = 0.006
# The penalty on the square of a coefficient, and on the square of its shift.
_PENALTY, _SHIFT_PENALTY = 2.0, 60.0
# How far from the threshold, in logits, an imitation still counts for the shift.
_WIDTH = 0.5
_ROUNDS = 4
_FREE = "bias"


class Fitted(NamedTuple):
    """The coefficients, and the logit by ecosystem from which names are suspicious."""

    coefficients: dict[str, float]
    thresholds: dict[str, float]

    def model(self, protected: Mapping[str, float], method: str = "") -> Model:
        """Return the model of the package.

        :param protected: the extra weight of a similarity to a protected name, by ecosystem.
        """
        limits = {**self.thresholds, OTHER: max(self.thresholds.values())}
        return Model(
            trained=datetime.now(UTC).date().isoformat(),
            method=method,
            false_positives=FALSE_POSITIVES,
            threshold=0.5,
            protected=dict(protected),
            intercepts={each: -round(limit, 3) for each, limit in sorted(limits.items())},
            coefficients={name: value for name, value in self.coefficients.items() if value},
        )


class _Table(NamedTuple):
    """The candidates of samples as rows of numbers."""

    rows: list[Floats]
    weights: Floats
    ecosystems: list[str]

    def chosen(self, guess: Floats) -> Floats:
        """Return the most suspicious row of each sample."""
        return np.array([each[int(np.argmax(each @ guess))] for each in self.rows])


def fit(samples: Sequence[Sample]) -> Fitted:
    """A name is as suspicious as its most suspicious candidate, so the fit is to that one, found
    with the coefficients of the round before."""
    names = sorted({key for sample in samples for each in sample.candidates for key in each})
    names.append(_FREE)
    right, wrong = (
        _table([each for each in samples if each.is_imitation == kind], names)
        for kind in (True, False)
    )
    found = np.zeros(len(names))
    for _ in range(_ROUNDS):
        found = _regressed(right, wrong, found)
    start = found
    counts = {
        each: sum(not one.is_imitation and one.ecosystem == each for one in samples)
        for each in RANKED
    }
    for _ in range(_ROUNDS):
        found = _shifted(right, wrong, start, found, counts)
    values = zip(names, found, strict=True)
    coefficients = {name: round(float(value), 3) for name, value in values if name != _FREE}
    return Fitted(coefficients, thresholds(samples, coefficients))


def _table(samples: Sequence[Sample], names: Sequence[str]) -> _Table:
    used = [sample for sample in samples if sample.candidates]
    rows = [
        np.array(
            [[{**each, _FREE: 1.0}.get(name, 0.0) for name in names] for each in one.candidates]
        )
        for one in used
    ]
    weights = np.array([sample.weight for sample in used])
    return _Table(rows, weights, [sample.ecosystem for sample in used])


def _regressed(right: _Table, wrong: _Table, start: Floats) -> Floats:
    """The coefficients of a logistic regression with a penalty on all but the constant."""
    signed = np.concatenate([right.chosen(start), -wrong.chosen(start)])
    weights = np.concatenate([right.weights, wrong.weights])
    penalties = np.full(len(start), _PENALTY)
    penalties[-1] = 0

    def loss(guess: Floats) -> tuple[float, Floats]:
        margins = signed @ guess
        slope = -weights / (1 + np.exp(margins))
        value = weights @ np.logaddexp(0, -margins) + penalties @ guess**2 / 2
        return float(value), signed.T @ slope + penalties * guess

    return np.asarray(minimize(loss, start, jac=True, method="L-BFGS-B").x)


def _shifted(
    right: _Table, wrong: _Table, start: Floats, found: Floats, counts: Mapping[str, int]
) -> Floats:
    """Coefficients near `start` for which more imitations are above the threshold of their
    ecosystem, which is the mean of the honest names about the share that may be above it: the
    likelihood of all names is not what matters, but the order at its top."""
    imitations, honest = right.chosen(found), wrong.chosen(found)
    kinds = np.array(wrong.ecosystems)
    own = {each: honest[kinds == each] for each in RANKED}

    def loss(guess: Floats) -> tuple[float, Floats]:
        about = {each: _about(rows, guess, counts[each]) for each, rows in own.items()}
        most = max(about.values(), key=lambda row: float(row @ guess))
        rows = np.array([about.get(each, most) for each in right.ecosystems]) - imitations
        missed = 1 / (1 + np.exp(-np.clip(rows @ guess / _WIDTH, -50, 50)))
        step = guess - start
        value = right.weights @ missed + _SHIFT_PENALTY * (step @ step) / 2
        slope = rows.T @ (right.weights * missed * (1 - missed)) / _WIDTH
        return float(value), slope + _SHIFT_PENALTY * step

    return np.asarray(minimize(loss, found, jac=True, method="L-BFGS-B").x)


def _about(rows: Floats, guess: Floats, count: int) -> Floats:
    """The mean of the rows from half to one and a half times the share that may be above."""
    order = np.argsort(-(rows @ guess), kind="stable")
    share = count * FALSE_POSITIVES
    return np.asarray(rows[order[int(share / 2) : int(share * 1.5)]].mean(axis=0))


def logit(sample: Sample, coefficients: Mapping[str, float]) -> float:
    """Return the logit of the most suspicious candidate, or minus infinity without candidates."""
    return max(
        (
            sum(coefficients.get(name, 0.0) * value for name, value in each.items())
            for each in sample.candidates
        ),
        default=float("-inf"),
    )


def thresholds(samples: Sequence[Sample], coefficients: Mapping[str, float]) -> dict[str, float]:
    """Return the logits that only the allowed share of honest names reaches, by ecosystem."""
    found = {}
    for ecosystem in RANKED:
        honest = [
            logit(each, coefficients)
            for each in samples
            if not each.is_imitation and each.ecosystem == ecosystem
        ]
        # Many have no candidate: no value may be interpolated with minus infinity.
        found[ecosystem] = float(np.quantile(honest, 1 - FALSE_POSITIVES, method="higher"))
    return found
