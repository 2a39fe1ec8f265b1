"""Answers of providers that do not sign in, and failing providers."""

from __future__ import annotations

from typing import Any

import pytest
import requests
import responses
from login_browser import EMAIL, NAME, OVER, SLUG, UNFINISHED, Browser, BrowserOf, anna, refused
from oidc_providers import ISSUER, FakeProvider, new_key


@pytest.mark.parametrize(
    ("query", "status", "heading"),
    [
        ({"error": "access_denied", "code": None}, 403, "You were not signed in"),
        ({"error": "login_required", "code": None}, 400, OVER),
        ({"error": "server_error", "code": None}, 503, "The provider is unavailable"),
        ({"error": "<b>", "error_description": "<b>", "code": None}, 400, UNFINISHED),
        ({"state": "other"}, 400, OVER),
        ({"state": ""}, 400, OVER),
        ({"state": None}, 400, OVER),
        ({"code": "wrong"}, 400, OVER),
        ({"code": None}, 400, UNFINISHED),
        ({"iss": "https://evil.example.org"}, 400, OVER),
    ],
)
def test_answers_that_sign_nobody_in(
    browser: Browser, query: dict[str, Any], status: int, heading: str
) -> None:
    anna(browser)
    browser.begin()
    answer = browser.back(**query)
    refused(answer, status, heading)
    assert "<b>" not in answer.text
    assert f"/auth/login?provider={SLUG}" in answer.text
    assert browser.email == ""
    refused(browser.back(), 400, OVER)


def test_the_issuer_in_the_answer(browser_of: BrowserOf, fake: FakeProvider) -> None:
    fake.discovery["authorization_response_iss_parameter_supported"] = True
    fake.up()
    browser = browser_of()
    anna(browser)
    browser.begin()
    refused(browser.back(), 400, OVER)
    browser.begin()
    assert browser.back(iss=ISSUER).status_code == 303


@pytest.mark.parametrize(
    "wrong",
    [
        {"nonce": "other"},
        {"nonce": None},
        {"aud": "other"},
        {"azp": "other"},
        {"iss": "https://evil.example.org"},
        {"exp": 1},
        {"sub": None},
    ],
)
def test_id_tokens_that_prove_nothing(browser: Browser, wrong: dict[str, Any]) -> None:
    anna(browser)
    browser.claims |= wrong
    refused(browser.sign_in(), 400, UNFINISHED)
    assert browser.email == ""


@pytest.mark.parametrize("wrong", [None, "a.b.c", 7])
def test_answers_without_an_id_token(browser: Browser, wrong: Any) -> None:
    anna(browser)
    browser.answer = {"id_token": wrong}
    refused(browser.sign_in(), 400, UNFINISHED)
    assert browser.email == ""


def test_the_kind_of_the_access_token_does_not_matter(browser: Browser) -> None:
    """Check that the identity only depends on the ID token."""
    anna(browser)
    browser.answer = {"token_type": "mac"}
    assert browser.sign_in().status_code == 303
    assert browser.email == EMAIL


def test_an_id_token_of_somebody_elses_key(browser: Browser) -> None:
    anna(browser)
    browser.key = new_key("key-1", "evil")
    refused(browser.sign_in(), 400, UNFINISHED)
    assert browser.email == ""


def test_another_browsers_login(browser: Browser) -> None:
    anna(browser)
    browser.begin()
    other = Browser(browser.client.application.test_client(), browser.services, browser.fake)
    other.query = browser.query
    refused(other.back(), 400, OVER)
    assert other.email == ""


def test_a_login_that_took_too_long(browser: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    from itsdangerous import TimestampSigner

    anna(browser)
    browser.begin()
    late = TimestampSigner.get_timestamp
    monkeypatch.setattr(TimestampSigner, "get_timestamp", lambda signer: late(signer) + 601)
    refused(browser.back(), 400, OVER)
    assert browser.email == ""


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 500},
        {"body": requests.ConnectionError("gone")},
        {"body": "no JSON"},
        {"json": ["a list"]},
        {"json": {"id_token": "x" * 300_000}},
        {"status": 302, "headers": {"Location": "https://evil.example.org/"}},
    ],
)
def test_a_token_endpoint_that_fails(browser: Browser, answer: dict[str, Any]) -> None:
    user = anna(browser)
    browser.use_link(user)
    browser.begin()
    browser.fake.mock.remove(responses.POST, f"{ISSUER}/token")
    browser.fake.mock.post(f"{ISSUER}/token", **answer)
    failed = browser.back()
    refused(failed, 503, "The provider is unavailable")
    assert failed.headers["Retry-After"] == "5"
    assert browser.email == EMAIL, "who is signed in stays so"


def test_a_provider_that_is_down(browser: Browser, fake: FakeProvider) -> None:
    user = anna(browser)
    browser.use_link(user)
    fake.down()
    answer = browser.begin()
    assert answer.status_code == 503
    assert answer.mimetype == "text/html"
    assert NAME in answer.text
    assert browser.email == EMAIL
    assert browser.page("/search").status_code == 200
