"""Forecasts of package metrics with measured errors.

The data types, the reading of tables and the parent's side of the child process do not need numpy.
Only the child (:mod:`codeintel.trust.forecasts.child`) imports numeric libraries.
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
"""Maximum number of observations of a series in a table: the days of half a century."""
RELEASE_CADENCE = "releaseCadence"
DORMANCY_RISK = "dormancyRisk"

Horizon = Annotated[int, Meta(ge=1, le=MAX_HORIZON_DAYS)]


class Measure(StrEnum):
    """The meaning of a count's observation."""

    LEVEL = "level"
    """The number on that date, such as stars or dependents."""
    FLOW = "flow"
    """The number added in the interval that ends on that date, such as downloads a week."""


class Observation(msgspec.Struct, frozen=True):
    """A value and its date."""

    date: date
    value: float


class SeriesTask(msgspec.Struct, frozen=True, rename="camel", tag="series", tag_field="kind"):
    """A series to forecast, by a number of days or of steps of the series.

    Daily observations are summed into weeks for a horizon in days, and stay daily for one in steps.
    """

    metric: str
    observations: tuple[Observation, ...]
    horizon_days: Horizon | None = None
    steps: Annotated[int, Meta(ge=1, le=MAX_STEPS)] | None = None
    measure: Measure = Measure.LEVEL
    as_of: date | None = None


class ReleasesTask(msgspec.Struct, frozen=True, rename="camel", tag="releases", tag_field="kind"):
    """Dates of releases, to forecast `releaseCadence` or `dormancyRisk`."""

    metric: str
    releases: tuple[date, ...]
    as_of: date
    horizon_days: Horizon = 365


Task = SeriesTask | ReleasesTask


class Backtest(msgspec.Struct, frozen=True, rename="camel"):
    """The accuracy of earlier forecasts of the same series by the same rule."""

    mase: Annotated[
        float | None,
        Meta(
            description="Mean absolute error over all steps, in units of the naive one-step error "
            "before each origin; null where that error is 0, and for a probability."
        ),
    ]
    coverage80: Annotated[
        float | None,
        Meta(description="Share of later values within the 80% band; null if there are too few."),
    ]
    origins: Annotated[int, Meta(ge=0, description="Number of past dates with a forecast.")]
    brier: Annotated[
        float | UnsetType, Meta(description="Mean squared error of a probability.")
    ] = UNSET
    brier_naive: Annotated[
        float | UnsetType,
        Meta(description=("The mean squared error of the share of earlier outcomes.")),
    ] = UNSET


class Point(msgspec.Struct, frozen=True):
    """A step of a forecast."""

    date: date
    value: float
    low: float
    high: float


class Forecast(msgspec.Struct, frozen=True, rename="camel"):
    """A value at a horizon with its 80% band, and the accuracy of such forecasts.

    :param spacing_days: days of a step; the mean if steps are months.
    :param path: every step up to the horizon, the last being the forecast; empty for a probability.
    :param weights: the weights of the methods in a combination.
    :param notes: changes to the observations, and the reasons for missing figures.
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
    """The reason why a forecast is missing.

    :param needed: the required number of observations or releases; None for other reasons.
    :param have: the available number.
    """

    metric: str
    horizon_days: int | None
    reason: str
    needed: int | None = None
    have: int | None = None


class ForecastOutcome(msgspec.Struct, frozen=True, rename="camel"):
    """The outcome of one task: a forecast, or the reason for its absence."""

    forecast: Forecast | None = None
    none: NoForecast | None = None


class Job(msgspec.Struct, frozen=True):
    """The input of the child."""

    tasks: tuple[Task, ...]


class Done(msgspec.Struct, frozen=True):
    """The output of the child: an outcome for each task, in order."""

    outcomes: tuple[ForecastOutcome, ...]
