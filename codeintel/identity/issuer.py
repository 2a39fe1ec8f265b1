"""The built-in issuer, and its tokens for accounts."""

from __future__ import annotations

import secrets
import time
from datetime import UTC, datetime
from typing import Any

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import ECKey

from codeintel.base.version import DEFAULT_URL
from codeintel.identity.audit import Actor, AuditKind, record
from codeintel.identity.oidc import REGISTRY, IssuerKeys
from codeintel.identity.secrets import derived
from codeintel.platform.config import SettingError, Settings
from codeintel.platform.db.writer import Writer

ALGORITHM = "ES256"
"""Short, fast to verify, and supported by every client."""
AUDIENCE = "codeintel"
MAX_SECONDS = 3_600
JWKS_PATH = "/.well-known/jwks.json"
# The order of the group of P-256 (SEC 2, 2.4.2). Private keys are below it.
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


class BuiltinIssuer:
    """Signs tokens, and publishes the keys to verify them.

    :param key_text: the private key for P-256, as PEM.
    :param url: the origin of the service, which is the issuer's name.
    """

    def __init__(self, key_text: str, url: str) -> None:
        self.url = url
        key = ECKey.import_key(key_text)
        self._kid = key.thumbprint()
        self._key = ECKey.import_key({**key.as_dict(private=True), "kid": self._kid})
        self.keys = IssuerKeys(self.jwks())

    def sign(
        self, account_id: str, seconds: int = MAX_SECONDS, *, session_id: str = ""
    ) -> tuple[str, datetime]:
        """Return a token with all rights of an account, and its expiration.

        :param seconds: 1 to 3600.
        :param session_id: the session with which the token ends.
        """
        if not 1 <= seconds <= MAX_SECONDS:
            raise ValueError(f"a token lives 1 to {MAX_SECONDS} seconds")
        now = int(time.time())
        header = {"alg": ALGORITHM, "kid": self._kid, "typ": "at+jwt"}
        claims = {
            "iss": self.url,
            "sub": account_id,
            "aud": AUDIENCE,
            "iat": now,
            "exp": now + seconds,
            "jti": secrets.token_urlsafe(12),
            **({"sid": session_id} if session_id else {}),
        }
        token = jwt.encode(header, claims, self._key, registry=REGISTRY)
        return token, datetime.fromtimestamp(now + seconds, UTC)

    def jwks(self) -> dict[str, Any]:
        """Return the public key as a JWK set (RFC 7517)."""
        return {"keys": [{**self._key.as_dict(private=False), "use": "sig", "alg": ALGORITHM}]}

    def discovery(self) -> dict[str, Any]:
        """Return the metadata (RFC 8414). Since this issuer has no sign-in, it only contains the
        keys.
        """
        return {
            "issuer": self.url,
            "jwks_uri": f"{self.url}{JWKS_PATH}",
            "response_types_supported": [],
            "grant_types_supported": [],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [ALGORITHM],
        }


def builtin_issuer(settings: Settings, pepper: bytes) -> BuiltinIssuer:
    """Return the issuer of these settings.

    :raises SettingError: for an invalid key.
    """
    return BuiltinIssuer(load_issuer_key(settings, pepper), settings.public_url or DEFAULT_URL)


def load_issuer_key(settings: Settings, pepper: bytes) -> str:
    """Return the private key from the settings, or one derived from the pepper, as PEM.

    :raises SettingError: for an invalid key in the settings.
    """
    if not settings.issuer_key:
        return _made_from(derived(pepper, "issuer key"))
    # environment variables have the key on one line
    text = settings.issuer_key.replace("\\n", "\n")
    try:
        key = ECKey.import_key(text)
    except (JoseError, ValueError, TypeError):
        key = None
    if key is None or not key.is_private or key.curve_name != "P-256":
        raise SettingError(
            "CODEINTEL_ISSUER_KEY must be a private key for P-256 in PEM. Create one with "
            "`openssl ecparam -name prime256v1 -genkey -noout`."
        )
    return text


def _made_from(secret: bytes) -> str:
    """Derive a key from 32 bytes, which are nearly uniform below the order of the curve."""
    number = int.from_bytes(secret) % (_ORDER - 1) + 1
    return (
        ec.derive_private_key(number, ec.SECP256R1())
        .private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        .decode()
    )


class OwnTokens:
    """Issues tokens, and records them in the audit log."""

    def __init__(self, issuer: BuiltinIssuer, writer: Writer) -> None:
        self._issuer = issuer
        self._writer = writer

    def issue(self, account_id: str, seconds: int, actor: Actor) -> tuple[str, datetime]:
        """Return a token with all rights of an account, and its expiration.

        :param seconds: 1 to 3600.
        """
        token, ends = self._issuer.sign(account_id, seconds)
        details = {"seconds": seconds}
        self._writer.run(
            lambda connection: record(
                connection, AuditKind.TOKEN_ISSUED, account_id, actor, details=details
            )
        )
        return token, ends
