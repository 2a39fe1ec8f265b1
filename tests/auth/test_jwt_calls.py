"""Calls of the API with tokens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import responses
from flask import Flask
from flask.testing import FlaskClient
from oidc_providers import ISSUER, FakeProvider, new_key, sign
from support import MakeApp, User, make_user
from token_attacks import ATTACKS
from werkzeug.test import TestResponse

from codeintel.app import Services
from codeintel.identity.audit import OPERATOR
from codeintel.identity.auth.caller import MAX_CREDENTIAL_CHARACTERS, Credential
from codeintel.identity.auth.jwt import told_email
from codeintel.identity.issuer import BuiltinIssuer, load_issuer_key

ACCOUNT = "/api/v1/account"
SUBJECT = "user-1"
AppOf = Callable[..., tuple[FlaskClient, Services]]


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield FakeProvider(mock)


@pytest.fixture
def app_of(make_app: MakeApp, fake: FakeProvider) -> AppOf:
    """Return a function that makes an application that accepts the provider's tokens."""

    def make(**entry: Any) -> tuple[FlaskClient, Services]:
        issuers = json.dumps([fake.raw_entry(**entry)])
        app: Flask = make_app({"CODEINTEL_OIDC_ISSUERS": issuers})
        return app.test_client(), app.extensions["codeintel"]

    return make


def call(client: FlaskClient, token: str, path: str = ACCOUNT) -> TestResponse:
    return client.get(path, headers={"Authorization": f"Bearer {token}"})


def joined(services: Services) -> User:
    """Return an account of the provider's user."""
    user = make_user(services)
    services.identities.join(user.account.id, ISSUER, SUBJECT, "", OPERATOR)
    return user


def test_a_token_is_its_identitys_account(app_of: AppOf, fake: FakeProvider) -> None:
    client, services = app_of()
    joined(services)
    for _ in range(2):
        answer = call(client, fake.token())
        assert answer.get_json()["data"]["email"] == "user@example.org"
        assert answer.headers["Cache-Control"] == "private, no-store"
    assert client.get(ACCOUNT, headers={"X-Api-Key": fake.token()}).status_code == 200
    assert fake.asked == 1


def test_an_address_joins_nobody(app_of: AppOf, fake: FakeProvider) -> None:
    client, services = app_of()
    make_user(services, "user@example.org")
    answer = call(client, fake.token(email="user@example.org", email_verified=True))
    assert answer.status_code == 403
    assert answer.get_json()["error"]["code"] == "account_required"


@pytest.mark.parametrize("verified", [True, False, "true", None])
def test_signing_up_with_a_token(app_of: AppOf, fake: FakeProvider, verified: Any) -> None:
    client, services = app_of(signup=True, domains=["example.org"])
    token = fake.token(email="New@example.org", email_verified=verified)
    first, second = call(client, token), call(client, token)
    email = first.get_json()["data"]["email"]
    assert (email == "new@example.org") is (verified is True)
    assert second.get_json()["data"]["email"] == email
    assert first.get_json()["data"]["credits"]["balance"] == 100
    assert services.identities.find(ISSUER, SUBJECT) is not None


def test_signing_up_takes_nobodys_address(app_of: AppOf, fake: FakeProvider) -> None:
    client, services = app_of(signup=True, domains=["example.org"])
    user = make_user(services)
    answer = call(client, fake.token(email=user.account.email, email_verified=True))
    assert answer.status_code == 200
    assert answer.get_json()["data"]["email"] != user.account.email


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ({"scope": "openid code.account"}, 200),
        ({"scp": ["code.account"]}, 200),
        ({"scp": "code.account code.search"}, 200),
        ({"scope": "code.all"}, 200),
        ({"scope": "code.search"}, 403),
        ({"scope": "account:read"}, 403),
        ({"scope": ["code.all"]}, 200),
        ({"scope": {"code.all": 1}}, 403),
        ({"scp": [7, None]}, 403),
        ({}, 403),
    ],
)
def test_scopes_narrow_by_the_map(
    app_of: AppOf, fake: FakeProvider, told: dict[str, Any], status: int
) -> None:
    client, services = app_of(
        scope_map={
            "code.account": ["account:read"],
            "code.search": "search:read",
            "code.all": "api:v1",
        }
    )
    joined(services)
    answer = call(client, fake.token(**told))
    assert answer.status_code == status
    if status == 403:
        assert answer.get_json()["error"]["code"] == "insufficient_scope"


def test_without_a_map_nothing_is_narrowed(app_of: AppOf, fake: FakeProvider) -> None:
    client, services = app_of()
    joined(services)
    assert call(client, fake.token(scope="")).status_code == 200


