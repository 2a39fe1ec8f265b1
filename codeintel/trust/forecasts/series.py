"""Turn observations from a table or a task into a regular series."""

from __future__ import annotations

import calendar
import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise
from statistics import median

from codeintel.trust.forecasts import MAX_OBSERVATIONS, Measure, Observation

MAX_GAP_STEPS = 4
"""Maximum number of missing steps in a row that are interpolated.

Values before a longer gap are omitted.
"""
MAX_VALUE = 1e15
"""Above this value, a float no longer distinguishes neighboring counts well enough."""
_DAYS_OF_MONTH = 365.2425 / 12
_MONTHS = {(29, 31): 1, (89, 92): 3, (365, 366): 12}


class SeriesError(ValueError):
    """Raised for observations that do not form a series. The text says which and why."""


@dataclass(frozen=True)
class Spacing:
    """The distance between neighbors: days, or calendar months if there are any."""

    days: int
    months: int = 0
    day_of_month: int = 1

    @property
    def mean_days(self) -> float:
        """The mean number of days in a step."""
        return self.months * _DAYS_OF_MONTH if self.months else float(self.days)

    def step(self, start: date, count: int) -> date:
        """Return the date `count` steps after the start, or before it if negative."""
        if not self.months:
            return start + timedelta(days=self.days * count)
        year, month = divmod(start.year * 12 + start.month - 1 + self.months * count, 12)
        last = calendar.monthrange(year, month + 1)[1]
        return date(year, month + 1, min(self.day_of_month, last))

    @property
    def name(self) -> str:
        """The word for the spacing, as in `12 weekly observations`."""
        if self.months:
            return {1: "monthly", 3: "quarterly", 12: "yearly"}[self.months]
        return {1: "daily", 7: "weekly"}.get(self.days, f"{self.days}-day")


@dataclass(frozen=True)
class Series:
    """Values at regular dates.

    :param last: the date of the last value.
    :param notes: changes to the observations, in words.
    """

    last: date
    spacing: Spacing
    values: tuple[float, ...]
    notes: tuple[str, ...] = ()


def regular(observations: Sequence[Observation], measure: Measure = Measure.LEVEL) -> Series:
    """Return the observations on a regular grid that ends with the last of them.

    Up to `MAX_GAP_STEPS` missing steps in a row are interpolated linearly. Only values after the
    last longer gap are kept. An irregularly observed level is interpolated between its neighbors. A
    flow must be regular.

    :param observations: in any order.
    :raises SeriesError: for fewer than two, a duplicate date, a value that is not a finite number
        from 0 to 1e15, and an irregular flow.
    """
    rows = sorted(observations, key=lambda each: each.date)
    _check(rows)
    spacing = _spacing(rows)
    values, off_grid, filled = _on_grid(rows, spacing)
    if off_grid and measure is Measure.FLOW:
        raise SeriesError("the observations of a flow must be equally spaced")
    notes = []
    if off_grid:
        notes.append(f"{off_grid} values were interpolated between irregular observations")
    if filled:
        notes.append(f"{filled} missing values were filled in linearly")
    if spacing.step(rows[-1].date, 1 - len(values)) > spacing.step(rows[0].date, 1):
        notes.append(f"values before a gap of more than {MAX_GAP_STEPS} steps were omitted")
    return Series(rows[-1].date, spacing, tuple(values), tuple(notes))


def weekly(series: Series, measure: Measure) -> Series:
    """Return a daily series in weeks that end with its last day: sums of a flow, last values of a
    level.

    The days of a week differ, and the methods do not model seasons.
    """
    values = series.values[len(series.values) % 7 :]
    weeks = [values[start : start + 7] for start in range(0, len(values), 7)]
    folded = tuple(math.fsum(week) if measure is Measure.FLOW else week[-1] for week in weeks)
    note = "daily observations were summed into weeks"
    return Series(series.last, Spacing(7), folded, (*series.notes, note))


def _check(rows: Sequence[Observation]) -> None:
    if len(rows) < 2:
        raise SeriesError("a series needs at least two observations")
    for earlier, later in pairwise(rows):
        if earlier.date == later.date:
            raise SeriesError(f"the date {later.date} occurs twice")
    for row in rows:
        if not (math.isfinite(row.value) and 0 <= row.value <= MAX_VALUE):
            raise SeriesError(
                f"the value of {row.date} is {row.value}: a count is a number from 0 to 1e15"
            )


def _spacing(rows: Sequence[Observation]) -> Spacing:
    gaps = [(later.date - one.date).days for one, later in pairwise(rows)]
    days = round(median(gaps))
    if all(gap % days == 0 for gap in gaps):
        return Spacing(days)
    for (least, most), months in _MONTHS.items():
        if least <= days <= most:
            whole = Spacing(days, months, max(row.date.day for row in rows))
            if all(whole.step(row.date, 0) == row.date for row in rows):
                return whole
            return Spacing(days, months, rows[-1].date.day)
    return Spacing(days)


def _on_grid(rows: Sequence[Observation], spacing: Spacing) -> tuple[list[float], int, int]:
    """Return values from the first to the last, and the numbers of interpolated and filled ones."""
    values: list[float] = []
    off_grid = filled = 0
    left = len(rows) - 1
    while True:
        when = spacing.step(rows[-1].date, -len(values))
        while left and rows[left].date > when:
            left -= 1
        before = rows[left]
        if before.date == when:
            values.append(before.value)
            continue
        if before.date > when:
            break
        after = rows[left + 1]
        if (after.date - before.date).days > (MAX_GAP_STEPS + 1.5) * spacing.mean_days:
            break
        share = (when - before.date).days / (after.date - before.date).days
        values.append(before.value + share * (after.value - before.value))
        if after.date < spacing.step(when, 1) or before.date > spacing.step(when, -1):
            off_grid += 1
        else:
            filled += 1
    return values[::-1], off_grid, filled


COLUMNS = ("series", "date", "value")


class TableError(ValueError):
    """Raised for an invalid table. The text names the line."""


def read_table(text: str) -> dict[str, tuple[Observation, ...]]:
    """Return the observations of each series by name, in the order of the table.

    :param text: a header with the columns `series`, `date` and `value`, then an observation per
        line, with dates like 2026-01-31 and values from 0 to 1e15.
    :raises TableError: for a missing column, an invalid cell, a duplicate date in a series, more
        than :data:`MAX_OBSERVATIONS` in a series, and a table without observations.
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
        raise TableError("the table has no observations")
    return {name: tuple(series.values()) for name, series in found.items()}


def _places(header: list[str]) -> tuple[int, int, int]:
    names = [name.strip().lower() for name in header]
    if not any(names):
        raise TableError(f"line 1: the line is empty, but it must name the columns: {_listed()}")
    missing = [name for name in COLUMNS if name not in names]
    if missing:
        raise TableError(f"line 1: the column {missing[0]} is missing; the columns are {_listed()}")
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
        raise TableError(f"line {line}: {text!r} is not a date like 2026-01-31") from None


def _value(text: str, line: int) -> float:
    try:
        value = float(text)
    except ValueError:
        raise TableError(f"line {line}: {text!r} is not a number") from None
    if not (math.isfinite(value) and 0 <= value <= MAX_VALUE):
        raise TableError(f"line {line}: {text} is not a count, which is a number from 0 to 1e15")
    return value
