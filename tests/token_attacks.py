"""Tokens that prove nothing: each is made from a provider whose good tokens are accepted."""

from __future__ import annotations

import base64
import hmac
import json
import time
from collections.abc import Callable
from typing import Any

from joserfc.jwk import ECKey
from oidc_providers import AUDIENCE, CLIENT, ISSUER, FakeProvider, new_key, public, sign

from codeintel.base.version import DEFAULT_URL


def part(document: Any) -> str:
    return base64.urlsafe_b64encode(json.dumps(document).encode()).rstrip(b"=").decode()


def _with_public_key_as_secret(fake: FakeProvider, secret: bytes) -> str:
    """Sign by hand, because joserfc rejects it."""
    signed = f"{part({'alg': 'HS256', 'kid': 'key-1'})}.{part(fake.claims())}"
    signature = hmac.digest(secret, signed.encode(), "sha256")
    return f"{signed}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def _changed(fake: FakeProvider, **more: Any) -> str:
    """Return other claims with the signature of a valid token."""
    head, _, signature = fake.token().split(".")
    return f"{head}.{part(fake.claims(**more))}.{signature}"


EVIL = new_key("key-1", owner="evil")
ATTACKS: dict[str, Callable[[FakeProvider], str]] = {
    "alg none": lambda fake: f"{part({'alg': 'none'})}.{part(fake.claims())}.",
    "alg none with a kid": lambda fake: (
        f"{part({'alg': 'none', 'kid': 'key-1'})}.{part(fake.claims())}."
    ),
    "alg None": lambda fake: f"{part({'alg': 'None'})}.{part(fake.claims())}.",
    "no alg": lambda fake: f"{part({'kid': 'key-1'})}.{part(fake.claims())}.AA",
    "alg is no text": lambda fake: f"{part({'alg': ['RS256']})}.{part(fake.claims())}.AA",
    "HS256 with the public key's PEM": lambda fake: _with_public_key_as_secret(
        fake, fake.key.as_pem(private=False)
    ),
    "HS256 with the public key's JSON": lambda fake: _with_public_key_as_secret(
        fake, json.dumps(public(fake.key)).encode()
    ),
    "HS256 with the public key's DER": lambda fake: _with_public_key_as_secret(
        fake, fake.key.as_der(private=False)
    ),
    "own key, same kid": lambda fake: sign(fake.claims(), EVIL),
    "own key, no kid": lambda fake: sign(fake.claims(), EVIL, kid=None),
    "own EC key, same kid": lambda fake: sign(
        fake.claims(), ECKey.generate_key("P-256", {"kid": "key-1"}), "ES256"
    ),
    "the RSA key's header says ES256": lambda fake: (
        f"{part({'alg': 'ES256', 'kid': 'key-1'})}.{fake.token().partition('.')[2]}"
    ),
    "embedded jwk": lambda fake: sign(fake.claims(), EVIL, kid=None, jwk={"kty": "oct", "k": "AA"}),
    "embedded small jwk": lambda fake: sign(
        fake.claims(),
        ECKey.generate_key("P-256"),
        "ES256",
        kid=None,
        jwk=ECKey.generate_key("P-256").as_dict(private=False),
    ),
    "jku": lambda fake: sign(fake.claims(), EVIL, kid="x", jku="https://evil.example.org/jwks"),
    "x5u": lambda fake: sign(fake.claims(), EVIL, kid="x", x5u="https://evil.example.org/pem"),
    "crit": lambda fake: sign(fake.claims(), fake.key, b64=True, crit=["b64"]),
    "expired": lambda fake: fake.token(exp=int(time.time()) - 1),
    "expires now": lambda fake: fake.token(exp=int(time.time())),
    "no exp": lambda fake: fake.token(exp=None),
    "exp is text": lambda fake: fake.token(exp="9999999999"),
    "exp is true": lambda fake: fake.token(exp=True),
    "exp is no number": lambda fake: fake.token(exp=float("nan")),
    "exp is endless": lambda fake: fake.token(exp=float("inf")),
    "exp is huge": lambda fake: fake.token(exp=10**400),
    "not yet valid": lambda fake: fake.token(nbf=int(time.time()) + 120),
    "nbf is text": lambda fake: fake.token(nbf="0"),
    "issued in the future": lambda fake: fake.token(iat=int(time.time()) + 120),
    "wrong aud": lambda fake: fake.token(aud="https://other.example.org"),
    "aud begins alike": lambda fake: fake.token(aud=f"{AUDIENCE}/x"),
    "no aud": lambda fake: fake.token(aud=None),
    "empty aud": lambda fake: fake.token(aud=[]),
    "aud is an object": lambda fake: fake.token(aud={AUDIENCE: 1}),
    "an ID token": lambda fake: fake.token(aud=CLIENT, nonce="n", at_hash="h"),
    "an ID token for both": lambda fake: fake.token(aud=[AUDIENCE, CLIENT]),
    "an ID token by its nonce": lambda fake: fake.token(nonce="n"),
    "an ID token by its at_hash": lambda fake: fake.token(at_hash="h"),
    "an ID token by its typ": lambda fake: fake.token(typ="ID"),
    "a refresh token": lambda fake: fake.token(typ="Refresh"),
    "a logout token": lambda fake: sign(fake.claims(), fake.key, typ="logout+jwt"),
    "a logout token without typ": lambda fake: fake.token(events={"logout": {}}),
    "a proof of possession": lambda fake: sign(fake.claims(), fake.key, typ="dpop+jwt"),
    "wrong iss": lambda fake: fake.token(iss="https://evil.example.org"),
    "iss with a slash": lambda fake: fake.token(iss=f"{ISSUER}/"),
    "iss of this service": lambda fake: fake.token(iss=DEFAULT_URL, aud="codeintel"),
    "no iss": lambda fake: fake.token(iss=None),
    "iss is a list": lambda fake: fake.token(iss=[ISSUER]),
    "no sub": lambda fake: fake.token(sub=None),
    "empty sub": lambda fake: fake.token(sub=""),
    "sub is a number": lambda fake: fake.token(sub=7),
    "long sub": lambda fake: fake.token(sub="a" * 256),
    "sub with a line": lambda fake: fake.token(sub="a\nb"),
    "oversized": lambda fake: fake.token(more="a" * 8_192),
    "long header": lambda fake: sign(fake.claims(), fake.key, more="a" * 1_000),
    "long kid": lambda fake: sign(fake.claims(), fake.key, kid="k" * 300),
    "kid is a number": lambda fake: f"{part({'alg': 'RS256', 'kid': 7})}.{part(fake.claims())}.AA",
    "truncated": lambda fake: fake.token()[:-10],
    "no signature": lambda fake: fake.token().rpartition(".")[0] + ".",
    "signature of another": lambda fake: _changed(fake, sub="user-2"),
    "claims are a list": lambda _: f"{part({'alg': 'RS256'})}.{part([1])}.AA",
    "claims are no JSON": lambda _: f"{part({'alg': 'RS256'})}.AAAA.AA",
    "header is a list": lambda fake: f"{part(['alg'])}.{part(fake.claims())}.AA",
    "nested": lambda _: f"{part({'alg': 'RS256'})}.{'W1tb' * 1_500}.AA",
    "dots": lambda _: "..",
    "garbage": lambda _: "a.b.c",
    "not ASCII": lambda fake: fake.token() + "ü",
    "encrypted": lambda _: "e30.e30.e30.e30.e30",
    "two in one": lambda fake: f"{fake.token()}.{fake.token()}",
}
