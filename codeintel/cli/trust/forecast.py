"""`codeintel trust forecast`: forecast the series of a table."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from codeintel.base.extras import FORECASTS
from codeintel.base.wording import printable
from codeintel.cli.output import table, terminal_width, write, write_json, write_line
from codeintel.server.opening import Failure
from codeintel.trust.forecasts import MAX_STEPS, Forecast, NoForecast, Observation

_MOST_PROCESSES = 4
_START_SECONDS = 60.0
_TASK_SECONDS = 10.0
_HEADERS = ("series", "date", "value", "low", "high", "mase", "coverage", "origins", "method")
# Fields that repeat `method`, the end of `path`, or the option of the command.
_LEFT_OUT = {"metric", "horizonDays"}


@click.command(short_help="Forecast the series of a table.")
@click.argument("file")
@click.option(
    "--horizon",
    type=click.IntRange(1, MAX_STEPS),
    required=True,
    help="The number of steps ahead, in the spacing of each series: 13 weeks for a weekly series.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all steps.")
def forecast(file: str, horizon: int, as_json: bool) -> None:
    """Forecast all series in FILE, a CSV table with the columns series, date and value.

    Dates are like 2026-01-31. Use - for standard input. Each forecast has an 80% prediction
    interval and a backtest on the past of the series: the mean absolute scaled error (MASE) and the
    share of later values inside the interval. Series with too little history get no forecast.
    """
    if FORECASTS.is_missing:
        raise Failure(f"{FORECASTS.refusal}.")
    series = _read(file)
    outcomes = _outcomes(series, horizon)
    if as_json:
        rows = [_row(name, each) for name, each in zip(series, outcomes, strict=True)]
        write_json({"horizon": horizon, "forecasts": rows})
        return
    found = [each for each in outcomes if isinstance(each, Forecast)]
    if found:
        write(table(_HEADERS, [_cells(each) for each in found], terminal_width()))
    for each in outcomes:
        if isinstance(each, NoForecast):
            write_line(f"No forecast for {each.metric}: {each.reason}", err=True)


def _read(file: str) -> Mapping[str, Sequence[Observation]]:
    from codeintel.trust.forecasts.series import TableError, read_table

    name = "<stdin>" if file == "-" else file
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return read_table(data.decode("utf-8-sig"))
    except OSError as error:
        raise Failure(f"Cannot read {name}: {error.strerror}.") from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise Failure(f"{name}, line {line}: the line is not UTF-8.") from None
    except TableError as error:
        raise Failure(f"{name}: {error}.") from None


def _outcomes(
    series: Mapping[str, Sequence[Observation]], horizon: int
) -> list[Forecast | NoForecast]:
    from codeintel.trust.forecasts import SeriesTask
    from codeintel.trust.forecasts.process import ForecastError, run_spread

    tasks = [SeriesTask(name, tuple(rows), steps=horizon) for name, rows in series.items()]
    processes = min(_MOST_PROCESSES, len(os.sched_getaffinity(0)))
    try:
        return run_spread(tasks, _START_SECONDS + _TASK_SECONDS * len(tasks), processes)
    except ForecastError as error:
        raise Failure(f"The forecast failed: {error}.") from None


def _row(name: str, outcome: Forecast | NoForecast) -> dict[str, Any]:
    facts = msgspec.to_builtins(outcome)
    kept = {key: value for key, value in facts.items() if key not in _LEFT_OUT}
    return {"series": name, **kept}


def _cells(found: Forecast) -> tuple[str, ...]:
    past = found.backtest
    return (
        printable(found.metric),
        found.path[-1].date.isoformat(),
        *(f"{value:,.0f}" if value >= 100 else f"{value:.1f}" for value in _band(found)),
        "-" if past.mase is None else f"{past.mase:.2f}",
        "-" if past.coverage80 is None else f"{past.coverage80:.0%}",
        str(past.origins),
        found.method,
    )


def _band(found: Forecast) -> tuple[float, float, float]:
    return found.value, found.low, found.high
