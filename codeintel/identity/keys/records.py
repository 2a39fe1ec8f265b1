"""API keys as they are shown and found."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import msgspec

from codeintel.base.scopes import Scope
from codeintel.base.timestamps import Moment, moment


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
    replaced_by: str | None = None
    """The id of the key that took its place when it was rotated."""


class Rotation(msgspec.Struct, frozen=True):
    """A key that took another's place, its token, which is shown this once, and the other."""

    key: KeyRecord
    token: str
    previous: KeyRecord


class KeyMatch(msgspec.Struct, frozen=True):
    """A stored key and its account, as found by a token."""

    key_id: str
    scopes: frozenset[str]
    account_id: str
    tier: str
    unlimited: bool
    last_used_ms: int | None
    expires_ms: int


def key_record(row: Mapping[str, Any], now: int) -> KeyRecord:
    """A row of the table as its owner sees it at a moment, in milliseconds since 1970."""
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
        created_at=moment(row["created_ms"]),
        expires_at=moment(row["expires_ms"]),
        last_used_at=moment(row["last_used_ms"]) if row["last_used_ms"] else None,
        revoked_at=moment(row["revoked_ms"]) if row["revoked_ms"] else None,
        replaced_by=row["replaced_by"],
    )
