"""Verify tokens from configured providers and from the service itself."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Any

import msgspec
from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jws import CompactSignature

from codeintel.base.setting_values import SettingError
from codeintel.identity.issuer import AUDIENCE, BuiltinIssuer
from codeintel.identity.oidc import (
    REGISTRY,
    Claims,
    InvalidTokenError,
    IssuerKeys,
    Provider,
    check_claims,
    check_purpose,
)

MAX_TOKEN_CHARACTERS = 8_192
MAX_KID_CHARACTERS = 256


class VerifiedToken(msgspec.Struct, frozen=True):
    """A verified token. `provider` is None for tokens of this service."""

    issuer: str
    subject: str
    claims: Claims
    provider: Provider | None


class TokenVerifier:
    """Binds each token to the entry of its issuer. Keys of other entries are never tried.

    :raises SettingError: if a provider has the service's own name.
    """

    def __init__(self, providers: Sequence[Provider], builtin: BuiltinIssuer) -> None:
        self._providers = {each.entry.issuer: each for each in providers}
        self._builtin = builtin
        if builtin.url in self._providers:
            raise SettingError(
                f"CODEINTEL_OIDC_ISSUERS has an entry for {builtin.url}, which is this "
                "service itself. Remove it."
            )

    def verify(self, token: str) -> VerifiedToken:
        """Verify an access token for this API.

        :raises InvalidTokenError: for any other token.
        :raises ServiceError: `identity_provider_unavailable` while the token cannot be verified.
        """
        signed, claims = _parsed(token)
        issuer = claims.get("iss")
        provider = self._providers.get(issuer) if isinstance(issuer, str) else None
        if provider is None:
            if issuer != self._builtin.url:
                raise InvalidTokenError
            _check_signature(signed, self._builtin.keys)
            audience, client = AUDIENCE, ""
        else:
            check_by_provider(signed, provider)
            audience, client = provider.entry.audience, provider.entry.client_id
        subject = check_claims(claims, issuer=str(issuer), audience=audience, now=time.time())
        check_purpose(signed.headers(), claims, client)
        return VerifiedToken(str(issuer), subject, claims, provider)


def verify_id_token(token: str, provider: Provider, nonce: str) -> VerifiedToken:
    """Verify the ID token of a login (OpenID Connect Core 1.0, 3.1.3.7).

    :raises InvalidTokenError: unless it is this provider's, for this client and this login.
    :raises ServiceError: `identity_provider_unavailable`.
    """
    signed, claims = _parsed(token)
    check_by_provider(signed, provider)
    entry = provider.entry
    subject = check_claims(claims, issuer=entry.issuer, audience=entry.client_id, now=time.time())
    is_ours = claims.get("azp", entry.client_id) == entry.client_id
    if not nonce or claims.get("nonce") != nonce or not is_ours:
        raise InvalidTokenError
    return VerifiedToken(entry.issuer, subject, claims, provider)


def check_by_provider(signed: CompactSignature, provider: Provider) -> None:
    """Check a signature with a provider's keys. Refresh the keys if the token's key is unknown.

    :raises InvalidTokenError: if the signature is wrong.
    :raises ServiceError: `identity_provider_unavailable`.
    """
    keys = provider.keys()
    if keys.fitting(signed.headers()) is None:
        keys = provider.keys_after(keys)
    _check_signature(signed, keys)


def _parsed(token: str) -> tuple[CompactSignature, dict[str, Any]]:
    """Parse a token without verifying it."""
    if len(token) > MAX_TOKEN_CHARACTERS or not token.isascii():
        raise InvalidTokenError
    try:
        signed = jws.extract_compact(token.encode(), registry=REGISTRY)
        header, claims = signed.headers(), json.loads(signed.payload)
        REGISTRY.check_header(header)
        REGISTRY.get_alg(header["alg"])
    except (JoseError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise InvalidTokenError from None
    kid = header.get("kid", "")
    # Extensions that must be understood (RFC 7515, 4.1.11) are not supported. Keys and key
    # addresses in a header are ignored.
    if not isinstance(claims, dict) or "crit" in header or "b64" in header:
        raise InvalidTokenError
    if not isinstance(kid, str) or len(kid) > MAX_KID_CHARACTERS:
        raise InvalidTokenError
    return signed, claims


def _check_signature(signed: CompactSignature, keys: IssuerKeys) -> None:
    key = keys.fitting(signed.headers())
    if key is None:
        raise InvalidTokenError
    try:
        is_right = jws.validate_compact(signed, key, registry=REGISTRY)
    except (JoseError, ValueError, TypeError):
        is_right = False
    if not is_right:
        raise InvalidTokenError
