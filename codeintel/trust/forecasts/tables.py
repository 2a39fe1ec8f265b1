"""Series from a table of comma-separated values."""

from __future__ import annotations

import csv
import io
import math
from datetime import date

from codeintel.trust.forecasts.series import MAX_VALUE
from codeintel.trust.forecasts.shapes import MAX_OBSERVATIONS, Observation

COLUMNS = ("series", "date", "value")


class TableError(ValueError):
    """A table that is none; the text names the line."""


def read_table(text: str) -> dict[str, tuple[Observation, ...]]:
    """The observations of each series, by its name, in the order of the table.

    :param text: a line of names, among them `series`, `date` and `value`, then an observation a
        line: dates like 2026-01-31, values from 0 to 1e15.
    :raises TableError: for a missing column, a cell that is wrong, a date that a series has twice,
        more than :data:`MAX_OBSERVATIONS` of a series, and where there are no observations.
    """
    rows = csv.reader(io.StringIO(text, newline=""))
    try:
        places = _places(next(rows, []))
        found: dict[str, dict[date, Observation]] = {}
        for row in rows:
            if row:
                name, observation = _observation(row, places, rows.line_num)
                series = found.setdefault(name, {})
                if observation.date in series:
                    raise TableError(
                        f"line {rows.line_num}: {name} has the date {observation.date} twice"
                    )
                if len(series) == MAX_OBSERVATIONS:
                    raise TableError(
                        f"line {rows.line_num}: {name} has more than {MAX_OBSERVATIONS:,}"
                        " observations"
                    )
                series[observation.date] = observation
    except csv.Error as error:
        raise TableError(f"line {rows.line_num}: {error}") from None
    if not found:
        raise TableError("there are no observations")
    return {name: tuple(series.values()) for name, series in found.items()}


def _places(header: list[str]) -> tuple[int, int, int]:
    names = [name.strip().lower() for name in header]
    if not any(names):
        raise TableError(f"line 1: it is empty; the first line names the columns: {_listed()}")
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise TableError(f"line 1: there is no column {missing[0]}; the columns are {_listed()}")
    series, day, value = (names.index(name) for name in COLUMNS)
    return series, day, value


def _listed() -> str:
    return ",".join(COLUMNS)


def _observation(
    row: list[str], places: tuple[int, int, int], line: int
) -> tuple[str, Observation]:
    if len(row) <= max(places):
        raise TableError(f"line {line}: {len(row)} cells, {max(places) + 1} are needed")
    name, day, value = (row[place].strip() for place in places)
    if not name:
        raise TableError(f"line {line}: the series has no name")
    return name, Observation(_date(day, line), _value(value, line))


def _date(text: str, line: int) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise TableError(f"line {line}: {text!r} is no date like 2026-01-31") from None


def _value(text: str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        raise TableError(f"line {line}: {text!r} is no number") from None
    if not (math.isfinite(value) and 0 <= value <= MAX_VALUE):
        raise TableError(f"line {line}: {text} is no count, which is a number from 0 to 1e15")
    return value
