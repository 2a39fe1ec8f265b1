"""JSON web tokens as credentials, from configured providers and from the service itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from cachetools import TTLCache

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.key_format import PREFIX
from codeintel.identity.accounts import Account, Accounts
from codeintel.identity.audit import Actor
from codeintel.identity.auth.caller import Caller, Credential, Proof
from codeintel.identity.identities import Identities
from codeintel.identity.oidc import InvalidTokenError
from codeintel.identity.sessions import Sessions
from codeintel.identity.verifier import TokenVerifier, VerifiedToken

KNOWN_SECONDS = 2.0
"""The time for which an account is cached."""
KNOWN_ACCOUNTS = 10_000
DOTS = 2
_ACTOR = Actor("jwt")


class JwtAuthenticator:
    """Finds the account of a token by issuer and subject, never by its e-mail address."""

    def __init__(
        self,
        verifier: TokenVerifier,
        identities: Identities,
        accounts: Accounts,
        sessions: Sessions,
    ) -> None:
        self._verifier = verifier
        self._identities = identities
        self._accounts = accounts
        self._sessions = sessions
        self._known: TTLCache[tuple[str, str], Account] = TTLCache(KNOWN_ACCOUNTS, KNOWN_SECONDS)

    def claims(self, credential: Credential) -> bool:
        return not credential.token.startswith(PREFIX) and credential.token.count(".") == DOTS

    def authenticate(self, credential: Credential) -> Caller | None:
        """Return the caller of a token, or None if the token is invalid.

        :raises ServiceError: `account_required` if the user has no account and may not get one,
            `identity_provider_unavailable` while the token cannot be verified.
        """
        try:
            token = self._verifier.verify(credential.token)
        except InvalidTokenError:
            return None
        session_id = _session_of(token)
        if session_id and not self._sessions.goes_on(session_id):
            return None
        account = self._account(token)
        if account is None:
            return None
        return Caller(
            proof=Proof.JWT,
            account_id=account.id,
            tier=account.tier,
            unlimited=account.unlimited,
            scopes=_scopes(token),
            session_id=session_id,
        )

    def is_valid(self, caller: Caller) -> bool:  # noqa: ARG002 - nobody can revoke a token
        """Return True, since a token is valid until it expires soon and cannot be revoked. The
        session authenticator checks the token's session.
        """
        return True

    def _account(self, token: VerifiedToken) -> Account | None:
        name = token.issuer, token.subject
        known = self._known.get(name)
        if known is not None:
            return known
        account = self._own(token.subject) if token.provider is None else self._joined(token)
        if account is not None:
            self._known[name] = account
        return account

    def _own(self, account_id: str) -> Account | None:
        """Return the account of a token that the service issued."""
        try:
            return self._accounts.get(account_id)
        except ServiceError as error:
            if error.code is not ErrorCode.NOT_FOUND:
                raise
            return None

    def _joined(self, token: VerifiedToken) -> Account:
        account_id = self._identities.find(token.issuer, token.subject)
        if account_id is not None:
            return self._accounts.get(account_id)
        if token.provider is None or not token.provider.entry.signup:
            raise ServiceError(
                ErrorCode.ACCOUNT_REQUIRED,
                "The token is valid, but no account has this identity. Ask the operator for an "
                "invitation, sign in with its link, then sign in at your provider to connect it.",
            )
        email, is_verified = told_email(token.claims)
        is_vouched = is_verified and token.provider.entry.vouches_for(email)
        return self._identities.sign_up(token.issuer, token.subject, email, is_vouched, _ACTOR)


def told_email(claims: Mapping[str, Any]) -> tuple[str, bool]:
    """Return the e-mail address in a token, and whether the provider verified it. Empty for an
    address that cannot be displayed or stored.
    """
    email = claims.get("email")
    is_shown = isinstance(email, str) and email.isprintable()
    return (str(email) if is_shown else "", claims.get("email_verified") is True)


def _session_of(token: VerifiedToken) -> str | None:
    """Return the session of a token that the service issued, or None."""
    told = token.claims.get("sid") if token.provider is None else None
    return told if isinstance(told, str) else None


def _scopes(token: VerifiedToken) -> frozenset[Scope] | None:
    """Return the scopes that the entry's map grants for the token's scopes. None without a map,
    which grants all scopes.
    """
    scope_map = token.provider.entry.scope_map if token.provider is not None else None
    if scope_map is None:
        return None
    told = [each for name in ("scope", "scp") for each in _words(token.claims.get(name))]
    return frozenset(scope for each in told for scope in scope_map.get(each, ()))


def _words(value: Any) -> list[str]:
    """Return scopes from a list or from a text with spaces (RFC 8693, 4.2)."""
    if isinstance(value, str):
        return value.split()
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
