"""Accepted tokens, and a table of attacks that must fail."""

from __future__ import annotations

import base64
import time
from collections.abc import Iterator
from typing import Any

import pytest
import responses
from hypothesis import given, strategies as st
from joserfc.jwk import ECKey, OKPKey
from oidc_providers import AUDIENCE, CLIENT, ISSUER, FakeProvider, new_key, public, sign
from token_attacks import ATTACKS, EVIL, part

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.setting_values import SettingError
from codeintel.identity import oidc
from codeintel.identity.issuer import BuiltinIssuer
from codeintel.identity.oidc import InvalidTokenError, Provider
from codeintel.identity.verifier import TokenVerifier, verify_id_token

OURS = "https://codeintel.example.org"
BUILTIN = BuiltinIssuer(ECKey.generate_key("P-256").as_pem(private=True).decode(), OURS)


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield FakeProvider(mock)


@pytest.fixture
def verifier(fake: FakeProvider) -> TokenVerifier:
    return TokenVerifier([Provider(fake.entry())], BUILTIN)


def refuses(verifier: TokenVerifier, token: str) -> None:
    with pytest.raises(InvalidTokenError) as caught:
        verifier.verify(token)
    assert str(caught.value) == "", "nobody is told why"


def test_a_good_token(fake: FakeProvider, verifier: TokenVerifier) -> None:
    token = verifier.verify(fake.token(scope="a b"))
    assert (token.issuer, token.subject, token.claims["scope"]) == (ISSUER, "user-1", "a b")
    assert token.provider is not None
    assert fake.asked == 1


@pytest.mark.parametrize(
    ("key", "algorithm"),
    [
        (new_key("k"), "RS256"),
        (new_key("k"), "RS512"),
        (new_key("k"), "PS256"),
        (ECKey.generate_key("P-256", {"kid": "k"}), "ES256"),
        (ECKey.generate_key("P-384", {"kid": "k"}), "ES384"),
        (ECKey.generate_key("P-521", {"kid": "k"}), "ES512"),
        (OKPKey.generate_key("Ed25519", {"kid": "k"}), "Ed25519"),
    ],
)
def test_algorithms(fake: FakeProvider, verifier: TokenVerifier, key: Any, algorithm: str) -> None:
    fake.keys = [key]
    fake.up()
    assert verifier.verify(sign(fake.claims(), key, algorithm)).subject == "user-1"
    assert verifier.verify(sign(fake.claims(), key, algorithm, kid=None)).subject == "user-1"


def test_the_older_name_of_ed25519(fake: FakeProvider, verifier: TokenVerifier) -> None:
    key = OKPKey.generate_key("Ed25519", {"kid": "k"})
    fake.keys = [key]
    fake.up()
    # joserfc warns of that name when it signs; the signature is the same.
    head = part({"alg": "EdDSA", "kid": "k"})
    signed = f"{head}.{part(fake.claims())}"
    signature = base64.urlsafe_b64encode(key.private_key.sign(signed.encode())).rstrip(b"=")
    assert verifier.verify(f"{signed}.{signature.decode()}").subject == "user-1"


@pytest.mark.parametrize(
    "more",
    [
        {"aud": [AUDIENCE]},
        {"aud": ["https://other.example.org", AUDIENCE]},
        {"iat": None},
        {"nbf": int(time.time()) + 20},
        {"exp": time.time() + 86_400.5},
        {"typ": "Bearer", "nonce": "n"},
        {"typ": "Bearer", "aud": [AUDIENCE, CLIENT]},
    ],
)
def test_claims_that_are_right(
    fake: FakeProvider, verifier: TokenVerifier, more: dict[str, Any]
) -> None:
    assert verifier.verify(fake.token(**more)).subject == "user-1"


@pytest.mark.parametrize("typ", [None, "JWT", "jwt", "at+jwt", "application/at+jwt", "AT+JWT"])
def test_types_that_are_right(fake: FakeProvider, verifier: TokenVerifier, typ: str | None) -> None:
    assert verifier.verify(sign(fake.claims(), fake.key, typ=typ)).subject == "user-1"


@pytest.mark.parametrize("name", ATTACKS)
def test_attacks(fake: FakeProvider, verifier: TokenVerifier, name: str) -> None:
    verifier.verify(fake.token())
    before = {call.request.url for call in fake.mock.calls}
    refuses(verifier, ATTACKS[name](fake))
    assert {call.request.url for call in fake.mock.calls} == before, "nobody else is asked"


