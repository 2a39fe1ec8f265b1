"""Packages side by side, and their ranks in a cohort."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from msgspec import structs
from network_requests import GENOME, URL, get
from trust_upstreams import FakeUpstreams

from codeintel.contracts import Ecosystem


def test_a_comparison(client: FlaskClient) -> None:
    answer = get(client, kind="comparison", target="package:bad..vs..package:npm:kit")
    assert answer.status_code == 200
    body = answer.get_json()
    assert set(body) == {"kind", "packages", "comparison", "codeGenome"}
    assert [each["target"]["key"] for each in body["packages"]] == ["npm:bad", "npm:kit"]
    bad, kit = body["packages"]
    assert bad["high"] < kit["low"]
    assert body["comparison"]["verdict"] == "clear_difference"
    assert body["comparison"]["leader"] == "npm:kit"
    assert "npm:bad" in body["comparison"]["reason"]
    axes = {each["axis"]: each["leader"] for each in body["comparison"]["axes"]}
    assert axes["security"] == "npm:kit" and axes["naming"] is None
    genome = body["codeGenome"]
    assert set(genome) == GENOME
    for name in ("rank", "percentile", "cohort"):
        assert genome[name] == {"npm:bad": None, "npm:kit": None}
    for name in ("unforecast", "recommendations", "moatSignals"):
        assert {each["target"] for each in genome[name]} == {"npm:bad", "npm:kit"}
    single = get(client, target="kit").get_json()
    assert {**kit, "ageSeconds": 0} == {**{name: single[name] for name in kit}, "ageSeconds": 0}


def test_no_clear_difference(client: FlaskClient) -> None:
    body = get(client, kind="comparison", target="package:@scope/kit..vs..package:kit").get_json()
    assert body["comparison"]["verdict"] == "no_clear_difference"
    assert body["comparison"]["leader"] is None


def test_two_of_a_comparison_are_asked_for_once(
    client: FlaskClient, upstreams: FakeUpstreams
) -> None:
    """Check that they are not queried again while they are fresh."""
    target = "package:kit..vs..package:bad..vs..package:@scope/kit"
    get(client, kind="comparison", target=target)
    before = upstreams.asked.total()
    again = get(client, kind="comparison", target=target)
    assert len(again.get_json()["packages"]) == 3
    assert upstreams.asked.total() == before


def test_ranks_against_a_cohort(
    alone: FlaskClient, upstreams: FakeUpstreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compare a package's current value with the frozen scores of the others."""
    names = [f"kit{number}" for number in range(9)]
    for name in names:
        upstreams.add(name, repository="example-org/kit")
    for name in (*names, "bad"):
        assert get(alone, target=name).status_code == 200
    trust = alone.application.extensions["codeintel"].trust
    made = trust.cohorts.build(Ecosystem.NPM, trust.snapshots.scorer_version)
    first = get(alone, target="bad").get_json()["codeGenome"]
    assert (first["rank"], first["percentile"]) == (10, 0.0)
    assert first["cohort"] == {
        "id": made.id,
        "ecosystem": "npm",
        "createdAt": first["cohort"]["createdAt"],
        "size": 10,
        "digest": made.digest,
        "scorerVersion": trust.snapshots.scorer_version,
    }
    target = "package:kit0..vs..package:bad..vs..package:pypi:kit"
    both = get(alone, kind="comparison", target=target).get_json()["codeGenome"]
    assert both["rank"] == {"npm:kit0": 1, "npm:bad": 10, "pypi:kit": None}
    # Of the nine others eight are equal and one is lower: (1 + 8 / 2) / 9.
    assert both["percentile"] == {"npm:kit0": 55.56, "npm:bad": 0.0, "pypi:kit": None}
    assert both["rankedAmong"] == {"npm:kit0": 10, "npm:bad": 10, "pypi:kit": None}
    upstreams.add("late", repository="example-org/kit")
    stranger = get(alone, target="late").get_json()["codeGenome"]
    assert (first["rankedAmong"], stranger["rankedAmong"]) == (10, 11)
    assert both["cohort"]["npm:kit0"] == both["cohort"]["npm:bad"] == first["cohort"]
    assert both["cohort"]["pypi:kit"] is None
    assert [each["id"] for each in alone.get(URL).get_json()["cohorts"]] == [made.id]
    other = structs.replace(made, scorer_version="1-other")
    monkeypatch.setattr(trust.cohorts.__class__, "newest", lambda *_: other)
    genome = get(alone, target="bad").get_json()["codeGenome"]
    assert (genome["rank"], genome["percentile"], genome["cohort"]) == (None, None, None)
