"""Requests that are executed once, however often they are sent.

The key is inserted in one transaction with the run or workspace revision that the request creates.
A repeated request finds that record. It is never charged and does not count against a limit.
"""

from __future__ import annotations

import hashlib

import msgspec
from sqlalchemy import Connection, Engine, and_, bindparam, delete, exists, select

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.platform.db.batches import Old
from codeintel.platform.db.models import IdempotencyKey, RunRow, now_ms
from codeintel.platform.db.statements import insert_into

MAX_KEY_CHARACTERS = 255


class RequestKey(msgspec.Struct, frozen=True):
    """The identity of a request: the account, the route and the key.

    `body` shows whether two requests with the same identity also have the same content. Digests are
    SHA-256.
    """

    account_id: str
    route: str
    digest: str
    body: str


def request_key(account_id: str, route: str, key: str, body: bytes) -> RequestKey:
    """Return the key of a request with an `Idempotency-Key`.

    :raises ServiceError: `invalid_request` for an empty or long key, or one that is not printable
        ASCII.
    """
    if not 1 <= len(key) <= MAX_KEY_CHARACTERS or not key.isascii() or not key.isprintable():
        raise ServiceError(
            ErrorCode.INVALID_REQUEST,
            f"Idempotency-Key must have 1 to {MAX_KEY_CHARACTERS} printable ASCII characters.",
            details={"path": "Idempotency-Key"},
        )
    return RequestKey(account_id, route, _hash(key.encode()), _hash(body))


def find_made(engine: Engine, key: RequestKey) -> str | None:
    """Return what the request created when it was first sent, or None if this is the first time.

    :raises ServiceError: `idempotency_conflict` if the key was used with a different body.
    """
    with engine.connect() as connection:
        row = connection.execute(_FIND, _place(key)).one_or_none()
    if row is None:
        return None
    if row.body != key.body:
        raise ServiceError(
            ErrorCode.IDEMPOTENCY_CONFLICT,
            "This Idempotency-Key was already used with a different body. Send a new key.",
        )
    return str(row.made)


def claim(connection: Connection, key: RequestKey, made: str) -> bool:
    """Store what the request creates under its key.

    Return False, without a change, if the key is used.
    """
    values = {**_place(key), "body": key.body, "made": made, "created_ms": now_ms()}
    statement = insert_into(connection, IdempotencyKey).values(values).on_conflict_do_nothing()
    # Drivers count the rows of such a statement differently, but agree on the rows that it returns.
    added = connection.execute(statement.returning(IdempotencyKey.made))
    return added.one_or_none() is not None


def unclaim(connection: Connection, key: RequestKey) -> None:
    """Delete a key that was just claimed for something that is refused now."""
    connection.execute(_UNCLAIM, _place(key))


def free(connection: Connection, run_id: str) -> None:
    """Delete the keys of a run that failed and cost nothing, so that its requests can be repeated.

    The run of a scan has two: that of the request with its files, and that of its start.
    """
    connection.execute(_FREE, {"run": run_id})


def old_keys(before_ms: int) -> Old:
    """Select the old keys whose runs are deleted."""
    is_used = exists().where(RunRow.id == IdempotencyKey.made)
    return Old(
        IdempotencyKey,
        and_(IdempotencyKey.created_ms < before_ms, ~is_used),
        IdempotencyKey.created_ms,
    )


def _place(key: RequestKey) -> dict[str, str]:
    return {"account_id": key.account_id, "route": key.route, "digest": key.digest}


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


_FIND = select(IdempotencyKey.made, IdempotencyKey.body).where(
    IdempotencyKey.account_id == bindparam("account_id"),
    IdempotencyKey.route == bindparam("route"),
    IdempotencyKey.digest == bindparam("digest"),
)
_UNCLAIM = delete(IdempotencyKey).where(
    IdempotencyKey.account_id == bindparam("account_id"),
    IdempotencyKey.route == bindparam("route"),
    IdempotencyKey.digest == bindparam("digest"),
)
_FREE = delete(IdempotencyKey).where(IdempotencyKey.made == bindparam("run"))
