"""The caller of a request."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.scopes import Scope, allows
from codeintel.base.tiers import Tier


class Proof(StrEnum):
    """How a caller proved who it is."""

    API_KEY = "api_key"
    JWT = "jwt"
    SESSION = "session"
    ANONYMOUS = "anonymous"


class Caller(msgspec.Struct, frozen=True, kw_only=True):
    """An account with the proof it gave. `scopes` is None where nothing narrows its rights."""

    proof: Proof
    account_id: str = ""
    tier: Tier = Tier.FREE
    unlimited: bool = False
    scopes: frozenset[str] | None = None
    key_id: str | None = None
    session_id: str | None = None
    email: str = ""
    """Of a session's account, for pages."""

    @property
    def is_anonymous(self) -> bool:
        """Whether no credential was sent."""
        return self.proof is Proof.ANONYMOUS

    def require(self, scope: Scope) -> None:
        """Refuse a caller whose credential lacks the scope.

        :raises ServiceError: `insufficient_scope`.
        """
        if self.scopes is not None and not allows(self.scopes, scope):
            raise ServiceError(
                ErrorCode.INSUFFICIENT_SCOPE,
                f"This credential lacks the scope {scope}: make a key that has it.",
                details={"required": scope, "granted": sorted(self.scopes)},
            )


ANONYMOUS = Caller(proof=Proof.ANONYMOUS)
