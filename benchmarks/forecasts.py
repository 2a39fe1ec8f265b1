"""Measure how good forecasts of counts are, on series whose future is known.

    python benchmarks/forecasts.py TABLE.csv [--horizon 13] [--origins 8] [--every 8] [--json]

The table has a name, a date and a count in its first three columns. Each series is cut at several
origins. The part before the cut is the input of the same forecast as in `codeintel trust forecast`,
and of each method alone, with parameters fitted to the same part. Errors are scaled by the naive
one-step error before the cut (MASE) and averaged over steps, origins and series. `coverage` is the
share of later values within the 80% bands. `told` is the coverage that the forecasts estimated for
themselves.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from codeintel.trust.forecasts.child import ONE_THREAD

os.environ.update(ONE_THREAD)  # before numpy is imported

import numpy as np

from codeintel.trust.forecasts import Forecast, Observation, SeriesTask
from codeintel.trust.forecasts.forecasting import forecast
from codeintel.trust.forecasts.methods import METHODS, fit, forecasts, naive_error
from codeintel.trust.forecasts.series import COLUMNS, read_table, regular

OURS = "chosen"
SIZES = ("smallest third", "middle third", "largest third")


class Job(NamedTuple):
    """A series, and how to cut it."""

    name: str
    rows: tuple[Observation, ...]
    horizon: int
    origins: int
    every: int


class Found(NamedTuple):
    """The result for a series: scaled errors by method, hits by origin and step, and cost."""

    size: float
    errors: dict[str, float]
    hits: list[list[bool]]
    told: list[float]
    seconds: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("table", type=Path)
    parser.add_argument("--horizon", type=int, default=13, help="steps ahead")
    parser.add_argument("--origins", type=int, default=8, help="cuts of each series")
    parser.add_argument("--every", type=int, default=8, help="steps from one cut to the next")
    parser.add_argument("--half", choices=("all", "even", "odd"), default="all", help="of series")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    series = _read(options.table)
    names = {"all": slice(None), "even": slice(0, None, 2), "odd": slice(1, None, 2)}[options.half]
    jobs = [
        Job(name, series[name], options.horizon, options.origins, options.every)
        for name in sorted(series)[names]
    ]
    with get_context("spawn").Pool(options.processes) as pool:
        found = [each for each in pool.map(measure, jobs, chunksize=4) if each is not None]
    if not found:
        sys.exit("no series is long enough for so many cuts")
    figures = summary(found, options.horizon) | {
        "series": len(found),
        "leftOut": len(jobs) - len(found),
    }
    print(json.dumps(figures, indent=2) if options.json else text(figures))


def _read(path: Path) -> dict[str, tuple[Observation, ...]]:
    _, _, rest = path.read_text(encoding="utf-8-sig").partition("\n")
    return read_table(",".join(COLUMNS) + "\n" + rest)


def measure(job: Job) -> Found | None:
    """Forecast from each cut; None where the series is too short for any."""
    series = regular(job.rows)
    values = np.array(series.values)
    rows = [
        Observation(series.spacing.step(series.last, at + 1 - len(values)), float(value))
        for at, value in enumerate(values)
    ]
    errors: dict[str, list[float]] = {}
    hits: list[list[bool]] = []
    told: list[float] = []
    seconds = 0.0
    for cut in range(job.origins):
        origin = len(values) - job.horizon - cut * job.every
        begun = time.process_time()
        outcome = forecast(SeriesTask(job.name, tuple(rows[: max(origin, 0)]), steps=job.horizon))
        seconds += time.process_time() - begun
        if not isinstance(outcome, Forecast):
            return None
        later = values[origin : origin + job.horizon]
        hits.append(
            [
                bool(p.low - 1e-6 <= v <= p.high + 1e-6)
                for p, v in zip(outcome.path, later, strict=True)
            ]
        )
        told += [] if outcome.backtest.coverage80 is None else [outcome.backtest.coverage80]
        scale = naive_error(values[:origin])
        if scale > 0:
            said = _alone(values[:origin], job.horizon)
            said[OURS] = np.array([point.value for point in outcome.path])
            for name, path in said.items():
                errors.setdefault(name, []).append(float(np.abs(path - later).mean()) / scale)
    means = {name: float(np.mean(each)) for name, each in errors.items()}
    return Found(float(values[-1]), means, hits, told, seconds / job.origins)


def _alone(values: Any, horizon: int) -> dict[str, Any]:
    found = forecasts(values, [len(values)], fit(values), horizon)[0]
    return dict(zip(METHODS, found, strict=True)) | {"naive": np.full(horizon, values[-1])}


def summary(found: list[Found], horizon: int) -> dict[str, Any]:
    hits = np.array([each.hits for each in found], dtype=float)
    moving = [each for each in found if each.errors]
    order = np.argsort([each.size for each in found])
    thirds = np.array_split(order, len(SIZES))
    return {
        "origins": hits.shape[1],
        "mase": {
            name: round(float(np.mean([each.errors[name] for each in moving])), 4)
            for name in (OURS, *METHODS, "naive")
        },
        "medianMase": {
            name: round(float(np.median([each.errors[name] for each in moving])), 4)
            for name in (OURS, *METHODS, "naive")
        },
        "coverage": round(float(hits.mean()), 4),
        "coverageByStep": [round(float(hits[:, :, step].mean()), 3) for step in range(horizon)],
        "coverageByOrigin": [round(float(each), 3) for each in hits.mean(axis=(0, 2))],
        "coverageBySize": {
            name: round(float(hits[third].mean()), 4)
            for name, third in zip(SIZES, thirds, strict=True)
        },
        "told": round(float(np.mean([value for each in found for value in each.told])), 4),
        "secondsOfProcessor": round(float(np.mean([each.seconds for each in found])), 3),
        "megabytes": round(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024),
    }


def text(figures: dict[str, Any]) -> str:
    """The figures, a line each."""
    return "\n".join(f"{name:20} {_shown(value)}" for name, value in figures.items())


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "  ".join(f"{name} {each}" for name, each in value.items())
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


if __name__ == "__main__":
    main()
