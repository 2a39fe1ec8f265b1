"""An identity provider as tests need it: its documents over mocked HTTP, and tokens of any kind."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import responses
from joserfc import jwt
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from joserfc.jws import JWSRegistry

from codeintel.platform.config.issuers import IssuerEntry, parse_issuers

ISSUER = "https://login.example.org"
AUDIENCE = "https://code.example.org"
CLIENT = "codeintel-browser"
_ANY = JWSRegistry(algorithms=list(JWSRegistry.algorithms), strict_check_header=False)
_ANY.max_header_length = 100_000


class FakeProvider:
    """A provider with one RSA key."""

    def __init__(self, mock: responses.RequestsMock, issuer: str = ISSUER) -> None:
        self.issuer = issuer
        self.key = new_key("key-1", owner=issuer)
        self.keys: list[Any] = [self.key]
        self.mock = mock
        self.discovery: dict[str, Any] = {
            "issuer": issuer,
            "jwks_uri": f"{issuer}/jwks",
            "authorization_endpoint": f"{issuer}/authorize",
            "token_endpoint": f"{issuer}/token",
        }
        self.up()

    def entry(self, **more: Any) -> IssuerEntry:
        """Return its entry in the settings."""
        [entry] = parse_issuers([self.raw_entry(**more)])
        return entry

    def raw_entry(self, **more: Any) -> dict[str, Any]:
        """Return the entry as an operator writes it."""
        return {"issuer": self.issuer, "audience": AUDIENCE, "client_id": CLIENT, **more}

    def up(self) -> None:
        """Answer."""
        self.mock.reset()
        self.mock.get(f"{self.issuer}/.well-known/openid-configuration", json=self.discovery)
        self.mock.get(f"{self.issuer}/jwks", json={"keys": [public(key) for key in self.keys]})

    def down(self) -> None:
        """Answer only errors."""
        self.mock.reset()
        self.mock.get(f"{self.issuer}/.well-known/openid-configuration", status=503)
        self.mock.get(f"{self.issuer}/jwks", status=503)

    def rotate(self, kid: str = "key-2") -> Any:
        """Replace the key; returns the old one."""
        old, self.key = self.key, new_key(kid)
        self.keys = [self.key]
        self.up()
        return old

    @property
    def asked(self) -> int:
        """Return the number of requests for its keys since its last change."""
        return sum(str(call.request.url).endswith("/jwks") for call in self.mock.calls)

    def claims(self, **more: Any) -> dict[str, Any]:
        """Return the claims of a valid access token, without those given as None."""
        now = int(time.time())
        claims = {
            "iss": self.issuer,
            "aud": AUDIENCE,
            "sub": "user-1",
            "iat": now,
            "exp": now + 300,
            **more,
        }
        return {name: value for name, value in claims.items() if value is not None}

    def token(self, **more: Any) -> str:
        """Return an access token that is valid except for the given claims."""
        return sign(self.claims(**more), self.key)


@cache
def new_key(kid: str, owner: str = ISSUER) -> RSAKey:  # noqa: ARG001 - which tells them apart
    """Return a key, the same for the same arguments, because generating one takes long."""
    return RSAKey.generate_key(2048, {"kid": kid})


def public(key: Any) -> dict[str, Any]:
    """Return the public form of a key."""
    return {**key.as_dict(private=False), "use": "sig"}


def sign(
    claims: dict[str, Any],
    key: RSAKey | ECKey | OKPKey | OctKey,
    alg: str = "RS256",
    **header: Any,
) -> str:
    """Return a token with any header, signed by any algorithm."""
    header = {"alg": alg, "kid": key.kid, "typ": "JWT", **header}
    kept = {name: value for name, value in header.items() if value is not None}
    return jwt.encode(kept, claims, key, registry=_ANY)
