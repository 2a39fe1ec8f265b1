"""`GET /api/trust/network` over upstreams whose answers are made up."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from msgspec import structs
from openapi_spec_validator import OpenAPIV31SpecValidator
from sqlalchemy import func, select
from support import MakeApp, make_user
from trust_upstreams import UPSTREAMS, FakeUpstreams, fake_upstreams
from werkzeug.test import TestResponse

from codeintel import create_app
from codeintel.contracts import Ecosystem
from codeintel.db import db
from codeintel.db.migrate import ensure_schema
from codeintel.services import Services
from codeintel.trust.tables import TrustSnapshot

URL = "/api/trust/network"
GENOME = {
    *("rank", "percentile", "cohort", "forecasts", "unforecast", "recommendations"),
    *("moatSignals", "rankedAmong"),
}


@pytest.fixture(scope="module")
def upstreams() -> Iterator[FakeUpstreams]:
    with fake_upstreams() as fake:
        fake.add("kit")
        fake.add("@scope/kit", repository="example-org/scoped")
        fake.add(
            "bad",
            repository="example-org/bad",
            advisories=(("GHSA-1", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"),),
            status="deprecated",
            attested=False,
            maintainers=("ada",),
            days_since=2_000,
            archived=True,
            checks=dict.fromkeys(
                ("Maintained", "Code-Review", "Dangerous-Workflow", "Token-Permissions"), 0
            ),
        )
        yield fake


@pytest.fixture(scope="module")
def app(upstreams: FakeUpstreams, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One application for all that changes nothing in it."""
    made = create_app(
        {
            "CODEINTEL_INSTANCE": tmp_path_factory.mktemp("instance"),
            "DATABASE_URL": "",
            "REDIS_URL": "",
            "CODEINTEL_JOB_WORKERS": 0,
            **upstreams.settings(),
        }
    )
    ensure_schema(made)
    yield made
    with made.app_context():
        db.engine.dispose()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


def get(client: FlaskClient, **query: Any) -> TestResponse:
    headers = query.pop("headers", None)
    return client.get(URL, query_string=query, headers=headers)


def error(answer: TestResponse) -> dict[str, Any]:
    found: dict[str, Any] = answer.get_json()["error"]
    return found


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
    assert body["ageSeconds"] >= 0
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


ELEVEN = "..vs..".join(f"package:kit{number}" for number in range(11))
BAD_TARGETS = (
    *("", " ", "\t", "../x", "npm:../x", "%2e%2e%2f", "github:a/..", "github:../b", ".", ".."),
    *("npm:%2e%2e/x", "pkg:npm/../../x", "docker:../../x", "..\\x", "/etc/passwd", "a/b"),
    *("x" * 10_000, "x" * 401, "@" * 300, "%2540scope%252Fkit", "pkg:npm/%252540scope/kit"),
    *("kit\x00", "ki\x01t", "kit\n", "\x7fkit", "k\u0456t", "\uff4bit", "kit\u200b", "\U0001f600"),
    *("pkg:npm/kit?arch=x86", "pkg:npm/kit@1.0.0?a=b#c", "pkg:npm/kit#lib", "pkg:", "pkg:npm/"),
    *("nowhere:kit", "package:kit", "npm:", ":kit", "kit@1.0.0", "kit kat", "docker:kit:latest"),
    *("pkg:deb/kit", "pkg:npm/kit@1/..", "' OR 1=1 --", "<script>", "${jndi:ldap://x}", "\ufffd"),
)


@pytest.mark.parametrize("target", BAD_TARGETS, ids=range(len(BAD_TARGETS)))
def test_a_bad_target(client: FlaskClient, upstreams: FakeUpstreams, target: str) -> None:
    """Is refused before anybody is asked, as a package and as an entry of a comparison."""
    before = upstreams.asked.total()
    for query in (
        {"target": target},
        {"kind": "package", "target": target},
        {"kind": "comparison", "target": f"package:kit..vs..package:{target}"},
    ):
        answer = get(client, **query)
        assert answer.status_code == 400
        assert error(answer)["code"] == "invalid_request"
        assert error(answer)["details"]["path"] == "target"
        assert len(error(answer)["message"]) < 400
    assert upstreams.asked.total() == before


