"""API keys as their owners see them, and the checks of their fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

import msgspec

from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import Moment, from_milliseconds

MAX_NAME_CHARACTERS = 100
DEFAULT_TTL_DAYS = 365
MAX_TTL_DAYS = 3650
MAX_ACTIVE = 200
"""The maximum number of active keys of an account. More indicate a faulty program."""
DEFAULT_OVERLAP_SECONDS = 86_400
MAX_OVERLAP_SECONDS = 7 * 86_400


def checked_name(name: str) -> str:
    """Return the name without surrounding spaces.

    :raises ServiceError: `invalid_request`, as do the other checks.
    """
    name = name.strip()
    if not 1 <= len(name) <= MAX_NAME_CHARACTERS:
        raise _invalid("name", f"A key needs a name of 1 to {MAX_NAME_CHARACTERS} characters.")
    if "\0" in name:  # PostgreSQL cannot store it
        raise _invalid("name", "A key's name cannot have the character U+0000.")
    return name


def check_life(ttl_days: int) -> None:
    """Check the number of days that a key is valid."""
    if not 1 <= ttl_days <= MAX_TTL_DAYS:
        raise _invalid("ttlDays", f"A key lives 1 to {MAX_TTL_DAYS} days, not {ttl_days}.")


def check_overlap(overlap_seconds: int) -> None:
    """Check for how many seconds a rotated key remains valid."""
    if not 0 <= overlap_seconds <= MAX_OVERLAP_SECONDS:
        raise _invalid(
            "overlapSeconds",
            f"The overlap is 0 to {MAX_OVERLAP_SECONDS} seconds, not {overlap_seconds}.",
        )


def checked_scopes(scopes: Sequence[str]) -> list[Scope]:
    """Return the scopes without duplicates, in the usual order."""
    if not scopes:
        raise _invalid("scopes", f"Choose at least one scope: {', '.join(Scope)}.")
    for scope in scopes:
        if scope not in list(Scope):
            raise _invalid("scopes", f"Unknown scope {scope!r}. Choose from: {', '.join(Scope)}.")
    return [scope for scope in Scope if scope in scopes]


def _invalid(path: str, message: str) -> ServiceError:
    return ServiceError(ErrorCode.INVALID_REQUEST, message, details={"path": path})


def too_many() -> ServiceError:
    """Return the error for an account that has the maximum number of keys."""
    return ServiceError(
        ErrorCode.INVALID_REQUEST,
        f"This account has {MAX_ACTIVE} active keys, which is the maximum. Revoke one first.",
    )


def why_not_rotated(row: Mapping[str, Any], now: int) -> ServiceError | None:
    """Return why a key cannot be rotated, by its row. None if it can."""
    if row["revoked_ms"] is not None:
        return not_rotated("is revoked")
    if row["expires_ms"] <= now:
        return not_rotated("has expired")
    if row["replaced_by"] is not None:
        return not_rotated(f"was already rotated and replaced by {row['replaced_by']}")
    return None


def not_rotated(why: str) -> ServiceError:
    """Return the error for a key that cannot be rotated."""
    return ServiceError(
        ErrorCode.KEY_NOT_ACTIVE, f"This key {why}, so it cannot be rotated. Create a new key."
    )


class KeyStatus(StrEnum):
    """The status of a key, derived from its times."""

    ACTIVE = "active"
    EXPIRED = "expired"
    REVOKED = "revoked"


class KeyRecord(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """An API key as its owner sees it. The token is shown only once, when the key is created."""

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
    """The id of the key that replaced it in a rotation."""


class Rotation(msgspec.Struct, frozen=True):
    """A key that replaced another one, its token, which is shown only once, and the old key."""

    key: KeyRecord
    token: str
    previous: KeyRecord


class KeyMatch(msgspec.Struct, frozen=True):
    """A stored key and its account, found by a token."""

    key_id: str
    scopes: frozenset[str]
    account_id: str
    tier: str
    unlimited: bool
    last_used_ms: int | None
    expires_ms: int


def key_record(row: Mapping[str, Any], now: int) -> KeyRecord:
    """Convert a row of the table to its owner's view at a time, in milliseconds since 1970."""
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
        created_at=from_milliseconds(row["created_ms"]),
        expires_at=from_milliseconds(row["expires_ms"]),
        last_used_at=from_milliseconds(row["last_used_ms"]) if row["last_used_ms"] else None,
        revoked_at=from_milliseconds(row["revoked_ms"]) if row["revoked_ms"] else None,
        replaced_by=row["replaced_by"],
    )
