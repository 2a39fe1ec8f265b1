"""Signing in at a provider, in a browser: the way there and back."""

from __future__ import annotations

from base64 import b64decode
from urllib.parse import parse_qs, urlsplit

import pytest
from login_browser import BASE, EMAIL, NAME, SECRET, SLUG, Browser, BrowserOf, anna, anna_id
from oidc_providers import CLIENT, ISSUER, FakeProvider

from codeintel.identity.audit import AuditKind
from codeintel.web.login.require_login import FIRST_PAGE


def test_the_way_to_the_provider(browser: Browser) -> None:
    answer = browser.begin()
    assert answer.status_code == 302
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Location"].startswith(f"{ISSUER}/authorize?")
    query = browser.query
    assert query.keys() == {
        *("response_type", "client_id", "redirect_uri", "scope", "state", "nonce"),
        *("code_challenge", "code_challenge_method"),
    }
    assert query["response_type"] == "code"
    assert query["client_id"] == CLIENT
    assert query["redirect_uri"] == f"{BASE}/auth/callback/{SLUG}"
    assert query["scope"] == "openid email profile"
    assert query["code_challenge_method"] == "S256", "though the provider does not tell of it"
    assert min(len(query["state"]), len(query["nonce"])) >= 20
    [cookie] = answer.headers.getlist("Set-Cookie")
    assert cookie.startswith("codeintel_login=")
    assert {"HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
    assert SECRET not in answer.headers["Location"] + cookie


def test_the_way_back(browser: Browser) -> None:
    anna(browser)
    answer = browser.sign_in(next="/account/keys?new=1")
    assert answer.status_code == 303
    assert answer.headers["Location"] == "/account/keys?new=1"
    assert browser.email == EMAIL
    assert browser.cookie("codeintel_login") == "", "it is good for one login"
    assert browser.form["grant_type"] == "authorization_code"
    assert browser.sent is not None
    basic = browser.sent.headers["Authorization"].removeprefix("Basic ")
    assert b64decode(basic).decode() == f"{CLIENT}:{SECRET}"
    [session] = browser.services.sessions.list(anna_id(browser))
    assert session.how == ISSUER
    kinds = [each.kind for each in browser.services.audit.events(anna_id(browser))]
    assert AuditKind.SIGNED_IN in kinds


@pytest.mark.parametrize(
    ("methods", "secret", "told"),
    [
        (["client_secret_post"], SECRET, {"client_id": CLIENT, "client_secret": SECRET}),
        (["none"], "", {"client_id": CLIENT}),
        (["client_secret_basic", "client_secret_post"], SECRET, {}),
    ],
)
def test_how_the_client_proves_itself(
    browser_of: BrowserOf, fake: FakeProvider, methods: list[str], secret: str, told: dict[str, str]
) -> None:
    fake.discovery["token_endpoint_auth_methods_supported"] = methods
    fake.up()
    browser = browser_of(client_secret=secret)
    anna(browser)
    assert browser.sign_in().status_code == 303
    sent = {key: browser.form[key] for key in ("client_id", "client_secret") if key in browser.form}
    assert sent == told


@pytest.mark.parametrize(
    "next_",
    ["https://evil.example.org/", "//evil.example.org", "/\\evil.example.org", "/auth/login"],
)
def test_nobody_is_sent_elsewhere(browser: Browser, next_: str) -> None:
    anna(browser)
    assert browser.sign_in(next=next_).headers["Location"] == FIRST_PAGE


def test_with_a_public_url(browser_of: BrowserOf) -> None:
    browser = browser_of({"CODEINTEL_PUBLIC_URL": "https://code.example.org"})
    for base in ("https://code.example.org", "http://localhost:1"):
        answer = browser.client.get(f"/auth/login?provider={SLUG}", base_url=base)
        query = parse_qs(urlsplit(answer.headers["Location"]).query)
        assert query["redirect_uri"] == [f"https://code.example.org/auth/callback/{SLUG}"]
        [cookie] = answer.headers.getlist("Set-Cookie")
        assert cookie.startswith("__Host-codeintel-login=")
        assert {"Secure", "HttpOnly", "Path=/", "SameSite=Lax"} <= set(cookie.split("; "))
        assert "Domain" not in cookie


def test_the_only_provider_needs_no_name(browser: Browser) -> None:
    answer = browser.client.get("/auth/login", base_url=BASE)
    assert answer.headers["Location"].startswith(ISSUER)
    assert browser.client.get("/auth/login?provider=other", base_url=BASE).status_code == 404


@pytest.mark.parametrize(
    "host", ["evil.example.org", "localhost.evil.org", "evil.org:8000", "[::2]"]
)
def test_a_forged_host_is_nobodys_way_back(browser: Browser, host: str) -> None:
    answer = browser.client.get(f"/auth/login?provider={SLUG}", base_url=f"http://{host}")
    assert answer.status_code == 400
    assert "Location" not in answer.headers
    assert "CODEINTEL_PUBLIC_URL" in answer.text


@pytest.mark.parametrize("host", ["localhost", "localhost:5000", "[::1]:5000", "127.0.0.1"])
def test_on_this_machine_no_public_url_is_needed(browser: Browser, host: str) -> None:
    answer = browser.client.get(f"/auth/login?provider={SLUG}", base_url=f"http://{host}")
    query = parse_qs(urlsplit(answer.headers["Location"]).query)
    assert query["redirect_uri"] == [f"http://{host}/auth/callback/{SLUG}"]


@pytest.mark.parametrize("slug", ["other", "0", "our-company/"])
def test_a_provider_that_there_is_not(browser: Browser, slug: str) -> None:
    assert browser.client.get(f"/auth/login?provider={slug}", base_url=BASE).status_code == 404
    assert browser.client.get("/auth/callback/other", base_url=BASE).status_code == 404


def test_a_provider_of_tokens_alone(browser_of: BrowserOf) -> None:
    browser = browser_of(client_id="", client_secret="")
    assert browser.begin().status_code == 404
    assert NAME not in browser.page().text


def test_the_page_has_a_link(browser: Browser) -> None:
    page = browser.page("/signin?next=/search")
    assert f"Sign in with {NAME}" in page.text
    assert f"/auth/login?provider={SLUG}&amp;next=%2Fsearch" in page.text
