"""Requests that are done once, however often they are sent.

The key and what the request makes, a run or a revision of a workspace, are inserted in one
transaction. A repeat finds that; it is never charged and spends no limit.
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
    """What makes two requests the same: who sends them, where to, under which key. `body` tells
    whether they also say the same. Digests are SHA-256."""

    account_id: str
    route: str
    digest: str
    body: str


def request_key(account_id: str, route: str, key: str, body: bytes) -> RequestKey:
    """The key of a request with an `Idempotency-Key`.

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
    """What the request made when it was first sent: None if it was not sent before.

    :raises ServiceError: `idempotency_conflict` if another body came under the key.
    """
    with engine.connect() as connection:
        row = connection.execute(_FIND, _place(key)).one_or_none()
    if row is None:
        return None
    if row.body != key.body:
        raise ServiceError(
            ErrorCode.IDEMPOTENCY_CONFLICT,
            "This Idempotency-Key came with another body before: send a new key.",
        )
    return str(row.made)


def claim(connection: Connection, key: RequestKey, made: str) -> bool:
    """Put under the key what the request makes; False, and nothing changed, if something is there
    already."""
    values = {**_place(key), "body": key.body, "made": made, "created_ms": now_ms()}
    statement = insert_into(connection, IdempotencyKey).values(values).on_conflict_do_nothing()
    # Drivers count the rows of such a statement differently; what it returns is plain.
    added = connection.execute(statement.returning(IdempotencyKey.made))
    return added.one_or_none() is not None


def free(connection: Connection, run_id: str) -> None:
    """Let the request be sent again: its run failed and cost nothing."""
    connection.execute(_FREE, {"run": run_id})


def old_keys(before_ms: int) -> Old:
    """The keys of long ago whose runs are deleted."""
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
_FREE = delete(IdempotencyKey).where(IdempotencyKey.made == bindparam("run"))
