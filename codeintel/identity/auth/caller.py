"""The caller of a request. A chain of authenticators identifies it, and one function rejects it."""

from __future__ import annotations

import hmac
from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from typing import Protocol

import msgspec
from cachetools import TTLCache
from flask import Request
from sqlalchemy.exc import SQLAlchemyError

from codeintel.base.entitlements import Scope, Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.key_format import PREFIX
from codeintel.identity.keys.service import Keys

MAX_CREDENTIAL_CHARACTERS = 8_192
BELIEVED_SECONDS = 1.0
BELIEVED_KEYS = 10_000


class Proof(StrEnum):
    """The kind of a caller's credential."""

    API_KEY = "api_key"
    JWT = "jwt"
    SESSION = "session"
    ANONYMOUS = "anonymous"


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """An account and its proof. `scopes` is None if its rights are not restricted."""

    proof: Proof
    account_id: str = ""
    tier: Tier = Tier.FREE
    unlimited: bool = False
    scopes: frozenset[str] | None = None
    key_id: str | None = None
    session_id: str | None = None
    email: str = ""
    """The e-mail address of a session's account, for pages."""

    @property
    def is_anonymous(self) -> bool:
        """Whether the request has no credential."""
        return self.proof is Proof.ANONYMOUS

    def require(self, scope: Scope) -> None:
        """Reject a caller whose credential lacks the scope.

        :raises ServiceError: `insufficient_scope`.
        """
        if self.scopes is not None and not allows(self.scopes, scope):
            raise ServiceError(
                ErrorCode.INSUFFICIENT_SCOPE,
                f"This credential lacks the scope {scope}. Create a key that has it.",
                details={"required": scope, "granted": sorted(self.scopes)},
            )


def allows(granted: Collection[str], required: Scope) -> bool:
    """Return whether the granted scopes cover the required one."""
    if required in granted:
        return True
    return Scope.API_V1 in granted and required is not Scope.WORKSPACE_WRITE


ANONYMOUS = Caller(proof=Proof.ANONYMOUS)


class Credential(msgspec.Struct, frozen=True):
    """The unverified credential of a request."""

    token: str


def read_credential(request: Request) -> Credential | None:
    """Read the credential of a request from `Authorization: Bearer` or `x-api-key`.

    :raises ServiceError: `unauthorized` for a malformed credential, `conflicting_credentials` if
        the two headers differ.
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
            "Authorization and x-api-key carry different credentials. Send one of them.",
        )
    token = bearer if bearer is not None else (key or "")
    if not token or len(token) > MAX_CREDENTIAL_CHARACTERS:
        raise unauthorized("The credential is empty or too long.")
    return Credential(token)


def _bearer(authorization: str) -> str:
    scheme, _, token = authorization.partition(" ")
    if scheme.lower() != "bearer":
        raise unauthorized("The Authorization header must be `Bearer <API key>`.")
    return token.strip()


def unauthorized(message: str) -> ServiceError:
    """Return the error for a missing or invalid credential."""
    return ServiceError(ErrorCode.UNAUTHORIZED, message)


class Authenticator(Protocol):
    """Authenticates one kind of credential."""

    def claims(self, credential: Credential) -> bool:
        """Return whether the credential is of this kind. The first authenticator that claims it
        decides.
        """

    def authenticate(self, credential: Credential) -> Caller | None:
        """Return the caller, or None for an invalid credential."""

    def is_valid(self, caller: Caller) -> bool:
        """Return whether a caller from an earlier request is still valid."""


class ApiKeyAuthenticator:
    """API keys."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._active: TTLCache[str, bool] = TTLCache(BELIEVED_KEYS, BELIEVED_SECONDS)

    def claims(self, credential: Credential) -> bool:
        return credential.token.startswith(PREFIX)

    def authenticate(self, credential: Credential) -> Caller | None:
        match = self._keys.find(credential.token)
        if match is None:
            return None
        self._keys.touch(match)
        return Caller(
            proof=Proof.API_KEY,
            account_id=match.account_id,
            tier=Tier(match.tier),
            unlimited=match.unlimited,
            scopes=match.scopes,
            key_id=match.key_id,
        )

    def is_valid(self, caller: Caller) -> bool:
        """Return whether a key is still active. The result is cached for a second for all streams
        of a key, because checking thousands of streams would take a tenth of the processor time.
        """
        if caller.key_id is None:
            return True
        found = self._active.get(caller.key_id)
        if found is None:
            found = self._active[caller.key_id] = self._keys.is_active(caller.key_id)
        return found


class CallerChain:
    """The authenticators in order."""

    def __init__(self, authenticators: Sequence[Authenticator]) -> None:
        self._authenticators = tuple(authenticators)

    def identify(self, credential: Credential | None) -> Caller:
        """Return the caller with this credential, or the anonymous caller for None.

        :raises ServiceError: `unauthorized` for a credential that no authenticator accepts. It
            never falls back to another credential or to anonymous.
        """
        if credential is None:
            return ANONYMOUS
        for authenticator in self._authenticators:
            if authenticator.claims(credential):
                caller = authenticator.authenticate(credential)
                if caller is not None:
                    return caller
                break
        raise unauthorized("The credential is invalid, expired or revoked.")

    def still_valid(self, caller: Caller) -> Callable[[], bool]:
        """Return a function that reports whether the caller's credential is still valid. While the
        database is unreachable, it counts as valid.
        """

        def ask() -> bool:
            try:
                return all(each.is_valid(caller) for each in self._authenticators)
            except SQLAlchemyError:
                return True

        return ask
