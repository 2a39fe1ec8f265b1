"""From facts to numbers that a history is made of."""

from __future__ import annotations

from typing import Any

import pytest
from trust_cases import HOSTILE, inputs_of

from codeintel.trust.store import observed

NOW = 1_795_341_600_000
"""2026-11-22T10:00:00Z."""


@pytest.mark.parametrize(
    ("values", "rows"),
    [
        ({}, []),
        (
            {"downloads": {"count": 2_500, "period": "last-month"}},
            [("downloads", NOW, 2_500.0)],
        ),
        ({"downloads": {"count": 7, "period": "total"}}, [("downloads_total", NOW, 7.0)]),
        ({"downloads": {"count": 7, "period": "last-week"}}, []),
        ({"downloads": {"count": 7}}, []),
        ({"dependents": {"packages": 12, "repositories": 90}}, [("dependents", NOW, 12.0)]),
        ({"dependents": {"packages": None, "repositories": 90}}, []),
        ({"dependents": {"packages": 0, "repositories": 0}}, [("dependents", NOW, 0.0)]),
        ({"stars": 5}, [("stars", NOW, 5.0)]),
        ({"stars": True}, []),
        (
            {
                "releases": [
                    {"version": "1", "at": "2026-11-22T09:59:59.999Z"},
                    {"version": "2", "at": "2026-11-22T10:00:00Z"},
                    {"version": "2+b", "at": "2026-11-22T11:00:00+01:00"},  # the same moment
                    {"version": "3", "at": "soon"},
                    {"version": "4"},
                    "5",
                ]
            },
            [("release", NOW - 1_000, 1.0), ("release", NOW, 1.0)],  # whole seconds
        ),
    ],
)
def test_rows(values: dict[str, Any], rows: list[tuple[str, int, float]]) -> None:
    assert [tuple(each) for each in observed(inputs_of(values), NOW)] == rows


def test_what_is_stale_is_not_counted_again() -> None:
    values = {"stars": 5, "dependents": {"packages": 1}}
    rows = observed(inputs_of(values, stale=("stars",)), NOW)
    assert [each.metric for each in rows] == ["dependents"]


def test_facts_of_other_shapes() -> None:
    for name in ("downloads", "dependents", "stars", "releases"):
        for value in HOSTILE:
            for each in observed(inputs_of({name: value}), NOW):
                assert isinstance(each.at_ms, int) and isinstance(each.value, float)
