"""Helpers that tests import by name. Fixtures are in `conftest.py`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from flask import Flask

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity.accounts import Account

MakeApp = Callable[..., Flask]


@dataclass(frozen=True)
class User:
    """An account with a key for everything under /api/v1/."""

    account: Account
    token: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def make_user(
    services: Services,
    email: str = "user@example.org",
    *,
    tier: Tier = Tier.FREE,
    credits_: int = 100,
    unlimited: bool = False,
    scopes: tuple[str, ...] = ("api:v1",),
) -> User:
    """Return a new account with a key."""
    account = services.accounts.create(email, tier, credits_, unlimited)
    return User(account, services.keys.create(account.id, "test", list(scopes))[1])
