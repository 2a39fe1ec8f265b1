"""The rights of accounts and their API keys: tiers and scopes."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Tier(StrEnum):
    """The hourly allowance of an account."""

    FREE = "FREE"
    PRO = "PRO"
    TEAM = "TEAM"


class TierLimits(NamedTuple):
    """Operations per hour."""

    analysis: int
    transform: int
    scan: int


class Scope(StrEnum):
    """All scopes, with a sentence each in :attr:`meaning`."""

    API_V1 = "api:v1"
    ACCOUNT_READ = "account:read"
    SEARCH_READ = "search:read"
    ANALYSIS_WRITE = "analysis:write"
    TRANSFORM_WRITE = "transform:write"
    WORKSPACE_WRITE = "workspace:write"

    @property
    def meaning(self) -> str:
        """Return what the scope allows, as a readable phrase."""
        return _MEANING[self]


_MEANING = {
    Scope.API_V1: "All endpoints under /api/v1/, except workspaces.",
    Scope.ACCOUNT_READ: "Read the account: tier, credits, limits, prices.",
    Scope.SEARCH_READ: "Search the registries.",
    Scope.ANALYSIS_WRITE: "Analyze code and read those runs; costs credits.",
    Scope.TRANSFORM_WRITE: "Transform code and read those runs; costs credits.",
    Scope.WORKSPACE_WRITE: "Push, read and change workspaces.",
}
