"""Observations on a regular grid."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings, strategies as st

from codeintel.trust.forecasts import Measure, Observation
from codeintel.trust.forecasts.series import Series, SeriesError, Spacing, regular, weekly

START = date(2026, 1, 2)


def rows(*pairs: tuple[int, float]) -> list[Observation]:
    """Return observations by the days since the start."""
    return [Observation(START + timedelta(days=day), value) for day, value in pairs]


def test_regular_observations_stay_as_they_are_in_any_order() -> None:
    found = regular(rows((14, 3), (0, 1), (7, 5)))
    assert found == Series(START + timedelta(days=14), Spacing(7), (1, 5, 3))


def test_missing_steps_are_filled_in_and_told() -> None:
    found = regular(rows((0, 0), (7, 1), (14, 2), (35, 8), (42, 9)))
    assert found.values == (0, 1, 2, 4, 6, 8, 9)
    assert found.notes == ("2 missing values were filled in linearly",)


def test_what_lies_before_a_long_gap_is_left_out() -> None:
    # Five are missing, and below four.
    near = [(day, 1.0) for day in range(49, 140, 7)]
    found = regular(rows((0, 9), (7, 9), *near))
    assert set(found.values) == {1.0}
    assert found.notes == ("values before a gap of more than 4 steps were omitted",)
    kept = regular(rows((0, 9), (7, 9), *((day, 9.0) for day in range(42, 140, 7))))
    assert len(kept.values) == 20


def test_an_irregular_level_is_read_off_the_line_and_an_irregular_flow_refused() -> None:
    irregular = rows((0, 0), (7, 7), (13, 13), (21, 21), (28, 28))
    found = regular(irregular)
    assert found.values == pytest.approx((0, 7, 14, 21, 28))
    assert found.notes == ("1 values were interpolated between irregular observations",)
    with pytest.raises(SeriesError, match="equally spaced"):
        regular(irregular, Measure.FLOW)


@pytest.mark.parametrize(
    ("dates", "ahead", "name"),
    [
        (("2025-11-30", "2025-12-31", "2026-01-31", "2026-02-28"), "2026-03-31", "monthly"),
        (("2025-11-01", "2025-12-01", "2026-01-01", "2026-02-01"), "2026-03-01", "monthly"),
        (("2025-01-01", "2025-04-01", "2025-07-01", "2025-10-01"), "2026-01-01", "quarterly"),
        (("2023-02-28", "2024-02-29", "2025-02-28", "2026-02-28"), "2027-02-28", "yearly"),
    ],
)
def test_months_are_those_of_the_calendar(dates: tuple[str, ...], ahead: str, name: str) -> None:
    found = regular([Observation(date.fromisoformat(day), 3.0) for day in dates])
    assert (found.values, found.notes) == ((3.0,) * 4, ())
    assert found.spacing.step(found.last, 1).isoformat() == ahead
    assert found.spacing.name == name


@pytest.mark.parametrize(
    ("pairs", "said"),
    [
        ([(0, 1.0)], "at least two"),
        ([(0, 1.0), (7, 1.0), (7, 2.0)], "2026-01-09 occurs twice"),
        ([(0, 1.0), (7, -1.0)], "the value of 2026-01-09 is -1"),
        ([(0, 1.0), (7, float("nan"))], "nan"),
        ([(0, float("inf")), (7, 1.0)], "the value of 2026-01-02 is inf"),
        ([(0, 1.0), (7, 2e15)], "from 0 to 1e15"),
    ],
)
def test_what_is_no_series_is_refused(pairs: list[tuple[int, float]], said: str) -> None:
    with pytest.raises(SeriesError, match=said):
        regular(rows(*pairs))


def test_days_are_folded_into_weeks_that_end_with_the_last() -> None:
    days = Series(START, Spacing(1), tuple(float(day) for day in range(16)))
    assert weekly(days, Measure.LEVEL).values == (8, 15)
    assert weekly(days, Measure.FLOW).values == (sum(range(2, 9)), sum(range(9, 16)))
    assert weekly(days, Measure.FLOW).spacing == Spacing(7)


@settings(max_examples=80, deadline=None)
@given(days=st.sets(st.integers(0, 400), min_size=2, max_size=60))
def test_a_grid_ends_with_the_last_and_stays_within_the_values(days: set[int]) -> None:
    given_rows = rows(*((day, float(day)) for day in days))
    found = regular(given_rows)
    assert found.last == START + timedelta(days=max(days))
    assert found.values[-1] == max(days)
    assert all(min(days) <= value <= max(days) for value in found.values)
    assert list(found.values) == sorted(found.values)
    assert len(found.values) <= (max(days) - min(days)) / found.spacing.days + 2
