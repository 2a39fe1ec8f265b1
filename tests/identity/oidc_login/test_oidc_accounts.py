"""The account of a user who returns from a provider."""

from __future__ import annotations

import re
from typing import Any

import pytest
from login_browser import (
    BASE,
    EMAIL,
    OVER,
    UNFINISHED,
    Browser,
    BrowserOf,
    SameSite,
    anna,
    anna_id,
    refused,
)
from oidc_providers import ISSUER, FakeProvider
from support import make_user

MADE_UP = "user@login.example.org"
"""The address of an account whose owner has told none, without the number in it."""


def test_somebody_nobody_knows(browser: Browser) -> None:
    make_user(browser.services, EMAIL)
    refused(browser.sign_in(), 403, "You have no account here")
    assert browser.email == "", "an address joins nobody, verified or not"


def test_signing_up(browser_of: BrowserOf) -> None:
    browser = browser_of(signup=True, domains=["example.org"])
    assert browser.sign_in().status_code == 303
    assert browser.email == EMAIL
    assert browser.sign_in().status_code == 303
    assert browser.services.accounts.find(EMAIL).id == anna_id(browser)


@pytest.mark.parametrize("domains", [[], ["other.example.org"], ["example.com", "ple.org"]])
def test_a_provider_vouches_for_its_own_domains_alone(
    browser_of: BrowserOf, domains: list[str]
) -> None:
    """Check that a second provider with sign-up cannot make an account with another person's
    address."""
    browser = browser_of(signup=True, domains=domains)
    assert browser.sign_in().status_code == 303
    assert re.sub(r"^user-\w+@", "user@", browser.email) == MADE_UP


def test_a_provider_may_vouch_for_all_domains(browser_of: BrowserOf) -> None:
    browser = browser_of(signup=True, domains=["*"])
    assert browser.sign_in().status_code == 303
    assert browser.email == EMAIL


@pytest.mark.parametrize("verified", [False, "true", 1, None])
def test_an_address_that_is_not_verified_is_not_taken(browser_of: BrowserOf, verified: Any) -> None:
    browser = browser_of(signup=True, domains=["example.org"])
    browser.claims["email_verified"] = verified
    assert browser.sign_in().status_code == 303
    assert re.sub(r"^user-\w+@", "user@", browser.email) == MADE_UP


def test_a_session_is_replaced(browser: Browser) -> None:
    user = anna(browser)
    browser.use_link(user)
    old = browser.cookie()
    assert browser.sign_in().status_code == 303
    assert browser.cookie() != old
    assert browser.services.sessions.find(old) is None
    assert browser.email == EMAIL


def test_a_further_identity_is_joined_when_its_owner_says_so(browser: Browser) -> None:
    user = make_user(browser.services, "someone@example.org")
    browser.use_link(user)
    asked = browser.sign_in()
    assert asked.status_code == 200
    assert asked.headers["Cache-Control"] == "private, no-store"
    assert EMAIL in asked.text
    assert "someone@example.org" in asked.text
    assert browser.services.identities.find(ISSUER, "anna") is None, "not yet"
    form = {"csrf": re.search(r'name="csrf" value="(.+?)"', asked.text).group(1)}
    path = "/auth/connect"
    for headers, data in (
        ({}, form),
        ({"Origin": "https://evil.example.org"}, form),
        (SameSite, {}),
        (SameSite, {"csrf": "x"}),
    ):
        answer = browser.client.post(path, data=data, headers=headers, base_url=BASE)
        assert answer.status_code == 403
    assert browser.services.identities.find(ISSUER, "anna") is None
    done = browser.client.post(path, data=form, headers=SameSite, base_url=BASE)
    assert (done.status_code, done.headers["Location"]) == (303, "/account?notice=connected")
    assert browser.services.identities.find(ISSUER, "anna") == user.account.id
    assert browser.sign_in().status_code == 303
    csrf = re.search(r'name="csrf" value="(.+?)"', browser.page("/search").text).group(1)
    again = browser.client.post(path, data={"csrf": csrf}, headers=SameSite, base_url=BASE)
    refused(again, 400, OVER)
    assert browser.services.identities.find(ISSUER, "anna") == user.account.id


def test_a_question_is_for_the_account_that_was_asked(browser: Browser) -> None:
    first = make_user(browser.services, "first@example.org")
    second = make_user(browser.services, "second@example.org")
    browser.use_link(first)
    assert browser.sign_in().status_code == 200
    browser.use_link(second)
    page = browser.page("/search")
    token = re.search(r'name="csrf" value="(.+?)"', page.text)
    assert token is not None
    answer = browser.client.post(
        "/auth/connect", data={"csrf": token.group(1)}, headers=SameSite, base_url=BASE
    )
    refused(answer, 400, OVER)
    assert browser.services.identities.find(ISSUER, "anna") is None


def test_signing_in_as_somebody_else(browser: Browser) -> None:
    anna(browser)
    browser.use_link(make_user(browser.services, "someone@example.org"))
    assert browser.sign_in().status_code == 303
    assert browser.email == EMAIL


@pytest.mark.parametrize(
    ("told", "email"),
    [
        ({"sub": "anna", "email": EMAIL, "email_verified": True}, EMAIL),
        ({"sub": "anna", "email": EMAIL}, MADE_UP),
        ({"sub": "anna"}, MADE_UP),
        ({"sub": "eve", "email": EMAIL, "email_verified": True}, None),
        ({"email": EMAIL, "email_verified": True}, None),
    ],
)
def test_an_address_that_must_be_asked_for(
    browser_of: BrowserOf, fake: FakeProvider, told: dict[str, Any], email: str | None
) -> None:
    fake.discovery["userinfo_endpoint"] = f"{ISSUER}/me"
    fake.up()
    fake.mock.get(f"{ISSUER}/me", json=told)
    browser = browser_of(signup=True, domains=["example.org"])
    browser.claims = {}
    answer = browser.sign_in()
    sent = fake.mock.calls[-1].request
    assert (sent.url, sent.headers["Authorization"]) == (f"{ISSUER}/me", "Bearer an-access-token")
    if email is None:
        refused(answer, 400, UNFINISHED)
        assert browser.email == ""
        return
    assert answer.status_code == 303
    assert re.sub(r"^user-\w+@", "user@", browser.email) == email


def test_an_address_that_cannot_be_asked_for(browser_of: BrowserOf, fake: FakeProvider) -> None:
    fake.discovery["userinfo_endpoint"] = f"{ISSUER}/me"
    fake.up()
    fake.mock.get(f"{ISSUER}/me", status=500)
    browser = browser_of(signup=True, domains=["example.org"])
    browser.claims = {}
    refused(browser.sign_in(), 503, "The provider is unavailable")
    assert browser.email == ""
