"""Upstreams that are down affect only their own signals, which use stored facts."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from flask.testing import FlaskClient
from network_requests import count, error, get, look_later
from trust_upstreams import UPSTREAMS, FakeUpstreams

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
    """Check that its own signals report the outage, and that all others are unchanged."""
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
        assert answer.headers["Cache-Control"] == "no-store"
    assert count(alone) == 0


def test_all_down_and_something_stored(
    alone: FlaskClient, upstreams: FakeUpstreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = get(alone, target="kit")
    trust = alone.application.extensions["codeintel"].trust.snapshots
    trust._fresh = 0
    upstreams.down.update(UPSTREAMS)
    look_later(monkeypatch, first.get_json(), 90.5)
    answer = get(alone, target="kit")
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "public, max-age=0"
    body = answer.get_json()
    assert body["isStale"] is True
    assert body["snapshotId"] == first.get_json()["snapshotId"]
    assert body["ageSeconds"] == 90
    assert {each["source"] for each in body["unavailable"]} >= {"depsdev", "ecosystems"}
    assert body["signals"] == first.get_json()["signals"]
    compared = get(alone, kind="comparison", target="package:kit..vs..package:bad")
    assert compared.status_code == 503
    assert error(compared)["details"]["target"] == "npm:bad", "of it nothing is stored"
    assert count(alone) == 1
    upstreams.down.clear()
    trust._refused.clear()
    for upstream in trust.collecting.upstreams.values():
        upstream.state.open_until = 0
    again = get(alone, target="kit").get_json()
    assert again["isStale"] is False and again["snapshotId"] != body["snapshotId"]
    assert count(alone) == 2


def test_what_fails_again_and_again_is_left_alone(
    alone: FlaskClient, upstreams: FakeUpstreams
) -> None:
    """Check that it is queried again after its pause."""
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
    assert "is paused for a while" in left_alone[0]["message"]
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


def test_nothing_of_upstreams_is_quoted(alone: FlaskClient, upstreams: FakeUpstreams) -> None:
    upstreams.down.update(UPSTREAMS)
    answer = get(alone, target="kit")
    assert error(answer)["code"] == "upstreams_unavailable"
    text = answer.get_data(as_text=True)
    assert "127.0.0.1" not in text and upstreams.url not in text
    assert json.dumps({"error": "down"})[1:-1] not in text
    assert quote(upstreams.url, safe="") not in text
