"""Browsers' pages, forms and endpoints: a session, and nothing that another site could send."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from route_table import (
    BODY,
    FORM,
    OWN_ORIGIN,
    ROUTES,
    RUN,
    SESSION,
    SIGNED_IN,
    UNSAFE,
    Things,
    code_of,
    of_kind,
)
from support import User

from codeintel.app import Services

NEW_KEY = {"name": "new", "scopes": ["search:read"]}

CREDENTIALED = [route for route, kind in ROUTES.items() if ":" in kind or kind == RUN]

ELSEWHERE: list[dict[str, str]] = [
    {},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://other.localhost"},
    {"Sec-Fetch-Site": "none"},
    {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
    {"Origin": "http://localhost.evil.example"},
    {"Origin": "http://localhost:1"},
    {"Referer": "http://localhost/account"},
]


@pytest.mark.parametrize(("method", "path"), CREDENTIALED)
def test_a_session_is_no_credential_of_the_api(
    browser: FlaskClient, services: Services, things: Things, method: str, path: str
) -> None:
    """Check that no endpoint accepts it, because another site could make a browser send its
    cookie.
    """
    account_id = services.accounts.find("browser@example.org").id
    balance = services.ledger.balance(account_id)
    for headers in ({}, OWN_ORIGIN, {"Sec-Fetch-Site": "cross-site"}):
        answer = browser.open(things.address(path), method=method, headers=headers, **BODY)
        assert code_of(answer) == (401, "unauthorized")
    assert services.ledger.balance(account_id) == balance


@pytest.mark.parametrize(("method", "path"), of_kind(SESSION))
def test_keys_and_tokens_are_no_credential_of_a_browsers_endpoints(
    client: FlaskClient,
    browser: FlaskClient,
    services: Services,
    user: User,
    things: Things,
    method: str,
    path: str,
) -> None:
    jwt, _ = services.issuer.sign(user.account.id, 60)
    old = {"Cookie": "codeintel_session=nonsense"}
    for headers in (
        {},
        old,
        user.headers,
        {"x-api-key": user.token},
        {"Authorization": f"Bearer {jwt}"},
    ):
        own = {**OWN_ORIGIN, **headers}
        answer = client.open(things.address(path), method=method, headers=own, json=NEW_KEY)
        assert code_of(answer) == (401, "unauthorized"), headers
        assert answer.headers["WWW-Authenticate"].startswith("Cookie ")
    both = {**OWN_ORIGIN, **user.headers}
    answer = browser.open(things.address(path), method=method, headers=both, json=NEW_KEY)
    assert code_of(answer) == (401, "unauthorized")
    assert [key.status for key in services.keys.list(user.account.id)] == ["active"]


@pytest.mark.parametrize(
    ("method", "path"),
    [route for route in of_kind(SESSION, SIGNED_IN, FORM) if route[0] in UNSAFE],
)
def test_nothing_is_changed_from_elsewhere(
    browser: FlaskClient, things: Things, method: str, path: str
) -> None:
    for headers in ELSEWHERE:
        answer = browser.open(things.address(path), method=method, headers=headers, json=NEW_KEY)
        assert answer.status_code == 403, headers
        assert "another site" in answer.text or "does not name its origin" in answer.text
    assert browser.get("/account/keys").status_code == 200


@pytest.mark.parametrize(
    ("method", "path"), [route for route in of_kind(SIGNED_IN) if route[0] in UNSAFE]
)
def test_forms_of_no_or_another_session_are_refused(
    browser: FlaskClient, things: Things, method: str, path: str
) -> None:
    for form in ({}, {"csrf": ""}, {"csrf": "0" * 64}):
        answer = browser.open(things.address(path), method=method, headers=OWN_ORIGIN, data=form)
        assert answer.status_code == 403, form
        assert "another session" in answer.text


@pytest.mark.parametrize(("method", "path"), of_kind(SIGNED_IN))
def test_pages_of_an_account_send_others_to_sign_in(
    client: FlaskClient, user: User, things: Things, method: str, path: str
) -> None:
    for headers in (OWN_ORIGIN, {**OWN_ORIGIN, **user.headers}):
        answer = client.open(things.address(path), method=method, headers=headers)
        assert answer.status_code == 303
        assert answer.headers["Location"].startswith("/signin?next=")
