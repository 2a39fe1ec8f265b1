"""Keys as their page shows them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from codeintel.base.text.quantities import counted
from codeintel.identity.keys.records import KeyRecord, KeyStatus

SOON = timedelta(days=14)
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class KeyRow:
    """A key with its state in words: `state` is one of `active`, `soon`, `replaced`, `expired`,
    `revoked`; `note` says more."""

    record: KeyRecord
    state: str
    title: str
    note: str

    @property
    def is_active(self) -> bool:
        """Whether there is something left to revoke."""
        return self.record.status is KeyStatus.ACTIVE

    @property
    def can_rotate(self) -> bool:
        """Whether another key can take its place."""
        return self.is_active and self.record.replaced_by is None


def key_rows(records: Sequence[KeyRecord], now: datetime) -> list[KeyRow]:
    """All of them, in the order given."""
    previews = {each.id: each.preview for each in records}
    return [key_row(each, now, previews.get(each.replaced_by or "", "")) for each in records]


def key_row(record: KeyRecord, now: datetime, replacement: str = "") -> KeyRow:
    """One.

    :param replacement: preview of the key that took its place.
    """
    left = record.expires_at - now
    by = f"by {replacement}" if replacement else ""
    if record.revoked_at is not None:
        note = f"on {record.revoked_at.day} {record.revoked_at:%b %Y}"
        return KeyRow(record, "revoked", "revoked", note)
    if record.status is KeyStatus.EXPIRED:
        title = "replaced" if record.replaced_by else "expired"
        return KeyRow(record, "expired", title, by)
    if record.replaced_by:
        note = f"{by}; ends in {_left(left)}".removeprefix("; ")
        return KeyRow(record, "replaced", "replaced", note)
    if left <= SOON:
        note = f"in {_left(left)}: rotate it"
        return KeyRow(record, "soon", "expires soon", note)
    return KeyRow(record, "active", "active", "")


def _left(left: timedelta) -> str:
    """`3 days`, `5 hours`, `2 minutes`: rounded down, for it is a promise."""
    if left >= 2 * _DAY:
        return counted(left // _DAY, "day")
    hours = left // timedelta(hours=1)
    return counted(hours, "hour") if hours else counted(left // timedelta(minutes=1), "minute")
