"""Making, listing, revoking and looking up API keys."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import msgspec
from cachetools import LRUCache, TTLCache
from sqlalchemy import Connection, Engine, bindparam, insert, or_, select, update

from codeintel.db.models import Account, ApiKey, new_id, now_ms
from codeintel.db.writer import Writer
from codeintel.errors import ErrorCode, ServiceError
from codeintel.keys import tokens
from codeintel.moments import Moment
from codeintel.scopes import Scope

MAX_NAME_CHARACTERS = 100
DEFAULT_TTL_DAYS = 365
MAX_TTL_DAYS = 3650
DAY_MS = 86_400_000
LAST_USED_RESOLUTION_MS = 60_000
KNOWN_SECONDS = 2.0
"""How long a key that was found is believed without asking the database again. A revocation
elsewhere takes that long to hold here."""
KNOWN_KEYS = 10_000


class KeyStatus(StrEnum):
    """What a key is good for, derived from its times."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


class KeyRecord(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An API key as its owner sees it. The token itself is shown once, when it is made."""

    id: str
    name: str
    scopes: tuple[Scope, ...]
    status: KeyStatus
    preview: str
    created_at: Moment
    expires_at: Moment
    last_used_at: Moment | None
    revoked_at: Moment | None


class KeyMatch(msgspec.Struct, frozen=True):
    """A stored key and its account, as found by a token."""

    key_id: str
    scopes: frozenset[str]
    account_id: str
    tier: str
    unlimited: bool
    last_used_ms: int | None
    expires_ms: int


class Keys:
    """The API keys of all accounts."""

    def __init__(self, engine: Engine, writer: Writer, pepper: bytes) -> None:
        self._engine = engine
        self._writer = writer
        self._pepper = pepper
        self._known: TTLCache[str, KeyMatch] = TTLCache(KNOWN_KEYS, KNOWN_SECONDS)
        self._touched: LRUCache[str, int] = LRUCache(KNOWN_KEYS)

    def create(
        self, account_id: str, name: str, scopes: Sequence[str], ttl_days: int = DEFAULT_TTL_DAYS
    ) -> tuple[KeyRecord, str]:
        """Make a key; returns its record and the token, which cannot be had again.

        :raises ServiceError: `invalid_request` for a blank or long name, no or unknown scopes, or a
            life outside 1 to 3650 days.
        """
        name = name.strip()
        if not 1 <= len(name) <= MAX_NAME_CHARACTERS:
            raise _invalid("name", f"A key needs a name of 1 to {MAX_NAME_CHARACTERS} characters.")
        if not 1 <= ttl_days <= MAX_TTL_DAYS:
            raise _invalid("ttlDays", f"A key lives 1 to {MAX_TTL_DAYS} days, not {ttl_days}.")
        token, now = tokens.make_token(), now_ms()
        row = {
            "id": new_id("key"),
            "account_id": account_id,
            "name": name,
            "scopes": " ".join(_checked_scopes(scopes)),
            "digest": tokens.digest(token, self._pepper),
            "preview": tokens.preview(token),
            "created_ms": now,
            "expires_ms": now + ttl_days * DAY_MS,
            "revoked_ms": None,
            "last_used_ms": None,
        }
        self._writer.run(lambda connection: connection.execute(insert(ApiKey).values(row)))
        return _record(row), token

    def list(self, account_id: str) -> list[KeyRecord]:
        """An account's keys, newest first, revoked and expired ones too."""
        query = select(ApiKey.__table__).where(ApiKey.account_id == account_id)
        with self._engine.connect() as connection:
            rows = connection.execute(query.order_by(ApiKey.created_ms.desc(), ApiKey.id))
            return [_record(row._mapping) for row in rows]

    def revoke(self, account_id: str, key_id: str) -> KeyRecord:
        """Revoke a key for good; doing it again changes nothing.

        :raises ServiceError: `not_found` for a key that does not exist or is another account's.
        """
        mine = (ApiKey.id == key_id, ApiKey.account_id == account_id)

        def work(connection: Connection) -> Any:
            connection.execute(
                update(ApiKey).where(*mine, ApiKey.revoked_ms.is_(None)).values(revoked_ms=now_ms())
            )
            return connection.execute(select(ApiKey.__table__).where(*mine)).one_or_none()

        row = self._writer.run(work)
        self._known.clear()
        if row is None:
            raise ServiceError(ErrorCode.NOT_FOUND, f"There is no API key {key_id!r}.")
        return _record(row._mapping)

    def find(self, token: str) -> KeyMatch | None:
        """The active key that `token` is, with its account; None for anything else."""
        if not tokens.is_well_formed(token):
            return None
        digest, now = tokens.digest(token, self._pepper), now_ms()
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

    def is_active(self, key_id: str) -> bool:
        """Whether a key is neither revoked nor expired."""
        with self._engine.connect() as connection:
            found = connection.execute(_IS_ACTIVE, {"key": key_id, "now": now_ms()})
            return found.one_or_none() is not None

    def touch(self, match: KeyMatch) -> None:
        """Note that a key was used, at most once a minute."""
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


def _record(row: Any) -> KeyRecord:
    now = now_ms()
    if row["revoked_ms"] is not None:
        status = KeyStatus.REVOKED
    else:
        status = KeyStatus.ACTIVE if now < row["expires_ms"] else KeyStatus.EXPIRED
    return KeyRecord(
        id=row["id"],
        name=row["name"],
        scopes=tuple(Scope(scope) for scope in row["scopes"].split()),
        status=status,
        preview=row["preview"],
        created_at=_time(row["created_ms"]),
        expires_at=_time(row["expires_ms"]),
        last_used_at=_time(row["last_used_ms"]) if row["last_used_ms"] else None,
        revoked_at=_time(row["revoked_ms"]) if row["revoked_ms"] else None,
    )


def _time(milliseconds: int) -> datetime:
    return datetime.fromtimestamp(milliseconds / 1000, UTC)


def _checked_scopes(scopes: Sequence[str]) -> list[Scope]:
    """The scopes, each once, in their usual order."""
    if not scopes:
        raise _invalid("scopes", f"A key needs at least one scope of: {', '.join(Scope)}.")
    for scope in scopes:
        if scope not in list(Scope):
            raise _invalid("scopes", f"There is no scope {scope!r}; there are: {', '.join(Scope)}.")
    return [scope for scope in Scope if scope in scopes]


def _invalid(path: str, message: str) -> ServiceError:
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": path})
