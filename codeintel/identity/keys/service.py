"""Create, list, revoke and look up API keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cachetools import LRUCache, TTLCache
from sqlalchemy import Connection, Engine, bindparam, func, insert, or_, select, update

from codeintel.base import key_format
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import from_milliseconds
from codeintel.identity.accounts import account_deleted, is_open
from codeintel.identity.audit import OPERATOR, Actor, AuditKind, record
from codeintel.identity.keys.records import (
    DEFAULT_OVERLAP_SECONDS,
    DEFAULT_TTL_DAYS,
    MAX_ACTIVE,
    KeyMatch,
    KeyRecord,
    Rotation,
    check_life,
    check_overlap,
    checked_name,
    checked_scopes,
    key_record,
    not_rotated,
    too_many,
    why_not_rotated,
)
from codeintel.platform.db.models import Account, ApiKey, new_id, now_ms
from codeintel.platform.db.writer import Writer

DAY_MS = 86_400_000
LAST_USED_RESOLUTION_MS = 60_000
KNOWN_SECONDS = 2.0
"""The time for which a key is cached. A revocation by another process takes that long to apply
here.
"""
KNOWN_KEYS = 10_000

Row = dict[str, Any]


class Keys:
    """The API keys of all accounts."""

    def __init__(self, engine: Engine, writer: Writer, pepper: bytes) -> None:
        self._engine = engine
        self._writer = writer
        self._pepper = pepper
        self._known: TTLCache[str, KeyMatch] = TTLCache(KNOWN_KEYS, KNOWN_SECONDS)
        self._touched: LRUCache[str, int] = LRUCache(KNOWN_KEYS)

    def create(
        self,
        account_id: str,
        name: str,
        scopes: Sequence[str],
        ttl_days: int = DEFAULT_TTL_DAYS,
        *,
        actor: Actor = OPERATOR,
        as_number: int | None = None,
    ) -> tuple[KeyRecord, str]:
        """Create a key. Return its record and the token, which cannot be shown again.

        :param as_number: create the key only if the account has this many keys, regardless of
            concurrent requests. None for no condition.
        :raises ServiceError: `invalid_request` for a blank or long name, missing or unknown scopes,
            a lifetime outside 1 to 3650 days, or more than 200 active keys. `idempotency_conflict`
            for another number.
        """
        name = checked_name(name)
        check_life(ttl_days)
        checked = " ".join(checked_scopes(scopes))
        row, token = self._new(account_id, name, checked, ttl_days * DAY_MS)

        def work(connection: Connection) -> ServiceError | None:
            if not is_open(connection, account_id):
                return account_deleted()
            if as_number is not None and _count_alone(connection, account_id) != as_number:
                return ServiceError(
                    ErrorCode.IDEMPOTENCY_CONFLICT,
                    "Another key was created at the same time. Check the list of keys.",
                )
            active = connection.scalar(_ACTIVE, {"account": account_id, "now": now_ms()})
            if (active or 0) >= MAX_ACTIVE:
                return too_many()
            connection.execute(insert(ApiKey).values(row))
            _record_event(connection, AuditKind.KEY_CREATED, row, actor, scopes=row["scopes"])
            return None

        refusal = self._writer.run(work, order=account_id)
        if refusal is not None:
            raise refusal
        return key_record(row, now_ms()), token

    def rotate(
        self,
        account_id: str,
        key_id: str,
        overlap_seconds: int = DEFAULT_OVERLAP_SECONDS,
        *,
        actor: Actor = OPERATOR,
    ) -> Rotation:
        """Create a key that replaces another one, with the same name, scopes and lifetime. The old
        key remains valid for the overlap, but never beyond its own expiration.

        :param overlap_seconds: 0 to 604,800 (7 days).
        :raises ServiceError: `not_found`, `key_not_active` for a key that is expired, revoked or
            already rotated, `invalid_request` for another overlap.
        """
        check_overlap(overlap_seconds)

        def work(connection: Connection) -> tuple[Row, Row, str] | ServiceError:
            now = now_ms()
            old = _find_own(connection, account_id, key_id)
            if old is None:
                return _unknown(key_id)
            refusal = why_not_rotated(old, now)
            if refusal is not None:
                return refusal
            life = old["expires_ms"] - old["created_ms"]
            row, token = self._new(account_id, old["name"], old["scopes"], life)
            ends = min(old["expires_ms"], now + overlap_seconds * 1000)
            change = {"expires_ms": ends, "replaced_by": row["id"]}
            is_as_found = (ApiKey.revoked_ms.is_(None), ApiKey.replaced_by.is_(None))
            replace = update(ApiKey).where(ApiKey.id == key_id, *is_as_found).values(change)
            if connection.execute(replace).rowcount != 1:  # another process was faster
                return not_rotated("was rotated or revoked at the same time")
            connection.execute(insert(ApiKey).values(row))
            details = {"replacement": row["id"], "ends": from_milliseconds(ends).isoformat()}
            _record_event(connection, AuditKind.KEY_ROTATED, old, actor, **details)
            return row, old | change, token

        done = self._writer.run(work, order=account_id)
        if isinstance(done, ServiceError):
            raise done
        self._known.clear()
        row, old, token = done
        now = now_ms()
        return Rotation(key_record(row, now), token, key_record(old, now))

    def list(self, account_id: str) -> list[KeyRecord]:
        """Return an account's keys, newest first, including revoked and expired ones."""
        query = select(ApiKey.__table__).where(ApiKey.account_id == account_id)
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(ApiKey.created_ms.desc(), ApiKey.id.desc()))
            now = now_ms()
            return [key_record(dict(row._mapping), now) for row in rows]

    def revoke(self, account_id: str, key_id: str, *, actor: Actor = OPERATOR) -> KeyRecord:
        """Revoke a key permanently. Repeating it has no effect.

        :raises ServiceError: `not_found` for an unknown key or another account's key.
        """

        def work(connection: Connection) -> Row | None:
            row = _find_own(connection, account_id, key_id)
            if row is None or row["revoked_ms"] is not None:
                return row
            row["revoked_ms"] = now_ms()
            revoke = update(ApiKey).where(ApiKey.id == key_id, ApiKey.revoked_ms.is_(None))
            if connection.execute(revoke.values(revoked_ms=row["revoked_ms"])).rowcount != 1:
                return _find_own(connection, account_id, key_id)  # another process was faster
            _record_event(connection, AuditKind.KEY_REVOKED, row, actor)
            return row

        row = self._writer.run(work, order=account_id)
        self._known.clear()
        if row is None:
            raise _unknown(key_id)
        return key_record(row, now_ms())

    def find(self, token: str) -> KeyMatch | None:
        """Return the active key of a token with its account, or None."""
        if not key_format.is_well_formed(token):
            return None
        digest, now = key_format.digest(token, self._pepper), now_ms()
        known = self._known.get(digest)
        if known is not None and known.expires_ms > now:
            return known
        with self._engine.connect() as connection:
            row = connection.execute(_FIND, {"digest": digest, "now": now}).one_or_none()
        if row is None:
            return None
        match = KeyMatch(row[0], frozenset(row[1].split()), *row[2:])
        self._known[digest] = match
        return match

    def forget_known(self) -> None:
        """Drop all cached keys, because some have ended."""
        self._known.clear()

    def is_active(self, key_id: str) -> bool:
        """Return whether a key is neither revoked nor expired."""
        with self._engine.connect() as connection:
            found = connection.execute(_IS_ACTIVE, {"key": key_id, "now": now_ms()})
            return found.one_or_none() is not None

    def _new(self, account_id: str, name: str, scopes: str, life_ms: int) -> tuple[Row, str]:
        """Return the row of a new key, and its token."""
        token, now = key_format.make_token(), now_ms()
        row = {
            "id": new_id("key"),
            "account_id": account_id,
            "name": name,
            "scopes": scopes,
            "digest": key_format.digest(token, self._pepper),
            "preview": key_format.preview(token),
            "created_ms": now,
            "expires_ms": now + life_ms,
            "revoked_ms": None,
            "last_used_ms": None,
            "replaced_by": None,
        }
        return row, token

    def touch(self, match: KeyMatch) -> None:
        """Record the use of a key, at most once a minute."""
        now = now_ms()
        last = self._touched.get(match.key_id, match.last_used_ms)
        if last is not None and now - last < LAST_USED_RESOLUTION_MS:
            return
        self._touched[match.key_id] = now
        self._writer.run(
            lambda connection: connection.execute(
                _TOUCH, {"key": match.key_id, "now": now, "stale": now - LAST_USED_RESOLUTION_MS}
            )
        )


