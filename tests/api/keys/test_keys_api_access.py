"""Only a browser's session, from the service's own pages, may manage API keys."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from key_calls import PATH, WANTED
from signed_browser import OWN, SignedBrowser
from support import MakeApp, User, make_user

from codeintel.app import Services
from codeintel.identity import sessions
from codeintel.identity.audit import OPERATOR

CALLS = [
    ("GET", ""),
    ("POST", ""),
    ("DELETE", "/key_1"),
    ("POST", "/key_1/rotate"),
]


@pytest.mark.parametrize(("method", "end"), CALLS)
def test_only_a_session_is_a_credential(
    app: Flask, browser: SignedBrowser, services: Services, user: User, method: str, end: str
) -> None:
    body = {"json": WANTED} if method == "POST" else {}
    attempts: list[tuple[Any, dict[str, str]]] = [
        (app.test_client(), {}),
        (app.test_client(), user.headers),
        (app.test_client(), {"x-api-key": user.token}),
        (browser.client, user.headers),  # a key in addition to the cookie
    ]
    jwt, _ = services.own_tokens.issue(user.account.id, 60, OPERATOR)
    attempts.append((app.test_client(), {"Authorization": f"Bearer {jwt}"}))
    ended = SignedBrowser(app, services, user.account.id)
    services.sessions.end_all(user.account.id, OPERATOR)
    attempts += [(ended.client, {}), (browser.client, {})]
    for client, headers in attempts:
        answer = client.open(PATH + end, method=method, headers={**OWN, **headers}, **body)
        assert (answer.status_code, answer.json["error"]["code"]) == (401, "unauthorized")
        assert answer.headers["WWW-Authenticate"].startswith("Cookie")
    assert len(services.keys.list(user.account.id)) == 1


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
@pytest.mark.parametrize(("method", "end"), [call for call in CALLS if call[0] != "GET"])
def test_other_sites_change_nothing(
    browser: SignedBrowser, headers: dict[str, str], method: str, end: str
) -> None:
    answer = browser.client.open(PATH + end, method=method, headers=headers, json=WANTED)
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "cross_origin")
    assert len(browser.client.get(PATH).json["keys"]) == 1


def test_the_services_own_origin_is_enough(browser: SignedBrowser) -> None:
    answer = browser.client.post(PATH, json=WANTED, headers={"Origin": "http://localhost"})
    assert answer.status_code == 201


def test_an_expired_session(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app({"CODEINTEL_SESSION_LIFETIME": "60"})
    services: Services = app.extensions["codeintel"]
    browser = SignedBrowser(app, services, make_user(services).account.id)
    assert browser.client.get(PATH).status_code == 200
    later = sessions.now_ms() + 60_000
    monkeypatch.setattr(sessions, "now_ms", lambda: later)
    assert browser.client.get(PATH).status_code == 401


def test_answers_are_kept_by_nobody_and_shared_with_no_site(make_app: MakeApp) -> None:
    origin = "https://app.example"
    app = make_app({"CODEINTEL_CORS_ORIGINS": origin})
    services: Services = app.extensions["codeintel"]
    browser = SignedBrowser(app, services, make_user(services).account.id)
    for answer in (
        browser.client.get(PATH, headers={"Origin": origin}),
        browser.client.post(PATH, json=WANTED, headers=OWN),
        browser.client.options(
            PATH, headers={"Origin": origin, "Access-Control-Request-Method": "POST"}
        ),
    ):
        assert not [name for name, _ in answer.headers if name.startswith("Access-Control")]
        if answer.request.method != "OPTIONS":
            assert answer.headers["Cache-Control"] == "private, no-store"
