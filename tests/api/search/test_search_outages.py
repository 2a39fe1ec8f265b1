"""Searches with registries that fail, limit requests, or are queried again."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest
import requests
from flask.testing import FlaskClient
from responses import RequestsMock
from search_requests import CONFIG, DOCKER, GITHUB, NPM, REPOSITORY, add, add_all, data, search
from support import MakeApp


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


def test_part_of_an_answer_is_not_kept(api: FlaskClient, registries: RequestsMock) -> None:
    github = add(registries, GITHUB, {"items": [REPOSITORY], "incomplete_results": True})
    for _ in range(2):
        assert data(search(api, "q=a&sources=github"))["totalResults"] == 1
    assert github.call_count == 2
