"""Sessions of browsers: rows that are found by the digest of the cookie's token."""

from __future__ import annotations

import builtins
from datetime import datetime
from typing import Any

import msgspec
from cachetools import LRUCache, TTLCache
from sqlalchemy import Connection, Engine, bindparam, insert, or_, select, update

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import from_milliseconds
from codeintel.identity.accounts import account_deleted, is_open
from codeintel.identity.audit import Actor, AuditKind, record
from codeintel.identity.secrets import digest, make_token
from codeintel.identity.tables import SessionRow
from codeintel.platform.config import Settings
from codeintel.platform.db.models import Account, new_id, now_ms
from codeintel.platform.db.writer import Writer

LINK = "link"
"""The origin of a session without a provider."""
MAX_AGENT_CHARACTERS = 200
SEEN_RESOLUTION_MS = 60_000
KNOWN_SECONDS = 2.0
"""The time for which a session is cached."""
KNOWN_SESSIONS = 10_000
SHOWN_SESSIONS = 100


class SessionMatch(msgspec.Struct, frozen=True):
    """An active session and its account, found by a token."""

    session_id: str
    digest: str
    account_id: str
    tier: str
    unlimited: bool
    email: str
    seen_ms: int
    expires_ms: int


class SessionRecord(msgspec.Struct, frozen=True, kw_only=True):
    """A session as its owner sees it. `how` is `link` or an issuer."""

    id: str
    how: str
    agent: str
    created_at: datetime
    seen_at: datetime
    expires_at: datetime


class Sessions:
    """The sessions of all accounts."""

    def __init__(self, engine: Engine, writer: Writer, settings: Settings) -> None:
        self._engine = engine
        self._writer = writer
        self._idle_ms = int(settings.session_idle * 1000)
        self._lifetime_ms = int(settings.session_lifetime * 1000)
        self._known: TTLCache[str, SessionMatch] = TTLCache(KNOWN_SESSIONS, KNOWN_SECONDS)
        self._going: TTLCache[str, bool] = TTLCache(KNOWN_SESSIONS, KNOWN_SECONDS)
        self._touched: LRUCache[str, int] = LRUCache(KNOWN_SESSIONS)

    def open(
        self, account_id: str, how: str, *, agent: str = "", address: str = "", replacing: str = ""
    ) -> str:
        """Sign a browser in. Return the token for its cookie.

        :param how: `link`, or the issuer that vouches for it.
        :param replacing: the browser's previous token, whose session ends.
        :raises ServiceError: `unauthorized` for a deleted account.
        """
        token, now = make_token(), now_ms()
        row = {
            "id": new_id("ses"),
            "digest": digest(token),
            "account_id": account_id,
            "how": how[:255],
            "agent": agent[:MAX_AGENT_CHARACTERS],
            "created_ms": now,
            "seen_ms": now,
            "expires_ms": now + self._lifetime_ms,
        }

        def work(connection: Connection) -> ServiceError | None:
            if not is_open(connection, account_id):
                return account_deleted()
            actor = Actor(f"session:{row['id']}", address)
            _end_replaced(connection, replacing, now, actor)
            connection.execute(insert(SessionRow).values(row))
            details = {"how": row["how"], "agent": row["agent"]}
            record(
                connection,
                AuditKind.SIGNED_IN,
                account_id,
                actor,
                subject=str(row["id"]),
                details=details,
            )
            return None

        refusal = self._writer.run(work, order=account_id)
        if refusal is not None:
            raise refusal
        self._known.clear()
        self._going.clear()
        return token

    def find(self, token: str) -> SessionMatch | None:
        """Return the active session of a token and record its use. None for anything else."""
        key, now = digest(token), now_ms()
        known = self._known.get(key)
        if known is None:
            with self._engine.connect() as connection:
                row = connection.execute(_FIND, self._going_on(now) | {"digest": key}).first()
            if row is None:
                return None
            known = self._known[key] = SessionMatch(*row)
        if known.expires_ms <= now:
            return None
        self._touch(known, now)
        return known

    def goes_on(self, session_id: str) -> bool:
        """Return :meth:`is_active`, cached for two seconds."""
        found = self._going.get(session_id)
        if found is None:
            found = self._going[session_id] = self.is_active(session_id)
        return found

    def forget_known(self) -> None:
        """Drop all cached sessions, because some have ended."""
        self._known.clear()
        self._going.clear()

    def is_active(self, session_id: str) -> bool:
        """Return whether a session is neither ended nor expired."""
        with self._engine.connect() as connection:
            values = self._going_on(now_ms()) | {"session": session_id}
            return connection.execute(_IS_ACTIVE, values).first() is not None

    def list(self, account_id: str) -> list[SessionRecord]:
        """Return the account's active sessions, most recently seen first."""
        query = _GOES_ON.where(SessionRow.account_id == account_id)
        query = query.order_by(SessionRow.seen_ms.desc()).limit(SHOWN_SESSIONS)
        with self._engine.connect() as connection:
            rows = connection.execute(query, self._going_on(now_ms()))
            return [_record(row) for row in rows]

    def end(self, account_id: str, session_id: str, actor: Actor) -> None:
        """End a session. Repeating it has no effect.

        :raises ServiceError: `not_found` for an unknown session or another account's.
        """
        mine = (SessionRow.id == session_id, SessionRow.account_id == account_id)
        exists = select(SessionRow.id).where(*mine)
        if not self._end(mine, account_id, actor):
            with self._engine.connect() as connection:
                if connection.scalar(exists) is None:
                    raise ServiceError(ErrorCode.NOT_FOUND, "There is no such session.")

    def end_all(self, account_id: str, actor: Actor) -> int:
        """Sign out everywhere. Return the number of ended sessions."""
        return self._end((SessionRow.account_id == account_id,), account_id, actor)

    def _end(self, which: tuple[Any, ...], account_id: str, actor: Actor) -> int:
        end = update(SessionRow).where(*which, SessionRow.ended_ms.is_(None))

        def work(connection: Connection) -> builtins.list[str]:
            ended = end.values(ended_ms=now_ms()).returning(SessionRow.id)
            ids = builtins.list(connection.scalars(ended))
            for each in ids:
                record(connection, AuditKind.SIGNED_OUT, account_id, actor, subject=each)
            return ids

        ids = self._writer.run(work, order=account_id)
        self._known.clear()
        self._going.clear()
        return len(ids)

    def _going_on(self, now: int) -> dict[str, int]:
        return {"now": now, "idle": now - self._idle_ms}

    def _touch(self, match: SessionMatch, now: int) -> None:
        """Record the use of a session, at most once a minute."""
        if now - self._touched.get(match.session_id, match.seen_ms) < SEEN_RESOLUTION_MS:
            return
        self._touched[match.session_id] = now
        values = {"session": match.session_id, "seen": now, "stale": now - SEEN_RESOLUTION_MS}
        self._writer.run(lambda connection: connection.execute(_TOUCH, values))


