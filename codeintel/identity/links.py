"""Sign-in links. They work once, for ten minutes, and a new link ends older ones."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, Engine, insert, select, update

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.accounts import account_deleted, is_open
from codeintel.identity.audit import OPERATOR, Actor, AuditKind, record
from codeintel.identity.secrets import digest, make_token
from codeintel.identity.tables import SignInLinkRow
from codeintel.platform.db.models import Account, now_ms
from codeintel.platform.db.writer import Writer

LINK_SECONDS = 600
PATH = "/signin/"
"""The path before the token in a link."""
HIDDEN = "…"


class SignInLinks:
    """The links of all accounts."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def make(self, account_id: str, actor: Actor = OPERATOR) -> str:
        """Return a token that signs in to the account once. Older links of the account end."""
        token, now = make_token(), now_ms()

        def work(connection: Connection) -> ServiceError | None:
            if not is_open(connection, account_id):
                return account_deleted()
            older = (SignInLinkRow.account_id == account_id, SignInLinkRow.ended_ms.is_(None))
            connection.execute(update(SignInLinkRow).where(*older).values(ended_ms=now))
            connection.execute(
                insert(SignInLinkRow).values(
                    digest=digest(token),
                    account_id=account_id,
                    created_ms=now,
                    expires_ms=now + LINK_SECONDS * 1000,
                )
            )
            record(connection, AuditKind.LINK_MADE, account_id, actor)
            return None

        refusal = self._writer.run(work, order=account_id)
        if refusal is not None:
            raise refusal
        return token

    def email(self, token: str) -> str:
        """Return the address of the link's account, without using the link.

        :raises ServiceError: `sign_in_link_invalid`.
        """
        query = (
            select(Account.email)
            .join(SignInLinkRow, SignInLinkRow.account_id == Account.id)
            .where(*_usable(token, now_ms()))
        )
        with self._engine.connect() as connection:
            found = connection.scalar(query)
        if found is None:
            raise _invalid()
        return found

    def consume(self, token: str) -> str:
        """Use the link and return the id of its account.

        :raises ServiceError: `sign_in_link_invalid`, also for the second of two concurrent
            requests.
        """
        now = now_ms()
        use = update(SignInLinkRow).where(*_usable(token, now)).values(ended_ms=now)
        account_id: str | None = self._writer.run(
            lambda connection: connection.scalar(use.returning(SignInLinkRow.account_id))
        )
        if account_id is None:
            raise _invalid()
        return account_id


def shown_path(path: str) -> str:
    """Return a path for the log, without the token of a link."""
    return PATH + HIDDEN if path.startswith(PATH) and path != PATH else path


def _usable(token: str, now: int) -> tuple[ColumnElement[bool], ...]:
    return (
        SignInLinkRow.digest == digest(token),
        SignInLinkRow.ended_ms.is_(None),
        SignInLinkRow.expires_ms > now,
    )


def _invalid() -> ServiceError:
    return ServiceError(
        ErrorCode.SIGN_IN_LINK_INVALID,
        "This sign-in link was used, is older than ten minutes, or was replaced by a newer one. "
        "Request a new one.",
    )
