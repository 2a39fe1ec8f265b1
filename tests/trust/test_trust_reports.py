"""The parts of an answer in addition to the score."""

from __future__ import annotations

from typing import Any

import pytest
from trust_cases import fact

from codeintel.contracts import Facts, SourceProblem
from codeintel.trust.reports import _distinct
from codeintel.trust.scores import Failure
from codeintel.trust.shapes import MOST_ADVISORIES, Advisory, advisories

WHOLE = {
    "id": "GHSA-aaaa-bbbb-cccc",
    "aliases": ["CVE-2026-1"],
    "severity": 9.8,
    "level": "critical",
    "summary": "Anybody can run code.",
    "url": "https://osv.dev/vulnerability/GHSA-aaaa-bbbb-cccc",
    "published": "2026-01-31T00:00:00Z",
    "fixed": ["1.2.7", "2.0.1"],
}


def told(value: Any) -> tuple[Advisory, ...]:
    return advisories(Facts({"advisories": fact("advisories", value)}))


def test_advisories_are_told() -> None:
    """Check ids and fixed versions, as the collector has them."""
    (found,) = told([WHOLE])
    assert (found.id, found.aliases, found.fixed) == (
        *(WHOLE["id"], ("CVE-2026-1",)),
        ("1.2.7", "2.0.1"),
    )
    assert (found.severity, found.level, found.url) == (9.8, "critical", WHOLE["url"])
    (bare,) = told([{**WHOLE, "severity": None, "published": None, "level": "unknown"}])
    assert bare.severity is None and bare.published is None
    assert advisories(Facts({})) == told([]) == ()


@pytest.mark.parametrize(
    "change",
    [
        {"id": ""},
        {"id": 5},
        {"id": "x" * 101},
        {"severity": "high"},
        {"severity": 11},
        {"url": "javascript:alert(1)"},
        {"aliases": "CVE-2026-1"},
        {"fixed": [None]},
        {"summary": "x" * 1_001},
    ],
)
def test_advisories_of_another_shape_are_left_out(change: dict[str, Any]) -> None:
    assert told([{**WHOLE, **change}, WHOLE]) == told([WHOLE])


@pytest.mark.parametrize("value", [None, "GHSA", {"id": "x"}, [None, 5, [], "GHSA"], [{}]])
def test_facts_that_hold_no_advisories(value: Any) -> None:
    assert told(value) == ()


def test_no_more_than_anybody_reads() -> None:
    found = told([{**WHOLE, "id": f"OSV-{number}"} for number in range(MOST_ADVISORIES + 9)])
    assert [each.id for each in found] == [f"OSV-{number}" for number in range(MOST_ADVISORIES)]


def test_one_failure_of_several_collectors_is_told_once() -> None:
    late, other = (SourceProblem.TIMEOUT, "A was late."), (SourceProblem.TIMEOUT, "B was late.")
    given = [
        Failure("a-versions", *late),
        Failure("b", *other),
        Failure("a-project", *late),
        Failure("c", SourceProblem.UNREACHABLE, "A was late."),
    ]
    assert _distinct(given) == (given[0], given[1], given[3])