def test_attacks_all_look_the_same(make_app: MakeApp, fake: FakeProvider) -> None:
    issuers = json.dumps([fake.raw_entry()])
    app = make_app(
        {"CODEINTEL_OIDC_ISSUERS": issuers, "CODEINTEL_LIMIT_FAILED_AUTH": "1000/minute"}
    )
    client = app.test_client()
    joined(app.extensions["codeintel"])
    assert call(client, fake.token()).status_code == 200
    garbage = call(client, "garbage")
    for name, attack in ATTACKS.items():
        token = attack(fake)
        answer = call(client, token)
        assert answer.status_code == 401, name
        assert answer.get_json()["error"]["code"] == "unauthorized", name
        if len(token) <= MAX_CREDENTIAL_CHARACTERS:
            assert answer.get_json()["error"] == garbage.get_json()["error"], name
        assert "WWW-Authenticate" in answer.headers, name
        # No endpoint treats a refused client as anonymous.
        assert call(client, token, "/api/v1/capabilities").status_code == 401, name
    assert call(client, fake.token()).status_code == 200


def test_a_new_key_and_an_old_one(app_of: AppOf, fake: FakeProvider) -> None:
    client, services = app_of()
    joined(services)
    assert call(client, fake.token()).status_code == 200
    old = fake.rotate()
    assert [call(client, fake.token()).status_code for _ in range(3)] == [200] * 3
    assert fake.asked == 1, "one refetch"
    assert call(client, sign(fake.claims(), old)).status_code == 401


def test_a_provider_that_is_down_is_nobodys_fault(app_of: AppOf, fake: FakeProvider) -> None:
    client, services = app_of()
    user = joined(services)
    fake.down()
    answer = call(client, fake.token())
    assert answer.status_code == 503
    assert answer.get_json()["error"]["code"] == "identity_provider_unavailable"
    assert answer.headers["Retry-After"] == "5"
    for other in (user.token, services.issuer.sign(user.account.id)[0]):
        assert call(client, other).status_code == 200
    assert call(client, fake.token(iss="https://evil.example.org")).status_code == 401


def test_the_services_own_tokens(app_of: AppOf, fake: FakeProvider) -> None:
    client, services = app_of()
    user = make_user(services)
    own = services.issuer.sign(user.account.id, 60)[0]
    assert call(client, own).get_json()["data"]["email"] == user.account.email
    assert call(client, services.issuer.sign("acc_unknown")[0]).status_code == 401
    other = BuiltinIssuer(load_issuer_key(services.settings, b"other"), services.issuer.url)
    assert call(client, other.sign(user.account.id)[0]).status_code == 401
    assert not fake.mock.calls, "its own keys are known"


def test_a_providers_subject_is_no_account_id(app_of: AppOf, fake: FakeProvider) -> None:
    client, services = app_of()
    user = make_user(services)
    assert call(client, fake.token(sub=user.account.id)).status_code == 403
    forged = sign(
        fake.claims(iss=services.issuer.url, aud="codeintel", sub=user.account.id),
        new_key("evil", "evil"),
    )
    assert call(client, forged).status_code == 401


def test_a_token_manages_no_keys(app_of: AppOf, fake: FakeProvider) -> None:
    client, services = app_of()
    user = joined(services)
    for token in (fake.token(), services.issuer.sign(user.account.id)[0]):
        assert call(client, token, "/api/account/api-keys").status_code == 401


def test_a_token_for_a_session_ends_with_it(client: FlaskClient, services: Services) -> None:
    user = make_user(services)
    cookie = services.sessions.open(user.account.id, "link")
    session = services.sessions.find(cookie)
    assert session is not None
    token, _ = services.issuer.sign(user.account.id, 600, session_id=session.session_id)
    assert call(client, token).status_code == 200
    caller = services.callers.identify(Credential(token))
    goes_on = services.callers.still_valid(caller)
    assert goes_on()
    services.sessions.end(user.account.id, session.session_id, OPERATOR)
    assert call(client, token).status_code == 401
    assert not goes_on()


def test_nobody_elses_token_names_a_session(app_of: AppOf, fake: FakeProvider) -> None:
    """`sid` is a claim of OpenID Connect, where it means the provider's session."""
    client, services = app_of()
    joined(services)
    assert call(client, fake.token(sid="anything")).status_code == 200


@pytest.mark.parametrize("email", ["new\0@example.org", "new\ud800@example.org", 7, None, []])
def test_an_address_that_cannot_be_kept_is_none(email: object) -> None:
    assert told_email({"email": email, "email_verified": True}) == ("", True)


def test_an_address_is_told_with_what_is_known_of_it() -> None:
    claims = {"email": "ann\u00e9@example.org", "email_verified": "true"}
    assert told_email(claims) == ("ann\u00e9@example.org", False)
