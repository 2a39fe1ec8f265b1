"""Logins and tokens of an independent identity provider."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
from oidc_server import RESOURCE, SECONDS, OidcServer, sign_in

from codeintel.testing.server import LiveServer

pytestmark = pytest.mark.oidc

ACCOUNT = "/api/v1/account"
LOGIN = "/auth/login?provider=certified&next=/search"


@pytest.fixture(scope="module")
def service(provider: OidcServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    entry = {
        "issuer": provider.issuer,
        "audience": RESOURCE,
        "client_id": "browser",
        "client_secret": "browser-secret",
        "name": "certified",
        "signup": True,
        "domains": ["*"],
        "scope_map": {"code.account": ["account:read"]},
    }
    instance: Path = tmp_path_factory.mktemp("instance")
    with LiveServer(instance, CODEINTEL_OIDC_ISSUERS=json.dumps([entry])) as server:
        yield server


def account(service: LiveServer, token: str) -> requests.Response:
    headers = {"Authorization": f"Bearer {token}"}
    return requests.get(f"{service.url}{ACCOUNT}", headers=headers, timeout=SECONDS)


def signed_in(service: LiveServer, session: requests.Session) -> bool:
    page = session.get(f"{service.url}/search", timeout=SECONDS)
    assert page.status_code == 200
    return bool(re.search(r'action="/signout"', page.text))


def log_in(service: LiveServer, session: requests.Session, person: str) -> requests.Response:
    """Log in from the link on the page through the provider and back."""
    callback = f"{service.url}/auth/callback/certified"
    back = sign_in(session, f"{service.url}{LOGIN}", person, until=callback)
    return session.get(back, allow_redirects=False, timeout=SECONDS)


def test_a_login_with_a_code_and_pkce(service: LiveServer) -> None:
    with requests.Session() as session:
        assert not signed_in(service, session)
        answer = log_in(service, session, "anna")
        assert (answer.status_code, answer.headers["Location"]) == (303, "/search"), answer.text
        assert signed_in(service, session)
        assert "codeintel_login" not in session.cookies
        again = session.get(answer.url, allow_redirects=False, timeout=SECONDS)
        assert again.status_code == 400, "a code and its state are good for one login"
        assert signed_in(service, session)


def test_a_token_is_the_same_persons(service: LiveServer, provider: OidcServer) -> None:
    with requests.Session() as session:
        log_in(service, session, "bert")
    answer = account(service, provider.access_token("bert"))
    assert answer.status_code == 200, answer.text
    data: Any = answer.json()["data"]
    assert data["email"] == "bert@example.org", "which the provider tells at the login only"


def test_a_token_is_narrowed_by_its_scopes(service: LiveServer, provider: OidcServer) -> None:
    token = provider.access_token("bert", scope="openid")
    answer = account(service, token)
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "insufficient_scope"


def test_a_new_key_is_found_and_the_old_one_refused(
    service: LiveServer, provider: OidcServer
) -> None:
    old = provider.access_token("carla")
    assert account(service, old).status_code == 200
    provider.kill()
    provider.rotate()
    provider.start()
    new, asked = provider.access_token("carla"), provider.asked("/jwks")
    assert [account(service, new).status_code for _ in range(5)] == [200] * 5
    assert provider.asked("/jwks") == asked + 1
    assert [account(service, old).status_code for _ in range(5)] == [401] * 5
    assert provider.asked("/jwks") == asked + 1


def test_a_provider_that_is_gone(service: LiveServer, provider: OidcServer) -> None:
    """The last one: it ends the provider."""
    token = provider.access_token("dora")
    assert account(service, token).status_code == 200
    with requests.Session() as session:
        log_in(service, session, "dora")
        provider.kill()
        assert signed_in(service, session), "sessions go on"
    assert account(service, token).status_code == 200, "its keys are known"
    service.signal(15)
    service.process.wait(SECONDS)
    service.start()
    answer = account(service, token)
    assert answer.status_code == 503
    assert answer.json()["error"]["code"] == "identity_provider_unavailable"
    assert answer.headers["Retry-After"] == "5"
    page = requests.get(f"{service.url}{LOGIN}", allow_redirects=False, timeout=SECONDS)
    assert page.status_code == 503
