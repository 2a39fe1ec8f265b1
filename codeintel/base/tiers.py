"""Account tiers."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Tier(StrEnum):
    """What an account may use per hour."""

    FREE = "FREE"
    PRO = "PRO"
    TEAM = "TEAM"


class TierLimits(NamedTuple):
    """Operations per hour."""

    analysis: int
    transform: int
