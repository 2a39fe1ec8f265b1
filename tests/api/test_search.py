"""`GET /api/v1/search` over registries whose answers are made up."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import responses
from flask import Flask
from flask.testing import FlaskClient
from responses import RequestsMock
from support import MakeApp, make_user
from werkzeug.test import TestResponse

GITHUB, NPM, DOCKER = "http://github.test", "http://npm.test", "http://docker.test"
CONFIG = {
    "CODEINTEL_GITHUB_URL": GITHUB,
    "CODEINTEL_NPM_REGISTRY": NPM,
    "CODEINTEL_DOCKER_URL": DOCKER,
}
REPOSITORY = {
    "id": 7,
    "full_name": "example/redis",
    "html_url": "https://github.test/example/redis",
    "description": "A <b>store</b>\u202e\x00\nof data.",
    "stargazers_count": 3,
}
PACKAGE = {"name": "@example/redis", "links": {"npm": "javascript:alert(1)"}}
IMAGE = {"repo_name": "redis", "short_description": None, "star_count": 5, "pull_count": 2**40}


@pytest.fixture
def registries() -> Iterator[RequestsMock]:
    with RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock


def add(mock: RequestsMock, base: str, document: Any = None, **more: Any) -> responses.BaseResponse:
    """Have a registry answer with a document, or as `more` says."""
    paths = {
        GITHUB: "/search/repositories",
        NPM: "/-/v1/search",
        DOCKER: "/v2/search/repositories/",
    }
    if document is not None:
        more["json"] = document
    return mock.get(base + paths[base], **more)


def add_all(mock: RequestsMock) -> list[responses.BaseResponse]:
    return [
        add(mock, GITHUB, {"items": [REPOSITORY]}),
        add(mock, NPM, {"objects": [{"package": PACKAGE}, {"package": {"name": "b"}}]}),
        add(mock, DOCKER, {"results": [IMAGE]}),
    ]


@pytest.fixture
def searching(make_app: MakeApp) -> Flask:
    return make_app(CONFIG)


@pytest.fixture
def api(searching: Flask) -> FlaskClient:
    return searching.test_client()


def search(api: FlaskClient, query: str = "q=redis", **headers: str) -> TestResponse:
    return api.get(f"/api/v1/search?{query}", headers=headers)


def data(answer: TestResponse) -> Any:
    assert answer.status_code == 200, answer.text
    assert answer.json is not None
    return answer.json["data"]


def test_the_three_registries(api: FlaskClient, registries: RequestsMock) -> None:
    add_all(registries)
    found = data(search(api))
    assert found == {
        "query": "redis",
        "sources": ["github", "npm", "docker"],
        "totalResults": 3,
        "results": {
            "github": [
                {
                    "id": "7",
                    "name": "example/redis",
                    "description": "A <b>store</b> of data.",
                    "url": "https://github.test/example/redis",
                    "source": "github",
                    "stars": 3,
                }
            ],
            "npm": [
                {
                    "id": "b",
                    "name": "b",
                    "description": "",
                    "url": "http://npm.test/b",
                    "source": "npm",
                }
            ],
            "docker": [
                {
                    "id": "redis",
                    "name": "redis",
                    "description": "",
                    "url": "https://hub.docker.com/_/redis",
                    "source": "docker",
                    "stars": 5,
                    "downloads": 2**40,
                }
            ],
        },
        "unavailable": [],
        "stale": [],
    }


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("", "q"),
        ("q=", "q"),
        ("q=%20%09", "q"),
        (f"q={'a' * 201}", "q"),
        ("q=a&q=b", "q"),
        ("q=a&sources=", "sources"),
        ("q=a&sources=npm,", "sources"),
        ("q=a&sources=npm,,docker", "sources"),
        ("q=a&sources=npm,cobol", "sources"),
        ("q=a&sources=gitlab", "sources"),
        ("q=a&limit=0", "limit"),
        ("q=a&limit=51", "limit"),
        ("q=a&limit=-1", "limit"),
        ("q=a&limit=ten", "limit"),
        ("q=a&limit=1.5", "limit"),
        ("q=a&limit=", "limit"),
    ],
)
def test_what_is_refused(api: FlaskClient, registries: RequestsMock, query: str, path: str) -> None:
    answer = search(api, query)
    assert answer.status_code == 400
    assert answer.json is not None
    assert answer.json["error"]["code"] == "invalid_request"
    assert answer.json["error"]["details"]["path"] == path
    assert not registries.calls


@pytest.mark.parametrize(
    "query", ["a", "a" * 200, "\U0001f600", "a&b #c?d=e/%2F", "\u0000\u0007x", 'a"b\\c', "  a  "]
)
def test_what_is_searched_for_arrives(
    api: FlaskClient, registries: RequestsMock, query: str
) -> None:
    add_all(registries)
    answer = api.get(
        "/api/v1/search", query_string={"q": query, "sources": " npm , npm", "limit": 50}
    )
    assert data(answer)["query"] == query
    assert data(answer)["sources"] == ["npm"]
    assert sorted(data(answer)["results"]) == ["docker", "github", "npm"]
    (call,) = registries.calls
    sent = requests.Request("GET", NPM, params={"text": query, "size": "50"}).prepare()
    assert str(call.request.url).partition("?")[2] == str(sent.url).partition("?")[2]
    assert str(call.request.headers["User-Agent"]).startswith("codeintel/")


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ({"status": 401, "json": {}}, "unauthorized"),
        ({"status": 403, "json": {}}, "refused"),
        ({"status": 422, "json": {"message": "secret detail"}}, "refused"),
        ({"status": 429, "json": {}, "headers": {"Retry-After": "7"}}, "rate_limited"),
        ({"status": 500, "body": "secret detail"}, "unavailable"),
        ({"status": 302, "headers": {"Location": f"{NPM}/elsewhere"}}, "unavailable"),
        ({"body": "<html>Sign in</html>", "content_type": "text/html"}, "malformed"),
        ({"body": '{"results": ['}, "malformed"),
        ({"body": "[" * 100_000}, "malformed"),
        ({"json": {"results": {}}}, "malformed"),
        ({"json": None, "body": "null"}, "malformed"),
        ({"body": b" " * (8 * 1024 * 1024 + 1)}, "malformed"),
        ({"body": requests.exceptions.ConnectTimeout()}, "timeout"),
        ({"body": requests.exceptions.ReadTimeout()}, "timeout"),
        ({"body": requests.exceptions.SSLError()}, "unreachable"),
        ({"body": requests.exceptions.ConnectionError()}, "unreachable"),
        ({"body": requests.exceptions.ChunkedEncodingError()}, "unreachable"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_one_that_fails_does_not_fail_the_others(
    api: FlaskClient, registries: RequestsMock, answer: dict[str, Any], code: str
) -> None:
    add(registries, NPM, {"objects": [{"package": {"name": "b"}}]})
    add(registries, DOCKER, None, **{k: v for k, v in answer.items() if v is not None})
    response = search(api, "q=redis&sources=docker,npm")
    found = data(response)
    assert found["results"]["docker"] == []
    assert len(found["results"]["npm"]) == found["totalResults"] == 1
    (unavailable,) = found["unavailable"]
    assert (unavailable["source"], unavailable["code"]) == ("docker", code)
    assert "secret detail" not in json.dumps(found)
    assert unavailable.get("retryAfter") == (7 if code == "rate_limited" else None)
    assert response.headers["Cache-Control"] == "public, max-age=0"
    assert len(registries.calls) == 2  # no redirect was followed


def test_results_are_used_again(api: FlaskClient, registries: RequestsMock) -> None:
    calls = add_all(registries)
    first, second = search(api), search(api)
    assert data(first) == data(second)
    assert [call.call_count for call in calls] == [1, 1, 1]
    assert first.headers["ETag"] == second.headers["ETag"]
    assert first.headers["Cache-Control"] == "public, max-age=60"
    assert {"Authorization", "X-Api-Key"} <= {*first.vary}
    again = search(api, **{"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    search(api, "q=redis&limit=9")
    assert [call.call_count for call in calls] == [2, 2, 2]


def test_old_results_stand_in(make_app: MakeApp, registries: RequestsMock) -> None:
    api = make_app({**CONFIG, "CODEINTEL_SEARCH_CACHE": "0"}).test_client()
    add(registries, NPM, {"objects": [{"package": {"name": "b"}}]})
    add(registries, NPM, status=500)
    first = data(search(api, "q=a&sources=npm"))
    second = data(search(api, "q=a&sources=npm"))
    assert first["results"] == second["results"]
    (stale,) = second["stale"]
    assert (stale["source"], stale["code"]) == ("npm", "unavailable")
    assert stale["asOf"].endswith("Z")
    assert (first["stale"], second["unavailable"]) == ([], [])


def test_a_limit_is_kept_to(make_app: MakeApp, registries: RequestsMock) -> None:
    api = make_app({**CONFIG, "CODEINTEL_SEARCH_CACHE": "0"}).test_client()
    limited = add(registries, NPM, status=429, headers={"Retry-After": "60"})
    for _ in range(3):
        (unavailable,) = data(search(api, "q=a&sources=npm"))["unavailable"]
        assert unavailable["code"] == "rate_limited"
        assert 58 <= unavailable["retryAfter"] <= 60
    assert limited.call_count == 1


def test_the_last_request_of_a_window(api: FlaskClient, registries: RequestsMock) -> None:
    now = int(time.time())
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(now + 30)}
    github = add(registries, GITHUB, {"items": [REPOSITORY]}, headers=headers)
    first = data(search(api, "q=a&sources=github"))
    second = data(search(api, "q=b&sources=github"))
    assert (first["totalResults"], first["unavailable"]) == (1, [])
    (unavailable,) = second["unavailable"]
    assert unavailable["code"] == "rate_limited"
    assert 28 <= unavailable["retryAfter"] <= 30
    assert github.call_count == 1


def test_one_that_keeps_failing_is_left_alone(api: FlaskClient, registries: RequestsMock) -> None:
    failing = add(registries, NPM, status=500)
    found = [data(search(api, f"q=a{n}&sources=npm"))["unavailable"][0] for n in range(5)]
    assert failing.call_count == 3
    assert found[-1]["code"] == "unavailable"
    assert 1 <= found[-1]["retryAfter"] <= 5


@pytest.fixture
def private(make_app: MakeApp) -> Flask:
    """GitHub with a token, which may see what is private."""
    return make_app({**CONFIG, "CODEINTEL_GITHUB_TOKEN": "gh-token"})


def test_private_results_need_an_account(private: Flask, registries: RequestsMock) -> None:
    hidden = {**REPOSITORY, "private": True}
    github = add(registries, GITHUB, {"items": [hidden]})
    api = private.test_client()
    user = make_user(private.extensions["codeintel"], scopes=("search:read",))
    answer = search(api, "q=redis&sources=github", **user.headers)
    assert len(data(answer)["results"]["github"]) == 1
    assert answer.headers["Cache-Control"] == "private, no-store"
    anonymous = data(search(api, "q=redis&sources=github"))
    assert anonymous["results"]["github"] == []
    assert anonymous["unavailable"][0]["code"] == "accounts_only"
    assert github.call_count == 1
    (call,) = registries.calls
    assert call.request.headers["Authorization"] == "Bearer gh-token"
    other = make_user(
        private.extensions["codeintel"], "other@example.org", scopes=("analysis:write",)
    )
    assert search(api, **other.headers).status_code == 403
    assert search(api, Authorization="Bearer nonsense").status_code == 401


def test_a_token_that_is_declared_public(make_app: MakeApp, registries: RequestsMock) -> None:
    config = {"CODEINTEL_GITHUB_TOKEN": "t", "CODEINTEL_GITHUB_VISIBILITY": "public"}
    api = make_app({**CONFIG, **config}).test_client()
    add(registries, GITHUB, {"items": [{**REPOSITORY, "private": True}, REPOSITORY]})
    assert len(data(search(api, "q=redis&sources=github"))["results"]["github"]) == 1
    (call,) = registries.calls
    assert "is%3Apublic" in str(call.request.url)


def test_more_registries(make_app: MakeApp, registries: RequestsMock) -> None:
    more = [{"name": "work", "kind": "gitlab", "base_url": "http://gitlab.test/sub/"}]
    config = {"CODEINTEL_SOURCES": "crates", "CODEINTEL_SOURCE_INSTANCES": json.dumps(more)}
    api = make_app({**CONFIG, **config, "CODEINTEL_CRATES_URL": "http://crates.test"}).test_client()
    registries.get("http://crates.test/api/v1/crates", json={"crates": [{"id": "a", "name": "a"}]})
    project = {"id": 1, "path_with_namespace": "a/b", "web_url": "http://gitlab.test/a/b"}
    registries.get("http://gitlab.test/sub/api/v4/projects", json=[project])
    found = data(search(api, "q=a&sources=work,crates"))
    assert [found["results"][name][0]["name"] for name in ("work", "crates")] == ["a/b", "a"]
    assert found["sources"] == ["work", "crates"]
    assert found["results"]["github"] == []


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"CODEINTEL_SOURCES": "cobol"}, "CODEINTEL_SOURCES names 'cobol'"),
        (
            {
                "CODEINTEL_SOURCE_INSTANCES": [
                    {"name": "a", "kind": "svn", "base_url": "http://svn.test"}
                ]
            },
            "has the kind 'svn'; there are: crates, docker, ",
        ),
    ],
)
def test_registries_that_nobody_knows(
    make_app: MakeApp, config: dict[str, Any], words: str
) -> None:
    with pytest.raises(Exception, match=words):
        make_app(config)
