"""Forecasts of package metrics that know their error.

The shapes, the reading of tables and the parent's side of the child process need no numpy; only the
child (:mod:`codeintel.trust.forecasts.child`) imports what computes.
"""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

MAX_STEPS = 366
MAX_HORIZON_DAYS = 3660
MAX_OBSERVATIONS = 20_000
"""Of one series in a table: days of half a century."""
RELEASE_CADENCE = "releaseCadence"
DORMANCY_RISK = "dormancyRisk"

Horizon = Annotated[int, Meta(ge=1, le=MAX_HORIZON_DAYS)]


class Measure(StrEnum):
    """What a count's observation says."""

    LEVEL = "level"
    """How many there are on that date, such as stars or dependents."""
    FLOW = "flow"
    """How many came in the spacing that ends there, such as downloads a week."""


class Observation(msgspec.Struct, frozen=True):
    """A value and its date."""

    date: date
    value: float


class SeriesTask(msgspec.Struct, frozen=True, rename="camel", tag="series", tag_field="kind"):
    """A series to forecast, either so many days ahead or so many of its own steps.

    Daily observations are folded into weeks for a horizon in days, and left alone for one in steps.
    """

    metric: str
    observations: tuple[Observation, ...]
    horizon_days: Horizon | None = None
    steps: Annotated[int, Meta(ge=1, le=MAX_STEPS)] | None = None
    measure: Measure = Measure.LEVEL
    as_of: date | None = None


class ReleasesTask(msgspec.Struct, frozen=True, rename="camel", tag="releases", tag_field="kind"):
    """Dates of releases, to forecast `releaseCadence` or `dormancyRisk` from."""

    metric: str
    releases: tuple[date, ...]
    as_of: date
    horizon_days: Horizon = 365


Task = SeriesTask | ReleasesTask


class Backtest(msgspec.Struct, frozen=True, rename="camel"):
    """How earlier forecasts of the same series by the same rule came out."""

    mase: Annotated[
        float | None,
        Meta(
            description="Mean absolute error over all steps, in units of the naive one-step error "
            "before each origin; null where that error is 0, and for a probability."
        ),
    ]
    coverage80: Annotated[
        float | None,
        Meta(description="Share of later values within the 80% band; null if too few to tell."),
    ]
    origins: Annotated[int, Meta(ge=0, description="Past dates from which it was forecast.")]
    brier: Annotated[
        float | UnsetType, Meta(description="Mean squared error of a probability.")
    ] = UNSET
    brier_naive: Annotated[
        float | UnsetType, Meta(description="The same of the share of earlier outcomes.")
    ] = UNSET


class Point(msgspec.Struct, frozen=True):
    """One step of a forecast."""

    date: date
    value: float
    low: float
    high: float


class Forecast(msgspec.Struct, frozen=True, rename="camel"):
    """A value at a horizon with its 80% band, and how good such forecasts have been.

    :param spacing_days: days of a step; the mean where steps are months.
    :param path: every step up to the horizon, the last being the forecast; empty for a probability.
    :param weights: of the methods that a combination is made of.
    :param notes: what was done to the observations, and why a figure is missing.
    """

    metric: str
    horizon_days: int
    value: float
    low: float
    high: float
    method: str
    backtest: Backtest
    spacing_days: float
    path: tuple[Point, ...] = ()
    weights: dict[str, float] = {}
    notes: tuple[str, ...] = ()


class NoForecast(msgspec.Struct, frozen=True, rename="camel"):
    """Why there is no forecast.

    :param needed: observations, or releases, that it would take; None if that is not what lacks.
    :param have: how many there are.
    """

    metric: str
    horizon_days: int | None
    reason: str
    needed: int | None = None
    have: int | None = None


class Outcome(msgspec.Struct, frozen=True, rename="camel"):
    """What came of one task: one of the two."""

    forecast: Forecast | None = None
    none: NoForecast | None = None


class Job(msgspec.Struct, frozen=True):
    """What the child reads."""

    tasks: tuple[Task, ...]


class Done(msgspec.Struct, frozen=True):
    """What the child writes: an outcome for each task, in their order."""

    outcomes: tuple[Outcome, ...]
