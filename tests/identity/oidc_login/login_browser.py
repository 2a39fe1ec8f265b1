"""A browser that signs in at a made-up provider."""

from __future__ import annotations

import hashlib
import json
import re
from base64 import urlsafe_b64encode
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import requests
import responses
from flask.testing import FlaskClient
from oidc_providers import CLIENT, ISSUER, FakeProvider, sign
from support import User, make_user
from werkzeug.test import TestResponse

from codeintel.app import Services
from codeintel.identity.audit import OPERATOR
from codeintel.identity.sessions import LINK

NAME, SLUG = "Our Company", "our-company"

SECRET = "a-client-secret"

BASE = "http://127.0.0.1:8000"

CODE = "the-code"

EMAIL = "anna@example.org"

SameSite = {"Origin": BASE, "Sec-Fetch-Site": "same-origin"}


class Browser:
    """A browser with one application, and the provider that it goes to."""

    def __init__(self, client: FlaskClient, services: Services, fake: FakeProvider) -> None:
        self.client = client
        self.services = services
        self.fake = fake
        self.query: dict[str, str] = {}
        self.claims: dict[str, Any] = {"email": EMAIL, "email_verified": True}
        self.answer: dict[str, Any] = {}
        self.key: Any = None
        self.form: dict[str, str] = {}
        self.sent: requests.PreparedRequest | None = None

    def begin(self, **more: Any) -> TestResponse:
        """Follow the link on the page."""
        query = {"provider": SLUG, **more}
        answer = self.client.get("/auth/login", query_string=query, base_url=BASE)
        if answer.status_code == 302:
            self.query = dict(parse_qsl(urlsplit(answer.headers["Location"]).query))
            self.fake.mock.remove(responses.POST, f"{ISSUER}/token")
            self.fake.mock.add_callback(responses.POST, f"{ISSUER}/token", self.token)
        return answer

    def token(self, request: Any) -> tuple[int, dict[str, str], str]:
        """Return the provider's token endpoint."""
        self.sent = request
        form = self.form = dict(parse_qsl(request.body))
        challenge = hashlib.sha256(form["code_verifier"].encode()).digest()
        is_right = (
            urlsafe_b64encode(challenge).rstrip(b"=").decode() == self.query["code_challenge"]
            and form["redirect_uri"] == self.query["redirect_uri"]
            and form["code"] == CODE
        )
        if not is_right:
            return 400, {}, json.dumps({"error": "invalid_grant"})
        claims = self.fake.claims(
            **{"aud": CLIENT, "nonce": self.query["nonce"], "sub": "anna", **self.claims}
        )
        document = {
            "access_token": "an-access-token",
            "token_type": "Bearer",
            "id_token": sign(claims, self.key or self.fake.key),
            **self.answer,
        }
        return 200, {"Content-Type": "application/json"}, json.dumps(document)

    def back(self, **more: Any) -> TestResponse:
        """Come back from the provider."""
        query = {"code": CODE, "state": self.query["state"], **more}
        kept = {name: value for name, value in query.items() if value is not None}
        path = f"/auth/callback/{SLUG}"
        return self.client.get(path, query_string=kept, base_url=BASE)

    def sign_in(self, **more: Any) -> TestResponse:
        self.begin(**more)
        return self.back()

    def page(self, path: str = "/signin") -> TestResponse:
        return self.client.get(path, base_url=BASE)

    def cookie(self, name: str = "codeintel_session") -> str:
        """Return the value of a cookie, or an empty text."""
        found = self.client.get_cookie(name, domain="127.0.0.1")
        return found.value if found else ""

    @property
    def email(self) -> str:
        """Return the email address of the signed-in user."""
        match = self.services.sessions.find(self.cookie()) if self.cookie() else None
        return match.email if match else ""

    def use_link(self, user: User) -> None:
        """Sign in as a user, with a link."""
        token = self.services.sessions.open(user.account.id, LINK)
        self.client.set_cookie("codeintel_session", token, domain="127.0.0.1")


BrowserOf = Callable[..., Browser]


def anna(browser: Browser) -> User:
    """Return the account of the provider's user."""
    user = make_user(browser.services, EMAIL)
    browser.services.identities.join(user.account.id, ISSUER, "anna", EMAIL, OPERATOR)
    return user


def refused(answer: TestResponse, status: int, heading: str) -> None:
    assert answer.status_code == status
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert re.search(r"<h1>(.*?)</h1>", answer.text).group(1) == heading


def anna_id(browser: Browser) -> str:
    found = browser.services.identities.find(ISSUER, "anna")
    assert found is not None
    return found


OVER, UNFINISHED = "This sign-in has expired", "The sign-in failed"
