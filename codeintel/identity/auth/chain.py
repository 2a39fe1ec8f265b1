"""One ordered chain finds the caller; one place refuses it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from cachetools import TTLCache
from sqlalchemy.exc import SQLAlchemyError

from codeintel.base.text.key_format import PREFIX
from codeintel.base.tiers import Tier
from codeintel.identity.auth.caller import ANONYMOUS, Caller, Proof
from codeintel.identity.auth.credentials import Credential, unauthorized
from codeintel.identity.keys.service import Keys

BELIEVED_SECONDS = 1.0
BELIEVED_KEYS = 10_000


class Authenticator(Protocol):
    """Knows one kind of credential."""

    def claims(self, credential: Credential) -> bool:
        """Whether it is of this kind. The first that says so decides: no other is asked."""

    def authenticate(self, credential: Credential) -> Caller | None:
        """The caller, or None for a credential that is not valid."""

    def is_valid(self, caller: Caller) -> bool:
        """Whether a caller that it found earlier would still be found."""


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
        """Asks once for all streams of a key, for a second: thousands cost a tenth of all else."""
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
        """The caller with this credential; the anonymous one without any.

        :raises ServiceError: `unauthorized` for a credential that nobody accepts: it never falls
            back to another or to anonymous.
        """
        if credential is None:
            return ANONYMOUS
        for authenticator in self._authenticators:
            if authenticator.claims(credential):
                caller = authenticator.authenticate(credential)
                if caller is not None:
                    return caller
                break
        raise unauthorized("The credential is not valid: it may be mistyped, expired or revoked.")

    def still_valid(self, caller: Caller) -> Callable[[], bool]:
        """A function that tells whether the caller's credential has not ended since. While the
        database is out of reach it has not, as far as anybody knows."""

        def ask() -> bool:
            try:
                return all(each.is_valid(caller) for each in self._authenticators)
            except SQLAlchemyError:
                return True

        return ask
