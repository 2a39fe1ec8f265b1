"""Tokens that the service itself makes for its accounts."""

from __future__ import annotations

from datetime import datetime

from codeintel.identity.audit.log import Actor, AuditKind, record
from codeintel.identity.issuer import BuiltinIssuer
from codeintel.platform.db.writer import Writer


class OwnTokens:
    """Makes them, and notes in the audit log that it did."""

    def __init__(self, issuer: BuiltinIssuer, writer: Writer) -> None:
        self._issuer = issuer
        self._writer = writer

    def issue(self, account_id: str, seconds: int, actor: Actor) -> tuple[str, datetime]:
        """A token with all rights of an account, and its end.

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