@pytest.mark.parametrize(
    ("query", "path", "told"),
    [
        ({"kind": "comparison", "target": "package:kit"}, "target", "this one has 1"),
        ({"kind": "comparison", "target": ELEVEN}, "target", "this one has 11"),
        ({"kind": "comparison", "target": "kit..vs..package:bad"}, "target", "Entry 1"),
        ({"kind": "comparison", "target": "package:kit..vs..kat"}, "target", "Entry 2"),
        (
            {"kind": "comparison", "target": "package:kit..vs..package:pkg:npm/kit"},
            "target",
            "more than once",
        ),
        ({"kind": "comparison"}, "target", "`kind` needs a `target`"),
        ({"kind": "package"}, "target", "`kind` needs a `target`"),
        ({"kind": "packages", "target": "kit"}, "kind", "one of: package, comparison"),
        ({"kind": "", "target": "kit"}, "kind", ""),
        ({"target": "kit", "depth": "99"}, "depth", ""),
        ({"target": "kit", "depth": "x"}, "depth", ""),
        ({"target": "kit", "limit": "0"}, "limit", ""),
        ({"target": "kit", "offset": "-1"}, "offset", ""),
        ({"target": "package:kit..vs..package:bad"}, "target", "no ecosystem `package`"),
    ],
)
def test_bad_queries(client: FlaskClient, query: dict[str, str], path: str, told: str) -> None:
    answer = get(client, **query)
    assert answer.status_code == 400
    assert error(answer)["code"] == "invalid_request"
    assert error(answer)["details"]["path"] == path
    assert told in error(answer)["message"]


def test_a_package_that_nobody_knows(client: FlaskClient) -> None:
    alone = get(client, target="unheard-of")
    compared = get(client, kind="comparison", target="package:kit..vs..package:unheard-of")
    for answer in (alone, compared):
        assert answer.status_code == 404
        assert error(answer)["code"] == "not_found"
        assert error(answer)["details"] == {"path": "target", "target": "npm:unheard-of"}


def test_the_overview(client: FlaskClient) -> None:
    answer = client.get(URL)
    assert answer.status_code == 200
    body = answer.get_json()
    assert body["kind"] == "overview"
    assert sum(each["weight"] for each in body["signals"]) == 100
    assert all(each["reason"] and each["title"] for each in body["signals"])
    assert answer.headers["Cache-Control"] == "public, max-age=60"


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
    """And not again while they are fresh."""
    target = "package:kit..vs..package:bad..vs..package:@scope/kit"
    get(client, kind="comparison", target=target)
    before = upstreams.asked.total()
    again = get(client, kind="comparison", target=target)
    assert len(again.get_json()["packages"]) == 3
    assert upstreams.asked.total() == before


@pytest.mark.parametrize(
    "query",
    [
        {"target": "kit"},
        {"kind": "comparison", "target": "package:kit..vs..package:bad"},
        {},
    ],
)
def test_conditional_requests(client: FlaskClient, query: dict[str, str]) -> None:
    first = get(client, **query)
    tag = first.headers["ETag"]
    assert tag.startswith('W/"')
    for condition in (tag, tag.removeprefix("W/"), f'"other", {tag}', "*"):
        same = get(client, **query, headers={"If-None-Match": condition})
        assert same.status_code == 304
        assert same.data == b""
        assert same.headers["ETag"] == tag
        assert same.headers["Cache-Control"] == "public, max-age=60"
        assert "X-RateLimit-Limit" in same.headers
    other = get(client, **query, headers={"If-None-Match": 'W/"other"'})
    assert other.status_code == 200
    assert other.headers["ETag"] == tag


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


