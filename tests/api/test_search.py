"""`GET /api/v1/search` over registries whose answers are made up."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
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


DROP_IN = """
from codeintel import hookimpl
from codeintel.contracts import Hit, SearchSource, SourceRequest

class Secret(SearchSource):
    kind = "secret"
    def request(self, query, limit):
        return SourceRequest("/find", {"q": query})
    def hits(self, answer):
        for row in answer.json():
            yield Hit(id=row, name=row, url=f"http://secret.test/{row}")

@hookimpl
def register_search_sources(register, config):
    register(Secret("told", "http://secret.test", visibility="accounts"))
    register(Secret("token", "http://secret.test", token="t"))
    register(Secret("open", "http://secret.test", token="t", visibility="public"))
"""


def test_what_a_drop_in_finds_is_private_where_it_may_be(
    make_app: MakeApp, registries: RequestsMock, tmp_path: Path
) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "secret.py").write_text(DROP_IN)
    app = make_app(CONFIG)
    registries.get("http://secret.test/find", json=["thing"])
    anonymous = search(app.test_client(), "q=a&sources=told,token,open")
    found = data(anonymous)
    assert {name: len(found["results"][name]) for name in ("told", "token", "open")} == {
        "told": 0,
        "token": 0,
        "open": 1,
    }
    assert {each["code"] for each in found["unavailable"]} == {"accounts_only"}
    user = make_user(app.extensions["codeintel"], scopes=("search:read",))
    answer = search(app.test_client(), "q=a&sources=told,token,open", **user.headers)
    assert data(answer)["totalResults"] == 3


@pytest.mark.parametrize("name", ["a,b", "A", "", "a b", "x" * 41])
def test_names_that_nobody_could_ask_for(make_app: MakeApp, tmp_path: Path, name: str) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "odd.py").write_text(DROP_IN.replace('"told"', repr(name)))
    app = make_app(CONFIG)
    (record,) = [r for r in app.extensions["codeintel"].plugins.records if r.name == "odd"]
    assert "is no name of a source" in str(record.error)


def test_a_search_that_failed_is_not_tried_at_once(
    api: FlaskClient, registries: RequestsMock
) -> None:
    failing = add(registries, NPM, status=500)
    for _ in range(5):
        (unavailable,) = data(search(api, "q=poison&sources=npm"))["unavailable"]
        assert unavailable["code"] == "unavailable"
    assert failing.call_count == 1
    registries.replace("GET", f"{NPM}/-/v1/search", json={"objects": [{"package": {"name": "b"}}]})
    assert data(search(api, "q=innocent&sources=npm"))["totalResults"] == 1


def test_old_results_go_with_the_token(make_app: MakeApp, registries: RequestsMock) -> None:
    app = make_app({**CONFIG, "CODEINTEL_GITHUB_TOKEN": "t", "CODEINTEL_SEARCH_CACHE": "0"})
    user = make_user(app.extensions["codeintel"], scopes=("search:read",))
    add(registries, GITHUB, {"items": [REPOSITORY]})
    add(registries, GITHUB, status=401)
    assert (
        data(search(app.test_client(), "q=a&sources=github", **user.headers))["totalResults"] == 1
    )
    after = data(search(app.test_client(), "q=a&sources=github", **user.headers))
    assert (after["totalResults"], after["stale"]) == (0, [])
    assert after["unavailable"][0]["code"] == "unauthorized"
    assert "does not accept the token" in after["unavailable"][0]["message"]


def test_a_registry_that_wants_a_token(api: FlaskClient, registries: RequestsMock) -> None:
    add(registries, NPM, status=401)
    (unavailable,) = data(search(api, "q=a&sources=npm"))["unavailable"]
    assert "npm wants a token" in unavailable["message"]


def test_part_of_an_answer_is_not_kept(api: FlaskClient, registries: RequestsMock) -> None:
    github = add(registries, GITHUB, {"items": [REPOSITORY], "incomplete_results": True})
    for _ in range(2):
        assert data(search(api, "q=a&sources=github"))["totalResults"] == 1
    assert github.call_count == 2


@pytest.mark.parametrize("limit", [1, 50])
def test_limits(api: FlaskClient, registries: RequestsMock, limit: int) -> None:
    rows = [{"package": {"name": f"p{number}"}} for number in range(60)]
    add(registries, NPM, {"objects": rows})
    assert data(search(api, f"q=a&sources=npm&limit={limit}"))["totalResults"] == limit


@pytest.mark.parametrize("order", ["github,npm,docker", "npm,docker,github", ""])
def test_the_order_of_sources_means_nothing(
    make_app: MakeApp, registries: RequestsMock, order: str
) -> None:
    api = make_app({**CONFIG, "CODEINTEL_SOURCES": "-docker"}).test_client()
    add_all(registries)
    found = data(search(api, f"q=a&sources={order}" if order else "q=a"))
    assert sorted(found["sources"]) == ["github", "npm"]


def test_joined_emoji_and_bad_links(api: FlaskClient, registries: RequestsMock) -> None:
    family = "\U0001f468\u200d\U0001f469\u200d\U0001f467 \u0645\u06cc\u200c\u062e\u0648\u0627"
    rows = [
        {**REPOSITORY, "description": family},
        {**REPOSITORY, "id": 8, "html_url": "https://user:pw@evil.test/"},
        {**REPOSITORY, "id": 9, "html_url": 'https://evil.test/<">'},
        {**REPOSITORY, "id": 10, "stargazers_count": "9" * 5_000},
    ]
    add(registries, GITHUB, {"items": rows})
    found = data(search(api, "q=a&sources=github"))["results"]["github"]
    assert [each["id"] for each in found] == ["7", "10"]
    assert found[0]["description"] == family
    assert "stars" not in found[1]


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


def test_one_that_the_operator_turned_off(make_app: MakeApp, registries: RequestsMock) -> None:
    api = make_app({**CONFIG, "CODEINTEL_SOURCES": "-docker,-github"}).test_client()
    add(registries, NPM, {"objects": [{"package": {"name": "b"}}]})
    found = data(search(api))
    assert found["sources"] == ["npm"]
    assert {name: len(rows) for name, rows in found["results"].items()} == {
        "github": 0,
        "npm": 1,
        "docker": 0,
    }
    assert found["unavailable"] == []
    answer = search(api, "q=redis&sources=npm,docker")
    assert answer.status_code == 400
    assert "There is no source 'docker'; there are: npm." in answer.text


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"CODEINTEL_SOURCES": "-cobol"}, "CODEINTEL_SOURCES names 'cobol'"),
        ({"CODEINTEL_SOURCES": "cobol"}, "CODEINTEL_SOURCES names 'cobol'"),
        (
            {
                "CODEINTEL_SOURCE_INSTANCES": [
                    {"name": "a", "kind": "svn", "base_url": "http://svn.test"}
                ]
            },
            "has the kind 'svn'; there are: crates, docker, ",
        ),
        (
            {
                "CODEINTEL_SOURCE_INSTANCES": [
                    {"name": "a", "kind": "crates", "base_url": "http://a.test", "token": "t"}
                ]
            },
            "crates.io takes no token",
        ),
    ],
)
def test_registries_that_nobody_knows(
    make_app: MakeApp, config: dict[str, Any], words: str
) -> None:
    with pytest.raises(Exception, match=words):
        make_app(config)
