"""Conditional requests, and the caches that may store an answer."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from network_requests import URL, error, get
from support import make_user

from codeintel.app import Services


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
    assert error(wrong)["code"] == "unauthorized"
    for answer in (anonymous, known, wrong, get(client, target="../x"), client.post(URL)):
        for name in ("Limit", "Remaining", "Reset"):
            assert int(answer.headers[f"X-RateLimit-{name}"]) >= 0
        assert answer.headers["X-Request-Id"] and answer.headers["X-API-Version"]
    assert client.post(URL).status_code == 405
