"""Observations, from a table or a task, made into a regular series."""

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
"""Most steps in a row that are filled in; what lies before a longer gap is left out."""
MAX_VALUE = 1e15
"""Above it a float no longer tells neighboring counts apart well enough."""
_DAYS_OF_MONTH = 365.2425 / 12
_MONTHS = {(29, 31): 1, (89, 92): 3, (365, 366): 12}


class SeriesError(ValueError):
    """Observations that are no series; the text says which and why."""


@dataclass(frozen=True)
class Spacing:
    """The distance between neighbors: days, or calendar months where there are any."""

    days: int
    months: int = 0
    day_of_month: int = 1

    @property
    def mean_days(self) -> float:
        """Days of a step in the mean."""
        return self.months * _DAYS_OF_MONTH if self.months else float(self.days)

    def step(self, start: date, count: int) -> date:
        """The date `count` steps after the start, or before it where negative."""
        if not self.months:
            return start + timedelta(days=self.days * count)
        year, month = divmod(start.year * 12 + start.month - 1 + self.months * count, 12)
        last = calendar.monthrange(year, month + 1)[1]
        return date(year, month + 1, min(self.day_of_month, last))

    @property
    def name(self) -> str:
        """The word for it, as in `12 weekly observations`."""
        if self.months:
            return {1: "monthly", 3: "quarterly", 12: "yearly"}[self.months]
        return {1: "daily", 7: "weekly"}.get(self.days, f"{self.days}-day")


@dataclass(frozen=True)
class Series:
    """Values at regular dates.

    :param last: the date of the last value.
    :param notes: what was done to the observations, in words.
    """

    last: date
    spacing: Spacing
    values: tuple[float, ...]
    notes: tuple[str, ...] = ()


def regular(observations: Sequence[Observation], measure: Measure = Measure.LEVEL) -> Series:
    """The observations on a regular grid that ends with the last of them.

    Missing steps are filled in linearly where no more than `MAX_GAP_STEPS` in a row are missing;
    only what follows the last longer gap is kept. A level that was observed irregularly is read
    off the line between its neighbors; a flow has to be regular.

    :param observations: in any order.
    :raises SeriesError: for fewer than two, a duplicate date, a value that is not a finite number
        from 0 to 1e15, and an irregular flow.
    """
    rows = sorted(observations, key=lambda each: each.date)
    _check(rows)
    spacing = _spacing(rows)
    values, off_grid, filled = _on_grid(rows, spacing)
    if off_grid and measure is Measure.FLOW:
        raise SeriesError("the observations of a flow must be equally spaced, and are not")
    notes = []
    if off_grid:
        notes.append(f"{off_grid} values were read off the line between irregular observations")
    if filled:
        notes.append(f"{filled} missing values were filled in linearly")
    if spacing.step(rows[-1].date, 1 - len(values)) > spacing.step(rows[0].date, 1):
        notes.append(f"what lies before a gap of more than {MAX_GAP_STEPS} steps was left out")
    return Series(rows[-1].date, spacing, tuple(values), tuple(notes))


def weekly(series: Series, measure: Measure) -> Series:
    """A daily series in weeks that end with its last day: sums of a flow, last values of a level.

    The days of a week differ, and no method here knows a season.
    """
    values = series.values[len(series.values) % 7 :]
    weeks = [values[start : start + 7] for start in range(0, len(values), 7)]
    folded = tuple(math.fsum(week) if measure is Measure.FLOW else week[-1] for week in weeks)
    note = "daily observations were folded into weeks"
    return Series(series.last, Spacing(7), folded, (*series.notes, note))


def _check(rows: Sequence[Observation]) -> None:
    if len(rows) < 2:
        raise SeriesError("a series has at least two observations")
    for earlier, later in pairwise(rows):
        if earlier.date == later.date:
            raise SeriesError(f"the date {later.date} is there twice")
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
    """Values from the first to the last; how many of them are of irregular dates, and filled."""
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