@given(st.text(max_size=200), st.text(max_size=200), st.text(max_size=50))
def test_no_text_is_too_strange(head: str, body: str, tail: str) -> None:
    verifier = TokenVerifier([], BUILTIN)
    for token in (f"{head}.{body}.{tail}", f"{part(head)}.{part(body)}.{part(tail)}"):
        refuses(verifier, token)


def test_keys_are_their_issuers(fake: FakeProvider) -> None:
    other = FakeProvider(responses.RequestsMock(), "https://id.example.net")
    for path, document in (
        ("/.well-known/openid-configuration", other.discovery),
        ("/jwks", {"keys": [public(other.key)]}),
    ):
        fake.mock.get(f"{other.issuer}{path}", json=document)
    entries = (fake.entry(), other.entry(client_id=""))
    verifier = TokenVerifier([Provider(entry) for entry in entries], BUILTIN)
    assert verifier.verify(other.token()).issuer == other.issuer
    refuses(verifier, sign(fake.claims(), other.key))
    refuses(verifier, sign(other.claims(), fake.key))


def test_a_new_key_is_found_by_one_refetch(fake: FakeProvider, verifier: TokenVerifier) -> None:
    verifier.verify(fake.token())
    old = fake.rotate()
    assert verifier.verify(fake.token()).subject == "user-1"
    assert verifier.verify(fake.token()).subject == "user-1"
    assert fake.asked == 1
    refuses(verifier, sign(fake.claims(), old))
    assert fake.asked == 1


def test_made_up_kids_do_not_make_us_ask(fake: FakeProvider, verifier: TokenVerifier) -> None:
    verifier.verify(fake.token())
    for number in range(50):
        refuses(verifier, sign(fake.claims(), EVIL, kid=f"made-up-{number}"))
    assert fake.asked == 2
    assert verifier.verify(fake.token()).subject == "user-1"


def test_a_provider_that_is_down(
    fake: FakeProvider, verifier: TokenVerifier, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake.down()
    for _ in range(3):
        with pytest.raises(ServiceError) as caught:
            verifier.verify(fake.token())
        assert caught.value.code is ErrorCode.IDENTITY_PROVIDER_UNAVAILABLE
        assert caught.value.retry_after == 5
    assert len(fake.mock.calls) == 1
    fake.up()
    monkeypatch.setattr(oidc, "FAILURE_SECONDS", 0.0)
    assert verifier.verify(fake.token()).subject == "user-1"
    fake.down()
    assert verifier.verify(fake.token()).subject == "user-1", "its keys are known"
    refuses(verifier, fake.token(aud="other"))
    assert fake.asked == 0
    with pytest.raises(ServiceError):  # its key may be a new one
        verifier.verify(sign(fake.claims(), new_key("key-9")))


def test_the_services_own_tokens() -> None:
    verifier = TokenVerifier([], BUILTIN)
    token, _ = BUILTIN.sign("acc_1", 60)
    verified = verifier.verify(token)
    assert (verified.issuer, verified.subject, verified.provider) == (OURS, "acc_1", None)
    other = BuiltinIssuer(ECKey.generate_key("P-256").as_pem(private=True).decode(), OURS)
    refuses(verifier, other.sign("acc_1")[0])


def test_nobody_else_is_this_service(fake: FakeProvider) -> None:
    fake.issuer = OURS
    with pytest.raises(SettingError, match="service itself"):
        TokenVerifier([Provider(fake.entry())], BUILTIN)


@pytest.mark.parametrize(
    ("more", "good"),
    [
        ({}, True),
        ({"aud": [CLIENT]}, True),
        ({"aud": [CLIENT, "other"], "azp": CLIENT}, True),
        ({"azp": "other"}, False),
        ({"aud": AUDIENCE}, False),
        ({"nonce": "other"}, False),
        ({"nonce": None}, False),
        ({"sub": None}, False),
        ({"iss": "https://evil.example.org"}, False),
        ({"exp": int(time.time()) - 1}, False),
    ],
)
def test_the_id_token_of_a_login(fake: FakeProvider, more: dict[str, Any], good: bool) -> None:
    token = fake.token(**{"aud": CLIENT, "nonce": "n", **more})
    provider = Provider(fake.entry())
    if good:
        assert verify_id_token(token, provider, "n").subject == "user-1"
        return
    with pytest.raises(InvalidTokenError):
        verify_id_token(token, provider, "n")


def test_a_login_without_a_nonce_proves_nothing(fake: FakeProvider) -> None:
    with pytest.raises(InvalidTokenError):
        verify_id_token(fake.token(aud=CLIENT, nonce=""), Provider(fake.entry()), "")
