"""The setting of identity providers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st

from codeintel import create_app
from codeintel.base.entitlements import Scope
from codeintel.base.version import DEFAULT_URL
from codeintel.platform.config import SettingError
from codeintel.platform.config.issuers import (
    IssuerEntry,
    is_loopback,
    is_safe,
    origin,
    parse_issuers,
)

GOOD: dict[str, Any] = {"issuer": "https://login.example.org", "audience": "codeintel-api"}
OTHER: dict[str, Any] = {"issuer": "https://id.example.net/realms/x/", "audience": "codeintel-api"}
SECRET = "a-very-secret-text"


def test_nothing_is_no_provider() -> None:
    assert parse_issuers("") == parse_issuers(None) == parse_issuers("[]") == ()


def test_a_wrong_one_fails_the_start(tmp_path: Path) -> None:
    for value, message in (
        (json.dumps([{**GOOD, "audience": ""}]), "CODEINTEL_OIDC_ISSUERS .*`audience`"),
        (json.dumps([{**GOOD, "issuer": DEFAULT_URL}]), "service itself"),
    ):
        with pytest.raises(SettingError, match=message):
            create_app({"CODEINTEL_INSTANCE": tmp_path, "CODEINTEL_OIDC_ISSUERS": value})


def test_the_least_that_an_entry_needs() -> None:
    [entry] = parse_issuers(json.dumps([GOOD]))
    assert entry == IssuerEntry(**GOOD, name="login.example.org")
    assert (entry.slug, entry.signup, entry.scope_map) == ("login-example-org", False, None)


def test_all_fields() -> None:
    given_entry = {
        **GOOD,
        "client_id": "browser",
        "client_secret": SECRET,
        "signup": True,
        "scope_map": {"code.read": "search:read", "code.all": ["api:v1", "workspace:write"]},
        "name": "Our Company (Köln)",
        "jwks_uri": "https://keys.example.org/jwks",
    }
    first, second = parse_issuers([given_entry, OTHER])
    assert first.slug == "our-company-k-ln"
    assert first.signup
    assert first.scope_map == {
        "code.read": frozenset({Scope.SEARCH_READ}),
        "code.all": frozenset({Scope.API_V1, Scope.WORKSPACE_WRITE}),
    }
    assert second.issuer.endswith("/"), "as it stands in its tokens"
    assert SECRET not in repr(first)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"issuer": ""}, "HTTPS URL as `issuer`"),
        ({"issuer": "http://login.example.org"}, "HTTPS URL as `issuer`"),
        ({"issuer": "https://user:password@login.example.org"}, "HTTPS URL as `issuer`"),
        ({"issuer": "https://login.example.org?a=b"}, "HTTPS URL as `issuer`"),
        ({"issuer": "https://login.example.org#a"}, "HTTPS URL as `issuer`"),
        ({"issuer": "https://login.example.org:port"}, "HTTPS URL as `issuer`"),
        ({"issuer": "ftp://login.example.org"}, "HTTPS URL as `issuer`"),
        ({"issuer": f"https://login.example.org/{'a' * 255}"}, "HTTPS URL as `issuer`"),
        ({"issuer": 7}, "text without surrounding spaces as `issuer`"),
        ({"audience": ""}, "`audience` in every entry"),
        ({"audience": " "}, "text without surrounding spaces as `audience`"),
        ({"client_id": "codeintel-api"}, "`audience` that differs from every `client_id`"),
        ({"client_secret": SECRET}, "`client_id` that a `client_secret` belongs to"),
        (
            {"client_id": "a", "client_secret": "geheimnisvoll-ü"},
            "surrounding spaces as `client_secret`",
        ),
        ({"domains": "example.org"}, "list of domains as `domains`"),
        ({"domains": ["@example.org"]}, "list of domains as `domains`"),
        ({"domains": ["*.example.org"]}, "list of domains as `domains`"),
        ({"domains": ["org"]}, "list of domains as `domains`"),
        ({"domains": [""]}, "list of domains as `domains`"),
        ({"domains": [7]}, "list of domains as `domains`"),
        ({"signup": "yes"}, "`true` or `false`"),
        ({"signup": 1}, "`true` or `false`"),
        ({"jwks_uri": "http://keys.example.org"}, "HTTPS URL as `jwks_uri`"),
        ({"name": "()"}, "a letter or digit"),
        ({SECRET: "x"}, "no other fields than"),
        ({"scope_map": {}}, "an object like"),
        ({"scope_map": None}, "an object like"),
        ({"scope_map": ["api:v1"]}, "an object like"),
        ({"scope_map": {"a": "api:v9"}}, "scopes of this service"),
        ({"scope_map": {"a": []}}, "scopes of this service"),
        ({"scope_map": {"a": [{}]}}, "scopes of this service"),
        ({"scope_map": {"a b": "api:v1"}}, "single scopes"),
        ({"scope_map": {"": "api:v1"}}, "single scopes"),
    ],
)
def test_what_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        parse_issuers([{**GOOD, **change}])
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("domains", "email", "is_vouched"),
    [
        (["example.org"], "ada@example.org", True),
        (["Example.ORG"], "ada@EXAMPLE.org", True),
        (["example.org"], "ada@mail.example.org", False),
        (["example.org"], "ada@evil-example.org", False),
        (["example.org"], "ada@example.org@evil.example", False),
        (["example.org"], "", False),
        ([], "ada@example.org", False),
        (["*"], "ada@example.org", True),
        (["*"], "nothing", True),
        (["*"], "", False),
    ],
)
def test_whose_addresses_a_provider_vouches_for(
    domains: list[str], email: str, is_vouched: bool
) -> None:
    [entry] = parse_issuers([{**GOOD, "domains": domains}])
    assert entry.vouches_for(email) is is_vouched


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ([GOOD, {**GOOD, "name": "again"}], "different `issuer` values"),
        (
            [GOOD, {**GOOD, "issuer": "https://login.example.org/", "name": "b"}],
            "different `issuer` values",
        ),
        ([{**GOOD, "name": "a b"}, {**OTHER, "name": "A-B"}], "different `name`"),
        ([{**GOOD, "audience": "x"}, {**OTHER, "client_id": "x"}], "`audience` that differs"),
    ],
)
def test_what_does_not_go_together(entries: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_issuers(entries)


@pytest.mark.parametrize("value", ["{", "7", '"x"', "[1]", '{"issuer": "x"}', [1], 7, "[" * 99_999])
def test_what_is_no_list_of_entries(value: Any) -> None:
    with pytest.raises(ValueError, match="must be a JSON list"):
        parse_issuers(value)


@pytest.mark.parametrize(
    ("url", "safe", "here"),
    [
        ("https://login.example.org/x", True, False),
        ("http://login.example.org", False, False),
        ("http://127.0.0.1:3000", True, True),
        ("http://localhost:3000/a", True, True),
        ("http://[::1]:3000", True, True),
        ("http://localhost.example.org", False, False),
        ("http://127.0.0.1@example.org", False, False),
        ("https://example.org\\@127.0.0.1", False, False),
        ("https://example.org/a b", False, False),
        ("https://", False, False),
        ("https://[", False, False),
    ],
)
def test_addresses(url: str, safe: bool, here: bool) -> None:
    assert (is_safe(url), is_loopback(url)) == (safe, here)


def test_origins() -> None:
    assert (
        origin("https://a.org/x") == origin("https://A.org:443/y") != origin("https://a.org:8443")
    )
    assert origin("http://a.org") != origin("https://a.org")


@given(st.text())
def test_no_text_is_too_strange(url: str) -> None:
    assert is_safe(url) in (True, False)
    origin(url)