def test_limits_and_caching(client: FlaskClient, app: Flask) -> None:
    anonymous = get(client, target="kit")
    assert anonymous.headers["Cache-Control"] == "public, max-age=60"
    assert {each.strip() for each in anonymous.headers["Vary"].split(",")} >= {
        *("Authorization", "X-Api-Key")
    }
    services: Services = app.extensions["codeintel"]
    user = make_user(services)
    for headers in (user.headers, {"X-Api-Key": user.token}):
        known = get(client, target="kit", headers=headers)
        assert known.status_code == 200
        assert known.headers["Cache-Control"] == "private, no-store"
        assert known.get_json()["score"] == anonymous.get_json()["score"]
    wrong = get(client, target="kit", headers={"Authorization": "Bearer nonsense"})
    assert wrong.status_code == 401
    for answer in (anonymous, known, wrong, get(client, target="../x"), client.post(URL)):
        for name in ("Limit", "Remaining", "Reset"):
            assert int(answer.headers[f"X-RateLimit-{name}"]) >= 0
        assert answer.headers["X-Request-Id"] and answer.headers["X-API-Version"]
    assert client.post(URL).status_code == 405


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


@pytest.fixture
def alone(make_app: MakeApp, upstreams: FakeUpstreams) -> Iterator[FlaskClient]:
    """A client of an application that knows nothing yet."""
    app = make_app({"CODEINTEL_JOB_WORKERS": 0, **upstreams.settings()})
    yield app.test_client()
    upstreams.down.clear()
    upstreams.limited.clear()


def count(client: FlaskClient) -> int:
    engine = client.application.extensions["codeintel"].trust.store.engine
    with engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(TrustSnapshot)) or 0


OWN = {
    "depsdev": {"attestation", "proven-repository"},
    "ecosystems": {"not-deprecated", "maintainers"},
    "osv": {"known-advisories"},
    "scorecard": {
        *("code-review", "dangerous-workflow", "branch-protection", "token-permissions"),
        *("binary-artifacts", "security-policy", "static-analysis", "maintained"),
        "signed-releases",
    },
    "github": {"contributor-depth"},
}
NEVER = {"branch-protection", "signed-releases"}
"""Checks that did not run."""
TITLES = {
    "depsdev": "deps.dev",
    "ecosystems": "ecosyste.ms",
    "osv": "OSV",
    "scorecard": "OpenSSF Scorecard",
    "github": "GitHub",
}


@pytest.mark.parametrize("name", UPSTREAMS)
def test_one_upstream_down(
    client: FlaskClient, alone: FlaskClient, upstreams: FakeUpstreams, name: str
) -> None:
    """Costs its own signals, with its own words; all others are as they would be."""
    whole = {each["id"]: each for each in get(client, target="kit").get_json()["signals"]}
    upstreams.down.add(name)
    answer = get(alone, target="kit")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "public, max-age=0"
    body = answer.get_json()
    assert not body["isStale"]
    found = {each["id"]: each for each in body["signals"]}
    told = f"{TITLES[name]} failed (status 503)."
    for id_, each in found.items():
        if id_ in OWN[name]:
            assert each["status"] == "missing"
            assert told in each["note"]
            assert (each["contribution"], each["score"]) == (0, None)
        else:
            for key in ("status", "value", "weight"):
                assert each[key] == whole[id_][key], (id_, key)
            # Without a proof that the repository is the package's, some of it stays open.
            points = whole[id_]["contribution"] + whole[id_]["unproven"]
            assert each["contribution"] + each["unproven"] == points, id_
            assert not each["unproven"] or name == "depsdev"
    assert body["score"] == sum(each["contribution"] for each in found.values())
    unmeasured = sum(whole[id_]["weight"] for id_ in OWN[name] | NEVER)
    unproven = sum(each["unproven"] for each in found.values())
    assert body["high"] == body["low"] + unmeasured + unproven
    assert {each["code"] for each in body["unavailable"]} == {"unavailable"}
    assert all(told in each["message"] for each in body["unavailable"])


@pytest.mark.parametrize("state", ["down", "limited"])
def test_all_down_and_nothing_stored(
    alone: FlaskClient, upstreams: FakeUpstreams, state: str
) -> None:
    getattr(upstreams, state).update(UPSTREAMS)
    for query in (
        {"target": "kit"},
        {"kind": "comparison", "target": "package:kit..vs..package:bad"},
    ):
        answer = get(alone, **query)
        assert answer.status_code == 503
        assert int(answer.headers["Retry-After"]) >= 1
        assert error(answer)["code"] == "upstreams_unavailable"
        told = error(answer)["details"]["unavailable"]
        assert {each["source"] for each in told} >= {"depsdev", "ecosystems"}
        assert "no-store" in answer.headers.get("Cache-Control", "no-store")
    assert count(alone) == 0


