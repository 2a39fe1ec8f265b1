"""Requests to a provider, and the accepted answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import responses
from oidc_providers import ISSUER, FakeProvider, new_key, public

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.oidc import MAX_DOCUMENT_BYTES, IssuerKeys, Provider

DISCOVERY = f"{ISSUER}/.well-known/openid-configuration"


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield FakeProvider(mock)


def refuses(provider: Provider) -> None:
    with pytest.raises(ServiceError) as caught:
        provider.keys()
    assert caught.value.code is ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE
    assert caught.value.retry_after == 5


def test_its_documents_are_asked_for_once(fake: FakeProvider) -> None:
    provider = Provider(fake.entry(), "admin@example.org")
    assert provider.metadata().token_endpoint == f"{ISSUER}/token"
    assert provider.keys() is provider.keys()
    assert [call.request.url for call in fake.mock.calls] == [DISCOVERY, f"{ISSUER}/jwks"]
    sent = fake.mock.calls[0].request.headers
    assert "admin@example.org" in sent["User-Agent"]
    assert "Authorization" not in sent


def test_an_issuer_with_a_path(fake: FakeProvider) -> None:
    for issuer in (f"{ISSUER}/realms/x", f"{ISSUER}/realms/y/"):
        url = f"{issuer.rstrip('/')}/.well-known/openid-configuration"
        fake.mock.get(url, json={**fake.discovery, "issuer": issuer})
        fake.issuer = issuer
        assert len(Provider(fake.entry()).keys().keys) == 1


def test_the_entrys_own_address_of_keys(fake: FakeProvider) -> None:
    fake.mock.reset()
    fake.mock.get("https://keys.example.net/all?v=2", json={"keys": [public(fake.key)]})
    provider = Provider(fake.entry(jwks_uri="https://keys.example.net/all?v=2"))
    assert len(provider.keys().keys) == 1
    assert len(fake.mock.calls) == 1, "and no discovery"


@pytest.mark.parametrize(
    "change",
    [
        {"issuer": f"{ISSUER}/"},
        {"issuer": "https://evil.example.org"},
        {"jwks_uri": "https://evil.example.org/jwks"},
        {"jwks_uri": "https://login.example.org:8443/jwks"},
        {"jwks_uri": "http://login.example.org/jwks"},
        {"jwks_uri": "http://127.0.0.1/jwks"},
        {"jwks_uri": 7},
        {"jwks_uri": "/jwks"},
        {"token_endpoint": "http://login.example.org/token"},
        {"token_endpoint": "http://127.0.0.1:6379/"},
        {"userinfo_endpoint": "https://localhost/"},
        {"authorization_endpoint": "javascript:alert(1)"},
    ],
)
def test_a_discovery_document_that_is_not_right(fake: FakeProvider, change: dict[str, Any]) -> None:
    fake.discovery |= change
    fake.up()
    fake.mock.get("https://evil.example.org/jwks", json={"keys": [public(fake.key)]})
    refuses(Provider(fake.entry()))
    assert [call.request.url for call in fake.mock.calls] == [DISCOVERY]


@pytest.mark.parametrize(
    "answer",
    [
        {"status": 500},
        {"status": 404, "json": {"keys": []}},
        {"status": 302, "headers": {"Location": f"{ISSUER}/elsewhere"}},
        {"body": "<html>"},
        {"body": "[" * 100_000},
        {"json": []},
        {"json": {"keys": "none"}},
        {"json": {}},
        {"body": " " * (MAX_DOCUMENT_BYTES + 1)},
        {"body": ConnectionError("refused")},
    ],
)
def test_keys_that_cannot_be_had(fake: FakeProvider, answer: dict[str, Any]) -> None:
    fake.mock.get(f"{ISSUER}/elsewhere", json={"keys": [public(fake.key)]})
    fake.mock.replace(responses.GET, f"{ISSUER}/jwks", **answer)
    refuses(Provider(fake.entry()))
    assert len(fake.mock.calls) == 2


def test_only_keys_that_verify_signatures_are_taken() -> None:
    good = public(new_key("good"))
    private = new_key("private").as_dict(private=True)
    bad: list[Any] = [
        {**good, "use": "enc"},
        {**good, "kid": 7},
        {**good, "alg": ["RS256"]},
        {**good, "n": "!"},
        {**good, "n": None},
        {**good, "kty": "EC"},
        {"kty": "oct", "k": "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0"},
        {"kty": ["RSA"]},
        {**good, "n": public(new_key("small"))["n"][:172]},  # 1024 bits or so
        "text",
        None,
    ]
    keys = IssuerKeys({"keys": [*bad, good, private]}).keys
    assert [kid for kid, _ in keys] == ["good", "private"]
    assert not any(key.is_private for _, key in keys)


def test_a_set_is_bounded() -> None:
    good = public(new_key("good"))
    assert len(IssuerKeys({"keys": [good] * 1_000}).keys) == 100


def test_which_key_a_header_means() -> None:
    first, second = new_key("first"), new_key("second")
    both = IssuerKeys({"keys": [public(first), public(second)]})
    assert both.fitting({"alg": "RS256", "kid": "second"}) is both.keys[1][1]
    assert both.fitting({"alg": "RS256", "kid": "third"}) is None
    assert both.fitting({"alg": "RS256"}) is None, "which of the two?"
    assert both.fitting({"alg": "ES256", "kid": "first"}) is None
    assert both.fitting({"alg": "HS256", "kid": "first"}) is None
    alone = IssuerKeys({"keys": [{**public(first), "alg": "PS256"}]})
    assert alone.fitting({"alg": "PS256"}) is alone.keys[0][1]
    assert alone.fitting({"alg": "RS256"}) is None, "the key names its algorithm"
    twice = IssuerKeys({"keys": [public(first), {**public(second), "kid": "first"}]})
    assert twice.fitting({"alg": "RS256", "kid": "first"}) is None
