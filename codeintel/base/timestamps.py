"""Timestamps of the API."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import msgspec

Moment = Annotated[datetime, msgspec.Meta(tz=True)]
"""A time in UTC, with its zone: `date-time` in the OpenAPI document."""


def from_milliseconds(milliseconds: int) -> datetime:
    """Convert a time of the database, in milliseconds since 1970, to one for the API."""
    return datetime.fromtimestamp(milliseconds / 1000, UTC)
