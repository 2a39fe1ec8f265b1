"""API keys by the session of a browser."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from key_calls import PATH, WANTED
from openapi_spec_validator import OpenAPIV31SpecValidator
from signed_browser import COOKIE, OWN, SignedBrowser
from support import make_user
from werkzeug.test import TestResponse

from codeintel.app import Services
from codeintel.http.openapi.document import document

FIELDS = {
    *("id", "name", "scopes", "status", "preview", "createdAt", "expiresAt", "lastUsedAt"),
    *("revokedAt", "replacedBy"),
}


@pytest.fixture
def stranger(app: Flask, services: Services) -> SignedBrowser:
    return SignedBrowser(app, services, make_user(services, "stranger@example.org").account.id)


def post(browser: SignedBrowser, path: str = PATH, body: Any = None, **more: Any) -> TestResponse:
    return browser.client.post(path, json=body, headers=OWN, **more)


def made(browser: SignedBrowser, **changed: Any) -> dict[str, Any]:
    answer = post(browser, body={**WANTED, **changed})
    assert answer.status_code == 201, answer.text
    found: dict[str, Any] = answer.json
    return found


def lived(key: dict[str, Any]) -> timedelta:
    return datetime.fromisoformat(key["expiresAt"]) - datetime.fromisoformat(key["createdAt"])


def test_a_key_from_made_to_revoked(browser: SignedBrowser) -> None:
    answer = made(browser)
    key, token = answer["key"], answer["token"]
    assert answer.keys() == {"key", "token"}
    assert key.keys() == FIELDS
    assert (key["name"], key["scopes"], key["status"]) == ("laptop", ["analysis:write"], "active")
    assert (key["lastUsedAt"], key["revokedAt"], key["replacedBy"]) == (None, None, None)
    assert key["preview"] == f"ci_live_…{token[-4:]}"
    assert lived(key) == timedelta(days=365)
    calls = browser.client.get("/api/v1/account", headers={"x-api-key": token})
    assert calls.status_code == 403  # it is known, and lacks the scope

    listed = browser.client.get(PATH)
    assert listed.json.keys() == {"keys"}
    assert [each["name"] for each in listed.json["keys"]] == ["laptop", "test"]
    assert token not in listed.text

    revoked = browser.client.delete(f"{PATH}/{key['id']}", headers=OWN)
    assert (revoked.status_code, revoked.json.keys()) == (200, {"key"})
    assert revoked.json["key"]["status"] == "revoked"
    again = browser.client.delete(f"{PATH}/{key['id']}", headers=OWN)
    assert (again.status_code, again.json) == (200, revoked.json)
    refused = browser.client.get("/api/v1/account", headers={"x-api-key": token})
    assert refused.status_code == 401
    assert browser.client.get(PATH).json["keys"][0] == revoked.json["key"]


@pytest.mark.parametrize(
    ("changed", "days"), [({"ttlDays": 1}, 1), ({"ttlDays": 3650}, 3650), ({}, 365)]
)
def test_how_long_it_lives(browser: SignedBrowser, changed: dict[str, Any], days: int) -> None:
    assert lived(made(browser, **changed)["key"]) == timedelta(days=days)


@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({"scopes": ["api:v1"]}, "name"),
        ({**WANTED, "name": ""}, "name"),
        ({**WANTED, "name": " \t"}, "name"),
        ({**WANTED, "name": "x" * 101}, "name"),
        ({**WANTED, "name": 7}, "name"),
        ({**WANTED, "name": None}, "name"),
        ({"name": "x"}, "scopes"),
        ({**WANTED, "scopes": []}, "scopes"),
        ({**WANTED, "scopes": None}, "scopes"),
        ({**WANTED, "scopes": "api:v1"}, "scopes"),
        ({**WANTED, "scopes": ["everything"]}, "scopes"),
        ({**WANTED, "scopes": ["api:v1", 7]}, "scopes"),
        ({**WANTED, "ttlDays": 0}, "ttlDays"),
        ({**WANTED, "ttlDays": -1}, "ttlDays"),
        ({**WANTED, "ttlDays": 3651}, "ttlDays"),
        ({**WANTED, "ttlDays": 1.5}, "ttlDays"),
        ({**WANTED, "ttlDays": "30"}, "ttlDays"),
        ({**WANTED, "ttlDays": True}, "ttlDays"),
        ({**WANTED, "ttlDays": 10**30}, "ttlDays"),
    ],
)
def test_what_makes_no_key(browser: SignedBrowser, body: Any, path: str) -> None:
    answer = post(browser, body=body)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "invalid_request")
    assert answer.json["error"]["details"]["path"].partition("[")[0] == path
    assert len(browser.client.get(PATH).json["keys"]) == 1


@pytest.mark.parametrize(
    ("raw", "type_", "code"),
    [
        (b"{", "application/json", "invalid_json"),
        (b"", "application/json", "invalid_json"),
        (b"[]", "application/json", "invalid_request"),
        (b"name=x", "application/x-www-form-urlencoded", "unsupported_media_type"),
    ],
)
def test_what_is_no_body(browser: SignedBrowser, raw: bytes, type_: str, code: str) -> None:
    answer = browser.client.post(PATH, data=raw, content_type=type_, headers=OWN)
    assert answer.json["error"]["code"] == code


def test_unknown_fields_are_named(browser: SignedBrowser) -> None:
    answer = made(browser, colour="red", ttl=3)
    assert answer["ignoredFields"] == ["colour", "ttl"]
    assert "token" in answer


@pytest.mark.parametrize(("method", "end"), [("DELETE", ""), ("POST", "/rotate")])
def test_foreign_and_unknown_keys_are_the_same(
    browser: SignedBrowser, stranger: SignedBrowser, method: str, end: str
) -> None:
    own = made(browser)["key"]["id"]
    told = []
    for key_id in (own, "key_000000000000000000000000", "x"):
        answer = stranger.client.open(
            f"{PATH}/{key_id}{end}",
            method=method,
            headers=OWN,
            json={} if end else None,
        )
        assert answer.status_code == 404
        told.append(
            {
                **answer.json["error"],
                "message": answer.json["error"]["message"].replace(f"'{key_id}'", "?"),
            }
        )
    assert told[0] == told[1] == told[2]
    assert browser.client.get(PATH).json["keys"][0]["status"] == "active"
    assert len(stranger.client.get(PATH).json["keys"]) == 1


def test_rotation(browser: SignedBrowser) -> None:
    first = made(browser, ttlDays=30)
    answer = post(browser, f"{PATH}/{first['key']['id']}/rotate", {"overlapSeconds": 3600})
    assert answer.status_code == 201
    assert answer.json.keys() == {"key", "token", "previous"}
    new, old = answer.json["key"], answer.json["previous"]
    assert (new["name"], new["scopes"], lived(new)) == (
        "laptop",
        ["analysis:write"],
        timedelta(days=30),
    )
    assert (old["id"], old["replacedBy"], old["status"]) == (
        first["key"]["id"],
        new["id"],
        "active",
    )
    left = datetime.fromisoformat(old["expiresAt"]) - datetime.fromisoformat(new["createdAt"])
    assert abs(left - timedelta(hours=1)) < timedelta(seconds=1)
    for token in (first["token"], answer.json["token"]):
        assert (
            browser.client.get("/api/v1/account", headers={"x-api-key": token}).status_code == 403
        )
    again = post(browser, f"{PATH}/{old['id']}/rotate", {})
    assert (again.status_code, again.json["error"]["code"]) == (409, "key_not_active")


def test_rotation_without_overlap_ends_the_key(browser: SignedBrowser) -> None:
    first = made(browser)
    answer = post(browser, f"{PATH}/{first['key']['id']}/rotate", {"overlapSeconds": 0})
    assert answer.json["previous"]["status"] == "expired"
    headers = {"x-api-key": first["token"]}
    assert browser.client.get("/api/v1/account", headers=headers).status_code == 401


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        ({}, 201),
        ({"data": b""}, 201),
        ({"data": b"", "content_type": "application/json"}, 201),
        ({"json": {}}, 201),
        ({"data": b"{}"}, 415),
        ({"data": b" ", "content_type": "application/json"}, 400),
    ],
)
def test_rotation_needs_no_body(
    browser: SignedBrowser, arguments: dict[str, Any], status: int
) -> None:
    key = made(browser)["key"]
    answer = browser.client.post(f"{PATH}/{key['id']}/rotate", headers=OWN, **arguments)
    assert answer.status_code == status, answer.text
    if status == 201:
        ends = datetime.fromisoformat(answer.json["previous"]["expiresAt"])
        made_at = datetime.fromisoformat(answer.json["key"]["createdAt"])
        assert abs(ends - made_at - timedelta(days=1)) < timedelta(seconds=1)


@pytest.mark.parametrize("seconds", [-1, 604_801, 1.5, "60", None, True])
def test_what_is_no_overlap(browser: SignedBrowser, seconds: Any) -> None:
    key = made(browser)["key"]
    answer = post(browser, f"{PATH}/{key['id']}/rotate", {"overlapSeconds": seconds})
    assert (answer.status_code, answer.json["error"]["details"]) == (
        400,
        {"path": "overlapSeconds"},
    )
    assert len(browser.client.get(PATH).json["keys"]) == 2


@pytest.mark.parametrize("end", ["revoked", "expired"])
def test_an_ended_key_is_not_rotated(browser: SignedBrowser, end: str) -> None:
    key = made(browser)["key"]
    if end == "revoked":
        browser.client.delete(f"{PATH}/{key['id']}", headers=OWN)
    else:
        post(browser, f"{PATH}/{key['id']}/rotate", {"overlapSeconds": 0})
    answer = post(browser, f"{PATH}/{key['id']}/rotate", {})
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "key_not_active")


@pytest.mark.parametrize(
    ("public_url", "name"), [("", COOKIE), ("https://code.example", "__Host-codeintel")]
)
def test_the_document_tells_of_the_session(app: Flask, public_url: str, name: str) -> None:
    with app.app_context():
        described = document(app, public_url)
    OpenAPIV31SpecValidator(described).validate()
    scheme = described["components"]["securitySchemes"]["session"]
    assert (scheme["type"], scheme["in"], scheme["name"]) == ("apiKey", "cookie", name)
    paths = [path for path in described["paths"] if path.startswith(PATH)]
    assert paths == [PATH, f"{PATH}/{{key_id}}", f"{PATH}/{{key_id}}/rotate"]
    for path in paths:
        for operation in described["paths"][path].values():
            assert operation["security"] == [{"session": []}]
            assert operation["tags"] == ["Keys"]
    assert described["paths"][PATH]["post"]["requestBody"]["required"]
    rotate = described["paths"][paths[2]]["post"]
    assert not rotate["requestBody"]["required"]
    assert rotate["responses"].keys() >= {"201", "401", "403", "404", "409"}
    account = described["paths"]["/api/v1/account"]["get"]
    assert {"session": []} not in account["security"]
