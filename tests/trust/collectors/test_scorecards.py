"""Results of OpenSSF Scorecard."""

from __future__ import annotations

from typing import Any

import pytest
from collector_bodies import KIT, answer, collected, document, paths

from codeintel.contracts import SourceProblem
from codeintel.testing.conversations import Conversed

REPOSITORY = "github.com/example-org/kit"


def asked(*answers: Any, repository: Any = REPOSITORY) -> Conversed:
    return collected("scorecard", KIT, *answers, known={"repository": repository})


def checks(*listed: Any, **result: Any) -> Any:
    told = {"date": "2026-08-17", "score": 5, "checks": list(listed), **result}
    return asked(told).values["scorecard"]


def test_a_result() -> None:
    found = asked(document("scorecard"))
    assert paths(found) == ["/projects/github.com/example-org/kit"]
    fact, url = found.evidence.found["scorecard"]
    assert url == "https://scorecard.dev/viewer/?uri=github.com/example-org/kit"
    assert (fact["date"], fact["version"], fact["score"]) == (
        "2026-08-17T00:00:00Z",
        "v5.2.1",
        6.4,
    )
    assert {name: check["score"] for name, check in fact["checks"].items()} == {
        "Maintained": 10,
        "Signed-Releases": -1,
        "Branch-Protection": -1,
        "Token-Permissions": 0,
        "License": 10,
    }
    assert fact["checks"]["Signed-Releases"]["reason"] == "no releases found"
    assert fact["checks"]["License"]["url"].endswith("/docs/checks.md#license")


def test_an_old_run_in_which_no_check_ran_has_no_score() -> None:
    found = asked(document("scorecard.old_run"), repository="gitlab.com/example-group/tool")
    assert paths(found) == ["/projects/gitlab.com/example-group/tool"]
    assert found.values["scorecard"] == {
        "date": "2022-05-02T03:04:05Z",
        "version": "v4.2.0",
        "score": None,
        "checks": {},
    }


@pytest.mark.parametrize("entry", document("scorecard.errors"), ids=lambda entry: entry["when"])
def test_errors(entry: Any) -> None:
    found = asked(answer(entry["body"], entry["status"], entry["headers"]))
    assert (found.values, found.evidence.is_unknown) == ({}, False)
    if entry["status"] == 404:  # no published result, with an empty body
        assert found.error is None
        return
    meant = {400: "REFUSED", 422: "REFUSED", 500: "UNAVAILABLE"}
    assert found.error is not None
    assert found.error.problem is SourceProblem[meant[entry["status"]]]
    assert found.error.message.startswith("OpenSSF Scorecard ")


RAN = {"name": "License", "score": 10}


@pytest.mark.parametrize(
    ("score", "fact"),
    [(0, 0), (10, 10), (6.4, 6.4), (-1, None), (11, None), ("6", None), (True, None), (None, None)],
)
def test_the_aggregate(score: Any, fact: float | None) -> None:
    assert checks(RAN, score=score)["score"] == fact


@pytest.mark.parametrize("score", [-2, 11, 5.5, "5", None, True, 10**30])
def test_checks_with_an_impossible_score_are_left_out(score: Any) -> None:
    assert checks(RAN, {"name": "Fuzzing", "score": score})["checks"].keys() == {"License"}


@pytest.mark.parametrize("name", ["", "a b", "x" * 80, None, 5, "<b>"])
def test_checks_without_a_name_are_left_out(name: Any) -> None:
    assert checks(RAN, {"name": name, "score": 5})["checks"].keys() == {"License"}


def test_reasons_are_one_line_and_links_lead_to_pages() -> None:
    check = {**RAN, "reason": "a\nb", "documentation": {"url": "javascript:alert(1)"}}
    assert checks(check)["checks"]["License"] == {"score": 10, "reason": "a b", "url": ""}


@pytest.mark.parametrize("date", [None, "", "yesterday", "2026-13-01", 5])
def test_a_result_without_a_date_is_none(date: Any) -> None:
    assert asked({"date": date, "checks": [RAN], "score": 5}).values == {}


@pytest.mark.parametrize(
    "repository",
    [
        "bitbucket.org/o/r",
        "gitlab.com/a/b/c",
        "github.com/o",
        "github.com/o/..",
        "github.com/o/r?x",
    ],
)
def test_repositories_that_it_does_not_know(repository: str) -> None:
    assert asked(repository=repository).asked == ()
