"""`GET /api/trust/network`: a package, the overview, and the ways to write a target."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from network_requests import GENOME, URL, get, look_later
from openapi_spec_validator import OpenAPIV31SpecValidator


def test_its_age(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """Check that the age is in whole seconds since the collection, and never negative."""
    body = get(client, kind="package", target="kit").get_json()
    for seconds, age in ((90.5, 90), (-5, 0)):
        look_later(monkeypatch, body, seconds)
        assert get(client, kind="package", target="kit").get_json()["ageSeconds"] == age


def test_a_package(client: FlaskClient) -> None:
    answer = get(client, kind="package", target="kit")
    assert answer.status_code == 200
    body = answer.get_json()
    assert body["kind"] == "package" and "data" not in body and "ignoredFields" not in body
    assert body["target"] == {
        "key": "npm:kit",
        "ecosystem": "npm",
        "name": "kit",
        "version": "1.2.6",
        "purl": "pkg:npm/kit",
    }
    assert sum(each["contribution"] for each in body["signals"]) == body["score"] == body["low"]
    missing = sum(each["weight"] for each in body["signals"] if each["score"] is None)
    assert body["high"] == body["low"] + missing
    assert {each["axis"] for each in body["axes"]} == {
        *("security", "maintenance", "provenance", "community", "naming")
    }
    assert (body["isStale"], body["unavailable"], body["suspicion"]) == (False, [], None)
    assert body["popularity"]["downloads"] == 2_500_000
    assert {each["id"] for each in body["nodes"]} >= {"npm:left", "npm:right"}
    assert set(body["codeGenome"]) == GENOME
    genome = body["codeGenome"]
    assert (genome["rank"], genome["percentile"], genome["cohort"]) == (None, None, None)
    assert genome["forecasts"] == [] and {each["target"] for each in genome["unforecast"]} == {
        "npm:kit"
    }
    assert {each["signal"] for each in genome["recommendations"]} >= {"token-permissions"}
    assert {each["id"] for each in genome["moatSignals"]} >= {"dependents-packages", "stars"}
    for signal in body["signals"]:
        assert set(signal) == {
            *("id", "axis", "title", "status", "value", "unit", "score", "weight"),
            *("contribution", "unproven", "evidenceUrl", "observedAt", "note"),
        }


def test_the_kind_is_package_if_nothing_is_said(client: FlaskClient) -> None:
    both = [get(client, target="kit").get_json(), get(client, kind="package", target="kit")]
    assert both[0]["snapshotId"] == both[1].get_json()["snapshotId"]


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("target=@scope/kit", "npm:@scope/kit"),
        ("target=%40scope%2Fkit", "npm:@scope/kit"),
        ("target=npm:@scope/kit", "npm:@scope/kit"),
        ("target=npm%3A%40scope%2Fkit", "npm:@scope/kit"),
        ("target=pkg:npm/%2540scope/kit", "npm:@scope/kit"),
        ("target=pkg:npm/@scope/kit", "npm:@scope/kit"),
        ("target=pypi:kit", "pypi:kit"),
        ("target=%20kit%20", "npm:kit"),
    ],
)
def test_spellings(client: FlaskClient, query: str, key: str) -> None:
    answer = client.get(f"{URL}?{query}")
    assert answer.status_code == 200
    assert answer.get_json()["target"]["key"] == key


def test_a_package_url_as_people_write_it(client: FlaskClient) -> None:
    """`pkg:npm/%40scope/kit` arrives decoded once, as any parameter does."""
    answer = client.get(f"{URL}?target=pkg:npm/%40scope/kit")
    assert answer.get_json()["target"]["purl"] == "pkg:npm/%40scope/kit"


def test_the_overview(client: FlaskClient) -> None:
    answer = client.get(URL)
    assert answer.status_code == 200
    body = answer.get_json()
    assert body["kind"] == "overview"
    assert sum(each["weight"] for each in body["signals"]) == 100
    assert all(each["reason"] and each["title"] for each in body["signals"])
    assert answer.headers["Cache-Control"] == "public, max-age=60"


def test_other_pages_are_other_answers(client: FlaskClient) -> None:
    tags = {
        get(client, **{"target": "kit", **more}).headers["ETag"]
        for more in ({}, {"limit": "1"}, {"depth": "0"})
    }
    assert len(tags) == 3
    assert len(get(client, target="kit", limit="1").get_json()["nodes"]) == 1


def test_unknown_parameters_are_named(client: FlaskClient) -> None:
    for query in ({"target": "kit"}, {}):
        body = get(client, **query, colour="red", Depth="2").get_json()
        assert sorted(body["ignoredFields"]) == ["Depth", "colour"]


def test_the_document_describes_what_is_answered(client: FlaskClient) -> None:
    document = client.get("/api/v1/openapi.json").get_json()
    OpenAPIV31SpecValidator(document).validate()
    operation = document["paths"][URL]["get"]
    assert {each["name"] for each in operation["parameters"]} == {
        *("kind", "target", "depth", "limit", "offset")
    }
    assert set(operation["responses"]) >= {"200", "304", "400", "404", "503"}
    schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
    validator = Draft202012Validator({**schema, "components": document["components"]})
    comparison = {"kind": "comparison", "target": "package:kit..vs..package:bad"}
    for query in ({"target": "kit"}, {"target": "pypi:kit"}, comparison, {}):
        body = get(client, **query).get_json()
        assert [each.message for each in validator.iter_errors(body)] == []
    assert list(validator.iter_errors({**body, "kind": "nothing"}))
