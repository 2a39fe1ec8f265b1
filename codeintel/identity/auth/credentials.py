"""The credential that a request carries."""

from __future__ import annotations

import hmac

import msgspec
from flask import Request

from codeintel.base.errors import ErrorCode, ServiceError

MAX_CREDENTIAL_CHARACTERS = 8_192


class Credential(msgspec.Struct, frozen=True):
    """What a request carries as proof, as sent and not yet believed."""

    token: str


def read_credential(request: Request) -> Credential | None:
    """The credential of a request, from `Authorization: Bearer` or `x-api-key`.

    :raises ServiceError: `unauthorized` if there is one that cannot be right,
        `conflicting_credentials` if the two headers disagree.
    """
    authorization = request.headers.get("Authorization")
    key = request.headers.get("X-Api-Key")
    if authorization is None and key is None:
        return None
    key = key.strip() if key is not None else None
    bearer = _bearer(authorization) if authorization is not None else None
    if bearer and key is not None and not hmac.compare_digest(bearer.encode(), key.encode()):
        raise ServiceError(
            ErrorCode.CONFLICTING_CREDENTIALS,
            "Authorization and x-api-key carry different credentials: send one of them.",
        )
    token = bearer if bearer is not None else (key or "")
    if not token or len(token) > MAX_CREDENTIAL_CHARACTERS:
        raise unauthorized("The credential is empty or far too long.")
    return Credential(token)


def _bearer(authorization: str) -> str:
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer":
        raise unauthorized("The Authorization header must be `Bearer <API key>`.")
    return token.strip()


def unauthorized(message: str) -> ServiceError:
    """The error for a credential that is missing or wrong."""
    return ServiceError(ErrorCode.UNAUTHORIZED, message)
