"""Browsers: the cookie, who it says is there, and forms that are of no other session."""

from __future__ import annotations

import pytest
from flask import Flask, Request, Response
from support import MakeApp
from werkzeug.http import parse_cookie
from werkzeug.test import EnvironBuilder

from codeintel.app import Services
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.audit import OPERATOR
from codeintel.identity.auth.browsers import Browsers
from codeintel.identity.auth.caller import ANONYMOUS, Proof


def request(cookie: str = "", base: str = "http://127.0.0.1:8000") -> Request:
    headers = {"Cookie": cookie, "User-Agent": "Browser/1.0"} if cookie else {}
    return Request(EnvironBuilder(base_url=base, headers=headers).get_environ())


def signed_in(browsers: Browsers, account_id: str, before: Request) -> str:
    """Return the `Set-Cookie` of signing in."""
    response = Response()
    browsers.sign_in(before, response, account_id, "link", "192.0.2.1")
    return response.headers["Set-Cookie"]


def account(services: Services, name: str = "ann") -> str:
    return services.accounts.create(
        f"{name}@example.org", services.settings.default_tier, 0, False
    ).id


@pytest.mark.parametrize(
    ("public_url", "name", "secure"),
    [
        ("", "codeintel_session", False),
        ("http://127.0.0.1:9000", "codeintel_session", False),
        ("https://code.example.org", "__Host-codeintel", True),
    ],
)
def test_the_cookie(make_app: MakeApp, public_url: str, name: str, secure: bool) -> None:
    services = make_app({"CODEINTEL_PUBLIC_URL": public_url}).extensions["codeintel"]
    who = account(services)
    cookie = signed_in(services.browsers, who, request())
    assert cookie.startswith(f"{name}=")
    attributes = {each.strip() for each in cookie.split(";")[1:]}
    assert {"HttpOnly", "Path=/", "SameSite=Lax", "Max-Age=2592000"} <= attributes
    assert ("Secure" in attributes) is secure
    assert not any(each.startswith("Domain") for each in attributes)

    there = request(cookie.split(";")[0])
    caller = services.browsers.identify(there)
    assert (caller.proof, caller.account_id, caller.scopes) == (Proof.SESSION, who, None)
    assert caller.email == "ann@example.org"
    other = "codeintel_session" if secure else "__Host-codeintel"
    token = parse_cookie(cookie)[name]
    assert services.browsers.identify(request(f"{other}={token}")) == ANONYMOUS


@pytest.mark.parametrize("value", ["", "x", "a" * 43, "a" * 10_000, "\udc80", '"'])
def test_cookies_that_are_nobodys(services: Services, value: str) -> None:
    assert services.browsers.identify(request(f"codeintel_session={value}")) == ANONYMOUS


def test_signing_in_again_ends_the_session_before(services: Services) -> None:
    first = signed_in(services.browsers, account(services), request()).split(";")[0]
    second = signed_in(services.browsers, account(services, "bob"), request(first)).split(";")[0]
    assert services.browsers.identify(request(first)) == ANONYMOUS
    assert services.browsers.identify(request(second)).email == "bob@example.org"


def test_a_form_is_of_one_session(services: Services) -> None:
    browsers = services.browsers
    first, second = (
        request(signed_in(browsers, account(services, name), request()).split(";")[0])
        for name in ("ann", "bob")
    )
    browsers.check_form(first, browsers.form_token(first))
    wrong = [browsers.form_token(second), browsers.form_token(request()), "", "é\udc80", "0" * 64]
    for sent in wrong:
        with pytest.raises(ServiceError) as refused:
            browsers.check_form(first, sent)
        assert refused.value.code is ErrorCode.CSRF_FAILED
        assert "Reload the page" in refused.value.message


def test_what_a_session_opened_ends_with_it(app: Flask, services: Services) -> None:
    there = request(signed_in(services.browsers, account(services), request()).split(";")[0])
    caller = services.browsers.identify(there)
    with app.app_context():
        goes_on = services.callers.still_valid(caller)
    assert goes_on()
    services.sessions.end(caller.account_id, caller.session_id or "", OPERATOR)
    assert not goes_on()