_FIND = (
    select(
        ApiKey.id,
        ApiKey.scopes,
        Account.id,
        Account.tier,
        Account.unlimited,
        ApiKey.last_used_ms,
        ApiKey.expires_ms,
    )
    .join(Account, Account.id == ApiKey.account_id)
    .where(
        ApiKey.digest == bindparam("digest"),
        ApiKey.revoked_ms.is_(None),
        ApiKey.expires_ms > bindparam("now"),
    )
)
_ACTIVE = (
    select(func.count())
    .select_from(ApiKey)
    .where(
        ApiKey.account_id == bindparam("account"),
        ApiKey.revoked_ms.is_(None),
        ApiKey.expires_ms > bindparam("now"),
    )
)
_IS_ACTIVE = select(ApiKey.id).where(
    ApiKey.id == bindparam("key"),
    ApiKey.revoked_ms.is_(None),
    ApiKey.expires_ms > bindparam("now"),
)
_TOUCH = (
    update(ApiKey)
    .where(
        ApiKey.id == bindparam("key"),
        or_(ApiKey.last_used_ms.is_(None), ApiKey.last_used_ms <= bindparam("stale")),
    )
    .values(last_used_ms=bindparam("now"))
)


def _count_alone(connection: Connection, account_id: str) -> int:
    """Return the number of keys of an account. Lock the count until the transaction ends."""
    account = select(Account.id).where(Account.id == account_id)
    connection.execute(account.with_for_update(key_share=True))  # SQLite has one writer anyway
    mine = select(func.count()).where(ApiKey.account_id == account_id)
    return connection.scalar(mine) or 0


def _find_own(connection: Connection, account_id: str, key_id: str) -> Row | None:
    mine = (ApiKey.id == key_id, ApiKey.account_id == account_id)
    row = connection.execute(select(ApiKey.__table__).where(*mine)).one_or_none()
    return dict(row._mapping) if row is not None else None


def _unknown(key_id: str) -> ServiceError:
    return ServiceError(ErrorCode.NOT_FOUND, f"The API key {key_id!r} does not exist.")


def _record_event(
    connection: Connection, kind: AuditKind, row: Row, actor: Actor, **details: str
) -> None:
    record(
        connection,
        kind,
        row["account_id"],
        actor,
        subject=row["id"],
        details={"name": row["name"], "preview": row["preview"], **details},
    )
