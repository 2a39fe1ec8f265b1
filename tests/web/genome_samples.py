"""Forecasts, advice and moats of made-up packages."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

from codeintel.contracts import Ecosystem
from codeintel.trust.cohorts import Cohort
from codeintel.trust.forecasts import Backtest, Point
from codeintel.trust.shapes import (
    CodeGenome,
    Gain,
    MoatSignal,
    PackageForecast,
    Recommendation,
    Unforecast,
)

NOW = datetime(2026, 11, 22, 10, 0, tzinfo=UTC)
HASH = "5f" * 32
COHORT = Cohort("coh_1", Ecosystem.NPM, NOW - timedelta(days=2), 480, HASH, "1-3f2b8c0d9e1a")


def forecast(key: str = "npm:kit", metric: str = "downloads", **more: Any) -> PackageForecast:
    """Return a growing forecast of thirteen weeks."""
    path = tuple(
        Point(
            date(2026, 11, 22) + timedelta(weeks=week),
            2_500_000.0 + 10_000 * week,
            2_500_000.0 - 20_000 * week,
            2_500_000.0 + 45_000 * week,
        )
        for week in range(1, 14)
    )
    fields: dict[str, Any] = {
        "metric": metric,
        "horizon_days": 91,
        "value": path[-1].value,
        "low": path[-1].low,
        "high": path[-1].high,
        "method": "combination",
        "backtest": Backtest(0.72, 0.8125, 16),
        "spacing_days": 7.0,
        "path": path,
        "weights": {"theta": 0.6, "drift": 0.4, "damped_ets": 0.0},
        "notes": ("daily counts were folded into weeks",),
        **more,
    }
    return PackageForecast(**fields, target=key)


def dormancy(key: str = "npm:kit") -> PackageForecast:
    """Return the forecast of a probability, which has no path."""
    return PackageForecast(
        metric="dormancyRisk",
        horizon_days=365,
        value=0.124,
        low=0.05,
        high=0.3,
        method="conditional_survival",
        backtest=Backtest(None, None, 12, 0.05, 0.11),
        spacing_days=91.0,
        notes=("a probability has no scaled error or coverage. See its Brier score",),
        target=key,
    )


def genome(key: str = "npm:kit", **more: Any) -> CodeGenome:
    """Return a genome with one entry of each kind."""
    fields: dict[str, Any] = {
        "rank": 12,
        "percentile": 97.5,
        "ranked_among": 481,
        "cohort": COHORT,
        "forecasts": (forecast(key), dormancy(key)),
        "unforecast": (
            Unforecast("stars", 91, "2 weekly observations, 40 are needed", 40, 2, target=key),
        ),
        "recommendations": (
            Recommendation(key, "attestations", Gain.IMPROVE, 20.0, "Publish with provenance."),
            Recommendation(key, "code-review", Gain.SHOW, 10.0, "This is unknown now: no."),
        ),
        "moat_signals": (
            MoatSignal(
                key,
                "dependents-packages",
                "Dependent packages",
                1_200,
                "packages",
                "https://evidence.test/dependents",
                "2026-11-22T07:00:00Z",
            ),
            MoatSignal(
                key, "stars", "Repository's stars", None, "stars", None, None, "Nobody tells it."
            ),
        ),
        **more,
    }
    return CodeGenome(**fields)