def test_all_down_and_something_stored(alone: FlaskClient, upstreams: FakeUpstreams) -> None:
    first = get(alone, target="kit")
    trust = alone.application.extensions["codeintel"].trust.snapshots
    trust._fresh = 0
    upstreams.down.update(UPSTREAMS)
    answer = get(alone, target="kit")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "public, max-age=0"
    body = answer.get_json()
    assert body["isStale"] is True
    assert body["snapshotId"] == first.get_json()["snapshotId"]
    assert body["ageSeconds"] >= 0
    assert {each["source"] for each in body["unavailable"]} >= {"depsdev", "ecosystems"}
    assert body["signals"] == first.get_json()["signals"]
    compared = get(alone, kind="comparison", target="package:kit..vs..package:bad")
    assert compared.status_code == 503  # of one nothing is stored
    assert count(alone) == 1
    upstreams.down.clear()
    trust._refused.clear()
    for upstream in trust.collecting.upstreams.values():
        upstream.state.open_until = 0
    again = get(alone, target="kit").get_json()
    assert again["isStale"] is False and again["snapshotId"] != body["snapshotId"]
    assert count(alone) == 2


def test_one_registry_is_down_and_the_other_does_not_know_it(
    alone: FlaskClient, upstreams: FakeUpstreams
) -> None:
    upstreams.down.add("ecosystems")
    assert get(alone, target="unheard-of").status_code == 503


def test_what_fails_again_and_again_is_left_alone(
    alone: FlaskClient, upstreams: FakeUpstreams
) -> None:
    """Until its pause is over; then it is asked again."""
    upstreams.down.add("osv")
    trust = alone.application.extensions["codeintel"].trust.snapshots
    trust._fresh = 0
    upstreams.asked.clear()
    for _ in range(6):
        assert get(alone, target="kit").status_code == 200
    assert upstreams.asked["osv"] == 3
    assert upstreams.asked["scorecard"] == 6
    left_alone = get(alone, target="kit").get_json()["unavailable"]
    assert [each["source"] for each in left_alone] == ["osv"]
    assert "left alone" in left_alone[0]["message"]
    upstreams.down.clear()
    for name, upstream in trust.collecting.upstreams.items():
        if name.endswith("/osv"):
            upstream.state.open_until = 0
    assert get(alone, target="kit").get_json()["unavailable"] == []


def test_what_one_told_before_is_used_again(alone: FlaskClient, upstreams: FakeUpstreams) -> None:
    first = {each["id"]: each for each in get(alone, target="kit").get_json()["signals"]}
    alone.application.extensions["codeintel"].trust.snapshots._fresh = 0
    upstreams.down.add("scorecard")
    answer = get(alone, target="kit")
    body = answer.get_json()
    assert answer.headers["Cache-Control"] == "public, max-age=0"
    assert body["isStale"] is True and body["unavailable"][0]["source"] == "scorecard"
    for each in body["signals"]:
        expected = dict(first[each["id"]])
        if each["id"] in OWN["scorecard"] - NEVER:
            expected["status"] = "stale"
            assert each["observedAt"] == expected["observedAt"]
        assert {**each, "observedAt": ""} | {"note": ""} == {**expected, "observedAt": ""} | {
            "note": ""
        }


def test_ranks_against_a_cohort(
    alone: FlaskClient, upstreams: FakeUpstreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Frozen scores: what a package has now is compared with what the others had then."""
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


def test_nothing_of_upstreams_is_quoted(alone: FlaskClient, upstreams: FakeUpstreams) -> None:
    upstreams.down.update(UPSTREAMS)
    text = get(alone, target="kit").get_data(as_text=True)
    assert "127.0.0.1" not in text and upstreams.url not in text
    assert json.dumps({"error": "down"})[1:-1] not in text
    assert quote(upstreams.url, safe="") not in text