_IS_GOING_ON = (
    SessionRow.ended_ms.is_(None),
    SessionRow.expires_ms > bindparam("now"),
    SessionRow.seen_ms > bindparam("idle"),
)
_GOES_ON = select(SessionRow.__table__).where(*_IS_GOING_ON)
_FIND = (
    select(
        SessionRow.id,
        SessionRow.digest,
        Account.id,
        Account.tier,
        Account.unlimited,
        Account.email,
        SessionRow.seen_ms,
        SessionRow.expires_ms,
    )
    .join(Account, Account.id == SessionRow.account_id)
    .where(SessionRow.digest == bindparam("digest"), *_IS_GOING_ON)
)
_IS_ACTIVE = select(SessionRow.id).where(SessionRow.id == bindparam("session"), *_IS_GOING_ON)
_TOUCH = (
    update(SessionRow)
    .where(
        SessionRow.id == bindparam("session"),
        or_(SessionRow.seen_ms.is_(None), SessionRow.seen_ms <= bindparam("stale")),
    )
    .values(seen_ms=bindparam("seen"))
)


def _end_replaced(connection: Connection, token: str, now: int, actor: Actor) -> None:
    """End the previous session of a browser, which may belong to another account."""
    had = (SessionRow.digest == digest(token), SessionRow.ended_ms.is_(None))
    end = update(SessionRow).where(*had).values(ended_ms=now)
    ended = connection.execute(end.returning(SessionRow.id, SessionRow.account_id)).first()
    if ended is not None:
        record(connection, AuditKind.SIGNED_OUT, ended.account_id, actor, subject=ended.id)


def _record(row: Any) -> SessionRecord:
    return SessionRecord(
        id=row.id,
        how=row.how,
        agent=row.agent,
        created_at=from_milliseconds(row.created_ms),
        seen_at=from_milliseconds(row.seen_ms),
        expires_at=from_milliseconds(row.expires_ms),
    )
