"""`codeintel doctor`: the services that this one asks."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
from doctor_scenes import Found, Scene
from doctor_upstreams import Upstreams, serving

from codeintel.operations.doctor.upstreams import ISSUER, MODEL, SOURCES, TRUST, look_at_upstreams

TOKEN = "canary-token-of-the-test"
GITHUB = {"items": [{"id": 1, "full_name": "a/b", "html_url": "https://github.test/a/b"}]}
GITLAB = [{"id": 1, "path_with_namespace": "a/b", "web_url": "https://gitlab.test/a/b"}]
KEYS = {
    "keys": [
        {
            "kty": "EC",
            "crv": "P-256",
            "kid": "1",
            "use": "sig",
            "alg": "ES256",
            "x": "MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",
            "y": "4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM",
        }
    ]
}


@pytest.fixture
def upstreams() -> Iterator[Upstreams]:
    """Return all upstreams of a configured service, each below a separate path."""
    with serving() as found:
        found.answers = {
            "/github/search": (200, GITHUB),
            "/npm/-/v1/search": (200, {"objects": [{"package": {"name": "b"}}]}),
            "/docker/v2/search": (200, {"results": [{"repo_name": "redis"}]}),
            "/gitlab/api": (200, GITLAB),
            "/v1/models": (200, {"data": [{"id": "small"}, {"id": "large:latest"}]}),
            "/oidc/.well-known/openid-configuration": (
                200,
                {"issuer": f"{found.url}/oidc", "jwks_uri": f"{found.url}/oidc/keys"},
            ),
            "/oidc/keys": (200, KEYS),
        }
        yield found


@pytest.fixture
def scene(scene: Scene, upstreams: Upstreams) -> Scene:
    """Return an installation that only queries these upstreams."""
    url = upstreams.url
    entry = {"name": "work", "kind": "gitlab", "base_url": f"{url}/gitlab", "token": TOKEN}
    trust = ("DEPSDEV", "ECOSYSTEMS", "OSV", "SCORECARD")
    scene.environ = {
        "CODEINTEL_GITHUB_URL": f"{url}/github",
        "CODEINTEL_GITHUB_TOKEN": TOKEN,
        "CODEINTEL_NPM_REGISTRY": f"{url}/npm",
        "CODEINTEL_DOCKER_URL": f"{url}/docker",
        "CODEINTEL_SOURCE_INSTANCES": json.dumps([entry]),
        **{f"CODEINTEL_{name}_URL": f"{url}/{name.lower()}" for name in trust},
        "CODEINTEL_AI_BASE_URL": f"{url}/v1",
        "CODEINTEL_AI_API_KEY": TOKEN,
        "CODEINTEL_AI_MODEL_FLASH": "small",
        "CODEINTEL_AI_MODEL_PRO": "large",
        "CODEINTEL_OIDC_ISSUERS": json.dumps(
            [{"issuer": f"{url}/oidc", "audience": "https://code.test", "name": "Work"}]
        ),
    }
    return scene


def look(scene: Scene) -> Found:
    found = scene.look(look_at_upstreams, offline=False)
    assert "canary" not in str(found)
    return found


def test_all_answer(scene: Scene, upstreams: Upstreams) -> None:
    found = look(scene)
    assert not found.bad, found
    assert [each.check for each in found].count(SOURCES) == 4
    assert {each.check for each in found} == {SOURCES, TRUST, MODEL, ISSUER}
    assert f"github at {upstreams.url}: status 200" in found[SOURCES].found
    assert {each.split()[-1] for each in upstreams.credentials} == {TOKEN}


def test_those_of_the_trust_network_are_the_tests_own(scene: Scene, upstreams: Upstreams) -> None:
    trust = [each.found for each in look(scene) if each.check == TRUST]
    assert len(trust) >= 4
    assert all(upstreams.url in each for each in trust)


@pytest.mark.parametrize(
    ("path", "answer", "check", "status", "word"),
    [
        ("/github/search", (401, {}), SOURCES, "error", "rejects the token"),
        ("/gitlab/api", (200, {"a": 1}), SOURCES, "error", "not a list of results"),
        ("/npm/-/v1/search", (404, {}), SOURCES, "error", "status 404"),
        ("/docker/v2/search", (429, {}), SOURCES, "warning", "too many requests"),
        ("/docker/v2/search", (503, {}), SOURCES, "warning", "status 503"),
        ("/osv", (500, {}), TRUST, "warning", "status 500"),
        ("/v1/models", (401, {}), MODEL, "error", "rejects the key"),
        ("/v1/models", (404, {}), MODEL, "warning", "does not list its models"),
        ("/v1/models", (200, {"data": [{"id": "small"}]}), MODEL, "warning", "not list large"),
        ("/v1/models", (200, [1]), MODEL, "ok", "small"),
        ("/oidc/.well-known", (500, {}), ISSUER, "error", "it answered 500"),
        ("/oidc/.well-known", (200, {"issuer": "x", "jwks_uri": "y"}), ISSUER, "error", "another"),
        ("/oidc/keys", (200, {"keys": 3}), ISSUER, "error", "key set"),
    ],
)
def test_one_that_does_not(
    scene: Scene,
    upstreams: Upstreams,
    path: str,
    answer: tuple[int, Any],
    check: str,
    status: str,
    word: str,
) -> None:
    upstreams.answers = {path: answer, **{k: v for k, v in upstreams.answers.items() if k != path}}
    if path == "/oidc/.well-known":
        upstreams.answers.pop("/oidc/.well-known/openid-configuration")
    found = look(scene)
    assert found.bad == ({} if status == "ok" else {check: status})
    assert word in found[check].found


@pytest.mark.parametrize(
    ("entry", "answer", "fix"),
    [
        ({}, (401, {}), "Set its `api_key` in CODEINTEL_AI_FALLBACKS to"),
        ({"api_key": TOKEN}, (403, {}), "Set its `api_key` in CODEINTEL_AI_FALLBACKS to"),
        ({"flash": "tiny"}, (200, {"data": [{"id": "large"}]}), "Correct its models in CODEINTEL_"),
    ],
)
def test_a_fallback_has_settings_of_its_own(
    scene: Scene, upstreams: Upstreams, entry: dict[str, str], answer: tuple[int, Any], fix: str
) -> None:
    upstreams.answers["/second/models"] = answer
    fallback = {"base_url": f"{upstreams.url}/second", **entry}
    scene.environ["CODEINTEL_AI_FALLBACKS"] = json.dumps([fallback])
    found = look(scene)
    assert set(found.bad) == {MODEL}
    assert found[MODEL].fix.startswith(fix)


def test_the_first_model_has_its_own_too(scene: Scene, upstreams: Upstreams) -> None:
    upstreams.answers["/v1/models"] = (401, {})
    assert look(scene)[MODEL].fix == "Set CODEINTEL_AI_API_KEY to a valid key."


def test_settings_of_a_disabled_plugin_ask_nobody(scene: Scene, upstreams: Upstreams) -> None:
    upstreams.answers["/v1/models"] = (401, {})
    scene.environ["CODEINTEL_AI_FALLBACKS"] = json.dumps([{"base_url": f"{upstreams.url}/second"}])
    scene.environ["CODEINTEL_PLUGINS_DISABLED"] = "codeintel_plugins.openai"
    assert MODEL not in {each.check for each in look(scene)}


@pytest.mark.alone
def test_all_hang(scene: Scene, upstreams: Upstreams, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeintel.operations.doctor.upstreams.SECONDS", 0.5)
    monkeypatch.setattr("codeintel.operations.doctor.server.SECONDS", 0.7)
    upstreams.answers = {"/": (200, None)}
    began = time.monotonic()
    found = look(scene)
    # In sequence, they would take more than ten times as long.
    assert time.monotonic() - began < 6
    assert {each.status for each in found} == {"error", "warning"}
    assert {str(each.status) for each in found if each.check in {MODEL, ISSUER}} == {"error"}
    assert len(found) >= 10


def test_nobody_is_there(scene: Scene) -> None:
    scene.environ = {
        name: value.replace("127.0.0.1", "127.9.9.9") for name, value in scene.environ.items()
    }
    found = look(scene)
    assert {each.check: str(each.status) for each in found} == {
        SOURCES: "warning",
        TRUST: "warning",
        MODEL: "error",
        ISSUER: "error",
    }


def test_offline_nobody_is_asked(scene: Scene, upstreams: Upstreams) -> None:
    assert [str(each.status) for each in scene.look(look_at_upstreams)] == ["skipped"]
    assert not upstreams.credentials


def test_a_source_that_is_off_and_one_that_is_not_known(scene: Scene) -> None:
    scene.environ["CODEINTEL_SOURCES"] = "-npm"
    assert [each.check for each in look(scene)].count(SOURCES) == 3
    scene.environ["CODEINTEL_SOURCES"] = "cobol"
    assert look(scene).bad == {SOURCES: "error"}
